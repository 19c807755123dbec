"""Every coefficient of agreement a second time, and the scores of prediction sets, from their textbook definitions in exact fractions.

Nothing is shared with the kernels: no patterns, no sums over samples, no numpy; pairs of ratings are enumerated.  Items are lists of
codes from 0, None where a rating is missing.  None means undefined.
"""

from fractions import Fraction
from itertools import combinations, permutations


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values) if values else None


COSTS = {
    "identity": lambda a, b, k: Fraction(a != b),
    "linear": lambda a, b, k: Fraction(abs(a - b), k - 1),
    "quadratic": lambda a, b, k: Fraction((a - b) ** 2, (k - 1) ** 2),
    "ordinal": lambda a, b, k: Fraction(abs(a - b) * (abs(a - b) + 1), k * (k - 1)),
    "ratio": lambda a, b, k: Fraction((a - b) ** 2 * (k + 1) ** 2, (a + b + 2) ** 2 * (k - 1) ** 2),
}


def given(item):
    return [x for x in item if x is not None]


def observed(items, cost):
    """The mean over the items with two ratings or more of the mean cost of two of its ratings."""
    return mean(mean(cost(a, b) for a, b in combinations(given(item), 2)) for item in items if len(given(item)) > 1)


def shares(items, k):
    return [mean(Fraction(given(item).count(c), len(given(item))) for item in items) for c in range(k)]


def one_less(seen, expected):
    return None if expected == 0 else 1 - seen / expected


def fleiss_kappa(items, k, cost):
    share = shares(items, k)
    return one_less(observed(items, cost), sum(share[a] * share[b] * cost(a, b) for a in range(k) for b in range(k)))


def conger_kappa(items, k, cost):
    columns = [given(column) for column in zip(*items, strict=True)]
    expected = mean(mean(cost(a, b) for a in one for b in other) for one, other in combinations(columns, 2))
    return one_less(observed(items, cost), expected)


def gwet_ac(items, k, cost):
    weights = sum(1 - cost(a, b) for a in range(k) for b in range(k))
    return one_less(observed(items, cost), 1 - weights / (k * (k - 1)) * sum(s * (1 - s) for s in shares(items, k)))


def brennan_prediger(items, k, cost):
    return one_less(observed(items, cost), mean(cost(a, b) for a in range(k) for b in range(k)))


def pairwise_kappa(items, k, cost):
    kappas = []
    for one, other in combinations(list(zip(*items, strict=True)), 2):
        both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
        if both:
            expected = mean(cost(a, b) for a, _ in both for _, b in both)
            if expected == 0:
                return None
            kappas.append(1 - mean(cost(a, b) for a, b in both) / expected)
    return mean(kappas)


def alpha(level):
    def derived(items, k, cost):
        units = [given(item) for item in items if len(given(item)) > 1]
        pooled = [x for unit in units for x in unit]
        count = [pooled.count(c) for c in range(k)]

        def apart(a, b):
            if level == "ordinal":
                low, high = sorted((a, b))
                return (sum(count[low : high + 1]) - Fraction(count[a] + count[b], 2)) ** 2
            return {
                "nominal": Fraction(a != b),
                "interval": Fraction((a - b) ** 2),
                "ratio": Fraction((a - b) ** 2, (a + b + 2) ** 2),
            }[level]

        seen = sum(sum(apart(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units) / len(pooled)
        expected = Fraction(sum(apart(a, b) for a, b in permutations(pooled, 2)), len(pooled) * (len(pooled) - 1))
        return one_less(seen, expected)

    return derived


def complete(items):
    return [item for item in items if None not in item]


def kendall_w(items, k, cost):
    """12 S / (m² (n³ - n) - m ΣT), with mid-ranks and T = Σ (t³ - t) over each rater's ties."""
    full = complete(items)
    n, m = len(full), len(items[0])
    if n < 2:
        return None
    sums, ties = [Fraction(0)] * n, 0
    for column in zip(*full, strict=True):
        for i, x in enumerate(column):
            sums[i] += sum(y < x for y in column) + Fraction(sum(y == x for y in column) + 1, 2)
        ties += sum(t**3 - t for t in (column.count(c) for c in set(column)))
    below = m * m * (n**3 - n) - m * ties
    return None if below == 0 else 12 * sum((s - mean(sums)) ** 2 for s in sums) / below


def mean_squares(items):
    """Of items, of raters, and of the rest; None where fewer than two items are complete."""
    full = complete(items)
    n, m = len(full), len(items[0])
    if n < 2:
        return None
    whole = mean(Fraction(x) for item in full for x in item)
    rows, columns = [mean(map(Fraction, item)) for item in full], [mean(map(Fraction, c)) for c in zip(*full, strict=True)]
    of_items = m * sum((r - whole) ** 2 for r in rows) / (n - 1)
    of_raters = n * sum((c - whole) ** 2 for c in columns) / (m - 1)
    rest = sum((full[i][g] - rows[i] - columns[g] + whole) ** 2 for i in range(n) for g in range(m)) / ((n - 1) * (m - 1))
    return of_items, of_raters, rest, n, m


def icc(items, k, cost):
    found = mean_squares(items)
    if found is None:
        return None
    of_items, of_raters, rest, n, m = found
    below = of_items + (m - 1) * rest + m * (of_raters - rest) / n
    return None if below == 0 else (of_items - rest) / below


def icc_mean(items, k, cost):
    found = mean_squares(items)
    if found is None:
        return None
    of_items, of_raters, rest, n, _ = found
    below = of_items + (of_raters - rest) / n
    return None if below == 0 else (of_items - rest) / below


COEFFICIENTS = {
    **{f"alpha_{level}": alpha(level) for level in ("nominal", "ordinal", "interval", "ratio")},
    **{f.__name__: f for f in (gwet_ac, fleiss_kappa, conger_kappa, brennan_prediger, pairwise_kappa, kendall_w, icc, icc_mean)},
}


# Prediction sets


def weighted(values, weights):
    return sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) / sum(weights)


SETS = {
    "set_coverage": lambda y, lo, hi: int(y in range(lo, hi + 1)),
    "set_size": lambda y, lo, hi: len(range(lo, hi + 1)),
    "miss_distance": lambda y, lo, hi: min(abs(y - c) for c in range(lo, hi + 1)),
}


def set_score(name, true, lo, hi, weights):
    return weighted([SETS[name](*row) for row in zip(true, lo, hi, strict=True)], weights)
