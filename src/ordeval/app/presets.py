"""Tables to start from.  Each answers a question; some are the papers' own, some are made of the classes on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ordeval as oe
from ordeval.app.tables import Cells, Table, as_cells, table_link

_PAPERS = oe.papers.examples
GRADES = ("green", "yellow", "orange", "red")


@dataclass(frozen=True)
class Preset:
    """A question, what there is to see, and the table that shows it."""

    name: str
    asks: str
    shows: str
    make: Callable[[Table], Table]  #: of the table on the screen


def _cells(matrix: Any) -> Cells:
    return as_cells(np.asarray(matrix).tolist(), len(matrix))


def _fixed(labels: tuple[str, ...], matrix: Any, pinned: Any) -> Callable[[Table], Table]:
    table = Table(labels, _cells(matrix), _cells(pinned))
    return lambda _: table


def _answered(answers: Callable[[np.ndarray], np.ndarray]) -> Callable[[Table], Table]:
    """The true classes on the screen, answered in another way; the table that was there is pinned."""

    def make(table: Table) -> Table:
        return replace(table, cells=_cells(answers(np.array(table.truths))), pinned=table.cells)

    return make


def _at(truths: np.ndarray, answer: np.ndarray) -> np.ndarray:
    """All rows of each true class with one answer."""
    table = np.zeros((len(truths), len(truths)), int)
    table[np.arange(len(truths)), answer] = truths
    return table


def _random(truths: np.ndarray) -> np.ndarray:
    """Each class answered as often as it occurs, whatever the truth; drawn with seed 0."""
    shares = truths / truths.sum() if truths.any() else np.full(len(truths), 1 / len(truths))
    return np.random.default_rng(0).multinomial(truths, shares)


#: Two models that are both right 80 times of 100.  One errs by a step, the other sends reds home.
NEAR = [[45, 5, 0, 0], [4, 20, 1, 0], [0, 3, 10, 2], [0, 0, 5, 5]]
FAR = [[45, 0, 0, 5], [0, 20, 1, 4], [3, 0, 10, 2], [5, 0, 0, 5]]

_QUESTIONS = [
    Preset(
        "cem",
        "Which is better, A or B?  (the CEM paper)",
        "Both systems of the CEM paper are right 70 times of 100.  The table is system B and A is pinned: accuracy sees no "
        "difference, CEM does, because A confuses negative and positive more often.",
        _fixed(("negative", "neutral", "positive"), _PAPERS.SYSTEMS["B"], _PAPERS.SYSTEMS["A"]),
    ),
    Preset(
        "harm",
        "Same accuracy, different harm?",
        "Both models are right 80 times of 100.  The pinned one errs by one step; the one in the table calls reds green and "
        "greens red.",
        _fixed(GRADES, FAR, NEAR),
    ),
    Preset(
        "order",
        "Same errors, but is the order kept?  (the OCI paper)",
        "Matrices B (pinned) and D of the OCI paper: the same share of errors and the same number of steps off.  B keeps the "
        "order of the classes, D turns two of them around.",
        _fixed(("1", "2", "3", "4"), _PAPERS.MATRICES["D"], _PAPERS.MATRICES["B"]),
    ),
    Preset(
        "rare",
        "Does it matter which class is missed?  (the STC paper)",
        "The two classifiers of the STC paper's example, 15 rows each: one row of the highest class is called middle (pinned) or "
        "lowest.",
        _fixed(("1", "2", "3"), _PAPERS.TOY["B"], _PAPERS.TOY["A"]),
    ),
    Preset("perfect", "What if every answer is right?", "The same true classes, all answered rightly.", _answered(np.diag)),
    Preset(
        "majority",
        "What if it always says the majority?",
        "The same true classes, all answered with the most frequent one.  What still looks good here is easy to please.",
        _answered(lambda truths: _at(truths, np.full(len(truths), truths.argmax()))),
    ),
    Preset(
        "shifted",
        "What if every answer is one class too high?",
        "The same true classes, each called the next one; the highest has none and is called itself.  Correlations see an order "
        "that is kept.",
        _answered(lambda truths: _at(truths, np.minimum(np.arange(len(truths)) + 1, len(truths) - 1))),
    ),
    Preset(
        "reversed",
        "What if it turns the scale upside down?",
        "The same true classes, the lowest called the highest and so on: as wrong as it gets.",
        _answered(lambda truths: _at(truths, np.arange(len(truths))[::-1])),
    ),
    Preset(
        "random",
        "What if it answers at random?",
        "The same true classes, answered by lot, each class as often as it occurs (seed 0).  Coefficients of agreement are near 0.",
        _answered(_random),
    ),
]
PRESETS = {preset.name: preset for preset in _QUESTIONS}
FIRST = PRESETS["cem"].make(Table((), ()))
LINK = table_link(FIRST)  # of the playground and of the path
