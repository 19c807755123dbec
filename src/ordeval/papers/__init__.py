"""The papers behind the metrics, number by number: what they print, what comes out here, and why the two differ."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module

from ordeval.papers._cem_table3 import Table3, table3
from ordeval.papers._claims import Claim, Outcome, Reproduction, judge

#: The documents, each in the module of its name.
PAPERS = {
    "oci": "Cardoso & Sousa (2011), Measuring the performance of ordinal classification",
    "cem": "Amigó, Gonzalo, Mizzaro & Carrillo-de-Albornoz (2020), An effectiveness metric for ordinal classification",
    "stc": "Binotto & Delgado (2023), How to adapt the performance metrics to ordinal classification by intervals?",
    "blog": "hovinh (2024), An ordinal classification metric: Closeness Evaluation Measure (blog and demo)",
}
#: Those that the bibliography of the metrics has, by the key they have there.
CITED = {"cardoso2011": "oci", "amigo2020": "cem", "binotto2023": "stc"}


def claims_of(paper: str) -> tuple[Claim, ...]:
    """Everything recorded of one paper."""
    if paper not in PAPERS:
        raise ValueError(f"there is no paper called {paper!r}; choose one of {', '.join(PAPERS)}")
    return tuple(import_module(f"{__name__}._{paper}").claims())


def judged(claims: Iterable[Claim]) -> Reproduction:
    """The report on these claims."""
    return Reproduction(tuple(judge(claim) for claim in claims), PAPERS)


def reproduce(
    paper: str | None = None,
    *,
    table: int | None = None,
    quick: bool = False,
    keep: str | os.PathLike[str] | None = None,
) -> Reproduction:
    """Compute again what the papers print, all of them or one ("oci", "cem", "stc", "blog").

    Every number and statement is recorded with its place and a verdict: reproduced, erratum (with an explanation and a
    counter-example), or not reproducible here (with the reason).  ``report.ok`` says whether all verdicts still are as
    recorded; printing the report shows everything.

    ``table`` runs an experiment again, which takes minutes: those behind Tables 5 and 6 of "oci" (with scikit-learn, and for
    Table 6 with the data of the package skordinal).  ``quick`` repeats it a few times only.  ``keep`` names a file that holds
    what is done so far: an interrupted run is taken up from it.

    >>> report = reproduce("blog")
    >>> report.ok, report.totals()["erratum"]
    (True, 8)
    """
    if table is not None:
        return judged(_experiment(paper, table, quick, keep))
    if quick or keep is not None:
        raise ValueError("quick and keep are about experiments; name one by its table: reproduce('oci', table=6)")
    return judged(claim for name in (PAPERS if paper is None else [paper]) for claim in claims_of(name))


def _experiment(paper: str | None, table: int, quick: bool, keep: str | os.PathLike[str] | None) -> tuple[Claim, ...]:
    if paper != "oci":
        raise ValueError(f"there is no experiment for table {table} of {paper or 'no paper'}; those of oci are 5 and 6")
    from ordeval.papers._oci_experiments import claims

    return claims(table, quick=quick, keep=keep)


__all__ = ["CITED", "PAPERS", "Claim", "Outcome", "Reproduction", "Table3", "claims_of", "judged", "reproduce", "table3"]
