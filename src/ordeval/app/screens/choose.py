"""Choose: a few questions, two or three metrics, with reasons."""

from __future__ import annotations

from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, recipes
from ordeval.app.escape import escape
from ordeval.app.links import Link, Part

STATE = "answers"


def _answers(**given: str) -> dict[str, Any]:
    """The word for every question; the first choice where the address says nothing."""
    return {question.name: question.answer(given.get(question.name)).word for question in oe.choose.QUESTIONS}


LINK = Link(_answers(), _answers, {question.name: Part(question.name) for question in oe.choose.QUESTIONS})


def page() -> None:
    frame.heading(
        "Six answers lead to two or three metrics",
        "Say what is true of your classes and readers; the advice changes as you answer.",
    )
    frame.widgets_of(STATE, *(f"answer_{question.name}" for question in oe.choose.QUESTIONS))
    opened = frame.open_link(STATE, LINK)
    answers = dict(opened)
    left, right = st.columns([4, 5], gap="large")
    with left:
        for place, question in enumerate(oe.choose.QUESTIONS, 1):
            key = f"answer_{question.name}"
            frame.start_with(key, answers[question.name])
            means = {choice.word: choice.means for choice in question.choices}
            answers[question.name] = st.radio(f"{place}. {question.asks}", list(means), format_func=means.__getitem__, key=key)
    st.session_state[STATE] = answers
    advice = oe.choose.advise(**answers)
    with right:
        _advice(advice)
    st.header("Code to copy", anchor=False)
    st.markdown("The labels and the two columns are yours to fill in.")
    st.code(advice.code, language="python", wrap_lines=True)
    advised = [one.metric for one in advice.recommendations]
    frame.ways(elsewhere.to_evaluate(advised), *(elsewhere.to_metric(text) for text in advised))
    frame.ending(recipes.advice(answers), LINK.write(answers), "This advice again, with every reason:")


def _advice(advice: oe.types.Advice) -> None:
    for place, advised in enumerate(advice.recommendations):
        with st.container(border=True):
            st.markdown(f"{'Beside it' if place else 'Decide with'} **{escape(advised.title)}** · `{advised.metric}`")
            sentences = [("✓", sentence) for sentence in advised.reasons] + [("✗", sentence) for sentence in advised.misses]
            st.markdown("\n".join(f"- {sign} {escape(sentence)}" for sign, sentence in sentences))
            frame.ways(elsewhere.to_metric(advised.metric, "What is it?"), lead="")
    st.caption("✓ speaks for it, ✗ is what it misses; every sentence rests on a law or a measurement.")
