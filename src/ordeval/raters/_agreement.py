"""agreement(): how far raters agree beyond chance, each coefficient with an interval, and which raters drive it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.progress import shown as show_progress
from ordeval.base.types import Matrix, Method, Rng
from ordeval.base.version import __version__
from ordeval.counts import Counts
from ordeval.evaluation import Score, plain_score
from ordeval.infer._auto import PSEUDO_SIGNED
from ordeval.infer._item_space import FEWEST_ITEMS, SumSpace, too_few, with_alternatives
from ordeval.infer._methods import METHODS, check_request, interval, samples
from ordeval.metrics.families.agreement import cost_of
from ordeval.raters._coefficients import Coefficient, KappaWeights, choose, pair_kappas
from ordeval.raters._intervals import ItemEvidence, jackknifed, without_interval
from ordeval.raters._ratings import check_word, raters_of
from ordeval.raters._severity import bias_and_severity, connected, severity_units
from ordeval.raters._sums import RatedItems
from ordeval.raters._text import paragraphs, published, shown, unparsable_words
from ordeval.show import Block, Card, Result, Table, number, printable
from ordeval.show._numbers import percent, signed
from ordeval.show._plain import shorten
from ordeval.show._result import Record, plain_data

Resample: TypeAlias = Literal["items", "crossed"]
MOST_RATERS = 12  # rows of a table of raters on a screen
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
class Agreement(Result):
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
        """The first coefficient, which is also computed without each rater."""
        return next(iter(self.scores))

    @property
    def drivers(self) -> list[Rater]:
        """Raters without whom the first coefficient would be different, with confidence; the largest change first."""
        sure = [rater for rater in self.raters.values() if rater.change.low > 0 or rater.change.high < 0]
        return sorted(sure, key=lambda rater: -abs(rater.change.value))

    @property
    def sentence(self) -> str:
        """One sentence for a paper: what was measured, on what, how sure."""
        score, s, items = self.scores[self.primary], self.settings, self.items
        how = {"items": "over items", "crossed": "over items and raters"}[s["resample"]]
        ends = (
            f"{100 * s['confidence_level']:g} % interval {number(score.low, 2)} to {number(score.high, 2)} ({score.method} {how})"
            if score.method != "none"
            else f"no interval: {score.reason}"
        )
        return (
            f"{len(self.raters)} raters gave {sum(rater.ratings for rater in self.raters.values()):,} ratings of "
            f"{items['two or more'] + items['one']:,} items on {self.counts.scale.K} ordered classes; "
            f"{self.titles[self.primary]} was {number(score.value, 2)}, {ends} (ordeval {__version__})."
        )

    @property
    def headline(self) -> str:
        """The first coefficient with its interval, in one line."""
        score, level = self.scores[self.primary], f"{100 * self.settings['confidence_level']:g} %"
        sure = (
            f"{level} interval {number(score.low)} to {number(score.high)}"
            if score.method != "none"
            else f"no interval: {score.reason}"
        )
        return f"{self.titles[self.primary]} is {number(score.value)} ({sure}; 1 is full agreement)."

    @property
    def provenance(self) -> str:
        """How the numbers came about, in one line."""
        s = self.settings
        over = {"items": "items", "crossed": "items and raters"}[s["resample"]]
        how = f"{100 * s['confidence_level']:g} % intervals, {s['n_resamples']:,} resamples of {over}, seed {s['rng']}"
        return f"{how} · ordeval {__version__} (numpy {np.__version__})"

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        s = self.settings
        return (
            f"items:{sum(v for k, v in self.items.items() if k != 'all')} raters:{len(self.raters)} k:{self.counts.scale.K} "
            f"resample:{s['resample']} ci:{s['method']} level:{s['confidence_level']} b:{s['n_resamples']} seed:{s['rng']} "
            f"v:{__version__} numpy:{np.__version__}"
        )

    @documented(
        "The coefficients by name, with their ends as ``name_low`` and ``name_high``; what is undefined is left out.",
        prefix="What every name begins with, such as the name of a run.",
        separator="What stands between the prefix and the name.",
    )
    def flat(self, prefix: str = "", separator: str = "/") -> dict[str, float]:
        """The coefficients as a flat mapping, for tools that log numbers by name."""
        start = f"{prefix}{separator}" if prefix else ""
        found: dict[str, float] = {}
        for name, score in self.scores.items():
            ends = {name: score.value, f"{name}_low": score.low, f"{name}_high": score.high}
            found |= {start + end: value for end, value in ends.items() if math.isfinite(value)}
        return found

    @property
    def _drivers_text(self) -> str:
        """Which raters drive the first coefficient."""
        title = self.titles[self.primary]
        if len(self.raters) < FEWEST_RATERS:
            return ""
        if not self.drivers:
            return f"These items do not show that leaving out a single rater would change {title}."
        said = [
            f"{printable(rater.name)} ({signed(rater.change.value)} [{signed(rater.change.low)}, {signed(rater.change.high)}])"
            for rater in self.drivers[:3]
        ]
        return f"{title} would change without {', '.join(said)}{' …' if len(self.drivers) > 3 else ''}."

    @property
    def _components_text(self) -> str:
        parts = self.components.get(self.primary)
        if parts is None or math.isnan(parts.share_of_raters):
            return ""
        share = percent(parts.share_of_raters)
        return f"Of its uncertainty over other items and other raters, {share} comes from having only {len(self.raters)} raters."

    @property
    def _head(self) -> str:
        """What was read."""
        items = self.items
        given = sum(rater.ratings for rater in self.raters.values())
        said = f"{int(self.counts.weights.sum()):,} items · {given:,} ratings by {len(self.raters)} raters"
        said += f" · {items['two or more']:,} items with two or more"
        said += "".join(f" · {items[words]:,} with {words}" for words in ("one", "none") if items[words])
        return said + "".join(f" · {n:,} left out: {reason}" for reason, n in self.counts.audit.excluded.items())

    def _rater_table(self, most: int | None = None) -> Table:
        def row(rater: Rater) -> list[str]:
            bias = rater.bias
            ends = "" if bias.method == "none" else f" [{signed(bias.low)}, {signed(bias.high)}]"
            kappa, without = ("–" if math.isnan(value) else number(value) for value in (rater.kappa, rater.without))
            return [rater.name, f"{rater.ratings:,}", f"{signed(bias.value)}{ends}", kappa, without]

        listed = list(self.raters.values())[:most]
        left = len(self.raters) - len(listed)
        return Table(
            ["rater", "ratings", "bias (steps)", "kappa", "without"],
            [row(rater) for rater in listed],
            "Bias and mean kappa are against the other raters; the last column is "
            f"{self.titles[self.primary]} without the rater.",
            [f"… and {left:,} more raters"] if left else [],
        )

    def _rows(self) -> list[Record]:
        parts = ("value", "low", "high", "method", "reason")
        return [{"coefficient": name, **{part: getattr(s, part) for part in parts}} for name, s in self.scores.items()]

    @property
    def _reasons(self) -> list[str]:
        return [f"No interval: {reason}." for reason in dict.fromkeys(s.reason for s in self.scores.values() if s.reason)]

    def _blocks(self, source: str = "") -> list[Block]:
        level = f"{100 * self.settings['confidence_level']:g} %"
        over = {"items": "other items, these raters", "crossed": "other items and other raters"}[self.settings["resample"]]
        taken = " (taken from the data)" if self.counts.scale.inferred else ""
        head = [(shorten(source or "items", 30), self._head), ("classes", f"{self.counts.scale}{taken}")]
        scores = [(self.titles[name], shown(score)) for name, score in self.scores.items()]
        return [
            Card("", head),
            *paragraphs(*unparsable_words(self.counts)),
            Card(f"agreement, {level} intervals over {over}", scores),
            *paragraphs(*self._reasons),
            self._rater_table(MOST_RATERS),
            *paragraphs(self._drivers_text, self._components_text, self.signature),
        ]

    def _tables(self) -> list[Block]:
        def cells(score: Score) -> list[str]:
            ends = "no interval" if score.method == "none" else f"[{number(score.low)}, {number(score.high)}]"
            return [number(score.value), ends]

        rows = [[self.titles[name], *cells(score)] for name, score in self.scores.items()]
        return [Table(["coefficient", "value", "interval"], rows, self.sentence, self._reasons)]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: undefined is None with a reason."""
        parts = ("scores", "titles", "raters", "pairs", "common", "components", "items")
        return {
            "schema": 1,
            **{part: published(getattr(self, part)) for part in parts},
            "labels": plain_data(self.counts.scale.labels),
            "unparsable": self.counts.unparsable,
            "settings": self.settings,
            "signature": self.signature,
        }


