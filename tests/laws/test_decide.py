"""Is the decision the best there is?  Against every other answer, and against what is known of each metric."""

import itertools
import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.decide._decisions import _linear_costs

RNG = np.random.default_rng(0)
PROBA = RNG.dirichlet(np.full(4, 0.7), 400)
LINEAR = {
    *("accuracy", "accuracy_within", "mze", "balanced_accuracy", "mean_extreme_sensitivity", "over_rate", "under_rate"),
    *("mae", "mse", "smae", "amae", "amse", "cem", "stc", "total_cost"),
    "brennan_prediger",  # what it expects by chance depends on the number of classes alone
}


def codes(metric, proba=PROBA, **own):
    return oe.decide.decide(proba, metric, labels=range(np.shape(proba)[1]), **own)


def test_which_metrics_are_linear_at_fixed_true_classes():
    scale, counts = oe.Scale(range(4)), np.array([40.0, 30, 20, 10])
    found = {
        m.name
        for m in oe.catalogue()
        if m.needs_only_counts
        and "edges" not in m.needs
        and m.direction in ("higher", "lower")
        and _linear_costs(m, counts, scale) is not None
    }
    assert found == LINEAR


@pytest.mark.parametrize("name", sorted(LINEAR))
def test_no_other_answers_have_a_better_expected_score(name):
    """Three rows, all answers tried: the score is linear, so its mean over the truth is the score of the mean table."""
    metric, rng = oe.get_metric(name), np.random.default_rng(1)
    for _ in range(4):
        proba = rng.dirichlet(np.ones(3), 3)
        counts = proba.sum(0)
        whole = oe.Counts.from_matrix(np.diag(counts), labels=range(3))
        bound = metric.bind(whole)

        def score(answers, proba=proba, bound=bound):
            table = np.zeros((3, 3))
            for p, answer in zip(proba, answers, strict=True):
                table[:, answer] += p
            return float(bound(table))

        every = [score(answers) for answers in itertools.product(range(3), repeat=3)]
        best = max(every) if metric.direction == "higher" else min(every)
        assert score(oe.decide.decide(proba, metric, labels=range(3))) == pytest.approx(best, rel=1e-9)


def test_known_answers():
    below = np.cumsum(PROBA, 1)
    assert (codes("accuracy") == PROBA.argmax(1)).all()
    assert (codes("mae") == (below < 0.5).sum(1)).all()  # the median
    mean = PROBA @ np.arange(4)
    assert (codes("mse") == np.rint(mean)).all()  # the rank nearest to the mean
    cost = np.array([[0, 1, 5, 9], [2, 0, 1, 5], [9, 3, 0, 1], [20, 9, 4, 0]])
    assert (codes(cost) == (PROBA @ cost).argmin(1)).all()


def test_ties_go_to_the_lower_class():
    assert codes("mae", [[0.5, 0.3, 0.2], [0.5, 0.0, 0.5]]).tolist() == [0, 0]
    assert codes("accuracy", [[0.2, 0.4, 0.4]]).tolist() == [1]


def test_class_counts_change_costs_and_a_prior_changes_probabilities():
    row = [[0.5, 0.3, 0.2]]
    assert codes("mae", row, class_counts=[80, 15, 5]) == codes("mae", row)  # its costs do not depend on the classes
    assert codes("amae", row, class_counts=[80, 15, 5]) == 2
    assert codes("amae", row, class_counts={0: 1, 1: 1, 2: 1}) == codes("mae", row)
    assert codes("accuracy", row, prior=([0.5, 0.3, 0.2], [0.1, 0.1, 0.8])) == 2
    assert codes("accuracy", row, prior=([1, 1, 1], [1, 1, 1])) == 0
    moved = np.array(row) * [0.2, 1, 1]
    assert codes("mae", row, prior=([0.5, 0.25, 0.25], [0.1, 0.25, 0.25])) == codes("mae", moved / moved.sum())


