"""Scorers: what scikit-learn computes with them is what one computes by hand, fold by fold, on one scale."""

import pickle
import subprocess
import sys
from dataclasses import replace
from functools import partial
from inspect import signature

import numpy as np
import pandas as pd
import pytest
import sklearn
from joblib.externals.loky import get_reusable_executor
from processes import GUARD
from sklearn.base import clone
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression, LogisticRegressionCV
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import ordeval as oe
from ordeval.base.errors import ArgumentTypeError
from ordeval.metrics.core.row_scores import RowMean
from ordeval.papers.models import DataReplication, FrankHall

GRADES = ["mild", "moderate", "severe", "critical"]  # alphabetically another order
FOLDS = KFold(4)


@pytest.fixture(scope="module")
def rows():
    """Text classes; the rare "critical" is in one test fold only, and missing from three of four."""
    rng = np.random.default_rng(5)
    codes = np.sort(rng.integers(0, 3, 120))
    rng.shuffle(codes)
    codes[[3, 7, 11, 19]] = 3  # all in the first quarter
    X = np.column_stack([codes + rng.normal(scale=0.8, size=120), rng.normal(size=(120, 2))])
    return X, np.array(GRADES)[codes]


def by_hand(model, X, y, score, folds=FOLDS):
    found = []
    for train, test in folds.split(X):
        fitted = clone(model).fit(X[train], y[train])
        found.append(score(y[test], fitted.predict(X[test])))
    return found


NAMES = ["cem", "amae", "cohen_kappa", "lwk", "oci(share=0.25)", "accuracy_within"]


@pytest.fixture(params=[1, pytest.param(2, marks=pytest.mark.slow)])
def n_jobs(request):
    """joblib would keep its processes for a while."""
    yield request.param
    if request.param > 1:
        get_reusable_executor().shutdown(wait=True)


def test_a_grid_search_equals_the_scores_computed_by_hand(rows, n_jobs):
    X, y = rows
    grid = [1, 5, 25]
    search = GridSearchCV(
        KNeighborsClassifier(),
        {"n_neighbors": grid},
        scoring=oe.scorers(["cem", "amae", "cohen_kappa"], labels=oe.Scale(GRADES)),
        refit="cem",
        cv=FOLDS,
        n_jobs=n_jobs,
        error_score="raise",
    ).fit(X, y)
    means = []
    for i, k in enumerate(grid):
        model = KNeighborsClassifier(k)
        for name, sign in (("cem", 1), ("amae", -1), ("cohen_kappa", 1)):
            expected = by_hand(model, X, y, lambda t, p, name=name: oe.get_metric(name)(t, p, labels=GRADES))
            assert [search.cv_results_[f"split{f}_test_{name}"][i] for f in range(4)] == [sign * e for e in expected]
        means.append(np.mean(by_hand(model, X, y, lambda t, p: oe.cem(t, p, labels=GRADES))))
    assert search.best_params_ == {"n_neighbors": grid[int(np.argmax(means))]}
    assert search.best_score_ == max(means)
    assert search.score(X, y) == oe.cem(y, search.predict(X), labels=GRADES)


def test_the_fold_would_have_changed_the_question(rows):
    """Without the scale, folds that lack the class give other numbers: the test above can fail."""
    X, y = rows
    order = {grade: i for i, grade in enumerate(GRADES)}
    with pytest.warns(UserWarning, match="taken from the data"):
        seen = by_hand(
            KNeighborsClassifier(5),
            X,
            y,
            lambda t, p: oe.oci([order[v] for v in t], [order[v] for v in p]),
        )
    fixed = by_hand(KNeighborsClassifier(5), X, y, lambda t, p: oe.oci(t, p, labels=GRADES))
    assert any(a != b for a, b in zip(seen, fixed, strict=True))


