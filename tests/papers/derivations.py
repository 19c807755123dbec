"""Every metric a second time, from its textbook definition, in exact fractions or 50 digits, cell by cell in plain Python.

Nothing here is shared with the kernels: no cumulative sums, no cost form, no numpy.  None means undefined.
"""

from fractions import Fraction
from functools import cache, lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain, pairwise, product
from math import inf
from pathlib import Path

from mpmath import log, mp, mpf, pi, sin, sqrt

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


def accuracy_within(c, steps=1):
    return ratio(sum(w for t, p, w in cells(c) if abs(t - p) <= steps), margins(c)[2])


def balanced_accuracy(c):
    return mean(Fraction(c[k][k], n) for k, n in enumerate(margins(c)[0]) if n)


def recalls(c):
    return [Fraction(c[k][k], n) if n else None for k, n in enumerate(margins(c)[0])]


def mze(c):
    return 1 - accuracy(c)


def minimum_sensitivity(c):
    return min(r for r in recalls(c) if r is not None)


def root(shares):
    found = mpf(1)
    for share in shares:
        found *= real(share)
    return found ** (mpf(1) / len(shares))


def geometric_mean_sensitivity(c):
    return root([r for r in recalls(c) if r is not None])


def mean_extreme_sensitivity(c):
    ends = recalls(c)[0], recalls(c)[-1]
    return None if None in ends else sum(ends) / 2


def geometric_mean_extreme_sensitivity(c):
    ends = recalls(c)[0], recalls(c)[-1]
    return None if None in ends else root(ends)


def macro_f1(c, classes=None):
    """Harmonic mean of precision and recall, class by class; of some classes, numbered from 0, or of all."""
    n, m, _ = margins(c)
    scores = []
    for k in range(len(c)) if classes is None else sorted(set(classes)):
        if n[k] and m[k]:
            precision, recall = Fraction(c[k][k], m[k]), Fraction(c[k][k], n[k])
            scores.append(2 * precision * recall / (precision + recall) if c[k][k] else Fraction(0))
        elif n[k] or m[k]:
            scores.append(Fraction(0))
    return mean(scores)


def macro_precision(c):
    return mean(Fraction(c[k][k], m) for k, m in enumerate(margins(c)[1]) if m)


def matthews(c):
    n, m, total = margins(c)
    covariance = sum(c[k][k] for k in range(len(c))) * total - sum(a * b for a, b in zip(n, m, strict=True))
    spread = (total**2 - sum(a * a for a in n)) * (total**2 - sum(b * b for b in m))
    return None if spread == 0 else mpf(covariance) / sqrt(mpf(spread))


def over_rate(c):
    return ratio(sum(w for t, p, w in cells(c) if p > t), margins(c)[2])


def under_rate(c):
    return ratio(sum(w for t, p, w in cells(c) if p < t), margins(c)[2])


def mse(c):
    return ratio(sum((t - p) ** 2 * w for t, p, w in cells(c)), margins(c)[2])


def rmse(c):
    return sqrt(real(mse(c)))


def class_means(c, power=1):
    return [Fraction(sum(abs(t - p) ** power * c[t][p] for p in range(len(c))), n) for t, n in enumerate(margins(c)[0]) if n]


def amse(c):
    return mean(class_means(c, 2))


def mmae(c):
    return max(class_means(c))


def min_mae(c):
    return min(class_means(c))


def smae(c):
    """Against the worst answer, built row by row."""
    k, n = len(c), margins(c)[0]
    worst = sum(n[t] * max(abs(t - p) for p in range(k)) for t in range(k))
    return ratio(sum(abs(t - p) * w for t, p, w in cells(c)), worst)


def purity(c):
    return ratio(sum(max(c[t][p] for t in range(len(c))) for p in range(len(c))), margins(c)[2])


def inverse_purity(c):
    return ratio(sum(max(row) for row in c), margins(c)[2])


def mae(c):
    return ratio(sum(abs(t - p) * w for t, p, w in cells(c)), margins(c)[2])


def amae(c):
    return mean(Fraction(sum(abs(t - p) * c[t][p] for p in range(len(c))), n) for t, n in enumerate(margins(c)[0]) if n)


def bias(c):
    return ratio(sum((p - t) * w for t, p, w in cells(c)), margins(c)[2])


