"""Do rows in files, frames and streams give the same Counts as the same rows in memory?"""

import gzip
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe

CLASSES = ["NA", "None", "01", "4"]  # what careless readers lose
N = 500


def columns():
    rng = np.random.default_rng(7)
    truth, a, b = (rng.choice(CLASSES, N).tolist() for _ in range(3))
    site = rng.choice(["east", "west", "1"], N).tolist()
    return {"id": list(range(N)), "y": truth, "a": a, "b": b, "site": site, "w": rng.integers(0, 4, N).tolist()}


COLUMNS = columns()
FRAME = pd.DataFrame(COLUMNS)


def write(folder, kind):
    path = folder / f"rows.{kind}"
    lines = [",".join(COLUMNS), *(",".join(map(str, row)) for row in zip(*COLUMNS.values(), strict=True))]
    if kind == "csv":
        path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n")  # as Excel writes it
    elif kind == "tsv":
        path.write_text("\n".join(lines).replace(",", "\t"))
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress("\n".join(lines).encode()))
    elif kind == "jsonl":
        path.write_text(
            "\n".join(json.dumps(dict(zip(COLUMNS, row, strict=True))) for row in zip(*COLUMNS.values(), strict=True))
        )
    elif kind == "parquet":
        FRAME.to_parquet(path)
    elif kind == "parquet.d":
        path.mkdir()
        (path / "_SUCCESS").write_text("")
        for i in range(3):
            FRAME.iloc[i::3].to_parquet(path / f"part-{i}.parquet")
    elif kind == "csv.zst":
        import duckdb

        duckdb.from_df(FRAME).write_csv(str(path), compression="zstd")
    return path


FILES = ["csv", "tsv", "csv.gz", "csv.zst", "jsonl", "parquet", "parquet.d"]


@pytest.mark.parametrize("kind", FILES)
def test_a_file_counts_as_its_rows_in_memory(tmp_path, kind):
    path = write(tmp_path, kind)
    y, a, b, site, w = (COLUMNS[name] for name in ("y", "a", "b", "site", "w"))
    assert oe.scan(path, true="y", pred="a", labels=CLASSES) == oe.count(y, a, labels=CLASSES)
    several = oe.scan(path, true="y", pred=["a", "b"], by="site", cluster="id", labels=CLASSES)
    assert several == oe.count(y, {"a": a, "b": b}, by={"site": site}, cluster={"id": COLUMNS["id"]}, labels=CLASSES)
    assert several.cluster == "id"
    weighted, expected = (
        oe.scan(path, true="y", pred="a", sample_weight="w", labels=CLASSES),
        oe.count(y, a, sample_weight=w, labels=CLASSES),
    )
    assert weighted == expected
    assert weighted.audit == expected.audit
    assert weighted.audit.excluded == {"weight zero": w.count(0)}


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table], ids=["pandas", "polars", "lazy polars", "arrow"]
)
def test_a_frame_counts_as_its_columns(make):
    frame = make(COLUMNS)
    several = oe.scan(frame, true="y", pred=["a", "b"], by=["site"], sample_weight="w", labels=CLASSES)
    y, a, b, site, w = (COLUMNS[name] for name in ("y", "a", "b", "site", "w"))
    assert several == oe.count(y, {"a": a, "b": b}, by={"site": site}, sample_weight=w, labels=CLASSES)
    assert several.audit.excluded == {"weight zero": w.count(0)}


@pytest.mark.parametrize("kind", FILES)
def test_truth_and_predictions_join_by_id(tmp_path, kind):
    path = write(tmp_path, kind)
    shuffled = FRAME.sample(frac=1, random_state=1)[["id", "a", "site"]]
    expected = oe.count(COLUMNS["y"], COLUMNS["a"], by={"site": COLUMNS["site"]}, sample_weight=COLUMNS["w"], labels=CLASSES)
    runs = tmp_path / "run.csv"
    shuffled.drop(columns="site").to_csv(runs, index=False)
    common = {"true": "y", "pred": "a", "id": "id", "by": "site", "sample_weight": "w", "labels": CLASSES}
    assert oe.scan(runs, gold=path, **common) == expected
    assert oe.scan(shuffled, gold=path, **common) == expected
    assert oe.scan(pl.from_pandas(shuffled), gold=FRAME, **common) == expected
    assert oe.scan(pl.from_pandas(shuffled).lazy(), gold=pl.from_pandas(FRAME).lazy(), **common) == expected


