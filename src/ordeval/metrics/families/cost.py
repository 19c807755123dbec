"""What the errors cost, when a rare class is costly to predict and costly to miss: total costs on ranks and on intervals.

The density of a class is its true rows divided by its length (1 on ranks).  A row of true class t predicted as p costs

    (density of all classes but t) / (density of p) · distance(t, p) / N,

and the standardized cost divides by the most that these true classes allow: every row at the costliest class for it.  A class
without true rows would be infinitely costly; predicting it costs as much as the costliest class that has some.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array, ratio, total, truths
from ordeval.base.renamed import renamed_keywords
from ordeval.counts import Counts
from ordeval.metrics.core.class_counts import check_class_counts, gold_of
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Sample, Variant
from ordeval.metrics.core.registry import metric
from ordeval.metrics.core.score import score
from ordeval.metrics.core.types import Absent, Answer, ClassCounts, IntervalDistance, Labels, OptimalLength, Truth, Weights
from ordeval.metrics.solvers.geometry import Geometry, check_unbounded, intervals, ranks

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


def _dearest(sample: Sample, options: dict[str, Array]) -> Array:
    """The costliest answer for each true class, of two equally costly ones the lower."""
    found: Array = prices(np.diag(sample.truths).astype(float), **options)[0].argmax(-1)
    return found


def _on_ranks(sample: Sample, *, absent: str, class_counts: Any) -> dict[str, Array]:
    if class_counts is None:
        return _arrays(ranks(sample, absent))
    gold = gold_of(sample.scale, class_counts)
    return {**_arrays(ranks(sample, absent, gold)), "gold": gold}


def _check_ranks(absent: Any, class_counts: Any) -> None:
    check_class_counts(class_counts)


_ONE_CLASS = "the truth has fewer than two classes"


@metric(
    kernel=_total_cost, title="Total cost of misclassification", plain="mean cost of a row",
    formula=r"\sum_{tp} C_{tp} \, m_{tp}, \qquad m_{tp} = \frac{N - n_t}{n_p} \cdot \frac{|t - p|}{N}",
    formula_text="""Σ C[t, p] m[t, p],    m[t, p] = (N − n_t) / n_p · d / N

