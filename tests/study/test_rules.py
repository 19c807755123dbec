"""Rules: one grammar, one verdict for each model and group, and every form of the report."""

import json
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from commands import ordeval, write_csv
from junitparser import JUnitXml

import ordeval as oe
from ordeval.study import assert_rules, check_rules
from ordeval.study._rules import Gate

LABELS = ["low", "mid", "high"]


def counts(n=120, **more):
    truth = [LABELS[i % 3] for i in range(n)]
    old = [LABELS[min(i % 3 + (i % 5 == 0), 2)] for i in range(n)]
    new = [LABELS[min(i % 3 + (i % 10 == 0), 2)] for i in range(n)]
    return oe.count(truth, {"old": old, "new": new}, labels=LABELS, by={"site": ["a", "b"] * (n // 2)}, **more)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("cem>=0.7", "cem >= 0.7"),
        ("  cem  >  .5 ci ", "cem > 0.5 ci"),
        ("amae of model <= nurse + 0.10", "amae of model <= nurse + 0.1"),
        ("cem >= baseline-0.01 ci", "cem >= baseline - 0.01 ci"),
        ("qwk(weights='linear') of a b >= 1e-1", "cohen_kappa(weights='linear') of \"a b\" >= 0.1"),
        ("cem >= gpt-4", "cem >= gpt-4"),
        ("cem >= gpt-4 - 0.01", "cem >= gpt-4 - 0.01"),
        ('cem >= "ci" ci', 'cem >= "ci" ci'),
        ("cem of 'of > it' >= 0.1", 'cem of "of > it" >= 0.1'),
        ("rows >= 100", "rows >= 100"),
        ("answered > 0.95", "answered > 0.95"),
    ],
)
def test_a_rule_is_read_and_printed_so_that_it_is_read_again(text, canonical):
    rule = oe.Rule.parse(text)
    assert str(rule) == canonical
    assert oe.Rule.parse(str(rule)) == rule


REMEDY = "write a number, or baseline or a model plus or minus a number: 0.7, baseline - 0.01, nurse + 0.10"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("cem 0.7", "'cem 0.7' is not a rule; write a score, a sign and a number: cem >= 0.7, or mae < 0.5 ci"),
        (">= 0.7", "'>= 0.7' is not a rule; write a score, a sign and a number: cem >= 0.7, or mae < 0.5 ci"),
        ("", "'' is not a rule; write a score, a sign and a number: cem >= 0.7, or mae < 0.5 ci"),
        ("cem >= 0.7 +", f"'0.7 +' in the rule 'cem >= 0.7 +' cannot be compared with; {REMEDY}"),
        ("cem >= 1.2.3", f"'1.2.3' in the rule 'cem >= 1.2.3' cannot be compared with; {REMEDY}"),
        ("cem >= nurse + -1", f"'nurse + -1' in the rule 'cem >= nurse + -1' cannot be compared with; {REMEDY}"),
        ("mae >= nurse", "lower is better for mae, but the rule 'mae >= nurse' asks for the other side; write <="),
        ("cem < baseline", "higher is better for cem, but the rule 'cem < baseline' asks for the other side; write >="),
        ("bias <= nurse", "bias in the rule 'bias <= nurse' has a target, not a direction; compare it with numbers alone"),
    ],
)
def test_what_is_no_rule_is_refused(text, said):
    with pytest.raises(oe.ArgumentError) as error:
        oe.Rule.parse(text)
    assert (str(error.value), error.value.argument) == (said, "rule")


def test_an_unknown_score_has_the_nearest_name():
    with pytest.raises(oe.ArgumentError, match="did you mean cem"):
        oe.Rule.parse("cemm >= 0.7")


def test_every_model_is_judged_but_for_the_one_that_is_held_against():
    report = check_rules(counts(), ["cem >= 0.5", "cem >= old", "accuracy of new >= 0.9"])
    assert [(v.model, str(v.rule)) for v in report.verdicts] == [
        *(("old", "cem >= 0.5"), ("new", "cem >= 0.5")),
        *(("new", "cem >= old"), ("new", "accuracy of new >= 0.9")),
    ]


