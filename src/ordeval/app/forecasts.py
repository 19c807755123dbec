"""The probabilities of a file: how good they are, what they mean, and which answers to make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import ordeval as oe
from ordeval.app.links import Link, Part, one_of
from ordeval.study import Values

TARGETS = ("cem", "mae", "accuracy", "costs")  # what the answers are to be good for


@dataclass(frozen=True)
class Aim:
    """What the visitor asks of the probabilities."""

    target: str = "cem"


LINK = Link(Aim(), Aim, {"target": Part("target", one_of(TARGETS))})


@dataclass(frozen=True)
class Forecasts:
    """Rows with a truth and probabilities, in the order of the classes."""

    labels: tuple[str, ...]
    truth: Any  #: (rows,) labels
    proba: Any  #: (rows, K), adding up to 1
    columns: tuple[str, ...]  #: of the probabilities, in that order
    left_out: int  #: rows without a truth, or whose probabilities do not add up to 1 even nearly

    def half(self, second: bool) -> tuple[Any, Any]:
        """Every other row: one half to fit on, the other to show."""
        return self.truth[int(second) :: 2], self.proba[int(second) :: 2]


def read_forecasts(
    values: Mapping[str, Values], true: str, proba: tuple[str, ...], order: tuple[str, ...], near: float = 0.02
) -> Forecasts:
    """The rows whose truth is known and whose probabilities add up to 1 but for their rounding, which is mended."""
    texts = values[true].texts
    named = dict(zip((text.strip() for text in texts if text.strip()), proba, strict=True))
    columns = np.stack([np.asarray(values[named[label]].numbers(), float) for label in order], axis=1)
    sums = columns.sum(1)
    places = values[true].places
    fine = (places >= 0) & (np.abs(sums - 1) <= near) & (columns >= 0).all(1)
    truth = np.array([*texts, ""], dtype=object)[places][fine]
    return Forecasts(order, truth, columns[fine] / sums[fine, None], tuple(named[label] for label in order), int((~fine).sum()))


@dataclass(frozen=True)
class Decided:
    """Answers made of the probabilities on rows that the rule has not seen."""

    rule: str
    likeliest: oe.Counts
    fitted: oe.Counts


def decide_for(rows: Forecasts, target: str, costs: Any) -> Decided:
    """A rule fitted on one half of the rows, and what it answers on the other; beside it the likeliest class."""
    labels = list(rows.labels)
    (truth, proba), (held, unseen) = rows.half(False), rows.half(True)
    aim = np.array(costs) if target == "costs" else target
    rule = oe.decide.fit(truth.tolist(), proba, aim, labels=labels)
    answers = [str(label) for label in rule.apply(unseen)]
    likeliest = [labels[i] for i in unseen.argmax(1).tolist()]
    pairs = (oe.count(held.tolist(), given, labels=labels) for given in (likeliest, answers))
    return Decided(str(rule), *pairs)
