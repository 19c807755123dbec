"""Labels that are code, formulas or control signs: through every door, to every output.  Files are the subject of attack_rows and fuzz."""

from __future__ import annotations

import json
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from battery import inert
from battery.plants import in_this_process, replaced
from battery.rows import Check, Row, Scope, say, timed

NAMED = (ValueError, TypeError, OSError)  # what a refusal may be
FORMULAS = [" =1+1", "  @SUM(A1:A9)"]  # behind spaces, which a spreadsheet takes away
#: Something of each kind, on which plants are tried.
FEW = ["<script>document.title='owned'</script>\x1b[31m", r" =1+1 [x](javascript:alert(1)) \input{/etc/passwd}", "plain"]


def payloads(scope: Scope) -> Row:
    """All labels, ten at a time, each of them a class, a group and a model."""
    from hostile import PAYLOADS

    every = [*PAYLOADS, *FORMULAS]
    random.Random(f"hostile {scope.seed}").shuffle(every)
    groups = [every[i : i + 10] for i in range(0, len(every), 10)]
    wrong: list[str] = []
    tried = 0
    with timed() as clock, tempfile.TemporaryDirectory(prefix="ordeval-battery-") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for labels in scope.choose(groups, groups[:1], [FEW]):
            for door, counts in _through_every_door(labels, Path(folder)):
                tried += len(labels)
                if isinstance(counts, str):
                    wrong.append(f"{door}: {counts}")
                elif counts.matrix.tolist() != _table(len(labels)) or list(counts.scale.labels) != labels:
                    wrong.append(f"{door}: the counts of {labels} are not those of the rows")
            for first, second in zip(labels[::2], labels[1::2], strict=False):
                try:
                    for output, words in _every_output(labels, (first, second), Path(folder)):
                        tried += len(labels)
                        wrong += [f"{output}, labels {labels}: {word}" for word in words]
                except Exception as error:  # what cannot be written is a failure, too
                    wrong.append(f"labels {labels}: an output ended with {type(error).__name__}: {error}")
            say(f"hostile: labels {labels[0]!r} …")
    question = f"{len(every)} labels that are code, formulas or control signs, through every way in to every output"
    return Row("hostile", question, tried, wrong, clock.seconds)


def _table(k: int) -> list[list[int]]:
    return [[3 if t == p else 1 if abs(t - p) == 1 else 0 for p in range(k)] for t in range(k)]


def _columns(labels: list[str]) -> tuple[list[str], list[str]]:
    cells = [(t, p) for t, line in enumerate(_table(len(labels))) for p, n in enumerate(line) for _ in range(n)]
    return [labels[t] for t, _ in cells], [labels[p] for _, p in cells]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _through_every_door(labels: list[str], folder: Path) -> Iterator[tuple[str, Any]]:
    import pandas as pd
    import polars as pl

    import ordeval as oe

    y, p = _columns(labels)
    frame = pd.DataFrame({"y": y, "p": p})
    frame.to_parquet(folder / "payload.parquet")
    lines = "".join(json.dumps({"y": a, "p": b}) + "\n" for a, b in zip(y, p, strict=True))
    (folder / "payload.jsonl").write_text(lines, encoding="utf-8")
    table = "".join(f"{_quoted(a)},{_quoted(b)}\n" for a, b in zip(["y", *y], ["p", *p], strict=True))
    (folder / "payload.csv").write_bytes(table.encode())

    def in_batches() -> Any:
        total = oe.Accumulator(labels)
        total.update(y[:5], p[:5])
        total.update(y[5:], p[5:])
        return total.counts

    def saved() -> Any:
        oe.count(y, p, labels=labels).save(folder / "payload.json", force=True)
        return oe.Counts.load(folder / "payload.json")

    doors: dict[str, Callable[[], Any]] = {
        "count": lambda: oe.count(y, p, labels=labels),
        "count of Categoricals": lambda: oe.count(*(pd.Categorical(x, categories=labels, ordered=True) for x in (y, p))),
        "scan of a frame": lambda: oe.scan(pl.DataFrame({"y": y, "p": p}), true="y", pred="p", labels=labels),
        "Accumulator": in_batches,
        "Counts.load": saved,
        **{
            f"scan of {ending}": lambda ending=ending: oe.scan(folder / f"payload.{ending}", true="y", pred="p", labels=labels)
            for ending in ("parquet", "jsonl", "csv")
        },
    }
    for door, read in doors.items():
        try:
            yield door, read()
        except NAMED as error:
            if not (door == "scan of csv" and _may_refuse(labels)):
                yield door, f"refused: {error}"
        except Exception as error:
            yield door, f"{type(error).__name__}: {error}"


