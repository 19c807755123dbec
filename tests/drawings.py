"""A drawing of matplotlib in words: what stands where, in which size and colour.  Nothing here depends on fonts or on the layout."""

import numpy as np
from matplotlib.collections import Collection, LineCollection, PathCollection, QuadMesh
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.text import Annotation, Text


def described(figure):
    """A line for each thing on a figure, axes after axes, the panels in them too."""
    lines = [f"figure {_points(figure.get_size_inches())}", *map(_text, figure.texts)]
    for ax in _with_panels(figure.axes):
        lines += ["", "axes" if ax.axison else "axes without lines", _axis("x", ax.xaxis), _axis("y", ax.yaxis)]
        shown = [name for name, spine in ax.spines.items() if spine.get_visible()]
        lines += [f"spines {' '.join(shown)}", *([_text(ax.title)] if ax.get_title() else [])]
        for artist in (*ax.lines, *ax.collections, *ax.patches, *ax.texts, *ax.images):
            lines.append(f"{_one(artist)} over {_number(artist.get_zorder())}{'' if artist.get_clip_on() else ' unclipped'}")
        lines += [_text(words) for words in (ax.get_legend().get_texts() if ax.get_legend() else ())]
    return lines


def _with_panels(axes):
    for ax in axes:
        yield ax
        yield from _with_panels(ax.child_axes)


def _one(artist):
    for kind, words in ((Text, _text), (Line2D, _line), (Patch, _patch), (Collection, _collection)):
        if isinstance(artist, kind):
            return words(artist)
    raise AssertionError(f"{artist} is drawn, and cannot be described")


def _number(value):
    """To four digits: what is drawn differs by more than that, or not at all."""
    return f"{float(value):.4g}" if round(float(value), 9) else "0"


def _points(xy):
    return " ".join(f"({_number(x)}, {_number(y)})" for x, y in np.asarray(xy, float).reshape(-1, 2))


def _colours(found):
    """Each colour once, in the order of its first use."""
    return " ".join(dict.fromkeys(to_hex(colour, keep_alpha=True) for colour in found)) or "none"


def _colour(value):
    return "none" if value is None or (isinstance(value, str) and value == "none") else to_hex(value, keep_alpha=True)


def _text(artist):
    beside = f" beside {_points(artist.xy)}" if isinstance(artist, Annotation) else ""
    turned = f" turned {_number(artist.get_rotation())}" if artist.get_rotation() else ""
    look = f"{artist.get_ha()} {artist.get_va()} {_number(artist.get_fontsize())} {artist.get_fontweight()} {_colour(artist.get_color())}"
    return f"text {artist.get_text()!r} at {_points(artist.get_position())}{beside} {look}{turned}"


def _line(artist):
    mark = artist.get_marker()
    marks = f"{_number(artist.get_markersize())} {_colour(artist.get_markerfacecolor())} {_colour(artist.get_markeredgecolor())}"
    look = f"{artist.get_linestyle()} {_number(artist.get_linewidth())} {_colour(artist.get_color())}"
    return f"line {_points(artist.get_xydata())} {look}" + ("" if mark in (None, "None", "") else f" marks {mark} {marks}")


def _patch(artist):
    if isinstance(artist, Rectangle):
        where = f"rectangle {_points(artist.get_xy())} {_number(artist.get_width())} by {_number(artist.get_height())}"
    else:
        where = f"patch {_points(artist.get_path().vertices)}"
    look = f"{_colour(artist.get_facecolor())} edge {_colour(artist.get_edgecolor())} {_number(artist.get_linewidth())}"
    return f"{where} {look}" + (f" hatch {artist.get_hatch()}" if artist.get_hatch() else "")


def _collection(artist):
    if isinstance(artist, QuadMesh):
        cells = np.asarray(artist.get_array(), float)
        return f"cells {cells.shape} {' '.join(to_hex(cell) for cell in cells.reshape(-1, cells.shape[-1])[:, :3])}"
    if isinstance(artist, LineCollection):
        where = f"lines {' | '.join(map(_points, artist.get_segments()))}"
    elif isinstance(artist, PathCollection):
        sizes = " ".join(map(_number, dict.fromkeys(artist.get_sizes())))
        where = f"marks {_points(artist.get_offsets())} of size {sizes}"
    else:
        where = f"areas {' | '.join(_points(path.vertices) for path in artist.get_paths())}"
    widths = " ".join(map(_number, dict.fromkeys(np.atleast_1d(artist.get_linewidth()))))
    return f"{where} {_colours(artist.get_facecolor())} edge {_colours(artist.get_edgecolor())} {widths}"


def _axis(name, axis):
    """Its two ends, its name, and the ticks between its ends."""
    low, high = sorted(axis.get_view_interval())
    named = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
    ticks = [(f"{_number(at)}: {label.get_text()!r}", label) for at, label in named if low <= at <= high]
    looks = dict.fromkeys(f"{_number(label.get_fontsize())} {_colour(label.get_color())}" for _, label in ticks)
    label = f" {_text(axis.label)}" if axis.get_label_text() else ""
    if axis.get_major_ticks() and not axis.get_major_ticks()[0].tick1line.get_markersize():
        looks["no marks"] = None
    if ticks and axis.get_gridlines()[0].get_visible():
        looks["grid"] = None
    return f"{name} {_points(axis.get_view_interval())}{label}; ticks {', '.join(words for words, _ in ticks) or 'none'}; {', '.join(looks)}"
