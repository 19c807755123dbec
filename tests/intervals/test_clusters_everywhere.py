"""Six copies of every row, and the copies belong together: through every way in the intervals are those of the rows once.

Where the clusters are forgotten on the way, the intervals are narrower by the square root of six.
"""

import json

import numpy as np
import pandas as pd
import pytest
from commands import ordeval
from keywords import intervals

import ordeval as oe

COPIES = 6
LABELS = ["mild", "fair", "grave"]
METRICS = ["cem", "mae", "accuracy", "cohen_kappa", "oci"]
FORECASTS = ["rps", "brier", "mae", "calibration_slope"]
SETTINGS = {"n_resamples": 999}


def rows(n=150):
    rng = np.random.default_rng(8)
    true = rng.choice(3, n, p=[0.45, 0.35, 0.2])
    found = {"id": np.arange(n), "y": true, "site": [f"site {i % 2}" for i in range(n)], "patient": np.arange(n)}
    for model, share in (("a", 0.8), ("b", 0.6)):
        found[model] = np.where(rng.random(n) < share, true, np.clip(true + rng.choice([-1, 1, 2], n), 0, 2))
        proba = rng.dirichlet([1, 1, 1], n) + np.eye(3)[found[model]]
        found |= {f"{model}{i}": column for i, column in enumerate((proba / proba.sum(1, keepdims=True)).T)}
    frame = pd.DataFrame(found)
    return frame.assign(**{name: [LABELS[code] for code in frame[name]] for name in ("y", "a", "b")})


ONCE = rows()
COPIED = pd.concat([ONCE] * COPIES).assign(id=np.arange(COPIES * len(ONCE)))


def columns_of(frame):
    labels = {"labels": LABELS, "cluster": frame["patient"]}
    proba = {model: frame[[f"{model}{i}" for i in range(3)]].to_numpy() for model in "ab"}
    return labels, {"a": frame["a"], "b": frame["b"]}, proba


def evaluate(frame, **more):
    labels, answers, _ = columns_of(frame)
    return oe.evaluate(frame["y"], answers["a"], metrics=METRICS, **labels, **SETTINGS, **more)


def evaluate_forecasts(frame):
    labels, answers, proba = columns_of(frame)
    return oe.evaluate(frame["y"], answers["a"], proba=proba["a"], metrics=FORECASTS, **labels, **SETTINGS)


def compare(frame, **more):
    labels, answers, _ = columns_of(frame)
    return oe.compare(frame["y"], answers, metrics=METRICS, **labels, **SETTINGS, **more)


def compare_forecasts(frame):
    labels, answers, proba = columns_of(frame)
    return oe.compare(frame["y"], answers, proba=proba, metrics=FORECASTS, **labels, **SETTINGS)


def by_site(frame):
    return {"by": {"site": frame["site"]}}


def counted(frame, **more):
    labels, answers, _ = columns_of(frame)
    return oe.count(frame["y"], answers, **labels, **more)


def accumulated(frame):
    found = oe.Accumulator(LABELS)
    for part in np.array_split(np.arange(len(frame)), 4):
        some = frame.iloc[part]
        found.update(some["y"], {"a": some["a"], "b": some["b"]}, cluster=some["patient"])
    return oe.compare(found.counts, metrics=METRICS, **SETTINGS)


def scanned(frame, **more):
    return oe.compare(
        oe.scan(frame, true="y", pred=["a", "b"], labels=LABELS, cluster="patient", **more), metrics=METRICS, **SETTINGS
    )


def joined(frame):
    gold = frame[["id", "y", "patient"]]
    return scanned(frame[["id", "a", "b"]], gold=gold, id="id")


def long(frame):
    answers = pd.concat([frame[["id", "y", "patient", m]].rename(columns={m: "p"}).assign(model=m) for m in "ab"])
    counts = oe.scan(answers, true="y", pred="p", model_column="model", id="id", labels=LABELS, cluster="patient")
    return oe.compare(counts, metrics=METRICS, **SETTINGS)


