"""Counts: distinct rows and how often they occur, over named axes.

Everything the package computes from labels is computed from Counts.  One type serves one model, several models on the
same rows, groups and clusters: they are axes.  A prediction that is not there is the code -1 on its model's axis.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from ordeval.base import types as t
from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.files import write_text
from ordeval.base.lazy import lazy
from ordeval.base.types import Matrix, Sets, Weights
from ordeval.counts.audit import Audit, ReadAs, SourceFile, merge_changes
from ordeval.counts.blanks import blanks_of, judged
from ordeval.counts.tally import LARGEST, tally
from ordeval.order.columns import column_error
from ordeval.order.scale import Labels, Scale, as_scale
from ordeval.show import Block, Result

TRUE, PRED = "true", "pred"
HUGE = 1e50  # beyond, sums and products of four weights would be infinite, and scores of them 0


class Counts(Result):
    """Counts of distinct rows over named axes.  Made by `count`, `scan`, `Counts.from_matrix`, `Counts.from_sets` or `Counts.load`."""

    scale: Scale
    axes: tuple[str, ...]  #: "true", one per model, then groups; or one per rater, and nobody's is the truth
    cells: Array  #: (cells, axes) codes of the distinct rows, sorted; -1 where a prediction is not there
    weights: Array  #: (cells,) how often each occurs: int64, or float64 for fractional weights
    values: dict[str, tuple[Any, ...]]  #: for each axis of groups, the values behind its codes
    unparsable: dict[str, dict[str, int]]  #: by axis, the answers that are no class and how often: they count as unanswered
    row_counts: Array | None  #: (cells,) rows behind each cell where weights are no row counts; None: they are, or nobody knows
    excluded: dict[str, int]  #: by reason, how many rows were left out
    blanks: str  #: "wrong" where a row without an answer counts as the worst class that a score has for it; else empty
    filled: dict[str, dict[str, int]]  #: by model, the class that its blanks count as and how many they were
    cluster: str | None  #: the axis whose values are clusters: rows that belong together and are resampled together
    files: tuple[SourceFile, ...]  #: the row ledger: the files that the rows were read from
    notes: tuple[str, ...]  #: what else there is to say about their source
    read_as: tuple[ReadAs, ...]  #: fields that mean something else than is written

    def __init__(
        self,
        scale: Scale,
        axes: Sequence[str],
        cells: Array,
        weights: Array,
        *,
        values: Mapping[str, tuple[Any, ...]] | None = None,
        cluster: str | None = None,
        rows: Array | None = None,
        excluded: Mapping[str, int] | None = None,
    ) -> None:
        self.scale, self.axes = scale, tuple(axes)
        self.cells, self.weights = cells, weights
        self.values = dict(values or {})
        self.cluster = cluster
        self.unparsable = {}
        self.row_counts = rows
        self.excluded = dict(excluded or {})
        self.files, self.notes, self.read_as = (), (), ()
        self.blanks, self.filled = "", {}
        for array in (self.cells, self.weights):
            array.flags.writeable = False

    @classmethod
    @documented(
        "The counts of one model.",
        matrix="K rows of K numbers, 0 or greater; a frame's own row and column names must be the classes.",
        labels="The classes, lowest first, or a `Scale`; None takes a frame's names, else 0 to K - 1.",
    )
    def from_matrix(cls, matrix: Matrix, *, labels: Labels = None) -> Self:
        """Counts from a K×K table, rows the truth, columns the prediction.

        >>> Counts.from_matrix([[5, 1], [2, 4]]).total
        12
        """
        table, names = _checked_matrix(matrix), _names_of_table(matrix)
        inferred = Scale.infer(names[0], names=["the table"]) if names and labels is None else None
        scale = inferred or as_scale(range(len(table)) if labels is None else labels)
        if any(each != list(scale.labels) for each in names):
            problem = "the rows and columns of this table are not the classes in their order ({classes})"
            raise _matrix_error(problem, "reindex it first", classes=str(scale))
        if len(table) != scale.K:
            raise _matrix_error("the {matrix} is {n} by {n}, but {labels} names {k} classes", n=len(table), k=scale.K)
        cells = np.argwhere(table)
        return cls(scale, (TRUE, PRED), cells, table[tuple(cells.T)])

    @classmethod
    @documented(
        "The counts over truth, lo and hi.",
        sets='The columns of the lowest and the highest class of every row\'s set: a pair, ``{"lo": …, "hi": …}``, or an N×2 array.',
    )
    def from_sets(
        cls, y_true: Truth, sets: Sets, *, labels: Labels = None, sample_weight: Weights = None, cluster: t.Groups = None
    ) -> Counts:
        """Counts of prediction sets: neighbouring classes, given instead of one class.

        >>> Counts.from_sets([1, 2, 3], ([1, 1, 3], [2, 2, 3])).total
        3
        """
        from ordeval.counts.sets import count_sets  # counting needs this file

        return count_sets(y_true, sets, labels, sample_weight, cluster)

    # Axes

    @property
    def models(self) -> tuple[str, ...]:
        """The axes that hold predictions."""
        return tuple(axis for axis in self.axes if axis != TRUE and axis not in self.values)

    @property
    def total(self) -> int | float:
        """How many rows were answered by every model, or count as wrong; their weight, if weights were given."""
        weight: int | float = self.weights[self._judged].sum().item()
        return weight

    @property
    def _judged(self) -> Array:
        """(cells,) whether scores are about a cell: all models have answered, or blanks count as wrong."""
        return np.ones(len(self.cells), bool) if self.blanks else np.asarray((self.cells >= 0).all(1))

    @property
    def weighted(self) -> bool:
        """The counts are sums of weights, not numbers of rows."""
        return self.row_counts is not None or not self.is_integral

    @property
    def is_integral(self) -> bool:
        """All counts are whole numbers."""
        return self.weights.dtype.kind == "i"

    @documented("An array with one dimension for each axis.", axes="Names of axes.")
    def table(self, *axes: str) -> Array:
        """The dense table over some axes, all others summed out; rows without an answer on one of these axes are left out."""
        codes = self.cells[:, [self._position(axis) for axis in axes]]
        answered = (codes >= 0).all(1)
        dense = np.zeros(axis_sizes(axes, self.scale, self.values), self.weights.dtype)
        np.add.at(dense, tuple(codes[answered].T), self.weights[answered])
        return dense

    def _position(self, axis: str) -> int:
        if axis not in self.axes:
            raise KeyError(f"there is no axis {axis!r}; the axes are {', '.join(self.axes)}")
        return self.axes.index(axis)

    def _only_model(self) -> str:
        self._refuse_ratings()
        if len(self.models) != 1:
            choices = ", ".join(f"counts[{name!r}]" for name in self.models)
            raise ValueError(f"these counts hold {len(self.models)} models; choose one: {choices}")
        return self.models[0]

    def _refuse_ratings(self) -> None:
        if TRUE not in self.axes:
            raise ValueError(f"these counts are ratings without a truth ({', '.join(self.axes)}); use ordeval.raters.agreement")

    @lazy
    def matrix(self) -> Array:
        """The K×K table of the one model: rows the truth, columns the prediction."""
        table = self.table(TRUE, self._only_model())
        table.flags.writeable = False
        return table

    @property
    def unanswered(self) -> Array:
        """Rows that the one model left unanswered, for each true class."""
        silent = self.cells[:, self._position(self._only_model())] < 0
        per_class = np.zeros(self.scale.K, self.weights.dtype)
        np.add.at(per_class, self.cells[silent, self._position(TRUE)], self.weights[silent])
        return per_class

    @property
    def judged(self) -> Counts:
        """The counts with each blank that counts as wrong put into the class most steps away; all others as they are."""
        return judged(self)

    @property
    def audit(self) -> Audit:
        """Rows read, scored, unanswered by some model, and excluded by reason."""
        rows = self.row_counts if self.row_counts is not None else self.weights
        no_answer = {"wrong": blanks_of(self)} if self.blanks and TRUE in self.axes else {}
        for model, classes in self.filled.items():
            for label, number in classes.items():
                no_answer.setdefault(f"as {label}", {})[model] = number
        beside = (self.files, self.notes, self.read_as, {how: models for how, models in no_answer.items() if models})
        if rows.dtype.kind != "i":
            return Audit(None, None, None, self.excluded, *beside)
        scored, silent = int(rows[self._judged].sum()), int(rows[~self._judged].sum())
        return Audit(scored + silent + sum(self.excluded.values()), scored, silent, self.excluded, *beside)

    def __getitem__(self, model: str) -> Counts:
        """The counts of one model; groups are kept."""
        self._refuse_ratings()
        if model not in self.models:
            raise KeyError(f"there is no model {model!r}; the models are {', '.join(self.models)}")
        return self._margin([TRUE, model, *self.values])

    @documented("The counts over these axes.", axes="The axes to keep.")
    def margin(self, *axes: str) -> Counts:
        """The counts over some axes, all others summed out: some of the raters, say."""
        return self._margin(axes)

    @documented("The counts of these rows, over all axes.", models="The models that must have answered.")
    def answered(self, *models: str) -> Counts:
        """Only the rows that all of these models answered, so that their scores are about the same rows."""
        columns = self.cells[:, [self._position(model) for model in models]]
        everywhere = np.asarray((columns >= 0).all(1))
        return self._margin(self.axes, everywhere)

    @documented("The table, K×K×K.", b="The second model.")
    def pair(self, a: str, b: str) -> Array:
        """The K×K×K table of truth, model a, model b over the rows that both answered."""
        return self.table(TRUE, a, b)

    @documented("The counts of each group, by its value.", by="The axis of groups.")
    def groups(self, by: str) -> dict[Any, Counts]:
        """Counts for each value of an axis of groups."""
        self._group_axis(by)
        rest = [other for other in self.axes if other != by]
        code = self.cells[:, self._position(by)]
        return {value: self._margin(rest, code == i) for i, value in enumerate(self.values[by])}

    @documented("The values, and an array with a table for each of them.", by="The axis of groups.")
    def stack(self, by: str) -> tuple[tuple[Any, ...], Array]:
        """The values of an axis of groups, and the one model's tables as a stack (values, K, K)."""
        self._group_axis(by)
        return self.values[by], self.table(by, TRUE, self._only_model())

    def _group_axis(self, axis: str) -> None:
        if axis not in self.values:
            names = ", ".join(self.values) or "none; give by= or cluster= when counting"
            raise KeyError(f"there is no axis of groups {axis!r}; there is {names}")

    def _margin(self, axes: Sequence[str], chosen: Array | slice = slice(None)) -> Counts:
        if not axes or len(set(axes)) < len(axes):
            raise ValueError(f"a margin has one axis or more, each once; the axes are {', '.join(self.axes)}")
        positions = [self._position(axis) for axis in axes]
        sizes = axis_sizes(axes, self.scale, self.values)
        columns = list(self.cells[chosen][:, positions].T)
        cells, weights = tally(columns, sizes, self.weights[chosen])
        rows = None if self.row_counts is None else tally(columns, sizes, self.row_counts[chosen])[1]
        values = {axis: self.values[axis] for axis in axes if axis in self.values}
        cluster = self.cluster if self.cluster in axes else None
        found = Counts(self.scale, axes, cells, weights, values=values, cluster=cluster, rows=rows)
        found.blanks = self.blanks
        if isinstance(chosen, slice):  # else nobody knows which of the rows left out, and of the strange answers, are chosen
            found.excluded = dict(self.excluded)
            found.files, found.notes, found.read_as = self.files, self.notes, self.read_as
            found.unparsable = {axis: answers for axis, answers in self.unparsable.items() if axis in axes}
            found.filled = {axis: classes for axis, classes in self.filled.items() if axis in axes}
        return found

    @documented("The counts with these weights.", factors="One number, 0 or greater, for each cell.")
    def scaled(self, factors: Array) -> Counts:
        """The same rows, the weight of each cell times a factor; the audit still counts rows, and a factor of 0 leaves them out."""
        kept = factors > 0
        rows = self.weights if self.row_counts is None else self.row_counts
        weights = checked_weights(self.weights[kept] * factors[kept], int(kept.sum()), "weights")
        gone = 0 if kept.all() else int(rows[~kept].sum())
        excluded = {**self.excluded, **({"weight zero": self.excluded.get("weight zero", 0) + gone} if gone else {})}
        unchanged = self.row_counts is None and bool((factors[kept] == 1).all())
        found = Counts(
            self.scale,
            self.axes,
            self.cells[kept],
            weights,
            values=self.values,
            cluster=self.cluster,
            rows=None if unchanged else rows[kept],
            excluded=excluded,
        )
        found.files, found.notes, found.read_as = self.files, self.notes, self.read_as
        found.blanks, found.filled = self.blanks, self.filled
        return found

    # Merging, comparing, keeping

    def __add__(self, other: object) -> Counts:
        return Counts.sum([self, other]) if isinstance(other, Counts) else NotImplemented

    @documented("Nothing, or an error that says what differs.", other="The counts to add.")
    def check_addable(self, other: Counts) -> None:
        """Refuse counts that are about other classes or other axes."""
        if self.scale != other.scale:
            inferred = ("", "one was", "both were")[self.scale.inferred + other.scale.inferred]
            raise ArgumentError(
                "counts on different scales cannot be added ({first}; {second})",
                argument="labels",
                remedy=f"{inferred} taken from the data: count with the same {{labels:[...]}}" if inferred else "",
                values={"first": str(self.scale), "second": str(other.scale)},
            )
        if self.axes != other.axes or set(self.values) != set(other.values) or self.cluster != other.cluster:
            raise ValueError(f"counts over different axes cannot be added ({', '.join(self.axes)}; {', '.join(other.axes)})")
        if self.blanks != other.blanks:
            raise ArgumentError(
                "in one of these counts a blank counts as wrong, and in the other it does not",
                argument="counts",
                remedy="count both with the same {missing}",
            )

    @classmethod
    @documented("The sum.", parts="Counts on one scale and over the same axes.")
    def sum(cls, parts: Sequence[Counts]) -> Counts:
        """The counts of all parts together, as if their rows had been counted at once."""
        if not parts:
            raise ValueError("there are no counts to add; give at least one")
        first, *others = parts
        for other in others:
            first.check_addable(other)
        if not others:
            return first
        values = {axis: _union([part.values[axis] for part in parts]) for axis in first.values}
        cells = np.concatenate([part._recoded(values) for part in parts])
        sizes = axis_sizes(first.axes, first.scale, values)
        columns = list(cells.T)
        merged, weights = tally(columns, sizes, np.concatenate([part.weights for part in parts]))
        rows = None
        if any(part.row_counts is not None for part in parts) or len({part.is_integral for part in parts}) > 1:
            every = [part.weights if part.row_counts is None else part.row_counts for part in parts]
            rows = tally(columns, sizes, np.concatenate(every))[1]
        excluded = _added(part.excluded for part in parts)
        scale = next((part.scale for part in parts if not part.scale.inferred), first.scale)
        found = cls(scale, first.axes, merged, weights, values=values, cluster=first.cluster, rows=rows, excluded=excluded)
        found.files = tuple(file for part in parts for file in part.files)
        found.notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
        found.read_as = merge_changes(one for part in parts for one in part.read_as)
        strange = dict.fromkeys(axis for part in parts for axis in part.unparsable)
        found.unparsable = {axis: _added(part.unparsable.get(axis, {}) for part in parts) for axis in strange}
        silent = dict.fromkeys(axis for part in parts for axis in part.filled)
        found.filled = {axis: _added(part.filled.get(axis, {}) for part in parts) for axis in silent}
        found.blanks = first.blanks
        return found

    def _recoded(self, values: Mapping[str, tuple[Any, ...]]) -> Array:
        """The cells, with groups numbered as in a longer list of values."""
        cells = self.cells.copy()
        for axis, longer in values.items():
            position = {value: i for i, value in enumerate(longer)}
            cells[:, self._position(axis)] = np.array([position[v] for v in self.values[axis]], int)[
                cells[:, self._position(axis)]
            ]
        return cells

    def __eq__(self, other: object) -> bool:
        """The same counts on the same scale; the audit does not matter."""
        return (
            isinstance(other, Counts)
            and (self.scale, self.axes, self.values, self.blanks) == (other.scale, other.axes, other.values, other.blanks)
            and np.array_equal(self.cells, other.cells)
            and np.array_equal(self.weights, other.weights)
        )

    __hash__: ClassVar[None]  # type: ignore[assignment]  # counts are compared, and never keys

    def __repr__(self) -> str:
        return f"<Counts: {' × '.join(self.axes)}, {self.scale}; {self.audit.line}>"

    @documented("Nothing.", path="The file.")
    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write as JSON, whole or not at all; an existing file needs ``force=True``."""
        write_text(path, self.to_json() + "\n", force=force)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        from ordeval.counts.stored import as_plain  # only files need it

        return as_plain(self)

    def to_json(self) -> str:
        """All of it as JSON on one line, for `load` to read."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    @classmethod
    @documented("The counts.", path="A file that `save` wrote.")
    def load(cls, path: str | os.PathLike[str]) -> Counts:
        """Read what `save` wrote; anything else is refused."""
        from ordeval.counts.stored import read_json

        return read_json(path)

    # As a result

    def _rows(self) -> list[dict[str, Any]]:
        """The distinct rows, one column for each axis, None where an answer is not there; and how often each occurs, n."""
        names: list[list[Any]] = [[*self.values.get(axis, self.scale.labels), None] for axis in self.axes]
        total = "n" if "n" not in self.axes else "n (rows)"
        rows = [dict(zip(self.axes, map(list.__getitem__, names, cell), strict=True)) for cell in self.cells.tolist()]
        return [{**row, total: weight} for row, weight in zip(rows, self.weights.tolist(), strict=True)]

    def _blocks(self) -> list[Block]:
        from ordeval.counts.text import blocks

        return blocks(self)