@pytest.mark.parametrize("patients", [None, 40])
def test_a_model_is_held_against_by_the_interval_of_the_paired_difference(patients):
    """The interval that a comparison gives, of resampled patients where the rows are theirs."""
    cluster = {} if patients is None else {"cluster": {"patient": [i % patients for i in range(120)]}}
    table = counts(**cluster)
    kept = table.margin("true", "old", "new", *cluster.get("cluster", ()))
    found = oe.compare(kept, metrics=["mae"], reference="old").differences["old", "new"]["mae"]
    assert found.low < found.value < found.high
    just_above, just_below = (found.high + 1e-6, found.high - 1e-6)
    holds = [
        check_rules(table, f"mae of new <= old {'-' if x < 0 else '+'} {abs(x):.9f}").holds for x in (just_above, just_below)
    ]
    assert holds == [True, False]
    (verdict,) = check_rules(table, "mae of new <= old").verdicts
    assert verdict.baseline["paired"] is True
    assert (verdict.baseline["low"], verdict.baseline["high"]) == (found.low, found.high)
    assert verdict.found.endswith("against old (paired)")


SEVERAL = [
    "mae of new <= old",
    "mae of new <= third",
    "mae of new <= baseline + 0.1",
    "cem of new >= old",
    "mae <= old + 0.02",
    "answered of new >= third",
]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("more", [{}, {"by": "site"}], ids=["all rows", "groups"])
@pytest.mark.parametrize("patients", [None, 40])
def test_a_rule_among_others_is_judged_as_it_is_alone(patients, more, turned):
    n, rng = 120, np.random.default_rng(4)
    truth = rng.integers(0, 3, n)
    answers = {
        name: np.where(rng.random(n) < share, (truth + 1) % 3, truth)
        for name, share in (("old", 0.3), ("new", 0.2), ("third", 0.1))
    }
    cluster = {} if patients is None else {"cluster": {"patient": np.arange(n) % patients}}
    table = oe.count(truth, answers, labels=range(3), by={"site": np.arange(n) % 2}, **cluster)
    same = {"baseline": "third", "n_resamples": 400, **more}
    rules = SEVERAL[::-1] if turned else SEVERAL
    together = check_rules(table, rules, **same).to_dict()["rules"]
    assert together == [found for rule in rules for found in check_rules(table, rule, **same).to_dict()["rules"]]
    shown = {one["baseline"]["difference"] for one in together if one["rule"].startswith("mae of new <= ") and "baseline" in one}
    assert len(shown) == 2 * (1 + 2 * bool(more))  # from old and from third, on all rows and in both groups


def test_a_written_ci_changes_nothing_against_a_model():
    texts = ("mae of new <= old - 0.05", "mae of new <= old - 0.05 ci")
    plain, with_ci = (check_rules(counts(), text).verdicts[0] for text in texts)
    assert (plain.holds, plain.found) == (with_ci.holds, with_ci.found)


def test_groups_must_all_hold():
    table = counts()
    each = check_rules(table, Gate(oe.Rule.parse("cem of new >= 0.5"), "by site", each="site"))
    assert [(v.group, v.name) for v in each.verdicts] == [("site=a", "by site"), ("site=b", "by site")]
    by = check_rules(table, "cem of new >= 0.5", by="site")
    assert [v.group for v in by.verdicts] == ["", "site=a", "site=b"]
    with pytest.raises(oe.ArgumentError, match="'sit' is not a column of groups; did you mean site"):
        check_rules(table, "cem >= 0.5", by="sit")


def test_no_interval_and_no_score_fail_and_say_why():
    few = oe.count([1, 2, 3], [1, 2, 2], labels=[1, 2, 3])
    (verdict,) = check_rules(few, "cohen_kappa >= 0.1 ci").verdicts
    assert (verdict.outcome, verdict.holds) == ("undecided", False)
    assert verdict.found == "0.667, no interval: 3 rows; 15 are enough"
    same = oe.count([1, 1, 1], [1, 1, 1], labels=[1, 2, 3])
    (verdict,) = check_rules(same, "cohen_kappa >= 0.1").verdicts
    assert (verdict.outcome, math.isnan(verdict.value)) == ("undecided", True)
    assert verdict.found.startswith("undefined: ")


def test_a_baseline_is_skipped_until_there_is_one():
    report = check_rules(counts(), "cem of new >= baseline")
    assert ([v.outcome for v in report.verdicts], report.holds, report.failed) == (["skipped"], True, ())
    assert str(report).splitlines()[0] == "skip  new: cem of new >= baseline   no baseline yet"


