"""Draw the README's picture into docs/: python scripts/pictures.py.

docs/confusion.png holds the ordinal confusion matrices of nurse and model, side by side.
"""

from __future__ import annotations

from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import ordeval as oe

DOCS = Path(__file__).resolve().parents[1] / "docs"


def side_by_side(folder: Path = DOCS) -> Path:
    visits = oe.load_example("triage")
    both = {"nurse": visits["nurse"], "model": visits["model"]}
    counts = oe.count(visits["grade"], both, labels=["green", "yellow", "orange", "red"], missing="drop")
    figure = Figure(figsize=(9.0, 4.1), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    for ax, model in zip(figure.subplots(1, 2), counts.models, strict=True):
        oe.plot.ConfusionDisplay.from_counts(counts[model]).plot(ax=ax)
    path = folder / "confusion.png"
    figure.savefig(path, metadata={"Software": None}, pil_kwargs={"optimize": True})
    return path


if __name__ == "__main__":
    print(side_by_side())
