"""The record of the papers is complete, every entry stands on its premise, and what changes is noticed."""

import math
import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import chisquare
from typer.testing import CliRunner

import ordeval as oe
from ordeval import papers
from ordeval.cli.program import app
from ordeval.laws._small_tables import all_small, compositions, full_small, one_step_closer
from ordeval.papers import PAPERS, claims_of, judged
from ordeval.papers import _cem_table2 as cem_table2
from ordeval.papers._claims import (
    ERRATUM,
    EXACT,
    EXTRACTION,
    GRADES,
    NOT_JUDGED,
    UNEXPLAINED,
    VERDICTS,
    Claim,
    Outcome,
    Reproduction,
    agrees,
    judge,
    number,
    statement,
)
from ordeval.papers._oci import MATRICES, class_shares, tridiagonal
from ordeval.papers._oci_entries import _brackets
from ordeval.papers._record import record_of
from ordeval.show._plain import display_width

#: Exact, within simulation error, erratum, suspected, undetermined, extraction, not judged: in each place of each paper.
PLACES = {
    "oci": {
        "Table 1": (28, 0, 0, 0, 0, 0, 0),
        "Table 2": (14, 0, 0, 0, 0, 0, 0),
        "Table 3": (13, 0, 1, 0, 0, 0, 0),
        "Table 4": (7, 0, 7, 0, 0, 0, 0),
        "Table 5": (21, 0, 0, 0, 0, 0, 0),
        "Table 6, means": (0, 11, 0, 0, 1, 0, 3),
        "Table 6, standard deviations": (0, 10, 0, 0, 2, 0, 3),
        "statements": (30, 0, 6, 0, 0, 1, 3),
    },
    "cem": {
        "Section 3.1": (6, 0, 1, 0, 0, 0, 0),
        "Section 3.2": (6, 0, 2, 0, 0, 0, 0),
        "Section 4.1": (7, 0, 1, 0, 0, 0, 0),
        "Table 2": (45, 0, 9, 0, 0, 0, 0),
        "Section 4.2": (1, 0, 0, 0, 0, 0, 0),
        "Table 3, left": (0, 29, 0, 12, 49, 0, 0),
        "Table 3, right": (0, 0, 0, 0, 0, 0, 90),
        "Section 5.3": (6, 0, 0, 0, 0, 0, 0),
        "Section 5.4": (4, 0, 0, 0, 0, 0, 6),
        "Appendix A": (16, 0, 1, 0, 0, 0, 0),
        "Appendix B": (10, 0, 3, 0, 0, 0, 0),
        "Appendix C": (2, 0, 1, 0, 0, 0, 0),
    },
    "stc": {
        "Section 2": (5, 0, 2, 0, 0, 0, 1),
        "Section 3": (8, 0, 0, 0, 0, 1, 0),
        "Section 4": (11, 0, 2, 0, 0, 0, 0),
        "Section 5": (19, 0, 1, 0, 0, 0, 0),
        "Appendix A": (48, 0, 0, 0, 0, 0, 0),
    },
    "blog": {"text": (11, 0, 4, 0, 0, 0, 0), "figures": (18, 0, 4, 0, 0, 0, 0)},
}
SUMS = {
    "oci": (113, 21, 14, 0, 3, 1, 9),
    "cem": (103, 29, 18, 12, 49, 0, 96),
    "stc": (91, 0, 5, 0, 0, 1, 1),
    "blog": (29, 0, 8, 0, 0, 0, 0),
}
LAST_LINE = (
    "603 printed: 336 exact · 50 within simulation error · 45 errata (32 causes) · 12 suspected · 52 undetermined · 2 not legible · "
    "106 not judged"
)
COMPUTED = Path(__file__).parent / "computed.txt"
ENTRIES = {entry.id: entry for entry in oe.papers.errata()}
#: Statements of OCI, by section.
OF_SECTIONS = {"2": 5, "3": 3, "3.1": 2, "3.2": 3, "3.3": 3, "3.4": 1, "4": 2, "4.1": 4, "4.2": 3, "4.3": 6, "4.4": 2}


