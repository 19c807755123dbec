"""The same rows in every form: list, array, frame column, counts, slice of a stack, merged shards, weights.  To the last bit."""

from itertools import permutations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import TABLE_4X4, counts_of, rows_of, same, scale_of, tables, variants

import ordeval as oe
from ordeval import Counts, Scale

NAMES = ["none", "mild", "severe", "fatal"]
TRUE, PRED = rows_of(np.array(TABLE_4X4))
WORDS_TRUE, WORDS_PRED = ([NAMES[c] for c in codes] for codes in (TRUE, PRED))

INTEGER_FORMS = {
    "list": list,
    "tuple": tuple,
    "generator": iter,
    **{f"numpy {d}": lambda x, d=d: np.array(x, d) for d in ("i1", "u1", "i2", ">i4", "i8", "u8", "f2", "f4", "f8", "O")},
    "strided": lambda x: np.repeat(x, 2)[::2],
    "pandas": pd.Series,
    "pandas Int64": lambda x: pd.Series(x, dtype="Int64"),
    "pandas index": pd.Index,
    "pandas array": lambda x: pd.array(x, dtype="Int64"),
    "pandas categorical of integers": lambda x: pd.Categorical(x),
    "pandas arrow": lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.int64())),
    "polars": pl.Series,
    "arrow": pa.array,
    "arrow chunks": lambda x: pa.chunked_array([x[:40], x[40:]]),
}
TEXT_FORMS = {
    "list": list,
    "numpy U": np.array,
    "numpy object": lambda x: np.array(x, object),
    "numpy string": lambda x: np.array(x, np.dtypes.StringDType()),
    "pandas": pd.Series,
    "pandas object": lambda x: pd.Series(x, dtype=object),
    "pandas category": lambda x: pd.Series(x, dtype="category"),
    "pandas arrow": lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.string())),
    "polars": pl.Series,
    "polars categorical": lambda x: pl.Series(x, dtype=pl.Categorical),
    "polars enum": lambda x: pl.Series(x, dtype=pl.Enum(NAMES)),
    "arrow": pa.array,
    "arrow dictionary": lambda x: pa.array(x).dictionary_encode(),
    "arrow chunked dictionary": lambda x: pa.chunked_array(
        [pa.array(x[:40]).dictionary_encode(), pa.array(x[40:]).dictionary_encode()]
    ),
}


@pytest.mark.parametrize("form", INTEGER_FORMS)
def test_integers_in_every_form(form):
    make = INTEGER_FORMS[form]
    counts = oe.count(make(TRUE), make(PRED))
    assert counts.matrix.tolist() == TABLE_4X4
    assert counts == oe.count(make(TRUE), make(PRED), labels=[0, 1, 2, 3])


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_text_in_every_form(form):
    make = TEXT_FORMS[form]
    counts = oe.count(make(WORDS_TRUE), make(WORDS_PRED), labels=NAMES)
    assert counts.matrix.tolist() == TABLE_4X4
    assert counts.matrix.dtype == np.int64


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_labels_counts_and_a_slice_of_a_stack_score_the_same(metric):
    scale = scale_of(metric, 4)
    counts = counts_of(metric, TABLE_4X4)
    score = metric(counts)
    assert type(score) is float
    assert metric(scale.decode(TRUE), scale.decode(PRED), labels=scale) == score
    stack = np.stack([np.array(TABLE_4X4)[::-1, ::-1], TABLE_4X4, np.eye(4), np.full((4, 4), 3)]).reshape(2, 2, 4, 4)
    scores = metric.bind(counts)(stack)
    assert scores.shape == (2, 2)
    assert scores[0, 1] == pytest.approx(score, rel=1e-15)
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_order_of_rows_and_weights_do_not_matter(metric):
    shuffled = np.random.default_rng(0).permutation(len(TRUE))
    scale = scale_of(metric, 4)
    true, pred = scale.decode(TRUE), scale.decode(PRED)
    t, p = true[shuffled], pred[shuffled]
    score = metric(true, pred, labels=scale)
    assert metric(t, p, labels=scale) == score
    assert metric(t, p, labels=scale, sample_weight=np.ones(len(t))) == score
    cells = np.argwhere(TABLE_4X4)
    weights = np.array(TABLE_4X4)[tuple(cells.T)]
    assert metric(*map(scale.decode, cells.T), labels=scale, sample_weight=weights) == score
    more = metric([*t, scale.labels[0]], [*p, scale.labels[3]], labels=scale, sample_weight=[*np.ones(len(t)), 0])
    assert more == score
    if "whole counts" not in metric.needs:
        assert same(metric(t, p, labels=scale, sample_weight=np.full(len(t), 0.3)), score, 1e-14)


