"""Files that must be read to the last row: by five libraries and by hand, alone and in shards."""

from __future__ import annotations

import bz2
import json
import lzma
import os

import numpy as np

from battery.attack_tables import (
    EITHER,
    INCHES,
    READ,
    REFUSE,
    Case,
    arrow,
    case,
    csv_bytes,
    gz,
    jsonl_bytes,
    parquet,
    put,
    rows_of,
    table,
    zst_any,
)


def _csv_case(delimiter, name):
    @case(f"csv.{name}", READ, 3)
    def made(rng, folder):
        t = table(rng, texts=rng.random() < 0.5)
        data = csv_bytes(t, rng, delimiter, final=rng.random() < 0.8, bom=rng.random() < 0.2)
        return Case(put(folder, "rows.tsv" if delimiter == "\t" else "rows.csv", data), t, READ)


for _sign, _name in ((",", "comma"), (";", "semicolon"), ("|", "pipe"), ("\t", "tab")):
    _csv_case(_sign, _name)


@case("csv.by libraries", READ, 4)
def csv_libraries(rng, folder):
    t = table(rng, 100_000)
    path = folder / "rows.csv"
    how = rng.choice(["pandas", "polars", "duckdb", "pyarrow"])
    if how == "pandas":
        arrow(t).to_pandas().to_csv(path, index=rng.random() < 0.5, sep=rng.choice(",;|\t"))
    elif how == "polars":
        import polars as pl

        pl.from_arrow(arrow(t)).write_csv(path, quote_style=rng.choice(["necessary", "always", "non_numeric"]))
    elif how == "duckdb":
        import duckdb

        rows = arrow(t)  # noqa: F841
        duckdb.sql("SELECT * FROM rows").write_csv(str(path), quotechar='"')
    else:
        from pyarrow import csv as pc

        pc.write_csv(arrow(t), path)
    return Case(path, t, READ)


@case("csv.line breaks in fields", READ, 3)
def csv_breaks(rng, folder):
    t = table(rng, 500, texts=True)
    t.texts = [rng.choice(["one\ntwo", "a,b\n\nc", 'say "x"\nthen', "plain", "three\nmore, lines, here\n"]) for _ in range(t.n)]
    t.texts[0] = "one\ntwo"
    return Case(put(folder, "rows.csv", csv_bytes(t, rng, end="\n", ids=True)), t, READ)


@case("csv.blank lines", READ)
def csv_blank(rng, folder):
    t = table(rng, 300)
    lines = csv_bytes(t, rng, end="\n", ids=True).split(b"\n")
    for _ in range(3):
        lines.insert(rng.randrange(1, len(lines)), b"")
    return Case(put(folder, "rows.csv", b"\n".join(lines) + b"\n\n"), t, READ)


@case("csv.stray quotes inside a field", READ)
def csv_inch(rng, folder):
    t = table(rng, 300, ints=True)
    head = "id,y,p,text\n"
    body = "".join(f"{i},{y},{p},{rng.choice(INCHES)}\n" for i, (y, p) in enumerate(zip(t.y, t.p, strict=False)))
    return Case(put(folder, "rows.csv", (head + body).encode()), t, READ)


@case("tsv.stray quotes inside a field", READ)
def tsv_inch(rng, folder):
    t = table(rng, 300, ints=True)
    body = "".join(f"{i}\t{y}\t{p}\t{rng.choice(INCHES)}\n" for i, (y, p) in enumerate(zip(t.y, t.p, strict=False)))
    return Case(put(folder, "rows.tsv", ("id\ty\tp\ttext\n" + body).encode()), t, READ)


@case("csv.gz", READ, 2)
def csv_gz(rng, folder):
    t = table(rng, 30_000)
    return Case(put(folder, "rows.csv.gz", gz(csv_bytes(t, rng), rng)), t, READ)


@case("csv.zst", READ, 3)
def csv_zst(rng, folder):
    t = table(rng, 30_000)
    return Case(put(folder, "rows.csv.zst", zst_any(csv_bytes(t, rng), rng)), t, READ)


@case("csv.large", READ)
def csv_large(rng, folder):
    t = table(rng, 1_000_000, least=300_000)
    data = csv_bytes(t, rng, ids=True)
    how = rng.choice(["", ".gz", ".zst"])
    return Case(put(folder, "rows.csv" + how, gz(data) if how == ".gz" else zst_any(data, rng) if how else data), t, READ)


@case("csv.bz2 or xz", EITHER)
def csv_other(rng, folder):
    t = table(rng)
    name, pack = rng.choice([("bz2", bz2.compress), ("xz", lzma.compress)])
    return Case(put(folder, f"rows.csv.{name}", pack(csv_bytes(t, rng))), t, EITHER)


@case("jsonl", READ, 3)
def jsonl(rng, folder):
    t = table(rng, texts=rng.random() < 0.5)
    how = rng.choice(["", ".gz", ".zst"])
    data = jsonl_bytes(t, rng)
    return Case(put(folder, "rows.jsonl" + how, gz(data, rng) if how == ".gz" else zst_any(data, rng) if how else data), t, READ)


