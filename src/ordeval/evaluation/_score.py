"""Score: an estimate, its confidence interval, and what belongs beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ordeval.infer._auto import Interval
from ordeval.show import Block, Line, Result
from ordeval.show._numbers import number


class ConfidenceInterval(NamedTuple):
    """The two ends of an interval; nan where it cannot be given."""

    low: float
    high: float


@dataclass(frozen=True)
class Score(Result):
    """A score, its interval, and what belongs beside it."""

    value: float
    low: float
    high: float
    method: str  #: how the interval was found; "none" where it cannot be given
    undefined_share: float = 0.0  #: share of replicates without a value
    reason: str = ""  #: why there is no value, or no interval
    details: dict[str, Any] = field(default_factory=dict)  #: such as the length used for an open interval
    metric: str = ""  #: the text of the metric
    confidence_level: float = math.nan
    n: float = math.nan  #: the rows behind it, or their weight
    effective_rows: float = math.nan  #: of clusters or weighted rows: as good as how many independent rows
    held: float = math.nan  #: with ``check_intervals``: in which share of samples like this one the interval held
    held_error: float = math.nan  #: the Monte-Carlo error of that share
    held_given: float = math.nan  #: in which share of them one could be given

    @property
    def confidence_interval(self) -> ConfidenceInterval:
        """The ends of the interval, as a named pair."""
        return ConfidenceInterval(self.low, self.high)

    def __float__(self) -> float:
        return self.value

    def _rows(self) -> list[dict[str, Any]]:
        names = ("metric", "value", "low", "high", "confidence_level", "method", "reason", "n")
        return [{"group": "", **{name: getattr(self, name) for name in names}}]

    def _blocks(self) -> list[Block]:
        if math.isnan(self.value):
            return [Line(f"undefined ({self.reason})")]
        if self.method == "none":
            return [Line(f"{number(self.value)} (no interval: {self.reason})")]
        return [Line(f"{number(self.value)} [{number(self.low)}, {number(self.high)}]")]


def plain_score(value: float, ends: Interval) -> Score:
    """A score with the interval that was found for it, or the reason why there is none."""
    return Score(value, ends.low, ends.high, ends.method, ends.undefined_share, ends.reason)


def finite_or_none(value: float) -> float | None:
    """A number for JSON, which knows neither nan nor infinity."""
    return value if math.isfinite(value) else None


def score_data(score: Score) -> dict[str, Any]:
    """A score as the published JSON has it."""
    data: dict[str, Any] = {
        "value": finite_or_none(score.value),
        "low": finite_or_none(score.low),
        "high": finite_or_none(score.high),
        "method": score.method,
    }
    if score.undefined_share:
        data["undefined_share"] = score.undefined_share
    if score.reason:
        data["reason"] = score.reason
    if not math.isnan(score.effective_rows):
        data["effective_rows"] = score.effective_rows
    if not math.isnan(score.held):
        data |= {"held": score.held, "held_error": score.held_error, "held_given": score.held_given}
    if score.details:
        data["details"] = {key: finite_or_none(v) if isinstance(v, float) else v for key, v in score.details.items()}
    return data
