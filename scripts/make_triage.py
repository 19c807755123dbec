"""Make the bundled example, src/ordeval/data/triage.csv: emergency visits graded by experts, a nurse and a model.

The grade that a visit deserved is green, yellow, orange or red; red is rare.  The nurse sees the patient and errs a step to
either side.  The model is better on the common grades and tends to miss the rare top one; it also gives the probability of
each grade, the largest to the grade it names.  A few visits never got a model grade.  All of it is drawn from a fixed seed: no real patient is behind any row.

    python scripts/make_triage.py            writes the file
    python scripts/make_triage.py --check    exits 1 if the file differs from what would be written
"""

from pathlib import Path

import numpy as np
from generated import put

GRADES = np.array(["green", "yellow", "orange", "red"])
SITES = np.array(["harbour", "hill", "park"])
SHARES = {"harbour": [0.46, 0.30, 0.20, 0.04], "hill": [0.52, 0.29, 0.16, 0.03], "park": [0.38, 0.33, 0.24, 0.05]}
NURSE = [[0.84, 0.14, 0.02, 0.00], [0.15, 0.68, 0.16, 0.01], [0.02, 0.18, 0.67, 0.13], [0.00, 0.03, 0.22, 0.75]]
MODEL = [[0.92, 0.07, 0.01, 0.00], [0.12, 0.76, 0.12, 0.00], [0.01, 0.17, 0.78, 0.04], [0.01, 0.07, 0.40, 0.52]]
VISITS = 2_400
UNGRADED = 4
TARGET = Path(__file__).resolve().parents[1] / "src" / "ordeval" / "data" / "triage.csv"


def make() -> str:
    rng = np.random.default_rng(7)
    patient = np.sort(rng.integers(0, 1_700, VISITS))
    site = rng.choice(SITES, 1_700, p=[0.5, 0.3, 0.2])[patient]
    grade = np.array([rng.choice(4, p=SHARES[s]) for s in site])
    nurse = np.array([rng.choice(4, p=NURSE[g]) for g in grade])
    model = np.array([rng.choice(4, p=MODEL[g]) for g in grade])
    graded = GRADES[model].astype(object)
    graded[rng.choice(VISITS, UNGRADED, replace=False)] = ""
    proba = probabilities(grade, model)
    proba[graded == ""] = ""
    rows = zip(range(1, VISITS + 1), patient + 1, site, GRADES[grade], GRADES[nurse], graded, *proba.T, strict=True)
    header = "visit,patient,site,grade,nurse,model," + ",".join(f"p_{name}" for name in GRADES)
    return header + "\n" + "".join(f"{','.join(map(str, row))}\n" for row in rows)


def probabilities(grade: np.ndarray, model: np.ndarray) -> np.ndarray:
    """What the model believes, in hundredths that add up to one: near the true shares given its answer, blurred by a noise.

    The blur leans towards the truth, so that among visits with the same answer its probabilities still tell some apart.
    """
    rng = np.random.default_rng(8)
    joint = np.zeros((4, 4))
    np.add.at(joint, (model, grade), 1)
    lean = 0.5 * (np.arange(4) == grade[:, None])
    logits = np.log((joint + 0.5)[model]) + lean + rng.normal(0, 0.7, (VISITS, 4))
    share = np.exp(logits - logits.max(1, keepdims=True))
    rows = np.arange(VISITS)
    top = share.argmax(1)
    share[rows, top], share[rows, model] = share[rows, model], share[rows, top]  # the largest belongs to its answer
    hundredths = np.rint(100 * share / share.sum(1, keepdims=True)).astype(int)
    hundredths[rows, model] += 100 - hundredths.sum(1)
    others = hundredths.copy()
    others[rows, model] = -1
    rival = others.argmax(1)
    behind = np.maximum((others.max(1) - hundredths[rows, model]) // 2 + 1, 0)  # rounding must not make it the smaller one
    hundredths[rows, model] += behind
    hundredths[rows, rival] -= behind
    return np.char.mod("%.2f", hundredths / 100).astype(object)


if __name__ == "__main__":
    put(TARGET, make(), "python scripts/make_triage.py")
