"""What is known about judges, together: a verdict, blocks in a fixed order, a page, plain data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ordeval.base.arrays import ratio
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.version import __version__
from ordeval.evaluation import Evaluation, Score
from ordeval.infer._rules import Rule, RuleVerdict
from ordeval.metrics import get_metric
from ordeval.raters._agreement import Agreement
from ordeval.raters._consistency import SelfConsistency
from ordeval.raters._drift import Drift
from ordeval.raters._independence import EffectiveJudges
from ordeval.raters._instrument import CorrectedGrades
from ordeval.raters._intervals import without_interval
from ordeval.raters._panel import JudgePanel
from ordeval.raters._text import paragraphs, published, shown, unparsable_words
from ordeval.read.judge_log import Disagreements, JudgeLog
from ordeval.show import Block, Card, Line, Page, Paragraph, Result, Section, Table, number, printable
from ordeval.show._html import page_as_html
from ordeval.show._numbers import listed, p_text, percent, signed
from ordeval.show._plain import safe_names
from ordeval.show._result import Record
from ordeval.study._junit import junit

BIAS = "bias"
#: What a rule may be about beside metrics.
ABOUT_JUDGES = ("same_again", "alpha", "effective_judges", "drift", "shift", "answered", "rows")
RULE = re.compile(rf"\s*({'|'.join(ABOUT_JUDGES)})\s*(>=|<=|>|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(ci)?\s*")
LISTED = 20  # disagreements on a page
ORDER = ("agreement", "place among people", "people", "corrected grades", "self-consistency", "effective judges", "drift")


@dataclass(frozen=True, eq=False)
class JudgeFindings:
    """What is known about one judge; a part that cannot be given is None, and ``lacking`` says what is missing."""

    judge: str
    evaluation: Evaluation | None  #: against the people: the lower median of several; every run is a row
    median: Evaluation | None  #: the same of the median of its runs, where there are several
    bias: Score | None  #: classes above the person; above the mean of several people, first runs
    panel: JudgePanel | None  #: among two people or more
    corrected: CorrectedGrades | None
    consistency: SelfConsistency | None
    drift: Drift | None
    lacking: dict[str, str]

    @property
    def scores(self) -> dict[str, Score]:
        """All of its numbers by name: metrics by their text, and beside them what rules may name."""
        found: dict[str, Score] = {} if self.evaluation is None else dict(self.evaluation.scores)
        if self.consistency is not None:
            found |= {"same_again": self.consistency.same_again, "alpha": self.consistency.alpha}
        if self.drift is not None:
            found |= {"drift": self.drift.drift, "shift": self.drift.shift}
        if self.evaluation is not None:
            counts = self.evaluation.counts
            found["answered"] = Score(self.evaluation.answered, math.nan, math.nan, "none", reason="a share of these rows")
            found["rows"] = Score(float(counts.weights.sum()), math.nan, math.nan, "none", reason="a number of rows")
        return found

    def words(self, people: str) -> str:
        """One sentence."""
        said = [part for part in (self._agreement(people), self._bias, self._consistency, self._drift) if part]
        return f"{printable(self.judge)} {listed(said)}." if said else f"Nothing can be said about {printable(self.judge)} yet."

    def _agreement(self, people: str) -> str:
        if self.panel is not None and self.panel.place:
            words = {
                "above": "agrees with people better than they do with each other",
                "within": "agrees with people as they do with each other",
                "below": "agrees with people less than they do with each other",
            }[self.panel.place]
            return f"{words} (κ {shown(self.panel.judge_mean)}, people {number(self.panel.human_mean.value)})"
        if self.evaluation is None:
            return ""
        text, score = next(iter(self.evaluation.scores.items()))
        return f"agrees with {people} by {get_metric(text).title} {shown(score)}"

    @property
    def _bias(self) -> str:
        bias = self.bias
        if bias is None or bias.method == "none":
            return ""
        if bias.low <= 0 <= bias.high:
            return f"shows no bias ({signed(bias.value)} [{signed(bias.low)}, {signed(bias.high)}] classes)"
        high = bias.value > 0
        ends = sorted(abs(end) for end in (bias.low, bias.high))
        return f"grades {number(abs(bias.value))} [{number(ends[0])}, {number(ends[1])}] classes too {'high' if high else 'low'}"

    @property
    def _consistency(self) -> str:
        if self.consistency is None:
            return ""
        again = self.consistency.same_again
        ends = "" if again.method == "none" else f" [{100 * again.low:.0f}, {100 * again.high:.0f}]"
        return f"gives the same grade again in {percent(again.value)}{ends} of the items"

    @property
    def _drift(self) -> str:
        drift = self.drift
        if drift is None or drift.changed is None:
            return ""
        since = printable(drift.since)
        if math.isnan(drift.p_value):
            words = "has shifted" if drift.changed else "shows no shift"
            return f"{words} since {since} ({signed(drift.shift.value)} classes)"
        words = "has changed" if drift.changed else "was not found to have changed"
        return f"{words} since {since} (drift {number(drift.drift.value)}, p {_p(drift.p_value)})"

    def by_class(self) -> list[list[str]]:
        """For each class that people gave: rows, unanswered, and how far the judge's mean grade is off."""
        assert self.evaluation is not None
        counts = self.evaluation.counts
        table, silent, ranks = counts.matrix, counts.unanswered, np.arange(counts.scale.K)
        off = ratio(table @ ranks, table.sum(1)) - ranks
        rows = zip(counts.scale.labels, table.sum(1) + silent, silent, off, strict=True)
        return [
            [str(label), f"{int(n):,}", f"{int(gone):,}", "–" if math.isnan(by) else signed(by)] for label, n, gone, by in rows
        ]


