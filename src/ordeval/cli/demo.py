"""`ordeval demo`: the whole story on bundled data."""

import math
from typing import Annotated

import typer

import ordeval as oe
from ordeval.cli.joining import command


@command("ordeval demo", "ordeval demo | less")
def demo(output: Annotated[str, "FILE: Where the report goes; replaced if it is there."] = "ordeval-demo.html") -> None:
    """The whole story on bundled data: compare, write a report."""
    data = oe.load_example("triage")
    scale = oe.Scale(["green", "yellow", "orange", "red"])
    truth, predictions = data["grade"], {name: data[name] for name in ("nurse", "model")}
    result = oe.compare(truth, predictions, labels=scale, missing="drop", n_resamples=500)
    lines = [str(result)]
    for model, evaluation in result.evaluations.items():
        lines += ["", f"  where the {model} errs (columns: predicted)", ""]
        lines += [f"    {line}".rstrip() for line in evaluation.errors_text.splitlines()]
    columns = [data[f"p_{label}"] for label in scale.labels]
    proba = [[math.nan if p is None else p for p in row] for row in zip(*columns, strict=True)]
    skill = oe.evaluate(truth, data["model"], proba=proba, labels=scale, missing="drop", metrics=["rps_skill"], n_resamples=500)[
        "rps_skill"
    ]
    lines += ["", f"  the model's probabilities: RPS skill {skill}"]
    lines += ["  (0: no better than the class shares, 1: always certain and right)"]
    result.report(output, force=True)
    lines += ["", f"  report:  {output}", "  next:    ordeval explain cem      ordeval score --help"]
    typer.echo("\n".join(lines))
