"""The sentences of a verdict: what was found, by how much, and what speaks against it."""

import math
import re

import numpy as np
import pandas as pd
import pytest

import ordeval as oe
from ordeval.evaluation._first import _answered, remarks_on_many
from ordeval.evaluation._groups import comparison_groups
from ordeval.metrics.core.docs import short_title
from ordeval.show import Code, Page
from ordeval.show._latex import page_as_latex
from ordeval.show._markdown import blocks_as_markdown, page_as_markdown
from ordeval.show._numbers import listed, number, p_text, percent, signed

SCALE = ["green", "yellow", "orange", "red"]


@pytest.fixture(scope="module")
def visits():
    return oe.load_example("triage")


@pytest.fixture(scope="module")
def triage(visits):
    both = {name: visits[name] for name in ("nurse", "model")}
    return oe.compare(visits["grade"], both, labels=SCALE, missing="drop", n_resamples=500)


def judged(first, second, n=1, metrics=("cem",), **options):
    """Two models with these tables over the same truth, each row n times."""
    truth, a, b = [], [], []
    for t, (row, other) in enumerate(zip(first, second, strict=True)):
        truth += [t] * sum(row) * n
        a += [p for p, rows in enumerate(row) for _ in range(rows * n)]
        b += [p for p, rows in enumerate(other) for _ in range(rows * n)]
    given = {"primary": metrics[0], "metrics": list(metrics), "n_resamples": 400, **options}
    return oe.compare(truth, {"a": a, "b": b}, labels=range(len(first)), **given)


def test_who_is_better_and_by_how_much(triage):
    d = triage.differences["nurse", "model"]["cem"]
    low, high = oe.show.signed(d.low), oe.show.signed(d.high)
    ends = f"(95 % interval {low} to {high}, p = {d.p_value:.2g})"
    assert triage.verdict == f"model is better than nurse: CEM 0.877 against 0.855, paired difference +0.022 {ends}."


def test_what_speaks_against_it_in_counts(triage):
    assert triage.against["nurse", "model"] == ["Against it: of 88 truly red, nurse finds 69 and model finds 44."]
    weight = "Counted in steps, nurse would be better if errors on red weighed 5.19 times errors elsewhere, or more."
    said = " ".join(str(triage).split())
    assert weight in said
    assert "model is nearer the truth on 449 rows, nurse on 321; on 1,626 they are equally near." in said
    assert "CEM decides. The other scores have simultaneous 95 % intervals (they hold all at once)" in said


def test_the_difference_is_that_of_the_winner(visits):
    turned = oe.compare(
        visits["grade"], {name: visits[name] for name in ("model", "nurse")}, labels=SCALE, missing="drop", n_resamples=500
    )
    assert turned.differences["model", "nurse"]["cem"].value < 0
    assert "model is better than nurse: CEM 0.877 against 0.855, paired difference +0.022 (95 % interval +0.0" in turned.verdict


def test_a_minus_is_a_minus_and_a_p_value_at_its_floor_is_at_most_that():
    found = judged([[20, 20, 20]] * 3, [[60, 0, 0], [0, 60, 0], [0, 0, 60]], metrics=("mae",))
    assert "paired difference −0.889 (95 % interval −" in found.verdict
    assert "p ≤ 0.0" in found.verdict
    assert "-0" not in found.verdict


def test_nothing_follows_a_verdict_that_was_not_given():
    found = judged([[9, 1, 0], [1, 8, 1], [0, 1, 9]], [[8, 2, 0], [1, 9, 0], [0, 1, 9]])
    assert found.verdict.startswith("These rows do not show which is better: CEM ")
    assert found.against["a", "b"] == []
    assert "Against it" not in str(found)
    assert "Counted in steps" not in str(found)


def test_better_everywhere():
    found = judged([[50, 10, 0], [10, 40, 10], [0, 10, 50]], [[60, 0, 0], [0, 60, 0], [0, 0, 60]], n=4, metrics=("cem", "mae"))
    assert found.against["a", "b"] in (
        ["b is as good or better in every class and at every distance."],
        ["No class or other score points the other way."],
    )


def test_better_and_by_less_than_the_margin():
    found = judged(
        [[80, 20, 0], [20, 60, 20], [0, 20, 80]], [[84, 16, 0], [16, 68, 16], [0, 16, 84]], n=10, metrics=("mae",), margin=0.2
    )
    assert found.verdict.startswith("b is better than a, and by less than the margin of 0.2: MAE ")


