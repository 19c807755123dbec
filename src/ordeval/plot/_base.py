"""What all figures share: data first, then a drawing by matplotlib, a chart by Altair, a caption, a file."""

from __future__ import annotations

import contextlib
import io
import os
import textwrap
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, Self

from ordeval.base.files import write_bytes
from ordeval.base.types import Missing
from ordeval.counts import Counts, count
from ordeval.metrics.core.forecast import Forecast, estimated_probabilities, forecast
from ordeval.order.scale import as_scale
from ordeval.plot._lines import say, say_chart
from ordeval.plot._style import FAINT, FALLBACKS, FONT, INK, SIZE

if TYPE_CHECKING:
    from altair.typing import ChartType
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ordeval.evaluation import Evaluation

FORMATS = ("png", "svg", "pdf")
DPI = 150
STYLE: dict[str, Any] = {
    "font.family": [FONT],
    "font.size": SIZE,
    "text.color": INK,
    "text.usetex": False,
    "text.parse_math": False,
    "axes.titlesize": SIZE + 1,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8.0,
    "axes.labelsize": SIZE,
    "axes.labelcolor": INK,
    "axes.edgecolor": INK,
    "axes.facecolor": "white",
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "axes.unicode_minus": True,
    "axes.formatter.use_mathtext": False,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.edgecolor": "auto",
    "savefig.transparent": False,
    "savefig.bbox": None,
    "path.sketch": None,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": SIZE,
    "ytick.labelsize": SIZE,
    "pdf.fonttype": 42,  # outlines of the font itself, so that text in the file can be found and copied
    "svg.fonttype": "none",  # text stays text; see ordeval.plot._svg
}


def need(module: str, extra: str) -> Any:
    """A library that only figures need; its absence is one message."""
    try:
        return import_module(module)
    except ImportError:
        name = module.partition(".")[0]
        raise ImportError(f'this figure needs {name}, which is not installed: pip install "ordeval[{extra}]"') from None


@contextlib.contextmanager
def drawing() -> Iterator[None]:
    """Our style and nobody else's; a glyph that the font lacks is drawn as a box, which is no reason for a warning."""
    matplotlib = need("matplotlib", "plot")
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from")
        warnings.filterwarnings("ignore", message=r"Matplotlib currently does not support .* natively")
        yield


