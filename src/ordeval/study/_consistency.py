"""What keys of a study say together: which are needed, which exclude each other, which name something that another one defines."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from ordeval.base.errors import near
from ordeval.infer._rules import ABOUT_ROWS, BASELINE, Rule
from ordeval.metrics import get_metric
from ordeval.order.scale import Scale
from ordeval.study._problems import StudyProblem
from ordeval.study._toml import written

#: By shape: the keys that must be there, and what each is.
NEEDED = {
    "wide": {"data.files": "the files with the rows"},
    "long": {
        "data.files": "the files with the rows",
        "columns.pred": "the column of answers",
        "columns.model": "the column that names the model",
        "columns.id": "the column of what is answered",
    },
    "runs": {
        "data.gold": "the file with the true classes",
        "data.runs": "a file for each model",
        "columns.pred": "the column of answers, in every run",
        "columns.id": "the column by which runs and gold are joined",
    },
}
#: By shape: the keys that must not be there, and what stands in their place.
REFUSED = {
    "wide": {
        "data.gold": 'only with shape = "runs"',
        "data.runs": 'only with shape = "runs"',
        "columns.pred": "with a column for each model, list them in columns.models",
        "columns.model": 'only with shape = "long"',
    },
    "long": {
        "data.gold": 'only with shape = "runs"',
        "data.runs": 'only with shape = "runs"',
        "columns.models": 'only with shape = "wide"; name the column of models in columns.model',
        "columns.proba": 'only with shape = "wide"',
        "columns.raters": 'only with shape = "wide"',
    },
    "runs": {
        "data.files": "a study of runs has data.gold and data.runs",
        "columns.models": 'only with shape = "wide"; a model is named after its file',
        "columns.model": 'only with shape = "long"; a model is named after its file',
        "columns.proba": 'only with shape = "wide"',
        "columns.weight": 'only with shape = "wide" or "long"',
        "columns.raters": 'only with shape = "wide"',
    },
}
LONG_RATERS = ("item", "rater", "grade")


def contradictions(data: Mapping[str, Any]) -> Iterator[StudyProblem]:
    """What is wrong with keys that are each right by themselves; keys of the wrong kind are passed over."""
    tables = {name: value for name, value in data.items() if isinstance(value, Mapping)}
    columns = tables.get("columns", {})
    shape = tables.get("data", {}).get("shape", "wide")
    about_raters = any(name in columns for name in ("raters", *LONG_RATERS))
    if isinstance(shape, str) and shape in NEEDED:
        yield from _shape(tables, shape, about_raters and "true" not in columns)
    yield from _raters(columns, about_raters)
    labels = yield from _scale(tables.get("scale", {}))
    yield from _reading(tables.get("reading", {}), labels)
    yield from _missing(tables.get("missing", {}), labels)
    models = model_columns(columns) if shape == "wide" else {}
    yield from _columns(columns, models, labels)
    yield from _judge(tables.get("judge", {}), models, tables)
    table = tables.get("costs", {}).get("table")
    if labels and isinstance(table, list) and len(table) != len(labels):
        yield StudyProblem("costs.table", f"{len(table)} rows, and there are {len(labels)} classes")
    gates = data.get("gate", [])
    for number, gate in enumerate(gates if isinstance(gates, list) else [], 1):
        if isinstance(gate, Mapping):
            yield from _gate(f"gate {number}", gate, models, tables)


def model_columns(columns: Mapping[str, Any]) -> dict[str, str]:
    """{model: its column}, of a study with a column for each model."""
    given = columns.get("models", {})
    if isinstance(given, Mapping):
        return {name: column for name, column in given.items() if isinstance(column, str)}
    return {column: column for column in given if isinstance(column, str)} if isinstance(given, list) else {}


def grouping(columns: Mapping[str, Any]) -> list[str]:
    """The columns of groups."""
    by = columns.get("by", [])
    return [by] if isinstance(by, str) else [name for name in by if isinstance(name, str)] if isinstance(by, list) else []


def _shape(tables: Mapping[str, Any], shape: str, only_raters: bool) -> Iterator[StudyProblem]:
    needed = dict(NEEDED[shape])
    if only_raters:
        needed = {"data.files": needed.get("data.files", "the files with the rows")}
    else:
        needed["columns.true"] = "the column of true classes"
        if shape == "wide":
            needed["columns.models"] = "the columns of answers, one for each model"
    for place, what in needed.items():
        table, _, key = place.partition(".")
        if key not in tables.get(table, {}):
            yield StudyProblem(place, f"missing: {what}")
    for place, why in REFUSED[shape].items():
        table, _, key = place.partition(".")
        if key in tables.get(table, {}):
            yield StudyProblem(place, why)


def _raters(columns: Mapping[str, Any], about_raters: bool) -> Iterator[StudyProblem]:
    long = [name for name in LONG_RATERS if name in columns]
    if long and "raters" in columns:
        yield StudyProblem(
            f"columns.{long[0]}", "cannot be given with columns.raters; name the columns of raters, or item, rater and grade"
        )
    elif about_raters and long and len(long) < len(LONG_RATERS):
        rest = [f"columns.{name}" for name in LONG_RATERS if name not in columns]
        yield StudyProblem(rest[0], "missing: item, rater and grade must be given together")


def _scale(scale: Mapping[str, Any]) -> Generator[StudyProblem, None, list[Any] | None]:
    """The faults of the classes; the classes come back."""
    labels, edges, names = (scale.get(name) for name in ("labels", "edges", "names"))
    if labels is not None and edges is not None:
        yield StudyProblem("scale.edges", "cannot be given with scale.labels; give one of them")
        return None
    if isinstance(labels, list):
        if not labels:
            yield StudyProblem("scale.labels", "empty; put the classes in order, lowest first")
            return None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # said when the rows are read
                Scale(labels)
        except (ValueError, TypeError) as error:
            yield StudyProblem("scale.labels", str(error))
            return None
    if isinstance(edges, list):
        try:
            labels = list(Scale.from_edges(edges).labels)
        except (ValueError, TypeError) as error:
            yield StudyProblem("scale.edges", str(error))
            return None
    if isinstance(names, list):
        if not isinstance(labels, list):
            yield StudyProblem("scale.names", "names for labels, and there are no labels")
        elif len(names) != len(labels):
            yield StudyProblem("scale.names", f"{len(names)} names for {len(labels)} classes")
    return labels if isinstance(labels, list) else None


def _reading(reading: Mapping[str, Any], labels: Sequence[Any] | None) -> Iterator[StudyProblem]:
    decimal, thousands = reading.get("decimal", "."), reading.get("thousands", "")
    if isinstance(thousands, str) and decimal == thousands:
        yield StudyProblem("reading.thousands", f"{written(thousands)} is the decimal sign too; give two different signs")
    texts = [str(label) for label in labels or ()]
    na = reading.get("na", [])
    for text in na if isinstance(na, list) else []:
        if isinstance(text, str) and text in texts:
            yield StudyProblem("reading.na", f"{written(text)} is also a class")
    for name, same in (("case", str.casefold), ("space", str.strip)):
        if reading.get(name) in ("ignore", "trim"):
            folded: dict[str, str] = {}
            for text in texts:
                if same(text) in folded:
                    both = f"{written(folded[same(text)])} and {written(text)}"
                    yield StudyProblem(f"reading.{name}", f"the classes {both} become the same")
                folded.setdefault(same(text), text)
    recode = reading.get("recode", {})
    for key, to in recode.items() if isinstance(recode, Mapping) else ():
        for text, label in to.items() if isinstance(to, Mapping) else [(key, to)]:
            if texts and isinstance(label, str) and label not in texts and label not in na:
                place = f"reading.recode.{key}" if isinstance(to, Mapping) else "reading.recode"
                hint = near(label, texts) or f"the classes are {', '.join(texts)}"
                yield StudyProblem(place, f"{written(text)} = {written(label)}, which is not a class; {hint}")


def _missing(missing: Mapping[str, Any], labels: Sequence[Any] | None) -> Iterator[StudyProblem]:
    answer = missing.get("answer")
    if isinstance(answer, Mapping) and list(answer) == ["as"] and labels is not None and answer["as"] not in labels:
        texts = [str(label) for label in labels]
        hint = near(str(answer["as"]), texts) or f"the classes are {', '.join(texts)}"
        yield StudyProblem("missing.answer", f"{written(answer['as'])} is not a class; {hint}")


def _columns(columns: Mapping[str, Any], models: Mapping[str, str], labels: Sequence[Any] | None) -> Iterator[StudyProblem]:
    given = columns.get("models")
    if isinstance(given, list):
        for name in sorted({name for name in given if isinstance(name, str) and given.count(name) > 1}):
            yield StudyProblem("columns.models", f"{written(name)} is listed twice")
    true = columns.get("true")
    if isinstance(true, str) and true in models.values():
        yield StudyProblem("columns.models", f"{written(true)} is the truth; a model has a column of its own")
    named = [*grouping(columns), *(columns[name] for name in ("cluster", "weight") if isinstance(columns.get(name), str))]
    for name in dict.fromkeys(named):
        if named.count(name) > 1 or name == true or name in models.values():
            yield StudyProblem("columns", f"{written(name)} has two roles; each column has one")
    proba = columns.get("proba", {})
    for model, each in proba.items() if isinstance(proba, Mapping) else ():
        if models and model not in models:
            yield StudyProblem("columns.proba", f"{written(model)} is none of the models{_hint(model, models)}")
        if labels and isinstance(each, list) and len(each) != len(labels):
            yield StudyProblem("columns.proba", f"{written(model)} has {len(each)} columns, and there are {len(labels)} classes")


def _judge(judge: Mapping[str, Any], models: Mapping[str, str], tables: Mapping[str, Any]) -> Iterator[StudyProblem]:
    reference = judge.get("reference")
    if models and isinstance(reference, str) and reference not in models:
        yield StudyProblem("judge.reference", f"{written(reference)} is none of the models{_hint(reference, models)}")
    primary = judge.get("primary")
    if isinstance(primary, str) and "proba" not in tables.get("columns", {}) and _needs(primary, "probabilities"):
        yield StudyProblem("judge.primary", f"{primary} needs probabilities; name them in columns.proba")


def _needs(text: str, what: str) -> bool:
    try:
        return what in get_metric(text).needs
    except ValueError:
        return False


def _gate(place: str, gate: Mapping[str, Any], models: Mapping[str, str], tables: Mapping[str, Any]) -> Iterator[StudyProblem]:
    columns, outputs = tables.get("columns", {}), tables.get("output", {})
    try:
        rule = Rule.parse(gate.get("rule", ""))
    except (ValueError, TypeError):
        rule = None
    if rule is not None:
        for model in dict.fromkeys([rule.model, rule.against]):
            if model and model != BASELINE and models and model not in models:
                yield StudyProblem(place, f"{written(model)} is none of the models{_hint(model, models)}")
        if rule.against == BASELINE and BASELINE not in models and "baseline" not in outputs:
            yield StudyProblem(place, "the baseline has no file; name one in output.baseline")
        if rule.metric not in ABOUT_ROWS and _needs(rule.metric, "probabilities"):
            yield StudyProblem(place, f"{rule.metric} needs probabilities, and a rule is about classes; name another score")
    about = gate.get("models", [])
    for model in about if isinstance(about, list) else []:
        if models and isinstance(model, str) and model not in models:
            yield StudyProblem(f"{place}: models", f"{written(model)} is none of the models{_hint(model, models)}")
    each, by = gate.get("each"), grouping(columns)
    if isinstance(each, str) and each not in by:
        hint = near(each, by) or "list it there"
        yield StudyProblem(f"{place}: each", f"{written(each)} is not in columns.by; {hint}")


def _hint(word: str, known: Mapping[str, str]) -> str:
    hint = near(word, known) or f"the models are {', '.join(known)}"
    return f"; {hint}"