@pytest.mark.parametrize("make", [list, tuple, np.array, pd.Series, pl.Series, pa.array, lambda w: pd.Series(w, dtype="Float64")])
def test_weights_in_every_form(make):
    counts = oe.count([0, 1, 1], [0, 1, 0], sample_weight=make([0.5, 1.0, 2.0]))
    assert counts.matrix.tolist() == [[0.5, 0], [2, 1]]
    mask = oe.count([0, 1, 1], [0, 1, 0], sample_weight=np.array([True, False, True]))
    assert mask.audit.excluded == {"weight zero": 1}


@given(tables(), st.randoms())
def test_merged_shards_are_the_whole(table, random):
    rows = list(zip(*rows_of(table), strict=True))
    random.shuffle(rows)
    scale = Scale(range(len(table)))
    cut = random.randint(0, len(rows))
    parts = [oe.count([t for t, _ in part], [p for _, p in part], labels=scale) for part in (rows[:cut], rows[cut:]) if part]
    merged = parts[0] if len(parts) == 1 else parts[0] + parts[1]
    assert merged == Counts.from_matrix(table)
    assert merged.audit.read == len(rows)


def test_large_counts_stay_exact():
    """Past 2**53, where floats lose units."""
    big = 2**61
    counts = oe.count([0, 1, 1], [0, 1, 0], sample_weight=np.array([big, big, 1]))
    assert counts.matrix.tolist() == [[big, 0], [1, big]]
    assert counts.total == 2**62 + 1
    with pytest.raises(ValueError, match=r"more than 2\*\*63 - 1"):
        counts + counts


@pytest.mark.parametrize(
    ("dtype", "value", "labels", "inside"),
    [
        ("i1", -5, range(-1000, 0), True),
        ("i1", 5, range(256, 300), False),
        ("u1", 250, range(-10, 10), False),
        ("i1", -1, range(200, 256), False),
        ("i2", 5, range(65_536, 65_546), False),
        ("u8", 2**64 - 1, range(-5, 5), False),
    ],
)
def test_labels_beyond_the_type_of_the_column_do_not_wrap_around(dtype, value, labels, inside):
    column = np.array([value], dtype)
    if inside:
        assert oe.count(column, column, labels=labels).cells.tolist() == [[labels.index(value)] * 2]
    else:
        with pytest.raises(ValueError, match=f"y_true: {value} is not one of the classes"):
            oe.count(column, column, labels=labels)


