"""Every record says what it should, in the same words, and every text finds its metric again."""

import pickle
import re

import numpy as np
import pytest
from tables import TABLE_4X4, counted, variants

import ordeval as oe
from ordeval.metrics.core.references import bibliography, reference
from ordeval.metrics.core.registry import _FOUND_BY, _REGISTRY
from ordeval.raters import _alternative as alternative
from ordeval.raters import _homogeneity as homogeneity
from ordeval.raters import _panel as panel
from ordeval.raters._coefficients import COEFFICIENTS

DIRECTIONS = {"higher": "Higher is better", "lower": "Lower is better"}


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_the_text_finds_the_metric_again(metric):
    assert oe.get_metric(str(metric)) == metric
    assert str(oe.get_metric(str(metric))) == str(metric)
    assert hash(oe.get_metric(str(metric))) == hash(metric)
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_a_text_shows_the_parameters_that_differ_and_no_others():
    assert str(oe.get_metric("cohen_kappa(weights='quadratic')")) == "cohen_kappa"
    assert str(oe.get_metric(" cohen_kappa( weights = 'linear' ) ")) == "cohen_kappa(weights='linear')"
    assert str(oe.get_metric("accuracy_within(2)")) == "accuracy_within(n=2)"
    assert oe.get_metric(oe.mae) == oe.get_metric("mae") == oe.get_metric(oe.get_metric("mae"))


@pytest.mark.parametrize("metric", counted(), ids=str)
def test_aliases_are_found_with_their_parameters(metric):
    counts = oe.Counts.from_matrix(TABLE_4X4)
    for alias, params in metric.aliases.items():
        assert oe.get_metric(alias) == metric.with_params(**params)
        assert oe.get_metric(alias)(counts) == metric.function(counts, **params)


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_the_docstring_says_what_a_stranger_needs(metric):
    paragraphs = metric.doc.split("\n\n")
    assert paragraphs[0].endswith(".")
    words = DIRECTIONS.get(metric.direction) or f"Closer to {metric.direction:g} is better"
    assert paragraphs[1].startswith(words)
    assert re.search(r"^Ignores ", metric.doc, re.M)
    assert re.search(r"^Misleads when ", metric.doc, re.M)
    assert ">>> " in metric.doc
    assert metric.undefined
    assert metric.title


def test_every_paper_is_cited_and_every_citation_is_a_paper():
    plain_shares = {"over_rate", "under_rate"}  # nobody's invention
    assert {m.name for m in oe.catalogue() if not m.cite} == plain_shares
    cited = {c.cite for c in COEFFICIENTS.values()} | {*alternative.CITE, *homogeneity.CITE, *panel.CITE}
    assert {m.cite for m in oe.catalogue() if m.cite} | cited == set(bibliography())
    for key in bibliography():
        assert re.fullmatch(r"[^(]+ \(\d{4}\)\. .+\.( doi:10\.\S+)?", reference(key))


def test_what_a_user_registers_is_a_metric_like_any_other():
    def _exactly_one_off(counts):
        k = counts.shape[-1]
        near = np.eye(k, k=1) + np.eye(k, k=-1)
        return (counts * near).sum((-2, -1)) / counts.sum((-2, -1))

    try:

        @oe.metric(kernel=_exactly_one_off, title="Exactly one off", cite="", bounds=(0, 1), direction="lower")
        def exactly_one_off(y_true, y_pred=None, *, labels=None, sample_weight=None):
            """Share of rows exactly one class off."""
            found = oe.get_metric("exactly_one_off")
            counts = oe.count(y_true, y_pred, labels=labels, sample_weight=sample_weight)
            return float(found.bind(counts)(counts.matrix))

        assert oe.get_metric("exactly_one_off")([1, 2, 3, 3], [1, 3, 3, 1]) == 0.25
        assert oe.catalogue()[-1].name == "exactly_one_off"
    finally:
        _REGISTRY.pop("exactly_one_off", None)
        _FOUND_BY.pop("exactly_one_off", None)


def test_a_name_that_is_taken_is_refused():
    def mae(y_true, y_pred=None, *, labels=None, sample_weight=None):
        """Mine."""

    with pytest.raises(ValueError, match="there is a metric called 'mae' already"):
        oe.metric(kernel=lambda c: c, title="", cite="", bounds=(0, 1), direction="lower")(mae)


def test_unknown_laws_and_needs_are_refused():
    with pytest.raises(ValueError, match="'perfekt' is none of"):
        oe.metric(kernel=lambda c: c, title="", cite="", bounds=(0, 1), direction="lower", laws={"perfekt": ""})


def test_a_score_that_depends_on_unused_classes_warns_on_an_inferred_scale():
    starred = [m for m in variants() if m.uses_unused_classes and "edges" not in m.needs]  # edges are given, never inferred
    for metric in starred:
        with pytest.warns(UserWarning, match=r"classes 1\.\.3 were taken from the data.*labels="):
            metric([1, 2, 3, 1], [1, 3, 2, 1])
        metric([1, 2, 3, 1], [1, 3, 2, 1], labels=[1, 2, 3])


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_the_summary_is_the_first_line_of_the_docstring(metric):
    assert metric.summary == metric.function.__doc__.splitlines()[0]


def test_copies_change_nothing_unless_weights_are_frequencies():
    assert "replication" in oe.get_metric("mae").laws_of_record
    assert "replication" not in oe.get_metric("krippendorff_alpha").laws_of_record


def test_the_bounds_of_the_threshold_loss_depend_on_what_is_counted():
    bounds = {text: oe.get_metric(f"threshold_loss({text})").bounds for text in ("", "loss='zero_one'", "kind='immediate'")}
    assert bounds == {"": (0, "inf"), "loss='zero_one'": (0, "K - 1"), "kind='immediate'": (0, "inf")}
    assert oe.get_metric("threshold_loss(loss='zero_one', kind='immediate')").bounds == (0, 1)
