"""Study: one file that says what is judged and how, before anybody looks."""

from __future__ import annotations

import ast
import copy
import hashlib
import os
import tomllib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.lazy import lazy
from ordeval.counts import Counts
from ordeval.infer._rules import Rule
from ordeval.metrics import get_metric
from ordeval.read.reading import Encoding
from ordeval.read.runs import RunAudit
from ordeval.study._consistency import contradictions
from ordeval.study._grammar import KEYS, faults
from ordeval.study._problems import StudyError, StudyProblem, StudyProblems
from ordeval.study._rows import StudyRows
from ordeval.study._rules import BaselineLike, Gate, RuleReport
from ordeval.study._toml import as_toml, written

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Leaderboard

DIGITS = 12  # of the hash, in a signature
#: Keys that change what is printed or written, and nothing that is judged.
FREE = ("title", "registered", "frozen", "output")


class Study:
    """What is judged and how, as one file says it: rows, columns, classes, missing answers, scores, rules.

    >>> study = Study({"study": 1, "data": {"files": "visits.csv"}, "columns": {"true": "grade", "models": ["nurse"]}, "judge": {"seed": "7"}})
    >>> print(study.validate())
    study: 1 problem
      judge.seed: "7" is text; a whole number from 0 on is needed
    """

    data: dict[str, Any]  #: the tables and keys, with what was overridden
    path: str  #: the file; empty for a study that is none
    text: str  #: the file as it stands
    hash: str  #: SHA-256 of the file's bytes
    overrides: tuple[str, ...]  #: what was overridden, each as a sentence

    def __init__(self, data: Mapping[str, Any]) -> None:
        """A study from its tables and keys; `Study.load` reads a file."""
        self._set(copy.deepcopy(dict(data)), "", as_toml(data).encode())

    def _set(self, data: dict[str, Any], path: str, raw: bytes, broken: str = "") -> None:
        self.data, self.path, self._broken = data, path, broken
        self.text = raw.decode("utf-8", "replace")
        self.hash = hashlib.sha256(raw).hexdigest()
        self.overrides = ()

    @classmethod
    @documented("The study, whose problems `validate` lists.", path="A file in TOML.")
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a study file; paths in it are relative to it."""
        name = os.fspath(path)
        with open(name, "rb") as file:
            raw = file.read()
        data, broken = {}, ""
        try:
            data = tomllib.loads(raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            broken = f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            broken = f"not TOML: {error}"
        study = cls.__new__(cls)
        study._set(data, name, raw, broken)
        return study

    @classmethod
    @documented(
        "The proposed study, with its open questions; with ``path`` it is also written there.",
        files="The files with the rows.",
        path="Where the study goes; None writes nothing.",
        sheet="The sheet of an Excel workbook: its name, or its number, counted from 1.",
        encoding="The encoding of text files: utf-8, utf-16, windows-1252 or latin-1.",
    )
    def init(
        cls,
        files: Sequence[str] | str,
        path: str | os.PathLike[str] | None = None,
        *,
        sheet: str | int | None = None,
        encoding: Encoding = "utf-8",
        force: bool = False,
    ) -> Self:
        """Look at every row once, propose a study, and leave open what only people can answer."""
        from ordeval.study._init import look

        folder = os.path.dirname(os.fspath(path)) if path else ""
        found = look([files] if isinstance(files, str) else list(files), folder, sheet=sheet, encoding=encoding)
        if path is not None:
            found.write(os.fspath(path), force=force)
            return cls.load(path)
        study = cls.__new__(cls)
        study._set(tomllib.loads(found.toml), "", found.toml.encode())
        return study

    # What it says

    @property
    def name(self) -> str:
        """What messages call it."""
        return os.path.basename(self.path) or "study"

    @property
    def source(self) -> str:
        """What the rows are called: the files as the study names them, or the gold."""
        data = self.data.get("data", {})
        given = data.get("gold") or data.get("files") or self.name
        return given if isinstance(given, str) else ", ".join(map(str, given))

    @property
    def title(self) -> str:
        """The title, or nothing."""
        return str(self.data.get("title", ""))

    @property
    def rows(self) -> StudyRows:
        """The rows it names."""
        self._require()
        return StudyRows(self.data, os.path.dirname(self.path))

    @documented("The path, or None.", key="A key of [output].")
    def place_of(self, key: str) -> str | None:
        """Where an output goes, seen from here."""
        given = self.data.get("output", {}).get(key)
        return None if given is None else self.rows.place(str(given))

    @property
    def costs(self) -> Array | None:
        """Own costs, K×K, rows the truth; None where there are none."""
        table = self.data.get("costs", {}).get("table")
        return None if table is None else np.array(table, float)

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The rules, each with what it is about."""
        return tuple(
            Gate(Rule.parse(gate["rule"]), gate.get("name", ""), tuple(gate.get("models", ())), gate.get("each", ""))
            for gate in self.data.get("gate", [])
        )

    @property
    def signature(self) -> str:
        """The first digits of the hash, and how many keys were overridden."""
        return f"study:{self.hash[:DIGITS]}{f'+{len(self.overrides)}' if self.overrides else ''}"

    def to_toml(self) -> str:
        """The study as a file, with what was overridden."""
        return as_toml(self.data)

    def __repr__(self) -> str:
        return f"Study({self.path or self.title or 'without a file'!r}, {self.signature})"

    # Is it right?

    @lazy
    def _faults(self) -> tuple[StudyProblem, ...]:
        if self._broken:
            return (StudyProblem("", self._broken),)
        found = [*faults(self.data)]
        return (*found, *(p for p in contradictions(self.data) if p not in found))

    def _require(self) -> None:
        if self._faults:
            raise StudyError(StudyProblems(self._faults, self.name))

    def validate(self) -> StudyProblems:
        """All problems at once, of the file and, where it has none, of the rows; false when there is none."""
        if self._faults:
            return StudyProblems(self._faults, self.name)
        try:
            _ = self.counts
        except StudyError as error:
            return error.problems
        return StudyProblems((), self.name)

    @lazy
    def _counted(self) -> tuple[Counts, dict[str, RunAudit]]:
        rows = self.rows
        try:
            return rows.count()
        except (ValueError, TypeError, OSError) as error:
            found = _all_of(rows) or [StudyProblem("", _said(error), of_rows=True)]
            raise StudyError(StudyProblems(found, self.name)) from error

    @property
    def counts(self) -> Counts:
        """The counts of its rows."""
        return self._counted[0]

    # Changed

    @documented(
        "The study with other values; the file stays as it is, and so does its hash.",
        changes='Keys and their new values: ``{"missing.answer": "drop"}``; None removes a key.',
        where="Where the change was asked for, as results say it.",
    )
    def override(self, changes: Mapping[str, Any], *, where: str = "in the call") -> Study:
        """The same study with some keys changed; every result says which."""
        for place in changes:
            table, _, key = place.rpartition(".")
            if (table not in KEYS or key not in KEYS[table]) and place != "gate":
                known = [f"{table}.{key}" if table else key for table, keys in KEYS.items() for key in keys]
                from ordeval.base.errors import near

                remedy = near(place, known) or "name it as table.key"
                raise ArgumentError(
                    "{place} is not a key of a study", argument="study", remedy=remedy, values={"place": repr(place)}
                )
            if self.data.get("frozen") is True and changes[place] != self._value(place) and place.partition(".")[0] not in FREE:
                remedy = "copy the file, change the copy, and give the copy"
                values = {"name": self.name, "place": place}
                raise ArgumentError(
                    "{name} is frozen: {place} cannot be overridden", argument="study", remedy=remedy, values=values
                )
        data, said = copy.deepcopy(self.data), list(self.overrides)
        for place, value in changes.items():
            table, _, key = place.rpartition(".")
            before = self._value(place)
            if before == value:
                continue
            inside = data.setdefault(table, {}) if table else data
            if not isinstance(inside, dict):  # wrong already, and said so
                continue
            if value is None:
                inside.pop(key, None)
            else:
                inside[key] = value
            if place.partition(".")[0] not in FREE:
                old = "not given" if before is None else written(before)
                new = "not given" if value is None else written(value)
                said.append(f"overridden {where}: {place} = {new} (study: {old})")
        changed = type(self).__new__(type(self))
        changed._set(data, self.path, self.text.encode(), self._broken)
        changed.hash, changed.overrides = self.hash, tuple(said)
        return changed

    def rating_columns(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The columns of raters, and how they are read: keywords of `raters.scan`."""
        rows = self.rows
        names = {
            name: self.data["columns"][name] for name in ("raters", "item", "rater", "grade") if name in self.data["columns"]
        }
        if not names:
            remedy = "name them in columns.raters, or columns.item, rater and grade"
            raise ArgumentError("{name} names no raters", argument="study", remedy=remedy, values={"name": self.name})
        more = {"max_rows": rows.data["max_rows"]} if "max_rows" in rows.data else {}
        return names, {"labels": rows.labels, "reading": rows.reading, **more}

    def _value(self, place: str) -> Any:
        """What a key holds; None where it is not given."""
        table, _, key = place.rpartition(".")
        inside = self.data.get(table, {}) if table else self.data
        return inside.get(key) if isinstance(inside, Mapping) else None

    # What comes out

    def settings(self, *names: str) -> dict[str, Any]:
        """The settings of intervals, by the names that functions have for them."""
        judge = self.data.get("judge", {})
        keywords = {"confidence_level": "confidence_level", "n_resamples": "n_resamples", "method": "method", "seed": "rng"}
        return {word: judge[key] for key, word in keywords.items() if key in judge and (not names or word in names)}

    @property
    def metrics(self) -> Any:
        """The metrics asked for, the one that decides first; None for the usual ones, "all" for every one."""
        judge = self.data.get("judge", {})
        asked, primary = judge.get("metrics"), self.primary
        if asked is None or asked == "all":
            return asked if "primary" not in judge or asked == "all" else self._usual()
        listed = [asked] if isinstance(asked, str) else asked
        return list(dict.fromkeys([primary, *(str(get_metric(text)) for text in listed)]))

    def _usual(self) -> list[str]:
        from ordeval.evaluation import DEFAULT_METRICS

        return list(dict.fromkeys([self.primary, *DEFAULT_METRICS]))

    @property
    def primary(self) -> str:
        """The score that decides, by its text."""
        return str(get_metric(self.data.get("judge", {}).get("primary", "cem")))

    @documented(
        "The evaluations by model.", check_intervals="Also count how often the intervals hold in 400 simulated data sets."
    )
    def evaluate(self, *, check_intervals: bool = False) -> dict[str, Evaluation]:
        """The scores of every model, each on its own."""
        from ordeval.study._judging import evaluations

        return evaluations(self, check_intervals)

    def compare(self) -> Comparison:
        """All models on the same rows: paired differences and a verdict."""
        from ordeval.study._judging import comparison

        return comparison(self)

    def leaderboard(self) -> Leaderboard:
        """All models in the order of the score that decides, with the ranks that each may have."""
        from ordeval.study._judging import board

        return board(self)

    @documented(
        "The outcome of each rule.",
        accept="Keep the scores as the new baseline, where all rules hold.",
        baseline="What the word baseline in a rule means, as for `check_rules`; None is the file of [output].",
    )
    def check(self, *, accept: bool = False, baseline: BaselineLike = None) -> RuleReport:
        """Judge the rules of its gates."""
        from ordeval.study._judging import checked

        return checked(self, accept, baseline)

    @documented(
        "Where the report was written.",
        path="The file: .html, .md or .tex; None is the report of [output].",
        open="Unfold the evidence of an HTML page, for browsers that print only what is open.",
    )
    def report(self, path: str | os.PathLike[str] | None = None, *, force: bool = False, open: bool = False) -> str:
        """Write one page for people."""
        from ordeval.study._judging import written_report

        return written_report(self, None if path is None else os.fspath(path), force=force, open=open)


def _all_of(rows: StudyRows) -> list[StudyProblem]:
    """Everything that is wrong with the rows; nothing where only one sentence is known."""
    try:
        found = rows.problems()
    except (ValueError, TypeError, OSError):
        return []
    said = [(one.file, one.text(as_key), one.hint(as_key)) for one in found]
    return [StudyProblem(file, f"{text}; {hint}" if hint else text, of_rows=True) for file, text, hint in said]


def _said(error: Exception) -> str:
    """An error of the rows as a line of the list; keys of the study where a function has arguments."""
    if isinstance(error, ArgumentError):
        return error.text(as_key)
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


#: How a study file spells the arguments of functions.
SPELT = {
    "y_true": "columns.true",
    "y_pred": "columns.models",
    "true": "columns.true",
    "pred": "columns.models",
    "by": "columns.by",
    "id": "columns.id",
    "cluster": "columns.cluster",
    "sample_weight": "columns.weight",
    "model_column": "columns.model",
    "labels": "scale.labels",
    "edges": "scale.edges",
    "missing": "missing.answer",
    "missing_truth": "missing.truth",
    "source": "data.files",
    "rng": "judge.seed",
    "quote": "reading.quote",
}


def as_key(argument: str, value: str | None = None) -> str:
    """How a study file spells an argument of a function."""
    places = {key: f"{table}.{key}" for table, keys in KEYS.items() if table for key in keys}
    place = SPELT.get(argument) or places.get(argument, argument)
    if value is None:
        return place
    if argument == "reading" and value.startswith("Reading("):
        call = ast.parse(value, mode="eval").body
        assert isinstance(call, ast.Call)
        said = {places.get(str(keyword.arg), str(keyword.arg)): ast.literal_eval(keyword.value) for keyword in call.keywords}
        return ", ".join(f"{key} = {written(one)}" for key, one in said.items())
    more = value.endswith(", …]")  # a list that was cut short
    try:
        given = ast.literal_eval(f"{value[:-4]}]" if more else value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return f"{place} = {value}"
    shown = value if given == [...] else f"{written(given)[:-1]}, …]" if more else written(given)
    return f"{place} = {shown}"
