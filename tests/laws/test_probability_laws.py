"""Do the probability metrics keep their promises, and are those they do not make really broken?  Which of them are proper?"""

import math
import warnings

import numpy as np
import pytest
from forecasts import as_forecast, random_forecast, variants
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

import ordeval as oe
from ordeval.laws import LAWS, ROW_LAWS
from ordeval.metrics.core import forecast as module

JUDGED = (
    *("bounds", "perfect", "reversal", "replication", "repetition", "unused_class", "relabelling", "prevalence"),
    *("permutation", "duplication", "chunking"),
)
NAMES = ["zero", "Ärger", "mid", "5", "<b>", "last"]
SETS = [m for m in oe.catalogue() if "prediction sets" in m.needs]


def point(metric, true, proba, weights=None):
    k = np.shape(proba)[1] if np.ndim(proba) == 2 else max(true) + 1
    with np.errstate(all="ignore"):
        return metric.bind(as_forecast(true, proba, weights, k)).point()


def same(a, b, tolerance=1e-9):
    return (math.isnan(a) and math.isnan(b)) or a == b or abs(a - b) <= tolerance * max(1, abs(a))


def breach(metric, law, true, proba):
    """What is wrong with this law on this forecast; None if nothing is."""
    true, proba = np.asarray(true), np.asarray(proba, float)
    scores, k = proba.ndim == 1, int(max(true)) + 1 if proba.ndim == 1 else proba.shape[1]
    value = point(metric, true, proba)
    if law == "bounds":
        low, high = metric.bounds_for(k)
        return None if math.isnan(value) or low - 1e-12 <= value <= high + 1e-12 else f"{value} is outside {low}..{high}"
    if law == "perfect":
        best = metric.direction if not isinstance(metric.direction, str) else metric.bounds_for(k)[metric.direction == "higher"]
        perfect = point(metric, true, np.eye(k)[true])
        return None if math.isnan(perfect) or same(perfect, best) else f"{perfect} is not {best}"
    others = []
    if law == "reversal":
        others = [(k - 1 - true, -proba if scores else proba[:, ::-1])]
    elif law == "replication":
        others = [(np.tile(true, 3), np.concatenate([proba] * 3))]
    elif law == "unused_class":
        if scores:
            with_one_more = oe.forecast(true, proba, labels=range(k + 1))
            got = metric.bind(with_one_more).point()
            return None if same(value, got) else f"{value} became {got}"
        others = [(true + 1, np.pad(proba, ((0, 0), (1, 0)))), (true, np.pad(proba, ((0, 0), (0, 1))))]
    elif law == "prevalence":
        copies = [np.where(true == c, 3, 1) for c in range(k)]
        others = [(np.repeat(true, n), np.repeat(proba, n, 0)) for n in copies]
    elif law == "repetition":
        weights = np.arange(len(true)) % 3 + 1
        got, value = point(metric, true, proba, weights), point(metric, np.repeat(true, weights), np.repeat(proba, weights, 0))
        return None if same(value, got) else f"{value} became {got}"
    elif law == "relabelling":
        named = oe.Scale(NAMES[:k])
        got = metric.bind(oe.forecast(named.decode(true), proba, labels=named)).point()
        return None if same(value, got, 0) else f"{value} became {got}"
    elif law in ROW_LAWS:
        return moved_rows(metric, law, true, proba, value)
    for t, p in others:
        got = point(metric, t, p)
        if not same(value, got):
            return f"{value} became {got}"
    return None


def moved_rows(metric, law, true, proba, value):
    """Other orders, copies that stand anywhere, chunks of other sizes: what differs by more than the rounding of a sum."""
    rng, n = np.random.default_rng(len(true)), len(true)
    if law == "chunking":
        with pytest.MonkeyPatch.context() as patched:
            for size in (1, 3, 7):
                patched.setattr(module, "ROWS", size)
                got = point(metric, true, proba)
                if not same(value, got, 1e-13):
                    return f"{value} became {got} in chunks of {size}"
        return None
    copies = np.arange(n) if law == "permutation" else np.tile(np.arange(n), 3)
    for _ in range(3):
        order = rng.permutation(copies)
        got = point(metric, true[order], proba[order])
        if not same(value, got, 1e-13):
            return f"{value} became {got}"
    return None


def test_a_row_that_is_judged_by_its_place_is_noticed(monkeypatch):
    """A matrix product, whose rounding depends on where a row stands, planted where mean ranks are added up."""

    def product(proba, grid=None):
        return np.arange(1.0, proba.shape[1] + 1) @ np.ascontiguousarray(proba.T, float)

    metric, rng = oe.get_metric("concordance_index"), np.random.default_rng(0)
    drawn = [(rng.integers(0, 7, 41), rng.multinomial(10, rng.dirichlet(np.ones(7)), 41) / 10) for _ in range(30)]

    def found(law):
        return [why for true, proba in drawn if (why := breach(metric, law, true, proba))]

    assert found("permutation") == found("duplication") == []
    monkeypatch.setattr(module, "ranks_on_grid", product)
    assert found("permutation")
    assert found("duplication")


CLAIMED = [(m, law) for m in variants() for law in JUDGED if law in m.laws]
BROKEN = [(m, law) for m in variants() for law in JUDGED if law in m.broken]


