"""agreement(): how far raters agree beyond chance, each coefficient with an interval, and which raters drive it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.progress import shown
from ordeval.counts import Counts
from ordeval.evaluation import Score, plain_score
from ordeval.infer._methods import METHODS, check_request, interval
from ordeval.metrics.families.agreement import cost_of
from ordeval.raters._coefficients import Coefficient, chosen, pair_kappas
from ordeval.raters._intervals import FEWEST_ITEMS, ItemEvidence, jackknifed, too_few, without_interval
from ordeval.raters._severity import bias_and_severity, connected, severity_units
from ordeval.raters._sums import RatedItems

RESAMPLE = ("items", "crossed")
FEWEST_RATERS = 3  # for raters as a sample of others


@dataclass(frozen=True)
class Components:
    """Where the uncertainty of a coefficient comes from: variances of the estimate, by the jackknife."""

    items: float
    raters: float

    @property
    def share_of_raters(self) -> float:
        return self.raters / (self.items + self.raters) if self.items + self.raters else math.nan


@dataclass(frozen=True)
class Rater:
    """One rater among the others."""

    name: str
    ratings: int
    missing: int  #: items without this rater's rating, an unparsable answer included
    bias: Score  #: steps above (or below) the mean of the others on the items that they share
    severity: Score  #: this rater's part in grade = item + rater, all of them adding up to 0
    kappa: float  #: mean weighted kappa with each of the others
    without: float  #: the first coefficient when this rater is left out
    change: Score  #: the same less the coefficient of all


@dataclass(frozen=True, eq=False)
class Agreement:
    """How far some raters agree."""

    counts: Counts
    scores: dict[str, Score]  #: by coefficient
    titles: dict[str, str]
    raters: dict[str, Rater]
    pairs: Array  #: (R, R) weighted kappa of every two raters; nan where they share nothing
    common: Array  #: (R, R) items that both rated
    components: dict[str, Components]  #: by coefficient; empty with two raters
    settings: dict[str, Any]

    @property
    def items(self) -> dict[str, int]:
        """Items with two ratings or more, with one, without any, and rated by everybody."""
        given = (self.counts.cells >= 0).sum(1)
        chosen = {"two or more": given > 1, "one": given == 1, "none": given == 0, "all": given == len(self.counts.axes)}
        return {words: int(self.counts.weights[rows].sum()) for words, rows in chosen.items()}

    @property
    def primary(self) -> str:
        """The coefficient that raters are left out of: the first."""
        return next(iter(self.scores))

    @property
    def drivers(self) -> list[Rater]:
        """Raters without whom the first coefficient would certainly be another, the largest change first."""
        sure = [rater for rater in self.raters.values() if rater.change.low > 0 or rater.change.high < 0]
        return sorted(sure, key=lambda rater: -abs(rater.change.value))

    @property
    def sentence(self) -> str:
        """One sentence for a paper."""
        from ordeval.raters._text import methods_sentence

        return methods_sentence(self)

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        from ordeval.base.version import __version__

        s = self.settings
        return (
            f"items:{sum(v for k, v in self.items.items() if k != 'all')} raters:{len(self.raters)} k:{self.counts.scale.K} "
            f"resample:{s['resample']} ci:{s['method']} level:{s['confidence_level']} b:{s['n_resamples']} seed:{s['rng']} "
            f"v:{__version__} numpy:{np.__version__}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: undefined is None with a reason."""
        from ordeval.raters._text import agreement_data

        return agreement_data(self)

    def __str__(self) -> str:
        from ordeval.raters._text import agreement_lines

        return "\n".join(agreement_lines(self))


