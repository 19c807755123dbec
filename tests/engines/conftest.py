"""Real engines, each started once for all tests: a PostgreSQL server and a Spark cluster of two workers, both on this machine."""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

import pytest


def _postgres_folder() -> Path | None:
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return folders[-1] if folders else None


class PostgresServer:
    """A cluster in a folder of its own, reached through a socket in that folder.  It refuses to run as root, so root lends it to a user."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="ordeval-postgres-"))
        self.data = self.folder / "data"
        self.user = "postgres"
        self._as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if self._as_user:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "--username", self.user, "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync")
        self.start()

    def _run(self, program: str, *options: str) -> None:
        command = [*self._as_user, str(self.programs / program), "--pgdata", str(self.data), *options]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        settings = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off -c log_statement=all"
        command = [
            "pg_ctl",
            "--pgdata",
            str(self.data),
            "--wait",
            "--log",
            str(self.folder / "log"),
            "--options",
            settings,
            "start",
        ]
        command[0] = str(self.programs / "pg_ctl")
        # Its output must not be a pipe: the server keeps it open.
        subprocess.run([*self._as_user, *command], cwd=self.folder, stdout=subprocess.DEVNULL, check=True)

    def log(self) -> str:
        """What the server was asked, among other things."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def stop(self) -> None:
        self._run("pg_ctl", "--wait", "--mode", "immediate", "stop")

    @cached_property
    def connection(self):
        """A connection by Ibis; it is closed with the server."""
        import ibis

        return ibis.postgres.connect(host=str(self.folder), user=self.user, database="postgres")

    def view(self, name: str, query: str):
        """A query as a table of Ibis."""
        self.connection.raw_sql(f"CREATE OR REPLACE VIEW {name} AS {query}").close()
        return self.connection.table(name)

    def close(self) -> None:
        self.connection.disconnect()
        if (self.data / "postmaster.pid").exists():
            self.stop()
        shutil.rmtree(self.folder)


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    folder = _postgres_folder()
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
    was_there = work.exists()
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
    session.stop()
    session.sparkContext._gateway.shutdown()
    shutil.rmtree(work / application, ignore_errors=True)
    if not was_there:
        shutil.rmtree(work, ignore_errors=True)
