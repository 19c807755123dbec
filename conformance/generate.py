"""Writes conformance/ordeval-vectors-2.json.gz: small tables × every metric, from the 50-digit derivations of the tests; then forecasts,
prediction sets and ratings × the metrics that are about them, from their exact twins (conformance/rows.py).

`python conformance/generate.py` writes the file, `--check` says whether it is what would be written (for some of the cases;
`--check --all` for every one).  `--add NAME` adds the values of a new metric of tables to the file and leaves all others as they are,
`--rows` writes forecasts, sets and ratings alone; once a version is published, raise VERSION first.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "conformance")]

import numpy as np  # noqa: E402
import rows  # noqa: E402
from papers.derivations import derived, mp, real  # noqa: E402
from tables import TABLE_4X4, all_tables, scale_of, variants  # noqa: E402

from ordeval import Metric  # noqa: E402

VERSION = 2
SEED = 1  # that of the first file, so that both hold the same tables
FILE = Path(__file__).parent / f"ordeval-vectors-{VERSION}.json.gz"
DIGITS = 30


def tables() -> list[np.ndarray]:
    """All tables of two classes with up to 6 rows and of three with up to 3, and seeded ones of up to 6 classes, some with large counts."""
    small = [t for k, most in ((2, 6), (3, 3)) for n in range(1, most + 1) for t in all_tables(k, n)]
    rng = np.random.default_rng(SEED)
    drawn = []
    for i in range(2_000):
        k = int(rng.integers(3, 7))
        table = rng.integers(0, 12, (k, k)) * (rng.random((k, k)) < rng.choice([0.3, 0.6, 1.0]))
        if i % 5 == 0:
            table = table * np.eye(k, dtype=int) * 3 + table
        if i % 50 == 0:
            table = table * 10 ** int(rng.integers(3, 12))
        if table.sum():
            drawn.append(table)
    return [*small, np.array(TABLE_4X4), *drawn]


def value_of(metric: Metric, table: np.ndarray) -> str | None:
    """Thirty digits, or None where the score is undefined."""
    found = derived(metric, scale_of(metric, len(table)), table)
    if found is None:
        return None
    return written(real(found))


def written(number: Any) -> str:
    """Thirty digits."""
    return "0" if abs(number) < mp.mpf(10) ** -40 else mp.nstr(number, DIGITS, min_fixed=-5, max_fixed=20)


def metrics_of(number: int) -> list[Metric]:
    """Every metric has every table; its variants take turns, each on one table in eight."""
    standard = [metric for metric in variants() if metric.params == metric.defaults]
    others = [metric for metric in variants() if metric.params != metric.defaults]
    return [*standard, *(metric for i, metric in enumerate(others) if i % 8 == number % 8)]


def slow(metric: Metric, table: np.ndarray, number: int) -> bool:
    """Derivations that search in 50 digits have fewer and smaller tables."""
    search = metric.name == "auoc" or metric.params.get("unbounded") == "optimal"
    return search and (len(table) > 4 or number // 8 % 8 != 0)


def entry(number: int, table: np.ndarray) -> dict[str, Any]:
    chosen = [metric for metric in metrics_of(number) if not slow(metric, table, number)]
    return {"table": table.tolist(), "values": {str(metric): value_of(metric, table) for metric in chosen}}


def described(metric: Metric) -> dict[str, Any]:
    about: dict[str, Any] = {
        "name": metric.name,
        "parameters": {k: v if v != float("inf") else "inf" for k, v in metric.params.items()},
        "title": metric.title,
    }
    if "edges" in metric.needs:
        about["edges"] = {
            str(k): [e if e != float("inf") else "inf" for e in scale_of(metric, k).edges or ()] for k in range(2, 7)
        }
    return about


def document(entries: list[dict[str, Any]], sections: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": "ordeval-vectors",
        "version": VERSION,
        "digits": DIGITS,
        "orientation": "table[t][p] is the number of rows with true class t and predicted class p; classes are 0..K-1, in order",
        "undefined": "null: the score has no value for this table",
        "metrics": {str(metric): described(metric) for metric in sorted(variants(), key=str)},
        "vectors": entries,
        **sections,
    }


def add(name: str, every: list[tuple[int, np.ndarray]]) -> None:
    """The values of one metric, beside those that are there."""
    kept = json.loads(gzip.decompress(FILE.read_bytes()))
    for i, table in every:
        chosen = [metric for metric in metrics_of(i) if metric.name == name and not slow(metric, table, i)]
        found = {**kept["vectors"][i]["values"], **{str(metric): value_of(metric, table) for metric in chosen}}
        order = [str(metric) for metric in metrics_of(i)]
        kept["vectors"][i]["values"] = {text: found[text] for text in order if text in found}
    write(kept["vectors"], {name: kept[name] for name in rows.SECTIONS})


def write(vectors: list[dict[str, Any]], sections: dict[str, Any]) -> None:
    text = json.dumps(document(vectors, sections), ensure_ascii=False, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    every = [*vectors, *(vector for section in sections.values() for vector in section["vectors"])]
    values = sum(len(vector["values"]) for vector in every)
    print(f"{FILE.name}: {len(every):,} cases, {values:,} values, {FILE.stat().st_size:,} bytes", file=sys.stderr)


def all_sections() -> dict[str, Any]:
    return {name: rows.section(name, SEED, written) for name in rows.SECTIONS}


def _entry(task: tuple[int, np.ndarray]) -> dict[str, Any]:
    return entry(*task)


def main() -> None:
    every = list(enumerate(tables()))
    if "--check" in sys.argv:
        kept = json.loads(gzip.decompress(FILE.read_bytes()))
        chosen = every if "--all" in sys.argv else every[::40]
        wrong = [i for i, table in chosen if kept["vectors"][i] != entry(i, table)]
        head = {key: value for key, value in document([], {}).items() if key != "vectors"}
        stale = [
            name for name in rows.SECTIONS if not rows.agrees(kept[name], name, SEED, written, 1 if "--all" in sys.argv else 20)
        ]
        if wrong or stale or len(kept["vectors"]) != len(every) or any(kept[key] != value for key, value in head.items()):
            sys.exit(f"{FILE.name} is not what conformance/generate.py writes (vectors {wrong[:5]} …, {stale}); write it again")
        return
    if "--rows" in sys.argv:
        write(json.loads(gzip.decompress(FILE.read_bytes()))["vectors"], all_sections())
        return
    if "--add" in sys.argv:
        add(sys.argv[sys.argv.index("--add") + 1], every)
        return
    from multiprocessing import get_context

    with get_context("fork").Pool() as pool:
        found = []
        for i, vector in enumerate(pool.imap(_entry, every, chunksize=8), 1):
            found.append(vector)
            if i % 100 == 0:
                print(f"{i} of {len(every)}", file=sys.stderr)
    write(found, all_sections())


if __name__ == "__main__":
    main()
