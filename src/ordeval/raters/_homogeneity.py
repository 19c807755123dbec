"""Do two raters use the classes alike?  Tests of marginal homogeneity and of symmetry from the table of their grades."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.counts import Counts
from ordeval.counts.table import TRUE
from ordeval.raters._text import records_table
from ordeval.show import Block, Line, Result
from ordeval.show._result import Record

CITE = ("stuart1955", "bowker1948")


@dataclass(frozen=True)
class PairTests:
    """Both tests of one pair.  A small p-value: the two use the classes differently."""

    first: str
    second: str
    items: int
    stuart_maxwell: float  #: chi-square of equal shares of the classes; nan where the two never differ
    degrees: int
    p_value: float
    bowker: float  #: chi-square of a symmetric table: one errs upwards where the other errs downwards
    bowker_degrees: int
    bowker_p_value: float

    def __str__(self) -> str:
        return (
            f"{self.first} and {self.second}, {self.items:,} items: Stuart-Maxwell {self.stuart_maxwell:.3f}, {self.degrees} df, "
            f"p = {self.p_value:.3g}; Bowker {self.bowker:.3f}, {self.bowker_degrees} df, p = {self.bowker_p_value:.3g}"
        )


@dataclass(frozen=True, eq=False)
class Homogeneity(Result, Mapping[tuple[str, str], PairTests]):
    """The tests of every pair: ``homogeneity["ann", "bob"]``."""

    pairs: dict[tuple[str, str], PairTests]

    def __getitem__(self, pair: tuple[str, str]) -> PairTests:
        return self.pairs[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def _rows(self) -> list[Record]:
        return [
            {
                "first": pair.first,
                "second": pair.second,
                "items": pair.items,
                "statistic": chi2,
                "degrees": df,
                "p_value": p,
                "test": test,
            }
            for pair in self.pairs.values()
            for test, chi2, df, p in (
                ("Stuart-Maxwell", pair.stuart_maxwell, pair.degrees, pair.p_value),
                ("Bowker", pair.bowker, pair.bowker_degrees, pair.bowker_p_value),
            )
        ]

    def _blocks(self) -> list[Block]:
        return [Line(str(pair)) for pair in self.pairs.values()]

    def _tables(self) -> list[Block]:
        return [records_table(self._rows(), "Tests of equal class shares (Stuart-Maxwell) and of symmetry (Bowker).")]


@documented("Both tests of every pair, by the names of the two.", counts="Ratings, or counts of truth and predictions.")
def marginal_homogeneity(counts: Counts) -> Homogeneity:
    """Stuart-Maxwell's test of equal class shares and Bowker's test of symmetry, for every two raters (or truth and models).

    Both are large-sample tests on the items that the two share.  Classes that neither used are left out of Stuart-Maxwell's degrees
    of freedom, pairs of classes without a disagreement out of Bowker's.

    >>> from ordeval.counts import Counts
    >>> table = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    >>> print(marginal_homogeneity(Counts.from_matrix(table))["true", "pred"])
    true and pred, 7,477 items: Stuart-Maxwell 11.957, 3 df, p = 0.00753; Bowker 19.107, 6 df, p = 0.00399
    """
    if counts.weighted:
        raise ValueError("these tests count items, which weighted counts do not keep; count again without weights")
    axes = [axis for axis in counts.axes if axis == TRUE or axis in counts.models]
    if len(axes) < 2:
        raise ValueError(f"there is one rater ({axes[0]}), and these tests compare two")
    return Homogeneity({(a, b): _tested(a, b, counts.table(a, b)) for a, b in combinations(axes, 2)})


def _tested(first: str, second: str, table: Array) -> PairTests:
    from scipy.special import chdtrc

    away = table.sum(1) - table.sum(0)
    covariance = np.diag(table.sum(1) + table.sum(0)) - table - table.T
    degrees = int(np.linalg.matrix_rank(covariance))
    statistic = float(away @ np.linalg.pinv(covariance.astype(float), rcond=1e-10, hermitian=True) @ away) if degrees else np.nan
    upper = np.triu_indices(len(table), 1)
    one, other = table[upper].astype(float), table.T[upper].astype(float)
    differ = one + other > 0
    symmetric = float(((one - other)[differ] ** 2 / (one + other)[differ]).sum()) if differ.any() else np.nan
    pairs = int(differ.sum())
    return PairTests(
        first,
        second,
        int(table.sum()),
        statistic,
        degrees,
        float(chdtrc(degrees, statistic)) if degrees else np.nan,
        symmetric,
        pairs,
        float(chdtrc(pairs, symmetric)) if pairs else np.nan,
    )
