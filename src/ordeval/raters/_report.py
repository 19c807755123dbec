"""All that is known about some raters, together: what `ordeval raters` prints, and a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.raters._agreement import Agreement
from ordeval.raters._figures import MatrixDisplay, PanelDisplay, SeverityDisplay
from ordeval.raters._instrument import CorrectedGrades
from ordeval.raters._panel import JudgePanel
from ordeval.raters._text import paragraphs, unparsable_words
from ordeval.show import Block, Card, Figure, Page, Paragraph, Result, Section
from ordeval.show._result import Record


@dataclass(frozen=True, eq=False)
class RatersReport(Result):
    """How far raters agree, who stands apart, and whether a judge may stand in for them."""

    agreement: Agreement
    panel: JudgePanel | None = None
    corrected: CorrectedGrades | None = None
    source: str = ""  #: where the ratings are from

    @staticmethod
    @documented("A sentence for each rater with such answers.", counts="The ratings, from `ratings` or `scan`.")
    def notes(counts: Counts) -> list[str]:
        """What raters answered that is not a class."""
        return unparsable_words(counts)

    @property
    def _judged(self) -> list[JudgePanel | CorrectedGrades]:
        return [part for part in (self.panel, self.corrected) if part is not None]

    @property
    def _sentences(self) -> list[tuple[str, str]]:
        corrected = [("corrected grades", self.corrected.sentence)] if self.corrected is not None else []
        return [("agreement", self.agreement.sentence), *corrected]

    def _rows(self) -> list[Record]:
        return self.agreement._rows()

    def _blocks(self) -> list[Block]:
        judged = [block for part in self._judged for block in part._blocks()]
        return [*self.agreement._blocks(self.source), *judged, Card("for a paper", self._sentences)]

    def _tables(self) -> list[Block]:
        return [block for part in (self.agreement, *self._judged) for block in part._tables()]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: agreement, and beside it the panel and the corrected grades where there are some."""
        parts = {"panel": self.panel, "corrected": self.corrected}
        return self.agreement.to_dict() | {name: part.to_dict() for name, part in parts.items() if part is not None}

    @documented("A page for `ordeval.show.write`.")
    def page(self) -> Page:
        """The same as a report, with figures."""
        found = self.agreement
        headline, drawn = found.headline, Figure(SeverityDisplay.from_agreement(found))
        sections = [
            Section("Agreement", [*found._tables(), *paragraphs(found._components_text)]),
            Section("Raters", [found._rater_table(), Figure(MatrixDisplay.from_agreement(found))]),
        ]
        if self.panel is not None:
            headline = f"{self.panel.verdict} {headline}"
            sections.append(Section("The judge and the panel", [Paragraph(self.panel.verdict), drawn]))
            drawn = Figure(PanelDisplay.from_panel(self.panel))
        if self.corrected is not None:
            said = Paragraph(self.corrected.sentence)
            sections.append(Section("The judge as an instrument", [said, *self.corrected._blocks()]))
        facts = [("items", found._head), ("classes", str(found.counts.scale)), ("settings", found.signature)]
        sections.append(Section("Items and reading", [Card("", facts), *paragraphs(*unparsable_words(found.counts))]))
        sections.append(Section("Methods, for your paper", [Paragraph(" ".join(sentence for _, sentence in self._sentences))]))
        return Page(
            "How far do the raters agree?" if self.panel is None else "May the judge stand in for the raters?",
            headline,
            sections,
            judged=f"{found._head}; {found.counts.scale.K} classes: {found.counts.scale}",
            remarks=[said for said in (found._drivers_text, *unparsable_words(found.counts)) if said],
            first=[drawn],
            provenance=found.provenance,
        )
