"""Rows without an answer: what a blank counts as, and where it is put.

Under ``missing="wrong"`` blanks stay cells of their own, the code -1, so that they are counted, merged and resampled like all others.
A score puts them into a class before its kernel runs, by a map that depends on the truth alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ordeval.base.arrays import Array, rank_distance
from ordeval.base.errors import ArgumentError, near
from ordeval.order.scale import Scale, WrittenLabels
from ordeval.order.values import written_forms

if TYPE_CHECKING:
    from ordeval.counts.table import Counts

WORDS = ("error", "drop", "unanswered", "wrong")
WRONG = "wrong"


class Policy(NamedTuple):
    """What happens to a row without an answer: one of `WORDS`, or "as" with a class."""

    word: str
    label: Any = None


def read_missing(missing: Any) -> Policy:
    """The policy behind ``missing=``: a word, or ``{"as": LABEL}``."""
    if isinstance(missing, Mapping) and set(missing) == {"as"}:
        return Policy("as", missing["as"])
    if isinstance(missing, str) and missing in WORDS:
        return Policy(missing)
    remedy = f"choose one of {', '.join(map(repr, WORDS))}, or {{missing:{{as_class}}}} to count blanks as a class"
    values = {"given": repr(missing), "as_class": '{"as": LABEL}'}
    raise ArgumentError("{missing:{given}} is unknown", argument="missing", remedy=remedy, values=values)


def class_of_blanks(scale: Scale, label: Any) -> int:
    """The code of the class that blanks count as."""
    label = label.item() if isinstance(label, np.generic) else label
    if isinstance(label, WrittenLabels) or (scale.edges is not None and isinstance(label, str)):
        forms = {form: code for code, known in enumerate(scale.labels) for form in written_forms(known)}
        shown = label[0] if isinstance(label, WrittenLabels) else label
        code = forms.get(shown, -1)
    else:
        code = next((i for i, known in enumerate(scale.labels) if type(known) is type(label) and known == label), -1)
        shown = label
    if code < 0:
        raise ArgumentError(
            "a blank cannot count as {label}, which is not one of the classes ({classes})",
            argument="missing",
            remedy=near(str(shown), scale.labels) or "choose one of them",
            values={"label": repr(shown), "classes": str(scale)},
        )
    return code


def furthest(k: int) -> Array:
    """(K,) for each true class the class most steps away; of two equally far, the lower."""
    found: Array = rank_distance(k).argmax(-1)
    return found


def blanks_of(counts: Counts) -> dict[str, int | float]:
    """How many rows each model left without an answer, nothing if none did; their weight where the rows are not known."""
    rows = counts.weights if counts.row_counts is None else counts.row_counts
    silent = {model: rows[counts.cells[:, counts.axes.index(model)] < 0].sum().item() for model in counts.models}
    return silent if any(silent.values()) else {}


def put(counts: Counts, classes: Array) -> Counts:
    """The same counts, every blank put into the class that the map has for its truth.

    The cells stay in their order, one for one, also where two of them have become the same: what is made of them adds up.
    """
    from ordeval.counts.table import TRUE, Counts

    columns = [counts.axes.index(model) for model in counts.models]
    if not (counts.cells[:, columns] < 0).any():
        return counts
    cells = counts.cells.copy()
    answers = cells[:, columns]
    cells[:, columns] = np.where(answers < 0, classes[cells[:, [counts.axes.index(TRUE)]]], answers)
    same = {"values": counts.values, "cluster": counts.cluster, "rows": counts.row_counts, "excluded": counts.excluded}
    found = Counts(counts.scale, counts.axes, cells, counts.weights, **same)  # type: ignore[arg-type]
    found.files, found.notes, found.unparsable = counts.files, counts.notes, counts.unparsable
    return found


def judged(counts: Counts) -> Counts:
    """The counts with blanks that count as wrong put by rank, for what is no score; all others as they are."""
    return put(counts, furthest(counts.scale.K)) if counts.blanks == WRONG else counts


def filled_in(codes: Sequence[Array], models: Sequence[str], code: int, times: Array | None) -> dict[str, int]:
    """Put a class into the blanks of columns of codes, in place; how many rows of each model had one."""
    found = {}
    for model, column in zip(models, codes, strict=True):
        silent = column < 0
        column[silent] = code
        found[model] = int(silent.sum() if times is None else times[silent].sum())
    return found if any(found.values()) else {}
