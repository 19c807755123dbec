"""MLflow with a local store: traces come back as the grades they were given for, and results are logged with their intervals."""

import csv
import json

import numpy as np
import pandas as pd
import pytest
from commands import ordeval

import ordeval as oe

LABELS = [1, 2, 3, 4, 5]
ITEMS, RUNS = 50, 2


def grades(seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, ITEMS)
    return truth, np.clip(np.rint(truth[:, None] + 0.5 * rng.normal(size=(ITEMS, RUNS))), 1, 5).astype(int)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """An experiment whose traces have two grades by a judge and one by a person each."""
    import os

    import mlflow
    from mlflow.entities import AssessmentSource

    os.environ["MLFLOW_ENABLE_ASYNC_TRACE_LOGGING"] = "false"
    folder = tmp_path_factory.mktemp("mlflow")
    mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
    experiment = mlflow.create_experiment("grading", artifact_location=str(folder / "artifacts"))
    mlflow.set_experiment("grading")
    truth, judged = grades()
    for i in range(ITEMS):
        with mlflow.start_span(f"essay {i}") as span:
            span.set_inputs({"essay": i})
        for run in range(RUNS):
            value = "no grade" if (i, run) == (7, 0) else int(judged[i, run])
            mlflow.log_feedback(trace_id=span.trace_id, name="grade", value=value, source=AssessmentSource("LLM_JUDGE", "gpt"))
        mlflow.log_feedback(trace_id=span.trace_id, name="grade", value=int(truth[i]), source=AssessmentSource("HUMAN", "ann"))
    return folder, experiment


def same_again(judged):
    return float(np.mean([(judged[i, 0] == judged[i, 1]) and i != 7 for i in range(ITEMS)]))


@pytest.mark.parametrize("name", ["id", "name"])
def test_the_command_gives_the_numbers_of_the_library_on_the_same_grades(store, name):
    _, experiment = store
    source = f"mlflow:{experiment if name == 'id' else 'grading'}"
    done = ordeval("judge", source, "--labels", "1,2,3,4,5", "--metrics", "cem", "--format", "csv")
    assert done.code == 0, done.err
    found = {row["metric"]: row for row in csv.DictReader(done.out.splitlines())}
    truth, judged = grades()
    given = [None if (i, run) == (7, 0) else int(judged[i, run]) for i in range(ITEMS) for run in range(RUNS)]
    item = np.repeat(np.arange(ITEMS), RUNS)
    mine = oe.evaluate(truth[item], given, labels=LABELS, cluster=item, missing="unanswered", metrics=["cem", "bias"])
    for metric in ("cem", "bias"):
        score = mine[metric]
        assert [float(found[metric][part]) for part in ("value", "low", "high")] == pytest.approx(
            [score.value, score.low, score.high], rel=1e-9
        )
    assert float(found["same_again"]["value"]) == pytest.approx(same_again(judged))
    assert float(found["answered"]["value"]) == 0.99


def test_traces_in_a_file_are_the_same_log(store, tmp_path):
    import mlflow

    _, experiment = store
    traces = mlflow.search_traces(locations=[experiment], return_type="list")
    (tmp_path / "traces.json").write_text(json.dumps([trace.to_dict() for trace in traces]))
    logs = [
        oe.raters.read_judge_log(source, labels=LABELS) for source in (tmp_path / "traces.json", traces, f"mlflow:{experiment}")
    ]
    rows = [sorted(map(str, log._rows())) for log in logs]
    assert rows[0] == rows[1] == rows[2]
    assert logs[0].unparsable == {"gpt": {"no grade": 1}}
    assert (logs[0].judges, logs[0].people) == (("gpt",), ("ann",))


def test_an_experiment_that_is_not_there_is_named(store):
    done = ordeval("judge", "mlflow:nonsense", "--labels", "1,2,3,4,5")
    assert done.code == 3
    assert "has no such experiment" in done.err


def test_results_are_logged_with_their_intervals_and_artifacts(store):
    import mlflow

    from ordeval.integrations.mlflow import log_evaluation

    truth, judged = grades()
    result = oe.evaluate(truth, judged[:, 0], labels=LABELS, metrics=["cem", "cohen_kappa(weights='linear')"])
    with mlflow.start_run() as run:
        logged = log_evaluation(result)
    stored = mlflow.get_run(run.info.run_id).data
    assert stored.metrics == pytest.approx(logged)
    assert {"ordinal/cem", "ordinal/cem_low", "ordinal/cohen_kappa_weights_linear_high", "ordinal/rows"} <= set(stored.metrics)
    assert stored.tags["ordeval.signature"] == result.signature
    folder = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="ordeval")
    assert oe.Counts.load(f"{folder}/counts.json").matrix.tolist() == result.counts.matrix.tolist()
    with open(f"{folder}/evaluation.json") as file:
        assert json.load(file) == json.loads(result.to_json())
    log = oe.raters.read_judge_log(f"mlflow:{store[1]}", labels=LABELS)
    with mlflow.start_run() as run:
        numbers = log_evaluation(oe.raters.validate_judge(log, metrics=["cem"], n_resamples=499), prefix="judge/")
    assert numbers["judge/same_again"] == pytest.approx(same_again(judged))
    assert mlflow.get_run(run.info.run_id).data.metrics == pytest.approx(numbers)


@pytest.mark.parametrize("asked", [{}, {"confidence_level": 0.8}])
def test_metrics_for_evaluate_are_the_scores_of_the_library(store, asked):
    import mlflow

    from ordeval.integrations.mlflow import metrics

    truth, judged = grades()
    data = pd.DataFrame({"truth": truth, "pred": judged[:, 0]})
    with mlflow.start_run():
        extra = metrics(["cem", "mae"], LABELS, **asked)
        found = mlflow.models.evaluate(
            data=data, targets="truth", predictions="pred", extra_metrics=extra, evaluators="default"
        ).metrics
    mine = oe.evaluate(truth, judged[:, 0], labels=LABELS, metrics=["cem", "mae"], **asked)
    for metric in ("cem", "mae"):
        score = mine[metric]
        assert [found[f"{metric}/{end}"] for end in ("value", "low", "high")] == pytest.approx(
            [score.value, score.low, score.high]
        )
    with pytest.raises(ValueError, match="would both be called 'cem'"):
        metrics(["cem", "cem"], LABELS)


def test_a_scorer_of_genai_writes_grades_that_the_command_reads_back(store):
    import mlflow

    from ordeval.integrations.mlflow import grade

    truth, judged = grades()
    data = [
        {
            "inputs": {"essay": i},
            "outputs": f"Grade: {judged[i, 0]}" if i else "no idea",
            "expectations": {"person": int(truth[i])},
        }
        for i in range(20)
    ]
    found = mlflow.genai.evaluate(data=data, scorers=[grade(LABELS)])
    log = oe.raters.read_judge_log(f"mlflow:{found.run_id}", labels=LABELS, score="grade")
    assert len(log.items) == 20
    assert log.audit.unanswered == 1
    (judge,) = log.judges
    assert log.unparsable == {judge: {"no idea": 1}}
    table = oe.count(truth[1:20], judged[1:20, 0], labels=LABELS).matrix
    assert log.against().matrix.tolist() == table.tolist()
