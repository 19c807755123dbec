"""Learn: seven screens, each with one thing to move and one sentence to take away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import streamlit as st

import ordeval as oe
from ordeval.app import elsewhere, frame, pieces
from ordeval.app import learn_state as state
from ordeval.app.closeness import FIRST as JOURNALS
from ordeval.app.escape import escape
from ordeval.app.frame import Way
from ordeval.app.laws_state import EXAMPLES, score_example
from ordeval.app.learn_state import LINK, MOODS, STEPS, Lesson
from ordeval.app.presets import GRADES
from ordeval.app.tables import Cells, Table, as_cells

STATE = "lesson"
PROX = r"\mathrm{prox}(p,t)=-\log_2\frac{n_p/2+\sum_{c\ \text{from}\ p\ \text{to}\ t,\ c\neq p}n_c}{N}"
CEM = r"\mathrm{CEM}=\frac{\sum_d \mathrm{prox}(s(d),g(d))}{\sum_d \mathrm{prox}(g(d),g(d))}"
#: Title, what is said, what to take away.
WORDS = (
    (
        "Accuracy is blind to distance",
        "Twenty patients stand in the column of their true grade; colour and shape are what the model called them.  All are right but one *red*, "
        "who is called *orange*.  Drag that patient's answer towards *green*, or focus the dot and press ← and →.",
        "Accuracy asks right or wrong; a red patient sent home costs it no more than one seen a little late.",
    ),
    (
        "MAE invents lengths",
        "The mean absolute error takes a number for each grade: green 1, yellow 2, orange 3, red 4.  Nobody measured them.  X calls three greens "
        "yellow, Y calls both reds orange.  Write another number beside *red* and see who wins.",
        "MAE needs numbers that nobody measured; another number, another winner.",
    ),
    (
        "Count the people between",
        "Reviewers of two journals.  In F most say *undecided*; in S hardly anybody does.  How close is the answer *weak accept* to the truth "
        "*weak reject*?  Count the people from one to the other: the fewer, the closer.  Change the class sizes, or click a pair.",
        "Two classes are close where few people stand between them.",
    ),
    (
        "CEM, worked on one row",
        "An answer earns its closeness to the truth in bits; a right answer earns the most.  CEM is what all answers earn, as a share of what "
        "right ones would.  Click a cell.",
        "An answer earns the closeness it reaches, out of the closeness of being right.",
    ),
    (
        "Three promises",
        "A score for ordered grades may promise three things.  Pick a promise and the metric that judges; two sets of reviews stand side by side.  "
        "Move a dot of the second and see whether the promise is still kept.",
        "CEM keeps three promises; accuracy, MAE and Kendall's tau each break at least one.",
    ),
    (
        "Many and few: the 90 % argument",
        "Neutral and positive hold 90 of 100 texts.  Between these two A errs 13 times and B 11; between negative and neutral A errs 6 times and "
        "B 13.  Move the share of *neutral*: in each class A and B keep their rates.",
        "CEM weighs an error by who stands between and by how rare the truth is: with other class sizes another model can win.",
    ),
    (
        "Where CEM misleads",
        "2,396 emergency visits.  By CEM the model is better than the nurse; of the 88 *reds* it finds fewer.  Say what an error with a red "
        "patient weighs.",
        "No score knows your harm: look at the table, at each class, at your costs.",
    ),
)


def page() -> None:
    frame.widgets_of(STATE, "lesson_red", "lesson_share", "lesson_weight", "lesson_promise", "lesson_judge", *_SIZES)
    lesson = frame.open_link(STATE, LINK)
    title, words, taken = WORDS[lesson.step - 1]
    frame.heading(title, words)
    SCREENS[lesson.step - 1](lesson)
    st.markdown(f"**{taken}**")
    _steps(lesson)
    frame.follow(LINK.write(st.session_state[STATE]))


def _steps(lesson: Lesson) -> None:
    def go(step: int) -> None:
        st.session_state[STATE] = replace(st.session_state[STATE], step=step, labels=(), cells=())
        frame.renew(STATE)

    with st.container(horizontal=True):
        st.button("← Back", on_click=go, args=(lesson.step - 1,), disabled=lesson.step == 1)
        st.button("Next →", on_click=go, args=(lesson.step + 1,), disabled=lesson.step == STEPS, type="primary")
    st.caption(f"Step {lesson.step} of {STEPS}")
    opened = [elsewhere.to_playground(table, "Open this in the playground") for table in [_table(lesson)] if table is not None]
    doors = [Way("Evaluate my file", "evaluate"), Way("Choose a metric", "choose")] if lesson.step == STEPS else []
    cards = {1: "accuracy", 2: "mae", 3: "cem", 4: "cem", 5: lesson.judge, 6: "cem", 7: "cem"}
    frame.ways(*opened, *doors, elsewhere.to_metric(cards[lesson.step]), lead="")
    if lesson.step == STEPS:
        st.caption(
            "This story follows a blog on the Closeness Evaluation Measure, and the paper of Amigó, Gonzalo, Mizzaro and Carrillo-de-Albornoz "
            "(ACL 2020) behind it."
        )


def _table(lesson: Lesson) -> Table | None:
    """What the playground opens with."""
    if lesson.step == 1:
        return Table(GRADES, lesson.patients)
    if lesson.step == 2:
        return Table(GRADES, state.X, state.Y)
    if lesson.step in (4, 6):
        labels, cells = lesson.worked
        return Table(labels, cells, state.B if cells == state.A else None)
    if lesson.step == 5:
        first, second = state.promise_tables(lesson.promise)
        return Table(JOURNALS.labels, first, _promised(lesson, second))
    return elsewhere.table_of(_visits().counts["model"], _visits().counts["nurse"]) if lesson.step == 7 else None


def _keep(**changes: Any) -> None:
    st.session_state[STATE] = replace(st.session_state[STATE], **changes)


def _number(value: float) -> str:
    return oe.show.number(value)


def _scores(*names: str, k: int) -> list[tuple[str, str, float, float]]:
    """For the bars: name, title, worst, best."""
    ends = {"mae": (k - 1.0, 0.0), "kendall_tau": (-1.0, 1.0), "cohen_kappa": (-1.0, 1.0)}
    return [(name, oe.get_metric(name).plain or oe.get_metric(name).title, *ends.get(name, (0.0, 1.0))) for name in names]


def _sent(table: Any, k: int) -> Cells | None:
    """A table that a visitor's page sent, if it is one."""
    try:
        return as_cells(table, k)
    except (ValueError, TypeError):
        return None


