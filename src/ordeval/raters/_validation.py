"""validate_judge(): how far may a judge be trusted?  Everything that its log allows to be said, on one page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Rng
from ordeval.counts import Counts
from ordeval.counts.tally import tally
from ordeval.evaluation import DEFAULT_METRICS, Evaluation, Score, chosen_metrics, evaluate
from ordeval.evaluation._request import MetricLike
from ordeval.infer._methods import check_request
from ordeval.raters._agreement import Agreement, agreement
from ordeval.raters._consistency import only_judge, self_consistency
from ordeval.raters._drift import judge_drift
from ordeval.raters._independence import FEWEST, EffectiveJudges, effective_judges
from ordeval.raters._instrument import CorrectedGrades, corrected_grades
from ordeval.raters._panel import JudgePanel, judge_panel
from ordeval.raters._validation_result import BIAS, JudgeFindings, JudgeValidation
from ordeval.read.judge_log import UNANSWERED, JudgeLog

PEOPLE = "people"  # the lower median of all people, as one rater
CORRECTED_ROWS = 50  # rows graded by people, from which on corrected grades are worth printing


@documented(
    "The verdict, and everything behind it.",
    log="The grades, from `read_judge_log`.",
    judge="The judge; None takes every judge of the log.",
    against="An earlier log, to look for drift.",
)
def validate_judge(
    log: JudgeLog,
    judge: str | None = None,
    *,
    metrics: Sequence[MetricLike] | None = None,
    against: JudgeLog | None = None,
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> JudgeValidation:
    """How far may a judge be trusted: agreement with people, bias, self-consistency, the worth of a panel, drift, disagreements.

    A judge with repeats is scored by every one of them, with the item as the cluster: the score is that of one run, and
    its interval allows for the repeats.
    Where a part cannot be computed, the result says what is missing.

    >>> import pandas as pd
    >>> from ordeval.raters import read_judge_log
    >>> frame = pd.DataFrame({"id": range(120), "ann": [1, 2, 3] * 40, "gpt": [1, 2, 3, 2, 2, 3, 1, 3, 3, 1, 2, 3] * 10})
    >>> found = validate_judge(read_judge_log(frame, item="id", judges=["gpt"], people=["ann"]))
    >>> print(found.verdict)
    gpt agrees with ann by Closeness Evaluation Measure 0.898 [0.853, 0.933] and grades 0.167 [0.095, 0.246] classes too high.
    """
    check_request("auto", confidence_level, n_resamples, [], False)
    same: dict[str, Any] = {"confidence_level": confidence_level, "n_resamples": n_resamples, "rng": rng}
    names = log.judges if judge is None else (only_judge(log, judge),)
    first = first_runs(log, (*log.people, *log.judges))
    lacking: dict[str, str] = {}
    people = _people(log, first, same, lacking)
    findings = {name: _found(log, name, first, metrics, against, same) for name in names}
    effective = _effective(log, first, same, lacking)
    settings = {"confidence_level": confidence_level, "n_resamples": n_resamples, "rng": rng if isinstance(rng, int) else "given"}
    return JudgeValidation(log, findings, people, effective, lacking, settings)


def first_runs(log: JudgeLog, raters: Sequence[str], extra: dict[str, Array] | None = None) -> Counts:
    """Ratings with the first run of each rater under the rater's own name, and other columns beside them."""
    columns = {name: np.maximum(log.codes(name)[:, 0], UNANSWERED) for name in raters}
    columns |= {name: np.maximum(codes, UNANSWERED) for name, codes in (extra or {}).items()}
    cells, weights = tally(list(columns.values()), [log.scale.K] * len(columns), None)
    return Counts(log.scale, tuple(columns), cells, weights)


def _people(log: JudgeLog, first: Counts, same: dict[str, Any], lacking: dict[str, str]) -> Agreement | None:
    if len(log.people) < 2:
        lacking["people"] = "a second person's grades" if log.people else "people's grades"
        return None
    try:
        return agreement(first.margin(*log.people), **same)
    except ValueError as error:  # people who share no item
        lacking["people"] = str(error)
        return None


