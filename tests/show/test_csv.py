"""CSV for spreadsheets: no field and no header is a formula, also behind spaces, which a spreadsheet takes away."""

import csv
import io

import pytest

from ordeval.show._csv import records_as_csv
from ordeval.show._escapes import csv_field


@pytest.mark.parametrize("text", ["=1+1", " =1+1", "   @SUM(A1)", "+x", "-x", " ＝1", "\t=1", " -1,2"])
def test_a_formula_stays_text(text):
    assert next(csv.reader(io.StringIO(csv_field(text)))) == ["'" + text]


@pytest.mark.parametrize("text", ["", "low", "a=1", " low", "1-2"])
def test_other_text_is_left_alone(text):
    assert csv_field(text) == text


def test_numbers_stay_numbers():
    assert [csv_field(number) for number in (-1, -0.5, 2)] == ["-1", "-0.5", "2"]


def test_a_header_is_guarded_as_fields_are():
    lines = list(csv.reader(io.StringIO(records_as_csv([{" =1+1": 1, "@x": "=2"}]))))
    assert lines == [["' =1+1", "'@x"], ["1", "'=2"]]