def saved(frame, folder):
    counted(frame).save(folder / "counts.json", force=True)
    return oe.compare(oe.Counts.load(folder / "counts.json"), metrics=METRICS, **SETTINGS)


def sets(frame):
    high = frame["y"].where(np.arange(len(frame)) % 5 > 0, "fair")
    low = pd.Series([min(pair, key=LABELS.index) for pair in zip(frame["a"], high, strict=True)])
    given = {"labels": LABELS, "cluster": frame["patient"].to_numpy()}
    return oe.evaluate_sets(frame["y"].to_numpy(), (low.to_numpy(), high.to_numpy()), **given)


def board(frame):
    runs = {model: frame[["id", model]].rename(columns={model: "pred"}) for model in "ab"}
    gold = frame[["id", "y", "patient"]]
    return oe.leaderboard(gold, runs, true="y", labels=LABELS, cluster="patient", metrics=["mae"], **SETTINGS).ranks


RULES = ["cem >= 0.5 ci", "mae <= 0.9 ci", "accuracy >= 0.2 ci"]
AGAINST = ["cem of a >= b - 0.3 ci", "mae of a <= b + 0.3 ci"]

STUDY = """\
study = 1
[data]
files = "rows.csv"
[columns]
true = "y"
models = ["a", "b"]
cluster = "patient"
by = ["site"]
[scale]
labels = ["mild", "fair", "grave"]
[judge]
primary = "cem"
metrics = ["cem", "mae", "accuracy"]
n_resamples = 999
[[gate]]
rule = "cem of a >= 0.5 ci"
[[gate]]
rule = "cem of a >= b - 0.3 ci"
"""


def study(frame, folder):
    frame.to_csv(folder / "rows.csv", index=False)
    (folder / "study.toml").write_text(STUDY, encoding="utf-8")
    return oe.Study.load(folder / "study.toml")


def command(frame, folder, name, *arguments):
    frame.to_csv(folder / "rows.csv", index=False)
    done = ordeval(
        name, folder / "rows.csv", "--true", "y", "--labels", ",".join(LABELS), "--cluster", "patient", "--n-resamples", "999",
        "--format", "json", *arguments,
    )  # fmt: skip
    assert done.code == 0, done.err
    return json.loads(done.out)


def board_command(frame, folder):
    frame[["id", "y", "patient"]].to_csv(folder / "gold.csv", index=False)
    for model in "ab":
        frame[["id", model]].rename(columns={model: "pred"}).to_csv(folder / f"{model}.csv", index=False)
    done = ordeval(
        "leaderboard", folder / "gold.csv", folder / "a.csv", folder / "b.csv", "--true", "y", "--labels", ",".join(LABELS),
        "--cluster", "patient", "--metrics", "mae", "--n-resamples", "999", "--format", "json",
    )  # fmt: skip
    assert done.code == 0, done.err
    return json.loads(done.out)


def told(result):
    if isinstance(result, dict):
        return {name: told(one) if hasattr(one, "to_dict") else one for name, one in result.items()}
    return result.to_dict()


def per_copy(dominance, frame):
    """Its limits are numbers of rows."""
    copies = len(frame) / len(ONCE)
    return {where: {"low": low / copies, "high": high / copies} for where, (low, high) in intervals(told(dominance)).items()}


def all_right(frame, folder):
    """Nothing that was seen says how alike the rows of a cluster are."""
    labels, _, _ = columns_of(frame)
    metrics = ["accuracy", "mae", "amae", "cem", "cohen_kappa", "under_rate", "macro_f1", "minimum_sensitivity"]
    return oe.evaluate(frame["y"], frame["y"], metrics=metrics, **labels, **SETTINGS)


