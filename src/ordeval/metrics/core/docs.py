"""What is said of a metric, made from its record: the docstring, the card, plain data.  Every page and table takes its words from here."""

from __future__ import annotations

import inspect
import re
from typing import Any

from ordeval.base.docs import SHARED, insert_sections, parameter_section, section
from ordeval.metrics.core.record import NEEDS, Metric
from ordeval.metrics.core.references import reference
from ordeval.show._blocks import Card
from ordeval.show._html import blocks_as_html
from ordeval.show._plain import WIDTH, wrap

ARROWS = {"higher": "↑", "lower": "↓"}
SIGNS = {"**2": "²", "inf": "∞", "-": "\N{MINUS SIGN}"}


def direction(metric: Metric) -> str:
    """Which way is better, as a sign."""
    if metric.direction_of_record in metric.params:
        return "→"  # a target that the caller sets
    return ARROWS[metric.direction] if isinstance(metric.direction, str) else f"→{metric.direction:g}"


def metric_title(text: str) -> str:
    """What a metric is called: its title, or its text where parameters differ from their defaults."""
    from ordeval.metrics.core.registry import get_metric

    metric = get_metric(text)
    return metric.title if text == metric.name else text


def plain_title(text: str) -> str:
    """The question that a metric answers, short enough for a line; its title, or its text, where the record has no question."""
    from ordeval.metrics.core.registry import get_metric

    metric = get_metric(text)
    return metric.plain if metric.plain and text == metric.name else metric_title(text)


def short_title(text: str) -> str:
    """What a metric is called in a sentence: its acronym, as the record has it in brackets; else its title, or its text."""
    from ordeval.metrics.core.registry import get_metric

    metric = get_metric(text)
    if text != metric.name:
        return text
    acronym = re.search(r"\(([A-Z]{2,})\)$", metric.plain or "")
    return acronym[1] if acronym else metric.title


def better(metric: Metric) -> str:
    """Which way is better, in a word or two."""
    return metric.direction if isinstance(metric.direction, str) else f"closer to {metric.direction:g}"


def direction_sentence(metric: Metric) -> str:
    """Which way is better, and what is best."""
    if not isinstance(metric.direction, str):
        return f"Closer to {metric.direction:g} is better."
    return f"{metric.direction.capitalize()} is better; {_sign(metric.best)} is best."


def best_in_words(metric: Metric, k: int) -> str:
    """Which value is best, for K classes."""
    ends = dict(zip(("lower", "higher"), metric.bounds_for(k), strict=True))
    best = ends[metric.direction] if isinstance(metric.direction, str) else metric.direction
    if metric.direction == "higher" and metric.bounds_for(k) != metric.bounds_for(k + 1):
        return f"{best:.3g} is the most"
    return f"{best:.3g} is best"


def bounds_text(metric: Metric) -> str:
    """The least and the greatest score."""
    low, high = map(_sign, metric.bounds)
    return f"{low} to {high}"


def _sign(bound: Any) -> str:
    text = str(bound)
    for plain, sign in SIGNS.items():
        text = text.replace(plain, sign)
    return text


def paragraph(metric: Metric) -> str:
    """What its author adds to the summary."""
    doc = inspect.cleandoc(metric.function.__doc__ or "").partition("\nParameters\n")[0]
    words = "\n\n".join(part for part in doc.split("\n\n")[1:] if not part.startswith(">>>"))
    return " ".join(words.replace(direction_sentence(metric), "").split())


def facts(metric: Metric) -> list[tuple[str, str]]:
    """Everything a user should know, fact by fact: the same in every place that shows a card."""
    found = [("what it is", metric.summary), ("", paragraph(metric))]
    found += [("formula", metric.formula_text), ("better", better(metric)), ("bounds", bounds_text(metric))]
    found += [("ignores", metric.ignores), *(("misleads when", words) for words in metric.misleads)]
    found += [("undefined", f"when {metric.undefined}" if metric.undefined else "")]
    for name, p in metric.parameters.items():
        words = f" ({', '.join(map(repr, p.choices))})" if p.choices else f" (in {p.range})" if p.range else ""
        found.append(
            ("parameter", f"{name}={metric.params[name]!r}: {p.help}{words}" if p.help else f"{name}={metric.params[name]!r}")
        )
    found += [("needs", ", ".join(sorted(metric.needs))), ("also called", ", ".join(metric.aliases))]
    found += [
        ("used in", metric.used_in),
        ("see also", ", ".join(metric.see)),
        ("keeps", ", ".join(metric.laws)),
        ("breaks", ", ".join(metric.broken)),
    ]
    found += [("paper", reference(metric.cite) if metric.cite else "")]
    return [(name, words.replace("`", "")) for name, words in found if words]


