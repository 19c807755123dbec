"""The report about raters: what the terminal says, on a page, with hostile names inert; and every form of its results."""

import json

import numpy as np
import pytest
from hostile import HOSTILE

import ordeval as oe
from ordeval.show._html import page_as_html
from ordeval.show._latex import page_as_latex
from ordeval.show._markdown import page_as_markdown

#: The columns of each result's main table.
COLUMNS = {
    "Agreement": ["coefficient", "value", "low", "high", "method", "reason"],
    "JudgePanel": ["rater", "metric", "value", "low", "high"],
    "AnnotatorTest": ["rater", "items", "judge", "human", "p_value", "wins"],
    "CorrectedGrades": ["class", "share", "low", "high", "naive"],
    "Homogeneity": ["first", "second", "items", "statistic", "degrees", "p_value", "test"],
    "RatersReport": ["coefficient", "value", "low", "high", "method", "reason"],
}


def rated(names):
    rng = np.random.default_rng(3)
    item = rng.normal(3, 1.1, 120)
    columns = {name: np.clip(np.rint(item + rng.normal(0, 0.5, 120)), 1, 5).astype(int).tolist() for name in names}
    return oe.raters.ratings(columns, labels=[1, 2, 3, 4, 5])


def results(names):
    """One of every kind; the last rater is the judge."""
    counts, judge = rated(names), names[-1]
    agreement, panel = oe.raters.agreement(counts.margin(*names[:-1])), oe.raters.judge_panel(counts, judge)
    corrected = oe.raters.corrected_grades(counts, person=names[0], judge=judge)
    report = oe.raters.RatersReport(agreement, panel, corrected, "ratings.csv")
    found = [agreement, panel, panel.alternative, corrected, oe.raters.marginal_homogeneity(counts), report]
    return {type(result).__name__: result for result in found}


@pytest.fixture(scope="module")
def every():
    return results(["ann", "bob", "cay", "judge"])


def test_the_page_says_what_was_found(every):
    found, panel = every["Agreement"], every["JudgePanel"]
    page = page_as_html(oe.raters.RatersReport(found, panel).page())
    for score in found.scores.values():
        assert f"[{score.low:.3f},\N{NO-BREAK SPACE}{score.high:.3f}]" in page
    assert page.count("<svg") == 3
    assert "The judge and the panel" in page
    assert "The judge as an instrument" not in page
    assert found.sentence.split(";")[0] in page


def test_the_page_of_corrected_grades_has_their_table(every):
    page = page_as_html(every["RatersReport"].page())
    for label, score in every["CorrectedGrades"].shares.items():
        assert f'dir="auto">{label}</th>' in page  # the head of its row
        assert f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]" in page


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_result_has_every_form(every, kind):
    result = every[kind]
    assert list(result.to_frame().columns) == COLUMNS[kind]
    assert result.to_csv().splitlines()[0] == ",".join(COLUMNS[kind])
    assert len(result.to_frame()) == len(result._rows()) == len(result.to_csv().splitlines()) - 1
    assert json.loads(result.to_json()) == result.to_dict()
    assert result.to_markdown().startswith("| ")
    assert r"\toprule" in result.to_latex()
    assert str(result)


def test_the_numbers_of_the_frames(every):
    panel, shares = every["JudgePanel"].to_frame(), every["CorrectedGrades"].to_frame()
    assert panel["rater"].tolist() == ["ann", "bob", "cay", "judge"]
    assert panel["value"].tolist() == [
        *(score.value for score in every["JudgePanel"].humans.values()),
        every["JudgePanel"].judge_mean.value,
    ]
    assert shares["class"].tolist() == [1, 2, 3, 4, 5]
    assert shares["naive"].sum() == pytest.approx(1)
    tests, pair = every["Homogeneity"].to_frame(), every["Homogeneity"]["ann", "bob"]
    assert len(tests) == 12
    assert tests["statistic"].tolist()[:2] == [pair.stuart_maxwell, pair.bowker]
    assert tests["degrees"].tolist()[:2] == [pair.degrees, pair.bowker_degrees]


def test_corrected_grades_publish_the_keys_that_they_always_had(every):
    assert list(every["CorrectedGrades"].to_dict()["settings"]) == ["method", "confidence_level", "n_resamples", "rng"]
    assert list(every["RatersReport"].to_dict()["panel"]["alternative"]["against"]["ann"]) == [
        "items",
        "judge",
        "human",
        "p_value",
        "wins",
    ]
    assert list(every["Agreement"].to_dict()["raters"]["ann"]) == [
        "ratings",
        "missing",
        "bias",
        "severity",
        "kappa",
        "without",
        "change",
    ]


def test_a_rater_may_be_called_like_a_row_of_the_table():
    panel = oe.raters.judge_panel(rated(["mean", "bob", "judge"]), "judge")
    assert [line.split()[0] for line in str(panel).splitlines()[1:4]] == ["mean", "bob", "mean"]


@pytest.mark.parametrize("metric", ["accuracy", "mae"])
def test_the_figure_of_a_panel_has_the_best_rater_first_and_the_judge_last(metric):
    """Raters who are one class off on more and more items, each on others: whichever way the metric points, the same one is best."""
    row, truth = np.arange(60), np.arange(60) % 5 + 1
    slips = {"cay": row >= 30, "ann": row < 0, "bob": (row >= 10) & (row < 25), "dan": row < 5, "judge": row < 15}
    grades = {name: np.where(slip, np.where(truth < 5, truth + 1, 4), truth).tolist() for name, slip in slips.items()}
    panel = oe.raters.judge_panel(oe.raters.ratings(grades, labels=range(1, 6)), "judge", metric=metric, n_resamples=400)
    figure = oe.raters.PanelDisplay.from_panel(panel)
    assert figure.raters == ("ann", "dan", "bob", "cay")
    assert figure.value.tolist() == [
        *(panel.humans[name].value for name in figure.raters),
        panel.human_mean.value,
        panel.judge_mean.value,
    ]


@pytest.mark.parametrize("name", [*(HOSTILE[i] for i in (0, 1, 4, 5, 8)), "\x1b[31mred\x1b[0m"])
@pytest.mark.slow
def test_names_are_data(name):
    every = results([name, "bob", "cay", f"{name}2"])
    page = every["RatersReport"].page()
    assert "<script" not in page_as_html(page)
    assert "\\begin{document}" in page_as_latex(page)
    assert page_as_markdown(page)
    for result in every.values():
        shown = result._repr_html_()
        assert "<script" not in shown
        assert "<img" not in shown
        assert "\x1b" not in str(result) + shown
