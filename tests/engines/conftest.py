"""Real engines, each started once for all tests: a PostgreSQL server and a Spark cluster of two workers, both on this machine."""

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from processes import GUARD

from engines.postgres import PostgresServer, programs


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    folder = programs()
    if folder is None:
        pytest.skip("PostgreSQL is not installed")
    return folder


@pytest.fixture(scope="session")
def postgres(postgres_programs):
    server = PostgresServer(postgres_programs)
    try:
        yield server
    finally:
        server.close()


@pytest.fixture(scope="session")
def sqlite(tmp_path_factory):
    import ibis

    connection = ibis.sqlite.connect(tmp_path_factory.mktemp("sqlite") / "rows.sqlite")
    yield connection
    connection.disconnect()


@pytest.fixture(scope="session")
def ibis_duckdb():
    import ibis

    connection = ibis.duckdb.connect()
    yield connection
    connection.disconnect()


@pytest.fixture(scope="session")
def spark():
    """Two executors, each a process with one core and a gigabyte, as on a cluster."""
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    import warnings

    import pyspark

    work = Path(pyspark.__file__).parent / "work"  # where the workers of local-cluster keep what they write
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas >= 3", FutureWarning)
        from pyspark.sql import SparkSession

        settings = {
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "1g",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
            "spark.sql.shuffle.partitions": "4",
            "spark.driver.maxResultSize": "1m",  # rows that come to the driver are an error
        }
        builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("ordeval")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
    application = session.sparkContext.applicationId
    yield session
    gateway = session.sparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()  # by which it is told to end
    gateway.proc.wait(GUARD)
    shutil.rmtree(work / application, ignore_errors=True)
    with suppress(OSError):  # other sessions may have theirs there
        work.rmdir()
