"""The report: one content, as a self-contained HTML page, as Markdown and as LaTeX.

A report is a headline and sections of blocks; what a block is decides how each format shows it.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ordeval.evaluation import _prose as words
from ordeval.evaluation import _tables as tables
from ordeval.evaluation._groups import comparison_groups
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import card_block
from ordeval.plot import (
    ConfusionDisplay,
    CutDisplay,
    DifferenceDisplay,
    ErrorProfileDisplay,
    FlipsDisplay,
    ForestDisplay,
    RankDisplay,
)
from ordeval.show import Block, Card, Code, Figure, Page, Paragraph, Row, Section
from ordeval.show._numbers import listed, percent

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation

MANY = 15  # classes beyond which the matrix shows counts alone, and cells are small


# What a report says


def evaluation_page(results: Mapping[str, Evaluation], sources: Mapping[str, str] | None = None) -> Page:
    """The report of one model, or of several side by side without a comparison."""
    model, first = next(iter(results.items()))
    name = model if len(results) == 1 and model not in ("", "pred") else ""
    shown = results if len(results) > 1 else {name or "model": first}
    sections = [
        Section("Scores", [tables.score_table(results), Figure(ForestDisplay.from_evaluations(shown))]),
        _errors(results),
        *_groups(results),
        _audit(first, sources),
        _methods(results),
        _cards(first.scores),
    ]
    return Page(
        f"How good is {name or 'the model'}?" if len(results) == 1 else "How good are the models?",
        words.headline(first, name),
        sections,
    )


def comparison_page(result: Comparison, sources: Mapping[str, str] | None = None) -> Page:
    """The report of several models on the same rows."""
    compared: list[Block] = [tables.comparison_table(result)]
    if len(result.evaluations) > 2:
        compared.append(Figure(RankDisplay.from_comparison(result)))
    for pair in list(result.differences)[:6]:  # each pair has two figures; beyond a few the rank sets say it better
        compared.append(Figure(DifferenceDisplay.from_comparison(result, pair)))
        compared.append(Figure(FlipsDisplay.from_comparison(result, pair)))
        compared.append(Paragraph(str(result.dominance[pair].by_class)))
    first = next(iter(result.evaluations.values()))
    sections = [
        Section("Scores", [tables.score_table(result.evaluations), Figure(ForestDisplay.from_comparison(result))]),
        Section("Comparison", compared),
        _errors(result.evaluations),
        *_groups(result.evaluations, result),
        _audit(first, sources, result),
        _methods(result.evaluations, result),
        _cards(first.scores),
    ]
    title = f"{listed(result.evaluations)}: which is better?"
    return Page(title, f"{result.verdict} {_worry(result)}".strip(), sections)


def _worry(result: Comparison) -> str:
    """The one thing to worry about: the cut at which some model finds least of what it should."""
    found = [
        (cut.sensitivity, cut.label, k)
        for evaluation in result.evaluations.values()
        for k, (cut, _, _) in enumerate(evaluation.cuts)
        if not np.isnan(cut.sensitivity)
    ]
    if not found:
        return ""
    _, label, k = min(found, key=lambda one: one[0])
    above = "" if label == result.counts.scale.labels[-1] else " or above"
    shares = [f"{model} finds {percent(e.cuts[k][0].sensitivity)}" for model, e in result.evaluations.items()]
    return f"Of the rows truly {label}{above}, {listed(shares)}."


def _errors(results: Mapping[str, Evaluation]) -> Section:
    """Matrix, profile and cuts: the models beside each other; of one model the matrix beside the cuts."""
    many = next(iter(results.values())).counts.scale.K > MANY
    kinds = [
        [Figure(ConfusionDisplay.from_evaluation(result, cells="counts" if many else "both")) for result in results.values()],
        [Figure(ErrorProfileDisplay.from_evaluation(result)) for result in results.values()],
        [Figure(CutDisplay.from_evaluation(result)) for result in results.values()],
    ]
    if many:  # large figures have a line to themselves
        return Section("Where the errors are", [figure for kind in kinds for figure in kind])
    beside = [[*kinds[0], *kinds[2]], kinds[1]] if len(results) == 1 else kinds
    return Section("Where the errors are", [Row(figures) for figures in beside])


def _groups(results: Mapping[str, Evaluation], comparison: Comparison | None = None) -> list[Section]:
    compared = [] if comparison is None else comparison_groups(comparison)
    found = [*compared, *tables.group_tables(results)]
    return [Section("Groups", found)] if found else []


def _audit(first: Evaluation, sources: Mapping[str, str] | None, comparison: Comparison | None = None) -> Section:
    from ordeval.base.version import __version__

    counts = first.counts if comparison is None else comparison.counts
    taken = "taken from the data" if counts.scale.inferred else "given, or carried by the columns' type"
    facts = [
        ("rows", counts.audit.line),
        ("classes", " < ".join(str(label) for label in counts.scale.labels)),
        ("order", taken),
        *([("edges", ", ".join(f"{edge:g}" for edge in counts.scale.edges))] if counts.scale.edges is not None else []),
        *(sources or {}).items(),
        ("counts, SHA-256", hashlib.sha256(counts.to_json().encode()).hexdigest()),
        ("settings", first.signature),
        ("versions", f"ordeval {__version__}, numpy {np.__version__}, Python {platform.python_version()}"),
    ]
    return Section("Audit", [Paragraph(words.rows_sentence(counts)), Card("", facts), *counts.audit.ledger()])


def _methods(results: Mapping[str, Evaluation], comparison: Comparison | None = None) -> Section:
    first = next(iter(results.values()))
    return Section("For your paper", [Paragraph(words.methods(results, comparison)), Code(words.bibtex(first.scores))])


def _cards(texts: Iterable[str]) -> Section:
    return Section("The metrics", [card_block(get_metric(text)) for text in texts])
