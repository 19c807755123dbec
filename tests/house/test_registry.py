"""Every record says what it should, in the same words, and every text finds its metric again."""

import html
import inspect
import json
import pickle
import re
import sys
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from matplotlib.mathtext import MathTextParser
from numpydoc.docscrape import NumpyDocString
from tables import TABLE_4X4, counted, variants

import ordeval as oe
from ordeval.metrics.core.docs import card
from ordeval.metrics.core.references import BIBLIOGRAPHY, reference
from ordeval.metrics.core.registry import _FOUND_BY, _REGISTRY
from ordeval.metrics.core.row_scores import RowMean
from ordeval.metrics.core.stacks import score_stack
from ordeval.metrics.core.types import Structure
from ordeval.metrics.families.sets import sets_of
from ordeval.raters import _alternative as alternative
from ordeval.raters import _homogeneity as homogeneity
from ordeval.raters import _panel as panel
from ordeval.raters._coefficients import COEFFICIENTS

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import reference_pages


@pytest.mark.parametrize("metric", variants(), ids=str)
def test_the_text_finds_the_metric_again(metric):
    assert oe.get_metric(str(metric)) == metric
    assert str(oe.get_metric(str(metric))) == str(metric)
    assert hash(oe.get_metric(str(metric))) == hash(metric)
    assert pickle.loads(pickle.dumps(metric)) == metric


def test_a_text_shows_the_parameters_that_differ_and_no_others():
    assert str(oe.get_metric("cohen_kappa(weights='quadratic')")) == "cohen_kappa"
    assert str(oe.get_metric(" cohen_kappa( weights = 'linear' ) ")) == "cohen_kappa(weights='linear')"
    assert str(oe.get_metric("accuracy_within(2)")) == "accuracy_within(steps=2)"
    assert oe.get_metric(oe.mae) == oe.get_metric("mae") == oe.get_metric(oe.get_metric("mae"))


@pytest.mark.parametrize("metric", counted(), ids=str)
def test_aliases_are_found_with_their_parameters(metric):
    counts = oe.Counts.from_matrix(TABLE_4X4)
    for alias, params in metric.aliases.items():
        assert oe.get_metric(alias) == metric.with_params(**params)
        assert oe.get_metric(alias)(counts) == metric.function(counts, **params)


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_the_record_says_what_a_stranger_needs(metric):
    assert metric.summary.endswith(".")
    assert 0 < len(metric.plain) <= 34
    assert metric.structure in get_args(Structure)
    assert metric.structure != "custom"
    for text in (
        metric.title,
        metric.formula,
        metric.formula_text,
        metric.ignores,
        metric.undefined,
        *metric.misleads,
        *metric.see,
    ):
        assert text
        assert text == text.strip()
        assert not text.endswith(".")
    assert metric.misleads
    assert all(oe.get_metric(name) != metric for name in metric.see)
    assert all(p.help.endswith(".") and p.annotation not in ("", "Any", "str") for p in metric.parameters.values())
    MathTextParser("path").parse(f"${metric.formula}$")


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_docstring_page_card_and_data_show_the_same_facts(metric):
    doc = " ".join(metric.function.__doc__.split())
    lines = [line.strip() for line in metric.function.__doc__.splitlines()]
    for title in ("Parameters", "Returns", "Warns", "See Also", "Notes", "Examples"):
        assert lines.count(title) == 1
    page = " ".join(reference_pages.metric_page(metric).split())
    terminal = " ".join("\n".join(card(metric)).split())
    typeset = html.unescape(metric._repr_html_())
    data = json.dumps(metric.to_dict(), ensure_ascii=False)
    for words in (metric.ignores, *metric.misleads, metric.undefined):
        plain = " ".join(words.replace("`", "").split())
        assert " ".join(words.split()) in doc
        assert plain in terminal
        assert plain in typeset
        assert json.dumps(words, ensure_ascii=False)[1:-1] in data
        assert plain in page.replace("`", "")
    assert metric.formula in metric.function.__doc__
    assert metric.formula in typeset
    for name, p in metric.parameters.items():
        assert f"{name} : " in doc
        assert " ".join(p.help.split()) in doc
        assert " ".join(p.help.replace("`", "").split()) in terminal


@pytest.mark.parametrize(("text", "said"), [
    ("oci(share=0.25)", "share=0.25:"),
    ("cohen_kappa(weights='linear')", "weights='linear':"),
    ("uoc(empty='diagonal')", "empty='diagonal':"),
    ("total_cost(class_counts=(1, 2))", "class_counts=(1, 2):"),
    ("mae", None),
])  # fmt: skip
def test_a_card_shows_the_parameters_as_they_are_set(text, said):
    """Not as they would be by default, which the page of the metric shows."""
    metric = oe.get_metric(text)
    shown = [words for name, words in metric.facts() if name == "parameter"]
    assert [words.partition(": ")[0] for words in shown] == [f"{name}={value!r}" for name, value in metric.params.items()]
    if said:
        for page in (" ".join("\n".join(card(metric)).split()), html.unescape(metric._repr_html_())):
            assert said in page


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_the_sections_are_those_that_numpydoc_knows(metric):
    found = NumpyDocString(metric.function.__doc__)  # warns, and warnings are errors, where a section is not as it should be
    named = [p.name for p in found["Parameters"]]
    assert named == list(inspect.signature(metric.function).parameters)
    assert all(p.type and p.desc for p in found["Parameters"])
    assert [p.type or p.name for p in found["Returns"]] == ["float"]


