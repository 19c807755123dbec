"""Evaluate: an investigation of a file, from what its columns are to a verdict, what contradicts it, and the rows behind every number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, pieces
from ordeval.app import evaluate_state as state
from ordeval.app.escape import escape
from ordeval.app.evaluate_state import EXAMPLE, LEVELS, LINK, MISSING, SOURCES, Study
from ordeval.app.roles import no_common_values
from ordeval.app.score_table import NEEDS
from ordeval.app.screens import inside
from ordeval.app.screens.waiting import result_of
from ordeval.app.study_files import as_study_file, from_study_file
from ordeval.app.uploads import KINDS, LIMITS, Upload, example
from ordeval.app.verdicts import Verdict, one_model, pairwise, two_models
from ordeval.study import Roles, Values, guess_roles

STATE, UPLOAD = "study", "upload"
#: The fields, by the argument of `scan`, `evaluate` or `compare` that each gives.
LABELS = {
    "source": "A file with a column of true classes and one of predictions for each model",
    "true": "True classes",
    "pred": "Predictions (several are compared)",
    "labels": "The classes, lowest first",
    "missing": "A row without a prediction",
    "metric": "Scores",
    "primary": "The score that decides",
    "confidence_level": "Confidence of the intervals",
    "cluster": "Rows that belong together, such as those of a patient",
}


def page() -> None:
    frame.heading(
        "How good are these predictions, and which model is better?",
        "Bring a file, or look at the bundled emergency visits.  You get a verdict in words, what contradicts it, and the rows behind every "
        "number.  The order of the classes is yours to give: it is never guessed.",
    )
    frame.widgets_of(STATE, "source", *(f"study_{argument}" for argument in LABELS), "study_by")
    upload = _source(frame.open_link(STATE, LINK))
    study: Study = st.session_state[STATE]
    if upload is None:
        st.info("Choose a file above.  " + LIMITS)
        frame.follow(LINK.write(study))
        return
    columns = frame.session_cache("columns", upload.digest, upload.columns)
    values = frame.session_cache("values", upload.digest, upload.values)
    roles = frame.session_cache("roles", upload.digest, lambda: guess_roles(values))
    study = st.session_state[STATE] = _set_up(upload, study, columns, values, roles)
    if not study.order:
        frame.follow(LINK.write(study))
        return
    rows_of = (upload.digest, study.true, study.preds, study.order, study.missing, study.cluster)
    counts = frame.session_cache("counts", rows_of, lambda: study.counts(upload))
    result = result_of(upload.digest, study, counts)
    if result is not None:
        _investigate(study, counts, result, upload, values, roles)
    bundled = study.source == "example"
    note = "The command reads the example as a file; download it at the end of the page." if bundled else ""
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
        if given is not None and given.name.lower().endswith(".toml"):
            try:
                _start_from(from_study_file(given.getvalue()))
            except oe.ArgumentError as error:
                frame.refuse_edit(error)
        elif given is not None:
            upload = st.session_state[UPLOAD] = Upload(given.name, given.getvalue())
            old: Study = st.session_state[STATE]
            fits = {old.true, *old.preds} <= set(_columns(upload))  # as after opening a link
            fresh = replace(_fresh(upload), metrics=old.metrics, primary=old.primary)
            _start_from(replace(old, source="file") if fits and old.true else fresh)

    frame.start_with("source", study.source)
    st.radio("Rows from", list(SOURCES), format_func=SOURCES.__getitem__, key="source", on_change=switch, horizontal=True)
    if st.session_state["source"] == "example":
        return example()
    st.file_uploader(
        LABELS["source"], type=[*KINDS, "toml"], key="file", on_change=take, help=f"{LIMITS}  Or a study.toml, then its rows."
    )
    frame.add_field("source", LABELS["source"])
    frame.add_field("study", LABELS["source"])
    upload: Upload | None = st.session_state.get(UPLOAD)
    return upload


def _columns(upload: Upload) -> tuple[str, ...]:
    try:
        return upload.columns()
    except (ValueError, OSError):
        return ()


def _fresh(upload: Upload | None) -> Study:
    """A study of a file as its columns suggest it."""
    columns = () if upload is None else _columns(upload)
    if upload is None or len(columns) < 2:
        return Study("", ())
    return state.first_study(columns, guess_roles(upload.values()))


def _start_from(study: Study) -> None:
    """Another study: the widgets start again from it."""
    st.session_state[STATE] = study
    for key in ("study_rows_cell", "costs"):
        st.session_state.pop(key, None)
    frame.renew(STATE)


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


def _set_up(upload: Upload, study: Study, columns: tuple[str, ...], values: Mapping[str, Values], roles: Roles) -> Study:
    if len(columns) < 2:
        raise ValueError(f"{upload.name} has {len(columns)} column; a truth and a prediction are needed")
    if not study.true or not study.preds:
        said = no_common_values(values) if values and not roles.true else "Choose the column of the truth and one of the answers."
        st.info(escape(said))
    else:
        st.markdown(_sentence(study, roles, columns))
    with st.expander("Change what the columns are, and which scores", expanded=not (study.true and study.preds)):
        one, two = st.columns(2, gap="large")
        usable = tuple(name for name in columns if name not in roles.ids or name in (study.true, *study.preds))
        true = _field(one, "selectbox", "true", study.true if study.true in columns else None, usable, index=None)
        others = [column for column in usable if column != true]
        frame.start_with("study_pred", [pred for pred in study.preds if pred in others])
        st.session_state["study_pred"] = [pred for pred in st.session_state["study_pred"] if pred in others]
        preds = tuple(_field(two, "multiselect", "pred", None, others))
        missing = _field(one, "radio", "missing", study.missing, list(MISSING), words=MISSING)
        known = oe.catalogue(needs=NEEDS)
        titles = {str(metric): metric.title for metric in known}
        metrics = tuple(_field(two, "multiselect", "metric", list(study.metrics), list(titles), words=titles))
        with_direction = [str(metric) for metric in known if isinstance(metric.direction, str)]
        primary = _field(two, "selectbox", "primary", study.primary, with_direction, words=titles)
        level = _field(one, "selectbox", "confidence_level", study.level, LEVELS, format_func=lambda share: f"{100 * share:g} %")
        rest = [column for column in others if column not in preds]
        cluster = study.cluster if study.cluster in rest else None
        cluster = _field(two, "selectbox", "cluster", cluster, rest, index=None, placeholder="none do")
    by = study.by if study.by in rest else None
    if true is None or not preds:
        return replace(study, true=true or "", preds=preds, order=())
    classes, has_order = frame.session_cache("classes", (upload.digest, true, preds), lambda: upload.classes(true, preds))
    order = _order(study, classes, has_order, (upload.digest, true, preds))
    return Study(true, preds, order, missing, metrics or EXAMPLE.metrics, primary, level, cluster, study.source, by)


def _sentence(study: Study, roles: Roles, columns: tuple[str, ...]) -> str:
    """What we think the file is."""
    names = ", ".join(f"**{escape(pred)}**" for pred in study.preds)
    parts = [f"Truth **{escape(study.true)}**", f"answers {names}"]
    if roles.proba:
        named = sorted(roles.proba, key=columns.index)
        parts.append(f"probabilities {escape(named[0])} … {escape(named[-1])}")
    if roles.slices:
        parts.append("slices by " + ", ".join(f"**{escape(name)}**" for name in roles.slices[:4]))
    if roles.clusters and study.cluster is None:
        parts.append(f"rows of one **{escape(roles.clusters[0])}** belong together?")
    unsure = "  Truth and answer could be exchanged: is this right?" if roles.unsure and study.true == roles.true else ""
    return "; ".join(parts) + "." * (not parts[-1].endswith("?")) + unsure


def _order(study: Study, classes: tuple[str, ...], known: bool, file: Any) -> tuple[str, ...]:
    """The classes in the visitor's order; text has none until the visitor says so."""
    given = state.ordered(study.order, classes, known)
    slot = f"order_shown_{hash(file)}"
    shown: tuple[str, ...] = given or st.session_state.get(slot, classes)

    def take(names: Any) -> None:
        if isinstance(names, list) and sorted(map(str, names)) == sorted(shown):
            st.session_state[slot] = tuple(names)
            if given:
                _keep(tuple(names))

    def confirm() -> None:
        _keep(shown)

    def turn() -> None:
        st.session_state[slot] = shown[::-1]
        st.session_state["order_version"] = st.session_state.get("order_version", 0) + 1
        if given:
            _keep(shown[::-1])

    title = f"The order: {' < '.join(shown)}" if given else "Is this lowest first?  Text has no order of its own"
    with st.expander(escape(title), expanded=not given):
        pieces.edit_order(f"order_{hash(file)}", shown, version=st.session_state.get("order_version", 0), take=take)
        with st.container(horizontal=True):
            if not given:
                st.button("Yes, this is the order, lowest first", on_click=confirm, type="primary")
            st.button("Turn upside down", on_click=turn)
    frame.add_field("labels", LABELS["labels"])
    return given


