"""Search for the laws that every metric keeps and breaks, and write src/ordeval/metrics/core/law_records.json.

Laws that a metric's author lists beside its kernel are left alone: the tests hold the metric to them, too.  Proofs that were
written into the file stay.  With texts of metrics as arguments, only those are searched (and added).
"""

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import ordeval as oe
from ordeval.laws import STATEMENTS
from ordeval.laws import check as check_laws
from ordeval.metrics.core.law_records import records

FILE = Path(__file__).resolve().parents[1] / "src" / "ordeval" / "metrics" / "core" / "law_records.json"


def searched(text):
    """The verdicts on the laws that the author of a metric does not list: kept, and broken by which witness."""
    metric = oe.get_metric(text)
    laws = [law for law in STATEMENTS if law not in metric.laws_of_record and law not in metric.broken_by_author]
    report, proofs = check_laws(metric, laws=laws, beyond=600), records()[text].keeps if text in records() else {}
    keeps = {law: proofs.get(law, "") for law in laws if report[law].holds}
    breaks = {law: np.asarray(breach.base).tolist() for law, breach in report.broken.items()}
    silent = [f"{law} {report[law]}" for law in laws if law not in keeps and law not in breaks]
    return text, keeps, breaks, silent


def write(entries):
    """One line for each metric, so that a difference can be read."""
    lines = [
        f"{json.dumps(text, ensure_ascii=False)}: {json.dumps(entry, ensure_ascii=False)}" for text, entry in entries.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def main():
    old = records()
    names = [str(metric) for metric in oe.catalogue() if metric.needs_only_counts]
    texts = sys.argv[1:] or [*names, *(text for text in old if text not in names)]
    new = {text: {"keeps": dict(entry.keeps), "breaks": dict(entry.breaks)} for text, entry in old.items()}
    with ProcessPoolExecutor() as pool:
        for text, keeps, breaks, silent in pool.map(searched, texts):
            print(f"{text}: keeps {len(keeps)}, breaks {len(breaks)}; {'; '.join(silent)}", file=sys.stderr, flush=True)
            new[text] = {"keeps": keeps, "breaks": breaks}
            write(new)


if __name__ == "__main__":
    main()