def test_a_group_that_turns_it():
    better, worse = [0, 1, 2] * 60, [0, 1, 1] * 60
    truth = [0, 1, 2] * 60 * 4
    first = worse * 3 + better
    second = better * 3 + worse
    site = ["north"] * 540 + ["south"] * 180
    found = oe.compare(truth, {"a": first, "b": second}, by={"site": site}, labels=[0, 1, 2], metrics=["cem"], n_resamples=400)
    assert found.verdict.startswith("b is better than a: CEM ")
    (said,) = found.against["a", "b"]
    assert said.startswith("Against it: in south (180 rows) a is better: CEM 1.000 against ")


@pytest.mark.parametrize("metric", ["cem", "mae", "accuracy", "oci"])
@pytest.mark.parametrize("order", ["ab", "ba"])
def test_what_is_said_of_a_group_that_turns_it_is_what_its_rows_alone_say(metric, order):
    """Three groups, two of which turn it, each by a difference of its own."""
    rows = {"east": (600, 0.9, 0.3), "north": (90, 0.2, 0.8), "south": (120, 0.5, 0.95)}
    rng = np.random.default_rng(6)
    truth = {site: rng.integers(0, 2, n) for site, (n, *_) in rows.items()}
    drawn = {
        site: {
            name: np.where(rng.random(n) < share, truth[site], 1 - truth[site]) for name, share in zip("ba", shares, strict=True)
        }
        for site, (n, *shares) in rows.items()
    }
    answers = {site: {name: given[name] for name in order} for site, given in drawn.items()}
    pair, same = tuple(order), {"labels": range(2), "metrics": [metric], "n_resamples": 400}
    whole = oe.compare(
        np.concatenate([*truth.values()]),
        {name: np.concatenate([answers[site][name] for site in rows]) for name in order},
        by={"site": np.repeat([*rows], [n for n, *_ in rows.values()])},
        **same,
    )
    assert whole.verdict.startswith("b is better than a: ")
    said = [line for line in whole.against[pair] if line.startswith("Against it: in ")]
    alone = {site: oe.compare(truth[site], answers[site], **same).verdict for site in rows}
    assert alone["east"].startswith("b is better than a: ")
    assert said == [
        f"Against it: in {site} ({rows[site][0]} rows) a is better: {alone[site].removeprefix('a is better than b: ')}"
        for site in ("north", "south")
    ]


def test_a_score_that_turns_it():
    """By accuracy a is better; by steps off, b."""
    a = [[70, 0, 30], [0, 100, 0], [30, 0, 70]]
    b = [[50, 50, 0], [0, 100, 0], [0, 50, 50]]
    found = judged(a, b, n=4, metrics=("accuracy", "mae"))
    assert found.verdict.startswith("a is better than b: Accuracy 0.800 against 0.667, paired difference +0.133")
    assert any(
        said.startswith("Against it: MAE points the other way: 0.400 (a) and 0.333 (b)") for said in found.against["a", "b"]
    )


@pytest.mark.parametrize(("times", "named"), [(7, False), (9, True)])
def test_a_score_that_turns_it_only_by_its_interval_alone_is_not_named(times, named):
    """Steps off point the other way with 95 % confidence by themselves; with all ten scores at once, only on more rows."""
    others = ["bias", "cem", "oci", "spearman", "kendall_tau", "gwet_ac", "somers_d", "mse"]
    a, b = [[14, 0, 6], [0, 20, 0], [6, 0, 14]], [[10, 10, 0], [0, 20, 0], [0, 10, 10]]
    found = judged(a, b, n=times, metrics=("accuracy", "mae", *others))
    mae = found.differences["a", "b"]["mae"]
    low, high = mae.band
    assert low < mae.low < mae.high < 0
    assert (high < 0) is named
    ends = f"simultaneous 95 % interval {signed(low)} to {signed(high)}"
    said = f"Against it: MAE points the other way: 0.400 (a) and 0.333 (b), difference {signed(mae.value)} ({ends})."
    assert [one for one in found.against["a", "b"] if "MAE" in one] == [said] * named