def test_a_resolve_that_looks_at_more_than_it_says_is_refused():
    """Two groupings once took every metric of ours for one that looks at the truths only, and gave wrong numbers for others."""

    def kernel(counts, shift):
        return counts.sum((-2, -1)) * 0 + shift

    def scores(resolve, **more):
        @oe.metric(kernel=kernel, title="A shift", direction="lower", bounds=(0, "inf"), resolve=resolve, **more)
        def a_shift(y_true, y_pred=None, *, labels=None, sample_weight=None):
            return oe.score(a_shift, y_true, y_pred, labels=labels, sample_weight=sample_weight)

        tables = np.array([[[2, 0], [0, 1]], [[1, 1], [0, 1]], [[0, 2], [0, 1]]])
        return score_stack(oe.get_metric(a_shift), tables, oe.Scale([0, 1])).tolist()

    def looks_at_all(sample):
        return {"shift": float(sample.matrix[0, 1])}

    def looks_at_truths(sample):
        return {"shift": float(sample.truths[0])}

    try:
        assert scores(looks_at_all) == [0, 1, 2]
        assert scores(looks_at_truths, depends="truths") == [2, 2, 2]
        for says in ("scale", "truths"):
            with pytest.raises(TypeError, match=f"depends='{says}'.*say depends='all'"):
                scores(looks_at_all, depends=says)
        with pytest.raises(TypeError, match="depends='scale'.*say depends='truths'"):
            scores(looks_at_truths, depends="scale")
    finally:
        _REGISTRY.pop("a_shift"), _FOUND_BY.pop("a_shift")


def test_keys_are_identifiers_and_all_different():
    texts = [str(m) for m in variants()]
    keys = [oe.get_metric(text).key for text in texts]
    assert len(set(keys)) == len(texts)
    assert all(key.isidentifier() for key in keys)


def test_every_paper_is_cited_and_every_citation_is_a_paper():
    plain_shares = {"over_rate", "under_rate"}  # nobody's invention
    assert {m.name for m in oe.catalogue() if not m.cite} == plain_shares
    cited = {c.cite for c in COEFFICIENTS.values()} | {*alternative.CITE, *homogeneity.CITE, *panel.CITE}
    assert {m.cite for m in oe.catalogue() if m.cite} | cited == set(BIBLIOGRAPHY)
    for key in BIBLIOGRAPHY:
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


@pytest.fixture
def registered():
    """Registers a function, and takes it out again."""
    names = []

    def register(function, **record):
        names.append(function.__name__)
        return oe.metric(title="", cite="", direction="lower", **record)(function)

    yield register
    for name in names:
        _REGISTRY.pop(name, None)
        _FOUND_BY.pop(name, None)


def test_a_refused_parameter_of_ones_own_metric_hears_whether_none_would_do(registered):
    def capped(y_true, y_pred=None, *, labels=None, sample_weight=None, cap: "float | None" = 2.0, least: "float" = 0.5):
        """Mean steps, no more than a few each."""

    params = {"cap": oe.Parameter("The most steps.", range="(0, inf)"), "least": oe.Parameter("The least.", range="[0, 1]")}
    registered(capped, kernel=lambda counts, cap, least: counts.sum((-2, -1)), bounds=(0, "inf"), parameters=params)
    metric = oe.get_metric("capped")
    assert metric.with_params(cap=None).params["cap"] is None
    with pytest.raises(ValueError, match="cap=-1: it must be a number above 0, or None$"):
        metric.with_params(cap=-1)
    with pytest.raises(ValueError, match="least=2: it must be a number from 0 to 1$"):
        metric.with_params(least=2)
    with pytest.raises(ValueError, match="least=None: it must be"):
        metric.with_params(least=None)


def test_a_score_of_sets_that_depends_on_unused_classes_warns_on_an_inferred_scale(registered):
    def covered(counts, **_):
        rows = sets_of(counts)
        return RowMean(rows, None, scores=(rows.hi - rows.lo + 1) / rows.K)

    def share_of_scale(y_true, sets=None, *, labels=None, sample_weight=None):
        """How much of the scale a set covers."""
        return oe.score(share_of_scale, y_true, sets=sets, labels=labels, sample_weight=sample_weight)

    witness = {"unused_class": ([0, 1], ([0, 0], [0, 1]))}
    registered(share_of_scale, kernel=covered, bounds=(0, 1), needs=["prediction sets"], broken=witness)
    sets = ([1, 1], [1, 3])
    with pytest.warns(UserWarning, match=r"classes 1\.\.3 were taken from the data.*labels="):
        assert share_of_scale([1, 2], sets) == pytest.approx((1 / 3 + 3 / 3) / 2)
    assert share_of_scale([1, 2], sets, labels=[1, 2, 3, 4]) == (1 / 4 + 3 / 4) / 2


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