def axis_sizes(axes: Sequence[str], scale: Scale, values: Mapping[str, tuple[Any, ...]]) -> list[int]:
    """How many codes each axis has."""
    return [len(values[axis]) if axis in values else scale.K for axis in axes]


def checked_weights(weights: Array, n: int, name: str, stood: Array | None = None) -> Array:
    """Non-negative finite numbers; whole ones become int64, so that counts stay exact.

    Where a join has put them in another order, ``stood`` says where they stood before.
    """
    if weights.ndim != 1 or weights.size != n:
        raise column_error(name, f" has the shape {weights.shape}", f"{n:,} rows need one weight each")
    if n and (wrong := np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))).size:
        places = wrong if stood is None else stood[wrong]
        first = int(np.argmin(places))
        problem = f" is {weights[wrong[first]]:g} at index {places[first]}"
        raise column_error(name, problem, "weights are finite and not negative")
    return _exact(weights)


def _exact(numbers: Array) -> Array:
    """The same numbers as int64 where all are whole, else as float64."""
    if numbers.dtype.kind == "f":
        largest = float(numbers.max(initial=0))
        if largest and not 1 / HUGE <= largest <= HUGE:
            raise ValueError(f"the largest weight is {largest:g}, and products of such weights overflow; scale them down")
        whole = bool((numbers == np.floor(numbers)).all()) and float(numbers.sum()) < 2.0**53
        return numbers.astype(np.int64) if whole else numbers.astype(np.float64)
    if float(numbers.sum(dtype=float)) > LARGEST:
        raise ValueError("the counts add up to more than 2**63 - 1, the largest count that is exact")
    return numbers.astype(np.int64)


