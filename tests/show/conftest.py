"""One set of counts, and every figure that can be made of it."""

import shutil
import warnings

import numpy as np
import pytest

import ordeval as oe

METRICS = ["amae", "bias", "mmae", "cohen_kappa"]


def _rows(counts):
    """Rows that have these counts: codes of the truth, probabilities with most on the answer, sets of the answer's neighbours."""
    k = counts.scale.K
    true, pred = np.repeat(np.argwhere(np.ones((k, k))), counts.matrix.ravel(), axis=0).T
    proba = 0.3 / k + 0.7 * np.eye(k)[pred]
    return (
        counts.scale.decode(true),
        proba,
        (counts.scale.decode((pred - 1).clip(0)), counts.scale.decode((pred + 1).clip(max=k - 1))),
    )


def _every_figure(counts):
    """All displays of two models on one scale."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oe.UndefinedScore)
        comparison = oe.compare(counts, metrics=METRICS, n_resamples=400)
    one = counts[counts.models[0]]
    evaluation = comparison.evaluations[counts.models[0]]
    true, proba, sets = _rows(one)
    found = [
        oe.plot.ConfusionDisplay.from_counts(one, path=True),
        oe.plot.ClosenessDisplay.from_counts(one),
        oe.plot.CostDisplay.from_counts(one),
        oe.plot.ErrorProfileDisplay.from_counts(one),
        oe.plot.CutDisplay.from_evaluation(evaluation),
        oe.plot.ForestDisplay.from_comparison(comparison),
        oe.plot.DifferenceDisplay.from_comparison(comparison),
        oe.plot.FlipsDisplay.from_comparison(comparison),
        oe.plot.RankDisplay.from_comparison(comparison),
        oe.plot.RankingsDisplay.from_comparison(comparison),
        oe.plot.OciShareDisplay.from_comparison(comparison),
        *_raters_figures(counts),
        oe.plot.ReliabilityDisplay.from_predictions(true, proba, labels=counts.scale, n_resamples=99),
        oe.plot.RocDisplay.from_predictions(true, proba, labels=counts.scale),
        oe.plot.SetCoverageDisplay.from_predictions(true, sets, labels=counts.scale, n_resamples=400),
    ]
    return {type(display).__name__: display for display in found}


def _raters_figures(counts):
    """The truth as one rater more, called like a class, among the models as raters; the first model is the judge."""
    cells, weights = counts.cells, counts.weights
    if weights.sum() < 2:
        return []  # agreement is measured over items
    raters = oe.Counts(counts.scale, (str(counts.scale.labels[-1]) + "'", *counts.models), cells.copy(), weights.copy())
    agreement = oe.raters.agreement(raters)
    return [
        oe.raters.MatrixDisplay.from_agreement(agreement),
        oe.raters.SeverityDisplay.from_agreement(agreement),
        oe.raters.PanelDisplay.from_panel(oe.raters.judge_panel(raters, counts.models[0])),
    ]


@pytest.fixture(scope="session")
def triage():
    visits = oe.load_example("triage")
    answers = {"nurse": visits["nurse"], "model": visits["model"]}
    return oe.count(visits["grade"], answers, labels=["green", "yellow", "orange", "red"], missing="drop")


@pytest.fixture(scope="session")
def figures(triage):
    return _every_figure(triage)


@pytest.fixture(scope="session")
def every_figure():
    return _every_figure


def _program(name, package):
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed (Debian: {package})")
    return path


@pytest.fixture(scope="session")
def lualatex():
    return _program("lualatex", "texlive-luatex texlive-latex-recommended")


@pytest.fixture(scope="session")
def chromium():
    return _program("chromium", "chromium")