@pytest.mark.parametrize("kind", ["text", "objects", "ordered", "integers"])
def test_cross_validate_with_every_kind_of_classes(rows, kind):
    X, y = rows
    codes = np.array([GRADES.index(v) for v in y])
    columns = {
        "text": (GRADES, y),
        "objects": (GRADES, y.astype(object)),
        "ordered": (GRADES, pd.Series(pd.Categorical(y, GRADES, ordered=True))),
        "integers": ([0, 1, 2, 3], codes),
    }
    scale, column = columns[kind]
    found = cross_validate(
        KNeighborsClassifier(5), X, column, cv=FOLDS, scoring=oe.scorers(NAMES, labels=scale), error_score="raise"
    )
    for name in NAMES:
        metric = oe.get_metric(name)
        sign = 1 if metric.direction == "higher" else -1
        plain = codes if kind == "integers" else y
        expected = by_hand(KNeighborsClassifier(5), X, plain, lambda t, p, m=metric: m(t, p, labels=scale))
        assert found[f"test_{name}"].tolist() == [sign * value for value in expected]


@pytest.mark.slow
def test_the_papers_classifiers_in_a_grid_search(rows):
    """A training fold may lack the rare class: the model cannot predict it, and the score still knows it."""
    X, y = rows
    grid = {"estimator__C": [0.01, 1.0]}
    for model in (FrankHall(LogisticRegression(), labels=GRADES), DataReplication(LogisticRegression(), labels=GRADES)):
        search = GridSearchCV(model, grid, scoring=oe.get_scorer("oci", labels=GRADES), cv=FOLDS, error_score="raise").fit(X, y)
        for i, c in enumerate(grid["estimator__C"]):
            chosen = clone(model).set_params(estimator__C=c)
            expected = by_hand(chosen, X, y, lambda t, p: oe.oci(t, p, labels=GRADES))
            assert [search.cv_results_[f"split{f}_test_score"][i] for f in range(4)] == [-value for value in expected]


#: Older ones turn the classes into integers, sorted by the alphabet, before any scorer sees them; ours refuses those in words.
hands_on_classes = pytest.mark.skipif(
    "use_legacy_attributes" not in signature(LogisticRegressionCV).parameters, reason="scikit-learn numbers the classes itself"
)


@hands_on_classes
@pytest.mark.parametrize("name", ["cem", "neg_mae", "neg_rps"])
def test_an_estimator_that_rebuilds_scorers_with_its_own_classes_cannot_rebuild_ours(rows, name):
    """LogisticRegressionCV puts classes_, in alphabetical order, into the ``labels`` of a score function."""
    X, y = rows
    grid = [0.01, 1.0]
    scorer = pickle.loads(pickle.dumps(oe.get_scorer(name, labels=GRADES)))
    folds = StratifiedKFold(2)  # every class is in every fold, as that estimator wants it
    chosen = LogisticRegressionCV(Cs=grid, cv=folds, scoring=scorer, **SOLVED, **LEAN).fit(X, y)
    metric = oe.get_metric(name.removeprefix("neg_"))
    for i, c in enumerate(grid):
        for fold, (train, test) in enumerate(folds.split(X, y)):
            fitted = LogisticRegression(C=c, **SOLVED).fit(X[train], y[train])
            if metric.name == "rps":
                columns = [fitted.classes_.tolist().index(grade) for grade in GRADES]
                expected = -metric(y[test], proba=fitted.predict_proba(X[test])[:, columns], labels=GRADES)
            else:
                expected = _signed(metric) * metric(y[test], fitted.predict(X[test]), labels=GRADES)
            assert np.ravel(_scores(chosen)[fold])[i] == pytest.approx(expected, rel=1e-6), (fold, c)
    assert chosen.score(X, y) == scorer(chosen, X, y)
    if metric.needs_only_counts:
        alphabetical = _signed(metric) * metric(y, chosen.predict(X), labels=sorted(GRADES))
        assert chosen.score(X, y) == _signed(metric) * metric(y, chosen.predict(X), labels=GRADES) != alphabetical


SOLVED = {"tol": 1e-10, "max_iter": 10_000}  # one of the two begins where the last C ended: both go on to the same end
LEAN = (
    {"use_legacy_attributes": False, "l1_ratios": (0,)}
    if "use_legacy_attributes" in signature(LogisticRegressionCV).parameters
    else {}
)


def _signed(metric):
    return 1 if metric.direction == "higher" else -1


