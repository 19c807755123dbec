"""Ordinal grades in Inspect: a scorer that reads a class, a metric with intervals, and a reducer that stays on the scale.

Task(..., scorer=grade([1, 2, 3, 4, 5]), epochs=Epochs(3, "collect"))
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import Any

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.evaluation import DEFAULT_METRICS, evaluate
from ordeval.integrations._answers import class_finder, class_of
from ordeval.metrics import get_metric
from ordeval.order.scale import Labels, Scale, as_scale

try:
    # Not for type checkers alone: Inspect looks up the annotation of a metric's scores, and without it gives scores without ids.
    from inspect_ai.scorer import NOANSWER, SampleScore, Score, Target, metric, score_reducer, scorer
    from inspect_ai.solver import TaskState
except ImportError:
    raise ImportError('inspect_ai is not installed: pip install "ordeval[inspect]"') from None

AVERAGED = "the grades of several epochs were averaged, and a mean is no class; use Epochs(n, 'collect') or median_grade(labels)"
TARGET = "target"
_log = logging.getLogger(__name__)


@documented(
    "A scorer: its value is the class, its answer what the model wrote.",
    pattern="A regular expression; its last match is the grade. None takes the last class in the answer.",
    metrics="Metrics of Inspect; None is `ordinal` with the usual scores.",
)
def grade(labels: Labels, *, pattern: str | None = None, metrics: Sequence[Any] | None = None) -> Any:
    """The class that the model gives, beside the target: a person's grade of the same thing.

    An answer without a class is kept as Inspect's NOANSWER, so that it counts as unanswered and is not removed before metrics see it.
    """
    scale = _scale(labels)
    find = class_finder(scale, pattern)

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        found = find(text)
        return Score(value=NOANSWER if found is None else found, answer=text, metadata={TARGET: target.text})

    def make() -> Any:
        return score

    made: Callable[[], Any] = scorer(metrics=list(metrics or [ordinal(list(scale.labels))]), name="grade")(make)
    return made()


@metric  # type: ignore[untyped-decorator, unused-ignore]
@documented(
    "A metric: numbers by `Metric.key`, with ``_low`` and ``_high``, and beside them ``rows`` and ``answered``.",
    cluster="A key of the samples' metadata: samples that belong together. Epochs of a sample always do.",
    truth="Where the person's grade is: a key of the score's metadata, or of the sample's.",
)
def ordinal(
    labels: Labels,
    metrics: Sequence[str] | None = None,
    cluster: str | None = None,
    truth: str = TARGET,
    confidence_level: float = 0.95,
) -> Any:
    """Scores of the grades against people's, with intervals.

    With ``Epochs(n, "collect")`` every epoch is a row and its sample the cluster.  Grades that were averaged give nan and a warning,
    since an error in a metric would mark the whole run, already paid for, as failed.
    """
    scale = _scale(labels)
    asked = [get_metric(name) for name in metrics or DEFAULT_METRICS]

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        if not scores:  # Inspect asks before the first sample is done
            return dict.fromkeys((one.key for one in asked), math.nan)
        true, pred, unit = [], [], []
        for one in scores:
            value = one.score.value
            for grade in value if isinstance(value, list) else [value]:
                if isinstance(grade, float) and not math.isnan(grade) and class_of(scale, grade) is None:
                    return _nothing(asked, AVERAGED)
                beside = one.sample_metadata or {}
                true.append(class_of(scale, (one.score.metadata or {}).get(truth, beside.get(truth))))
                pred.append(class_of(scale, grade))
                unit.append(beside.get(cluster) if cluster else one.sample_id)
        repeated = cluster is not None or len(set(unit)) < len(unit)
        try:
            found = evaluate(
                true,
                pred,
                labels=scale,
                missing="unanswered",
                cluster=[str(one) for one in unit] if repeated else None,
                metrics=asked,
                confidence_level=confidence_level,
            )
        except ValueError as error:
            return _nothing(asked, str(error))
        return found.flat()

    return compute


@score_reducer  # type: ignore[untyped-decorator, unused-ignore]
@documented("A reducer for ``Epochs(n, median_grade(labels))``.")
def median_grade(labels: Labels) -> Any:
    """The lower median of the epochs' classes; unanswered epochs are left out, and where all are unanswered it is NOANSWER."""
    scale = _scale(labels)
    place = {label: i for i, label in enumerate(scale.labels)}

    def reduce(scores: list[Score]) -> Score:
        given = sorted(place[found] for found in (class_of(scale, one.value) for one in scores) if found is not None)
        value = scale.labels[given[(len(given) - 1) // 2]] if given else NOANSWER
        first = scores[0]
        return Score(value=value, answer=first.answer, explanation=first.explanation, metadata=first.metadata)

    return reduce


def _scale(labels: Labels) -> Scale:
    scale = as_scale(labels)
    if any(str(label) == NOANSWER for label in scale.labels):
        problem = "{labels} holds {label}, which is Inspect's sign for no answer"
        raise ArgumentError(problem, argument="labels", remedy="give the class another name", values={"label": repr(NOANSWER)})
    return scale


def _nothing(asked: Sequence[Any], why: str) -> dict[str, float]:
    _log.warning("ordeval: no score: %s", why)
    return {one.key: math.nan for one in asked}
