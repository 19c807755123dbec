"""check_rules(): every rule, for every model and every group it is about; the answer as text, JSON, Markdown and JUnit XML."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, near
from ordeval.counts import Counts
from ordeval.evaluation import Evaluation, Score, evaluate
from ordeval.infer._difference import Difference, differences
from ordeval.infer._rules import ABOUT_ROWS, BASELINE, Rule, RuleVerdict
from ordeval.metrics import get_metric
from ordeval.show import Block, Line, Paragraph, Result, Table
from ordeval.show._numbers import number
from ordeval.show._plain import WIDTH, count_text, printable, wrap
from ordeval.show._result import Record, finite
from ordeval.study._baseline import Baseline, as_baseline
from ordeval.study._junit import junit

#: What a call may give as the scores to hold against: saved ones, other counts, a file, or a model on the same rows.
BaselineLike: TypeAlias = "Baseline | Counts | Mapping[str, Any] | str | os.PathLike[str] | None"
WORDS = {"pass": "pass", "fail": "FAIL", "undecided": "FAIL", "skipped": "skip"}


@dataclass(frozen=True)
class Gate:
    """A rule, and what it is about: which models, and whether all rows or every group of a column."""

    rule: Rule
    name: str = ""
    models: tuple[str, ...] = ()  #: none: those of the rule, else all
    each: str = ""  #: the column in whose groups it must hold


@dataclass(frozen=True, eq=False)
class RuleReport(Result):
    """The outcome of each rule."""

    verdicts: tuple[RuleVerdict, ...]
    counts: Counts
    settings: dict[str, Any]
    signature: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def holds(self) -> bool:
        """Whether all rules hold; one that was skipped does not count against it."""
        return all(verdict.holds or verdict.outcome == "skipped" for verdict in self.verdicts)

    @property
    def failed(self) -> tuple[RuleVerdict, ...]:
        """The rules that do not hold, or that cannot be decided."""
        return tuple(verdict for verdict in self.verdicts if verdict.outcome in ("fail", "undecided"))

    @property
    def headline(self) -> str:
        """How many hold, in one sentence."""
        skipped, failed = (sum(v.outcome == word for v in self.verdicts) for word in ("skipped", "fail"))
        undecided = sum(v.outcome == "undecided" for v in self.verdicts)
        judged = len(self.verdicts) - skipped
        said = f"{count_text(judged, 'rule')} held" if judged and not failed + undecided else ""
        if failed + undecided:
            said = f"{failed + undecided} of {count_text(judged, 'rule')} failed"
            said += f" ({undecided} cannot be decided)" if undecided else ""
        return f"{said}{'; ' if said and skipped else ''}{f'{skipped} skipped' if skipped else ''}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON (docs/json.md)."""
        return {
            "schema": 1,
            "outcome": "pass" if self.holds else "fail",
            "rules": [_verdict_data(verdict) for verdict in self.verdicts],
            "rows": self.counts.audit.to_dict(),
            "settings": self.settings,
            "signature": self.signature,
            **({"notes": list(self.notes)} if self.notes else {}),
        }

    def to_junit(self) -> str:
        """JUnit XML: a suite for each model, a case for each rule and group."""
        return junit(self.verdicts)

    def _rows(self) -> list[Record]:
        return [
            {"name": v.name, "model": v.model, "group": v.group, "rule": str(v.rule), "outcome": v.outcome}
            | {"value": v.value, "low": v.low, "high": v.high, "found": v.found}
            for v in self.verdicts
        ]

    def _blocks(self) -> list[Block]:
        header = ["", "model", "group", "rule", "value", "found"]
        rows = [[WORDS[v.outcome], v.model, v.group, str(v.rule), number(v.value), v.found] for v in self.verdicts]
        said: list[Block] = [Line(self.counts.audit.line), *(Paragraph(note) for note in self.notes)]
        return [Paragraph(f"{self.headline}."), Table(header, rows, left=4), *said]

    def to_markdown(self) -> str:
        """A sentence and a table, as a step summary shows them."""
        from ordeval.show._markdown import blocks_as_markdown

        return blocks_as_markdown(self._blocks())

    def __str__(self) -> str:
        lines = [self.headline] if self.failed else []
        for v in self.verdicts:
            where = ", ".join(part for part in (v.model, v.group) if part)
            said = printable(f"{where}: {v.rule}   {v.found}" if where else f"{v.rule}   {v.found}")
            lines += wrap(said, WIDTH, first=f"{WORDS[v.outcome]}  ", then="      ")
        for words in (self.counts.audit.line, *self.notes):
            lines += wrap(printable(words), WIDTH)
        return "\n".join(lines)