def _scores(fitted):
    """By fold and by C; older versions have one table for each class, all the same."""
    return next(iter(fitted.scores_.values())) if isinstance(fitted.scores_, dict) else fitted.scores_


@hands_on_classes
@pytest.mark.parametrize("bound", [False, True])
def test_classes_in_alphabetical_order_are_refused_and_not_scored(rows, bound):
    X, y = rows
    score = partial(oe.cem, labels=GRADES) if bound else oe.cem
    with pytest.raises(ValueError, match="array of text in alphabetical order, as np.unique and scikit-learn's classes_ give it"):
        LogisticRegressionCV(Cs=2, cv=StratifiedKFold(2), scoring=make_scorer(score), **LEAN).fit(X, y)


def test_a_list_of_metrics_predicts_once_and_gives_every_score(rows):
    X, y = rows
    names = ["cem", "neg_amae", "neg_rps", "rps_skill", "lwk"]
    weight = np.random.default_rng(0).integers(1, 9, len(y))
    calls = []

    class Counted(LogisticRegression):
        def predict(self, X):
            calls.append("predict")
            return super().predict(X)

    model = Counted().fit(X, y)
    together = pickle.loads(pickle.dumps(oe.get_scorer(names, labels=GRADES)))
    apart = oe.scorers(names, labels=GRADES)
    for given in (None, weight):
        calls.clear()
        found = together(model, X, y, sample_weight=given)
        assert calls == ["predict"]
        assert found == {name: scorer(model, X, y, sample_weight=given) for name, scorer in apart.items()}
        assert list(found) == names
    assert list(oe.get_scorer(["cem"], labels=GRADES)(model, X, y)) == ["cem"]
    assert repr(oe.get_scorer(["cem"], labels=["b", "a"])) == "get_scorer(['cem'], labels=Scale(['b', 'a']))"

    search = GridSearchCV(
        LogisticRegression(), {"C": [0.01, 1]}, scoring=together, refit="cem", cv=FOLDS, error_score="raise"
    ).fit(X, y)
    expected = GridSearchCV(
        LogisticRegression(), {"C": [0.01, 1]}, scoring=apart, refit="cem", cv=FOLDS, error_score="raise"
    ).fit(X, y)
    assert all((search.cv_results_[f"mean_test_{n}"] == expected.cv_results_[f"mean_test_{n}"]).all() for n in names)
    counts = dict.fromkeys(GRADES, 10)
    assert oe.get_scorer(["cem", "mae"], labels=GRADES, class_counts=counts)(model, X, y)["cem"] == oe.cem(
        y, model.predict(X), labels=GRADES, class_counts=counts
    )


@pytest.mark.parametrize("form", ["a dictionary", "one of several metrics"])
def test_weights_reach_labels_and_probabilities_alike_without_routing(rows, form):
    X, y = rows
    weight = np.random.default_rng(0).integers(1, 9, len(y)).astype(float)
    model = LogisticRegression().fit(X, y)
    names = ["cem", "neg_rps"]
    scoring = oe.scorers(names, labels=GRADES) if form == "a dictionary" else oe.get_scorer(names, labels=GRADES)
    found = permutation_importance(model, X, y, scoring=scoring, n_repeats=1, random_state=0, sample_weight=weight)
    plain = permutation_importance(model, X, y, scoring=scoring, n_repeats=1, random_state=0)
    assert all((found[name].importances != plain[name].importances).any() for name in names)


def test_negated_names_are_the_same_scorers(rows):
    X, y = rows
    model = KNeighborsClassifier(5).fit(X, y)
    value = oe.mae(y, model.predict(X), labels=GRADES)
    assert oe.get_scorer("mae", labels=GRADES)(model, X, y) == oe.get_scorer("neg_mae", labels=GRADES)(model, X, y) == -value
    assert list(oe.scorers(["neg_mae", "mae", "neg_oci(share=0.25)"], labels=GRADES)) == ["neg_mae", "mae", "neg_oci(share=0.25)"]