@pytest.mark.parametrize("k", [1, 2, 3, 5, 11, 16, 17, 200, 300])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "i8", "u8"])
def test_the_counting_pass(k, dtype):
    if k > np.iinfo(dtype).max:
        k = 100
    rng = np.random.default_rng(k)
    low = -3 if np.dtype(dtype).kind == "i" else 2
    k = min(k, np.iinfo(dtype).max - 3)
    for n in (1, 7, 32768, 3 * 32768 + 5, 400_001):
        t, p = (rng.integers(low, low + k, n).astype(dtype) for _ in range(2))
        expected = np.zeros((k, k), int)
        np.add.at(expected, (t.astype(int) - low, p.astype(int) - low), 1)
        assert (oe.count(t, p, labels=range(low, low + k)).matrix == expected).all()
    for outside in (low - 1, low + k):
        wrong = t.copy()
        wrong[n // 2] = outside
        for columns, name in (((wrong, p), "y_true"), ((t, wrong), "y_pred")):
            with pytest.raises(ValueError, match=f"{name}: {outside} is not one of the classes.*first at index {n // 2}"):
                oe.count(*columns, labels=range(low, low + k))


@pytest.mark.parametrize("late", [-3, 9])
def test_a_class_seen_late_in_a_long_column_is_part_of_the_scale(late):
    true = np.random.default_rng(0).integers(0, 4, 200_000)
    pred = true[::-1].copy()
    assert oe.count(true, pred).scale.labels == (0, 1, 2, 3)
    true[-1] = late
    counts = oe.count(true, pred)
    assert counts.scale.labels == tuple(range(min(0, late), max(3, late) + 1))
    assert counts == oe.count(true, pred, labels=counts.scale)
    assert counts.scale.inferred


def test_integers_too_far_apart_are_refused_with_the_ends_of_the_whole_column():
    column = np.tile([-600, 600], 50_000)
    column[-1] = 900
    with pytest.raises(ValueError, match="the integers run from -600 to 900: 1,501 classes"):
        oe.count(column, column)


class TestAxes:
    SITE = (["b", "a", "c"] * 29)[:87]
    COUNTS = oe.count(TRUE, {"m": PRED, "w": TRUE}, by={"site": SITE}, cluster=np.arange(87) // 3)

    def test_axes_models_and_margins(self):
        assert self.COUNTS.axes == ("true", "m", "w", "site", "cluster")
        assert self.COUNTS.models == ("m", "w")
        assert self.COUNTS["m"].matrix.tolist() == TABLE_4X4
        assert self.COUNTS["w"].matrix.tolist() == np.diag(np.sum(TABLE_4X4, 1)).tolist()
        assert self.COUNTS.pair("m", "w").sum(2).tolist() == TABLE_4X4
        assert self.COUNTS.pair("m", "m").sum(1).tolist() == self.COUNTS.pair("m", "m").sum(2).tolist() == TABLE_4X4
        assert self.COUNTS.total == 87

    def test_groups_and_stacks(self):
        groups = self.COUNTS.groups("site")
        assert list(groups) == ["a", "b", "c"]
        rows = [i for i, s in enumerate(self.SITE) if s == "a"]
        alone = oe.count([TRUE[i] for i in rows], [PRED[i] for i in rows], labels=range(4))
        assert (groups["a"]["m"].matrix == alone.matrix).all()
        values, stack = self.COUNTS["m"].stack("cluster")
        assert values == tuple(range(29))
        assert stack.shape == (29, 4, 4)
        assert stack.sum(0).tolist() == TABLE_4X4
        assert (stack.sum((1, 2)) == 3).all()

    def test_many_models_are_counted_without_a_dense_table(self):
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 5, 3_000)
        systems = {f"s{i}": rng.integers(0, 5, 3_000) for i in range(50)}
        counts = oe.count(truth, systems)
        assert counts.total == 3_000
        for name in ("s0", "s49"):
            assert (counts[name].matrix == oe.count(truth, systems[name]).matrix).all()
        assert (counts.pair("s3", "s7").sum(1) == oe.count(truth, systems["s7"]).matrix).all()

    def test_shards_with_different_groups_merge(self):
        a = oe.count([0, 1], [0, 1], by=["x", "y"])
        b = oe.count([0, 1], [1, 1], by=["z", "x"])
        whole = oe.count([0, 1, 0, 1], [0, 1, 1, 1], by=["x", "y", "z", "x"])
        assert a + b == whole == b + a

    def test_unknown_axes_are_named(self):
        with pytest.raises(KeyError, match="there is no model 'x'; the models are m, w"):
            self.COUNTS["x"]
        with pytest.raises(KeyError, match="no axis of groups 'm'"):
            self.COUNTS.groups("m")
        with pytest.raises(ValueError, match=r"hold 2 models; choose one: counts\['m'\]"):
            _ = self.COUNTS.matrix


class TestMissing:
    T, A, B = [0, 1, 2, 2, None], [0, None, 2, 1, 1], [0, 1, None, None, 2]

    def test_every_row_is_accounted_for(self):
        dropped = oe.count(self.T, {"a": self.A, "b": self.B}, missing="drop")
        assert dropped.audit.excluded == {"truth missing": 1, "prediction missing (a)": 1, "prediction missing (b)": 2}
        assert (dropped.audit.read, dropped.audit.scored, dropped.audit.unanswered) == (5, 1, 0)

    def test_unanswered_rows_are_kept_per_true_class(self):
        counts = oe.count(self.T[:4], {"a": self.A[:4], "b": self.B[:4]}, missing="unanswered")
        assert counts["a"].unanswered.tolist() == [0, 1, 0]
        assert counts["b"].unanswered.tolist() == [0, 0, 2]
        assert str(counts["b"].audit) == "4 rows read · 2 judged · 2 without an answer"
        assert counts["a"].matrix.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 1]]
        assert oe.accuracy(counts["a"]) == pytest.approx(2 / 3)
        assert counts.audit.scored == 1

    def test_a_missing_truth_is_never_unanswered(self):
        with pytest.raises(ValueError, match="y_true has 1 missing value, the first at index 4"):
            oe.count(self.T, self.A, missing="unanswered")

    @pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, pd.NA, pd.NaT, np.float32("nan")])
    def test_nothing_in_every_form(self, nothing):
        counts = oe.count([1, 2, 3], [1, nothing, 2], missing="drop", labels=[1, 2, 3])
        assert counts.audit.excluded == {"prediction missing": 1}
        words = oe.count(["a", "b"], np.array(["b", nothing], object), missing="unanswered", labels=["a", "b"])
        assert words.unanswered.tolist() == [0, 1]

    @pytest.mark.parametrize(
        "column",
        [
            pd.Series([1, None], dtype="Int64"),
            pl.Series([1, None]),
            pa.array([1, None]),
            np.ma.array([1, 2], mask=[False, True]),
            pd.Series([1.0, np.nan]),
            pl.Series([1.0, float("nan")]),
            pd.Categorical([1, None], categories=[1, 2], ordered=True),
        ],
        ids=lambda c: type(c).__module__,
    )
    def test_nothing_in_every_column(self, column):
        counts = oe.count([1, 2], column, labels=[1, 2], missing="unanswered")
        assert counts.unanswered.tolist() == [0, 1]
        with pytest.raises(ValueError, match="y_pred has 1 missing value, the first at index 1"):
            oe.count([1, 2], column, labels=[1, 2])

    def test_rows_without_weight_are_excluded_and_do_not_widen_the_scale(self):
        counts = oe.count([0, 1, 9], [0, 1, None], sample_weight=[1, 2.5, 0])
        assert counts.audit.excluded == {"weight zero": 1}
        assert counts.scale.labels == (0, 1)
        assert str(counts.audit) == "3 rows read · 2 judged · 1 left out: weight zero"


