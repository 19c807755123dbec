"""Figures of the papers that have a slider: which is shown, how far it goes, and its address."""

from __future__ import annotations

from dataclasses import dataclass

import ordeval as oe
from ordeval.app.links import Link, Part, number_in, one_of
from ordeval.app.recipes import Recipe, in_python


@dataclass(frozen=True)
class Kind:
    """A figure: what it is called, where it was printed, what its slider moves and between which numbers."""

    title: str
    source: str
    slider: str
    least: float
    most: float
    start: float
    call: str  #: in Python, with {value} for the slider's


KINDS = {
    "single": Kind(
        "One row, further and further off: the ordinal index",
        "Cardoso & Sousa (2011), Fig. 4",
        "Penalty β of one more curve",
        0.0,
        1.0,
        0.125,
        "oe.plot.SingleRowDisplay.from_betas({value})",
    ),
    "tridiagonal": Kind(
        "As many rows one step off on either side as right ones: seven scores and the number of classes",
        "Cardoso & Sousa (2011), Fig. 5",
        "Classes, at most",
        3,
        60,
        30,
        "oe.plot.TridiagonalDisplay.from_classes({value})",
    ),
    "x-tilde": Kind(
        "The best length of an open interval",
        "Binotto & Delgado (2023), Fig. 1",
        "Largest L, the length of the second interval in units of the first",
        3.0,
        50.0,
        10.0,
        "oe.plot.OptimalLengthDisplay.from_ratio({value})",
    ),
}
PRINTED_BETAS = oe.plot.SingleRowDisplay.from_betas().betas  #: the curves of the printed figure


@dataclass(frozen=True)
class Figure:
    """What the page shows."""

    show: str = "single"
    at: float | None = None  #: where the slider stands; None where it began

    @property
    def kind(self) -> Kind:
        return KINDS[self.show]

    @property
    def value(self) -> float:
        """Where the slider stands, within its bounds."""
        kind = self.kind
        return kind.start if self.at is None else min(max(self.at, kind.least), kind.most)

    @property
    def betas(self) -> tuple[float, ...]:
        """The printed curves, and the visitor's."""
        return tuple(sorted({*PRINTED_BETAS, self.value}))

    @property
    def display(self) -> oe.plot.Display:
        if self.show == "single":
            return oe.plot.SingleRowDisplay.from_betas(self.betas)
        if self.show == "tridiagonal":
            return oe.plot.TridiagonalDisplay.from_classes(int(self.value))
        return oe.plot.OptimalLengthDisplay.from_ratio(self.value)

    @property
    def recipe(self) -> Recipe:
        """The same figure in Python."""
        given = {"single": self.betas, "tridiagonal": int(self.value)}.get(self.show, self.value)
        python = f"import ordeval as oe\n\nfigure = {self.kind.call.format(value=given)}\nprint(figure.to_svg())"
        return Recipe(python, in_python(python))


LINK = Link(Figure(), Figure, {"show": Part("show", one_of(KINDS)), "at": Part("at", number_in(0, 60), lambda at: f"{at:g}")})
