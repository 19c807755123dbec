"""Runs the conformance vectors against other programs and prints who agrees.  What each is asked is in tests/peers/test_peers.py."""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

import numpy as np  # noqa: E402
from peers.test_peers import DIFFERENCES, PEERS, theirs  # noqa: E402
from tables import rows_of, same  # noqa: E402

from ordeval import get_metric  # noqa: E402

MOST_ROWS = 2_000  # the other programs are given rows, not tables


def main() -> None:
    data = json.loads(gzip.decompress((Path(__file__).parent / "ordeval-vectors-2.json.gz").read_bytes()))
    step = 10 if "--slice" in sys.argv else 1
    vectors = [(np.array(v["table"]), v["values"]) for v in data["vectors"][::step]]
    vectors = [(table, values) for table, values in vectors if 2 <= table.sum() <= MOST_ROWS]
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for text, (program, _) in PEERS.items():
        canonical = str(get_metric(text))
        agree = listed = differ = 0
        for table, values in vectors:
            if canonical not in values:
                continue
            t, p = rows_of(table)
            ours = math.nan if values[canonical] is None else float(values[canonical])
            other = theirs(text, t, p, len(table))
            if other is not None and same(ours, other, 1e-11):
                agree += 1
            elif text in DIFFERENCES and DIFFERENCES[text][1](t, p, len(table)):
                listed += 1
            else:
                differ += 1
        for i, number in enumerate((agree, listed, differ)):
            totals[program][i] += number
        if not agree + listed + differ:
            continue
        reason = f"   ({DIFFERENCES[text][0]})" if listed else ""
        print(
            f"{program:17} {text:45} agrees on {agree:5,}, differs for a known reason on {listed:4,}, otherwise on {differ:3,}{reason}"
        )
    print()
    for program, (agree, listed, differ) in sorted(totals.items()):
        print(f"{program:17} agrees on {agree:,}, differs for a known reason on {listed:,}, otherwise on {differ:,}")
    sys.exit(any(differ for *_, differ in totals.values()))


if __name__ == "__main__":
    main()
