"""Labels are data: in reports, tables, messages and on a terminal, whatever they look like."""

import csv
import io
import re

import pytest
from hostile import PAYLOADS

import ordeval as oe
from ordeval.show._escapes import csv_field, latex, markdown


@pytest.mark.parametrize("label", PAYLOADS, ids=ascii)
def test_a_refusal_is_one_line_whatever_the_classes_are_called(label):
    with pytest.raises(ValueError, match="is not one of the classes") as caught:
        oe.count(["no such class"], ["b"], labels=[label, "b"])
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", str(caught.value))


@pytest.mark.parametrize("label", PAYLOADS, ids=ascii)
def test_escapes_keep_labels_as_data(label):
    field = next(csv.reader(io.StringIO(csv_field(label) + "\n", newline="")))[0]
    assert field.lstrip("'") == label.lstrip("'")
    assert not re.match(r"\s*[=+@＝-]", field)
    assert not re.search(r"\\(?:input|write18|frac)\b", latex(label))
    assert not re.search(r"(?<!\\)[<`|\[]", markdown(label))


def test_a_report_holds_labels_as_text():
    labels = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</table>&amp;"]
    page = oe.evaluate(labels * 20, labels * 19 + labels[::-1], labels=labels, metrics=["mae"], n_resamples=499).to_html()
    assert "<script" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "&lt;/table&gt;&amp;amp;" in page
