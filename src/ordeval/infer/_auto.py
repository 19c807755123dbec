"""method="auto": which interval a score gets, from the table that the coverage study earned."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ordeval.metrics import Metric

if TYPE_CHECKING:
    from ordeval.infer._evidence import Evidence


@cache
def table() -> dict[str, Any]:
    """The rules, by kind of metric, and which metrics are of which kind."""
    return tomllib.loads((files("ordeval.infer") / "auto.toml").read_text(encoding="utf-8"))


def kind_of(metric: Metric) -> str:
    return next((kind for kind, names in table()["metrics"].items() if metric.name in names), "smooth")


def choose(metric: Metric, evidence: Evidence) -> tuple[str, str]:
    """A method and no reason, or no method and the reason."""
    rules = table()["rules"][kind_of(metric)]
    if evidence.units.clustered:
        return _by_clusters(metric, evidence.units.total, rules)
    facts = dict(evidence.facts)
    classes = facts.pop("classes", 0)
    for rule in rules:
        if classes <= rule.get("classes", classes) and all(facts[name] >= rule.get(name, 0) for name in facts):
            return rule.get("method", "none"), rule.get("reason", "")
    return "none", rules[-1]["reason"]


def _by_clusters(metric: Metric, number: int, rules: list[dict[str, Any]]) -> tuple[str, str]:
    limits = table()["clusters"]
    if "method" not in rules[0]:
        return "none", rules[0]["reason"]
    if number < limits["least"]:
        return "none", f"{number} clusters are too few: below {limits['least']} no method was found to hold"
    if not metric.needs_only_counts:  # their rules need no replicates, but for shares of rows that are not independent here
        return "jackknife" if rules[0]["method"] == "wilson" else rules[0]["method"], ""
    return ("jackknife" if number < limits["jackknife_below"] else "bca"), ""
