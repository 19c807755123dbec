"""Bytes, columns and texts that nobody meant, each with the outcome that is right for it.

A reader of another kind reads the same bytes.  READ: it finds a plain table, and exactly that must be counted.  REFUSE: it finds none,
and an error in one line is right.  EITHER: it finds a table that is written oddly (quotes, blank lines, other line ends, damage that a
checksum would show); that table, or a refusal.  Misreads and false refusals both fail.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import re
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from battery.fuzz_columns import CHECKS as COLUMNS
from battery.plants import replaced
from battery.rows import Check, Row, Scope, in_parallel, timed

SIGNS = b"\n\r\t,;|\"'\\{}[]:0123456789abcdnulxe+-. \x00\xff\xef\xbb\xbf\xc3"
NAMED = (ValueError, TypeError, OSError)  # what a refusal may be
LABELS = ["a", "b", "c", "d"]
READ, REFUSE, EITHER = "read", "refuse", "either"
Rows = list[tuple[str, str]]


# Good files


def _csv(rows: Rows, delimiter: str = ",") -> bytes:
    lines = [delimiter.join(("id", "y", "p")), *(delimiter.join((str(i), *row)) for i, row in enumerate(rows))]
    return ("\n".join(lines) + "\n").encode()


def _jsonl(rows: Rows) -> bytes:
    return "".join(json.dumps({"id": str(i), "y": y, "p": p}) + "\n" for i, (y, p) in enumerate(rows)).encode()


def _parquet(rows: Rows) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    y, p = zip(*rows, strict=True)
    buffer = io.BytesIO()
    pq.write_table(pa.table({"id": [str(i) for i in range(len(rows))], "y": y, "p": p}), buffer)
    return buffer.getvalue()


def _counts(rows: Rows) -> bytes:
    import ordeval as oe

    y, p = zip(*rows, strict=True)
    return oe.count(y, p, labels=LABELS).to_json().encode()


def _zst(data: bytes) -> bytes:
    import pyarrow as pa

    return pa.compress(data, codec="zstd", asbytes=True)


#: name of the file: how it is made
FORMATS: dict[str, Callable[[Rows], bytes]] = {
    "rows.csv": _csv,
    "rows.tsv": lambda rows: _csv(rows, "\t"),
    "rows.jsonl": _jsonl,
    "rows.parquet": _parquet,
    "rows.csv.gz": lambda rows: gzip.compress(_csv(rows), mtime=0),
    "rows.jsonl.zst": lambda rows: _zst(_jsonl(rows)),
    "counts.json": _counts,
    "rows": _csv,
}


def changed(data: bytes, rng: random.Random) -> bytes:
    """The file as it is, random bytes, or a few bytes exchanged, put in, taken out, or a stretch copied elsewhere."""
    kind = rng.randrange(8)
    if kind == 0:
        return rng.randbytes(rng.randrange(400))
    if kind >= 6:
        return data
    bytes_ = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        at = rng.randrange(len(bytes_) + 1)
        if kind == 1:
            bytes_[at : at + 1] = bytes([rng.choice(SIGNS)])
        elif kind == 2:
            bytes_[at:at] = bytes([rng.choice(SIGNS)])
        elif kind == 3:
            del bytes_[at : at + rng.choice([1, 1, 3, 40])]
        elif kind == 4:
            start = rng.randrange(len(bytes_) + 1)
            bytes_[at:at] = bytes_[start : start + rng.randrange(60)]
        else:
            bytes_[at : at + 1] = rng.randbytes(1)
    return bytes(bytes_)


# What is right, by readers of another kind


def right(name: str, data: bytes, good: bytes, rows: Rows) -> tuple[str, np.ndarray | None]:
    """The outcome that is right for these bytes, and the table that they hold for a reader of another kind."""
    if data == good:
        return READ, _table(rows)
    try:
        if name.endswith(".gz"):
            return _oddly(*right("rows.csv", gzip.decompress(data), b"", []))
        if name.endswith(".zst"):
            import pyarrow as pa

            return _oddly(*right("rows.jsonl", pa.input_stream(io.BytesIO(data), compression="zstd").read(), b"", []))
        if name == "counts.json":
            return EITHER, _of_counts(json.loads(data))
        if name.endswith(".parquet"):
            return _of_parquet(data, rows)
        return _of_lines(name, data)
    except Exception:
        return REFUSE, None


def _oddly(outcome: str, table: np.ndarray | None) -> tuple[str, np.ndarray | None]:
    """A compressed file that was changed and still can be read may be refused."""
    return (REFUSE, None) if table is None else (EITHER, table)


def _table(rows: Rows) -> np.ndarray:
    found = np.zeros((len(LABELS), len(LABELS)), int)
    for y, p in rows:
        found[LABELS.index(y), LABELS.index(p)] += 1
    return found


def _of_counts(data: Any) -> np.ndarray:
    """Truth and prediction; of two raters, the first and the second."""
    axes, found = data["axes"], np.zeros((len(LABELS), len(LABELS)), int)
    first = axes.index("true") if "true" in axes else 0
    for cell, weight in zip(data["cells"], data["weights"], strict=True):
        found[cell[first], cell[1 - first]] += weight
    return found


def _of_parquet(data: bytes, rows: Rows) -> tuple[str, np.ndarray]:
    """Damage where only one of the two readers looks leaves the rows of the good file."""
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(io.BytesIO(data), columns=["y", "p"])
        return EITHER, _table(list(zip(*(table[name].to_pylist() for name in ("y", "p")), strict=True)))
    except Exception:
        return EITHER, _table(rows)


def _of_lines(name: str, data: bytes) -> tuple[str, np.ndarray]:
    """Delimited text and JSON lines: read plainly, or as leniently as the standard library does."""
    delimiter = "\t" if name.endswith(".tsv") else ","
    text = data.decode("utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else data.decode("utf-8-sig", errors="replace")
    if name.endswith(".jsonl"):
        objects = _objects(text)
        found = _table([(row["y"], row["p"]) for row in objects])
        line = re.compile(r'\{"id": "[0-9a-z]*", "y": "[abcd]", "p": "[abcd]"\}')
        plain = all(line.fullmatch(one) for one in text.removesuffix("\n").split("\n"))
    else:
        lines = _delimited(text, delimiter)
        for line in lines[1:]:  # a delimiter at the end of a line adds nothing
            while len(line) > len(lines[0]) and not line[-1]:
                line.pop()
        places = [lines[0].index(column) for column in ("y", "p")]
        if len(set(lines[0])) < len(lines[0]) or any(line and len(line) != len(lines[0]) for line in lines):
            raise ValueError("not a table")
        found = _table([(line[places[0]], line[places[1]]) for line in lines[1:] if line])
        field = rf"[0-9a-z]+{delimiter}[abcd]{delimiter}[abcd]"
        plain = re.fullmatch(rf"id{delimiter}y{delimiter}p\n({field}\n)+", text) is not None
    if not found.sum():
        raise ValueError("no rows")
    return READ if plain and data.isascii() else EITHER, found


def _delimited(text: str, delimiter: str) -> list[list[str]]:
    """Where a quote has no partner, quotes can only be text."""
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=csv.QUOTE_NONE))


def _objects(text: str) -> list[Any]:
    """A carriage return is a space inside a line of JSON; where that gives no objects, it ends a line."""
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


# The readers


def _readers(task: tuple[str, int, int, int]) -> tuple[dict[str, int], list[str]]:
    import ordeval as oe

    name, seed, part, number = task
    rng, wrong = random.Random(f"fuzz {name} {seed} {part}"), []
    outcomes = dict.fromkeys((READ, REFUSE, EITHER), 0)
    with tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / name
        for i in range(number):
            rows = [(rng.choice(LABELS), rng.choice(LABELS)) for _ in range(rng.choice([2, 9, 60, 400]))]
            good = FORMATS[name](rows)
            data = changed(good, rng)
            outcome, table = right(name, data, good, rows)
            outcomes[outcome] += 1
            path.write_bytes(data)
            if words := _judged(oe, path, outcome, table):
                wrong.append(f"{name}, part {part}, case {i}: {words}")
    return outcomes, wrong


def _judged(oe: Any, path: Path, outcome: str, table: np.ndarray | None) -> str:
    """What is wrong with what became of a file; "" if nothing is."""
    try:
        counts = oe.Counts.load(path) if path.name == "counts.json" else oe.scan(path, true="y", pred="p", labels=LABELS)
    except NAMED as error:
        if "\n" in str(error) or not str(error):
            return f"the refusal is not one line: {error!r}"
        return f"a plain table was refused: {str(error)[:200]}" if outcome == READ else ""
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    if table is None:
        return f"{counts.audit.read} rows were read where there is no table"
    read = counts.table(*sorted(counts.axes, key=lambda axis: axis != "true"))
    if counts.audit.read != table.sum() or not np.array_equal(read, table):
        return f"{read.tolist()} was read, and it is {table.tolist()} ({outcome})"
    return ""


def readers(scope: Scope) -> Row:
    number, names = scope.choose(40, 4, 6), list(FORMATS)
    tasks = [(name, scope.seed, part, number) for name in names for part in range(scope.choose(10, 10, 1))]
    with timed() as clock:
        found = in_parallel(_readers, tasks, "fuzz, readers")
    totals = {outcome: sum(outcomes[outcome] for outcomes, _ in found) for outcome in (READ, REFUSE, EITHER)}
    wrong = [word for _, words in found for word in words]
    question = f"the readers of {len(names)} formats, fed with random bytes and changed files of 2 to 400 rows"
    note = f"to be read {totals[READ]:,}, to be refused {totals[REFUSE]:,}, either {totals[EITHER]:,}"
    return Row("fuzz", question, sum(totals.values()), wrong, clock.seconds, note)


# Bad readers


def _reader(change: Callable[[Any], Any]) -> Callable[[], Any]:
    """Both ways of reading a file are spoiled."""

    @contextmanager
    def plant() -> Iterator[None]:
        with replaced("ordeval", "scan", change)(), replaced("ordeval:Counts", "load", change)():
            yield

    return plant


def one_class_off(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        import ordeval as oe

        counts = good(*args, **options)
        return oe.Counts.from_matrix(np.roll(counts.matrix, 1, axis=1), labels=counts.scale)

    return bad


def refuses_everything(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        raise ValueError("cannot be read")

    return bad


def crashes(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        try:
            return good(*args, **options)
        except NAMED:
            raise KeyError("y") from None

    return bad


def loses_the_last_row(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        import ordeval as oe

        counts = good(*args, **options)
        matrix = counts.matrix.copy()
        matrix[tuple(np.argwhere(matrix)[-1])] -= 1
        return oe.Counts.from_matrix(matrix, labels=counts.scale) if matrix.sum() else counts

    return bad


def reads_anything(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        import ordeval as oe

        try:
            return good(*args, **options)
        except NAMED:
            return oe.Counts.from_matrix(np.eye(4, dtype=int), labels=LABELS)

    return bad


BAD_READERS = {
    "a reader one class off": one_class_off,
    "a reader that refuses everything": refuses_everything,
    "a reader that ends with KeyError": crashes,
    "a reader that loses the last row": loses_the_last_row,
    "a reader that reads what is no table": reads_anything,
}
CHECKS = (Check("fuzz.readers", readers, {name: _reader(change) for name, change in BAD_READERS.items()}), *COLUMNS)
