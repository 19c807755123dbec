"""flat(): scores by names that every tool takes, without what is undefined."""

import numpy as np
import pytest

import ordeval as oe


def test_rows_answered_scores_and_groups_have_safe_names():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 90)
    pred = [None if i % 9 == 0 else int(p) for i, p in enumerate(rng.integers(0, 3, 90))]
    site = np.where(np.arange(90) % 2, "a b", "a-b")
    found = oe.evaluate(truth, pred, labels=range(3), by={"site": site}, missing="unanswered", metrics=["mae"], n_resamples=499)
    flat = found.flat()
    assert list(flat)[:5] == ["rows", "answered", "mae", "mae_low", "mae_high"]
    assert (flat["rows"], flat["answered"]) == (90, pytest.approx(80 / 90))
    assert flat["site/a_b/rows"] == flat["site/a_b_2/rows"] == 45
    assert flat["site/a_b/mae"] == found.groups["a b"]["mae"].value
    assert flat["site/a_b_2/mae"] == found.groups["a-b"]["mae"].value


@pytest.mark.parametrize(
    ("models", "safe"),
    [
        (["a b", "a-b", "a.b", "a/b"], ["a_b", "a_b_2", "a_b_3", "a_b_4"]),
        (["a_b", "a_b_2", "a b"], ["a_b", "a_b_2", "a_b_3"]),
        (["a b", "a-b", "a_b_2"], ["a_b", "a_b_2", "a_b_2_2"]),
    ],
)
def test_however_many_names_become_one_each_has_its_own(models, safe):
    """The more models, the more rows are wrong: no number is written over another."""
    answers = {model: [2] * wrong + [1] * (8 - wrong) for wrong, model in enumerate(models)}
    flat = oe.compare([1] * 8, answers, labels=[1, 2, 3], metrics=["mae"], n_resamples=400).flat()
    assert {name: flat[f"{name}/mae"] for name in safe} == {name: wrong / 8 for wrong, name in enumerate(safe)}
    assert {name.partition("/")[0] for name in flat if name.endswith("/mae")} == set(safe)


def test_what_is_undefined_is_left_out():
    found = oe.evaluate([1] * 20, [1] * 20, labels=[1, 2], metrics=["cohen_kappa", "accuracy"], n_resamples=499)
    assert not any(name.startswith("cohen_kappa") for name in found.flat())
    assert found.flat()["accuracy"] == 1


def test_models_and_coefficients_have_names_too():
    truth, one = [1, 2, 3] * 20, [1, 2, 2] * 20
    both = oe.compare(truth, {"m (1)": one, "m [1]": truth}, labels=[1, 2, 3], metrics=["mae"], n_resamples=499).flat("run")
    assert (both["run/m_1_/mae"], both["run/m_1__2/mae"]) == (pytest.approx(1 / 3), 0)
    ratings = oe.raters.ratings({"ann": truth, "bob": one}, labels=[1, 2, 3])
    agreed = oe.raters.agreement(ratings, ["alpha_ordinal"], n_resamples=499)
    score = agreed.scores["alpha_ordinal"]
    assert agreed.flat("x", ".") == {
        "x.alpha_ordinal": score.value,
        "x.alpha_ordinal_low": score.low,
        "x.alpha_ordinal_high": score.high,
    }