def test_without_class_counts_the_probabilities_are_added_up():
    assert (codes("amae") == codes("amae", class_counts=PROBA.sum(0))).all()
    assert (codes("cem") == codes("cem", class_counts=PROBA.sum(0))).all()


@pytest.mark.parametrize("metric", ["amae", "cem", "stc", "balanced_accuracy", "mae"])
def test_a_prior_is_the_same_as_probabilities_moved_by_hand(metric):
    """Costs rest on the expected class counts, which are those of the place where the rule is used."""
    trained, used = np.array([0.4, 0.3, 0.2, 0.1]), np.array([0.1, 0.1, 0.2, 0.6])
    moved = PROBA * (used / trained)
    moved /= moved.sum(1, keepdims=True)
    answers = codes(metric, prior=(trained, used))
    assert (answers == codes(metric, moved)).all()
    assert (answers == codes(metric, moved, class_counts=moved.sum(0))).all()
    assert (answers != codes(metric)).any()
    counts = {"class_counts": [5, 1, 1, 9]}
    assert (codes(metric, prior=(trained, used), **counts) == codes(metric, moved, **counts)).all()


def sample(n, seed):
    rng = np.random.default_rng(seed)
    position = rng.normal(0, 1, n)
    cuts = np.array([-1.5, 0.5, 2.5])
    below = 1 / (1 + np.exp(-(cuts - 2 * position[:, None])))
    proba = np.diff(below, axis=1, prepend=0, append=1)
    return (rng.random(n)[:, None] > below).sum(1), proba


@pytest.mark.parametrize("text", ["cohen_kappa", "oci", "cohen_kappa(weights='linear')", "mmae", "macro_f1", "kendall_tau"])
def test_searched_thresholds_are_at_least_as_good_as_rounding_and_as_the_most_probable_class(text):
    true, proba = sample(600, 0)
    metric = oe.get_metric(text)
    decision = oe.decide.fit(true, proba, metric, labels=range(4))
    sign = 1 if metric.direction == "higher" else -1
    score = metric(true, decision.apply(proba), labels=range(4))
    assert score == pytest.approx(decision.fitted)
    rounded = np.rint(proba @ np.arange(4)).astype(int)
    assert sign * score >= sign * metric(true, rounded, labels=range(4))
    assert (np.diff(decision.thresholds) >= 0).all()


def test_the_search_finds_the_best_thresholds_there_are():
    """Few different mean ranks: all thresholds are tried."""
    rng = np.random.default_rng(5)
    true, level = rng.integers(0, 3, 200), rng.integers(0, 9, 200)
    proba = np.stack([1 - level / 8, np.zeros(200), level / 8], 1)
    true = np.clip(np.rint(level / 4 + rng.normal(0, 0.7, 200)), 0, 2).astype(int)
    for text in ("cohen_kappa", "oci", "macro_f1"):
        metric = oe.get_metric(text)
        sign = 1 if metric.direction == "higher" else -1
        places = np.arange(0.875, 3.3, 0.25)
        every = []
        for a, b in itertools.combinations_with_replacement(places, 2):
            answers = np.searchsorted([a, b], 1 + level / 4)
            every.append(sign * float(metric.bind(c := oe.count(true, answers, labels=range(3)))(c.matrix)))
        assert sign * oe.decide.fit(true, proba, text, labels=range(3)).fitted == pytest.approx(np.nanmax(every), rel=1e-12)


def test_a_linear_metric_needs_no_search():
    true, proba = sample(300, 1)
    decision = oe.decide.fit(true, proba, "amae", labels=range(4))
    assert decision.thresholds is None
    assert (decision.apply(proba) == codes("amae", proba, class_counts=np.bincount(true, minlength=4))).all()


