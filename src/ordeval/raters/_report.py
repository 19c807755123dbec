"""The report about raters and a judge: the same page as for models, with what can be said without a truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ordeval.raters import _text as raters
from ordeval.raters._figures import MatrixDisplay, PanelDisplay, SeverityDisplay
from ordeval.show._numbers import number
from ordeval.show._report import Block, Code, Figure, Paragraph, Report, Section
from ordeval.show._tables import Table

if TYPE_CHECKING:
    from ordeval.raters._agreement import Agreement
    from ordeval.raters._instrument import CorrectedGrades
    from ordeval.raters._panel import JudgePanel


def raters_report(agreement: Agreement, panel: JudgePanel | None = None, corrected: CorrectedGrades | None = None) -> Report:
    """How far raters agree, who stands apart, and whether a judge may stand for them."""
    sections = [Section("Agreement", [raters.coefficient_table(agreement), *_said(raters.component_words(agreement))])]
    blocks: list[Block] = [_raters(agreement), *_said(raters.driver_words(agreement))]
    blocks += [Figure(SeverityDisplay.from_agreement(agreement)), Figure(MatrixDisplay.from_agreement(agreement))]
    sections.append(Section("Raters", blocks))
    headline = agreement.sentence
    if panel is not None:
        verdict = raters.panel_verdict(panel)
        sections.append(Section("The judge and the panel", [Paragraph(verdict), Figure(PanelDisplay.from_panel(panel))]))
        headline = f"{verdict} {headline}"
    sentences = [agreement.sentence]
    if corrected is not None:
        lines = "\n".join(raters.instrument_lines(corrected))
        sections.append(Section("The judge as an instrument", [Paragraph(corrected.sentence), Code(lines)]))
        sentences.append(corrected.sentence)
    audit = [*raters.unparsable_words(agreement.counts), agreement.signature]
    sections.append(Section("Audit", [Paragraph(words) for words in audit]))
    sections.append(Section("For your paper", [Paragraph(" ".join(sentences))]))
    return Report("How far do the raters agree?", headline, sections)


def _said(words: str) -> list[Block]:
    return [Paragraph(words)] if words else []


def _raters(agreement: Agreement) -> Table:
    rows = [
        [rater.name, f"{rater.ratings:,}", number(rater.bias.value), number(rater.change.value)]
        for rater in agreement.raters.values()
    ]
    caption = (
        f"Bias is against the other raters; change is what leaving the rater out does to {agreement.titles[agreement.primary]}."
    )
    return Table(["rater", "ratings", "bias", "change"], rows, caption)