@pytest.fixture(scope="module")
def report():
    return oe.papers.reproduce()


@pytest.fixture(scope="module")
def claims():
    return [claim for paper in PAPERS for claim in claims_of(paper)]


@pytest.mark.slow
def test_totals_of_each_place(report):
    assert report.ok
    found = {paper: {place: tuple(report.totals(paper, place).values()) for place in places} for paper, places in PLACES.items()}
    assert found == PLACES
    assert {paper: tuple(report.totals(paper).values()) for paper in PAPERS} == SUMS
    assert tuple(report.totals().values()) == tuple(map(sum, zip(*SUMS.values(), strict=True))) == (336, 50, 45, 12, 52, 2, 106)
    assert report.summary == str(report).splitlines()[-1] == LAST_LINE


@pytest.mark.parametrize("name", [f"{paper} {place}" for paper in PLACES for place in PLACES[paper]])
def test_what_each_place_gives(claims, name):
    """Every number computed, and in how many cases each statement was tried, kept in computed.txt; see its first line."""
    paper, _, place = name.partition(" ")
    found = [judge(claim) for claim in claims if (claim.paper, claim.place) == (paper, place)]
    assert [one.claim.key for one in found if not one.as_recorded] == []
    lines = [" · ".join((one.verdict, one.computed, one.claim.row, one.claim.column)) for one in found]
    if os.environ.get("REWRITE_GOLDEN"):
        rewrite(f"## {paper}, {place}", lines)
    assert kept()[f"## {paper}, {place}"] == lines


def kept():
    """What stands in computed.txt below each heading."""
    _, *parts = re.split(r"^(?=## )", COMPUTED.read_text(encoding="utf-8"), flags=re.M)
    return {part.splitlines()[0]: part.splitlines()[1:-1] for part in parts}


def rewrite(heading, lines):
    parts = kept() | {heading: lines}
    first = "Rewritten by REWRITE_GOLDEN=1 python -m pytest tests/papers/test_reproduce.py; read the difference.\n\n"
    COMPUTED.write_text(first + "".join("\n".join([name, *of, "", ""]) for name, of in parts.items()), encoding="utf-8")


def test_what_is_recorded_adds_up(claims):
    """The same totals from the record alone, without computing anything."""
    found = {paper: dict.fromkeys(places, (0,) * 7) for paper, places in PLACES.items()}
    for claim in claims:
        row = list(found[claim.paper][claim.place])
        row[VERDICTS.index(claim.verdict)] += 1
        found[claim.paper][claim.place] = tuple(row)
    assert found == PLACES
    assert len(claims) == 603
    sections = [re.match(r"(?:Section ([\d.]+)|Appendix A)", c.where)[1] or "A" for c in claims if c.place == "statements"]
    assert {section: sections.count(section.rstrip(".")) for section in OF_SECTIONS} == OF_SECTIONS
    assert sections.count("A") == 6


@pytest.mark.parametrize("paper", [None, *PLACES])
def test_totals_go_by_the_place_and_not_by_where_in_it(claims, paper):
    """Verdicts as recorded, so that nothing is computed; and one that nothing explains."""
    found = Reproduction(tuple(Outcome(claim, "", claim.verdict) for claim in claims), PAPERS)
    within = [places for name, places in PLACES.items() if paper in (None, name)]
    for place in dict.fromkeys(place for places in PLACES.values() for place in places):
        expected = np.sum([places.get(place, (0,) * len(VERDICTS)) for places in within], 0)
        assert found.totals(paper, place) == dict(zip(VERDICTS, expected.tolist(), strict=True))
    sums = [SUMS[name] for name in PLACES if paper in (None, name)]
    assert found.totals(paper) == dict(zip(VERDICTS, np.sum(sums, 0).tolist(), strict=True))
    one = replace(found, outcomes=(*found.outcomes, Outcome(claims[0], "", UNEXPLAINED)))
    assert one.totals(claims[0].paper, claims[0].place)[UNEXPLAINED] == 1
    assert one.totals(claims[0].paper, claims[0].place) == found.totals(claims[0].paper, claims[0].place) | {UNEXPLAINED: 1}


