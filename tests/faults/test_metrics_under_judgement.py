"""A metric that misbehaves is reported beside the law, and nothing else is lost; bounds that would not end are refused."""

import itertools
import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.laws import check as check_laws
from ordeval.laws import table as law_table
from ordeval.metrics.core.registry import _FOUND_BY, _REGISTRY

SOME = ["reversal", "ordinal_monotonicity", "imbalance", "merging"]


def statuses(report):
    return {verdict.status for verdict in report.verdicts.values()}


def said(report):
    return " ".join(str(report).split())


def test_a_metric_that_is_always_undefined():
    report = check_laws(lambda y_true, y_pred: math.nan, laws=["ordinal_monotonicity", "imbalance", "chance"], max_k=3, max_n=3)
    assert statuses(report) == {"cannot be judged"}
    assert "a score is undefined in every case" in said(report)


def test_a_metric_that_is_sometimes_undefined():
    def where_there_are_two(y_true, y_pred):
        return float(np.mean(y_true == y_pred)) if len(set(y_true)) > 1 else math.nan

    verdict = check_laws(where_there_are_two, laws="transpose", max_k=2, max_n=3, beyond=0)["transpose"]
    assert verdict.status == "fails"  # undefined on one side only
    verdict = check_laws(where_there_are_two, laws="reversal", max_k=2, max_n=3, beyond=0)["reversal"]
    assert verdict.status == "holds"
    assert verdict.undefined == 3 + 2 * (2 + 3 + 4)
    assert f"{verdict.undefined} of them undefined" in str(verdict)


def test_a_metric_that_returns_a_list():
    report = check_laws(lambda y_true, y_pred: [1.0], laws=SOME, max_k=3, max_n=3)
    assert statuses(report) == {"cannot be judged"}
    assert "it returned a list, not a number" in said(report)


@pytest.mark.parametrize("answer", [None, "0.5", np.array([0.5]), 1j])
def test_other_things_that_are_no_numbers(answer):
    verdict = check_laws(lambda y_true, y_pred: answer, laws="reversal", max_k=2, max_n=2)["reversal"]
    assert (verdict.status, verdict.failed) == ("cannot be judged", verdict.cases)


@pytest.mark.parametrize("answer", [1, True, np.float32(0.5), np.array(0.5), np.int64(3)])
def test_things_that_are_numbers(answer):
    assert check_laws(lambda y_true, y_pred: answer, laws="reversal", max_k=2, max_n=2)["reversal"].holds


def test_a_metric_that_raises():
    def fails(y_true, y_pred):
        raise KeyError("class 2")

    report = check_laws(fails, laws=SOME, max_k=3, max_n=3)
    assert statuses(report) == {"cannot be judged"}
    assert "it raised KeyError: 'class 2'" in said(report)


def test_a_metric_that_raises_on_some_tables_is_not_said_to_keep_a_law():
    def only_wide(y_true, y_pred):
        if max(y_pred) > 2:
            raise IndexError("no such class")
        return float(np.mean(y_true == y_pred))

    verdict = check_laws(only_wide, laws="replication", max_k=3, max_n=2)["replication"]
    assert verdict.status == "cannot be judged"
    assert 0 < verdict.failed < verdict.cases
    assert f"({verdict.failed:,} of {verdict.cases:,} cases)" in str(verdict)
    # a counter-example among the others is one all the same
    assert check_laws(only_wide, laws="prevalence", max_k=3, max_n=3)["prevalence"].status == "fails"


def test_a_metric_whose_answers_change():
    counter = itertools.count()
    report = check_laws(lambda y_true, y_pred: next(counter), laws=SOME, max_k=3, max_n=3)
    assert statuses(report) == {"cannot be judged"}
    assert "it gave 0 and then 4 for the same table" in said(report)


def test_a_metric_whose_answers_change_later():
    """Steady on the tables that are asked for twice, but not on those that would be counter-examples."""
    counter = itertools.count()
    verdict = check_laws(lambda y_true, y_pred: next(counter) if len(y_true) > 3 else 0.0, laws="reversal", max_k=2, max_n=4)[
        "reversal"
    ]
    assert verdict.status == "cannot be judged"
    assert "for the same table" in verdict.reason


def test_a_metric_that_is_undefined_once_and_then_is_not():
    """Where it was undefined on one side only, asking again tells that this is no counter-example."""
    asked = set()

    def changing(y_true, y_pred):
        rows = (*y_true, *y_pred)
        known = rows in asked or len(y_true) < 4 or 2 * sum(rows) <= len(rows)
        asked.add(rows)
        return 0.0 if known else math.nan

    verdict = check_laws(changing, laws="reversal", max_k=2, max_n=4)["reversal"]
    assert verdict.status == "cannot be judged"
    assert "for the same table" in verdict.reason


