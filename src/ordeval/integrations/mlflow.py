"""Ordinal scores in MLflow: results logged with their intervals, metrics for ``mlflow.models.evaluate``, a scorer for ``mlflow.genai``."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ordeval.base.docs import documented
from ordeval.evaluation import Comparison, Evaluation, evaluate
from ordeval.evaluation._request import MetricLike
from ordeval.integrations._answers import class_finder
from ordeval.metrics import get_metric
from ordeval.order.scale import Labels, as_scale
from ordeval.raters._validation_result import JudgeValidation

try:
    import mlflow as _mlflow
    from mlflow.entities import AssessmentError, Feedback
    from mlflow.metrics import MetricValue, make_metric
except ImportError:
    raise ImportError('mlflow is not installed: pip install "ordeval[mlflow]"') from None


@documented(
    "The numbers that were logged, by name.",
    result="A result of `evaluate`, `compare` or `validate_judge`.",
    prefix="What the names of all metrics begin with.",
    artifact_path="The folder among the run's artifacts; report.html and evaluation.json, and counts.json where there are counts.",
    run_id="The run; None is the active one, or a new one.",
    step="The step of the metrics, for a curve.",
)
def log_evaluation(
    result: Evaluation | Comparison | JudgeValidation,
    *,
    prefix: str = "ordinal/",
    artifact_path: str = "ordeval",
    run_id: str | None = None,
    step: int | None = None,
) -> dict[str, float]:
    """Log a result to a run: its numbers as metrics, its page and its data as artifacts, its signature as a tag."""
    numbers = {prefix + name: value for name, value in result.flat().items()}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "report.html").write_text(result.to_html(), encoding="utf-8")
        Path(folder, "evaluation.json").write_text(result.to_json(), encoding="utf-8")
        if isinstance(result, (Evaluation, Comparison)):
            result.counts.save(Path(folder, "counts.json"))
        run = run_id or (_mlflow.active_run() or _mlflow.start_run()).info.run_id
        _mlflow.log_metrics(numbers, step=step, run_id=run)
        _mlflow.log_artifacts(folder, artifact_path=artifact_path, run_id=run)
        if not isinstance(result, Comparison):
            _mlflow.MlflowClient().set_tag(run, "ordeval.signature", result.signature)
    return numbers


@documented(
    "Metrics for ``mlflow.models.evaluate(extra_metrics=...)``.",
    names="Metrics by name or text.",
    confidence_level="The level of the intervals.",
)
def metrics(names: Sequence[MetricLike], labels: Labels, *, confidence_level: float = 0.95) -> list[Any]:
    """Scores of predictions against targets, each logged as ``cem/value``, ``cem/low`` and ``cem/high``; a missing prediction is unanswered."""
    scale = as_scale(labels)
    asked = [get_metric(name) for name in names]
    keys = [one.key for one in asked]
    if len(set(keys)) < len(keys):
        raise ValueError(f"two metrics would both be called {max(keys, key=keys.count)!r}; ask for one of them")

    def made(one: Any) -> Any:
        def eval_fn(predictions: Any, targets: Any) -> Any:
            found = evaluate(
                targets, predictions, labels=scale, missing="unanswered", metrics=[one], confidence_level=confidence_level
            ).flat()
            ends = {"value": one.key, "low": f"{one.key}_low", "high": f"{one.key}_high"}
            return MetricValue(aggregate_results={end: found[key] for end, key in ends.items() if key in found})

        return make_metric(eval_fn=eval_fn, greater_is_better=one.direction == "higher", name=one.key)

    return [made(one) for one in asked]


@documented(
    "A scorer for ``mlflow.genai.evaluate(scorers=[...])``.",
    name="The name of the feedback.",
    pattern="A regular expression; its last match is the grade. None takes the last class in the output.",
)
def grade(labels: Labels, *, name: str = "grade", pattern: str | None = None) -> Any:
    """The class that an output gives, as feedback; an output without a class is an error with its text, and so unanswered."""
    find = class_finder(as_scale(labels), pattern)

    def read(outputs: Any) -> Any:
        text = str(outputs)
        found = find(text)
        if found is None:
            return Feedback(name=name, value=None, error=AssessmentError(error_code="UNPARSABLE", error_message=text))
        return Feedback(name=name, value=found)

    return _mlflow.genai.scorer(read, name=name)
