"""Tables with a row for each answer: an id, a model, the truth and what the model says; a row for each id comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.counts.counting import as_weights
from ordeval.counts.table import PRED, TRUE, checked_weights
from ordeval.order.columns import Column
from ordeval.order.scale import Scale, WrittenLabels
from ordeval.read.files import Files
from ordeval.read.grouping import Table, all_rows
from ordeval.read.numbers import as_read_numbers
from ordeval.read.reading import USUAL, Reading
from ordeval.read.rules import LabelColumns, named_codes, read_labels
from ordeval.show._plain import count_text

SHOWN = 5  # ids spelled out in a message


@dataclass(frozen=True)
class LongRoles:
    """Which column of a long table plays which part."""

    id: str
    model: str
    true: str
    pred: str
    groups: tuple[str, ...] = ()
    weight: str | None = None

    @property
    def columns(self) -> list[str]:
        return [self.id, self.model, self.true, self.pred, *self.groups, *([self.weight] if self.weight else [])]


@dataclass(frozen=True)
class WideRows:
    """What a long table is with a row for each id."""

    labels: LabelColumns  #: the truth and each model
    groups: dict[str, Column]
    weights: Array | None
    note: str


def widened(
    table: Table, roles: LongRoles, scale: Scale | WrittenLabels | None, reading: Reading, unknown: str = "error"
) -> WideRows:
    """A row for each id: its truth, and the answer of each model, or none where the model has no row for it."""
    names = list(dict.fromkeys(roles.columns))
    columns = dict(zip(names, all_rows(table, names), strict=True))
    ids, id_words = numbered(columns[roles.id], table, "id")
    models, model_words = numbered(columns[roles.model], table, "model")
    if not ids.size:
        raise ValueError(f"{table.shown} has no rows; there is nothing to score")
    _refuse_twice(table, ids, id_words, models, model_words)
    labels = {TRUE: columns[roles.true], PRED: columns[roles.pred]}
    called = {TRUE: roles.true, PRED: roles.pred}
    read = read_labels(labels, scale, reading, names=called, truth=TRUE, unknown=unknown)
    _, first = np.unique(ids, return_index=True)
    weights = None
    own = table.reading if isinstance(table, Files) else USUAL
    if roles.weight is not None:
        numbers = as_weights(as_read_numbers(columns[roles.weight], own, table.shown, roles.weight))
        weights = checked_weights(numbers, ids.size, f'column "{roles.weight}"')
        _refuse_different(table, roles.weight, numbers, ids, first, id_words)
        weights = weights[first]
    for name, column in ((roles.true, read.columns[TRUE]), *((name, columns[name]) for name in roles.groups)):
        _refuse_different(table, name, _places(column), ids, first, id_words)
    answers = {}
    for place, model in enumerate(model_words):
        rows = np.flatnonzero(models == place)
        positions = np.full(len(id_words), -1)
        positions[ids[rows]] = rows
        answers[model] = read.columns[PRED].take(positions)
    wide = LabelColumns({TRUE: read.columns[TRUE].take(first), **answers}, read.scale, read.read_as, read.notes)
    groups = {name: named_codes(columns[name]).take(first) for name in roles.groups}
    told = f"{count_text(ids.size, 'row')} of {count_text(len(model_words), 'model')}, {count_text(len(id_words), 'id')}"
    return WideRows(wide, groups, weights, told)


def numbered(column: Column, table: Table, what: str) -> tuple[Array, list[str]]:
    """For every row the number of its value, in the order in which they come, and the values as words."""
    column = column.whole()
    if column.missing is not None:
        number = int(column.missing.sum())
        raise ValueError(
            f"{table.shown} has {count_text(number, 'row')} without {'an' if what[0] in 'aeiou' else 'a'} {what}, {_first(column.missing)}"
        )
    stored = column.numbers if column.numbers is not None else column.codes
    assert stored is not None
    different, first, places = np.unique(stored, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    values = different[order].tolist()
    return rank[places], [str(value if column.numbers is not None else column.values[value]) for value in values]


def _first(rows: Array) -> str:
    return f"first row {int(np.argmax(rows)) + 1:,}"


def _places(column: Column) -> Array:
    """What is compared of a column: its values, or the number of each; one number for all that is missing."""
    found = np.asarray(column.numbers if column.numbers is not None else column.codes)
    return found if column.missing is None else np.where(column.missing, -1, np.unique(found, return_inverse=True)[1])


def _refuse_twice(table: Table, ids: Array, id_words: Sequence[str], models: Array, model_words: Sequence[str]) -> None:
    pairs, times = np.unique(ids * len(model_words) + models, return_counts=True)
    twice = pairs[times > 1]
    if twice.size:
        shown = [
            f"{id_words[pair // len(model_words)]} of {model_words[pair % len(model_words)]}" for pair in twice[:SHOWN].tolist()
        ]
        raise _refusal(
            table,
            f"{count_text(twice.size, 'answer')} {'occurs' if twice.size == 1 else 'occur'} more than once",
            shown,
            twice.size,
        )


def _refuse_different(table: Table, name: str, values: Any, ids: Array, first: Array, words: Sequence[str]) -> None:
    different = np.unique(ids[values != values[first][ids]])
    if different.size:
        shown = [words[i] for i in different[:SHOWN].tolist()]
        verb = "has" if different.size == 1 else "have"
        raise _refusal(table, f"{count_text(different.size, 'id')} {verb} more than one {name}", shown, different.size)


def _refusal(table: Table, problem: str, shown: Sequence[str], number: int) -> ArgumentError:
    more = ", …" if number > len(shown) else ""
    return ArgumentError(
        "{table}: {problem} ({shown})",
        argument="id",
        remedy="each answer must be in one row only, and the truth of an id must be the same in all its rows",
        values={"table": table.shown, "problem": problem, "shown": ", ".join(shown) + more},
    )
