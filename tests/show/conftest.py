"""One set of counts, and every figure that can be made of it."""

import shutil
import warnings

import pytest

import ordeval as oe

METRICS = ["amae", "bias", "mmae", "cohen_kappa"]


def _every_figure(counts):
    """All displays of two models on one scale."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oe.UndefinedScore)
        comparison = oe.compare(counts, metrics=METRICS, n_resamples=400)
    one = counts[counts.models[0]]
    evaluation = comparison.evaluations[counts.models[0]]
    found = [
        oe.ConfusionDisplay.from_counts(one, path=True),
        oe.ClosenessDisplay.from_counts(one),
        oe.CostDisplay.from_counts(one),
        oe.ErrorProfileDisplay.from_counts(one),
        oe.CutDisplay.from_evaluation(evaluation),
        oe.ForestDisplay.from_comparison(comparison),
        oe.DifferenceDisplay.from_comparison(comparison),
        oe.FlipsDisplay.from_comparison(comparison),
        oe.RankDisplay.from_comparison(comparison),
        oe.RankingsDisplay.from_comparison(comparison),
        oe.OciShareDisplay.from_comparison(comparison),
    ]
    return {type(display).__name__: display for display in found}


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
