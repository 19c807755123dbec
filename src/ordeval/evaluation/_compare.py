"""compare(): several models on the same rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError, ArgumentTypeError, near
from ordeval.base.lazy import lazy
from ordeval.base.renamed import renamed_keywords
from ordeval.base.types import Column, Matrix, Method, Missing, Rng, Weights
from ordeval.counts import Counts, Truth
from ordeval.evaluation import _verdict as words
from ordeval.evaluation._evaluate import Evaluation, evaluate_counts
from ordeval.evaluation._groups import comparison_groups, empty_groups, group_axes, group_name
from ordeval.evaluation._request import MetricLike, chosen_metrics, counted, decides, forecasts_of
from ordeval.evaluation._score import finite_or_none
from ordeval.evaluation._units import Unit, unit_of
from ordeval.infer._difference import Difference, differences
from ordeval.infer._dominance import Dominance, dominance
from ordeval.infer._flips import Flips, flips
from ordeval.infer._methods import check_request, samples
from ordeval.infer._ranks import RankSets, rank_sets, ranks_of
from ordeval.metrics import Metric, get_metric
from ordeval.metrics.core.forecast import Forecast
from ordeval.order import Labels
from ordeval.show import Block, Page, Paragraph, Result
from ordeval.show import write as write_page
from ordeval.show._plain import safe_names


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Several models on the same rows."""

    counts: Counts
    primary: str  #: the text of the score that decides
    evaluations: dict[str, Evaluation]  #: by model
    differences: dict[tuple[str, str], dict[str, Difference]]  #: by pair of models, then by metric: second less first
    settings: dict[str, Any]
    groups: dict[Any, Comparison] = field(default_factory=dict)  #: by group; by "column=group" where there are several columns
    source: str = ""  #: what the rows are called, such as the name of their file

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
        """The simultaneous ranks that each model may have by the score that decides."""
        decisive = get_metric(self.primary)
        if not decisive.needs_only_counts:
            raise ArgumentError(
                "ranks need a score of hard labels, but {metric} decides here",
                argument="primary",
                remedy="compare with another {primary}",
                values={"metric": str(decisive)},
            )
        if self.settings["reference"] is not None:  # not all pairs are known
            return rank_sets(self.counts, decisive, **self._resampling)
        found = {pair: by_metric[self.primary] for pair, by_metric in self.differences.items()}
        return ranks_of(self.counts, decisive, found, self.settings)

    @property
    def _resampling(self) -> dict[str, Any]:
        level, size, seed = (self.settings[key] for key in ("confidence_level", "n_resamples", "rng"))
        return {"confidence_level": level, "n_resamples": size, "rng": seed if isinstance(seed, int) else 0}

    @property
    def verdict(self) -> str:
        """What may be said of the models by the score that decides: a sentence for two; for more, what their ranks show."""
        return words.verdict(self)

    @property
    def pair_verdicts(self) -> dict[tuple[str, str], str]:
        """For each pair, what may be said of the two; with several pairs the intervals are adjusted for all of them."""
        return {pair: words.pair_verdict(self, pair) for pair in self.differences}

    @lazy
    def against(self) -> dict[tuple[str, str], list[str]]:
        """For each pair, at most three sentences on what speaks against the verdict: classes, groups, other scores."""
        return {pair: words.against(self, pair) for pair in self.differences}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the models as in `Evaluation.to_dict`, and every paired difference."""
        return {
            "schema": 1,
            "primary": self.primary,
            "verdict": self.verdict,
            "models": {model: result.to_dict() for model, result in self.evaluations.items()},
            "differences": self._differences_data(),
            "settings": self.settings,
            "signature": self.signature,
            **(
                {"groups": {str(value): group._differences_data() for value, group in self.groups.items()}} if self.groups else {}
            ),
        }

    def _differences_data(self) -> list[dict[str, Any]]:
        return [
            {"first": a, "second": b, "scores": {text: _difference_dict(d) for text, d in found.items()}}
            for (a, b), found in self.differences.items()
        ]

    @property
    def unit(self) -> Unit | None:
        """What was resampled, by name, and how many there are: rows, or clusters; None where the rows behind weights are not known."""
        return unit_of(self.counts)

    @property
    def signature(self) -> str:
        """What makes the numbers reproducible, in one line."""
        return replace(next(iter(self.evaluations.values())), counts=self.counts, settings=self.settings).signature

    @property
    def notes(self) -> list[str]:
        """What must be said beside the verdict: scores for which a blank counts by a rule, groups without a comparison."""
        blanks = [note for result in self.evaluations.values() for note in result.notes]
        empty = empty_groups(self.counts, self.groups) if self.groups else {}
        groups = [f"{axis} {value}: {reason}" for axis, found in empty.items() for value, reason in found.items()]
        return list(dict.fromkeys([*blanks, *groups]))

    def _rows(self) -> list[dict[str, Any]]:
        own = self._own_rows()
        if not self.groups:
            return own
        rows = [{"group": "", **row} for row in own]
        return rows + [{"group": value, **row} for value, part in self.groups.items() for row in part._own_rows()]

    def _own_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "a": a,
                "b": b,
                "metric": text,
                "difference": d.value,
                "low": d.low,
                "high": d.high,
                "band_low": d.band[0],
                "band_high": d.band[1],
                "p_value": d.p_value,
                "equivalent": d.equivalent,
                "not_inferior": d.not_inferior,
                "reason": d.reason,
            }
            for (a, b), found in self.differences.items()
            for text, d in found.items()
        ]

    def _blocks(self) -> list[Block]:
        from ordeval.evaluation._tables import comparison_table

        return [Paragraph(self.verdict), comparison_table(self), *comparison_groups(self)]

    def __str__(self) -> str:
        from ordeval.evaluation._text import comparison

        return "\n".join(comparison(self, self.source))

    @documented(
        "The scores of every model by ``model/key``, with the ends of their intervals.",
        prefix="What every name begins with, such as the name of a run.",
        separator="What separates the parts of a name.",
    )
    def flat(self, prefix: str = "", separator: str = "/") -> dict[str, float]:
        """The scores as a flat mapping, for tools that log numbers by name."""
        start = f"{prefix}{separator}" if prefix else ""
        names = safe_names(self.evaluations)
        parts = [result.flat(start + names[model], separator) for model, result in self.evaluations.items()]
        return {name: value for part in parts for name, value in part.items()}

    @documented(
        "The page, for `ordeval.show.write`.", sources="Facts about the files, by name.", study="The text of the study file."
    )
    def page(self, sources: Mapping[str, str] | None = None, study: str | None = None) -> Page:
        """The report as blocks, before it is written in a format."""
        from ordeval.evaluation._report import comparison_page

        return comparison_page(self, sources, study)

    def to_html(self) -> str:
        """A self-contained page: scores, differences, errors, audit, methods."""
        from ordeval.show._html import page_as_html

        return page_as_html(self.page())

    @documented("Nothing; either the whole file is written, or an error says why not.")
    def report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Write a report as HTML, Markdown or LaTeX, by the ending of the file name; the file is written whole or not at all."""
        write_page(self.page(), path, force=force)


