"""Rules: what a score must be, as a gate in a script says it."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.infer._common import record
from ordeval.metrics import get_metric
from ordeval.show import Line, Result
from ordeval.show._numbers import number
from ordeval.show._result import Record

if TYPE_CHECKING:
    from ordeval.evaluation import Score

SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}


@dataclass(frozen=True)
class RuleVerdict(Result):
    """Whether a rule holds, and why."""

    rule: Rule
    holds: bool
    found: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan

    def _rows(self) -> list[Record]:
        numbers = (self.value, self.low, self.high)
        return [record("rule holds value low high found", str(self.rule), self.holds, *numbers, self.found)]

    def _blocks(self) -> list[Line]:
        return [Line(f"{self.rule} ({self.found})")]


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

    @documented("The rule.", text="METRIC SIGN NUMBER, and ``ci`` for the whole interval.")
    @classmethod
    def parse(cls, text: str) -> Self:
        """The rule that a text says."""
        found = re.fullmatch(r"\s*(.+?)\s*(>=|<=|>|<)\s*([-+.\deE]+)\s*(ci)?\s*", text)
        if found is None:
            raise ArgumentError(
                "{given} is not a rule",
                argument="rule",
                remedy="write a metric, a sign and a number: cem >= 0.7, or mae < 0.5 ci",
                values={"given": repr(text)},
            )
        try:
            limit = float(found[3])
        except ValueError:
            values = {"given": repr(text), "word": repr(found[3])}
            raise ArgumentError("{word} in the rule {given} is not a number", argument="rule", values=values) from None
        return cls(str(get_metric(found[1])), found[2], limit, found[4] is not None)

    @documented("Whether it holds, and why.", score="A score, with its interval.")
    def judge(self, score: Score) -> RuleVerdict:
        """An undefined score keeps no rule, and one without an interval none that asks for it."""
        holds, numbers = SIGNS[self.sign], (score.value, score.low, score.high)
        if math.isnan(score.value):
            return RuleVerdict(self, False, f"undefined: {score.reason}", *numbers)
        if not self.ci:
            return RuleVerdict(self, bool(holds(score.value, self.limit)), number(score.value), *numbers)
        if score.method == "none":
            return RuleVerdict(self, False, f"{number(score.value)}, no interval: {score.reason}", *numbers)
        found = f"{number(score.value)} [{number(score.low)}, {number(score.high)}]"
        return RuleVerdict(self, all(holds(end, self.limit) for end in numbers[1:]), found, *numbers)

    def __str__(self) -> str:
        return f"{self.metric} {self.sign} {self.limit:g}{' ci' if self.ci else ''}"