def test_several_models_are_judged_by_their_ranks(visits):
    blind = ["yellow"] * len(visits["grade"])
    models = {"nurse": visits["nurse"], "again": visits["nurse"], "blind": blind}
    found = oe.compare(visits["grade"], models, labels=SCALE, missing="drop", metrics=["cem"], n_resamples=400)
    assert found.verdict == "2 of 3 models may be first by CEM, with 95 % confidence. No order is shown among nurse and again."
    assert len(found.pair_verdicts) == 3
    (table,) = next(section for section in found.page().sections if section.title.startswith("Pairs")).blocks
    assert table.header == ["models", "first", "second", "difference", "interval", "p"]
    nurse, alone = (number(one.scores["cem"].value) for one in (found.evaluations["nurse"], found.evaluations["blind"]))
    assert [row[:3] for row in table.rows] == [
        ["again − nurse", nurse, nurse],
        ["blind − nurse", alone, nurse],
        ["blind − again", alone, nurse],
    ]


@pytest.mark.parametrize(
    ("models", "reference", "several"), [(2, None, False), (2, "m1", False), (3, None, True), (3, "m1", True)]
)
def test_only_intervals_of_several_pairs_are_said_to_be_simultaneous_for_them(models, reference, several):
    truth = [0, 1, 2] * 20
    answers = {f"m{i}": [(t + (j % 7 <= i)) % 3 for j, t in enumerate(truth)] for i in range(models)}
    found = oe.compare(truth, answers, reference=reference, metrics=["cem"], n_resamples=400)
    (methods,) = next(section for section in found.page().sections if section.title.startswith("Methods")).blocks
    assert (", simultaneous for all pairs of models." in methods.text) is several
    assert ("They are simultaneous for all pairs of models." in found.to_markdown()) is several


def test_one_model(visits):
    found = oe.evaluate(
        visits["grade"], visits["model"], labels=SCALE, missing="unanswered", metrics=["cem", "accuracy"], n_resamples=500
    )
    page = found.page()
    score = found.scores["cem"]
    assert page.headline.startswith(f"The model: CEM 0.877 (95 % interval {score.low:.3f} to {score.high:.3f}; 1 is perfect).")
    assert page.remarks[0] == "Weakest at red: finds 44 of 88 (50 %), calls 18 of 2,308 others red (1 %)."
    said = " ".join(str(found).split())
    assert "weakest at red: finds 44 of 88 (50 %), calls 18 of 2,308 others red (1 %)" in said
    assert "4 of 2,400 have no answer (2 green, 1 yellow, 1 orange)." in said
    assert "Accuracy: 0.817 had all been right, 0.815 had all been wrong." in said


def test_the_weakest_cut_weighs_both_kinds_of_error():
    """Cut 1 finds 90 % and keeps 20 % out; cut 2 finds 80 % and keeps all out: the first is weaker."""
    found = oe.evaluate([0] * 100 + [1] * 50 + [2] * 50, [1] * 80 + [0] * 20 + [0] * 10 + [1] * 40 + [1] * 10 + [2] * 40)
    assert "weakest at 1 or above: finds 90 of 100 (90 %), calls 80 of 100 others 1 or above (80 %)" in " ".join(
        str(found).split()
    )


@pytest.mark.parametrize(("name", "shown"), [("x" * 24, "x" * 24), ("x" * 25, "x" * 23 + "…")])
def test_a_name_of_24_letters_is_whole_in_the_sentence_and_a_longer_one_is_cut(name, shown):
    found = oe.evaluate(["low"] * 4 + [name] * 4, ["low"] * 4 + [name] * 3 + ["low"], labels=["low", name])
    said = f"weakest at {shown}: finds 3 of 4 (75 %), calls 0 of 4 others {shown} (0 %)"
    assert said in " ".join(str(found).split())


@pytest.mark.parametrize(
    ("rows", "metric", "said"),
    [
        (12, "cem", "no interval for CEM: 12 rows; 15 are enough"),
        (30, "total_cost", "no interval for Total cost of misclassification: class 0 has 5 rows; 10 in every class are enough"),
    ],
)
def test_why_there_is_no_interval(rows, metric, said):
    truth = ([0, 1, 2] * rows)[:rows] if rows < 20 else [0] * 5 + [1] * 12 + [2] * 13
    found = oe.evaluate(truth, [*truth[:-1], 0], metrics=[metric], labels=[0, 1, 2])
    assert said in " ".join(str(found).split())


def test_clusters_are_named(visits):
    found = oe.evaluate(visits["grade"], visits["nurse"], labels=SCALE, cluster={"patient": visits["patient"]}, metrics=["cem"])
    assert "1,304 patients (as good as " in " ".join(str(found).split())
    assert found.signature.endswith(" unit:patient×1304")
    page = found.page()
    assert page.judged == "2,400 rows judged, 1,304 patients; 4 classes: green < yellow < orange < red"
    assert page.provenance == f"95 % intervals, 2,000 simulated samples of 1,304 patients, seed 0 · ordeval {oe.__version__}"


