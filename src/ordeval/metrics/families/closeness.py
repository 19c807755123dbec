"""How close an answer comes to the truth, told by how many rows lie between the two: the Closeness Evaluation Measure.

A miss across a crowded stretch of the scale is a far one, a miss across a stretch that hardly anybody uses a near one;
and a right answer earns more where the class is rare.  Only the order of the classes is used, no distance between them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio, truths
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.metrics.core.class_counts import check_class_counts, gold_of
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Sample, Variant
from ordeval.metrics.core.registry import get_metric, metric
from ordeval.metrics.core.score import as_counts, score, warn_inferred, warn_undefined
from ordeval.metrics.core.types import Answer, ClassCounts, ClosenessLevel, Labels, Ties, Truth, Weights
from ordeval.order.columns import short

__all__ = ["cem"]


# A span (low, high) of classes is low <= class < high; for every truth and prediction it is two K×K arrays of classes.
Span = tuple[Array, Array]


def _ordinal(true: Array, pred: Array, k: int) -> tuple[Span, Span]:
    """From the prediction to the truth, on whichever side; strictly closer is all of it but the prediction's own class."""
    closer = np.minimum(true, pred), np.maximum(true, pred) + 1
    return closer, (np.minimum(true, pred + 1), np.maximum(pred, true + (pred < true)))


def _nominal(true: Array, pred: Array, k: int) -> tuple[Span, Span]:
    """A wrong class is as far as any other: everything is as close as it, and only the truth itself strictly closer."""
    wrong = pred != true
    return (np.where(wrong, 0, true), np.where(wrong, k, true + 1)), (true, true + wrong)


def _interval(true: Array, pred: Array, k: int) -> tuple[Span, Span]:
    """As few steps from the truth as the prediction, on both sides; strictly closer is fewer steps."""
    steps = np.abs(pred - true)
    closer = np.maximum(true - steps, 0), np.minimum(true + steps + 1, k)
    return closer, (np.maximum(true - steps + (steps > 0), 0), np.minimum(true + steps, k))


#: For each level of measurement the classes at least as close to the truth as the prediction, those strictly closer, and the
#: ties that are meant unless said otherwise.  Halved ones would make the paper's Propositions 1 and 2 (nominal) untrue.
_LEVELS: dict[str, tuple[Callable[[Array, Array, int], tuple[Span, Span]], str]] = {
    "ordinal": (_ordinal, "half"),
    "nominal": (_nominal, "full"),
    "interval": (_interval, "half"),
}

#: The classes of which half the rows count: all that are exactly as close as the prediction, the predicted one only, or none.
_TIES: dict[str, Callable[[Span, Span, Array], tuple[Span, Span]]] = {
    "half": lambda closer, strict, pred: ((closer[0], strict[0]), (strict[1], closer[1])),
    "own": lambda closer, strict, pred: ((pred, pred + 1), (pred, pred)),
    "full": lambda closer, strict, pred: ((pred, pred), (pred, pred)),
}


def _bits(inside: Array, outside: Array) -> Array:
    """-log2(P), written so that it keeps its digits where P is nearly 1 and where it is nearly 0; nan where P is 0."""
    return np.log1p(ratio(outside, inside)) / math.log(2)


def _flat(inside: Array, outside: Array) -> Array:
    """1 - P: without the logarithm."""
    return ratio(outside, inside + outside)


def _rows_between(gold: Array) -> Array:
    """How many rows have a true class from a to b - 1, at [a, b], (K + 1, K + 1, ...): the axes of a stack come last.

    Sums of positive terms, never a difference of cumulative sums: a rare class keeps its digits beside a common one.
    """
    classes = np.moveaxis(gold, -1, 0)
    k = len(classes)
    between = np.zeros((k + 1, k + 1, *gold.shape[:-1]))
    for a in range(k):
        np.cumsum(classes[a:], 0, out=between[a, a + 1 :])
    return between


