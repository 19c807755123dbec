"""Is there a value at all?  A second program, which computes no score: it looks for what a definition needs, and answers yes or no.

Every nan of a metric is a claim that there is none; here it is decided another way, from fractions.
"""

from itertools import combinations, pairwise, product

from .derivations_raters import complete, given, mean_squares


def always(case, **params):
    return True


def rps(case, normalize):
    return not normalize or case.K > 1


def rps_skill(case, reference):
    """A reference that gives some class probability beside the only one that came true is wrong somewhere."""
    return len(set(case.true)) > 1 or (reference == "uniform" and case.K > 1)


def some_pair(case):
    return any(a != b for a, b in combinations(case.true, 2))


def ordinal_auc(case, average):
    if average == "splits":
        return case.K > 1 and all(min(case.true) <= cut < max(case.true) for cut in range(case.K - 1))
    return case.K > 1 and all(case.true.count(c) for c in range(case.K))


def volume_under_surface(case):
    return all(c in case.true for c in range(case.K))


def calibration_slope(case, cut):
    return case.K > 1 and all(_falls_everywhere(case, k) for k in (range(case.K - 1) if cut is None else [cut]))


def _falls_everywhere(case, k):
    """The likelihood of a line a + b x has a top exactly if it falls in the end along every direction (a, b), and none is flat.

    A row with the odds x > 0 (the order of the odds is that of the logits) says along (a, b): up if it came true, down if not.
    Directions along which no row objects are found among those that turn at a forecast.
    """
    rows = []
    for y, p in zip(case.true, case.proba, strict=True):
        below, came = sum(p[: k + 1]), y <= k
        if below in (0, 1):
            if bool(below) != came:
                return False  # certain and wrong: every line is impossible
            continue
        rows.append((below, 1 if came else -1))
    places = sorted({x for x, _ in rows})
    signs = [[1] * len(places), [-1] * len(places)]  # of the line at the places: up, down, turning at or between them
    for turn in range(len(places)):
        for gap in (0, 1):
            rising = [-1 if i < turn else 0 if i == turn and gap == 0 else 1 for i in range(len(places))]
            signs += [rising, [-s for s in rising]]
    at = {x: i for i, x in enumerate(places)}
    return bool(rows) and not any(all(sign[at[x]] * came >= 0 for x, came in rows) for sign in signs)


def cumulative_calibration_error(case, **params):
    return case.K > 1


FORECASTS = {
    **dict.fromkeys(("log_loss", "brier", "ordinal_log_loss", "unimodality", "threshold_loss"), always),
    "rps": rps,
    "rps_skill": rps_skill,
    "concordance_index": some_pair,
    "ordinal_auc": ordinal_auc,
    "volume_under_surface": volume_under_surface,
    "calibration_slope": calibration_slope,
    "cumulative_calibration_error": cumulative_calibration_error,
}


# Ratings: is disagreement possible at all, under the chance that a coefficient expects?


def two_classes(items, k):
    return len({x for item in items for x in given(item)}) > 1


def two_pairable_classes(items, k):
    return two_classes([item for item in items if len(given(item)) > 1], k)


def two_on_the_scale(items, k):
    return k > 1


def two_for_every_pair(items, k):
    for one, other in combinations(list(zip(*items, strict=True)), 2):
        both = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
        if both and not any(a != b for (a, _), (_, b) in product(both, repeat=2)):
            return False
    return True


def somebody_orders_items(items, k):
    full = complete(items)
    return any(a != b for one, other in pairwise(full) for a, b in zip(one, other, strict=True))


def mean_squares_do_not_cancel(of_mean):
    def exists(items, k):
        found = mean_squares(items)
        if found is None:
            return False
        of_items, of_raters, rest, n, m = found
        return n * of_items + (of_raters - rest if of_mean else n * (m - 1) * rest + m * (of_raters - rest)) != 0

    return exists


RATINGS = {
    **dict.fromkeys([f"alpha_{level}" for level in ("nominal", "ordinal", "interval", "ratio")], two_pairable_classes),
    **dict.fromkeys(("fleiss_kappa", "conger_kappa"), two_classes),
    **dict.fromkeys(("gwet_ac", "brennan_prediger"), two_on_the_scale),
    "pairwise_kappa": two_for_every_pair,
    "kendall_w": somebody_orders_items,
    "icc": mean_squares_do_not_cancel(False),
    "icc_mean": mean_squares_do_not_cancel(True),
}