# 1


def _blind(lesson: Lesson) -> None:
    def take(table: Any) -> None:
        if (cells := _sent(table, len(GRADES))) is not None:
            _keep(labels=GRADES, cells=cells)

    def again() -> None:
        _keep(labels=(), cells=())
        frame.renew(STATE)

    names = ("accuracy", "mae", "cem")
    pieces.people("lesson_1", GRADES, lesson.patients, _scores(*names, k=4), version=frame.version(STATE), take=take)
    said = ", ".join(f"{oe.get_metric(name).plain} {_number(state.score(name, GRADES, lesson.patients))}" for name in names)
    st.markdown(f"Now: {escape(said)}.")
    st.button("Start again", on_click=again)


# 2


def _lengths(lesson: Lesson) -> None:
    frame.start_with("lesson_red", lesson.red)
    low, high = state.RED
    red = st.slider("The number written beside red (green 1, yellow 2, orange 3)", low, high, step=0.5, key="lesson_red")
    _keep(red=red)
    codes = (1, 2, 3, red)
    x, y = (state.coded_error(cells, codes) for cells in (state.X, state.Y))
    st.latex(r"\mathrm{MAE}=\frac{1}{N}\sum_{d}\left|\mathrm{code}(g(d))-\mathrm{code}(s(d))\right|")
    for place, name, error, cells in zip(st.columns(2), "XY", (x, y), (state.X, state.Y), strict=True):
        with place:
            st.metric(f"MAE of {name} (lower is better)", _number(error), border=True)
            scores = {text: _number(state.score(text, GRADES, cells)) for text in ("accuracy", "cem")}
            st.markdown(f"{name}: accuracy {scores['accuracy']}, CEM {scores['cem']} whatever the number.")
    even = state.even_code(state.X, state.Y, codes)
    who = "X and Y are equal" if x == y else f"{'X' if x < y else 'Y'} errs less"
    st.markdown(f"With {red:g} for red, {who}.  They are equal at {even:g}.")


# 3

_SIZES = tuple(f"lesson_size_{i}" for i in range(len(JOURNALS.labels)))