def test_what_a_baseline_may_be(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = counts().margin("true", "old", "new")
    value = oe.evaluate(table["new"], metrics=["cem"])["cem"].value
    table.save("counts.json")
    (tmp_path / "scores.json").write_text(oe.evaluate(table["new"], metrics=["cem"]).to_json())
    for given in ({"cem": value}, {"new": {"cem": value}}, table, "counts.json", "scores.json", tmp_path / "scores.json"):
        for rule, holds in (("cem of new >= baseline", True), ("cem of new >= baseline + 0.001", False)):
            (verdict,) = check_rules(table, rule, baseline=given).verdicts
            assert (verdict.holds, verdict.baseline["value"], verdict.baseline["paired"]) == (holds, value, False)
    (paired,) = check_rules(table, "cem >= baseline", baseline="old").verdicts
    assert (paired.model, paired.baseline["paired"]) == ("new", True)


@pytest.mark.parametrize(
    ("models", "judged"),
    [
        (["old", "new"], ["old", "new"]),
        (["new", "third"], ["new"]),
        (["third", "fourth"], []),
        (["third"], ["old", "new"]),  # one model is held against every model
    ],
)
def test_a_model_that_counts_of_several_models_do_not_have_has_no_baseline(models, judged):
    table = counts().margin("true", "old", "new")
    truth = [LABELS[i % 3] for i in range(90)]
    answers = {model: [LABELS[min(i % 3 + (i % (2 + n) == 0), 2)] for i in range(90)] for n, model in enumerate(models)}
    before = oe.count(truth, answers, labels=LABELS)
    verdicts = check_rules(table, "cem >= baseline - 0.5", baseline=before).verdicts
    assert [v.model for v in verdicts if v.outcome != "skipped"] == judged
    for v in verdicts:
        if v.outcome == "skipped":
            assert v.found == "the baseline has no cem for this"
        else:
            of = v.model if v.model in models else models[0]
            assert v.baseline["value"] == oe.cem(before[of])


def test_a_baseline_of_another_kind_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = counts().margin("true", "old", "new")
    other = oe.count([0, 1, 2], [0, 1, 1], labels=[0, 1, 2])
    with pytest.raises(oe.ArgumentError, match=re.escape('labels was [0, 1, 2] and is ["low", "mid", "high"]')):
        check_rules(table, "cem >= baseline", baseline=other)
    with pytest.raises(oe.ArgumentError, match=re.escape("was kept with oci, and the rule asks for oci(share=0.25)")):
        check_rules(table, "oci(share=0.25) <= baseline", baseline={"old": {"oci": 0.1}, "new": {"oci": 0.1}})
    kept = {"old": {"cem": 0.9}, "new": {"cem": 0.9}}
    assert {v.outcome for v in check_rules(table, "oci <= baseline", baseline=kept).verdicts} == {"skipped"}  # another score
    for text in ("[1]", "{}", "nonsense", '{"scores": 3}', '{"kind": "ordeval baseline", "schema": 9}'):
        (tmp_path / "odd.json").write_text(text)
        with pytest.raises(oe.ArgumentError, match=r"^odd.json is not a baseline"):
            check_rules(table, "cem >= baseline", baseline="odd.json")


def test_counted_facts_have_rules_too():
    table = oe.count([1, 2, 3, 1], [1, 2, None, 1], labels=[1, 2, 3], missing="unanswered")
    report = check_rules(table, ["rows >= 4", "answered >= 0.8", "answered >= 0.7"])
    assert [v.holds for v in report.verdicts] == [True, False, True]


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("answered of new >= old", False),
        ("answered of new >= old - 0.25", True),
        ("answered of old >= new + 0.25", True),
        ("answered of old >= new + 0.3", False),
        ("rows of new >= old", True),
    ],
)
def test_counted_facts_are_held_against_those_of_another_model(rule, holds):
    table = oe.count([1, 2, 3, 1], {"old": [1, 2, 2, 1], "new": [1, 2, None, 1]}, labels=[1, 2, 3], missing="unanswered")
    (verdict,) = check_rules(table, rule).verdicts
    assert verdict.holds is holds
    assert verdict.value == {"answered of new": 0.75, "answered of old": 1.0, "rows of new": 4}[rule.partition(" >=")[0]]


def test_all_must_hold_and_an_assertion_says_which_did_not():
    assert assert_rules(counts(), "cem >= 0.1").holds
    with pytest.raises(AssertionError) as error:
        assert_rules(counts(), ["cem of new >= 0.99", "mae of new <= 0.5"])
    assert str(error.value).splitlines() == [
        "1 of 2 rules failed",
        f"FAIL  new: cem of new >= 0.99   {oe.cem(counts()['new']):.3f}",
        "pass  new: mae of new <= 0.5   0.067",
        "120 rows read · 120 judged",
    ]


