"""Logical tables of known counts, and the ways to write them: what the attacks on readers are made of."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

READ, REFUSE, EITHER = "READ", "REFUSE", "EITHER"  # exactly this table; a refusal in one line; one of the two and nothing else

CASES: dict[str, tuple[Callable[..., Any], str, int]] = {}  # by name: what makes the case, what is expected, and how often


@dataclass
class Table:
    labels: list
    true: np.ndarray
    pred: np.ndarray
    texts: list = field(default_factory=list)
    weights: np.ndarray | None = None

    @property
    def n(self):
        return len(self.true)

    @property
    def rows(self):
        """How many rows each cell has."""
        return self._added(np.ones(self.n, np.int64))

    @property
    def matrix(self):
        """What they weigh together."""
        return self.rows if self.weights is None else self._added(self.weights)

    def _added(self, weights):
        found = np.zeros((len(self.labels),) * 2, weights.dtype)
        np.add.at(found, (self.true, self.pred), weights)
        return found

    def column(self, codes):
        return [self.labels[i] for i in codes.tolist()]

    @property
    def y(self):
        return self.column(self.true)

    @property
    def p(self):
        return self.column(self.pred)

    def part(self, rows):
        return Table(
            self.labels, self.true[rows], self.pred[rows], [self.texts[i] for i in np.arange(self.n)[rows]] if self.texts else []
        )


TEXT_LABELS = [
    ["a", "b", "c"],
    ["low", "mid", "high"],
    ["green", "yellow", "orange", "red"],
    ["très bas", "bas", "élevé"],
    ["低", "中", "高"],
    ["NA", "None", "null", "nan"],
    ["01", "1", "001"],
    ["<1", "1–5", ">5"],
    ["no, never", "some", "yes; often"],
]
INT_LABELS = [[0, 1], [1, 2, 3], [0, 1, 2, 3, 4], [-2, -1, 0, 1, 2], list(range(1, 11)), [10, 100, 200]]
WORDS = [
    "fine",
    "very good",
    "he said no",
    "5 in disk",
    "naïve",
    "ok, then",
    "a;b",
    "x|y",
    "日本",
    "'",
    "\\",
    "#",
    "=1+1",
    "NULL",
    "",
    "tab",
]


def table(rng, most=3_000, ints=None, texts=False, least=10):
    ints = rng.random() < 0.5 if ints is None else ints
    labels = rng.choice(INT_LABELS if ints else TEXT_LABELS)
    n = int(10 ** rng.uniform(np.log10(least), np.log10(most)))
    g = np.random.default_rng(rng.getrandbits(32))
    k = len(labels)
    true = g.choice(k, n, p=g.dirichlet(np.ones(k) * 2))
    pred = np.where(g.random(n) < 0.6, true, g.integers(0, k, n))
    missing = [i for i in range(k) if not (true == i).any() and not (pred == i).any()]
    if missing and n >= k:  # so that the order of all classes is tried
        true[: len(missing)] = missing
    return Table(list(labels), true, pred, [rng.choice(WORDS) for _ in range(n)] if texts else [])


INCHES = ["plain", '5" disk', 'he "said" so']


# Writers


def rows_of(t, ids=True):
    head = (["id"] if ids else []) + ["y", "p"] + (["text"] if t.texts else [])
    columns = ([range(t.n)] if ids else []) + [t.y, t.p] + ([t.texts] if t.texts else [])
    return head, list(zip(*columns, strict=False))


def csv_bytes(t, rng, delimiter=",", end=None, quoting=None, final=True, bom=False, ids=None):
    head, rows = rows_of(t, rng.random() < 0.7 if ids is None else ids)
    out = io.StringIO()
    writer = csv.writer(
        out,
        delimiter=delimiter,
        lineterminator=end or rng.choice(["\n", "\r\n"]),
        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]) if quoting is None else quoting,
    )
    writer.writerow(head)
    writer.writerows(rows)
    data = out.getvalue()
    if not final:
        data = data.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if bom else b"") + data.encode()


def jsonl_bytes(t, rng):
    head, rows = rows_of(t)
    order = rng.sample(range(len(head)), len(head))
    ascii_ = rng.random() < 0.5
    gap = rng.choice([(", ", ": "), (",", ":")])
    return "".join(
        json.dumps({head[i]: row[i] for i in order}, ensure_ascii=ascii_, separators=gap) + "\n" for row in rows
    ).encode()


def arrow(t):
    import pyarrow as pa

    return pa.table({"id": np.arange(t.n), "y": t.y, "p": t.p})


def gz(data, rng=None):
    if rng is None or rng.random() < 0.5:
        return gzip.compress(data, rng.randrange(1, 10) if rng else 6, mtime=0)
    at = rng.randrange(len(data) + 1)
    return gzip.compress(data[:at], mtime=0) + gzip.compress(data[at:], mtime=0)


def zst(data, checksum=True):
    """With a checksum by the program zstd, if it is there; without one by pyarrow."""
    if checksum and shutil.which("zstd"):
        return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


SKIPPABLE = b"\x5a\x2a\x4d\x18\x05\x00\x00\x00hello"


def zst_any(data, rng):
    at = rng.randrange(len(data) + 1)
    return rng.choice(
        [
            lambda: zst(data),
            lambda: zst(data, False),
            lambda: zst(data[:at]) + zst(data[at:]),
            lambda: zst(data[:at], False) + SKIPPABLE + zst(data[at:]),
            lambda: SKIPPABLE + zst(data),
            lambda: zst(data) + zst(b""),
        ]
    )()


def put(folder, name, data):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def parquet(path, columns, **options):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, **options)
    return path


@dataclass
class Case:
    """What is given to a reader and what must come of it."""

    source: object
    table: Table
    expect: str
    options: dict = field(default_factory=dict)
    cli: bool = True
    reader: object = None  # another way to read: returns (matrix, rows)
    scale: bool = False  # the labels are not given, and their order must be found
    close: int | None = None  # a handle to give back


def case(name, expect, weight=1):
    def keep(function):
        CASES[name] = (function, expect, weight)
        return function

    return keep
