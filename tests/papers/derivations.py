"""Every metric a second time, from its textbook definition, in exact fractions or 50 digits, cell by cell in plain Python.

Nothing here is shared with the kernels: no cumulative sums, no cost form, no numpy.  None means undefined.
"""

from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from math import inf

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


def laid_out(lengths, empty, n):
    """The ends of the intervals; with empty="renumber" one without rows takes no room."""
    ends, at = [], 0
    for length, rows in zip(lengths, n, strict=True):
        room = 0 if empty == "renumber" and not rows else length
        ends.append((at, at + room))
        at = at + room
    return ends


def between(a, b, distance):
    if distance == "midpoint":
        return abs(a[0] + a[1] - b[0] - b[1]) / 2
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def costs(c, lengths, distance="hausdorff", empty="keep"):
    """The total cost and the largest one for these true classes, both times N, by the definition in Binotto & Delgado."""
    n, _, _ = margins(c)
    live = [t for t, rows in enumerate(n) if rows]
    ends = laid_out(lengths, empty, n)
    density = {t: n[t] / lengths[t] for t in live}
    cost = most = 0
    for t in live:
        gamma = {p: sum(density[k] for k in live if k != t) / density[p] for p in live}
        price = {p: gamma[p] * between(ends[t], ends[p], distance) for p in live}
        dearest = max(price.values())
        cost += sum(w * (price[p] if p in live else dearest) for p, w in enumerate(c[t]))
        most += n[t] * dearest
    return cost, most


def exact_lengths(edges):
    """Lengths as fractions, None for an open one."""
    return [None if abs(a) == inf or abs(b) == inf else Fraction(b) - Fraction(a) for a, b in pairwise(edges)]


def least(f, rough, digits=17):
    """Where a convex function of x > 0 is least, to so many digits: bisection on whether it still falls a little further on.

    ``rough`` is the same function in doubles, which finds the neighbourhood.
    """
    low, high = 1e-25, 1e25
    while high / low > 1 + 1e-4:
        x = (low * high) ** 0.5
        low, high = (x, high) if rough(x * (1 + 1e-6)) < rough(x) else (low, x)
    step = mpf(10) ** -(digits + 5)

    def falls(x):
        return f(x * (1 + step)) < f(x)

    low, high = mpf(low), mpf(high)
    while not falls(low):
        low = low * 0.999
    while falls(high):
        high = high * 1.001
    while high - low > low * mpf(10) ** -digits:
        x = (low + high) / 2
        low, high = (x, high) if falls(x) else (low, x)
    return (low + high) / 2


def with_open_end(c, edges, unbounded, distance, empty):
    """All lengths, an open last interval with the given length or the one for which the largest total cost is least."""
    lengths, n = exact_lengths(edges), margins(c)[0]
    if lengths[-1] is not None:
        return lengths
    others = [t for t in range(len(c) - 1) if n[t]]
    if not n[-1] or not others:
        return [*lengths[:-1], Fraction(1)]  # makes no difference
    if unbounded != "optimal":
        return [*lengths[:-1], Fraction(unbounded)]
    if len(others) == 1:
        return [*lengths[:-1], lengths[others[0]]]  # by convention
    return [*map(real, lengths[:-1]), best_length(tuple(n), tuple(lengths[:-1]), distance, empty)]


@cache
def best_length(n, lengths, distance, empty):
    perfect = [[w if t == p else 0 for p, _ in enumerate(n)] for t, w in enumerate(n)]
    digits, doubles = [real(x) for x in lengths], [float(x) for x in lengths]
    return least(
        lambda x: costs(perfect, [*digits, x], distance, empty)[1], lambda x: costs(perfect, [*doubles, x], distance, empty)[1]
    )


def total_cost(c, empty="keep"):
    cost, _ = costs(c, [Fraction(1)] * len(c), empty=empty)
    return None if sum(map(bool, margins(c)[0])) < 2 else cost / margins(c)[2]


def stc(c, empty="keep"):
    cost, most = costs(c, [Fraction(1)] * len(c), empty=empty)
    return None if most == 0 else cost / most


def interval_total_cost(c, edges, unbounded="optimal", distance="hausdorff", empty="keep"):
    cost, _ = costs(c, with_open_end(c, edges, unbounded, distance, empty), distance, empty)
    return None if sum(map(bool, margins(c)[0])) < 2 else cost / margins(c)[2]


def interval_stc(c, edges, unbounded="optimal", distance="hausdorff", empty="keep"):
    cost, most = costs(c, with_open_end(c, edges, unbounded, distance, empty), distance, empty)
    return None if most == 0 else cost / most


def distances(c, edges, unbounded, distance, empty):
    """Distance between every two classes; one taken off the scale is as far as the farthest that is left."""
    n = margins(c)[0]
    lengths = [Fraction(unbounded) if length is None else length for length in exact_lengths(edges)]
    ends, k = laid_out(lengths, empty, n), range(len(c))
    d = [[between(ends[t], ends[p], distance) for p in k] for t in k]
    if empty == "renumber":
        d = [[d[t][p] if n[p] else max((d[t][q] for q in k if n[q]), default=0) for p in k] for t in k]
    return d


def interval_mae(c, edges, unbounded=None, distance="hausdorff", empty="keep"):
    if empty == "renumber" and sum(map(bool, margins(c)[0])) < 2:
        return None
    d = distances(c, edges, unbounded, distance, empty)
    return ratio(sum(d[t][p] * w for t, p, w in cells(c)), margins(c)[2])


def interval_smae(c, edges, unbounded=None, distance="hausdorff", empty="keep"):
    d, (n, _, _) = distances(c, edges, unbounded, distance, empty), margins(c)
    if empty == "renumber" and sum(map(bool, n)) < 2:
        return None
    return ratio(sum(d[t][p] * w for t, p, w in cells(c)), sum(rows * max(row) for rows, row in zip(n, d, strict=True)))
