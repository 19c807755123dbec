"""Is order ever guessed?  The contract on order, clause by clause."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ordeval as oe
from ordeval import Scale
from ordeval.order.columns import read_column
from ordeval.order.scale import WrittenLabels, as_answers
from ordeval.order.values import as_numbers

TRUTH, ANSWER = ["low", "low", "mid", "high"], ["low", "mid", "mid", "mid"]
ORDER = ["low", "mid", "high"]


def kappa(truth, answer, **options):
    return oe.cohen_kappa(truth, answer, weights="linear", **options)


def test_text_without_an_order_is_refused_with_the_fix():
    with pytest.raises(ValueError, match=r"text has no order; give it, lowest first.*labels=\['high', 'low', 'mid'\]"):
        kappa(TRUTH, ANSWER)


def test_classes_in_a_refusal_stand_as_they_are_written_and_long_ones_are_cut():
    with pytest.raises(ValueError, match="^the classes of y_true and y_pred are text ") as caught:
        oe.count(["it's", "b\\c", "x" * 41], ["a" * 40, "a" * 40, "a" * 40])
    words, classes = re.fullmatch(r".* are text \((.*)\) and text has no order; .*: labels=\[(.*)\]", str(caught.value)).groups()
    assert words.split(", ") == ["a" * 40, "b\\c", "it's", "x" * 37 + "..."]
    assert classes.split(", ")[1:3] == [repr("b\\c"), repr("it's")]


def test_a_given_order_is_used():
    assert kappa(TRUTH, ANSWER, labels=ORDER) == pytest.approx(1 / 3, abs=1e-15)
    assert kappa(TRUTH, ANSWER, labels=Scale(ORDER)) == pytest.approx(1 / 3, abs=1e-15)
    assert kappa(TRUTH, ANSWER, labels=sorted(ORDER)) == pytest.approx(1 / 7, abs=1e-15)  # what an alphabetical tool says


@pytest.mark.parametrize(
    "typed",
    [
        lambda x: pd.Series(pd.Categorical(x, categories=ORDER, ordered=True)),
        lambda x: pd.Categorical(x, categories=ORDER, ordered=True),
        lambda x: pd.CategoricalIndex(x, categories=ORDER, ordered=True),
        lambda x: pl.Series(x, dtype=pl.Enum(ORDER)),
        lambda x: pa.DictionaryArray.from_arrays(pa.array([ORDER.index(v) for v in x]), pa.array(ORDER), ordered=True),
        lambda x: pa.chunked_array(
            [pa.DictionaryArray.from_arrays(pa.array([ORDER.index(v)]), pa.array(ORDER), ordered=True) for v in x]
        ),
    ],
    ids=["series", "categorical", "index", "enum", "dictionary", "chunked dictionary"],
)
def test_ordered_types_carry_their_order(typed):
    assert kappa(typed(TRUTH), typed(ANSWER)) == pytest.approx(1 / 3, abs=1e-15)
    assert kappa(typed(TRUTH), ANSWER) == pytest.approx(1 / 3, abs=1e-15)  # one of the two is enough
    assert not oe.count(typed(TRUTH), ANSWER).scale.inferred


@pytest.mark.parametrize(
    "typed",
    [
        lambda x: pd.Series(pd.Categorical(x, categories=ORDER)),
        lambda x: pl.Series(x, dtype=pl.Categorical),
        lambda x: pa.array(x).dictionary_encode(),
        lambda x: np.array(x),
        lambda x: np.array(x, object),
        lambda x: pd.Series(x),
        lambda x: pl.Series(x),
    ],
)
def test_unordered_types_do_not(typed):
    with pytest.raises(ValueError, match="text has no order"):
        kappa(typed(TRUTH), typed(ANSWER))
    assert kappa(typed(TRUTH), typed(ANSWER), labels=ORDER) == pytest.approx(1 / 3, abs=1e-15)


def test_columns_that_carry_different_orders_are_refused():
    a = pd.Categorical(TRUTH, categories=ORDER, ordered=True)
    b = pd.Categorical(ANSWER, categories=ORDER[::-1], ordered=True)
    with pytest.raises(ValueError, match=r"y_true and y_pred carry different orders.*labels="):
        kappa(a, b)
    assert kappa(a, b, labels=ORDER) == pytest.approx(1 / 3, abs=1e-15)


def test_distances_are_between_ranks_not_between_labels():
    assert oe.mae([1, 10, 500], [10, 500, 1], labels=[1, 10, 500]) == pytest.approx(4 / 3)
    assert oe.mae([1.0, 2.5], [2.5, 9.0], labels=[1.0, 2.5, 9.0]) == 1


def test_integers_keep_the_distance_of_classes_nobody_used():
    assert oe.amae([0, 3, 3], [3, 3, 0]) == 2.25
    assert oe.accuracy_within([0, 0, 3], [0, 2, 3]) == pytest.approx(2 / 3)
    assert kappa([0, 0, 1, 3], [0, 1, 1, 1]) == pytest.approx(0.25)


@pytest.mark.parametrize(
    "convert", [list, np.array, lambda x: np.array(x, float), lambda x: np.array(x, np.int8), pd.Series, pl.Series]
)
def test_an_inferred_scale_runs_from_the_smallest_to_the_largest_seen(convert):
    scale = oe.count(convert([2, 5]), convert([3, 3])).scale
    assert scale.labels == (2, 3, 4, 5)
    assert scale.inferred
    assert all(type(label) is int for label in scale.labels)


@pytest.mark.parametrize("grades", [(1, 3), (4, 6), (-3, -1)])
@pytest.mark.parametrize(
    ("gap", "missing"), [("truth", "drop"), ("answer", "drop"), ("answer", "unanswered"), ("answer", "wrong")]
)
@pytest.mark.parametrize(
    "form",
    [
        list,
        lambda column: np.array([np.nan if code is None else code for code in column]),
        lambda column: pd.Series(column, dtype="Int64"),
        pl.Series,
        pa.array,
    ],
    ids=["list", "numpy", "pandas", "polars", "arrow"],
)
def test_what_fills_a_gap_is_no_class_of_an_inferred_scale(grades, gap, missing, form):
    low, high = grades
    columns = {"truth": [low, low + 1, high, high], "answer": [low, low, high, high]}
    columns[gap][1] = None
    truth, answer = form(columns["truth"]), form(columns["answer"])
    for scale in (Scale.infer(truth, answer), oe.count(truth, answer, missing=missing).scale):
        assert scale.labels == tuple(range(low, high + 1))


def test_booleans_have_an_order():
    assert oe.count([True, False], [True, True]).scale.labels == (False, True)


def test_numbers_with_fractions_need_labels():
    with pytest.raises(ValueError, match=r"fractions \(0.5, …\).*labels="):
        oe.mae([0.5, 1.0], [1.0, 0.5])
    assert oe.mae([0.5, 1.0], [1.0, 0.5], labels=[0.5, 0.75, 1.0]) == 2.0


def test_a_value_outside_the_scale_is_named_with_its_number_and_first_row():
    with pytest.raises(
        ValueError,
        match=r"y_pred: 'Mid ' is not one of the classes \(low < mid < high\); 2 rows hold it, the first at index 1.*did you mean 'mid'",
    ):
        oe.mae(TRUTH, ["low", "Mid ", "mid", "Mid "], labels=ORDER)
    with pytest.raises(ValueError, match=r"y_true: 7 is not one of the classes.*1 row holds it, the first at index 2"):
        oe.mae([1, 2, 7], [1, 2, 2], labels=[1, 2, 3])
    with pytest.raises(ValueError, match=r"y_true: -1 is not one of the classes"):
        oe.mae(np.array([0, -1]), np.array([0, 1]), labels=[0, 1])
    with pytest.raises(ValueError, match=r"y_pred: 2.5 is not one of the classes"):
        oe.mae([1, 2], [2.5, 1.5], labels=[1, 2])


def test_row_numbers_are_those_of_the_input_when_rows_are_left_out():
    with pytest.raises(ValueError, match="the first at index 3"):
        oe.count([1, None, 2, 9], [1, 1, 1, 1], labels=[1, 2], missing="drop")


def test_k_comes_from_the_scale():
    counts = oe.count([1, 2], [1, 2], labels=[0, 1, 2, 3, 4])
    assert counts.matrix.shape == (5, 5)
    shard = oe.count([4], [0], labels=[0, 1, 2, 3, 4])
    assert (counts + shard).total == 3


@pytest.mark.parametrize("mixture", [[1, "1"], [1, True], [1.0, True], [1, 1.0], ["1", 1.0], [np.int64(1), "1"], ["a", b"a"]])
def test_labels_that_look_alike_do_not_meet_in_one_column(mixture):
    with pytest.raises(TypeError, match=r"mixes kinds of label|holds a bytes"):
        oe.mae(mixture, [1, 1], labels=[0, 1])
    with pytest.raises(TypeError):
        Scale(mixture)


@pytest.mark.parametrize(("a", "b"), [([1, 2], ["1", "2"]), ([True, False], [1, 0]), ([True, False], ["True", "False"])])
def test_nor_in_two_columns(a, b):
    with pytest.raises(TypeError, match="y_true holds .* and y_pred holds .* never the same label"):
        oe.mae(a, b)
    with pytest.raises(TypeError, match="convert one of the two"):
        oe.mae(b, b, labels=a)


@pytest.mark.parametrize("twins", [("Mild", "mild"), ("mild", "mild "), ("caf\u00e9", "cafe\u0301"), ("a b", "a\u00a0b")])
def test_labels_that_differ_by_little_are_reported_and_kept_apart(twins):
    with pytest.warns(UserWarning, match="differ only by case, spaces or Unicode form"):
        assert Scale([*twins, "other"]).K == 3


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        ([], ValueError, "labels is empty"),
        (["a", "b", "a"], ValueError, "'a' twice"),
        (["a", None], ValueError, "missing value at index 1"),
        ([1.0, math.inf], ValueError, "infinite"),
        ("abc", TypeError, "single value"),
        ({"a", "b"}, TypeError, "no fixed order"),
        (range(1001), ValueError, r"1,001 classes are more than the limit of 1,000.*max_classes=1001"),
        ([["a"], ["b"]], ValueError, "two dimensions"),
        ([1j], TypeError, "complex"),
    ],
)
def test_labels_that_are_no_scale(labels, error, words):
    with pytest.raises(error, match=words):
        Scale(labels)


def test_the_limit_on_classes_can_be_raised():
    assert Scale(range(1001), max_classes=1001).K == 1001
    with pytest.raises(ValueError, match="1,000,001 classes, more than the limit"):
        oe.mae([0, 10**6], [0, 0])


class TestIntervals:
    def test_numbers_are_binned_and_labels_are_taken(self):
        scale = Scale.from_edges([0, 30, 60, 90, math.inf])
        assert scale.labels == ("[0, 30)", "[30, 60)", "[60, 90)", "[90, inf)")
        assert scale.lengths == (30, 30, 30, math.inf)
        assert scale.encode([0, 29.999, 30, 60.0, 1e9]).tolist() == [0, 0, 1, 2, 3]
        assert scale.encode(["[90, inf)", "[0, 30)"]).tolist() == [3, 0]
        assert scale.encode(pd.cut(pd.Series([5.0, 95.0]), [0, 30, 60, 90, np.inf], right=False)).tolist() == [0, 3]

    def test_closed_on_the_right(self):
        scale = Scale.from_edges([0, 1.5, 3], closed="right", names=["short", "long"])
        assert scale.encode([0.1, 1.5, 3]).tolist() == [0, 0, 1]
        with pytest.raises(ValueError, match=r"0.0 is in none of the classes .*first at index 0; widen the edges"):
            scale.encode([0.0])

    @pytest.mark.parametrize(
        ("edges", "words"),
        [
            ([0, 1, 1, 2], "strictly increase"),
            ([0, 2, 1], "strictly increase"),
            ([0, math.nan, 1], "NaN"),
            ([0], "at least two edges"),
            ([0, math.inf, math.inf], "strictly increase"),
            ([-1e308, 1e308], "too long for a floating-point number"),
        ],
    )
    def test_edges_that_are_none(self, edges, words):
        with pytest.raises(ValueError, match=words):
            Scale.from_edges(edges)

    @pytest.mark.parametrize("value", [-0.001, 90, math.inf, math.nan])
    def test_a_number_outside_is_refused(self, value):
        with pytest.raises(ValueError, match="in none of the classes|missing value"):
            Scale.from_edges([0, 30, 90]).encode([value])

    def test_bins_of_whole_numbers_are_as_long_as_they_have_integers(self):
        scale = Scale.from_integer_bins("1-2, 3-7, 8-14, >14")
        assert scale.lengths == (2, 5, 7, math.inf)
        assert scale.encode([1, 2, 3, 14, 15, 400]).tolist() == [0, 0, 1, 2, 3, 3]
        assert Scale.from_integer_bins(["<0", "0", "1", "2+"]).lengths == (math.inf, 1, 1, math.inf)

    @pytest.mark.parametrize(
        ("bins", "starts"),
        [
            ("<3, 3-5, >5", [3, 6]),
            ("<=2, 3-5, >=6", [3, 6]),
            ("≤2, 3–5, ≥6", [3, 6]),
            ("<= 2, 3 - 5, 6+", [3, 6]),
            ("<-2, -2--1, 0, 1 +", [-2, 0, 1]),
            ("<=-3, -2, >-2", [-2, -1]),
        ],
    )
    def test_every_way_to_write_a_bin_holds_its_whole_numbers(self, bins, starts):
        """Each of ``starts`` is the first number of a bin, those below the first of them are in the lowest bin."""
        scale = Scale.from_integer_bins(bins)
        assert scale.edges == (-math.inf, *starts, math.inf)
        numbers = range(-9, 10)
        assert scale.encode(list(numbers)).tolist() == [sum(start <= number for start in starts) for number in numbers]

    def test_a_number_with_a_fraction_is_in_no_bin_of_whole_numbers(self):
        scale = Scale.from_integer_bins("1-2, 3-7")
        assert scale.encode([2.0, 3.0]).tolist() == [0, 1]
        with pytest.raises(ValueError, match=r"2.5 is in none of the classes.*first at index 1; the bins hold whole numbers"):
            scale.encode([1, 2.5])
        assert Scale.from_dict(scale.to_dict()) == scale == eval(repr(scale))
        assert scale != Scale.from_edges([1, 3, 8], names=["1-2", "3-7"])

    @pytest.mark.parametrize(
        ("bins", "words"),
        [
            ("1-2, 4-7", "a gap between the bins '1-2' and '4-7'"),
            ("1-3, 3-7", "an overlap between"),
            ("<=2, 2-5", "an overlap between"),
            ("<=2, 4-5", "a gap between"),
            ("<2, 3+", "a gap between"),
            ("1-2, >=2", "an overlap between"),
            ("1-2, >3", "a gap between"),
            ("5-3", "ends before"),
            ("1-2, many", "not a bin"),
        ],
    )
    def test_bins_that_are_none(self, bins, words):
        with pytest.raises(ValueError, match=words):
            Scale.from_integer_bins(bins)

    def test_an_ordered_categorical_of_pandas_cut_is_an_interval_scale(self):
        cut = pd.cut(pd.Series([1.0, 12.0, 40.0]), [0, 10, 30, 60])
        scale = oe.count(cut, cut).scale
        assert (scale.edges, scale.closed) == ((0, 10, 30, 60), "right")

    def test_edges_that_differ_by_rounding_are_one(self):
        for last in (1.0, math.inf):
            intervals = pd.IntervalIndex.from_arrays([0.0, 0.1 + 0.2], [0.3, last])
            column = pd.Categorical.from_codes([0, 1, 1], intervals, ordered=True)
            counts = oe.count(column, column)
            assert counts.matrix.tolist() == [[1, 0], [0, 2]]
            assert counts.scale.edges == (0.0, 0.1 + 0.2, last)

    def test_whole_edges_touch_exactly_or_not_at_all(self):
        intervals = pd.IntervalIndex.from_arrays([0, 10**10 + 1], [10**10, 2 * 10**10])
        column = pd.Categorical.from_codes([0, 1], intervals, ordered=True)
        with pytest.raises(ValueError, match="do not touch"):
            oe.count(column, column)

    def test_bins_of_single_integers_may_be_integers(self):
        assert Scale.from_integer_bins([1, 2, ">2"]) == Scale.from_integer_bins("1, 2, >2")

    def test_intervals_of_dates_are_refused(self):
        dates = pd.cut(pd.Series(pd.date_range("2020", "2021", periods=6)), 3)
        for read in (Scale.infer, Scale.from_edges([0, 1, 2]).encode):
            with pytest.raises(TypeError, match=r"column( 1)? holds the interval .*2020.* whose ends are not numbers; convert"):
                read(dates)

    def test_intervals_closed_on_both_sides_are_refused(self):
        intervals = [pd.Interval(0, 1, "both"), pd.Interval(1, 2, "both")]
        column = pd.Categorical(intervals, categories=intervals, ordered=True)
        with pytest.raises(ValueError, match="closed on both, so an edge belongs to two classes"):
            oe.count(column, column)

    def test_edges_rounded_by_pandas_are_not_taken_for_the_true_ones(self):
        values, bins = [0.0, 1.2, 2.5], [0, 1.23456789, 3]
        rounded = pd.cut(values, bins, include_lowest=True)
        assert oe.count(rounded, rounded).scale.lengths == pytest.approx((1.236, 1.765))  # a trap nobody can see
        scale = Scale.from_edges(bins, closed="right")
        with pytest.raises(ValueError, match=r"pandas rounds the ends.*labels=scale.labels"):
            oe.count(rounded, rounded, labels=scale)
        named = pd.cut(values, bins, include_lowest=True, labels=list(scale.labels))
        assert oe.count(named, named, labels=scale).matrix.tolist() == [[2, 0], [0, 1]]

    def test_a_gap_left_by_removed_categories_is_refused(self):
        cut = pd.cut(pd.Series([1.0, 40.0]), [0, 10, 30, 60]).cat.remove_unused_categories()
        with pytest.raises(ValueError, match=r"do not touch; if unused categories were removed"):
            oe.count(cut, cut)


def test_a_scale_is_a_value():
    assert Scale(["a", "b"]) == Scale(("a", "b"))
    assert Scale([0, 1]) != Scale([False, True])
    assert len({Scale([1, 2]), Scale([1.0, 2.0]), Scale([2, 1])}) == 2
    assert Scale(["a", "b"]).decode([1, 0]).tolist() == ["b", "a"]
    with pytest.raises(ValueError, match="from 0 to 1"):
        Scale(["a", "b"]).decode([2])


def test_scales_that_differ_by_anything_are_different_and_their_counts_are_not_added():
    names = ["lo", "hi"]
    scales = [
        Scale(names),
        Scale(names[::-1]),
        Scale.from_edges([0, 1, 2], names=names),
        Scale.from_edges([0, 1, 2], names=names, closed="right"),
        Scale.from_edges([0, 1, 3], names=names),
        Scale.from_edges([1, 2, 3], names=["1", "2"]),
        Scale.from_integer_bins("1, 2"),
    ]
    assert len(set(scales)) == len(scales)
    for i, one in enumerate(scales):
        assert one == Scale.from_dict(one.to_dict())
        for other in scales[:i]:
            assert one != other
            with pytest.raises(ValueError, match="counts on different scales cannot be added"):
                oe.Counts.from_matrix([[1, 0], [0, 1]], labels=one) + oe.Counts.from_matrix([[1, 0], [0, 1]], labels=other)


def written(*fields):
    """A column of an untyped file."""
    return replace(read_column(list(fields), "column"), written=True)


def test_integers_with_and_without_a_sign_never_meet_as_floats():
    high = 2**63
    table = oe.count(np.array([high], np.uint64), [high - 1])
    assert (table.scale.labels, table.matrix.tolist()) == ((high - 1, high), [[0, 0], [1, 0]])
    near = Scale([2**62, 2**62 + 1])
    assert near.encode(np.array([2**62 + 1, 2**62], np.uint64)).tolist() == [1, 0]
    for scale, column in ((Scale([high, 2 * high - 1]), [-1]), (Scale([-1, 0]), np.array([2 * high - 1], np.uint64))):
        with pytest.raises(ValueError, match="is not one of the classes"):
            scale.encode(column)


def test_labels_of_a_command_line_are_of_the_kind_that_the_columns_are():
    numbers, words, typed = written("1", "2"), written("1", "b"), read_column(["1", "2"], "column")
    assert WrittenLabels(["1", "2", "3"]).settle([numbers]).labels == (1, 2, 3)
    assert WrittenLabels(["1", "2", "3"]).settle([words]).labels == ("1", "2", "3")
    assert WrittenLabels(["1", "2", "3"]).settle([typed]).labels == ("1", "2", "3")
    assert WrittenLabels(["1", "2", "b"]).settle([numbers]).labels == ("1", "2", "b")
    assert WrittenLabels(["0.5", "1"]).settle([read_column([0.5, 1.0], "column")]).labels == (0.5, 1.0)
    assert WrittenLabels(["False", "TRUE"]).settle([read_column([True], "column")]).labels == (False, True)


def test_written_numbers_are_exact_integers_or_floats():
    whole, parts = as_numbers(written("9007199254740993", "2", "2")), as_numbers(written("0.5", "2"))
    assert (whole.kind, whole.numbers.tolist()) == ("integers", [2**53 + 1, 2, 2])
    assert (parts.kind, parts.numbers.tolist()) == ("floats", [0.5, 2.0])
    with pytest.raises(ValueError, match="column: 'x' is not a number, the first at index 1"):
        as_numbers(written("1", "x"))


def test_a_label_comes_back_as_it_is_given():
    scale = oe.Scale(["a\0", "b", "c"])
    assert scale.decode([1, 0]).tolist() == ["b", "a\0"]


def test_a_long_scale_is_cut_short_in_print():
    assert str(Scale(range(12))) == " < ".join(map(str, range(12)))
    assert str(Scale(range(30))) == "0 < 1 < 2 < 3 < 4 < 5 < 6 < 7 < 8 < 9 < … < 29"


def test_integers_with_gaps_between_them_have_ranks_of_their_own():
    table = [[0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert oe.count([1, 3, 4], [3, 3, 1], labels=[1, 3, 4, 9]).matrix.tolist() == table


def test_free_answers_keep_their_gaps_and_their_classes():
    column, strange = as_answers(written("low", "n/a", "high", "n/a"), Scale(["low", "high"]))
    assert column.missing.tolist() == [False, True, False, True]
    assert strange == {"n/a": 2}
    spans, none = as_answers(written("[0, 1)", "1.5", "0.5"), Scale.from_edges([0, 1, 2]))
    assert (spans.codes.tolist(), none, spans.missing) == ([0, 1, 0], {}, None)


ALPHABET = ["high", "low", "mid"]


@pytest.mark.parametrize(
    "sort",
    [np.array, lambda names: np.array(names, object), pd.Series, pd.Index, pd.Categorical, pl.Series, pa.array],
)
def test_an_array_of_text_in_alphabetical_order_is_no_order_of_classes(sort):
    with pytest.raises(
        ValueError,
        match=r"^labels is an array of text in alphabetical order, as np.unique and scikit-learn's classes_ give it; that is no "
        r"order of classes; give a list, lowest first: labels=\['high', 'low', 'mid'\] if this is the order$",
    ):
        Scale(sort(ALPHABET))
    assert Scale(sort(["low", "mid", "high"])).labels == ("low", "mid", "high")


def test_what_only_looks_like_an_alphabet_passes():
    for labels in (ALPHABET, tuple(ALPHABET), Scale(ALPHABET).labels, iter(ALPHABET)):
        assert Scale(labels).labels == tuple(ALPHABET)
    assert Scale(np.array(["only"])).labels == ("only",)
    assert Scale(np.array([1, 2, 3])).labels == (1, 2, 3)
    assert Scale(np.array([False, True])).labels == (False, True)


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical(["low"], categories=["low", "mid", "high"], ordered=True),
        pd.Series(pd.Categorical(["high", None, "high"], categories=["low", "mid", "high"], ordered=True)),
        pl.Series(["high", "low", None], dtype=pl.Enum(["low", "mid", "high"])),
        pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["low", "mid", "high"]), ordered=True),
    ],
)
def test_a_column_with_an_order_of_its_own_gives_all_its_categories(column):
    assert Scale(column).labels == ("low", "mid", "high")


def test_an_order_in_the_type_may_be_that_of_the_alphabet():
    assert Scale(pd.Categorical(["low"], categories=ALPHABET, ordered=True)).labels == tuple(ALPHABET)