def test_warnings_of_a_metric_are_its_own():
    def warns(y_true, y_pred):
        import warnings

        warnings.warn("undefined", UserWarning, stacklevel=1)
        return 0.0

    assert check_laws(warns, laws="reversal", max_k=2, max_n=2)["reversal"].holds


def test_a_registered_kernel_that_fails():
    def _broken(counts):
        raise ZeroDivisionError("no rows")

    def _flat(counts):
        return 1.0

    try:
        for kernel in (_broken, _flat):

            @oe.metric(kernel=kernel, title="Wrong", cite="", bounds=(0, 1), direction="higher")
            def a_wrong_metric(y_true, y_pred=None, *, labels=None, sample_weight=None):
                """Wrong."""

            verdict = check_laws("a_wrong_metric", laws="reversal", max_k=2, max_n=2)["reversal"]
            assert verdict.status == "cannot be judged"
        assert "the kernel made () of a stack of" in verdict.reason
    finally:
        _REGISTRY.pop("a_wrong_metric", None)
        _FOUND_BY.pop("a_wrong_metric", None)


def test_a_metric_that_refuses_some_tables():
    verdict = check_laws("stc(absent='raise')", laws="reversal", max_k=3, max_n=3)["reversal"]
    assert verdict.status == "cannot be judged"
    assert "raised ArgumentError: the class" in verdict.reason


@pytest.mark.parametrize(("k", "n"), [(6, 6), (5, 7), (4, 9), (1000, 1000)])
def test_bounds_that_would_not_end_are_refused(k, n):
    with pytest.raises(
        ValueError, match=rf"tables with K = {k} and N ≤ {n}, but at most 1,000,000 are enumerated; take a smaller max_k or max_n"
    ):
        check_laws("mae", max_k=k, max_n=n)
    with pytest.raises(ValueError, match="take a smaller"):
        law_table(["mae"], max_k=k, max_n=n)


@pytest.mark.parametrize(
    ("bounds", "named"),
    [({"max_k": 1}, "max_k=1"), ({"max_k": 2.5}, "max_k=2.5"), ({"max_n": 0}, "max_n=0"), ({"max_n": True}, "max_n=True")],
)
def test_bounds_that_are_none(bounds, named):
    with pytest.raises(ValueError, match=f"{named}: the bound is a whole number"):
        check_laws("mae", **bounds)


def test_unknown_names():
    with pytest.raises(ValueError, match="there is no law called 'monotonicity'; did you mean"):
        check_laws("mae", laws="monotonicity")
    with pytest.raises(ValueError, match="there is no law called 'xyz'; choose one of bounds, perfect"):
        check_laws("mae", laws=["xyz"])
    with pytest.raises(ValueError, match="there is no metric called 'kendal_tau'; did you mean kendall_tau"):
        check_laws("kendal_tau")


def test_options_of_functions():
    with pytest.raises(ValueError, match="direction='up' is unknown; it is 'higher', 'lower' or the target value"):
        check_laws(lambda y_true, y_pred: 0.0, direction="up")
    with pytest.raises(ValueError, match="direction=nan is unknown"):
        check_laws(lambda y_true, y_pred: 0.0, direction=math.nan)
    for bounds in ((1,), (1, 0), (0, math.nan), "ab", 5):
        with pytest.raises(ValueError, match="are not two numbers, the lower first"):
            check_laws(lambda y_true, y_pred: 0.0, bounds=bounds)
    with pytest.raises(TypeError, match="a registered metric has its own"):
        check_laws("mae", direction="lower")
    with pytest.raises(ValueError, match="max does not say what arguments it takes; wrap it"):
        check_laws(max)


@pytest.mark.parametrize("ask", [check_laws, lambda metric, laws: law_table([metric], laws=laws)])
def test_no_law_is_none_to_judge(ask):
    with pytest.raises(ValueError, match="laws names no law"):
        ask("mae", laws=[])


def test_an_infinite_score_is_equal_to_itself_alone():
    first = check_laws(lambda table: math.inf if table[0, 0] else 5.0, laws="reversal", max_k=2, max_n=1)["reversal"]
    assert (first.status, first.broken, first.equal) == ("fails", 2, 0)
    strict = check_laws(lambda table: math.inf, laws="ordinal_monotonicity", max_k=2, max_n=2)["ordinal_monotonicity"]
    assert (strict.status, strict.equal) == ("fails", strict.broken)


def test_laws_that_need_to_know_more_say_so():
    report = check_laws(
        lambda y_true, y_pred: 0.0, laws=["bounds", "triangle", "repetition", "scale_invariance"], max_k=2, max_n=2
    )
    assert statuses(report) == {"not applicable"}
    assert "give bounds=(low, high)" in said(report)
