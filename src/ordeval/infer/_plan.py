"""How many rows are needed: from a pilot table, for a half-width or for the power to see a difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.infer._auto import PSEUDO_SIGNED, Streams, by_class, pseudo_rows
from ordeval.infer._common import bad_value
from ordeval.infer._conditions import CLASS_ROWS, FEWEST_ROWS, OTHERWISE, Facts, lacking
from ordeval.infer._flips import paired
from ordeval.infer._methods import check_level
from ordeval.infer._tables import ALL_CELLS, Clusters, TableSample, term
from ordeval.infer._walk import NORMAL
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.docs import short_title
from ordeval.show import Line, Result
from ordeval.show._plain import printable
from ordeval.show._result import Record

SIMULATED = 1_000  # samples of the planned size
SIMULATED_LARGE = 200  # the same for large tables, whose slopes are dear
MOST_ROWS = 10**15
LOOKS = 12  # at numbers of rows, before the search for the least of them ends
MAY_LACK = 0.05  # share of the samples of the planned size that may lack what an interval needs
NO_EXTREME_PLAN = (
    "its score is a maximum or a minimum over the classes, for which rows cannot be planned; plan for an average over the classes"
)


@dataclass(frozen=True)
class Plan(Result):
    """Rows needed, and what a simulation at that number of rows gave."""

    metric: str
    models: tuple[str, ...]
    needed: int  #: rows; clusters, where the pilot has clusters
    unit: str  #: "rows" or "clusters"
    half_width: float | None  #: asked for
    difference: float | None  #: asked for
    power: float | None
    confidence_level: float
    pilot: int  #: rows, or clusters, of the pilot
    pilot_score: float  #: the score, or the difference second − first
    pilot_error: float  #: its large-sample standard error
    simulated: float  #: median half-width, or power, of samples of the planned size drawn from the pilot
    assurance: float | None  #: the share of those samples that must be as narrow as asked for
    lacking_share: float  #: share of those samples that would get no interval
    lacking: str = ""  #: and why, where fewer rows would do but for them

    def _rows(self) -> list[Record]:
        return [{name: getattr(self, name) for name in ("metric", "needed", "unit", "half_width", "difference", "power")}]

    def _blocks(self) -> list[Line]:
        level, name = f"{100 * self.confidence_level:g} %", short_title(self.metric)
        if self.half_width is not None:
            found = (
                f"give a {level} interval of {name} no wider than ± {self.half_width:g} {_times(self.assurance or 0)} "
                f"(simulated: ± {self.simulated:.3g} at the median)"
            )
        else:
            found = (
                f"show {_article(name)} {name} difference of {self.difference:g} {_times(self.power or 0)} "
                f"(simulated power: {self.simulated:.3f})"
            )
        why = f" {self.lacking[:1].upper()}{self.lacking[1:]}." if self.lacking else ""
        return [Line(f"{self.needed:,} {self.unit} {found}, if they are like these {self.pilot:,}.{why}")]


def _times(share: float) -> str:
    """How often, in words: "four times in five"."""
    return {0.5: "half the time", 0.8: "four times in five", 0.9: "nine times in ten", 0.95: "19 times in 20"}.get(
        share, f"{100 * share:g} times in 100"
    )


def _article(name: str) -> str:
    """ "a" or "an", before a word or letters spelled out."""
    return "an" if name[:1] in ("AEFHILMNORSX" if name.isupper() else "AEIOUaeiou") else "a"


@documented(
    "The rows needed, or clusters, and what samples of that size gave.",
    half_width="The half-width that the interval should have.",
    difference="The difference between two models that should be detected.",
    power="The probability of detecting that difference.",
    assurance="The share of samples in which the interval should be so narrow.",
)
def plan(
    counts: Counts,
    metric: str | Metric | Callable[..., float],
    *,
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    assurance: float = 0.8,
    confidence_level: float = 0.95,
    models: Sequence[str] | None = None,
    rng: Rng = 0,
) -> Plan:
    """Rows needed for an interval of this half-width, or to detect this difference between two models with this power.

    Samples of the planned size are drawn from the smoothed pilot; each has a large-sample error of its own.  What `evaluate` would
    refuse in more than 5 % of them is not planned for.  A pilot with clusters plans clusters of the same size.

    >>> print(plan(Counts.from_matrix([[40, 10], [10, 40]]), "accuracy", half_width=0.05))
    266 rows give a 95 % interval of Accuracy no wider than ± 0.05 four times in five (simulated: ± 0.0483 at the median), if they are like these 100.
    """
    _check_request(half_width, difference, power, assurance, confidence_level)
    found = get_metric(metric)
    names = _models(counts, models, paired=difference is not None)
    pilot = _Pilot(counts, names, found)
    tail = NORMAL.inv_cdf((1 + confidence_level) / 2)
    aim = half_width / tail if half_width is not None else abs(difference or 0) / (tail + NORMAL.inv_cdf(power))
    if aim <= 0:
        chance = f"{1 - confidence_level:g}"
        raise bad_value("power", power, "is reached by chance alone at this level", "take a power above {chance}", chance=chance)
    streams = Streams(rng)

    def short(rows: int) -> tuple[float, float]:
        """What samples of so many rows give, and by how much more than is asked for (below 1: it is enough)."""
        scores, errors = pilot.simulated(rows, streams.of("plan", rows))
        if half_width is not None:
            return float(np.median(tail * errors)), float(np.quantile(tail * errors, assurance)) / half_width
        assert difference is not None
        shift = abs(difference)
        shifted = np.abs(scores - pilot.score + shift)
        seen = float((shifted > tail * errors).mean())
        needed = float(np.quantile((tail * errors - shifted + shift) / shift, power))
        return seen, max(needed, 0.5) if seen < power else min(needed, 1.0)

    rows, simulated = _least(short, pilot.rows * (pilot.error / aim) ** 2, pilot)
    enough = pilot.enough_rows(streams.of("classes"))
    why = ""
    if enough > rows:
        why = f"{rows:,} rows would be enough for that, but too often {pilot.lacking_at(rows)}"
        rows, simulated = enough, short(enough)[0]
    needed = max(2, math.ceil(rows / pilot.per_unit))
    return Plan(
        str(found), names, needed, pilot.unit, half_width, difference, power if difference is not None else None, confidence_level,
        pilot.units, pilot.score, pilot.error, simulated, None if half_width is None else assurance,
        pilot.lacking_share(rows, streams.of("classes")), why,
    )  # fmt: skip


class _Pilot:
    """The pilot's smoothed table, from which samples of the planned size are drawn; rows are independent ones, or as good as."""

    def __init__(self, counts: Counts, names: Sequence[str], metric: Metric) -> None:
        counts = metric.place(counts)
        self.metric, self.sample = metric, TableSample(counts, names)
        both = counts if len(names) == 1 else paired(counts, *names)
        signs = (1,) if len(names) == 1 else (-1, 1)
        terms = [term(metric, both[model], sign) for model, sign in zip(names, signs, strict=True)]
        self.score = sum(t.sign * float(t.at(both[m].matrix[None].astype(float))[0]) for t, m in zip(terms, names, strict=True))
        what = str(metric) if len(names) == 1 else f"difference in {metric}"
        self.labels, clusters = counts.scale.labels, self.sample.clusters()
        reason = f"its {what} is undefined ({metric.undefined})" if math.isnan(self.score) else self._never(clusters)
        if reason:
            raise ValueError(f"nothing can be planned from this pilot: {reason}")
        pseudo = pseudo_rows(metric) if len(names) == 1 else PSEUDO_SIGNED
        self.space = self.sample.space(terms, pseudo)
        self.by_class = self.sample.space(terms, pseudo, by_class=len(names) == 1 and by_class(metric))
        self.share = self.space.start
        self.rows, self.unit, self.units = self.sample.rows, "rows", int(self.sample.rows)
        self.per_unit = 1.0  # independent rows that a unit is worth
        if clusters is not None:
            worth = clusters.rows(self.by_class, 0.025, student=False)
            self.unit, self.units, self.per_unit = "clusters", clusters.number, worth / clusters.number
            self.rows = worth
        self.error = float(self.by_class.influence(self.by_class.start)[1]) * math.sqrt(self.sample.rows / self.rows)
        if not self.error > 0:
            raise ValueError(
                f"nothing can be planned from this pilot: its {what} does not vary from row to row; take a larger one"
            )

    def _never(self, clusters: Clusters | None) -> str:
        """What no number of rows would mend, or what the pilot cannot show."""
        metric, truths = self.metric, self.sample.truths
        if metric.structure == "extreme":
            return NO_EXTREME_PLAN
        if metric.structure in CLASS_ROWS and not truths.all():
            return lacking(metric, Facts(math.inf, truths, self.labels, None))
        return lacking(metric, Facts(self.sample.rows, np.full(len(truths), math.inf), self.labels, clusters))

    def simulated(self, rows: int, rng: np.random.Generator) -> tuple[Array, Array]:
        """Scores and standard errors of samples of so many rows; those without are left out."""
        size = SIMULATED if self.sample.K <= ALL_CELLS else SIMULATED_LARGE
        weights = rng.multinomial(rows, self.share, size).astype(float)
        scores = self.space.scores(weights)
        known = ~np.isnan(scores)
        if not known.any():
            return np.full(1, math.nan), np.full(1, math.inf)
        return scores[known], self.by_class.errors(weights[known])

    def _drawn_truths(self, rows: int, rng: np.random.Generator) -> Array:
        true = self.sample.cells()[:, 0]
        return rng.multinomial(rows, np.bincount(true, self.share, minlength=self.sample.K), SIMULATED)

    def lacking_share(self, rows: int, rng: np.random.Generator) -> float:
        """In what share of samples of so many rows no interval would be given."""
        least = CLASS_ROWS.get(self.metric.structure, 0)
        if rows < FEWEST_ROWS.get(self.metric.structure, OTHERWISE):
            return 1.0
        return float((self._drawn_truths(rows, rng) < least).any(1).mean()) if least else 0.0

    def lacking_at(self, rows: int) -> str:
        """Why, in words."""
        expected = np.bincount(self.sample.cells()[:, 0], self.share, minlength=self.sample.K)
        label = printable(self.labels[int(np.argmin(expected))])
        if rows < FEWEST_ROWS.get(self.metric.structure, OTHERWISE):
            return "so few rows give no interval"
        return f"the true class {label} would have fewer than {CLASS_ROWS[self.metric.structure]} of them"

    def enough_rows(self, rng: np.random.Generator) -> int:
        """The least number of rows at which an interval is nearly always given."""
        rows = 2
        while self.lacking_share(rows, rng) > MAY_LACK and rows < MOST_ROWS:
            rows = math.ceil(1.1 * rows)
        return rows