MAKE = {
    "pandas": pd.DataFrame,
    "lazy polars": pl.LazyFrame,
    "arrow": pa.table,
}
IN_BOTH = {
    "by": {"by": "site"},
    "cluster": {"cluster": "ward"},
    "weight": {"sample_weight": "w"},
    "all": {"by": ["site", "other"], "cluster": "ward", "sample_weight": "w"},
}


@pytest.mark.parametrize("missing", ["error", "unanswered", "drop"])
@pytest.mark.parametrize("beside", IN_BOTH)
@pytest.mark.parametrize(
    ("gold_kind", "run_kind"), [("lazy polars", "lazy polars"), ("csv", "csv"), ("pandas", "csv"), ("csv", "arrow")]
)
def test_what_gold_and_run_both_have_is_of_the_gold(tmp_path, gold_kind, run_kind, beside, missing):
    """All but the answers; `other` stands in the run alone, and is taken from there."""
    gold = {"id": [1, 2, 3, 4, 5], "y": [0, 1, 2, 1, 0], "p": [2, 2, 2, 2, 2], "w": [1, 2, 4, 8, 16]}
    gold |= {"site": ["a", "b", "a", "b", "b"], "ward": [7, 7, 8, 9, 9]}
    run = {"id": [5, 4, 3, 2, 1], "y": [2, 2, 0, 0, 1], "p": [0, 2, 2, 1, 1], "w": [3, 3, 3, 5, 5]}
    run |= {"site": ["b", "c", "c", "a", "c"], "ward": [1, 2, 3, 4, 5], "other": ["f", "e", "f", "e", "e"]}
    if missing != "error" and beside != "all":
        run = {name: column[:-2] for name, column in run.items()}
    sources = []
    for name, kind, columns in (("gold", gold_kind, gold), ("run", run_kind, run)):
        if kind == "csv":
            pd.DataFrame(columns).to_csv(tmp_path / f"{name}.csv", index=False)
        sources.append(tmp_path / f"{name}.csv" if kind == "csv" else MAKE[kind](columns))
    asked, labels = IN_BOTH[beside], [0, 1, 2]
    found = oe.scan(sources[1], gold=sources[0], id="id", true="y", pred="p", labels=labels, missing=missing, **asked)
    answers = dict(zip(run["id"], run["p"], strict=True))
    known = gold | {"other": list(reversed(run["other"]))}
    named = {role: {name: known[name] for name in ([own] if isinstance(own, str) else own)} for role, own in asked.items()}
    if "sample_weight" in named:
        named["sample_weight"] = gold["w"]
    same = [answers.get(one) for one in gold["id"]]
    assert found == oe.count(gold["y"], same, labels=labels, missing=missing, **named)


def test_classes_that_look_like_nothing_stay_classes(tmp_path):
    for kind in ("csv", "parquet"):
        counts = oe.scan(write(tmp_path, kind), true="y", pred="a", labels=CLASSES)
        for code, label in enumerate(CLASSES):
            assert counts.matrix[code].sum() == COLUMNS["y"].count(label) > 0


