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
from ordeval.infer._common import bad_value
from ordeval.infer._evidence import EQUAL
from ordeval.infer._methods import NORMAL, check_level
from ordeval.infer._units import Statistic, Units
from ordeval.metrics import Metric, get_metric
from ordeval.show import Line, Result
from ordeval.show._result import Record

SIMULATED = 4_000  # samples of the planned size: the simulated half-width is then known to about 2 %
MOST_ROWS = 10**15


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
    simulated: float  #: half-width, or power, of samples of the planned size drawn from the pilot
    undefined_share: float  #: share of those samples without a score

    def _rows(self) -> list[Record]:
        return [{name: getattr(self, name) for name in ("metric", "needed", "unit", "half_width", "difference", "power")}]

    def _blocks(self) -> list[Line]:
        level = f"{100 * self.confidence_level:g} %"
        if self.half_width is not None:
            goal = f"a {level} interval of {self.metric} ± {self.half_width:g}"
            check = f"simulated half-width {self.simulated:.3g}"
        else:
            goal = f"a difference of {self.difference:g} in {self.metric}, seen at the {level} level with power {self.power:g}"
            check = f"simulated power {self.simulated:.3f}"
        lost = f", {self.undefined_share:.1%} of the samples without a score" if self.undefined_share else ""
        pilot = f"pilot of {self.pilot:,} {self.unit}: {self.pilot_score:.3f}, standard error {self.pilot_error:.3g}"
        return [Line(f"{self.needed:,} {self.unit} for {goal} ({pilot}; {check}{lost})")]


@documented(
    "The rows needed, or clusters, and what samples of that size gave.",
    half_width="The half-width that the interval should have.",
    difference="The difference between two models that should be seen.",
    power="The probability of seeing it.",
)
def plan(
    counts: Counts,
    metric: str | Metric | Callable[..., float],
    *,
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    models: Sequence[str] | None = None,
    rng: Rng = 0,
) -> Plan:
    """Rows needed for an interval of this half-width, or to see this difference of two models with this power.

    The pilot's large-sample error shrinks with the square root of the rows; a simulation at the planned number says whether the
    promise is kept there.  A pilot with clusters plans clusters.

    >>> print(plan(Counts.from_matrix([[40, 10], [10, 40]]), "accuracy", half_width=0.05))
    246 rows for a 95 % interval of accuracy ± 0.05 (pilot of 100 rows: 0.800, standard error 0.04; simulated half-width 0.0508)
    """
    _check_request(half_width, difference, power, confidence_level)
    found = get_metric(metric)
    names = _models(counts, models, paired=difference is not None)
    kernels = [found.bind(counts[model]) for model in names]

    def statistic(stack: Array) -> Array:
        scores = [kernel(stack[:, m]) for m, kernel in enumerate(kernels)]
        return scores[0] if len(scores) == 1 else np.asarray(scores[1] - scores[0])

    units = Units(counts, names)
    score = float(units.point(statistic))
    what = str(found) if difference is None else f"difference in {found}"
    error = _error(units, statistic, what, score, found.undefined)
    tail = NORMAL.inv_cdf((1 + confidence_level) / 2)
    aim = half_width / tail if half_width is not None else abs(difference or 0) / (tail + NORMAL.inv_cdf(power))
    if aim <= 0:
        chance = f"{1 - confidence_level:g}"
        raise bad_value("power", power, "is reached by chance alone at this level", "take a power above {chance}", chance=chance)
    wanted = units.total * (error / aim) ** 2
    unit = "clusters" if units.clustered else "rows"
    if wanted > MOST_ROWS:
        raise ValueError(f"this would take {wanted:.1e} {unit}, more than anyone can count; ask for less")
    needed = max(2, math.ceil(wanted))
    drawn = _simulated(units, statistic, needed, np.random.default_rng(rng))
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        simulated = math.nan
    elif half_width is not None:
        low, high = np.quantile(known, [(1 - confidence_level) / 2, (1 + confidence_level) / 2])
        simulated = float(high - low) / 2
    else:
        shifted = known - score + abs(difference or 0)
        simulated = float((np.abs(shifted) > tail * error * math.sqrt(units.total / needed)).mean())
    return Plan(
        str(found),
        names,
        needed,
        unit,
        half_width,
        difference,
        power if difference is not None else None,
        confidence_level,
        units.total,
        score,
        error,
        simulated,
        1 - len(known) / len(drawn),
    )


def _check_request(half_width: float | None, difference: float | None, power: float, confidence_level: float) -> None:
    if (half_width is None) == (difference is None):
        both = "both were given" if half_width is not None else "neither was given"
        raise ArgumentError(
            f"a plan is for {{half_width}} or for {{difference}}, and {both}", argument="half_width", remedy="give one of them"
        )
    for word, asked in (("half_width", half_width), ("difference", difference)):
        if asked is not None and not (math.isfinite(asked) and asked != 0 and (asked > 0 or word == "difference")):
            remedy = f"give a finite number that is not 0, such as {{{word}:0.02}}"
            raise bad_value(word, asked, "cannot be planned for", remedy)
    if not 0 < power < 1:
        raise bad_value("power", power, "is not between 0 and 1", "0.8 is usual")
    check_level(confidence_level)


def _models(counts: Counts, models: Sequence[str] | None, *, paired: bool) -> tuple[str, ...]:
    names = tuple(counts.models if models is None else models)
    wanted = 2 if paired else 1
    if len(names) != wanted:
        what = "a difference is planned between two models" if paired else "a half-width is planned for one model"
        raise ArgumentError(
            f"{what}, and here {'is' if len(names) == 1 else 'are'} {len(names)} ({{names}})",
            argument="models",
            remedy="count both on the same rows" if len(counts.models) < wanted else "choose with {models:{first}}",
            values={"names": ", ".join(names), "first": list(names[:wanted])},
        )
    return names


def _error(units: Units, statistic: Statistic, what: str, score: float, undefined: str) -> float:
    """The pilot's large-sample standard error, or a refusal."""
    if math.isnan(score):
        raise ValueError(f"nothing can be planned from this pilot: its {what} is undefined ({undefined})")
    error = float(units.standard_error(units.influence(statistic)))
    if math.isnan(error):
        raise ValueError(
            f"nothing can be planned from this pilot: the standard error of its {what} is undefined; take a larger one"
        )
    if error * math.sqrt(units.total) <= math.sqrt(EQUAL) * max(1, abs(score)):  # differences of a constant leave rounding
        raise ValueError(
            f"nothing can be planned from this pilot: its {what} does not vary from row to row (standard error 0); "
            "take a larger one, in which some answers are wrong"
        )
    return error


def _simulated(units: Units, statistic: Statistic, needed: int, rng: np.random.Generator) -> Array:
    """The statistic of samples of the planned size, drawn from the pilot."""
    share = units.number / units.total
    return units.values(statistic, lambda chunk: rng.multinomial(needed, share, chunk.stop - chunk.start), SIMULATED)
