"""A campaign: several systems on several test cases, as one stack of tables (cases, systems, K, K).

Test cases share the scale and the systems; within a case all systems answer the same rows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, truths
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.stacks import score_stack
from ordeval.order.scale import Labels, Scale
from ordeval.read.folders import FORMATS
from ordeval.read.scan import open_table, scan
from ordeval.show._plain import printable

LEAST_SYSTEMS = 3  # two systems make one difference, and one difference correlates with anything


@dataclass(frozen=True, eq=False)
class CampaignRows:
    """The distinct rows of all cases, so that systems keep answering the same rows when some are left out."""

    case: Array  #: (rows,)
    true: Array  #: (rows,)
    answers: Array  #: (rows, systems)
    number: Array  #: (rows,) how often each occurs


@dataclass(frozen=True, eq=False)
class Campaign:
    """Systems on test cases.  Made by `Campaign.from_counts`, `Campaign.load` or `ordeval.choose._synthetic.simulate`."""

    scale: Scale
    cases: tuple[str, ...]
    systems: tuple[str, ...]
    tables: Array  #: (cases, systems, K, K), rows the truth
    rows: CampaignRows | None = None  #: None where nobody knows which rows the systems share

    @classmethod
    @documented(
        "The campaign.", scale="The classes.", cases="Names of the test cases.", systems="Names of the systems.", rows="The rows."
    )
    def from_rows(cls, scale: Scale, cases: Iterable[str], systems: Iterable[str], rows: CampaignRows) -> Campaign:
        """A campaign from its distinct rows."""
        cases, systems = tuple(cases), tuple(systems)
        return cls(scale, cases, systems, tables_of(rows, rows.number, len(cases), scale.K), rows)

    @classmethod
    @documented(
        "The campaign.",
        cases="Counts of several models for each test case, or a mapping from system to its counts.",
        systems="The systems that are judged; None means all, and then every case needs all of them.",
    )
    def from_counts(cls, cases: Mapping[str, Counts | Mapping[str, Counts]], *, systems: Sequence[str] | None = None) -> Campaign:
        """A campaign from {case: counts of several models}, or from {case: {system: counts}}.

        >>> from ordeval import count
        >>> answers = {"a": [0, 1, 2, 1], "b": [0, 0, 2, 1], "c": [1, 1, 1, 1]}
        >>> east, west = (count(truth, answers, labels=[0, 1, 2]) for truth in ([0, 1, 2, 2], [0, 1, 1, 0]))
        >>> Campaign.from_counts({"east": east, "west": west}).tables.shape
        (2, 3, 3, 3)
        """
        if not cases:
            raise ArgumentError(
                "a campaign needs test cases, but there are none", argument="cases", remedy="give {{case: counts}}"
            )
        models = {case: _models(case, given) for case, given in cases.items()}
        names = tuple(dict.fromkeys(name for found in models.values() for name in found) if systems is None else systems)
        _check_systems(models, names)
        scale = _one_scale(cases)
        together = {case: given for case, given in cases.items() if isinstance(given, Counts)}
        if len(together) == len(cases):
            return cls.from_rows(
                scale, cases, names, _joined([_answered(case, given, names) for case, given in together.items()])
            )
        alone = {case: {name: given[name] for name in names} for case, given in cases.items()}
        tables = np.array([[_table(case, given[name], name) for name in names] for case, given in alone.items()])
        _check_truth(tables, tuple(cases), names)
        return cls(scale, tuple(cases), names, tables)

    @classmethod
    @documented(
        "The campaign.",
        folder="The folder; files with other endings than those of counts or rows are ignored.",
        systems="The systems that are judged; None means all, and then every case needs all of them.",
        true="The column of true classes.",
    )
    def load(
        cls, folder: str | os.PathLike[str], *, systems: Sequence[str] | None = None, true: str = "true", labels: Labels = None
    ) -> Campaign:
        """A campaign from a folder of files, one for each test case.

        A file holds counts saved as JSON, its models the systems; or rows (CSV, TSV, JSON lines, Parquet): the column of true
        classes, and one column for each system; an ``id`` is ignored.
        """
        return cls.from_counts(read_cases(folder, systems, true, labels), systems=systems)

    @documented("One score for each case (row) and system (column).")
    def scores(self, metric: str | Metric | Callable[..., Any]) -> Array:
        """The scores (cases, systems) by one metric; every table is a sample of its own."""
        found: Metric = get_metric(metric)
        return score_stack(found, self.tables, self.scale)

    @documented(
        "The tables (cases, systems, K, K) of each half.",
        share="The share of the rows of each case that a half holds.",
        rng="A NumPy generator.",
    )
    def split(self, share: float, rng: np.random.Generator) -> tuple[Array, Array]:
        """Tables of two halves without a common row, each with about this share (at most 1/2) of the rows of every case."""
        if self.rows is None:
            raise ValueError("the systems were counted one by one, so the rows they share are not known; count them together")
        if not 0 < share <= 1 / 2:
            raise ArgumentError(
                "a share of {given} cannot be taken: the two sets have no row in common",
                argument="share",
                remedy="give a share above 0 and at most 1/2",
                values={"given": repr(share)},
            )
        if self.rows.number.dtype.kind != "i":
            raise ValueError("rows can be left out of whole-number counts only, but these weights have fractions")
        drawn = rng.multinomial(self.rows.number, [share, share, 1 - 2 * share])
        one, other = (tables_of(self.rows, drawn[:, half], len(self.cases), self.scale.K) for half in (0, 1))
        return one, other

    def __repr__(self) -> str:
        return f"<Campaign: {len(self.cases)} cases × {len(self.systems)} systems, {self.scale}>"


def tables_of(rows: CampaignRows, number: Array, cases: int, k: int) -> Array:
    """The tables (cases, systems, K, K) of rows that occur this often."""
    systems = rows.answers.shape[1]
    cell = ((rows.case[:, None] * systems + np.arange(systems)) * k + rows.true[:, None]) * k + rows.answers
    often = np.broadcast_to(number[:, None], cell.shape)
    flat = np.zeros(cases * systems * k * k, number.dtype)
    present = number > 0
    np.add.at(flat, cell[present].ravel(), often[present].ravel())
    return flat.reshape(cases, systems, k, k)


def read_cases(
    folder: str | os.PathLike[str], systems: Sequence[str] | None = None, true: str = "true", labels: Labels = None
) -> dict[str, Counts]:
    """{case: counts}, in the order of the names of the files in a folder."""
    path = os.fspath(folder)
    endings = (".json", *(f".{name}" for name in FORMATS if name != "json"))
    files = sorted(name for name in os.listdir(path) if name.endswith(endings) and not name.startswith("."))
    if not files:
        raise ValueError(
            f"{printable(path)} holds no file that ends in {', '.join(endings)}; save the counts of each test case there: "
            f"count(truth, {{'a': ..., 'b': ...}}).save('case.json')"
        )
    found: dict[str, Counts] = {}
    for name in files:
        case, ending = os.path.splitext(name)
        if case in found:
            raise ValueError(f"{printable(path)} holds two files for the test case {case!r}; keep one of them")
        file = os.path.join(path, name)
        found[case] = Counts.load(file) if ending == ".json" else _counted(file, systems, true, labels)
    return found


def _counted(file: str, systems: Sequence[str] | None, true: str, labels: Labels) -> Counts:
    names = systems or [name for name in open_table(file).columns if name not in (true, "id")]
    return scan(file, true=true, pred=list(names), labels=labels)


# Checking: one sentence for each way in which cases can be uneven


def _models(case: str, given: Any) -> tuple[str, ...]:
    if isinstance(given, Counts):
        found = given.models
    elif isinstance(given, Mapping) and all(isinstance(counts, Counts) for counts in given.values()):
        found = tuple(given)
    else:
        raise TypeError(f"the test case {case!r} is a {type(given).__name__}; give Counts, or a mapping from system to Counts")
    if not found:
        raise ValueError(f"the test case {case!r} has no system; count it with one prediction for each system")
    return found


def _check_systems(models: Mapping[str, tuple[str, ...]], names: tuple[str, ...]) -> None:
    for case, found in models.items():
        for name in names:
            if name not in found:
                raise ArgumentError(
                    "the system {name} is missing from the test case {case}",
                    argument="systems",
                    remedy="every system must have answered every case, so leave out the case, or name the systems that are everywhere: "
                    "{systems:[...]}",
                    values={"name": repr(name), "case": repr(case)},
                )
    if twice := [name for name in names if names.count(name) > 1]:
        raise ArgumentError("the system {name} is named twice", argument="systems", values={"name": repr(twice[0])})
    if len(names) < LEAST_SYSTEMS:
        raise ArgumentError(
            "metrics are judged by how they tell systems apart, but there are only {number} ({names})",
            argument="systems",
            remedy=f"give {LEAST_SYSTEMS} or more",
            values={"number": len(names), "names": ", ".join(names)},
        )


def _one_scale(cases: Mapping[str, Counts | Mapping[str, Counts]]) -> Scale:
    scales = [
        (case, c.scale) for case, given in cases.items() for c in ([given] if isinstance(given, Counts) else given.values())
    ]
    first_case, first = scales[0]
    for case, scale in scales:
        if scale != first:
            raise ArgumentError(
                ("systems of the test case {case}" if case == first_case else "the test cases {first} and {case}")
                + " have different classes ({classes}; {others})",
                argument="labels",
                remedy="they were taken from the data: count with the same {labels}" if first.inferred or scale.inferred else "",
                values={"first": repr(first_case), "case": repr(case), "classes": first, "others": scale},
            )
    return first


def _answered(case: str, counts: Counts, names: tuple[str, ...]) -> tuple[Array, Array]:
    """The codes (rows, 1 + systems) of truth and answers, and how often each occurs, if every system answered every row."""
    columns = [counts.axes.index(axis) for axis in ("true", *names)]
    cells = counts.cells[:, columns]
    for name, answers in zip(names, cells.T[1:], strict=True):
        if (answers < 0).any():
            raise ValueError(
                f"the system {name!r} left {counts.weights[answers < 0].sum():,} rows of the test case {case!r} unanswered, so the "
                f"systems cannot be compared on the same rows; keep those that all answered: counts.answered(*counts.models)"
            )
    if not len(cells):
        raise ValueError(f"the test case {case!r} has no rows; leave it out")
    return cells, counts.weights


def _table(case: str, counts: Counts, name: str) -> Array:
    """The table of one system, counted by itself."""
    if len(counts.models) != 1:
        raise ValueError(
            f"the counts of the system {name!r} in the test case {case!r} hold {len(counts.models)} models; give one: counts[model]"
        )
    _answered(case, counts, counts.models)
    return counts.matrix


def _check_truth(tables: Array, cases: tuple[str, ...], names: tuple[str, ...]) -> None:
    true = truths(tables)
    case, system = np.nonzero((true != true[:, :1]).any(-1))
    if case.size:
        raise ValueError(
            f"in the test case {cases[case[0]]!r} the systems {names[0]!r} and {names[system[0]]!r} have different true classes "
            f"({true[case[0], 0].tolist()} and {true[case[0], system[0]].tolist()} rows); they must answer the same rows"
        )


def _joined(parts: list[tuple[Array, Array]]) -> CampaignRows:
    """The rows of all cases, one below the other."""
    cells, weights = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    case = np.repeat(np.arange(len(parts)), [len(part) for part, _ in parts])
    return CampaignRows(case, cells[:, 0], cells[:, 1:], weights)
