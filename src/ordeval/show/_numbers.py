"""Numbers and lists for people: true minus signs, "undefined" for nan, counts with their thousands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from ordeval.base.docs import documented
from ordeval.show._plain import printable


@documented("The text.", value="The number.", places="Decimals.")
def number(value: float, places: int = 3) -> str:
    """A number for people: three decimals, a true minus sign, "undefined" for nan."""
    return "undefined" if np.isnan(value) else f"{value:.{places}f}".replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    if np.isnan(share):
        return "undefined"
    if 0.995 <= share < 1:  # not all of them
        return f"{100 * share:.1f} %" if share < 0.9995 else "over 99.9 %"
    return f"{100 * share:.0f} %"


@documented("The text, always with its sign.", value="The difference.")
def signed(value: float) -> str:
    """A difference for people: always with its sign."""
    return "undefined" if np.isnan(value) else f"{value:+.3f}".replace("-", "\N{MINUS SIGN}")


def with_interval(value: float, low: float, high: float, show: Callable[[float], str] = number) -> str:
    """A number and its interval, or what there is of it."""
    if np.isnan(value):
        return "undefined"
    return f"{show(value)} (no interval)" if np.isnan(low) else f"{show(value)} [{show(low)}, {show(high)}]"


def amount(value: float) -> str:
    """A count for people: whole numbers whole, weights with a decimal."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def rows_text(value: float) -> str:
    return f"{amount(value)} row{'' if value == 1 else 's'}"


def listed(parts: Iterable[str]) -> str:
    """a, b and c."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def ends(low: float, high: float) -> str:
    """An interval, or that there is none."""
    return "not given" if math.isnan(low) or math.isnan(high) else f"[{number(low)}, {number(high)}]"


def p_text(p: float, at_most: bool = False) -> str:
    """A p-value for people: never 0; at its floor it is at most that."""
    if at_most and p >= 0.0001:
        return f"≤ {p:.1g}"
    return "< 0.001" if p < 0.001 else f"{p:.2g}" if p < 0.01 else f"{p:.3f}"


def p_words(p: float, at_most: bool = False) -> str:
    """A p-value with its sign: "p = 0.131", "p ≤ 0.0005"."""
    text = p_text(p, at_most)
    return f"p {text}" if text[0] in "≤<" else f"p = {text}"


def several(number_of: int, name: str, otherwise: str) -> str:
    """ "1,304 patients" where the name of a column is a plain word; else, as in "12 clusters (ward_id)", what it is otherwise."""
    if not (name.isascii() and name.isalpha() and name.islower() and not name.endswith("s")):
        return f"{number_of:,} {otherwise} ({printable(name)})"
    if number_of == 1:
        return f"1 {name}"
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{number_of:,} {name[:-1]}ies"
    return f"{number_of:,} {name}{'es' if name.endswith(('x', 'z', 'ch', 'sh')) else 's'}"
