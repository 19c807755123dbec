"""Evaluate: your rows, or the bundled ones; one model scored, several compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

import ordeval as oe
from ordeval.app import frame
from ordeval.app.evaluate_state import (
    EXAMPLE,
    LEVELS,
    MISSING,
    Study,
    deciding,
    file_stem,
    first_study,
    from_query,
    offered,
    ordered,
    to_query,
)
from ordeval.app.inert import inert
from ordeval.app.uploads import KINDS, LIMITS, Upload, example
from ordeval.evaluation._audit import class_table

STATE, UPLOAD = "study", "upload"
SOURCES = {"example": "the bundled example: 2,400 emergency visits", "file": "a file of mine"}
WIDGETS = ("true", "preds", "order", "missing", "metrics", "primary", "level", "cluster")


def page() -> None:
    frame.heading(
        "How good are these predictions, and which model is better?",
        "Every score comes with an interval, every row that was left out with its reason.  The order of the classes is yours to give: it is "
        "never guessed.",
    )
    source, study = frame.opened(STATE, from_query)
    upload = _source(source)
    source, study = st.session_state[STATE]
    if upload is None:
        st.info("Choose a file above.  " + LIMITS)
        return
    columns = frame.remembered("columns", upload, upload.columns)
    study = _set_up(upload, study, columns)
    st.session_state[STATE] = (source, study)
    if not study.order:
        return
    counts = frame.remembered(
        "counts", (upload, study.true, study.preds, study.order, study.missing, study.cluster), lambda: study.counts(upload)
    )
    _audit(counts)
    with st.spinner("computing intervals"):
        if len(study.preds) == 1:
            _one(study, counts, upload)
        else:
            _several(study, counts, upload)
    frame.cards(study.scores)
    note = "" if source == "file" else "The command reads the example as a file; download it here:"
    frame.ending(study.recipe(upload.name, counts), to_query(study, source), "evaluate", note)
    if source == "example":
        st.download_button("triage.csv", upload.data, "triage.csv", "text/csv", on_click="ignore")
    else:
        st.caption("The link holds the choices, not the rows: whoever opens it chooses the file again.")


def _source(source: str) -> Upload | None:
    def switch() -> None:
        chosen = st.session_state["source"]
        st.session_state[STATE] = (chosen, EXAMPLE if chosen == "example" else _fresh(st.session_state.get(UPLOAD)))
        _forget()

    def take() -> None:
        given = st.session_state["file"]
        if given is not None:
            st.session_state[UPLOAD] = Upload(given.name, given.getvalue())
            old: Study = st.session_state[STATE][1]
            new = _fresh(st.session_state[UPLOAD])
            columns = _columns(st.session_state[UPLOAD])
            fits = {old.true, *old.preds} <= set(columns)  # as after opening a link
            st.session_state[STATE] = ("file", old if fits else new)
            _forget()

    frame.start_with("source", source)
    st.radio("Rows from", list(SOURCES), format_func=SOURCES.__getitem__, key="source", on_change=switch, horizontal=True)
    if st.session_state["source"] == "example":
        return example()
    st.file_uploader(
        "A file with a column of true classes and one of predictions for each model",
        type=list(KINDS),
        key="file",
        on_change=take,
        help=LIMITS,
    )
    st.caption(LIMITS)
    kept: Upload | None = st.session_state.get(UPLOAD)
    return kept


def _columns(upload: Upload) -> tuple[str, ...]:
    try:
        return upload.columns()
    except ValueError:
        return ()


def _fresh(upload: Upload | None) -> Study:
    columns = () if upload is None else _columns(upload)
    return first_study(columns) if len(columns) > 1 else Study("", ())


def _forget() -> None:
    """The widgets start again from the study."""
    for name in WIDGETS:
        st.session_state.pop(f"study_{name}", None)


def _set_up(upload: Upload, study: Study, columns: tuple[str, ...]) -> Study:
    if len(columns) < 2:
        raise ValueError(f"{upload.name} has {len(columns)} column; a truth and a prediction are needed")
    true = study.true if study.true in columns else columns[0]
    preds = tuple(pred for pred in study.preds if pred in columns and pred != true)
    with st.expander("Columns, order, scores", expanded=True):
        one, two = st.columns(2, gap="large")
        frame.start_with("study_true", true)
        true = one.selectbox("True classes", columns, key="study_true")
        others = [column for column in columns if column != true]
        frame.start_with("study_preds", [pred for pred in preds if pred in others] or others[:1])
        st.session_state["study_preds"] = [pred for pred in st.session_state["study_preds"] if pred in others]
        preds = tuple(two.multiselect("Predictions (several are compared)", others, key="study_preds"))
        if not preds:
            st.info("Choose at least one column of predictions.")
            return replace(study, true=true, preds=(), order=())
        classes, known = frame.remembered("classes", (upload, true, preds), lambda: upload.classes(true, preds))
        study = replace(study, true=true, preds=preds, order=_order(study, classes, known))
        frame.start_with("study_missing", study.missing)
        missing = one.radio("A row without a prediction", list(MISSING), format_func=MISSING.__getitem__, key="study_missing")
        frame.start_with("study_metrics", list(study.metrics))
        titles = {text: oe.get_metric(text).title for text in offered()}
        metrics = two.multiselect("Scores", list(titles), format_func=titles.__getitem__, key="study_metrics")
        primary = study.primary
        if len(preds) > 1:
            frame.start_with("study_primary", primary)
            primary = two.selectbox("The score that decides", deciding(), format_func=titles.__getitem__, key="study_primary")
        frame.start_with("study_level", study.level)
        level = one.selectbox(
            "Confidence of the intervals", LEVELS, format_func=lambda share: f"{100 * share:g} %", key="study_level"
        )
        rest = [column for column in others if column not in preds]
        frame.start_with("study_cluster", study.cluster if study.cluster in rest else None)
        cluster = two.selectbox(
            "Rows that belong together, such as those of a patient",
            rest,
            key="study_cluster",
            index=None,
            placeholder="none do",
        )
    chosen = tuple(metrics) or EXAMPLE.metrics
    return replace(study, missing=missing, metrics=chosen, primary=primary, level=level, cluster=cluster)


def _order(study: Study, classes: tuple[str, ...], known: bool) -> tuple[str, ...]:
    """The classes in the order that the visitor gives."""
    every = tuple(dict.fromkeys([*ordered(study.order, classes, known), *classes]))
    start = list(ordered(study.order, classes, known))
    frame.start_with("study_order", start)
    if not set(st.session_state["study_order"]) <= set(every):
        st.session_state["study_order"] = start

    def turn() -> None:
        st.session_state["study_order"] = st.session_state["study_order"][::-1]

    chosen = st.multiselect(
        "The classes, lowest first: pick them in order",
        every,
        key="study_order",
        placeholder="pick the lowest class first",
        help="Take a class out and pick it again to move it to the end.",
    )
    missing = [label for label in classes if label not in chosen]
    if missing:
        few = ", ".join(missing[:8]) + (" …" if len(missing) > 8 else "")
        st.warning(inert(f"Text has no order of its own.  Still to pick, lowest first: {few}."))
        return ()
    st.markdown(f"Taken as: {' < '.join(inert(label) for label in chosen)}")
    st.button("Turn upside down", on_click=turn)
    return tuple(chosen)


def _audit(counts: oe.Counts) -> None:
    st.markdown("**What was read**")
    st.text(str(counts.audit))
    with st.expander("Rows of each class, and what a careless tool would have made of them"):
        st.code("\n".join(class_table(counts)), language=None)
        for model in counts.models:
            for pitfall in oe.choose.pitfalls(counts[model]):
                frame.said(f"{model}: {pitfall}")


def _details(counts: oe.Counts) -> None:
    one, two = st.columns(2, gap="large")
    with one:
        frame.figure(oe.plot.ConfusionDisplay.from_counts(counts))
        frame.figure(oe.plot.CutDisplay.from_counts(counts))
    with two:
        frame.figure(oe.plot.ErrorProfileDisplay.from_counts(counts))


def _one(study: Study, counts: oe.Counts, upload: Upload) -> None:
    key = (upload, study)
    result = frame.remembered("evaluation", key, lambda: study.evaluate(counts))
    st.subheader("The scores", anchor=False)
    frame.figure(oe.plot.ForestDisplay.from_evaluation(result))
    _numbers({study.preds[0]: result})
    _details(counts[study.preds[0]])
    _downloads(result, upload)


def _several(study: Study, counts: oe.Counts, upload: Upload) -> None:
    result = frame.remembered("comparison", (upload, study), lambda: study.compare(counts))
    st.subheader("The verdict", anchor=False)
    for sentence in result.verdict.split("  "):
        st.success(inert(sentence))
    for pair in result.differences:
        frame.said(f"{str(result.flips[pair]).splitlines()[0]}  {result.dominance[pair].by_class}")
    if len(study.preds) > 2:
        frame.figure(oe.plot.RankDisplay.from_comparison(result))
    pairs = list(result.differences)
    pair = pairs[0]
    if len(pairs) > 1:
        pair = st.selectbox("Which two?", pairs, format_func=lambda names: f"{names[1]} less {names[0]}", key="study_pair")
    one, two = st.columns([5, 4], gap="large")
    with one:
        frame.figure(oe.plot.ForestDisplay.from_comparison(result))
        _numbers(result.evaluations)
    with two:
        frame.figure(oe.plot.FlipsDisplay.from_comparison(result, pair))
    frame.figure(oe.plot.DifferenceDisplay.from_comparison(result, pair))
    st.subheader("One model by itself", anchor=False)
    model = st.selectbox("Which model?", study.preds, key="study_model")
    _details(counts[model])
    _downloads(result, upload)


def _downloads(result: oe.Evaluation | oe.Comparison, upload: Upload) -> None:
    stem = file_stem(upload.name)
    with st.container(horizontal=True):  # each is made when it is asked for
        st.download_button("Report (HTML)", result.to_html, f"{stem}-report.html", "text/html", on_click="ignore")
        st.download_button("Numbers (JSON)", result.to_json, f"{stem}.json", "application/json", on_click="ignore")
        st.download_button("Table (Markdown)", result.to_markdown, f"{stem}.md", "text/markdown", on_click="ignore")


def _numbers(evaluations: Mapping[str, oe.Evaluation]) -> None:
    """The scores as a table: what the chart shows, for those who cannot see it and for narrow screens."""
    import pandas as pd

    rows = [
        {
            "score": oe.get_metric(text).title if text == oe.get_metric(text).name else text,
            "model": model,
            "value": score.value,
            "low": score.low,
            "high": score.high,
        }
        for text in next(iter(evaluations.values())).scores
        for model, score in ((model, evaluation.scores[text]) for model, evaluation in evaluations.items())
    ]
    numbers = {name: st.column_config.NumberColumn(name, format="%.3f") for name in ("value", "low", "high")}
    with st.expander("The numbers as a table"):
        st.dataframe(
            pd.DataFrame(rows), hide_index=True, column_config=numbers, placeholder="–", alt="Scores with their intervals"
        )