def _people_between(lesson: Lesson) -> None:
    def resize() -> None:
        sizes = tuple(int(st.session_state[key] or 0) for key in _SIZES)
        if sum(sizes):
            _keep(sizes=sizes)

    def journal(sizes: tuple[int, ...]) -> None:
        _keep(sizes=sizes)
        frame.renew(STATE)

    def click(cell: Any) -> None:
        place = _place(cell, len(JOURNALS.labels))
        if place is not None:
            _keep(pair=place)

    with st.container(horizontal=True):
        for name, sizes in JOURNALS.both.items():
            st.button(f"J{name[1:]}", on_click=journal, args=(sizes,))
    for place, key, label, size in zip(st.columns(len(_SIZES)), _SIZES, JOURNALS.labels, lesson.sizes, strict=True):
        frame.start_with(key, size)
        place.number_input(label, 0, state.MOST_SIZE, key=key, on_change=resize, step=1)
    counts = oe.Counts.from_matrix(
        [[n if i == j else 0 for j in range(5)] for i, n in enumerate(lesson.sizes)], labels=list(JOURNALS.labels)
    )
    bits = oe.parts.closeness_matrix(counts)
    texts = [["∞" if value == float("inf") else f"{value:.3f}" for value in row] for row in bits.tolist()]
    finite = [[0.0 if value == float("inf") else value for value in row] for row in bits.tolist()]
    caption = "Closeness in bits; click a pair"
    pieces.show_table(
        "lesson_pairs",
        JOURNALS.labels,
        finite,
        caption=caption,
        texts=texts,
        corner="truth ↓ answer →",
        pick=lesson.pair,
        take=click,
    )
    st.latex(PROX)
    _worked(lesson.sizes, *lesson.pair, JOURNALS.labels)


def _worked(sizes: tuple[int, ...], truth: int, answer: int, labels: tuple[str, ...]) -> None:
    """The formula with the visitor's numbers."""
    found = state.between(sizes, truth, answer)
    st.markdown(f"Answer *{escape(labels[answer])}*, truth *{escape(labels[truth])}*:")
    if not found.share > 0:
        st.markdown("Nobody stands there, so the two are as close as can be.")
        return
    above = " + ".join([rf"\tfrac{{{found.own}}}{{2}}", *map(str, found.others)])
    st.latex(rf"-\log_2\frac{{{above}}}{{{found.rows}}}=-\log_2 {found.share:.3f}")
    st.latex(rf"={found.bits:.3f}\ \text{{bits}}")


def _place(cell: Any, k: int) -> tuple[int, int] | None:
    """The place of a cell that was pressed, if it is one."""
    if isinstance(cell, list) and len(cell) == 2 and all(isinstance(i, int) and 0 <= i < k for i in cell):
        return cell[0], cell[1]
    return None


# 4


def _cem(lesson: Lesson) -> None:
    labels, cells = lesson.worked
    k = len(labels)

    def click(cell: Any) -> None:
        if (place := _place(cell, k)) is not None:
            st.session_state["lesson_cell"] = place

    truth, answer = min(st.session_state.get("lesson_cell", (2, 1)), (k - 1, k - 1))
    truth, answer = min(truth, k - 1), min(answer, k - 1)
    own = cells != state.A
    systems = {"your table": cells} if own else {"A": state.A, "B": state.B}
    places = st.columns(len(systems))
    for place, (name, table) in zip(places, systems.items(), strict=True):
        with place:
            texts = [[f"{n:,}" for n in row] for row in table]
            pieces.show_table(f"lesson_{name}", labels, table, caption=name, texts=texts, pick=(truth, answer), take=click)
            sums = state.sums(labels, table)
            share = _number(sums.earned / sums.most) if sums.most else "undefined"
            accuracy = _number(state.score("accuracy", labels, table))
            st.markdown(f"{name}: {sums.earned:.3f} of {sums.most:.3f} bits: CEM **{share}**, accuracy {accuracy}.")
    sizes = tuple(sum(row) for row in cells)
    st.latex(PROX)
    st.latex(CEM)
    _worked(sizes, truth, answer, labels)
    right = state.between(sizes, truth, truth).bits
    if right and right < float("inf"):
        earned = [(label, state.between(sizes, truth, p).bits) for p, label in enumerate(labels)]
        words = "; ".join(f"{label} {bits:.3f} bits ({100 * bits / right:.0f} %)" for label, bits in earned[::-1])
        st.markdown(escape(f"Truth {labels[truth]}: the answer {words}."))


# 5


def _promised(lesson: Lesson, second: Cells) -> Cells:
    held: Cells | None = st.session_state.get("lesson_second", {}).get(lesson.promise)
    return second if held is None else held


