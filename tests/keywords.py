"""Columns in which every keyword has a difference to show, and for every public function another value of each of its keywords."""

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

import ordeval as oe
from ordeval.base.errors import ArgumentError

LABELS = ["mild", "fair", "grave"]
OTHER_ORDER = ["mild", "grave", "fair"]
FEW = {"n_resamples": 499}
ECHOES = {
    "settings",
    "signature",
    "labels",
    "confidence_level",
    "n_resamples",
    "seed",
    "schema",
    "scale",
}  # what was asked for, again


class Rows:
    """Truth, three models and whatever may stand beside them."""

    def __init__(self, n: int = 240) -> None:
        rng = np.random.default_rng(20)
        codes = rng.choice(3, n, p=[0.5, 0.3, 0.2])

        def named(found: Any) -> list[str]:
            return [LABELS[code] for code in found]

        def answers(share: float, step: int) -> list[str]:
            return named(np.where(rng.random(n) < share, codes, np.clip(codes + rng.choice([-1, 1, step], n), 0, 2)))

        self.n, self.y = n, named(codes)
        self.a, self.b, self.c = answers(0.8, 1), answers(0.6, 2), answers(0.5, -2)
        self.four = np.random.default_rng(0).integers(0, 4, (2, 30))  # an irregular table, in which paths differ
        self.ages = rng.choice([5, 15, 25, 35, 75], n)  # nobody from 40 to 60
        self.holes = [None if i % 9 == 4 else answer for i, answer in enumerate(self.a)]
        self.weights = rng.integers(1, 5, n)
        self.site, self.half = [f"site {i}" for i in rng.integers(0, 2, n)], [f"half {2 * i // n}" for i in range(n)]
        self.patient = [i // 6 for i in range(n)]
        proba = rng.dirichlet([1, 1, 1], n) + np.eye(3)[codes] * rng.uniform(0, 1.5, (n, 1))
        self.proba = proba / proba.sum(1, keepdims=True)
        self.other_proba = self.proba[:, [1, 0, 2]] * 0.5 + 1 / 6
        lows = np.where(rng.random(n) < 0.8, np.clip(codes - rng.integers(0, 2, n), 0, 2), 2)
        self.sets = (named(lows), named(np.clip(lows + rng.integers(0, 3, n), 0, 2)))
        odd = ["n/a" if i % 7 == 3 else answer for i, answer in enumerate(self.b)]
        named_columns = {"y": self.y, "a": self.a, "b": self.b, "c": self.c, "h": self.holes, "odd": odd, "w": self.weights}
        self.frame = pd.DataFrame(
            {"id": range(n), "twin": range(n)[::-1], **named_columns, "site": self.site, "patient": self.patient}
        )
        self.gold = self.frame[["id", "y", "c", "site", "patient"]].assign(twin=self.frame["id"])
        self.long = pd.concat([self.frame[["id", "y", model]].rename(columns={model: "a"}).assign(model=model) for model in "ab"])

    def runs(self, *models: str) -> dict[str, pd.DataFrame]:
        return {model: self.frame[["id", model]].rename(columns={model: "pred"}) for model in models}

    def judged(self, first: list[str], second: list[str]) -> Any:
        """Two runs of a judge over the same items, and a person's grades."""
        runs = [pd.DataFrame({"item": range(self.n), "run": i, "who": "gpt", "grade": g}) for i, g in enumerate((first, second))]
        people = pd.DataFrame({"item": range(self.n), "run": 0, "who": "ann", "grade": self.y})
        asked = {"item": "item", "rater": "who", "grade": "grade", "repeats": "run", "judges": ["gpt"], "labels": LABELS}
        return oe.raters.read_judge_log(pd.concat([*runs, people]), **asked)

    @functools.cached_property
    def counts(self) -> oe.Counts:
        return oe.count(self.y, {"a": self.a, "b": self.b, "c": self.c}, labels=LABELS)

    @functools.cached_property
    def of_sites(self) -> oe.Counts:
        return oe.count(self.y, self.a, labels=LABELS, by={"site": self.site})

    @functools.cached_property
    def rated(self) -> oe.Counts:
        return oe.raters.ratings({"ann": self.y, "bob": self.a, "gpt": self.b, "eve": self.c}, labels=LABELS)

    @functools.cached_property
    def half_graded(self) -> oe.Counts:
        people = {
            "ann": [g if i % 2 else None for i, g in enumerate(self.y)],
            "bob": [g if i % 3 else None for i, g in enumerate(self.a)],
        }
        return oe.raters.ratings(people | {"gpt": self.b, "eve": self.c}, labels=LABELS)

    @functools.cached_property
    def log(self) -> Any:
        return self.judged(self.a, self.b)

    @functools.cached_property
    def campaign(self) -> Any:
        rng, cases = np.random.default_rng(3), {}
        for case in range(4):
            truth = rng.integers(0, 3, 12)
            found = {
                f"system {j}": np.where(rng.random(12) < 0.1 * j, truth, rng.integers(0, 3) if j < 3 else truth[::-1])
                for j in range(5)
            }
            cases[f"case {case}"] = oe.count(truth, found, labels=range(3))
        return oe.choose.Campaign.from_counts(cases)


ROWS = Rows()


def table_score(table: np.ndarray) -> float:
    """A score of a user's own, which only larger tables give away."""
    return float(table[0, -1] / table.sum()) if table.sum() > 4 else 0.0


def board(*args: Any, **given: Any) -> list[Any]:
    """A leaderboard, with the differences that its ranks are made of."""
    found = oe.leaderboard(*args, **given)
    return [found, found.ranks]


@dataclass
class With:
    """Another value, to be compared where these keywords are as well."""

    value: Any
    also: dict[str, Any] = field(default_factory=dict)


class Refuses(With):
    """Another value, which is refused."""


@dataclass
class Case:
    """A function with what it is called with, and another value for each of its keywords."""

    call: Callable[..., Any]
    base: dict[str, Any]
    others: dict[str, Any]
    elsewhere: dict[str, str] = field(default_factory=dict)  #: keywords whose effect is shown in another file, or that need none

    def other(self, keyword: str) -> With:
        found = self.others[keyword]
        return found if isinstance(found, With) else With(found)

    def told(self, **given: Any) -> Any:
        try:
            return plain(self.call(**given))
        except (ArgumentError, ValueError) as error:
            return f"refused: {error}"


def of(function: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    return lambda **given: function(*args, **given)


def plain(found: Any) -> Any:
    """The numbers and words of an answer, without what only says again what was asked for."""
    if isinstance(found, Mapping):
        return {str(key): plain(value) for key, value in found.items() if key not in ECHOES}
    if hasattr(found, "to_dict"):
        return plain(found.to_dict())
    if isinstance(found, np.ndarray):
        return found.tolist()
    return [plain(one) for one in found] if isinstance(found, (list, tuple)) else found


def as_text(found: Any) -> str:
    return json.dumps(found, default=str)


def intervals(found: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], tuple[float, float]]:
    """All pairs of a lower and an upper end, wherever they stand."""
    if isinstance(found, Mapping):
        given = {path: (found["low"], found["high"])} if {"low", "high"} <= set(found) else {}
        if found.get("band") is not None:
            given[*path, "band"] = tuple(found["band"])
        pairs = {
            (*where, i): pair
            for where, (low, high) in given.items()
            for i, pair in enumerate(zip(flat(low), flat(high), strict=True))
        }
        inner = (intervals(value, (*path, key)) for key, value in found.items())
        return {where: pair for where, pair in pairs.items() if None not in pair} | {
            k: v for part in inner for k, v in part.items()
        }
    if isinstance(found, (list, tuple)):
        return {k: v for i, value in enumerate(found) for k, v in intervals(value, (*path, i)).items()}
    return {}


def flat(ends: Any) -> list[float | None]:
    return [one for part in ends for one in flat(part)] if isinstance(ends, (list, tuple)) else [ends]


def cases() -> dict[str, Case]:
    """Of every public function but the metrics: a call, and another value for each keyword."""
    r = ROWS
    labels, two = {"labels": LABELS}, {"a": r.a, "b": r.b}
    options = {"confidence_level": 0.8, "n_resamples": 999, "rng": 1}
    rows = {"labels": OTHER_ORDER, "sample_weight": r.weights}
    asked = rows | {"by": {"site": r.site}, "cluster": r.patient}
    blanks = {"missing": With("wrong", {"y_pred": r.holes})}
    forecasts = rows | {"proba": r.other_proba}
    one = {"y_pred": r.a} | labels
    scanned = {"true": "y", "pred": "a"} | labels
    return {
        # scores of rows
        "count": Case(of(oe.count, r.y), one, {"missing": With("drop", {"y_pred": r.holes}), **asked}),
        "evaluate": Case(
            of(oe.evaluate, r.y),
            {**one, "metrics": ["cem", "mae"], **FEW},
            {
                "y_pred": r.b,
                "proba": With(r.proba, {"metrics": None}),
                "metrics": ["cem", "accuracy"],
                "method": "percentile",
                "check_intervals": True,
                **asked,
                **blanks,
                **options,
            },
        ),
        "compare": Case(
            of(oe.compare, r.y),
            {"y_pred": two, "metrics": ["cem", "mae"], **labels, **FEW},
            {
                "y_pred": two | {"b": r.c},
                "proba": With({"a": r.proba, "b": r.other_proba}, {"metrics": None}),
                "metrics": ["cem", "accuracy"],
                "primary": "mae",
                "reference": With("b", {"y_pred": two | {"c": r.c}}),
                "margin": 0.5,
                "method": "percentile",
                **asked,
                "missing": With("wrong", {"y_pred": two | {"a": r.holes}}),
                **options,
            },
        ),
        "evaluate_sets": Case(
            of(oe.evaluate_sets, r.y),
            {"sets": r.sets, **labels, **FEW},
            {
                "sets": (r.sets[0], r.sets[0]),
                "labels": With(OTHER_ORDER, {"sets": (r.sets[0], r.sets[0])}),
                "sample_weight": r.weights,
                "cluster": r.patient,
                "coverage": 0.5,
                "method": "percentile",
                "confidence_level": 0.8,
                "n_resamples": With(999, {"method": "percentile"}),  # "auto" takes none for means of rows
                "rng": With(1, {"method": "percentile"}),
            },
        ),
        "forecast": Case(
            lambda **given: vars(oe.forecast(r.y, **given)),
            {"proba": r.proba, **labels},
            {**forecasts, "cluster": r.patient, "rescale": With(True, {"proba": 2 * r.proba})},
        ),
        "score": Case(
            lambda **given: oe.score(given.pop("metric", "mae"), r.y, **given),
            one,
            {
                "y_pred": r.b,
                **rows,
                "proba": With(r.other_proba, {"metric": "rps", "y_pred": None, "proba": r.proba}),
                "sets": With((r.sets[0], r.sets[0]), {"metric": "set_size", "y_pred": None, "sets": r.sets}),
            },
        ),
        "leaderboard": Case(
            lambda **given: board(given.pop("gold", r.gold), given.pop("runs", r.runs("c", "b")), **given),
            {"true": "y", **labels, "metrics": ["mae"], **FEW},
            {
                "true": "c",
                "pred": With("b", {"runs": {"first": r.frame[["id", "a", "b"]]}, "pred": "a"}),
                "id": With("twin", {"runs": {"a": r.frame[["id", "twin", "a"]]}, "pred": "a"}),
                "labels": OTHER_ORDER,
                "by": "site",
                "cluster": "patient",
                "missing": With("wrong", {"runs": r.runs("h", "b")}),
                "reading": With({"na": ["n/a"]}, {"runs": r.runs("odd", "b"), "missing": "drop"}),
                "unknown": With("missing", {"runs": r.runs("odd", "b"), "missing": "drop"}),
                "strays": With("drop", {"gold": r.gold[:-3]}),
                "max_rows": Refuses(10),
                "metrics": ["cem"],
                "primary": With("mae", {"metrics": ["mae", "cem"]}),
                **options,
            },
        ),
        "scan": Case(
            lambda **given: oe.scan(given.pop("source", r.frame), **given),
            scanned,
            {
                "true": "b",
                "pred": "b",
                "gold": With(r.gold.assign(y=r.c), {"source": r.frame[["id", "a"]], "gold": r.gold, "id": "id"}),
                "id": With("twin", {"source": r.frame[["id", "twin", "a"]], "gold": r.gold, "id": "id"}),
                "labels": OTHER_ORDER,
                "sample_weight": "w",
                "by": "site",
                "cluster": "patient",
                "missing": With("drop", {"pred": "h"}),
                "reading": With({"na": ["n/a"]}, {"pred": "odd", "missing": "drop"}),
                "unknown": With("missing", {"pred": "odd", "missing": "drop"}),
                "model_column": With("model", {"source": r.long, "id": "id"}),
                "strays": With("drop", {"source": r.frame[["id", "a"]], "gold": r.gold[:-3], "id": "id"}),
                "missing_truth": With("drop", {"true": "h"}),
                "max_rows": Refuses(10),
            },
            elsewhere={"quote": "faults/test_quotes.py", "filesystem": "forms/test_ways_in.py"},
        ),
        "peek": Case(
            of(oe.peek, r.frame),
            {},
            {
                "columns": ["y"],
                "reading": With({"na": ["n/a"]}, {"columns": ["odd"]}),
                "max_rows": Refuses(10, {"columns": ["y"]}),
            },
            elsewhere={"quote": "faults/test_quotes.py"},
        ),
        "rank_sets": Case(of(oe.rank_sets, r.counts, "mae"), FEW, {"models": ["a", "b"], **options}),
        "plan": Case(
            of(oe.plan, r.counts, "mae"),
            {"half_width": 0.05, "models": ["a"]},
            {
                "half_width": 0.1,
                "difference": With(0.3, {"half_width": None, "models": ["a", "b"], "difference": 0.2}),
                "power": With(0.9, {"half_width": None, "models": ["a", "b"], "difference": 0.2}),
                "assurance": 0.5,
                "confidence_level": 0.8,
                "models": ["b"],
                "rng": 1,
            },
        ),
        # inference
        "infer.compare_groups": Case(
            of(oe.infer.compare_groups, r.of_sites, "site", "mae"),
            FEW,
            {"against": "overall", "shares": [0.2, 0.2, 0.6], **options},
        ),
        "infer.corrected_resampled_test": Case(
            of(oe.infer.corrected_resampled_test, [0.7, 0.8, 0.75, 0.9], [0.8, 0.7, 0.9, 0.6]),
            {"n_train": 100, "n_test": 10},
            {"n_train": 50, "n_test": 30, "confidence_level": 0.8},
        ),
        "infer.dominance": Case(of(oe.infer.dominance, r.counts, "a", "b"), FEW, options),
        "infer.exchange_test": Case(of(oe.infer.exchange_test, r.counts, "b", "c", "mae"), FEW, {"n_resamples": 999, "rng": 1}),
        "infer.pool_folds": Case(of(oe.infer.pool_folds, [r.counts, r.counts]), {}, {"repeats": Refuses(2)}),
        "infer.ranking_agreement": Case(
            of(oe.infer.ranking_agreement, r.counts, ["mae", "cem", "macro_precision"]), {}, {"models": ["a", "b"]}
        ),
        "infer.winner_sensitivity": Case(
            of(oe.infer.winner_sensitivity, r.counts, ["mae", "cem", "bias"]), {}, {"models": ["b", "c"]}
        ),
        "infer.reweight": Case(
            of(oe.infer.reweight, oe.count(r.y, r.a, labels=LABELS, by={"site": r.site, "half": r.half})),
            {"by": "site"},
            {"shares": [0.2, 0.2, 0.6], "by": "half"},
        ),
        # which metric, which law, which decision
        "catalogue": Case(oe.catalogue, {}, {"family": "error", "needs": "proba"}),
        "choose.advise": Case(
            oe.choose.advise,
            {},
            {
                "scale": "steps",
                "rare": "theirs",
                "prevalence": True,
                "probabilities": True,
                "open_band": True,
                "audience": "public",
            },
        ),
        "choose.meta_evaluate": Case(
            lambda **given: oe.choose.meta_evaluate(r.campaign, **given),
            {"metrics": ["mae", "spearman"]},
            {"metrics": ["mae", "cem"], "against": ["cem"], "undefined": {"spearman": 1.0}},
        ),
        "decide.decide": Case(
            of(oe.decide.decide, r.proba),
            {"metric": "mae", **labels},
            {
                "metric": "amae",
                "labels": OTHER_ORDER,
                "class_counts": With([5, 10, 300], {"metric": "amae"}),
                "prior": With(([0.6, 0.3, 0.1], [0.1, 0.3, 0.6])),
            },
        ),
        "decide.fit": Case(
            of(oe.decide.fit, r.y, r.proba),
            {"metric": "cohen_kappa", **labels},
            {
                **rows,
                "class_counts": With([5, 10, 300], {"metric": "amae"}),
                "prior": ([0.6, 0.3, 0.1], [0.1, 0.3, 0.6]),
            },
        ),
        "laws.check": Case(
            of(oe.laws.check, table_score),
            {"laws": ["transpose", "ordinal_monotonicity", "bounds"], "max_k": 2, "max_n": 2, "beyond": 5},
            {
                "laws": ["transpose"],
                "max_k": 3,
                "max_n": 3,
                "direction": "lower",
                "bounds": (0.0, 0.5),
                "beyond": With(0, {"laws": ["transpose"]}),
                "rng": With(1, {"laws": ["transpose"]}),
            },
        ),
        "laws.table": Case(
            oe.laws.table,
            {"metrics": ["mae"], "laws": ["transpose"]},
            {"metrics": ["cem"], "laws": ["perfect"], "max_k": With(2), "max_n": With(2)},
        ),
        # what a score is made of
        "parts.calibration_table": Case(
            of(oe.parts.calibration_table, r.y), {"proba": r.proba, **labels}, {**forecasts, "bins": 5, "binning": "mass"}
        ),
        "parts.rps_decomposition": Case(
            of(oe.parts.rps_decomposition, r.y), {"proba": r.proba, **labels}, {**forecasts, "bins": 5, "binning": "mass"}
        ),
        "parts.cem_floor": Case(
            of(oe.parts.cem_floor, r.y),
            one,
            {**rows, "level": "interval", "ties": "full", "flat": True, "class_counts": [5, 10, 300]},
            elsewhere={"y_pred": "the truth alone decides"},
        ),
        "parts.closeness_matrix": Case(
            of(oe.parts.closeness_matrix, r.y),
            one,
            {**rows, "level": "interval", "ties": "full", "class_counts": [5, 10, 300]},
            elsewhere={"y_pred": "the truth alone decides"},
        ),
        "parts.cost_contributions": Case(
            of(oe.parts.cost_contributions, r.y), one, {"y_pred": r.b, **rows, "metric": "stc(class_counts=(5, 10, 300))"}
        ),
        "parts.cost_matrix": Case(
            of(oe.parts.cost_matrix, r.y),
            one,
            {**rows, "metric": "stc(class_counts=(5, 10, 300))"},
            elsewhere={"y_pred": "the truth alone decides"},
        ),
        "parts.cut_table": Case(of(oe.parts.cut_table, r.y), one, {"y_pred": r.b, **rows}),
        "parts.explain_score": Case(of(oe.parts.explain_score, r.counts["a"]), {}, {"metric": "cem(level='interval')"}),
        "parts.optimal_length": Case(
            of(oe.parts.optimal_length, r.ages),
            {"y_pred": r.ages, "labels": oe.Scale.from_edges([0, 20, 40, 60, np.inf])},
            {
                "labels": oe.Scale.from_edges([0, 10, 40, 60, np.inf]),
                "sample_weight": r.weights,
                "distance": "midpoint",
                "absent": "renumber",
            },
            elsewhere={"y_pred": "the truth alone decides"},
        ),
        "parts.oci_parts": Case(
            of(oe.parts.oci_parts, r.y), one, {"y_pred": r.b, **rows, "share": 0.1, "gamma": 2.0, "beta": 0.3}
        ),
        "parts.oci_path": Case(
            lambda **given: oe.parts.oci_path(r.four[0], **given),
            {"y_pred": r.four[1], "labels": [0, 1, 2, 3]},
            {
                "y_pred": r.four[1][::-1],
                "labels": [3, 0, 2, 1],
                "sample_weight": [5] * 6 + [1] * 24,
                "share": 0.05,
                "gamma": 9.0,
                "beta": 0.0,
            },
        ),
        # raters
        "raters.agreement": Case(
            of(oe.raters.agreement, r.rated),
            {"coefficients": ["conger_kappa"], **FEW},
            {
                "coefficients": ["gwet_ac"],
                "weights": "linear",
                "power": 4.0,
                "resample": "crossed",
                "method": "percentile",
                **options,
            },
        ),
        "raters.annotator_test": Case(
            of(oe.raters.annotator_test, r.rated, "bob"),
            {},
            {"epsilon": 0.0, "closeness": "accuracy", "false_discovery": 1e-9},
        ),
        "raters.corrected_grades": Case(
            of(oe.raters.corrected_grades, r.half_graded),
            {"person": "ann", "judge": "gpt", **FEW},
            {"judge": "eve", "person": "bob", "estimator": "difference", **options},
        ),
        "raters.effective_judges": Case(of(oe.raters.effective_judges, r.rated, ["gpt", "eve"], ["ann", "bob"]), FEW, options),
        "raters.judge_drift": Case(
            of(oe.raters.judge_drift, r.log, r.judged(r.c, r.c)),
            {"metrics": ["mae"], **FEW},
            {"metrics": ["cem"], **options},
            elsewhere={"judge": "intervals/test_judges.py"},
        ),
        "raters.judge_panel": Case(
            of(oe.raters.judge_panel, r.rated, "gpt"), {"metric": "mae", **FEW}, {"metric": "cem", "epsilon": 0.0, **options}
        ),
        "raters.prmse": Case(of(oe.raters.prmse, r.rated, "gpt"), FEW, options),
        "raters.self_consistency": Case(
            of(oe.raters.self_consistency, r.log), FEW, options, elsewhere={"judge": "intervals/test_judges.py"}
        ),
        "raters.validate_judge": Case(
            of(oe.raters.validate_judge, r.log),
            {"metrics": ["mae"], **FEW},
            {"metrics": ["cem"], "against": r.judged(r.b, r.c), **options},
            elsewhere={"judge": "intervals/test_judges.py"},
        ),
        # rules
        "study.check_rules": Case(
            of(oe.study.check_rules, r.of_sites, ["mae <= 0.3 ci", "mae <= baseline + 0.2"]),
            {"baseline": r.counts["b"], **FEW},
            {"baseline": r.counts["c"], "by": "site", **options},
        ),
    }
