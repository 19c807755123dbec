"""Evaluate: your rows, or the bundled ones; one model scored, several compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import evaluate_state as state
from ordeval.app import frame
from ordeval.app.escape import escape
from ordeval.app.evaluate_state import EXAMPLE, LEVELS, LINK, MISSING, SOURCES, Study
from ordeval.app.score_table import NEEDS
from ordeval.app.uploads import KINDS, LIMITS, Upload, example

STATE, UPLOAD = "study", "upload"
#: The fields, by the argument of `scan`, `evaluate` or `compare` that each gives.
LABELS = {
    "source": "A file with a column of true classes and one of predictions for each model",
    "true": "True classes",
    "pred": "Predictions (several are compared)",
    "labels": "The classes, lowest first: pick them in order",
    "missing": "A row without a prediction",
    "metric": "Scores",
    "primary": "The score that decides",
    "confidence_level": "Confidence of the intervals",
    "cluster": "Rows that belong together, such as those of a patient",
}


def page() -> None:
    frame.heading(
        "How good are these predictions, and which model is better?",
        "Every score comes with an interval, every row that was left out with its reason.  The order of the classes is yours to give: it is "
        "never guessed.",
    )
    upload = _source(frame.open_link(STATE, LINK))
    study: Study = st.session_state[STATE]
    if upload is None:
        st.info("Choose a file above.  " + LIMITS)
        return
    columns = frame.session_cache("columns", upload, upload.columns)
    study = st.session_state[STATE] = _set_up(upload, study, columns)
    if not study.order:
        return
    rows_of = (upload, study.true, study.preds, study.order, study.missing, study.cluster)
    counts = frame.session_cache("counts", rows_of, lambda: study.counts(upload))
    _audit(counts)
    with st.spinner("computing intervals"):
        (_several if study.several else _one)(study, counts, upload)
    frame.cards(study.scores)
    bundled = study.source == "example"
    note = "The command reads the example as a file; download it here:" if bundled else ""
    frame.ending(study.recipe(upload.name, counts), LINK.write(study), note)
    if bundled:
        st.download_button("triage.csv", upload.data, "triage.csv", "text/csv", on_click="ignore")
    else:
        st.caption("The link holds the choices, not the rows: whoever opens it chooses the file again.")


# Rows


def _source(study: Study) -> Upload | None:
    def switch() -> None:
        chosen = st.session_state["source"]
        _start_from(EXAMPLE if chosen == "example" else _fresh(st.session_state.get(UPLOAD)))

    def take() -> None:
        given = st.session_state["file"]
        if given is not None:
            upload = st.session_state[UPLOAD] = Upload(given.name, given.getvalue())
            old: Study = st.session_state[STATE]
            fits = {old.true, *old.preds} <= set(_columns(upload))  # as after opening a link
            _start_from(replace(old, source="file") if fits else _fresh(upload))

    frame.start_with("source", study.source)
    st.radio("Rows from", list(SOURCES), format_func=SOURCES.__getitem__, key="source", on_change=switch, horizontal=True)
    if st.session_state["source"] == "example":
        return example()
    st.file_uploader(LABELS["source"], type=list(KINDS), key="file", on_change=take, help=LIMITS)
    frame.add_field("source", LABELS["source"])
    st.caption(LIMITS)
    upload: Upload | None = st.session_state.get(UPLOAD)
    return upload


def _columns(upload: Upload) -> tuple[str, ...]:
    try:
        return upload.columns()
    except (ValueError, OSError):
        return ()


def _fresh(upload: Upload | None) -> Study:
    columns = () if upload is None else _columns(upload)
    return state.first_study(columns) if len(columns) > 1 else Study("", ())


def _start_from(study: Study) -> None:
    """Another study: the widgets start again from it."""
    st.session_state[STATE] = study
    for argument in LABELS:
        st.session_state.pop(f"study_{argument}", None)


# What to score


def _field(
    place: Any, kind: str, argument: str, start: Any, *args: Any, words: Mapping[str, str] | None = None, **options: Any
) -> Any:
    """A widget of the study, and the place beside it; it starts from the study, then it is the visitor's."""
    frame.start_with(f"study_{argument}", start)
    if words is not None:
        options["format_func"] = words.__getitem__
    value = getattr(place, kind)(LABELS[argument], *args, key=f"study_{argument}", **options)
    frame.add_field(argument, LABELS[argument], place, words)
    return value


def _set_up(upload: Upload, study: Study, columns: tuple[str, ...]) -> Study:
    if len(columns) < 2:
        raise ValueError(f"{upload.name} has {len(columns)} column; a truth and a prediction are needed")
    with st.expander("Columns, order, scores", expanded=True):
        one, two = st.columns(2, gap="large")
        true = _field(one, "selectbox", "true", study.true if study.true in columns else columns[0], columns)
        others = [column for column in columns if column != true]
        frame.start_with("study_pred", [pred for pred in study.preds if pred in others] or others[:1])
        st.session_state["study_pred"] = [pred for pred in st.session_state["study_pred"] if pred in others]
        preds = tuple(_field(two, "multiselect", "pred", None, others))
        if not preds:
            st.info("Choose at least one column of predictions.")
            return replace(study, true=true, preds=(), order=())
        classes, has_order = frame.session_cache("classes", (upload, true, preds), lambda: upload.classes(true, preds))
        order = _order(study, classes, has_order)
        missing = _field(one, "radio", "missing", study.missing, list(MISSING), words=MISSING)
        known = oe.catalogue(needs=NEEDS)
        titles = {str(metric): metric.title for metric in known}
        metrics = tuple(_field(two, "multiselect", "metric", list(study.metrics), list(titles), words=titles))
        primary = study.primary
        if len(preds) > 1:
            with_direction = [str(metric) for metric in known if isinstance(metric.direction, str)]
            primary = _field(two, "selectbox", "primary", primary, with_direction, words=titles)
        level = _field(one, "selectbox", "confidence_level", study.level, LEVELS, format_func=lambda share: f"{100 * share:g} %")
        rest = [column for column in others if column not in preds]
        cluster = study.cluster if study.cluster in rest else None
        cluster = _field(two, "selectbox", "cluster", cluster, rest, index=None, placeholder="none do")
    return Study(true, preds, order, missing, metrics or EXAMPLE.metrics, primary, level, cluster, study.source)


