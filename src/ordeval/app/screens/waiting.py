"""The scores of a study: at once where that is quick, else from a process of its own, with progress and Stop."""

from __future__ import annotations

from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import frame
from ordeval.app.escape import escape
from ordeval.app.evaluate_state import Study
from ordeval.app.jobs import Job, is_heavy
from ordeval.app.score_table import value_of

JOB = "job"


@st.cache_resource(max_entries=64, show_spinner=False)
def _computed(digest: str, study: str, _study: Study, _counts: oe.Counts) -> oe.Evaluation | oe.Comparison:
    """Results by the file's content and the study: two visitors with the same file share one."""
    return computed(_study, _counts)


def computed(study: Study, counts: oe.Counts) -> oe.Evaluation | oe.Comparison:
    return study.compare(counts) if study.several else study.evaluate(counts)


def points(text: str, counts: oe.Counts) -> dict[str, float]:
    """One score of every model, without its interval."""
    return {model: value_of(oe.get_metric(text), counts[model]) for model in counts.models}


def _stop_all(held: dict[Any, Job]) -> None:
    for job in held.values():
        job.stop()


@st.cache_resource(scope="session", show_spinner=False, on_release=_stop_all)
def _jobs() -> dict[Any, Job]:
    """The jobs of this session; they end with it."""
    return {}


def result_of(digest: str, study: Study, counts: oe.Counts) -> Any:
    """The result, or None while it is computed elsewhere."""
    if not is_heavy(counts):
        with st.spinner("computing intervals"):
            return _computed(digest, repr(study), study, counts)
    held, key = _jobs(), (digest, repr(study))
    for other in [other for other in held if other != key]:
        held.pop(other).stop()  # what was asked before is no longer wanted
    if key not in held:
        steps = [(points, (text, counts)) for text in study.scores]
        held[key] = Job([*steps, (computed, (study, counts))])
    job = held[key]
    if job.state == "done":
        return job.results[-1]
    _progress(key)
    return None


def _forget(key: Any) -> None:
    _jobs().pop(key, None)


@st.fragment(run_every=0.5)
def _progress(key: Any) -> None:
    """How far it is, what is there already, and a way to stop it."""
    job = _jobs().get(key)
    if job is None:
        return
    scores = len(job.steps) - 1
    if job.state == "done":
        st.rerun()
    elif job.state == "failed":
        st.error(escape(f"The scores could not be computed: {job.problem}."))
    elif job.state == "stopped":
        st.info("Stopped.")
    else:
        there = min(len(job.results), scores)
        words = (
            "waiting for others to finish"
            if job.state == "waiting"
            else f"{there} of {scores} scores"
            if there < scores
            else "intervals"
        )
        st.progress(job.share, words)
        st.button("Stop", on_click=job.stop, key="stop_job")
    if job.is_over and job.state != "done":
        st.button("Try again", on_click=_forget, args=(key,), key="again_job")
    if job.results and job.state != "done":
        lines = [
            f"- {escape(frame.title_of(str(text)))}: {escape(', '.join(f'{model} {oe.show.number(value)}' for model, value in found.items()))}"
            for (_, (text, *_)), found in zip(job.steps, job.results[:scores], strict=False)
        ]
        st.markdown("\n".join(lines))
