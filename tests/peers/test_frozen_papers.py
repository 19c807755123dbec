"""Public programs for the papers' metrics, their authors' among them: values frozen as scripts/freeze_papers.md tells."""

import json
from pathlib import Path

import numpy as np
import pytest
from tables import same

import ordeval as oe
from ordeval import Counts, Scale, get_metric

HERE = Path(__file__).parent
TABLES = [np.array(t) for t in json.loads((HERE / "frozen.json").read_text(encoding="utf-8"))["tables"]]
FROZEN = json.loads((HERE / "frozen_papers.json").read_text(encoding="utf-8"))
R_NAMES = {
    "MAE": "mae",
    "SMAE": "smae",
    "TC": "total_cost",
    "STC": "stc",
    "MAE.int": "interval_mae",
    "SMAE.int": "interval_smae",
    "TC.int": "interval_total_cost",
    "STC.int": "interval_stc",
    "STC.unbounded": "interval_stc",
}
SUMS = ("TC", "TC.int")  # the R program adds up where the papers take the mean
#: The programs that integrate or search numerically, and how far they are from the exact value.
TOLERANCE = {"ordinal-losses auoc": 3e-7, "BADGER auoc": 1e-4, "IntervalScaleClassification STC.unbounded": 1e-8}
LISTS = [name for name in FROZEN["values"] if "TCmax" not in name]  # largest costs have no name of their own here


def metric_of(name):
    return R_NAMES.get(name.split(" ", 1)[1], name.split(" ", 1)[1])


FROZEN_PAPER_METRICS = {get_metric(metric_of(name)).name for name in LISTS}


def counts_of(table, name):
    k = len(table)
    if ".int" in name or "unbounded" in name:
        edges = [0, *np.cumsum(range(1, k + 1)).tolist()]
        return Counts.from_matrix(table, labels=Scale.from_edges([*edges[:-1], np.inf] if "unbounded" in name else edges))
    return Counts.from_matrix(table)


@pytest.mark.parametrize("name", LISTS)
def test_the_program_agrees_wherever_it_gives_a_value(name, compared):
    program, short = name.split(" ", 1)
    tolerance = next((t for start, t in TOLERANCE.items() if name.startswith(start)), 1e-12)
    number = 0
    for table, theirs in zip(TABLES, FROZEN["values"][name], strict=True):
        if theirs is None:
            continue  # the R program divides by the rows of a class, and gives up where one has none
        counts = counts_of(table, name)
        ours = float(get_metric(metric_of(name)).bind(counts)(counts.matrix))
        ours *= table.sum() if short in SUMS else 1
        assert same(ours, theirs, tolerance), f"{name}: {ours} here, {theirs} there, on {table.tolist()}"
        number += 1
    assert number >= 20
    compared(program, number)


def test_what_the_r_program_cannot_say_has_a_value_here():
    """A class without true rows keeps its place: the smallest table where the authors' program gives NaN."""
    assert oe.stc(Counts.from_matrix([[1, 0, 0], [0, 0, 0], [0, 1, 0]])) == 0.5


def test_exact_areas_are_above_the_trapezoids():
    """The curve is concave, so a trapezoid rule lies below it."""
    name = "ordinal-losses auoc"
    for table, theirs in zip(TABLES, FROZEN["values"][name], strict=True):
        assert oe.auoc(Counts.from_matrix(table)) >= theirs - 1e-12
