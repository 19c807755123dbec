"""Every probability metric a second time, from its textbook definition, row by row in exact fractions; 50 digits where logarithms occur.

Nothing here is shared with the kernels: no chunks, no cumulative sums, no numpy; pairs and chains are enumerated.  None means undefined.
Probabilities and weights are fractions.  `key` is what is compared in place of a sum of probabilities: the sum itself for rational
forecasts; for doubles, whose sums are rounded in the last digits, its place on the grid of 1e-12 that the metrics promise.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import factorial, floor

from mpmath import exp, inf, log, mp, mpf

mp.dps = 50


def exact(z):
    return z


def on_grid(z):
    return Fraction(round(z * 10**12), 10**12)


def real(x):
    """A fraction in 50 digits."""
    return mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpf(x)


def mean(values, weights):
    values = list(values)
    if all(isinstance(v, (Fraction, int)) for v in values):
        return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    return sum(real(w) * real(v) for w, v in zip(weights, values, strict=True)) / real(sum(weights))


def cut_sums(p):
    return [sum(p[: k + 1]) for k in range(len(p) - 1)]


def row_rps(y, p):
    return sum(((f - (y <= k)) ** 2 for k, f in enumerate(cut_sums(p))), Fraction(0))


def rps(true, proba, weights, normalize=False):
    if normalize and len(proba[0]) == 1:
        return None
    return mean(map(row_rps, true, proba), weights) / (len(proba[0]) - 1 if normalize else 1)


def rps_skill(true, proba, weights, reference="climatology"):
    k = len(proba[0])
    if reference == "climatology":
        reference = [sum(w for w, y in zip(weights, true, strict=True) if y == c) / sum(weights) for c in range(k)]
    elif reference == "uniform":
        reference = [Fraction(1, k)] * k
    against = mean([row_rps(y, reference) for y in true], weights)
    return None if against == 0 else 1 - rps(true, proba, weights) / against


def log_loss(true, proba, weights):
    return mean([inf if p[y] == 0 else -log(real(p[y])) for y, p in zip(true, proba, strict=True)], weights)


def brier(true, proba, weights):
    return mean([sum((x - (c == y)) ** 2 for c, x in enumerate(p)) for y, p in zip(true, proba, strict=True)], weights)


def ordinal_log_loss(true, proba, weights, alpha=1):
    def row(y, p):
        return sum(inf if x == 1 else -log(real(1 - x)) * mpf(abs(c - y)) ** alpha for c, x in enumerate(p) if c != y and x != 0)

    return mean(map(row, true, proba), weights)


def unimodality(true, proba, weights):
    def row(p):
        return any(
            all(a <= b for a, b in pairwise(p[: peak + 1])) and all(a >= b for a, b in pairwise(p[peak:]))
            for peak in range(len(p))
        )

    return mean([int(row(p)) for p in proba], weights)


def mean_ranks(proba):
    return [sum((c + 1) * x for c, x in enumerate(p)) for p in proba]


def threshold_loss(true, proba, weights, thresholds=None, kind="all", loss="logistic", *, key=exact):
    f = {"logistic": lambda m: log(1 + exp(-real(m))), "hinge": lambda m: max(Fraction(0), 1 - m)}.get(loss)
    cuts = [c + Fraction(3, 2) for c in range(len(proba[0]) - 1)]
    if loss == "zero_one":
        chosen = [sum(key(z) > cut for cut in cuts) for z in mean_ranks(proba)]
        return mean([abs(y - p) if kind == "all" else int(y != p) for y, p in zip(true, chosen, strict=True)], weights)

    def row(y, z):
        if kind == "all":
            return sum(f((1 if c >= y else -1) * (cut - z)) for c, cut in enumerate(cuts))
        return (f(z - cuts[y - 1]) if y > 0 else 0) + (f(cuts[y] - z) if y < len(cuts) else 0)

    return mean(map(row, true, mean_ranks(proba)), weights)


def cumulative_calibration_error(true, proba, weights, bins=10, binning="width", *, key=exact):
    errors = []
    for k in range(len(proba[0]) - 1):
        forecasts = [cut_sums(p)[k] for p in proba]
        keys = list(map(key, forecasts))
        if binning == "width":
            edges = [key(Fraction(b, bins)) for b in range(1, bins)]
            places = [sum(f >= edge for edge in edges) for f in keys]
        else:
            places = mass_bins(keys, weights, bins)
        sums = [Fraction(0)] * bins
        for y, f, w, place in zip(true, forecasts, weights, places, strict=True):
            sums[place] += w * (f - (y <= k))
        errors.append(sum(map(abs, sums)) / sum(weights))
    return sum(errors) / len(errors) if errors else None


def mass_bins(values, weights, bins):
    """Equal values together, in the bin that holds the middle of their weight when all values stand in order."""
    found = []
    for value in values:
        lower, own = (
            sum(w for v, w in zip(values, weights, strict=True) if test(v, value))
            for test in (lambda a, b: a < b, lambda a, b: a == b)
        )
        found.append(floor((lower + own / 2) / sum(weights) * bins))
    return found


def calibration_slope(true, proba, weights, cut=None, *, key=exact):
    """Maximum likelihood in 50 digits; None where a certain forecast was wrong, or where no two forecasts are in the wrong order."""
    slopes = []
    for k in range(len(proba[0]) - 1) if cut is None else [cut]:
        rows = [(sum(p[: k + 1]), sum(p[k + 1 :]), y <= k, w) for y, p, w in zip(true, proba, weights, strict=True)]
        if any((key(f) == 0 and came) or (key(rest) == 0 and not came) for f, rest, came, _ in rows):
            return None
        rows = [row for row in rows if key(row[0]) > 0 and key(row[1]) > 0]
        yes, no = ([key(f) for f, _, came, _ in rows if came is side] for side in (True, False))
        if not any(a < b for a in yes for b in no) or not any(a > b for a in yes for b in no):
            return None
        slopes.append(slope_of([(log(real(f) / real(rest)), came, real(w)) for f, rest, came, w in rows]))
    return sum(slopes) / len(slopes) if slopes else None


def slope_of(rows):
    """Newton's method, each step halved until the likelihood rises by a quarter of what the slope promises."""

    def likelihood(a, b):
        return -sum(w * log(1 + exp(-(a + b * x) if came else a + b * x)) for x, came, w in rows)

    a, b = log(sum(w for _, came, w in rows if came) / sum(w for _, came, w in rows if not came)), mpf(0)
    for _ in range(300):
        fitted = [(x, came, w, 1 / (1 + exp(-(a + b * x)))) for x, came, w in rows]
        curve = [(w * p * (1 - p), x) for x, _, w, p in fitted]
        h0 = sum(c for c, _ in curve)
        centre = sum(c * x for c, x in curve) / h0
        g0 = sum(w * (came - p) for _, came, w, p in fitted)
        g1 = sum(w * (came - p) * (x - centre) for x, came, w, p in fitted)
        step = g1 / sum(c * (x - centre) ** 2 for c, x in curve)
        shift, size, before = g0 / h0 - centre * step, mpf(1), likelihood(a, b)
        gain = g0**2 / h0 + g1 * step
        while gain > mpf(10) ** -45 and likelihood(a + size * shift, b + size * step) < before + size * gain / 4:
            size /= 2
        a, b = a + size * shift, b + size * step
        if abs(step) <= mpf(10) ** -18 * (1 + abs(b)):
            return b
    raise ArithmeticError("300 steps were not enough")


