"""Metrics recorded under their names, and found again by their text."""

from __future__ import annotations

import ast
import inspect
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.base.renamed import renamed_parameters
from ordeval.metrics.core.docs import write_docstring
from ordeval.metrics.core.overview import Catalogue
from ordeval.metrics.core.parameters import Parameter, parameters_of
from ordeval.metrics.core.record import CLASSES, LAWS, NEEDS, OTHER_THAN_COUNTS, ROW_LAWS, Kernel, Metric, Variant
from ordeval.metrics.core.types import Depends, Structure

Function = TypeVar("Function", bound=Callable[..., float])

#: The families, in the order in which people meet them.
FAMILIES = (
    *("hits", "error", "agreement", "association", "information", "closeness", "path", "cost"),
    *("probability", "calibration", "discrimination", "sets"),
)


@documented(
    "A decorator that records the function and leaves it as it is.",
    kernel="The pure function from stacks of tables ``(..., K, K)``, truth on axis -2, to scores; for probabilities, from a forecast to a score of its rows.",
    title="What the metric is called.",
    direction="Which way is better: higher, lower, a target value, or the parameter that holds it.",
    bounds="The least and the greatest score: numbers, or texts in K.",
    plain="The question it answers, in at most 34 characters.",
    formula="The formula, in LaTeX.",
    formula_text="The formula in plain text.",
    undefined="When there is no value.",
    ignores="What it ignores: completes the sentence.",
    misleads="When it misleads: each text completes the sentence.",
    structure="How it is built from rows, which decides how its intervals are computed.",
    depends="What ``resolve`` may look at.",
    parameters="What each of the function's own keywords means.",
    cite="The key of its paper, in our bibliography.",
    see="Related metrics.",
    used_in="Evaluation campaigns that used it as their measure.",
    laws="Laws that it keeps, with a proof or an empty text.",
    broken="Laws that it breaks, each with a small table on which it fails.",
    needs="What it needs from the counts, or instead of them.",
    aliases="Other names, with the parameters that they stand for.",
    resolve="Turns the parameters into what the kernel takes, once, on the whole sample.",
    check="Refuses parameters that do not go together.",
    details="What was settled on the whole sample and belongs beside the score.",
    variants="What is different for some of its parameters.",
    worst="``worst(sample, **params)``: for each true class the class that a row without an answer counts as, (K,) positions; None means the class most steps away.",
    rowwise="Whether each row earns an amount by its truth and its answer alone, so that no answer is worse than that of the worst class.",
    symbols="Numbers that the bounds may use beside K.",
)
def metric(
    *,
    kernel: Kernel,
    title: str,
    direction: str | float,
    bounds: tuple[Any, Any],
    plain: str = "",
    formula: str = "",
    formula_text: str = "",
    undefined: str = "",
    ignores: str = "",
    misleads: Iterable[str] = (),
    structure: Structure = "custom",
    depends: Depends | None = None,
    parameters: Mapping[str, Parameter] | None = None,
    cite: str = "",
    see: Iterable[str] = (),
    used_in: str = "",
    laws: Mapping[str, str] | None = None,
    broken: Mapping[str, Any] | None = None,
    needs: Iterable[str] = (),
    aliases: Mapping[str, Mapping[str, Any]] | None = None,
    resolve: Callable[..., Mapping[str, Any]] | None = None,
    check: Callable[..., None] | None = None,
    details: Callable[..., Mapping[str, Any]] | None = None,
    variants: Iterable[Variant] = (),
    worst: Callable[..., Any] | None = None,
    rowwise: bool = False,
    symbols: Callable[..., Mapping[str, float]] | None = None,
) -> Callable[[Function], Function]:
    """Record a metric.  The public function comes back unchanged: take the decorator away and the numbers stay the same.

    ``resolve(sample, **params)`` turns the parameters into what the kernel takes, once, on the whole sample; without it the
    parameters go to the kernel as they are.  The sample has a ``.scale``, ``.truths`` with ``depends="truths"``, and also a ``.matrix``
    with ``depends="all"``, which is the default for a metric with a ``resolve``.  Kernel arguments named ``present``, ``predicted`` and ``used`` are the classes that
    occur in the truth, in the prediction, in either.  ``symbols(k, **params)`` names numbers that the bounds may use beside K.
    ``details(counts, **params)`` tells what was settled on the whole sample and belongs beside the score.
    The laws that every function of a table of ranks keeps (`repetition`, `relabelling`), `bounds`, and `replication` where
    weights are not frequencies are claimed without being listed, unless they are listed as broken; so are `permutation`, `duplication`
    and `chunking` of metrics of probabilities and prediction sets.
    """
    needs = tuple(needs)
    said = ["bounds", "repetition", "relabelling"]
    said += [] if "whole counts" in needs else ["replication"]
    said += ROW_LAWS if OTHER_THAN_COUNTS & set(needs) else []
    claimed = {**dict.fromkeys(said, ""), **(laws or {})}
    claimed = {law: text for law, text in claimed.items() if law not in (broken or {})}
    for word, known in (
        (w, k) for words, k in (((*claimed, *(broken or ())), {**LAWS, **ROW_LAWS}), (needs, NEEDS)) for w in words
    ):
        if word not in known:
            raise ValueError(f"{word!r} is none of {', '.join(known)}")

    def register(function: Function) -> Function:
        own = parameters_of(function, parameters or {})
        defaults = {name: p.default for name, p in own.items()}
        record = Metric(
            name=function.__name__,
            function=function,
            kernel=kernel,
            title=title,
            plain=plain,
            formula=formula,
            formula_text=formula_text,
            direction_of_record=direction,
            ignores=ignores,
            misleads=tuple(misleads),
            structure=structure,
            depends=depends or ("scale" if resolve is None else "all"),
            parameters=MappingProxyType(own),
            cite=cite,
            see=tuple(see),
            used_in=used_in,
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
            worst=worst,
            rowwise=rowwise,
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
        write_docstring(record)
        _REGISTRY[record.name] = _FOUND_BY[record.name] = record
        for alias, params in record.aliases.items():
            _FOUND_BY[alias] = record.with_params(**params)
        return function

    return register


_REGISTRY: dict[str, Metric] = {}
_FOUND_BY: dict[str, Metric] = {}


def catalogue(*, family: str | None = None, needs: Collection[str] | None = None) -> Catalogue:
    """All metrics, with their default parameters, family by family; those of users last.

    Parameters
    ----------
    family : str | None, default None
        One family only: "hits", "error", "agreement" and so on.
    needs : Collection[str] | None, default None
        Only metrics that need no more than this: an empty list gives those that counts of hard labels are enough for.

    Returns
    -------
    Catalogue
        Their records: a list that prints as a table.

    Examples
    --------
    >>> [metric.name for metric in catalogue(family="information")]
    ['mutual_information', 'purity', 'inverse_purity']
    """
    order = {name: i for i, name in enumerate(FAMILIES)}
    found = sorted(_REGISTRY.values(), key=lambda metric: order.get(metric.family, len(order)))
    return Catalogue(m for m in found if family in (None, m.family) and (needs is None or m.needs <= set(needs)))


@documented(
    "The metric, with its parameters.",
    text="A name, an alias, a name with parameters such as ``cohen_kappa(weights='linear')``, or the function itself.",
)
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
            raise ArgumentError(
                "{given} is not a registered metric",
                argument="metric",
                remedy="register it with @ordeval.metric",
                values={"given": repr(text)},
            )
        return found
    if not isinstance(text, str):
        raise ArgumentTypeError(
            "{given} is not the text of a metric",
            argument="metric",
            remedy="write a name such as 'cem', or give the function itself",
            values={"given": repr(text)},
        )
    name, positional, params = _parse(text)
    record = _FOUND_BY.get(name)
    if record is None:
        hint = near(name, _FOUND_BY) or "see ordeval.catalogue()"
        raise ArgumentError("there is no metric called {given}", argument="metric", remedy=hint, values={"given": repr(name)})
    if len(positional) > len(record.defaults):
        raise ArgumentTypeError(
            "{given} gives {many} parameters, and there are {number}",
            argument="metric",
            values={"given": repr(text), "many": len(positional), "number": len(record.defaults)},
        )
    params = renamed_parameters(record.name, params)
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
    raise ArgumentError(
        "{given} is not the text of a metric",
        argument="metric",
        remedy="write a name, or a name with values: cohen_kappa(weights='linear')",
        values={"given": repr(text)},
    )


def _literal(node: ast.expr) -> Any:
    """A value as it prints; `inf` is one, though Python's own literals do not know it."""
    return math.inf if isinstance(node, ast.Name) and node.id == "inf" else ast.literal_eval(node)
