"""Ratings as the formats of judge logs give them, and the way from there to a `JudgeLog`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.errors import ArgumentError
from ordeval.counts import Audit
from ordeval.order.columns import short
from ordeval.order.scale import Labels, Scale, WrittenLabels, as_answers, as_scale
from ordeval.order.values import CANONICAL, as_text_column
from ordeval.read.judge_log import UNANSWERED, JudgeLog
from ordeval.show._plain import count_text, shorten

TWICE = "the same rating given twice"


@dataclass
class RawRatings:
    """Ratings one by one, before their grades are classes."""

    source: str
    items: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    raters: list[str] = field(default_factory=list)
    repeats: list[Any] = field(default_factory=list)  #: numbers or text, in whose order the repeats are
    grades: list[Any] = field(default_factory=list)  #: as the log has them
    answers: list[str] = field(default_factory=list)  #: what was written, as text
    people: dict[str, None] = field(default_factory=dict)  #: the raters who are people, in order
    given_often: set[str] = field(default_factory=set)  #: people whose grade a log repeats with every rating of the item
    excluded: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    epochs: str = ""

    def add(self, item: Any, trace: Any, rater: str, repeat: Any, grade: Any, answer: Any = None) -> None:
        """One rating."""
        self.items.append(str(item))
        self.traces.append(str(trace))
        self.raters.append(rater)
        self.repeats.append(repeat)
        self.grades.append(grade)
        self.answers.append(written(grade) or "" if answer is None else str(answer))

    def add_person(self, item: Any, trace: Any, person: str, grade: Any) -> None:
        """A person's grade; nothing is added where there is none."""
        if written(grade) is not None:
            self.people.setdefault(person)
            self.add(item, trace, person, 1, grade)

    def leave_out(self, reason: str, number: int = 1) -> None:
        """Count ratings that are left out."""
        if number:
            self.excluded[reason] = self.excluded.get(reason, 0) + number

    def join(self, other: RawRatings) -> None:
        """Add the ratings of another file."""
        for name in ("items", "traces", "raters", "repeats", "grades", "answers"):
            getattr(self, name).extend(getattr(other, name))
        self.people |= other.people
        self.given_often |= other.given_often
        self.notes += [note for note in other.notes if note not in self.notes]
        for reason, number in other.excluded.items():
            self.leave_out(reason, number)
        self.epochs = self.epochs or other.epochs

    def parse(self, pattern: str, judges: Iterable[str]) -> None:
        """Take the last match in what each judge wrote for its grade; where matches differ, a note says so."""
        expression, chosen, unlike = compiled(pattern), set(judges), dict[str, list[str]]()
        for i, (rater, answer) in enumerate(zip(self.raters, self.answers, strict=True)):
            if rater in chosen:
                found = matches(expression, answer)
                self.grades[i] = found[-1] if found else None
                if len(set(found)) > 1:
                    unlike.setdefault(rater, []).append(f"{shorten(answer, 30)!r} is read as {found[-1]}")
        for rater, examples in unlike.items():
            many = count_text(len(examples), "answer")
            self.notes.append(f"{rater}: the pattern finds different grades in {many}, and the last counts: {examples[0]}")


def written(value: Any) -> str | None:
    """A grade as text: 4.0 is 4, text is stripped; None where nothing was given."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() or None


def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, or what is wrong with it."""
    try:
        return re.compile(pattern)
    except re.error as error:
        values = {"given": repr(pattern), "error": str(error)}
        raise ArgumentError("{parse:{given}} is not a regular expression: {error}", argument="parse", values=values) from None


def last_match(pattern: re.Pattern[str], text: str) -> str | None:
    """The last match; None where nothing matches."""
    found = matches(pattern, text)
    return found[-1] if found else None


def matches(pattern: re.Pattern[str], text: str) -> list[str]:
    """All matches in a text; of a pattern with groups, the first group of each."""
    return [match if isinstance(match, str) else str(match[0]) for match in pattern.findall(text)]


def as_judge_log(raw: RawRatings, labels: Labels) -> JudgeLog:
    """The ratings with grades as classes, each rating once."""
    if not raw.items:
        told = "".join(f"; {number:,} left out: {reason}" for reason, number in raw.excluded.items())
        raise ValueError(f"{raw.source} holds no ratings{told}")
    people = tuple(raw.people)
    judges = tuple(name for name in dict.fromkeys(raw.raters) if name not in raw.people)
    if not judges:
        raise ValueError(f"{raw.source} holds grades by people only ({', '.join(people)}); name the judge")
    raters = {name: i for i, name in enumerate(judges + people)}
    items = {name: i for i, name in enumerate(dict.fromkeys(raw.items))}
    texts = [written(grade) for grade in raw.grades]
    item, rater = np.array([items[name] for name in raw.items]), np.array([raters[name] for name in raw.raters])
    scale = _scale(labels, texts, rater >= len(judges))
    column, _ = as_answers(as_text_column(texts, "grade"), scale)
    assert column.codes is not None
    code = np.where(column.codes < 0, UNANSWERED, column.codes)
    _refuse_strange_people(raw, texts, code, rater >= len(judges), scale)
    kept = _once(raw, item, rater, code, texts)
    often = [raters[name] for name in raw.given_often if name in raters]
    again = int(np.isin(np.delete(rater, kept), often, invert=True).sum())
    if again:
        raw.leave_out(TWICE, again)
    unparsable: dict[str, dict[str, int]] = {}
    for row in kept[code[kept] < 0].tolist():
        said = raw.answers[row] or texts[row]
        if said:
            answers = unparsable.setdefault(raw.raters[row], {})
            answers[said] = answers.get(said, 0) + 1
    answered = int((code[kept] >= 0).sum())
    total = kept.size + sum(raw.excluded.values())
    audit = Audit(total, answered, int(kept.size - answered), dict(raw.excluded), notes=tuple(raw.notes))
    return JudgeLog(
        scale,
        tuple(items),
        judges,
        people,
        audit,
        unparsable,
        raw.source,
        raw.epochs,
        item[kept],
        rater[kept],
        _numbered(raw.repeats, item, rater, kept),
        code[kept],
        tuple(raw.traces[row] for row in kept.tolist()),
        tuple(raw.answers[row] for row in kept.tolist()),
    )


