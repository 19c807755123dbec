"""The numbers of the story: what each of its seven screens computes, without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ordeval as oe
from ordeval.app.closeness import FIRST as JOURNALS
from ordeval.app.laws_state import EXAMPLES
from ordeval.app.links import Link, Part, names_text, number_in, one_of
from ordeval.app.presets import GRADES
from ordeval.app.score_table import value_of
from ordeval.app.tables import CELLS, Cells, as_cells, counts_from, counts_of, counts_text, labels_from

STEPS = 7
MOODS = ("negative", "neutral", "positive")
#: 20 patients, truly 8 green, 6 yellow, 4 orange and 2 red; all right but one red.
PATIENTS: Cells = ((8, 0, 0, 0), (0, 6, 0, 0), (0, 0, 4, 0), (0, 0, 1, 1))
#: The same patients: X calls 3 greens yellow, Y calls both reds orange.
X: Cells = ((5, 3, 0, 0), (0, 6, 0, 0), (0, 0, 4, 0), (0, 0, 0, 2))
Y: Cells = ((8, 0, 0, 0), (0, 6, 0, 0), (0, 0, 4, 0), (0, 0, 2, 0))
A, B = (as_cells(np.asarray(oe.papers.examples.SYSTEMS[name]).tolist(), 3) for name in ("A", "B"))
JUDGES = ("cem", "accuracy", "mae", "kendall_tau", "cohen_kappa")
RED, SHARE, WEIGHT = (4.0, 10.0), (0.1, 0.9), (1.0, 10.0)
MOST_SIZE = 9999


@dataclass(frozen=True)
class Lesson:
    """Which screen, and what the visitor has moved on it."""

    step: int = 1
    labels: tuple[str, ...] = ()  #: of a table that was brought along
    cells: Cells = ()
    red: float = 4.0  #: the number written beside the highest grade
    sizes: tuple[int, ...] = JOURNALS.first
    pair: tuple[int, int] = (1, 3)  #: truth and answer of the pair looked at
    promise: int = 0
    judge: str = "cem"
    share: float = 0.6
    weight: float = 1.0

    @property
    def patients(self) -> Cells:
        """The table of the first screen."""
        return self.cells if self.step == 1 and self.labels == GRADES else PATIENTS

    @property
    def worked(self) -> tuple[tuple[str, ...], Cells]:
        """The table of the fourth screen: one that was brought along, or the paper's A."""
        return (self.labels, self.cells) if self.step == 4 and self.cells else (MOODS, A)


def score(text: str, labels: Sequence[str], cells: Any) -> float:
    return value_of(oe.get_metric(text), oe.Counts.from_matrix(cells, labels=list(labels)))


# 2: numbers for names


def coded_error(cells: Cells, codes: Sequence[float]) -> float:
    """The mean distance of the numbers written beside truth and answer."""
    table, numbers = np.array(cells), np.array(codes, float)
    return float((table * np.abs(numbers[:, None] - numbers)).sum() / table.sum())


def even_code(first: Cells, second: Cells, codes: Sequence[float]) -> float:
    """The number for the highest class at which both err equally much; the others stay."""
    low, high = ([*codes[:-1], at] for at in (RED[0], RED[0] + 1))
    gap = [coded_error(first, c) - coded_error(second, c) for c in (low, high)]
    return RED[0] + gap[0] / (gap[0] - gap[1])  # both are lines


# 3 and 4: how many people stand between


class Between(NamedTuple):
    """The people from an answer to a truth: half of the answer's own class, all others."""

    own: int
    others: tuple[int, ...]
    rows: int
    share: float
    bits: float


def between(sizes: Sequence[int], truth: int, answer: int) -> Between:
    others = tuple(sizes[truth:answer][::-1] if answer > truth else sizes[answer + 1 : truth + 1])
    bits = oe.parts.closeness_matrix(oe.Counts.from_matrix(np.diag(sizes), labels=list(range(len(sizes)))))
    rows = sum(sizes)
    share = (sizes[answer] / 2 + sum(others)) / rows if rows else float("nan")
    return Between(sizes[answer], others, rows, share, float(bits[truth, answer]))


class Sums(NamedTuple):
    """What a table earns, and what right answers would earn, in bits."""

    earned: float
    most: float


def sums(labels: Sequence[str], cells: Cells) -> Sums:
    counts = counts_of(labels, cells)
    bits, matrix = oe.parts.closeness_matrix(counts), counts.matrix
    earned = float(np.where(matrix > 0, matrix * np.where(matrix > 0, bits, 0), 0).sum())
    totals = matrix.sum(1)
    return Sums(earned, float(sum(n * bits[t, t] for t, n in enumerate(totals.tolist()) if n)))


# 5: the three promises


def promise_tables(promise: int) -> tuple[Cells, Cells]:
    example = EXAMPLES[promise]
    first, second = (as_cells(np.asarray(table).tolist(), 5) for table in (example.first, example.second))
    return first, second


# 6: other class sizes


def with_share(cells: Cells, share: float) -> Any:
    """The same rates in each class, with this share of neutral; negative to positive stays 1 to 3."""
    rates = np.array(cells, float)
    rates /= rates.sum(1, keepdims=True)
    return rates * (100 * np.array([(1 - share) / 4, share, 3 * (1 - share) / 4]))[:, None]