def test_permutation_importance(rows, n_jobs):
    X, y = rows
    model = KNeighborsClassifier(15).fit(X, y)
    scorer = oe.get_scorer("amae", labels=GRADES)
    found = permutation_importance(model, X, y, scoring=scorer, n_repeats=3, random_state=0, n_jobs=n_jobs)
    assert found.importances_mean[0] > 0.3 > abs(found.importances_mean[1:]).max()
    shuffled = X.copy()
    shuffled[:, 0] = np.random.default_rng(0).permutation(shuffled[:, 0])
    assert scorer(model, shuffled, y) == -oe.amae(y, model.predict(shuffled), labels=GRADES)


@pytest.mark.parametrize("name", ["cem", "stc", "total_cost"])
def test_class_counts_of_the_whole_sample_in_every_fold(rows, name):
    X, y = rows
    counts = pd.Series(y).value_counts()
    scoring = oe.scorers([name, "mae"], labels=GRADES, class_counts=counts)
    found = cross_validate(KNeighborsClassifier(5), X, y, cv=FOLDS, scoring=scoring, error_score="raise")
    function = getattr(oe, name)
    sign = 1 if name == "cem" else -1
    expected = by_hand(KNeighborsClassifier(5), X, y, lambda t, p: function(t, p, labels=GRADES, class_counts=counts.to_dict()))
    own = by_hand(KNeighborsClassifier(5), X, y, lambda t, p: function(t, p, labels=GRADES))
    assert found[f"test_{name}"].tolist() == [sign * value for value in expected]
    assert np.abs(np.subtract(expected, own)).max() > 0.001
    assert np.isfinite(found["test_mae"]).all()


def test_scorers_are_picklable_and_say_what_they_are(rows):
    X, y = rows
    model = KNeighborsClassifier(5).fit(X, y)
    for name, scorer in oe.scorers([*NAMES, "cem(class_counts=(3, 2, 1, 1))"], labels=GRADES).items():
        again = pickle.loads(pickle.dumps(scorer))
        assert again(model, X, y) == scorer(model, X, y)
        assert name.partition("(")[0].replace("lwk", "cohen_kappa") in repr(scorer)
    assert list(oe.scorers([oe.get_metric("lwk"), "cem"], labels=GRADES)) == ["cohen_kappa(weights='linear')", "cem"]
    assert list(oe.scorers("cem", labels=GRADES)) == ["cem"]
    assert list(oe.scorers(oe.cem, labels=GRADES)) == list(oe.scorers([oe.cem], labels=GRADES)) == ["cem"]


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def _rps(y_true, proba=None, *, labels=None, sample_weight=None):
    """The ranked probability score, by its definition."""
    codes = labels.encode(y_true).astype(int)
    came = np.eye(labels.K)[codes]
    per_row = ((np.cumsum(proba, 1) - np.cumsum(came, 1)) ** 2).sum(1)
    return float(np.average(per_row, weights=sample_weight))


@pytest.mark.parametrize("metric", ["mae", "rps"])
def test_weights_are_routed_where_they_are_requested(rows, routing, metric):
    X, y = rows
    weight = np.random.default_rng(0).integers(1, 9, len(y)).astype(float)
    model = LogisticRegression().set_fit_request(sample_weight="mine")

    def scored(request, **params):
        scorer = oe.get_scorer(metric, labels=GRADES).set_score_request(sample_weight=request)
        return cross_validate(model, X, y, cv=FOLDS, scoring={"s": scorer}, params=params, error_score="raise")["test_s"]

    def expected(weighted):
        found = []
        for train, test in FOLDS.split(X):
            fitted = clone(model).fit(X[train], y[train], sample_weight=weight[train])
            given = weight[test] if weighted else None
            if metric == "mae":
                found.append(-oe.mae(y[test], fitted.predict(X[test]), labels=GRADES, sample_weight=given))
                continue
            proba = np.zeros((len(test), 4))
            for j, grade in enumerate(fitted.classes_):
                proba[:, GRADES.index(grade)] = fitted.predict_proba(X[test])[:, j]
            found.append(-_rps(y[test], proba, labels=oe.Scale(GRADES), sample_weight=given))
        return pytest.approx(found, rel=1e-14)

    assert scored(True, sample_weight=weight, mine=weight) == expected(True)
    assert scored("mine", mine=weight) == expected(True)
    assert scored(False, mine=weight) == expected(False)
    assert scored(False, mine=weight) != expected(True)
    with pytest.raises(TypeError, match="'sample_weight'}, which are not routed"):
        scored(False, sample_weight=weight, mine=weight)
    with pytest.raises(sklearn.exceptions.UnsetMetadataPassedError, match="sample_weight"):
        scored(None, sample_weight=weight, mine=weight)


