"""Do the rows stay where they are?  Only distinct rows and their number may come here."""

import subprocess
import sys

import duckdb
import ibis
import pytest

import ordeval as oe

pytestmark = [  # Ibis asks pandas 3 and DuckDB 2 for what their next versions will not have
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table.. is deprecated"),
]

ROWS = 10**8

READERS = {
    "files": "folder",
    "DuckDB": "__import__('duckdb').read_parquet(folder + '/*.parquet')",
    "lazy Polars": "__import__('polars').scan_parquet(folder)",
    "DuckDB by Ibis": "__import__('ibis').read_parquet(folder + '/*.parquet')",
}
PROGRAM = """
import re, sys
import ordeval as oe
folder = sys.argv[1]
counts = oe.scan({reader}, true="y", pred="p")
print(counts.matrix.tolist() == [[{each}] * 5] * 5, int(re.search("VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) // 1024)
"""


@pytest.fixture(scope="module")
def long_parquet(tmp_path_factory):
    """Each pair of classes as often as any other.  As 64-bit numbers in memory these rows would take 1,600 MB."""
    folder = tmp_path_factory.mktemp("long")
    for part in range(4):
        rows = f"range({part * ROWS // 4}, {(part + 1) * ROWS // 4}) t(i)"
        duckdb.sql(f"COPY (SELECT i % 5 AS y, i // 5 % 5 AS p FROM {rows}) TO '{folder}/part-{part}.parquet'")
    return folder


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_hundred_million_rows_need_little_memory(long_parquet, reader):
    program = PROGRAM.format(reader=reader, each=ROWS // 25)
    done = subprocess.run(
        [sys.executable, "-c", program, str(long_parquet)], capture_output=True, text=True, check=True, timeout=600
    )
    exact, megabytes = done.stdout.split()[-2:]  # DuckDB may have shown its progress before
    assert exact == "True"
    assert int(megabytes) < 400


def statements_about(statements, name):
    return [text for text in statements if "select" in text.lower() and name in text and "pg_catalog" not in text]


def test_postgres_is_asked_for_groups_only(postgres):
    table = postgres.view("asked", "SELECT i % 3 AS y, i % 2 AS p, i AS w FROM generate_series(1, 600) AS t(i)")
    before = len(postgres.log())
    counts = oe.scan(table, true="y", pred="p", sample_weight="w")
    asked = statements_about(postgres.log()[before:].split("LOG:"), "asked")
    assert counts.audit.read == 600
    assert asked
    assert all("GROUP BY" in text for text in asked)


def test_sqlite_is_asked_for_groups_only(tmp_path):
    connection = ibis.sqlite.connect(tmp_path / "asked.sqlite")
    connection.con.executescript("CREATE TABLE asked (y TEXT, p TEXT); INSERT INTO asked VALUES ('lo', 'hi'), ('hi', 'hi')")
    table, asked = connection.table("asked"), []
    connection.con.set_trace_callback(asked.append)
    counts = oe.scan(table, true="y", pred="p", labels=["lo", "hi"])
    connection.disconnect()
    assert counts.matrix.tolist() == [[0, 1], [0, 1]]
    asked = statements_about(asked, "asked")
    assert asked
    assert all("GROUP BY" in text for text in asked)
