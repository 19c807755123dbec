"""Metrics recorded under their names, and found again by their text."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from ordeval.metrics.core.record import CLASSES, LAWS, NEEDS, Kernel, Metric, Variant

Function = TypeVar("Function", bound=Callable[..., float])

#: The families, in the order in which people meet them.
FAMILIES = (
    *("hits", "error", "agreement", "association", "information", "closeness", "path", "cost"),
    *("probability", "calibration", "discrimination", "sets"),
)


def metric(
    *,
    kernel: Kernel,
    title: str,
    cite: str,
    bounds: tuple[Any, Any],
    direction: str | float,
    undefined: str = "",
    laws: Mapping[str, str] | None = None,
    broken: Mapping[str, Any] | None = None,
    needs: Iterable[str] = (),
    aliases: Mapping[str, Mapping[str, Any]] | None = None,
    resolve: Callable[..., Mapping[str, Any]] | None = None,
    check: Callable[..., None] | None = None,
    details: Callable[..., Mapping[str, Any]] | None = None,
    variants: Iterable[Variant] = (),
    symbols: Callable[..., Mapping[str, float]] | None = None,
) -> Callable[[Function], Function]:
    """Record a metric.  The public function comes back unchanged: take the decorator away and the numbers stay the same.

    ``resolve(counts, **params)`` turns the parameters into what the kernel takes, once, on the whole sample; without it the
    parameters go to the kernel as they are.  Kernel arguments named ``present``, ``predicted`` and ``used`` are the classes that
    occur in the truth, in the prediction, in either.  ``symbols(k, **params)`` names numbers that the bounds may use beside K.
    ``details(counts, **params)`` tells what was settled on the whole sample and belongs beside the score.
    The laws that every function of a table of ranks keeps (`repetition`, `relabelling`), `bounds`, and `replication` where
    weights are no frequencies are claimed without being said, unless they are listed as broken.
    """
    whole = "whole counts" in needs
    claimed = {"bounds": "", "repetition": "", "relabelling": "", **({} if whole else {"replication": ""}), **(laws or {})}
    claimed = {law: text for law, text in claimed.items() if law not in (broken or {})}
    for word, known in ((w, k) for words, k in (((*claimed, *(broken or ())), LAWS), (needs, NEEDS)) for w in words):
        if word not in known:
            raise ValueError(f"{word!r} is none of {', '.join(known)}")

    def register(function: Function) -> Function:
        own = ("y_true", "y_pred", "proba", "sets", "labels", "sample_weight")
        defaults = {p.name: p.default for p in inspect.signature(function).parameters.values() if p.name not in own}
        record = Metric(
            name=function.__name__,
            function=function,
            kernel=kernel,
            title=title,
            direction_of_record=direction,
            cite=cite,
            bounds_of_record=bounds,
            laws_of_record=MappingProxyType(claimed),
            broken_of_record=MappingProxyType(dict(broken or {})),
            undefined=undefined,
            needs_of_record=frozenset(needs),
            aliases=MappingProxyType(dict(aliases or {})),
            resolve=resolve,
            check=check,
            details_of_record=details,
            variants=tuple(variants),
            symbols=symbols,
            classes=tuple(name for name in inspect.signature(kernel).parameters if name in CLASSES),
            defaults=MappingProxyType(defaults),
            params=MappingProxyType(dict(defaults)),
        )
        for name in (record.name, *record.aliases):
            taken = _FOUND_BY.get(name)
            if taken is not None and taken.function.__module__ != function.__module__:
                raise ValueError(
                    f"there is a metric called {name!r} already, in {taken.function.__module__}; choose another name"
                )
        _REGISTRY[record.name] = _FOUND_BY[record.name] = record
        for alias, params in record.aliases.items():
            _FOUND_BY[alias] = record.with_params(**params)
        return function

    return register


_REGISTRY: dict[str, Metric] = {}
_FOUND_BY: dict[str, Metric] = {}


def catalogue() -> list[Metric]:
    """All metrics, with their default parameters, family by family; those of users last."""
    family = {name: i for i, name in enumerate(FAMILIES)}
    return sorted(_REGISTRY.values(), key=lambda found: family.get(found.family, len(family)))


def get_metric(text: str | Metric | Callable[..., float]) -> Metric:
    """The metric that a text names: its name, an alias, or a name with parameters.

    >>> str(get_metric("cohen_kappa(weights='quadratic')")), str(get_metric("lwk"))
    ('cohen_kappa', "cohen_kappa(weights='linear')")
    """
    if isinstance(text, Metric):
        return text
    if callable(text):
        found = _REGISTRY.get(getattr(text, "__name__", ""))
        if found is None or found.function is not text:
            raise ValueError(f"{text!r} is not a registered metric; register it with @ordeval.metric")
        return found
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not the text of a metric; write a name such as 'cem', or give the function itself")
    name, positional, params = _parse(text)
    record = _FOUND_BY.get(name)
    if record is None:
        import difflib

        near = difflib.get_close_matches(name, _FOUND_BY, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "see ordeval.catalogue()"
        raise ValueError(f"there is no metric called {name!r}; {hint}")
    if len(positional) > len(record.defaults):
        raise TypeError(f"{record.name} takes {len(record.defaults)} parameters, and {text!r} gives {len(positional)}")
    return record.with_params(**dict(zip(record.defaults, positional, strict=False)), **params)


def _parse(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if isinstance(tree, ast.Name):
            return tree.id, [], {}
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and all(k.arg for k in tree.keywords):
            return tree.func.id, [_literal(arg) for arg in tree.args], {str(k.arg): _literal(k.value) for k in tree.keywords}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    raise ValueError(f"{text!r} is not the text of a metric; write a name, or a name with values: cohen_kappa(weights='linear')")


def _literal(node: ast.expr) -> Any:
    """A value as it prints; `inf` is one, though Python's own literals do not know it."""
    return math.inf if isinstance(node, ast.Name) and node.id == "inf" else ast.literal_eval(node)
