"""`ordeval judge` as a person meets it: the numbers of the library, the disagreements by trace, and a gate."""

import csv
import json
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from commands import ordeval, write_csv
from judge_files import inspect_log, lm_eval_samples

import ordeval as oe

LABELS = ["--labels", "1,2,3,4,5"]
FEW = ["--n-resamples", "499"]


def grades(seed, runs=3, n=60, shift=0.0):
    rng, truth = np.random.default_rng(seed), np.random.default_rng(7).integers(1, 6, n)
    seen = np.clip(np.rint(truth[:, None] + shift + 0.4 * rng.normal(size=(n, runs))), 1, 5).astype(int)
    found = {f"q{i}": (int(truth[i]), seen[i].tolist()) for i in range(n)}
    found["q3"][1][0] = "as an AI"
    return found


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judge")
    return inspect_log(folder / "new.json", grades(1, shift=0.5)), inspect_log(folder / "old.json", grades(2))


def by_metric(done):
    assert done.code == 0, done.err
    return {row["metric"]: row for row in csv.DictReader(done.out.splitlines())}


def test_a_log_gives_the_numbers_of_the_library_on_the_same_grades(logs):
    given = grades(1, shift=0.5)
    found = by_metric(ordeval("judge", logs[0], *LABELS, *FEW, "--metrics", "cem,mae", "--format", "csv"))
    rows = [(person, grade if isinstance(grade, int) else None, item) for item, (person, all_) in given.items() for grade in all_]
    person, judged, item = zip(*rows, strict=True)
    mine = oe.evaluate(
        person, judged, labels=range(1, 6), cluster=item, missing="unanswered", metrics=["cem", "mae"], n_resamples=499
    )
    for metric in ("cem", "mae"):
        score = mine[metric]
        ends = [score.value, score.low, score.high]  # clusters in another order: equal but for rounding
        assert [float(found[metric][part]) for part in ("value", "low", "high")] == pytest.approx(ends, rel=1e-9)
    assert float(found["answered"]["value"]) == 179 / 180
    ratings = oe.raters.ratings(
        {str(r): [g if isinstance(g, int) else None for g in (all_[r] for _, all_ in given.values())] for r in range(3)},
        labels=range(1, 6),
    )
    alpha = oe.raters.agreement(ratings, ["alpha_ordinal"], n_resamples=499).scores["alpha_ordinal"]
    assert [float(found["alpha"][part]) for part in ("value", "low", "high")] == [alpha.value, alpha.low, alpha.high]


def test_samples_of_two_filters_give_the_numbers_of_the_one_that_is_chosen(tmp_path):
    given = grades(1, runs=1)
    path = lm_eval_samples(tmp_path / "samples_essays_2026-03-01T10-20-30.1.jsonl", given)
    refused = ordeval("judge", path, *LABELS)
    assert refused.code == 2
    assert "once for each filter (strict, first); choose one with --filter strict" in refused.err
    found = by_metric(ordeval("judge", path, *LABELS, *FEW, "--filter", "first", "--metrics", "cem", "--format", "csv"))
    judged = [grade if isinstance(grade, int) else None for _, (grade,) in given.values()]
    mine = oe.evaluate(
        [person for person, _ in given.values()],
        judged,
        labels=range(1, 6),
        missing="unanswered",
        metrics=["cem"],
        n_resamples=499,
    )["cem"]
    assert [float(found["cem"][part]) for part in ("value", "low", "high")] == [mine.value, mine.low, mine.high]
    assert found["cem"]["judge"] == "essays"


def test_text_report_disagreements_and_drift(logs, tmp_path):
    page, list_ = tmp_path / "page.html", tmp_path / "far.csv"
    done = ordeval(
        "judge", logs[0], "--against", logs[1], *LABELS, *FEW, "--list", "2", "--report", page, "--disagreements", list_
    )
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "mock/judge agrees with target by Closeness Evaluation Measure" in said
    assert f"has changed since {logs[1]}" in said
    assert "1 of 180 unanswered." in said
    assert "mock/judge: 1 answer outside the classes, counted as unanswered: 'as an AI' (1)" in said
    rows = list(csv.DictReader(list_.read_text().splitlines()))
    assert [int(row["steps"]) for row in rows] == sorted((int(row["steps"]) for row in rows), reverse=True)
    assert rows[0]["trace"] in done.out
    assert f"… and {len(rows) - 2} more" in said
    assert "How far may the judge be trusted?" in page.read_text()
    assert ordeval("judge", logs[0], *LABELS, "--report", page).code == 2  # it is there


def test_where_not_all_disagreements_are_shown_it_is_said_how_to_get_them(logs):
    asked = ["judge", logs[0], *LABELS, *FEW, "--metrics", "cem"]
    number = len(oe.raters.read_judge_log(logs[0], labels=range(1, 6)).disagreements())
    for shown, said in ((number - 1, True), (number, False)):
        assert ("--disagreements FILE writes all disagreements" in ordeval(*asked, "--list", shown).err) is said


def test_rules_are_a_gate(logs):
    done = ordeval(
        "judge",
        logs[0],
        *LABELS,
        *FEW,
        "--metrics",
        "cem",
        "--rule",
        "cem >= 0.5 ci",
        "--rule",
        "same_again >= 0.99",
        "--rule",
        "drift <= 0.1",
    )
    assert done.code == 1
    verdicts = [line[:4] for line in done.out.splitlines() if line[:6] in ("pass  ", "FAIL  ")]
    assert verdicts == ["pass", "FAIL", "FAIL"]
    assert "needs an earlier log" in " ".join(done.out.split())
    assert ordeval("judge", logs[0], *LABELS, *FEW, "--metrics", "cem", "--rule", "answered >= 0.9").code == 0
    xml = Path(logs[0]).parent / "rules.xml"
    rules = ["--rule", "answered >= 0.9", "--rule", "cem >= 0.999", "--rule", "drift <= 0.1"]
    assert ordeval("judge", logs[0], *LABELS, *FEW, "--metrics", "cem", *rules, "--junit", xml).code == 1
    suite = ElementTree.parse(xml).getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {"tests": "3", "failures": "1", "errors": "1"}
    assert ordeval("judge", logs[0], *LABELS, "--rule", "kappaa > 1").code == 2


