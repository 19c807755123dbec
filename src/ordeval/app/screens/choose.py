"""Choose: a few questions, two or three metrics, with reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import frame, recipes
from ordeval.app.inert import inert

STATE = "answers"


def from_query(query: Mapping[str, str]) -> dict[str, Any]:
    """The word for every question; the first choice where the address says nothing."""
    return {question.name: question.answer(query.get(question.name)).word for question in oe.choose.QUESTIONS}


def page() -> None:
    frame.heading(
        "Six answers lead to two or three metrics",
        "Say what is true of your classes and readers; the advice changes as you answer.",
    )
    answers = frame.opened(STATE, from_query)
    left, right = st.columns([4, 5], gap="large")
    with left:
        for number, question in enumerate(oe.choose.QUESTIONS, 1):
            key = f"answer_{question.name}"
            frame.start_with(key, answers[question.name])
            means = {choice.word: choice.means for choice in question.choices}
            answers = {
                **answers,
                question.name: st.radio(f"{number}. {question.asks}", list(means), format_func=means.__getitem__, key=key),
            }
    st.session_state[STATE] = answers
    advice = oe.choose.advise(**answers)
    with right:
        _advice(advice)
    st.subheader("Code to copy", anchor=False)
    st.markdown("The labels and the two columns are yours to fill in.")
    st.code(advice.code, language="python")
    frame.ending(recipes.advice(answers), answers, "choose", "This advice again, with every reason:")


def _advice(advice: oe.types.Advice) -> None:
    for number, found in enumerate(advice.recommendations):
        with st.container(border=True):
            st.markdown(f"{'Decide with' if number == 0 else 'Beside it'} **{inert(found.title)}** · `{found.metric}`")
            lines = [f"- ✓ {inert(sentence)}" for sentence in found.reasons] + [
                f"- ✗ {inert(sentence)}" for sentence in found.misses
            ]
            st.markdown("\n".join(lines))
            with st.popover("What is it?"):
                frame.card(oe.get_metric(found.metric))
    st.caption("✓ speaks for it, ✗ is what it misses; every sentence rests on a law or a measurement.")
