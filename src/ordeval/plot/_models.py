"""Two models row by row; several models by rank; and whether metrics agree on their order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ordeval.base.arrays import Array
from ordeval.counts import Counts, count
from ordeval.infer._evidence import EQUAL
from ordeval.infer._flips import Flip, flips
from ordeval.infer._ranks import RankSets, goodness, points, rank_sets, ranking_agreement
from ordeval.metrics import get_metric
from ordeval.metrics.core.docs import metric_title
from ordeval.plot._bars import STEPS, Bars
from ordeval.plot._base import Display, OfOnePiece
from ordeval.plot._heat import Cells
from ordeval.plot._lines import nominal
from ordeval.plot._scores import chosen_pair
from ordeval.plot._style import FIRST, HEAD, MUTED, SIZE, TITLE, short, short_labels, widest
from ordeval.show._formats import plain
from ordeval.show._numbers import amount, listed, number, rows_text

if TYPE_CHECKING:
    from altair.typing import ChartType
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
    def from_counts(cls, counts: Counts, a: str, b: str) -> Self:
        """The rows whose class changes from model a to model b."""
        found = flips(counts, a, b)
        labels = counts.scale.labels
        place = {label: i for i, label in enumerate(labels)}
        closer, further = np.zeros((2, len(labels), STEPS))
        for move in found.moves:
            if move.steps:
                (closer if move.steps > 0 else further)[place[move.true], min(abs(move.steps), STEPS) - 1] += move.rows
        rows = counts.pair(a, b).sum((1, 2)).tolist()
        changed = (closer + further).sum(1).tolist()
        whole = counts.is_integral
        same = tuple(int(n - c) if whole else n - c for n, c in zip(rows, changed, strict=True))
        return cls(labels, a, b, further, closer, same, found.moves)

    @classmethod
    def from_predictions(cls, y_true: Any, predictions: dict[str, Any], *, labels: Any = None, missing: str = "error") -> Self:
        """From labels and the answers of two models, by name."""
        counts = count(y_true, predictions, labels=labels, missing=missing)
        if len(counts.models) != 2:
            raise ValueError(f"flips are between two models, and there are {len(counts.models)}; give two")
        return cls.from_counts(counts, *counts.models)

    @classmethod
    def from_comparison(cls, comparison: Comparison, pair: tuple[str, str] | None = None) -> Self:
        """Two models of a comparison; name the pair where there are more."""
        return cls.from_counts(comparison.counts, *chosen_pair(comparison, pair))

    _above = 12.0

    @property
    def title(self) -> str:
        return f"{short(self.b, TITLE)} against {short(self.a, TITLE)}, row by row"

    @property
    def caption(self) -> str:
        closer, further, same = self.closer.sum(), self.further.sum(), sum(self.same)
        said = (
            f"{short(self.b)} is closer than {short(self.a)} on {self._rows(closer)}, further on {self._amount(further)}, "
            f"the same on {amount(same)}"
        )
        for sign, word in ((1, "gain"), (-1, "loss")):
            move = next((m for m in self.moves if sign * m.steps > 0), None)
            if move is not None:
                rows = f"{rows_text(move.rows)} of {short(move.true, 24)}"
                said += f"; largest {word}: {rows} from {short(move.a, 24)} to {short(move.b, 24)}"
        return said + "."

    def _amount(self, rows: float) -> str:
        return amount(int(rows) if rows == int(rows) else float(rows))

    def _rows(self, rows: float) -> str:
        return rows_text(int(rows) if rows == int(rows) else float(rows))

    @property
    def _piece(self) -> Bars:
        return Bars(
            self.labels,
            self.further,
            self.closer,
            left=f"{short(self.b, HEAD)} further",
            right=f"{short(self.b, HEAD)} closer",
            axis="rows",
            rows="true class",
            show=self._amount,
            notes=[amount(n) for n in self.same],
            notes_title="the same",
            share=False,
            steps=("by 1 step", "by 2 steps", "by 3 or more")[: max(len(self.labels) - 1, 1)],
            nothing="the two are equally far off on every row",
        )


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
    def from_ranks(cls, ranks: RankSets) -> Self:
        """From what `rank_sets` gave."""
        systems = ranks.systems
        return cls(
            ranks.models,
            tuple(s.score for s in systems),
            tuple(s.best for s in systems),
            tuple(s.worst for s in systems),
            ranks.metric,
            ranks.settings["confidence_level"],
            ranks.reason,
        )

    @classmethod
    def from_counts(cls, counts: Counts, metric: Any, **options: Any) -> Self:
        """Options are those of `rank_sets`."""
        return cls.from_ranks(rank_sets(counts, metric, **options))

    @classmethod
    def from_comparison(cls, comparison: Comparison) -> Self:
        """By the primary score."""
        return cls.from_ranks(comparison.ranks)

    @property
    def title(self) -> str:
        return f"Ranks by {metric_title(self.metric)}"

    @property
    def caption(self) -> str:
        if self.reason:
            return f"No rank can be told: {self.reason}."
        first = [short(model, 24) for model, best in zip(self.models, self.best, strict=True) if best == 1]
        sure = sum(low == high for low, high in zip(self.best, self.worst, strict=True))
        may = f"{first[0]} ranks first" if len(first) == 1 else f"{len(first)} of {len(self.models)} systems may be the best"
        rest = {0: "no rank is certain", len(self.models): "every rank is certain"}.get(
            sure, f"{sure} of {len(self.models)} ranks {'is' if sure == 1 else 'are'} certain"
        )
        return f"{may}, and {rest}, at {100 * self.confidence_level:g} % for all systems together."

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
        beside: dict[str, Any] = {"textcoords": "offset points", "annotation_clip": False, "color": MUTED, "fontsize": SIZE - 1}
        for i, text in enumerate(self._texts()):
            ax.annotate(text, (1, i), (8, 0), xycoords=("axes fraction", "data"), va="center", **beside)
        ax.annotate("score   ranks", (1, 1), (8, 2), xycoords="axes fraction", va="bottom", **beside)
        ax.set_yticks(range(size), labels=short_labels(self.models))
        ax.set_ylim(size - 0.5, -0.5)
        ax.set_xlim(0.5, size + 0.5)
        step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 10**9) if size / s <= 12)
        ax.set_xticks([1, *range(step if step > 1 else 2, size + 1, step)])
        ax.grid(axis="x")
        ax.set_axisbelow(True)
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_xlabel("rank (1 is best); dot: by score, bar: all that the data allow")

    def _chart(self) -> ChartType:
        import altair as alt

        labels = short_labels(self.models)
        rows = zip(labels, self.models, self.scores, self.best, self.worst, self._texts(), strict=True)
        values = [
            {"system": s, "label": m, "score": plain(v), "best": b, "worst": w, "place": i + 1, "text": t}
            for i, (s, m, v, b, w, t) in enumerate(rows)
        ]
        base = alt.Chart(alt.InlineData(values=values)).encode(
            y=nominal(alt.Y, "system", labels, None, domain=False),
            tooltip=[
                alt.Tooltip(field="label", type="nominal", title="system"),
                alt.Tooltip(field="score", type="quantitative", format=".4f"),
                alt.Tooltip(field="best", type="quantitative"),
                alt.Tooltip(field="worst", type="quantitative"),
            ],
        )
        scale = alt.Scale(domain=[0.5, len(labels) + 0.5], nice=False)
        axis = alt.Axis(title="rank (1 is best)", tickMinStep=1, format="d")
        bars = base.mark_rule(strokeWidth=7, strokeCap="round", color=FIRST, opacity=0.45).encode(
            x=alt.X(field="best", type="quantitative", scale=scale, axis=axis), x2=alt.X2(field="worst")
        )
        dots = base.mark_point(filled=True, color=FIRST, opacity=1, size=45).encode(
            x=alt.X(field="place", type="quantitative", scale=scale, axis=axis)
        )
        texts = base.mark_text(align="left", dx=8, color=MUTED).encode(
            x=alt.value("width"), text=alt.Text(field="text", type="nominal")
        )
        return alt.layer(bars, dots, texts).properties(width=300, height=26 * len(labels))


@dataclass(frozen=True, eq=False)
class RankingsDisplay(OfOnePiece):
    """The rank of every system by every metric: where metrics disagree, a row changes its shade."""

    models: tuple[str, ...]  #: least mean rank first
    metrics: tuple[str, ...]
    scores: Array  #: (models, metrics)
    ranks: Array  #: (models, metrics) 1 is best, equal scores share the better rank; nan where undefined
    least_agreeing: tuple[str, str, float]  #: two metrics and Kendall's tau-b between their rankings

    @classmethod
    def from_counts(cls, counts: Counts, metrics: Sequence[Any], *, models: Sequence[str] | None = None) -> Self:
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
        if math.isnan(tau) or tau > 1 - EQUAL:
            return f"{said}; {'no metric tells them apart' if math.isnan(tau) else 'all rank them alike'}."
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
            numbers=[{"rank": plain(rank), "score": plain(score)} for rank, score in pairs],
        )
