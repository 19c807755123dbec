"""Tables of counts for the tests: every small one, and random ones of all sizes."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
from hypothesis import strategies as st

from ordeval import Counts, Metric, Scale, catalogue, get_metric
from ordeval.laws._scoring import edges_of
from ordeval.laws._scoring import rows_of as rows_of
from ordeval.laws._scoring import scale_of as laws_scale

#: The table of reference values: 87 rows, four classes, rows are the truth.
TABLE_4X4 = [[20, 5, 1, 0], [4, 15, 6, 1], [1, 5, 12, 4], [0, 1, 3, 9]]


def all_tables(k: int, n: int) -> Iterator[np.ndarray]:
    """Every K×K table with N rows."""
    for cells in combinations_with_replacement(range(k * k), n):
        yield np.bincount(cells, minlength=k * k).reshape(k, k)


def small_tables() -> list[np.ndarray]:
    return [t for k, most in ((1, 2), (2, 4), (3, 3)) for n in range(1, most + 1) for t in all_tables(k, n)]


def random_tables(number: int, seed: int = 0, largest: int = 15, most_classes: int = 9) -> Iterator[np.ndarray]:
    """Tables with K from 2 to 9 and up to 10**largest rows: spread, nearly diagonal, nearly constant, with empty classes.

    With more classes most tables stay small, and large ones are sparse: a derivation in 50 digits goes through every pair of cells.
    """
    rng = np.random.default_rng(seed)
    for i in range(number):
        k = int(rng.integers(2, 10)) if most_classes == 9 else 2 + int((most_classes - 1) * rng.random() ** 6)
        rows = 10.0 ** rng.uniform(0, largest)
        spread = min(rng.choice([0.05, 0.3, 1.0]), 100 / k**2)
        shares = rng.dirichlet(np.full(k * k, spread)).reshape(k, k)
        if i % 4 == 1:
            shares = shares * 1e-3 + np.diag(rng.dirichlet(np.ones(k)))
        if i % 4 == 2:  # one cell holds nearly everything
            shares = shares * 10.0 ** -rng.uniform(3, largest)
            shares[rng.integers(k), rng.integers(k)] = 1
        if i % 4 == 3:  # a class that nobody used, one never predicted, or one that never occurs
            gone = rng.integers(k)
            if i % 3 != 1:
                shares[gone] = 0
            if i % 3 != 2:
                shares[:, gone] = 0
        table = np.floor(shares / max(shares.sum(), 1e-300) * rows).astype(np.int64)
        if table.sum() == 0:
            table[rng.integers(k), rng.integers(k)] = 1
        yield table


@st.composite
def tables(draw: st.DrawFn, most_classes: int = 5, most: int = 9) -> np.ndarray:
    """A table with at least one row."""
    k = draw(st.integers(1, most_classes))
    cells = draw(st.lists(st.integers(0, most), min_size=k * k, max_size=k * k).filter(any))
    return np.array(cells).reshape(k, k)


def scale_of(metric: Metric, k: int) -> Scale:
    """Classes 0..K-1; for a metric of intervals those of length 1, 2, 3, …, the last one open where the metric can take it."""
    return laws_scale(k, edges_of(metric, k))


def counts_of(metric: Metric, table: np.ndarray, scale: Scale | None = None) -> Counts:
    return Counts.from_matrix(table, labels=scale or scale_of(metric, len(table)))


def value(metric: Metric, table: np.ndarray, scale: Scale | None = None) -> float:
    """The score of a table, undefined as nan, without a warning."""
    return float(metric.bind(counts_of(metric, table, scale))(np.asarray(table)))


def counted() -> list[Metric]:
    """The metrics of hard labels: tables of counts are all they need."""
    return [metric for metric in catalogue() if metric.needs_only_counts]


def variants() -> list[Metric]:
    """Every metric of hard labels with its default parameters, and every other form that has a name."""
    schemes = ("identity", "linear", "radical", "ordinal", "ratio", "circular", "bipolar")
    coefficients = ("cohen_kappa", "scott_pi", "gwet_ac", "brennan_prediger")
    texts = [
        "accuracy_within(steps=0)",
        "accuracy_within(steps=2)",
        *(f"{name}(weights='{scheme}')" for name in coefficients for scheme in schemes),
        *(f"{name}(power={power})" for name in coefficients for power in (1.5, 4)),
        *(f"krippendorff_alpha(level='{level}')" for level in ("nominal", "interval", "ratio")),
        "kendall_tau(variant='a')",
        "kendall_tau(variant='c')",
        "somers_d(given='pred')",
        *(f"mutual_information(mean='{mean}')" for mean in ("arithmetic", "geometric", "min", "max")),
        "cem(ties='full')",
        "cem(ties='own')",
        "cem(flat=True)",
        "cem(normalize=True)",
        "cem(ties='full', normalize=True)",
        "cem(level='nominal')",
        "cem(level='nominal', ties='half')",
        "cem(level='nominal', ties='own', normalize=True)",
        "cem(level='nominal', ties='half', flat=True, normalize=True)",
        "cem(level='interval')",
        "cem(level='interval', ties='full', flat=True)",
        "cem(level='interval', ties='own')",
        "cem(level='interval', normalize=True)",
        "oci(share=0)",
        "oci(share=0.25)",
        "oci(gamma=2.0)",
        "oci(gamma=inf)",
        "oci(beta=0.1)",
        "oci(beta=0.0)",
        "oci(beta=0.5, gamma=0.5)",
        "oci_unnormalized(share=0)",
        "oci_unnormalized(gamma=2.0)",
        "oci_unnormalized(beta=0.1)",
        "oci_general(beta2=1.0)",
        "oci_general(beta1=0.1)",
        "oci_general(gamma=2.0)",
        "uoc(beta=0.25)",
        "uoc(empty='uniform')",
        "uoc(empty='diagonal')",
        "auoc(empty='uniform')",
        "auoc(empty='diagonal')",
        "total_cost(absent='renumber')",
        "stc(absent='renumber')",
        "interval_total_cost(unbounded=2.5)",
        "interval_stc(unbounded=0.75)",
        "interval_stc(distance='midpoint')",
        "interval_stc(absent='renumber')",
        "interval_mae(unbounded=2.5)",
        "interval_mae(absent='renumber')",
        "interval_smae(unbounded=0.75)",
        "interval_smae(distance='midpoint')",
        "interval_smae(absent='renumber')",
    ]
    return [*counted(), *map(get_metric, texts)]


def same(a: float, b: float, tolerance: float = 1e-12) -> bool:
    """Equal to the stated tolerance; undefined equals undefined."""
    return (np.isnan(a) and np.isnan(b)) or abs(a - b) <= tolerance * max(1.0, abs(a))
