"""The report: one content, as a self-contained HTML page, as Markdown and as LaTeX.

A report is a headline and sections of blocks; what a block is decides how each format shows it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from ordeval import _escapes as escape
from ordeval._files import write_text
from ordeval._text import printable
from ordeval.scores import get_metric
from ordeval.scores.references import reference
from ordeval.show import tables, words
from ordeval.show.figures import (
    ConfusionDisplay,
    CutDisplay,
    DifferenceDisplay,
    ErrorProfileDisplay,
    FlipsDisplay,
    ForestDisplay,
    RankDisplay,
)
from ordeval.show.figures._base import Display
from ordeval.show.text import bounds_text, direction, listed, percent

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation

MANY = 15  # classes beyond which the matrix shows counts alone, and cells are small


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Code:
    """Text to copy as it stands."""

    text: str


@dataclass(frozen=True)
class Figure:
    display: Display


@dataclass(frozen=True)
class Row:
    """Figures to be seen beside each other."""

    figures: Sequence[Figure]


@dataclass(frozen=True)
class Card:
    """Facts about one thing, each with its name."""

    title: str
    facts: Sequence[tuple[str, str]]


Block = Paragraph | Code | Figure | Row | Card | tables.Table


@dataclass(frozen=True)
class Section:
    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Report:
    """What a report says, before it has a form."""

    title: str
    headline: str
    sections: Sequence[Section] = field(default_factory=list)

    def to_html(self) -> str:
        """One page that needs nothing else: no script, no request, a strict content security policy."""
        try:
            import jinja2
            import markupsafe
        except ModuleNotFoundError:
            raise ModuleNotFoundError('the HTML report needs its extra; install it with  pip install "ordeval[cli]"') from None

        folder = files("ordeval.show")
        style = (folder / "report.css").read_text(encoding="utf-8")
        environment = jinja2.Environment(
            autoescape=True, finalize=_plain, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        template = environment.from_string((folder / "report.html.jinja").read_text(encoding="utf-8"))
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        from ordeval import __version__

        page: str = template.render(
            report=self, style=style, digest=digest, kind=_kind, svg=_svg, version=__version__, newline=markupsafe.Markup("\n")
        )
        return page

    def to_markdown(self) -> str:
        lines = [f"# {escape.markdown(self.title)}", "", escape.markdown(self.headline)]
        for section in self.sections:
            lines += ["", f"## {escape.markdown(section.title)}"]
            for block in section.blocks:
                lines += ["", _markdown(block)]
        return "\n".join(lines) + "\n"

    def to_latex(self) -> str:
        """A document for LuaLaTeX or XeLaTeX, which know every sign that a label may have."""
        lines = [f"\\section*{{{escape.latex(self.title)}}}", escape.latex(self.headline)]
        for section in self.sections:
            lines += ["", f"\\subsection*{{{escape.latex(section.title)}}}"]
            for block in section.blocks:
                lines += ["", _latex(block)]
        preamble = [
            r"\documentclass{article}",
            r"\usepackage{booktabs,fontspec,graphicx}",
            r"\usepackage[margin=25mm]{geometry}",
            r"\sloppy",  # wide gaps rather than words beyond the margin
            *escape.latex_signs("\n".join(lines)),
            r"\begin{document}",
        ]
        return "\n".join([*preamble, *lines, "", r"\end{document}", ""])


def write(report: Report, path: str | os.PathLike[str], *, force: bool = False) -> None:
    """The report in the format that the name of the file ends with; whole or not at all."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    makers = {".html": report.to_html, ".htm": report.to_html, ".md": report.to_markdown, ".tex": report.to_latex}
    if ending not in makers:
        raise ValueError(f"{os.fspath(path)}: a report is HTML, Markdown or LaTeX; let its name end in .html, .md or .tex")
    write_text(path, makers[ending](), force=force)


# What a report says


def evaluation_report(results: Mapping[str, Evaluation], sources: Mapping[str, str] | None = None) -> Report:
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
    return Report(
        f"How good is {name or 'the model'}?" if len(results) == 1 else "How good are the models?",
        words.headline(first, name),
        sections,
    )


def comparison_report(result: Comparison, sources: Mapping[str, str] | None = None) -> Report:
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
        _audit(first, sources, result),
        _methods(result.evaluations, result),
        _cards(first.scores),
    ]
    title = f"{listed(result.evaluations)}: which is better?"
    return Report(title, f"{result.verdict} {_worry(result)}".strip(), sections)


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