@pytest.mark.parametrize("text", ["cohen_kappa", "cem"])
def test_a_decision_comes_back_from_text(text):
    true, proba = sample(300, 2)
    names = ["none", "mild", "severe", "fatal"]
    labels = np.array(names)[true]
    decision = oe.decide.fit(labels, proba, text, labels=names, prior=([1, 2, 2, 1], [2, 1, 1, 1]))
    back = oe.decide.Decision.from_json(decision.to_json())
    assert (back.apply(proba) == decision.apply(proba)).all()
    assert (back.metric, back.scale) == (decision.metric, decision.scale)
    frame = pd.DataFrame(proba[:, ::-1], columns=names[::-1])
    assert (back.apply(frame) == decision.apply(proba)).all()
    assert set(decision.apply(proba)) <= set(names)


REFUSED = {
    "not linear": (
        lambda: codes("cohen_kappa"),
        ValueError,
        r"not linear in the counts.*oe.decide.fit\(y_true, proba, 'cohen_kappa'\)",
    ),
    "the old order": (
        lambda: oe.decide.fit(PROBA, np.zeros(400, int), "mae", labels=range(4)),
        TypeError,
        r"y_true has two dimensions; the truth comes first: fit\(y_true, proba, metric\)",
    ),
    "a target": (
        lambda: oe.decide.fit(np.zeros(400, int), PROBA, "bias", labels=range(4)),
        ValueError,
        "a target, not a direction",
    ),
    "costs": (lambda: codes(np.eye(3)), ValueError, "4 by 4 finite numbers"),
    "class counts": (lambda: codes("amae", class_counts=[1, 2]), ValueError, "a count for each of the 4 classes"),
    "prior": (lambda: codes("mae", prior=[0.25] * 4), TypeError, "prior must be a pair"),
    "no rows of any class": (lambda: codes("amae", class_counts=[0, 0, 0, 0]), ValueError, "not negative and not all 0"),
    "prior of zero": (lambda: codes("mae", prior=([0, 1, 1, 1], [1, 1, 1, 1])), ValueError, "above 0"),
    "nothing left": (lambda: codes("mae", [[1.0, 0]], prior=([1, 1], [0, 1])), ValueError, "in row 0 every class"),
    "probabilities": (lambda: codes("mae", [[0.5, 0.6]]), ValueError, "row 0 adds up to 1.1"),
    "scores": (lambda: oe.decide.decide([0.5, 0.6], "mae"), ValueError, "one dimension"),
    "names without an order": (
        lambda: oe.decide.decide(pd.DataFrame([[0.5, 0.5]], columns=["a", "b"]), "mae"),
        ValueError,
        "labels=",
    ),
    "other text": (
        lambda: oe.decide.Decision.from_json('{"schema": 7}'),
        ValueError,
        "not a decision, or it is one of another version",
    ),
    "text that holds less": (
        lambda: oe.decide.Decision.from_json('{"schema": 1}'),
        ValueError,
        "another version: it has no 'prior'",
    ),
    "a list": (lambda: oe.decide.Decision.from_json("[]"), ValueError, "not a decision, or it is one of another version"),
    "no text of ours": (lambda: oe.decide.Decision.from_json("{"), ValueError, "not a decision, or it is one of another version"),
    "edges": (lambda: codes("interval_stc"), ValueError, "Scale.from_edges"),
    "a target, row by row": (lambda: codes("bias"), ValueError, "a target, not a direction"),
    "a score of probabilities": (lambda: codes("rps"), ValueError, "rps needs probabilities"),
    "no rows": (lambda: codes("mae", np.zeros((0, 4))), ValueError, "proba holds no row.*give class_counts"),
}


def test_no_rows_have_no_answers_where_the_class_counts_are_known():
    assert codes("mae", np.zeros((0, 4)), class_counts=[1, 2, 3, 4]).size == 0


def test_a_score_that_is_undefined_wherever_the_thresholds_stand_is_nan():
    decision = oe.decide.fit([1, 1], [[1.0], [1.0]], "cohen_kappa", labels=[1])
    assert math.isnan(decision.fitted)
    assert math.isnan(oe.decide.Decision.from_json(decision.to_json()).fitted)


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_one_sentence(case):
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_many_classes_take_little_memory():
    """A table for each of K² moves would be K⁴ numbers at once: 13 gigabytes for 200 classes, a hundred million bytes for 60."""
    rng, k = np.random.default_rng(0), 60
    proba = rng.dirichlet(np.ones(k), 50)
    tracemalloc.start()
    answers = oe.decide.decide(proba, "mae", labels=range(k))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (answers == (np.cumsum(proba, 1) < 0.5).sum(1)).all()
    assert most < 4e7


