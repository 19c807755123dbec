"""Every JSON that we write keeps to its schema in docs/schema."""

import json
import math
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import referencing
from commands import LABELS, ordeval, triage, write_csv
from forms_of_results import scores_in
from odd import CASES

import ordeval as oe

SCHEMAS = {
    path.name.split(".")[0]: json.loads(path.read_text(encoding="utf-8"))
    for path in (Path(__file__).resolve().parents[2] / "docs" / "schema").glob("*.schema.json")
}
REGISTRY = referencing.Registry().with_resources(
    (schema["$id"], referencing.Resource.from_contents(schema)) for schema in SCHEMAS.values()
)


def validated(kind, text):
    data = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    jsonschema.Draft202012Validator(SCHEMAS[kind], registry=REGISTRY).validate(data)
    return data


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_schemas_are_schemas(kind):
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[kind])
    assert SCHEMAS[kind]["$schema"].endswith("2020-12/schema")


@pytest.mark.parametrize("name", CASES)
def test_scores(name):
    counts = CASES[name]()
    results = {model: oe.evaluate(counts[model], n_resamples=400) for model in counts.models}
    several = validated("score", scores_in(results, "json"))
    for model, result in results.items():
        one = validated("score", result.to_json())
        assert one == several["models"][model]
        for text, score in result.scores.items():
            found = one["scores"][text]
            assert found["value"] == (None if math.isnan(score.value) else score.value)
            assert ("reason" in found) == bool(score.reason)


def test_every_metric():
    rng = np.random.default_rng(0)
    hours = oe.Scale.from_edges([0, 1, 4, 9])
    true = rng.uniform(0, 8, 90)
    result = oe.evaluate(true, true * rng.uniform(0.5, 1.1, 90), labels=hours, metrics="all", n_resamples=400)
    data = validated("score", result.to_json())
    assert len(data["scores"]) > 40
    stay = oe.Scale.from_edges([0, 1, 4, math.inf])
    result = oe.evaluate([0.5, 2, 5] * 9, [0.5, 5, 5] * 9, labels=stay, metrics=["interval_stc"], n_resamples=400)
    assert validated("score", result.to_json())["scores"]["interval_stc"]["details"]


@pytest.mark.parametrize("name", ["one class", "one row", "clusters", "weighted clusters", "unanswered", "blanks as wrong"])
def test_comparisons(name):
    result = oe.compare(CASES[name](), n_resamples=400, metrics=["accuracy", "cem", "cohen_kappa"], margin=0.05)
    data = validated("compare", result.to_json())
    assert data["verdict"] == result.verdict
    assert data["differences"][0]["scores"].keys() == {"accuracy", "cem", "cohen_kappa"}


def test_three_models():
    columns = {"a": [0, 1, 2, 2] * 20, "b": [0, 1, 1, 2] * 20, "c": [0, 0, 1, 2] * 20}
    data = validated("compare", oe.compare([0, 1, 2, 2] * 20, columns, metrics=["mae"], n_resamples=400).to_json())
    assert [(d["first"], d["second"]) for d in data["differences"]] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_leaderboards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    triage(tmp_path)
    common = ("--labels", LABELS, "--missing", "drop", "--n-resamples", "400", "--format", "json")
    data = validated("leaderboard", ordeval("leaderboard", "gold.csv", "nurse.csv", "model.csv", *common).out)
    assert [s["system"] for s in data["systems"]] == ["model", "nurse"]
    assert data["systems"][0]["missing"] == 4
    write_csv("one.csv", [["id", "true"], *([i, "red"] for i in range(9))])
    write_csv("red.csv", [["id", "pred"], *([i, "red"] for i in range(9))])
    data = validated("leaderboard", ordeval("leaderboard", "one.csv", "red.csv", "--metrics", "cohen_kappa", *common).out)
    assert data["systems"][0]["scores"] == {"cohen_kappa": None}
    assert "no disagreement" in data["systems"][0]["reasons"]["cohen_kappa"]


def test_a_key_that_the_schema_does_not_know_is_refused():
    data = json.loads(oe.evaluate([0, 1], [0, 1], n_resamples=400).to_json())
    for broken in (data | {"more": 1}, {k: v for k, v in data.items() if k != "rows"}, data | {"schema": 2}):
        with pytest.raises(jsonschema.ValidationError):
            validated("score", json.dumps(broken))
    data["scores"]["accuracy"] = {"value": None, "low": None, "high": None, "method": "none"}
    with pytest.raises(jsonschema.ValidationError):
        validated("score", json.dumps(data))
