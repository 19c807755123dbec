"""What a metric is: its kernel, its public function, and what is recorded of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval.base.arrays import Array, predictions, truths
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.counts import Counts
from ordeval.counts.blanks import WRONG, furthest, put
from ordeval.metrics.core.law_records import recorded
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.types import Answer, Depends, Labels, Proba, Structure, Truth, Weights
from ordeval.order.scale import Scale

if TYPE_CHECKING:
    from ordeval.metrics.core.forecast import Forecast

Kernel = Callable[..., Any]  # from stacks to scores; for probability metrics, from a forecast to a score of its rows

#: What a metric may promise.  Each is claimed or broken on the metric itself; the tests hold every record to it.
LAWS: Mapping[str, str] = MappingProxyType(
    {
        "bounds": "no table has a score outside the stated bounds",
        "perfect": "a perfect prediction has the best score, wherever the score is defined",
        "reversal": "turning the scale upside down changes nothing",
        "transpose": "truth and prediction can be exchanged",
        "replication": "several copies of every row change nothing",
        "repetition": "an integer weight is that many copies of the row",
        "unused_class": "a class that nobody used, added above or below, changes nothing",
        "relabelling": "renaming the whole scale changes nothing",
        "prevalence": "several copies of every row of one true class change nothing",
        "merging": "merging two neighbouring classes never makes the score worse",
        "chance": "a prediction independent of the truth has the same score, whatever the class shares",
        "identity": "only a perfect prediction has the best score",
        "triangle": "as a distance between two raters it obeys the triangle inequality",
        "ordinal_invariance": "only the order of the classes matters, not the steps between them",
        "ordinal_monotonicity": "moving one answer closer to the truth makes the score better",
        "imbalance": "an error in a small class costs more than the same error in a large one",
        "scale_invariance": "stretching all intervals alike changes nothing",
        "density_monotonicity": "of two classes of equal density the farther one is the costlier answer",
        "density_imbalance": "the same distance costs more from a sparser class, and into a sparser class",
        "maximal_agreement": "the best score belongs to the diagonal tables and to no others",
        "minimal_agreement": "the worst score belongs to the tables with the largest cost for their true classes, and to no others",
        "homogeneity": "k copies of every row multiply the score by k",
    }
)

#: What a metric of rows promises beside these: laws of forecasts and prediction sets, which a table of counts keeps by itself.
ROW_LAWS: Mapping[str, str] = MappingProxyType(
    {
        "permutation": "the order of the rows changes nothing",
        "duplication": "copies of the rows, wherever they stand, tie with them and change nothing",
        "chunking": "the number of rows processed at a time changes nothing",
    }
)

#: What a metric may need of its counts, or instead of them.
NEEDS: Mapping[str, str] = MappingProxyType(
    {
        "whole counts": "weights are frequencies here: whole numbers",
        "edges": "the scale needs interval classes: {labels:Scale.from_edges([...])}",
        "probabilities": "give a probability for every class of every row: {proba:[...]}",
        "prediction sets": "give the lowest and the highest class of every row's set",
    }
)
OTHER_THAN_COUNTS = frozenset(["probabilities", "prediction sets"])  # needs that a table of hard labels cannot meet


#: Sets of classes that are fixed on the whole sample, so that a replicate which loses a class does not change the question.
CLASSES: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {
        "present": lambda matrix: truths(matrix) > 0,
        "predicted": lambda matrix: predictions(matrix) > 0,
        "used": lambda matrix: truths(matrix) + predictions(matrix) > 0,
    }
)


class Sample:
    """What `resolve` may look at: the scale always, the true classes and the whole table only if the record says so."""

    def __init__(self, scale: Scale, matrix: Array, metric: str, depends: Depends) -> None:
        self.scale: Scale = scale
        self._matrix, self._metric, self._depends = matrix, metric, depends

    @property
    def truths(self) -> Array:
        """(K,) the true rows of each class."""
        return truths(self._seen("truths"))

    @property
    def matrix(self) -> Array:
        """(K, K) the whole table."""
        return self._seen("all")

    def _seen(self, wanted: Depends) -> Array:
        if self._depends not in (wanted, "all"):
            raise TypeError(
                f"{self._metric} says depends={self._depends!r}, and its resolve looks at more; say depends={wanted!r} in its record"
            )
        return self._matrix

    @classmethod
    def of(cls, counts: Counts) -> Sample:
        """A sample that may be looked at wholly."""
        return cls(counts.scale, counts.matrix, "", "all")


@dataclass(frozen=True)
class Variant:
    """What is different about a metric for some of its parameters."""

    when: Callable[..., bool]  # of the parameters
    bounds: tuple[Any, Any] | None = None
    broken: Mapping[str, Any] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Metric:
    """A metric with its parameters: callable, bindable, and printed as the text that finds it again.

    >>> from ordeval.metrics import get_metric
    >>> metric = get_metric("cohen_kappa(weights='linear')")
    >>> metric([1, 2, 3, 3], [1, 2, 2, 3])
    0.7142857142857143
    """

    name: str
    function: Callable[..., float]
    kernel: Kernel
    title: str
    plain: str  #: the question it answers, in at most 34 characters
    formula: str  #: LaTeX, in the symbols of docs/symbols.md
    formula_text: str  #: the same in plain text, for a terminal
    direction_of_record: str | float  #: "higher", "lower", the target value, or the parameter that holds it
    ignores: str  #: completes "Ignores …"
    misleads: tuple[str, ...]  #: each completes "Misleads when …"
    structure: Structure  #: how it is made of rows
    depends: Depends  #: what `resolve` may look at
    parameters: Mapping[str, Parameter]
    cite: str
    see: tuple[str, ...]  #: related metrics
    used_in: str  #: evaluation campaigns that took it for their measure
    bounds_of_record: tuple[Any, Any]
    laws_of_record: Mapping[str, str]
    broken_of_record: Mapping[str, Any]
    undefined: str  #: when there is no value, as a sentence
    needs_of_record: frozenset[str]
    aliases: Mapping[str, Mapping[str, Any]]
    resolve: Callable[..., Mapping[str, Any]] | None
    check: Callable[..., None] | None
    details_of_record: Callable[..., Mapping[str, Any]] | None
    variants: tuple[Variant, ...]
    worst: Callable[..., Any] | None  #: the worst class for each true one, where it is not the one most steps away
    rowwise: bool  #: each row earns an amount by its truth and its answer, so no answer is worse than the worst class
    symbols: Callable[..., Mapping[str, float]] | None
    classes: tuple[str, ...]  #: which sets of classes, fixed on the whole sample, the kernel takes
    defaults: Mapping[str, Any]
    params: Mapping[str, Any]  #: all parameters, the defaults included

    # Identity: the canonical text

    def __str__(self) -> str:
        shown = [f"{key}={value!r}" for key, value in self.params.items() if value != self.defaults[key]]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    def __repr__(self) -> str:
        return f"<Metric {self}>"

    def _repr_html_(self) -> str:
        from ordeval.metrics.core.docs import card_html

        return card_html(self)

    @property
    def key(self) -> str:
        """The canonical text as an identifier, safe as a column, a file or a name in other tools.

        >>> from ordeval import get_metric
        >>> get_metric("cohen_kappa(weights='linear')").key, get_metric("oci(share=0.25)").key
        ('cohen_kappa_weights_linear', 'oci_share_0_25')
        """
        return re.sub(r"\W+", "_", str(self).replace("-", "minus")).strip("_")

    def facts(self) -> list[tuple[str, str]]:
        """What a user should know of it, fact by fact, as every card shows it."""
        from ordeval.metrics.core.docs import facts

        return facts(self)

    def card(self) -> str:
        """The same as text for a terminal."""
        from ordeval.metrics.core.docs import card

        return "\n".join(card(self))

    def to_dict(self) -> dict[str, Any]:
        """Everything that is recorded of it, as plain data."""
        from ordeval.metrics.core.docs import as_data

        return as_data(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        from ordeval.metrics.core.registry import get_metric

        return get_metric, (str(self),)

    def with_params(self, **params: Any) -> Metric:
        """The same metric with other parameters."""
        unknown = [key for key in params if key not in self.defaults]
        if unknown:
            hint = near(unknown[0], self.defaults) or (f"it has {', '.join(self.defaults)}" if self.defaults else "it has none")
            raise ArgumentTypeError(
                "{metric} has no parameter {given}",
                argument="metric",
                remedy=hint,
                values={"metric": self.name, "given": repr(unknown[0])},
            )
        merged = {key: _plain(params.get(key, value)) for key, value in self.params.items()}
        for key, value in merged.items():
            self.parameters[key].check(value)
        if self.check is not None:
            self.check(**merged)
        return replace(self, params=MappingProxyType(merged))

    # The record, for these parameters

    @property
    def direction(self) -> str | float:
        """ "higher", "lower", or the target value."""
        found: str | float = self.params.get(str(self.direction_of_record), self.direction_of_record)
        return found

    @property
    def arrow(self) -> str:
        """Which way is better, as a sign: ↑, ↓, or → with the value it aims at."""
        from ordeval.metrics.core.docs import direction

        return direction(self)

    @property
    def needs_only_counts(self) -> bool:
        """Counts of hard labels are all it needs."""
        return not self.needs & OTHER_THAN_COUNTS

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Least and greatest score; text is an expression in K."""
        return next((v.bounds for v in self._variants() if v.bounds is not None), self.bounds_of_record)

    def bounds_for(self, k: int) -> tuple[float, float]:
        """The bounds as numbers, for K classes."""
        symbols = {"K": k, "log": math.log, "inf": math.inf, **(self.symbols(k, **self.params) if self.symbols else {})}
        low, high = (eval(b, {"__builtins__": {}}, symbols) if isinstance(b, str) else b for b in self.bounds)  # noqa: S307 - the author's own text
        return float(low), float(high)

    @property
    def best(self) -> Any:
        """The best score there can be; text is an expression in K."""
        if isinstance(self.direction, str):
            return self.bounds[1] if self.direction == "higher" else self.bounds[0]
        return self.direction

    @property
    def broken(self) -> Mapping[str, Any]:
        """Laws that the metric does not keep, each with its witness: a small table on which it fails."""
        broken = {**recorded(str(self)).breaks, **self.broken_by_author}
        return {law: broken[law] for law in (*LAWS, *ROW_LAWS) if law in broken}

    @property
    def laws(self) -> Mapping[str, str]:
        """Laws that the metric keeps, each with its reading; "proved …" where there is a proof, "" where a search found nothing."""
        kept, broken = {**recorded(str(self)).keeps, **self.laws_of_record}, self.broken
        return {law: kept[law] for law in (*LAWS, *ROW_LAWS) if law in kept and law not in broken}

    @property
    def broken_by_author(self) -> Mapping[str, Any]:
        """Those of the broken laws that its author lists; the others were found by search."""
        broken = dict(self.broken_of_record)
        for variant in self._variants():
            broken.update(variant.broken)
        return {law: witness(**self.params) if callable(witness) else witness for law, witness in broken.items()}

    @property
    def needs(self) -> frozenset[str]:
        """What the counts must offer: words of `NEEDS`."""
        return self.needs_of_record.union(*(variant.needs for variant in self._variants()))

    @property
    def uses_unused_classes(self) -> bool:
        """The score depends on classes of the scale that nobody used."""
        return "unused_class" in self.broken_by_author

    def _variants(self) -> list[Variant]:
        return [variant for variant in self.variants if variant.when(**self.params)]

    @property
    def summary(self) -> str:
        """The first line of the function's own words; the title, where Python runs without docstrings."""
        return (self.function.__doc__ or self.title).partition("\n")[0]

    @property
    def family(self) -> str:
        """The family it belongs to: `FAMILIES` lists them."""
        return self.function.__module__.rpartition(".")[2]

    # Computing

    def worst_classes(self, counts: Counts) -> Array:
        """(K,) for each true class the class that a row without an answer counts as: the same for all models and all resamples.

        The class most steps away, of two equally far the lower, unless the metric declares another.
        """
        if self.worst is None or not self.needs_only_counts:
            return furthest(counts.scale.K)
        self.check_needs(counts)
        sample = Sample(counts.scale, np.diag(counts.table("true")), self.name, "truths")
        return np.asarray(self.worst(sample, **self.params), int)

    def place(self, counts: Counts) -> Counts:
        """The counts with each blank that counts as wrong put into its worst class; without such blanks, the counts as they are."""
        return put(counts, self.worst_classes(counts)) if counts.blanks == WRONG else counts

    def bind(self, counts: Any) -> Callable[[Array], Array]:
        """The kernel with everything that depends on the whole sample fixed: options, classes present, edges.

        It takes stacks of tables; that of a probability metric is bound to a forecast and takes weights of its rows.
        """
        if not self.needs_only_counts:
            self.check_needs(counts)
            score: Callable[[Array], Array] = self.kernel(counts, **self.params)
            return score
        options, kernel = self.bind_options(counts), self.kernel
        return lambda stack: kernel(np.asarray(stack, float), **options)

    def bind_options(self, counts: Counts) -> dict[str, Any]:
        """What the kernel is given beside the tables, settled on the whole sample."""
        self.check_needs(counts)
        options = dict(self.params)
        if self.resolve is not None:
            options = dict(self.resolve(Sample(counts.scale, counts.matrix, self.name, self.depends), **self.params))
        options.update((name, CLASSES[name](counts.matrix)) for name in self.classes)
        return options

    def check_needs(self, counts: Any) -> None:
        """Refuse counts that do not offer what the metric needs."""
        if "probabilities" in self.needs and isinstance(counts, Counts):
            raise self._unmet("probabilities", "{metric} is about probabilities, and counts hold hard labels only")
        if "whole counts" in self.needs and not counts.is_integral:
            raise self._unmet("whole counts", "{metric} is defined for whole-number counts, and these weights have fractions")
        if "edges" in self.needs and counts.scale.edges is None:
            raise self._unmet("edges", "{metric} is about interval classes, and these have no edges")

    def _unmet(self, need: str, problem: str) -> ArgumentError:
        argument = {"probabilities": "proba", "whole counts": "sample_weight", "edges": "labels"}[need]
        return ArgumentError(problem, argument=argument, remedy=NEEDS[need], values={"metric": str(self)})

    def details(self, counts: Any) -> dict[str, Any]:
        """What was settled on the whole sample and belongs beside the score, such as the length given to an open interval."""
        if self.details_of_record is None:
            return {}
        self.check_needs(counts)
        return dict(self.details_of_record(counts, **self.params))

    def __call__(
        self,
        y_true: Truth | Forecast,
        y_pred: Answer = None,
        *,
        proba: Proba = None,
        sets: Any = None,
        labels: Labels = None,
        sample_weight: Weights = None,
    ) -> float:
        """The score of these rows, with the metric's own parameters."""
        from ordeval.metrics.core.score import score

        return score(self, y_true, y_pred, proba=proba, sets=sets, labels=labels, sample_weight=sample_weight)


def _plain(value: Any) -> Any:
    """A parameter as a value with a printed form: arrays and lists become tuples, mappings and labelled columns dicts."""
    if isinstance(value, Mapping) or (hasattr(value, "to_dict") and hasattr(value, "index")):  # what value_counts() gives
        return {_plain(key): _plain(v) for key, v in dict(value).items()}
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__array__"):
        value = np.asarray(value).tolist()
    return tuple(_plain(v) for v in value) if isinstance(value, (list, tuple)) else value
