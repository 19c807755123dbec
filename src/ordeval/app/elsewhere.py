"""Every object opens elsewhere: from a table, a metric or an advice to the page that shows it in another light, and its query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ordeval as oe
from ordeval.app import closeness, laws_state, presets
from ordeval.app.closeness import Sets
from ordeval.app.frame import Way
from ordeval.app.laws_state import Question
from ordeval.app.tables import LONGEST, MOST, Cells, Table, as_cells


def table_of(counts: oe.Counts, pinned: oe.Counts | None = None) -> Table | None:
    """Counts as a table of the playground; None where it cannot show them."""
    labels = tuple(str(label) for label in counts.scale.labels)
    named = all(0 < len(label.strip()) <= LONGEST and label == label.strip() for label in labels)
    if len(labels) > MOST or len(set(labels)) < len(labels) or not named or not counts.is_integral:
        return None

    def cells(of: oe.Counts) -> Cells:
        return as_cells(of.matrix.tolist(), len(labels))

    return Table(labels, cells(counts), None if pinned is None else cells(pinned))


def to_playground(table: Table, label: str = "Open this table in the playground") -> Way:
    return Way(label, "playground", presets.LINK.write(table))


def to_path(table: Table, label: str = "The path through this table") -> Way:
    return Way(label, "path", presets.LINK.write(Table(table.labels, table.cells)))


def to_closeness(table: Table, label: str = "How close its classes are") -> Way:
    answers = tuple(sum(row[p] for row in table.cells) for p in range(len(table.labels)))
    return Way(label, "closeness", closeness.LINK.write(Sets(table.labels, ("truth", "answers"), table.truths, answers)))


def to_learn(step: int, label: str, table: Table | None = None) -> Way:
    held = {} if table is None else presets.LINK.write(Table(table.labels, table.cells))
    return Way(label, "learn", {"step": str(step), **held})


def to_metric(text: str, label: str = "") -> Way:
    return Way(label or oe.get_metric(text).title, "metric", {"name": text})


def to_laws(metric: str, law: str, label: str) -> Way:
    return Way(label, "laws", laws_state.LINK.write(Question(metric, law)))


def to_evaluate(metrics: Sequence[str], label: str = "Evaluate my file with these") -> Way:
    """Scores for a file; those of probabilities have a page of their own."""
    if metrics and "probabilities" in oe.get_metric(metrics[0]).needs:
        return Way("Evaluate my forecasts", "probabilities", {"metric": metrics[0]})
    usable = [text for text in metrics if not oe.get_metric(text).needs - {"whole counts"}]
    return Way(label, "evaluate", {"metrics": ";".join(usable), "primary": usable[0]} if usable else {})


def tables_of_breach(breach: Any) -> Table | None:
    """A counter-example as a table with the other pinned, where both have the same size."""
    counts = laws_state.breach_counts(breach)
    if any(edges is not None for edges in breach.edges) or len({c.scale.K for c in counts}) > 1:
        return None
    return table_of(counts[0], counts[1] if len(counts) > 1 else None)