@dataclass(frozen=True, eq=False)
class JudgeValidation(Result):
    """How far judges may be trusted."""

    log: JudgeLog
    judges: dict[str, JudgeFindings]
    people: Agreement | None  #: the people among themselves
    effective: EffectiveJudges | None  #: what the panel of all judges is worth
    lacking: dict[str, str]
    settings: dict[str, Any]
    listed: int = LISTED  #: disagreements that are shown

    def __getitem__(self, judge: str) -> JudgeFindings:
        return self.judges[judge]

    @property
    def verdict(self) -> str:
        """A sentence for each judge, and how much was left unanswered."""
        people = self.log.people[0] if len(self.log.people) == 1 else "people"
        said = [found.words(printable(people)) for found in self.judges.values()]
        if self.effective is not None and not math.isnan(self.effective.value):
            said.append(f"The {len(self.effective.judges)} judges are worth {shown(self.effective.score)} independent ones.")
        silent, asked = (sum(int((self.log.codes(name) > least).sum()) for name in self.judges) for least in (-1, -2))
        if asked > silent:
            said.append(f"{asked - silent:,} of {asked:,} unanswered.")
        return " ".join([*said, *(note for note in self.log.remarks if "did not finish" in note)])

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        s = self.settings
        return (
            f"items:{len(self.log.items)} judges:{len(self.judges)} people:{len(self.log.people)} k:{self.log.scale.K} "
            f"level:{s['confidence_level']} b:{s['n_resamples'] or 'auto'} seed:{s['rng']} v:{__version__} numpy:{np.__version__}"
        )

    def _scores(self) -> Iterator[tuple[str, str, Score]]:
        for name, found in self.judges.items():
            for what, score in found.scores.items():
                yield name, what, score
        if self.effective is not None:
            yield "", "effective_judges", self.effective.score

    def _rows(self) -> list[Record]:
        parts = ("value", "low", "high", "method", "reason")
        return [
            {"judge": judge, "metric": what, **{part: getattr(score, part) for part in parts}}
            for judge, what, score in self._scores()
        ]

    @documented(
        "The numbers by name, with their ends as ``key_low`` and ``key_high``; what is undefined is left out.",
        prefix="What every name begins with, such as the name of a run.",
        separator="What stands between the parts of a name.",
    )
    def flat(self, prefix: str = "", separator: str = "/") -> dict[str, float]:
        """The numbers as a flat mapping, for tools that log them; with several judges each under its name."""
        found: dict[str, float] = {}
        names = safe_names(self.judges)
        for judge, what, score in self._scores():
            several = judge and len(self.judges) > 1
            key = what if what in ABOUT_JUDGES else get_metric(what).key
            name = separator.join(part for part in (prefix, names[judge] if several else "", key) if part)
            ends = {name: score.value, f"{name}_low": score.low, f"{name}_high": score.high}
            found |= {key: value for key, value in ends.items() if math.isfinite(value)}
        return found

    @documented("For each rule and judge whether it holds, and why.", rules="Such as ``same_again >= 0.8 ci`` or ``cem >= 0.7``.")
    def check(self, rules: list[str]) -> list[tuple[str, RuleVerdict]]:
        """Hold the judges to rules: about metrics, or about same_again, alpha, drift, shift, effective_judges, answered, rows."""
        made = [judge_rule(text) for text in rules]
        found = []
        for rule in made:
            if rule.metric == "effective_judges":
                score = (
                    self.effective.score
                    if self.effective is not None
                    else without_interval(math.nan, self.lacking["effective judges"])
                )
                found.append(("", rule.judge(score)))
                continue
            for judge, one in self.judges.items():
                found.append(
                    (judge, rule.judge(one.scores.get(rule.metric) or without_interval(math.nan, _why(one, rule.metric))))
                )
        return found

    @documented("The XML.", rules="As in `check`.")
    def to_junit(self, rules: list[str]) -> str:
        """The outcome of the rules as JUnit XML: a suite for each judge, a case for each rule."""
        return junit([replace(verdict, model=judge) for judge, verdict in self.check(rules)])

    def _sections(self) -> list[Section]:
        log = self.log
        head = [("read", log.head), ("classes", f"{log.scale}{' (taken from the data)' if log.scale.inferred else ''}")]
        words = [*log.remarks, *unparsable_words(log)]
        found = [Section("What was read", [Card("", head), *paragraphs(*words)])]
        if self.people is not None:
            score = self.people.scores[self.people.primary]
            said = f"{self.people.titles[self.people.primary]} among {len(log.people)} people: {shown(score)}."
            found.append(Section("People among themselves", [Paragraph(said)]))
        for name, one in self.judges.items():
            found += _judge_sections(name, one, f": {printable(name)}" if len(self.judges) > 1 else "")
        if self.effective is not None:
            found.append(Section("Effective number of judges", self.effective._blocks()))
        found += [
            Section(f"Drift of {printable(name)}", one.drift._blocks())
            for name, one in self.judges.items()
            if one.drift is not None
        ]
        if log.people:
            found.append(Section("Disagreements", self._disagreements()))
        missing = {**self.lacking, **{what: why for one in self.judges.values() for what, why in one.lacking.items()}}
        if missing:
            facts = [(what, missing[what]) for what in ORDER if what in missing]
            found.append(Section("What more data would allow", [Card("", facts)]))
        found.append(Section("Signature", [Line(self.signature)]))
        return found

    def _disagreements(self) -> list[Block]:
        every = self.log.disagreements() if len(self.judges) > 1 else self.log.disagreements(next(iter(self.judges)))
        chosen = Disagreements(every[: self.listed])
        left = len(every) - len(chosen)
        more = [Paragraph(f"… and {left:,} more.")] if left else []
        return [*chosen._blocks(), *more]

    def _blocks(self) -> list[Block]:
        found: list[Block] = [Paragraph(self.verdict)]
        for section in self._sections():
            found += [Card(section.title, []), *section.blocks]
        return found

    def _tables(self) -> list[Block]:
        rows = [[record["judge"], record["metric"], *_cells(record)] for record in self._rows()]
        return [Table(["judge", "measure", "value", "interval"], rows, self.verdict, left=2)]

    @documented("A page for `ordeval.show.write`.")
    def page(self) -> Page:
        """The same as a report."""
        return Page("How far may the judge be trusted?", self.verdict, self._sections())

    def to_html(self) -> str:
        """A self-contained page."""
        return page_as_html(self.page())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: undefined is None with a reason."""
        data = {
            name: {
                **{
                    part: _plain(getattr(one, part))
                    for part in ("evaluation", "median", "panel", "corrected", "consistency", "drift")
                },
                "bias": None if one.bias is None else published(one.bias),
                "lacking": one.lacking,
            }
            for name, one in self.judges.items()
        }
        furthest = Disagreements(self.log.disagreements()[: self.listed] if self.log.people else [])
        return {
            "schema": 1,
            "verdict": self.verdict,
            "source": self.log.source,
            "labels": list(self.log.scale.labels),
            "audit": self.log.audit.to_dict(),
            "epochs": self.log.epochs or None,
            "unparsable": self.log.unparsable,
            "judges": data,
            "people": _plain(self.people),
            "effective": _plain(self.effective),
            "lacking": self.lacking,
            "disagreements": furthest.to_dict()["records"],
            "settings": self.settings,
            "signature": self.signature,
        }


def _plain(part: Result | None) -> dict[str, Any] | None:
    return None if part is None else part.to_dict()


def _p(p: float) -> str:
    text = p_text(p)
    return text if text[0] in "<≤" else f"= {text}"


def _signed(score: Score) -> str:
    return signed(score.value) + ("" if score.method == "none" else f" [{signed(score.low)}, {signed(score.high)}]")


def _cells(record: Record) -> list[str]:
    value = "undefined" if math.isnan(record["value"]) else number(record["value"])
    ends = "no interval" if math.isnan(record["low"]) else f"[{number(record['low'])}, {number(record['high'])}]"
    return [value, ends]


def _judge_sections(name: str, one: JudgeFindings, of: str) -> list[Section]:
    found = []
    if one.evaluation is not None:
        rows = [[get_metric(text).title, shown(score)] for text, score in one.evaluation.scores.items()]
        header = ["score", "one run"]
        if one.median is not None:
            header.append("median of the runs")
            rows = [[*row, shown(score)] for row, score in zip(rows, one.median.scores.values(), strict=True)]
        caption = f"{name} against the people; {one.evaluation.counts.audit.line}."
        blocks: list[Block] = [Table(header, rows, caption, left=len(header))]
        if one.panel is not None:
            lower = (
                "The truth of these scores is the lower median of the people, "
                "which is on average too low where the number of people is even;"
            )
            blocks += paragraphs(
                f"{lower} compared with their mean, the judge is off by {_signed(one.bias)} classes."
                if one.bias is not None
                else ""
            )
            blocks += paragraphs(one.panel.verdict, f"{one.panel.alternative}.")
        found.append(Section(f"Agreement with people{of}", blocks))
        classes = Table(
            ["class by people", "rows", "unanswered", "mean error"],
            one.by_class(),
            "Mean error: how many classes the judge is above (+) or below (−) the people.",
        )
        found.append(Section(f"Bias by class{of}", [classes]))
    if one.corrected is not None:
        found.append(Section(f"Corrected grades{of}", one.corrected._blocks()))
    if one.consistency is not None:
        found.append(Section(f"Self-consistency{of}", one.consistency._blocks()))
    return found


def judge_rule(text: str) -> Rule:
    """A rule about a metric, or about what `JudgeFindings.scores` has beside metrics."""
    found = RULE.fullmatch(text)
    return Rule(found[1], found[2], float(found[3]), found[4] is not None) if found else Rule.parse(text)


def _why(found: JudgeFindings, metric: str) -> str:
    """Why there is no such number."""
    part = {"same_again": "self-consistency", "alpha": "self-consistency", "drift": "drift", "shift": "drift"}.get(
        metric, "agreement"
    )
    if part in found.lacking:
        return f"it needs {found.lacking[part]}"
    raise ArgumentError(
        "{metric} was not computed", argument="rule", remedy="name it among the {metrics}", values={"metric": metric}
    )
