"""The grammar of a study file: its tables and keys, and what each may hold.  All faults are found in one pass."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from ordeval.base.errors import ArgumentError, near
from ordeval.base.types import Method
from ordeval.infer._rules import Rule
from ordeval.metrics import get_metric
from ordeval.read.reading import CHOICES
from ordeval.study._problems import StudyProblem
from ordeval.study._toml import written

FORMAT = 1  # of the file

Check = Callable[[Any], str]  # what is wrong with a value, or nothing


@dataclass(frozen=True)
class Key:
    """What a key may hold: how that is said, and the check itself."""

    needed: str
    fits: Callable[[Any], bool]
    choices: tuple[str, ...] = ()
    more: Check = lambda value: ""

    def fault(self, place: str, value: Any) -> StudyProblem | None:
        """What is wrong with a value, or nothing."""
        if self.choices and isinstance(value, str):
            if value in self.choices:
                return None
            words = ", ".join(word if word.strip() and word not in "," else f'"{word}"' for word in self.choices)
            if self.needed:  # words, or something else
                words += f", or {self.needed}"
            return StudyProblem(f"{place} = {written(value)}", f"choose {words}")
        if not self.fits(value):
            needed = self.needed or "text"
            if value in ("", [], {}):
                column = needed == "text" and place.startswith("columns.")
                return StudyProblem(place, f"empty; {'the name of a column' if column else needed} is needed")
            return StudyProblem(place, f"{shown(value)} is {kind_of(value)}; {needed} is needed")
        said = self.more(value)
        return StudyProblem(place, said) if said else None


def shown(value: Any) -> str:
    """A value as the file has it; a long one is cut short."""
    text = written(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def kind_of(value: Any) -> str:
    """What a value of TOML is, in words."""
    kinds: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "a boolean"),
        (str, "text"),
        (int, "a whole number"),
        (float, "a decimal number"),
        (list, "a list"),
        (Mapping, "a table"),
        ((datetime.date, datetime.time), "a date or time"),
    )
    return next((word for kind, word in kinds if isinstance(value, kind)), type(value).__name__)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_text, value))


def _from(least: int) -> Key:
    return Key(f"a whole number from {least} on", lambda v: isinstance(v, int) and not isinstance(v, bool) and v >= least)


def _words(*choices: str, other: str = "", fits: Callable[[Any], bool] = lambda value: False, more: Check = lambda v: "") -> Key:
    return Key(other, fits, choices, more)


def metric_fault(text: str) -> str:
    """What is wrong with the text of a metric."""
    try:
        get_metric(text)
    except ValueError as error:
        return str(error)
    return ""


def _primary(text: str) -> str:
    said = metric_fault(text)
    if not said and not isinstance(get_metric(text).direction, str):
        return f"{text} has a target, not a direction, so it cannot decide; name another score"
    return said


def _metrics(value: Any) -> str:
    if value == "all":
        return ""
    return "; ".join(filter(None, map(metric_fault, [value] if isinstance(value, str) else value)))


def _rule(text: str) -> str:
    try:
        Rule.parse(text)
    except ArgumentError as error:
        return str(error)
    return ""


def _output(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    if os.path.isabs(path) or path.startswith(("/", "\\", "~")) or ".." in parts or (len(path) > 1 and path[1] == ":"):
        return f"{written(path)} leaves the study's folder; name a place below it"
    return ""


def _page(path: str) -> str:
    ends = path.lower().endswith((".html", ".htm", ".md", ".tex"))
    return _output(path) or (
        "" if ends else f"{written(path)}: a report is HTML, Markdown or LaTeX; let its name end in .html, .md or .tex"
    )


def _costs(table: Any) -> str:
    if any(len(row) != len(table) for row in table):
        return f"{len(table)} rows, and not as many numbers in each; a square table is needed, with the truth in rows"
    if any(not cost >= 0 for row in table for cost in row):
        return "a cost below 0; costs are numbers from 0 on"
    if any(row[place] != 0 for place, row in enumerate(table)):
        return "a right answer costs 0: the diagonal must be zero"
    return ""


TEXT = Key("text", _is_text)
ANY_TEXT = Key("text", lambda value: isinstance(value, str))
TEXTS = Key("a list of texts", _are_texts)
PATHS = Key("a path, or a list of paths,", lambda value: _is_text(value) or _are_texts(value))
COLUMNS = Key("a column, or a list of columns,", lambda value: _is_text(value) or _are_texts(value))
PLACE = Key("text", _is_text, more=_output)
SHARE = Key("a number between 0 and 1", lambda value: _is_number(value) and 0 < value < 1)


def _models(value: Any) -> bool:
    return _are_texts(value) or (isinstance(value, dict) and bool(value) and all(map(_is_text, value.values())))


def _recode(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(one, str) or (isinstance(one, dict) and all(isinstance(to, str) for to in one.values()))
        for one in value.values()
    )


def _is_as(value: Any) -> bool:
    return isinstance(value, dict) and list(value) == ["as"] and isinstance(value["as"], (str, int, float))


def _are_labels(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(label, (str, int, float)) for label in value)


KEYS: dict[str, dict[str, Key]] = {
    "": {
        "study": Key("the number 1", lambda value: isinstance(value, int) and not isinstance(value, bool)),
        "title": ANY_TEXT,
        "registered": ANY_TEXT,
        "frozen": Key("true or false", lambda value: isinstance(value, bool)),
    },
    "data": {
        "shape": _words("wide", "long", "runs"),
        "files": PATHS,
        "gold": TEXT,
        "runs": PATHS,
        "sheet": Key("the name of a sheet, or its number, counted from 1,", lambda v: _is_text(v) or _from(1).fits(v)),
        "encoding": _words(*CHOICES["encoding"]),
        "max_rows": _from(1),
    },
    "columns": {
        "true": TEXT,
        "models": Key('a list of columns, or a table { name = "column" },', _models),
        **dict.fromkeys(["pred", "model", "id", "cluster", "weight"], TEXT),
        "by": COLUMNS,
        "proba": Key(
            "a table { model = [columns, lowest class first] }",
            lambda value: isinstance(value, dict) and bool(value) and all(map(_are_texts, value.values())),
        ),
        "raters": TEXTS,
        **dict.fromkeys(["item", "rater", "grade"], TEXT),
    },
    "scale": {
        "labels": Key("a list of classes, lowest first,", _are_labels),
        "edges": Key("a list of numbers, lowest first,", lambda v: isinstance(v, list) and bool(v) and all(map(_is_number, v))),
        "names": TEXTS,
    },
    "reading": {
        "na": Key("a list of texts", lambda value: isinstance(value, list) and all(isinstance(text, str) for text in value)),
        "recode": Key('a table { "as written" = "class" }', _recode),
        **{name: _words(*CHOICES[name]) for name in ("decimal", "thousands", "case", "space", "quote")},
    },
    "missing": {
        "truth": _words("error", "drop"),
        "answer": _words("error", "drop", "unanswered", "wrong", other="{ as = LABEL }", fits=_is_as),
        "unknown": _words("error", "missing"),
        "strays": _words("error", "drop"),
    },
    "judge": {
        "primary": Key("text", _is_text, more=_primary),
        "metrics": Key('a list of metrics, or "all",', lambda value: _is_text(value) or _are_texts(value), more=_metrics),
        "reference": TEXT,
        "margin": Key("a number above 0", lambda value: _is_number(value) and value > 0),
        "confidence_level": SHARE,
        "n_resamples": _from(1),
        "seed": _from(0),
        "method": _words(*get_args(Method)),
    },
    "costs": {
        "table": Key(
            "a square table of numbers",
            lambda value: (
                isinstance(value, list)
                and bool(value)
                and all(isinstance(row, list) and all(map(_is_number, row)) for row in value)
            ),
            more=_costs,
        )
    },
    "output": {"report": Key("text", _is_text, more=_page), **dict.fromkeys(["json", "junit", "baseline", "codabench"], PLACE)},
}
GATE: dict[str, Key] = {"rule": Key("text", _is_text, more=_rule), "name": TEXT, "models": TEXTS, "each": TEXT}
TABLES = [name for name in KEYS if name]


def faults(data: Mapping[str, Any]) -> Iterator[StudyProblem]:
    """What is wrong with single tables, keys and values, in the order of the file."""
    tops = KEYS[""]
    if "study" not in data:
        yield StudyProblem("study", f"missing; write study = {FORMAT}, the format of this file")
    for name, value in data.items():
        if name == "gate":
            yield from _gates(value)
        elif name in TABLES:
            if isinstance(value, Mapping):
                yield from _table(f"{name}.", value, KEYS[name])
            else:
                yield StudyProblem(name, f"{shown(value)} is {kind_of(value)}; a table is needed: [{name}]")
        elif name in tops:
            fault = tops[name].fault(name, value)
            if fault is None and name == "study" and value != FORMAT:
                fault = StudyProblem(f"study = {value}", f"written for a later ordeval; this one reads study = {FORMAT}")
            yield from [fault] if fault else []
        else:
            yield _unknown(name, value, tops)


def _unknown(name: str, value: Any, tops: Mapping[str, Key]) -> StudyProblem:
    """A table or a key that does not exist; a key of a table that stands outside it is told its place."""
    if isinstance(value, Mapping) or (isinstance(value, list) and value and all(isinstance(v, Mapping) for v in value)):
        double = isinstance(value, list)
        known = {name: f"[[{name}]]" if name == "gate" else f"[{name}]" for name in (*TABLES, "gate")}
        hint = near(name, known, shown=known.__getitem__)
        return StudyProblem(f"[[{name}]]" if double else f"[{name}]", f"no such table{_hint(hint)}")
    inside = [table for table in TABLES if name in KEYS[table]]
    if inside:
        return StudyProblem(name, f"outside its table; write it below [{inside[0]}]")
    return StudyProblem(name, f"no such key{_hint(near(name, tops))}")


def _table(place: str, table: Mapping[str, Any], keys: Mapping[str, Key]) -> Iterator[StudyProblem]:
    for name, value in table.items():
        if name not in keys:
            elsewhere = [f"{other}.{name}" for other in TABLES if name in KEYS[other]]
            hint = near(name, keys) or (f"did you mean {elsewhere[0]}?" if elsewhere else f"there are {', '.join(keys)}")
            yield StudyProblem(f"{place}{name}", f"no such key{_hint(hint)}")
        elif fault := keys[name].fault(f"{place}{name}", value):
            yield fault


def _gates(value: Any) -> Iterator[StudyProblem]:
    if not isinstance(value, list) or not all(isinstance(gate, Mapping) for gate in value):
        yield StudyProblem("gate", f"{shown(value)} is {kind_of(value)}; write [[gate]] with a rule below it")
        return
    for number, gate in enumerate(value, 1):
        if "rule" not in gate:
            yield StudyProblem(f"gate {number}", 'no rule; write rule = "cem >= 0.7"')
        yield from _table(f"gate {number}: ", gate, GATE)


def _hint(text: str) -> str:
    return f"; {text}" if text else ""