def test_saved_counts_come_back(tmp_path):
    scale = Scale.from_edges([-np.inf, 0, 7.5, np.inf], names=["☃", "b<", '"c"'])
    counts = oe.count(
        [-1, 3, 8.0],
        {"a": [3, None, 9], "b": [1, 1, 1]},
        labels=scale,
        by=["x", "y", "x"],
        missing="unanswered",
        sample_weight=[1, 0.1, 3],
    )
    counts.save(tmp_path / "c.json")
    back = Counts.load(tmp_path / "c.json")
    assert back == counts
    assert back.audit == counts.audit
    assert back.scale.edges == scale.edges


def test_equal_counts_ignore_the_audit():
    dropped = oe.count([0, 1, 1], [0, 1, None], missing="drop")
    assert dropped == oe.count([0, 1], [0, 1])
    assert dropped != oe.count([0, 1], [0, 1], labels=[0, 1, 2])


def test_counts_cannot_be_changed():
    counts = oe.count([0, 1], [0, 1])
    for array in (counts.cells, counts.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5


def test_a_given_scale_stays_given_when_counts_are_added():
    given, inferred = oe.count([0, 1], [0, 1], labels=[0, 1]), oe.count([0, 1], [0, 1])
    assert not (given + inferred).scale.inferred
    assert not (inferred + given).scale.inferred
    assert (inferred + inferred).scale.inferred


def test_clusters_stay_where_their_axis_does():
    counts = oe.count([0, 1, 1], {"a": [0, 1, 0], "b": [1, 1, 1]}, cluster=["x", "y", "y"])
    assert counts["a"].cluster == counts.cluster == "cluster"
    assert counts.margin("true", "a").cluster is None


def test_a_cluster_and_a_mere_group_of_the_same_name_are_not_added():
    """Their rows are resampled in different ways."""
    rows = ([0, 1, 1], [0, 1, 0])
    names = {"site": ["a", "b", "b"], "ward": ["x", "y", "z"]}
    mere = oe.count(*rows, by=names)
    by_ward = oe.count(*rows, by={"site": names["site"]}, cluster={"ward": names["ward"]})
    by_site = oe.count(*rows, by={"ward": names["ward"]}, cluster={"site": names["site"]}).margin("true", "pred", "site", "ward")
    assert {counts.axes for counts in (mere, by_ward, by_site)} == {("true", "pred", "site", "ward")}
    for one, other in permutations((mere, by_ward, by_site), 2):
        with pytest.raises(ValueError, match="counts over different axes cannot be added"):
            one + other
    for counts in (mere, by_ward, by_site):
        assert (counts + counts).cluster == counts.cluster