def card(metric: Metric) -> list[str]:
    """The card for a terminal."""
    lines = [f"{metric}   {metric.title}", ""]
    for name, words in facts(metric):
        for line in words.strip().splitlines():  # a formula may have several
            inside = " " * (15 + len(line) - len(line.lstrip()))
            lines += wrap(line, WIDTH, first=f"{name:<{len(inside)}}", then=inside)
            name = ""
    return lines


def card_block(metric: Metric) -> Card:
    """The card as a block, for a report."""
    lines = [
        (name if at == 0 else "", " ".join(line.split()))
        for name, words in facts(metric)
        for at, line in enumerate(filter(str.strip, words.splitlines()))  # a formula may have several
    ]
    return Card(metric.title if str(metric) == metric.name else f"{metric.title}: {metric}", lines)


def card_html(metric: Metric) -> str:
    """The card for a notebook, its formula typeset."""
    return f"$$ {metric.formula} $$" * bool(metric.formula) + blocks_as_html([card_block(metric)])


def as_data(metric: Metric) -> dict[str, Any]:
    """The record as plain data."""
    texts = (
        "name",
        "key",
        "family",
        "title",
        "plain",
        "summary",
        "formula",
        "formula_text",
        "undefined",
        "ignores",
        "structure",
        "depends",
        "cite",
        "used_in",
    )
    return {
        **{name: getattr(metric, name) for name in texts},
        "text": str(metric),
        "direction": metric.direction,
        "bounds": list(metric.bounds),
        "best": metric.best,
        "misleads": list(metric.misleads),
        "needs": sorted(metric.needs),
        "see": list(metric.see),
        "aliases": list(metric.aliases),
        "parameters": {
            name: {
                "value": metric.params[name],
                "default": p.default,
                "type": p.annotation,
                "choices": list(p.choices),
                "range": p.range,
                "help": p.help,
            }
            for name, p in metric.parameters.items()
        },
        "laws": dict(metric.laws),
        "broken": list(metric.broken),
        "reference": reference(metric.cite) if metric.cite else "",
    }


def write_docstring(metric: Metric) -> None:
    """Give the public function its sections, once, when it is recorded; under ``python -OO`` there is nothing to add to."""
    function = metric.function
    if not function.__doc__ or "\nParameters\n" in function.__doc__:
        return
    doc = inspect.cleandoc(function.__doc__)
    summary, _, rest = doc.partition("\n\n")
    own = {name: p.help + (f" In {p.range}." if p.range else "") for name, p in metric.parameters.items()}
    parameters = parameter_section(function, own, {**SHARED, **dict.fromkeys(own, "A parameter of the metric.")})
    low, high = map(_sign, metric.bounds)
    reason = f"When {metric.undefined}: the score is nan." if metric.undefined else "Where the score has no value: it is nan."
    notes = [f".. math:: {metric.formula}\n" if metric.formula else ""]
    notes += [
        f"Ignores {metric.ignores}.\n" if metric.ignores else "",
        *(f"Misleads when {words}.\n" for words in metric.misleads),
    ]
    notes += [f"Needs {NEEDS[need].partition(':')[0]}.\n" for need in sorted(metric.needs) if need == "edges"]
    sections = [
        section("Parameters", parameters),
        section("Returns", [f"float\n    The score, from {low} to {high}."]),
        section("Warns", [f"UndefinedScore\n    {reason}"]),
        section("See Also", [", ".join(metric.see)] if metric.see else []),
        section("Notes", ["\n".join(filter(None, notes)).rstrip()]),
        section("References", [f".. [1] {reference(metric.cite)}"] if metric.cite else []),
    ]
    function.__doc__ = insert_sections(
        f"{summary}\n\n{direction_sentence(metric)}  {rest}"
        if rest and not rest.startswith(">>>")
        else f"{summary}\n\n{direction_sentence(metric)}\n\n{rest}",
        sections,
    )