def _keep(order: tuple[str, ...]) -> None:
    st.session_state[STATE] = replace(st.session_state[STATE], order=order)


# What comes out


def _investigate(
    study: Study, counts: oe.Counts, result: Any, upload: Upload, values: Mapping[str, Values], roles: Roles
) -> None:
    slices = _sliced(study, upload, counts, roles)
    pair = _pair(study, result)
    if pair is None:
        _show_verdict(one_model(result, study.preds[0], study.primary), "What stands out")
    else:
        named = {_slice_column(study, roles): slices} if slices else None
        found = frame.session_cache("verdict", (pair, tuple(slices)), lambda: two_models(result, pair, named), of=result)
        _show_verdict(found, "But")
    chosen = list(pair or study.preds[:1])
    inside.tables(chosen, counts, study, values)
    by = replace(study, by=_slice_column(study, roles) or None)
    inside.slices(chosen, by, slices, lambda: _choose_slice(study, roles), lambda: by.sliced(upload))
    inside.costs(chosen, counts)
    st.header("The numbers", anchor=False)
    _numbers(result.evaluations if study.several else {study.preds[0]: result})
    _figures(study, counts, result, pair)
    _audit(counts)
    frame.cards(study.scores)
    _downloads(result, upload, study, counts)
    first = elsewhere.table_of(counts[chosen[0]], counts[chosen[1]] if len(chosen) > 1 else None)
    tables = [] if first is None else [elsewhere.to_playground(first), elsewhere.to_path(first), elsewhere.to_closeness(first)]
    proba = [frame.Way("Its probabilities", "probabilities")] if roles.proba else []
    frame.ways(*tables, *proba, frame.Way("Choose other scores", "choose"))


