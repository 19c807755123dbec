"""What is recorded of the blog on CEM as an entry: for each its premise and its counter-example, computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ordeval.counts import Counts
from ordeval.papers._blog import DESCRIBED, described, difference, use_case
from ordeval.papers._cem import SYSTEMS
from ordeval.papers._claims import Refutation, value
from ordeval.parts import closeness_matrix

_IMBALANCE = "Fig. 4, imbalance"


def _same_error(frequent: int, small: int, answer: int, figures: Sequence[str]) -> bool:
    """One row of each class called the class between them, the first class larger, the rest right."""
    tables = [DESCRIBED[_IMBALANCE, f"{name} dataset"] for name in ("first", "second")]
    one_each = all(table[true - 1, answer - 1] == 1 for table, true in zip(tables, (frequent, small), strict=True))
    sizes = tables[0].sum(1)
    wrong = [int(table.sum() - np.trace(table)) for table in tables]
    between = abs(frequent - answer) == abs(small - answer) == 1
    return bool(one_each and wrong == [1, 1] and between and sizes[frequent - 1] > sizes[small - 1] > 0)


def _smaller_costs_more(frequent: int, small: int, answer: int, figures: Sequence[str]) -> Refutation:
    first, second = (described(_IMBALANCE, f"{name} dataset") for name in ("first", "second"))
    tables = [DESCRIBED[figure, f"{name} dataset"] for figure in figures for name in ("first", "second")]
    shown, meant = [value("cem", table.T) for table in tables], [value("cem", table) for table in tables]
    only_seemed = difference(_IMBALANCE, exchanged=True) > 0 > difference(_IMBALANCE)
    return first > second and only_seemed, [first, second, *shown, *meant]


def _use_case_classes(gold: Sequence[int]) -> bool:
    return list(SYSTEMS["A"].sum(1)) == list(gold)


def _not_one_point(gold: Sequence[int]) -> Refutation:
    table = SYSTEMS["A"]
    bits = closeness_matrix(Counts.from_matrix(table))
    right = np.diagonal(bits)
    even = float((table * bits / right[:, None]).sum() / table.sum())
    return not np.isclose(right, 1).any(), [*right, even, value("cem", table)]


def _shown_in_figure_5(shown: Sequence[str]) -> bool:
    """The numbers are those of the use case."""
    found = [use_case(f"model {name}", column) for name in "AB" for column in ("accuracy", "CEM")]
    return list(shown) == [f"{x:.3f}" for x in found]


def _not_imbalance(shown: Sequence[str]) -> Refutation:
    of_imbalance = {f"{described(_IMBALANCE, f'{name} dataset'):.3f}" for name in ("first", "second")}
    return not of_imbalance & {*shown}, [float(text) for text in shown]


CHECKS: dict[str, tuple[Callable[..., bool], Callable[..., Refutation]]] = {
    "B2": (_same_error, _smaller_costs_more),
    "B3": (_use_case_classes, _not_one_point),
    "B4": (_shown_in_figure_5, _not_imbalance),
}