def test_models_and_rules_that_are_not_there():
    with pytest.raises(oe.ArgumentError, match=r"'nwe' in the rule 'cem of nwe >= 1' is none of the models; did you mean new\?"):
        check_rules(counts(), "cem of nwe >= 1")
    with pytest.raises(
        oe.ArgumentError, match="'zebra' in the rule 'cem >= zebra' is none of the models; the models are old, new"
    ):
        check_rules(counts(), "cem >= zebra")
    with pytest.raises(oe.ArgumentError, match="there is no rule; write one, such as cem >= 0.7"):
        check_rules(counts(), [])


def test_json_says_all_of_it():
    report = check_rules(counts(), ["cem of new >= old - 0.5", "cem of new >= baseline", "mae of new <= 0.01"])
    data = json.loads(report.to_json())
    assert (data["schema"], data["outcome"], [r["outcome"] for r in data["rules"]]) == (1, "fail", ["pass", "skipped", "fail"])
    assert set(data["rules"][0]["baseline"]) == {"value", "difference", "low", "high", "paired"}
    assert data["rows"]["read"] == 120
    assert data["signature"].startswith("n:120 k:3 ")


def test_junit_is_read_back_with_the_right_numbers(tmp_path):
    table = counts()
    rules = ["cem of new >= 0.5", "cem of new >= 0.999", "cem of old >= baseline", "accuracy of old >= 0.1"]
    few = oe.count([1, 2, 3], {"a<b": [1, 2, 2], "c\x00d": [1, 2, 3]}, labels=[1, 2, 3])
    path = tmp_path / "junit.xml"
    path.write_text(check_rules(table, rules).to_junit(), encoding="utf-8")
    read = JUnitXml.fromfile(str(path))
    assert (read.tests, read.failures, read.errors, read.skipped) == (4, 1, 0, 1)
    assert {suite.name: (suite.tests, suite.failures, suite.errors, suite.skipped) for suite in read} == {
        "new": (2, 1, 0, 0),
        "old": (2, 0, 0, 1),
    }
    outcomes = [type(case.result[0]).__name__ if case.result else "passed" for suite in read for case in suite]
    assert outcomes == ["passed", "Failure", "Skipped", "passed"]
    path.write_text(check_rules(few, "cohen_kappa >= 0.1 ci").to_junit(), encoding="utf-8")
    read = JUnitXml.fromfile(str(path))
    assert (read.tests, read.failures, read.errors, read.skipped) == (2, 0, 2, 0)
    assert [suite.name for suite in read] == ["a<b", "c\ufffdd"]
    assert ET.fromstring(oe.study.junit_error("<odd> & \x1b")).attrib["errors"] == "1"


def rows(tmp_path):
    write_csv(tmp_path / "rows.csv", [["y", "old", "new"], *((i % 3, min(i % 3 + (i % 5 == 0), 2), i % 3) for i in range(60))])
    return ["check", "rows.csv", "--true", "y", "--pred", "old", "--pred", "new", "--labels", "0,1,2"]


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (["--rule", "cem >= 0.1"], 0),
        (["--rule", "cem >= baseline"], 0),
        (["--rule", "cem of new >= old - 0.1", "--rule", "cem of old >= 0.999"], 1),
        (["--rule", "cem > > 1"], 2),
        (["--rule", "cemm > 1"], 2),
        (["--rule", "cem of odd > 1"], 2),
        (["--rule", "cem >= baseline", "--baseline", "odd.json"], 2),
        (["--rule", "cem >= 0.1", "--by", "nothing"], 3),
        (["--rule", "@nothing.txt"], 3),
        (["--rule", "cem >= 0.1", "--format", "xml"], 2),
        ([], 2),
    ],
)
def test_exit_codes_of_check(more, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.json").write_text("[]")
    done = ordeval(*rows(tmp_path), *more)
    assert (done.code, "Traceback" in done.err) == (code, False), done.err


def test_check_writes_what_ci_reads(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.txt").write_text("# two\ncem of new >= 0.5\n\ncem of old >= 0.999\n")
    (tmp_path / "summary.md").write_text("before\n")
    same = [*rows(tmp_path), "--rule", "@rules.txt"]
    done = ordeval(*same, "--format", "junit", "--junit", "out.xml", "--summary", "summary.md")
    assert (done.code, done.out) == (1, (tmp_path / "out.xml").read_text())
    said = (tmp_path / "summary.md").read_text()
    assert said.startswith("before\n1 of 2 rules failed.\n\n|")
    assert json.loads(ordeval(*same, "--format", "json").out)["outcome"] == "fail"
    write_csv(tmp_path / "rows.csv", [["y", "old"], [9, 9]])
    assert ordeval(*same, "--junit", "out.xml").code == 3
    assert JUnitXml.fromfile("out.xml").errors == 1