@pytest.mark.parametrize(
    ("number", "name", "said"),
    [
        (3, "site", "3 sites"),
        (1, "site", "1 site"),
        (2, "city", "2 cities"),
        (4, "box", "4 boxes"),
        (9, "ward_id", "9 groups (ward_id)"),
    ],
)
def test_columns_are_counted_by_their_name(number, name, said):
    from ordeval.show._numbers import several

    assert several(number, name, "groups") == said


@pytest.mark.parametrize("ending", ["html", "md", "tex"])
def test_a_formula_of_several_lines_keeps_them(visits, ending, tmp_path):
    result = oe.evaluate(visits["grade"], visits["nurse"], labels=SCALE, metrics=["cem", "cohen_kappa"], n_resamples=400)
    assert "\n" in oe.get_metric("cem").formula_text.strip()
    result.report(tmp_path / f"page.{ending}")
    text = (tmp_path / f"page.{ending}").read_text(encoding="utf-8")
    assert "\N{REPLACEMENT CHARACTER}" not in text
    start = {"html": "<dd>normalize", "md": "\n- normalize", "tex": r"\item[{}] normalize"}[ending]
    assert start in text


def test_a_tie_with_the_first_speaks_for_nobody():
    tables = {
        "a": [[10, 0, 0], [0, 10, 0], [0, 3, 7]],
        "b": [[10, 0, 0], [0, 9, 1], [0, 4, 6]],
        "c": [[9, 0, 1], [0, 9, 1], [0, 5, 5]],
    }
    truth = [t for t in range(3) for _ in range(10)]
    given = {name: [p for row in table for p, rows in enumerate(row) for _ in range(rows)] for name, table in tables.items()}
    ordered = {name: given[name] for name in ("b", "a", "c")}  # the tied model stands before the first
    page = oe.compare(truth, ordered, labels=range(3), metrics=["cem", "accuracy_within"], n_resamples=400).page()
    assert not any("Against it" in said for said in page.remarks), page.remarks
    assert any("a has the best value of every other score too" in said for said in page.remarks), page.remarks


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (0.0, "0 %"),
        (0.994, "99 %"),
        (0.995, "99.5 %"),
        (0.9994, "99.9 %"),
        (0.9996, "over 99.9 %"),
        (1 - 1e-12, "over 99.9 %"),
        (1.0, "100 %"),
        (math.nan, "undefined"),
    ],
)
def test_only_all_of_them_are_a_hundred_percent(share, said):
    assert percent(share) == said


def test_a_page_in_latex_and_markdown_says_where_it_is_from():
    for provenance in ("Made by ordeval 9.9 from rows.csv.", ""):
        page = Page("Title", "Headline.", provenance=provenance)
        for written in (page_as_latex(page), page_as_markdown(page)):
            plain = re.sub(r"\\allowbreak|\\_|[{}\\]|\u2060", "", written)
            assert ("9.9 from rows" in plain) == bool(provenance)
            assert "Headline" in plain


@pytest.mark.parametrize("missing", ["unanswered", "wrong"])
def test_rows_without_an_answer_are_counted_among_all_rows(missing):
    true = [1, 2, 3] * 10
    result = oe.evaluate(
        true, [None if i % 6 == 0 else t for i, t in enumerate(true)], labels=[1, 2, 3], missing=missing, metrics=["mae"]
    )
    said = "5 of 30 rows have no answer" + (" and count as wrong." if missing == "wrong" else ".")
    assert _answered({"": result}) == [said]
    assert _answered({"nurse": result}) == [f"nurse: {said}"]


def test_the_table_of_groups_has_the_p_value_of_each_group():
    rng = np.random.default_rng(0)
    true, site = rng.integers(0, 3, 240), rng.choice(["a", "b"], 240)
    models = {"old": np.clip(true + rng.integers(-1, 2, 240), 0, 2), "new": np.clip(true + (rng.random(240) < 0.4), 0, 2)}
    found = oe.compare(true, models, labels=range(3), by={"site": site}, metrics=["mae"], n_resamples=400)
    (table,) = comparison_groups(found)
    for row, (name, part) in zip(table.rows, found.groups.items(), strict=True):
        ((_, differences),) = part.differences.items()
        difference = differences["mae"]
        assert row[0] in str(name)
        assert row[-1] == p_text(difference.p_value, difference.p_is_bound)
        assert row[-3] == signed(difference.value)


