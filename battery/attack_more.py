"""More files to be read or refused: dialects of their own in every shard, folders with a meaning, rare but legal streams."""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import struct
import zlib
from decimal import Decimal
from pathlib import Path
from random import Random

import numpy as np

from battery.attack_files import shards
from battery.attack_tables import EITHER, READ, REFUSE, Case, Table, case, csv_bytes, gz, parquet, put, table, zst


@case("shards.each with a dialect of its own", READ, 3)
def own_dialects(rng: Random, folder: Path) -> Case:
    t = table(rng, 5_000)
    for i, part in enumerate(shards(t, rng)):
        head, sign, end = rng.sample(["y", "p", "id"], 3), rng.choice(",;|"), rng.choice(["\n", "\r\n"])
        columns = {"y": part.y, "p": part.p, "id": list(range(part.n))}
        path = folder / f"part-{i}.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=sign, lineterminator=end, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
            writer.writerows([head, *zip(*(columns[name] for name in head), strict=True)])
    return Case(folder, t, READ)


@case("shards.line breaks in fields of one", READ)
def breaks_in_one(rng: Random, folder: Path) -> Case:
    t = table(rng, 1_000, texts=True)
    half = t.n // 2
    first, second = t.part(slice(0, half)), t.part(slice(half, None))
    second.texts = [rng.choice(["one\ntwo", "plain", 'say "x"\n']) for _ in range(second.n)]
    for i, part in enumerate((first, second)):
        put(folder, f"part-{i}.csv", csv_bytes(part, rng, end="\n", ids=True))
    return Case(folder, t, READ)


@case("shards.a folder named like a column of the files", READ)
def folder_like_a_column(rng: Random, folder: Path) -> Case:
    """The files' own column counts, and never the folder's word."""
    t = table(rng, 500)
    for i, part in enumerate(shards(t, rng)):
        if part.n:
            parquet(folder / f"p={t.labels[0]}" / f"part-{i}.parquet", {"y": part.y, "p": part.p})
    return Case(folder, t, READ)


@case("shards.Hudi folder", REFUSE)
def hudi(rng: Random, folder: Path) -> Case:
    t = table(rng, 300)
    parquet(folder / "table" / "day=1" / "x.parquet", {"y": t.y, "p": t.p})
    put(folder, "table/.hoodie/hoodie.properties", b"hoodie.table.name=x\n")
    return Case(rng.choice([folder / "table", str(folder / "table" / "*" / "*.parquet")]), t, REFUSE)


@case("shards.a header that breaks its quoting", REFUSE)
def broken_header(rng: Random, folder: Path) -> Case:
    """The engine finds no rows below it, and says nothing."""
    t = table(rng, 300, ints=True)
    body = "".join(f"{i},{y},{p}\n" for i, (y, p) in enumerate(zip(t.y, t.p, strict=True)))
    put(folder, "a.csv", f"idx,y,p\n{body}".encode())
    put(folder, "b.csv", f'"id"x,y,p\n{body}'.encode())
    return Case(folder, t, REFUSE)


@case("csv.gz.rare headers and padding", READ, 2)
def rare_gzip(rng: Random, folder: Path) -> Case:
    t = table(rng, 2_000)
    data = csv_bytes(t, rng)
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = packer.compress(data) + packer.flush() + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)
    flags = rng.choice([1, 2, 8, 16, 24])
    head = b"\x1f\x8b\x08" + bytes([flags]) + b"\0\0\0\0\0\xff"
    head += b"name\0" if flags & 8 else b""
    head += b"a comment\0" if flags & 16 else b""
    head += struct.pack("<H", zlib.crc32(head) & 0xFFFF) if flags & 2 else b""
    return Case(put(folder, "rows.csv.gz", head + body + b"\0" * rng.choice([0, 512])), t, READ)


@case("csv.compressed under another name", EITHER)
def unnamed(rng: Random, folder: Path) -> Case:
    t = table(rng, 500)
    pack = rng.choice([gzip.compress, zst, bz2.compress])
    return Case(put(folder, rng.choice(["rows.csv", "rows"]), pack(csv_bytes(t, rng))), t, EITHER)


@case("parquet.compressed once more", EITHER)
def packed_parquet(rng: Random, folder: Path) -> Case:
    t = table(rng, 500)
    data = parquet(folder / "x.parquet", {"y": t.y, "p": t.p}).read_bytes()
    return Case(put(folder, "rows.parquet.gz", gz(data)), t, EITHER)


def _objects(t: Table) -> list[str]:
    return [json.dumps({"y": y, "p": p}) for y, p in zip(t.y, t.p, strict=True)]


@case("jsonl.two objects on a line", EITHER)
def two_objects(rng: Random, folder: Path) -> Case:
    t = table(rng, 300)
    lines = _objects(t)
    at = rng.randrange(1, len(lines))
    lines[at - 1 : at + 1] = [" ".join(lines[at - 1 : at + 1])]
    return Case(put(folder, "rows.jsonl", ("\n".join(lines) + "\n").encode()), t, EITHER)


@case("json.array that is cut", REFUSE)
def cut_array(rng: Random, folder: Path) -> Case:
    t = table(rng, 300)
    text = "[" + ",\n".join(_objects(t)) + "]"
    return Case(put(folder, "rows.json", text[: rng.randrange(2, len(text))].encode()), t, REFUSE)


@case("decimals.whole numbers", READ)
def whole_decimals(rng: Random, folder: Path) -> Case:
    import pyarrow as pa

    t = table(rng, 500, ints=True)
    scale = rng.choice([0, 2])
    columns = {
        name: pa.array([Decimal(x) for x in values], pa.decimal128(20, scale)) for name, values in (("y", t.y), ("p", t.p))
    }
    return Case(rng.choice([lambda: pa.table(columns), lambda: parquet(folder / "rows.parquet", columns)])(), t, READ, cli=False)


@case("weights.beyond 64 bits in Parquet", REFUSE)
def heavy_parquet(rng: Random, folder: Path) -> Case:
    t = table(rng, 100)
    t.true[:4], t.pred[:4] = t.true[0], t.pred[0]
    weights = np.array([2**62] * 4 + [1] * (t.n - 4))
    path = parquet(folder / "rows.parquet", {"y": t.y, "p": t.p, "w": weights})
    return Case(path, t, REFUSE, {"sample_weight": "w"}, cli=False)
