"""Is a column of text the same column by the short ways (few texts) and by the long one?"""

import enum

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordeval.order.columns import read_column
from ordeval.order.numbering import FEW, few_fixed_texts
from ordeval.read.values import Columns

WORDS = st.sampled_from(["", "a", "b", "moderate", "modératé", "a b", "01", "\u2603", "x" * 40])


def decoded(column):
    return [None if code < 0 else column.values[code] for code in column.codes.tolist()]


@given(st.lists(st.one_of(st.none(), WORDS, WORDS.map(np.str_)), min_size=1))
def test_a_list_of_text_with_gaps(data):
    for given_data in (data, np.array([*data, None], object)[:-1], tuple(data)):
        column = read_column(given_data, "y")
        assert decoded(column) == data
        assert column.kind == "text"
        assert all(type(value) is str for value in column.values)
        assert (column.missing is None) == (None not in data)
        if column.missing is not None:
            assert column.missing.tolist() == [value is None for value in data]


@given(st.lists(WORDS, min_size=1, max_size=60), st.integers(0, 5), st.sampled_from("<>"))
def test_an_array_of_text_of_any_width_byte_order_and_stride(data, wider, order):
    array = np.array(data)
    array = array.astype(f"{order}U{array.dtype.itemsize // 4 + wider}")
    assert decoded(read_column(array, "y")) == data
    assert decoded(read_column(np.repeat(array, 3)[::3], "y")) == data
    assert decoded(read_column(array[::-1], "y")) == data[::-1]


@pytest.mark.parametrize("distinct", [FEW - 1, FEW, FEW + 1, 300, 5_000])
@pytest.mark.parametrize("gaps", [False, True])
def test_few_and_many_different_texts(distinct, gaps):
    """New texts come in late, so that the short way has begun when it is given up."""
    data = ["first"] * 20_000 + [f"t{i}" for i in range(distinct - 1)] * 2
    assert decoded(read_column(np.array(data), "y")) == data
    data += [None] if gaps else []
    assert decoded(read_column(data, "y")) == data


@pytest.mark.parametrize("stranger", [1, 1.0, True, b"a", ["a"], {"a": 1}, object()])
def test_text_mixed_with_anything_else_is_refused(stranger):
    with pytest.raises((TypeError, ValueError), match="mixes kinds of label|holds a|is itself a"):
        read_column(["a"] * 300 + [stranger], "y")
    with pytest.raises((TypeError, ValueError), match="mixes kinds of label|holds a|is itself a"):
        read_column([stranger] + ["a"] * 300, "y")


def test_nan_is_a_gap_among_texts():
    column = read_column(["a", float("nan"), "b", np.nan, None], "y")
    assert decoded(column) == ["a", None, "b", None, None]


def test_members_of_a_text_enumeration_are_their_texts():
    class Grade(enum.StrEnum):
        LOW = "low"
        HIGH = "high"

    assert decoded(read_column([Grade.LOW, "high", Grade.HIGH], "y")) == ["low", "high", "high"]


def test_two_texts_with_one_number_are_told_apart(monkeypatch):
    """With equal factors, texts whose machine words are exchanged are mixed to the same number: the comparison notices."""

    class EqualFactors:
        def integers(self, *_, size, dtype):
            return np.full(size, 5, dtype)

    data = ["aabb", "bbaa", "aabb", "abab"] * 10
    assert few_fixed_texts(np.array(data)) is not None
    monkeypatch.setattr(np.random, "default_rng", lambda _: EqualFactors())
    assert few_fixed_texts(np.array(data)) is None
    assert decoded(read_column(np.array(data), "y")) == data


@pytest.mark.parametrize("kind", ["text", "integers", "floats", "categories"])
@pytest.mark.parametrize("seed", range(3))
def test_the_texts_of_a_column_are_its_values_in_order_of_appearance(kind, seed):
    rng = np.random.default_rng(seed)
    values = [None if rng.random() < 0.3 else int(rng.integers(0, 5)) for _ in range(30)]
    make = {
        "text": lambda: pd.Series([None if v is None else f"v{v}" for v in values], dtype=object),
        "integers": lambda: pd.Series(values, dtype="Int64"),
        "floats": lambda: pd.Series([np.nan if v is None else v + 0.5 for v in values]),
        "categories": lambda: pd.Series([None if v is None else f"v{v}" for v in values], dtype="category"),
    }
    column = make[kind]()
    words, places = Columns.read(pd.DataFrame({"x": column}), ["x"]).texts("x")
    found = [None if place < 0 else words[place] for place in places.tolist()]
    assert found == [None if pd.isna(v) else str(v) for v in column.tolist()]
    assert words == tuple(dict.fromkeys(word for word in found if word is not None))


def test_nothing_stands_where_a_column_is_taken_from_no_row():
    for values in (["lo", "hi", None, "mid"], [3, 1, 2, 5]):
        column = read_column(values, "x")
        found = column.take(np.array([3, -1, 0, -1, 2]))
        assert found.missing.tolist() == [False, True, False, True, values[2] is None]
        if found.codes is not None:
            texts = [None if code < 0 else found.values[code] for code in found.codes.tolist()]
            assert texts == ["mid", None, "lo", None, None]
        else:
            assert found.numbers[[0, 2, 4]].tolist() == [5, 3, 2]
