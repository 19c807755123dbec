"""Sentences for people and papers: what was found, how it was computed, and whom to cite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ordeval.counts import Counts
from ordeval.evaluation._study import fixed_in, study_sentences
from ordeval.evaluation._text import independent, unit_words
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import short_title
from ordeval.metrics.core.references import BIBLIOGRAPHY, Paper
from ordeval.show import _escapes as escape
from ordeval.show._numbers import listed, number

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation, Leaderboard

METHODS = {
    "mid-P": "mid-P limits",
    "test inversion": "inversion of a test along the direction in which the score changes fastest, by simulation",
    "class limits": "the limits of the single classes",
    "percentile": "the percentile bootstrap",
    "basic": "the basic bootstrap",
    "bca": "the bias-corrected and accelerated bootstrap",
    "studentised": "the studentised bootstrap",
    "stratified": "the bootstrap with the rows of each true class held fixed",
    "jackknife": "the jackknife with Student's t",
    "delta": "the large-sample error",
    "fisher": "the large-sample error on Fisher's z scale",
    "wilson": "Wilson's interval",
    "bayes": "the Bayesian bootstrap",
    "dirichlet": "a Dirichlet posterior with a prior worth one row in total",
}


def headline(result: Evaluation, model: str = "") -> str:
    """How good, and how sure."""
    if not result.scores:
        return "No score was asked for."
    text, score = next(iter(result.scores.items()))
    metric = get_metric(text)
    who, name = model or "The model", short_title(text)
    if np.isnan(score.value):
        return f"{who} has no {name}: {score.reason or metric.undefined}."
    ends = dict(zip(("lower", "higher"), metric.bounds_for(result.counts.scale.K), strict=True))
    best = ends[metric.direction] if isinstance(metric.direction, str) else metric.direction
    perfect, level = f"; {best:.3g} is perfect" if np.isfinite(best) else "", f"{100 * result.settings['confidence_level']:g} %"
    sure = f"{level} interval {number(score.low)} to {number(score.high)}" if score.method != "none" else "no interval"
    return f"{who}: {name} {number(score.value)} ({sure}{perfect})."


def rows_sentence(counts: Counts) -> str:
    """Which rows were scored, and what became of the others."""
    audit = counts.audit
    if audit.read is None or audit.scored is None:
        return "The table holds weights; the number of rows behind it is not known."
    sentence = (
        f"{audit.scored:,} of {audit.read:,} rows were judged"
        if audit.scored != audit.read
        else f"All {audit.read:,} rows were judged"
    )
    left = [f"{rows:,} were left out ({reason})" for reason, rows in audit.excluded.items()]
    if audit.unanswered:
        left.append(f"{audit.unanswered:,} have no answer")
    return f"{sentence}; {listed(left)}." if left else f"{sentence}."


def methods(results: Mapping[str, Evaluation], comparison: Comparison | None = None) -> str:
    """A paragraph for the methods section of a paper."""
    from ordeval.base.version import __version__

    first = next(iter(results.values()))
    counts, settings = first.counts, first.settings
    classes = " < ".join(str(label) for label in counts.scale.labels) if counts.scale.K <= 12 else str(counts.scale)
    source = fixed_in(settings, counts.scale.inferred)
    whole = comparison.counts if comparison is not None else counts
    sentences = [
        f"Predictions of {counts.scale.K} ordered classes ({classes}; {source}) were scored with ordeval {__version__} "
        f"(numpy {np.__version__}).",
        *study_sentences(settings),
        rows_sentence(whole),
        f"Scores: {listed(_cited(text) for text in first.scores) if first.scores else 'none'}.",
    ]
    by_method: dict[str, list[str]] = {}
    for text, score in first.scores.items():
        by_method.setdefault(score.method, []).append(get_metric(text).title)
    given = [f"{METHODS[method]} ({', '.join(titles)})" for method, titles in by_method.items() if method in METHODS]
    level = f"{100 * settings['confidence_level']:g} %"
    unit = unit_words(counts)
    samples = "simulated samples at every step" if settings["method"] == "auto" else f"resamples of {unit}"
    if given:
        sentences.append(
            f"Confidence intervals ({level}{independent(first)}) are by {listed(given)}, "
            f"with {settings['n_resamples']:,} {samples} where they are needed (seed {settings['rng']})."
        )
    if "none" in by_method:
        sentences.append(f"No interval is given for {listed(by_method['none'])}.")
    if comparison is not None:
        s = comparison.settings
        primary = get_metric(comparison.primary).title
        together = len(comparison.differences) == 1 or all(one.counts.total == whole.total for one in results.values())
        same = f"on the same {unit_words(whole)}" if together else "on the rows that both of a pair answered"
        sentences.append(
            f"Models were compared {same}: the paired difference in {primary}, the score that decides, has an interval and a "
            f"p-value from one test on the joint table (seed {s['rng']})"
            + (", simultaneous for all pairs of models" if len(comparison.differences) > 1 else "")
            + ("; the intervals of the other differences are simultaneous." if len(first.scores) > 1 else ".")
        )
    return " ".join(sentences)


def board_methods(board: Leaderboard) -> str:
    """The same for many runs joined with one truth."""
    from ordeval.base.version import __version__

    counts, s = board.counts, board.settings
    ranks = ""
    if board.ranks is not None:
        ranks = (
            f" Ranks are by {short_title(board.primary)}, from simultaneous {100 * s['confidence_level']:g} % confidence intervals "
            f"of all paired differences ({s['n_resamples']:,} simulated samples, seed {s['rng']})."
        )
    return (
        f"{len(board.models)} runs were joined with the truth by id and scored with ordeval {__version__} (numpy {np.__version__}), "
        f"on {counts.scale.K} ordered classes. {rows_sentence(counts)} Scores: {listed(_cited(text) for text in board.metrics)}.{ranks}"
    )


def _cited(text: str) -> str:
    metric = get_metric(text)
    shown = metric.title if text == metric.name else f"{metric.title} ({text})"
    if not metric.cite:
        return shown
    return f"{shown} ({authors(metric.cite)}, {BIBLIOGRAPHY[metric.cite].year})"


def authors(cite: str) -> str:
    """The family names of one or two authors of a paper, or of the first of more."""
    names = [author.partition(",")[0] for author in BIBLIOGRAPHY[cite].authors]
    return " & ".join(names) if len(names) <= 2 else f"{names[0]} et al."


def bibtex(texts: Iterable[str]) -> str:
    """The papers behind these metrics."""
    keys = dict.fromkeys(get_metric(text).cite for text in texts)
    return "\n\n".join(_entry(key, BIBLIOGRAPHY[key]) for key in keys if key)


def _entry(key: str, paper: Paper) -> str:
    fields = {
        "author": " and ".join(escape.latex(author) for author in paper.authors),
        "title": f"{{{escape.latex(paper.title)}}}",
        "year": str(paper.year),
        "howpublished": escape.latex(paper.place),
        **({"doi": paper.doi} if paper.doi else {}),
    }
    return "\n".join([f"@misc{{{key},", *(f"  {name} = {{{value}}}," for name, value in fields.items()), "}"])