def test_a_grid_search_by_skill_equals_the_scores_computed_by_hand(rows):
    """Labels and probabilities in one search; each fold's skill is over the class shares of the fold, by their definition."""
    X, y = rows
    scale = oe.Scale(GRADES)
    grid = [0.001, 0.1, 10]
    search = GridSearchCV(
        LogisticRegression(),
        {"C": grid},
        scoring=oe.scorers(["rps_skill", "rps", "cem"], labels=scale),
        refit="rps_skill",
        cv=FOLDS,
        error_score="raise",
    ).fit(X, y)
    for g, c in enumerate(grid):
        for fold, (train, test) in enumerate(FOLDS.split(X)):
            fitted = LogisticRegression(C=c).fit(X[train], y[train])
            proba = np.zeros((len(test), 4))
            for j, grade in enumerate(fitted.classes_):
                proba[:, GRADES.index(grade)] = fitted.predict_proba(X[test])[:, j]
            shares = np.tile([(y[test] == grade).mean() for grade in GRADES], (len(test), 1))
            mean, reference = (_rps(y[test], p, labels=scale) for p in (proba, shares))
            hand = {
                "rps": -mean,
                "rps_skill": 1 - mean / reference,
                "cem": oe.cem(y[test], fitted.predict(X[test]), labels=scale),
            }
            for name, value in hand.items():
                assert search.cv_results_[f"split{fold}_test_{name}"][g] == pytest.approx(value, rel=1e-12), (name, c, fold)
    assert search.best_params_["C"] == grid[search.cv_results_["mean_test_rps_skill"].argmax()]
    assert len(set(search.cv_results_["rank_test_rps_skill"])) == 3
    shown = pickle.loads(pickle.dumps(oe.get_scorer("rps_skill", labels=scale)))
    assert shown(search.best_estimator_, X, y) == search.score(X, y) > 0


def test_requests_need_routing(rows):
    for metric in ("mae", "rps"):
        with pytest.raises(RuntimeError, match="enable"):
            oe.get_scorer(metric, labels=GRADES).set_score_request(sample_weight=True)