@case("json.array", READ)
def json_array(rng, folder):
    t = table(rng)
    head, rows = rows_of(t)
    return Case(
        put(
            folder,
            "rows.json",
            json.dumps([dict(zip(head, row, strict=False)) for row in rows], indent=rng.choice([None, 2])).encode(),
        ),
        t,
        READ,
    )


@case("jsonl.by libraries", READ, 2)
def jsonl_libraries(rng, folder):
    t = table(rng, 30_000)
    path = folder / "rows.jsonl"
    if rng.random() < 0.5:
        arrow(t).to_pandas().to_json(path, orient="records", lines=True)
    else:
        import polars as pl

        pl.from_arrow(arrow(t)).write_ndjson(path)
    return Case(path, t, READ)


@case("parquet", READ, 4)
def parquet_whole(rng, folder):
    t = table(rng, 200_000)
    how = rng.choice(["pyarrow", "polars", "duckdb"])
    path = folder / "rows.parquet"
    if how == "pyarrow":
        parquet(path, {"id": np.arange(t.n), "y": t.y, "p": t.p}, compression=rng.choice(["snappy", "zstd", "gzip", "none", "lz4"]), row_group_size=rng.choice([7, 1000, 10**6]),
                use_dictionary=rng.random() < 0.5, data_page_version=rng.choice(["1.0", "2.0"]))  # fmt: skip
    elif how == "polars":
        import polars as pl

        pl.from_arrow(arrow(t)).write_parquet(path, compression=rng.choice(["zstd", "snappy", "uncompressed"]))
    else:
        import duckdb

        rows = arrow(t)  # noqa: F841
        duckdb.sql("SELECT * FROM rows").write_parquet(str(path))
    return Case(path, t, READ)


@case("parquet.names differ by case", READ)
def parquet_case(rng, folder):
    t = table(rng, 300)
    other = t.column((t.pred + 1) % len(t.labels))
    columns = {"y": t.y, "P": other, "p": t.p}
    if rng.random() < 0.5:
        columns = {"y": t.y, "p": t.p, "P": other}
    return Case(parquet(folder / "rows.parquet", columns), t, READ, cli=False)


@case("parquet.ordered categories", READ)
def parquet_ordered(rng, folder):
    import pandas as pd

    t = table(rng, 300, ints=False)
    frame = pd.DataFrame({"y": pd.Categorical(t.y, t.labels, ordered=True), "p": pd.Categorical(t.p, t.labels, ordered=True)})
    frame.to_parquet(folder / "rows.parquet", row_group_size=rng.choice([50, 10_000]))
    return Case(folder / "rows.parquet", t, READ, scale=True, cli=False)


@case("parquet.ordered without a dictionary page", REFUSE)
def parquet_no_page(rng, folder):
    """Its flag says ordered, and the order is lost: it was never written."""
    import pandas as pd

    t = table(rng, 300, ints=False)
    frame = pd.DataFrame({"y": pd.Categorical(t.y, t.labels, ordered=True), "p": pd.Categorical(t.p, t.labels, ordered=True)})
    frame.to_parquet(folder / "rows.parquet", use_dictionary=False)
    return Case(folder / "rows.parquet", t, REFUSE, scale=True, cli=False)


# Many files


def shards(t, rng, most=6):
    cuts = sorted(rng.randrange(t.n + 1) for _ in range(rng.randrange(1, most)))
    return [t.part(slice(a, b)) for a, b in zip([0, *cuts], [*cuts, t.n], strict=False)]


@case("shards.csv", READ, 3)
def shards_csv(rng, folder):
    t = table(rng, 20_000)
    end, sign, ids = rng.choice(["\n", "\r\n"]), rng.choice(",;|"), rng.random() < 0.5
    paths = []
    for i, part in enumerate(shards(t, rng)):
        data, how = csv_bytes(part, rng, sign, end=end, ids=ids), rng.choice(["", "", ".gz", ".zst"])
        paths.append(
            put(
                folder,
                f"{'sub/' if rng.random() < 0.3 else ''}part-{i}.csv{how}",
                gz(data, rng) if how == ".gz" else zst_any(data, rng) if how else data,
            )
        )
    form = rng.choice(["list", "folder", "glob"])
    return Case(
        paths if form == "list" else folder if form == "folder" else str(folder / "**" / "*.csv*"), t, READ, cli=form != "list"
    )


@case("shards.parquet", READ, 3)
def shards_parquet(rng, folder):
    t = table(rng, 20_000)
    paths = []
    for i, part in enumerate(shards(t, rng)):
        columns = {"y": part.y, "p": part.p, "id": np.arange(part.n)}
        if part.n:
            names = rng.sample(list(columns), 3)
            columns = {name: columns[name] for name in names}
            if rng.random() < 0.3:
                columns["more"] = np.zeros(part.n)
            paths.append(parquet(folder / f"part-{i}.parquet", columns))
    return Case(rng.choice([paths, folder]), t, READ, cli=False)


