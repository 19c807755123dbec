"""Results of this room: one protocol, the same columns for programs, old keywords that name the new ones, errors that spell."""

import json

import pytest

import ordeval as oe
from ordeval.base.errors import ArgumentTypeError
from ordeval.infer._difference import differences

HOSTILE = ["<b>lo\x1b[2J", "mid{x}", "hi|\n"]
TRUE = [0, 1, 2, 1] * 30
OLD, NEW = [0, 1, 1, 2] * 30, [0, 0, 2, 1, 0, 1, 2, 2] * 15
SITES = ["a", "b{0}", "<i>"] * 40


def labelled(codes):
    return [HOSTILE[code] for code in codes]


def counts(**options):
    return oe.count(labelled(TRUE), {"old": labelled(OLD), "new<s>": labelled(NEW)}, labels=HOSTILE, **options)


def score():
    return oe.evaluate(TRUE, NEW, metrics=["mae"]).scores["mae"]


FEW = {"n_resamples": 400}
RESULTS = {
    "Difference": lambda: differences(counts(), [("old", "new<s>")], [oe.get_metric("mae")], **FEW)["old", "new<s>"]["mae"],
    "RankSets": lambda: oe.rank_sets(counts(), "mae", **FEW),
    "Dominance": lambda: oe.infer.dominance(counts(), "old", "new<s>", **FEW),
    "Flips": lambda: oe.infer.flips(counts(), "old", "new<s>"),
    "Contributions": lambda: oe.infer.contributions(counts(), "old", "new<s>", "cohen_kappa"),
    "GroupComparison": lambda: oe.infer.compare_groups(counts(by={"site": SITES})["old"], "site", "mae", **FEW),
    "RankingAgreement": lambda: oe.infer.ranking_agreement(counts(), ["mae", "cem"]),
    "WinnerSensitivity": lambda: oe.infer.winner_sensitivity(counts(), ["mae", "cem"]),
    "ResampledTest": lambda: oe.infer.corrected_resampled_test([0.7, 0.8, 0.6], [0.8, 0.8, 0.7], n_train=90, n_test=30),
    "ExchangeTest": lambda: oe.infer.exchange_test(counts(), "old", "new<s>", "mae", **FEW),
    "Plan": lambda: oe.plan(counts(), "mae", difference=0.1),
    "RuleVerdict": lambda: oe.Rule.parse("mae < 0.5 ci").judge(score()),
    "SetEvaluation": lambda: oe.evaluate_sets(labelled(TRUE), (labelled([0] * 120), labelled(OLD)), labels=HOSTILE, **FEW),
}
COLUMNS = {
    "Difference": "a b metric difference low high band_low band_high p_value equivalent not_inferior reason",
    "RankSets": "model metric value low high rank_best rank_worst rows missing reason",
    "Dominance": "family true side steps a b low high certain",
    "Flips": "true a b rows steps",
    "Contributions": "true a b rows adds",
    "GroupComparison": "group rows standing value difference low high reason",
    "RankingAgreement": "metric other tau",
    "WinnerSensitivity": "metric models value second margin",
    "ResampledTest": "difference low high statistic p_value folds",
    "ExchangeTest": "metric value p_value discordant exact",
    "Plan": "metric needed unit half_width difference power",
    "RuleVerdict": "rule holds value low high found",
    "SetEvaluation": "class metric value low high method",
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_form_of_a_result(name):
    found = RESULTS[name]()
    assert type(found).__name__ == name
    assert isinstance(found, getattr(oe.types, name))
    assert [list(found.to_frame(backend).columns) for backend in ("pandas", "polars")] == [COLUMNS[name].split()] * 2
    assert found.to_frame("pyarrow").column_names == COLUMNS[name].split()
    assert found.to_csv().splitlines()[0] == ",".join(COLUMNS[name].split())
    assert json.loads(found.to_json()) == found.to_dict()
    assert "\x1b" not in str(found) + found._repr_html_() + found.to_markdown() + found.to_latex()
    for markup in ("<b>lo", "new<s>", "<i>"):
        assert markup not in found._repr_html_()


@pytest.mark.parametrize(("name", "shown"), [("Flips", "<b>lo"), ("RankSets", "new<s>"), ("GroupComparison", "b{0}")])
def test_what_must_stay_inert_is_there(name, shown):
    assert shown in str(RESULTS[name]())


def test_differences_name_their_models_whatever_they_are_of():
    proba = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]] * 30
    both = {"x": proba, "y": proba[::-1]}
    found = oe.compare(TRUE, proba=both, metrics=["rps"], labels=[0, 1, 2], **FEW).differences["x", "y"]
    assert [(d.a, d.b) for d in found.values()] == [("x", "y")]
    assert RESULTS["Difference"]()._rows()[0]["b"] == "new<s>"


def test_ranks_count_the_rows_that_a_model_left_out():
    both = oe.count([0, 1, 2] * 20, {"a": [0, 1, 2] * 20, "b": [0, None, 1] * 20}, labels=[0, 1, 2], missing="unanswered")
    rows = {row["model"]: (row["rows"], row["missing"]) for row in oe.rank_sets(both, "mae", **FEW)._rows()}
    assert rows == {"a": (60, 0), "b": (40, 20)}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: oe.infer.contributions(counts(), "old", "new<s>", of="mae"), "of= is now metric="),
        (lambda: oe.infer.compare_groups(counts(), axis="site", metric="mae"), "axis= is now by="),
        (lambda: oe.infer.reweight(counts(), axis="site"), "axis= is now by="),
        (lambda: oe.evaluate_sets([0, 1], ([0, 1], [0, 1]), level=0.8), "level= is now coverage="),
    ],
)
def test_old_keywords_name_the_new_ones(call, words):
    with pytest.raises(ArgumentTypeError, match=words):
        call()


def option(argument, value=None):
    return f"--{argument.replace('_', '-')}" + ("" if value is None else f" {value}")


@pytest.mark.parametrize(
    ("call", "argument", "words"),
    [
        (lambda: oe.plan(counts()["old"], "mae"), "half_width", "a plan is for --half-width or for --difference, but neither"),
        (lambda: oe.plan(counts()["old"], "mae", half_width=0), "half_width", "such as --half-width 0.02"),
        (lambda: oe.rank_sets(counts(), "mae", n_resamples=9), "n_resamples", "take --n-resamples 400 or more"),
        (lambda: oe.rank_sets(counts(sample_weight=[0.5] * 120), "mae"), "cluster", "count again with --cluster that column"),
        (
            lambda: oe.evaluate(TRUE, NEW, method="percentil"),
            "method",
            "--method 'percentil' is unknown; did you mean percentile?",
        ),
        (lambda: oe.infer.reweight(counts(by={"x{y}": SITES, "z": SITES})), "by", "choose one: --by 'x{y}' or --by 'z'"),
        (lambda: oe.infer.reweight(counts()["old"], {"{labels}": 1}), "shares", "--shares names '{labels}', which is no class"),
    ],
)
def test_errors_carry_their_argument(call, argument, words):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - what it says is asserted below
        call()
    assert caught.value.argument == argument
    assert words in caught.value.text(option)
