"""Freeze what other programs say about agreement on K x K tables.

The programs cannot share an environment with this project (their pins clash with ours, or they are written in R), so
each runs in its own, and their answers are kept in tests/peers/frozen.json, which the tests read. To write it again:

    python3.11 -m venv IRR && IRR/bin/pip install irrCAC==0.4.4
    python3.11 -m venv KRI && KRI/bin/pip install krippendorff==0.9.0
    apt-get install r-base-core r-cran-vcd r-cran-psych r-cran-vcdextra r-cran-survival
    python scripts/freeze_peers.py --irrcac-python IRR/bin/python --krippendorff-python KRI/bin/python --rscript Rscript

The Python that runs this file needs numpy only. Rows of a table are the truth (rater 1), columns the prediction (rater 2).
Every program sees all K classes, used or not. A value that a program cannot give is null, and "words" holds what the
program said instead, under "program / list" and the number of the table.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path

import numpy as np

FIXED = [
    [[20, 5, 1, 0], [4, 15, 6, 1], [1, 5, 12, 4], [0, 1, 3, 9]],
    [[9, 5, 2, 0, 0, 0], [4, 7, 1, 0, 0, 0], [1, 2, 4, 0, 1, 0], [0, 1, 1, 5, 1, 0], [0, 0, 0, 1, 2, 1], [0, 0, 0, 0, 0, 1]],
    [[7, 0, 0], [0, 4, 0], [0, 0, 9]],  # perfect
    [[0, 0, 6], [0, 5, 0], [4, 0, 0]],  # reversed
    [[0, 0, 0], [0, 8, 0], [0, 0, 0]],  # one cell, agreeing
    [[0, 0, 0, 0], [0, 0, 0, 6], [0, 0, 0, 0], [0, 0, 0, 0]],  # one cell, apart
    [[0, 0, 0, 0], [3, 5, 2, 1], [0, 0, 0, 0], [0, 0, 0, 0]],  # constant truth
    [[0, 0, 4, 0], [0, 0, 6, 0], [0, 0, 3, 0], [0, 0, 1, 0]],  # constant prediction
]
# How fast cells thin out off the diagonal; the class absent from the truth; the class absent from the prediction.
KINDS = "3 - -, 1 - -, 0 - -, 1.2 first -, 1.2 - last, 1 mid mid, 2 last last, 0.6 first mid, 1.5 first first"
# Each prints, tab separated: program, list, number of the table, value, word. irrCAC rounds: it is asked for 13 digits.
IRRCAC = """
import pandas as pd
from irrCAC.table import CAC
coefficients = dict(cohen_kappa=CAC.cohen, scott_pi=CAC.scott, gwet_ac=CAC.gwet, brennan_prediger=CAC.bp,
                    alpha_fixed_weights=CAC.krippendorff)
lists = [f"{name}/{scheme}" for name in coefficients for scheme in
         "identity linear quadratic ordinal radical ratio circular bipolar".split()]
def compute(table, name):
    name, scheme = name.split("/")
    return coefficients[name](CAC(pd.DataFrame(table), weights=scheme, digits=13))["est"]["coefficient_value"]
"""
KRIPPENDORFF = """
import numpy as np, krippendorff
lists = ["nominal", "ordinal", "interval", "ratio"]
def compute(table, name):
    table = np.array(table)
    raters = np.repeat(np.argwhere(table >= 0), table.ravel(), axis=0).T + 1
    return krippendorff.alpha(reliability_data=raters, level_of_measurement=name, value_domain=range(1, len(table) + 1))
"""
PYTHON_LOOP = """
import json, sys, importlib.metadata
print("version", sys.argv[1], importlib.metadata.version(sys.argv[1]), "", "", sep="\\t")
for t, table in enumerate(json.load(sys.stdin)):
    for name in lists:
        try:
            value, word = repr(float(compute(table, name))), ""
        except Exception as error:
            value, word = "", f"{type(error).__name__}: {error}"
        print(sys.argv[1], name, t, value, word, sep="\\t")
"""
R = r"""
say <- function(...) cat(paste(..., sep = "\t"), "\n", sep = "")
for (p in c("base", "vcd", "psych", "vcdExtra", "survival")) {
  suppressMessages(library(p, character.only = TRUE))
  say("version", sub("base", "R", p), as.character(packageVersion(p)), "", "") }
put <- function(program, name, expr) {
  word <- ""; warned <- function(w) { word <<- conditionMessage(w); invokeRestart("muffleWarning") }
  failed <- function(e) { word <<- paste("Error:", conditionMessage(e)); "" }
  value <- tryCatch(withCallingHandlers(sprintf("%.17g", as.numeric(expr)), warning = warned), error = failed)
  say(program, name, t, value, gsub("\\s+", " ", word)) }