def score_at(text: str, cells: Cells, share: float) -> float:
    return score(text, MOODS, with_share(cells, share))


def even_share() -> float:
    """The share of neutral at which both systems have the same CEM."""
    low, high = SHARE
    for _ in range(50):
        middle = (low + high) / 2
        if score_at("cem", B, middle) > score_at("cem", A, middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


# 7: what an error costs


class Visits(NamedTuple):
    """The bundled visits: the tables of nurse and model, and what they need to be compared by cost."""

    counts: oe.Counts
    found: dict[str, int]  #: reds that are called red
    reds: int

    def cost(self, who: str, weight: float) -> float:
        """Steps off, those of a red counted so many times."""
        matrix = self.counts[who].matrix
        places = np.arange(len(matrix))
        steps = (matrix * np.abs(places[:, None] - places)).sum(1)
        return float(steps[:-1].sum() + weight * steps[-1])

    @property
    def even(self) -> float:
        """The weight of a red at which nurse and model cost the same."""
        gap = [self.cost("nurse", w) - self.cost("model", w) for w in (1.0, 2.0)]
        return 1 + gap[0] / (gap[0] - gap[1])


def visits() -> Visits:
    rows = oe.load_example("triage")
    both = {name: rows[name] for name in ("nurse", "model")}
    counts = oe.count(rows["grade"], both, labels=list(GRADES), missing="drop")
    found = {name: int(counts[name].matrix[-1, -1]) for name in both}
    return Visits(counts, found, int(counts["model"].matrix[-1].sum()))


#: Three small tables on which CEM misleads: what they are, and their scores.
SMALL = (
    (
        "Always the middle of 20, 20, 20",
        ("low", "middle", "high"),
        ((0, 20, 0), (0, 20, 0), (0, 20, 0)),
        ("accuracy", "cem", "cohen_kappa"),
    ),
    (
        "Always neutral of 5, 90, 5",
        MOODS,
        ((0, 5, 0), (0, 90, 0), (0, 5, 0)),
        ("accuracy", "cem", "balanced_accuracy", "cohen_kappa"),
    ),
    (
        "4 of class 1 and 4 of class 4, a 1 called 2",
        ("1", "2", "3", "4"),
        ((3, 1, 0, 0), (0,) * 4, (0,) * 4, (0, 0, 0, 4)),
        ("cem", "mae"),
    ),
    ("The same, the 1 called 3", ("1", "2", "3", "4"), ((3, 0, 1, 0), (0,) * 4, (0,) * 4, (0, 0, 0, 4)), ("cem", "mae")),
)


def least_cem(sizes: Sequence[int]) -> float:
    """The least CEM that these class sizes allow."""
    return float(oe.parts.cem_floor(oe.Counts.from_matrix(np.diag(sizes), labels=list(range(len(sizes))))))


# The address


def _whole(low: int, high: int) -> Any:
    number = number_in(low, high)

    def read(text: str) -> int:
        if number(text) != int(float(text)):
            raise ValueError(f"a whole number from {low} to {high} is needed")
        return int(float(text))

    return read


def _sizes(text: str) -> tuple[int, ...]:
    sizes = counts_from(text)
    if len(sizes) != len(JOURNALS.labels) or max(sizes) > MOST_SIZE or not sum(sizes):
        raise ValueError(f"{len(JOURNALS.labels)} numbers of people up to {MOST_SIZE:,} are needed, not all 0")
    return sizes


def _pair(text: str) -> tuple[int, int]:
    truth, answer = (*counts_from(text), 0, 0)[:2]
    if max(truth, answer) >= len(JOURNALS.labels):
        raise ValueError("two places on the scale are needed, such as 1,3")
    return truth, answer


def _lesson(labels: tuple[str, ...] = (), cells: Cells = (), **given: Any) -> Lesson:
    return Lesson(labels=labels if cells else (), cells=as_cells(cells, len(labels)) if cells and labels else (), **given)


_LESSON_LINK = Link(
    Lesson(),
    _lesson,
    {
        "step": Part("step", _whole(1, STEPS)),
        "classes": Part("labels", labels_from, names_text),
        "table": CELLS,
        "red": Part("red", number_in(*RED), "{:g}".format),
        "sizes": Part("sizes", _sizes, counts_text),
        "pair": Part("pair", _pair, counts_text),
        "promise": Part("promise", _whole(0, len(EXAMPLES) - 1)),
        "judge": Part("judge", one_of(JUDGES)),
        "share": Part("share", number_in(*SHARE), "{:g}".format),
        "weight": Part("weight", number_in(*WEIGHT), "{:g}".format),
    },
)
#: What each screen keeps in the address.
_KEPT = {
    1: ("classes", "table"),
    2: ("red",),
    3: ("sizes", "pair"),
    4: ("classes", "table"),
    5: ("promise", "judge"),
    6: ("share",),
    7: ("weight",),
}


class _OfStep(Link[Lesson]):
    """The address of one screen holds what can be moved there."""

    def write(self, state: Lesson) -> dict[str, str]:
        kept = ("step", *(key for key in _KEPT[state.step] if state.cells or key not in ("classes", "table")))
        return {key: self.parts[key].write(getattr(state, self.parts[key].name)) for key in kept}


LINK = _OfStep(_LESSON_LINK.start, _LESSON_LINK.make, _LESSON_LINK.parts)