def wins(true, scores, weights):
    """For classes t < u: weight of the pairs in order, ties half, and of all pairs."""
    found = {}
    for i, j in product(range(len(true)), repeat=2):
        if true[i] < true[j]:
            right, every = found.get((true[i], true[j]), (0, 0))
            w = weights[i] * weights[j]
            credit = 1 if scores[i] < scores[j] else Fraction(1, 2) if scores[i] == scores[j] else 0
            found[true[i], true[j]] = (right + w * credit, every + w)
    return found


def concordance_index(true, proba, weights, *, key=exact):
    found = wins(true, [key(z) for z in mean_ranks(proba)], weights).values()
    every = sum(e for _, e in found)
    return None if every == 0 else sum(r for r, _ in found) / every


def ordinal_auc(true, proba, weights, average="splits", *, key=exact):
    k, found = len(proba[0]), wins(true, [key(z) for z in mean_ranks(proba)], weights)
    if average == "splits":
        groups = [[(t, u) for t, u in combinations(range(k), 2) if t <= cut < u] for cut in range(k - 1)]
    else:
        groups = [[pair] for pair in combinations(range(k), 2) if average == "pairs" or pair[1] == pair[0] + 1]
    areas = []
    for group in groups:
        pairs = [found[pair] for pair in group if pair in found]
        if not pairs:
            return None
        areas.append(sum(r for r, _ in pairs) / sum(e for _, e in pairs))
    return sum(areas) / len(areas) if areas else None


def volume_under_surface(true, proba, weights, *, key=exact):
    k, scores = len(proba[0]), [key(z) for z in mean_ranks(proba)]
    members = [[i for i, y in enumerate(true) if y == c] for c in range(k)]
    if not all(members):
        return None
    volume = every = Fraction(0)
    for chain in product(*members):
        weight = Fraction(1)
        for i in chain:
            weight *= weights[i]
        every += weight
        line = [scores[i] for i in chain]
        if all(a <= b for a, b in pairwise(line)):
            credit = Fraction(1)
            for value in set(line):
                credit /= factorial(line.count(value))
            volume += weight * credit
    return volume / every


__all__ = [
    "brier",
    "calibration_slope",
    "concordance_index",
    "cumulative_calibration_error",
    "log_loss",
    "ordinal_auc",
    "ordinal_log_loss",
    "rps",
    "rps_skill",
    "threshold_loss",
    "unimodality",
    "volume_under_surface",
]
