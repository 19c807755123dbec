"""Advice as text: what was said, the metrics with their reasons, what they miss, code to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ordeval.show._plain import WIDTH, align, wrap

if TYPE_CHECKING:
    from ordeval.choose._advise import Advice


def advice(found: Advice) -> list[str]:
    """The whole advice."""
    rows = [[name.replace("_", " "), choice.word, choice.means] for name, choice in found.answers.items()]
    lines = ["You said", *(f"  {line}" for line in align(rows)), ""]
    for number, metric in enumerate(found.recommendations):
        role = "decide with" if number == 0 else "beside it "
        lines += [f"{role}  {metric.metric}   {metric.title}"]
        for sign, sentences in (("+", metric.reasons), ("−", metric.misses)):
            for sentence in sentences:
                lines += wrap(str(sentence), WIDTH, first=f"  {sign} ", then="    ")
        lines.append("")
    lines += ["+ speaks for it    − is what it misses", ""]
    return [*lines, *found.code.splitlines()]