def _pair(study: Study, result: Any) -> tuple[str, str] | None:
    """The two models that are compared, where there are several."""
    if not study.several:
        return None
    pairs = list(result.differences)
    if len(pairs) == 1:
        only: tuple[str, str] = pairs[0]
        return only
    st.header("Which rank may each have?", anchor=False)
    frame.figure(oe.plot.RankDisplay.from_comparison(result))
    _every_pair(result)
    chosen: tuple[str, str] = st.selectbox(
        "Which two?", pairs, format_func=lambda names: f"{names[1]} against {names[0]}", key="study_pair"
    )
    return chosen


def _every_pair(result: oe.Comparison) -> None:
    """Every model against every other: the intervals hold all at once, so none is found by looking often enough."""
    import pandas as pd

    lines = frame.session_cache("every_pair", (), lambda: pairwise(result), of=result)
    signed = {name: st.column_config.NumberColumn(format="%+.3f") for name in ("difference", "low", "high")}
    st.dataframe(pd.DataFrame(lines), hide_index=True, column_config=signed, placeholder="–", alt="Every pair of models")
    level = 100 * result.settings["confidence_level"]
    st.caption(
        escape(
            f"Second less first by {frame.title_of(result.primary)}.  Simultaneous {level:g} % confidence intervals: they hold all at once."
        )
    )


def _choose_slice(study: Study, roles: Roles) -> None:
    def take() -> None:
        st.session_state[STATE] = replace(st.session_state[STATE], by=st.session_state["study_by"])

    names = [name for name in (*roles.slices, *roles.offered) if name not in (study.true, *study.preds)]
    if len(names) > 1:
        frame.start_with("study_by", _slice_column(study, roles))
        st.selectbox("Slice by", names, key="study_by", on_change=take)


