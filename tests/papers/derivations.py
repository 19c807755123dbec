"""Every metric a second time, from its textbook definition, in exact fractions or 50 digits, cell by cell in plain Python.

Nothing here is shared with the kernels: no cumulative sums, no cost form, no numpy.  None means undefined.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from mpmath import log, mp, mpf, sqrt

mp.dps = 50


def margins(c):
    return [sum(row) for row in c], [sum(column) for column in zip(*c, strict=True)], sum(map(sum, c))


def ratio(a, b):
    return None if b == 0 else Fraction(a) / Fraction(b)


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def cells(c):
    return [(t, p, c[t][p]) for t, p in product(range(len(c)), repeat=2) if c[t][p]]


def real(x):
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def accuracy(c):
    return ratio(sum(w for t, p, w in cells(c) if t == p), margins(c)[2])


def accuracy_within(c, n=1):
    return ratio(sum(w for t, p, w in cells(c) if abs(t - p) <= n), margins(c)[2])


def balanced_accuracy(c):
    return mean(Fraction(c[k][k], n) for k, n in enumerate(margins(c)[0]) if n)


def mae(c):
    return ratio(sum(abs(t - p) * w for t, p, w in cells(c)), margins(c)[2])


def amae(c):
    return mean(Fraction(sum(abs(t - p) * c[t][p] for p in range(len(c))), n) for t, n in enumerate(margins(c)[0]) if n)


def bias(c):
    return ratio(sum((p - t) * w for t, p, w in cells(c)), margins(c)[2])


def agreement_weight(scheme, i, j, k):
    d = abs(i - j)
    return {
        "identity": lambda: Fraction(int(i == j)),
        "linear": lambda: 1 - Fraction(d, k - 1),
        "quadratic": lambda: 1 - Fraction(d, k - 1) ** 2,
    }[scheme]()


def cohen_kappa(c, weights="quadratic"):
    k, (n, m, total) = len(c), margins(c)
    if k == 1:
        return None
    w = [[agreement_weight(weights, i, j, k) for j in range(k)] for i in range(k)]
    observed = sum(w[t][p] * Fraction(x, total) for t, p, x in cells(c))
    expected = sum(w[i][j] * Fraction(n[i] * m[j], total**2) for i in range(k) for j in range(k))
    return None if expected == 1 else (observed - expected) / (1 - expected)


def pair_counts(c):
    """Ordered pairs of different rows, by how they compare in truth and prediction."""
    found = {"concordant": 0, "discordant": 0, "tied_true": 0, "tied_pred": 0}
    for (t, p, w), (s, q, v) in product(cells(c), repeat=2):
        if (t, p) == (s, q):
            continue
        if t == s:
            found["tied_true"] += w * v
        elif p == q:
            found["tied_pred"] += w * v
        else:
            found["concordant" if (t - s) * (p - q) > 0 else "discordant"] += w * v
    return {name: number // 2 for name, number in found.items()}


def kendall_tau(c):
    x = pair_counts(c)
    untied = x["concordant"] + x["discordant"]
    below = (untied + x["tied_true"]) * (untied + x["tied_pred"])
    return None if below == 0 else mpf(x["concordant"] - x["discordant"]) / sqrt(mpf(below))


def midranks(margin):
    """The mean of the ranks 1..N that the rows of each class share."""
    return [sum(margin[:k]) + Fraction(margin[k] + 1, 2) for k in range(len(margin))]


def correlation(c, x, y):
    n, m, total = margins(c)
    mean_x = sum(a * w for a, w in zip(x, n, strict=True)) / Fraction(total)
    mean_y = sum(b * w for b, w in zip(y, m, strict=True)) / Fraction(total)
    covariance = sum((x[t] - mean_x) * (y[p] - mean_y) * w for t, p, w in cells(c))
    spread = sum((a - mean_x) ** 2 * w for a, w in zip(x, n, strict=True)) * sum(
        (b - mean_y) ** 2 * w for b, w in zip(y, m, strict=True)
    )
    return None if spread == 0 else real(covariance) / sqrt(real(spread))


def spearman(c):
    n, m, _ = margins(c)
    return correlation(c, midranks(n), midranks(m))


def entropy(weights):
    total = sum(weights)
    return -sum(real(Fraction(w, total)) * log(real(Fraction(w, total))) for w in weights if w)


def mutual_information(c, normalize=None):
    n, m, _ = margins(c)
    a, b = entropy(n), entropy(m)
    shared = a + b - entropy([w for _, _, w in cells(c)])
    if normalize is None:
        return shared
    scale = {"arithmetic": (a + b) / 2, "geometric": sqrt(a * b), "min": min(a, b), "max": max(a, b)}[normalize]
    return None if scale == 0 else shared / scale


def as_close(level, x, a, b):
    """The conditions of section 3.2 of the paper: x is at least as close to the truth b as the answer a is."""
    return {
        "ordinal": b >= x >= a or a >= x >= b,
        "nominal": b == x or b != a,
        "interval": abs(b - x) <= abs(b - a),
    }[level]


def halves(level, ties, x, a, b):
    """How many halves of an item of class x are counted between the answer a and the truth b."""
    if not as_close(level, x, a, b):
        return 0
    tied = {"half": as_close(level, a, x, b), "own": x == a, "full": False}[ties]
    return 1 if tied else 2


@lru_cache(maxsize=10_000)
def bits(share):
    return -log(real(share)) / log(mpf(2))


def closeness(gold, level, ties, flat, a, b):
    """Of the answer a to the truth b, item by item of the gold standard (all items of a class at once)."""
    share = Fraction(sum(n * halves(level, ties, x, a, b) for x, n in enumerate(gold)), 2 * sum(gold))
    return 1 - share if flat else bits(share)


def cem_floor(c, level="ordinal", ties=None, flat=False, gold_counts=None):
    return _cem(c, level, ties, flat, gold_counts)[1]


def cem(c, level="ordinal", ties=None, flat=False, gold_counts=None, normalize=False):
    found, least = _cem(c, level, ties, flat, gold_counts)
    if found is None or not normalize:
        return found
    return None if least == 1 else (found - least) / (1 - least)


def _cem(c, level, ties, flat, gold_counts):
    truth = margins(c)[0]
    gold = truth if gold_counts is None else gold_counts
    ties = ties or ("full" if level == "nominal" else "half")
    how = level, ties, flat
    right = sum(n * closeness(gold, *how, b, b) for b, n in enumerate(truth) if n)
    if right == 0:
        return None, None
    earned = sum(w * closeness(gold, *how, p, t) for t, p, w in cells(c))
    worst = sum(n * min(closeness(gold, *how, p, b) for p in range(len(c))) for b, n in enumerate(truth) if n)
    return earned / right, worst / right