def _found(
    log: JudgeLog,
    name: str,
    first: Counts,
    metrics: Sequence[MetricLike] | None,
    against: JudgeLog | None,
    same: dict[str, Any],
) -> JudgeFindings:
    lacking: dict[str, str] = {}
    evaluation, median = _evaluated(log, name, metrics, same, lacking)
    consistency = self_consistency(log, name, **same)
    if not consistency.items:
        lacking["self-consistency"] = "a second run of the judge on the same items"
    drift = None
    if against is None:
        lacking["drift"] = "an earlier log of the same judge"
    else:
        drawn = {} if same["n_resamples"] is None else {"n_resamples": same["n_resamples"]}
        drift = judge_drift(log, against, name, rng=same["rng"], confidence_level=same["confidence_level"], **drawn)
    return JudgeFindings(
        name,
        evaluation,
        median,
        _bias(log, name, first, evaluation, same),
        _panel(log, name, first, same, lacking),
        _corrected(log, name, same, lacking),
        consistency if consistency.items else None,
        drift,
        lacking,
    )


def _evaluated(
    log: JudgeLog, name: str, metrics: Sequence[MetricLike] | None, same: dict[str, Any], lacking: dict[str, str]
) -> tuple[Evaluation | None, Evaluation | None]:
    """The judge against people, every run a row; and the median of its runs, where there are several."""
    if not log.people:
        lacking["agreement"] = "people's grades of some of the items"
        return None, None
    try:
        counts = log.against(judges=[name])
    except ValueError as error:
        lacking["agreement"] = str(error)
        return None, None
    asked = [*(DEFAULT_METRICS if metrics is None else metrics)] if not isinstance(metrics, str) else metrics
    chosen = chosen_metrics(asked, counts, probabilities=False)
    if BIAS not in map(str, chosen):
        chosen = [*chosen, *chosen_metrics([BIAS], counts, probabilities=False)]
    found = evaluate(counts[name], metrics=chosen, **same)
    if log.runs(name) < 2:
        return found, None
    return found, evaluate(log.against(judges=[name], repeats="median")[name], metrics=chosen, **same)


def _bias(log: JudgeLog, name: str, first: Counts, evaluation: Evaluation | None, same: dict[str, Any]) -> Score | None:
    """How far the judge is above people: above the mean of several, since their lower median leans low where they are even."""
    if evaluation is None:
        return None
    if len(log.people) > 1:
        try:
            return agreement(first.margin(*log.people, name), ["alpha_ordinal"], **same).raters[name].bias
        except ValueError:  # somebody who shares no item with the others
            return None
    return evaluation.scores[BIAS]


def _panel(log: JudgeLog, name: str, first: Counts, same: dict[str, Any], lacking: dict[str, str]) -> JudgePanel | None:
    if len(log.people) < 2:
        lacking["place among people"] = "a second person's grades"
        return None
    try:
        return judge_panel(first.margin(*log.people, name), name, **same)
    except ValueError as error:
        lacking["place among people"] = str(error)
        return None


def _corrected(log: JudgeLog, name: str, same: dict[str, Any], lacking: dict[str, str]) -> CorrectedGrades | None:
    truth, judged = log.median(), log.codes(name)[:, 0]
    asked = judged >= UNANSWERED
    both, alone = int((asked & (truth >= 0)).sum()), int((asked & (truth < 0)).sum())
    if both < CORRECTED_ROWS:
        lacking["corrected grades"] = f"{CORRECTED_ROWS} items graded by people and the judge (there are {both:,})"
    elif not alone:
        lacking["corrected grades"] = "items that the judge alone graded: people graded all of them"
    else:
        person = log.people[0] if len(log.people) == 1 else PEOPLE if name != PEOPLE else "the people"
        kept = np.flatnonzero(asked)
        cells, weights = tally([np.maximum(one[kept], UNANSWERED) for one in (truth, judged)], [log.scale.K] * 2, None)
        return corrected_grades(Counts(log.scale, (person, name), cells, weights), person=person, judge=name, **same)
    return None


def _effective(log: JudgeLog, first: Counts, same: dict[str, Any], lacking: dict[str, str]) -> EffectiveJudges | None:
    if len(log.judges) < 2:
        lacking["effective judges"] = "a second judge"
        return None
    if not log.people:
        lacking["effective judges"] = f"two people's grades on {FEWEST} items"
        return None
    found = effective_judges(first, log.judges, log.people, **same)
    if math.isnan(found.value) or found.score.method == "none":
        lacking["effective judges"] = f"a second person's grades on {FEWEST} items" if len(log.people) < 2 else found.score.reason
    return found
