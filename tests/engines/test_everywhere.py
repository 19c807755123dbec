"""Do the same rows give the same Counts to the last integer, wherever they are kept?"""

from collections import Counter

import numpy as np
import pytest

import ordeval as oe
from engines.rows import CLASSES, COLUMNS, FORMS, GOLD, RUNS, SERVICES, N, table

pytestmark = [  # Ibis asks pandas 3 and DuckDB 2 for what their next versions will not have
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option is deprecated"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table.. is deprecated"),
]

QUESTIONS = {
    "one model": {"true": "y", "pred": "a", "labels": CLASSES},
    "two models": {"true": "y", "pred": ["a", "b"], "labels": CLASSES},
    "groups and clusters": {"true": "y", "pred": ["a", "b"], "by": "site", "cluster": "patient", "labels": CLASSES},
    "whole weights": {"true": "y", "pred": "a", "sample_weight": "w", "labels": CLASSES},
    "fractional weights": {"true": "y", "pred": "a", "sample_weight": "f", "by": "site", "labels": CLASSES},
    "gaps dropped": {"true": "y", "pred": "gaps", "missing": "drop", "labels": CLASSES},
    "gaps unanswered": {"true": "y", "pred": ["a", "gaps"], "by": "site", "missing": "unanswered", "labels": CLASSES},
    "integers": {"true": "n", "pred": "m"},
    "floats with gaps": {"true": "n", "pred": "x", "missing": "unanswered"},
}
JOINS = {
    "complete": {"true": "y", "pred": "a", "by": "site", "sample_weight": "w", "labels": CLASSES},
    "with gaps": {"true": "y", "pred": ["a", "gaps"], "missing": "unanswered", "labels": CLASSES},
}


def counted(columns, question, labels=None):
    """The answer of count(), from columns in memory."""
    asked = dict(question)
    true, pred, by, cluster = (asked.pop(part, None) for part in ("true", "pred", "by", "cluster"))
    weight = asked.pop("sample_weight", None)
    asked["labels"] = labels or asked.get("labels")
    return oe.count(
        columns[true],
        columns[pred] if isinstance(pred, str) else {name: columns[name] for name in pred},
        by={by: columns[by]} if by else None,
        cluster={cluster: columns[cluster]} if cluster else None,
        sample_weight=columns[weight] if weight else None,
        **asked,
    )


def same(counts, expected):
    assert counts == expected
    assert counts.audit == expected.audit
    assert counts.cluster == expected.cluster
    assert counts.weights.dtype == expected.weights.dtype
    return True


@pytest.fixture(scope="module")
def sources(request, tmp_path_factory):
    """Each form of the rows, made when it is first asked for."""
    made = {}

    def source(form, names=None):
        key = form, tuple(names or ())
        if key not in made:
            service = [request.getfixturevalue(SERVICES[form])] if form in SERVICES else []
            made[key] = FORMS[form](table(names), tmp_path_factory.mktemp("rows"), *service)
        return made[key]

    return source


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_lists_are_counted_row_by_row(question):
    """What all other forms are compared with, derived a second time by a dictionary."""
    pred = [question["pred"]] if isinstance(question["pred"], str) else question["pred"]
    names = [question["true"], *pred, *(question[part] for part in ("by", "cluster") if part in question)]
    weight = COLUMNS[question["sample_weight"]] if "sample_weight" in question else [1] * N
    plain = Counter()
    for i in range(N):
        row = tuple(None if (v := COLUMNS[name][i]) != v else v for name in names)
        if weight[i] and (None not in row or question["missing"] == "unanswered"):
            plain[row] += weight[i]
    counts = counted(COLUMNS, question)
    axes = [counts.values.get(axis, counts.scale.labels) for axis in counts.axes]
    found = {
        tuple(None if code < 0 else labels[code] for code, labels in zip(cell, axes, strict=True)): weight
        for cell, weight in zip(counts.cells.tolist(), counts.weights.tolist(), strict=True)
    }
    assert found == plain
    assert counts.scale.labels == (tuple(CLASSES) if "labels" in question else (1, 2, 3, 4, 5))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
