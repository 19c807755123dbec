"""Metrics judged on a campaign, as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ordeval.base.arrays import Array
from ordeval.show._numbers import listed, percent
from ordeval.show._plain import WIDTH, align, shorten, wrap

if TYPE_CHECKING:
    from ordeval.choose._meta import MetaEvaluation
    from ordeval.papers._cem_table3 import Table3

LABEL = 41


def _two(value: float) -> str:
    return "—" if math.isnan(value) else f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def _said(text: str) -> list[str]:
    return wrap(text, WIDTH)


def judged(result: MetaEvaluation) -> list[str]:
    """One line for each metric, the best covered first: coverage, robustness, pairs told apart, agreement of halves of the rows."""
    campaign = result.campaign
    apart, cases = result.told_apart(), len(campaign.cases)
    halves = result.by_rows() if campaign.rows is not None and campaign.rows.number.dtype.kind == "i" else {}
    rows_per_case = campaign.tables[:, 0].sum((-2, -1)).mean()
    header = ["metric", "cover", "robust", "apart", *(f"{share * rows_per_case:,.0f}" for share in halves)]
    rows = [header]
    order = sorted(result.judgements, key=lambda j: -np.inf if math.isnan(j.coverage) else j.coverage, reverse=True)
    for found in order:
        mark = " *" if found.metric in result.reference else ""
        by_rows = [_two(values[found.metric]) for values in halves.values()]
        share = "—" if math.isnan(apart[found.metric]) else percent(apart[found.metric])
        rows.append([shorten(found.metric, LABEL) + mark, _two(found.coverage), _two(found.robustness), share, *by_rows])
    lines = [f"{cases:,} test cases × {len(campaign.systems):,} systems, classes {shorten(campaign.scale, 40)}", ""]
    lines += align(rows, right=range(1, len(header)), gap=" ")
    lines += ["", *_said(f"* reference: an improvement counts if {listed(result.reference)} all see it.")]
    lines += _said("cover: rank correlation, over pairs of systems, of score differences with the unanimous improvement ratio.")
    lines += _said("robust: mean rank correlation of the systems' scores between two test cases.")
    lines += _said("apart: pairs of systems told apart at 95 % for all pairs together, test cases resampled.")
    if halves:
        lines += _said(
            f"{', '.join(header[4:])}: mean rank correlation of the systems' scores between two sets of about so many rows of a "
            "test case, without a common row."
        )
    else:
        lines += _said("The rows that the systems share are not known, so nothing can be said about fewer rows.")
    if len(result.metrics) > 1:
        one, other, tau = result.agreement.least
        lines += _said(f"The rankings by {one} and {other} agree least: Kendall's tau-b {_two(tau)}.")
    return lines + _undefined(result)


def _undefined(result: MetaEvaluation) -> list[str]:
    """Which metrics have no score for some systems or cases."""
    cases, systems = len(result.campaign.cases), len(result.campaign.systems)
    found: dict[str, list[str]] = {}
    for judgement in result.judgements:
        missing = [
            f"{number:,} {word}{'s' * (number > 1)}"
            for number, word in ((cases - judgement.cases, "test case"), (systems - judgement.systems, "system"))
            if number and judgement.cases
        ]
        if not judgement.cases:
            missing = ["all test cases"]
        if missing:
            found.setdefault(" and ".join(missing), []).append(judgement.metric)
    lines = []
    for missing_text, metrics in found.items():
        verb, whose = ("is", "its line leaves") if len(metrics) == 1 else ("are", "their lines leave")
        lines += _said(f"{listed(metrics)} {verb} undefined for {missing_text}, which {whose} out.")
    return lines


def synthetic(table: Table3) -> list[str]:
    """The left half of Table 3 of the CEM paper, computed / printed, and what explains the differences."""
    campaign = table.judged.campaign
    lines = [
        f"Coverage on the synthetic campaign of Amigó et al. (2020), {table.reading} reading",
        f"{len(campaign.cases)} test cases × {len(campaign.systems)} systems, seed {table.seed}; columns leave out one kind of system",
        "",
    ]
    rows = [["here/printed", *table.columns]]
    for metric, (name, printed) in table.printed.items():
        pairs = zip(table.coverage[metric], printed, strict=True)
        rows.append([name, *(f"{_two(one)}/{_two(other)}" for one, other in pairs)])
    lines += align(rows, right=range(1, 7))
    others = [metric for metric in table.coverage if metric not in table.printed]
    more = [["not in Table 3", *table.columns], *([metric, *map(_two, table.coverage[metric])] for metric in others)]
    lines += ["", *align(more, right=range(1, 7), gap=" ")]
    mean, documented = table.deviation(), table.deviation(documented=True)
    lines += ["", *_said(f"Mean distance from the 90 printed numbers: {mean:.3f}; with notes 1 and 2: {documented:.3f}.")]
    return [*lines, *notes(table)]


def notes(table: Table3) -> list[str]:
    """What was inferred about the printed table."""
    macro, as_one, as_zero = table.coverage["amae"], table.spearman_as_one, table.coverage["spearman"]
    kappa, cem = table.coverage["cohen_kappa(weights='linear')"], table.coverage["cem"]
    texts = [
        f"1. The rows MAE_m and MSE seem to be exchanged in print: macro average MAE comes out as {_row(macro)}, the row printed as MSE.",
        "2. A correlation with a constant answer is undefined, and counted as 0 above.  Counted as 1, Spearman comes out as "
        f"{_row(as_one)} instead of {_row(as_zero)}.",
        f"3. Linear weighted kappa is ahead of CEM in {int((kappa > cem).sum())} of 6 columns; the paper left it out.",
        "4. The closest reading was chosen after seeing the printed table, from those tried; that and notes 1 and 2 are inferences.",
    ]
    return [line for text in texts for line in wrap(text, WIDTH, then="   ")]


def _row(values: Array) -> str:
    return " ".join(map(_two, values))
