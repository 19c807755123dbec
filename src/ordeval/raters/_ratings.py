"""ratings(): items rated by several people or judges become Counts whose axes are the raters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.base.types import Answer
from ordeval.counts import Counts
from ordeval.counts.counting import check_names
from ordeval.counts.table import TRUE
from ordeval.order.columns import read_column
from ordeval.order.scale import Labels, as_scale
from ordeval.order.values import as_text_column
from ordeval.raters._reading import counted, from_long
from ordeval.show._plain import count_text

EITHER = "give a {table} with a column for each rater, or {item}, {rater} and {grade}"


@documented(
    "Counts whose axes are the raters.",
    table='``{"ann": column, "bob": column}``, a frame with a column for each rater, or an array with a row for each item.',
    item="Instead of a table, with an entry for each rating: what was rated.",
    rater="... who rated it.",
    grade="... the rating.",
    unparsable="Raters, such as an LLM judge, whose answers outside the classes count as unanswered; "
    "`Counts.unparsable` keeps them.",
)
def ratings(
    table: Any = None,
    *,
    item: Answer = None,
    rater: Answer = None,
    grade: Answer = None,
    labels: Labels = None,
    unparsable: Sequence[str] = (),
) -> Counts:
    """Count rating patterns: which grades the raters gave the same item, and how often.

    Give a table, or three columns with an entry for each rating.  A missing rating is None or nan.  For files and databases
    use `ordeval.raters.scan`.

    >>> counts = ratings({"ann": [1, 2, 3, 3], "bob": [1, 2, None, 2]}, labels=[1, 2, 3])
    >>> counts.axes, counts.cells.tolist()
    (('ann', 'bob'), [[0, 0], [1, 1], [2, -1], [2, 1]])
    """
    scale = None if labels is None else as_scale(labels)
    measured = scale is not None and scale.edges is not None
    long = {"item": item, "rater": rater, "grade": grade}
    if table is None:
        if absent := [name for name, column in long.items() if column is None]:
            raise ArgumentTypeError(f"{{{absent[0]}}} is missing", argument=absent[0], remedy=EITHER)
        grades = as_text_column(grade, "grade") if unparsable else read_column(grade, "grade", measured=measured)
        return from_long(read_column(item, "item"), read_column(rater, "rater"), grades, scale=scale, unparsable=unparsable)
    if any(column is not None for column in long.values()):
        raise ArgumentTypeError(f"{EITHER}, and not both", argument="table")
    columns = _columns(table)
    check_names(list(columns))
    read = {
        name: as_text_column(column, f"rater {name!r}")
        if name in unparsable
        else read_column(column, f"rater {name!r}", measured=measured)
        for name, column in columns.items()
    }
    lengths = {name: len(column) for name, column in read.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {count_text(n, 'row')}" for name, n in lengths.items())
        raise ValueError(f"the raters have different numbers of items: {told}; leave gaps (None) where somebody did not rate")
    if not next(iter(lengths.values()), 0):
        raise ValueError("there are no ratings; give at least one item")
    return counted(read, scale=scale, unparsable=unparsable)


def _columns(table: Any) -> dict[str, Any]:
    if isinstance(table, Mapping):
        return dict(table)
    if hasattr(table, "columns"):
        return {str(name): table[name] for name in table.columns}
    array = np.asarray(table)
    if array.ndim != 2:
        raise ArgumentError(
            "a {table} of ratings has a row for each item and a column for each rater; this one has the shape {shape}",
            argument="table",
            values={"shape": array.shape},
        )
    return {f"rater {i + 1}": array[:, i] for i in range(array.shape[1])}


def raters_of(counts: Counts) -> tuple[str, ...]:
    """The raters, after a look that these are ratings, of two raters or more."""
    if TRUE in counts.axes:
        raise ValueError(
            "these counts have a truth, and agreement among raters has none; count with oe.raters.ratings(...) or oe.raters.scan(...)"
        )
    if counts.values:
        raise ValueError(f"these counts have groups ({', '.join(counts.values)}); take the counts of one group")
    if len(counts.axes) < 2:
        raise ValueError(f"there is one rater ({counts.axes[0]}), and agreement needs two or more")
    if counts.weighted:
        raise ValueError("ratings are counted, not weighted; count again without weights")
    return counts.axes


def check_rater(counts: Counts, name: str, argument: str) -> None:
    """Refuse somebody who is none of the raters."""
    if name not in raters_of(counts):
        hint = near(str(name), counts.axes)
        values = {"name": repr(name), "hint": f"{hint} " if hint else "", "raters": ", ".join(counts.axes)}
        raise ArgumentError("there is no rater {name}", argument=argument, remedy="{hint}the raters are {raters}", values=values)


def check_word(argument: str, given: str, words: Collection[str]) -> None:
    """Refuse a word that is none of those an argument may be."""
    if given not in words:
        hint = near(str(given), words)
        raise ArgumentError(
            f"{{{argument}:{{given}}}} is unknown",
            argument=argument,
            remedy=f"{hint + ' ' if hint else ''}choose one of {', '.join(map(repr, words))}",
            values={"given": repr(given)},
        )