@case("shards.widths of integers", READ)
def shards_widths(rng, folder):
    t = table(rng, 2_000, ints=True)
    kinds = [np.int64, np.int16, np.int32] + ([np.uint16, np.uint64] if min(t.labels) >= 0 else [])
    paths = [
        parquet(folder / f"part-{i}.parquet", {"y": np.array(s.y, rng.choice(kinds)), "p": np.array(s.p, rng.choice(kinds))})
        for i, s in enumerate(shards(t, rng))
    ]
    return Case(paths, t, READ, cli=False)


@case("shards.integers and whole floats", READ)
def shards_floats(rng, folder):
    t = table(rng, 2_000, ints=True)
    paths = [
        parquet(
            folder / f"part-{i}.parquet", {"y": np.array(s.y, np.int64), "p": np.array(s.p, rng.choice([np.float64, np.int64]))}
        )
        for i, s in enumerate(shards(t, rng))
    ]
    return Case(paths, t, READ, cli=False)


@case("shards.case of names", READ)
def shards_case(rng, folder):
    t = table(rng, 2_000)
    paths = []
    for i, s in enumerate(shards(t, rng, 4)):
        other = s.column((s.pred + 1) % len(t.labels))
        columns = {"y": s.y, "P": other, "p": s.p} if i % 2 else {"y": s.y, "p": s.p}
        if s.n:
            paths.append(parquet(folder / f"part-{i}.parquet", columns))
    return Case(paths, t, READ, cli=False)


@case("shards.the same file again", READ, 2)
def shards_twice(rng, folder):
    t = table(rng, 2_000)
    path = put(folder, "rows.csv", csv_bytes(t, rng))
    how = rng.choice(["list", "link", "hard link", "glob"])
    if how == "link":
        os.symlink("rows.csv", folder / "same.csv")
    if how == "hard link":
        os.link(path, folder / "same.csv")
    return Case([path, path] if how == "list" else [path, folder / "*.csv"] if how == "glob" else folder, t, READ, cli=False)


@case("shards.other files beside", READ)
def shards_beside(rng, folder):
    t = table(rng, 2_000)
    put(folder, "rows.csv", csv_bytes(t, rng))
    for name in rng.sample(["README.md", "_SUCCESS", ".hidden.csv", "notes.txt", "rows.csv.crc", ".rows.csv.crc"], 3):
        put(folder, name, b"nothing\n")
    return Case(folder, t, READ)


def _drift(name, change, expect=REFUSE):
    @case(f"shards.type drift, {name}", expect)
    def made(rng, folder):
        t = table(rng, 2_000, ints=True)
        half = t.n // 2
        first, second = t.part(slice(0, half)), t.part(slice(half, None))
        paths = [
            parquet(folder / "a.parquet", {"y": first.y, "p": first.p}),
            parquet(folder / "b.parquet", {"y": second.y, "p": change(second, rng)}),
        ]
        return Case(paths if rng.random() < 0.5 else paths[::-1], t, expect, cli=False)


_drift("fractions", lambda s, rng: [x + 0.4 for x in s.p])
_drift("text", lambda s, rng: [f"0{x}" for x in s.p])
_drift("plain text", lambda s, rng: [str(x) for x in s.p], EITHER)
_drift("booleans", lambda s, rng: [bool(x) for x in s.p])


@case("shards.a column is not in one", REFUSE)
def shards_lost(rng, folder):
    t = table(rng, 500)
    half = t.n // 2
    parquet(folder / "a.parquet", {"y": t.y[:half], "p": t.p[:half]})
    parquet(folder / "b.parquet", {"y": t.y[half:], rng.choice(["P", "q"]): t.p[half:]})
    return Case(folder, t, REFUSE)


@case("shards.Delta folder", REFUSE)
def delta(rng, folder):
    t = table(rng, 500)
    for name in ("part-0.parquet", "part-1.parquet"):  # the second replaces the first
        parquet(folder / "table" / name, {"y": t.y, "p": t.p})
    add = [
        json.dumps({"add": {"path": "part-0.parquet"}}),
        json.dumps({"remove": {"path": "part-0.parquet"}}) + "\n" + json.dumps({"add": {"path": "part-1.parquet"}}),
    ]
    for i, text in enumerate(add):
        put(folder, f"table/_delta_log/{i:020}.json", text.encode())
    return Case(rng.choice([str(folder / "table" / "*.parquet"), folder / "table"]), t, REFUSE)


@case("shards.Iceberg folder", REFUSE)
def iceberg(rng, folder):
    t = table(rng, 500)
    for name in ("00000-0.parquet", "00000-1.parquet"):
        parquet(folder / "table" / "data" / name, {"y": t.y, "p": t.p})
    put(folder, "table/metadata/v1.metadata.json", b"{}")
    return Case(rng.choice([str(folder / "table" / "data" / "*.parquet"), folder / "table" / "data"]), t, REFUSE)


@case("shards.a write that is not finished", REFUSE)
def unfinished(rng, folder):
    t = table(rng, 500)
    put(folder, "part-0.csv", csv_bytes(t, rng))
    put(
        folder,
        rng.choice(["part-1.csv.tmp", "part-1.csv.part", "_temporary/0/part-1.csv", "part-1.csv.crdownload"]),
        csv_bytes(t, rng),
    )
    return Case(folder, t, REFUSE)
