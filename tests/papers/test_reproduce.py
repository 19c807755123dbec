"""The papers' numbers are all there, all judged as recorded, and a verdict that changes is noticed."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import ordeval as oe
from ordeval import papers
from ordeval.cli import app
from ordeval.laws._small_tables import all_small, compositions, full_small, one_step_closer
from ordeval.papers import PAPERS, claims_of, judged
from ordeval.papers import _cem_table2 as cem_table2
from ordeval.papers._claims import ERRATUM, NOT_HERE, REPRODUCED, UNEXPLAINED, VERDICTS, Writer, agrees, judge
from ordeval.papers._oci import tridiagonal
from ordeval.papers._oci_tables import PRINTED, TABLES
from ordeval.show._plain import display_width

README = Path(__file__).resolve().parents[2] / "README.md"

#: Reproduced, errata, not reproducible here.
EXPECTED = {"oci": (111, 12, 1), "cem": (212, 36, 16), "stc": (84, 9, 1), "blog": (27, 8, 0)}


@pytest.fixture(scope="module")
def report():
    return oe.papers.reproduce()


@pytest.fixture(scope="module")
def claims():
    return [claim for paper in PAPERS for claim in claims_of(paper)]


@pytest.mark.slow
def test_totals_of_each_paper(report):
    assert report.ok
    assert {paper: tuple(report.totals(paper).values()) for paper in PAPERS} == EXPECTED
    assert tuple(report.totals().values()) == tuple(map(sum, zip(*EXPECTED.values(), strict=True)))


@pytest.mark.slow
def test_oci_tables_1_to_5(report):
    tables = [f"Table {i}" for i in range(1, 6)]
    assert report.totals("oci", tables) == {REPRODUCED: 83, ERRATUM: 8, NOT_HERE: 0}
    errata = {
        o.claim.place[2:] for o in report.outcomes if o.claim.paper == "oci" and o.claim.where in tables and o.verdict == ERRATUM
    }
    assert ("CM4", "MAE") in errata
    assert {row for row, _ in errata} == {"CM4", "CM5"}
    assert len(PRINTED) * 7 == 91


@pytest.mark.slow
def test_cem_table2(report):
    """Nine ticks of the printed table do not hold as stated; all dashes do."""
    outcomes = [o for o in report.outcomes if (o.claim.paper, o.claim.where) == ("cem", "Table 2")]
    assert report.totals("cem", ["Table 2"]) == {REPRODUCED: 64, ERRATUM: 17, NOT_HERE: 3}
    errata = [o for o in outcomes if o.verdict == ERRATUM]
    assert all((o.claim.printed, o.computed) == ("✓", "–") for o in errata)
    lines = {row.name: row.line for row in cem_table2.ROWS}
    assert len({(lines[o.claim.row], o.claim.column) for o in errata}) == 9
    holds = [{o.computed for o in outcomes if o.claim.row == row.name} for row in cem_table2.ROWS]
    assert [row.name for row, marks in zip(cem_table2.ROWS, holds, strict=True) if marks == {"✓"}] == ["CEM ordinal"]


def test_what_is_said_of_other_readings_of_table_2_is_so():
    assert {(c.row.metric, c.verdict.law) for c in cem_table2.cells() if not c.agrees} == set(cem_table2.SAVINGS)
    for (metric, law), saving in cem_table2.SAVINGS.items():
        assert saving.check(), (metric, law)
        assert saving.holds == (not saving.words.startswith(("No reading", "The difference always")))


def test_the_printed_matrices_have_as_many_rows_as_their_text_says():
    rows = {name: int(np.sum(table)) for name, table in TABLES.items()}
    assert rows == {
        **dict.fromkeys("ABCD", 13),
        **dict.fromkeys(("CM1", "CM2"), 10),
        **dict.fromkeys(("CM3", "CM4", "CM5", "CM6"), 7),
        **dict.fromkeys(("CM10", "CM11", "CM12"), 240),
    }


@pytest.mark.parametrize(
    ("paper", "where"),
    [
        *(("oci", where) for where in ("Figure 4", "Figure 5", "Section 3.3", "Appendix A")),
        *(
            ("cem", where)
            for where in ("Section 3.1", "Appendix A, Fig. 3", "App. B, imbalance", "Proposition 1", "Proposition 2")
        ),
        *(("stc", f"Proposition {i}") for i in range(1, 7)),
        *(("stc", where) for where in ("Section 5, toy example", "Corollary 1", "Section 4.2", "Property 1", "Property 3")),
        *(("stc", f"Appendix A, case {case}") for case in ("a", "b.1", "b.2", "b.3")),
        *(("blog", where) for where in ("Fig. 1", "Fig. 2, ordinal invariance", "Fig. 3, monotonicity", "Fig. 4, imbalance")),
    ],
)
def test_what_must_be_there_is(claims, paper, where):
    assert any(claim.place[:2] == (paper, where) for claim in claims)


def test_places_are_unique_and_records_complete(claims):
    places = [claim.place for claim in claims]
    assert len(set(places)) == len(places)
    for claim in claims:
        assert claim.verdict in VERDICTS
        assert claim.printed or claim.row.endswith(".") or claim.verdict == NOT_HERE
        assert bool(claim.how) == (claim.compute is not None)
        assert claim.compute or claim.verdict == NOT_HERE
        assert bool(claim.counterexample) == (claim.verdict == ERRATUM)


@pytest.mark.slow
def test_every_erratum_is_explained_and_its_counterexample_is_one(claims):
    errata = [claim for claim in claims if claim.verdict == ERRATUM]
    assert errata
    for claim in errata:
        assert claim.explanation.endswith(".")
        assert claim.counterexample.text
        assert claim.counterexample.refutes()
        assert not claim.compute().agrees
        # without its explanation, or with an example that is none, it is no erratum
        assert judge(replace(claim, explanation="")).verdict == UNEXPLAINED
        assert judge(replace(claim, counterexample=replace(claim.counterexample, refutes=lambda: False))).verdict == UNEXPLAINED


def test_what_is_not_reproducible_says_why(claims):
    assert all(claim.explanation for claim in claims if claim.verdict == NOT_HERE)


@pytest.mark.slow
def test_no_statement_is_worded_as_a_proof(report):
    assert all("prove" not in outcome.computed for outcome in report.outcomes)
    for outcome in report.outcomes:
        if not outcome.claim.printed and outcome.claim.compute:
            assert outcome.computed.startswith(("holds", "fails"))
            assert outcome.claim.column


def test_a_printed_number_agrees_to_half_its_last_decimal():
    assert agrees(0.525, "0.53")  # printed half up
    assert agrees(0.525, "0.52")
    assert not agrees(0.5349, "0.54")
    assert not agrees(0.857143, "0.85")  # cut off
    assert agrees(-0.253546, "-0.254")


def test_a_statement_without_cases_does_not_hold():
    claim = Writer("oci").statement("here", "Nothing.", "no case", list, how="")
    assert judge(claim).verdict == UNEXPLAINED


def test_small_cases_are_complete():
    assert sum(map(len, all_small())) == 2126
    assert sum(map(len, full_small())) == 868
    assert len(list(compositions(3, 7))) == 15
    assert tridiagonal(4).sum() == 3 * 4 - 2
    for before, after in one_step_closer(next(iter(full_small()))):
        assert (oe.get_metric("mae").kernel(after) < oe.get_metric("mae").kernel(before)).all()


def changed_claims():
    first, *rest = claims_of("blog")
    return [replace(first, verdict=ERRATUM), *rest]


def test_a_verdict_that_changes_is_reported():
    report = judged(changed_claims())
    assert not report.ok
    assert [outcome.verdict for outcome in report.changed] == [REPRODUCED]
    lines = str(report).splitlines()
    assert "Changed verdicts" in lines
    assert "recorded as erratum, now reproduced" in " ".join(lines)


def test_a_number_that_changes_is_unexplained():
    [claim] = [c for c in claims_of("oci") if c.place[2:] == ("B", "MAE")]
    wrong = judge(Writer("oci").number("Table 1", "B", "MAE", "0.78", lambda: 10 / 13, how=claim.how))
    assert (wrong.verdict, wrong.as_recorded) == (UNEXPLAINED, False)


def run(*args):
    return CliRunner().invoke(app, ["reproduce", *args])


def test_the_command_fails_if_a_verdict_changes(monkeypatch):
    assert run("blog").exit_code == 0
    monkeypatch.setattr(papers, "claims_of", lambda paper: changed_claims())
    done = run("blog")
    assert done.exit_code == 1
    assert "recorded as erratum, now reproduced" in " ".join(done.stdout.split())
    assert done.stdout.splitlines()[-1].startswith("35 checked: ")


@pytest.mark.slow
def test_the_command_shows_everything(report):
    done = run("oci")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert "CM4 MAE 0.85 0.857143 erratum" in [" ".join(line.split()) for line in lines]
    assert lines[-1] == "124 checked: 111 reproduced · 12 errata · 1 not reproducible here"
    for outcome in report.outcomes:
        if outcome.claim.paper == "oci" and outcome.claim.counterexample:
            assert outcome.claim.counterexample.text in " ".join(done.stdout.split())


@pytest.mark.slow
def test_the_report_fits_80_columns(report):
    lines = str(report).splitlines()
    assert max(map(display_width, lines)) <= 80
    assert lines[-1] == "517 checked: 434 reproduced · 65 errata · 18 not reproducible here"


def test_an_unknown_paper_is_one_sentence():
    with pytest.raises(ValueError, match="there is no paper called 'ocr'; choose one of oci, cem, stc, blog"):
        oe.papers.reproduce("ocr")


@pytest.mark.slow
def test_the_readme_tells_the_totals(report):
    reproduced, errata, beyond = report.totals().values()
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert f"{reproduced} of {reproduced + errata + beyond} come out, {errata} are errata" in text
    assert f"{beyond} cannot be reproduced" in text


def test_a_wrong_metric_is_noticed(monkeypatch):
    right = oe.get_metric
    monkeypatch.setattr("ordeval.papers._claims.get_metric", lambda text: right("mae" if text == "mze" else text))
    found = {outcome.claim.place[2:] for outcome in judged(claims_of("oci")).changed}
    assert ("C", "MER") in found
    assert ("C", "MAE") not in found