def _difference_dict(difference: Difference) -> dict[str, Any]:
    data: dict[str, Any] = {
        "value": finite_or_none(difference.value),
        "low": finite_or_none(difference.low),
        "high": finite_or_none(difference.high),
        "p_value": finite_or_none(difference.p_value),
        "band": [finite_or_none(end) for end in difference.band],
    }
    if difference.p_is_bound:
        data["p_is_bound"] = True
    if difference.reason:
        data["reason"] = difference.reason
    if difference.equivalent is not None:
        data |= {"equivalent": difference.equivalent, "not_inferior": difference.not_inferior}
    return data


@renamed_keywords
@documented(
    "The models' evaluations, their paired differences, the verdict, and the same for each group.",
    y_pred='The predictions of each model: ``{"a": column, "b": column}``.',
    proba='The probabilities of each model: ``{"a": columns, "b": columns}``. Without ``y_pred`` the most probable classes are the predictions.',
    primary="The metric that decides; None means ``cem``, or the first of ``metrics`` if ``cem`` is not among them.",
    reference="The model that all others are compared with; None compares all pairs.",
    margin="Also test whether the models are equivalent: no further apart than this by the score that decides.",
)
def compare(
    y_true: Truth,
    y_pred: Mapping[str, Column] | None = None,
    *,
    proba: Mapping[str, Matrix] | None = None,
    labels: Labels = None,
    sample_weight: Weights = None,
    by: Column | Mapping[str, Column] | None = None,
    cluster: Column | Mapping[str, Column] | None = None,
    missing: Missing = "error",
    metrics: Literal["all"] | MetricLike | Sequence[MetricLike] | None = None,
    primary: MetricLike | None = None,
    reference: str | None = None,
    margin: float | None = None,
    method: Method = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | None = None,
    rng: Rng = 0,
) -> Comparison:
    """Several models on the same rows: paired differences with intervals and p-values, and a verdict in a sentence.

    One score decides; the others get simultaneous confidence intervals (they hold all at once).  With ``by`` every group is compared
    too.

    >>> truth = [1, 2, 3, 4] * 50
    >>> better, worse = [1, 2, 3, 3] * 50, [1, 3, 3, 2, 1, 2, 4, 4] * 25
    >>> print(compare(truth, {"worse": worse, "better": better}, metrics=["mae"]).verdict)
    better is better than worse: MAE 0.250 against 0.500, paired difference −0.250 (95 % interval −0.342 to −0.158, p ≤ 0.0002).
    """
    given = {"y_pred": y_pred, "labels": labels, "sample_weight": sample_weight, "by": by, "cluster": cluster}
    if proba is not None and not isinstance(proba, Mapping):
        raise ArgumentTypeError(
            "a comparison needs the probabilities of two models or more: {proba:{call}}",
            argument="proba",
            values={"call": "{'a': columns, 'b': columns}"},
        )
    forecasts = forecasts_of("compare", y_true, proba, given, missing)
    counts, behind = counted("compare", y_true, given, missing)
    if len(counts.models) < 2:
        raise ArgumentError(
            "a comparison needs two models: give {y_pred:{call}}, or {model_column} if there is a row for each answer",
            argument="y_pred",
            values={"call": "{'a': column, 'b': column}"},
        )
    if forecasts is not None and set(forecasts.models) != set(counts.models):
        raise ArgumentError(
            "{proba} names the models {these}, but {y_pred} names {those}",
            argument="proba",
            remedy="each model needs both, or leave {y_pred} out",
            values={"these": ", ".join(forecasts.models), "those": ", ".join(counts.models)},
        )
    if not counts.total:
        raise ValueError("no row was answered by all models; there is nothing to compare")
    ordered = _ordered(metrics, primary, counts, forecasts is not None)
    if margin is not None and not margin > 0:
        raise ArgumentError(
            "{margin:{given}}: the margin of equivalence is a number above 0", argument="margin", values={"given": repr(margin)}
        )
    check_request(method, confidence_level, n_resamples, ordered, counts.cluster is not None)
    if reference is not None and reference not in counts.models:
        raise ArgumentError(
            "{reference:{given}} is not one of the models",
            argument="reference",
            remedy=near(reference, counts.models) or "the models are {models}",
            values={"given": repr(reference), "models": ", ".join(counts.models)},
        )
    settings = {
        "confidence_level": confidence_level,
        "method": method,
        "n_resamples": samples(method, n_resamples, counts.scale.K),
        "reference": reference,
        "margin": margin,
        "rng": rng if isinstance(rng, int) else "given",
    }
    every = forecasts.models if forecasts else dict.fromkeys(counts.models)
    whole = _compared(counts, behind, every, ordered, settings, rng)
    axes = group_axes(counts)
    for axis in axes:
        column = by[axis] if isinstance(by, Mapping) else by
        rows_of = behind.groups(axis)
        for value, part in counts.groups(axis).items():
            if not part.total:  # `Comparison.notes` says so
                continue
            rows: dict[str, Forecast | None] = dict.fromkeys(counts.models)
            if forecasts is not None:
                rows |= {model: one.rows(forecasts.members(column, value)) for model, one in forecasts.models.items()}
            name = group_name(axis, value, axes)
            whole.groups[name] = _compared(part, rows_of[value], rows, ordered, settings, rng, group=True)
            for model, result in whole.evaluations.items():
                result.groups[name] = whole.groups[name].evaluations[model]
    return whole


