"""A pytest plugin: rules about scores as tests.

The fixture ``ordinal`` checks rules about counts and fails with the score, its interval, the rule and what would be needed::

    def test_grades(ordinal):
        counts = ordeval.scan("grades.csv", true="grade", pred="model", labels=["low", "mid", "high"])
        ordinal.check(counts, ["cem >= 0.7 ci", "amae <= 0.5"])

It stands beside the package and imports nothing of it before the fixture is used: pytest loads it wherever ordeval is installed.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ordeval import Counts, Rule
    from ordeval.types import RuleReport

__all__ = ["Ordinal"]

INI = "ordeval_baseline"
MOST_ROWS = 100  # times as many rows as there are: beyond, no number of rows is worth saying


def pytest_addoption(parser: pytest.Parser) -> None:
    said = "what the word baseline means in a rule: a file of counts or of scores as JSON"
    parser.getgroup("ordeval").addoption("--ordeval-baseline", metavar="FILE", help=f"{said} (default: the setting {INI})")
    parser.addini(INI, help=f"{said}, from the folder of this file on")


@pytest.fixture
def ordinal(request: pytest.FixtureRequest) -> Ordinal:
    """Check rules about scores: ``ordinal.check(counts, "cem >= 0.7 ci")``."""
    return Ordinal(request.node, _baseline(request.config))


def _baseline(config: pytest.Config) -> str | None:
    given = config.getoption("--ordeval-baseline")
    if given:
        return os.path.join(config.invocation_params.dir, str(given))
    named = str(config.getini(INI))
    return os.path.join(config.inipath.parent if config.inipath else config.rootpath, named) if named else None


class Ordinal:
    """What the fixture ``ordinal`` gives."""

    baseline: str | None  #: the file that the option or the setting names; a call may name another

    def __init__(self, node: pytest.Item, baseline: str | None) -> None:
        self._node, self.baseline = node, baseline

    def check(
        self,
        counts: Counts,
        rules: str | Rule | Iterable[str | Rule],
        *,
        baseline: Any = None,
        by: str | Sequence[str] | None = None,
        **settings: Any,
    ) -> RuleReport:
        """Fail unless all rules hold; the arguments are those of ``ordeval.study.check_rules``.

        Scores and the ends of their intervals go to the properties of the test, and with ``--junit-xml`` into the file.
        """
        __tracebackhide__ = True
        from ordeval.study import check_rules

        report = check_rules(counts, rules, baseline=self.baseline if baseline is None else baseline, by=by, **settings)
        self._node.user_properties += _properties(report)
        if not report.holds:
            raise AssertionError("\n".join([str(report), *_needed(report)]))
        return report


def _properties(report: RuleReport) -> list[tuple[str, object]]:
    """Each score once, by the model and group it is of, with the ends of its interval."""
    from ordeval import get_metric

    found: dict[str, object] = {}
    for verdict in report.verdicts:
        metric = verdict.rule.metric
        key = metric if metric in ("answered", "rows") else get_metric(metric).key
        name = "/".join(part for part in (verdict.model, verdict.group, key) if part)
        numbers = {name: verdict.value, f"{name}_low": verdict.low, f"{name}_high": verdict.high}
        found |= {word: number for word, number in numbers.items() if math.isfinite(number)}
    return list(found.items())


def _needed(report: RuleReport) -> list[str]:
    """What each rule that failed would have needed."""
    lines = []
    for verdict in report.failed:
        if verdict.outcome != "fail":
            continue
        rule, paired = verdict.rule, bool(verdict.baseline.get("paired"))
        value, low, high = (verdict.value, verdict.low, verdict.high)
        limit = rule.limit + (verdict.baseline.get("value", 0.0) if rule.against and not paired else 0.0)
        what = rule.metric
        if paired:
            value, low, high = (float(verdict.baseline[name]) for name in ("difference", "low", "high"))
            what = f"its difference in {rule.metric}"
        upward = rule.sign.startswith(">")
        by_interval = rule.ci or paired
        side = (
            f"{'at least' if upward else 'at most'} {limit:g}"
            if "=" in rule.sign
            else f"{'above' if upward else 'below'} {limit:g}"
        )
        where = ", ".join(part for part in (verdict.model, verdict.group) if part)
        shown = f"{value:.3f} [{low:.3f}, {high:.3f}]" if math.isfinite(low) else f"{value:.3f}"
        line = f"{where + ': ' if where else ''}needed: {what} {side}{' with its whole interval' if by_interval else ''}; it is {shown}"
        if by_interval and not verdict.group and report.counts.cluster is None:
            line += _more_rows(report, abs(value - (low if upward else high)), value - limit if upward else limit - value)
        lines.append(line)
    return lines


def _more_rows(report: RuleReport, reach: float, room: float) -> str:
    """How many rows would make the interval narrow enough, where the score itself is on the right side; its width goes with 1/√rows."""
    rows = report.counts.audit.scored
    if not room > 0 or not math.isfinite(reach) or rows is None:
        return ""
    times = (reach / room) ** 2
    if times > MOST_ROWS:
        return "; the score is on the right side, by too little for any number of rows to show"
    return f"; about {math.ceil(times * rows):,} rows would do, if the score stays (there are {rows:,})"