def _promises(lesson: Lesson) -> None:
    def take(table: Any) -> None:
        if (cells := _sent(table, len(JOURNALS.labels))) is not None:
            st.session_state["lesson_second"] = {**st.session_state.get("lesson_second", {}), lesson.promise: cells}

    def again() -> None:
        st.session_state.pop("lesson_second", None)
        st.session_state[f"{STATE}_version"] = frame.version(STATE) + 1

    frame.start_with("lesson_promise", lesson.promise)
    frame.start_with("lesson_judge", lesson.judge)
    promise = st.radio(
        "Promise", range(len(EXAMPLES)), format_func=lambda i: EXAMPLES[i].title, key="lesson_promise", horizontal=True
    )
    judge = st.selectbox("The metric that judges", state.JUDGES, format_func=frame.title_of, key="lesson_judge")
    _keep(promise=promise, judge=judge)
    lesson = st.session_state[STATE]
    example, metric = EXAMPLES[promise], oe.get_metric(judge)
    first, second = state.promise_tables(promise)
    now = _promised(lesson, second)
    bar = _scores(judge, k=5)
    for place, side, table, words in zip(
        st.columns(2), ("First", "Second"), (first, now), (example.first_words, example.second_words), strict=True
    ):
        with place:
            st.markdown(f"**{side}**: {words if table in (first, second) else 'as you have moved it'}")
            moving: dict[str, Any] = {"version": frame.version(STATE), "take": take} if side == "Second" else {}
            pieces.people(f"lesson_5_{promise}_{side}", JOURNALS.labels, table, bar, **moving)
    scored = score_example(replace(example, first=first, second=now), metric)
    st.markdown(
        f"{'✓' if scored.kept else '✗'} {metric.title}: {_number(scored.first)} and {_number(scored.second)}.  {escape(scored.sentence)}"
    )
    st.button("Put the dots back", on_click=again)
    st.caption(
        "After the figures of a blog on CEM, whose author noticed that his third figure disagrees with the paper and raised it with its authors."
    )


# 6


@lru_cache(maxsize=1)
def _even() -> float:
    return state.even_share()


def _argument(lesson: Lesson) -> None:
    frame.start_with("lesson_share", round(100 * lesson.share))
    low, high = (round(100 * end) for end in state.SHARE)
    share = (
        st.slider("Share of neutral, in percent (negative to positive stays 1 to 3)", low, high, step=1, key="lesson_share") / 100
    )
    _keep(share=share)
    for place, name, table in zip(st.columns(2), "AB", (state.A, state.B), strict=True):
        with place:
            scores = {text: _number(state.score_at(text, table, share)) for text in ("cem", "accuracy")}
            st.metric(f"CEM of {name}", scores["cem"], border=True)
            st.markdown(f"accuracy {scores['accuracy']}")
    sizes = state.with_share(state.A, share).sum(1)
    bits = oe.parts.closeness_matrix(
        oe.Counts.from_matrix([[n if i == j else 0 for j in range(3)] for i, n in enumerate(sizes)], labels=list(MOODS))
    )
    pairs = ((0, 1), (2, 1), (1, 2), (1, 0))
    lost = "; ".join(f"{MOODS[t]} called {MOODS[p]} {bits[t, t] - bits[t, p]:.3f}" for t, p in pairs)
    st.markdown(f"Bits lost by one error: {lost}.")
    st.markdown(f"A and B have the same CEM where {100 * _even():.1f} % are neutral.")


# 7


@lru_cache(maxsize=1)
def _visits() -> state.Visits:
    return state.visits()


def _misleads(lesson: Lesson) -> None:
    visits = _visits()
    frame.start_with("lesson_weight", lesson.weight)
    weight = st.slider("What a step with a red patient weighs", *state.WEIGHT, step=0.1, key="lesson_weight")
    _keep(weight=weight)
    for place, who in zip(st.columns(2), ("nurse", "model"), strict=True):
        with place:
            counts = visits.counts[who]
            found = visits.found[who]
            st.metric(f"{who}: steps × weight (lower is better)", f"{visits.cost(who, weight):,.0f}", border=True)
            st.markdown(f"CEM {_number(oe.cem(counts))}; reds found {found} of {visits.reds} ({found / visits.reds:.0%})")
    reds = [[int(n) for n in visits.counts[who].matrix[-1]] for who in ("nurse", "model")]
    pieces.people("lesson_7", GRADES, reds, [], columns=[f"the {visits.reds} reds by {who}" for who in ("nurse", "model")])
    st.markdown(f"Nurse and model cost the same where a red weighs {visits.even:.2f}.")
    with st.expander("Three more tables on which CEM looks better than it should", expanded=True):
        for title, labels, cells, metrics in state.SMALL:
            scores = ", ".join(
                f"{oe.get_metric(text).plain or frame.title_of(text)} {_number(state.score(text, labels, cells))}"
                for text in metrics
            )
            st.markdown(f"- {title}: {escape(scores)}")
        st.markdown(
            f"The least CEM is not 0, and it moves with the classes: {_number(state.least_cem((10, 60, 30)))} for 10, 60, 30 and "
            f"{_number(state.least_cem((5, 90, 5)))} for 5, 90, 5.  So never compare CEM between test sets."
        )


SCREENS: tuple[Callable[[Lesson], None], ...] = (_blind, _lengths, _people_between, _cem, _promises, _argument, _misleads)