def _checked_matrix(matrix: Any) -> Array:
    try:
        table = np.asarray(matrix)
    except ValueError:
        raise _matrix_error("a table of counts is square, and the rows of this one have different lengths") from None
    if table.ndim != 2 or table.shape[0] != table.shape[1] or table.size == 0:
        problem = "a table of counts is square, one row and one column per class"
        raise _matrix_error(problem, f"this one has the shape {table.shape}")
    if table.dtype.kind not in "iufb":
        raise _matrix_error("a table of counts holds numbers", "this one holds {type}", ArgumentTypeError, type=str(table.dtype))
    if not np.isfinite(table).all() or (table < 0).any():
        row, column = np.argwhere(~np.isfinite(table) | (table < 0))[0]
        found = f"row {row}, column {column} holds {table[row, column]}"
        raise _matrix_error("a table of counts holds finite numbers, 0 or greater", found)
    return _exact(table)


def _matrix_error(problem: str, remedy: str = "", kind: type[ArgumentError] = ArgumentError, **values: Any) -> ArgumentError:
    return kind(problem, argument="matrix", remedy=remedy, values=values)


def _names_of_table(matrix: Any) -> list[list[Any]]:
    """The names of the rows, if a frame has some, and of the columns; none where it is no frame."""
    return [list(getattr(matrix, axis)) for axis in ("index", "columns") if hasattr(matrix, "columns") and hasattr(matrix, axis)]


def _added(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Numbers under the same name together."""
    found: dict[str, int] = {}
    for part in parts:
        for name, number in part.items():
            found[name] = found.get(name, 0) + number
    return found


def _union(lists: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(set().union(*lists)))
    except TypeError:
        raise TypeError(
            f"groups named by different kinds of value cannot be merged ({', '.join(repr(v[0]) for v in lists if v)})"
        ) from None


Truth: TypeAlias = t.Column | Counts  #: what `y_true` takes: the true classes, or the counts and nothing beside them