def agreement(
    counts: Counts,
    coefficients: str | Sequence[str] | None = None,
    *,
    weights: Any = "quadratic",
    power: float | None = None,
    resample: str = "items",
    method: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 1_999,
    rng: Any = 0,
) -> Agreement:
    """How far raters agree beyond chance, which raters stand apart, and which of them drive the answer.

    ``counts`` come from `ratings` or from `scan` with ``raters=``.  ``coefficients`` are names from
    ``ordeval.raters._coefficients.COEFFICIENTS``, "all", or None for those of an ordered scale; the first is the one that raters are
    left out of.  ``weights`` and ``power`` are as for `cohen_kappa`.  ``resample="items"`` asks what other items would have given
    with these raters, ``"crossed"`` what other items and other raters would have given, which needs three raters.  ``method`` is
    "auto", the jackknife with Student's t or BCa (docs/coverage-raters.md says which and why), or one of the methods of `evaluate`; for crossed
    samples also "percentile", the bootstrap of items and raters.

    >>> from ordeval.raters._ratings import ratings
    >>> grades = {"ann": [1, 2, 3, 3, 2, 1, 2, 3] * 5, "bob": [1, 2, 3, 2, 2, 1, 2, 3] * 5, "cay": [1, 2, 2, 2, 1, 1, 2, 3] * 5}
    >>> print(agreement(ratings(grades, labels=[1, 2, 3])).scores["alpha_ordinal"])
    0.775 [0.650, 0.901]
    """
    if resample not in RESAMPLE:
        raise ValueError(f"resample={resample!r} is unknown; choose one of {', '.join(map(repr, RESAMPLE))}")
    records = chosen(coefficients, weights, power)
    units = RatedItems.of(counts)
    _check(method, resample, confidence_level, n_resamples, units.R)
    kernels = [record.bind(weights, power, units.K) for record in records]

    def statistic(stack: Array) -> Array:
        sums = units.sums(stack)
        return np.stack([kernel(sums) for kernel in kernels], -1)

    evidence = ItemEvidence(units, statistic, records, n_resamples, rng)
    components = _components(units, kernels, evidence) if units.R >= FEWEST_RATERS else []
    scores = {}
    for m, record in enumerate(records):
        if resample == "items":
            scores[record.name] = _item_score(evidence, m, method, confidence_level)
        else:
            scores[record.name] = _crossed_score(evidence, kernels, m, record, components[m], method, confidence_level)
    settings = {
        "weights": weights if isinstance(weights, str) else "own",
        "power": power,
        "resample": resample,
        "method": method,
        "confidence_level": confidence_level,
        "n_resamples": n_resamples,
        "rng": rng if isinstance(rng, int) else "given",
    }
    pairs, common = _pairs(units, cost_of(weights, power, units.K))
    return Agreement(
        counts,
        scores,
        {record.name: record.shown(weights, power) for record in records},
        _raters(counts, units, evidence, kernels[0], pairs, confidence_level),
        pairs,
        common,
        {record.name: part for record, part in zip(records, components, strict=False)},
        settings,
    )


def _check(method: str, resample: str, confidence_level: float, n_resamples: int, raters: int) -> None:
    check_request("auto", confidence_level, n_resamples, [], False)
    fitting = [name for name in METHODS if name not in ("wilson", "stratified", "dirichlet")]
    if resample == "crossed":
        fitting = ["jackknife", "percentile"]
        if raters < FEWEST_RATERS:
            raise ValueError(f'{raters} raters say nothing about other raters; resample="crossed" needs three or more')
    if method != "auto" and method not in fitting:
        raise ValueError(f"method={method!r} cannot be used here; choose 'auto' or one of {', '.join(map(repr, fitting))}")


def _item_score(evidence: ItemEvidence, m: int, method: str, confidence_level: float) -> Score:
    value, units, record = float(evidence.point[m]), evidence.units, evidence.metrics[m]
    assert isinstance(units, RatedItems)
    assert isinstance(record, Coefficient)
    items, words = (units.complete, "rated by everybody") if record.complete else (units.comparable, "with two ratings")
    if method == "auto" and items < FEWEST_ITEMS and not math.isnan(value):
        return without_interval(value, too_few(items, f"items {words}"))
    found = interval(evidence, m, method=record.method if method == "auto" else method, confidence_level=confidence_level)
    return plain_score(value, found)


def _components(units: RatedItems, kernels: Sequence[Any], evidence: ItemEvidence) -> list[Components]:
    """Variances over items and over raters: what leaving out one item, and one rater, changes."""
    number, n, r = units.number, units.total, units.R
    left = evidence.left_out
    mean = (number[:, None] * left).sum(0) / n
    items = (n - 1) / n * (number[:, None] * (left - mean) ** 2).sum(0)
    without = [units.without(g) for g in range(r)]
    fewer = np.stack([[float(kernel(u.sums(u.whole))[0]) for kernel in kernels] for u in without])
    raters = (r - 1) / r * ((fewer - fewer.mean(0)) ** 2).sum(0)
    return [Components(float(a), float(b)) for a, b in zip(items, raters, strict=True)]