def test_a_leaderboard_of_long_names_has_every_system_with_its_scores():
    true = [0, 1, 2] * 20
    names = [f"a system with a very long name, version {i}" for i in range(3)]
    gold = pd.DataFrame({"id": range(60), "true": true})
    runs = {
        name: pd.DataFrame({"id": range(60), "pred": [(t + (i % 7 < worse)) % 3 for i, t in enumerate(true)]})
        for worse, name in enumerate(names)
    }
    board = oe.leaderboard(gold, runs, labels=range(3), metrics=["accuracy"], n_resamples=400)
    rows = [line.split() for line in str(board).splitlines() if "version" in line]
    assert [(line[-3], line[-2]) for line in rows] == [
        (str(i), f"{board.scores(name)['accuracy']:.3f}") for i, name in enumerate(names)
    ]


@pytest.mark.parametrize("ticks", [0, 1, 2, 3, 4, 9])
def test_code_in_markdown_ends_where_it_ends(ticks):
    """A line of backticks in a study's comment must not close the block around it."""
    text = f"a\n{'`' * ticks}\nb"
    first, *inside, last = blocks_as_markdown([Code(text)]).splitlines()
    assert inside == text.splitlines()
    assert first == last == "`" * max(3, ticks + 1)


DIRECTED = ["cem", "mae", "accuracy", "oci", "mmae", "cohen_kappa", "mse", "total_cost", "stc", "gwet_ac", "somers_d"]


def drawn_models():
    """A true class each of 200 rows, and models that err in different manners."""
    rng = np.random.default_rng(8)
    true = rng.integers(0, 4, 200)
    steps = {"a": [0, 0, 0, 3], "b": [1, 1, -1, 0], "c": [0, 0, 1, 2], "d": [2, -2, 1, -1], "e": [0, 1, 1, -1]}
    return true, {model: np.clip(true + rng.choice(by, 200), 0, 3) for model, by in steps.items()}


def the_best(text, values):
    """The model with the highest or the lowest value, as the score has it; ties are no subject here."""
    ordered = sorted(values, key=lambda model: values[model][text], reverse=oe.get_metric(text).direction == "higher")
    assert values[ordered[0]][text] != values[ordered[1]][text]
    return ordered[0]


@pytest.mark.parametrize("primary", DIRECTED)
def test_the_best_by_every_score_is_the_best_in_its_own_direction(primary):
    true, models = drawn_models()
    values = {m: {text: oe.score(text, true, column, labels=range(4)) for text in DIRECTED} for m, column in models.items()}
    first, others = the_best(primary, values), {}
    for text in DIRECTED:
        if the_best(text, values) != first:
            others.setdefault(the_best(text, values), []).append(short_title(text))
    said = listed([f"{model} has the best {listed(titles)}" for model, titles in others.items()])
    assert remarks_on_many(primary, values) == [f"Against it: {said}."]
    alike = [text for text in DIRECTED if the_best(text, values) == first]
    kept = {model: {text: scores[text] for text in alike} for model, scores in values.items()}
    agreed = [f"{first} has the best value of every other score too ({len(alike) - 1})."]
    assert remarks_on_many(primary, kept) == (agreed if len(alike) > 1 else [])


@pytest.mark.parametrize("primary", ["cem", "mae"])
@pytest.mark.parametrize("kind", ["comparison", "leaderboard"])
def test_page_one_of_many_models_says_who_is_best_by_the_other_scores(kind, primary):
    true, models = drawn_models()
    models = {model: models[model] for model in "cba"}
    given = {"labels": range(4), "metrics": ["cem", "mae", "accuracy", "mmae"], "primary": primary, "n_resamples": 400}
    if kind == "comparison":
        page = oe.compare(true, models, **given).page()
    else:
        gold = pd.DataFrame({"id": range(200), "true": true})
        page = oe.leaderboard(gold, {m: gold[["id"]].assign(pred=column) for m, column in models.items()}, **given).page()
    values = {m: {t: oe.score(t, true, column, labels=range(4)) for t in given["metrics"]} for m, column in models.items()}
    (said,) = [line for line in page.remarks if "has the best" in line]
    for text in given["metrics"]:
        best = the_best(text, values)
        if text != primary and best != the_best(primary, values):
            assert re.search(rf"\b{best} has the best [^.]*{short_title(text)}", said)
        else:
            assert text == primary or short_title(text) not in said
