"""Docstrings in numpydoc's form, made from a signature and a few words for each parameter.

A parameter's type, default and choices stand in the signature and are read from there; what it means is said here for the parameters
that many functions share, and beside the function for its own.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

F = TypeVar("F", bound=Callable[..., Any])

#: What parameters mean that several functions have.
SHARED: dict[str, str] = {
    "y_true": "The true classes, one entry for each row; or a `Counts`, given alone.",
    "y_pred": "The predicted classes of the same rows.",
    "proba": "Probabilities, one row for each row of the truth and one column for each class, lowest class first.",
    "sets": "The lowest and the highest class of every row's prediction set: two columns.",
    "labels": "The classes, lowest first, or a `Scale`. Ordered types and integers carry their own order.",
    "sample_weight": "The weight of each row, 0 or greater.",
    "by": "Columns that name groups; each group is also reported by itself.",
    "cluster": "The column that names the cluster of each row (a patient, a document): rows of one cluster are not independent.",
    "missing": "What to do with rows without a prediction: refuse them, drop them, keep count of them as unanswered, count them as wrong (each score takes the class that is worst for their truth), or count them as a class with ``{'as': LABEL}``.",
    "counts": "The counts of truth and predictions, from `count` or `scan`.",
    "metric": "A metric: its name, a text such as ``cohen_kappa(weights='linear')``, or the function itself.",
    "metrics": 'The metrics to report, by name, text or function; "all" means every one that the data allow, None the usual ones.',
    "models": "The models to look at; None means all of them.",
    "primary": "The metric that decides; None means ``cem``.",
    "method": 'How intervals are computed; "auto" chooses by the structure of the metric and of these rows.',
    "confidence_level": "The confidence level: the share of such intervals that contain the true value.",
    "n_resamples": "The number of resamples behind an interval or a test.",
    "rng": "A seed, or a NumPy generator; the same seed gives the same numbers.",
    "class_counts": "The number of rows whose truth is each class, where it is known from another source.",
    "judge": "The rater who is to stand in for the others.",
    "max_rows": "Refuse sources with more rows than this.",
    "path": "The file; the ending of its name sets the format.",
    "force": "Replace an existing file.",
    "a": "The first model.",
    "b": "The second model; differences are second minus first.",
}


#: Aliases of types, as people read them.
ALIASES: dict[str, str] = {
    "Answer": "Column or None",
    "Labels": "Column, Scale or None",
    "MetricLike": "str, Metric or function",
    "Proba": "Matrix or None",
    "Rng": "int or Generator",
    "Truth": "Column or Counts",
    "Weights": "Column or None",
}


PLAIN_TYPES = frozenset([*ALIASES, "bool", "float", "float | None", "int", "str", "str | None"])  # none of them lists words


def documented(returns: str, **own: str) -> Callable[[F], F]:
    """Give a function the sections of numpydoc: every parameter with its type, and what comes back."""

    def write(function: F) -> F:
        doc = inspect.cleandoc(function.__doc__ or "")
        target = function.__func__ if isinstance(function, classmethod) else function
        parameters = parameter_section(target, own)
        kind = type_text(inspect.signature(target).return_annotation, target)
        sections = [section("Parameters", parameters), section("Returns", [f"{kind}\n    {returns}"])]
        target.__doc__ = insert_sections(doc, sections)
        return function

    return write


def insert_sections(doc: str, sections: Iterable[str]) -> str:
    """The docstring with sections between its words and its examples."""
    words, mark, examples = re.split(r"(?m)(^>>> )", doc, maxsplit=1) if re.search(r"(?m)^>>> ", doc) else (doc, "", "")
    parts = [words.rstrip(), *(part for part in sections if part)]
    if mark:
        parts.append(section("Examples", [mark + examples]))
    return "\n\n".join(parts) + "\n"


def section(title: str, entries: Iterable[str]) -> str:
    """One section of numpydoc; nothing, if there is nothing to say."""
    body = "\n".join(entries)
    return f"{title}\n{'-' * len(title)}\n{body}" if body else ""


def parameter_section(function: Callable[..., Any], own: Mapping[str, str], shared: Mapping[str, str] = SHARED) -> list[str]:
    """An entry for each parameter: its name, type and default, and what it means."""
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    if unknown := set(own) - {p.name for p in parameters}:
        raise TypeError(f"{function.__qualname__} has no parameter {sorted(unknown)[0]!r}")
    entries = []
    for p in parameters:
        name = ("*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else "") + p.name
        kind = type_text(p.annotation, function)
        default = "" if p.default is p.empty else f", default {p.default!r}"
        means = own.get(p.name) or shared.get(p.name, "")
        if not means:
            raise TypeError(f"{function.__qualname__} does not say what its parameter {p.name!r} means")
        entries.append(f"{name} : {kind}{default}\n    {means}")
    return entries


def type_text(annotation: Any, function: Callable[..., Any]) -> str:
    """A type as people read it: the words of a `Literal` in braces, an alias by its name."""
    if not isinstance(annotation, str):
        return getattr(annotation, "__name__", str(annotation))
    choices = words_of(annotation, function)
    if not choices:
        return " or ".join(dict.fromkeys(map(_type_words, annotation.split(" | "))))
    listed = "{" + ", ".join(map(repr, choices)) + "}"
    rest = [_type_words(part) for part in annotation.split(" | ")[1:] if "Literal" not in part]
    return " or ".join([listed, *rest])


def _type_words(name: str) -> str:
    plain = re.sub(r"\bt\.", "", name.strip())  # `t` is base.types
    return ALIASES.get(plain, plain)


def words_of(annotation: str, function: Callable[..., Any]) -> tuple[Any, ...]:
    """The words that a parameter may be, where its type lists them."""
    if annotation in PLAIN_TYPES:
        return ()
    try:
        found = eval(annotation, vars(sys.modules[function.__module__]))  # noqa: S307 - our own source
    except (NameError, AttributeError, TypeError, SyntaxError):  # a name that only type checkers see
        return ()
    return tuple(_words(found))


def _words(kind: Any) -> Iterable[Any]:
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            if part is not NoneType:
                yield from _words(part)
