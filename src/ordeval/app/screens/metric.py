"""The card of a metric: what it asks, its formula, what it promises and what it breaks, when it misleads, who proposed it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, recipes
from ordeval.app import laws_state as laws
from ordeval.app.escape import escape
from ordeval.app.links import Link, Part
from ordeval.app.presets import FIRST
from ordeval.app.score_table import NEEDS, value_of
from ordeval.app.tables import Table

STATE = "metric"
#: Where the story speaks of a metric.
STEPS = {"accuracy": 1, "mae": 2, "cem": 4, "kendall_tau": 5, "cohen_kappa": 5}


@dataclass(frozen=True)
class Card:
    """Which metric is shown."""

    name: str = "cem"


def _name(text: str) -> str:
    try:
        return str(oe.get_metric(text))
    except (ValueError, TypeError):
        raise ValueError("there is no such metric") from None


LINK = Link(Card(), Card, {"name": Part("name", _name)})


def page() -> None:
    card = frame.open_link(STATE, LINK)
    metric = oe.get_metric(card.name)
    frame.heading(
        f"{metric.title}: {escape(metric.plain)}" if metric.plain else metric.title,
        f"{escape(metric.summary)}  In Python: `{metric}`",
    )
    _formula(metric)
    _facts(metric)
    _promises(metric)
    steps = [elsewhere.to_learn(STEPS[metric.name], "In the story")] if metric.name in STEPS else []
    also = [elsewhere.to_metric(name) for name in metric.see]
    frame.ways(elsewhere.to_evaluate([card.name], "Evaluate a file with it"), *steps, *also)
    frame.ending(recipes.explain(card.name), LINK.write(card))


def _formula(metric: oe.Metric) -> None:
    st.header("The formula", anchor=False)
    if metric.formula:
        st.latex(metric.formula)
    if metric.formula_text:
        st.code(metric.formula_text.strip(), language=None, wrap_lines=True)
    if not metric.needs - set(NEEDS):
        table: Table = st.session_state.get("table", FIRST)
        value = oe.show.number(value_of(metric, table.counts))
        st.markdown(f"On the table that stands in the playground it is **{value}**.")
        frame.ways(elsewhere.to_playground(table), lead="")


def _facts(metric: oe.Metric) -> None:
    st.header("How to read it", anchor=False)
    lines = {
        "better": "Better",
        "bounds": "Range",
        "undefined": "Undefined",
        "ignores": "It ignores",
        "parameter": "Parameter",
    }
    given = [f"- {lines[name]}: {_words(said)}" for name, said in metric.facts() if name in lines]
    st.markdown("\n".join(given))
    if metric.misleads:
        st.markdown("**It misleads when**")
        st.markdown("\n".join(f"- {_words(text)}" for text in metric.misleads))
    for name, said in metric.facts():
        if name == "paper":
            st.markdown(f"**Paper**: {_words(said)}")


def _promises(metric: oe.Metric) -> None:
    table = laws.law_table()
    text = str(metric)
    st.header("Promises kept and broken", anchor=False)
    if text not in table.reports:
        st.markdown("No law is recorded for this metric: laws speak of tables of counts.")
        return
    report = table.reports[text]
    for kept, title in ((True, "Kept"), (False, "Broken")):
        names = [law for law in table.laws if report[law].holds is kept]
        if names:
            st.markdown(f"**{title}**")
            st.markdown(
                "\n".join(
                    f"- {'✓' if kept else '✗'} {escape(law.replace('_', ' '))}: {escape(oe.laws.LAWS[law])}" for law in names
                )
            )
        if names and not kept:
            frame.ways(
                *(elsewhere.to_laws(text, law, law.replace("_", " ")) for law in names),
                lead="The smallest counter-example of each",
            )


def _words(text: str) -> str:
    """A fact as Markdown: code stays code, every other sign stands for itself."""
    return "".join(f"`{part}`" if i % 2 else escape(part) for i, part in enumerate(text.split("`")))
