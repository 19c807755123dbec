"""Damaged files and labels that are code: through every door, to every output.  A result with the right rows, or a named error."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from battery import inert
from battery.rows import Row, say, timed

NAMED = (ValueError, TypeError, OSError)  # what a refusal may be
LABELS = ["a", "b", "c", "d"]
ROWS = 60


def rows(slice_: bool) -> Iterator[Row]:
    yield files(slice_)
    yield payloads(slice_)


# Files


def good_rows() -> list[tuple[str, str, str]]:
    rng = random.Random(7)
    return [(str(i), rng.choice(LABELS), rng.choice(LABELS)) for i in range(ROWS)]


def _csv(delimiter: str = ",") -> bytes:
    lines = [delimiter.join(("id", "y", "p")), *(delimiter.join(row) for row in good_rows())]
    return ("\n".join(lines) + "\n").encode()


def _jsonl() -> bytes:
    return "".join(json.dumps(dict(zip(("id", "y", "p"), row, strict=True))) + "\n" for row in good_rows()).encode()


def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    ids, y, p = zip(*good_rows(), strict=True)
    buffer = io.BytesIO()
    pq.write_table(pa.table({"id": ids, "y": y, "p": p}), buffer)
    return buffer.getvalue()


def _counts() -> bytes:
    import ordeval as oe

    _, y, p = zip(*good_rows(), strict=True)
    return oe.count(y, p, labels=LABELS).to_json().encode()


def _zst(data: bytes) -> bytes:
    import pyarrow as pa

    return pa.compress(data, codec="zstd", asbytes=True)


#: name of the file: how it is made
FORMATS: dict[str, Callable[[], bytes]] = {
    "rows.csv": _csv,
    "rows.tsv": lambda: _csv("\t"),
    "rows.jsonl": _jsonl,
    "rows.parquet": _parquet,
    "rows.csv.gz": lambda: gzip.compress(_csv(), mtime=0),
    "rows.jsonl.zst": lambda: _zst(_jsonl()),
    "counts.json": _counts,
    "rows": _csv,
}


def _half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    at = len(data) // 3
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


#: kind of damage: what it does to the bytes
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda data: data,
    "empty": lambda data: b"",
    "one byte": lambda data: data[:1],
    "the first line alone": lambda data: data.split(b"\n")[0],
    "the first line and its end": lambda data: data.split(b"\n")[0] + b"\n",
    "cut in half": _half,
    "cut at 9/10": lambda data: data[: len(data) * 9 // 10],
    "the last byte gone": lambda data: data[:-1],
    "the first byte gone": lambda data: data[1:],
    "a byte turned around": _flipped,
    "twice": lambda data: data + data,
    "a mark of byte order": lambda data: b"\xef\xbb\xbf" + data,
    "UTF-16": lambda data: data.decode("latin-1").encode("utf-16"),
    "Windows line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "old Macintosh line ends": lambda data: data.replace(b"\n", b"\r"),
    "mixed line ends": lambda data: data.replace(b"\n", b"\r\n", 3),
    "no end of the last line": lambda data: data.rstrip(b"\n"),
    "blank lines at the end": lambda data: data + b"\n\n\n",
    "blank lines inside": lambda data: data.replace(b"\n", b"\n\n", 2),
    "spaces before": lambda data: b"   \n" + data,
    "nul bytes inside": lambda data: data[: len(data) // 2] + b"\x00\x00" + data[len(data) // 2 :],
    "nul bytes alone": lambda data: b"\x00" * 200,
    "an invalid byte": lambda data: data.replace(b"a", b"\xff", 1),
    "an open quote": lambda data: data.replace(b"a", b'"a', 1),
    "a quote inside": lambda data: data.replace(b"a", b'a"b', 1),
    "one field more": lambda data: data.replace(b"\n", b",x\n", 3),
    "one field less": lambda data: data.replace(b",a", b"", 1),
    "another header": lambda data: data.replace(b"y", b"z", 1),
    "the header twice": lambda data: data.split(b"\n")[0] + b"\n" + data,
    "a column twice": lambda data: data.replace(b"p", b"y", 1),
    "an unknown class": lambda data: data.replace(b"d", b"e"),
    "a class with a space": lambda data: data.replace(b"d", b"d "),
    "numbers for names": lambda data: data.replace(b"a", b"1"),
    "missing values": lambda data: data.replace(b"a", b""),
    "a very long field": lambda data: data.replace(b"d", b"d" * 200_000, 1),
    "a very long line": lambda data: data.replace(b"\n", b"x" * 3_000_000 + b"\n", 1),
    "deep brackets": lambda data: b"[" * 100_000,
    "deep objects": lambda data: b'{"y":' * 100_000,
    "a huge number": lambda data: data.replace(b"a", b"9" * 5_000, 2),
    "another format": lambda data: b"PAR1" + data,
    "a page": lambda data: b"<!DOCTYPE html><html><body>" + data + b"</body></html>",
    "random bytes": lambda data: random.Random(3).randbytes(500),
}


def open_file(path: Path, **options: Any) -> Any:
    import ordeval as oe

    if path.name == "counts.json":
        return oe.Counts.load(path)
    return oe.scan(path, true="y", pred="p", labels=LABELS, **options)


def true_rows(name: str, data: bytes) -> int | None:
    """How many rows an independent reader finds; None where it finds no table."""
    import csv

    import pyarrow.parquet as pq

    try:
        if name.endswith(".gz"):
            data = gzip.decompress(data)
        if name.endswith(".zst"):
            import pyarrow as pa

            data = pa.input_stream(io.BytesIO(data), compression="zstd").read()
        if name.endswith(".parquet"):
            return int(pq.ParquetFile(io.BytesIO(data)).metadata.num_rows)
        if name == "counts.json":
            return sum(json.loads(data)["weights"])
        marked = data[:2] in (b"\xff\xfe", b"\xfe\xff")
        text = data.decode(
            "utf-16" if marked else "utf-8-sig", errors="replace"
        )  # a column that nobody asks for may hold anything
        if ".jsonl" in name:
            return len([json.loads(line) for line in text.splitlines() if line.strip()])
        delimiter = "\t" if name.endswith(".tsv") else ","
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        return len([line for line in found[1:] if line])
    except Exception:
        return None


def judge(path: Path, data: bytes, **options: Any) -> str:
    """What is wrong with what became of a file; "" if nothing is."""
    path.write_bytes(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            counts = open_file(path, **options)
    except NAMED as error:
        return "" if "\n" not in str(error) and str(error) else f"the refusal is not one sentence: {error!r}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    expected = true_rows(path.name, data)
    if counts.audit.read == expected:
        return ""
    return f"{counts.audit.read} rows were read, and an independent reader finds {expected}"


def files(slice_: bool) -> Row:
    wrong, tried = [], 0
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder:
        for name, make in FORMATS.items():
            if slice_ and name not in ("rows.csv", "rows.jsonl", "counts.json"):
                continue
            for damage, change in DAMAGE.items():
                tried += 1
                if words := judge(Path(folder) / name, change(make()), missing="drop"):
                    wrong.append(f"{name}, {damage}: {words}")
            say(f"hostile: {name}")
    question = f"damaged files: {len(DAMAGE)} kinds of damage × formats, a result with the right rows or a named error"
    return Row("hostile", question, tried, wrong, clock.seconds)


# Labels


def payloads(slice_: bool) -> Row:
    """Forty labels through every door to every output."""
    from hostile import PAYLOADS

    wrong: list[str] = []
    tried = 0
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert len(set(PAYLOADS)) >= 40
        groups = [PAYLOADS[i : i + 10] for i in range(0, 10 if slice_ else 40, 10)]
        for labels in groups:
            for door, counts in _through_every_door(labels, Path(folder)):
                tried += len(labels)
                if isinstance(counts, str):
                    wrong.append(f"{door}: {counts}")
                elif counts.matrix.tolist() != _table(len(labels)) or list(counts.scale.labels) != labels:
                    wrong.append(f"{door}: the counts of {labels} are not those of the rows")
            outputs = _every_output(labels, Path(folder))
            for output, words in outputs:
                tried += len(labels)
                wrong += [f"{output}: {word}" for word in words]
            say(f"hostile: labels {labels[0]!r} …")
    return Row(
        "hostile",
        "40 labels that are code, formulas or control signs, through every door to every output",
        tried,
        wrong,
        clock.seconds,
    )


def _table(k: int) -> list[list[int]]:
    return [[3 if t == p else 1 if abs(t - p) == 1 else 0 for p in range(k)] for t in range(k)]


def _columns(labels: list[str]) -> tuple[list[str], list[str]]:
    cells = [(t, p) for t, line in enumerate(_table(len(labels))) for p, n in enumerate(line) for _ in range(n)]
    return [labels[t] for t, _ in cells], [labels[p] for _, p in cells]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _through_every_door(labels: list[str], folder: Path) -> Iterator[tuple[str, Any]]:
    import pandas as pd
    import polars as pl

    import ordeval as oe

    y, p = _columns(labels)
    counts = oe.count(y, p, labels=labels)
    yield "count", counts
    yield "count of Categoricals", oe.count(*(pd.Categorical(x, categories=labels, ordered=True) for x in (y, p)))
    yield "scan of a frame", oe.scan(pl.DataFrame({"y": y, "p": p}), true="y", pred="p", labels=labels)
    total = oe.Accumulator(labels)
    total.update(y[:5], p[:5])
    total.update(y[5:], p[5:])
    yield "Accumulator", total.counts
    counts.save(folder / "payload.json", force=True)
    yield "Counts.load", oe.Counts.load(folder / "payload.json")
    frame = pd.DataFrame({"y": y, "p": p})
    frame.to_parquet(folder / "payload.parquet")
    lines = "".join(json.dumps({"y": a, "p": b}) + "\n" for a, b in zip(y, p, strict=True))
    (folder / "payload.jsonl").write_text(lines, encoding="utf-8")
    table = "".join(f"{_quoted(a)},{_quoted(b)}\n" for a, b in zip(["y", *y], ["p", *p], strict=True))
    (folder / "payload.csv").write_bytes(table.encode())
    for ending in ("parquet", "jsonl", "csv"):
        try:
            found = oe.scan(folder / f"payload.{ending}", true="y", pred="p", labels=labels)
        except NAMED as error:
            found = f"refused: {error}" if not _may_refuse(ending, labels) else counts
        except Exception as error:
            found = f"{type(error).__name__}: {error}"
        yield f"scan of {ending}", found


def _may_refuse(ending: str, labels: list[str]) -> bool:
    """A CSV file whose quoted fields hold a bare carriage return has mixed line ends: refused, not misread."""
    return ending == "csv" and any("\r" in label or "\x00" in label for label in labels)


def _every_output(labels: list[str], folder: Path) -> Iterator[tuple[str, list[str]]]:
    import ordeval as oe
    from ordeval.types import Evaluations

    y, p = _columns(labels)
    models = {labels[0][:60]: p, labels[-1][:60] + " ": y}
    counts = oe.count(y, models, labels=labels, by={"group": [labels[i % 3] for i in range(len(y))]})
    evaluations = {model: oe.evaluate(counts[model], metrics=["accuracy", "cem"], n_resamples=499) for model in counts.models}
    comparison = oe.compare(oe.count(y, models, labels=labels), metrics=["mae"], n_resamples=499)
    judges = {"text": inert.terminal, "csv": inert.spreadsheet, "md": inert.markdown, "latex": inert.latex}
    for format_, judge_ in judges.items():
        yield f"scores as {format_}", judge_(oe.show.render(Evaluations(evaluations), format_))
        yield f"comparison as {format_}", judge_(oe.show.render(comparison, format_))
    yield "scores as json", inert.data(oe.show.render(Evaluations(evaluations), "json"), labels)
    yield "comparison as json", inert.data(oe.show.render(comparison, "json"), labels)
    yield "str", inert.terminal(str(comparison))
    yield "notebook", inert.html(comparison._repr_html_())
    for ending, judge_ in (("html", inert.html), ("md", inert.markdown), ("tex", inert.latex)):
        path = folder / f"report.{ending}"
        comparison.report(path, force=True)
        yield f"report.{ending}", judge_(path.read_text(encoding="utf-8"))
    yield "svg", inert.html(oe.plot.ConfusionDisplay.from_counts(comparison.counts[comparison.counts.models[0]]).to_svg())
    with contextlib.suppress(*NAMED):
        oe.count(["no such class"], [labels[0]], labels=labels)
    for odd in labels[:3]:
        try:
            oe.count([odd + "?"], [labels[0]], labels=labels)
        except NAMED as error:
            yield "refusal", [] if "\n" not in str(error) else [f"more than one line: {error!r}"]