@pytest.mark.parametrize("form", FORMS)
def test_scan_gives_the_counts_of_the_rows(sources, form, question):
    assert same(oe.scan(sources(form), **question), counted(COLUMNS, question))


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize("form", FORMS)
def test_truth_and_predictions_join_by_id_where_they_are(sources, form, join):
    counts = oe.scan(sources(form, RUNS), gold=sources(form, GOLD), id="id", **join)
    assert same(counts, counted(COLUMNS, join))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_arrays_give_the_counts_of_the_rows(question):
    arrays = {name: np.array(column) for name, column in COLUMNS.items()}
    assert arrays["y"].dtype.kind == "U"
    assert arrays["gaps"].dtype.kind == arrays["x"].dtype.kind == "O"
    assert same(counted(arrays, question), counted(COLUMNS, question))


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_batches_give_the_counts_of_the_rows(question):
    pred, by, cluster = (question.get(part) for part in ("pred", "by", "cluster"))
    total = oe.Accumulator(question.get("labels", [1, 2, 3, 4, 5]), missing=question.get("missing", "error"))
    for start in range(0, N, 100):
        batch = {name: column[start : start + 100] for name, column in COLUMNS.items()}
        total.update(
            batch[question["true"]],
            batch[pred] if isinstance(pred, str) else {name: batch[name] for name in pred},
            by={by: batch[by]} if by else None,
            cluster={cluster: batch[cluster]} if cluster else None,
            sample_weight=batch[question["sample_weight"]] if "sample_weight" in question else None,
        )
    expected = counted(COLUMNS, question)
    assert same(total.counts, expected)


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_tensors_give_the_counts_of_the_rows(question):
    """Tensors hold numbers, so classes are their codes; a column with gaps is one of floats."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    columns = dict(COLUMNS)
    for name in ("y", "a", "b"):
        columns[name] = torch.tensor([CLASSES.index(label) for label in COLUMNS[name]], dtype=torch.int8)
    for name in ("w", "f", "n", "m", "patient"):
        columns[name] = torch.tensor(COLUMNS[name])
    columns["gaps"] = torch.tensor([float("nan") if label is None else CLASSES.index(label) for label in COLUMNS["gaps"]])
    columns["x"] = torch.tensor([float("nan") if number is None else number for number in COLUMNS["x"]])
    counts = counted(columns, question, labels=range(len(CLASSES)) if "labels" in question else None)
    expected = counted(COLUMNS, question)
    assert np.array_equal(counts.cells, expected.cells)
    assert np.array_equal(counts.weights, expected.weights)
    assert counts.values == expected.values
    assert counts.audit == expected.audit


def ordered_frames():
    """Two columns whose type says the order, also of the class that nobody used."""
    import dask.dataframe as dd
    import duckdb
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    frame = pd.DataFrame({name: pd.Categorical(COLUMNS[name], CLASSES, ordered=True) for name in ("y", "gaps")})
    enum = pl.DataFrame({name: COLUMNS[name] for name in ("y", "gaps")}, schema=dict.fromkeys(("y", "gaps"), pl.Enum(CLASSES)))
    codes = {name: [None if v is None else CLASSES.index(v) for v in COLUMNS[name]] for name in ("y", "gaps")}
    dictionaries = {
        name: pa.DictionaryArray.from_arrays(pa.array(c, pa.int8()), CLASSES, ordered=True) for name, c in codes.items()
    }
    duckdb.sql(f"CREATE TEMP TABLE IF NOT EXISTS graded (y ENUM {tuple(CLASSES)}, gaps ENUM {tuple(CLASSES)})")
    duckdb.sql("DELETE FROM graded")
    duckdb.executemany("INSERT INTO graded VALUES (?, ?)", list(zip(COLUMNS["y"], COLUMNS["gaps"], strict=True)))
    return {
        "pandas": frame,
        "Dask": dd.from_pandas(frame, npartitions=2),
        "Polars": enum,
        "lazy Polars": enum.lazy(),
        "Arrow": pa.table(dictionaries),
        "DuckDB": duckdb.table("graded"),
    }


def test_an_order_that_the_type_carries_needs_no_labels():
    expected = oe.count(COLUMNS["y"], COLUMNS["gaps"], labels=CLASSES, missing="unanswered")
    for frame in ordered_frames().values():
        assert same(oe.scan(frame, true="y", pred="gaps", missing="unanswered"), expected)
