"""Counts of two models with hardly any rows, very many classes, weights, clusters, groups, gaps."""

import numpy as np

import ordeval as oe


def forty():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 40, 600)
    return oe.count(true, _two(rng, true, 40), labels=range(40))


def _two(rng, true, k):
    return {name: np.clip(true + rng.integers(-2, 3, true.size), 0, k - 1) for name in ("a", "b")}


def _made(**options):
    rng = np.random.default_rng(1)
    true = rng.integers(0, 3, 60)
    return oe.count(true, _two(rng, true, 3), labels=range(3), **options)


LONG = ["l" * 299 + end for end in "abc"]


def long_labels():
    rng = np.random.default_rng(2)
    true = rng.integers(0, 3, 60)
    names = np.array(LONG, object)
    both = {name: list(names[codes]) for name, codes in _two(rng, true, 3).items()}
    return oe.count(list(names[true]), both, labels=LONG)


CASES = {
    "one class": lambda: oe.count(["x"] * 5, {"a": ["x"] * 5, "b": ["x"] * 5}, labels=["x"]),
    "one row": lambda: oe.count(["x"], {"a": ["y"], "b": ["x"]}, labels=["x", "y", "z"]),
    "no answers": lambda: oe.count(["x", "y"], {"a": [None, None], "b": [None, None]}, labels=["x", "y"], missing="unanswered"),
    "forty classes": forty,
    "long labels": long_labels,
    "weighted rows": lambda: _made(sample_weight=np.linspace(0.1, 2, 60)),
    "weighted clusters": lambda: _made(sample_weight=np.linspace(0.1, 2, 60), cluster=list(range(30)) * 2),
    "clusters": lambda: _made(cluster=[f"patient {i}" for i in range(20)] * 3),
    "groups": lambda: _made(by=["north", "south", ""] * 20),
    "unanswered": lambda: oe.count(
        ["x", "y", "z"] * 10,
        {"a": ["x", None, "z"] * 10, "b": ["x", "y", "z"] * 10},
        labels=["x", "y", "z"],
        missing="unanswered",
    ),
    "blanks as wrong": lambda: oe.count(
        ["x", "y", "z"] * 10,
        {"a": ["x", None, "z"] * 10, "b": ["x", "y", "z"] * 10},
        labels=["x", "y", "z"],
        missing="wrong",
    ),
    "nothing but blanks": lambda: oe.count(["x", "y"], {"a": [None, None], "b": ["x", None]}, labels=["x", "y"], missing="wrong"),
}
