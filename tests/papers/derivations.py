"""Every metric a second time, from its textbook definition, in exact fractions or 50 digits, cell by cell in plain Python.

Nothing here is shared with the kernels: no cumulative sums, no cost form, no numpy.  None means undefined.
"""

from fractions import Fraction
from itertools import pairwise, product

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


def monotone_paths(k):
    """Every path from the first class to the last, one step down, right or both at a time."""
    found = [[(0, 0)]]
    while found:
        path = found.pop()
        t, p = path[-1]
        if (t, p) == (k - 1, k - 1):
            yield path
        steps = [(t + 1, p), (t, p + 1), (t + 1, p + 1)]
        found += [[*path, step] for step in steps if max(step) < k]


def heaviest_path(gain):
    """The largest sum of gains along a path: all paths up to five classes, beyond that from the best paths to each cell."""
    k = len(gain)
    if k <= 5:
        return max(sum(gain[t][p] for t, p in path) for path in monotone_paths(k))
    best = {}
    for t, p in product(range(k), repeat=2):
        before = [best[cell] for cell in ((t - 1, p), (t, p - 1), (t - 1, p - 1)) if cell in best]
        best[t, p] = gain[t][p] + (max(before) if before else 0)
    return best[k - 1, k - 1]


FORBIDDEN = 10**9  # for an infinite penalty: no index is above 1


def power(x, gamma):
    """x to the power gamma: exact where gamma is 1, 50 digits else."""
    if gamma == 1 or x in (0, 1):
        return Fraction(x)
    if gamma == float("inf"):
        return Fraction(FORBIDDEN if x > 1 else 0)
    return real(Fraction(x)) ** mpf(gamma)


def times(a, b):
    return a * b if isinstance(a, Fraction) == isinstance(b, Fraction) else real(a) * real(b)


def step_penalties(c, share, gamma, beta):
    """What one row costs on the path, at each distance."""
    k, total = len(c), margins(c)[2]
    if beta is None:
        return [Fraction(0), *(times(Fraction(share) / total, power(Fraction(d, k - 1), gamma)) for d in range(1, k))]
    rate = Fraction(FORBIDDEN if beta == float("inf") else beta)
    return [times(rate, power(d, gamma)) for d in range(k)]


def distance_norm(c, gamma):
    off = [(abs(t - p), w) for t, p, w in cells(c) if t != p]
    if gamma == 1:
        return sum((w * d for d, w in off), Fraction(0))
    if gamma == float("inf"):
        return Fraction(max((d for d, _ in off), default=0))
    return sum((w * real(power(d, gamma)) for d, w in off), mpf(0)) ** (1 / mpf(gamma))


def cell_gains(c, divisor, penalties):
    """What a path gains by visiting each cell: its rows, less what they cost there."""
    if not all(isinstance(x, Fraction) for x in (divisor, *penalties)):
        divisor, penalties = real(divisor), [real(x) for x in penalties]
    return [[w / divisor - w * penalties[abs(t - p)] for p, w in enumerate(row)] for t, row in enumerate(c)]


def oci(c, share=0.75, gamma=1, beta=None):
    total = margins(c)[2]
    if total == 0:
        return None
    divisor = total + distance_norm(c, gamma)
    return 1 - heaviest_path(cell_gains(c, divisor, step_penalties(c, share, gamma, beta)))


def oci_unnormalized(c, share=0.75, gamma=1, beta=None):
    total = margins(c)[2]
    return None if total == 0 else 1 - heaviest_path(cell_gains(c, Fraction(total), step_penalties(c, share, gamma, beta)))