def _verdict_data(v: RuleVerdict) -> dict[str, Any]:
    beside = {key: finite(value) if isinstance(value, float) else value for key, value in v.baseline.items()}
    return {
        "rule": str(v.rule),
        **({"name": v.name} if v.name else {}),
        "model": v.model,
        "group": v.group,
        "outcome": v.outcome,
        "value": finite(v.value),
        "low": finite(v.low),
        "high": finite(v.high),
        "limit": v.rule.limit,
        **({"baseline": beside} if beside else {}),
        "reason": v.found,
    }


@documented(
    "The outcome of each rule, for every model and group.",
    rules="One rule or several: texts such as ``cem >= 0.8 ci``, or `Rule`.",
    baseline="What the word baseline in a rule means: the name of a model on the same rows, counts of other rows, scores by their metric, "
    "or a file with one of these.",
    by="Columns of groups: every rule must also hold in each of their groups.",
    settings="``confidence_level``, ``method``, ``n_resamples`` and ``rng``, as `evaluate` has them.",
)
def check_rules(
    counts: Counts,
    rules: str | Rule | Gate | Iterable[str | Rule | Gate],
    *,
    baseline: BaselineLike = None,
    by: str | Sequence[str] | None = None,
    **settings: Any,
) -> RuleReport:
    """Judge rules about scores; all must hold.

    All rules must hold, so no adjustment for their number is needed: a bad model passes no more often than with a single rule.

    >>> from ordeval import count
    >>> counts = count([1, 2, 3] * 40, [1, 2, 2] * 40)
    >>> print(check_rules(counts, ["mae <= 0.5 ci", "accuracy > 0.7"]))
    1 of 2 rules failed
    pass  mae <= 0.5 ci   0.333 [0.253, 0.422]
    FAIL  accuracy > 0.7   0.667
    120 rows read · 120 judged
    """
    given = [rules] if isinstance(rules, str | Rule | Gate) else list(rules)
    gates = [one if isinstance(one, Gate) else Gate(Rule.parse(one) if isinstance(one, str) else one) for one in given]
    if not gates:
        raise ArgumentError("there is no rule", argument="rule", remedy="write one, such as cem >= 0.7")
    columns = [by] if isinstance(by, str) else list(by or ())
    axes = [axis for axis in counts.values if axis != counts.cluster]
    for column in [*columns, *(gate.each for gate in gates if gate.each)]:
        if column not in axes:
            hint = near(column, axes) or (f"the columns of groups are {', '.join(axes)}" if axes else "there are none")
            raise ArgumentError("{name} is not a column of groups", argument="by", remedy=hint, values={"name": repr(column)})
    for gate in gates:
        for model in dict.fromkeys([gate.rule.model, *gate.models, gate.rule.against]):
            _check_model(model, gate.rule, counts, baseline)
    plain = counts.margin("true", *counts.models, *([counts.cluster] if counts.cluster else []))
    plain.files, plain.notes = counts.files, counts.notes
    judge = _Judge(plain, as_baseline(baseline, counts), settings)
    everything = [(gate, "", judge) for gate in gates if not gate.each]
    for axis in axes:
        wanted = gates if axis in columns else [gate for gate in gates if gate.each == axis]
        parts = counts.groups(axis) if wanted else {}
        judges = {value: _Judge(part, judge.baseline, settings) for value, part in parts.items()}
        everything += [(gate, f"{axis}={value}", one) for gate in wanted for value, one in judges.items()]
    everything.sort(key=lambda found: gates.index(found[0]))
    verdicts = [verdict for gate, group, one in everything for verdict in one.verdicts(gate, group)]
    notes = (*(judge.baseline.notes if judge.baseline else ()), *judge.notes)
    return RuleReport(tuple(verdicts), plain, dict(judge.settings), judge.signature, notes)


@documented(
    "The report, where all rules hold.",
    rules="One rule or several: texts such as ``cem >= 0.8 ci``, or `Rule`.",
    baseline="What the word baseline in a rule means, as for `check_rules`.",
    by="Columns of groups: every rule must also hold in each of their groups.",
    settings="``confidence_level``, ``method``, ``n_resamples`` and ``rng``, as `evaluate` has them.",
)
def assert_rules(
    counts: Counts,
    rules: str | Rule | Iterable[str | Rule],
    *,
    baseline: BaselineLike = None,
    by: str | Sequence[str] | None = None,
    **settings: Any,
) -> RuleReport:
    """The same for tests: an AssertionError whose text is the report, where a rule does not hold."""
    __tracebackhide__ = True
    report = check_rules(counts, rules, baseline=baseline, by=by, **settings)
    if not report.holds:
        raise AssertionError(str(report))
    return report


