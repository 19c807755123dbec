"""The papers behind the metrics, number by number: what they print, what comes out here, and where to read differently."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.papers import _examples as examples
from ordeval.papers._cem_table3 import Table3, table3
from ordeval.papers._claims import Claim, Entry, Outcome, Reproduction, judge
from ordeval.papers._data import Dataset, balance, saddle
from ordeval.papers._figures import FrequencyDisplay, SaddleDisplay
from ordeval.papers._record import claims, entries_of

Paper: TypeAlias = Literal["oci", "cem", "stc", "blog"]

#: The documents, each with a record of its name.
PAPERS = {
    "oci": "Cardoso & Sousa (2011), Measuring the performance of ordinal classification",
    "cem": "Amigó, Gonzalo, Mizzaro & Carrillo-de-Albornoz (2020), An effectiveness metric for ordinal classification",
    "stc": "Binotto & Delgado (2023), How to adapt the performance metrics to ordinal classification by intervals?",
    "blog": "hovinh (2024), An ordinal classification metric: Closeness Evaluation Measure (blog and demo)",
}
#: Those that the bibliography of the metrics has, by the key they have there.
CITED = {"cardoso2011": "oci", "amigo2020": "cem", "binotto2023": "stc"}
_PAPER = "One of the papers; None is all of them."


def _known(paper: str) -> str:
    if paper not in PAPERS:
        raise ArgumentError(
            "there is no paper called {given}",
            argument="paper",
            remedy=f"choose one of {', '.join(PAPERS)}",
            values={"given": repr(paper)},
        )
    return paper


def claims_of(paper: str) -> tuple[Claim, ...]:
    """Every printed unit recorded of one paper."""
    return tuple(claims(_known(paper)))


def judged(found: Iterable[Claim], entries: Iterable[Entry] = ()) -> Reproduction:
    """The report on these claims and entries."""
    return Reproduction(tuple(judge(claim) for claim in found), PAPERS, tuple(entries))


@documented(
    "The entries: place, grade, quotation, premise, finding, the authors' caveat, and the sentence as it should be printed.",
    paper=_PAPER,
)
def errata(paper: Paper | None = None) -> tuple[Entry, ...]:
    """Where a paper should be read differently: one entry for each root cause, with those suspected and those of our copy.

    >>> [(entry.id, entry.grade) for entry in errata("stc")][:2]
    [('S1', 'misprint'), ('S2', 'needs a condition')]
    """
    names = PAPERS if paper is None else [_known(paper)]
    return tuple(entry for name in names for entry in entries_of(name))


@renamed_keywords
@documented(
    "Every number, mark and statement with its verdict: exact, within simulation error, erratum, suspected, undetermined, extraction "
    "(not legible in our copy) or not judged.",
    paper=_PAPER,
    table='Run an experiment again: those behind Tables 5 and 6 of "oci" (minutes; with scikit-learn, and for Table 6 with the data of the '
    'package skordinal) or the simulation behind Table 3 of "cem" (200 seeds, two minutes).',
    models='The models of Tables 5 and 6 to be run; None is oSVM, Frank and Hall and Conventional. "oNN" runs in Table 5 only.',
    quick="Repeat the experiment a few times only.",
    folder="The folder for finished parts of an experiment of oci, from which an interrupted run continues.",
)
def reproduce(
    paper: Paper | None = None,
    *,
    table: int | None = None,
    models: Sequence[str] | None = None,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
) -> Reproduction:
    """Compute again what the papers print, all of them or one.

    Every number, mark and statement is recorded with its place and a verdict.  What differs has an entry, and the program
    computes both its premise and its counter-example.  ``report.ok`` says whether all verdicts still are as recorded; printing
    the report shows everything.

    >>> report = reproduce("blog")
    >>> report.ok, report.totals()["erratum"]
    (True, 8)
    """
    if table is not None:
        return judged(_experiment(paper, table, models, quick, folder))
    if quick or folder is not None or models is not None:
        raise ArgumentError(
            "{models}, {quick} and {folder} are about experiments",
            argument="quick" if quick else "models" if models is not None else "folder",
            remedy="name one by its table: reproduce('oci', {table:6})",
        )
    names = PAPERS if paper is None else [paper]
    return judged((claim for name in names for claim in claims_of(name)), errata(paper))


def _experiment(
    paper: str | None, table: int, models: Sequence[str] | None, quick: bool, folder: str | os.PathLike[str] | None
) -> tuple[Claim, ...]:
    from ordeval.papers import _cem_table3, _oci_experiments

    if (paper, table) == ("cem", 3):
        if models is not None or folder is not None:
            raise ArgumentError(
                f"{{{'models' if models is not None else 'folder'}}} is about the experiments of oci",
                argument="models" if models is not None else "folder",
                remedy="leave it out",
            )
        return tuple(_cem_table3.claims(quick=quick))
    if paper != "oci" or table not in _oci_experiments.TABLES:
        raise ArgumentError(
            "there is no experiment for table {given} of {which}",
            argument="table",
            remedy="those of oci are 5 and 6, that of cem is 3",
            values={"given": repr(table), "which": paper or "no paper"},
        )
    known = (*_oci_experiments.MODELS, _oci_experiments.NETWORK)
    for model in models or ():
        if model not in known:
            raise ArgumentError(
                "there is no model {given} in these experiments",
                argument="models",
                remedy=f"choose from {', '.join(known)}",
                values={"given": repr(model)},
            )
    if folder is not None:
        os.makedirs(folder, exist_ok=True)
    keep = None if folder is None else os.path.join(folder, "oci-experiments.json")
    return _oci_experiments.claims(table, models=tuple(models or _oci_experiments.MODELS), quick=quick, keep=keep)


__all__ = [
    "CITED",
    "PAPERS",
    "Claim",
    "Dataset",
    "Entry",
    "FrequencyDisplay",
    "Outcome",
    "Reproduction",
    "SaddleDisplay",
    "Table3",
    "balance",
    "errata",
    "examples",
    "reproduce",
    "saddle",
    "table3",
]