def _ordered(metrics: Any, primary: MetricLike | None, counts: Counts, probabilities: bool) -> list[Metric]:
    """The metrics asked for, the one that decides first."""
    found = chosen_metrics(metrics, counts, probabilities=probabilities)
    decisive = get_metric(primary) if primary is not None else decides(found)
    if not isinstance(decisive.direction, str):
        raise ArgumentError(
            "{metric} has a target, not a direction, so it cannot decide",
            argument="primary",
            remedy="name another {primary}",
            values={"metric": str(decisive)},
        )
    return list(dict.fromkeys([decisive, *found]))


def _compared(
    counts: Counts,
    behind: Counts,
    rows: Mapping[str, Forecast | None],
    metrics: Sequence[Metric],
    settings: dict[str, Any],
    rng: Rng,
    *,
    group: bool = False,
) -> Comparison:
    evaluations = {
        model: evaluate_counts(counts[model], metrics, settings, rng, rows[model], behind[model], group=group)
        for model in counts.models
    }
    reference = settings["reference"]
    pairs = list(combinations(counts.models, 2))
    if reference is not None:
        pairs = [(reference, model) for model in counts.models if model != reference]
    forecasts = {model: one for model, one in rows.items() if one is not None}
    same = {key: settings[key] for key in ("margin", "confidence_level")}
    same["n_resamples"] = settings["n_resamples"] if settings["method"] == "auto" else None
    found = differences(behind, pairs, metrics, forecasts=forecasts or None, rng=rng, **same)
    return Comparison(counts, str(metrics[0]), evaluations, found, settings)
