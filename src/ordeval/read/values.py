"""Rows one by one, for what counts cannot hold: probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Quote, Unknown
from ordeval.counts.audit import ReadAs
from ordeval.order.columns import Column
from ordeval.order.scale import Labels, Scale, WrittenLabels, as_scale
from ordeval.order.values import parse_written
from ordeval.read.grouping import all_rows
from ordeval.read.numbers import as_read_numbers
from ordeval.read.reading import Reading
from ordeval.read.rules import read_labels
from ordeval.read.scan import QUOTE, READING, open_table, with_quote


class Columns(dict[str, Any]):
    """Columns by name, for `evaluate` and `compare`."""

    scale: Scale | WrittenLabels | None = None  #: the classes, as far as they are known
    read_as: tuple[ReadAs, ...] = ()  #: fields of classes that mean something else than is written
    notes: tuple[str, ...] = ()  #: what else there is to say about the reading

    @classmethod
    @documented(
        "The columns by name: numbers as an array, nan where nothing is there; the others as `evaluate` and `compare` take them.",
        source="A file, a frame or a stream; `ordeval.scan` lists them.",
        labels="The columns of classes, groups, clusters and weights.",
        numbers="The columns of probabilities, and of weights.",
        classes="Those of `labels` that hold classes; only they are read by the rules of `reading` for classes.",
        scale="The classes, lowest first, or a `Scale`, where they are known.",
        quote=QUOTE,
        reading=READING,
        unknown="An answer that is none of the classes: refuse it later, or take it for no answer; the first of `classes` is the truth.",
    )
    def read(
        cls,
        source: Any,
        labels: Sequence[str],
        *,
        numbers: Sequence[str] = (),
        classes: Sequence[str] = (),
        scale: Labels = None,
        quote: Quote = "auto",
        reading: Reading | Mapping[str, Any] | None = None,
        unknown: Unknown = "error",
        max_rows: int | None = None,
    ) -> Self:
        """Columns of a file or a frame in memory, for what counts cannot hold: probabilities."""
        rules = with_quote(Reading.of(reading), quote)
        table = open_table(source, max_rows, reading=rules)
        names = list(dict.fromkeys([*labels, *numbers]))
        try:
            columns = dict(zip(names, all_rows(table, names), strict=True))
        finally:
            table.close()
        found = cls({n: _numbers(column, rules, table.shown, n) if n in numbers else column for n, column in columns.items()})
        if classes:
            known = scale if isinstance(scale, WrittenLabels) or scale is None else as_scale(scale)
            read = read_labels({name: columns[name] for name in classes}, known, rules, truth=classes[0], unknown=unknown)
            found.update(read.columns)
            found.scale, found.read_as, found.notes = read.scale, read.read_as, read.notes
        return found

    @documented(
        "The different values, and for every row the position of its value among them: -1 where it is missing.",
        name="A column of labels.",
    )
    def texts(self, name: str) -> tuple[tuple[str, ...], Array]:
        """A column as text: its different values in order of appearance, and which of them stands in each row.

        >>> import pandas as pd
        >>> Columns.read(pd.DataFrame({"grade": ["lo", "hi", None, "lo"]}), ["grade"]).texts("grade")
        (('lo', 'hi'), array([ 0,  1, -1,  0]))
        """
        column = parse_written(self[name])
        if column.numbers is None:
            assert column.codes is not None
            words, places = [str(value) for value in column.values], np.asarray(column.codes, np.int64)
        else:
            different, places = np.unique(column.numbers, return_inverse=True)
            words = [str(value) for value in different.tolist()]
        gone = (places < 0) if column.missing is None else column.missing | (places < 0)
        seen, first = np.unique(places[~gone], return_index=True)
        order = seen[np.argsort(first)]
        ranks = np.full(len(words) + 1, -1)
        ranks[order] = np.arange(len(order))
        return tuple(words[i] for i in order.tolist()), np.where(gone, -1, ranks[places])


def _numbers(column: Column, reading: Reading, file: str, name: str) -> Array:
    found = as_read_numbers(column, reading, file, name)
    if found.numbers is None:
        raise TypeError(f"{column.name} holds {column.kind}, and numbers are needed there")
    values = np.asarray(found.numbers, float)
    return values if found.missing is None else np.where(found.missing, np.nan, values)