def test_units_of_each_root_cause(claims):
    roots = [claim.root for claim in claims if claim.verdict == ERRATUM]
    several = {root: roots.count(root) for root in roots if roots.count(root) > 1}
    assert several == {"O2": 7, "B2": 5, "C16": 2, "S2": 2, "C1": 2}
    assert len(set(roots)) == 32


def test_entries_by_grade():
    grades = [entry.grade for entry in ENTRIES.values()]
    assert [grades.count(grade) for grade in GRADES] == [9, 2, 10, 11, 1, 3]
    assert len(ENTRIES) == 36


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_has_its_fields(name):
    entry = ENTRIES[name]
    for field in ("id", "grade", "where", "quotation", "premise", "finding", "printed_as", "numbers"):
        assert getattr(entry, field), field
    assert isinstance(entry.caveat, str)
    assert entry.grade in GRADES
    assert " at 0x" not in repr(entry)  # the same in every run
    written = entry.finding.replace("\N{MINUS SIGN}", "-").replace("1/√2", "")
    exact = {"O1": "6/7"}
    for text in entry.numbers.split():
        assert text in written or exact.get(name) in written, f"{text} is computed and not said"


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_stands_on_its_premise(name):
    """Premise and counter-example are computed; an example outside the premise, or one that refutes nothing, makes it fail."""
    entry = ENTRIES[name]
    assert entry.problem_of() == ""
    assert entry.problem_of(**entry.outside) == "the example is outside the premise"
    assert replace(entry, keeps=lambda **case: False).problem_of() == "the example is outside the premise"
    assert replace(entry, refutes=lambda **case: (False, [])).problem_of() == "the example is not a counter-example"
    first, *rest = entry.numbers.split()
    moved = str(float(first) + 1) if "." in first else str(int(first) + 1)
    assert "came out as" in replace(entry, numbers=" ".join([moved, *rest])).problem_of()
    assert replace(entry, numbers=f"{entry.numbers} 1").problem_of().endswith(f"not {len(rest) + 2}")


def test_without_a_farther_neighbour_the_ends_of_a_scale_make_no_difference():
    """C3 needs one: of two equal classes alone, or with an empty third, both have the same rows within a step."""
    entry = ENTRIES["C3"]
    assert entry.problem_of(gold=(1, 1)) == "the example is not a counter-example"
    refuted, bits = entry.refutes(gold=(1, 1, 0, 1))
    assert bits == pytest.approx([-math.log2(share) for share in (1.5 / 3, 1.5 / 3, 1.5 / 3, 1.5 / 3, 2 / 3, 2 / 3)])
    assert not refuted


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_a_mutated_premise_makes_the_report_fail(name, claims):
    """The units that hang on an entry are unexplained once its example has left the premise."""
    entry = replace(ENTRIES[name], case={**ENTRIES[name].case, **ENTRIES[name].outside})
    units = [replace(claim, entry=entry) for claim in claims if claim.root == name][:1]
    report = judged(units, [entry])
    assert not report.ok
    assert "the example is outside the premise" in " ".join(str(report).split())
    assert [one.verdict for one in report.outcomes] == [UNEXPLAINED] * len(units)


def test_records_are_complete(claims):
    keys = [claim.key for claim in claims]
    assert len(set(keys)) == len(keys)
    for claim in claims:
        assert claim.verdict in VERDICTS
        assert claim.printed or claim.row.endswith(".")
        assert (claim.compute is None) == (claim.verdict == NOT_JUDGED)
        assert claim.printed or claim.column or claim.compute is None  # a statement says which cases were tried
        assert bool(claim.root) == (claim.entry is not None)
        assert not claim.root or (claim.premise and claim.entry.id == claim.root)
        assert claim.verdict not in (ERRATUM, "suspected", EXTRACTION) or claim.root
    without = {(c.paper, c.where) for c in claims if c.verdict == NOT_JUDGED} - {
        (c.paper, c.where) for c in claims if c.verdict == NOT_JUDGED and c.reason
    }
    assert without == {("cem", "Section 5.4")}  # said with the right half of Table 3


