"""The synthetic campaign of Amigó et al. (2020), section 5.3: 50 systems that err in five ways, on 100 test cases.

The paper leaves some choices open.  Two readings have names: the literal one, and the one among those tried that comes
closest to the printed Table 3.  The second was chosen after seeing the table, and is no proof of what was done.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.base.types import Rng
from ordeval.choose._campaign import Campaign, CampaignRows
from ordeval.order.scale import Scale

CASES, ROWS, CLASSES = 100, 200, 11
MAJORITY = 4  # the class at the mean of the true classes
RATIOS = tuple(tenth / 10 for tenth in range(1, 11))
#: The five kinds of mistake, by the names of the paper.
KINDS = {
    "maj": "the majority class, 4",
    "rand": "a class at random",
    "tDisp": "the next class",
    "oDisp": "the class n/10 places further up in the order of the rows",
    "prox": "a class between the true one and one at random",
}


@dataclass(frozen=True)
class Reading:
    """What the paper's words leave open."""

    name: str
    exactly: bool  #: exactly r·n rows are mistakes; otherwise each row is one with probability r
    clip: bool  #: beyond the last place ordinal displacement takes the last row's class; otherwise it keeps the true one
    undefined: dict[str, float] = field(default_factory=dict)  #: what an undefined score counts as


#: A correlation with a constant answer is undefined; the paper does not say what it counts as, and 0 is the usual choice.
_ZERO = {"pearson": 0.0, "spearman": 0.0}

READINGS = {
    reading.name: reading
    for reading in (
        Reading("literal", exactly=True, clip=True, undefined=_ZERO),
        Reading("closest", exactly=False, clip=False, undefined=_ZERO),
    )
}


def reading_of(reading: str | Reading) -> Reading:
    if isinstance(reading, Reading):
        return reading
    if reading not in READINGS:
        raise ArgumentError(
            "there is no reading {reading} of the synthetic experiment",
            argument="reading",
            remedy=f"choose one of {', '.join(READINGS)}",
            values={"reading": repr(reading)},
        )
    return READINGS[reading]


def simulate(reading: str | Reading = "closest", *, cases: int = CASES, rows: int = ROWS, rng: Rng = 0) -> Campaign:
    """The campaign: true classes from a normal distribution around 4 whose deviation grows from 1 to 3 over the cases.

    Systems are called "kind ratio": "oDisp 0.3" displaces three rows in ten.

    >>> simulate("literal", cases=2, rows=50)
    <Campaign: 2 cases × 50 systems, 1 < 2 < 3 < 4 < 5 < 6 < 7 < 8 < 9 < 10 < 11>
    """
    if cases < 1 or rows < 10:
        raise ArgumentError(
            "{cases:{c}}, {rows:{r}}: there is at least 1 case, and a tenth of the rows is at least 1 row",
            argument="cases" if cases < 1 else "rows",
            values={"c": cases, "r": rows},
        )
    chosen, random = reading_of(reading), np.random.default_rng(rng)
    deviation = np.linspace(1, 3, cases)[:, None]
    true = _discrete(random.normal(MAJORITY, deviation, (cases, rows)))
    mistakes = np.stack([*_mistakes(true, chosen, random)], 1)  # (cases, kinds, ratios, rows)
    answers = np.where(_where(mistakes.shape, chosen, random), mistakes, true[:, None, None])
    by_row = answers.reshape(cases, -1, rows).transpose(0, 2, 1).reshape(cases * rows, -1)
    case = np.repeat(np.arange(cases), rows)
    names = [f"{kind} {ratio:g}" for kind in KINDS for ratio in RATIOS]
    found = CampaignRows(case, true.ravel() - 1, by_row - 1, np.ones(cases * rows, int))
    return Campaign.from_rows(Scale(range(1, CLASSES + 1)), [str(i + 1) for i in range(cases)], names, found)


def _discrete(values: Array) -> Array:
    """The closest class."""
    return np.clip(np.round(values), 1, CLASSES).astype(int)


def _mistakes(true: Array, reading: Reading, random: np.random.Generator) -> Iterator[Array]:
    """For each kind what a mistake would answer, (cases, ratios, rows)."""
    cases, rows = true.shape
    shape = cases, len(RATIOS), rows
    order = np.argsort(true, 1, kind="stable")
    ordered = np.take_along_axis(true, order, 1)
    place = np.argsort(order, 1)  # of each row in that order

    def at(places: Array) -> Array:
        found = np.take_along_axis(ordered, places.reshape(cases, -1), 1)
        return found.reshape(places.shape)

    moved = place + rows // 10
    displaced = at(np.minimum(moved, rows - 1))
    between = (place[:, None] + random.uniform(0, rows - 1, shape)) / 2
    kinds = {
        "maj": np.full_like(true, MAJORITY)[:, None],
        "rand": _discrete(random.uniform(1, CLASSES, shape)),
        "tDisp": np.minimum(true + 1, CLASSES)[:, None],
        "oDisp": (displaced if reading.clip else np.where(moved < rows, displaced, true))[:, None],
        "prox": at(np.round(between).astype(int)),
    }
    return (np.broadcast_to(kinds[kind], shape) for kind in KINDS)


def _where(shape: tuple[int, ...], reading: Reading, random: np.random.Generator) -> Array:
    """Which rows are mistakes, (cases, kinds, ratios, rows); every system errs on rows of its own."""
    luck, rows = random.random(shape), shape[-1]
    if not reading.exactly:
        return np.asarray(luck < np.array(RATIOS)[:, None])
    last = np.array([round(ratio * rows) - 1 for ratio in RATIOS])
    return np.asarray(luck <= np.take_along_axis(np.sort(luck, -1), np.broadcast_to(last[:, None], (*shape[:-1], 1)), -1))
