"""The report: one content, as a self-contained HTML page, as Markdown and as LaTeX.

Page one is the verdict; the evidence follows in sections.  What a block is decides how each format shows it.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ordeval.counts import Counts
from ordeval.evaluation import _first as first_page
from ordeval.evaluation import _prose as words
from ordeval.evaluation import _tables as tables
from ordeval.evaluation._groups import comparison_groups
from ordeval.evaluation._verdict import decides, weight, winner
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import card_block
from ordeval.plot import ConfusionDisplay, CutDisplay, ErrorProfileDisplay, FlipsDisplay, RankDisplay
from ordeval.show import Block, Card, Code, Figure, Page, Paragraph, Row, Section

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Leaderboard

MANY = 15  # classes beyond which the matrix shows counts alone, and cells are small
PAIRS = 3  # pairs of models that are shown row by row
MATRICES = 6  # models whose errors are drawn
RANKED = 24  # models whose ranks fit on page one

Sources = Mapping[str, str] | None


def evaluation_page(results: Mapping[str, Evaluation], sources: Sources = None, study: str | None = None) -> Page:
    """The report of one model, or of several side by side without a comparison."""
    model, first = next(iter(results.items()))
    name = model if len(results) == 1 and model not in ("", "pred") else ""
    alone = len(results) == 1
    groups = tables.group_tables(results)
    sections = [
        Section("All scores", [tables.score_table(results)]),
        _errors(results, matrix=not alone),
        *([Section("Groups", groups)] if groups else []),
        _audit(first, sources),
        *_methods(results),
        _cards(first.scores),
        *_study(study),
    ]
    return Page(
        f"How good is {name or 'the model'}?" if alone else "How good are the models?",
        words.headline(first, name) if alone else " ".join(words.headline(result, one) for one, result in results.items()),
        sections,
        judged=first_page.judged(first.counts, first.groups),
        remarks=first_page.remarks_on_one(first) if alone else [],
        first=[*_matrices(results)] if len(results) <= 2 else [],
        provenance=first_page.provenance(first),
    )


def comparison_page(result: Comparison, sources: Sources = None, study: str | None = None) -> Page:
    """The report of several models on the same rows."""
    first = next(iter(result.evaluations.values()))
    pairs, two = list(result.differences), len(result.evaluations) == 2
    groups = [*comparison_groups(result), *tables.group_tables(result.evaluations)]
    rows = [block for pair in pairs[:PAIRS] for block in _row_by_row(result, pair, remark=not two)]
    shown = dict(list(result.evaluations.items())[:MATRICES])
    some = (
        [Paragraph(f"The first {len(shown)} of {len(result.evaluations)} models.")]
        if len(shown) < len(result.evaluations)
        else []
    )
    compared = Section("Scores and differences", [*tables.comparison_tables(result), Paragraph(decides(result))])
    paired = Section("Pairs, adjusted for all of them", [tables.paired_table(result)])
    sections = [
        compared if two else paired,
        *([Section("Row by row", rows)] if len(pairs) <= PAIRS else []),
        _errors(shown, matrix=not two, some=some),
        *([Section("Groups", groups)] if groups else []),
        _audit(result, sources),
        *_methods(result.evaluations, result),
        _cards(first.scores),
        *_study(study),
    ]
    judged, provenance = first_page.judged(result.counts, result.groups), first_page.provenance(result)
    if not two:
        ranked = get_metric(result.primary).needs_only_counts
        return Page(
            f"Who is ahead? {len(result.evaluations)} models",
            result.verdict,
            [Section("All scores", [tables.score_table(result.evaluations)]), *sections],
            judged=judged,
            remarks=first_page.remarks_on_many(result.primary, _values(result)),
            first=[Figure(RankDisplay.from_comparison(result))] if ranked and len(result.evaluations) <= RANKED else [],
            provenance=provenance,
        )
    ((a, b),) = pairs
    best = winner(result, (a, b))
    answer = {b: "Yes, ", a: "No, "}.get(str(best), "") if best is not None else ""
    return Page(
        f"Is {b} better than {a}?",
        answer + result.verdict,
        sections,
        judged=judged,
        remarks=first_page.remarks_on_two(result, (a, b)),
        first=_matrices(result.evaluations),
        provenance=provenance,
    )


def leaderboard_page(board: Leaderboard, sources: Sources = None, study: str | None = None) -> Page:
    """The report of many runs joined with one truth."""
    ranks, values = board.ranks, {model: board.scores(model) for model in board.models}
    sections = [
        Section("All scores", board._blocks()),
        *([Section("Pairs, adjusted for all of them", [tables.pairs_table(ranks)])] if ranks is not None else []),
        Section("Every run", [tables.runs_table(board)]),
        Section("Rows and reading", _audited(board.counts, sources, "")),
        Section("For your paper", [Paragraph(words.board_methods(board))]),
        Section("References", [Code(words.bibtex(board.metrics))], printed=False),
        _cards(board.metrics),
        *_study(study),
    ]
    drawn = ranks is not None and len(board.models) <= RANKED
    return Page(
        f"Who is ahead? {len(board.models)} models" if len(board.models) > 1 else f"How good is {board.models[0]}?",
        board.verdict,
        sections,
        judged=first_page.judged(board.counts, {}),
        remarks=[*first_page.remarks_on_many(board.primary, values), *board.few_answers],
        first=[Figure(RankDisplay.from_ranks(ranks))] if drawn and ranks is not None else [],
        provenance=first_page.board_provenance(board),
    )


def _values(result: Comparison) -> dict[str, dict[str, float]]:
    return {model: {text: score.value for text, score in one.scores.items()} for model, one in result.evaluations.items()}


def _matrices(results: Mapping[str, Evaluation]) -> list[Block]:
    """The matrix of each model, shaded alike: by the share of the true class."""
    many = next(iter(results.values())).counts.scale.K > MANY
    return [Row([Figure(ConfusionDisplay.from_evaluation(one, cells="counts" if many else "both")) for one in results.values()])]


def _row_by_row(result: Comparison, pair: tuple[str, str], *, remark: bool) -> list[Block]:
    said = [*result.against[pair], weight(result, pair)] if remark else []
    drawn = Figure(FlipsDisplay.from_comparison(result, pair))
    return [*(Paragraph(one) for one in said if one), drawn, Paragraph(str(result.dominance[pair].by_class))]


def _errors(results: Mapping[str, Evaluation], *, matrix: bool, some: Sequence[Block] = ()) -> Section:
    """Matrix, profile and cuts, the models beside each other and on one axis."""
    many = next(iter(results.values())).counts.scale.K > MANY
    profiles = [ErrorProfileDisplay.from_evaluation(result) for result in results.values()]
    reach = max(profile.reach for profile in profiles)
    kinds: list[list[Figure]] = [
        [Figure(ErrorProfileDisplay.from_evaluation(result, reach=reach)) for result in results.values()],
        [Figure(CutDisplay.from_evaluation(result)) for result in results.values()],
    ]
    title = "Where it errs" if len(results) == 1 else "Where each errs"
    shown = [*some, *(_matrices(results) if matrix else [])]
    if many:  # large figures have a line to themselves
        return Section(title, [*shown, *(figure for kind in kinds for figure in kind)])
    beside = [[*kinds[0], *kinds[1]]] if len(results) == 1 else kinds
    return Section(title, [*shown, *(Row(figures) for figures in beside)])


def _audit(result: Evaluation | Comparison, sources: Sources) -> Section:
    return Section("Rows and reading", _audited(result.counts, sources, result.signature))


def _audited(counts: Counts, sources: Sources, signature: str) -> list[Block]:
    from ordeval.base.version import __version__

    taken = "taken from the data" if counts.scale.inferred else "given, or carried by the columns' type"
    facts = [
        ("rows", counts.audit.line),
        ("classes", " < ".join(str(label) for label in counts.scale.labels)),
        ("order", taken),
        *([("edges", ", ".join(f"{edge:g}" for edge in counts.scale.edges))] if counts.scale.edges is not None else []),
        *(sources or {}).items(),
        ("counts, SHA-256", hashlib.sha256(counts.to_json().encode()).hexdigest()),
        *([("settings", signature)] if signature else []),
        ("versions", f"ordeval {__version__}, numpy {np.__version__}, Python {platform.python_version()}"),
    ]
    return [Paragraph(words.rows_sentence(counts)), Card("", facts), *counts.audit.ledger()]


def _methods(results: Mapping[str, Evaluation], comparison: Comparison | None = None) -> list[Section]:
    first = next(iter(results.values()))
    return [
        Section("Methods, for your paper", [Paragraph(words.methods(results, comparison))]),
        Section("References (BibTeX)", [Code(words.bibtex(first.scores))], printed=False),
    ]


def _cards(texts: Iterable[str]) -> Section:
    return Section("What the scores mean", [card_block(get_metric(text)) for text in texts], printed=False)


def _study(text: str | None) -> list[Section]:
    return [Section("Study file", [Code(text)], printed=False)] if text else []
