"""Two models row by row; several models by rank; and whether metrics agree on their order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Column, Missing
from ordeval.counts import Counts, count
from ordeval.counts.blanks import judged
from ordeval.infer._evidence import EQUAL
from ordeval.infer._flips import Flip, flips
from ordeval.infer._ranks import RankSets, goodness, points, rank_sets
from ordeval.infer._winners import ranking_agreement
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.docs import metric_title
from ordeval.order.scale import Labels
from ordeval.plot._bars import STEPS, Bars
from ordeval.plot._base import Display, OfOnePiece
from ordeval.plot._heat import Cells
from ordeval.plot._lines import grid, note
from ordeval.plot._scores import chosen_pair
from ordeval.plot._style import FIRST, HEAD, MUTED, SIZE, TITLE, short, short_labels, widest
from ordeval.plot._vega import Spec, beside, category, down, line_of_text, mark, ordered, over, quantity, sized
from ordeval.show._numbers import amount, listed, number, rows_text
from ordeval.show._result import finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ordeval.evaluation import Comparison


@dataclass(frozen=True, eq=False)
class FlipsDisplay(OfOnePiece):
    """For each true class, on how many rows the second of two models is closer to the truth than the first, or further."""

    labels: tuple[Any, ...]
    a: str
    b: str
    further: Array  #: (K, 3) rows on which b is 1, 2, 3 or more steps further from the truth than a
    closer: Array  #: (K, 3) and closer
    same: tuple[float, ...]  #: rows of each class as far off with both
    moves: tuple[Flip, ...]  #: every change of class, by rows times steps, the largest first

    @classmethod
    @documented("The figure.")
    def from_counts(cls, counts: Counts, a: str, b: str) -> Self:
        """The rows whose class changes from model a to model b."""
        found = flips(counts, a, b)
        labels = counts.scale.labels
        place = {label: i for i, label in enumerate(labels)}
        closer, further = np.zeros((2, len(labels), STEPS))
        for move in found.moves:
            if move.steps:
                (closer if move.steps > 0 else further)[place[move.true], min(abs(move.steps), STEPS) - 1] += move.rows
        rows = judged(counts).pair(a, b).sum((1, 2)).tolist()
        changed = (closer + further).sum(1).tolist()
        same = tuple(int(n - c) if counts.is_integral else n - c for n, c in zip(rows, changed, strict=True))
        return cls(labels, a, b, further, closer, same, found.moves)

    @classmethod
    @renamed_keywords
    @documented("The figure.", y_pred="The predicted classes of two models, by name.")
    def from_predictions(
        cls, y_true: Column, y_pred: Mapping[str, Column], *, labels: Labels = None, missing: Missing = "error"
    ) -> Self:
        """From true classes and the answers of two models."""
        counts = count(y_true, y_pred, labels=labels, missing=missing)
        if len(counts.models) != 2:
            raise ArgumentError(
                f"flips are between two models, and there are {len(counts.models)}", argument="y_pred", remedy="give two"
            )
        return cls.from_counts(counts, *counts.models)

    @classmethod
    @documented("The figure.", comparison="What `compare` gave.", pair="The two models; None where there are no others.")
    def from_comparison(cls, comparison: Comparison, pair: tuple[str, str] | None = None) -> Self:
        """Two models of a comparison."""
        return cls.from_counts(comparison.counts, *chosen_pair(comparison, pair))

    _above = 12.0

    @property
    def title(self) -> str:
        return f"{short(self.b, TITLE)} against {short(self.a, TITLE)}, row by row"

    @property
    def caption(self) -> str:
        closer, further, same = self.closer.sum(), self.further.sum(), sum(self.same)
        said = (
            f"{short(self.b)} is nearer the truth on {rows_text(_plain(closer))}, {short(self.a)} on {amount(_plain(further))}; "
            f"on {amount(same)} they are equally near"
        )
        for sign, word in ((1, "gain"), (-1, "loss")):
            move = next((m for m in self.moves if sign * m.steps > 0), None)
            if move is not None:
                rows = f"{rows_text(move.rows)} of {short(move.true, 24)}"
                said += f"; largest {word}: {rows} from {short(move.a, 24)} to {short(move.b, 24)}"
        return said + "."

    @property
    def _piece(self) -> Bars:
        return Bars(
            self.labels,
            self.further,
            self.closer,
            left=f"{short(self.a, HEAD)} nearer",
            right=f"{short(self.b, HEAD)} nearer",
            axis="rows",
            rows="true class",
            show=lambda rows: amount(_plain(rows)),
            notes=[amount(n) for n in self.same],
            notes_title="equally near",
            share=False,
            steps=("by 1 step", "by 2 steps", "by 3 or more")[: max(len(self.labels) - 1, 1)],
            nothing="the two are equally near on every row",
        )


def _plain(rows: float) -> float:
    return int(rows) if rows == int(rows) else float(rows)


@dataclass(frozen=True, eq=False)
class RankDisplay(Display):
    """The ranks that each of several systems may have, for all of them together."""

    models: tuple[str, ...]  #: best score first
    scores: tuple[float, ...]
    best: tuple[int, ...]
    worst: tuple[int, ...]
    metric: str
    confidence_level: float
    reason: str = ""  #: why nothing can be told, where nothing can

    @classmethod
    @documented("The figure.", ranks="What `rank_sets` gave.")
    def from_ranks(cls, ranks: RankSets) -> Self:
        """From what `rank_sets` gave."""
        scores, best, worst = (tuple(getattr(s, name) for s in ranks.systems) for name in ("score", "best", "worst"))
        return cls(ranks.models, scores, best, worst, ranks.metric, ranks.settings["confidence_level"], ranks.reason)

    @classmethod
    @documented("The figure.", options="Those of `rank_sets`.")
    def from_counts(cls, counts: Counts, metric: str | Metric | Callable[..., float], **options: Any) -> Self:
        """The ranks of all models by one metric."""
        return cls.from_ranks(rank_sets(counts, metric, **options))

    @classmethod
    @documented("The figure.", comparison="What `compare` gave.")
    def from_comparison(cls, comparison: Comparison) -> Self:
        """By the primary score."""
        return cls.from_ranks(comparison.ranks)

    @property
    def title(self) -> str:
        return f"Ranks by {metric_title(self.metric)}"

    @property
    def caption(self) -> str:
        if self.reason:
            return f"No rank can be given: {self.reason}."
        first = [short(model, 24) for model, best in zip(self.models, self.best, strict=True) if best == 1]
        sure = sum(low == high for low, high in zip(self.best, self.worst, strict=True))
        may = f"{first[0]} is first" if len(first) == 1 else f"{len(first)} of {len(self.models)} models may be first"
        rest = {0: "no model has a single possible rank", len(self.models): "every model has a single possible rank"}.get(
            sure, f"{sure} of {len(self.models)} models {'has' if sure == 1 else 'have'} a single possible rank"
        )
        return f"{may}, and {rest}; with {100 * self.confidence_level:g} % confidence all ranges hold at once."

    def _size(self) -> tuple[float, float]:
        letter = SIZE * 0.6 / 72
        return 3.9 + widest(short_labels(self.models)) * letter + 1.0, 1.1 + 0.27 * len(self.models)

    def _texts(self) -> list[str]:
        spans = (str(low) if low == high else f"{low}–{high}" for low, high in zip(self.best, self.worst, strict=True))
        return [f"{number(score)}   {span}" for score, span in zip(self.scores, spans, strict=True)]

    def _draw(self, ax: Axes) -> None:
        size = len(self.models)
        for i, (low, high) in enumerate(zip(self.best, self.worst, strict=True)):
            ax.plot([low, high], [i, i], color=FIRST, linewidth=5, solid_capstyle="round", alpha=0.45)
            ax.plot([i + 1], [i], marker="o", color=FIRST, markersize=5, linestyle="none")
        for i, text in enumerate(self._texts()):
            note(ax, text, (1, i), (8, 0), ("axes fraction", "data"), va="center")
        note(ax, "score   ranks", (1, 1), (8, 2), "axes fraction", va="bottom")
        ax.set_yticks(range(size), labels=short_labels(self.models))
        ax.set(xlim=(0.5, size + 0.5), ylim=(size - 0.5, -0.5))
        step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**9) if size / s <= 12)
        ax.set_xticks([1, *range(step if step > 1 else 2, size + 1, step)])
        grid(ax, "x")
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_xlabel("rank (1 is best); dot: by score, bar: all that the data allow")

    def _spec(self) -> Spec:
        labels = short_labels(self.models)
        rows = zip(labels, self.models, self.scores, self.best, self.worst, self._texts(), strict=True)
        values = [
            {"system": s, "label": m, "score": finite(v), "best": b, "worst": w, "place": i + 1, "text": t}
            for i, (s, m, v, b, w, t) in enumerate(rows)
        ]
        axis = {"title": "rank (1 is best)", "tickMinStep": 1, "format": "d"}

        def rank(field: str) -> Spec:
            return quantity(field, scale={"domain": [0.5, len(labels) + 0.5], "nice": False}, axis=axis)

        bar = {"strokeWidth": 7, "strokeCap": "round", "color": FIRST, "opacity": 0.45}
        layers = over(
            values,
            mark("rule", bar, x=rank("best"), x2={"field": "worst"}),
            mark("point", {"filled": True, "color": FIRST, "opacity": 1, "size": 45}, x=rank("place")),
            beside("text", color=MUTED),
            y=ordered("system", labels, None, domain=False),
            tooltip=[*(category("label", title="system"), quantity("score", format=".4f")), *map(quantity, ("best", "worst"))],
        )
        return sized(300, 26 * len(labels), layers)

    def _stacked(self) -> Spec:
        labels, height = short_labels(self.models), 40.0 * len(self.models)
        rows = zip(labels, self.models, self.scores, self.best, self.worst, self._texts(), strict=True)
        values = [
            {"name": s, "label": m, "score": finite(v), "best": b, "worst": w, "place": i + 1, "text": t, "y": 40 * i + 11}
            | {"line": 40 * i + 27}
            for i, (s, m, v, b, w, t) in enumerate(rows)
        ]
        places = list(range(1, len(labels) + 1))
        axis = {"title": "rank (1 is best)", "values": places, "format": "d", "labelOverlap": True, "grid": False}

        def rank(field: str) -> Spec:
            return quantity(field, scale={"domain": [0.5, len(labels) + 0.5], "nice": False}, axis=axis)

        bar = {"strokeWidth": 7, "strokeCap": "round", "color": FIRST, "opacity": 0.45}
        line, words = down("line", height), down("y", height)
        layers = over(
            values,
            mark("rule", bar, x=rank("best"), x2={"field": "worst"}, y=line),
            mark("point", {"filled": True, "color": FIRST, "opacity": 1, "size": 45}, x=rank("place"), y=line),
            {**line_of_text("name", "left", fontSize=13), "encoding": {**line_of_text("name", "left")["encoding"], "y": words}},
            {**line_of_text("text", "right", fontSize=13), "encoding": {**line_of_text("text", "right")["encoding"], "y": words}},
            tooltip=[*(category("label", title="system"), quantity("score", format=".4f")), *map(quantity, ("best", "worst"))],
        )
        return sized(320, height, layers)


@dataclass(frozen=True, eq=False)
class RankingsDisplay(OfOnePiece):
    """The rank of every system by every metric: where metrics disagree, a row changes its shade."""

    models: tuple[str, ...]  #: least mean rank first
    metrics: tuple[str, ...]
    scores: Array  #: (models, metrics)
    ranks: Array  #: (models, metrics) 1 is best, equal scores share the better rank; nan where undefined
    least_agreeing: tuple[str, str, float]  #: two metrics and Kendall's tau-b between their rankings

    @classmethod
    @documented("The figure.")
    def from_counts(
        cls, counts: Counts, metrics: Sequence[str | Metric | Callable[..., float]], *, models: Sequence[str] | None = None
    ) -> Self:
        """The order of the models by each of the metrics."""
        agreement = ranking_agreement(counts, metrics, models=models)
        found = [get_metric(text) for text in agreement.metrics]
        scores = points(counts, found, agreement.models)
        good = np.stack([goodness(metric, row) for metric, row in zip(found, scores, strict=True)])
        better = (good[:, :, None] - good[:, None, :] > EQUAL).sum(1)
        ranks = np.where(np.isnan(good), np.nan, 1.0 + better).T
        mean = [float(row[~np.isnan(row)].mean()) if (~np.isnan(row)).any() else math.inf for row in ranks]
        order = sorted(range(len(agreement.models)), key=mean.__getitem__)
        names = tuple(agreement.models[i] for i in order)
        return cls(names, agreement.metrics, scores.T[order], ranks[order], agreement.least)

    @classmethod
    @documented("The figure.", comparison="What `compare` gave.")
    def from_comparison(cls, comparison: Comparison) -> Self:
        """By all scores of a comparison."""
        return cls.from_counts(comparison.counts, list(next(iter(comparison.evaluations.values())).scores))

    @property
    def title(self) -> str:
        return "Rank by each metric"

    @property
    def caption(self) -> str:
        wins = Counter({model: int((row == 1).sum()) for model, row in zip(self.models, self.ranks, strict=True)})
        judged = int((~np.isnan(self.ranks)).any(0).sum())
        if not judged:
            return "No metric has a score for any system."
        winner, times = max(wins.items(), key=lambda item: item[1])
        leaders = [short(model, 24) for model, n in wins.items() if n == times]
        who = listed(leaders) if len(leaders) <= 3 else f"{len(leaders)} systems"
        said = (
            f"{short(winner)} is first by all {judged} metrics"
            if times == judged and len(leaders) == 1
            else f"{who} {'is' if len(leaders) == 1 else 'are'} first by {times} of {judged} metrics"
        )
        a, b, tau = self.least_agreeing
        apart = [metric_title(self.metrics[m]) for m in np.flatnonzero((self.ranks > 1).any(0))]
        if not apart:
            return f"{said}; no metric tells them apart."
        if math.isnan(tau):  # the others find all of them equal
            return f"{said}; only {listed(apart)} {'tells' if len(apart) == 1 else 'tell'} them apart."
        if tau > 1 - EQUAL:
            return f"{said}; all {'' if len(apart) == judged else 'that tell them apart '}rank them alike."
        return f"{said}; {metric_title(a)} and {metric_title(b)} agree least (Kendall's tau-b {number(tau, 2)})."

    @property
    def _piece(self) -> Cells:
        last = max(len(self.models) - 1, 1)
        pairs = zip(self.ranks.ravel().tolist(), self.scores.ravel().tolist(), strict=True)
        texts = [["–" if math.isnan(rank) else f"{rank:.0f}" for rank in row] for row in self.ranks.tolist()]
        return Cells(
            rows=self.models,
            columns=self.metrics,
            texts=texts,
            shades=0.9 * (1 - (self.ranks - 1) / last),
            row_title="",
            column_title="1 is best",
            square=False,
            numbers=[{"rank": finite(rank), "score": finite(score)} for rank, score in pairs],
        )
