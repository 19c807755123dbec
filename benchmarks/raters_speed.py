"""Raters: a million items by five raters, counted and with intervals of every coefficient."""

import time

import numpy as np

import ordeval as oe

ITEMS, RATERS, K = 1_000_000, 5, 5
MOST_SECONDS = 10


def run() -> None:
    rng = np.random.default_rng(0)
    grades = np.clip(np.round(rng.normal(3, 1, (ITEMS, 1)) + rng.normal(0, 0.7, (ITEMS, RATERS))), 1, K)
    grades[rng.random(grades.shape) < 0.1] = np.nan
    print(f"\nagreement of {RATERS} raters on {ITEMS:,} items, K = {K}, one rating in ten missing, one core")
    start = time.process_time()
    counts = oe.raters.ratings(grades, labels=range(1, K + 1))
    print(f"  counting {len(counts.cells):,} patterns       {time.process_time() - start:8.2f} CPU s")
    for words, options in {
        "intervals, auto": {},
        "bootstrap of items": {"method": "percentile"},
        "crossed": {"resample": "crossed"},
    }.items():
        start = time.process_time()
        oe.raters.agreement(counts, **options)
        taken = time.process_time() - start
        print(f"  {words:<28} {taken:8.2f} CPU s   aim <= {MOST_SECONDS}   {'reached' if taken <= MOST_SECONDS else 'MISSED'}")
