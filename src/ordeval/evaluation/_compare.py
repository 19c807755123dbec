"""compare(): several models on the same rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ordeval.base.lazy import lazy
from ordeval.base.types import Missing
from ordeval.counts import Counts
from ordeval.evaluation._evaluate import Evaluation, evaluate_counts, finite_or_none
from ordeval.evaluation._request import chosen_metrics, counts_of, forecasts_of
from ordeval.infer._difference import Difference, differences
from ordeval.infer._dominance import Dominance, dominance
from ordeval.infer._evidence import check_request
from ordeval.infer._flips import Flips, flips
from ordeval.infer._ranks import RankSets, rank_sets
from ordeval.infer._row_units import row_differences
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import Forecast


@dataclass(frozen=True, eq=False)
class Comparison:
    """Several models on the same rows."""

    counts: Counts
    primary: str  #: the text of the score that decides
    evaluations: dict[str, Evaluation]  #: by model
    differences: dict[tuple[str, str], dict[str, Difference]]  #: by pair of models, then by metric: second less first
    settings: dict[str, Any]

    @lazy
    def flips(self) -> dict[tuple[str, str], Flips]:
        """For each pair, the rows on which the second came closer to the truth, or went further from it."""
        return {(a, b): flips(self.counts, a, b) for a, b in self.differences}

    @lazy
    def dominance(self) -> dict[tuple[str, str], Dominance]:
        """For each pair, whether one is at least as good whatever an error costs, and the cost that would turn it around."""
        return {(a, b): dominance(self.counts, a, b, **self._resampling) for a, b in self.differences}

    @lazy
    def ranks(self) -> RankSets:
        """The ranks that each model may hold by the primary score, all of them together."""
        decisive = get_metric(self.primary)
        if not decisive.needs_only_counts:
            raise ValueError(f"ranks are made from hard labels, and {decisive} decides here; compare with another primary=")
        return rank_sets(self.counts, decisive, **self._resampling)

    @property
    def _resampling(self) -> dict[str, Any]:
        level, size, seed = (self.settings[key] for key in ("confidence_level", "n_resamples", "rng"))
        return {"confidence_level": level, "n_resamples": size, "rng": seed if isinstance(seed, int) else 0}

    @property
    def verdict(self) -> str:
        """What may be said of the models by the primary score, a sentence for each pair."""
        return "  ".join(
            _verdict(get_metric(self.primary), a, b, found[self.primary], self.settings)
            for (a, b), found in self.differences.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the models as in `Evaluation.to_dict`, and every paired difference."""
        return {
            "schema": 1,
            "primary": self.primary,
            "verdict": self.verdict,
            "models": {model: result.to_dict() for model, result in self.evaluations.items()},
            "differences": [
                {"first": a, "second": b, "scores": {text: _difference_dict(d) for text, d in found.items()}}
                for (a, b), found in self.differences.items()
            ],
            "settings": self.settings,
        }

    def to_json(self) -> str:
        """The models and their differences as JSON (docs/json.md)."""
        from ordeval.evaluation._formats import comparison

        return comparison(self, "json")

    def to_markdown(self) -> str:
        """A Markdown table of scores and differences."""
        from ordeval.evaluation._formats import comparison

        return comparison(self, "md")

    def to_latex(self) -> str:
        """A LaTeX table of scores and differences, in the manner of booktabs."""
        from ordeval.evaluation._formats import comparison

        return comparison(self, "latex")

    def to_html(self) -> str:
        """A self-contained page: scores, differences, errors, audit, methods."""
        from ordeval.evaluation._report import comparison_report

        return comparison_report(self).to_html()

    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, as the name ends; whole or not at all."""
        from ordeval.evaluation._report import comparison_report
        from ordeval.show._report import write

        write(comparison_report(self), path, force=force)

    def _repr_html_(self) -> str:
        from ordeval.evaluation._notebook import comparison

        return comparison(self)

    def __str__(self) -> str:
        from ordeval.evaluation._text import comparison

        return "\n".join(comparison(self))


def _difference_dict(difference: Difference) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": finite_or_none(difference.value),
        "low": finite_or_none(difference.low),
        "high": finite_or_none(difference.high),
        "p_value": finite_or_none(difference.p_value),
        "band": [finite_or_none(end) for end in difference.band],
    }
    if difference.reason:
        data["reason"] = difference.reason
    if difference.equivalent is not None:
        data |= {"equivalent": difference.equivalent, "not_inferior": difference.not_inferior}
    return data


def _verdict(metric: Metric, a: str, b: str, found: Difference, settings: dict[str, Any]) -> str:
    if found.reason:
        return f"{a} and {b} cannot be compared by {metric.title}: {found.reason}."
    if found.equivalent:
        return f"{a} and {b} are equivalent by {metric.title}, within {settings['margin']:g} ({found})."
    if found.low <= 0 <= found.high:
        return f"{a} and {b} cannot be told apart by {metric.title} ({found})."
    winner, loser = (b, a) if (found.value > 0) == (metric.direction == "higher") else (a, b)
    return f"{winner} is better than {loser} by {metric.title} ({b} less {a}: {found})."


def compare(
    y_true: Any,
    predictions: Any = None,
    *,
    proba: Any = None,
    primary: Any = None,
    margin: float | None = None,
    labels: Any = None,
    sample_weight: Any = None,
    cluster: Any = None,
    missing: Missing = "error",
    metrics: str | Sequence[Any] | None = None,
    confidence_level: float = 0.95,
    method: str = "auto",
    n_resamples: int = 1_999,
    rng: Any = 0,
) -> Comparison:
    """Several models on the same rows: paired differences with intervals and p-values, and a verdict in a sentence.

    ``predictions`` is ``{"a": column, "b": column}``; or give Counts with several models.  One score decides: ``primary``, or
    the first metric; the others get bands that hold together.  With ``proba={"a": columns, "b": columns}`` probability metrics are
    compared too, and without ``predictions`` the most probable classes are the predictions.  With a ``margin`` the primary score is also tested for equivalence.

    >>> truth = [1, 2, 3, 4] * 50
    >>> better, worse = [1, 2, 3, 3] * 50, [1, 3, 3, 2, 1, 2, 4, 4] * 25
    >>> print(compare(truth, {"worse": worse, "better": better}, metrics=["mae"]).verdict)
    better is better than worse by Mean absolute error (better less worse: -0.250 [-0.344, -0.156], p = 0.0005).
    """
    given = {"y_pred": predictions, "labels": labels, "sample_weight": sample_weight, "cluster": cluster}
    if proba is not None and not isinstance(proba, Mapping):
        raise TypeError("a comparison needs the probabilities of two models or more: proba={'a': columns, 'b': columns}")
    forecasts = forecasts_of("compare", y_true, proba, given, missing)
    counts = counts_of("compare", y_true, given, missing)
    if len(counts.models) < 2:
        raise ValueError("a comparison needs two models or more: predictions={'a': column, 'b': column}")
    if forecasts is not None and set(forecasts.models) != set(counts.models):
        named = f"{', '.join(forecasts.models)}, and predictions={', '.join(counts.models)}"
        raise ValueError(f"proba= names the models {named}; each model needs both, or leave predictions away")
    if not counts.total:
        raise ValueError("no row was answered by all models; there is nothing to compare")
    decisive = None if primary is None else get_metric(primary)
    found = chosen_metrics(metrics, counts, probabilities=forecasts is not None)
    ordered = list(dict.fromkeys([*([decisive] if decisive else []), *found]))
    if not isinstance(ordered[0].direction, str):
        raise ValueError(f"{ordered[0]} has a target, not a direction, so it cannot decide; name another primary=")
    if margin is not None and not margin > 0:
        raise ValueError(f"margin={margin!r}: the margin of equivalence is a number above 0")
    check_request(method, confidence_level, n_resamples, ordered, counts.cluster is not None)
    settings = {
        "confidence_level": confidence_level,
        "method": method,
        "n_resamples": n_resamples,
        "margin": margin,
        "rng": rng if isinstance(rng, int) else "given",
    }
    rows = forecasts.models if forecasts else dict.fromkeys(counts.models)
    evaluations = {model: evaluate_counts(counts[model], ordered, settings, rng, rows[model]) for model in counts.models}
    pairs = {(a, b): _differences(counts, rows, a, b, ordered, settings, rng) for a, b in combinations(counts.models, 2)}
    return Comparison(counts, str(ordered[0]), evaluations, pairs, settings)


def _differences(
    counts: Counts,
    rows: Mapping[str, Forecast | None],
    a: str,
    b: str,
    metrics: Sequence[Metric],
    settings: dict[str, Any],
    rng: Any,
) -> dict[str, Difference]:
    """Paired differences of tables and of rows.  Their bands come from two sets of replicates, so they share the error between them."""
    keys = ("margin", "confidence_level", "n_resamples")
    same = {**{key: settings[key] for key in keys}, "rng": rng}
    first, second = rows[a], rows[b]
    found = []
    for of_tables in (True, False):
        part = [metric for metric in metrics if metric.needs_only_counts == of_tables or first is None]
        others = max(1, len([metric for metric in metrics[1:] if metric in part]))
        level = 1 - (1 - settings["confidence_level"]) * others / max(1, len(metrics) - 1)
        shared = {**same, "primary": metrics[0] in part, "band_level": level if len(metrics) > 1 else None}
        if part and of_tables:
            found += differences(counts, a, b, part, **shared)
        elif part and first is not None and second is not None:
            found += row_differences(first, second, part, **shared)
    by_text = {result.metric: result for result in found}
    return {str(metric): by_text[str(metric)] for metric in metrics}