def _crossed_score(
    evidence: ItemEvidence,
    kernels: Sequence[Any],
    m: int,
    record: Coefficient,
    parts: Components,
    method: str,
    confidence_level: float,
) -> Score:
    """Other items and other raters.  Jackknife: both variances added, Student's t with Satterthwaite's degrees of freedom."""
    from scipy.special import stdtrit

    value, units = float(evidence.point[m]), evidence.units
    assert isinstance(units, RatedItems)
    if math.isnan(value):
        return without_interval(value, f"the score is undefined: {record.undefined}")
    if method == "percentile":
        drawn = crossed_replicates(units, kernels[m], evidence.n_resamples, evidence.stream(1))
        lost = float(np.isnan(drawn).mean())
        tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
        low, high = np.quantile(drawn[~np.isnan(drawn)], tails, method="weibull").tolist()
        return Score(value, low, high, "crossed percentile", lost)
    both = parts.items + parts.raters
    if not both > 0 or math.isnan(both):
        reason = "leaving out an item or a rater changes nothing, or leaves no score: disagreement not yet seen cannot be shown"
        return without_interval(value, reason)
    freedom = both**2 / (parts.items**2 / (units.total - 1) + parts.raters**2 / (units.R - 1))
    half = float(stdtrit(freedom, (1 + confidence_level) / 2)) * math.sqrt(both)
    return Score(value, value - half, value + half, "crossed jackknife", details={"degrees_of_freedom": freedom})


def crossed_replicates(units: RatedItems, kernel: Any, size: int, rng: np.random.Generator) -> Array:
    """The coefficient of samples of items and of raters, both drawn with replacement; nan where one rater is alone."""
    parts = []
    for chunk in shown(units.chunks(size), size, "resampling"):
        number = chunk.stop - chunk.start
        weights = units.draw(number, rng).astype(float)
        times = rng.multinomial(units.R, np.full(units.R, 1 / units.R), number).astype(float)
        parts.append(kernel(units.with_raters(weights, times)))
    return np.concatenate(parts)


def _pairs(units: RatedItems, cost: Array) -> tuple[Array, Array]:
    sums = units.sums(units.whole)
    kappas, common = np.full((units.R, units.R), np.nan), np.zeros((units.R, units.R), int)
    first, second = np.triu_indices(units.R, 1)
    kappas[first, second] = kappas[second, first] = pair_kappas(sums, cost)[0]
    common[first, second] = common[second, first] = sums.tables[0].sum((-2, -1)).round().astype(int)
    common[np.diag_indices(units.R)] = sums.margins[0].sum(-1).round().astype(int)
    return kappas, common


def _raters(
    counts: Counts, units: RatedItems, evidence: ItemEvidence, kernel: Any, pairs: Array, confidence_level: float
) -> dict[str, Rater]:
    """Every rater: bias, severity, agreement with the others, and what the first coefficient would be without."""
    apart = severity_units(units.codes, units.number)
    linked = connected(apart.whole, units.R)

    def both(stack: Array) -> Array:
        return bias_and_severity(stack, units.R).reshape(len(stack), -1)

    point, left_out = apart.point(both), apart.left_out(both)
    found = {}
    for g, name in enumerate(counts.axes):
        given = int(counts.weights[counts.cells[:, g] >= 0].sum())
        scores = [
            jackknifed(apart, float(point[j]), left_out[:, j], "no item is shared with another rater", confidence_level)
            for j in (g, units.R + g)
        ]
        if not linked:
            scores[1] = without_interval(math.nan, "the raters fall into groups that share no item, directly or through others")
        change = _change(evidence, units.without(g), kernel, confidence_level)
        with_others = np.delete(pairs[g], g)
        found[name] = Rater(
            name,
            given,
            int(counts.weights.sum()) - given,
            scores[0],
            scores[1],
            float(np.nanmean(with_others)) if not np.isnan(with_others).all() else math.nan,
            float(evidence.point[0]) + change.value,
            change,
        )
    return found


def _change(evidence: ItemEvidence, fewer: RatedItems, kernel: Any, confidence_level: float) -> Score:
    """Without one rater less with all: the same items are left out of both, so their difference has its own jackknife."""
    if fewer.R < 2:
        return without_interval(math.nan, "with two raters nobody can be left out")
    point = float(kernel(fewer.sums(fewer.whole))[0] - evidence.point[0])
    left_out = fewer.left_out(lambda stack: kernel(fewer.sums(stack))) - evidence.left_out[:, 0]
    undefined = "without this rater no two ratings can be compared"
    return jackknifed(evidence.units, point, left_out, undefined, confidence_level)
