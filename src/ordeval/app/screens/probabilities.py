"""Probabilities: how good the forecasts of a file are, whether they mean what they say, and which answers to make of them."""

from __future__ import annotations

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, forecasts, frame
from ordeval.app.costs import Costs, start_costs
from ordeval.app.evaluate_state import EXAMPLE, Study
from ordeval.app.forecasts import LINK, TARGETS, Aim
from ordeval.app.recipes import Recipe, in_python
from ordeval.app.score_table import value_of
from ordeval.app.uploads import Upload, example
from ordeval.study import guess_roles

STATE = "aim"
WORDS = {"cem": "closeness (CEM)", "mae": "few steps off (MAE)", "accuracy": "being right (accuracy)", "costs": "my own costs"}
MOST_ROWS = 200_000


def page() -> None:
    frame.heading(
        "Do the probabilities mean what they say, and what should be answered?",
        "A model that gives a probability to every class says more than its answer.  This page looks at the file of Evaluate: how far its "
        "forecasts are from what came true, whether they can be taken at their word, and which answers suit what you want.",
    )
    frame.widgets_of(STATE, "aim_target")
    aim = frame.open_link(STATE, LINK)
    study: Study = st.session_state.get("study", EXAMPLE)
    held: Upload | None = example() if study.source == "example" else st.session_state.get("upload")
    if held is None or not study.order:
        st.info("Choose a file in Evaluate first, and say how its classes are ordered.")
        frame.ways(
            frame.Way("Evaluate my file", "evaluate"), frame.Way("How scores of forecasts work", "metric", {"name": "rps"})
        )
        frame.follow(LINK.write(aim))
        return
    values = frame.session_cache("values", held.digest, held.values)
    roles = frame.session_cache("roles", held.digest, lambda: guess_roles(values))
    if not roles.proba or roles.true != study.true:
        st.info(
            "This file has no probabilities: it needs a column for each class, named after the class (such as p_low), "
            "whose numbers add up to 1 in each row."
        )
        frame.ways(
            frame.Way("Back to Evaluate", "evaluate"), frame.Way("How scores of forecasts work", "metric", {"name": "rps"})
        )
        frame.follow(LINK.write(aim))
        return
    rows = frame.session_cache(
        "forecasts",
        (held.digest, study.true, study.order),
        lambda: forecasts.read_forecasts(values, study.true, roles.proba, study.order),
    )
    if len(rows.truth) > MOST_ROWS:
        st.info(f"{len(rows.truth):,} rows are too many to wait for here; the limit is {MOST_ROWS:,}.")
        return
    _quality(rows, held)
    _answers(rows, held, aim)


def _quality(rows: forecasts.Forecasts, held: Upload) -> None:
    labels, truth = list(rows.labels), rows.truth.tolist()
    scores = frame.session_cache(
        "forecast_scores",
        (held.digest, rows.labels),
        lambda: (oe.rps(truth, rows.proba, labels=labels), oe.rps_skill(truth, rows.proba, labels=labels)),
    )
    left_out = (
        f"  {rows.left_out:,} rows are left out: their probabilities do not add up to 1, or the truth is missing."
        if rows.left_out
        else ""
    )
    st.markdown(f"{len(rows.truth):,} forecasts.{left_out}")
    one, two = st.columns(2)
    one.metric("Ranked probability score (0 is best)", oe.show.number(scores[0]), border=True)
    two.metric("Skill against the class shares (1 is best, 0 no better)", oe.show.number(scores[1]), border=True)
    st.header("Do they mean what they say?", anchor=False)
    made = frame.session_cache(
        "reliability",
        (held.digest, rows.labels),
        lambda: frame.drawing(oe.plot.ReliabilityDisplay.from_predictions(truth, rows.proba, labels=labels, n_resamples=199)),
    )
    frame.figure(made)
    frame.cards(["rps", "rps_skill", "cumulative_calibration_error"])


def _answers(rows: forecasts.Forecasts, held: Upload, aim: Aim) -> None:
    st.header("What should be answered?", anchor=False)
    frame.start_with("aim_target", aim.target)
    target = st.radio("The answers should be good for", TARGETS, format_func=WORDS.__getitem__, key="aim_target", horizontal=True)
    st.session_state[STATE] = Aim(target)
    costs = st.session_state.get("costs")
    costs = costs if costs is not None and len(costs) == len(rows.labels) else start_costs(len(rows.labels))
    found = frame.session_cache(
        "decided",
        (held.digest, rows.labels, target, costs if target == "costs" else None),
        lambda: forecasts.decide_for(rows, target, costs),
    )
    st.markdown("A rule is fitted on every other row and shown on the rest, which it has not seen.")
    metric = oe.get_metric("mae" if target == "costs" else target)
    sides = (("The likeliest class", "likeliest", found.likeliest), ("Fitted for this", "fitted", found.fitted))
    for place, (title, key, counts) in zip(st.columns(2, gap="large"), sides, strict=True):
        with place:
            st.metric(f"{title}: {metric.title}", oe.show.number(value_of(metric, counts)), border=True)
            frame.confusion(f"decided_{key}", counts, title)
    with st.expander("The rule"):
        st.text(found.rule)
    table = elsewhere.table_of(found.fitted, found.likeliest)
    opened = [] if table is None else [elsewhere.to_playground(table, "Both tables in the playground")]
    frame.ways(*opened, frame.Way("Evaluate the answers of this file", "evaluate"), elsewhere.to_metric("rps_skill"))
    frame.ending(_recipe(rows, held, target, costs), LINK.write(Aim(target)))


def _recipe(rows: forecasts.Forecasts, held: Upload, target: str, costs: Costs) -> Recipe:
    study: Study = st.session_state.get("study", EXAMPLE)
    columns = list(rows.columns)
    lines = [
        "import numpy as np",
        "import ordeval as oe",
        "",
        f"labels, columns = {list(rows.labels)!r}, {columns!r}",
        f"rows = oe.types.Columns.read({held.name!r}, [{study.true!r}], numbers=columns)",
        f"texts, places = rows.texts({study.true!r})",
        "proba = np.stack([rows[name] for name in columns], axis=1)",
        "fine = (places >= 0) & (abs(proba.sum(1) - 1) <= 0.02) & (proba >= 0).all(1)",
        "truth = np.array(texts)[places[fine]].tolist()",
        "proba = proba[fine] / proba[fine].sum(1, keepdims=True)",
        "print(oe.rps(truth, proba, labels=labels), oe.rps_skill(truth, proba, labels=labels))",
        f"rule = oe.decide.fit(truth[::2], proba[::2], {[list(row) for row in costs] if target == 'costs' else target!r}, labels=labels)",
        "print(oe.count(truth[1::2], rule.apply(proba[1::2]), labels=labels).matrix.tolist())",
    ]
    python = "\n".join(lines)
    return Recipe(python, in_python(python))
