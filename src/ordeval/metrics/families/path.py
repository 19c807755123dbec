"""What the best path through the table leaves out: the ordinal classification index and its relatives.

A path goes from the lowest class to the highest, one class up in truth, in prediction, or in both at each step.  Rows on it
agree about the order, right or wrong.  An index is the least over all paths of the rows left out and of a penalty for rows
on the path that are off the diagonal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ordeval.base.arrays import Array, rank_distance, ratio, total, truths
from ordeval.base.docs import documented
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Sample, Variant
from ordeval.metrics.core.registry import get_metric, metric
from ordeval.metrics.core.score import as_counts, score
from ordeval.metrics.core.types import Answer, EmptyRows, Labels, Truth, Weights
from ordeval.metrics.solvers.paths import (
    LARGEST,
    cells_of_cheapest,
    cheapest_path,
    distance_penalty,
    exact_charges,
    mean_cheapest,
    total_distance,
)
from ordeval.metrics.solvers.walks import cheapest_walk

__all__ = ["auoc", "oci", "oci_general", "oci_unnormalized", "uoc"]


def _moved(rows: Array, distance: Array) -> Array:
    """M / (N + M), also where M is infinite; exactly 0 where it is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share: Array = 1 / (1 + rows / distance)
    return share


def resolve_path(sample: Sample, *, share: float = 0.75, gamma: float, beta: float | None) -> dict[str, Any]:
    """The penalty by distance, and whether it is a share of the rows of each table or a number for every row."""
    penalty = distance_penalty(sample.scale.K, share, gamma, beta)
    return {"penalty": penalty, "relative": beta is None, "gamma": gamma}


def _oci(counts: Array, penalty: Array, relative: bool, gamma: float) -> Array:
    """Least over the paths of (M + rows off the path) / (N + M) + penalty of the rows on it (equation 7)."""
    rows, distance = total(counts), total_distance(counts, gamma)
    rate = np.minimum(ratio(rows + distance, np.where(relative, rows, np.sign(rows))), LARGEST)
    return _moved(rows, distance) + ratio(cheapest_path(counts, penalty, rate), rows + distance)


#: Only with a penalty relative to K - 1 do classes that nobody used matter: one row off by one, among others.
_ONE_OFF = ((9, 1), (0, 9))
_ONE_WRONG = ((0, 1), (0, 0))


