"""The report about raters: what the terminal says, on a page, with hostile names inert."""

import numpy as np
import pytest
from hostile import HOSTILE

import ordeval as oe
from ordeval.raters._report import raters_report


def rated(names):
    rng = np.random.default_rng(3)
    item = rng.normal(3, 1.1, 120)
    columns = {name: np.clip(np.rint(item + rng.normal(0, 0.5, 120)), 1, 5).astype(int).tolist() for name in names}
    return oe.raters.ratings(columns, labels=[1, 2, 3, 4, 5])


def test_the_page_says_what_was_found():
    counts = rated(["ann", "bob", "cay", "judge"])
    found = oe.raters.agreement(counts.margin("ann", "bob", "cay"))
    panel = oe.raters.judge_panel(counts, "judge")
    page = raters_report(found, panel).to_html()
    for score in found.scores.values():
        assert f"[{score.low:.3f}, {score.high:.3f}]" in page
    assert page.count("<svg") == 3
    assert "The judge and the panel" in page
    assert "The judge as an instrument" not in page
    assert found.sentence.split(";")[0] in page


@pytest.mark.parametrize("name", [HOSTILE[0], HOSTILE[1], HOSTILE[4], HOSTILE[5]])
def test_names_are_data(name):
    report = raters_report(oe.raters.agreement(rated([name, "bob", "cay"])))
    assert "<script" not in report.to_html()
    assert "\\begin{document}" in report.to_latex()
    assert report.to_markdown()