def connected_sets(k):
    """Every set of cells with both ends of the diagonal in which a king can reach every cell."""
    grid = list(product(range(k), repeat=2))
    for chosen in product((False, True), repeat=k * k):
        inside = {cell for cell, taken in zip(grid, chosen, strict=True) if taken}
        if not {(0, 0), (k - 1, k - 1)} <= inside:
            continue
        reached, edge = {(0, 0)}, [(0, 0)]
        while edge:
            t, p = edge.pop()
            near = {(t + i, p + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & inside - reached
            reached |= near
            edge += near
        if reached == inside:
            yield inside


def clashes(inside):
    return sum((t - s) * (p - q) < 0 for (t, p), (s, q) in product(inside, repeat=2)) // 2


WALKS = {k: [(sorted(inside), clashes(inside)) for inside in connected_sets(k)] for k in (1, 2, 3)}


def oci_general(c, beta1=None, beta2=0, gamma=1):
    """All walks up to three classes; beyond that only the two cases with a formula: no price for order, or one of at least 1."""
    k, total = len(c), margins(c)[2]
    if total == 0:
        return None
    gains = cell_gains(c, total + distance_norm(c, gamma), step_penalties(c, 0.75, gamma, beta1))
    if k <= 3:
        price = type(gains[0][0])(beta2)
        return 1 - max(sum(gains[t][p] for t, p in inside) - price * number for inside, number in WALKS[k])
    if beta2 >= 1:
        return 1 - heaviest_path(gains)
    assert beta2 == 0
    return 1 - sum(max(gain, 0) for row in gains for gain in row)


def class_shares(c, empty):
    """Shares within each true class, and the number of classes that count."""
    k, n = len(c), margins(c)[0]
    filled = {
        "zeros": lambda t: [Fraction(0)] * k,
        "uniform": lambda t: [Fraction(1, k)] * k,
        "diagonal": lambda t: [Fraction(int(t == p)) for p in range(k)],
    }[empty]
    q = [[Fraction(x, n[t]) for x in row] if n[t] else filled(t) for t, row in enumerate(c)]
    return q, k if empty != "zeros" else sum(map(bool, n))


def uoc(c, beta=0.75, empty="zeros"):
    if margins(c)[2] == 0:
        return None
    q, classes = class_shares(c, empty)
    penalties = [Fraction(beta) / classes * d for d in range(len(c))]
    return 1 - heaviest_path(cell_gains(q, classes + distance_norm(q, 1), penalties))


def auoc(c, empty="zeros"):
    """Up to three classes from all crossings of all paths; beyond that by halving at the crossing of two paths."""
    if margins(c)[2] == 0:
        return None
    q, classes = class_shares(c, empty)
    k, divisor = len(c), classes + distance_norm(q, 1)

    def line(path):
        """1 - gain along a path as (value at beta 0, slope)."""
        return 1 - sum(q[t][p] for t, p in path) / divisor, sum(abs(t - p) * q[t][p] for t, p in path) / classes

    if k <= 3:
        lines = {line(path) for path in monotone_paths(k)}
        crossings = {(b - a) / (x - y) for (a, x), (b, y) in product(lines, repeat=2) if x != y}
        return piecewise(lambda beta: min(a + x * beta for a, x in lines), {0, 1} | {x for x in crossings if 0 < x < 1})

    def cheapest(beta):
        best = {}
        for t, p in product(range(k), repeat=2):
            before = [best[cell] for cell in ((t - 1, p), (t, p - 1), (t - 1, p - 1)) if cell in best] or [(1, 1, 0)]
            _, a, x = min(before)
            a, x = a - q[t][p] / divisor, x + abs(t - p) * q[t][p] / classes
            best[t, p] = a + x * beta, a, x
        return best[k - 1, k - 1][1:]

    def area(low, high, first, last):
        if first == last:
            crossing = high
        else:
            (a, x), (b, y) = first, last
            crossing = (b - a) / (x - y) if x != y else low
        third = cheapest(crossing)
        if low < crossing < high and third[0] + third[1] * crossing < first[0] + first[1] * crossing:
            return area(low, crossing, first, third) + area(crossing, high, third, last)
        both = ((first, low, crossing), (last, crossing, high))
        return sum((line[0] + line[1] * (a + b) / 2) * (b - a) for line, a, b in both)

    return area(Fraction(0), Fraction(1), cheapest(Fraction(0)), cheapest(Fraction(1)))


def piecewise(function, corners):
    """The integral of a function that is linear between its corners."""
    corners = sorted(map(Fraction, corners))
    return sum((function(a) + function(b)) / 2 * (b - a) for a, b in pairwise(corners))
