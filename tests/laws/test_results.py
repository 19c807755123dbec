"""What the results on metrics and papers are made of: their columns, plain data, labels that stay text, and keywords of old."""

import json
import typing

import pytest

import ordeval as oe
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.choose._synthetic import simulate

HOSTILE = ["<b>low</b>", "{mid}", "high | $x$"]
PROBA = [[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]]
TRUTH = [HOSTILE[i] for i in (0, 1, 2, 0)]
COUNTS = oe.count(TRUTH, [HOSTILE[i] for i in (0, 2, 2, 1)], labels=HOSTILE)

#: {type: (one of them, the columns of its main table)}
RESULTS = {
    "LawReport": (
        lambda: oe.laws.check("cem", laws=["imbalance", "triangle", "scale_invariance"], max_k=3, max_n=3),
        "law reading status cases broken undefined failed proof",
    ),
    "LawTable": (lambda: oe.laws.table(["mae", "cem"], laws=["imbalance", "perfect"]), "metric law status"),
    "Advice": (lambda: oe.choose.advise(rare="theirs"), "metric title side law text"),
    "MetaEvaluation": (
        lambda: oe.choose.meta_evaluate(simulate(cases=2, rows=40), metrics=["cem", "spearman"]),
        "metric coverage robustness cases systems",
    ),
    "Pitfalls": (lambda: oe.choose.pitfalls(COUNTS), "what how value right harmless"),
    "Decision by costs": (lambda: oe.decide.fit(TRUTH, PROBA, "amae", labels=HOSTILE), "class cost"),
    "Decision by thresholds": (lambda: oe.decide.fit(TRUTH, PROBA, "cohen_kappa", labels=HOSTILE), "class threshold"),
    "Reproduction": (lambda: oe.papers.reproduce("blog"), "paper place printed computed verdict explanation"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_form_of_a_result(name):
    make, columns = RESULTS[name]
    result = make()
    assert isinstance(result, getattr(oe.types, name.partition(" ")[0]))
    frame = result.to_frame()
    assert list(frame.columns) == columns.split()
    assert len(frame) > 0
    assert list(result.to_frame("polars").columns) == list(result.to_frame("pyarrow").column_names) == columns.split()
    assert result.to_csv().splitlines()[0] == columns.replace(" ", ",")
    assert json.loads(result.to_json()) == json.loads(json.dumps(result.to_dict()))
    assert "function" not in result.to_json()
    for text in (str(result), result.to_markdown(), result.to_latex(), result._repr_html_()):
        assert text
    assert "<b>" not in result._repr_html_()
    assert max(map(len, str(result).splitlines())) <= 80


def test_the_rows_tell_what_the_report_tells():
    report = oe.laws.check("cem", laws=["imbalance", "transpose"], max_k=3, max_n=3)
    rows = report.to_frame().to_dict("records")
    assert [row["reading"] for row in rows if row["law"] == "imbalance"] == list(report.readings["imbalance"])
    [transpose] = [row for row in rows if row["law"] == "transpose"]
    assert (transpose["status"], transpose["broken"]) == ("fails", report["transpose"].broken)
    assert [row["proof"] for row in rows if row["status"] == "proved"] == [report["imbalance"].reason]
    assert f"{report['transpose']}" in " ".join(str(report).split())
    assert all(line in str(report) for line in report["transpose"].breach.lines)


def test_pitfalls_read_like_a_list():
    found = oe.choose.pitfalls(COUNTS)
    assert len(found) == len(list(found)) > 0
    assert found[0] is next(iter(found))
    assert str(found[0]) in " ".join(str(found).split())
    frame = found.to_frame()
    assert frame["what"].tolist() == [one.what for one in found]
    assert frame["value"].tolist() == [one.value for one in found]
    assert not oe.choose.pitfalls(oe.count([1, 2], [2, 1]))


@pytest.mark.parametrize(
    ("truth", "answers", "unused"),
    [
        ("aabbdd", "abbbdc", ""),  # c was answered, and never true
        ("aabbdc", "abbbdd", ""),  # the other way round
        ("aaabdd", "aabbaa", "c"),
        ("aaaccc", "abccca", "d"),
        ("aaadda", "aaadda", "b, c"),
        ("bbbccc", "bccbcb", "a, d"),
    ],
)
def test_a_class_that_nobody_used_was_neither_true_nor_answered(truth, answers, unused):
    found = [one for one in oe.choose.pitfalls(oe.count(list(truth), list(answers), labels=list("abcd"))) if "data" in one.what]
    assert [one.how for one in found] == ([f"nobody used {unused}"] if unused else [])
    if unused:
        kept = [label for label in "abcd" if label not in unused.split(", ")]
        assert found[0].value == pytest.approx(oe.cohen_kappa(list(truth), list(answers), labels=kept), abs=1e-12)
        assert found[0].right == pytest.approx(oe.cohen_kappa(list(truth), list(answers), labels=list("abcd")), abs=1e-12)


def test_a_decision_is_told_in_words():
    assert "least expected cost, for amae" in str(oe.decide.fit(TRUTH, PROBA, "amae", labels=HOSTILE))
    assert "Thresholds of the mean rank, from 1 to 3" in str(oe.decide.fit(TRUTH, PROBA, "cohen_kappa", labels=HOSTILE))


def test_the_words_of_the_types_are_those_of_the_questions():
    hints = typing.get_type_hints(oe.choose.advise)
    for question in oe.choose.QUESTIONS:
        words = [w for part in typing.get_args(hints[question.name]) for w in typing.get_args(part)]
        assert words == [choice.word for choice in question.choices]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: oe.laws.check("mae", k=3), "check: k= is now max_k="),
        (lambda: oe.laws.table(["mae"], n=3), "table: n= is now max_n="),
        (lambda: oe.choose.meta_evaluate({}, reference=["mae"]), "meta_evaluate: reference= is now against="),
        (lambda: oe.papers.reproduce("oci", keep="there"), "reproduce: keep= is now folder="),
    ],
)
def test_a_keyword_of_old_names_the_new_one(call, said):
    with pytest.raises(ArgumentTypeError, match=said):
        call()


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: oe.laws.check("mae", laws=[]), "laws"),
        (lambda: oe.laws.check("mae", max_n=0), "max_n"),
        (lambda: oe.choose.advise(rare="{often}"), "rare"),
        (lambda: oe.choose.meta_evaluate({}), "cases"),
        (lambda: oe.choose.meta_evaluate(simulate(cases=2, rows=40), against=[]), "against"),
        (lambda: oe.decide.decide(PROBA, "amae", labels=HOSTILE, class_counts=[1, 2]), "class_counts"),
        (lambda: oe.decide.decide(PROBA, "amae", labels=HOSTILE, prior=3), "prior"),
        (lambda: oe.papers.reproduce("ocr"), "paper"),
    ],
)
def test_an_error_carries_its_argument(call, argument):
    with pytest.raises(ArgumentError) as caught:
        call()
    assert caught.value.argument == argument
    assert "{" not in str(caught.value).replace("{often}", "").replace("{case: counts}", "").replace("{mid}", "")


def test_the_errata_are_those_that_the_report_counts():
    report = oe.papers.reproduce("blog")
    named = {outcome.claim.root for outcome in report.outcomes if outcome.verdict == "erratum"}
    assert {entry.id for entry in report.roots} == named == {"C1", *(entry.id for entry in oe.papers.errata("blog"))}
    assert all(entry.premise and entry.finding for entry in oe.papers.errata("oci"))


def test_examples_of_the_papers():
    examples = oe.papers.examples
    assert set(examples.JOURNALS) == {"F", "S"}
    assert all(len(rows) == len(examples.REVIEWS) for rows in examples.JOURNALS.values())
    assert {name: int(table.sum()) for name, table in examples.SYSTEMS.items()} == {"A": 100, "B": 100}
    assert {name: int(table.sum()) for name, table in examples.TOY.items()} == {"A": 15, "B": 15}
