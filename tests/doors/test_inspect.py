"""Inspect with its mock model: a log is written, and our scorer, metric, reducer and command agree with the library on its grades."""

import csv
import json
import math

import numpy as np
import pytest
from commands import ordeval

import ordeval as oe

LABELS = [1, 2, 3, 4, 5]
ITEMS, EPOCHS = 40, 3


def answers(seed=0):
    """The person's grades (items,) and what the judge writes, epoch by epoch; every 17th answer holds no grade."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, ITEMS)
    grades = np.clip(np.rint(truth + 0.5 * rng.normal(size=(EPOCHS, ITEMS))), 1, 5).astype(int)
    silent = (np.arange(EPOCHS * ITEMS) % 17 == 16).reshape(EPOCHS, ITEMS)
    return truth, grades, silent


def run(folder, *, epochs, metrics=None, log_format="eval", seed=0):
    """Grade with the mock model; an answer is looked up by its item and epoch, so the order of the calls does not matter."""
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate

    from ordeval.integrations.inspect_ai import grade

    truth, grades, silent = answers(seed)
    seen = np.zeros(ITEMS, int)

    def answer(messages, tools, tool_choice, config):
        item = int(messages[-1].text.split()[-1])
        epoch = seen[item]
        seen[item] += 1
        text = "I would rather not say." if silent[epoch, item] else f"Not a 9. Grade: {grades[epoch, item]}."
        found = ModelOutput.from_content("mockllm/model", text)
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else its tokens are counted, with a download
        return found

    samples = [Sample(id=f"essay-{i}", input=f"Grade essay {i}", target=str(truth[i])) for i in range(ITEMS)]
    task = Task(dataset=MemoryDataset(samples), solver=generate(), scorer=grade(LABELS, metrics=metrics), epochs=epochs)
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = eval(task, model=model, log_dir=str(folder), display="none", max_samples=1, log_format=log_format)
    assert log.status == "success", log.error
    return log


def by_library(metrics, seed=0):
    truth, grades, silent = answers(seed)
    item = np.tile(np.arange(ITEMS), EPOCHS)
    given = [None if gone else int(g) for g, gone in zip(grades.ravel(), silent.ravel(), strict=True)]
    return oe.evaluate(truth[item], given, labels=LABELS, cluster=item, missing="unanswered", metrics=metrics), silent.mean()


@pytest.fixture(scope="module", params=["eval", "json"])
def log(request, tmp_path_factory):
    from inspect_ai import Epochs

    from ordeval.integrations.inspect_ai import ordinal

    return run(
        tmp_path_factory.mktemp("logs"),
        epochs=Epochs(EPOCHS, "collect"),
        metrics=[ordinal(LABELS, ["cem", "bias"])],
        log_format=request.param,
    )


def test_the_metric_in_the_log_is_the_score_of_the_library(log):
    mine, silent = by_library(["cem", "bias"])
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert found == pytest.approx(mine.flat(), rel=1e-9)
    assert found["answered"] == pytest.approx(1 - silent)
    assert found["cem_low"] < found["cem"] < found["cem_high"]


@pytest.mark.parametrize("together", ["epochs", "essays of a pupil", "nothing"])
@pytest.mark.parametrize("level", [0.95, 0.8])
def test_a_metric_knows_what_belongs_together_where_the_truth_is_and_the_level(together, level):
    from inspect_ai.scorer import NOANSWER, SampleScore, Score

    from ordeval.integrations.inspect_ai import ordinal

    truth, grades, silent = answers()
    epochs = EPOCHS if together == "epochs" else 1
    given = [[NOANSWER if silent[e, i] else int(grades[e, i]) for e in range(epochs)] for i in range(ITEMS)]
    scores = [
        SampleScore(
            score=Score(value=one if epochs > 1 else one[0], metadata={"teacher": int(truth[i])}),
            sample_id=f"essay-{i}",
            sample_metadata={"pupil": i // 4},
        )
        for i, one in enumerate(given)
    ]
    cluster = "pupil" if together == "essays of a pupil" else None
    found = ordinal(LABELS, ["mae"], cluster=cluster, truth="teacher", confidence_level=level)(scores)
    item = np.repeat(np.arange(ITEMS), epochs)
    unit = {"epochs": item, "essays of a pupil": item // 4}.get(together)
    mine = oe.evaluate(
        truth[item],
        [None if grade == NOANSWER else grade for one in given for grade in one],
        labels=LABELS,
        cluster=unit,
        missing="unanswered",
        metrics=["mae"],
        confidence_level=level,
    )
    assert found == pytest.approx(mine.flat(), rel=1e-9)


def test_the_command_gives_the_numbers_of_the_library_on_the_same_grades(log):
    done = ordeval("judge", log.location.removeprefix("file://"), "--labels", "1,2,3,4,5", "--metrics", "cem", "--format", "csv")
    assert done.code == 0, done.err
    found = {row["metric"]: row for row in csv.DictReader(done.out.splitlines())}
    mine, _ = by_library(["cem", "bias"])
    for metric in ("cem", "bias"):
        score = mine[metric]
        assert [float(found[metric][part]) for part in ("value", "low", "high")] == pytest.approx(
            [score.value, score.low, score.high], rel=1e-9
        )
    _, grades, silent = answers()
    codes = np.where(silent, -1, grades)
    equal = np.mean([[codes[a, i] == codes[b, i] for a in range(EPOCHS) for b in range(EPOCHS) if a != b] for i in range(ITEMS)])
    assert float(found["same_again"]["value"]) == pytest.approx(equal)


def test_the_log_keeps_ids_answers_and_epochs(log):
    found = oe.raters.read_judge_log(log.location.removeprefix("file://"), labels=LABELS)
    _, grades, silent = answers()
    assert (found.judges, found.people, found.epochs) == (("mockllm/model",), ("target",), "repeats")
    by_item = {item: i for i, item in enumerate(found.items)}
    order = [by_item[f"essay-{i}"] for i in range(ITEMS)]
    assert found.codes("mockllm/model")[order].tolist() == (np.where(silent, 0, grades) - 1).T.tolist()
    assert found.unparsable == {"mockllm/model": {"I would rather not say.": int(silent.sum())}}
    furthest = found.disagreements()[0]
    assert furthest.trace in {sample.uuid for sample in log.samples}
    assert "Grade: " in furthest.answer


def test_an_invalidated_sample_is_left_out_and_counted(tmp_path):
    from inspect_ai.log import ProvenanceData, invalidate_samples, write_eval_log

    log = run(tmp_path, epochs=1)
    bad = invalidate_samples(log, [log.samples[0].uuid], ProvenanceData(author="me", reason="wrong essay"))
    write_eval_log(bad, log.location)
    found = oe.raters.read_judge_log(log.location, labels=LABELS)
    assert found.audit.excluded == {"the sample was invalidated": 1}
    assert len(found.items) == ITEMS - 1


def test_averaged_epochs_give_no_number_and_a_warning(tmp_path, caplog):
    from ordeval.integrations.inspect_ai import ordinal

    with caplog.at_level("WARNING"):
        log = run(tmp_path, epochs=EPOCHS, metrics=[ordinal(LABELS, ["cem"])])
    assert log.status == "success"
    (score,) = log.results.scores
    assert [math.isnan(metric.value) for metric in score.metrics.values()] == [True]


def test_the_median_of_epochs_is_a_class(tmp_path):
    from inspect_ai import Epochs

    from ordeval.integrations.inspect_ai import median_grade, ordinal

    log = run(tmp_path, epochs=Epochs(EPOCHS, median_grade(LABELS)), metrics=[ordinal(LABELS, ["mae"])])
    truth, grades, silent = answers()
    given = [sorted(g for g, gone in zip(grades[:, i], silent[:, i], strict=True) if not gone) for i in range(ITEMS)]
    median = [int(one[(len(one) - 1) // 2]) if one else None for one in given]
    mine = oe.evaluate(truth, median, labels=LABELS, missing="unanswered", metrics=["mae"])
    (score,) = log.results.scores
    assert score.reducer.endswith("median_grade")
    assert {name: metric.value for name, metric in score.metrics.items()} == pytest.approx(mine.flat(), rel=1e-9)


def test_a_median_without_an_answer_is_none():
    from inspect_ai.scorer import NOANSWER, Score

    from ordeval.integrations.inspect_ai import median_grade

    reduce = median_grade(LABELS)
    assert reduce([Score(value="N"), Score(value="N")]).value == NOANSWER
    assert reduce([Score(value=2), Score(value="N"), Score(value=5)]).value == 2


def test_a_class_that_inspect_takes_for_no_answer_is_refused():
    from ordeval.integrations.inspect_ai import grade

    with pytest.raises(oe.ArgumentError, match="'N', which is Inspect's sign for no answer"):
        grade(["N", "Y"])


def test_an_unfinished_log_is_refused(log, tmp_path):
    from inspect_ai.log import write_eval_log

    broken = log.model_copy(update={"status": "error"})
    write_eval_log(broken, str(tmp_path / "broken.json"), format="json")
    assert json.loads((tmp_path / "broken.json").read_text())["status"] == "error"
    done = ordeval("judge", tmp_path / "broken.json", "--labels", "1,2,3,4,5")
    assert done.code == 3
    assert "has the status error: the items that finished are not a random sample of all items" in done.err
