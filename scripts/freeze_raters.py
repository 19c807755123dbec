"""Freeze what other programs say about the agreement of many raters, some ratings missing.

Each program runs in an environment of its own, and its answers are kept in tests/peers/frozen_raters.json. To write it again:

    python3.11 -m venv IRR && IRR/bin/pip install irrCAC==0.4.4
    python3.11 -m venv KRI && KRI/bin/pip install krippendorff==0.9.0
    apt-get install r-base-core r-cran-psych
    python scripts/freeze_raters.py --irrcac-python IRR/bin/python --krippendorff-python KRI/bin/python --rscript Rscript

The Python that runs this file needs numpy only. A table has a row for each item and a column for each rater, classes 1..K, null where
a rating is missing. irrCAC and krippendorff are told all K classes. psych sees complete tables only, as with lmer=FALSE.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

import numpy as np

# Krippendorff (2011), Computing Krippendorff's alpha-reliability: four observers, twelve units.
KRIPPENDORFF_2011 = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, 3, None, None],
]  # fmt: skip
# Shrout & Fleiss (1979), Table 2: six targets, four judges.
SHROUT_1979 = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
SCHEMES = ["identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar"]

IRRCAC = """
import json, sys, importlib.metadata, warnings
warnings.simplefilter("ignore")
import pandas as pd
from irrCAC.raw import CAC
names = dict(gwet_ac="gwet", fleiss_kappa="fleiss", conger_kappa="conger", brennan_prediger="bp", alpha_fixed_weights="krippendorff")
out = {}
for k, table in json.load(sys.stdin):
    for scheme in SCHEMES:
        cac = CAC(pd.DataFrame(table, dtype=float), weights=scheme, categories=list(range(1, k + 1)), digits=13)
        for ours, theirs in names.items():
            try:
                value = float(getattr(cac, theirs)()["est"]["coefficient_value"])
            except Exception:
                value = None
            out.setdefault(ours, {}).setdefault(scheme, []).append(value if value == value else None)
print(json.dumps({"version": importlib.metadata.version("irrCAC"), "values": out}))
"""
KRIPPENDORFF = """
import json, sys, importlib.metadata
import numpy as np, krippendorff
out = {}
for k, table in json.load(sys.stdin):
    data = np.array(table, float).T
    for level in ("nominal", "ordinal", "interval", "ratio"):
        out.setdefault(level, []).append(float(krippendorff.alpha(data, level_of_measurement=level, value_domain=range(1, k + 1))))
print(json.dumps({"version": importlib.metadata.version("krippendorff"), "values": out}))
"""
R = r"""
suppressMessages(library(psych))
input <- file("stdin"); lines <- readLines(input); close(input)
cat(as.character(packageVersion("psych")), "\n")
for (line in lines) {
  parts <- strsplit(line, "\\|")[[1]]
  m <- matrix(as.numeric(strsplit(parts[2], " ")[[1]]), ncol = as.integer(parts[1]), byrow = TRUE)
  found <- suppressMessages(ICC(m, lmer = FALSE))$results
  cat(sprintf("%.17g %.17g\n", found["Single_random_raters", "ICC"], found["Average_random_raters", "ICC"]))
}
"""


def make_tables():
    rng = np.random.default_rng(20261115)
    tables = [(5, KRIPPENDORFF_2011), (10, SHROUT_1979)]
    for i in range(40):
        k, raters, items = int(rng.integers(2, 8)), int(rng.integers(2, 7)), int(rng.integers(6, 60))
        quality = rng.normal((k + 1) / 2, k / 4, (items, 1))
        grades = np.clip(np.round(quality + rng.normal(0, k / 8, (items, raters)) + rng.normal(0, k / 20, raters)), 1, k)
        if i % 2:  # every other table has gaps, and items with one rating or none
            grades[rng.random(grades.shape) < rng.uniform(0.05, 0.5)] = np.nan
        tables.append((k, [[None if g != g else int(g) for g in row] for row in grades.tolist()]))
    return tables


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--irrcac-python", "--krippendorff-python", "--rscript"):
        parser.add_argument(option, required=True)
    args = parser.parse_args()
    tables = make_tables()
    given = json.dumps(tables)

    def ask(command, text):
        env = {**os.environ, "LC_ALL": "C"}
        return subprocess.run(command, input=text, env=env, text=True, stdout=subprocess.PIPE, check=True).stdout

    irr = json.loads(ask([args.irrcac_python, "-c", f"SCHEMES = {SCHEMES!r}\n{IRRCAC}"], given))
    kri = json.loads(ask([args.krippendorff_python, "-c", KRIPPENDORFF], given))
    complete = [i for i, (_, table) in enumerate(tables) if all(g is not None for row in table for g in row)]
    rows = "".join(f"{len(tables[i][1][0])}|{' '.join(str(g) for row in tables[i][1] for g in row)}\n" for i in complete)
    version, *icc = ask([args.rscript, "--vanilla", "-e", R], rows).strip().splitlines()
    frozen = {
        "programs": {"irrCAC": irr["version"], "krippendorff": kri["version"], "psych": version.strip()},
        "tables": tables,
        "irrCAC": irr["values"],
        "krippendorff": kri["values"],
        "psych": {str(i): [float(v) for v in line.split()] for i, line in zip(complete, icc, strict=True)},
    }
    parts = [f' "{key}": {json.dumps(value)}' for key, value in frozen.items()]
    path = Path(__file__).parents[1] / "tests" / "peers" / "frozen_raters.json"
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
