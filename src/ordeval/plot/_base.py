"""What all figures share: data first, then a drawing by matplotlib, a Vega-Lite specification, a caption, a file."""

from __future__ import annotations

import contextlib
import io
import os
import textwrap
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias, get_args

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError
from ordeval.base.files import write_bytes
from ordeval.base.types import Column, Missing, Proba, Weights
from ordeval.counts import Counts, count
from ordeval.metrics.core.forecast import Forecast, forecast
from ordeval.metrics.core.probabilities import estimated_probabilities
from ordeval.order.scale import Labels, as_scale
from ordeval.plot._lines import say
from ordeval.plot._style import FAINT, FONT, INK, SIZE
from ordeval.plot._vega import Spec, sentence, whole, with_variables

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ordeval.evaluation import Evaluation

FORMATS = ("png", "svg", "pdf")
Layout: TypeAlias = Literal["beside", "stacked"]
Theme: TypeAlias = Literal["light", "variables"]
LAYOUTS, VEGA_THEMES = get_args(Layout), get_args(Theme)
DPI = 150
STYLE: dict[str, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("font.size", "axes.labelsize", "xtick.labelsize", "ytick.labelsize"), SIZE),
    **dict.fromkeys(("axes.facecolor", "figure.facecolor", "savefig.facecolor"), "white"),
    **dict.fromkeys(("text.usetex", "text.parse_math", "axes.formatter.use_mathtext"), False),
    **dict.fromkeys(("axes.spines.top", "axes.spines.right", "axes.grid", "savefig.transparent"), False),
    **dict.fromkeys(("savefig.bbox", "path.sketch"), None),
    "font.family": [FONT],
    "axes.titlesize": SIZE + 1,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8.0,
    "axes.linewidth": 0.8,
    "axes.unicode_minus": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "savefig.edgecolor": "auto",
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

    @property
    def _blank(self) -> bool:
        """Whether there is nothing to draw; the caption then stands there."""
        return False

    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height in inches."""

    @abstractmethod
    def _draw(self, ax: Axes) -> None: ...

    @abstractmethod
    def _spec(self) -> Spec: ...

    @documented("The figure itself, drawn.", ax="Axes to draw on; None makes a figure of its own.")
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw with matplotlib; `ax_` and `figure_` say where it is."""
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
            if self._blank:
                say(ax, self.caption)
            else:
                self._draw(ax)
            _keep_inert(ax.figure if own else ax)
        object.__setattr__(self, "ax_", ax)
        object.__setattr__(self, "figure_", ax.figure.figure)
        return self

    def _stacked(self) -> Spec:
        """The same with names and numbers above what they belong to, where they stand beside it otherwise."""
        return self._spec()

    @documented(
        "A complete Vega-Lite specification, with its data.",
        layout='``"beside"``: names and numbers stand beside the drawing; ``"stacked"``: above it, so that it fits a narrow page.',
        theme='``"light"``: the colours themselves; ``"variables"``: ``var(--oe-ink)`` and so on, which a page sets, as in `ordeval.plot.THEMES`.',
    )
    def to_vega(self, *, layout: Layout = "beside", theme: Theme = "light") -> dict[str, Any]:
        """The same as Vega-Lite; labels are data in it and in no expression.

        Altair reads it with ``alt.Chart.from_dict(display.to_vega())``, Streamlit with ``st.vega_lite_chart(spec=...)``.
        """
        for given, known, name in ((layout, LAYOUTS, "layout"), (theme, VEGA_THEMES, "theme")):
            if given not in known:
                choices = " or ".join(map(repr, known))
                raise ArgumentError(
                    "{given} is unknown", argument=name, remedy=f"choose {choices}", values={"given": repr(given)}
                )
        drawn = sentence(self.caption) if self._blank else self._stacked() if layout == "stacked" else self._spec()
        spec = whole(drawn, self.title, self.caption)
        return with_variables(spec) if theme == "variables" else spec

    @documented("An ``<svg>`` element.")
    def to_svg(self) -> str:
        """The drawing as one SVG element that needs nothing else: no script, no style sheet, no external reference.

        Text is text in it, and ``<title>`` and ``<desc>`` are there for those who cannot see it.
        """
        from ordeval.plot._svg import cleaned

        return cleaned(self._rendered("svg").decode("utf-8"), self.title, self.caption)

    @documented("Nothing.", path="The file; its name ends in .png, .svg or .pdf.")
    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a PNG, SVG or PDF, by the ending of the name; whole or not at all."""
        kind = os.path.splitext(os.fspath(path))[1].lower().removeprefix(".")
        if kind not in FORMATS:
            raise ArgumentError(
                "{file} does not say what to write",
                argument="path",
                remedy=f"let the name end in .{', .'.join(FORMATS)}",
                values={"file": os.fspath(path)},
            )
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

    def spec(self) -> Spec: ...

    def stacked(self) -> Spec: ...


class OfOnePiece(Display):
    """A figure that is one piece."""

    @property
    @abstractmethod
    def _piece(self) -> Piece: ...

    def _size(self) -> tuple[float, float]:
        return (4.0, 1.4) if self._blank else self._piece.size()

    def _draw(self, ax: Axes) -> None:
        self._piece.draw(ax)

    def _spec(self) -> Spec:
        return self._piece.spec()

    def _stacked(self) -> Spec:
        return self._piece.stacked()


FITTED = {"estimator": "A fitted classifier.", "X": "What it predicts from.", "y": "The true classes."}


class OfCounts(Display):
    """A figure that needs no more than counts."""

    @classmethod
    @abstractmethod
    def from_counts(cls, counts: Counts, *args: Any, **options: Any) -> Self: ...

    @classmethod
    @documented("The figure.", options="Those of `from_counts`.")
    def from_predictions(
        cls,
        y_true: Column,
        y_pred: Column,
        *,
        labels: Labels = None,
        sample_weight: Weights = None,
        missing: Missing = "error",
        **options: Any,
    ) -> Self:
        """From true and predicted classes."""
        return cls.from_counts(count(y_true, y_pred, labels=labels, sample_weight=sample_weight, missing=missing), **options)

    @classmethod
    @documented("The figure.", evaluation="What `evaluate` gave.", options="Those of `from_counts`.")
    def from_evaluation(cls, evaluation: Evaluation, **options: Any) -> Self:
        """From what `evaluate` gave."""
        return cls.from_counts(evaluation.counts, **options)

    @classmethod
    @documented("The figure.", **FITTED, options="Those of `from_counts`.")
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Column,
        *,
        labels: Labels,
        sample_weight: Weights = None,
        missing: Missing = "error",
        **options: Any,
    ) -> Self:
        """From what a fitted classifier predicts."""
        if not hasattr(estimator, "predict"):
            raise ArgumentTypeError(
                "{figure} needs predict, which {kind} does not have",
                argument="estimator",
                values={"figure": cls.__name__, "kind": type(estimator).__name__},
            )
        given: dict[str, Any] = {"labels": labels, "sample_weight": sample_weight, "missing": missing}
        return cls.from_predictions(y, estimator.predict(X), **given, **options)


class OfForecast(Display):
    """A figure of probabilities beside what came true."""

    labels: tuple[Any, ...]  #: a class at each cut

    @property
    def _blank(self) -> bool:
        return not self.labels

    @classmethod
    @abstractmethod
    def from_forecast(cls, rows: Forecast, *args: Any, **options: Any) -> Self: ...

    @classmethod
    @documented("The figure.", options="Those of `from_forecast`.")
    def from_predictions(
        cls, y_true: Column, proba: Proba, *, labels: Labels = None, sample_weight: Weights = None, **options: Any
    ) -> Self:
        """From the true classes and their probabilities."""
        return cls.from_forecast(forecast(y_true, proba, labels=labels, sample_weight=sample_weight), **options)

    @classmethod
    @documented("The figure.", **FITTED, options="Those of `from_forecast`.")
    def from_estimator(
        cls, estimator: Any, X: Any, y: Column, *, labels: Labels, sample_weight: Weights = None, **options: Any
    ) -> Self:
        """From ``predict_proba`` of a fitted classifier, its columns put in the order of the classes."""
        scale = as_scale(labels)
        proba = estimated_probabilities(estimator, X, scale, needed_by=cls.__name__)
        return cls.from_predictions(y, proba, labels=scale, sample_weight=sample_weight, **options)
