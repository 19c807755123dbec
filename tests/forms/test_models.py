"""The papers' classifiers: scikit-learn's own checks, the two reductions by hand, and what they refuse."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from processes import GUARD
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression, Perceptron, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from ordeval import Scale
from ordeval.decide import OrdinalDecision
from ordeval.papers.models import DataReplication, FrankHall

GRADES = ["low", "mid", "high", "top"]  # alphabetically another order

#: Text without an order is refused; this one check fits text classes and expects them in alphabetical order.
REFUSED = {"check_classifiers_classes": "text has no order without labels="}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "model",
    [
        FrankHall(LogisticRegression()),
        FrankHall(DecisionTreeClassifier(random_state=0)),
        FrankHall(LinearSVC(random_state=0), combine="votes"),
        DataReplication(SVC(kernel="linear")),
        DataReplication(LogisticRegression()),
    ],
    ids=str,
)
def test_scikit_learns_own_checks(model):
    results = check_estimator(model, expected_failed_checks=REFUSED, on_skip=None)  # raises where one fails
    statuses = {result["check_name"]: result["status"] for result in results}
    assert [name for name, status in statuses.items() if status == "xfail"] == list(REFUSED)
    skipped = [name for name, status in statuses.items() if status == "skipped"]
    assert skipped == [name for name in statuses if name == "check_array_api_input"]  # not among the checks of scikit-learn 1.6
    assert len(results) > 50


#: Every answer is made for a metric, so it is not always the most probable class, which is what this check expects.
DECIDED = {**REFUSED, "check_classifiers_train": "the answer that is best for a metric need not be the most probable class"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("model", "expected"),
    [
        (OrdinalDecision(LogisticRegression(), "mae"), DECIDED),  # the least expected cost
        (OrdinalDecision(LogisticRegression(), "cohen_kappa", cv=3), DECIDED),  # thresholds searched out of fold
        (OrdinalDecision(DecisionTreeClassifier(random_state=0), "accuracy"), REFUSED),  # the most probable class
    ],
    ids=["cost", "thresholds", "accuracy"],
)
def test_scikit_learns_own_checks_of_decisions(model, expected):
    results = check_estimator(model, expected_failed_checks=expected, on_skip=None)  # raises where another one fails
    assert {result["check_name"] for result in results if result["status"] == "xfail"} == set(expected)
    assert {result["check_name"] for result in results if result["status"] == "skipped"} == {"check_array_api_input"}
    assert len(results) > 50


@pytest.fixture
def rows():
    """Four classes along a line, with overlap."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, 240)
    features = np.column_stack([codes + rng.normal(scale=0.6, size=240), rng.normal(size=240)])
    return features, np.array(GRADES)[codes], codes


def test_frank_and_hall_by_hand(rows):
    X, y, codes = rows
    above = [LogisticRegression().fit(X, codes > i).predict_proba(X)[:, 1] for i in range(3)]
    by_hand = np.stack([1 - above[0], above[0] - above[1], above[1] - above[2], above[2]], 1)
    model = FrankHall(LogisticRegression(), labels=GRADES).fit(X, y)
    assert model.classes_.tolist() == GRADES
    assert by_hand.min() > 0
    np.testing.assert_allclose(model.predict_proba(X), by_hand, atol=1e-12)
    assert (model.predict(X) == np.array(GRADES)[by_hand.argmax(1)]).all()
    votes = FrankHall(LogisticRegression(), labels=GRADES, combine="votes").fit(X, y)
    assert (votes.predict(X) == np.array(GRADES)[sum(p > 0.5 for p in above)]).all()


def test_contradicting_neighbours_still_give_probabilities():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 5, 60)
    model = FrankHall(DecisionTreeClassifier(max_depth=2, random_state=0)).fit(X, y)
    above = np.stack([estimator.predict_proba(X)[:, 1] for estimator in model.estimators_], 1)
    assert (np.diff(above) > 0).any()
    proba = model.predict_proba(X)
    assert proba.min() == 0
    np.testing.assert_allclose(proba.sum(1), 1, atol=1e-12)


def test_data_replication_by_hand(rows):
    X, y, codes = rows
    n = len(X)
    extra = 2.0 * np.array([[0, 0], [1, 0], [0, 1]])
    replicas = np.concatenate([np.hstack([X, np.tile(extra[q], (n, 1))]) for q in range(3)])
    above = np.concatenate([codes > q for q in range(3)])
    machine = SVC(kernel="linear", C=10).fit(replicas, above)
    by_hand = machine.predict(replicas).reshape(3, n).sum(0)
    model = DataReplication(SVC(kernel="linear", C=10), height=2.0, labels=GRADES).fit(X, y)
    assert (model.predict(X) == np.array(GRADES)[by_hand]).all()
    # One direction, a threshold for each cut, in order: b_1, b_1 + h w_(p+1), b_1 + h w_(p+2) fall.
    weights, first = model.estimator_.coef_[0], model.estimator_.intercept_[0]
    thresholds = first + 2.0 * np.array([0, *weights[2:]])
    assert (np.diff(thresholds) < 0).all()
    score = X @ weights[:2]
    assert (model.predict(X) == np.array(GRADES)[(score[:, None] + thresholds > 0).sum(1)]).all()


def test_span_keeps_the_classes_next_to_the_cut(rows):
    X, y, codes = rows
    n = len(X)
    replicas, above = [], []
    for q, classes in enumerate(([0, 1], [1, 2], [2, 3])):
        kept = np.isin(codes, classes)
        replicas.append(np.hstack([X, np.tile(np.eye(3, 2, k=-1)[q], (n, 1))])[kept])
        above.append((codes > q)[kept])
    machine = LogisticRegression().fit(np.concatenate(replicas), np.concatenate(above))
    model = DataReplication(LogisticRegression(), span=1, labels=GRADES).fit(X, y)
    np.testing.assert_allclose(model.estimator_.coef_, machine.coef_)
    assert not np.allclose(DataReplication(LogisticRegression(), labels=GRADES).fit(X, y).estimator_.coef_, machine.coef_)


