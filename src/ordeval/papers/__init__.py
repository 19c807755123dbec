"""The papers behind the metrics, number by number: what they print, what comes out here, and why the two differ."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from typing import Literal, TypeAlias

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.papers import _examples as examples
from ordeval.papers._cem_table3 import Table3, table3
from ordeval.papers._claims import ERRATUM, Claim, Outcome, Reproduction, judge

Paper: TypeAlias = Literal["oci", "cem", "stc", "blog"]

#: The documents, each in the module of its name.
PAPERS = {
    "oci": "Cardoso & Sousa (2011), Measuring the performance of ordinal classification",
    "cem": "Amigó, Gonzalo, Mizzaro & Carrillo-de-Albornoz (2020), An effectiveness metric for ordinal classification",
    "stc": "Binotto & Delgado (2023), How to adapt the performance metrics to ordinal classification by intervals?",
    "blog": "hovinh (2024), An ordinal classification metric: Closeness Evaluation Measure (blog and demo)",
}
#: Those that the bibliography of the metrics has, by the key they have there.
CITED = {"cardoso2011": "oci", "amigo2020": "cem", "binotto2023": "stc"}
_PAPER = "One of the papers; None is all of them."


def claims_of(paper: str) -> tuple[Claim, ...]:
    """Everything recorded of one paper."""
    if paper not in PAPERS:
        raise ArgumentError(
            "there is no paper called {given}",
            argument="paper",
            remedy=f"choose one of {', '.join(PAPERS)}",
            values={"given": repr(paper)},
        )
    return tuple(import_module(f"{__name__}._{paper}").claims())


def judged(claims: Iterable[Claim]) -> Reproduction:
    """The report on these claims."""
    return Reproduction(tuple(judge(claim) for claim in claims), PAPERS)


@documented("What is recorded as an error in print, each with its place, an explanation and a counter-example.", paper=_PAPER)
def errata(paper: Paper | None = None) -> tuple[Claim, ...]:
    """The errors in print that are recorded of the papers, or of one of them.

    >>> [claim.row for claim in errata("oci")][:2]
    ['CM4', 'CM5']
    """
    names = PAPERS if paper is None else [paper]
    return tuple(claim for name in names for claim in claims_of(name) if claim.verdict == ERRATUM)


@renamed_keywords
@documented(
    "Every number and statement with its verdict: reproduced, erratum, or not reproducible here.",
    paper=_PAPER,
    table='Run an experiment again, which takes minutes: those behind Tables 5 and 6 of "oci" (with scikit-learn, and for Table 6 with '
    "the data of the package skordinal).",
    quick="Repeat the experiment a few times only.",
    folder="Where what is done of an experiment is kept, so that an interrupted run goes on from it.",
)
def reproduce(
    paper: Paper | None = None, *, table: int | None = None, quick: bool = False, folder: str | os.PathLike[str] | None = None
) -> Reproduction:
    """Compute again what the papers print, all of them or one.

    Every number and statement is recorded with its place and a verdict: reproduced, erratum (with an explanation and a
    counter-example), or not reproducible here (with the reason).  ``report.ok`` says whether all verdicts still are as
    recorded; printing the report shows everything.

    >>> report = reproduce("blog")
    >>> report.ok, report.totals()["erratum"]
    (True, 8)
    """
    if table is not None:
        return judged(_experiment(paper, table, quick, folder))
    if quick or folder is not None:
        raise ArgumentError(
            "{quick} and {folder} are about experiments",
            argument="quick" if quick else "folder",
            remedy="name one by its table: reproduce('oci', {table:6})",
        )
    return judged(claim for name in (PAPERS if paper is None else [paper]) for claim in claims_of(name))


def _experiment(paper: str | None, table: int, quick: bool, folder: str | os.PathLike[str] | None) -> tuple[Claim, ...]:
    from ordeval.papers._oci_experiments import TABLES, claims

    if paper != "oci" or table not in TABLES:
        raise ArgumentError(
            "there is no experiment for table {given} of {which}",
            argument="table",
            remedy=f"those of oci are {' and '.join(map(str, TABLES))}",
            values={"given": repr(table), "which": paper or "no paper"},
        )
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
    return claims(table, quick=quick, keep=None if folder is None else os.path.join(folder, "oci-experiments.json"))


__all__ = [
    "CITED",
    "PAPERS",
    "Claim",
    "Outcome",
    "Reproduction",
    "Table3",
    "errata",
    "examples",
    "reproduce",
    "table3",
]
