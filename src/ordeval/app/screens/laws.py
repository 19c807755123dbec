"""Laws: what a metric promises, and the smallest table on which it breaks its promise."""

from __future__ import annotations

import streamlit as st

import ordeval as oe
from ordeval.app import frame, recipes
from ordeval.app.inert import inert
from ordeval.app.laws_state import EXAMPLES, breach_counts, example_counts, from_query, judgeable, judged, shown, table
from ordeval.metrics.core.docs import direction
from ordeval.show._numbers import number

STATE = "law"


def page() -> None:
    frame.heading(
        "Does the metric keep its promises?",
        "A law is something that a metric may promise.  Every small table is tried: either no case breaks the law, or the smallest one that does "
        "is shown.",
    )
    metric, law = frame.opened(STATE, from_query)
    left, right = st.columns(2, gap="large")
    titles = {str(known): known.title for known in judgeable()}
    frame.start_with("law_metric", metric)
    frame.start_with("law_name", law)
    metric = left.selectbox("Metric", list(titles), format_func=lambda text: f"{titles[text]} ({text})", key="law_metric")
    law = right.selectbox(
        "Law", list(oe.laws.LAWS), format_func=lambda name: f"{name.replace('_', ' ')}: {oe.laws.LAWS[name]}", key="law_name"
    )
    st.session_state[STATE] = (metric, law)
    with st.spinner("trying every small table"):
        report = judged(metric, law)
    _verdict(report, law)
    frame.cards([metric], "What is the metric?")
    _examples(oe.get_metric(metric))
    _table()
    frame.ending(recipes.laws(metric, law), {"metric": metric, "law": law}, "laws")


def _verdict(report: oe.types.LawReport, name: str) -> None:
    verdict = report[name]
    law = verdict.definition
    whose = f" ({law.source})" if law.cite else ""
    st.markdown(f"**The law**{inert(whose)}: {inert(law.statement)}.")
    with st.expander("As a formula, and how else it can be read"):
        st.text(law.formal)
        for reading in report.readings[name].values():
            said = f"{reading.read.words}: " if reading.read.words else ""
            st.markdown(f"- {inert(said + reading.sentence)}")
    words = f"{verdict.read.words}: " if verdict.read.words else ""
    sentence = inert(f"{verdict.sign} {words}{verdict}.")
    (st.success if verdict.holds else st.warning if verdict.breach is not None else st.info)(sentence)
    if verdict.breach is None:
        return
    st.markdown(f"The smallest counter-example: {verdict.breach}")
    breach = verdict.breach
    sides = zip(breach.names, breach.notes, breach_counts(breach), breach.score_texts, strict=False)
    for place, (side, note, counts, score) in zip(st.columns(max(len(breach.names), 2)), sides, strict=False):
        with place:
            st.metric(f"{side or 'answer'}{': ' + note if note else ''}", score, border=True)
            frame.figure(oe.plot.ConfusionDisplay.from_counts(counts, cells="counts"))


def _examples(metric: oe.Metric) -> None:
    st.subheader("Three properties that CEM was made for", anchor=False)
    st.markdown(
        "Reviews of papers from reject to accept, truth in rows.  A blog on CEM shows two of these examples with truth and prediction "
        "exchanged, and so reads the third property the other way round: here they stand as the paper means them."
    )
    if "edges" in metric.needs:
        st.info("This metric needs the lengths of the classes, and grades of a review have none.")
        return
    for example in EXAMPLES:
        found = shown(example, metric)
        with st.container(border=True):
            st.markdown(f"**{example.title}**  {'✓' if found.kept else '✗'} {found.sentence}")
            sides = ((example.first, example.first_words, found.first), (example.second, example.second_words, found.second))
            for place, (cells, words, score) in zip(st.columns(2), sides, strict=True):
                with place:
                    st.metric(words, number(score, 4), help=f"{metric.title} {direction(metric)}")
                    frame.figure(oe.plot.ConfusionDisplay.from_counts(example_counts(cells), cells="counts"))


def _table() -> None:
    import pandas as pd

    st.subheader("All metrics and all laws", anchor=False)
    with st.spinner("collecting the records"):
        found = table()
    rows = {"metric": list(found.reports)}
    rows |= {law: [report[law].sign for report in found.reports.values()] for law in found.laws}
    columns = {
        law: st.column_config.TextColumn(law.replace("_", " "), help=oe.laws.LAWS[law], width="small") for law in found.laws
    }
    columns["metric"] = st.column_config.TextColumn("metric", pinned=True)
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config=columns,
        height=420,
        alt="Every metric by every law: kept, broken, or not applicable",
    )
    st.caption(
        "✓ no counter-example with up to 4 classes and 5 rows, or proved; ✗ broken; · does not apply; ? cannot be judged.  "
        "Point at a name above a column to read the law."
    )