def test_probabilities_come_in_the_order_of_the_scale(rows):
    """Columns of the estimator are alphabetical, a class it never saw has probability 0, and two classes keep both columns."""
    X, y = rows
    some = y != "severe"
    model = LogisticRegression().fit(X[some], y[some])
    assert model.classes_.tolist() == ["critical", "mild", "moderate"]
    seen = {}

    def remember(rows, normalize):
        seen["proba"] = rows.probabilities
        return RowMean(rows, lambda chunk: np.full(chunk.true.size, 0.25))

    assert oe.get_scorer(replace(oe.get_metric("rps"), kernel=remember), labels=GRADES)(model, X, y) == -0.25
    given = model.predict_proba(X)
    assert (seen["proba"] == np.column_stack([given[:, 1], given[:, 2], np.zeros(len(X)), given[:, 0]])).all()

    two = np.isin(y, ["mild", "severe"])
    model = LogisticRegression().fit(X[two], y[two])
    higher = replace(oe.get_metric("rps"), direction_of_record="higher")
    scorer = oe.get_scorer(higher, labels=["severe", "mild"])
    assert scorer(model, X[two], y[two]) == _rps(
        y[two], model.predict_proba(X[two])[:, ::-1], labels=oe.Scale(["severe", "mild"])
    )
    assert scorer(model, X[two], y[two]) > 0
    assert repr(scorer) == "get_scorer('rps', labels=Scale(['severe', 'mild']))"


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (
            lambda: oe.get_scorer("bias", labels=GRADES),
            ValueError,
            "bias is best at 0, neither high nor low, so it cannot choose a model",
        ),
        (lambda: oe.scorers(["cem", "bias"], labels=GRADES), ValueError, "bias is best at 0"),
        (lambda: oe.get_scorer("interval_stc", labels=GRADES), ValueError, "about interval classes, and these have no edges"),
        (
            lambda: oe.get_scorer("mae", labels=GRADES, class_counts=(1, 2, 3, 4)),
            ValueError,
            "does not use how common the classes are",
        ),
        (lambda: oe.scorers(["mae"], labels=GRADES, class_counts=(1, 2, 3, 4)), ValueError, "none of them is among the metrics"),
        (lambda: oe.scorers([], labels=GRADES), ValueError, "metrics is empty"),
        (lambda: oe.scorers(["mae", "mae"], labels=GRADES), ValueError, "metrics holds 'mae' twice"),
        (lambda: oe.get_scorer([], labels=GRADES), ValueError, "metric is empty"),
        (lambda: oe.get_scorer(["cem", "cem"], labels=GRADES), ValueError, "metric holds 'cem' twice"),
        (
            lambda: oe.get_scorer("neg_cem", labels=GRADES),
            ValueError,
            "cem is better when it is higher, so 'neg_cem' would choose the worst model; ask for 'cem'",
        ),
        (lambda: oe.get_scorer("neg_bias", labels=GRADES), ValueError, "bias is best at 0"),
        (lambda: oe.get_scorer("neg_qkw", labels=GRADES), ValueError, "there is no metric called 'qkw'"),
        (lambda: oe.get_scorer("qkw", labels=GRADES), ValueError, "there is no metric called 'qkw'; did you mean qwk"),
        (lambda: oe.get_scorer("mae", labels=["a", "a"]), ValueError, "names the class 'a' twice"),
        (
            lambda: oe.get_scorer(GRADES, "mae"),
            ArgumentTypeError,
            r"the metric comes first.*: get_scorer\('mae', labels=\[\.\.\.\]\)$",
        ),
        (lambda: oe.scorers(GRADES, ["cem"]), ArgumentTypeError, r"by keyword: scorers\(\['cem'\], labels=\[\.\.\.\]\)$"),
        (lambda: oe.get_scorer(GRADES, oe.mae), ArgumentTypeError, r"get_scorer\(mae, labels="),
        (
            lambda: oe.get_scorer(scale=GRADES, name="mae"),
            ArgumentTypeError,
            "get_scorer: (scale= is now labels|name= is now metric)=",
        ),
        (
            lambda: oe.scorers(["cem"], labels=GRADES, gold_counts=(1, 2, 3, 4)),
            ArgumentTypeError,
            "gold_counts= is now class_counts=",
        ),
    ],
)
def test_what_is_refused_and_how(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


def test_estimators_that_do_not_fit_the_metric_or_the_scale(rows):
    X, y = rows
    scorer = oe.get_scorer("rps", labels=GRADES)
    with pytest.raises(TypeError, match="needs predict_proba, which LinearSVC does not have"):
        scorer(LinearSVC().fit(X, y), X, y)
    with pytest.raises(TypeError, match="needs predict_proba, which LinearRegression does not have"):
        scorer(LinearRegression().fit(X, np.arange(len(X))), X, y)
    model = LogisticRegression().fit(X, y)
    with pytest.raises(ValueError, match="the estimator's classes_: 'critical' is not one of the classes"):
        oe.get_scorer("rps", labels=GRADES[:3])(model, X, y)
    with pytest.raises(ValueError, match="y_true: 'critical' is not one of the classes"):
        oe.get_scorer("mae", labels=GRADES[:3])(model, X, y)


@pytest.mark.slow
def test_without_scikit_learn_one_sentence_says_what_to_install():
    program = (
        "import sys; sys.modules['sklearn'] = None\nimport ordeval as oe\n"
        "try:\n    oe.scorers(['mae'], labels=['a', 'b'])\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD)
    assert done.stdout == 'scorers need scikit-learn; install it with  pip install "ordeval[sklearn]"\n'
