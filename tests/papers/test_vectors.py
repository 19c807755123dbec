"""Do the conformance vectors hold?  Every metric against the published file, value by value."""

import gzip
import json
import math
import sys
import warnings
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from forecasts import variants as forecast_metrics
from tables import value, variants

import ordeval as oe
from ordeval import get_metric
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._sums import RatedItems

ROOT = Path(__file__).parents[2]
OLD, DATA = (json.loads(gzip.decompress((ROOT / "conformance" / f"ordeval-vectors-{i}.json.gz").read_bytes())) for i in (1, 2))


def disagreements(vectors):
    wrong = []
    for vector in vectors:
        table = np.array(vector["table"])
        for text, expected in vector["values"].items():
            got = value(get_metric(text), table)
            right = math.isnan(got) if expected is None else abs(got - float(expected)) <= 1e-12 * max(1, abs(float(expected)))
            if not right:
                wrong.append(f"{text} is {got}, not {expected}, on {vector['table']}")
    return wrong


def now(text):
    """A text of the first file with the parameters that have another name now."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return str(get_metric(text))


def test_both_files_hold_the_same_values():
    names = {text: now(text) for text in OLD["metrics"]}
    assert set(names.values()) == set(DATA["metrics"])
    assert sum(old != new for old, new in names.items()) == 11
    for old, new in zip(OLD["vectors"], DATA["vectors"], strict=True):
        assert old["table"] == new["table"]
        assert {names[text]: x for text, x in old["values"].items()} == new["values"]


def test_a_part_of_the_vectors_agrees():
    assert disagreements(DATA["vectors"][::40]) == []


@pytest.mark.slow
def test_all_vectors_agree():
    assert disagreements(DATA["vectors"]) == []


def test_every_metric_and_variant_has_vectors_and_undefined_cases_are_among_them():
    texts = {text for vector in DATA["vectors"] for text in vector["values"]}
    assert texts == set(DATA["metrics"])
    assert {str(metric) for metric in variants()} <= texts
    assert len(DATA["vectors"]) > 1_000
    assert any(x is None for vector in DATA["vectors"] for x in vector["values"].values())


def test_a_wrong_value_would_be_seen():
    vector = {"table": [[3, 1], [0, 2]], "values": {"accuracy": "0.8333333333333"}}
    assert disagreements([vector]) == [] or disagreements([{**vector, "values": {"accuracy": "0.83"}}])
    assert disagreements([{**vector, "values": {"accuracy": "0.83"}}])
    assert disagreements([{**vector, "values": {"accuracy": None}}])


def test_the_file_is_what_the_script_writes():
    sys.path.insert(0, str(ROOT / "conformance"))
    try:
        import generate
    finally:
        sys.path.pop(0)
    every = list(enumerate(generate.tables()))
    assert len(every) == len(DATA["vectors"])
    assert [i for i, table in every[::200] if generate.entry(i, table) != DATA["vectors"][i]] == []
    for name in generate.rows.SECTIONS:
        assert generate.rows.agrees(DATA[name], name, generate.SEED, generate.written, 40)
        changed = {**DATA[name], "vectors": [{**DATA[name]["vectors"][0], "values": {}}, *DATA[name]["vectors"][1:]]}
        assert not generate.rows.agrees(changed, name, generate.SEED, generate.written, 400)


class TestVectorsOfRows:
    """Forecasts, prediction sets and ratings, read from the file alone."""

    def right(self, got, expected):
        if expected is None:
            return math.isnan(got)
        return got == float(expected) or abs(got - float(expected)) <= 1e-12 * max(1, abs(float(expected)))

    def numbers(self, fractions):
        return None if fractions is None else [float(Fraction(text)) for text in fractions]

    @pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
    def test_forecasts(self, step):
        section = DATA["forecasts"]
        assert set(section["metrics"]) == {str(metric) for metric in forecast_metrics()}
        wrong = []
        for vector in section["vectors"][::step]:
            proba, weights = [self.numbers(row) for row in vector["proba"]], self.numbers(vector["weights"])
            rows = oe.forecast(vector["true"], proba, labels=range(vector["classes"]), sample_weight=weights)
            scores = {text: get_metric(text).bind(rows).point() for text in vector["values"]}
            wrong += [(text, got, vector) for text, got in scores.items() if not self.right(got, vector["values"][text])]
        assert wrong == []
        values = [x for vector in section["vectors"] for x in vector["values"].values()]
        assert None in values
        assert "inf" in values

    def test_sets(self):
        wrong = []
        for vector in DATA["sets"]["vectors"]:
            given = {"labels": range(vector["classes"]), "sample_weight": self.numbers(vector["weights"])}
            for text, expected in vector["values"].items():
                got = get_metric(text)(vector["true"], sets=(vector["lo"], vector["hi"]), **given)
                wrong += [] if self.right(got, expected) else [(text, got, vector)]
        assert wrong == []

    @pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
    def test_ratings(self, step):
        wrong = []
        for vector in DATA["ratings"]["vectors"][::step]:
            columns = {f"r{g}": list(column) for g, column in enumerate(zip(*vector["items"], strict=True))}
            units = RatedItems.of(oe.raters.ratings(columns, labels=range(vector["classes"])))
            sums = units.sums(units.whole)
            for name, expected in vector["values"].items():
                got = float(COEFFICIENTS[name].bind(vector["weights"], None, vector["classes"])(sums)[0])
                wrong += [] if self.right(got, expected) else [(name, got, vector)]
        assert wrong == []
        assert any(x is None for vector in DATA["ratings"]["vectors"] for x in vector["values"].values())