class TestScikitLearn:
    def data(self, n=400):
        rng = np.random.default_rng(3)
        x = rng.normal(size=(n, 3))
        level = x @ [1.0, 0.7, 0.2] + rng.logistic(size=n)
        return x, np.array(["low", "mid", "high"])[np.searchsorted([0.5, 2.5], level)]

    def test_a_class_without_training_rows_keeps_its_whole_name(self):
        from sklearn.linear_model import LogisticRegression

        x, names = [[1.0], [2.0], [3.0], [4.0]], ["lo", "middle", "hi"]
        model = oe.decide.OrdinalDecision(LogisticRegression(), "mse", labels=names).fit(x, ["lo", "lo", "hi", "hi"])
        assert model.predict([[2.5], [0.0]]).tolist() == ["middle", "lo"]
        small = np.array([0, 0, 100, 100], np.int8)
        model = oe.decide.OrdinalDecision(LogisticRegression(), "mse", labels=[0, 200, 100]).fit(x, small)
        assert model.predict([[2.5], [0.0]]).tolist() == [200, 0]

    def test_string_classes_in_their_order(self):
        from sklearn.base import clone
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GridSearchCV

        x, y = self.data()
        names = ["low", "mid", "high"]
        for metric in ("amae", "cohen_kappa", np.array([[0, 1, 2], [1, 0, 1], [8, 4, 0]])):
            model = oe.decide.OrdinalDecision(LogisticRegression(), metric, labels=names).fit(x, y)
            proba = pd.DataFrame(model.predict_proba(x), columns=model.estimator_.classes_)
            assert (model.predict(x) == model.decision_.apply(proba)).all()
            assert model.score(x, y) > 0.4
            clone(model)
        search = GridSearchCV(
            oe.decide.OrdinalDecision(LogisticRegression(), "cohen_kappa", labels=names, cv=3), {"estimator__C": [0.1, 1]}, cv=3
        )
        assert search.fit(x, y).predict(x).shape == y.shape
        plain = LogisticRegression().fit(x, y).predict(x)
        own = oe.decide.OrdinalDecision(LogisticRegression(), "amae", labels=names).fit(x, y).predict(x)
        assert oe.amae(y, own, labels=names) < oe.amae(y, plain, labels=names)

    @pytest.mark.parametrize("metric", ["amae", "cem", "stc", "balanced_accuracy"])
    def test_costs_are_those_of_all_training_rows(self, metric):
        from sklearn.linear_model import LogisticRegression

        x, y = self.data()
        names = ["low", "mid", "high"]
        model = oe.decide.OrdinalDecision(LogisticRegression(), metric, labels=names).fit(x, y)
        proba = pd.DataFrame(model.predict_proba(x), columns=model.estimator_.classes_)
        counts = {name: int((y == name).sum()) for name in names}
        assert (model.predict(x) == oe.decide.decide(proba, metric, labels=names, class_counts=counts)).all()

    @pytest.mark.parametrize("form", [list, dict, np.array])
    @pytest.mark.parametrize("metric", ["amae", "cem", "stc", "balanced_accuracy"])
    def test_class_counts_that_are_given_decide_instead_of_those_of_the_training_rows(self, metric, form):
        from sklearn.linear_model import LogisticRegression

        x, y = self.data()
        names, given = ["low", "mid", "high"], [1, 5, 40]
        counts = dict(zip(names, given, strict=True)) if form is dict else form(given)
        plain = oe.decide.OrdinalDecision(LogisticRegression(), metric, labels=names).fit(x, y)
        for weights in (None, np.where(y == "high", 3.0, 1.0)):
            model = oe.decide.OrdinalDecision(LogisticRegression(), metric, labels=names, class_counts=counts).fit(x, y, weights)
            proba = pd.DataFrame(model.predict_proba(x), columns=model.estimator_.classes_)
            answers = model.predict(x)
            assert (answers == oe.decide.decide(proba, metric, labels=names, class_counts=given)).all()
            assert (answers != plain.predict(x)).any()
            if metric == "amae":
                costs = np.abs(np.subtract.outer(range(3), range(3))) / np.array(given)[:, None]
                assert (answers == np.array(names)[(proba[names].to_numpy() @ costs).argmin(1)]).all()

    def test_a_class_missing_from_the_training_rows(self):
        from sklearn.linear_model import LogisticRegression

        x, y = self.data()
        keep = y != "mid"
        model = oe.decide.OrdinalDecision(LogisticRegression(), "mae", labels=["low", "mid", "high"]).fit(x[keep], y[keep])
        assert set(model.predict(x)) <= {"low", "mid", "high"}

    def test_weights_reach_the_estimator(self):
        from sklearn.linear_model import LogisticRegression

        x, y = self.data()
        weights = np.where(y == "high", 5.0, 1.0)
        names = ["low", "mid", "high"]
        heavy, plain = (
            oe.decide.OrdinalDecision(LogisticRegression(), "accuracy", labels=names).fit(x, y, w) for w in (weights, None)
        )
        assert (heavy.predict(x) == "high").sum() > (plain.predict(x) == "high").sum()

    @pytest.mark.parametrize("metric", ["cohen_kappa", "oci", "amae"])
    def test_a_weight_is_a_row_repeated(self, metric):
        """In the model, in the models of the folds, and in the search of thresholds."""
        from sklearn.tree import DecisionTreeClassifier

        x, y = self.data(120)
        weights = np.where(y == "low", 1, 4)
        again = np.repeat(np.arange(120), weights)
        fold = np.arange(120) % 3

        def fitted(rows, sample_weight):
            folds = [(np.flatnonzero(fold[rows] != i), np.flatnonzero(fold[rows] == i)) for i in range(3)]
            tree = DecisionTreeClassifier(max_depth=3, random_state=0)
            return oe.decide.OrdinalDecision(tree, metric, labels=["low", "mid", "high"], cv=folds).fit(
                x[rows], y[rows], sample_weight
            )

        weighted, repeated, plain = fitted(np.arange(120), weights), fitted(again, None), fitted(np.arange(120), None)
        found, expected = weighted.decision_, repeated.decision_
        assert (weighted.predict(x) == repeated.predict(x)).all()
        assert (weighted.predict(x) != plain.predict(x)).any()
        if metric == "amae":
            assert found.costs == pytest.approx(expected.costs)
        else:
            assert found.thresholds == pytest.approx(expected.thresholds, abs=1e-9)
            assert found.fitted == pytest.approx(expected.fitted, abs=1e-12)

    def test_refusals(self):
        from sklearn.exceptions import NotFittedError
        from sklearn.linear_model import LogisticRegression
        from sklearn.svm import LinearSVC

        x, y = self.data()
        with pytest.raises(TypeError, match="LinearSVC has no predict_proba"):
            oe.decide.OrdinalDecision(LinearSVC(), "mae", labels=["low", "mid", "high"]).fit(x, y)
        with pytest.raises(ValueError, match="labels="):
            oe.decide.OrdinalDecision(LogisticRegression(), "mae").fit(x, y)
        with pytest.raises(ValueError, match="one class only"):
            oe.decide.OrdinalDecision(LogisticRegression(), "mae").fit(x[:3], [1, 1, 1])
        with pytest.raises(NotFittedError):
            oe.decide.OrdinalDecision(LogisticRegression(), "mae").predict(x)


def test_nan_is_never_the_best():
    """A threshold that leaves a score undefined does not win."""
    true, proba = sample(50, 3)
    assert not math.isnan(oe.decide.fit(true, proba, "kendall_tau", labels=range(4)).fitted)
