"""What is said of a metric, from its record: titles, tables, cards."""

from __future__ import annotations

import re
from itertools import groupby

from ordeval.metrics.core.record import Metric
from ordeval.metrics.core.references import reference
from ordeval.metrics.core.registry import catalogue, get_metric
from ordeval.show._plain import WIDTH, align, wrap

ARROWS = {"higher": "↑", "lower": "↓"}


def metric_title(text: str) -> str:
    """What a metric is called: its title, or its text where parameters differ from their defaults."""
    metric = get_metric(text)
    return metric.title if text == metric.name else text


def direction(metric: Metric) -> str:
    if metric.direction_of_record in metric.params:
        return "→"  # a target that the caller sets
    return ARROWS[metric.direction] if isinstance(metric.direction, str) else f"→{metric.direction:g}"


def best_in_words(metric: Metric, k: int) -> str:
    """Which value is best, for K classes."""
    ends = dict(zip(("lower", "higher"), metric.bounds_for(k), strict=True))
    best = ends[metric.direction] if isinstance(metric.direction, str) else metric.direction
    return f"{best:.3g} is best"


#: The scores of the default choice as questions, short enough for a line; others go by their title.
PLAIN = {
    "accuracy": "exact (accuracy)",
    "accuracy_within": "exact or one step off",
    "amae": "steps off, per class (AMAE)",
    "mae": "steps off (MAE)",
    "bias": "which way (bias)",
    "cohen_kappa": "beyond chance (QWK)",
    "cem": "how close (CEM)",
    "oci": "off the diagonal (OCI)",
    "rps_skill": "better than guessing (RPS)",
}


def bounds_text(metric: Metric) -> str:
    signs = {"**2": "²", "inf": "∞", "-": "\N{MINUS SIGN}"}
    low, high = (str(bound) for bound in metric.bounds)
    for plain, sign in signs.items():
        low, high = low.replace(plain, sign), high.replace(plain, sign)
    return f"{low} to {high}"


def metrics_table() -> list[str]:
    """All metrics, family by family: name, direction, title."""
    rows = [[m.name, direction(m), m.title] for m in catalogue()]
    lines = iter(align(rows))
    out = []
    for family, members in groupby(catalogue(), key=lambda m: m.family):
        out += ["", family.upper(), *(f"  {next(lines)}" for _ in members)]
    return out[1:]


def metrics_markdown() -> list[str]:
    """The same as a Markdown table, for the README."""
    lines = ["| metric | what it is | better | bounds |", "|---|---|---|---|"]
    for m in catalogue():
        better = m.direction if isinstance(m.direction, str) else f"near {m.direction:g}"
        lines.append(f"| `{m.name}` | {m.summary.rstrip('.').replace('``', '`')} | {better} | {bounds_text(m)} |")
    return lines


def card(metric: Metric) -> list[str]:
    """Everything a user should know about one metric, in a screen."""
    lines = [f"{metric}   {metric.title}", ""]
    for paragraph in metric.doc.split("\n\n"):
        if paragraph.lstrip().startswith(">>>"):
            lines += ["Example", *(f"    {line}" for line in paragraph.splitlines()), ""]
        else:
            for sentence in re.split(r"\n(?=Misleads when )", paragraph):
                lines += wrap(" ".join(sentence.split()), WIDTH, then="  " if "Ignores" in paragraph else "")
            lines.append("")
    facts = [["better", f"{metric.direction}" if isinstance(metric.direction, str) else f"closer to {metric.direction:g}"]]
    facts.append(["bounds", bounds_text(metric)])
    if metric.params:
        facts.append(["parameters", ", ".join(f"{key}={value!r}" for key, value in metric.params.items())])
    if metric.undefined:
        facts.append(["undefined", f"when {metric.undefined}"])
    if metric.needs:
        facts.append(["needs", ", ".join(sorted(metric.needs))])
    if metric.aliases:
        facts.append(["also called", ", ".join(metric.aliases)])
    facts.append(["keeps", ", ".join(metric.laws)])
    if metric.broken:
        facts.append(["breaks", ", ".join(metric.broken)])
    if metric.cite:
        facts.append(["paper", reference(metric.cite)])
    for name, words in facts:
        lines += wrap(words, WIDTH, first=f"{name:<12}", then=" " * 12)
    return lines