def _slice_column(study: Study, roles: Roles) -> str:
    """The column to slice by: the visitor's, else the first that offers itself."""
    return study.by or next((name for name in roles.slices if name not in (study.true, *study.preds)), "")


def _sliced(study: Study, upload: Upload, counts: oe.Counts, roles: Roles) -> dict[str, oe.Counts]:
    """The counts of each slice, by the column that the visitor chose, or the first that offers itself."""
    study = replace(study, by=_slice_column(study, roles) or None)
    if study.by is None or counts.total > inside.MOST_ROWS:
        return {}
    key = (upload.digest, study.true, study.preds, study.order, study.missing, study.by)
    found: dict[str, oe.Counts] = frame.session_cache("slices", key, lambda: study.slices(upload))
    return found


def _show_verdict(verdict: Verdict, lead: str) -> None:
    """Verdict and contradiction in one box."""
    with st.container(border=True):
        st.header("The verdict", anchor=False)
        st.markdown(f"**{escape(verdict.sentence)}**")
        if verdict.but or verdict.clear:
            st.markdown(f"**{lead}:** {escape(verdict.against)}" if verdict.but else escape(verdict.against))
        if verdict.undecided:
            st.markdown(escape(verdict.undecided))


def _figures(study: Study, counts: oe.Counts, result: Any, pair: tuple[str, str] | None) -> None:
    def make() -> list[frame.Drawing]:
        found: list[oe.plot.Display] = []
        if pair is None:
            found.append(oe.plot.ForestDisplay.from_evaluation(result))
        else:
            found += [oe.plot.DifferenceDisplay.from_comparison(result, pair), oe.plot.FlipsDisplay.from_comparison(result, pair)]
        kinds = (oe.plot.ErrorProfileDisplay, oe.plot.CutDisplay)
        found += [kind.from_counts(counts[name]) for kind in kinds for name in pair or study.preds[:1]]
        return [frame.drawing(display) for display in found]

    one, two = st.columns(2, gap="large")
    for i, figure in enumerate(frame.session_cache("figures", pair, make, of=result)):
        with (one, two)[i % 2]:
            frame.figure(figure)


def _audit(counts: oe.Counts) -> None:
    box = st.expander("What was read, and what common mistakes in reading would change", key="audit_open", on_change="rerun")
    if not box.open:
        return
    with box:
        st.text(str(counts.audit))
        axes = ["true", *counts.models]
        rows = {"class": [str(label) for label in counts.scale.labels]} | {
            f"n{i}": counts.table(axis) for i, axis in enumerate(axes)
        }
        names = {f"n{i}": st.column_config.NumberColumn(axis, format="localized") for i, axis in enumerate(axes)}
        st.dataframe(rows, hide_index=True, column_config=names, alt="Rows of each true class, and of each predicted one")
        said = frame.session_cache(
            "pitfalls",
            (),
            lambda: [f"{model}: {pitfall}" for model in counts.models for pitfall in oe.choose.pitfalls(counts[model])],
            of=counts,
        )
        for sentence in said:
            st.markdown(escape(sentence))


def _downloads(result: oe.Evaluation | oe.Comparison, upload: Upload, study: Study, counts: oe.Counts) -> None:
    stem = state.file_stem(upload.name)
    st.header("Take it away", anchor=False)
    with st.container(horizontal=True):  # each is made when it is asked for
        st.download_button("Report (HTML)", result.to_html, f"{stem}-report.html", "text/html", on_click="ignore")
        st.download_button("Numbers (JSON)", result.to_json, f"{stem}.json", "application/json", on_click="ignore")
        st.download_button("Table (Markdown)", result.to_markdown, f"{stem}.md", "text/markdown", on_click="ignore")
        as_file = as_study_file(study, upload.name, counts)
        st.download_button("Study (study.toml)", as_file, "study.toml", "application/toml", on_click="ignore")
    st.caption("`ordeval report study.toml`, beside the file, gives the same; the study can also be opened above.")


def _numbers(evaluations: Mapping[str, oe.Evaluation]) -> None:
    """The scores as a table: for those who cannot see the charts, and for narrow screens."""
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
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=numbers, placeholder="–", alt="Scores with their intervals")
