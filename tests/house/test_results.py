"""One protocol: every type of result has every form, with hostile labels inert in each."""

import csv
import inspect
import io
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import ordeval as oe
from ordeval.show import Result, ResultList

LABELS = ["<script>alert(1)</script>", "=cmd|'/C calc'!A0", "\\input{x} $a$ {b} | \x1b[31m"]
MODELS = ("first <b>", "second | {0}")

#: The columns of the main table, as house rules have them; a column in braces is there for every axis or group.
COLUMNS = {
    "Score": "group metric value low high confidence_level method reason n",
    "Evaluation": "group metric value low high confidence_level method reason n",
    "Evaluations": "model group metric value low high confidence_level method reason n",
    "Comparison": "a b metric difference low high band_low band_high p_value equivalent not_inferior reason",
    "Difference": "a b metric difference low high band_low band_high p_value equivalent not_inferior reason",
    "Leaderboard": "model metric value low high rank_best rank_worst rows missing reason",
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
    "RuleReport": "name model group rule outcome value low high found",
    "StudyProblems": "place problem",
    "Proposal": "column oddity cells first_row written proposed",
    "SetEvaluation": "class metric value low high method",
    "Counts": "true first <b> second | {0} n",
    "Audit": "outcome reason rows",
    "CutTable": "class true_positive false_negative false_positive true_negative sensitivity specificity ppv npv prevalence",
    "CostTable": "class rows cost weight value",
    "PathParts": "part value",
    "ScoreSum": "true pred rows each earned lost",
    "CalibrationTable": "cut bin weight forecast came_true",
    "Decomposition": "part value",
    "Pitfalls": "what how value right harmless",
    "Decision": None,  # one column for each threshold, or for each cost
    "LawReport": "law reading status cases broken undefined failed proof",
    "LawTable": "metric law status",
    "Advice": "metric title side law text",
    "MetaEvaluation": "metric coverage robustness cases systems",
    "Agreement": "coefficient value low high method reason",
    "JudgePanel": "rater metric value low high",
    "AnnotatorTest": "rater items judge human p_value wins",
    "CorrectedGrades": "class share low high naive",
    "Homogeneity": "first second items statistic degrees p_value test",
    "JudgeLog": "item trace rater repeat kind grade answer",
    "Disagreements": "item trace judge person grades steps answer",
    "SelfConsistency": "measure value low high method reason",
    "EffectiveJudges": "first second measure value low high method reason",
    "Drift": "measure value low high method reason p_value",
    "JudgeValidation": "judge metric value low high method reason",
    "RatersReport": None,  # those of the agreement
    "Reproduction": "paper place printed computed verdict explanation",
    "Table3": "metric column printed computed",
    "InputAudit": "class column rows",
    "Problems": "file column value rows first problem remedy",
    "Catalogue": "metric family title better bounds",
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """A small example of every type, with labels that want to be code."""
    rng = np.random.default_rng(5)
    truth = [LABELS[i] for i in rng.integers(0, 3, 120)]
    answers = {
        name: [label if rng.random() < p else LABELS[rng.integers(0, 3)] for label in truth]
        for name, p in zip(MODELS, (0.7, 0.5), strict=True)
    }
    site = [f"site {i % 2} <i>" for i in range(120)]
    proba = np.array([[0.7 if LABELS[j] == label else 0.15 for j in range(3)] for label in answers[MODELS[0]]])
    scale = oe.Scale(LABELS)
    counts = oe.count(truth, answers, labels=scale)
    few = {"n_resamples": 499}
    evaluation = oe.evaluate(counts[MODELS[0]], **few)
    comparison = oe.compare(counts, **few)
    rated = {"ann <b>": truth, "bob": answers[MODELS[0]], "gpt | {0}": answers[MODELS[1]]}
    ratings = oe.raters.ratings(rated, labels=scale)
    agreement = oe.raters.agreement(ratings, **few)
    panel = oe.raters.judge_panel(ratings, "gpt | {0}")
    corrected = oe.raters.corrected_grades(ratings, person="ann <b>", judge="gpt | {0}", **few)
    sets = (
        answers[MODELS[0]],
        [LABELS[max(LABELS.index(a), LABELS.index(b))] for a, b in zip(answers[MODELS[0]], truth, strict=True)],
    )
    by_site = oe.count(truth, answers[MODELS[0]], labels=scale, by={"site": site})
    gold = {"id": range(120), "true": truth}
    import pandas as pd

    long = {"item": [f"<i>{i % 60}" for i in range(120)], "run": [i // 60 for i in range(120)], "who": ["gpt | {0}"] * 120}
    asked = {"item": "item", "rater": "who", "grade": "grade", "repeats": "run", "judges": ["gpt | {0}"], "labels": scale}
    people = pd.DataFrame({"item": long["item"][:60], "run": 0, "who": "ann <b>", "grade": truth[:60]})
    logs = [
        oe.raters.read_judge_log(pd.concat([pd.DataFrame(long | {"grade": given}), people]), **asked)
        for given in answers.values()
    ]
    runs = {name: pd.DataFrame({"id": range(120), "pred": answers[name]}) for name in MODELS}
    made = [
        evaluation,
        evaluation["cem"],
        oe.types.Evaluations({MODELS[0]: evaluation}),
        comparison,
        comparison.differences[MODELS]["cem"],
        comparison.dominance[MODELS],
        comparison.flips[MODELS],
        comparison.ranks,
        oe.leaderboard(pd.DataFrame(gold), runs, labels=scale, **few),
        oe.infer.contributions(counts, *MODELS, "mae"),
        oe.infer.compare_groups(by_site, "site", "mae", **few),
        oe.infer.ranking_agreement(counts, ["mae", "cem", "accuracy"]),
        oe.infer.winner_sensitivity(counts, ["mae", "cem", "accuracy"]),
        oe.infer.corrected_resampled_test([0.7, 0.8, 0.75], [0.8, 0.7, 0.9], n_train=100, n_test=10),
        oe.infer.exchange_test(counts, *MODELS, "mae"),
        oe.plan(counts[MODELS[0]], "mae", half_width=0.05),
        oe.Rule.parse("cem >= 0.2").judge(evaluation["cem"]),
        oe.study.check_rules(counts, "cem >= 0.2", **few),
        oe.Study({LABELS[0]: {}, LABELS[1]: LABELS[2]}).validate(),
        proposal(tmp_path_factory.mktemp("rows")),
        oe.evaluate_sets(truth, sets, labels=scale, **few),
        counts,
        counts.audit,
        oe.parts.cut_table(counts[MODELS[0]]),
        oe.parts.cost_contributions(counts[MODELS[0]]),
        oe.parts.oci_parts(counts[MODELS[0]]),
        oe.parts.explain_score(counts[MODELS[0]]),
        oe.parts.calibration_table(truth, proba, labels=scale),
        oe.parts.rps_decomposition(truth, proba, labels=scale),
        oe.choose.pitfalls(oe.count(["low", "mid", "high", "mid"], ["low", "high", "mid", "mid"], labels=["low", "mid", "high"])),
        oe.papers.table3(),
        oe.types.InputAudit(counts),
        oe.types.Problems(
            [oe.types.Problem("rows.csv", "p", "{value} is not a class", values={"value": LABELS[0]})], source="rows.csv"
        ),
        oe.catalogue(),
        oe.decide.fit(truth, proba, "cohen_kappa", labels=scale),
        oe.laws.check("mae", laws=["perfect", "transpose"], max_k=2, max_n=3),
        oe.laws.table(["mae", "cem"]),
        oe.choose.advise(),
        oe.papers.reproduce("blog"),
        agreement,
        panel,
        panel.alternative,
        corrected,
        oe.raters.marginal_homogeneity(ratings),
        logs[0],
        logs[0].disagreements(),
        oe.raters.self_consistency(logs[0], **few),
        oe.raters.effective_judges(ratings, ["bob", "gpt | {0}"], ["ann <b>"], **few),
        oe.raters.judge_drift(*logs, **few),
        oe.raters.validate_judge(logs[0], metrics=["mae"], against=logs[1], **few),
        oe.raters.RatersReport(agreement, panel, corrected),
        oe.choose.meta_evaluate(campaign(), metrics=["mae", "accuracy", "cem"]),
    ]
    return {type(one).__name__: one for one in made}


def proposal(folder):
    """What a look at rows finds whose columns and values want to be code."""
    rows = [["n", LABELS[0], LABELS[1]], *([i, LABELS[i % 3], f"{LABELS[i % 3]} " if i % 2 else ""] for i in range(12))]
    with open(folder / "rows.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return oe.study.look([str(folder / "rows.csv")])


def campaign():
    rng = np.random.default_rng(3)
    cases = {}
    for case in range(4):
        truth = rng.integers(0, 3, 30)
        answers = {f"system {j}": np.where(rng.random(30) < 0.3 + 0.1 * j, truth, rng.integers(0, 3, 30)) for j in range(5)}
        cases[f"case {case}"] = oe.count(truth, answers, labels=range(3))
    return oe.choose.Campaign.from_counts(cases)


def types_of_results():
    def below(cls):
        return {cls, *(found for one in cls.__subclasses__() for found in below(one))}

    return {
        cls.__name__
        for cls in below(Result)
        if cls not in (Result, ResultList) and cls.__module__.startswith("ordeval") and not cls.__name__.startswith("_")
    }


def test_every_type_of_result_is_tried_here(examples):
    assert types_of_results() == set(COLUMNS)
    assert set(examples) == set(COLUMNS)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name == "Table3" else name for name in COLUMNS])
def test_every_form_works_and_labels_are_inert(examples, name):
    result = examples[name]
    data = result.to_dict()
    assert json.loads(result.to_json()) == json.loads(json.dumps(data, allow_nan=False))
    rows = list(csv.reader(io.StringIO(result.to_csv())))
    frame = result.to_frame()
    columns = [str(column) for column in frame.columns]
    if COLUMNS[name] is not None:
        assert " ".join(columns) == COLUMNS[name]
    assert len(frame) == len(rows) - 1 > 0
    assert all(not cell.lstrip().startswith(("=", "+cmd", "@")) for row in rows for cell in row)
    for backend in ("polars", "pyarrow"):
        assert (
            list(result.to_frame(backend).schema.names() if backend == "polars" else result.to_frame(backend).column_names)
            == columns
        )
    for text in (str(result), oe.show.render(result), result.to_markdown(), result.to_latex()):
        assert text.strip()
        assert "\x1b" not in text
    assert "\\input" not in result.to_latex()
    page = result._repr_html_()
    assert not re.search(r"<(td|dd)[^>]*>(None|nan)<", page)
    assert '<th style="text-align:right">' not in page or '<tr><th style="text-align:left">' in page
    assert "<table" in page or "<dl" in page or "<figure" in page  # a notebook shows a table or a card, not a bare line
    reader = Tags()
    reader.feed(page)
    assert not reader.tags & {"script", "b", "i"}


def test_a_notebook_shows_one_record_as_a_card_and_several_as_a_table():
    score = oe.Score(0.5, 0.4, 0.6, "auto", n=30)
    card = score._repr_html_()
    assert re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", card)[:3] == [("value", "0.500"), ("low", "0.400"), ("high", "0.600")]
    assert "<table" not in card
    problems = oe.Study({"study": 1, "data": {"files": "x.csv"}}).validate()
    table = problems._repr_html_()
    assert table.count("<tr>") == 1 + len(problems) == 3
    assert "<dl" not in table


def test_an_unknown_backend_or_format_says_what_there_is(examples):
    with pytest.raises(oe.ArgumentError, match="'pandas', 'polars' or 'pyarrow'"):
        examples["Score"].to_frame("excel")
    with pytest.raises(oe.ArgumentError, match="did you mean json"):
        oe.show.render(examples["Score"], "jsn")


def test_a_score_is_an_estimate(examples):
    score = examples["Evaluation"]["cem"]
    assert float(score) == score.value
    assert score.confidence_interval == (score.low, score.high)
    assert score.confidence_interval.low == score.low
    flat = examples["Evaluation"].flat("run")
    assert flat["run/cem"] == score.value
    assert flat["run/cem_low"] == score.low
    assert list(inspect.signature(oe.Evaluation.flat).parameters) == ["self", "prefix", "separator"]
