"""Two complete studies, and the files that they name: two models with sites and patients, a shared task of 20 runs."""

import hashlib
from importlib.resources import files

import numpy as np
from commands import write_csv

TRIAGE = """\
study  = 1
title  = "Triage: nurse or model?"
frozen = true
[data]
files = "triage.csv"
[columns]
true    = "grade"
models  = ["nurse", "model"]
id      = "visit"
cluster = "patient"                        # several visits of one patient are resampled together
by      = ["site"]
proba   = { model = ["p_green", "p_yellow", "p_orange", "p_red"] }
[scale]
labels = ["green", "yellow", "orange", "red"]   # lowest first
[missing]
answer = "wrong"                           # no answer counts as the worst class
[judge]
primary   = "cem"
metrics   = ["accuracy", "accuracy_within", "amae", "bias", "cohen_kappa", "oci"]
reference = "nurse"
margin    = 0.02
seed      = 7
[[gate]]
rule = "cem of model >= 0.80 ci"
[[gate]]
rule = "amae of model <= nurse + 0.10"
[[gate]]
rule = "cem of model >= 0.80"
each = "site"
[[gate]]
rule = "cem of model >= baseline - 0.01"
[output]
report   = "report.html"
baseline = "baseline.json"
"""
TASK = """\
study = 1
[data]
shape = "runs"
gold  = "gold.csv"
runs  = "runs/*.csv"
[columns]
id   = "id"
true = "true"
pred = "pred"
[scale]
labels = [0, 1, 2, 3]
[reading]
na     = ["NA", "-"]
[missing]
answer  = "wrong"
unknown = "missing"
strays  = "drop"
[judge]
metrics = ["amae", "cohen_kappa"]
[output]
report    = "board.html"
codabench = "scores"
"""


def triage(folder, text=TRIAGE, name="study.toml"):
    (folder / "triage.csv").write_bytes((files("ordeval") / "data" / "triage.csv").read_bytes())
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def task(folder, text=TASK):
    rng = np.random.default_rng(11)
    truth = rng.integers(0, 4, 400)
    write_csv(folder / "gold.csv", [["id", "true"], *((f"d{i}", int(t)) for i, t in enumerate(truth))])
    (folder / "runs").mkdir()
    for run in range(20):
        answers = np.clip(truth + rng.choice([-1, 0, 0, 0, 1], 400) * (rng.random(400) < 0.3 + 0.03 * run), 0, 3)
        rows = [[f"d{i}", int(a)] for i, a in enumerate(answers)]
        if run == 1:
            rows[3][1], rows[4][1], rows[5][1], rows[6][1] = "NA", "-", "7", ""
        if run == 2:
            rows = [*rows[1:], ["d999", 1]]
        write_csv(folder / "runs" / f"team{run}.csv", [["id", "pred"], *rows])
    (folder / "task.toml").write_text(text, encoding="utf-8")
    return "task.toml"


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