for n_p = 0:  m[t, p] is the greatest m[t, q] with n_q > 0""",
    direction="lower", bounds=(0, "inf"), undefined=_ONE_CLASS,
    ignores="what an error costs in practice: the costs come from the class counts alone",
    misleads=["two test sets are compared: the largest value there can be depends on their class counts; `stc` divides by it"],
    structure="cost", depends="truths", resolve=_on_ranks, check=_check_ranks,
    worst=lambda sample, **words: _dearest(sample, _on_ranks(sample, **words)), rowwise=True,
    parameters={"absent": Parameter("What becomes of a class with no true row: it keeps its place on the scale, leaves no gap (``renumber``), or is refused (``raise``)."),
        "class_counts": Parameter("The number of true rows of each class, to use instead of this sample's: one number per class, or a mapping from class to number.")},
    cite="george2016", see=["stc", "interval_total_cost"],
    laws={"perfect": "", "reversal": "", "unused_class": "", **_PAPER_LAWS}, broken=_BROKEN,
)  # fmt: skip
@renamed_keywords
def total_cost(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    absent: Absent = "keep",
    class_counts: ClassCounts = None,
) -> float:
    """Mean cost of a row, where a rare class is costly to predict and costly to miss.

    Predicting a class with no true row costs as much as the costliest class that has rows.

    >>> total_cost([1, 1, 2, 3], [1, 2, 2, 1])
    1.25
    """
    return score(total_cost, y_true, y_pred, labels=labels, sample_weight=sample_weight, absent=absent, class_counts=class_counts)


@metric(
    kernel=_stc, title="Standardized total cost", plain="cost, of the most possible (STC)",
    formula=r"\frac{\sum_{tp} C_{tp} \, m_{tp}}{\sum_t n_t \max_p m_{tp}}, \qquad m_{tp} = \frac{N - n_t}{n_p} \cdot \frac{|t - p|}{N}",
    formula_text="Σ C[t, p] m[t, p] / Σ_t n_t max_p m[t, p], m as for total_cost", direction="lower", bounds=(0, 1),
    undefined=_ONE_CLASS,
    ignores="what an error costs in practice, and that a farther class is the worse answer: a common one is cheaper. With three true rows of class 3 and one each of 1 and 2, a 1 called 3 costs less than a 1 called 2",
    misleads=[
    "one class is common: answering with it is cheap, so always guessing the majority scores nearly 0. With 98, 1 and 1 true rows, always answering class 1 has an STC of 0.005, while AMAE, the mean error over the classes, is 1; report it beside AMAE, never alone",
    "a class has fewer than about five rows: the score jumps there",
    "truth and prediction are exchanged, which changes the score",
],
    structure="cost", depends="truths", resolve=_on_ranks, check=_check_ranks,
    worst=lambda sample, **words: _dearest(sample, _on_ranks(sample, **words)), rowwise=True,
    parameters={"absent": Parameter("What becomes of a class with no true row: it keeps its place on the scale, leaves no gap (``renumber``), or is refused (``raise``)."),
        "class_counts": Parameter("The number of true rows of each class, to use instead of this sample's: one number per class, or a mapping from class to number.")},
    cite="binotto2023", see=["total_cost", "amae", "interval_stc"],
    laws={"perfect": "", "reversal": "", "unused_class": "", "minimal_agreement": "", **_PAPER_LAWS}, broken=_BROKEN,
)  # fmt: skip
@renamed_keywords
def stc(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    absent: Absent = "keep",
    class_counts: ClassCounts = None,
) -> float:
    """Total cost as a share of the most it could be with these true classes.

    1 means that every row got the costliest answer there was for it.  An answer is costly if it is far off, if the class answered is rare,
    and if the true class is rare.  With two classes it is the error rate.  Predicting a class with no true row costs as much as the
    costliest class that has rows.  With ``class_counts``, folds that lack a class are scored like the others.

    >>> round(stc([1] * 98 + [2, 3], [1] * 100), 3)
    0.005
    """
    return score(stc, y_true, y_pred, labels=labels, sample_weight=sample_weight, absent=absent, class_counts=class_counts)


def _on_intervals(sample: Sample, *, unbounded: Any, distance: str, absent: str) -> dict[str, Array]:
    return _arrays(intervals(sample, unbounded, distance, absent))


def _on_intervals_of_any_unit(sample: Sample, *, unbounded: Any, distance: str, absent: str) -> dict[str, Array]:
    return _arrays(intervals(sample, unbounded, distance, absent, undecided=1.0))


def _length_used(counts: Counts, *, unbounded: Any, distance: str, absent: str) -> dict[str, Any]:
    """The length given to an open end, or the lengths of both, lowest first."""
    opened = intervals(counts, unbounded, distance, absent).opened
    return {} if not opened else {"length": opened[0] if len(opened) == 1 else opened}


def _check_costs(unbounded: Any, distance: Any, absent: Any) -> None:
    check_unbounded(unbounded, "optimal")


@metric(
    kernel=_total_cost, title="Interval total cost", plain="mean cost, interval classes",
    formula=r"\sum_{tp} C_{tp} \, m_{tp}, \qquad m_{tp} = \frac{\sum_{k \neq t} \delta_k}{\delta_p} \cdot \frac{\mathrm{dist}(t, p)}{N}",
    formula_text="""Σ C[t, p] m[t, p],    m[t, p] = ( Σ_{k ≠ t} δ_k ) / δ_p · dist(t, p) / N