input <- file("stdin"); lines <- readLines(input); close(input)
for (t in seq_along(lines) - 1) {
  x <- as.numeric(strsplit(lines[t + 1], " ")[[1]]); m <- matrix(x, sqrt(length(x)), byrow = TRUE)
  a <- rep(c(row(m)), c(m)); b <- rep(c(col(m)), c(m))
  for (stat in c("value", "ASE")) {
    put("R vcd", paste0("unweighted/", stat), Kappa(m)$Unweighted[[stat]])
    put("R vcd", paste0("linear/", stat), Kappa(m, "Equal-Spacing")$Weighted[[stat]])
    put("R vcd", paste0("quadratic/", stat), Kappa(m, "Fleiss-Cohen")$Weighted[[stat]]) }
  put("R psych", "unweighted", psych::cohen.kappa(m)$kappa)
  put("R psych", "quadratic", psych::cohen.kappa(m)$weighted.kappa)
  for (method in c("kendall", "spearman")) put("R cor", method, cor(a, b, method = method))
  put("R vcdExtra", "gamma", vcdExtra::GKgamma(m)$gamma)
  # Somers' d = 2c - 1; survival leaves out pairs tied on the left of the formula.
  put("R survival", "somers_d_column_given_row", 2 * concordance(a ~ b)$concordance - 1)
  put("R survival", "somers_d_row_given_column", 2 * concordance(b ~ a)$concordance - 1) }
"""


def make_tables():
    rng = np.random.default_rng(20261115)
    tables = list(FIXED)
    for k in range(2, 8):
        for sharp, no_truth, no_prediction in map(str.split, KINDS.split(",")):
            n = int(np.exp(rng.uniform(np.log(5), np.log(500))))
            cells = np.exp(-float(sharp) * np.abs(np.subtract.outer(np.arange(k), np.arange(k))))
            cells *= rng.dirichlet(np.full(k, 3.0))[:, None]
            absent = {"-": [], "first": 0, "mid": k // 2, "last": k - 1}
            cells[absent[no_truth], :] = cells[:, absent[no_prediction]] = 0
            tables.append(rng.multinomial(n, (cells / cells.sum()).ravel()).reshape(k, k).tolist())
    return tables


def collect(command, text, frozen):
    env = {**os.environ, "LC_ALL": "C", "PYTHONWARNINGS": "ignore"}
    for line in subprocess.run(command, input=text, env=env, text=True, stdout=subprocess.PIPE, check=True).stdout.splitlines():
        program, name, table, value, word = line.split("\t")
        if program == "version":
            frozen["programs"][name] = table
            continue
        at = frozen["values"]
        *groups, last = program, *name.split("/")
        for group in groups:
            at = at.setdefault(group, {})
        finite = value not in ("", "NA") and np.isfinite(float(value))
        at.setdefault(last, []).append(float(value) if finite else None)
        if not finite:
            frozen["words"].setdefault(f"{program} / {name}", {})[table] = ": ".join(filter(None, (value, word)))


def dump(node, pad="\n"):
    """JSON with one list of numbers, or one table, per line."""
    if isinstance(node, dict) and not all(isinstance(v, str) for v in node.values()):
        return "{" + ",".join(f"{pad} {json.dumps(k)}: {dump(v, pad + ' ')}" for k, v in node.items()) + pad + "}"
    if isinstance(node, list) and isinstance(node[0], list):
        return "[" + ",".join(f"{pad} {json.dumps(v)}" for v in node) + pad + "]"
    return json.dumps(node, allow_nan=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("--irrcac-python", "--krippendorff-python", "--rscript"):
        parser.add_argument(option, required=True)
    args = parser.parse_args()
    tables = make_tables()
    frozen = {"programs": {}, "tables": tables, "values": {}, "words": {}}
    collect([args.irrcac_python, "-c", IRRCAC + PYTHON_LOOP, "irrCAC"], json.dumps(tables), frozen)
    collect([args.krippendorff_python, "-c", KRIPPENDORFF + PYTHON_LOOP, "krippendorff"], json.dumps(tables), frozen)
    rows = "".join(" ".join(map(str, np.ravel(t))) + "\n" for t in tables)
    collect([args.rscript, "--vanilla", "-e", R], rows, frozen)
    Path(__file__).parents[1].joinpath("tests", "peers", "frozen.json").write_text(dump(frozen) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