@documented(
    "Every coefficient with its interval, every rater beside the others, and what the uncertainty is made of.",
    counts="The ratings, from `ratings` or `scan`.",
    coefficients='Coefficients by name; "all", or None for those of an ordered scale. The first is also computed without each rater.',
    weights="How much a near miss counts: a named scheme, or a symmetric K×K matrix with 1 on its diagonal.",
    power="Instead of a scheme: the cost is (distance / (K - 1)) ** power.",
    resample='What another sample would contain: other items with these raters, or, "crossed", other items and other raters.',
    method='How intervals are found; "auto" inverts a test by simulation, or, over items and raters, adds their jackknife variances.',
)
def agreement(
    counts: Counts,
    coefficients: str | Sequence[str] | None = None,
    *,
    weights: KappaWeights | Matrix = "quadratic",
    power: float | None = None,
    resample: Resample = "items",
    method: Method = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> Agreement:
    """How far raters agree beyond chance, which raters stand apart, and which of them drive the answer.

    The "auto" intervals of coefficients and of a rater's bias are found by test inversion and need 15 items.  The jackknife
    gives the intervals of a rater's severity, of what leaving out a rater changes, and of everything over other raters.  The last,
    ``resample="crossed"``, needs three raters; beside "auto" its methods are "jackknife" and "percentile", the bootstrap of items
    and raters.  How often the intervals hold was measured: docs/coverage-raters.md.

    >>> from ordeval.raters._ratings import ratings
    >>> grades = {"ann": [1, 2, 3, 3, 2, 1, 2, 3] * 5, "bob": [1, 2, 3, 2, 2, 1, 2, 3] * 5, "cay": [1, 2, 2, 2, 1, 1, 2, 3] * 5}
    >>> print(agreement(ratings(grades, labels=[1, 2, 3])).scores["alpha_ordinal"])
    0.775 [0.626, 0.879]
    """
    check_word("resample", resample, get_args(Resample))
    records = choose(coefficients, weights, power)
    units = RatedItems.of(counts)
    _check(method, resample, confidence_level, n_resamples, units.R)
    kernels = [record.bind(weights, power, units.K) for record in records]
    records = [record.on(units, cost_of(weights, power, units.K), raters_of(counts)) for record in records]
    evidence = ItemEvidence(units, kernels, records, n_resamples, rng)
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
        "n_resamples": samples("auto" if (method, resample) == ("auto", "items") else "bootstrap", n_resamples),
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


def _check(method: str, resample: str, confidence_level: float, n_resamples: int | None, raters: int) -> None:
    check_request("auto", confidence_level, n_resamples, [], False)
    fitting = [name for name in METHODS if name not in ("wilson", "stratified", "dirichlet")]
    if resample == "crossed":
        fitting = ["jackknife", "percentile"]
        if raters < FEWEST_RATERS:
            raise ArgumentError(
                "{number} raters say nothing about other raters",
                argument="resample",
                remedy='{resample:"crossed"} needs three or more',
                values={"number": raters},
            )
    if method != "auto" and method not in fitting:
        raise ArgumentError(
            "{method:{given}} cannot be used here",
            argument="method",
            remedy=f"choose 'auto' or one of {', '.join(map(repr, fitting))}",
            values={"given": repr(method)},
        )


def _item_score(evidence: ItemEvidence, m: int, method: str, confidence_level: float) -> Score:
    return plain_score(float(evidence.point[m]), interval(evidence, m, method=method, confidence_level=confidence_level))


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
        reason = (
            "leaving out an item or a rater changes nothing, or leaves no score, so the jackknife does not show the uncertainty"
        )
        return without_interval(value, reason)
    freedom = both**2 / (parts.items**2 / (units.total - 1) + parts.raters**2 / (units.R - 1))
    half = float(stdtrit(freedom, (1 + confidence_level) / 2)) * math.sqrt(both)
    return Score(value, value - half, value + half, "crossed jackknife", details={"degrees_of_freedom": freedom})


def crossed_replicates(units: RatedItems, kernel: Any, size: int, rng: np.random.Generator) -> Array:
    """The coefficient of samples of items and of raters, both drawn with replacement; nan where one rater is alone."""
    parts = []
    for chunk in show_progress(units.chunks(size), size, "resampling"):
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
    """Every rater: bias, severity, agreement with the others, and what the first coefficient would be without.

    Bias has its interval from the core; severity and what a coefficient would be without a rater have that of the jackknife.
    """
    apart = severity_units(units.codes, units.number)
    linked = connected(apart.whole, units.R)

    def both(stack: Array) -> Array:
        return bias_and_severity(stack, units.R).reshape(len(stack), -1)

    point, left_out = apart.point(both), apart.left_out(both)
    cells, number, added = with_alternatives(units.codes, units.number, units.K, PSEUDO_SIGNED)
    smoothed = severity_units(cells, number)
    found = {}
    for g, name in enumerate(counts.axes):
        given = int(counts.weights[counts.cells[:, g] >= 0].sum())
        bias, shared = float(point[g]), float(apart.whole[0, units.R + g])
        if shared < FEWEST_ITEMS:
            said = without_interval(bias, too_few(shared, "items shared with another rater"))
        else:
            space = SumSpace(_mean_difference, smoothed.adds[:, [g, units.R + g]], number, added)
            farthest = units.K - 1.0
            said = plain_score(bias, evidence.of_space(space, bias, (-farthest, farthest), confidence_level, f"bias {g}"))
        if linked:
            column, alone = units.R + g, "no item is shared with another rater"
            severity = jackknifed(apart, float(point[column]), left_out[:, column], alone, confidence_level)
        else:
            severity = without_interval(math.nan, "the raters fall into groups that share no item, directly or through others")
        change = _change(evidence, units.without(g), kernel, confidence_level)
        with_others = np.delete(pairs[g], g)
        found[name] = Rater(
            name,
            given,
            int(counts.weights.sum()) - given,
            said,
            severity,
            float(np.nanmean(with_others)) if not np.isnan(with_others).all() else math.nan,
            float(evidence.point[0]) + change.value,
            change,
        )
    return found


def _mean_difference(stack: Array) -> Array:
    return ratio(stack[:, 0], stack[:, 1])


def _change(evidence: ItemEvidence, fewer: RatedItems, kernel: Any, confidence_level: float) -> Score:
    """Without one rater less with all: the same items are left out of both, so their difference has its own jackknife."""
    if fewer.R < 2:
        return without_interval(math.nan, "with two raters nobody can be left out")
    point = float(kernel(fewer.sums(fewer.whole))[0] - evidence.point[0])
    left_out = fewer.left_out(lambda stack: kernel(fewer.sums(stack))) - evidence.left_out[:, 0]
    undefined = "without this rater no two ratings can be compared"
    return jackknifed(evidence.units, point, left_out, undefined, confidence_level)
