"""The same ratings as columns, as an array, as rows in memory, in files and on engines are the same counts."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ordeval as oe


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    grades = np.clip(np.round(rng.normal(3, 1, (60, 1)) + rng.normal(0, 0.7, (60, 3))), 1, 5)
    grades[rng.random(grades.shape) < 0.2] = np.nan
    grades[0] = [1, 2, 3]
    return pd.DataFrame(grades, columns=["ann", "bob", "cay"]).astype("Int64")


@pytest.fixture(scope="module")
def rows(table):
    long = table.assign(item=[f"e{i}" for i in range(len(table))]).melt("item", var_name="who", value_name="grade").dropna()
    return long.sample(frac=1, random_state=1).reset_index(drop=True)


def test_wide_forms_are_the_same(table, tmp_path):
    labels = [1, 2, 3, 4, 5]
    whole = oe.raters.ratings(table, labels=labels)
    table.to_csv(tmp_path / "w.csv", index=False)
    table.to_parquet(tmp_path / "w.parquet")
    assert whole.axes == ("ann", "bob", "cay")
    assert whole == oe.raters.ratings({name: table[name].to_list() for name in table}, labels=labels)
    array = oe.raters.ratings(table.to_numpy(float, na_value=np.nan), labels=labels)
    assert np.array_equal(array.cells, whole.cells)
    assert np.array_equal(array.weights, whole.weights)
    for source in (
        table,
        pl.from_pandas(table),
        pl.from_pandas(table).lazy(),
        str(tmp_path / "w.csv"),
        str(tmp_path / "w.parquet"),
    ):
        assert oe.raters.scan(source, raters=list(table), labels=labels) == whole


def test_long_forms_are_the_same(table, rows, tmp_path):
    labels = [1, 2, 3, 4, 5]
    names = {"item": "item", "rater": "who", "grade": "grade"}
    rated = table[~table.isna().all(axis=1)]
    whole = oe.raters.ratings(rated, labels=labels)
    rows.to_csv(tmp_path / "l.csv", index=False)
    rows.to_json(tmp_path / "l.jsonl", orient="records", lines=True)
    assert whole == oe.raters.ratings(item=rows["item"], rater=rows["who"], grade=rows["grade"], labels=labels)
    frame = pl.from_pandas(rows)
    for source in (rows, frame, frame.lazy(), str(tmp_path / "l.csv"), str(tmp_path / "l.jsonl")):
        assert oe.raters.scan(source, **names, labels=labels) == whole


def test_counts_of_raters_are_saved_and_merged(table, tmp_path):
    whole = oe.raters.ratings(table, labels=range(1, 6))
    whole.save(tmp_path / "c.json")
    assert oe.Counts.load(tmp_path / "c.json") == whole
    halves = [oe.raters.ratings(part, labels=range(1, 6)) for part in (table[:25], table[25:])]
    assert halves[0] + halves[1] == whole
    assert whole.margin("ann", "cay") == oe.raters.ratings(table[["ann", "cay"]], labels=range(1, 6))


def test_two_raters_are_the_metrics_of_two_columns(table):
    both = table[["ann", "bob"]].dropna()
    labels = range(1, 6)
    found = oe.raters.agreement(oe.raters.ratings(both, labels=labels), "all", weights="linear").scores
    pair = (both["ann"], both["bob"])
    assert found["conger_kappa"].value == pytest.approx(oe.cohen_kappa(*pair, labels=labels, weights="linear"))
    assert found["pairwise_kappa"].value == pytest.approx(oe.cohen_kappa(*pair, labels=labels, weights="linear"))
    assert found["fleiss_kappa"].value == pytest.approx(oe.scott_pi(*pair, labels=labels, weights="linear"))
    assert found["gwet_ac"].value == pytest.approx(oe.gwet_ac(*pair, labels=labels, weights="linear"))
    assert found["brennan_prediger"].value == pytest.approx(oe.brennan_prediger(*pair, labels=labels, weights="linear"))
    for level in ("nominal", "ordinal", "interval", "ratio"):
        assert found[f"alpha_{level}"].value == pytest.approx(oe.krippendorff_alpha(*pair, labels=labels, level=level))


def test_the_same_seed_gives_the_same_bytes(table):
    counts = oe.raters.ratings(table, labels=range(1, 6))
    first, second = (str(oe.raters.agreement(counts, method="bca", rng=7).to_dict()) for _ in range(2))
    assert first == second


def test_raters_named_by_numbers_stand_in_the_order_of_numbers_in_every_form(tmp_path):
    rows = pd.DataFrame([(i, r, 1 + (i * r) % 3) for i in range(5) for r in range(1, 13)], columns=["item", "rater", "grade"])
    rows.to_csv(tmp_path / "long.csv", index=False)
    part = {"item": "item", "rater": "rater", "grade": "grade", "labels": [1, 2, 3]}
    first = oe.raters.scan(rows, **part)
    assert first.axes == tuple(map(str, range(1, 13)))
    floats = rows.astype({"rater": float})
    for source in (str(tmp_path / "long.csv"), pl.from_pandas(rows).lazy(), floats, pl.from_pandas(floats).lazy()):
        assert oe.raters.scan(source, **part) == first
