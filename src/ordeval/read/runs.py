"""Many systems in files of their own, joined with one gold file by id: one Counts with an axis for each system."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.base.errors import ArgumentError
from ordeval.base.types import Missing, MissingTruth, Strays, Unknown
from ordeval.counts import Counts
from ordeval.counts.audit import ReadAs, merge_changes
from ordeval.counts.counting import check_names, count_columns
from ordeval.counts.table import TRUE
from ordeval.order.columns import Column
from ordeval.order.scale import Labels, WrittenLabels, as_scale
from ordeval.read.grouping import Table, all_rows, changes_of, ledger_of
from ordeval.read.join import STRAY, Policy, matched
from ordeval.read.reading import Reading
from ordeval.read.rules import read_labels
from ordeval.read.scan import open_table


@dataclass(frozen=True)
class RunAudit:
    """How one run's ids meet those of the gold."""

    rows: int
    missing: int  #: ids of the gold that it leaves out, or gives no class
    strays: int  #: ids that the gold does not have; they are left out


def system_names(paths: Sequence[str]) -> dict[str, str]:
    """{system: path}: the file's name without its ending; with its folder where two are the same."""
    stems = [os.path.basename(path).split(".")[0] for path in paths]
    names = [stem if stems.count(stem) == 1 else path for stem, path in zip(stems, paths, strict=True)]
    if len(set(names)) < len(names):
        twice = max(names, key=names.count)
        raise ArgumentError(
            "{path} is given twice", argument="runs", remedy="give the file of every system once", values={"path": twice}
        )
    return dict(zip(names, paths, strict=True))


def scan_runs(
    gold: Any,
    runs: Mapping[str, Any],
    *,
    true: str,
    pred: str,
    id: str,
    labels: Labels = None,
    by: str | Sequence[str] | None = None,
    cluster: str | None = None,
    missing: Missing = "error",
    reading: Reading | Mapping[str, Any] | None = None,
    unknown: Unknown = "error",
    strays: Strays = "error",
    missing_truth: MissingTruth = None,
    max_rows: int | None = None,
) -> tuple[Counts, dict[str, RunAudit]]:
    """The counts of truth and every run, and how each run met the gold.

    ``missing`` is about ids of the gold without an answer: "error", "drop" the id for all systems, or "unanswered".  An id that
    stands twice is an error; one that the gold does not have is too, unless "drop" or ``strays="drop"`` leaves it out.  ``by`` and ``cluster`` are columns of
    the gold.
    """
    if not runs:
        raise ArgumentError("there are no {runs}", argument="runs", remedy="give at least one file of predictions")
    grouping = [*([] if by is None else [by] if isinstance(by, str) else by), *([cluster] if cluster else [])]
    check_names([TRUE, *runs, *grouping])
    rules, policy = Reading.of(reading), Policy(missing, strays)
    truth = open_table(gold, max_rows, reading=rules)
    ids, true_column, *columns_of_gold = _loaded_and_closed(truth, id, true, *grouping)
    groups = dict(zip(grouping, columns_of_gold, strict=True))
    columns: dict[str, Column] = {TRUE: true_column}
    called = {TRUE: true}
    met, tables = {}, [truth]
    for system, source in runs.items():
        table = open_table(source, max_rows, reading=rules)
        tables.append(table)
        run_ids, answers = _loaded_and_closed(table, id, pred)
        here, lost = matched(truth, ids, table, run_ids, id, policy)
        columns[system], called[system], met[system] = answers.take(here), system, (len(run_ids), lost)
    scale = labels if isinstance(labels, WrittenLabels) or labels is None else as_scale(labels)
    read = read_labels(columns, scale, rules, names=called, truth=TRUE, unknown=unknown)
    audits = {system: RunAudit(rows, _gaps(read.columns[system]), lost) for system, (rows, lost) in met.items()}
    strays_in_all = sum(audit.strays for audit in audits.values())
    excluded = {STRAY: strays_in_all} if strays_in_all else {}
    counts = count_columns(
        read.columns,
        groups,
        scale=read.scale,
        missing=missing,
        missing_truth=missing_truth,
        excluded=excluded,
        cluster=cluster,
    )
    counts.files, notes = ledger_of(*tables, names=[id, true, pred, *grouping])
    by_file = [
        ReadAs(called[axis], one.reasons)
        for axis, table in zip(columns, tables, strict=True)
        for one in changes_of(table, names=[true if axis == TRUE else pred])
    ]
    counts.notes, counts.read_as = (*notes, *read.notes), merge_changes([*by_file, *read.read_as])
    return counts, audits


def _gaps(column: Column) -> int:
    return 0 if column.missing is None else int(column.missing.sum())


def _loaded_and_closed(table: Table, id: str, *names: str) -> list[Column]:
    try:
        return all_rows(table, [id, *names])
    finally:
        table.close()