def _scale(labels: Labels, texts: Sequence[str | None], by_person: Array) -> Scale:
    """The classes: as given, or the whole numbers that people (without people: the judges) gave."""
    if isinstance(labels, WrittenLabels):
        return Scale([int(text) for text in labels] if all(CANONICAL.fullmatch(text) for text in labels) else list(labels))
    if labels is not None:
        return as_scale(labels)
    asked = by_person if by_person.any() else ~by_person
    given = dict.fromkeys(text for text, here in zip(texts, asked.tolist(), strict=True) if here and text is not None)
    strange = [text for text in given if not CANONICAL.fullmatch(text)]
    if strange or not given:
        problem = (
            "the grade {grade} is not a whole number, so the order of the classes is not known"
            if strange
            else "there is no grade"
        )
        values = {"grade": repr(strange[0]) if strange else ""}
        raise ArgumentError(problem, argument="labels", remedy="give all classes, lowest first: {labels:[...]}", values=values)
    return Scale.infer(np.array([int(text) for text in given]), names=["the grades"])


def _refuse_strange_people(raw: RawRatings, texts: Sequence[str | None], code: Array, by_person: Array, scale: Scale) -> None:
    """A person's grade must be a class: a truth that cannot be read is no answer that is missing."""
    wrong = np.flatnonzero(by_person & (code < 0))
    if wrong.size:
        row = int(wrong[0])
        values = {
            "person": repr(raw.raters[row]),
            "item": short(raw.items[row]),
            "grade": repr(texts[row]),
            "more": f" ({count_text(wrong.size, 'such grade')})" if wrong.size > 1 else "",
            "scale": str(scale),
        }
        raise ArgumentError(
            "{person} gave item {item} the grade {grade}, which is none of the classes {scale}{more}",
            argument="labels",
            remedy="give all classes, lowest first: {labels:[...]}",
            values=values,
        )


def _once(raw: RawRatings, item: Array, rater: Array, code: Array, texts: Sequence[str | None]) -> Array:
    """The rows that stay: of equal ratings of one item, rater and repeat the first; different ones are refused."""
    place = {value: i for i, value in enumerate(dict.fromkeys(raw.repeats))}
    repeat = np.array([place[value] for value in raw.repeats])
    key = (item * (int(rater.max()) + 1) + rater) * len(place) + repeat
    _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[inverse] != np.arange(key.size))
    earlier = first[inverse[again]]
    differ = code[again] != code[earlier]
    silent = np.flatnonzero(~differ & (code[again] < 0))
    differ[silent] = [texts[again[i]] != texts[earlier[i]] for i in silent.tolist()]
    if differ.any():
        one, other = int(earlier[differ][0]), int(again[differ][0])
        many = int(differ.sum())
        more = f" ({many:,} such pairs in all)" if many > 1 else ""
        raise ValueError(
            f"item {short(raw.items[one])} has different grades by rater {short(raw.raters[one])}: {short(texts[one])} in trace "
            f"{short(raw.traces[one])} and {short(texts[other])} in trace {short(raw.traces[other])}{more}; keep one of them, or say "
            "which column numbers the repeats"
        )
    found: Array = np.sort(first)
    return found


def _numbered(repeats: Sequence[Any], item: Array, rater: Array, kept: Array) -> Array:
    """For each rating that stays, its number among the ratings of its item by its rater, from 0 on."""
    values = dict.fromkeys(value for value in repeats if value is not None)  # people who grade once often have no number
    whole = all(isinstance(value, int) or CANONICAL.fullmatch(str(value)) for value in values)
    order = {None: -1, **{value: i for i, value in enumerate(sorted(values, key=int if whole else str))}}
    repeat = np.array([order[repeats[row]] for row in kept.tolist()])
    thing = item[kept] * (int(rater.max()) + 1) + rater[kept]
    sorted_rows = np.lexsort((repeat, thing))
    starts = np.flatnonzero(np.diff(thing[sorted_rows], prepend=-1))
    number = np.arange(kept.size) - np.repeat(starts, np.diff([*starts, kept.size]))
    found = np.empty(kept.size, int)
    found[sorted_rows] = number
    return found