@pytest.mark.parametrize("model", [FrankHall(LogisticRegression()), DataReplication(LogisticRegression())], ids=["fh", "dr"])
def test_the_order_comes_from_labels_scales_and_ordered_columns(model, rows):
    X, y, codes = rows
    expected = np.array(GRADES)[clone(model).fit(X, codes).predict(X)]
    ordered = pd.Series(pd.Categorical(y, categories=GRADES, ordered=True))
    for labels, column in ((GRADES, y), (Scale(GRADES), y.astype(object)), (GRADES, y.tolist()), (None, ordered)):
        fitted = clone(model).set_params(labels=labels).fit(X, column)
        assert fitted.classes_.tolist() == GRADES
        assert (fitted.predict(X) == expected).all()
    # turned upside down, the predictions turn with it (both base problems are symmetric)
    down = clone(model).fit(X, 3 - codes).predict(X)
    if isinstance(model, FrankHall):
        assert (np.array(GRADES)[3 - down] == expected).all()


@pytest.mark.parametrize("model", [FrankHall(LogisticRegression()), DataReplication(LogisticRegression())], ids=["fh", "dr"])
def test_a_class_without_training_rows_is_not_predicted(model, rows):
    X, y, codes = rows
    some = codes != 2
    fitted = clone(model).set_params(labels=GRADES).fit(X[some], y[some])
    assert fitted.classes_.tolist() == ["low", "mid", "top"]
    assert set(fitted.predict(X)) == {"low", "mid", "top"}


@pytest.mark.parametrize("model", [FrankHall(LogisticRegression()), DataReplication(LogisticRegression())], ids=["fh", "dr"])
def test_integer_weights_are_copies(model, rows):
    X, _, codes = rows
    weight = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = clone(model).fit(X, codes, sample_weight=weight)
    copies = clone(model).fit(np.repeat(X, weight, 0), np.repeat(codes, weight))
    assert (weighted.predict(X) == copies.predict(X)).all()
    assert not (weighted.predict(X) == clone(model).fit(X, codes).predict(X)).all()


def test_frank_and_hall_hands_the_features_on_as_they_are():
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = ["bad", "bad awful", "fine", "fine well", "great", "great lovely"] * 3
    grades = ["low", "low", "mid", "mid", "high", "high"] * 3
    model = FrankHall(make_pipeline(TfidfVectorizer(), LogisticRegression(C=100)), labels=["low", "mid", "high"])
    assert model.fit(texts, grades).predict(["awful", "well", "lovely"]).tolist() == ["low", "mid", "high"]


class OnlyScores:
    def fit(self, X, y):
        return self


@pytest.mark.parametrize(
    ("model", "error", "sentence"),
    [
        (
            FrankHall(LinearSVC()),
            TypeError,
            "needs predict_proba, which LinearSVC does not have; combine='votes' needs only predict",
        ),
        (FrankHall(OnlyScores(), combine="votes"), TypeError, "needs predict, which OnlyScores does not have"),
        (DataReplication(OnlyScores()), TypeError, "DataReplication needs predict, which OnlyScores does not have"),
        (FrankHall(Perceptron(), combine="vote"), ValueError, "combine='vote' is unknown; choose one of 'probability', 'votes'"),
        (DataReplication(SVC(), height=0), ValueError, "height=0 does not tell the replicas apart"),
        (DataReplication(SVC(), span=0), ValueError, "span=0 is not a number of classes"),
        (FrankHall(LogisticRegression(), labels=[0, 1]), ValueError, "y: 2 is not one of the classes"),
    ],
)
def test_what_is_refused_and_how(model, error, sentence):
    with pytest.raises(error, match=sentence):
        model.fit([[1.0], [2.0], [3.0]], [0, 1, 2])


@pytest.mark.parametrize("model", [FrankHall(LogisticRegression()), DataReplication(LogisticRegression())], ids=["fh", "dr"])
def test_training_rows_that_cannot_be_learnt_from(model):
    X = [[1.0], [2.0], [3.0]]
    with pytest.raises(ValueError, match=r"y holds one class \(2\) in the training rows, but \w+ needs at least two; use folds"):
        model.fit(X, [2, 2, 2])
    with pytest.raises(ValueError, match=r"y holds one class \(1\)"):
        model.fit(X, [1, 2, 2], sample_weight=[1, 0, 0])
    with pytest.raises(ValueError, match="are text .* and text has no order"):
        model.fit(X, ["a", "b", "c"])
    with pytest.raises(TypeError, match="was given sample_weight, but KNeighborsClassifier takes none; leave it out"):
        clone(model).set_params(estimator=KNeighborsClassifier()).fit(X, [1, 2, 2], sample_weight=[1, 2, 3])


def test_votes_have_no_probabilities():
    X, y = make_blobs(random_state=0)
    votes = FrankHall(LogisticRegression(), combine="votes").fit(X, y)
    assert not hasattr(votes, "predict_proba")
    assert not hasattr(FrankHall(Ridge()), "predict_proba")


@pytest.mark.slow
def test_without_scikit_learn_one_sentence_says_what_to_install():
    program = "import sys; sys.modules['sklearn'] = None\ntry:\n    import ordeval.papers.models\nexcept ImportError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD)
    assert done.stdout == 'the ordinal classifiers need scikit-learn; install it with  pip install "ordeval[sklearn]"\n'
