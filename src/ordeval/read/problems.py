"""Everything that is wrong with rows, at once: by file, column and value, with its number and its first row."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, Speller, as_keyword
from ordeval.base.types import Missing, Quote, Strays, Unknown
from ordeval.counts.table import TRUE
from ordeval.order.columns import Column
from ordeval.order.scale import Labels, Scale, WrittenLabels, as_scale
from ordeval.read.files import Files
from ordeval.read.grouping import Table, all_rows, check_columns
from ordeval.read.join import Policy
from ordeval.read.long import LongRoles, widened
from ordeval.read.numbers import as_read_numbers
from ordeval.read.reading import Reading
from ordeval.read.rules import LabelColumns, read_labels
from ordeval.read.runs import system_names
from ordeval.read.scan import QUOTE, READING, open_table, with_quote
from ordeval.show import Block, Paragraph, ResultList
from ordeval.show._plain import count_text, printable

SHOWN = 20  # problems that are listed
FEW = 5  # ids that are spelled out
AT = 55  # where a remedy stands beside a problem


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: where, what, and how to mend it; both as templates, which every reader spells in their way."""

    file: str
    column: str
    problem: str
    remedy: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    value: str = ""  #: what is written there, if it is about a value
    rows: int = 0  #: how many rows it is about, if that is known
    first: int = 0  #: the first of them, from 1 on

    def text(self, spell: Speller | None = None) -> str:
        """What is wrong."""
        return ArgumentError(self.problem, values=self.values).text(spell or as_keyword)

    def hint(self, spell: Speller | None = None) -> str:
        """How to mend it, or nothing."""
        return ArgumentError(self.remedy.removeprefix(". "), values=self.values).text(spell or as_keyword) if self.remedy else ""


