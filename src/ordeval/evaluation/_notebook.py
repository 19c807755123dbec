"""What a notebook shows: the scores as a table, every label escaped."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from ordeval.evaluation import _tables as tables
from ordeval.show._plain import printable
from ordeval.show._tables import Table

if TYPE_CHECKING:
    from ordeval.evaluation import Comparison, Evaluation


def evaluation(result: Evaluation) -> str:
    head = f"{result.counts.audit}; classes {result.counts.scale}"
    return _table(tables.score_table({"": result}), head)


def comparison(result: Comparison) -> str:
    return _table(tables.comparison_table(result), result.verdict)


def _table(table: Table, head: str) -> str:
    def row(cells: list[str], tag: str) -> str:
        sides = ["left" if i < table.left else "right" for i in range(len(cells))]
        return (
            "<tr>"
            + "".join(
                f'<{tag} style="text-align:{s}">{html.escape(printable(c))}</{tag}>' for c, s in zip(cells, sides, strict=True)
            )
            + "</tr>"
        )

    below = " ".join([table.caption, *table.notes])
    rows = "".join(row(list(cells), "td") for cells in table.rows)
    return (
        f"<p>{html.escape(printable(head))}</p><table><thead>{row(list(table.header), 'th')}</thead><tbody>{rows}</tbody></table>"
        f"<p><small>{html.escape(printable(below))}</small></p>"
    )
