"""Measure the left half of Table 3 of Amigó et al. (2020): means and standard deviations over many seeds, in both readings.

Writes src/ordeval/papers/record/cem_table_3.json (about five minutes on one core).  Seeds are 0 to 399 in the closest reading and 0 to 199
in the literal one.
"""

import json
from pathlib import Path

from ordeval.papers._cem_table3 import COLUMNS, Measured, measure

FILE = Path(__file__).resolve().parents[1] / "src/ordeval/papers/record/cem_table_3.json"
SEEDS = {"closest": 400, "literal": 200}


def as_data(found: Measured) -> dict[str, object]:
    rows = {
        name: {metric: [round(float(x), 6) for x in row] for metric, row in of.items()}
        for name, of in (("mean", found.mean), ("sd", found.sd))
    }
    ahead = {"cem_ahead": found.cem_ahead.tolist(), "kappa_ahead": found.kappa_ahead.tolist()}
    return {"seeds": found.seeds, "first_seed": 0, **ahead, **rows}


def write(readings: dict[str, Measured]) -> None:
    data = {
        "made_by": "scripts/measure_table_3.py",
        "cases": 100,
        "rows": 200,
        "columns": [*COLUMNS],
        "readings": {name: as_data(found) for name, found in readings.items()},
    }
    FILE.write_text(json.dumps(data, indent=1, ensure_ascii=False).replace("\n     ", " ") + "\n", encoding="utf-8")


if __name__ == "__main__":
    write({name: measure(name, range(seeds)) for name, seeds in SEEDS.items()})