def _closeness(gold: Array, spans: Array, measure: Callable[[Array, Array], Array]) -> Array:
    """Closeness of every prediction to every truth, (..., K, K), where truths are distributed as in gold.

    P is the share of rows at least as close to the truth as the prediction, those of the tied classes counted half.
    """
    between = _rows_between(gold)
    closer, tied_below, tied_above = spans
    tied = between[*tied_below] + between[*tied_above]
    inside = 2 * between[*closer] - tied  # twice the rows; the tied ones are among the closer ones, so nothing cancels
    outside = 2 * (between[0, closer[0]] + between[closer[1], -1]) + tied
    return np.moveaxis(measure(inside, outside), (0, 1), (-2, -1))


def cell_worth(
    counts: Array, gold: Array | None, spans: Array, measure: Callable[[Array, Array], Array], normalize: bool
) -> Array:
    """What one row earns in each cell, (..., K, K); above the worst answer's if normalized."""
    closeness = _closeness(truths(counts) if gold is None else gold, spans, measure)
    return np.asarray(closeness - normalize * closeness.min(-1, keepdims=True))


def _cem(counts: Array, gold: Array | None, spans: Array, measure: Callable[[Array, Array], Array], normalize: bool) -> Array:
    """Closeness earned, as a share of what right answers would have earned; both above the worst answer's if normalized."""
    closeness = _closeness(truths(counts) if gold is None else gold, spans, measure)
    worst = normalize * closeness.min(-1, keepdims=True)
    right = np.diagonal(closeness, axis1=-2, axis2=-1)[..., None]
    # Cell by cell in both sums, so that rounding is the same and a score is never above 1.  An empty class may have no
    # closeness (P = 0), and 0 rows of it count nothing.
    earned = np.where(counts > 0, counts * (closeness - worst), 0)
    possible = np.where(counts > 0, counts * (right - worst), 0)
    return ratio(earned.sum((-2, -1)), possible.sum((-2, -1)))


def _cem_floor(counts: Array, gold: Array | None, spans: Array, measure: Callable[[Array, Array], Array]) -> Array:
    """CEM if every row had the answer that is least close to its truth."""
    rows = truths(counts)
    closeness = _closeness(rows if gold is None else gold, spans, measure)
    worst = np.where(rows > 0, rows * closeness.min(-1), 0)
    right = np.where(rows > 0, rows * np.diagonal(closeness, axis1=-2, axis2=-1), 0)
    return ratio(worst.sum(-1), right.sum(-1))


def _ties_of(level: str, ties: str | None) -> str:
    return _LEVELS[level][1] if ties is None else ties


def _check(*, class_counts: Any, **others: Any) -> None:
    check_class_counts(class_counts)


def _gold_of(sample: Sample, class_counts: Mapping[Any, float] | tuple[float, ...]) -> Array:
    """The external class distribution; it must have every class that is a truth here."""
    scale = sample.scale
    gold = gold_of(scale, class_counts)
    lacking = (sample.truths > 0) & (gold == 0)
    if lacking.any():
        label = scale.labels[int(np.argmax(lacking))]
        raise ArgumentError(
            "{class_counts} has no row of the class {label}, which is the truth of some rows, so no closeness to it is defined",
            argument="class_counts",
            remedy="give it a count above 0",
            values={"label": short(label)},
        )
    return gold


def _arrays_of(sample: Sample, *, level: str, ties: str | None, flat: bool, class_counts: Any) -> dict[str, Any]:
    """Words as arrays: which classes lie between, which of them are tied, and the class distribution if it is external."""
    k = sample.scale.K
    true, pred = np.indices((k, k))
    closer, strict = _LEVELS[level][0](true, pred, k)
    return {
        "gold": None if class_counts is None else _gold_of(sample, class_counts),
        "spans": np.array([closer, *_TIES[_ties_of(level, ties)](closer, strict, pred)]),
        "measure": _flat if flat else _bits,
    }


def _resolve(sample: Sample, *, normalize: bool, **words: Any) -> dict[str, Any]:
    return {**_arrays_of(sample, **words), "normalize": normalize}


