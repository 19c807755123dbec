"""Rules: what a score must be, as a gate in a script or a study file says it."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.infer._common import record
from ordeval.metrics import get_metric
from ordeval.show import Line, Result
from ordeval.show._numbers import number
from ordeval.show._result import Record

if TYPE_CHECKING:
    from ordeval.evaluation import Score
    from ordeval.infer._difference import Difference

SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
BASELINE = "baseline"
#: What a rule may be about beside metrics.
ABOUT_ROWS = ("answered", "rows")
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"

Outcome: TypeAlias = Literal["pass", "fail", "undecided", "skipped"]


@dataclass(frozen=True)
class RuleVerdict(Result):
    """Whether a rule holds, and why."""

    rule: Rule
    holds: bool
    found: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    outcome: Outcome = (
        "pass"  #: "undecided": there is no score, or no interval where one is asked for; "skipped": no baseline yet
    )
    model: str = ""  #: of which model; empty where there is one
    group: str = ""  #: of which group, as ``column=value``; empty for all rows
    name: str = ""  #: the name that the gate was given
    baseline: dict[str, Any] = field(
        default_factory=dict
    )  #: value, difference, low, high, paired: where it is held against another

    def _rows(self) -> list[Record]:
        numbers = (self.value, self.low, self.high)
        return [record("rule holds value low high found", str(self.rule), self.holds, *numbers, self.found)]

    def _blocks(self) -> list[Line]:
        return [Line(f"{self.rule} ({self.found})")]


@dataclass(frozen=True)
class Rule:
    """What a score must be: SCORE [of MODEL] SIGN, then NUMBER, or baseline or MODEL ± NUMBER; with `ci`, by the interval.

    >>> from ordeval import evaluate
    >>> scores = evaluate([1, 2, 3] * 40, [1, 2, 2] * 40, metrics=["mae"]).scores
    >>> print(Rule.parse("mae < 0.5").judge(scores["mae"]))
    mae < 0.5 (0.333)
    >>> Rule.parse("amae of new <= old + 0.10")
    Rule(metric='amae', sign='<=', limit=0.1, ci=False, model='new', against='old')
    """

    metric: str  #: its canonical text
    sign: str
    limit: float  #: the number; with ``against`` what is added to the other score
    ci: bool = False
    model: str = ""  #: the model it is about; empty for all
    against: str = ""  #: "baseline", or the model that it is held against on the same rows; empty for a number alone

    @documented(
        "The rule.",
        text="SCORE [of MODEL] SIGN NUMBER | baseline [± NUMBER] | MODEL [± NUMBER], and ``ci`` for the whole interval.",
    )
    @classmethod
    def parse(cls, text: str) -> Self:
        """The rule that a text states."""
        left, sign, right = _split(text)
        score, model = _subject(left)
        metric = score if score in ABOUT_ROWS else str(get_metric(score))
        said = re.fullmatch(r"(.*?)(\s+ci)?", right.strip())
        assert said is not None
        rest, ci = said[1].strip(), said[2] is not None
        if re.fullmatch(NUMBER, rest):
            return cls(metric, sign, float(rest), ci, model)
        found = re.fullmatch(rf"(?:({BASELINE})\s*|(.+?)(?:\s+|$))(?:([-+])\s*({NUMBER}))?", rest)
        against = _unquoted(found[1] or found[2] or "") if found else ""
        if found is None or not against or (found[4] or "").startswith(("+", "-")) or re.fullmatch(r"[-+.\deE\s]+", against):
            values = {"given": repr(text), "word": repr(rest)}
            remedy = "write a number, or baseline or a model plus or minus a number: 0.7, baseline - 0.01, nurse + 0.10"
            raise ArgumentError(
                "{word} in the rule {given} cannot be compared with", argument="rule", remedy=remedy, values=values
            )
        rule = cls(metric, sign, float(f"{found[3]}{found[4]}") if found[4] else 0.0, ci, model, against)
        rule._check_direction(text)
        return rule

    def _check_direction(self, text: str) -> None:
        """A score is held against another only where it has a direction, and on its better side."""
        metric = None if self.metric in ABOUT_ROWS else get_metric(self.metric)
        direction = "higher" if metric is None else metric.direction
        if not isinstance(direction, str):
            problem, remedy = "{metric} in the rule {given} has a target, not a direction", "compare it with numbers alone"
        elif (self.sign[0] == ">") != (direction == "higher"):
            problem = f"{direction} is better for {{metric}}, but the rule {{given}} asks for the other side"
            remedy = f"write {'>=' if direction == 'higher' else '<='}"
        else:
            return
        raise ArgumentError(problem, argument="rule", remedy=remedy, values={"given": repr(text), "metric": self.metric})

    @documented("Whether it holds, and why.", score="A score, with its interval.")
    def judge(self, score: Score) -> RuleVerdict:
        """Judge a score: an undefined one fails every rule, and one without an interval fails every rule that asks for one."""
        if self.against:
            problem = "the rule {rule} compares with another model or a baseline, which one score does not show"
            raise ArgumentError(
                problem, argument="rule", remedy="use ordeval.study.check_rules", values={"rule": repr(str(self))}
            )
        return self.by_value(score, self.limit)

    def by_value(self, score: Score, limit: float) -> RuleVerdict:
        """The verdict against a number: the limit of the rule, or what a baseline makes of it."""
        numbers = (score.value, score.low, score.high)
        if math.isnan(score.value):
            return RuleVerdict(self, False, f"undefined: {score.reason}", *numbers, outcome="undecided")
        if not self.ci:
            return self._decided(number(score.value), numbers, [score.value], limit)
        if score.method == "none":
            found = f"{number(score.value)}, no interval: {score.reason}"
            return RuleVerdict(self, False, found, *numbers, outcome="undecided")
        return self._decided(
            f"{number(score.value)} [{number(score.low)}, {number(score.high)}]", numbers, [score.low, score.high], limit
        )

    def by_difference(self, score: Score, other: Score, difference: Difference) -> RuleVerdict:
        """The verdict against a model on the same rows: the worse end of the interval of the difference may not pass the number."""
        numbers = (score.value, score.low, score.high)
        ends = {"difference": difference.value, "low": difference.low, "high": difference.high, "paired": True}
        beside: dict[str, Any] = {"baseline": {"value": other.value, **ends}}
        if math.isnan(difference.value):
            found = f"undefined: {difference.reason or score.reason or other.reason}"
            return RuleVerdict(self, False, found, *numbers, outcome="undecided", **beside)
        found = f"{score.value:.3f}, {difference.value:+.3f}".replace("-", "−")
        if difference.reason:
            found = f"{found} against {self.against}, no interval: {difference.reason}"
            return RuleVerdict(self, False, found, *numbers, outcome="undecided", **beside)
        interval = f"[{difference.low:+.3f}, {difference.high:+.3f}]".replace("-", "−")
        found = f"{found} {interval} against {self.against} (paired)"
        return self._decided(found, numbers, [difference.low, difference.high], self.limit, **beside)

    def _decided(
        self, found: str, numbers: tuple[float, float, float], ends: list[float], limit: float, **beside: Any
    ) -> RuleVerdict:
        holds = all(bool(SIGNS[self.sign](end, limit)) for end in ends)
        return RuleVerdict(self, holds, found, *numbers, outcome="pass" if holds else "fail", **beside)

    def __str__(self) -> str:
        about = f"{self.metric} of {_quoted(self.model)}" if self.model else self.metric
        right = f"{self.limit:g}"
        if self.against:
            offset = f" {'-' if self.limit < 0 else '+'} {abs(self.limit):g}" if self.limit else ""
            right = f"{self.against if self.against == BASELINE else _quoted(self.against)}{offset}"
        return f"{about} {self.sign} {right}{' ci' if self.ci else ''}"


def _split(text: str) -> tuple[str, str, str]:
    """Left side, sign and right side; a sign inside brackets or quotes belongs to a metric or a model."""
    depth, quote = 0, ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign in "()":
            depth += 1 if sign == "(" else -1
        elif sign in "<>" and depth == 0:
            end = at + 1 + (text[at + 1 : at + 2] == "=")
            if text[:at].strip() and text[end:].strip():
                return text[:at].strip(), text[at:end], text[end:]
            break
    raise ArgumentError(
        "{given} is not a rule",
        argument="rule",
        remedy="write a score, a sign and a number: cem >= 0.7, or mae < 0.5 ci",
        values={"given": repr(text)},
    )


def _subject(left: str) -> tuple[str, str]:
    """The score, and the model behind "of"."""
    found = re.fullmatch(r"(\w+\s*(?:\(.*?\))?)\s+of\s+(.+)", left)
    return (found[1].strip(), _unquoted(found[2].strip())) if found else (left, "")


def _unquoted(name: str) -> str:
    return name[1:-1] if len(name) > 1 and name[0] == name[-1] and name[0] in "'\"" else name


def _quoted(name: str) -> str:
    """A model as a rule names it: in quotes where its name could be read as something else."""
    return name if re.fullmatch(r"[^\W\d][\w.-]*", name) and name not in ("ci", BASELINE) else f'"{name}"'