@pytest.mark.slow
def test_no_statement_is_worded_as_a_proof(report):
    for outcome in report.outcomes:
        if not outcome.claim.printed and outcome.claim.compute:
            assert outcome.computed.startswith(("in all", "so", "not in", "not so"))


@pytest.mark.slow
def test_cem_table_2(report):
    """Nine ticks of the printed table do not hold as stated; all dashes do, and CEM alone has three ticks."""
    outcomes = [o for o in report.outcomes if (o.claim.paper, o.claim.place) == ("cem", "Table 2")]
    differ = [o for o in outcomes if o.verdict == ERRATUM]
    assert [o.claim.root for o in sorted(differ, key=lambda o: int(o.claim.root[1:]))] == [f"C{i}" for i in range(6, 15)]
    assert all((o.claim.printed, o.computed) == ("✓", "–") for o in differ)
    rows = {o.claim.row for o in outcomes}
    assert {row for row in rows if {o.computed for o in outcomes if o.claim.row == row} == {"✓"}} == {"CEM^ORD"}


@pytest.mark.parametrize("penalty", cem_table2.PENALTIES)
def test_rennie_and_srebro(penalty):
    assert cem_table2.rennie_srebro(penalty) == {"Ord. Inv.": False, "Ord. Mon.": True, "Imb.": False}
    losses = cem_table2._losses(penalty, 4)
    if penalty == "0/1":
        assert (losses == np.abs(np.subtract.outer(range(4), range(4)))).all()  # the absolute error
    assert (losses.argmin(1) == np.arange(4)).all()
    # three classes, by hand: the margins of the two cuts are these halves
    by_hand = {
        "0/1": lambda m: float(m < 0),
        "hinge": lambda m: max(0.0, 1 - m),
        "logistic": lambda m: math.log(1 + math.exp(-m)),
        "squared": lambda m: max(0.0, 1 - m) * max(0.0, 1 - m),
    }[penalty]
    first = [[0.5, 1.5], [-0.5, 0.5], [-1.5, -0.5]]
    assert cem_table2._losses(penalty, 3)[0] == pytest.approx([sum(map(by_hand, margins)) for margins in first])


@pytest.mark.parametrize(("second", "near"), [(-0.5, True), (-0.25, False), (-1, False)])
def test_class_sizes_that_other_brackets_would_give_are_told_apart(second, near):
    """By scipy's test, too: 57, 98, 50 and 35 rows of the last four classes are near to the brackets of the paper alone."""
    case = {**ENTRIES["X1"].case, "bounds": [-2, second, 0.25, 1]}
    sizes = np.sum(MATRICES[case["matrix"]], 1)
    expected = 240 * class_shares(case["bounds"], case["noise"], shifted=True) / 100
    assert (chisquare(sizes, expected).pvalue > 0.05) == near
    assert _brackets(**case)[0] == near


def test_the_printed_matrices_have_as_many_rows_as_their_text_says():
    rows = {name: int(np.sum(table)) for name, table in MATRICES.items()}
    assert rows == {
        **dict.fromkeys("ABCD", 13),
        **dict.fromkeys(("CM1", "CM2"), 10),
        **dict.fromkeys(("CM3", "CM4", "CM5", "CM6"), 7),
        **dict.fromkeys(("CM10", "CM11", "CM12"), 240),
    }


def test_a_printed_number_agrees_to_half_its_last_decimal():
    assert agrees(0.525, "0.53")  # printed half up
    assert agrees(0.525, "0.52")
    assert not agrees(0.5349, "0.54")
    assert not agrees(0.857143, "0.85")  # cut off
    assert agrees(-0.253546, "-0.254")
    assert agrees(0.5569, "0.55", 0.001)
    assert not agrees(0.5571, "0.55", 0.001)


