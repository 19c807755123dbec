"""Files that are damaged on purpose, and columns in memory that mean something else than they seem to."""

from __future__ import annotations

import csv
import gzip
import json
import os
import subprocess
import sys
import threading
import zlib

import numpy as np

from battery.attack_tables import (
    EITHER,
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
    table,
    zst,
)

# Damage


@case("csv.zst.cut", REFUSE, 6)
def zst_cut(rng, folder):
    t = table(rng, 200_000, least=1_000)
    data = csv_bytes(t, rng, ids=True)
    whole = zst(data, rng.random() < 0.5)
    at = rng.choice([rng.randrange(5, len(whole)), len(whole) - rng.randrange(1, 9)])
    return Case(put(folder, "rows.csv.zst", whole[:at]), t, REFUSE)


@case("jsonl.zst.cut", REFUSE, 2)
def zst_cut_json(rng, folder):
    t = table(rng, 50_000, least=1_000)
    whole = zst(jsonl_bytes(t, rng), rng.random() < 0.5)
    return Case(put(folder, "rows.jsonl.zst", whole[: rng.randrange(5, len(whole))]), t, REFUSE)


@case("csv.zst.second frame cut", REFUSE, 2)
def zst_cut_second(rng, folder):
    t = table(rng, 50_000, least=1_000)
    data = csv_bytes(t, rng, end="\n", ids=True)
    at = data.index(b"\n", len(data) // 2) + 1
    first, second = zst(data[:at]), zst(data[at:])
    return Case(put(folder, "rows.csv.zst", first + second[: rng.randrange(1, len(second))]), t, REFUSE)


@case("csv.zst.bit turned, with checksum", REFUSE, 2)
def zst_flip(rng, folder):
    t = table(rng, 50_000, least=1_000)
    data = csv_bytes(t, rng)
    whole = bytearray(zst(data))
    if not whole[4] & 4:
        return None  # no program that writes checksums is here
    whole[rng.randrange(6, len(whole))] ^= 1 << rng.randrange(8)
    unpacked = subprocess.run(["zstd", "-dcq"], input=bytes(whole), capture_output=True, check=False)
    unchanged = unpacked.returncode == 0 and unpacked.stdout == data  # some bits of a block mean nothing: the same content
    return Case(put(folder, "rows.csv.zst", bytes(whole)), t, EITHER if unchanged else REFUSE)


@case("csv.zst.garbage after it", REFUSE)
def zst_garbage(rng, folder):
    t = table(rng)
    return Case(put(folder, "rows.csv.zst", zst(csv_bytes(t, rng)) + b"garbage"), t, REFUSE)


@case("csv.gz.cut", REFUSE, 2)
def gz_cut(rng, folder):
    t = table(rng, 50_000, least=200)
    whole = gz(csv_bytes(t, rng))
    return Case(put(folder, "rows.csv.gz", whole[: rng.randrange(11, len(whole))]), t, REFUSE)


@case("csv.gz.bit turned", REFUSE, 2)
def gz_flip(rng, folder):
    t = table(rng, 50_000, least=200)
    data = csv_bytes(t, rng)
    whole = bytearray(gz(data))
    whole[rng.randrange(10, len(whole))] ^= 1 << rng.randrange(8)
    try:
        unchanged = gzip.decompress(whole) == data
    except (OSError, EOFError, zlib.error):
        unchanged = False
    return Case(put(folder, "rows.csv.gz", bytes(whole)), t, EITHER if unchanged else REFUSE)


@case("gz.not what its name says", REFUSE)
def gz_lie(rng, folder):
    t = table(rng)
    return Case(put(folder, rng.choice(["rows.csv.gz", "rows.csv.zst"]), csv_bytes(t, rng)), t, REFUSE)


def line_damage(name, change, expect=REFUSE, ending="csv", sign=","):
    @case(f"{ending}.{name}", expect)
    def made(rng, folder):
        t = table(rng, 2_000, ints=True)
        lines = csv_bytes(t, rng, sign, end="\n", quoting=csv.QUOTE_MINIMAL, ids=True).split(b"\n")[:-1]
        data = change(lines, rng.randrange(1, len(lines)), rng)
        return Case(put(folder, f"rows.{ending}", data), t, expect)


def joined(lines):
    return b"\n".join(lines) + b"\n"


def with_line(lines, at, line):
    return joined([*lines[:at], line, *lines[at + 1 :]])


line_damage("a field less", lambda lines, at, rng: with_line(lines, at, lines[at].rpartition(b",")[0]))
line_damage("a field more", lambda lines, at, rng: with_line(lines, at, lines[at] + b",7"))
line_damage("a quote is opened", lambda lines, at, rng: with_line(lines, at, b'"' + lines[at]))
line_damage("not UTF-8", lambda lines, at, rng: with_line(lines, at, lines[at] + b"\xff"))
line_damage("the header again", lambda lines, at, rng: joined([*lines[:at], lines[0], *lines[at:]]))
line_damage("an unknown class", lambda lines, at, rng: with_line(lines, at, lines[at].rpartition(b",")[0] + b",777"))
line_damage("an empty prediction", lambda lines, at, rng: with_line(lines, at, lines[at].rpartition(b",")[0] + b","))
line_damage("cut in a line", lambda lines, at, rng: joined(lines[:at]) + lines[at].rpartition(b",")[0])
line_damage("UTF-16", lambda lines, at, rng: joined(lines).decode().encode("utf-16"), EITHER)
line_damage("old Macintosh line ends", lambda lines, at, rng: b"\r".join(lines) + b"\r", EITHER)
line_damage("mixed line ends", lambda lines, at, rng: b"".join(line + rng.choice([b"\n", b"\r\n"]) for line in lines), EITHER)
line_damage("two columns of one name", lambda lines, at, rng: joined([lines[0].replace(b"id", b"p"), *lines[1:]]))
line_damage(
    "spaces after the delimiter",
    lambda lines, at, rng: joined([lines[0], *(line.replace(b",", b", ") for line in lines[1:])]),
    EITHER,
)


def _swallowed(ending, sign):
    @case(f"{ending}.quotes that swallow rows", EITHER, 3)
    def made(rng, folder):
        t = table(rng, 2_000, ints=True, least=12)
        texts = ["plain"] * t.n
        a, b = sorted(rng.sample(range(t.n), 2))
        texts[a], texts[b] = '"starts with a quote', 'ends with one"'
        body = "".join(
            f"{i}{sign}{y}{sign}{p}{sign}{text}\n" for i, (y, p, text) in enumerate(zip(t.y, t.p, texts, strict=False))
        )
        return Case(put(folder, f"rows.{ending}", f"id{sign}y{sign}p{sign}text\n{body}".encode()), t, EITHER)


_swallowed("tsv", "\t")
_swallowed("csv", ",")


def json_damage(name, change, expect=REFUSE):
    @case(f"jsonl.{name}", expect)
    def made(rng, folder):
        t = table(rng, 2_000, ints=True)
        lines = [json.dumps({"id": i, "y": y, "p": p}) for i, (y, p) in enumerate(zip(t.y, t.p, strict=False))]
        return Case(put(folder, "rows.jsonl", change(lines, rng.randrange(1, len(lines)), rng).encode()), t, expect)


def json_line(lines, at, line):
    return "\n".join([*lines[:at], line, *lines[at + 1 :]]) + "\n"


json_damage(
    "cut in a line", lambda lines, at, rng: "\n".join(lines[:at]) + "\n" + lines[at][: rng.randrange(1, len(lines[at]) - 1)]
)
json_damage("a key is not there", lambda lines, at, rng: json_line(lines, at, lines[at].replace('"p"', '"q"')))
json_damage("a key in other case", lambda lines, at, rng: json_line(lines, at, lines[at].replace('"p"', '"P"')))
json_damage(
    "a list for a class", lambda lines, at, rng: json_line(lines, at, lines[at].replace('"p": ', '"p": [').replace("}", "]}"))
)
json_damage(
    "text for a number", lambda lines, at, rng: json_line(lines, at, lines[at].replace('"p": ', '"p": "').replace("}", '"}'))
)
json_damage("a line that is a list", lambda lines, at, rng: json_line(lines, at, "[" + lines[at] + "]"))
json_damage("a line that is a number", lambda lines, at, rng: json_line(lines, at, "5"))


@case("parquet.cut", REFUSE, 2)
def parquet_cut(rng, folder):
    t = table(rng, 20_000)
    path = parquet(folder / "whole.parquet", {"y": t.y, "p": t.p})
    data = path.read_bytes()
    path.unlink()
    return Case(put(folder, "rows.parquet", data[: rng.randrange(4, len(data))]), t, REFUSE)


# In memory


@case("frames", READ, 4)
def frames(rng, folder):
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    t = table(rng, 20_000)
    plain = arrow(t)
    makers = {
        "pandas": lambda: plain.to_pandas(),
        "pandas arrow": lambda: plain.to_pandas(types_mapper=pd.ArrowDtype),
        "pandas object": lambda: plain.to_pandas().astype(object),
        "pandas category": lambda: plain.to_pandas().astype(
            {"y": pd.CategoricalDtype(t.labels, ordered=True), "p": pd.CategoricalDtype(t.labels, ordered=True)}
        ),
        "polars": lambda: pl.from_arrow(plain),
        "polars lazy": lambda: pl.from_arrow(plain).lazy(),
        "arrow": lambda: plain,
        "arrow chunks": lambda: pa.concat_tables([plain.slice(i, 100) for i in range(0, t.n, 100)]),
        "arrow dictionary": lambda: pa.table({name: plain[name].dictionary_encode() for name in ("y", "p")}),
        "duckdb": lambda: __import__("duckdb").from_arrow(plain),
    }
    name = rng.choice(list(makers))
    return Case(makers[name](), t, READ, cli=False)


@case("frames.Arrow categories in pandas", READ)
def arrow_categories(rng, folder):
    import pandas as pd
    import pyarrow as pa

    t = table(rng, 2_000, ints=False)
    kind = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    return Case(pd.DataFrame({"y": pd.Series(t.y, dtype=kind), "p": pd.Series(t.p, dtype=kind)}), t, READ, cli=False)


def _chunked(t, orders, rng):
    import pyarrow as pa

    def chunk(values, order):
        return pa.DictionaryArray.from_arrays(
            pa.array([order.index(v) for v in values], pa.int32()), pa.array(order), ordered=True
        )

    at = t.n // 2
    return pa.table(
        {
            name: pa.chunked_array([chunk(values[:at], orders[0]), chunk(values[at:], orders[1])])
            for name, values in (("y", t.y), ("p", t.p))
        }
    )


@case("frames.chunks with one order inside the other", READ, 2)
def chunks_inside(rng, folder):
    t = table(rng, 500, ints=False)
    middle = len(t.labels) // 2
    half = t.n // 2
    t.true[:half], t.pred[:half] = (
        np.where(t.true[:half] == middle, 0, t.true[:half]),
        np.where(t.pred[:half] == middle, 0, t.pred[:half]),
    )
    t.true[half:][: len(t.labels)] = np.arange(len(t.labels))[: len(t.true[half:][: len(t.labels)])]
    fewer = [label for i, label in enumerate(t.labels) if i != middle]
    return Case(_chunked(t, [fewer, t.labels], rng), t, READ, cli=False, scale=True)


@case("frames.chunks with orders that contradict", REFUSE)
def chunks_apart(rng, folder):
    t = table(rng, 500, ints=False)
    return Case(_chunked(t, [t.labels, t.labels[::-1]], rng), t, REFUSE, cli=False, scale=True)


@case("columns.pandas rows in another order", REFUSE)
def other_order(rng, folder):
    import pandas as pd

    t = table(rng, 500)
    index = np.random.default_rng(rng.getrandbits(32)).permutation(t.n)
    y, p = pd.Series(t.y), pd.Series(t.p, index=index)

    def read(oe):
        counts = oe.count(y, p, labels=t.labels)
        return counts.matrix, counts.audit.read

    return Case(None, t, REFUSE, reader=read, cli=False)


@case("columns.pandas, a plain index on one side", READ)
def plain_index(rng, folder):
    import pandas as pd

    t = table(rng, 500)
    y, p = pd.Series(t.y, index=np.arange(t.n) * 3 + 5), pd.Series(t.p)

    def read(oe):
        counts = oe.count(y, p, labels=t.labels)
        return counts.matrix, counts.audit.read

    return Case(None, t, READ, reader=read, cli=False)


@case("accumulator.threads", READ)
def accumulator(rng, folder):
    t = table(rng, 20_000, least=5_000)

    def read(oe):
        total, raised = oe.Accumulator(t.labels), []
        pieces = [t.part(slice(i, i + 5)) for i in range(0, t.n, 5)]
        usual = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:

            def work(mine):
                try:
                    for piece in mine:
                        total.update(piece.y, piece.p)
                except Exception as error:
                    raised.append(error)

            threads = [threading.Thread(target=work, args=(pieces[i::8],)) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(usual)
        if raised:
            raise RuntimeError(f"an update failed in its thread: {raised[0]}")
        return total.counts.matrix, total.counts.audit.read

    return Case(None, t, READ, reader=read, cli=False)


def weight_keyword():
    """What scan() calls its column of weights."""
    import inspect

    import ordeval as oe

    return "sample_weight" if "sample_weight" in inspect.signature(oe.scan).parameters else "weight"


@case("weights.beyond 64 bits", REFUSE)
def heavy(rng, folder):
    """Four rows of one cell whose weights add up to 2**64, which 64 bits take for 0; the others weigh little."""
    import polars as pl

    t = table(rng, 100, ints=False)
    t.true[:4], t.pred[:4] = t.true[0], t.pred[0]
    frame = pl.DataFrame({"y": t.y, "p": t.p, "w": [2**62] * 4 + [1] * (t.n - 4)})
    return Case(rng.choice([frame, frame.lazy()]), t, REFUSE, {weight_keyword(): "w"}, cli=False)


@case("decimals.beyond floats", REFUSE)
def decimals(rng, folder):
    import decimal

    import pyarrow as pa

    t = table(rng, 100, ints=True)
    values = [decimal.Decimal(x) + decimal.Decimal("0.00000000000000000001") for x in t.p]
    columns = {
        "y": pa.array([decimal.Decimal(x) for x in t.y], pa.decimal128(30, 20)),
        "p": pa.array(values, pa.decimal128(30, 20)),
    }
    return Case(
        rng.choice([lambda: pa.table(columns), lambda: parquet(folder / "rows.parquet", columns)])(), t, REFUSE, cli=False
    )


@case("pipe", READ)
def pipe(rng, folder):
    """What a shell makes of <(program): it can be read once, from its beginning to its end."""
    t = table(rng, 20_000)
    data = csv_bytes(t, rng)
    reading, writing = os.pipe()

    def feed():
        try:
            with os.fdopen(writing, "wb") as file:
                file.write(data)
        except OSError:
            pass

    threading.Thread(target=feed, daemon=True).start()
    return Case(f"/dev/fd/{reading}", t, READ, cli=False, close=reading)
