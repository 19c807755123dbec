"""What a look at rows found, and the study that it proposes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ordeval.base.files import write_text
from ordeval.show import Block, Paragraph, Result, Table
from ordeval.show._plain import align, count_text, printable, shorten
from ordeval.show._result import Record
from ordeval.study._look import CASE, NOTHING_HERE, SPACE, Look, Oddity

LISTED = 8  # values of a column that are spelled out


@dataclass(frozen=True)
class Proposal(Result):
    """What a look at rows found, and the study that it proposes."""

    looks: tuple[Look, ...]
    roles: dict[str, str]  #: what each column is taken for
    toml: str  #: the study
    questions: tuple[str, ...]
    remedies: tuple[str, ...]  #: of each oddity, what the study proposes
    path: str = ""  #: where it was written

    @property
    def oddities(self) -> list[Any]:
        """Everything that may be meant otherwise than it is written."""
        return [oddity for look in self.looks for oddity in look.oddities]

    def write(self, path: str, *, force: bool = False) -> None:
        """Write the study; whole or not at all."""
        write_text(path, self.toml, force=force)

    def at(self, path: str) -> Proposal:
        """The same, written there."""
        return replace(self, path=path)

    def _rows(self) -> list[Record]:
        return [
            {"column": o.column, "oddity": o.kind, "cells": o.times, "first_row": o.row, "written": o.example, "proposed": said}
            for o, said in zip(self.oddities, self.remedies, strict=True)
        ]

    def _blocks(self) -> list[Block]:
        rows = [[o.column, f"{o.times:,}", o.said, f"{o.row:,}", r] for o, r in zip(self.oddities, self.remedies, strict=True)]
        odd = [Table(["column", "cells", "oddity", "first row", "proposed"], rows)] if rows else [Paragraph("Nothing is odd.")]
        return [*(Paragraph(self._head(look)) for look in self.looks), *odd, *(Paragraph(words) for words in self.questions)]

    def _alike(self) -> list[list[Look]]:
        """The files; those with the same columns, whose values are like each other's, are shown once."""
        found: dict[object, list[Look]] = {}
        for at, look in enumerate(self.looks):
            found.setdefault((look.kind, tuple(look.raw)) if at else "gold", []).append(look)
        return list(found.values())

    def _head(self, look: Look, *others: Look) -> str:
        more = f" and {len(others)} more" if others else ""
        sizes = sorted({one.rows for one in (look, *others)})
        rows = count_text(sizes[0], "row") if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,} rows"
        return f"{look.name}{more}   {look.kind}, {rows}, {count_text(len(look.raw), 'column')}"

    def __str__(self) -> str:
        lines: list[str] = []
        for alike in self._alike():
            lines += [printable(self._head(*alike)), "", *(f"  {line}" for line in self._columns(alike[0])), ""]
        lines += self._odd_lines()
        asked = count_text(len(self.questions), "open question")
        start = f"written: {self.path}, with" if self.path else "proposed, with"
        if not self.questions:
            return "\n".join([*lines, "", printable(f"{start} no open question")])
        lines += ["", printable(f'{start} {asked} (marked "# ?"):')]
        return "\n".join([*lines, *(printable(f"  {number}  {words}") for number, words in enumerate(self.questions, 1))])

    def _columns(self, look: Look) -> list[str]:
        true = next((name for name, role in self.roles.items() if role == "true" and name in look.clean), None)
        rows = []
        for name, values in look.clean.items():
            held = _listed_values(values.texts)
            if look.rows > 1 and len(values.texts) == look.rows:
                held = "each once"
            elif name != true and true is not None and values.words == look.clean[true].words:
                odd = sum(o.times for kind in (SPACE, CASE) for o in look.of(name, kind))
                held = "the same" + (f", and {count_text(odd, 'cell')} written otherwise" if odd else "")
            role = self.roles.get(name, "not used")
            rows.append(
                [shorten(name, 20), f"{len(values.texts):,}", "values" if len(values.texts) != 1 else "value", held, f"→ {role}"]
            )
        return [line.rstrip() for line in align(rows, right=[1])]

    def _odd_lines(self) -> list[str]:
        if not self.oddities:
            return ["Oddities: none"]
        rows = [["", "", "", "first in row", "proposed"]]
        for oddity, remedy, times, where in self._once():
            rows.append([shorten(oddity.column, 20), f"{times:,} ×", shorten(oddity.said, 44), where, remedy])
        first, *lines = align(rows, right=[1, 3])
        title = f"Oddities: {len(rows) - 1}"
        return [printable(title + first[len(title) - 2 :]), *(printable(f"  {line}".rstrip()) for line in lines)]

    def _once(self) -> list[tuple[Oddity, str, int, str]]:
        """Each kind of oddity of a column once, however many files have it: with its remedy, all its cells, and where it is first."""
        files = [look.name for look in self.looks for _ in look.oddities]
        found: dict[object, list[tuple[Oddity, str, str]]] = {}
        for oddity, remedy, file in zip(self.oddities, self.remedies, files, strict=True):
            same = (oddity.column, oddity.kind, oddity.example.casefold() if oddity.kind == NOTHING_HERE else "")
            found.setdefault(same, []).append((oddity, remedy, file))
        several = len(self.looks) > 1
        return [
            (
                alike[0][0],
                next((remedy for _, remedy, _ in alike if remedy), ""),
                sum(oddity.times for oddity, _, _ in alike),
                f"{alike[0][0].row:,}" + (f" of {os.path.basename(alike[0][2])}" if several else ""),
            )
            for alike in found.values()
        ]


def _listed_values(texts: Sequence[str]) -> str:
    """Few values in the order of the alphabet, or of numbers; of many the first two."""
    if len(texts) > LISTED:
        return f"{', '.join(shorten(text, 12) for text in texts[:2])}, …"
    between = "  " if any("," in text for text in texts) else ", "
    return between.join(shorten(text, 16) for text in sorted_values(texts))


def sorted_values(texts: Sequence[str]) -> list[str]:
    try:
        return sorted(texts, key=lambda text: float(text.replace(",", ".")))
    except ValueError:
        return sorted(texts)
