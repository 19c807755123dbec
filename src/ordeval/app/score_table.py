"""Every metric on a table: its value, how far from its worst to its best, and what moved."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import ordeval as oe
from ordeval.app.tables import Cells, counts_of

#: The scores that are drawn as bars: they ask different questions.
SHOWN = tuple(text for text in oe.DEFAULT_METRICS if text not in ("accuracy_within", "bias"))
MOVED = 5e-13  # less is rounding
NEEDS = ("whole counts",)  # what a typed table offers to metrics


@dataclass(frozen=True)
class ScoreLine:
    """One metric on the table of the screen."""

    metric: str
    title: str
    plain: str  #: the question that it answers
    better: str  #: ↑, ↓ or the value it aims at
    bounds: str
    value: float
    share: float  #: of the way from the worst score there can be (0) to the best (1); nan where there is no worst
    change: float  #: since the last edit; nan where there was none
    pinned: float  #: the score of the pinned table
    pinned_share: float

    @property
    def ahead(self) -> float:
        """By how much the table scores more than the pinned one."""
        return self.value - self.pinned

    @property
    def moved(self) -> bool:
        return abs(self.change) > MOVED

    def words(self) -> str:
        """Value and change, for the end of a bar."""
        return oe.show.number(self.value) + (f"  ({oe.show.signed(self.change)})" if self.moved else "")


def value_of(metric: oe.Metric, counts: oe.Counts) -> float:
    """The score, undefined as nan, without a warning: the screen says it."""
    return float(metric.bind(counts)(counts.matrix))


def share_of(metric: oe.Metric, value: float, k: int) -> float:
    """How far from its worst to its best a score is, 0 to 1."""
    low, high = metric.bounds_for(k)
    if not isinstance(metric.direction, str):
        reach = max(abs(low - metric.direction), abs(high - metric.direction))
        return 1 - abs(value - metric.direction) / reach if math.isfinite(reach) else math.nan
    if not (math.isfinite(low) and math.isfinite(high)) or low == high:
        return math.nan
    share = (value - low) / (high - low)
    return share if metric.direction == "higher" else 1 - share


@lru_cache(maxsize=512)
def bounds_of(metric: oe.Metric) -> str:
    """The least and the greatest score, as its card says them."""
    return dict(metric.facts())["bounds"]


def score_table(
    labels: tuple[str, ...],
    cells: Cells,
    before: Cells | None = None,
    pinned: Cells | None = None,
    metrics: Sequence[str] | None = None,
) -> list[ScoreLine]:
    """These metrics, or all, on a table, against the table before the last edit and against the pinned one."""
    counts = counts_of(labels, cells)
    earlier = None if before is None or before == cells else counts_of(labels, before)
    beside = None if pinned is None else counts_of(labels, pinned)
    lines = []
    for metric in oe.catalogue(needs=NEEDS) if metrics is None else map(oe.get_metric, metrics):
        value = value_of(metric, counts)
        held = math.nan if beside is None else value_of(metric, beside)
        lines.append(
            ScoreLine(
                metric=str(metric),
                title=metric.title,
                plain=metric.plain or metric.title,
                better=metric.arrow,
                bounds=bounds_of(metric),
                value=value,
                share=share_of(metric, value, counts.scale.K),
                change=math.nan if earlier is None else value - value_of(metric, earlier),
                pinned=held,
                pinned_share=share_of(metric, held, counts.scale.K),
            )
        )
    return lines


def moved_sentence(lines: list[ScoreLine], labels: tuple[str, ...], before: Cells | None, cells: Cells) -> str:
    """What the last edit did, in a sentence."""
    if before is None or before == cells or len(before) != len(cells):
        return ""
    changed = [(t, p) for t in range(len(cells)) for p in range(len(cells)) if before[t][p] != cells[t][p]]
    if len(changed) == 1:
        t, p = changed[0]
        what = f"{labels[t]} called {labels[p]}: {before[t][p]:,} → {cells[t][p]:,}"
    else:
        what = f"{len(changed)} cells changed"
    moved = sorted((line for line in lines if line.moved), key=lambda line: -abs(line.change))
    if not moved:
        return f"{what}.  No score moved."
    most = [line for line in lines if line.metric in SHOWN and line.moved]
    told = ", ".join(f"{line.plain} {oe.show.signed(line.change)}" for line in most)
    told = told or f"{moved[0].title} {oe.show.signed(moved[0].change)}"
    return f"{what}.  {len(moved)} of {len(lines)} scores moved: {told}."