class Display(ABC):
    """A figure before it is drawn: the data on it, and how to draw them."""

    ax_: Axes  #: where it was drawn, once it was
    figure_: Figure

    @property
    @abstractmethod
    def title(self) -> str:
        """What is shown, in a few words."""

    @property
    @abstractmethod
    def caption(self) -> str:
        """What there is to see, in one sentence computed from the data."""

    _above = 0.0  #: points between the axes and the title that the figure needs for itself

    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height in inches."""

    @abstractmethod
    def _draw(self, ax: Axes) -> None: ...

    @abstractmethod
    def _chart(self) -> ChartType: ...

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw with matplotlib, on these axes or on a figure of its own: `ax_` and `figure_` say where it is."""
        with drawing():
            own = ax is None
            if ax is None:
                figure = need("matplotlib.figure", "plot").Figure(figsize=self._size(), layout="constrained", dpi=DPI)
                need("matplotlib.backends.backend_agg", "plot").FigureCanvasAgg(figure)  # no window, whatever the settings say
                ax = figure.add_subplot()
            if own:  # from the left edge, where there is room for names
                words = textwrap.fill(self.title, max(int(self._size()[0] * 72 / (0.68 * (SIZE + 1))), 12))
                ax.figure.suptitle(words, x=0.012, ha="left", fontsize=SIZE + 1, fontweight="bold", parse_math=False)
            else:
                ax.set_title(self.title, parse_math=False, pad=8 + self._above)
            self._draw(ax)
            _keep_inert(ax.figure if own else ax)
        object.__setattr__(self, "ax_", ax)
        object.__setattr__(self, "figure_", ax.figure.figure)
        return self

    def to_altair(self) -> ChartType:
        """The same as an Altair chart; labels are data in it and in no expression."""
        need("altair", "app")
        chart = self._chart()
        title: dict[str, Any] = {"text": self.title, "anchor": "start", "fontSize": 13}
        whole: ChartType = (
            chart.properties(title=title, description=self.caption, background="white")
            .configure(font=FALLBACKS)
            .configure_view(stroke=None)
            .configure_axis(labelLimit=0, titleLimit=0, labelColor=INK, titleColor=INK, titleFontWeight="normal", gridColor=FAINT)
            .configure_title(limit=0, color=INK)
        )
        return whole

    def to_svg(self) -> str:
        """The drawing as one SVG element that needs nothing else: no script, no style sheet, no reference to elsewhere."""
        from ordeval.plot._svg import cleaned

        return cleaned(self._rendered("svg").decode("utf-8"), self.title, self.caption)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a PNG, SVG or PDF, as the name ends; whole or not at all.  An existing file needs ``force=True``."""
        kind = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
        if kind not in FORMATS:
            raise ValueError(f"{os.fspath(path)} does not say what to write; let the name end in .{', .'.join(FORMATS)}")
        data = (self.to_svg() + "\n").encode("utf-8") if kind == "svg" else self._rendered(kind)
        write_bytes(path, data, force=force)

    def _rendered(self, kind: str) -> bytes:
        """A fresh drawing in one of the formats; the same data give the same bytes."""
        from copy import copy

        matplotlib = need("matplotlib", "plot")
        nameless: dict[str, dict[str, Any]] = {
            "png": {"Software": None},
            "pdf": {"CreationDate": None, "Creator": None, "Producer": None, "Title": self.title},
            "svg": {"Date": None, "Creator": None, "Format": None, "Type": None},
        }
        out = io.BytesIO()
        salt = f"{type(self).__name__} {self.caption}"  # ids differ between figures on one page, and not between two runs
        with drawing(), matplotlib.rc_context({"svg.hashsalt": salt}):
            squeezed: dict[str, Any] = {"pil_kwargs": {"optimize": True}} if kind == "png" else {}
            copy(self).plot().figure_.savefig(out, format=kind, dpi=DPI, metadata=nameless[kind], **squeezed)
        return out.getvalue()

    def _repr_svg_(self) -> str | None:
        """What a notebook shows."""
        try:
            return self.to_svg()
        except ImportError:
            return None


def to_svg(display: Display) -> str:
    """The SVG element of a figure, for a page: text is text, and `<title>` and `<desc>` are there for those who cannot see it."""
    return display.to_svg()


def _keep_inert(drawn: Artist) -> None:
    """No text on it is mathematics or TeX, whatever it looks like."""
    from matplotlib.text import Text

    for text in drawn.findobj(Text):
        text.set_parse_math(False)
        text.set_usetex(False)


class Piece(Protocol):
    """What a figure may be made of: cells, bars or tracks, which know their size and draw themselves."""

    def size(self) -> tuple[float, float]: ...

    def draw(self, ax: Axes) -> None: ...

    def chart(self) -> ChartType: ...


class OfOnePiece(Display):
    """A figure that is one piece; where there is nothing to draw its caption stands there."""

    @property
    @abstractmethod
    def _piece(self) -> Piece | None: ...

    def _size(self) -> tuple[float, float]:
        piece = self._piece
        return (4.0, 1.4) if piece is None else piece.size()

    def _draw(self, ax: Axes) -> None:
        piece = self._piece
        if piece is None:
            say(ax, self.caption)
        else:
            piece.draw(ax)

    def _chart(self) -> ChartType:
        piece = self._piece
        return say_chart(self.caption) if piece is None else piece.chart()


class OfCounts(Display):
    """A figure that needs no more than counts."""

    @classmethod
    @abstractmethod
    def from_counts(cls, counts: Counts, *args: Any, **options: Any) -> Self: ...

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        sample_weight: Any = None,
        missing: Missing = "error",
        **options: Any,
    ) -> Self:
        """From labels; further options are those of `from_counts`."""
        return cls.from_counts(count(y_true, y_pred, labels=labels, sample_weight=sample_weight, missing=missing), **options)

    @classmethod
    def from_evaluation(cls, evaluation: Evaluation, **options: Any) -> Self:
        """From what `evaluate` gave; further options are those of `from_counts`."""
        return cls.from_counts(evaluation.counts, **options)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, labels: Any, sample_weight: Any = None, missing: Missing = "error", **options: Any
    ) -> Self:
        """From the predictions of a fitted classifier for X; ``labels`` are the classes, lowest first."""
        if not hasattr(estimator, "predict"):
            raise TypeError(f"{cls.__name__} needs predict, which {type(estimator).__name__} has not")
        given = {"labels": labels, "sample_weight": sample_weight, "missing": missing}
        return cls.from_predictions(y, estimator.predict(X), **given, **options)


class OfForecast(Display):
    """A figure of probabilities beside what came true."""

    @classmethod
    @abstractmethod
    def from_forecast(cls, rows: Forecast, *args: Any, **options: Any) -> Self: ...

    @classmethod
    def from_predictions(cls, y_true: Any, proba: Any, *, labels: Any = None, sample_weight: Any = None, **options: Any) -> Self:
        """From the truth and a column of probabilities for each class; further options are those of `from_forecast`."""
        return cls.from_forecast(forecast(y_true, proba, labels=labels, sample_weight=sample_weight), **options)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, labels: Any, sample_weight: Any = None, **options: Any) -> Self:
        """From predict_proba of a fitted classifier, its columns put in the order of ``labels``: the classes, lowest first."""
        scale = as_scale(labels)
        proba = estimated_probabilities(estimator, X, scale, needed_by=cls.__name__)
        return cls.from_predictions(y, proba, labels=scale, sample_weight=sample_weight, **options)