@pytest.mark.parametrize(("metric", "law"), CLAIMED, ids=str)
@pytest.mark.thorough
@pytest.mark.slow
def test_claimed_laws_hold(metric, law):
    # Bins of equal mass and the tie rule of zero_one are about exact ties, which turning a coarse forecast around moves.
    kinds = (False,) if metric.name == "threshold_loss" else (False, True)

    @settings(max_examples=25)
    @given(st.integers(0, 10_000), st.integers(2, 5), st.sampled_from(kinds))
    def holds(seed, k, coarse):
        true, proba, _ = random_forecast(seed, 20, k, coarse=coarse)
        assert breach(metric, law, true, proba) is None

    holds()


@pytest.mark.parametrize(("metric", "law"), BROKEN, ids=str)
def test_broken_laws_have_a_witness(metric, law):
    assert breach(metric, law, *metric.broken[law]) is not None


@pytest.mark.parametrize("metric", [*variants(), *SETS], ids=str)
def test_every_law_is_claimed_or_broken(metric):
    assert {law for law in JUDGED if law not in metric.laws and law not in metric.broken} == set()
    assert not set(metric.laws) & set(metric.broken)
    assert set(metric.laws) | set(metric.broken) <= {*LAWS, *ROW_LAWS}
    assert set(ROW_LAWS) <= set(metric.laws)
    low, high = metric.bounds_for(4)
    assert low < high


@pytest.mark.parametrize("metric", SETS, ids=str)
def test_laws_of_sets(metric):
    rng = np.random.default_rng(0)
    true, lo = rng.integers(0, 4, 50), rng.integers(0, 3, 50)
    hi = np.minimum(lo + rng.integers(0, 3, 50), 3)
    value = metric(true, (lo, hi), labels=range(4))
    low, high = metric.bounds_for(4)
    assert low <= value <= high
    assert metric(3 - true, (3 - hi, 3 - lo), labels=range(4)) == pytest.approx(value)
    assert metric(true + 1, (lo + 1, hi + 1), labels=range(6)) == pytest.approx(value)
    weights = rng.integers(1, 4, 50)
    repeated = metric(np.repeat(true, weights), (np.repeat(lo, weights), np.repeat(hi, weights)), labels=range(4))
    assert metric(true, (lo, hi), sample_weight=weights, labels=range(4)) == pytest.approx(repeated)
    t, (a, b) = metric.broken["prevalence"]
    assert metric(t, (a, b)) != metric([*t, t[0]], ([*a, a[0]], [*b, b[0]]))
    best = metric([0, 1], ([0, 1], [0, 1]))
    assert (best == metric.bounds_for(2)[metric.direction == "higher"]) == ("perfect" in metric.laws)


# Propriety: is honesty the best answer?

PROPER = ("rps", "log_loss", "brier", "ordinal_log_loss(alpha=0)")


def expected(metric, truth, answer):
    """The mean score of an answer when the truth has these probabilities."""
    k = len(truth)
    rows = oe.forecast(range(k), np.tile(answer, (k, 1)), labels=range(k), sample_weight=np.maximum(truth, 1e-300))
    return metric.bind(rows).point()


def best_answer(metric, truth):
    """The answer with the least mean score, by a search from several starts."""
    k = len(truth)

    def softmax(z):
        e = np.exp(z - z.max())
        return e / e.sum()

    starts = [np.zeros(k), np.log(truth + 1e-3), *np.random.default_rng(0).normal(size=(1, k))]
    found = [minimize(lambda z: expected(metric, truth, softmax(z)), z, method="BFGS", options={"gtol": 1e-9}) for z in starts]
    return softmax(min(found, key=lambda f: f.fun).x)


@pytest.mark.parametrize("text", PROPER)
def test_honest_probabilities_are_best_for_proper_scores(text):
    metric, rng = oe.get_metric(text), np.random.default_rng(1)
    for k in (2, 3, 5):
        for truth in rng.dirichlet(np.ones(k), 1):
            honest = expected(metric, truth, truth)
            for lie in rng.dirichlet(np.ones(k), 200):
                assert expected(metric, truth, lie) > honest
            nearby = truth + rng.normal(0, 1e-3, (20, k)) * truth
            for lie in nearby / nearby.sum(1, keepdims=True):
                assert expected(metric, truth, lie) >= honest - 1e-15
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert best_answer(metric, truth) == pytest.approx(truth, abs=2e-3)


def test_ordinal_log_loss_prefers_another_answer_than_the_truth():
    """The minimiser is p_k = 1 - (K - 1) w_k / sum w with w_k the mean distance from class k."""
    metric, thirds = oe.get_metric("ordinal_log_loss"), np.full(3, 1 / 3)
    drawn_in = np.array([0.25, 0.5, 0.25])
    assert expected(metric, thirds, drawn_in) < expected(metric, thirds, thirds) - 0.01
    assert best_answer(metric, thirds) == pytest.approx(drawn_in, abs=1e-3)
    ends = np.array([0.5, 0.0, 0.5])
    assert best_answer(metric, ends) == pytest.approx(thirds, abs=1e-3)
    two = np.array([0.3, 0.7])
    assert best_answer(metric, two) == pytest.approx(two, abs=1e-3)  # with two classes it is the log loss
