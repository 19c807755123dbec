"""Columns and texts that nobody meant: what is plain must be read exactly, what cannot be a column or a metric must be refused."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from tables import variants  # not below, where it would import what is planted

from battery.plants import replaced
from battery.rows import Check, Row, Scope, in_parallel, timed

NAMED = (ValueError, TypeError, OSError)  # what a refusal may be
#: kinds of plain columns: the classes, and the labels= that fit them
PLAIN: dict[str, tuple[list[Any], list[Any]]] = {
    "integers": ([0, 1, 2, 3], [[0, 1, 2, 3], range(4)]),
    "letters": (list("abcd"), [list("abcd")]),
    "whole floats": ([0.0, 1.0, 2.0], [[0.0, 1.0, 2.0], [0, 1, 2]]),
    "booleans": ([False, True], [[False, True]]),
}


def _value(rng: random.Random) -> Any:
    import datetime
    import decimal
    import fractions

    choices = [
        lambda: rng.randrange(5), lambda: float(rng.randrange(5)), lambda: rng.random(), lambda: str(rng.randrange(5)),
        lambda: rng.choice("abc"), lambda: None, lambda: float("nan"), lambda: float("inf"), lambda: True, lambda: 2**70,
        lambda: -(2**63), lambda: 2**64 - 1, lambda: b"a", lambda: (), list, dict, lambda: 1j, lambda: "", lambda: np.int8(3), lambda: np.float32(1.5),
        lambda: np.datetime64("2026-01-01"), lambda: np.str_("b"), lambda: np.bool_(False), lambda: decimal.Decimal(1), lambda: fractions.Fraction(1, 2),
        lambda: datetime.date(2026, 1, 1), lambda: object(), lambda: np.nan, lambda: np.ma.masked, lambda: "\ud800", lambda: np.array([1, 2]), lambda: "a" * 1000,
    ]  # fmt: skip
    return rng.choice(choices)()


def _made(rng: random.Random, values: list[Any]) -> Any:
    """The values as a column of some library; as a list where it refuses them."""
    import pandas as pd
    import polars as pl

    makers: list[Callable[[Any], Any]] = [
        *(list, tuple, iter, np.array, pd.Series, pl.Series),
        lambda x: np.array(x, object),
        lambda x: pd.Series(x, dtype=object),
    ]
    try:
        return rng.choice(makers)(values)
    except Exception:  # the other library refuses these values
        return values


def _odd_column(rng: random.Random, length: int) -> Any:
    if rng.random() < 0.6:
        values = [rng.choice(rng.choice(list(PLAIN.values()))[0]) for _ in range(length)]
        if length:
            values[rng.randrange(length)] = _value(rng)
        return _made(rng, values)
    return _made(rng, [_value(rng) for _ in range(length)])


def _columns(task: tuple[int, int, int]) -> tuple[int, list[str]]:
    seed, part, number = task
    rng, wrong, plain = random.Random(f"columns {seed} {part}"), [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(number):
            is_plain = rng.random() < 0.4
            plain += is_plain
            words = _plain_case(rng) if is_plain else _odd_case(rng)
            if words:
                wrong.append(f"columns, part {part}, case {i}: {words}")
    return plain, wrong


def _plain_case(rng: random.Random) -> str:
    """Plain columns are counted to the last row, or refused where they have no rows, or not the same number."""
    import ordeval as oe

    classes, orders = rng.choice(list(PLAIN.values()))
    length = rng.choice([0, 1, 2, 3, 8, 20])
    true, pred = ([rng.choice(classes) for _ in range(length)] for _ in range(2))
    longer = rng.random() < 0.1
    weights = [rng.randrange(1, 4) for _ in range(length)] if rng.random() < 0.3 else None
    expected = np.zeros((len(classes), len(classes)), int)
    for t, p, w in zip(true, pred, weights or [1] * length, strict=True):
        expected[classes.index(t), classes.index(p)] += w
    given = _made(rng, true), _made(rng, pred + pred[-1:] * longer if length else [classes[0]] * longer)
    try:
        counts = oe.count(*given, labels=rng.choice(orders), sample_weight=weights)
    except NAMED as error:
        if "\n" in str(error):
            return f"the refusal is not one line: {error!r}"
        return "" if longer or not length else f"plain columns {true}, {pred} were refused: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    if longer or not length:
        return f"columns of {length} and {length + longer} rows were counted"
    if counts.audit.read != length or not np.array_equal(counts.matrix, expected):
        return f"{counts.matrix.tolist()} was counted, and it is {expected.tolist()}"
    return ""


def _odd_case(rng: random.Random) -> str:
    """A refusal in one line, or every row accounted for."""
    import ordeval as oe

    length = rng.choice([0, 1, 2, 3, 8, 20])
    true, pred = _odd_column(rng, length), _odd_column(rng, length if rng.random() < 0.95 else length + 1)
    weights = None if rng.random() < 0.7 else _odd_column(rng, length)
    labels = rng.choice([None, None, [0, 1, 2, 3], list("abcd"), [True, False], [0.0, 1.0, 2.0], range(4)])
    try:
        missing = rng.choice(["error", "drop", "unanswered"])
        counts = oe.count(true, pred, labels=labels, sample_weight=weights, missing=missing)
    except NAMED as error:
        return f"the refusal is not one line: {error!r}" if "\n" in str(error) else ""
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return "" if counts.audit.read == length else f"{counts.audit.read} of {length} rows are accounted for"


def columns(scope: Scope) -> Row:
    number, parts = scope.choose(1_000, 40, 400), scope.choose(10, 10, 1)
    with timed() as clock:
        found = in_parallel(_columns, [(scope.seed, part, number) for part in range(parts)], "fuzz, columns")
    plain = sum(n for n, _ in found)
    question = "count() on plain columns, read exactly, and on columns of arbitrary values and types, accounted for or refused"
    return Row("fuzz", question, number * parts, [w for _, words in found for w in words], clock.seconds, f"plain {plain:,}")


# Texts

WORDS = [
    *(
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
    ),
    *("{", "}", "**", "__import__", "lambda", "\x00", "n=", "10**9", "\n", "é", "-", "–", ">", "<=", "3", "7", "14", "+", " "),
]


def _texts(task: tuple[int, int, int]) -> tuple[int, list[str]]:
    seed, part, number = task
    rng, wrong, plain = random.Random(f"texts {seed} {part}"), [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(number):
            is_plain = rng.random() < 0.4
            plain += is_plain
            words = _plain_text(rng) if is_plain else _odd_text(rng)
            if words:
                wrong.append(f"texts, part {part}, case {i}: {words}")
    return plain, wrong


def _plain_text(rng: random.Random) -> str:
    """The text of a metric is read as that metric, classes as these classes, bins as these bins."""
    import ordeval as oe

    kind = rng.randrange(3)
    try:
        if kind == 0:
            metric = rng.choice(variants())
            spaces = str(metric).replace(", ", "," + " " * rng.randrange(3))
            found, expected = str(oe.get_metric(spaces)), str(metric)
        elif kind == 1:
            expected = [f"{rng.choice('abcxyz')}{n}" for n in range(rng.randrange(2, 9))]
            found = list(oe.Scale(expected).labels)
        else:
            ends = np.cumsum([rng.randrange(0, 3), *(rng.randrange(1, 9) for _ in range(rng.randrange(2, 6)))]).tolist()
            expected = [float(end) for end in ends]
            found = list(oe.Scale.from_edges(ends).edges or ())
    except NAMED as error:
        return f"what is plain was refused: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return "" if found == expected else f"{expected} was read as {found}"


def _odd_text(rng: random.Random) -> str:
    """A refusal, or something that says the same again: a metric whose text is read as itself, classes that were in the text."""
    import ordeval as oe

    text = "".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 9)))
    door = rng.choice(["metric", "bins", "labels", "edges"])
    try:
        if door == "metric":
            metric = oe.get_metric(text)
            fits = oe.get_metric(str(metric)) == metric and metric.name.split("(")[0] in text
        elif door == "labels":
            fits = list(oe.Scale(text.split(",")).labels) == text.split(",")
        else:
            scale = oe.Scale.from_integer_bins(text) if door == "bins" else oe.Scale.from_edges(text.split(","))
            fits = text.count(",") + (1 if door == "bins" else 0) == scale.K
    except NAMED as error:
        return "" if str(error) else f"{text!r} was refused without a word"
    except Exception as error:
        return f"{text!r}: {type(error).__name__}: {str(error)[:200]}"
    return "" if fits else f"{text!r} was taken for something else ({door})"


def texts(scope: Scope) -> Row:
    number, parts = scope.choose(1_000, 40, 400), scope.choose(10, 10, 1)
    with timed() as clock:
        found = in_parallel(_texts, [(scope.seed, part, number) for part in range(parts)], "fuzz, texts")
    question = (
        "get_metric(), Scale() and bins: plain texts read as what they say, arbitrary ones refused or read as what they say"
    )
    note = f"plain {sum(n for n, _ in found):,}"
    return Row("fuzz", question, number * parts, [w for _, words in found for w in words], clock.seconds, note)


# Bad implementations


def _refuses_everything(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        raise ValueError("cannot be read")

    return bad


def _ends_with_key_error(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        try:
            return good(*args, **options)
        except NAMED:
            raise KeyError("y") from None

    return bad


def _one_class_off(good: Any) -> Any:
    def bad(*args: Any, **options: Any) -> Any:
        import ordeval as oe

        counts = good(*args, **options)
        return oe.Counts.from_matrix(np.roll(counts.matrix, 1, axis=1), labels=counts.scale)

    return bad


CHECKS = (
    Check(
        "fuzz.columns",
        columns,
        {
            "a count one class off": replaced("ordeval", "count", _one_class_off),
            "a count that refuses everything": replaced("ordeval", "count", _refuses_everything),
            "a count that ends with KeyError": replaced("ordeval", "count", _ends_with_key_error),
            "weights are ignored": replaced(
                "ordeval", "count", lambda good: lambda *rows, sample_weight=None, **options: good(*rows, **options)
            ),
        },
    ),
    Check(
        "fuzz.texts",
        texts,
        {
            "a registry that refuses everything": replaced("ordeval", "get_metric", _refuses_everything),
            "a registry that ends with KeyError": replaced("ordeval", "get_metric", _ends_with_key_error),
            "parameters are forgotten": replaced(
                "ordeval", "get_metric", lambda good: lambda text: good(str(text).partition("(")[0])
            ),
        },
    ),
)
