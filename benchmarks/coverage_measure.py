"""How often intervals hold in one population, and what they may never do: leave the bounds, or their own estimate outside."""

import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from coverage_populations import Population, intervals, truths

import ordeval as oe
from ordeval.base.errors import ArgumentError

EQUAL = 1e-9  # a truth nearer than this to an end is held
FEWEST = 30  # intervals, and this share of the data sets, without which a cell is not judged
FEWEST_SHARE = 0.05
FLOOR = 0.92
AT_LEAST = 40  # data sets, whatever time they take

Answer = Callable[..., np.ndarray]


@dataclass
class Cell:
    """One metric in one population: of so many data sets, in how many the interval held, lay above the truth, below it."""

    metric: str
    mode: str
    kind: str
    rows: int
    k: int
    rarest: float
    truth: float
    sets: int
    held: int
    too_high: int  #: the truth lies below the interval
    too_low: int
    width: float
    searched: bool = False
    method: str = "auto"
    population: dict[str, Any] | None = None
    faults: list[str] = field(default_factory=list)

    @property
    def given(self) -> int:
        return self.held + self.too_high + self.too_low

    @property
    def judged(self) -> bool:
        return self.given >= FEWEST and self.given >= FEWEST_SHARE * self.sets

    @property
    def coverage(self) -> float:
        return self.held / self.given if self.given else math.nan

    @property
    def error(self) -> float:
        """Monte-Carlo error; that of 0.99 at least, so that a cell that always held has one too."""
        return math.sqrt(max(self.coverage * (1 - self.coverage), 0.0099) / self.given) if self.given else math.nan

    @property
    def short(self) -> bool:
        """It holds less often than the floor beyond two Monte-Carlo errors."""
        return self.judged and self.coverage + 2 * self.error < FLOOR

    def as_dict(self) -> dict[str, Any]:
        found = asdict(self)
        for name in ("population", "faults", "searched"):
            if not found[name]:
                del found[name]
        for name in ("rarest", "truth", "width"):
            found[name] = float(f"{found[name]:.4g}")
        return found


def measure(
    p: Population,
    metrics: Sequence[str],
    sets: int,
    seed: Sequence[int],
    seconds: float = math.inf,
    *,
    method: str = "auto",
    library: Answer = intervals,
) -> list[Cell]:
    """Every metric's cell.  After so many seconds it stops with the data sets done by then, of which there are forty at least."""
    began, rng = time.monotonic(), np.random.default_rng(list(seed))
    found: list[np.ndarray | None] = []
    raised: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        truth = truths(p, metrics)
        while len(found) < sets and (len(found) < AT_LEAST or time.monotonic() - began < seconds):
            try:
                found.append(library(p, metrics, rng, len(found), method))
            except ArgumentError:  # refused as a whole
                found.append(None)
            except Exception as error:  # the rows were good: whatever else is raised is a fault of ours
                found.append(None)
                raised.append(f"raised {type(error).__name__}: {error}")
    empty = np.full((len(metrics), 3, *np.shape(truth[metrics[0]])), np.nan)
    ends = np.stack([empty if one is None else one for one in found])
    cells = [_cell(p, m, truth[m], ends[:, i], method) for i, m in enumerate(metrics)]
    for cell in cells:
        cell.faults += sorted(set(raised))
    return cells


def _cell(p: Population, metric: str, truth: Any, ends: np.ndarray, method: str) -> Cell:
    """Of several intervals that are to hold at once, the data set counts as missed if one misses."""
    truth = np.atleast_1d(truth)
    low, value, high = np.moveaxis(ends.reshape(len(ends), 3, -1), 1, 0)
    given = np.isfinite(low) & np.isfinite(high) & np.isfinite(truth)
    with np.errstate(invalid="ignore"):
        too_high, too_low = given & (truth < low - EQUAL), given & (truth > high + EQUAL)
    some = given.any(1)
    missed_high = too_high.any(1)
    missed_low = too_low.any(1) & ~missed_high
    width = float((high - low)[given].mean()) if given.any() else math.nan
    held = int((some & ~missed_high & ~missed_low).sum())
    facts = (
        p.mode,
        p.kind,
        p.rows,
        p.k,
        p.rarest,
        float(np.mean(truth)),
        len(ends),
        held,
        int(missed_high.sum()),
        int(missed_low.sum()),
    )
    cell = Cell(metric, *facts, width, method=method, population=p.as_dict())
    if method == "auto":
        cell.faults = faults(p, metric, low[given], value[given], high[given])
    return cell


def faults(p: Population, metric: str, low: np.ndarray, value: np.ndarray, high: np.ndarray) -> list[str]:
    """What no interval may do, whatever its coverage."""
    least, most = oe.get_metric(metric).bounds_for(p.k) if p.mode != "edges" else (0.0, math.inf)
    if p.mode in ("compare", "groups"):
        least, most = least - most, most - least
    found = []
    if np.any((value < low - EQUAL) | (value > high + EQUAL)):
        found.append("its own estimate is outside")
    if np.any((low < least - EQUAL) | (high > most + EQUAL)):
        found.append(f"an end is outside the bounds {least:g} to {most:g}")
    return found
