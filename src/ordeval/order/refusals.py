"""What is said of columns that carry no order, or not the same, and of classes that look like one another."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

from ordeval.base.errors import ArgumentError, ArgumentTypeError, fold
from ordeval.order.columns import NUMBERS, Column, column_error, short, spelt
from ordeval.order.orders import is_part
from ordeval.order.values import CANONICAL
from ordeval.show._plain import printable

SHOWN = 12  # classes spelled out in a message before it is cut short
AS_LABELS = "give the classes, lowest first: {labels:[...]}"
AS_LABELS_OR_BINS = AS_LABELS + ", or bin the numbers with {labels:Scale.from_edges([...])}"


def chain(labels: Sequence[Any]) -> str:
    """Classes in their order, for people."""
    texts = [_cut(label) for label in labels]
    if len(texts) > SHOWN:
        texts = [*texts[: SHOWN - 2], "…", texts[-1]]
    return " < ".join(texts)


def _cut(label: Any) -> str:
    text = printable(label)
    return text if len(text) <= 40 else text[:37] + "..."


def no_order(columns: Sequence[Column], kind: str) -> ArgumentError:
    """Columns of text, intervals or numbers with fractions are no classes in order by themselves."""
    where = " and ".join(spelt(column.name) for column in columns)
    if kind == "text":
        seen = sorted({value for column in columns for value in column.distinct()})
        shown, more = seen[:SHOWN], ["…"] if len(seen) > SHOWN else []
        return ArgumentError(
            f"the classes of {where} are text ({{words}}) and text has no order",
            argument="labels",
            remedy="give it, lowest first, by putting these in order: {labels:[{texts}]}" + _as_numbers(columns, seen),
            values={"words": ", ".join([*map(_cut, shown), *more]), "texts": ", ".join([*map(short, shown), *more])},
        )
    if kind == "intervals":
        remedy = "use an ordered Categorical or Scale.from_edges"
        return ArgumentError(f"{where} holds intervals without an order", argument="labels", remedy=remedy)
    every = [(column.name, value) for column in columns for value in column.distinct()]
    name, odd = next((pair for pair in every if not float(pair[1]).is_integer()), max(every, key=lambda pair: abs(pair[1])))
    if float(odd).is_integer():
        return column_error(name, " holds numbers beyond 64 bits ({value}, …)", AS_LABELS, value=repr(odd))
    problem = " holds numbers with fractions ({value}, …), which are not classes by themselves"
    return column_error(name, problem, AS_LABELS_OR_BINS, value=repr(odd))


def refuse_alphabet(labels: Sequence[Any]) -> None:
    """An array of text in alphabetical order was sorted by a program; nobody has put these classes in order."""
    if len(labels) < 2 or not all(isinstance(label, str) for label in labels) or list(labels) != sorted(labels):
        return
    texts = [*(short(label) for label in labels[:SHOWN]), *(["…"] if len(labels) > SHOWN else [])]
    raise ArgumentError(
        "{labels} is an array of text in alphabetical order, as np.unique and scikit-learn's classes_ give it; "
        "that is no order of classes",
        argument="labels",
        remedy="give a list, lowest first: {labels:[{texts}]} if this is the order",
        values={"texts": ", ".join(texts)},
    )


def _as_numbers(columns: Sequence[Column], texts: Sequence[str]) -> str:
    """What else texts of untyped files may be: numbers with a decimal comma."""
    numbers = [text.strip() for text in texts if re.search(r"[0-9]", text)]  # others may mean that nothing was answered
    commas = any("," in text for text in numbers) and all(re.fullmatch(r"-?[0-9]+(,[0-9]+)?", text) for text in numbers)
    written = all(column.refuse is not None for column in columns)
    return ", or as numbers with {reading:Reading(decimal=',')}" if commas and written else ""


def different_orders(first: Column, second: Column) -> ArgumentError:
    return ArgumentError(
        f"{spelt(first.name)} and {spelt(second.name)} carry different orders ({{first}}; {{second}})",
        argument="labels",
        remedy="give one for both, lowest first: {labels:[...]}",
        values={"first": chain(first.values), "second": chain(second.values)},
    )


def contradicting_chunks(column: Column) -> ArgumentError:
    """Parts of one column that carry orders of which none holds all others."""
    longest = max(column.orders, key=len)
    other = next(order for order in column.orders if not is_part(order, longest))
    return ArgumentError(
        f"{spelt(column.name)} has chunks with different orders ({{first}}; {{second}})",
        argument="labels",
        remedy="give {labels:[...]}",
        values={"first": chain(longest), "second": chain(other)},
    )


def too_many_integers(low: int, high: int, limit: int) -> ArgumentError:
    problem = f"the integers run from {low:,} to {high:,}: {high - low + 1:,} classes, more than the limit of {limit:,}"
    return ArgumentError(problem, argument="labels", remedy=AS_LABELS_OR_BINS)


def refuse_different_kinds(columns: Sequence[Column]) -> None:
    """Text and numbers are never the same label."""
    first = columns[0]
    for other in columns[1:]:
        if other.kind != first.kind and not {first.kind, other.kind} <= set(NUMBERS):
            raise ArgumentTypeError(
                f"{spelt(first.name)} holds {first.kind} ({{first}}, …) and {spelt(other.name)} holds {other.kind} ({{second}}, …), "
                "which are never the same label",
                remedy="convert one of the two",
                values={"first": _telling(first), "second": _telling(other)},
            )


def _telling(column: Column) -> str:
    """A value that shows what the column holds: among texts, one that is no integer."""
    values = column.distinct()
    return short(next((v for v in values if isinstance(v, str) and not CANONICAL.fullmatch(v)), values[0]))


def report_near_duplicates(labels: Sequence[str]) -> None:
    """Warn of classes that differ by case, spaces or Unicode form alone."""
    seen: dict[str, str] = {}
    for label in labels:
        twin = seen.setdefault(fold(label), label)
        if twin is not label:
            warnings.warn(
                f"the classes {twin!r} and {label!r} differ only by case, spaces or Unicode form, which is likely a mistake; "
                f"they are kept apart",
                UserWarning,
                stacklevel=3,
            )
