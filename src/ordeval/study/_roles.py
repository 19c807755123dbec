"""What the columns of a file are, from what stands in them: truth, answers, probabilities, slices, rows that belong together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ordeval.base.docs import documented

Places = npt.NDArray[np.int64]

TRUTHS = (
    *("true", "y_true", "truth", "ground_truth", "gold", "gold_label", "reference", "consensus", "adjudicated"),
    *("label", "target", "grade", "actual", "expected"),
)
CLEAR = frozenset(
    ["true", "truth", "gold", "reference", "referenz", "référence", "consensus", "adjudicated"]
)  #: as a part of a name, too
WHO = frozenset(
    ["model", "system", "run", "method", "classifier", "algorithm", "judge", "annotator", "rater", "reader", "team", "llm"]
)  #: as a part of a name: who answered
MOST_CLASSES, MOST_SLICES, MOST_MODELS = 30, 20, 200  # different values
NEARLY_ALL_ANSWERS = 0.9  # of all ids and all models, where a row is one answer
NEAR, NEARLY_ALL = 0.02, 0.95  # probabilities add up to 1 so nearly, in so many rows


@dataclass(frozen=True)
class Values:
    """A column: its different values as text, in order of appearance, and which of them stands in each row (-1: none)."""

    texts: tuple[str, ...]
    places: Places

    @property
    def words(self) -> frozenset[str]:
        return frozenset(text.strip() for text in self.texts) - {""}

    def numbers(self) -> npt.NDArray[np.float64] | None:
        """The values as numbers, nan where nothing is there; None where one is no number."""
        try:
            values = np.array([float(text) for text in self.texts] + [np.nan])
        except ValueError:
            return None
        found: npt.NDArray[np.float64] = values[self.places]
        return found


@dataclass(frozen=True)
class Roles:
    """What each column is taken for; people may say otherwise."""

    true: str = ""  #: empty where no two columns share their values
    preds: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()  #: columns that hold classes which the truth lacks: answers perhaps
    proba: tuple[str, ...] = ()  #: in the order of the classes as they appear
    slices: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()  #: offered, never chosen
    ids: tuple[str, ...] = ()  #: as many values as rows: never offered
    unsure: bool = False  #: truth and answer could be exchanged


@documented("What each column is taken for.", columns="The columns of a file by name.")
def guess_roles(columns: Mapping[str, Values]) -> Roles:
    """The roles that the values themselves suggest; names only decide between columns that could be the truth."""
    names = list(columns)
    rows = max((len(column.places) for column in columns.values()), default=0)
    size = {name: len(columns[name].words) for name in names}
    ids = tuple(name for name in names if rows > 1 and size[name] == rows)
    graded = [name for name in names if 2 <= size[name] <= MOST_CLASSES and size[name] < max(rows, 3)]
    inside = {
        name: [other for other in graded if other != name and columns[other].words <= columns[name].words] for name in graded
    }
    lower = {name.lower(): name for name in names}
    hinted = [lower[word] for word in TRUTHS if word in lower and lower[word] in graded]
    hinted += [name for name in graded if name not in hinted and CLEAR & set(re.split(r"[\W_]+", name.lower()))]
    rest = tuple(name for name in names if name not in ids)
    candidates = [name for name in graded if inside[name]]
    if hinted and hinted[0] not in candidates:  # its answers may hold a class that it lacks
        near = [name for name in graded if name != hinted[0] and _half(columns[name], columns[hinted[0]])]
        candidates += [hinted[0]] if near else []
    if not candidates:
        return Roles(slices=_slices(columns, rest), clusters=_clusters(columns, rest), ids=ids)
    true = max(candidates, key=lambda name: (name in hinted, len(inside[name]), -names.index(name)))
    preds = tuple(inside[true])
    proba = _probabilities(columns, true, [name for name in names if name not in (true, *preds)])
    taken = {true, *preds, *proba}
    offered = tuple(name for name in graded if name not in taken and _half(columns[name], columns[true]))
    left = [name for name in rest if name not in taken and name not in offered]
    unsure = true not in hinted and bool(preds)  # a word that one column alone has may be a class, or mean no answer
    return Roles(true, preds, offered, proba, _slices(columns, left), _clusters(columns, left), ids, unsure)


def one_row_per_answer(columns: Mapping[str, Values], true: str, pred: str) -> tuple[str, str] | None:
    """Who answered what, where a file has a row for each answer: an id occurs once for each model, always with the same truth."""
    free = {name: column for name, column in columns.items() if name not in (true, pred) and (column.places >= 0).all()}
    truth, found = columns[true], []
    for who, model in free.items():
        for id_, ids in free.items():
            models, items, rows = len(model.texts), len(ids.texts), len(ids.places)
            if who == id_ or not 2 <= models <= MOST_MODELS or not models < items < rows:
                continue
            once = len(np.unique(model.places * items + ids.places)) == rows >= NEARLY_ALL_ANSWERS * models * items
            if once and len(np.unique(ids.places * (len(truth.texts) + 1) + truth.places)) == items:
                found.append((not says_who(who), models, who, id_))
    return min(found)[2:] if found else None


def says_who(name: str) -> bool:
    """Whether a column is called as one that says who answered."""
    return bool(WHO & set(re.split(r"[\W_]+", name.lower())))


def _half(column: Values, truth: Values) -> bool:
    """Whether at least half of the values are the truth's."""
    return 2 * len(column.words & truth.words) >= len(column.words)


def _probabilities(columns: Mapping[str, Values], true: str, names: Sequence[str]) -> tuple[str, ...]:
    """As many columns of numbers as classes, named after them, that add up to 1."""
    found = []
    for word in (text.strip() for text in columns[true].texts if text.strip()):
        named = [
            name
            for name in names
            if name.lower() == word.lower() or name.lower().endswith(("_" + word.lower(), " " + word.lower()))
        ]
        numbers = [name for name in named if columns[name].numbers() is not None]
        if len(numbers) != 1:
            return ()
        found.append(numbers[0])
    sums = np.sum([held for name in found if (held := columns[name].numbers()) is not None], axis=0)
    return tuple(found) if np.mean(np.abs(sums - 1) <= NEAR) >= NEARLY_ALL else ()


def _slices(columns: Mapping[str, Values], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if 2 <= len(columns[name].words) <= MOST_SLICES)


def _clusters(columns: Mapping[str, Values], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if len(columns[name].words) > MOST_SLICES)
