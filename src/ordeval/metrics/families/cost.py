"""What the errors cost, when a rare class is dear to predict and dear to miss: total costs on ranks and on intervals.

The density of a class is its true rows divided by its length (1 on ranks).  A row of true class t predicted as p costs

    (density of all classes but t) / (density of p) · distance(t, p) / N,

and the standardized cost divides by the most that these true classes allow: every row at the dearest class for it.  A class
without true rows would be infinitely dear; a prediction into it costs as much as the dearest class that has some.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio, total, truths
from ordeval.counts import Counts
from ordeval.metrics.core.class_counts import check_gold_counts, gold_of
from ordeval.metrics.core.record import Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.solvers.geometry import Geometry, check_distance, check_empty, check_unbounded, intervals, ranks

__all__ = ["interval_mae", "interval_smae", "interval_stc", "interval_total_cost", "stc", "total_cost"]


_PAPER_LAWS = {
    "maximal_agreement": "off the diagonal every cost is above 0",
    "density_monotonicity": "proved by Binotto & Delgado (2023), Section 4.2, Property 2",
    "density_imbalance": "proved by Binotto & Delgado (2023), Section 4.2, Property 3",
}
_BROKEN = {
    "transpose": ((1, 1, 0), (0, 0, 1), (1, 0, 0)),
    "prevalence": ((1, 0), (1, 1)),
    "homogeneity": ((0, 1), (1, 0)),
}


def prices(counts: Array, length: Array, distance: Array, gold: Array | None = None) -> tuple[Array, Array, Array]:
    """What a prediction costs for each true class, (..., K, K), the most it can, (..., K), and the factor for both, (..., K).

    ``gold`` are the rows of each class that make them rare or common, if not those of the counts.
    """
    rows = truths(counts) if gold is None else np.broadcast_to(gold, counts.shape[:-1])
    present = rows > 0
    others = (rows / length) @ (1 - np.eye(length.size))  # a sum, not a difference: one class may hold nearly everything
    price = distance * np.where(present, length / np.where(present, rows, 1), 0)[..., None, :]
    dearest = price.max(-1)
    price = np.where(present[..., None, :], price, dearest[..., :, None])
    return price * (distance > 0), dearest, others


def class_costs(counts: Array, length: Array, distance: Array, gold: Array | None = None) -> tuple[Array, Array]:
    """For each true class, what its rows cost and the most they could cost, times N, (..., K)."""
    price, dearest, others = prices(counts, length, distance, gold)
    return others * (counts * price).sum(-1), others * truths(counts) * dearest


def comparable(counts: Array, gold: Array | None = None) -> Array:
    """Whether there are two classes or more, without which nothing could cost anything."""
    several: Array = ((truths(counts) if gold is None else gold) > 0).sum(-1) > 1
    return several


def _total_cost(counts: Array, length: Array, distance: Array, gold: Array | None = None) -> Array:
    """Mean cost of a row; undefined with fewer than two classes in the truth."""
    cost, _ = class_costs(counts, length, distance, gold)
    return ratio(cost.sum(-1), np.where(comparable(counts, gold), total(counts), 0))


def _stc(counts: Array, length: Array, distance: Array, gold: Array | None = None) -> Array:
    """Cost as a share of the most that these true classes allow."""
    cost, most = class_costs(counts, length, distance, gold)
    return np.minimum(ratio(cost.sum(-1), most.sum(-1)), 1)  # true of the numbers; rounding may say otherwise by one digit


def _arrays(geometry: Geometry) -> dict[str, Array]:
    return {"length": geometry.length, "distance": geometry.distance}


def _on_ranks(counts: Counts, *, empty: str, gold_counts: Any) -> dict[str, Array]:
    if gold_counts is None:
        return _arrays(ranks(counts, empty))
    gold = gold_of(counts.scale, gold_counts)
    return {**_arrays(ranks(counts, empty, gold)), "gold": gold}


def _check_ranks(empty: Any, gold_counts: Any) -> None:
    check_empty(empty)
    check_gold_counts(gold_counts)


_ONE_CLASS = "the truth has fewer than two classes"


@metric(
    kernel=_total_cost,
    title="Total cost of misclassification",
    cite="george2016",
    bounds=(0, "inf"),
    direction="lower",
    undefined=_ONE_CLASS,
    laws={"perfect": "", "reversal": "", "unused_class": "", **_PAPER_LAWS},
    broken=_BROKEN,
    resolve=_on_ranks,
    check=_check_ranks,
)
def total_cost(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    empty: str = "keep",
    gold_counts: Any = None,
) -> float:
    """Mean cost of a row, where a rare class is dear to predict and dear to miss.

    Lower is better; 0 is perfect.  A class with no true row keeps its place on the scale (``empty="keep"``), leaves no gap
    ("renumber") or is refused ("raise"); to predict it costs as much as the dearest class that has rows.
    ``gold_counts``, one count per class or a mapping from class to count, say how common the classes are instead of this sample.

    Ignores what an error costs in practice: the costs come from the class counts alone.
    Misleads when two test sets are compared: the largest value there can be depends on their class counts; `stc` divides by it.

    >>> total_cost([1, 1, 2, 3], [1, 2, 2, 1])
    1.25
    """
    given = {"empty": empty, "gold_counts": gold_counts}
    return score(total_cost, y_true, y_pred, labels=labels, sample_weight=sample_weight, **given)


@metric(
    kernel=_stc,
    title="Standardized total cost",
    cite="binotto2023",
    bounds=(0, 1),
    direction="lower",
    undefined=_ONE_CLASS,
    laws={"perfect": "", "reversal": "", "unused_class": "", "minimal_agreement": "", **_PAPER_LAWS},
    broken=_BROKEN,
    resolve=_on_ranks,
    check=_check_ranks,
)
def stc(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    empty: str = "keep",
    gold_counts: Any = None,
) -> float:
    """Total cost as a share of the most it could be with these true classes.

    Lower is better; 0 is perfect, and 1 means that every row got the dearest answer there was for it.  An answer is dear if it
    is far off, if the class answered is rare, and if the true class is rare.  With two classes it is the error rate.
    A class with no true row keeps its place on the scale (``empty="keep"``), leaves no gap ("renumber") or is refused ("raise");
    to predict it costs as much as the dearest class that has rows.  ``gold_counts``, one count per class or a mapping from class
    to count, say how common the classes are instead of this sample: then folds that lack a class are scored alike.

    Ignores what an error costs in practice, and that a farther class is the worse answer: a common one is cheaper.  With three
    true rows of class 3 and one each of 1 and 2, a 1 called 3 costs less than a 1 called 2.
    Misleads when one class is common: to answer it is cheap, so always guessing the majority scores nearly 0.  With 98, 1 and 1
    true rows, always class 1 has an STC of 0.005, while AMAE, the mean error over the classes, is 1.  Report it beside AMAE,
    never alone.  It jumps where a class has fewer than about five rows, and exchanging truth and prediction changes it.

    >>> round(stc([1] * 98 + [2, 3], [1] * 100), 3)
    0.005
    """
    given = {"empty": empty, "gold_counts": gold_counts}
    return score(stc, y_true, y_pred, labels=labels, sample_weight=sample_weight, **given)


def _on_intervals(counts: Counts, *, unbounded: Any, distance: str, empty: str) -> dict[str, Array]:
    return _arrays(intervals(counts, unbounded, distance, empty))


def _on_intervals_of_any_unit(counts: Counts, *, unbounded: Any, distance: str, empty: str) -> dict[str, Array]:
    return _arrays(intervals(counts, unbounded, distance, empty, undecided=1.0))


def _length_used(counts: Counts, *, unbounded: Any, distance: str, empty: str) -> dict[str, Any]:
    """The length given to an open end, or the lengths of both, lowest first."""
    opened = intervals(counts, unbounded, distance, empty).opened
    return {} if not opened else {"length": opened[0] if len(opened) == 1 else opened}


def _check_costs(unbounded: Any, distance: Any, empty: Any) -> None:
    check_unbounded(unbounded, "optimal")
    check_distance(distance)
    check_empty(empty)


@metric(
    kernel=_total_cost,
    title="Interval total cost",
    cite="binotto2025",
    bounds=(0, "inf"),
    direction="lower",
    undefined=f"{_ONE_CLASS}, or nothing but two open ends",
    laws={"perfect": "", "reversal": "", "unused_class": "", **_PAPER_LAWS},
    broken={**_BROKEN, "scale_invariance": ((1, 0), (1, 1))},
    needs={"edges"},
    resolve=_on_intervals,
    check=_check_costs,
    details=_length_used,
)
def interval_total_cost(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    unbounded: Any = "optimal",
    distance: str = "hausdorff",
    empty: str = "keep",
) -> float:
    """Mean cost of a row on interval classes, where a sparse interval is dear to predict and dear to miss.

    Lower is better; 0 is perfect.  In units of the axis.  An open end gets the length ``unbounded``, by default the one of
    `optimal_length`; ``distance`` is that of the farther ends ("hausdorff") or of the midpoints ("midpoint").
    A class with no true row keeps its place (``empty="keep"``), leaves no gap ("renumber") or is refused ("raise").

    Ignores where in its interval a value lies, and what an error costs in practice.
    Misleads when an end is open: the value depends on a length that nobody measured.

    >>> from ordeval import Scale
    >>> stay = Scale.from_integer_bins("1-2, 3-7, 8-14")
    >>> interval_total_cost([1, 5, 9, 9], [1, 1, 9, 4], labels=stay)
    8.089285714285714
    """
    given = {"unbounded": unbounded, "distance": distance, "empty": empty}
    return score(interval_total_cost, y_true, y_pred, labels=labels, sample_weight=sample_weight, **given)


@metric(
    kernel=_stc,
    title="Standardized interval total cost",
    cite="binotto2023",
    bounds=(0, 1),
    direction="lower",
    undefined=_ONE_CLASS,
    laws={
        "perfect": "",
        "reversal": "",
        "unused_class": "",
        "scale_invariance": "proved by Binotto & Delgado (2023), Section 4.2, Property 1",
        "minimal_agreement": "",
        **_PAPER_LAWS,
    },
    broken=_BROKEN,
    needs={"edges"},
    resolve=_on_intervals_of_any_unit,
    check=_check_costs,
    details=_length_used,
)
def interval_stc(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    unbounded: Any = "optimal",
    distance: str = "hausdorff",
    empty: str = "keep",
) -> float:
    """Interval total cost as a share of the most it could be with these true classes.

    Lower is better; 0 is perfect, 1 the dearest answers there are.  An open end gets the length ``unbounded``, by default the
    one of `optimal_length`; ``distance`` is that of the farther ends ("hausdorff") or of the midpoints ("midpoint").
    A class with no true row keeps its place (``empty="keep"``), leaves no gap ("renumber") or is refused ("raise").

    Ignores where in its interval a value lies, and what an error costs in practice.
    Misleads when one class is common, as `stc` does; and when an end is open: which of two models is better may depend on the
    length, and the optimal one depends on the test set.  Fix ``unbounded=length`` to compare scores from different test sets.

    >>> from ordeval import Scale
    >>> stay = Scale.from_integer_bins("1-2, 3-7, 8-14, >14")
    >>> round(interval_stc([1, 5, 9, 30], [1, 1, 9, 9], labels=stay), 4)
    0.2843
    """
    given = {"unbounded": unbounded, "distance": distance, "empty": empty}
    return score(interval_stc, y_true, y_pred, labels=labels, sample_weight=sample_weight, **given)


def _mean_distance(counts: Array, distance: Array) -> Array:
    """Mean distance between the true and the predicted interval."""
    return ratio((distance * counts).sum((-2, -1)), total(counts))


def _share_of_largest_distance(counts: Array, distance: Array) -> Array:
    """Distance as a share of what it would be with every row as far off as it can be."""
    return ratio((distance * counts).sum((-2, -1)), (truths(counts) * distance.max(-1)).sum(-1))


def _distances(counts: Counts, *, unbounded: Any, distance: str, empty: str) -> dict[str, Array]:
    """Distances of the classes; where empty ones are off the scale, to predict one is as bad as the farthest class on it."""
    geometry = intervals(counts, unbounded, distance, empty)
    if empty != "renumber":
        return {"distance": geometry.distance}
    present = geometry.present
    if present.sum() < 2:  # with one class left on the scale there is nothing to be far from
        return {"distance": np.full_like(geometry.distance, np.nan)}
    farthest = np.max(geometry.distance * present, -1, keepdims=True)
    return {"distance": np.where(present | np.eye(present.size, dtype=bool), geometry.distance, farthest)}


def _check_errors(unbounded: Any, distance: Any, empty: Any) -> None:
    check_unbounded(unbounded, None)
    check_distance(distance)
    check_empty(empty)


@metric(
    kernel=_mean_distance,
    title="Interval mean absolute error",
    cite="binotto2025",
    bounds=(0, "inf"),
    direction="lower",
    undefined="there are no rows, or empty='renumber' leaves one class",
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": "", "maximal_agreement": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "homogeneity": ((0, 1), (1, 0)), "scale_invariance": ((1, 0), (1, 1))},
    needs={"edges"},
    variants=[
        Variant(lambda empty, **_: empty == "renumber", broken={"transpose": ((1, 0, 0), (0, 0, 1), (0, 0, 0))}),
    ],
    resolve=_distances,
    check=_check_errors,
    details=_length_used,
)
def interval_mae(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    unbounded: Any = None,
    distance: str = "hausdorff",
    empty: str = "keep",
) -> float:
    """Mean distance between the true and the predicted interval.

    Lower is better; 0 is perfect.  In units of the axis.  An open end needs a length: ``unbounded=length``.  ``distance`` is
    that of the farther ends ("hausdorff") or of the midpoints ("midpoint").  A class with no true row keeps its place
    (``empty="keep"``), leaves no gap and is as bad an answer as the farthest class ("renumber"), or is refused ("raise").

    Ignores where in its interval a value lies, and how rare its class is.
    Misleads when one class is common: its errors are nearly all that is counted.

    >>> from ordeval import Scale
    >>> interval_mae([1, 5, 9, 9], [1, 1, 9, 4], labels=Scale.from_integer_bins("1-2, 3-7, 8-14"))
    3.0
    """
    given = {"unbounded": unbounded, "distance": distance, "empty": empty}
    return score(interval_mae, y_true, y_pred, labels=labels, sample_weight=sample_weight, **given)


@metric(
    kernel=_share_of_largest_distance,
    title="Standardized interval MAE",
    cite="binotto2025",
    bounds=(0, 1),
    direction="lower",
    undefined="the scale has one class, or empty='renumber' leaves one",
    laws={
        "perfect": "",
        "reversal": "",
        "unused_class": "",
        "scale_invariance": "lengths given for open ends are stretched, too",
        "maximal_agreement": "",
        "minimal_agreement": "",
    },
    broken={"transpose": ((1, 1, 0), (0, 1, 0), (0, 0, 1)), "prevalence": ((1, 0), (1, 1)), "homogeneity": ((0, 1), (1, 0))},
    needs={"edges"},
    variants=[
        Variant(lambda empty, **_: empty != "renumber", broken={"unused_class": ((1, 1), (0, 1))}),
    ],
    resolve=_distances,
    check=_check_errors,
    details=_length_used,
)
def interval_smae(
    y_true: Any,
    y_pred: Any = None,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    unbounded: Any = None,
    distance: str = "hausdorff",
    empty: str = "keep",
) -> float:
    """Interval mean absolute error as a share of the most it could be with these true classes.

    Lower is better; 0 is perfect, 1 means every row got the farthest class.  An open end needs a length: ``unbounded=length``.
    ``distance`` and ``empty`` are those of `interval_mae`.

    Ignores where in its interval a value lies, and how rare its class is.
    Misleads when the outer intervals are long: the farthest answer is then so far that any other looks good.

    >>> from ordeval import Scale
    >>> interval_smae([1, 5, 9, 9], [1, 1, 9, 4], labels=Scale.from_integer_bins("1-2, 3-7, 8-14"))
    0.27906976744186046
    """
    given = {"unbounded": unbounded, "distance": distance, "empty": empty}
    return score(interval_smae, y_true, y_pred, labels=labels, sample_weight=sample_weight, **given)
