"""The same rows in every form that people keep rows in."""

import csv
import gzip
import json
import math
import random

N = 1_200
CLASSES = ["NA", "None", "never used", "01", "4"]  # a careless reader takes three of them for something else
USED = [label for label in CLASSES if label != "never used"]


def _columns():
    draw = random.Random(11)
    truth = draw.choices(USED, k=N)
    return {
        "id": [f"p{i}" for i in draw.sample(range(N), N)],
        "y": truth,
        "a": [t if draw.random() < 0.6 else draw.choice(USED) for t in truth],
        "b": [t if draw.random() < 0.4 else draw.choice(USED) for t in truth],
        "gaps": [None if draw.random() < 0.2 else draw.choice(USED) for _ in truth],
        "site": draw.choices(["east", "west", "1"], k=N),
        "patient": draw.choices(range(90), k=N),
        "w": draw.choices(range(4), k=N),
        "f": [i / 8 for i in draw.choices(range(9), k=N)],  # eighths: any order of adding them gives the same bits
        "n": draw.choices([1, 2, 4, 5], k=N),
        "m": draw.choices([1, 2, 4], k=N),
        "x": [draw.choice([None, math.nan, 1.0, 2.0, 4.0, 5.0]) for _ in truth],
    }


COLUMNS = _columns()
RUNS = ["id", "a", "gaps"]  # where predictions are kept apart, in another order than the truth
GOLD = [name for name in COLUMNS if name not in RUNS or name == "id"]
SQL_TYPES = {
    "patient": "INTEGER",
    "w": "INTEGER",
    "n": "INTEGER",
    "m": "INTEGER",
    "f": "DOUBLE PRECISION",
    "x": "DOUBLE PRECISION",
}


def table(names=None):
    """Some columns as a dict of lists; those of the runs alone are in another order."""
    names = list(names or COLUMNS)
    order = sorted(range(N), key=lambda i: COLUMNS["id"][i]) if names == RUNS else range(N)
    return {name: [COLUMNS[name][i] for i in order] for name in names}


def _tuples(columns):
    return list(zip(*columns.values(), strict=True))


def _sql_columns(columns):
    return ", ".join(f'"{name}" {SQL_TYPES.get(name, "TEXT")}' for name in columns)


def _gap(value):
    return value is None or (isinstance(value, float) and math.isnan(value))


# Frames


def pandas(columns, folder):
    import pandas as pd

    return pd.DataFrame(columns)


def arrow(columns, folder):
    import pyarrow as pa

    return pa.table(columns)


def polars(columns, folder):
    import polars as pl

    return pl.DataFrame(columns)


def lazy_polars(columns, folder):
    return polars(columns, folder).lazy()


def dask(columns, folder):
    import dask.dataframe as dd

    return dd.from_pandas(pandas(columns, folder), npartitions=3)


def duckdb(columns, folder):
    import duckdb

    return duckdb.from_arrow(arrow(columns, folder))  # on the default connection: only relations of one connection can be joined


def duckdb_by_ibis(columns, folder, database):
    return database.read_parquet(parquet(columns, folder))


def sqlite_by_ibis(columns, folder, database):
    name = f"t{len(columns)}"
    connection = database.con  # of the standard library
    connection.execute(f"CREATE TABLE {name} ({_sql_columns(columns)})")
    connection.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(columns))})", _tuples(columns))
    connection.commit()
    return database.table(name)


def postgres_by_ibis(columns, folder, server):
    import psycopg

    name = f"t{len(columns)}"
    with psycopg.connect(host=str(server.folder), user=server.user, dbname="postgres") as connection:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE TABLE {name} ({_sql_columns(columns)})")
        with connection.cursor().copy(f"COPY {name} FROM STDIN") as copy:
            for row in _tuples(columns):
                copy.write_row(row)
    return server.connection.table(name)


def spark_table(columns, folder, session):
    return session.read.parquet(str(parquet_folder(columns, folder)))


# Files


def _written(columns):
    """Header and rows as people write them: nothing for a gap, 5 for 5.0."""

    def field(value):
        return "" if _gap(value) else str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

    return [list(columns), *([field(value) for value in row] for row in _tuples(columns))]


def _lines(columns, sign):
    return [sign.join(row) for row in _written(columns)]


def csv_as_excel_writes_it(columns, folder):
    path = folder / "rows.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n", quoting=csv.QUOTE_ALL)
        writer.writerows(_written(columns))
    return path


def tsv(columns, folder):
    path = folder / "rows.tsv"
    path.write_text("\n".join(_lines(columns, "\t")))
    return path


def csv_gz(columns, folder):
    path = folder / "rows.csv.gz"
    path.write_bytes(gzip.compress("\n".join(_lines(columns, ",")).encode()))
    return path


def csv_zst(columns, folder):
    import duckdb

    path = folder / "rows.csv.zst"
    plain = duckdb.read_csv(str(csv_as_excel_writes_it(columns, folder)), all_varchar=True)
    plain.write_csv(str(path), compression="zstd")
    return path


def jsonl(columns, folder):
    path = folder / "rows.jsonl"
    rows = [{name: None if _gap(v) else v for name, v in zip(columns, row, strict=True)} for row in _tuples(columns)]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def parquet(columns, folder):
    import pyarrow.parquet as pq

    path = folder / "rows.parquet"
    pq.write_table(arrow(columns, folder), path)
    return path


def parquet_folder(columns, folder):
    import pyarrow.parquet as pq

    path, whole = folder / "rows", arrow(columns, folder)
    path.mkdir()
    (path / "_SUCCESS").touch()
    for i in range(3):
        pq.write_table(whole.slice(i * N // 3, N // 3), path / f"part-{i}.parquet")
    return path


def parquet_pattern(columns, folder):
    return str(parquet_folder(columns, folder) / "part-*.parquet")


FORMS = {
    "pandas": pandas,
    "Polars": polars,
    "lazy Polars": lazy_polars,
    "Arrow": arrow,
    "Dask": dask,
    "DuckDB": duckdb,
    "DuckDB by Ibis": duckdb_by_ibis,
    "SQLite": sqlite_by_ibis,
    "PostgreSQL": postgres_by_ibis,
    "Spark": spark_table,
    "CSV": csv_as_excel_writes_it,
    "TSV": tsv,
    "gzip": csv_gz,
    "zstd": csv_zst,
    "JSON lines": jsonl,
    "Parquet": parquet,
    "directory": parquet_folder,
    "pattern": parquet_pattern,
}
SERVICES = {  # forms that need a service or a connection: the fixture that opens it
    "DuckDB by Ibis": "ibis_duckdb",
    "SQLite": "sqlite",
    "PostgreSQL": "postgres",
    "Spark": "spark",
}
