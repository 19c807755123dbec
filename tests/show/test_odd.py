"""Hardly any data, very much of it, or data of an unusual kind: every format says what there is, and none fails."""

import json
import math
import re

import numpy as np
import pytest
from forms_of_results import FORMATS, comparison_in, scores_in
from odd import CASES

import ordeval as oe
from ordeval.evaluation._audit import audit_lines, class_table
from ordeval.show._html import page_as_html
from ordeval.show._latex import page_as_latex
from ordeval.show._markdown import page_as_markdown
from ordeval.show._plain import display_width
from ordeval.types import Evaluations

SAYS = {
    "one class": "undefined",
    "one row": "no interval",
    "no answers": "undefined",
    "weighted rows": "rows with weights were added up",
    "unanswered": "no answer",
    "clusters": "clusters",
}


@pytest.fixture(scope="module", params=[pytest.param(c, marks=pytest.mark.slow if c == "forty classes" else ()) for c in CASES])
def case(request):
    counts = CASES[request.param]()
    results = {model: oe.evaluate(counts[model], n_resamples=400) for model in counts.models}
    return request.param, counts, results


def test_every_format_says_what_there_is(case):
    _, counts, results = case
    pages = {format: scores_in(results, format, "a file.csv") for format in FORMATS}
    assert max(map(display_width, pages["text"].splitlines())) <= 80
    data = json.loads(pages["json"])["models"]["a"]
    for text, score in data["scores"].items():
        assert (score["value"] is not None) or score["reason"], text
    assert ("undefined" in pages["text"]) == any(math.isnan(s.value) for r in results.values() for s in r.scores.values())
    for page in pages.values():
        assert not re.search(r"(?i)\bnan\b", page)
    lines = audit_lines(counts, "a file.csv", [(model, oe.choose.pitfalls(counts[model])) for model in counts.models])
    assert max(map(display_width, lines)) <= 80


def test_reports_say_what_there_is(case):
    name, _, results = case
    page = Evaluations({"a": results["a"]}).page()
    written = [page_as_html(page), page_as_markdown(page), page_as_latex(page)]
    assert all(SAYS.get(name, "") in text for text in written)
    assert not any(re.search(r"\bnan\b", text) for text in written)
    assert len(written[0]) < 1_000_000


@pytest.mark.parametrize("name", ["one class", "one row", "long labels", "clusters", "weighted clusters", "unanswered"])
def test_comparisons_say_what_there_is(name):
    result = oe.compare(CASES[name](), n_resamples=400, metrics=["accuracy", "cem"])
    assert max(map(display_width, str(result).splitlines())) <= 80
    page = result.page()
    for written in (page_as_html(page), page_as_markdown(page), page_as_latex(page)):
        assert "better than" in written.replace("\\", "")
        assert not re.search(r"\bnan\b", written)
    for format in FORMATS:
        assert not re.search(r"(?i)\bnan\b", comparison_in(result, format))


def test_nothing_to_compare_is_said():
    with pytest.raises(ValueError, match="no row was answered by all models; there is nothing to compare"):
        oe.compare(CASES["no answers"]())


def test_groups_of_two_columns_are_all_there():
    counts = oe.count([0, 1, 0, 1], [0, 1, 1, 1], by={"site": ["x", "y", "x", "y"], "ward": ["x", "x", "y", "y"]})
    groups = oe.evaluate(counts, metrics=["accuracy"], n_resamples=400).groups
    assert {name: part.scores["accuracy"].value for name, part in groups.items()} == {
        "site=x": 0.5,
        "site=y": 1.0,
        "ward=x": 1.0,
        "ward=y": 0.5,
    }


def test_a_count_is_shown_to_the_last_row():
    counts = oe.Counts.from_matrix([[3 * 10**12 + 1, 5], [7, 10**11 + 3]])
    assert class_table(counts)[1:] == ["0  3,000,000,000,006  3,000,000,000,008", "1    100,000,000,010    100,000,000,008"]
    weighted = oe.count([1, 2], [1, 1], labels=[1, 2], sample_weight=[0.25, 1.5])
    assert class_table(weighted)[1:] == ["1  0.25  1.75", "2   1.5     0"]


def test_no_score_is_said_and_drawn():
    found = oe.evaluate([1, 2, 2], [1, 2, 1], labels=[1, 2], metrics=[])
    assert "no score was asked for" in str(found)
    assert "No score was asked for." in found.to_html()
    assert oe.plot.ForestDisplay.from_evaluation(found).plot().ax_.texts[0].get_text() == "No score was asked for."


def test_raters_with_wide_names_stay_within_80_columns():
    rng = np.random.default_rng(0)
    quality = rng.integers(1, 5, 60)
    names = ["評価者甲乙丙丁戊己庚辛壬癸" * 2, "ann", "bob", "cay"]
    counts = oe.raters.ratings({name: np.clip(quality + rng.integers(-1, 2, 60), 1, 4) for name in names}, labels=[1, 2, 3, 4])
    agreement, panel = oe.raters.agreement(counts), oe.raters.judge_panel(counts, names[0])
    corrected = oe.raters.corrected_grades(counts, person="ann", judge=names[0])
    lines = str(oe.raters.RatersReport(agreement, panel, corrected, "評価" * 20)).splitlines()
    assert max(map(display_width, lines)) <= 80
