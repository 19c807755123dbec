"""Laws: what a metric promises, and the smallest table on which it breaks its promise."""

from __future__ import annotations

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, recipes
from ordeval.app import laws_state as state
from ordeval.app.escape import escape
from ordeval.app.laws_state import EXAMPLES, LINK, Question

STATE = "law"


def page() -> None:
    frame.heading(
        "Does the metric keep its promises?",
        "A law is something that a metric may promise.  Every small table is tried: either no case breaks the law, or the smallest one that does "
        "is shown.",
    )
    frame.widgets_of(STATE, "law_metric", "law_name")
    asked = frame.open_link(STATE, LINK)
    left, right = st.columns(2, gap="large")
    titles = {str(metric): metric.title for metric in oe.catalogue(needs=state.NEEDS)}
    frame.start_with("law_metric", asked.metric)
    frame.start_with("law_name", asked.law)
    metric = left.selectbox("Metric", list(titles), format_func=lambda text: f"{titles[text]} ({text})", key="law_metric")
    law = right.selectbox("Law", list(oe.laws.LAWS), format_func=lambda name: name.replace("_", " "), key="law_name")
    asked = st.session_state[STATE] = Question(metric, law)
    with st.spinner("trying every small table"):
        report = state.law_report(metric, law)
    _verdict(report, law)
    frame.cards([metric], "What is the metric?")
    _examples(oe.get_metric(metric))
    _table()
    frame.ways(elsewhere.to_learn(5, "Three promises, with people"), elsewhere.to_metric(metric, "What the metric is"))
    frame.ending(recipes.laws(metric, law), LINK.write(asked))


def _verdict(report: oe.types.LawReport, name: str) -> None:
    verdict = report[name]
    law = verdict.definition
    st.markdown(f"**The law**{escape(f' ({law.source})' if law.cite else '')}: {escape(law.statement)}.")
    with st.expander("As a formula, and how else it can be read"):
        st.text(law.formal)
        for reading in report.readings[name].values():
            st.markdown(f"- {escape(_read(reading))}")
    sentence = escape(f"{verdict.sign} {_read(verdict)}.")
    (st.success if verdict.holds else st.warning if verdict.breach is not None else st.info)(sentence)
    breach = verdict.breach
    if breach is None:
        return
    st.markdown(f"The smallest counter-example: {breach.sentence}")
    sides = zip(breach.names, breach.notes, state.breach_counts(breach), breach.score_texts, strict=False)
    for place, (side, note, counts, score) in zip(st.columns(max(len(breach.names), 2)), sides, strict=False):
        with place:
            st.metric(f"{side or 'answer'}{': ' + note if note else ''}", score, border=True)
            frame.confusion(f"breach_{side}", counts, side)
    if table := elsewhere.tables_of_breach(breach):
        frame.ways(elsewhere.to_playground(table, "Open both tables in the playground"), lead="")


def _read(verdict: oe.laws.LawVerdict) -> str:
    return f"{verdict.read.words}: {verdict.sentence}" if verdict.read.words else verdict.sentence


def _examples(metric: oe.Metric) -> None:
    st.header("Three properties that CEM was made for", anchor=False)
    st.markdown(
        "Reviews of papers from reject to accept, truth in rows.  A blog on CEM shows two of these examples with truth and prediction "
        "exchanged, and so reads the third property the other way round; its author notes “There is an inconsistency in my interpretation "
        "and the original paper. I have contacted the author for advice”.  Here they stand as the paper means them."
    )
    if "edges" in metric.needs:
        st.info("This metric needs the lengths of the classes, and grades of a review have none.")
        return
    for example in EXAMPLES:
        scored = state.score_example(example, metric)
        with st.container(border=True):
            st.markdown(f"**{example.title}**  {'✓' if scored.kept else '✗'} {scored.sentence}")
            sides = ((example.first, example.first_words, scored.first), (example.second, example.second_words, scored.second))
            for place, (cells, words, score) in zip(st.columns(2), sides, strict=True):
                with place:
                    st.metric(words, oe.show.number(score, 4), help=f"{metric.title} {metric.arrow}")
                    frame.confusion(f"example_{example.title}_{words}", state.example_counts(cells))


def _table() -> None:
    import pandas as pd

    st.header("All metrics and all laws", anchor=False)
    with st.spinner("collecting the records"):
        table = state.law_table()
    text = st.column_config.TextColumn
    rows = {"metric": list(table.reports)}
    rows |= {law: [report[law].sign for report in table.reports.values()] for law in table.laws}
    columns = {law: text(law.replace("_", " "), help=oe.laws.LAWS[law], width="small") for law in table.laws}
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={**columns, "metric": text("metric", pinned=True)},
        height=420,
        alt="Every metric by every law: kept, broken, or not applicable",
    )
    st.caption(
        "✓ no counter-example with up to 4 classes and 5 rows, or proved; ✗ broken; · does not apply; ? cannot be judged.  "
        "Point at a name above a column to read the law."
    )
