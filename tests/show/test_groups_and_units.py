"""Groups, what was resampled, and who answered too little: in every form of output, and nothing dropped without a word."""

import inspect
import json
import warnings

import numpy as np
import pandas as pd
import pytest
from commands import LABELS, ordeval, triage

import ordeval as oe
from ordeval.app.evaluate_state import Study
from ordeval.app.score_table import SHOWN
from ordeval.cli.program import app
from ordeval.evaluation._tables import group_tables, score_table
from ordeval.evaluation._units import Unit
from ordeval.metrics.core.docs import short_title
from ordeval.show._html import page_as_html
from ordeval.types import Evaluations

USUAL = ("cem", "accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "oci")
GRADES = LABELS.split(",")
FEW = {"n_resamples": 400}


@pytest.fixture(scope="module")
def visits():
    return oe.load_example("triage")


@pytest.fixture(scope="module")
def compared(visits):
    """Both models by two columns of groups, patients drawn together."""
    both = {name: visits[name] for name in ("nurse", "model")}
    by = {"site": visits["site"], "half": ["first" if i < 1200 else "second" for i in range(2400)]}
    same = {"labels": GRADES, "missing": "wrong", "by": by, "cluster": {"patient": visits["patient"]}}
    return oe.compare(visits["grade"], both, **same, metrics=["cem", "amae"], **FEW)


def forms(result):
    """What a result says in every form that people read, and as JSON."""
    return {"text": str(result), "html": result._repr_html_(), "md": result.to_markdown(), "latex": result.to_latex()}


def unwrapped(text):
    return " ".join(text.split())


class TestSharedTask:
    """Six runs on 400 rows; team1 leaves its 71 wrong rows blank."""

    def files(self):
        rng = np.random.default_rng(4)
        truth = rng.integers(0, 4, 400)

        def run(errors):
            wrong = rng.permutation(400)[:errors]
            pred = truth.astype(object)
            pred[wrong] = [int(t + (1 if t == 0 else -1 if t == 3 else rng.choice([-1, 1]))) for t in truth[wrong]]
            return pred

        runs = {f"team{i}": run(errors) for i, errors in enumerate([71, 62, 55, 58, 24, 75], 1)}
        runs["team1"] = np.where(runs["team1"] == truth, runs["team1"], None)
        gold = pd.DataFrame({"id": range(400), "true": truth, "site": ["hill", "park"] * 200, "doc": np.arange(400) // 2})
        return gold, {team: pd.DataFrame({"id": range(400), "pred": pred}).dropna() for team, pred in runs.items()}

    @pytest.mark.parametrize("missing", ["drop", "unanswered"])
    def test_a_run_that_answers_too_little_is_named_in_every_form(self, missing):
        board = oe.leaderboard(*self.files(), labels=range(4), missing=missing, metrics=["cem"], **FEW)
        assert board.models[0] == "team1"
        assert board.scores("team1")["cem"] == 1
        for form, text in forms(board).items():
            assert "team1 answered 329 of 400; its rank is about those." in unwrapped(text), form
        assert board.to_dict()["notes"] == board.few_answers == ["team1 answered 329 of 400; its rank is about those."]

    def test_with_wrong_it_does_not_rank_first(self):
        board = oe.leaderboard(*self.files(), labels=range(4), missing="wrong", metrics=["cem"], **FEW)
        assert (board.models[0], board.models[-1]) == ("team5", "team1")
        assert board.ranks["team1"].best > 1
        assert board.few_answers == ["team1 answered 329 of 400; the others count as wrong."]
        named = oe.leaderboard(*self.files(), labels=range(4), missing={"as": 0}, metrics=["cem"], **FEW)
        assert named.few_answers == ["team1 answered 329 of 400; the others count as 0."]

    def test_who_answers_nearly_all_is_not_named(self):
        gold, runs = self.files()
        runs["team1"] = runs["team2"].iloc[:380]  # 95 %
        board = oe.leaderboard(gold, runs, labels=range(4), missing="unanswered", metrics=["cem"], **FEW)
        assert board.few_answers == []
        assert "notes" not in board.to_dict()
        assert "its rank is about" not in str(board)

    def test_groups_and_clusters_of_the_gold(self):
        gold, runs = self.files()
        few = {team: runs[team] for team in ("team1", "team5")}
        same = {"labels": range(4), "missing": "wrong", "metrics": ["mae"], **FEW}
        board = oe.leaderboard(gold, few, by=["site", "doc"][:1], cluster="doc", **same)
        part = gold[gold.site == "hill"]
        alone = oe.leaderboard(part, {t: r[r.id.isin(part.id)] for t, r in few.items()}, cluster="doc", **same)
        assert board.groups["hill"].ranks.to_dict() == alone.ranks.to_dict()
        assert board.groups["hill"].to_dict() == alone.to_dict()  # each run with the blanks that it has here
        for form, text in forms(board).items():
            assert "hill" in text, form
            assert "park" in text, form
            assert "200 docs" in unwrapped(text), form
        assert board.signature.endswith("unit:doc×200")
        assert json.loads(board.to_json())["groups"].keys() == {"hill", "park"}
        assert {row["group"] for row in board._rows()} == {"", "hill", "park"}
        assert "group" not in oe.leaderboard(gold, few, **same)._rows()[0]


class TestGroups:
    def test_a_row_for_each_group_and_a_block_for_each_column(self, compared):
        for form, text in forms(compared).items():
            for group in ("harbour", "hill", "park", "first", "second"):
                assert group in text, (form, group)
        tables = [block for block in compared._blocks() if hasattr(block, "header")][1:]
        assert [table.header for table in tables] == [
            [axis, "rows", "nurse", "model", "difference", "interval", "p"] for axis in ("site", "half")
        ]
        assert [len(table.rows) for table in tables] == [3, 2]
        assert all(table.caption.endswith("; 1,304 patients.") for table in tables)

    def test_their_differences_are_those_of_the_rows_alone(self, compared, visits):
        here = np.array(visits["site"]) == "hill"
        both = {name: np.array(visits[name], object)[here] for name in ("nurse", "model")}
        patient = np.array(visits["patient"])[here]
        same = {"labels": GRADES, "missing": "wrong", "cluster": {"patient": patient}, "metrics": ["cem", "amae"], **FEW}
        alone = oe.compare(np.array(visits["grade"], object)[here], both, **same)
        assert compared.groups["site=hill"].differences == alone.differences

    def test_as_data(self, compared):
        data = json.loads(compared.to_json())
        names = ["site=harbour", "site=hill", "site=park", "half=first", "half=second"]
        assert list(data["groups"]) == names
        assert list(data["models"]["model"]["groups"]) == names
        first = data["groups"]["site=hill"][0]["scores"]["cem"]
        assert first["value"] == compared.groups["site=hill"].differences["nurse", "model"]["cem"].value
        assert list(dict.fromkeys(row["group"] for row in compared._rows())) == ["", *names]

    def test_a_report_of_several_models_has_them(self, compared):
        page = page_as_html(compared.page())
        for words in (
            "harbour",
            "Groups of model by site",
            "Groups of nurse by half",
            "confidence intervals of each group by itself",
        ):
            assert words in page

    def test_three_models_have_a_row_for_each_pair(self):
        truth = [0, 1, 2] * 40
        models = {"a": [0, 1, 1] * 40, "b": [0, 0, 2] * 40, "c": [1, 1, 2] * 40}
        result = oe.compare(truth, models, by={"site": ["x", "y"] * 60}, metrics=["mae"], **FEW)
        (table,) = [block for block in result._blocks() if hasattr(block, "header")][1:]
        assert [row[:2] for row in table.rows] == [[s, p] for s in ("x", "y") for p in ("b − a", "c − a", "c − b")]
        assert "b − a" in str(result)

    def test_pairs_of_models_with_long_names_are_told_by_short_ones(self):
        truth = [0, 1, 2] * 40
        models = {"baseline of March": [0, 1, 1] * 40, "second attempt": [0, 0, 2] * 40, "third attempt": [1, 1, 2] * 40}
        text = str(oe.compare(truth, models, by={"site": ["x", "y"] * 60}, metrics=["mae"], **FEW))
        assert text.count("second … − baselin…") == text.count("third a… − baselin…") == 2

    def test_a_group_without_common_rows_is_named(self):
        truth, site = [0, 1, 2] * 40, ["x"] * 60 + ["y"] * 60
        models = {"a": [0, 1, 1] * 20 + [None] * 60, "b": [0, 0, 2] * 40}
        result = oe.compare(truth, models, labels=range(3), by={"site": site}, missing="unanswered", metrics=["mae"], **FEW)
        assert list(result.groups) == ["x"]
        said = "site y: no row was answered by all models; there is nothing to compare"
        assert result.notes == [said]
        for form, text in forms(result).items():
            assert said.partition(": ")[2] in unwrapped(text), form

    def test_a_group_of_one_cluster_has_no_interval(self):
        truth, site = [0, 1, 2] * 40, ["x"] * 114 + ["y"] * 6
        cluster = [i // 6 for i in range(120)]
        same = {"by": {"site": site}, "cluster": {"doc": cluster}, "metrics": ["mae"], **FEW}
        one = oe.evaluate(truth, [0, 1, 1] * 40, **same)
        assert one.groups["y"]["mae"].reason == "all rows belong to one cluster, and one cluster says nothing about the next"
        two = oe.compare(truth, {"a": [0, 1, 1] * 40, "b": [0, 0, 2] * 40}, **same)
        assert two.groups["y"].differences["a", "b"]["mae"].reason.startswith("1 clusters")


class TestUnits:
    @pytest.mark.parametrize(
        ("unit", "words", "signature"),
        [
            (Unit("row", 2396), "2,396 rows", "unit:row×2396"),
            (Unit("patient", 1304), "1,304 patients", "unit:patient×1304"),
            (Unit("city", 3), "3 cities", "unit:city×3"),
            (Unit("box", 1), "1 box", "unit:box×1"),
            (Unit("batch", 12), "12 batches", "unit:batch×12"),
            (Unit("ward_id", 12), "12 clusters (ward_id)", "unit:ward_id×12"),
            (Unit("Patient no", 12), "12 clusters (Patient no)", "unit:Patient_no×12"),
        ],
    )
    def test_words(self, unit, words, signature):
        assert (unit.words, unit.signature) == (words, signature)

    @pytest.mark.parametrize(
        ("missing", "each", "both"), [("drop", 18, 16), ("unanswered", 18, 16), ("wrong", 20, 20), ({"as": 0}, 20, 20)]
    )
    def test_a_cluster_without_a_judged_row_was_not_resampled(self, missing, each, both):
        """Of 20 docs with 6 rows each a is silent on the first two, b on the last two, and both leave single rows of others out."""
        truth, doc = np.tile([0, 1, 2], 40), np.arange(120) // 6
        a = [None if i < 12 or i == 50 else p for i, p in enumerate([0, 1, 1] * 40)]
        b = [None if i >= 108 or i == 70 else p for i, p in enumerate([0, 0, 2] * 40)]
        same = {"labels": range(3), "missing": missing, "cluster": {"doc": doc}, "metrics": ["mae"], **FEW}
        for result, number in (
            (oe.evaluate(truth, a, **same), each),
            (oe.evaluate(truth, b, **same), each),
            (oe.compare(truth, {"a": a, "b": b}, **same), both),
        ):
            assert result.unit == Unit("doc", number)
            assert result.signature.endswith(f"unit:doc×{number}")
            assert f"{number} docs" in unwrapped(str(result))

    @pytest.mark.parametrize(
        ("cluster", "unit", "others"), [(False, "85 rows", ("95 rows", "90 rows")), (True, "17 docs", ("19 docs", "18 docs"))]
    )
    def test_a_comparison_names_the_rows_that_both_answered_and_not_those_of_one_model(self, cluster, unit, others):
        truth, doc = [0, 1, 2, 1] * 25, np.arange(100) // 5
        a = [None if i < 5 else p for i, p in enumerate([0, 1, 1, 2] * 25)]
        b = [None if i >= 90 else p for i, p in enumerate([0, 0, 2, 1] * 25)]
        same = {"labels": range(3), "missing": "unanswered", "cluster": {"doc": doc} if cluster else None, "metrics": ["mae"]}
        for models in ({"a": a, "b": b}, {"b": b, "a": a}):
            found = oe.compare(truth, models, **same, **FEW)
            page = found.page()
            blocks = {section.title: section.blocks for section in page.sections}
            (methods,) = blocks["Methods, for your paper"]
            assert f"Models were compared on the same {unit}:" in methods.text
            assert f"samples of {unit}, seed" in page.provenance
            assert found.signature in str(blocks["Rows and reading"])
            for form, text in {**forms(found), "page": str(blocks["Scores and differences"])}.items():
                assert f"; {unit}" in unwrapped(text), form
                assert not any(other in unwrapped(text) for other in others), form

    def test_pairs_of_several_models_are_compared_on_rows_of_their_own_only_where_answers_are_missing(self):
        truth = [0, 1, 2, 1] * 25
        models = {"a": [0, 1, 1, 2] * 25, "b": [0, 0, 2, 1] * 25, "c": [1, 1, 2, 1] * 25}
        for silent, said in ((0, "on the same 100 rows:"), (7, "on the rows that both of a pair answered:")):
            models["c"] = [None] * silent + models["c"][silent:]
            found = oe.compare(truth, models, labels=range(3), missing="unanswered", metrics=["mae"], **FEW)
            (methods,) = next(section for section in found.page().sections if section.title.startswith("Methods")).blocks
            assert f"Models were compared {said}" in methods.text

    @pytest.mark.parametrize(("cluster", "unit"), [(None, "100 rows"), ("doc", "20 docs")])
    def test_the_report_of_a_leaderboard_names_what_was_resampled(self, cluster, unit):
        gold = pd.DataFrame({"id": range(100), "true": [0, 1, 2, 1] * 25, "doc": np.arange(100) // 5})
        runs = {name: gold[["id"]].assign(pred=answers * 25) for name, answers in {"a": [0, 1, 1, 2], "b": [0, 0, 2, 1]}.items()}
        board = oe.leaderboard(gold, runs, labels=range(3), cluster=cluster, metrics=["mae"], **FEW)
        assert f"400 simulated samples of {unit}, seed 0" in board.page().provenance

    @pytest.mark.parametrize(("cluster", "words", "unit"), [
        ([], "2,400 rows", "unit:row×2400"), (["--cluster", "patient"], "1,304 patients", "unit:patient×1304"),
    ])  # fmt: skip
    def test_every_command_says_what_was_resampled(self, tmp_path, monkeypatch, cluster, words, unit):
        monkeypatch.chdir(tmp_path)
        triage(tmp_path)
        rows = [
            "triage.csv",
            "--true",
            "grade",
            "--labels",
            LABELS,
            "--missing",
            "wrong",
            "--metrics",
            "cem",
            "--n-resamples",
            "400",
        ]
        both = ["--pred", "nurse", "--pred", "model", *cluster]
        for command in ("score", "compare"):
            done = ordeval(command, *rows, *both)
            assert (done.code, done.err) == (0, "")
            assert words in unwrapped(done.out)
            assert unit in done.out
            data = json.loads(ordeval(command, *rows, *both, "--format", "json").out)
            assert data["models"]["model"]["signature"].endswith(unit)
            assert words in unwrapped(ordeval(command, *rows, *both, "--format", "md").out)
        assert data["signature"].endswith(unit)
        assert ordeval("report", *rows, *both, "--by", "site", "-o", "two.md").code == 0
        page = (tmp_path / "two.md").read_text(encoding="utf-8").replace("\\", "")
        assert "harbour" in page
        assert page.count(words) >= 4  # captions of scores, differences and groups, and the methods
        assert unit in page

    def test_leaderboards_too(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        triage(tmp_path)
        gold = pd.read_csv("gold.csv")
        gold.assign(doc=np.arange(len(gold)) // 2, site=["hill", "park"] * (len(gold) // 2)).to_csv("gold.csv", index=False)
        same = ["leaderboard", "gold.csv", "nurse.csv", "model.csv", "--labels", LABELS, "--missing", "wrong", "--metrics", "cem"]
        done = ordeval(*same, "--n-resamples", "400", "--by", "site", "--cluster", "doc")
        assert (done.code, done.err) == (0, "")
        assert f"{len(gold) // 2:,} docs" in unwrapped(done.out)
        assert f"unit:doc×{len(gold) // 2}" in done.out
        assert "hill" in done.out


ROWS = {"few": 4, "enough": 60, "some": 10, "more": 90, "one": 1}  # too few for some scores, each for a reason of its own


def of_each_size(names):
    """The truth and the answers of the rows of each of them."""
    truth, answers = [0, 1, 2] * 30, [0, 1, 1, 0, 1, 2] * 15
    return {name: (truth[: ROWS[name]], answers[: ROWS[name]]) for name in names}


@pytest.mark.parametrize("names", [["enough", "few"], ["few", "enough"], ["enough", "some", "few"], [*ROWS]], ids="-".join)
@pytest.mark.parametrize("shown", ["models", "groups"])
def test_below_a_table_stands_every_reason_for_a_missing_interval(shown, names):
    metrics, rows = ["accuracy", "mae", "cohen_kappa", "total_cost"], of_each_size(names)
    same = {"labels": range(3), "metrics": metrics, **FEW}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oe.UndefinedScore)
        alone = {name: oe.evaluate(*rows[name], **same) for name in names}
        if shown == "models":
            (table,) = [score_table(alone)]
            said = forms(Evaluations(alone))
        else:
            truth, answers = ([code for name in names for code in rows[name][i]] for i in (0, 1))
            site = [name for name in names for _ in rows[name][0]]
            found = oe.evaluate(truth, answers, by={"site": site}, **same)
            (table,) = group_tables({"pred": found})
            said = {form: text for form, text in forms(found).items() if form != "text"}  # which names the formats that have them
    lacking = [(score.reason, short_title(text)) for one in alone.values() for text, score in one.scores.items() if score.reason]
    assert len({reason for reason, _ in lacking}) > 1
    for reason, title in lacking:
        (note,) = [note for note in table.notes if note.endswith(f": {reason}.")]
        assert title in note
        for form, text in said.items():
            assert reason in unwrapped(text.replace("\\", "")), form
    assert len([note for note in table.notes if "interval" in note]) == len({reason for reason, _ in lacking})


def test_cem_decides_everywhere_and_stands_first():
    assert oe.DEFAULT_METRICS == USUAL
    truth, models = [0, 1, 2] * 20, {"a": [0, 1, 1] * 20, "b": [0, 0, 2] * 20}
    result = oe.compare(truth, models, **FEW)
    assert result.primary == "cem"
    assert tuple(result.differences["a", "b"]) == tuple(oe.evaluate(truth, models["a"], **FEW).scores) == USUAL
    gold = pd.DataFrame({"id": range(60), "true": truth})
    runs = {name: pd.DataFrame({"id": range(60), "pred": column}) for name, column in models.items()}
    assert oe.leaderboard(gold, runs, **FEW).metrics == USUAL
    plan = next(command for command in app.registered_commands if command.name == "plan")
    assert inspect.signature(plan.callback).parameters["metric"].default == "cem"
    assert (Study("y", ("p",)).primary, Study("y", ("p",)).metrics) == ("cem", USUAL)
    assert tuple(text for text in USUAL if text in SHOWN) == SHOWN


def test_the_matrix_of_a_figure_has_a_column_of_blanks():
    counts = oe.count(list("xyzx"), ["x", None, "z", None], labels=list("xyz"), missing="wrong")
    display = oe.plot.ConfusionDisplay.from_counts(counts)
    assert display.no_answer == (1, 1, 0)
    assert display.shares[0].tolist() == [0.5, 0, 0]
    assert display.caption.startswith("On the diagonal are 2 of 4 rows (50 %)")
    assert "without an answer: 2 rows" in display.caption
    assert "no answer" in display.to_svg()
    columns = {value["column"] for value in display.to_vega()["data"]["values"]}
    assert columns == {"x", "y", "z", "no answer"}
    silent = oe.count(list("xyzx"), ["x", None, "z", None], labels=list("xyz"), missing="unanswered")
    assert oe.plot.ConfusionDisplay.from_counts(silent).shares[0].tolist() == [1, 0, 0]  # of what was answered


@pytest.mark.parametrize(("models", "shown"), [(2, True), (3, True), (4, False)])
def test_up_to_three_pairs_are_shown_row_by_row(models, shown):
    codes = np.random.default_rng(7).integers(0, 3, (models + 1, 60)).tolist()
    counts = oe.count(codes[0], {f"m{i}": answers for i, answers in enumerate(codes[1:])}, labels=range(3))
    page = oe.compare(counts, metrics=["accuracy"], **FEW).page()
    said = [str(section.blocks) for section in page.sections if section.title == "Row by row"]
    assert len(said) == shown
    assert all(f"m{i}" in text for text in said for i in range(models))


@pytest.mark.parametrize("models", ["ab", "abc"])
@pytest.mark.parametrize("primary", ["mae", "total_cost"])
def test_a_comparison_gives_every_reason_for_a_missing_interval_of_a_difference(models, primary):
    """Two rows of a class are too few for costs by class frequencies."""
    truth = np.array([0, 0, *[1, 2] * 30])
    counts = oe.count(truth, {m: np.where(np.arange(62) % (7 + i) == 3, 1, truth) for i, m in enumerate(models)}, labels=range(3))
    metrics = ["mae", "total_cost", "amae", "rmse"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oe.UndefinedScore)
        found = oe.compare(counts, metrics=metrics, primary=primary, **FEW)
    lacking = {(d.reason, text) for pair in found.differences.values() for text, d in pair.items() if d.reason}
    assert {text for _, text in lacking} == {"total_cost"}
    for form, text in forms(found).items():
        for reason, metric in lacking:
            assert f"o interval for {short_title(metric)}: {reason}." in unwrapped(text.replace("\\", "")), form