def _may_refuse(labels: list[str]) -> bool:
    """A CSV file whose quoted fields hold a bare carriage return has mixed line ends: refused, not misread."""
    return any("\r" in label or "\x00" in label for label in labels)


def _every_output(labels: list[str], names: tuple[str, str], folder: Path) -> Iterator[tuple[str, list[str]]]:
    import ordeval as oe
    from ordeval.types import Evaluations

    y, p = _columns(labels)
    models = {names[0][:60]: p, names[1][:60] + " ": y}
    counts = oe.count(y, models, labels=labels, by={"group": [labels[i % 3] for i in range(len(y))]})
    evaluations = {model: oe.evaluate(counts[model], metrics=["accuracy", "cem"], n_resamples=499) for model in counts.models}
    comparison = oe.compare(oe.count(y, models, labels=labels), metrics=["mae"], n_resamples=499)
    judges = {"text": inert.terminal, "csv": inert.spreadsheet, "md": inert.markdown, "latex": inert.latex}
    for format_, judge_ in judges.items():
        yield f"scores as {format_}", judge_(oe.show.render(Evaluations(evaluations), format_))
        yield f"comparison as {format_}", judge_(oe.show.render(comparison, format_))
    yield "scores as json", inert.data(oe.show.render(Evaluations(evaluations), "json"), labels)
    yield "comparison as json", inert.data(oe.show.render(comparison, "json"), labels)
    yield "str", inert.terminal(str(comparison))
    yield "notebook", inert.html(comparison._repr_html_())
    for ending, judge_ in (("html", inert.html), ("md", inert.markdown), ("tex", inert.latex)):
        path = folder / f"report.{ending}"
        comparison.report(path, force=True)
        yield f"report.{ending}", judge_(path.read_text(encoding="utf-8"))
    yield "svg", inert.html(oe.plot.ConfusionDisplay.from_counts(comparison.counts[comparison.counts.models[0]]).to_svg())
    for odd in ("no such class", *(label + "?" for label in labels[:3])):
        try:
            oe.count([odd], [labels[0]], labels=labels)
        except NAMED as error:
            yield "refusal", [f"not one plain line: {error!r}"] if "\n" in str(error) or inert.terminal(str(error)) else []
        else:
            yield "refusal", [f"the class {odd!r} was counted"]


SHOW = "src/ordeval/show/"
CHECKS = (
    Check(
        "hostile.payloads",
        payloads,
        {
            **in_this_process(
                no_HTML_escaping=(SHOW + "_html.py", "return html.escape(printable(text))", "return printable(text)"),
                the_guard_of_CSV_without_leading_spaces=(SHOW + "_escapes.py", 'start = plain.lstrip(" ")[:1]', "start = plain[:1]"),
                control_signs_passed_on=(SHOW + "_plain.py", 'return "".join(sign if is_text(sign) else "\\N{REPLACEMENT CHARACTER}" for sign in str(text))', 'return "".join(sign for sign in str(text))'),
                no_escaping_for_LaTeX=(SHOW + "_escapes.py", "return _LATEX.get(sign, sign) if is_text(sign)", "return sign if is_text(sign)"),
                links_in_Markdown=(SHOW + "_escapes.py", 'lambda found: f"{found[0][:-1]}\\\\{found[0][-1]}"', "lambda found: found[0]"),
            ),
            "a reader that refuses everything": replaced("ordeval", "scan", lambda good: _refuse),
            "a reader that trims labels": replaced("ordeval", "scan", lambda good: _trimming(good)),
        },
    ),
)  # fmt: skip


def _refuse(*args: Any, **options: Any) -> Any:
    raise ValueError("cannot be read")


def _trimming(good: Any) -> Any:
    return lambda source, *, labels, **options: good(source, labels=[label.strip() for label in labels], **options)