def _least_close(sample: Sample, *, normalize: bool, **words: Any) -> Array:
    """The end of the scale with less closeness, of two equal ones the lower; a class between only where it is less close still."""
    arrays = _arrays_of(sample, **words)
    gold = sample.truths if arrays["gold"] is None else arrays["gold"]
    closeness = np.nan_to_num(_closeness(gold.astype(float), arrays["spans"], arrays["measure"]), nan=np.inf)
    k = sample.scale.K
    order = np.array([0, k - 1, *range(1, k - 1)][:k])
    found: Array = order[closeness[:, order].argmin(-1)]
    return found


def _halves(*, level: str, ties: str | None, **_: Any) -> bool:
    return _ties_of(level, ties) != "full"


def _is_accuracy(*, level: str, ties: str | None, flat: bool, normalize: bool, **_: Any) -> bool:
    """A right answer is then worth the same 1/2 in every class, and a wrong one nothing."""
    return level == "nominal" and ties == "half" and flat and normalize


@metric(
    kernel=_cem,
    title="Closeness Evaluation Measure",
    plain="how close (CEM)",
    formula=r"\frac{\sum_{tp} C_{tp} \, \mathrm{prox}(p, t)}{\sum_t n_t \, \mathrm{prox}(t, t)}, \qquad \mathrm{prox}(p, t) = -\log_2 \frac{n_p / 2 + \sum_{k \in (p, t]} n_k}{N}",
    formula_text="""Σ C[t, p] prox(p, t)  /  Σ_t n_t prox(t, t)

prox(p, t) = −log₂( ( Σ n_k of the closer  +  ½ Σ n_k of the as close ) / N )

closer     the classes k that are closer to t than p is;  as close: p and those as far

ordinal    closer: from p to t, p left out;  as close: p
nominal    closer than a wrong p: t;  as close: all others (they count full by default)
interval   closer: fewer steps from t than p;  as close: as many
ties       what is as close counts half ("half"), half for p alone ("own"), or full ("full")
flat       1 − ( … ) in place of −log₂( … )
normalize  the least prox(·, t) is taken off, above and below the line""",
    direction="higher",
    bounds=(0, 1),
    undefined="there are no rows, or (ties='full') the truth is one class throughout, or (normalize) there is only one class",
    ignores="the steps between classes (two may cost less than one), what an error costs, and what chance alone would earn",
    misleads=[
        "0 is taken for the worst: with two even classes and every answer wrong it is 0.21",
        "one class holds nearly everything: with 99 rows of 100 in it, always predicting it scores 0.94",
        "different samples are compared, because each has a floor and weights of its own",
    ],
    structure="log_ratio",
    depends="truths",
    resolve=_resolve,
    check=_check,
    worst=_least_close,
    rowwise=True,
    parameters={
        "level": Parameter(
            "What makes classes close: only the order (``ordinal``), all wrong answers equally far (``nominal``), or the rows within as many steps on both sides (``interval``)."
        ),
        "ties": Parameter(
            "Which rows count half: all exactly as far as the answer (``half``), those of the predicted class (``own``), or none (``full``). None means ``full`` for nominal classes and ``half`` otherwise."
        ),
        "flat": Parameter("Earn 1 - P instead of -log2(P), without the logarithm."),
        "class_counts": Parameter(
            "The number of true rows of each class, to use instead of this sample's: one number per class, or a mapping from class to number."
        ),
        "normalize": Parameter("Put the worst score that these true classes allow at 0."),
    },
    cite="amigo2020",
    see=["accuracy", "amae", "oci"],
    laws={
        "perfect": "no class is closer to the truth than the truth itself",
        "reversal": "",
        "transpose": "",
        "unused_class": "the sum over the rows between does not see a class without rows",
    },
    broken={"prevalence": ((1, 0, 0), (0, 0, 1), (0, 1, 0))},
    variants=[
        Variant(lambda **p: not _is_accuracy(**p), broken={"transpose": ((2, 1, 0), (0, 1, 0), (0, 0, 1))}),
        # An empty class at the end is a worse answer than any other, unless the predicted class counts in full.
        Variant(lambda normalize, **p: normalize and _halves(**p), broken={"unused_class": ((1,),)}),
    ],
)
@renamed_keywords
def cem(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    level: ClosenessLevel = "ordinal",
    ties: Ties | None = None,
    flat: bool = False,
    class_counts: ClassCounts = None,
    normalize: bool = False,
) -> float:
    """Closeness of the answers to the truth in bits, as a share of what right answers would earn (CEM).

    The worst score is seldom 0: `cem_floor` says what it is.

    Few rows between two classes make them close.  From the predicted class (half of its rows, as ties) to the true one
    (all of its rows), on whichever side, lies a share P of all rows, by their truth; the answer earns -log2(P) bits.
    So a miss across a crowded stretch of the scale costs more than one across a stretch that hardly anybody uses, and a
    right answer earns more where its class is rare.  Of the classes themselves only the order is used.

    >>> truth = [0] * 90 + [1] * 10
    >>> always_0, always_1 = cem(truth, [0] * 100), cem(truth, [1] * 100)
    >>> f"{always_0:.3f} {always_1:.3f}"
    '0.765 0.340'
    """
    return score(
        cem,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        level=level,
        ties=ties,
        flat=flat,
        class_counts=class_counts,
        normalize=normalize,
    )


