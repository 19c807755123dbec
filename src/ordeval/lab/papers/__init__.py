"""The papers behind the metrics, number by number: what they print, what comes out here, and why the two differ."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

from ordeval.lab.papers.claims import Claim, Outcome, Report, judge

#: The documents, each in the module of its name.
PAPERS = {
    "oci": "Cardoso & Sousa (2011), Measuring the performance of ordinal classification",
    "cem": "Amigó, Gonzalo, Mizzaro & Carrillo-de-Albornoz (2020), An effectiveness metric for ordinal classification",
    "stc": "Binotto & Delgado (2023), How to adapt the performance metrics to ordinal classification by intervals?",
    "blog": "hovinh (2024), An ordinal classification metric: Closeness Evaluation Measure (blog and demo)",
}


def claims_of(paper: str) -> tuple[Claim, ...]:
    """Everything recorded of one paper."""
    if paper not in PAPERS:
        raise ValueError(f"there is no paper called {paper!r}; choose one of {', '.join(PAPERS)}")
    return tuple(import_module(f"{__name__}.{paper}").claims())


def judged(claims: Iterable[Claim]) -> Report:
    """The report on these claims."""
    return Report(tuple(judge(claim) for claim in claims), PAPERS)


def reproduce(paper: str | None = None) -> Report:
    """Compute again what the papers print, all of them or one ("oci", "cem", "stc", "blog").

    Every number and statement is recorded with its place and a verdict: reproduced, erratum (with an explanation and a
    counter-example), or not reproducible here (with the reason).  ``report.ok`` says whether all verdicts still are as
    recorded; printing the report shows everything.

    >>> report = reproduce("blog")
    >>> report.ok, report.totals()["erratum"]
    (True, 8)
    """
    return judged(claim for name in (PAPERS if paper is None else [paper]) for claim in claims_of(name))


__all__ = ["PAPERS", "Claim", "Outcome", "Report", "claims_of", "judged", "reproduce"]