def both_right(frame, folder):
    labels, _, _ = columns_of(frame)
    return oe.compare(frame["y"], {"a": frame["y"], "b": frame["y"]}, metrics=METRICS, **labels, **SETTINGS)


WAYS = {
    "all right": all_right,
    "two models that are all right": both_right,
    "evaluate": lambda frame, folder: evaluate(frame),
    "evaluate, groups": lambda frame, folder: evaluate(frame, **by_site(frame)),
    "evaluate, percentile": lambda frame, folder: evaluate(frame, method="percentile"),
    "evaluate, forecasts": lambda frame, folder: evaluate_forecasts(frame),
    "compare": lambda frame, folder: compare(frame),
    "compare, groups": lambda frame, folder: compare(frame, **by_site(frame)),
    "compare, reference": lambda frame, folder: compare(frame, reference="b"),
    "compare, forecasts": lambda frame, folder: compare_forecasts(frame),
    "counts": lambda frame, folder: oe.compare(counted(frame), metrics=METRICS, **SETTINGS),
    "one model of counts": lambda frame, folder: oe.evaluate(counted(frame)["a"], metrics=METRICS, **SETTINGS),
    "accumulator": lambda frame, folder: accumulated(frame),
    "scan": lambda frame, folder: scanned(frame),
    "scan, gold": lambda frame, folder: joined(frame),
    "scan, long": lambda frame, folder: long(frame),
    "saved and loaded": saved,
    "sets": lambda frame, folder: sets(frame),
    "leaderboard": lambda frame, folder: board(frame),
    "rank_sets": lambda frame, folder: oe.rank_sets(counted(frame), "mae", **SETTINGS),
    "rules": lambda frame, folder: oe.study.check_rules(counted(frame)["a"], RULES, **SETTINGS),
    "rules of two models": lambda frame, folder: oe.study.check_rules(counted(frame), AGAINST, **SETTINGS),
    "rules, baseline": lambda frame, folder: oe.study.check_rules(
        counted(frame)["a"], ["cem >= baseline - 0.3 ci"], baseline=counted(frame)["b"], **SETTINGS
    ),
    "groups": lambda frame, folder: oe.infer.compare_groups(counted(frame, **by_site(frame))["a"], "site", "mae", **SETTINGS),
    "dominance": lambda frame, folder: per_copy(oe.infer.dominance(counted(frame), "a", "b", **SETTINGS), frame),
    "study, evaluate": lambda frame, folder: study(frame, folder).evaluate(),
    "study, compare": lambda frame, folder: study(frame, folder).compare(),
    "study, check": lambda frame, folder: study(frame, folder).check(),
    "ordeval score": lambda frame, folder: command(frame, folder, "score", "--pred", "a"),
    "ordeval score --by": lambda frame, folder: command(frame, folder, "score", "--pred", "a", "--by", "site"),
    "ordeval score --proba": lambda frame, folder: command(
        frame, folder, "score", "--pred", "a", "--proba", "a0,a1,a2", "--metrics", "rps,mae,calibration_slope"
    ),
    "ordeval compare": lambda frame, folder: command(frame, folder, "compare", "--pred", "a", "--pred", "b"),
    "ordeval check": lambda frame, folder: command(frame, folder, "check", "--pred", "a", "--rule", RULES[0], "--rule", RULES[1]),
    "ordeval check of two": lambda frame, folder: command(frame, folder, "check", "--pred", "a", "--pred", "b", "--rule", AGAINST[0]),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_copies_that_belong_together_give_the_intervals_of_the_rows_once(way, tmp_path):
    once, copied = (intervals(told(WAYS[way](frame, tmp_path))) for frame in (ONCE, COPIED))
    assert once
    assert once.keys() == copied.keys()
    widths = {where: (copied[where][1] - copied[where][0]) / (once[where][1] - once[where][0]) for where in once}
    assert {where: ratio for where, ratio in widths.items() if not 0.75 < ratio < 1.5} == {}