def _checked(counts: Counts, **words: Any) -> dict[str, Any]:
    """The arrays behind parameters of `cem`, which are checked as there."""
    plain = get_metric(cem).with_params(**words).params
    return _arrays_of(Sample.of(counts), **{name: plain[name] for name in words})


@documented("The least value; nan where it has none.", level="As in `cem`.", ties="As in `cem`.", flat="As in `cem`.")
def cem_floor(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    level: ClosenessLevel = "ordinal",
    ties: Ties | None = None,
    flat: bool = False,
    class_counts: ClassCounts = None,
) -> float:
    """The least CEM that these true classes allow: every row given the class of the scale that is least close to its truth.

    The predictions do not matter.  The parameters are those of `cem`; 0 is reached where an empty class lies beyond all rows.

    >>> f"{cem_floor([1, 2, 3], [1, 2, 3], labels=[1, 2, 3]):.4f}"
    '0.1968'
    """
    counts = as_counts("cem_floor", y_true, y_pred, labels, sample_weight)
    value = float(_cem_floor(counts.matrix, **_checked(counts, level=level, ties=ties, flat=flat, class_counts=class_counts)))
    if _halves(level=level, ties=ties):
        warn_inferred("cem_floor", counts.scale)
    warn_undefined("cem_floor", value, "there are no rows, or (ties='full') the truth is one class throughout")
    return value


@documented("Bits, (K, K): rows are the truth.", level="As in `cem`.", ties="As in `cem`.")
def closeness_matrix(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    level: ClosenessLevel = "ordinal",
    ties: Ties | None = None,
    class_counts: ClassCounts = None,
) -> Array:
    """How close every answer is to every truth, in bits, (K, K): what `cem` adds up.  Rows are the truth, columns the answer.

    It is not symmetric, and the paper prints it the other way round.  The parameters are those of `cem`; a class without
    rows is infinitely close to itself, and nobody earns it.

    >>> closeness_matrix([1, 2, 2, 3], [1, 2, 2, 3]).round(2)
    array([[3.  , 1.  , 0.19],
           [0.68, 2.  , 0.68],
           [0.19, 1.  , 3.  ]])
    """
    counts = as_counts("closeness_matrix", y_true, y_pred, labels, sample_weight)
    options = _checked(counts, level=level, ties=ties, flat=False, class_counts=class_counts)
    gold = truths(counts.matrix) if options["gold"] is None else options["gold"]
    bits = _closeness(gold, options["spans"], options["measure"])
    return np.where(np.isnan(bits) & (gold.sum() > 0), np.inf, bits)
