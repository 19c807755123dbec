"""Parameters of metrics: what the record says of each, and the check that follows from its type, its words and its range."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ordeval.base.docs import words_of
from ordeval.base.errors import ArgumentError, near

#: The keywords that every metric function has.
COMMON = ("y_true", "y_pred", "proba", "sets", "labels", "sample_weight")


@dataclass(frozen=True)
class Parameter:
    """One of a metric's own keywords.

    The author says what it means and, for numbers, the ``range``: ``"(0, inf)"``, ``"[0, 1]"``; a bracket includes its end.  Name,
    default, type and the words to choose from are read from the function's signature.
    """

    help: str
    range: str = ""
    name: str = ""
    default: Any = None
    annotation: str = ""
    choices: tuple[Any, ...] = ()

    def check(self, value: Any) -> None:
        """Refuse a value that is none of the words, or outside the range."""
        if value is None and (self.default is None or "None" in self.annotation):
            return
        if self.annotation == "bool":
            if not isinstance(value, bool):
                raise self._error(value, ": it must be True or False")
        elif isinstance(value, str) and (self.choices or self.range or self.annotation in ("int", "float")):
            self._check_word(value)
        elif self.range and not self._within(value):
            raise self._error(value, f": it must be {self.number_words}{self._or_none}")
        elif self.choices and not self.range and self._only_words and value not in self.choices:
            self._check_word(value)

    @property
    def _only_words(self) -> bool:
        return not any(other in self.annotation for other in ("Matrix", "Column", "float", "int", "Sequence", "Mapping"))

    def _check_word(self, value: Any) -> None:
        if value in self.choices:
            return
        if not self.choices:
            raise self._error(value, f": it must be {self.number_words}{self._or_none}")
        hint = near(str(value), map(repr, self.choices)) if isinstance(value, str) else ""
        others = f", or {self.number_words}" if self.range else ", or a matrix" if "Matrix" in self.annotation else self._or_none
        listed = ", ".join(map(repr, (word for word in self.choices if word is not None)))
        raise self._error(
            value, " is unknown", f"{hint} Choose one of {listed}{others}".strip() if hint else f"choose one of {listed}{others}"
        )

    def _within(self, value: Any) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or math.isnan(value):
            return False
        if self._whole and not float(value).is_integer():
            return False
        low, high = self._ends
        above = value >= low if self.range[0] == "[" else value > low
        return above and (value <= high if self.range[-1] == "]" else value < high)

    @property
    def _ends(self) -> tuple[float, float]:
        low, high = (float(end) for end in self.range[1:-1].split(","))
        return low, high

    @property
    def _whole(self) -> bool:
        return self.annotation.split(" ")[0] == "int"

    @property
    def number_words(self) -> str:
        """The range in words."""
        kind = "a whole number" if self._whole else "a number"
        if not self.range:
            return kind
        (low, high), closed = self._ends, self.range[0] == "["
        if math.isinf(high):
            return f"{kind} of at least {low:g}" if closed else f"{kind} above {low:g}"
        if closed and self.range[-1] == "]":
            return f"{kind} from {low:g} to {high:g}"
        return f"{kind} in {self.range}"

    @property
    def _or_none(self) -> str:
        return ", or None" if self.default is None or "None" in self.annotation else ""

    def _error(self, value: Any, problem: str, remedy: str = "") -> ArgumentError:
        template = f"{{{self.name}:{{given}}}}{problem}"
        return ArgumentError(template, argument=self.name, remedy=remedy, values={"given": repr(value)})


def parameters_of(function: Callable[..., Any], said: Mapping[str, Parameter]) -> dict[str, Parameter]:
    """The function's own keywords, with what its record says of them."""
    own = {p.name: p for p in inspect.signature(function).parameters.values() if p.name not in COMMON}
    if unknown := [name for name in said if name not in own]:
        raise ValueError(f"the record of {function.__name__} has a parameter {unknown[0]!r}, which the function does not have")
    return {
        name: replace(
            said.get(name, Parameter("")),
            name=name,
            default=p.default,
            annotation=p.annotation if isinstance(p.annotation, str) else getattr(p.annotation, "__name__", str(p.annotation)),
            choices=words_of(p.annotation, function) if isinstance(p.annotation, str) else (),
        )
        for name, p in own.items()
    }