def test_integers_in_a_csv_are_integers_unless_one_is_written_otherwise(tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("y,p,q\n1,3,01\n2,-1,2\n3,1,3\n")
    counts = oe.scan(path, true="y", pred="p")
    assert counts.scale.labels == (-1, 0, 1, 2, 3)
    assert counts.scale.inferred
    assert oe.scan(path, true="y", pred="p", labels=[-1, 1, 2, 3]).scale.labels == (-1, 1, 2, 3)
    with pytest.raises(TypeError, match=r"column \"y\" holds integers .*column \"q\" holds text \('01', …\)"):
        oe.scan(path, true="y", pred="q")
    with pytest.raises(ValueError, match=r'q: "01" is not a class \(1 < 2 < 3\); 1 row, first row 1'):
        oe.scan(path, true="y", pred="q", labels=[1, 2, 3])
    assert oe.scan(path, true="y", pred="q", labels=["1", "01", "2", "3"]).total == 3


def test_whole_numbers_written_as_floats_are_integers_and_the_audit_counts_them(tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("y,p,w,g\n1.0,1,1.0,1\n2.0,2.00,2,1.0\n,2,1,2\n1.0,1.0,1.0,2\n")
    counts = oe.scan(path, true="y", pred="p", missing="drop")
    assert counts.scale.labels == (1, 2)
    assert counts.matrix.tolist() == [[2, 0], [0, 1]]
    assert counts.audit.notes == ()
    assert counts.audit.changes == ["y: 3 written with .0", "p: 2 written with .0"]
    assert oe.scan(path, true="y", pred="p", labels=[1, 2], missing="drop").total == 3
    assert oe.scan(path, true="y", pred="p", labels=[1, 2], sample_weight="w", by="g", missing="drop").total == 4
    path.write_text("y,p\n1.0,1\n1.5,2\n")
    with pytest.raises(ValueError, match=r'y: "1\.5" is not a class'):
        oe.scan(path, true="y", pred="p", labels=[1, 2])


def test_half_grades_in_a_csv_are_compared_as_people_write_them(tmp_path):
    path = tmp_path / "halves.csv"
    path.write_text("y,p\n1,1.5\n1.5,1.0\n2,2\n")
    assert oe.scan(path, true="y", pred="p", labels=[1, 1.5, 2]).matrix.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_numbers_in_a_csv_are_binned_and_interval_labels_kept(tmp_path):
    scale = oe.Scale.from_edges([0, 30, 60, np.inf])
    path = tmp_path / "days.csv"
    path.write_text('y,p\n0,"[0, 30)"\n29.5,"[30, 60)"\n60,"[60, inf)"\n')
    counts = oe.scan(path, true="y", pred="p", labels=scale)
    assert counts == oe.count([0.0, 29.5, 60.0], [10.0, 40.0, 99.0], labels=scale)
    path.write_text("y,p\n-1,5\n")
    with pytest.raises(ValueError, match=r"-1.0 is in none of the classes"):
        oe.scan(path, true="y", pred="p", labels=scale)


def test_booleans_are_read_as_they_are_written(tmp_path):
    path = tmp_path / "flags.csv"
    path.write_text("y,p\ntrue,False\nFALSE,True\n")
    assert oe.scan(path, true="y", pred="p", labels=[False, True]) == oe.count([True, False], [False, True])


def test_orders_that_types_carry_are_used(tmp_path):
    order = ["low", "mid", "high"]
    y, p = ["low", "high", "mid"], ["mid", "mid", "low"]
    expected = oe.count(y, p, labels=order)
    frame = pd.DataFrame({"y": pd.Categorical(y, order, ordered=True), "p": pd.Categorical(p, order, ordered=True)})
    assert oe.scan(frame, true="y", pred="p") == expected
    enum = pl.DataFrame({"y": y, "p": p}, schema={"y": pl.Enum(order), "p": pl.Enum(order)})
    assert oe.scan(enum, true="y", pred="p") == expected
    assert oe.scan(enum.lazy(), true="y", pred="p") == expected
    import duckdb

    con = duckdb.connect()
    con.execute("CREATE TYPE grade AS ENUM ('low', 'mid', 'high')")
    con.execute("CREATE TABLE t (y grade, p grade)")
    con.executemany("INSERT INTO t VALUES (?, ?)", list(zip(y, p, strict=True)))
    assert oe.scan(con.table("t"), true="y", pred="p") == expected


def test_gaps_stay_gaps_where_the_type_carries_the_order(tmp_path):
    order = ["low", "mid", "high"]
    y, p = ["low", "high", "mid", "mid"], ["mid", None, "low", "mid"]
    table = [[0, 1, 0], [1, 1, 0], [0, 0, 0]]
    frame = pd.DataFrame({"y": pd.Categorical(y, order, ordered=True), "p": pd.Categorical(p, order, ordered=True)})
    frame.to_parquet(tmp_path / "graded.parquet")
    enum = pl.DataFrame({"y": y, "p": p}, schema={"y": pl.Enum(order), "p": pl.Enum(order)})
    import duckdb

    con = duckdb.connect()
    con.execute("CREATE TABLE t (y ENUM ('low', 'mid', 'high'), p ENUM ('low', 'mid', 'high'))")
    con.executemany("INSERT INTO t VALUES (?, ?)", list(zip(y, p, strict=True)))
    for source in (frame, tmp_path / "graded.parquet", enum, enum.lazy(), con.table("t")):
        counts = oe.scan(source, true="y", pred="p", missing="unanswered")
        assert (counts.scale.labels, counts.matrix.tolist(), counts.unanswered.tolist()) == (tuple(order), table, [0, 0, 1])


def test_an_accumulator_is_all_its_batches(tmp_path):
    y, a = COLUMNS["y"], COLUMNS["a"]
    whole = oe.count(y, a, labels=CLASSES)
    total = oe.Accumulator(CLASSES)
    for start in range(0, N, 3):
        total.update(y[start : start + 3], a[start : start + 3])
    total.update([], [])
    assert total.counts == whole
    first, second = oe.Accumulator(CLASSES), oe.Accumulator(CLASSES)
    first.update(y[:100], a[:100])
    first.save(tmp_path / "state.json")
    second.update(y[200:], a[200:])
    resumed = oe.Accumulator.load(tmp_path / "state.json")
    resumed.update(y[100:200], a[100:200])
    resumed.merge(second)
    assert resumed.counts == whole
    resumed.save(tmp_path / "state.json")
    assert oe.Counts.load(tmp_path / "state.json") == whole


def test_batches_of_an_accumulator_may_be_empty_or_left_out_whole():
    total = oe.Accumulator(["lo", "hi"], missing="drop")
    for y, p in zip(["lo", "hi", "hi"], [None, "hi", None], strict=True):
        total.update([y], {"m": [p]})
    total.update([], {"m": []})
    total.update(iter([]), [])
    whole = oe.count(["lo", "hi", "hi"], {"m": [None, "hi", None]}, labels=["lo", "hi"], missing="drop")
    assert total.counts == whole
    assert total.counts.audit == whole.audit
    assert str(whole.audit) == "3 rows read · 1 judged · 2 left out: prediction missing"


def test_a_refused_batch_leaves_the_accumulator_as_it_was():
    total = oe.Accumulator(CLASSES)
    total.update(["NA"], ["01"])
    with pytest.raises(ValueError, match="'x' is not one of the classes"):
        total.update(["NA", "x"], ["01", "01"])
    with pytest.raises(ValueError, match="different axes"):
        total.update(["NA"], {"a": ["01"], "b": ["01"]})
    with pytest.raises(ValueError, match="different scales"):
        total.merge(oe.count([1], [2]))
    assert total.counts == oe.count(["NA"], ["01"], labels=CLASSES)
    with pytest.raises(ValueError, match="nothing has been counted yet"):
        _ = oe.Accumulator(CLASSES).counts
    with pytest.raises(TypeError, match="labels="):
        oe.Accumulator(None)


def test_unanswered_rows_of_a_file_are_counted(tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text('y,p\na,a\na,\nb,""\nb,b\n')
    counts = oe.scan(path, true="y", pred="p", labels=["a", "b"], missing="unanswered")
    assert counts == oe.count(["a", "a", "b", "b"], ["a", None, None, "b"], labels=["a", "b"], missing="unanswered")
    assert counts.unanswered.tolist() == [1, 1]
    dropped = oe.scan(path, true="y", pred="p", labels=["a", "b"], missing="drop")
    assert dropped.audit.excluded == {"prediction missing": 2}


@pytest.mark.parametrize("lazily", [False, True])
def test_predictions_without_a_truth_have_no_weight_to_be_wrong(tmp_path, lazily):
    """The weight is in the gold: a row that is not there has none, and is left out anyway."""
    gold = pl.DataFrame({"id": [1, 2, 3], "y": [0, 1, 1], "w": [2, 0, 5]})
    runs = pl.DataFrame({"id": [4, 3, 2, 1], "p": [0, 1, 0, 0]})
    if lazily:
        gold, runs = gold.lazy(), runs.lazy()
    counts = oe.scan(runs, gold=gold, id="id", true="y", pred="p", sample_weight="w", missing="drop")
    assert counts.matrix.tolist() == [[2, 0], [0, 5]]
    assert counts.audit.excluded == {"id not in the gold": 1, "weight zero": 1}


def test_two_tables_of_one_library_are_told_apart():
    gold, runs = pl.LazyFrame({"id": [1, 2, None], "y": [0, 1, 1]}), pl.LazyFrame({"id": [1, 3, 3], "p": [0, 1, 1]})
    with pytest.raises(ValueError, match="do not match") as caught:
        oe.scan(runs, gold=gold, id="id", true="y", pred="p")
    assert str(caught.value) == (
        "the polars table of the gold and the polars table do not match one-to-one by 'id': rows without an id in the polars table "
        "of the gold; 1 id more than once in the polars table (3); 1 id only in the polars table of the gold (2); "
        "2 ids only in the polars table (3, 3)"
    )


@pytest.mark.parametrize("bad", [-1.0, float("nan"), float("inf"), None])
@pytest.mark.parametrize("library", ["polars", "duckdb", "dask"])
def test_bad_weights_are_refused_by_every_engine(library, bad):
    frame = pl.DataFrame({"y": [0, 1], "p": [0, 1], "w": [1.0, bad]})
    if library == "duckdb":
        import duckdb

        table = duckdb.from_arrow(frame.to_arrow())
    elif library == "dask":
        import dask.dataframe as dd

        table = dd.from_pandas(frame.to_pandas(), npartitions=1)
    else:
        table = frame.lazy()
    with pytest.raises(ValueError, match='column "w": 1 row with a weight that is missing, negative or not finite'):
        oe.scan(table, true="y", pred="p", sample_weight="w")


def test_categories_with_few_codes_join_in_memory_with_gaps():
    order = ["low", "mid", "high"]
    gold = pl.DataFrame({"id": [1, 2, 3], "y": ["low", "mid", "high"]}, schema={"id": pl.Int64, "y": pl.Enum(order)})
    runs = pl.DataFrame({"id": [3, 1], "p": ["high", "mid"]}, schema={"id": pl.Int64, "p": pl.Enum(order)})
    counts = oe.scan(runs, gold=gold, id="id", true="y", pred="p", missing="unanswered")
    assert counts == oe.count(["low", "mid", "high"], ["mid", None, "high"], labels=order, missing="unanswered")


ASKED = {"true": "y", "pred": "p", "labels": [0, 1]}


@pytest.mark.parametrize("missing", ["error", "unanswered", "wrong"])
@pytest.mark.parametrize("role", ["by", "cluster"])
def test_a_row_without_a_group_is_refused_though_truths_may_be_missing(tmp_path, role, missing):
    """What is said of missing truths is about truths alone."""
    some = pd.DataFrame({"y": [0, None, 1, 1], "p": [0, 1, 1, 1], "site": ["a", "b", None, "a"]}, dtype=object)
    every = some.fillna({"site": "c"})
    some.to_csv(tmp_path / "some.csv", index=False)
    every.to_csv(tmp_path / "every.csv", index=False)
    asked = {**ASKED, "missing_truth": "drop", role: "site"}
    for without, complete in ((some, every), (tmp_path / "some.csv", tmp_path / "every.csv")):
        with pytest.raises(ValueError, match=r'column "site" has 1 missing value, .*; missing="drop" leaves these rows out'):
            oe.scan(without, **asked, missing=missing)
        excluded = oe.scan(without, **asked, missing="drop").audit.excluded
        assert [reason.rpartition(", ")[2] for reason in excluded] == ["truth missing", 'column "site" missing']
        assert oe.scan(complete, **asked, missing=missing).audit.excluded == {"truth missing": 1}


@pytest.mark.parametrize("several", [False, True])
def test_a_missing_truth_is_refused_or_dropped_as_is_said_for_one_run_and_for_several(tmp_path, several):
    (tmp_path / "gold.csv").write_text("id,y\na,0\nb,\nc,1\n")
    (tmp_path / "run.csv").write_text("id,p\nc,1\nb,1\na,0\n")
    source = {"one": tmp_path / "run.csv", "two": tmp_path / "run.csv"} if several else tmp_path / "run.csv"
    asked = {**ASKED, "gold": tmp_path / "gold.csv", "id": "id"}
    for missing, missing_truth in (("error", "drop"), ("unanswered", "drop"), ("drop", None), ("drop", "drop")):
        counts = oe.scan(source, **asked, missing=missing, missing_truth=missing_truth)
        assert (counts.total, counts.audit.excluded) == (2, {"truth missing": 1})
    for missing, missing_truth, remedy in (
        ("error", None, "missing"),
        ("error", "error", "missing_truth"),
        ("drop", "error", "missing_truth"),
    ):
        with pytest.raises(ValueError, match=f'column "y" has 1 missing value, .*; {remedy}="drop" leaves these rows out'):
            oe.scan(source, **asked, missing=missing, missing_truth=missing_truth)