@metric(
    kernel=_oci,
    title="Ordinal classification index",
    plain="off the diagonal (OCI)",
    formula=r"\min_{\mathrm{paths}} \; \frac{M + N - \sum_{\mathrm{path}} C_{tp}}{N + M} + \beta \sum_{\mathrm{path}} C_{tp} |t - p|^\gamma, \qquad M = \left( \sum_{tp} C_{tp} |t - p|^\gamma \right)^{1/\gamma}",
    formula_text="""min over the paths P of   ( M + N − Σ_{P} C[t, p] ) / (N + M)  +  β Σ_{P} C[t, p] d^γ

M = ( Σ C[t, p] d^γ )^(1/γ);   β = share / ( N (K − 1)^γ )  unless given
a path goes from (1, 1) to (K, K), at each step one class up in truth, in prediction or in both""",
    direction="lower",
    bounds=(0, 1),
    undefined="there are no rows",
    ignores="how rare a class is (`uoc` does not), and which way the answers err",
    misleads=[
        "a single answer is judged by it, because it can fall when a right answer becomes wrong",
        "scales of different length are compared: the penalty depends on K, which counts every class, used or not",
    ],
    structure="path",
    depends="scale",
    resolve=resolve_path,
    parameters={
        "share": Parameter(
            "The penalty of a row on the path at the largest distance, as a share of one row off it: 0 forgives whatever keeps the order.",
            range="[0, 1]",
        ),
        "gamma": Parameter("The power of the distance.", range="(0, inf]"),
        "beta": Parameter("The penalty itself, per row and distance; None takes it from ``share``.", range="[0, inf]"),
    },
    cite="cardoso2011",
    see=["uoc", "cem", "oci_general"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": "with a beta of its own, or share 0"},
    broken={"prevalence": ((1, 0), (1, 1))},
    variants=[
        Variant(lambda share, gamma, beta: beta is None and share > 0, broken={"unused_class": _ONE_OFF}),
        Variant(lambda share, gamma, beta: gamma != 1 or beta is not None, needs=frozenset({"whole counts"})),
        Variant(lambda share, gamma, beta: gamma != 1, broken={"replication": ((1, 1), (0, 1))}),
        # from 1/2 on, the path is the main diagonal on every whole table
        Variant(
            lambda share, gamma, beta: gamma == 1 and beta is not None and 0 < beta < 0.5, broken={"replication": _ONE_WRONG}
        ),
    ],
)
def oci(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    share: float = 0.75,
    gamma: float = 1.0,
    beta: float | None = None,
) -> float:
    """Ordinal classification index: wrong classes and wrong order in one number.

    Only a perfect prediction scores 0.

    A path crosses the table from the lowest class to the highest, one class up in truth, in prediction or in both at a time:
    rows on it agree about the order, right or wrong.  With M the total distance of all N rows, the index is the least over
    all paths of (M + rows off the path) / (N + M), plus ``beta`` times the distance to the power ``gamma`` for each row on
    it.  ``beta=None`` takes ``share`` / N for a row at the largest distance: share 0 forgives what keeps the order, and from
    beta = 1 / (N + M) on only the diagonal counts.  With gamma above 1 the index falls as rows are repeated.

    The index can fall when a right answer becomes wrong.  The smallest cases: with share 0 and three classes, truths 1, 2
    score 3/4 if answered 3, 2, and 3/5 if answered 3, 3; with the default share and seven classes, truths 1, 1, 2 score 6/7 if answered 3, 3, 2, and 5/6 if answered 3, 3, 3.

    In the example one of four rows is two classes off: M is 2, the diagonal keeps three, and the index is (2 + 1) / (4 + 2).

    >>> oci([1, 2, 3, 3], [1, 2, 3, 1], labels=[1, 2, 3])
    0.5
    """
    return score(oci, y_true, y_pred, labels=labels, sample_weight=sample_weight, share=share, gamma=gamma, beta=beta)


@documented("The cells, as pairs of true and predicted class.", share="As in `oci`.", gamma="As in `oci`.", beta="As in `oci`.")
def oci_path(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    share: float = 0.75,
    gamma: float = 1.0,
    beta: float | None = None,
) -> list[tuple[Any, Any]]:
    """The path behind `oci`: its cells as pairs of true and predicted class, from the lowest to the highest.

    Of several best paths it is the one closest to the diagonal: the least sum of distances.

    >>> oci_path([1, 1, 2, 2, 2, 3], [1, 2, 3, 3, 3, 3], labels=[1, 2, 3])
    [(1, 1), (1, 2), (2, 3), (3, 3)]
    """
    found = get_metric(oci).with_params(share=share, gamma=gamma, beta=beta)
    counts = as_counts("oci_path", y_true, y_pred, labels, sample_weight)
    found.bind(counts)  # refuses what the score would refuse
    classes = counts.scale.labels
    return [
        (classes[t], classes[p]) for t, p in cells_of_cheapest(counts.matrix, exact_charges(counts.matrix, share, gamma, beta))
    ]


def _oci_unnormalized(counts: Array, penalty: Array, relative: bool) -> Array:
    """Least over the paths of the share of rows off the path + penalty of the rows on it (equation 6)."""
    rows = total(counts)
    rate = ratio(rows, np.where(relative, rows, np.sign(rows)))
    return ratio(cheapest_path(counts, penalty, rate), rows)


def _resolve_unnormalized(sample: Sample, *, share: float, gamma: float, beta: float | None) -> dict[str, Any]:
    options = resolve_path(sample, share=share, gamma=gamma, beta=beta)
    del options["gamma"]
    return options


@metric(
    kernel=_oci_unnormalized,
    title="Ordinal index, not normalized",
    plain="rows off the best path",
    formula=r"\min_{\mathrm{paths}} \; \frac{N - \sum_{\mathrm{path}} C_{tp}}{N} + \beta \sum_{\mathrm{path}} C_{tp} |t - p|^\gamma",
    formula_text="""min over the paths P of   ( N − Σ_{P} C[t, p] ) / N  +  β Σ_{P} C[t, p] d^γ

β = share / ( N (K − 1)^γ )  unless given;  paths as for oci""",
    direction="lower",
    bounds=(0, 1),
    undefined="there are no rows",
    ignores="the total distance that `oci` divides by: errors off the path cost the same however far they are",
    misleads=["the penalty is 0: every answer shifted by one class then looks perfect"],
    structure="path",
    depends="scale",
    resolve=_resolve_unnormalized,
    parameters={
        "share": Parameter(
            "The penalty of a row on the path at the largest distance, as a share of one row off it.", range="[0, 1]"
        ),
        "gamma": Parameter("The power of the distance.", range="(0, inf]"),
        "beta": Parameter("The penalty itself, per row and distance; None takes it from ``share``.", range="[0, inf]"),
    },
    cite="cardoso2011",
    see=["oci"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": "with a beta of its own, or share 0"},
    broken={"prevalence": ((1, 1), (1, 3))},
    variants=[
        Variant(lambda share, gamma, beta: beta is None and share > 0, broken={"unused_class": _ONE_OFF}),
        Variant(lambda share, gamma, beta: beta is not None, needs=frozenset({"whole counts"})),
        # from 1 on, it is the error rate
        Variant(lambda share, gamma, beta: beta is not None and 0 < beta < 1, broken={"replication": _ONE_WRONG}),
    ],
)
def oci_unnormalized(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    share: float = 0.75,
    gamma: float = 1.0,
    beta: float | None = None,
) -> float:
    """Share of rows that the best path through the table leaves out, plus a penalty for errors on it.

    >>> oci_unnormalized([1, 2, 3, 3], [1, 2, 3, 1], labels=[1, 2, 3])
    0.25
    """
    return score(
        oci_unnormalized, y_true, y_pred, labels=labels, sample_weight=sample_weight, share=share, gamma=gamma, beta=beta
    )


def _oci_general(counts: Array, penalty: Array, relative: bool, gamma: float, beta2: float) -> Array:
    """Least over the walks of (M + rows off the walk) / (N + M) + penalty + beta2 · discordant pairs of cells (equation 8).

    Without a price for discordant pairs every cell is in or out by itself; with one of at least N / (N + M) no such pair is
    worth it and the walk is a path; only between the two is there a search.
    """
    rows, distance = total(counts), total_distance(counts, gamma)
    rate = np.minimum(ratio(rows + distance, np.where(relative, rows, np.sign(rows))), LARGEST)
    off = ratio(counts, (rows + distance)[..., None, None])
    on = off * penalty[rank_distance(counts.shape[-1])] * rate[..., None, None]
    cell_by_cell: Array = np.minimum(off, on).sum((-2, -1))
    if beta2 == 0:
        return _moved(rows, distance) + cell_by_cell
    least = ratio(cheapest_path(counts, penalty, rate), rows + distance)
    between = (beta2 < ratio(rows, rows + distance)) & (cell_by_cell < least)
    if between.any():
        least[between] = np.minimum(least[between], cheapest_walk(off[between], on[between], beta2))
    return _moved(rows, distance) + least


def _resolve_general(sample: Sample, *, beta1: float | None, beta2: float, gamma: float) -> dict[str, Any]:
    return {**resolve_path(sample, gamma=gamma, beta=beta1), "beta2": beta2}


@metric(
    kernel=_oci_general, title="Ordinal index, general form", plain="off the best walk",
    formula=r"\min_{\mathrm{walks}} \; \frac{M + N - \sum_{\mathrm{walk}} C_{tp}}{N + M} + \beta_1 \sum_{\mathrm{walk}} C_{tp} |t - p|^\gamma + \beta_2 \, q(\mathrm{walk})",
    formula_text="""min over the walks W of   ( M + N − Σ_{W} C[t, p] ) / (N + M)  +  β₁ Σ_{W} C[t, p] d^γ  +  β₂ · q(W)

M and β₁ as for oci;  q(W) pairs of cells of W that contradict: truth up, prediction down
a walk is a set of cells connected by king's moves that holds (1, 1) and (K, K)""",
    direction="lower", bounds=(0, 1), undefined="there are no rows",
    ignores="how often two cells contradict: a pair of cells costs ``beta2`` whether one row stands in it or a thousand",
    misleads=["``beta2`` is small: answers at random then look nearly as good as answers in order"], structure="path",
    depends="scale", resolve=_resolve_general,
    parameters={"beta1": Parameter("The penalty of distance, ``beta`` of `oci`; None means its default.", range="[0, inf]"),
        "beta2": Parameter("The price of each pair of cells that contradict: 0 makes order free, from 1 on it is `oci`.", range="[0, inf]"),
        "gamma": Parameter("The power of the distance.", range="(0, inf]")},
    cite="cardoso2011", see=["oci"],
    laws={"perfect": "", "reversal": "", "transpose": "", "unused_class": "with a beta1 of its own"},
    broken={"prevalence": ((1, 0), (1, 1))},
    variants=[
    Variant(lambda beta1, beta2, gamma: beta1 is None, broken={"unused_class": _ONE_OFF}),
    Variant(lambda beta1, beta2, gamma: gamma != 1 or beta1 is not None, needs=frozenset({"whole counts"})),
    Variant(lambda beta1, beta2, gamma: gamma != 1, broken={"replication": ((1, 1), (0, 1))}),
    Variant(lambda beta1, beta2, gamma: gamma == 1 and beta1 is not None and 0 < beta1 < 0.5, broken={"replication": _ONE_WRONG}),
],
)  # fmt: skip
def oci_general(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    beta1: float | None = None,
    beta2: float = 0.0,
    gamma: float = 1.0,
) -> float:
    """Ordinal classification index over walks that may turn back, at a price for each pair of cells that contradict.

    Only a perfect prediction scores 0.

    ``beta1`` is the ``beta`` of `oci` (``None``: its default).  With ``beta2=0`` order costs nothing, from 1 on it is `oci`;
    both are exact for any K.  Between them all walks are searched, exactly, up to ten classes.

    >>> truth, answer = [1, 1, 2, 2, 3], [2, 1, 1, 2, 3]
    >>> [round(oci_general(truth, answer, labels=[1, 2, 3], beta2=b), 4) for b in (0, 0.01, 1)]
    [0.4357, 0.4457, 0.5036]
    """
    return score(oci_general, y_true, y_pred, labels=labels, sample_weight=sample_weight, beta1=beta1, beta2=beta2, gamma=gamma)


EMPTY = ("zeros", "uniform", "diagonal")


def _shares(counts: Array, fill: Array, present: Array) -> Array:
    """Each true class as shares of its rows; a class without rows on the whole sample as `fill` has it."""
    shares = ratio(counts, truths(counts)[..., None])
    return np.where(present[:, None], shares, fill)


def _resolve_empty(sample: Sample, *, empty: str, **params: Any) -> dict[str, Any]:
    """What stands in the row of a class without true rows, and how many classes are averaged over."""
    k = sample.scale.K
    fill = {"zeros": np.zeros((k, k)), "uniform": np.full((k, k), 1 / k), "diagonal": np.eye(k)}[empty]
    present = sample.truths > 0
    classes = np.count_nonzero(present) if empty == "zeros" or not present.any() else k
    return {"fill": fill, "classes": classes, **params}


def _uoc(counts: Array, fill: Array, classes: int, present: Array, beta: float) -> Array:
    """The index of the table of shares, at beta / K' for each step of distance on the path."""
    shares = _shares(counts, fill, present)
    distance = total_distance(shares, 1)
    rate = beta * ratio(classes + distance, classes)
    least = cheapest_path(shares, np.arange(counts.shape[-1]), rate)
    return _moved(np.asarray(classes, float), distance) + ratio(least, classes + distance)


_EMPTY_VARIANTS = {
    "uniform": {"perfect": ((1, 0), (0, 0)), "unused_class": ((1, 1), (0, 1))},
    "diagonal": {"unused_class": ((1, 1), (0, 1))},
}


@metric(
    kernel=_uoc, title="Uniform ordinal classification index", plain="OCI, classes weigh alike",
    formula=r"\min_{\mathrm{paths}} \; \frac{M + K' - \sum_{\mathrm{path}} S_{tp}}{K' + M} + \frac{\beta}{K'} \sum_{\mathrm{path}} S_{tp} |t - p|, \qquad S_{tp} = \frac{C_{tp}}{n_t}",
    formula_text="""min over the paths P of   ( M + K′ − Σ_{P} S[t, p] ) / (K′ + M)  +  β / K′ · Σ_{P} S[t, p] d

S[t, p] = C[t, p] / n_t;   M = Σ S[t, p] d;   K′ the present classes
empty="uniform", "diagonal": the row of an absent class is 1/K throughout, 1 on the diagonal, and K′ = K""",
    direction="lower", bounds=(0, 1), undefined="there are no rows",
    ignores="how many rows a class has, and which way the answers err",
    misleads=["a class has a handful of rows: each of them then weighs as much as hundreds elsewhere"], structure="class_mean",
    depends="truths", resolve=_resolve_empty,
    parameters={"beta": Parameter("The penalty per step of distance.", range="[0, 1]"),
        "empty": Parameter("How a class without a true row was answered: it counts for nothing (``zeros``), as if at random (``uniform``), or as if perfectly (``diagonal``).")},
    cite="silva2018", see=["oci", "auoc"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": "where empty classes count as zeros"},
    broken={"transpose": ((2, 1), (0, 1))},
    variants=[Variant(lambda beta, empty, word=word: empty == word, broken=broken) for word, broken in _EMPTY_VARIANTS.items()],
)  # fmt: skip
def uoc(
    y_true: Truth,
    y_pred: Answer = None,
    *,
    labels: Labels = None,
    sample_weight: Weights = None,
    beta: float = 0.75,
    empty: EmptyRows = "zeros",
) -> float:
    """Ordinal classification index in which every true class weighs the same.

    Only a perfect prediction scores 0.

    It is `oci` of the shares within each true class, at a penalty of ``beta`` per step of distance.  A class without a true
    row counts for nothing; ``empty="uniform"`` or ``"diagonal"`` takes it as answered at random or perfectly instead.

    >>> uoc([1, 1, 1, 2, 3], [1, 1, 1, 2, 2], labels=[1, 2, 3])
    0.5
    """
    return score(uoc, y_true, y_pred, labels=labels, sample_weight=sample_weight, beta=beta, empty=empty)


def _auoc(counts: Array, fill: Array, classes: int, present: Array) -> Array:
    """The mean of `_uoc` over beta from 0 to 1: the cost is piecewise linear in beta, and so integrated exactly."""
    shares = _shares(counts, fill, present)
    distance = total_distance(shares, 1)
    least = mean_cheapest(shares, np.arange(counts.shape[-1]), ratio(classes + distance, classes))
    return _moved(np.asarray(classes, float), distance) + ratio(least, classes + distance)


@metric(
    kernel=_auoc, title="Area under the uniform index", plain="UOC, mean over penalties",
    formula=r"\int_0^1 \mathrm{uoc}(\beta) \, d\beta",
    formula_text="∫ uoc(β) dβ from β = 0 to 1, exactly: uoc is piecewise linear in β", direction="lower", bounds=(0, 1),
    undefined="there are no rows", ignores="how many rows a class has, and which way the answers err",
    misleads=["a class has a handful of rows, or none: ``empty`` then decides much of the number"], structure="class_mean",
    depends="truths", resolve=_resolve_empty,
    parameters={"empty": Parameter("How a class without a true row was answered: it counts for nothing (``zeros``), as if at random (``uniform``), or as if perfectly (``diagonal``).")},
    cite="silva2018", see=["uoc", "oci"],
    laws={"perfect": "", "reversal": "", "prevalence": "", "unused_class": "where empty classes count as zeros"},
    broken={"transpose": ((2, 1), (0, 1))},
    variants=[Variant(lambda empty, word=word: empty == word, broken=broken) for word, broken in _EMPTY_VARIANTS.items()],
)  # fmt: skip
def auoc(
    y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None, empty: EmptyRows = "zeros"
) -> float:
    """Mean of `uoc` over all penalties from 0 to 1, exactly: no penalty to choose.

    Only a perfect prediction scores 0.

    >>> auoc([1, 1, 1, 2, 3], [1, 1, 1, 2, 2], labels=[1, 2, 3])
    0.40625
    """
    return score(auoc, y_true, y_pred, labels=labels, sample_weight=sample_weight, empty=empty)
