"""Rules: what a score must be, as a gate in a script says it."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ordeval.metrics import get_metric

if TYPE_CHECKING:
    from ordeval.evaluation import Score

SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True)
class RuleVerdict:
    """Whether a rule holds, and why."""

    rule: Rule
    holds: bool
    found: str

    def __str__(self) -> str:
        return f"{self.rule} ({self.found})"


@dataclass(frozen=True)
class Rule:
    """A score compared with a number; with `ci` the whole interval must be on the right side.

    >>> from ordeval import evaluate
    >>> scores = evaluate([1, 2, 3] * 40, [1, 2, 2] * 40, metrics=["mae"]).scores
    >>> print(Rule.parse("mae < 0.5").judge(scores["mae"]))
    mae < 0.5 (0.333)
    """

    metric: str  #: its canonical text
    sign: str
    limit: float
    ci: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rule that a text says: METRIC SIGN NUMBER, and ci for the whole interval."""
        found = re.fullmatch(r"\s*(.+?)\s*(>=|<=|>|<)\s*([-+.\deE]+)\s*(ci)?\s*", text)
        if found is None:
            raise ValueError(f"{text!r} is not a rule; write a metric, a sign and a number: cem >= 0.7, or mae < 0.5 ci")
        try:
            limit = float(found[3])
        except ValueError:
            raise ValueError(f"{found[3]!r} in the rule {text!r} is not a number") from None
        return cls(str(get_metric(found[1])), found[2], limit, found[4] is not None)

    def judge(self, score: Score) -> RuleVerdict:
        """An undefined score keeps no rule, and one without an interval none that asks for it."""
        if math.isnan(score.value):
            return RuleVerdict(self, False, f"undefined: {score.reason}")
        if not self.ci:
            return RuleVerdict(self, bool(SIGNS[self.sign](score.value, self.limit)), f"{score.value:.3f}")
        if score.method == "none":
            return RuleVerdict(self, False, f"{score.value:.3f}, no interval: {score.reason}")
        holds = all(SIGNS[self.sign](end, self.limit) for end in (score.low, score.high))
        return RuleVerdict(self, holds, f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]")

    def __str__(self) -> str:
        return f"{self.metric} {self.sign} {self.limit:g}{' ci' if self.ci else ''}"