def test_a_statement_without_cases_does_not_hold():
    assert not statement([]).agrees
    assert statement([[True, True], [False]]).computed == "not in 1 of 3"


def test_small_cases_are_complete():
    assert sum(map(len, all_small())) == 2126
    assert sum(map(len, full_small())) == 868
    assert len(list(compositions(3, 7))) == 15
    assert tridiagonal(4).sum() == 3 * 4 - 2
    for before, after in one_step_closer(next(iter(full_small()))):
        assert (oe.get_metric("mae").kernel(after) < oe.get_metric("mae").kernel(before)).all()


def changed_claims():
    first, second, *rest = claims_of("blog")
    return [first, replace(second, verdict=NOT_JUDGED), *rest]


def test_a_verdict_that_changes_is_reported():
    report = judged(changed_claims())
    assert not report.ok
    assert [outcome.verdict for outcome in report.changed] == [EXACT]
    lines = str(report).splitlines()
    said = lines[lines.index("Changed verdicts") + 1].split()
    assert said[:2] == ["1.", "blog,"]
    assert "recorded as not judged, now exact" in " ".join(" ".join(lines).split())


def test_a_number_that_changes_is_unexplained():
    wrong = Claim("oci", "Table 1", "Table 1", "B", "MAE", "0.78", lambda: number(lambda: 10 / 13, "0.78"), EXACT)
    assert (judge(wrong).verdict, judge(wrong).as_recorded) == (UNEXPLAINED, False)


def run(*args):
    return CliRunner().invoke(app, ["reproduce", *args])


def test_the_command_fails_if_a_verdict_changes(monkeypatch):
    assert run("blog").exit_code == 0
    monkeypatch.setattr(papers, "claims_of", lambda paper: changed_claims())
    done = run("blog")
    assert done.exit_code == 1
    assert "recorded as not judged, now exact" in " ".join(done.stdout.split())
    assert done.stdout.splitlines()[-1].startswith("37 printed: 29 exact")


def test_the_command_fails_if_an_entry_does_not_stand(monkeypatch):
    first, *rest = oe.papers.errata("blog")
    mutated = replace(first, case={**first.case, **first.outside})
    monkeypatch.setattr(papers, "errata", lambda paper: (mutated, *rest))
    done = run("blog")
    assert done.exit_code == 1
    assert "B2: the example is outside the premise" in " ".join(done.stdout.split())


def test_the_command_shows_everything():
    done = run("oci")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    words = " ".join(done.stdout.split())
    assert "CM4 MAE 0.85 0.857143 O1" in [" ".join(line.split()) for line in lines]
    assert lines[-1].startswith("161 printed: 113 exact · 21 within simulation error · 14 errata (8 causes) · 3 undetermined")
    for entry in oe.papers.errata("oci"):
        for text in (entry.quotation, entry.premise, entry.finding, entry.caveat, entry.printed_as):
            assert " ".join(text.split()) in words
    assert " ".join(oe.papers.errata("cem")[0].finding.split()) in " ".join(run("blog").stdout.split())  # C1 is in both


@pytest.mark.slow
def test_the_report_fits_80_columns(report):
    lines = str(report).splitlines()
    assert max(map(display_width, lines[:-1])) <= 80


def test_an_unknown_paper_is_one_sentence():
    for function in (oe.papers.reproduce, oe.papers.errata):
        with pytest.raises(ValueError, match="there is no paper called 'ocr'; choose one of oci, cem, stc, blog"):
            function("ocr")


def test_a_wrong_metric_is_noticed(monkeypatch):
    right = oe.get_metric
    monkeypatch.setattr("ordeval.papers._claims.get_metric", lambda text: right("mae" if text == "mze" else text))
    found = {(outcome.claim.row, outcome.claim.column) for outcome in judged(claims_of("oci")).changed}
    assert ("C", "MER") in found
    assert ("C", "MAE") not in found


def test_a_successor_is_cited():
    assert "10.1007/s10994-024-06654-4" in record_of("stc")["successor"]