l_k  the length of interval k;   δ_k = n_k / l_k its density
dist  hausdorff: the sum of the lengths between, plus max(l_t, l_p);  midpoint: between the midpoints
an open end has the length that makes the greatest possible cost smallest ("optimal"), or the one given""",
    direction="lower", bounds=(0, "inf"), undefined=f"{_ONE_CLASS}, or nothing but two open ends",
    ignores="where in its interval a value lies, and what an error costs in practice",
    misleads=["an end is open: the value depends on a length that nobody measured"], structure="cost", needs={"edges"},
    depends="truths", resolve=_on_intervals, check=_check_costs, details=_length_used,
    worst=lambda sample, **words: _dearest(sample, _on_intervals(sample, **words)), rowwise=True,
    parameters={
    "unbounded": Parameter("The length of an open interval: ``optimal`` takes that of `optimal_length`."),
    "distance": Parameter("The distance between two intervals: that of their farther ends, or of their midpoints."),
    "absent": Parameter("What becomes of a class with no true row: it keeps its place on the scale, leaves no gap (``renumber``), or is refused (``raise``)."),
},
    cite="binotto2025", see=["interval_stc", "total_cost"],
    laws={"perfect": "", "reversal": "", "unused_class": "", **_PAPER_LAWS},
    broken={**_BROKEN, "scale_invariance": ((1, 0), (1, 1))},
)  # fmt: skip
@renamed_keywords
def interval_total_cost(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    unbounded: OptimalLength | float = "optimal",
    distance: IntervalDistance = "hausdorff",
    absent: Absent = "keep",
) -> float:
    """Mean cost of a row on interval classes, where a sparse interval is costly to predict and costly to miss.

    The score is in units of the axis.

    >>> from ordeval import Scale
    >>> stay = Scale.from_integer_bins("1-2, 3-7, 8-14")
    >>> interval_total_cost([1, 5, 9, 9], [1, 1, 9, 4], labels=stay)
    8.089285714285714
    """
    return score(
        interval_total_cost,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        unbounded=unbounded,
        distance=distance,
        absent=absent,
    )


@metric(
    kernel=_stc, title="Standardized interval total cost", plain="interval cost, of the most",
    formula=r"\frac{\sum_{tp} C_{tp} \, m_{tp}}{\sum_t n_t \max_p m_{tp}}, \qquad m_{tp} = \frac{\sum_{k \neq t} \delta_k}{\delta_p} \cdot \frac{\mathrm{dist}(t, p)}{N}",
    formula_text="Σ C[t, p] m[t, p] / Σ_t n_t max_p m[t, p], m as for interval_total_cost", direction="lower", bounds=(0, 1),
    undefined=_ONE_CLASS, ignores="where in its interval a value lies, and what an error costs in practice",
    misleads=["one class is common, as `stc` does",
        "an end is open: which of two models is better may depend on the length, and the optimal one depends on the test set; fix ``unbounded=length`` to compare scores from different test sets"],
    structure="cost", needs={"edges"}, depends="truths", resolve=_on_intervals_of_any_unit, check=_check_costs,
    worst=lambda sample, **words: _dearest(sample, _on_intervals_of_any_unit(sample, **words)), rowwise=True,
    details=_length_used,
    parameters={
    "unbounded": Parameter("The length of an open interval: ``optimal`` takes that of `optimal_length`."),
    "distance": Parameter("The distance between two intervals: that of their farther ends, or of their midpoints."),
    "absent": Parameter("What becomes of a class with no true row: it keeps its place on the scale, leaves no gap (``renumber``), or is refused (``raise``)."),
},
    cite="binotto2023", see=["stc", "interval_total_cost"],
    laws={"perfect": "", "reversal": "", "unused_class": "",
        "scale_invariance": "proved by Binotto & Delgado (2023), Section 4.2, Property 1", "minimal_agreement": "",
        **_PAPER_LAWS},
    broken=_BROKEN,
)  # fmt: skip
@renamed_keywords
def interval_stc(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    unbounded: OptimalLength | float = "optimal",
    distance: IntervalDistance = "hausdorff",
    absent: Absent = "keep",
) -> float:
    """Interval total cost as a share of the most it could be with these true classes.

    1 means that every row got the costliest answer there was for it.

    >>> from ordeval import Scale
    >>> stay = Scale.from_integer_bins("1-2, 3-7, 8-14, >14")
    >>> round(interval_stc([1, 5, 9, 30], [1, 1, 9, 9], labels=stay), 4)
    0.2843
    """
    return score(
        interval_stc,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        unbounded=unbounded,
        distance=distance,
        absent=absent,
    )


def _mean_distance(counts: Array, distance: Array) -> Array:
    """Mean distance between the true and the predicted interval."""
    return ratio((distance * counts).sum((-2, -1)), total(counts))


def _share_of_largest_distance(counts: Array, distance: Array) -> Array:
    """Distance as a share of what it would be with every row as far off as it can be."""
    return ratio((distance * counts).sum((-2, -1)), (truths(counts) * distance.max(-1)).sum(-1))


def _distances(sample: Sample, *, unbounded: Any, distance: str, absent: str) -> dict[str, Array]:
    """Distances of the classes; where empty ones are off the scale, to predict one is as bad as the farthest class on it."""
    geometry = intervals(sample, unbounded, distance, absent)
    if absent != "renumber":
        return {"distance": geometry.distance}
    present = geometry.present
    if present.sum() < 2:  # with one class left on the scale there is nothing to be far from
        return {"distance": np.full_like(geometry.distance, np.nan)}
    farthest = np.max(geometry.distance * present, -1, keepdims=True)
    return {"distance": np.where(present | np.eye(present.size, dtype=bool), geometry.distance, farthest)}


def _farthest(sample: Sample, **words: Any) -> Array:
    """The interval that is farthest from each true one, of two equally far the lower."""
    found: Array = _distances(sample, **words)["distance"].argmax(-1)
    return found


def _check_errors(unbounded: Any, distance: Any, absent: Any) -> None:
    check_unbounded(unbounded, None)


@metric(
    kernel=_mean_distance, title="Interval mean absolute error", plain="distance of the intervals",
    formula=r"\frac{1}{N} \sum_{tp} C_{tp} \, \mathrm{dist}(t, p)",
    formula_text="Σ C[t, p] dist(t, p) / N, dist as for interval_total_cost", direction="lower", bounds=(0, "inf"),
    undefined="there are no rows, or absent='renumber' leaves one class",
    ignores="where in its interval a value lies, and how rare its class is",
    misleads=["one class is common: its errors are nearly all that is counted"], structure="mean", needs={"edges"},
    depends="truths", resolve=_distances, check=_check_errors, details=_length_used,
    worst=_farthest, rowwise=True,
    parameters={
    "unbounded": Parameter("The length of an open interval, where the scale has one."),
    "distance": Parameter("The distance between two intervals: that of their farther ends, or of their midpoints."),
    "absent": Parameter("What becomes of a class with no true row: it keeps its place, leaves no gap and is as bad an answer as the farthest class (``renumber``), or is refused (``raise``)."),
},
    cite="binotto2025", see=["mae", "interval_smae"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": "", "maximal_agreement": ""},
    broken={"prevalence": ((1, 0), (1, 1)), "homogeneity": ((0, 1), (1, 0)), "scale_invariance": ((1, 0), (1, 1))},
    variants=[Variant(lambda absent, **_: absent == "renumber", broken={"transpose": ((1, 0, 0), (0, 0, 1), (0, 0, 0))})],
)  # fmt: skip
@renamed_keywords
def interval_mae(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    unbounded: float | None = None,
    distance: IntervalDistance = "hausdorff",
    absent: Absent = "keep",
) -> float:
    """Mean distance between the true and the predicted interval.

    The score is in units of the axis.

    >>> from ordeval import Scale
    >>> interval_mae([1, 5, 9, 9], [1, 1, 9, 4], labels=Scale.from_integer_bins("1-2, 3-7, 8-14"))
    3.0
    """
    return score(
        interval_mae,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        unbounded=unbounded,
        distance=distance,
        absent=absent,
    )


@metric(
    kernel=_share_of_largest_distance, title="Standardized interval MAE", plain="distance, of the most possible",
    formula=r"\frac{\sum_{tp} C_{tp} \, \mathrm{dist}(t, p)}{\sum_t n_t \max_p \mathrm{dist}(t, p)}",
    formula_text="Σ C[t, p] dist(t, p) / Σ_t n_t max_p dist(t, p), dist as for interval_total_cost", direction="lower",
    bounds=(0, 1), undefined="the scale has one class, or absent='renumber' leaves one",
    ignores="where in its interval a value lies, and how rare its class is",
    misleads=["the outer intervals are long: the farthest answer is then so far that any other looks good"], structure="mean",
    needs={"edges"}, depends="truths", resolve=_distances, check=_check_errors, details=_length_used,
    worst=_farthest, rowwise=True,
    parameters={
    "unbounded": Parameter("The length of an open interval, where the scale has one."),
    "distance": Parameter("The distance between two intervals: that of their farther ends, or of their midpoints."),
    "absent": Parameter("What becomes of a class with no true row: it keeps its place, leaves no gap and is as bad an answer as the farthest class (``renumber``), or is refused (``raise``)."),
},
    cite="binotto2025", see=["interval_mae", "smae"],
    laws={"perfect": "", "reversal": "", "unused_class": "",
        "scale_invariance": "lengths given for open ends are stretched, too", "maximal_agreement": "", "minimal_agreement": ""},
    broken={"transpose": ((1, 1, 0), (0, 1, 0), (0, 0, 1)), "prevalence": ((1, 0), (1, 1)), "homogeneity": ((0, 1), (1, 0))},
    variants=[Variant(lambda absent, **_: absent != "renumber", broken={"unused_class": ((1, 1), (0, 1))})],
)  # fmt: skip
@renamed_keywords
def interval_smae(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    unbounded: float | None = None,
    distance: IntervalDistance = "hausdorff",
    absent: Absent = "keep",
) -> float:
    """Interval mean absolute error as a share of the most it could be with these true classes.

    1 means every row got the farthest class.

    >>> from ordeval import Scale
    >>> interval_smae([1, 5, 9, 9], [1, 1, 9, 4], labels=Scale.from_integer_bins("1-2, 3-7, 8-14"))
    0.27906976744186046
    """
    return score(
        interval_smae,
        y_true,
        y_pred,
        labels=labels,
        sample_weight=sample_weight,
        unbounded=unbounded,
        distance=distance,
        absent=absent,
    )
