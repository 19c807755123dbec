"""Bytes that nobody meant: random ones, and good files with a few bytes changed.  A result with the right rows, or a named error."""

from __future__ import annotations

import random
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from battery.hostile import FORMATS, NAMED, ROWS, true_rows
from battery.rows import Row, in_parallel, timed

SIGNS = b"\n\r\t,;|\"'\\{}[]:0123456789abcdnulxe+-. \x00\xff\xef\xbb\xbf\xc3"


def rows(slice_: bool) -> Iterator[Row]:
    number = 40 if slice_ else 400
    names = list(FORMATS)
    with timed() as clock:
        found = in_parallel(_readers, [(name, seed, number // 10) for name in names for seed in range(10)], "fuzz, readers")
    wrong = [word for words in found for word in words]
    question = f"the readers of {len(names)} formats, fed with random bytes and changed files"
    yield Row("fuzz", question, len(names) * (number // 10) * 10, wrong, clock.seconds)
    number = 400 if slice_ else 10_000
    with timed() as clock:
        found = in_parallel(_columns, [(seed, number // 10) for seed in range(10)], "fuzz, columns")
    wrong = [word for words in found for word in words]
    yield Row("fuzz", "count() on columns of arbitrary values and types", number // 10 * 10, wrong, clock.seconds)
    with timed() as clock:
        found = in_parallel(_texts, [(seed, number // 10) for seed in range(10)], "fuzz, texts")
    wrong = [word for words in found for word in words]
    yield Row("fuzz", "get_metric(), Scale() and integer bins on arbitrary text", number // 10 * 10, wrong, clock.seconds)


def changed(data: bytes, rng: random.Random) -> bytes:
    """A few bytes exchanged, put in, taken out, or a stretch copied elsewhere."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(400))
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


def _readers(task: tuple[str, int, int]) -> list[str]:
    import ordeval as oe

    name, seed, number = task
    rng, good, wrong = random.Random(f"{name} {seed}"), FORMATS[name](), []
    with tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder) / name
        for i in range(number):
            data = changed(good, rng)
            path.write_bytes(data)
            try:
                labels = ["a", "b", "c", "d", *"enulx0123456789"]
                counts = (
                    oe.Counts.load(path)
                    if name == "counts.json"
                    else oe.scan(path, true="y", pred="p", labels=labels, missing="drop")
                )
            except NAMED as error:
                if "\n" in str(error):
                    wrong.append(f"{name}, seed {seed}, case {i}: the refusal is not one line: {error!r}")
                continue
            except Exception as error:
                wrong.append(f"{name}, seed {seed}, case {i}: {type(error).__name__}: {str(error)[:200]}")
                continue
            expected = true_rows(name, data)
            if name == "rows.parquet" and expected is None:
                expected = ROWS  # damage where only the other reader looks: the rows are those of the good file
            if counts.audit.read != expected:
                wrong.append(
                    f"{name}, seed {seed}, case {i}: {counts.audit.read} rows read, an independent reader finds {expected}"
                )
    return wrong


def _value(rng: random.Random) -> Any:
    import datetime
    import decimal
    import fractions

    import numpy as np

    choices = [
        lambda: rng.randrange(5), lambda: float(rng.randrange(5)), lambda: rng.random(), lambda: str(rng.randrange(5)),
        lambda: rng.choice("abc"), lambda: None, lambda: float("nan"), lambda: float("inf"), lambda: True, lambda: 2**70,
        lambda: -(2**63), lambda: 2**64 - 1, lambda: b"a", lambda: (), list, dict, lambda: 1j, lambda: "", lambda: np.int8(3), lambda: np.float32(1.5),
        lambda: np.datetime64("2026-01-01"), lambda: np.str_("b"), lambda: np.bool_(False), lambda: decimal.Decimal(1), lambda: fractions.Fraction(1, 2),
        lambda: datetime.date(2026, 1, 1), lambda: object(), lambda: np.nan, lambda: np.ma.masked, lambda: "\ud800", lambda: np.array([1, 2]), lambda: "a" * 1000,
    ]  # fmt: skip
    return rng.choice(choices)()


def _column(rng: random.Random, length: int) -> Any:
    import numpy as np
    import pandas as pd
    import polars as pl

    if rng.random() < 0.7:
        kind = rng.randrange(4)
        values: list[Any] = [
            rng.randrange(4)
            if kind == 0
            else rng.choice("abcd")
            if kind == 1
            else float(rng.randrange(3))
            if kind == 2
            else rng.random() < 0.5
            for _ in range(length)
        ]
        if rng.random() < 0.4 and length:
            values[rng.randrange(length)] = _value(rng)
    else:
        values = [_value(rng) for _ in range(length)]
    makers = [
        list,
        tuple,
        iter,
        np.array,
        lambda x: np.array(x, object),
        pd.Series,
        pd.Categorical,
        pl.Series,
        lambda x: pd.Series(x, dtype=object),
    ]
    try:
        return rng.choice(makers)(values)
    except Exception:  # the other library refuses these values
        return values


def _columns(task: tuple[int, int]) -> list[str]:
    import ordeval as oe

    seed, number = task
    rng, wrong = random.Random(f"columns {seed}"), []
    labels = [None, None, [0, 1, 2, 3], list("abcd"), [True, False], [0.0, 1.0, 2.0], range(4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(number):
            length = rng.choice([0, 1, 2, 3, 8, 20])
            y, p = _column(rng, length), _column(rng, length if rng.random() < 0.95 else length + 1)
            weights = None if rng.random() < 0.7 else _column(rng, length)
            try:
                counts = oe.count(
                    y, p, labels=rng.choice(labels), sample_weight=weights, missing=rng.choice(["error", "drop", "unanswered"])
                )
            except NAMED as error:
                if "\n" in str(error):
                    wrong.append(f"columns, seed {seed}, case {i}: the refusal is not one line: {error!r}")
                continue
            except Exception as error:
                wrong.append(f"columns, seed {seed}, case {i}: {type(error).__name__}: {str(error)[:200]}")
                continue
            if counts.audit.read != length:
                wrong.append(f"columns, seed {seed}, case {i}: {counts.audit.read} of {length} rows are accounted for")
    return wrong


def _texts(task: tuple[int, int]) -> list[str]:
    import ordeval as oe

    seed, number = task
    rng, wrong = random.Random(f"texts {seed}"), []
    words = [
        "mae",
        "cohen_kappa",
        "oci",
        "(",
        ")",
        "weights=",
        "'linear'",
        ",",
        "share=",
        "0.5",
        "1e999",
        "-1",
        "None",
        "inf",
        "[",
        "]",
        "{",
        "}",
        "**",
        "__import__",
        "lambda",
        "\x00",
        "n=",
        "10**9",
        "\n",
        "é",
        "-",
        "–",
        ">",
        "<=",
        "3",
        "7",
        "14",
        "+",
        " ",
    ]
    doors = [
        oe.get_metric,
        oe.Scale.from_integer_bins,
        lambda text: oe.Scale(text.split(",")),
        lambda text: oe.Scale.from_edges(text.split(",")),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(number):
            text = "".join(rng.choice(words) for _ in range(rng.randrange(1, 9)))
            door = rng.choice(doors)
            try:
                door(text)
            except NAMED:
                continue
            except Exception as error:
                wrong.append(f"texts, seed {seed}, case {i}: {text!r}: {type(error).__name__}: {str(error)[:200]}")
    return wrong
