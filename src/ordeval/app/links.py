"""What a page shows, as its address and back: one codec, to which every page gives its keys."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import ordeval as oe

T = TypeVar("T")
SHOWN = 60  # signs of a value that a message repeats
LONGEST = 8000  # signs of a query


@dataclass(frozen=True)
class Part:
    """One key of an address: which part of the state it holds, and how that is read and written."""

    name: str
    read: Callable[[str], Any] = str
    write: Callable[[Any], str] = str


@dataclass(frozen=True)
class Link(Generic[T]):
    """The address of a page.  Parts of the state that are None are left out of it."""

    start: T  #: what the page shows where the address says nothing
    make: Callable[..., T]  #: the state from what the address says, with the names of its parts
    parts: Mapping[str, Part]  #: by the key
    lead: str = ""  #: the key without which an address is none of this page

    def write(self, state: T) -> dict[str, str]:
        """The query that brings this state back."""
        held = state if isinstance(state, Mapping) else vars(state)
        return {key: part.write(held[part.name]) for key, part in self.parts.items() if held[part.name] is not None}

    def is_in(self, query: Mapping[str, str]) -> bool:
        """Whether a query says something about this page."""
        return self.lead in query if self.lead else any(key in query for key in self.parts)

    def read(self, query: Mapping[str, str]) -> T:
        """The state that a query holds; what cannot be read is refused by its key."""
        if self.lead and self.lead not in query:
            return self.start
        given = {}
        for key, part in self.parts.items():
            if key in query:
                try:
                    given[part.name] = part.read(query[key])
                except (ValueError, TypeError) as error:
                    text = query[key] if len(query[key]) <= SHOWN else f"{query[key][:SHOWN]}…"
                    raise ValueError(f"the address says “{text}” for “{key}”; {in_words(error)}") from None
        return self.make(**given)


def in_words(error: Exception) -> str:
    """What is wrong, without the names of Python."""
    text = error.text(lambda argument, value: value or f"“{argument}”") if isinstance(error, oe.ArgumentError) else str(error)
    return re.sub(r"(?<!\w)'([^']*)'(?!\w)", r"“\1”", text)


# Ways to read and to write


def names_from(text: str, *, typed: bool = False) -> tuple[str, ...]:
    """Names between commas, in quotes where a name has a comma; where people typed them, spaces after a comma are none of the name."""
    try:
        return tuple(next(csv.reader([text], skipinitialspace=typed, strict=True), []))
    except csv.Error as error:
        problem = "these names cannot be read ({reason}); write a, b, c"
        raise oe.ArgumentError(problem, argument="labels", values={"reason": error}) from None


def names_text(names: Iterable[str]) -> str:
    """The same names as text that `names_from` reads back."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(names)  # a name with a line end in it gets quotes
    return out.getvalue().removesuffix("\r\n")


def one_of(choices: Iterable[T]) -> Callable[[str], T]:
    """One of a few words or numbers."""
    known = {str(choice): choice for choice in choices}

    def read(text: str) -> T:
        if text not in known:
            raise ValueError(f"choose one of {', '.join(known)}")
        return known[text]

    return read


def number_in(low: float, high: float) -> Callable[[str], float]:
    """A number within bounds."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise ValueError(f"a number from {low:g} to {high:g} is needed")
        return value

    return read