def agreement_weight(scheme, i, j, k):
    """Gwet's weights, as his handbook writes them, for the ranks i and j of 1..k."""
    if i == j:
        return Fraction(1)
    d = abs(i - j)
    return {
        "identity": lambda: Fraction(0),
        "linear": lambda: 1 - Fraction(d, k - 1),
        "quadratic": lambda: 1 - Fraction(d, k - 1) ** 2,
        "radical": lambda: 1 - sqrt(mpf(d)) / sqrt(mpf(k - 1)),
        "ordinal": lambda: 1 - Fraction(d * (d + 1) // 2, k * (k - 1) // 2),  # pairs of classes between the two
        "ratio": lambda: 1 - Fraction(d, i + j) ** 2 / Fraction(k - 1, k + 1) ** 2,
        "circular": lambda: 1 - sin(pi * d / k) ** 2 / max(sin(pi * e / k) ** 2 for e in range(k)),
        "bipolar": lambda: 1 - Fraction(d * d, (i + j - 2) * (2 * k - i - j)),
    }[scheme]()


@lru_cache(maxsize=1_000)
def weight_matrix(k, weights, power):
    if power is not None:
        return [[1 - (mpf(abs(i - j)) / (k - 1)) ** mpf(power) for j in range(k)] for i in range(k)]
    if not isinstance(weights, str):
        return [[Fraction(x) for x in row] for row in weights]
    return [[agreement_weight(weights, i, j, k) for j in range(1, k + 1)] for i in range(1, k + 1)]


def beyond_chance(c, expected, weights, power):
    """(Po - Pe) / (1 - Pe), with Pe from the two lists of class shares and the weights."""
    k, (n, m, total) = len(c), margins(c)
    if k == 1:
        return None
    w = weight_matrix(k, weights, power)
    observed = sum(real(w[t][p]) * x for t, p, x in cells(c)) / total
    chance = expected([Fraction(x, total) for x in n], [Fraction(x, total) for x in m], w)
    return None if abs(1 - chance) < mpf(10) ** -40 else (observed - chance) / (1 - chance)


def expected_weight(shares, others, w):
    return sum(real(w[i][j]) * real(a) * real(b) for i, a in enumerate(shares) for j, b in enumerate(others))


def cohen_kappa(c, weights="quadratic", power=None):
    return beyond_chance(c, expected_weight, weights, power)


def scott_pi(c, weights="quadratic", power=None):
    def expected(n, m, w):
        pooled = [(a + b) / 2 for a, b in zip(n, m, strict=True)]
        return expected_weight(pooled, pooled, w)

    return beyond_chance(c, expected, weights, power)


def gwet_ac(c, weights="quadratic", power=None):
    def expected(n, m, w):
        pooled = [(a + b) / 2 for a, b in zip(n, m, strict=True)]
        k = len(w)
        return sum(map(real, chain.from_iterable(w))) / (k * (k - 1)) * real(sum(x * (1 - x) for x in pooled))

    return beyond_chance(c, expected, weights, power)


def brennan_prediger(c, weights="quadratic", power=None):
    return beyond_chance(c, lambda n, m, w: sum(map(real, chain.from_iterable(w))) / len(w) ** 2, weights, power)


def krippendorff_alpha(c, level="ordinal"):
    """1 - Do/De from the coincidences of the pairable values, as Krippendorff computes it."""
    n, m, total = margins(c)
    k = len(c)
    pooled = [a + b for a, b in zip(n, m, strict=True)]
    coincidence = [[c[i][j] + c[j][i] for j in range(k)] for i in range(k)]

    def delta(i, j):
        low, high = min(i, j), max(i, j)
        return {
            "nominal": lambda: int(i != j),
            "ordinal": lambda: (sum(pooled[low : high + 1]) - Fraction(pooled[low] + pooled[high], 2)) ** 2 if i != j else 0,
            "interval": lambda: (i - j) ** 2,
            "ratio": lambda: Fraction(i - j, i + j + 2) ** 2,
        }[level]()

    observed = Fraction(sum(coincidence[i][j] * delta(i, j) for i in range(k) for j in range(k)), 2 * total)
    expected = Fraction(sum(pooled[i] * pooled[j] * delta(i, j) for i in range(k) for j in range(k)), 2 * total * (2 * total - 1))
    return None if expected == 0 else 1 - observed / expected


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


def kendall_tau(c, variant="b"):
    x = pair_counts(c)
    total, k = margins(c)[2], len(c)
    surplus = x["concordant"] - x["discordant"]
    if variant == "a":
        return ratio(surplus, Fraction(total * (total - 1), 2))
    if variant == "c":
        return None if k == 1 else Fraction(2 * k * surplus, total**2 * (k - 1))
    untied = x["concordant"] + x["discordant"]
    below = (untied + x["tied_true"]) * (untied + x["tied_pred"])
    return None if below == 0 else mpf(surplus) / sqrt(mpf(below))


def goodman_kruskal_gamma(c):
    x = pair_counts(c)
    return ratio(x["concordant"] - x["discordant"], x["concordant"] + x["discordant"])


def somers_d(c, given="true"):
    """Pairs that differ in the given variable, counted from its margin."""
    x = pair_counts(c)
    margin = margins(c)[given == "pred"]
    differ = sum(margin[i] * margin[j] for i in range(len(c)) for j in range(i))
    return ratio(x["concordant"] - x["discordant"], differ)


def r_int(c):
    """Cosine of the relations x_i <= x_j over ordered pairs of different rows."""
    both = of_true = of_pred = 0
    for (t, p, w), (s, q, v) in product(cells(c), repeat=2):
        number = w * (w - 1) if (t, p) == (s, q) else w * v
        both += number * (t <= s and p <= q)
        of_true += number * (t <= s)
        of_pred += number * (p <= q)
    return None if of_true * of_pred == 0 else 2 * mpf(both) / sqrt(mpf(of_true) * of_pred) - 1


def relations(c):
    """For each cell: rows in the same strict order with it in both, and in a strict order in truth, in prediction."""
    for t, p, w in cells(c):
        same = sum(v for s, q, v in cells(c) if (s < t and q < p) or (s > t and q > p))
        yield w, same, sum(v for s, _, v in cells(c) if s != t), sum(v for _, q, v in cells(c) if q != p)


def order_reliability(c):
    found = list(relations(c))
    return (
        None
        if any(pred == 0 for *_, pred in found)
        else sum(w * Fraction(same, pred) for w, same, _, pred in found) / margins(c)[2]
    )


def order_sensitivity(c):
    found = list(relations(c))
    return (
        None
        if any(true == 0 for _, _, true, _ in found)
        else sum(w * Fraction(same, true) for w, same, true, _ in found) / margins(c)[2]
    )


def order_f(c):
    a, b = order_reliability(c), order_sensitivity(c)
    if a is None or b is None:
        return None
    return Fraction(0) if a + b == 0 else 2 * a * b / (a + b)


def pearson(c):
    ranks = [Fraction(k) for k in range(1, len(c) + 1)]
    return correlation(c, ranks, ranks)


def cosine(c):
    n, m, _ = margins(c)
    product_sum = sum((t + 1) * (p + 1) * w for t, p, w in cells(c))
    squares = sum((k + 1) ** 2 * w for k, w in enumerate(n)) * sum((k + 1) ** 2 * w for k, w in enumerate(m))
    return mpf(product_sum) / sqrt(mpf(squares))


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


def mutual_information(c, mean=None):
    n, m, _ = margins(c)
    a, b = entropy(n), entropy(m)
    shared = a + b - entropy([w for _, _, w in cells(c)])
    if mean is None:
        return shared
    scale = {"arithmetic": (a + b) / 2, "geometric": sqrt(a * b), "min": min(a, b), "max": max(a, b)}[mean]
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


def cem_floor(c, level="ordinal", ties=None, flat=False, class_counts=None):
    return _cem(c, level, ties, flat, class_counts)[1]


def cem(c, level="ordinal", ties=None, flat=False, class_counts=None, normalize=False):
    found, least = _cem(c, level, ties, flat, class_counts)
    if found is None or not normalize:
        return found
    return None if least == 1 else (found - least) / (1 - least)


def _cem(c, level, ties, flat, class_counts):
    truth = margins(c)[0]
    gold = truth if class_counts is None else class_counts
    ties = ties or ("full" if level == "nominal" else "half")
    how = level, ties, flat
    right = sum(n * closeness(gold, *how, b, b) for b, n in enumerate(truth) if n)
    if right == 0:
        return None, None
    earned = sum(w * closeness(gold, *how, p, t) for t, p, w in cells(c))
    worst = sum(n * min(closeness(gold, *how, p, b) for p in range(len(c))) for b, n in enumerate(truth) if n)
    return earned / right, worst / right


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


def laid_out(lengths, absent, n):
    """The ends of the intervals; with absent="renumber" one without rows takes no room."""
    ends, at = [], 0
    for length, rows in zip(lengths, n, strict=True):
        room = 0 if absent == "renumber" and not rows else length
        ends.append((at, at + room))
        at = at + room
    return ends


def between(a, b, distance):
    if distance == "midpoint":
        return abs(a[0] + a[1] - b[0] - b[1]) / 2
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def costs(c, lengths, distance="hausdorff", absent="keep", class_counts=None):
    """The total cost and the largest one for these true classes, both times N, by the definition in Binotto & Delgado."""
    n, _, _ = margins(c)
    gold = n if class_counts is None else [Fraction(rows) for rows in class_counts]
    live = [t for t, rows in enumerate(gold) if rows]
    ends = laid_out(lengths, absent, gold)
    density = {t: gold[t] / lengths[t] for t in live}
    cost = most = 0
    for t in [t for t, rows in enumerate(n) if rows]:
        gamma = {p: sum(density[k] for k in live if k != t) / density[p] for p in live}
        price = {p: gamma[p] * between(ends[t], ends[p], distance) for p in live}
        dearest = max(price.values())
        cost += sum(w * (0 if p == t else price[p] if p in live else dearest) for p, w in enumerate(c[t]))
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


def with_open_end(c, edges, unbounded, distance, absent):
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
    return [*map(real, lengths[:-1]), best_length(tuple(n), tuple(lengths[:-1]), distance, absent)]


@cache
def best_length(n, lengths, distance, absent):
    perfect = [[w if t == p else 0 for p, _ in enumerate(n)] for t, w in enumerate(n)]
    digits, doubles = [real(x) for x in lengths], [float(x) for x in lengths]
    return least(
        lambda x: costs(perfect, [*digits, x], distance, absent)[1], lambda x: costs(perfect, [*doubles, x], distance, absent)[1]
    )


def total_cost(c, absent="keep", class_counts=None):
    cost, _ = costs(c, [Fraction(1)] * len(c), absent=absent, class_counts=class_counts)
    return None if sum(map(bool, class_counts or margins(c)[0])) < 2 else cost / margins(c)[2]


def stc(c, absent="keep", class_counts=None):
    cost, most = costs(c, [Fraction(1)] * len(c), absent=absent, class_counts=class_counts)
    return None if most == 0 else cost / most


def interval_total_cost(c, edges, unbounded="optimal", distance="hausdorff", absent="keep"):
    cost, _ = costs(c, with_open_end(c, edges, unbounded, distance, absent), distance, absent)
    return None if sum(map(bool, margins(c)[0])) < 2 else cost / margins(c)[2]


def interval_stc(c, edges, unbounded="optimal", distance="hausdorff", absent="keep"):
    cost, most = costs(c, with_open_end(c, edges, unbounded, distance, absent), distance, absent)
    return None if most == 0 else cost / most


def distances(c, edges, unbounded, distance, absent):
    """Distance between every two classes; one taken off the scale is as far as the farthest that is left."""
    n = margins(c)[0]
    lengths = [Fraction(unbounded) if length is None else length for length in exact_lengths(edges)]
    ends, k = laid_out(lengths, absent, n), range(len(c))
    d = [[between(ends[t], ends[p], distance) for p in k] for t in k]
    if absent == "renumber":
        d = [[d[t][p] if n[p] else max((d[t][q] for q in k if n[q]), default=0) for p in k] for t in k]
    return d


def interval_mae(c, edges, unbounded=None, distance="hausdorff", absent="keep"):
    if absent == "renumber" and sum(map(bool, margins(c)[0])) < 2:
        return None
    d = distances(c, edges, unbounded, distance, absent)
    return ratio(sum(d[t][p] * w for t, p, w in cells(c)), margins(c)[2])


def interval_smae(c, edges, unbounded=None, distance="hausdorff", absent="keep"):
    d, (n, _, _) = distances(c, edges, unbounded, distance, absent), margins(c)
    if absent == "renumber" and sum(map(bool, n)) < 2:
        return None
    return ratio(sum(d[t][p] * w for t, p, w in cells(c)), sum(rows * max(row) for rows, row in zip(n, d, strict=True)))


def derivation(name):
    """Say that a function derives the metric of this name; it stands in tests/metrics/test_NAME.py, with the metric's other evidence."""

    def keep(function):
        globals()[name] = function
        return function

    return keep


def derivation_of(name):
    """The derivation of a metric, from here or from the metric's own file."""
    if name not in globals():
        path = Path(__file__).parents[1] / "metrics" / f"test_{name}.py"
        spec = spec_from_file_location(f"evidence_of_{name}", path)
        spec.loader.exec_module(module_from_spec(spec))
    return globals()[name]


def derived(metric, scale, table):
    """What a metric's own derivation says of a table on this scale: a fraction, 50 digits, or None where it is undefined."""
    geometry = {"edges": scale.edges} if "edges" in metric.needs else {}
    return derivation_of(metric.name)(table.tolist(), **metric.params, **geometry)