def _order(study: Study, classes: tuple[str, ...], known: bool) -> tuple[str, ...]:
    """The classes in the order that the visitor gives."""
    start = list(state.ordered(study.order, classes, known))
    every = tuple(dict.fromkeys([*start, *classes]))
    if not set(st.session_state.get("study_labels", [])) <= set(every):
        st.session_state["study_labels"] = start

    def turn() -> None:
        st.session_state["study_labels"] = st.session_state["study_labels"][::-1]

    chosen = _field(
        st,
        "multiselect",
        "labels",
        start,
        every,
        placeholder="pick the lowest class first",
        help="Take a class out and pick it again to move it to the end.",
    )
    missing = [label for label in classes if label not in chosen]
    if missing:
        few = ", ".join(missing[:8]) + (" …" if len(missing) > 8 else "")
        st.warning(escape(f"Text has no order of its own.  Still to pick, lowest first: {few}."))
        return ()
    st.markdown(f"Taken as: {' < '.join(escape(label) for label in chosen)}")
    st.button("Turn upside down", on_click=turn)
    return tuple(chosen)


# What comes out


def _audit(counts: oe.Counts) -> None:
    st.markdown("**What was read**")
    st.text(str(counts.audit))
    with st.expander("Rows of each class, and what a careless tool would have made of them"):
        axes = ["true", *counts.models]
        rows = {"class": [str(label) for label in counts.scale.labels]} | {
            f"n{i}": counts.table(axis) for i, axis in enumerate(axes)
        }
        names = {f"n{i}": st.column_config.NumberColumn(axis, format="localized") for i, axis in enumerate(axes)}
        st.dataframe(rows, hide_index=True, column_config=names, alt="Rows of each true class, and of each predicted one")
        for model in counts.models:
            for pitfall in oe.choose.pitfalls(counts[model]):
                st.markdown(escape(f"{model}: {pitfall}"))


def _details(counts: oe.Counts) -> None:
    one, two = st.columns(2, gap="large")
    with one:
        frame.confusion(f"table_{id(counts)}", counts)
        frame.figure(oe.plot.CutDisplay.from_counts(counts))
    with two:
        frame.figure(oe.plot.ErrorProfileDisplay.from_counts(counts))


def _one(study: Study, counts: oe.Counts, upload: Upload) -> None:
    result = frame.session_cache("evaluation", (upload, study), lambda: study.evaluate(counts))
    st.header("The scores", anchor=False)
    frame.figure(oe.plot.ForestDisplay.from_evaluation(result))
    _numbers({study.preds[0]: result})
    _details(counts[study.preds[0]])
    _downloads(result, upload)


def _several(study: Study, counts: oe.Counts, upload: Upload) -> None:
    result = frame.session_cache("comparison", (upload, study), lambda: study.compare(counts))
    st.header("The verdict", anchor=False)
    for sentence in result.verdict.split("  "):
        st.success(escape(sentence))
    for pair in result.differences:
        st.markdown(escape(f"{str(result.flips[pair]).splitlines()[0]}  {result.dominance[pair].by_class}"))
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
    st.header("One model by itself", anchor=False)
    model = st.selectbox("Which model?", study.preds, key="study_model")
    _details(counts[model])
    _downloads(result, upload)


def _downloads(result: oe.Evaluation | oe.Comparison, upload: Upload) -> None:
    stem = state.file_stem(upload.name)
    with st.container(horizontal=True):  # each is made when it is asked for
        st.download_button("Report (HTML)", result.to_html, f"{stem}-report.html", "text/html", on_click="ignore")
        st.download_button("Numbers (JSON)", result.to_json, f"{stem}.json", "application/json", on_click="ignore")
        st.download_button("Table (Markdown)", result.to_markdown, f"{stem}.md", "text/markdown", on_click="ignore")


def _numbers(evaluations: Mapping[str, oe.Evaluation]) -> None:
    """The scores as a table: what the chart shows, for those who cannot see it and for narrow screens."""
    import pandas as pd

    rows = [
        {
            "score": frame.title_of(text),
            "model": model,
            **{name: getattr(evaluation.scores[text], name) for name in ("value", "low", "high")},
        }
        for text in next(iter(evaluations.values())).scores
        for model, evaluation in evaluations.items()
    ]
    numbers = {name: st.column_config.NumberColumn(name, format="%.3f") for name in ("value", "low", "high")}
    with st.expander("The numbers as a table"):
        st.dataframe(
            pd.DataFrame(rows), hide_index=True, column_config=numbers, placeholder="–", alt="Scores with their intervals"
        )