class Problems(ResultList[Problem]):
    """All problems of some rows; false where there are none."""

    def __init__(self, records: Sequence[Problem] = (), runs: int = 0, gold: str = "", source: str = "") -> None:
        super().__init__(records)
        self.number_of_runs: int = runs
        self.gold: str = gold
        self.source: str = source

    @classmethod
    @documented(
        "Everything that is wrong; false where nothing is.",
        source="What `ordeval.scan` takes.",
        true="The column of true classes.",
        pred="The column of predicted classes; a list for several models.",
        id="The column of ids: each occurs once, or with ``model_column`` once for each model.",
        sample_weight="The column of weights.",
        by="Columns of groups.",
        quote=QUOTE,
        reading=READING,
        model_column="With a row for each answer: the column that names the model.",
        unknown="An answer that is none of the classes: an error, or no answer.",
    )
    def of_rows(
        cls,
        source: Any,
        *,
        true: str,
        pred: str | Sequence[str],
        id: str | None = None,
        labels: Labels = None,
        sample_weight: str | None = None,
        by: Sequence[str] | None = None,
        cluster: str | None = None,
        missing: Missing = "error",
        quote: Quote = "auto",
        reading: Reading | Mapping[str, Any] | None = None,
        model_column: str | None = None,
        unknown: Unknown = "error",
        max_rows: int | None = None,
    ) -> Self:
        """All that is wrong with the rows of one source."""
        rules = with_quote(Reading.of(reading), quote)
        models = [pred] if isinstance(pred, str) else list(pred)
        scale = labels if isinstance(labels, WrittenLabels) or labels is None else as_scale(labels)
        called = _name(source)
        look = _Looking(called, missing, unknown, rules)
        if (table := look.opened(source, max_rows)) is None:
            return cls(look.found, source=called)
        try:
            others = [
                *(by or ()),
                *([cluster] if cluster else []),
                *([id] if id else []),
                *([model_column] if model_column else []),
            ]
            there = look.columns(table, [true, *models, *others, *([sample_weight] if sample_weight else [])])
            columns = look.rows(table, there)
            if columns is None:
                return cls(look.found, source=called)
            if sample_weight in columns:
                look.numbers(columns[sample_weight], sample_weight)
            ids = columns.get(id) if id else None
            if ids is not None and model_column is None:
                look.ids(ids)
            if model_column in columns and ids is not None and len(columns) == len(set(there)) and not look.found:
                look.long(table, LongRoles(str(id), str(model_column), true, models[0]), scale)
            labelled = {TRUE if name == true else name: columns[name] for name in [true, *models] if name in columns}
            names = {axis: true if axis == TRUE else axis for axis in labelled}
            look.labels(look.meant(labelled, scale, names), names, ids)
            return cls(look.found, source=called)
        finally:
            table.close()

    @classmethod
    @documented(
        "Everything that is wrong; false where nothing is.",
        gold="The truth: a file or a frame with ids and true classes.",
        runs="The predictions of each model: files or frames with ids and predicted classes.",
        true="The column of true classes, in the gold.",
        pred="The column of predicted classes, in every run.",
        id="The column of ids, in all of them.",
        quote=QUOTE,
        reading=READING,
        unknown="An answer that is none of the classes: an error, or no answer.",
        strays="Ids that the gold does not have: an error, or left out.",
    )
    def of_runs(
        cls,
        gold: Any,
        runs: Mapping[str, Any] | Sequence[str],
        *,
        true: str = "true",
        pred: str = "pred",
        id: str = "id",
        labels: Labels = None,
        missing: Missing = "error",
        quote: Quote = "auto",
        reading: Reading | Mapping[str, Any] | None = None,
        unknown: Unknown = "error",
        strays: Strays = "error",
        max_rows: int | None = None,
    ) -> Self:
        """All that is wrong with the runs of a shared task, each with the gold."""
        rules, policy = with_quote(Reading.of(reading), quote), Policy(missing, strays)
        runs = runs if isinstance(runs, Mapping) else system_names(runs)
        scale = labels if isinstance(labels, WrittenLabels) or labels is None else as_scale(labels)
        names = _short_names(runs)
        truth = _Looking(_name(gold), missing, unknown, rules)
        looks = {system: _Looking(names[system], missing, unknown, rules, _name(source)) for system, source in runs.items()}
        gold_columns = truth.read(gold, [id, true], max_rows)
        read = {system: looks[system].read(source, [id, pred], max_rows) for system, source in runs.items()}
        labelled = {TRUE: gold_columns[true]} if true in gold_columns else {}
        labelled |= {system: columns[pred] for system, columns in read.items() if pred in columns}
        called = {axis: true if axis == TRUE else pred for axis in labelled}
        meant = truth.meant(labelled, scale, called)
        ids = gold_columns.get(id)
        if ids is not None:
            truth.ids(ids)
        if TRUE in labelled:
            truth.labels(meant, called, ids, only=TRUE)
        for system, columns in read.items():
            if system in labelled:
                looks[system].labels(meant, called, columns.get(id), only=system)
            if id in columns:
                looks[system].ids(columns[id])
                if ids is not None:
                    looks[system].matches(ids, columns[id], policy)
        every = [*truth.found, *(problem for look in looks.values() for problem in look.found)]
        return cls(every, len(runs), _name(gold))

    @staticmethod
    @documented("Each file by the name of its model.", paths="Files, one for each model.")
    def by_file(paths: Sequence[str]) -> dict[str, str]:
        """The runs of a shared task by model; a model is named after its file, without the ending.

        >>> Problems.by_file(["runs/a.csv", "runs/b.csv"])
        {'a': 'runs/a.csv', 'b': 'runs/b.csv'}
        """
        return system_names(paths)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"file": one.file, "column": one.column, "value": one.value, "rows": one.rows, "first": one.first,
             "problem": one.text(), "remedy": one.hint()}
            for one in self
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Plain data: a record for each problem."""
        return {"problems": self._rows()}

    def _blocks(self) -> list[Block]:
        return [Paragraph(line) for line in self.text().split("\n")]

    def __str__(self) -> str:
        return self.text()

    @documented(
        "The list, a line for each problem.",
        spell="How arguments are written: as options, or as keys of a file; None writes keywords.",
    )
    def text(self, spell: Speller | None = None) -> str:
        """All problems, the first twenty of them spelled out."""
        if not self:
            return "no problems"
        listed = self.records[:SHOWN]
        width = max(len(printable(one.file)) for one in listed)
        lines = [self._heading()]
        for one in listed:
            line = f"  {printable(one.file).ljust(width)}   {printable(one.text(spell))}"
            if hint := one.hint(spell):
                line = f"{line.ljust(width + 5 + AT)}  {printable(hint)}"
            lines.append(line)
        if (more := len(self) - SHOWN) > 0:
            lines.append(f"  … and {count_text(more, 'problem')} more")
        return "\n".join(lines)

    def _heading(self) -> str:
        if not self.number_of_runs:
            return f"{printable(self.source)}: {count_text(len(self), 'problem')}"
        bad = len({one.file for one in self if one.file != self.gold})
        runs = f"{bad:,} of {count_text(self.number_of_runs, 'run')}"
        if not any(one.file == self.gold for one in self):
            return f"{runs} cannot be judged:"
        return f"neither the gold nor {runs} can be read:" if bad else "the gold cannot be read:"


@dataclass
class _Looking:
    """Looks at one file and keeps what is wrong with it."""

    file: str
    missing: Missing
    unknown: str
    reading: Reading
    path: str = ""
    found: list[Problem] = field(default_factory=list)

    def say(
        self, problem: str, remedy: str = "", values: Mapping[str, Any] | None = None, *,
        column: str = "", value: str = "", rows: int = 0, first: int = 0,
    ) -> None:  # fmt: skip
        told = {"column": column, "rows": count_text(rows, "row"), "first": f"{first:,}", **(values or {})}
        self.found.append(Problem(self.file, column, problem, remedy, told, value, rows, first))

    def refused(self, error: Exception, column: str = "") -> None:
        """What was refused in one sentence, without the name of the file, which stands before it."""
        if isinstance(error, ArgumentError):
            self.found.append(Problem(self.file, column, error.problem, error.remedy, error.values))
        else:
            text = str(error)
            for name in (self.path, self.file):
                text = text.removeprefix(f"{name}, ").removeprefix(f"{name}: ").removeprefix(f"{name} ")
            self.say("{text}", "", {"text": text}, column=column)

    def opened(self, source: Any, max_rows: int | None) -> Table | None:
        try:
            return open_table(source, max_rows, reading=self.reading)
        except (ValueError, OSError, ModuleNotFoundError) as error:
            self.refused(error)
            return None

    def columns(self, table: Table, names: Sequence[str]) -> list[str]:
        """Those that are there once."""
        there = []
        for name in dict.fromkeys(names):
            every = table.columns if name in table.columns else table.all_columns()
            if name not in every:
                has = ", ".join(map(str, every[:12])) + (", …" if len(every) > 12 else "")
                self.say('no column "{column}"; it has {has}', "", {"has": has}, column=name)
                continue
            try:
                check_columns(table, [name])
            except ValueError as error:
                self.refused(error, name)
            else:
                there.append(name)
        return there

    def rows(self, table: Table, names: Sequence[str]) -> dict[str, Column] | None:
        """All rows of these columns."""
        if not names:
            return None
        try:
            return dict(zip(names, all_rows(table, names), strict=True))
        except (ValueError, TypeError, OSError) as error:
            if not isinstance(table, Files) or not table.settle_quotes():
                self.refused(error)
                return None
        return dict(zip(names, all_rows(table, names), strict=True))

    def read(self, source: Any, names: Sequence[str], max_rows: int | None) -> dict[str, Column]:
        """The columns that can be read, with every row."""
        if (table := self.opened(source, max_rows)) is None:
            return {}
        try:
            return self.rows(table, self.columns(table, names)) or {}
        finally:
            table.close()

    def meant(self, columns: Mapping[str, Column], scale: Scale | WrittenLabels | None, names: Mapping[str, str]) -> LabelColumns:
        try:
            return read_labels(columns, scale, self.reading, names=names, truth=TRUE, unknown=self.unknown)
        except (ValueError, TypeError) as error:
            self.refused(error)
            return LabelColumns({}, None)

    def labels(self, meant: LabelColumns, names: Mapping[str, str], ids: Column | None, only: str | None = None) -> None:
        """Values that are no classes, and values that are not there."""
        scale = meant.scale
        if isinstance(scale, WrittenLabels):
            scale = scale.settle(meant.columns.values())
        if scale is None and meant.columns and only in (None, TRUE):
            try:
                columns = list(meant.columns.values())
                scale = Scale.infer(*columns, names=[names[axis] for axis in meant.columns])
            except (ValueError, TypeError) as error:
                self.refused(error)
        for axis, column in meant.columns.items():
            if only not in (None, axis):
                continue
            if scale is not None:
                self._strange(column, scale, names[axis], ids)
            if column.missing is not None and self.missing == "error":
                first = int(np.argmax(column.missing))
                what = "a value" if axis == TRUE else "an answer"
                self.say(
                    "{column}: {rows} without {what}, first row {first}",
                    '{missing:"drop"} leaves them out' if axis == TRUE else "{missing} decides",
                    {"what": what},
                    rows=int(column.missing.sum()),
                    first=first + 1,
                    column=names[axis],
                )

    def _strange(self, column: Column, scale: Scale, name: str, ids: Column | None) -> None:
        kind = {type(label) for label in scale.labels}
        if column.refuse is not None and scale.edges is None and kind <= {str, int} and column.codes is not None:
            known = set(scale.labels)
            bad = np.array([*(value not in known for value in column.values), False])[column.codes]
            if not bad.any():
                return
            for one in column.refuse.found(column, np.flatnonzero(bad), scale).one_by_one():  # type: ignore[attr-defined]
                (value,) = one.values
                row = value.row.number if value.row is not None else 0
                problem, values = one.problem(id=f" (id {_id(ids, row - 1)})" if ids is not None and row else "")
                remedy = one.remedy(values)
                self.say(problem, remedy, values, column=name, value=value.text, rows=value.times, first=row)
            return
        try:
            scale.encode(column, name=name, missing="mark")
        except (ValueError, TypeError) as error:
            self.refused(error, name)

    def numbers(self, column: Column, name: str) -> None:
        try:
            found = as_read_numbers(column, self.reading, "", name)
        except (ValueError, TypeError) as error:
            self.refused(error, name)
            return
        if found.missing is not None:
            first = int(np.argmax(found.missing)) + 1
            self.say(
                "{column}: {rows} without a weight, first row {first}", column=name, rows=int(found.missing.sum()), first=first
            )

    def ids(self, ids: Column) -> None:
        """Rows without an id, and ids that stand twice."""
        words, places = _words(ids)
        if ids.missing is not None:
            first = int(np.argmax(ids.missing)) + 1
            self.say("{rows} without an id, first row {first}", rows=int(ids.missing.sum()), first=first)
        times = np.bincount(places[places >= 0], minlength=len(words))
        twice = np.flatnonzero(times > 1)
        if twice.size:
            rows = np.flatnonzero(places == twice[0])[:2] + 1
            told = {"n": count_text(twice.size, "id"), "occur": "occurs" if twice.size == 1 else "occur"}
            told |= {"shown": _listed([words[i] for i in twice.tolist()]), "a": f"{rows[0]:,}", "b": f"{rows[1]:,}"}
            self.say("{n} {occur} twice ({shown}), rows {a} and {b}", "", told, first=int(rows[0]))

    def matches(self, gold: Column, own: Column, policy: Policy) -> None:
        """Ids of the gold that have no row, and ids that the gold does not have."""
        wanted, there = (dict.fromkeys(_in_order(column)) for column in (gold, own))
        lost, strays = [id for id in wanted if id not in there], [id for id in there if id not in wanted]
        if lost and policy.missing == "error":
            told = {"n": count_text(len(lost), "id"), "have": "has" if len(lost) == 1 else "have", "shown": _listed(lost)}
            self.say("{n} of the gold {have} no row ({shown})", "{missing} decides", told)
        if strays and not policy.leaves_strays:
            are, them = ("is", "it") if len(strays) == 1 else ("are", "them")
            told = {"n": count_text(len(strays), "id"), "are": are, "shown": _listed(strays)}
            self.say("{n} {are} not in the gold ({shown})", f'{{strays:"drop"}} leaves {them} out', told)

    def long(self, table: Table, roles: LongRoles, scale: Scale | WrittenLabels | None) -> None:
        try:
            widened(table, roles, scale, self.reading, self.unknown)
        except (ValueError, TypeError) as error:
            self.refused(error)


def _words(column: Column) -> tuple[list[str], Array]:
    """The different values as words, and which of them stands in each row, -1 where none does."""
    column = column.whole()
    if column.numbers is not None:
        values, places = np.unique(column.numbers, return_inverse=True)
        words = [str(value) for value in values.tolist()]
    else:
        assert column.codes is not None
        words, places = [str(value) for value in column.values], np.asarray(column.codes, np.int64)
    return words, places if column.missing is None else np.where(column.missing, -1, places)


def _in_order(column: Column) -> Iterator[str]:
    words, places = _words(column)
    used, first = np.unique(places[places >= 0], return_index=True)
    return (words[i] for i in used[np.argsort(first)].tolist())


def _id(ids: Column, row: int) -> str:
    words, places = _words(ids)
    return words[places[row]] if places[row] >= 0 else ""


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words[:FEW]) + (", …" if len(words) > FEW else "")


def _name(source: Any) -> str:
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else str(getattr(source, "name", "")) or "rows"


def _short_names(runs: Mapping[str, Any]) -> dict[str, str]:
    """What messages call the runs: their files without folders, where that tells them apart."""
    long = {system: _name(source) if isinstance(source, (str, os.PathLike)) else system for system, source in runs.items()}
    short = {system: os.path.basename(name) for system, name in long.items()}
    return short if len(set(short.values())) == len(short) else long
