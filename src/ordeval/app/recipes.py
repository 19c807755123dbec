"""The Python and the command that give the numbers of a screen again.  Labels go into them quoted: they stay labels."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordeval.app.tables import Cells

_PLAIN = re.compile(r"[\w.+-]+( [\w.+-]+)*")  # a field of CSV that needs no quotes, and is no @file


@dataclass(frozen=True)
class Recipe:
    """Two ways to the same numbers; the command is "" where a label cannot stand in one."""

    python: str
    command: str


def counts_lines(name: str, cells: Cells, labels: str) -> list[str]:
    """A table as Python, a line for each true class."""
    rows = [f"        {list(row)!r}," for row in cells]
    return [f"{name} = oe.Counts.from_matrix(", "    [", *rows, "    ],", f"    labels={labels},", ")  # rows are the truth"]


def names_option(labels: Iterable[Any]) -> str:
    """Labels for --labels: as the command line reads them."""
    return ",".join(_field(str(label)) for label in labels)


def _field(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace('"', '""') + '"'


def shell(*words: str) -> str:
    """Words as a shell takes them; "" where a word has a sign that no command can hold."""
    return "" if any("\x00" in word for word in words) else " ".join(shlex.quote(word) for word in words)


def in_python(python: str) -> str:
    """A command for numbers that have no command of their own."""
    return shell("python", "-c", python)


def _scored(labels: Sequence[str], cells: Cells, *options: str) -> str:
    """A command that prints the table as rows with their number, and one that scores them; "" for a table without rows."""
    lines = [f"{_field(labels[t])},{_field(labels[p])},{n}" for t, row in enumerate(cells) for p, n in enumerate(row) if n]
    rows = shell("printf", "%s", "\n".join(["true,pred,n", *lines, ""]))
    score = shell("ordeval", "score", "-", "--true", "true", "--pred", "pred", "--sample-weight", "n", *options)
    return f"{rows} | {score}" if lines and rows and score else ""


def playground(labels: tuple[str, ...], cells: Cells, pinned: Cells | None) -> Recipe:
    lines = ["import ordeval as oe", "", *counts_lines("counts", cells, repr(list(labels)))]
    if pinned is not None:
        lines += [*counts_lines("pinned", pinned, repr(list(labels)))]
    differs = "" if pinned is None else ", metric(counts) - metric(pinned)"
    lines += ['for metric in oe.catalogue(needs=["whole counts"]):', f"    print(metric, metric(counts){differs})"]
    return Recipe("\n".join(lines), _scored(labels, cells, "--labels", names_option(labels), "--metrics", "all"))


def closeness(labels: tuple[str, ...], sets: Mapping[str, tuple[int, ...]]) -> Recipe:
    lines = ["import numpy as np", "import ordeval as oe", "", f"labels = {list(labels)!r}", "rows = {"]
    lines += [f"    {name!r}: {list(counts)!r}," for name, counts in sets.items()]
    lines += [
        "}",
        "for name, truth in rows.items():",
        "    bits = oe.parts.closeness_matrix(oe.Counts.from_matrix(np.diag(truth), labels=labels))",
        "    pairs = {(p, t): bits[labels.index(t), labels.index(p)] for t in labels for p in labels if t != p}",
        "    for pair in sorted(pairs, key=pairs.get, reverse=True):",
        "        print(name, pair, pairs[pair])",
    ]
    python = "\n".join(lines)
    return Recipe(python, in_python(python))


def path(labels: tuple[str, ...], cells: Cells, share: float, gamma: float) -> Recipe:
    lines = ["import ordeval as oe", "", *counts_lines("counts", cells, repr(list(labels)))]
    lines += [f"parts = oe.parts.oci_parts(counts, share={share!r}, gamma={gamma!r})", "print(parts.path)"]
    lines.append("print(parts.index, parts.dispersion, parts.left_out, parts.penalty)")
    metric = f"oci(share={share!r}, gamma={gamma!r})"
    return Recipe("\n".join(lines), _scored(labels, cells, "--labels", names_option(labels), "--metrics", metric))


def number_text(value: float) -> str:
    """A number as Python reads it."""
    if math.isinf(value):
        return f'float("{value}")'
    return f"{value:g}" if float(f"{value:g}") == value else repr(value)


def intervals(edges: Sequence[float], labels: Sequence[Any], cells: Cells, metrics: Sequence[str], distance: str) -> Recipe:
    scale = f"oe.Scale.from_edges([{', '.join(map(number_text, edges))}])"
    lines = ["import ordeval as oe", "", f"scale = {scale}", *counts_lines("counts", cells, "scale")]
    if math.isinf(edges[0]) or math.isinf(edges[-1]):
        lines.append(f"print(oe.parts.optimal_length(counts, distance={distance!r}))")
    lines += [f"for text in {list(metrics)!r}:", "    print(text, oe.get_metric(text)(counts))"]
    lines.append(f"print(oe.parts.cost_matrix(counts, metric={metrics[0]!r}))")
    given = f"--edges={','.join(f'{edge:.12g}' for edge in edges)}"
    return Recipe("\n".join(lines), _scored([str(label) for label in labels], cells, given, "--metrics", ",".join(metrics)))


def advice(answers: Mapping[str, str]) -> Recipe:
    given = ", ".join(f"{name}={word!r}" for name, word in answers.items())
    options = [part for name, word in answers.items() for part in (f"--{name.replace('_', '-')}", word)]
    return Recipe(f"import ordeval as oe\n\nprint(oe.choose.advise({given}))", shell("ordeval", "advise", *options))


def laws(metric: str, law: str) -> Recipe:
    python = f"import ordeval as oe\n\nprint(oe.laws.check({metric!r}, laws={law!r}))"
    return Recipe(python, shell("ordeval", "laws", metric, "--law", law))


def explain(metric: str) -> Recipe:
    python = f"import ordeval as oe\n\nprint(oe.get_metric({metric!r}).card())"
    return Recipe(python, shell("ordeval", "explain", metric))