def _check_model(model: str, rule: Rule, counts: Counts, baseline: Any) -> None:
    if not model or model in counts.models or model == BASELINE:
        return
    hint = near(model, counts.models) or "the models are {models}"
    values = {"rule": repr(str(rule)), "model": repr(model), "models": ", ".join(counts.models)}
    raise ArgumentError("{model} in the rule {rule} is none of the models", argument="rule", remedy=hint, values=values)


class _Judge:
    """The scores of one table, each computed once."""

    def __init__(self, counts: Counts, baseline: Baseline | None, settings: Mapping[str, Any]) -> None:
        self.counts, self.baseline, self.asked = counts, baseline, dict(settings)
        self.found: dict[tuple[str, str], Evaluation] = {}
        self.differences: dict[tuple[str, str, str], Difference] = {}

    @property
    def settings(self) -> dict[str, Any]:
        return next((found.settings for found in self.found.values()), dict(self.asked))

    @property
    def signature(self) -> str:
        return next((found.signature for found in self.found.values()), "")

    @property
    def notes(self) -> list[str]:
        """What must be said beside the scores, of each once."""
        said = [(model, note) for (model, _), found in self.found.items() for note in found.notes]
        return list(dict.fromkeys(f"{model}: {note}" if len(self.counts.models) > 1 else note for model, note in said))

    def score(self, model: str, metric: str) -> Score:
        if metric in ABOUT_ROWS:
            return self._about_rows(model, metric)
        key = (model, metric)
        if key not in self.found:
            self.found[key] = evaluate(self.counts[model], metrics=[metric], **self.asked)
        return self.found[key].scores[metric]

    def _about_rows(self, model: str, metric: str) -> Score:
        one = self.counts[model]
        silent = float(one.unanswered.sum())
        rows = float(one.total) + silent
        value = rows if metric == "rows" else float(one.total) / rows if rows else math.nan
        return Score(value, math.nan, math.nan, "none", reason=f"{metric} is counted, not estimated", metric=metric)

    def difference(self, model: str, other: str, metric: str) -> Difference:
        key = (model, other, metric)
        if key not in self.differences:
            drawn: dict[str, Any] = {name: self.asked[name] for name in ("confidence_level", "rng") if name in self.asked}
            if self.asked.get("method", "auto") == "auto":
                drawn["n_resamples"] = self.asked.get("n_resamples")
            kept = ["true", other, model, *([self.counts.cluster] if self.counts.cluster else [])]
            pair = self.counts.margin(*kept)
            found = differences(pair, [(other, model)], [get_metric(metric)], **drawn)
            self.differences[key] = found[other, model][metric]
        return self.differences[key]

    def verdicts(self, gate: Gate, group: str) -> list[RuleVerdict]:
        rule, models = gate.rule, self.counts.models
        about = [rule.model] if rule.model else list(gate.models or models)
        other = self._other(rule)
        if not rule.model:
            about = [model for model in about if model != other]
        named = len(models) > 1 or models[0] != "pred"
        return [
            replace(self._verdict(rule, model, other, group), model=model if named else "", group=group, name=gate.name)
            for model in about
        ]

    def _other(self, rule: Rule) -> str:
        """The model on the same rows that a rule is held against; empty for a number and for scores of other rows."""
        if rule.against == BASELINE:
            return self.baseline.model if self.baseline is not None else ""
        return rule.against

    def _verdict(self, rule: Rule, model: str, other: str, group: str) -> RuleVerdict:
        score = self.score(model, rule.metric)
        if not rule.against:
            return rule.by_value(score, rule.limit)
        if other:
            if rule.metric in ABOUT_ROWS:
                return replace(rule, ci=False).by_value(score, self.score(other, rule.metric).value + rule.limit)
            return rule.by_difference(score, self.score(other, rule.metric), self.difference(model, other, rule.metric))
        before = None if self.baseline is None else self.baseline.score(model, rule.metric, group)
        numbers = (score.value, score.low, score.high)
        if before is None:
            found = "no baseline yet" if self.baseline is None else f"the baseline has no {rule.metric} for this"
            return RuleVerdict(rule, False, found, *numbers, outcome="skipped")
        verdict = rule.by_value(score, before + rule.limit)
        beside = {"value": before, "difference": score.value - before, "low": score.low - before, "high": score.high - before}
        found = f"{verdict.found}, baseline {before:.3f}"
        return replace(verdict, found=found, baseline={**beside, "paired": False})
