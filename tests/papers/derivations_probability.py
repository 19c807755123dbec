"""Every probability metric a second time, from its textbook definition, row by row in 50 digits.

Nothing here is shared with the kernels: no chunks, no cumulative sums, no numpy; pairs and chains are enumerated.  None means undefined.
"""

from itertools import combinations, pairwise, product
from math import factorial

from mpmath import exp, inf, log, log1p, matrix, mp, mpf

mp.dps = 50


def mean(values, weights):
    return sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)


def cut_sums(p):
    return [sum(p[: k + 1]) for k in range(len(p) - 1)]


def row_rps(y, p):
    return sum((f - (y <= k)) ** 2 for k, f in enumerate(cut_sums(p)))


def rps(true, proba, weights, normalize=False):
    return mean(map(row_rps, true, proba), weights) / (len(proba[0]) - 1 if normalize else 1)


def rps_skill(true, proba, weights, reference="climatology"):
    k = len(proba[0])
    if reference == "climatology":
        reference = [sum(w for w, y in zip(weights, true, strict=True) if y == c) / sum(weights) for c in range(k)]
    elif reference == "uniform":
        reference = [mpf(1) / k] * k
    against = mean([row_rps(y, reference) for y in true], weights)
    return None if against == 0 else 1 - rps(true, proba, weights) / against


def log_loss(true, proba, weights):
    return mean([inf if p[y] == 0 else -log(p[y]) for y, p in zip(true, proba, strict=True)], weights)


def brier(true, proba, weights):
    return mean([sum((x - (c == y)) ** 2 for c, x in enumerate(p)) for y, p in zip(true, proba, strict=True)], weights)


def ordinal_log_loss(true, proba, weights, alpha=1):
    def row(y, p):
        return sum(inf if x == 1 else -log1p(-x) * mpf(abs(c - y)) ** alpha for c, x in enumerate(p) if c != y and x != 0)

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


def threshold_loss(true, proba, weights, thresholds=None, kind="all", loss="logistic"):
    f = {"logistic": lambda m: log(1 + exp(-m)), "hinge": lambda m: max(0, 1 - m)}.get(loss)
    cuts = [mpf(c) + mpf(3) / 2 for c in range(len(proba[0]) - 1)]
    if loss == "zero_one":
        chosen = [sum(z > cut for cut in cuts) for z in mean_ranks(proba)]
        return mean([abs(y - p) if kind == "all" else int(y != p) for y, p in zip(true, chosen, strict=True)], weights)

    def row(y, z):
        if kind == "all":
            return sum(f((1 if c >= y else -1) * (cut - z)) for c, cut in enumerate(cuts))
        return (f(z - cuts[y - 1]) if y > 0 else 0) + (f(cuts[y] - z) if y < len(cuts) else 0)

    return mean(map(row, true, mean_ranks(proba)), weights)


def cumulative_calibration_error(true, proba, weights, bins=10, binning="width"):
    errors = []
    for k in range(len(proba[0]) - 1):
        forecasts = [cut_sums(p)[k] for p in proba]
        edges = [mpf(b) / bins for b in range(1, bins)] if binning == "width" else quantiles(forecasts, weights, bins)
        sums = [0] * bins
        for y, f, w in zip(true, forecasts, weights, strict=True):
            sums[sum(f >= edge for edge in edges)] += w * (f - (y <= k))
        errors.append(sum(map(abs, sums)) / sum(weights))
    return sum(errors) / len(errors) if errors else None


def quantiles(values, weights, bins):
    """The smallest value that at least b of the bins' share of the weight does not exceed."""
    rows = sorted(zip(values, weights, strict=True))
    found = []
    for b in range(1, bins):
        reached, at = mpf(0), 0
        while reached + rows[at][1] < mpf(b) / bins * sum(weights):
            reached, at = reached + rows[at][1], at + 1
        found.append(rows[at][0])
    return found


def calibration_slope(true, proba, weights, cut=None):
    """Maximum likelihood by Newton's method in 50 digits; None where it does not settle."""
    slopes = []
    for k in range(len(proba[0]) - 1):
        rows = [(cut_sums(p)[k], int(y <= k), w) for y, p, w in zip(true, proba, weights, strict=True)]
        if any(f in (0, 1) and f != o for f, o, _ in rows):
            return None
        rows = [(log(f / (1 - f)), o, w) for f, o, w in rows if 0 < f < 1]
        theta = matrix([0, 1])
        for _ in range(60):
            gradient, hessian = matrix([0, 0]), matrix(2, 2)
            for x, o, w in rows:
                p = 1 / (1 + exp(-(theta[0] + theta[1] * x)))
                for i, a in enumerate((1, x)):
                    gradient[i] += w * (o - p) * a
                    for j, b in enumerate((1, x)):
                        hessian[i, j] += w * p * (1 - p) * a * b
            determinant = hessian[0, 0] * hessian[1, 1] - hessian[0, 1] ** 2
            if determinant < mpf(10) ** -12 * hessian[0, 0] * hessian[1, 1]:
                return None
            step = (hessian**-1) * gradient
            size = max(abs(step[0]), abs(step[1]))
            theta += step * min(1, 5 / size) if size else step
        if size > mpf(10) ** -20:
            return None
        slopes.append(theta[1])
    return sum(slopes) / len(slopes) if slopes else None


def wins(true, scores, weights):
    """For classes t < u: weight of the pairs in order, ties half, and of all pairs."""
    found = {}
    for i, j in product(range(len(true)), repeat=2):
        if true[i] < true[j]:
            right, every = found.get((true[i], true[j]), (0, 0))
            w = weights[i] * weights[j]
            credit = 1 if scores[i] < scores[j] else mpf(1) / 2 if scores[i] == scores[j] else 0
            found[true[i], true[j]] = (right + w * credit, every + w)
    return found


def concordance_index(true, proba, weights):
    found = wins(true, scores_of(proba), weights).values()
    every = sum(e for _, e in found)
    return None if every == 0 else sum(r for r, _ in found) / every


def scores_of(proba):
    """Mean ranks; nearly equal ones are equal: rounding is not what is tested here."""
    return [mp.nint(z * mpf(10) ** 12) for z in mean_ranks(proba)]


def ordinal_auc(true, proba, weights, average="splits"):
    k, found = len(proba[0]), wins(true, scores_of(proba), weights)
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


def volume_under_surface(true, proba, weights):
    k, scores = len(proba[0]), scores_of(proba)
    members = [[i for i, y in enumerate(true) if y == c] for c in range(k)]
    if not all(members):
        return None
    volume = every = mpf(0)
    for chain in product(*members):
        weight = mpf(1)
        for i in chain:
            weight *= weights[i]
        every += weight
        line = [scores[i] for i in chain]
        if all(a <= b for a, b in pairwise(line)):
            credit = mpf(1)
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
