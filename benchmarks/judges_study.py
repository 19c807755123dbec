"""How often do the intervals for judges hold: self-consistency, effective judges, drift?  About six minutes on one core.

    python benchmarks/judges_study.py [--seed 1] [--data-sets 1000] [--json benchmarks/results/judges.json]

An item has a quality on a scale of five classes.  A judge sees it with noise and rounds; runs of one judge have fresh noise.  Errors of
different judges have a part in common where the correlation is not 0.  True values are those of 400,000 items.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np

import ordeval as oe
from ordeval.raters._consistency import same_again
from ordeval.raters._drift import class_counts, energy, mean_score, permuted
from ordeval.raters._independence import error_covariance, jackknifed_worth, within_classes, worth

K, POPULATION = 5, 400_000
RESULTS = Path(__file__).parent / "results" / "judges.json"


def rounded(seen):
    return np.clip(np.rint(seen), 0, K - 1).astype(int)


def runs(quality, number, noise, rng):
    """(items, runs) grades of one judge."""
    return rounded(quality[:, None] + noise * rng.normal(size=(len(quality), number)))


def qualities(n, rng):
    return rng.uniform(-0.5, K - 0.5, n)


def held(scores, true):
    given = [score for score in scores if score.method != "none"]
    inside = [score.low <= true <= score.high for score in given]
    return {"held": float(np.mean(inside)) if given else None, "given": len(given) / len(scores), "true": float(true)}


def study_consistency(data_sets, rng):
    found = []
    for n in (15, 30, 60, 200):
        for number in (2, 3, 5):
            for noise in (0.02, 0.1, 0.3):
                population = runs(qualities(POPULATION, rng), number, noise, rng)
                true = same_again(population, K, 0.95).value
                scores = [same_again(runs(qualities(n, rng), number, noise, rng), K, 0.95) for _ in range(data_sets)]
                found.append({"items": n, "runs": number, "noise": noise, "data_sets": data_sets, **held(scores, true)})
    return found


def study_alpha(data_sets, rng):
    found = []
    for n, number in ((60, 3), (200, 2), (200, 5)):
        whole = [alpha(runs(qualities(20_000, rng), number, 0.3, rng), value_only=True) for _ in range(5)]
        scores = [alpha(runs(qualities(n, rng), number, 0.3, rng)) for _ in range(data_sets)]
        found.append({"items": n, "runs": number, "noise": 0.3, "data_sets": data_sets, **held(scores, np.mean(whole))})
    return found


def alpha(codes, *, value_only=False):
    counts = oe.raters.ratings({f"r{g}": codes[:, g] for g in range(codes.shape[1])}, labels=range(K))
    asked = {"method": "delta"} if value_only else {"n_resamples": 499}
    score = oe.raters.agreement(counts, ["alpha_ordinal"], **asked).scores["alpha_ordinal"]
    return score.value if value_only else score


def panel(n, judges, people, noise, person, correlation, shares, rng, *, continuous=False):
    """The true classes, and the grades (items, judges then people)."""
    truth = qualities(n, rng) if continuous else rng.choice(K, n, p=shares)
    common = np.sqrt(correlation) * rng.normal(size=(n, 1)) + np.sqrt(1 - correlation) * rng.normal(size=(n, judges))
    grades = [rounded(truth[:, None] + noise * common), rounded(truth[:, None] + person * rng.normal(size=(n, people)))]
    return truth, np.hstack(grades).astype(float)


def study_independence(data_sets, rng):
    even, skewed = np.full(K, 1 / K), np.array([0.6, 0.2, 0.1, 0.06, 0.04])
    found = []
    settings = [
        (name, shares, judges, people, noise, person, correlation)
        for name, shares in (("even", even), ("skewed", skewed), ("continuous", None))
        for judges, people in ((3, 2), (5, 3), (9, 2))
        for noise, person in ((0.35, 0.35), (0.8, 0.6))
        for correlation in (0.0, 0.4)
    ]
    for name, shares, judges, people, noise, person, correlation in settings:
        asked = (judges, people, noise, person, correlation, shares, rng)
        truth, grades = panel(POPULATION, *asked, continuous=shares is None)
        known = np.column_stack([grades[:, :judges], rounded(truth)])
        true = (
            float(judges)
            if correlation == 0 and shares is None
            else float(worth(within_classes(known, np.ones(POPULATION), K))[0])
        )
        limit = float(worth(error_covariance(np.cov(grades.T), judges)[0])[0])
        if shares is None and correlation > 0:  # around the quality itself: what rounding adds is nobody's error alone
            true = np.nan
        for n in (100, 300, 1000):
            scores = [
                jackknifed_worth(panel(n, *asked, continuous=shares is None)[1], np.ones(n), judges, 0.95)[0]
                for _ in range(data_sets)
            ]
            held_limit = held(scores, limit)
            given = [s for s in scores if s.method != "none"]
            row = {
                "classes": name,
                "judges": judges,
                "people": people,
                "noise": noise,
                "person": person,
                "correlation": correlation,
            }
            row |= {
                "items": n,
                "data_sets": data_sets,
                "limit": limit,
                "held_limit": held_limit["held"],
                "given": held_limit["given"],
            }
            row |= {"true": None if np.isnan(true) else true, "held": None if np.isnan(true) else held(scores, true)["held"]}
            row["ratio"] = float(np.median([s.high / s.low for s in given])) if given else None
            found.append(row)
    return found


def study_drift(data_sets, tests, rng):
    found = []
    for n in (30, 100, 300):
        for number in (2, 3, 5):
            for shift, own in ((0, 0), (0.1, 0), (0.3, 0), (0, 0.3), (0, 0.6)):

                def draw(n, number=number, shift=shift, own=own):
                    quality = qualities(n, rng)
                    later = quality + shift + own * rng.normal(size=n)
                    return [class_counts(runs(q, number, 0.3, rng), K) for q in (quality, later)]

                population = draw(POPULATION)
                true = energy(*population).mean() if shift or own else 0.0
                ranks = np.arange(K)
                moved = ((population[1] - population[0]) @ ranks / number).mean() if shift else 0.0
                drifts, shifts, rejected = [], [], []
                for i in range(data_sets):
                    old, new = draw(n)
                    drifts.append(mean_score(energy(old, new), 0.95))
                    shifts.append(mean_score((new - old) @ ranks / number, 0.95))
                    if i < tests:
                        rejected.append(permuted(old, new, 199, rng) <= 0.05)
                row = {"items": n, "runs": number, "shift": shift, "own": own, "data_sets": data_sets, **held(drifts, true)}
                row |= {"held_shift": held(shifts, moved)["held"], "tests": tests, "rejected": float(np.mean(rejected))}
                found.append(row)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data-sets", type=int, default=1_000)
    parser.add_argument("--json", type=Path, default=RESULTS)
    asked = parser.parse_args()
    few = max(1, asked.data_sets * 2 // 5)
    parts = {
        "consistency": lambda rng: study_consistency(asked.data_sets, rng),
        "alpha": lambda rng: study_alpha(max(1, asked.data_sets // 5), rng),
        "independence": lambda rng: study_independence(few, rng),
        "drift": lambda rng: study_drift(asked.data_sets, few, rng),
    }
    found = {"seed": asked.seed, "version": oe.__version__, "seconds": {}}
    for (name, study), seed in zip(parts.items(), np.random.SeedSequence(asked.seed).spawn(len(parts)), strict=True):
        begun = time.process_time()
        found[name] = study(np.random.default_rng(seed))
        found["seconds"][name] = round(time.process_time() - begun)
        print(name, found["seconds"][name], "s", flush=True)
    asked.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