def _groups(results: Mapping[str, Evaluation]) -> list[Section]:
    found = tables.group_tables(results)
    return [Section("Groups", found)] if found else []


def _audit(first: Evaluation, sources: Mapping[str, str] | None, comparison: Comparison | None = None) -> Section:
    from ordeval import __version__

    counts = first.counts if comparison is None else comparison.counts
    taken = "taken from the data" if counts.scale.inferred else "given, or carried by the columns' type"
    facts = [
        ("rows", str(counts.audit)),
        ("classes", " < ".join(str(label) for label in counts.scale.labels)),
        ("order", taken),
        *([("edges", ", ".join(f"{edge:g}" for edge in counts.scale.edges))] if counts.scale.edges is not None else []),
        *(sources or {}).items(),
        ("counts, SHA-256", hashlib.sha256(counts.to_json().encode()).hexdigest()),
        ("settings", first.signature),
        ("versions", f"ordeval {__version__}, numpy {np.__version__}, Python {platform.python_version()}"),
    ]
    return Section("Audit", [Paragraph(words.rows_sentence(counts)), Card("", facts)])


def _methods(results: Mapping[str, Evaluation], comparison: Comparison | None = None) -> Section:
    first = next(iter(results.values()))
    return Section("For your paper", [Paragraph(words.methods(results, comparison)), Code(words.bibtex(first.scores))])


def _cards(texts: Iterable[str]) -> Section:
    cards = []
    for text in texts:
        metric = get_metric(text)
        facts = [
            ("what it is", metric.summary.replace("``", "")),
            (
                "better",
                f"{metric.direction} {direction(metric)}"
                if isinstance(metric.direction, str)
                else f"closer to {metric.direction:g}",
            ),
            ("bounds", bounds_text(metric)),
        ]
        facts += _said(metric.doc)
        if metric.undefined:
            facts.append(("undefined", f"when {metric.undefined}"))
        if metric.cite:
            facts.append(("paper", reference(metric.cite)))
        cards.append(Card(metric.title if text == metric.name else f"{metric.title}: {text}", facts))
    return Section("The metrics", cards)


def _said(doc: str) -> list[tuple[str, str]]:
    """What a metric ignores and when it misleads, from its own words."""
    found = []
    flat = " ".join(doc.replace("``", "").split())
    for word in ("Ignores", "Misleads when"):
        if word in flat:
            sentence = flat[flat.index(word) + len(word) :].split(". ")[0].strip(" .:")
            found.append((word.lower(), sentence))
    return found


# How each format shows a block


def _kind(block: Block) -> str:
    return type(block).__name__


def _plain(value: Any) -> Any:
    """Text without control characters and overrides of its direction; markup, which is ours, as it is."""
    return printable(value) if type(value) is str else value


def _svg(figure: Figure) -> Any:
    """The drawing as markup: made by us, with every label escaped in it."""
    import markupsafe

    return markupsafe.Markup(figure.display.to_svg())  # noqa: S704


def _markdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escape.markdown(block.text)
    if isinstance(block, Code):
        longest = max((len(run) for run in block.text.replace("`", " ` ").split() if set(run) == {"`"}), default=0)
        fence = "`" * max(3, longest + 1)
        return f"{fence}\n{block.text}\n{fence}"
    if isinstance(block, Row):
        return "\n\n".join(map(_markdown, block.figures))
    if isinstance(block, Figure):
        return f"*{escape.markdown(block.display.caption)}*"
    if isinstance(block, Card):
        facts = "\n".join(f"- {escape.markdown(name)}: {escape.markdown(said)}" for name, said in block.facts)
        return f"### {escape.markdown(block.title)}\n\n{facts}" if block.title else facts
    return tables.markdown(block)


def _latex(block: Block) -> str:
    if isinstance(block, Paragraph):
        return escape.latex(block.text)
    if isinstance(block, Code):
        return "\n".join(
            [r"{\footnotesize\ttfamily\raggedright", *(f"{escape.latex(line)}\\par" for line in block.text.splitlines()), "}"]
        )
    if isinstance(block, Row):
        return "\n\n".join(map(_latex, block.figures))
    if isinstance(block, Figure):
        return f"\\emph{{{escape.latex(block.display.caption)}}}"
    if isinstance(block, Card):
        facts = [f"  \\item[{{{escape.latex(name)}}}] {escape.latex(said)}" for name, said in block.facts]
        title = [f"\\subsubsection*{{{escape.latex(block.title)}}}"] if block.title else []
        return "\n".join([*title, r"\begin{description}", *facts, r"\end{description}"])
    return tables.latex(block, floating=False)