def _least(short: Callable[[int], tuple[float, float]], first: float, pilot: _Pilot) -> tuple[int, float]:
    """The least number of rows that is enough: errors shrink with its root, so a few looks find it."""
    rows = first
    best: tuple[int, float] | None = None
    for _ in range(LOOKS):
        if rows > MOST_ROWS:
            raise ValueError(f"this would take {rows:.1e} {pilot.unit}, more than anyone can count; ask for less")
        whole = max(2, math.ceil(rows))
        given, over = short(whole)
        if over <= 1 and (best is None or whole < best[0]):
            best = (whole, given)
        if best is not None and (over > 1 or abs(over - 1) < 0.005):
            break
        rows = max(2.0, whole * min(max(over, 0.5), 2.0) ** 2)
        if math.ceil(rows) == whole:
            rows = whole + (1 if over > 1 else -1)
    return best if best is not None else (whole, given)


def _check_request(
    half_width: float | None, difference: float | None, power: float, assurance: float, confidence_level: float
) -> None:
    if (half_width is None) == (difference is None):
        both = "both were given" if half_width is not None else "neither was given"
        raise ArgumentError(
            f"a plan is for {{half_width}} or for {{difference}}, but {both}", argument="half_width", remedy="give one of them"
        )
    for word, asked in (("half_width", half_width), ("difference", difference)):
        if asked is not None and not (math.isfinite(asked) and asked != 0 and (asked > 0 or word == "difference")):
            number = "a number above 0" if word == "half_width" else "a finite number that is not 0"
            remedy = f"give {number}, such as {{{word}:0.02}}"
            raise bad_value(word, asked, "cannot be planned for", remedy)
    for word, share in (("power", power), ("assurance", assurance)):
        if not 0 < share < 1:
            raise bad_value(word, share, "is not between 0 and 1", "0.8 is usual")
    check_level(confidence_level)


def _models(counts: Counts, models: Sequence[str] | None, *, paired: bool) -> tuple[str, ...]:
    names = tuple(counts.models if models is None else models)
    wanted = 2 if paired else 1
    if len(names) != wanted:
        what = "a difference is planned between two models" if paired else "a half-width is planned for one model"
        raise ArgumentError(
            f"{what}, but there {'is' if len(names) == 1 else 'are'} {len(names)} ({{names}})",
            argument="models",
            remedy="count both on the same rows" if len(counts.models) < wanted else "choose with {models:{first}}",
            values={"names": ", ".join(names), "first": list(names[:wanted])},
        )
    return names
