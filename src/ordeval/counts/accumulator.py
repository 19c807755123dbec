"""Accumulator: rows that come in batches, from a stream or in shards, added up to the same Counts as all at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from threading import RLock
from typing import Any, Self

from ordeval.base import types as t
from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentTypeError
from ordeval.base.types import Missing, Weights
from ordeval.counts.counting import count_batch
from ordeval.counts.table import Counts
from ordeval.order.scale import Labels, Scale, as_scale

WAITING = 64  # batches that wait to be added up together


class Accumulator:
    """Counts that grow: update them with batches, merge them with others, save them and go on later; threads may share one.

    Parameters
    ----------
    labels : Labels
        The classes, lowest first, or a `Scale`: those of a stream are fixed before its first row.
    missing : {'error', 'drop', 'unanswered', 'wrong'} or {'as': LABEL}, default 'error'
        What to do with rows without a prediction, as in `count`.

    Examples
    --------
    >>> total = Accumulator(labels=["lo", "hi"])
    >>> total.update(["lo", "hi"], ["lo", "lo"])
    >>> total.update(["hi"], ["hi"])
    >>> total.counts.matrix
    array([[1, 0],
           [1, 1]])
    """

    scale: Scale
    missing: Missing

    def __init__(self, labels: Labels, *, missing: Missing = "error") -> None:
        if labels is None:
            raise ArgumentTypeError(
                "an Accumulator needs {labels:[...]}: the classes of a stream are fixed before its first row", argument="labels"
            )
        self.scale = as_scale(labels)
        self.missing = missing
        self._batches: list[Counts] = []
        self._lock = RLock()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=RLock())

    @documented(
        "Nothing; the batch is in `counts` now.",
        y_true="The true classes of the batch, one entry for each row.",
        y_pred="The predicted classes of the same rows; ``{name: column}`` for several models, the same ones in every batch.",
    )
    def update(
        self,
        y_true: t.Column,
        y_pred: t.Column | Mapping[str, t.Column],
        *,
        sample_weight: Weights = None,
        by: t.Groups = None,
        cluster: t.Groups = None,
    ) -> None:
        """Add a batch; one that is refused leaves the total as it was, an empty one adds nothing."""
        batch = count_batch(y_true, y_pred, self.scale, sample_weight, by, cluster, self.missing)
        if batch.audit.read:
            with self._lock:
                self._add(batch)

    @documented("Nothing; what was added is in `counts` now.", other="Another accumulator, which stays as it is, or counts.")
    def merge(self, other: Accumulator | Counts) -> None:
        """Add the counts of another accumulator, or counts on the same scale."""
        if isinstance(other, Accumulator):
            with other._lock:  # never both locks at once, so two that merge each other cannot wait for ever
                batches = list(other._batches)
        else:
            batches = [other]
        for batch in batches:
            if batch.scale != self.scale:
                raise ValueError(f"counts on different scales cannot be added ({self.scale}; {batch.scale})")
        with self._lock:
            for batch in batches:
                self._add(batch)

    def _add(self, batch: Counts) -> None:
        if self._batches:
            self._batches[0].check_addable(batch)
        self._batches.append(batch)
        if len(self._batches) > WAITING:
            self._batches = [self.counts]

    @property
    def counts(self) -> Counts:
        """Everything added so far."""
        with self._lock:
            if not self._batches:
                raise ValueError("nothing has been counted yet; call update(y_true, y_pred) first")
            self._batches = [Counts.sum(self._batches)]
            return self._batches[0]

    @documented("Nothing.", path="The file for the counts, as JSON.")
    def save(self, path: str | os.PathLike[str], *, force: bool = True) -> None:
        """Write the counts as JSON, whole or not at all; by default an earlier state is replaced."""
        self.counts.save(path, force=force)

    @classmethod
    @documented(
        "The accumulator, with all that was counted.",
        path="A file that `save` wrote.",
        missing='As in `count`; None means "wrong" where the file says so, else "error".',
    )
    def load(cls, path: str | os.PathLike[str], *, missing: Missing | None = None) -> Self:
        """Go on where `save` left off."""
        counts = Counts.load(path)
        found = cls(counts.scale, missing=missing or ("wrong" if counts.blanks else "error"))
        found._batches = [counts]
        return found