def two_scores(path, found):
    log = json.loads(inspect_log(path, found).read_text())
    for sample in log["samples"]:
        sample["scores"]["other"] = {"value": 3}
    path.write_text(json.dumps(log))


def two_filters(path, found):
    lm_eval_samples(path, {item: (person, given[:1]) for item, (person, given) in found.items()})


def in_words(path, found):
    inspect_log(path, {item: (person, [f"4 of 5 say: {g}" for g in given]) for item, (person, given) in found.items()})


def like_lm_eval(path, found):
    """A table whose columns are called like the fields of another tool's samples."""
    rows = [{"doc": item, "resps": given[0], "filtered_resps": "-", "ann": person} for item, (person, given) in found.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize(
    ("write", "asked"),
    [
        (two_scores, ["--score", "grade"]),
        (two_filters, ["--filter", "first"]),
        (in_words, ["--parse", r"\d"]),
        (like_lm_eval, ["--log-format", "table", "--item", "doc", "--judge", "resps", "--person", "ann"]),
        (lambda path, found: inspect_log(path, found, status="started"), ["--unfinished"]),
    ],
    ids=["score", "filter", "parse", "log_format", "unfinished"],
)
def test_an_earlier_log_is_read_as_the_log_is(write, asked, tmp_path):
    found, table = {}, [[0] * 5 for _ in range(5)]
    for name, shift in (("now.jsonl", 0.0), ("then.jsonl", 1.0)):
        found[name] = {item: row for item, row in grades(1, shift=shift).items() if item != "q3"}  # which is no class
        write(tmp_path / name, found[name])
    for item, (_, runs) in found["now.jsonl"].items():
        table[found["then.jsonl"][item][1][0] - 1][runs[0] - 1] += 1
    more = [*asked, *LABELS, *FEW, "--metrics", "cem", "--format", "json"]
    done = ordeval("judge", tmp_path / "now.jsonl", "--against", tmp_path / "then.jsonl", *more)
    assert done.code == 0, done.err
    (judge,) = json.loads(done.out)["judges"].values()
    assert judge["drift"]["table"] == table


def test_a_panel_of_judges_in_a_plain_table(tmp_path):
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, 150)
    names = ["ann", "bob", "gpt", "claude"]
    columns = {name: np.clip(np.rint(truth + 0.5 * rng.normal(size=150)), 1, 5).astype(int) for name in names}
    rows = [[i, name, columns[name][i]] for i in range(150) for name in names]
    write_csv(tmp_path / "votes.csv", [["id", "who", "score"], *rows])
    asked = ["--item", "id", "--rater", "who", "--grade", "score", "--judge", "gpt", "--judge", "claude", "--metrics", "cem"]
    people = ["--person", "ann", "--person", "bob"]
    rules = ["--rule", "effective_judges >= 1", "--rule", "drift <= 0.1"]
    done = ordeval("judge", tmp_path / "votes.csv", *asked, *people, *rules, *LABELS, *FEW, "--format", "json")
    assert done.code == 1, done.err  # there is no earlier log
    verdicts = [line.split()[:2] for line in done.err.splitlines() if line.startswith(("pass  ", "FAIL  "))]
    assert verdicts == [["pass", "effective_judges"], ["FAIL", "gpt:"], ["FAIL", "claude:"]]  # the first is about both
    assert max(map(len, done.err.splitlines())) <= 80
    data = json.loads(done.out)
    mine = oe.raters.effective_judges(oe.raters.ratings(columns, labels=range(1, 6)), ["gpt", "claude"], ["ann", "bob"])
    assert data["effective"]["effective_judges"]["value"] == pytest.approx(mine.value, rel=1e-12)
    assert data["effective"]["effective_judges"]["low"] == pytest.approx(mine.score.low, rel=1e-12)
    assert set(data["judges"]) == {"gpt", "claude"}
    assert data["judges"]["gpt"]["panel"]["place"] in ("within", "above", "below")


def test_the_lower_median_of_two_people_makes_no_bias():
    import pandas as pd

    rng = np.random.default_rng(2)
    truth = rng.integers(1, 6, 400)
    columns = {name: np.clip(np.rint(truth + 0.7 * rng.normal(size=400)), 1, 5).astype(int) for name in ("ann", "bob", "gpt")}
    log = oe.raters.read_judge_log(pd.DataFrame(columns).assign(id=range(400)), item="id", judges=["gpt"], people=["ann", "bob"])
    found = oe.raters.validate_judge(log, metrics=["cem"], n_resamples=499)["gpt"]
    assert found.evaluation.scores["bias"].low > 0  # the lower of two grades is lower than either in the mean
    assert found.bias.low < 0 < found.bias.high
    assert "shows no bias" in found.words("people")


def test_what_is_undefined_is_in_no_flat_mapping(logs):
    log = oe.raters.read_judge_log(logs[0], labels=range(1, 6))
    found = oe.raters.validate_judge(log, metrics=["cem"], n_resamples=499).flat("run")
    assert found["run/same_again"] < 1
    assert "run/drift" not in found
    assert all(math.isfinite(value) for value in found.values())
