"""The story: every number that its screens are built on comes from the library, and stands on the screen."""

import re

import numpy as np
import pytest
from app_pages import open_page, texts

import ordeval as oe
from ordeval.app import learn_state as story
from ordeval.app.learn_state import GRADES, JOURNALS, MOODS, A, B, Lesson
from ordeval.app.screens.learn import WORDS


def red_called(to):
    cells = [list(row) for row in story.PATIENTS]
    cells[3] = [0, 0, 0, 1]
    cells[3][to] += 1
    return cells


def scored(names, labels, cells):
    return [story.score(name, labels, cells) for name in names]


def lost(t, p):
    bits = oe.parts.closeness_matrix(oe.Counts.from_matrix(np.diag([10, 60, 30]), labels=list(MOODS)))
    return bits[t, t] - bits[t, p]


def small(i):
    _, labels, cells, names = story.SMALL[i]
    return scored(names, labels, cells)


def promised(i, name):
    return [story.score(name, JOURNALS.labels, cells) for cells in story.promise_tables(i)]


#: What is computed, and the values with the digits in which they are written down.
NUMBERS = {
    "1 orange": (lambda: scored(("accuracy", "mae", "cem"), GRADES, red_called(2)), ".950 .050 .965"),
    "1 yellow": (lambda: scored(("accuracy", "mae", "cem"), GRADES, red_called(1)), ".950 .100 .944"),
    "1 green": (lambda: scored(("accuracy", "mae", "cem"), GRADES, red_called(0)), ".950 .150 .930"),
    "2 accuracy": (lambda: [story.score("accuracy", GRADES, cells) for cells in (story.X, story.Y)], ".850 .900"),
    "2 X": (lambda: [story.coded_error(story.X, (1, 2, 3, red)) for red in (4, 5, 10)], ".150 .150 .150"),
    "2 Y": (lambda: [story.coded_error(story.Y, (1, 2, 3, red)) for red in (4, 5, 10)], ".100 .200 .700"),
    "2 equal": (lambda: [story.even_code(story.X, story.Y, (1, 2, 3, 4))], "4.5"),
    "2 CEM": (lambda: [story.score("cem", GRADES, cells) for cells in (story.X, story.Y)], ".923 .930"),
    "3 F": (lambda: [story.between(JOURNALS.first, 1, 3).share, story.between(JOURNALS.first, 1, 3).bits], ".853 0.229"),
    "3 S": (lambda: [story.between(JOURNALS.second, 1, 3).share, story.between(JOURNALS.second, 1, 3).bits], ".048 4.385"),
    "3 other way": (lambda: [story.between(sizes, 3, 1).bits for sizes in (JOURNALS.first, JOURNALS.second)], "0.261 4.385"),
    "4 row": (lambda: [story.between((10, 60, 30), 2, p).bits for p in (2, 1, 0)], "2.737 0.737 0.074"),
    "4 sums": (lambda: [*story.sums(MOODS, A), story.sums(MOODS, B).earned], "163.369 229.546 174.368"),
    "4 scores": (lambda: [story.score(n, MOODS, c) for n in ("cem", "accuracy") for c in (A, B)], ".712 .760 .700 .700"),
    "5 order CEM": (lambda: promised(0, "cem"), ".932 .932"),
    "5 order MAE": (lambda: promised(0, "mae"), ".111 .222"),
    "5 order QWK": (lambda: promised(0, "cohen_kappa"), ".923 .870"),
    "5 closer CEM": (lambda: promised(1, "cem"), ".932 .900"),
    "5 closer accuracy": (lambda: promised(1, "accuracy"), ".889 .889"),
    "5 small CEM": (lambda: promised(2, "cem"), ".945 .927"),
    "5 small accuracy": (lambda: promised(2, "accuracy"), ".900 .900"),
    "5 small MAE": (lambda: promised(2, "mae"), ".100 .100"),
    "5 small tau": (lambda: promised(2, "kendall_tau"), ".889 .934"),
    "6 lost": (lambda: [lost(0, 1), lost(2, 1), lost(1, 2), lost(1, 0)], "3.000 2.000 1.322 1.115"),
    "6 at 60": (lambda: [story.score_at("cem", cells, 0.6) for cells in (A, B)], ".712 .760"),
    "6 at 90": (lambda: [story.score_at(n, cells, 0.9) for n in ("cem", "accuracy") for cells in (A, B)], ".748 .743 .800 .738"),
    "6 equal": (lambda: [100 * story.even_share()], "88.4"),
    "7 CEM": (lambda: [oe.cem(story.visits().counts[who]) for who in ("nurse", "model")], ".855 .877"),
    "7 reds": (lambda: [*story.visits().found.values(), story.visits().reds], "69 44 88"),
    "7 cost": (lambda: [story.visits().cost(who, 1) for who in ("nurse", "model")], "604 466"),
    "7 equal": (lambda: [story.visits().even, 171 / 33], "5.18 5.18"),
    "7 middle": (lambda: small(0), ".333 .591 0"),
    "7 neutral": (lambda: small(1), ".900 .725 .333 0"),
    "7 nobody between": (lambda: [*small(2), *small(3)], ".938 .125 .938 .250"),
    "7 least": (lambda: [story.least_cem((10, 60, 30)), story.least_cem((5, 90, 5))], ".128 .067"),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_the_numbers_of_the_story(name):
    compute, written = NUMBERS[name]
    values, texts_ = compute(), written.split()
    assert len(values) == len(texts_)
    for value, text in zip(values, texts_, strict=True):
        digits = len(text.partition(".")[2])
        assert abs(value - float(text)) <= 0.5 * 10**-digits + 1e-12, (name, value, text)


#: What stands on each screen as it opens, or after the query.
SHOWN = [
    ({"step": "1"}, ["0.950", "0.050", "0.965"]),
    ({"step": "1", "classes": "green,yellow,orange,red", "table": "8,0,0,0;0,6,0,0;0,0,4,0;1,0,0,1"}, ["0.950", "0.150", "0.930"]),
    ({"step": "2"}, ["accuracy 0.850, CEM 0.923", "accuracy 0.900, CEM 0.930", "equal at 4.5"]),
    ({"step": "3"}, [r"\tfrac{90}{2} + 193 + 105", "402", "0.853", "0.229"]),
    ({"step": "3", "sizes": "180,10,3,10,173"}, [r"\tfrac{10}{2} + 3 + 10", "376", "0.048", "4.385"]),
    ({"step": "3", "pair": "3,1"}, ["0.261"]),
    ({"step": "4"}, ["163.369", "174.368", "229.546", "0.712", "0.760", "accuracy 0.700", "2.737 bits (100 %)", "0.737 bits (27 %)", "0.074 bits (3 %)"]),
    ({"step": "5"}, ["✓ Closeness Evaluation Measure: 0.932 and 0.932"]),
    ({"step": "5", "promise": "1", "judge": "accuracy"}, ["✗ Accuracy: 0.889 and 0.889"]),
    ({"step": "5", "promise": "2", "judge": "kendall_tau"}, ["0.889 and 0.934", "The first should score better: the second does"]),
    ({"step": "6"}, ["negative called neutral 3.000", "positive called neutral 2.000", "neutral called positive 1.322", "neutral called negative 1.115", "88.4 %"]),
    ({"step": "7"}, ["CEM 0.855; reds found 69 of 88 (78%)", "CEM 0.877; reds found 44 of 88 (50%)", "5.18", "0.591", "0.725", "0.938", "0.128", "0.067"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "numbers"), SHOWN, ids=lambda given: "-".join(given.values())[:30] if isinstance(given, dict) else ""
)
def test_a_screen_shows_them(query, numbers):
    app = open_page("learn", **query)
    assert not app.exception
    assert not app.warning
    page = re.sub(r"\\(?=[^\w{}])", "", texts(app)).replace("\u2060", "")
    for number in numbers:
        assert number in page, number


def test_sliders_move_the_numbers():
    app = open_page("learn", step="2")
    assert [metric.value for metric in app.metric] == ["0.150", "0.100"]
    app.slider(key="lesson_red").set_value(10.0).run()
    assert [metric.value for metric in app.metric] == ["0.150", "0.700"]
    app = open_page("learn", step="6")
    assert [metric.value for metric in app.metric] == ["0.712", "0.760"]
    app.slider(key="lesson_share").set_value(90).run()
    assert [metric.value for metric in app.metric] == ["0.748", "0.743"]
    app = open_page("learn", step="7")
    assert [metric.value for metric in app.metric] == ["604", "466"]
    app.slider(key="lesson_weight").set_value(5.2).run()
    nurse, model = (int(metric.value) for metric in app.metric)
    assert nurse < model  # beyond 5.18 the nurse is better


def test_steps_follow_each_other():
    app = open_page("learn")
    for title, words, taken in WORDS:
        assert app.title[0].value == title
        assert len(words.split()) <= 60
        assert f"**{taken}**" in [part.value for part in app.markdown]
        if (title, words, taken) != WORDS[-1]:
            next(button for button in app.button if button.label == "Next →").click().run()
            assert not app.exception


@pytest.mark.parametrize("step", range(1, story.STEPS + 1))
def test_a_lesson_comes_back_from_its_address(step):
    lesson = Lesson(step, red=7.5, sizes=(1, 2, 3, 4, 5), pair=(2, 0), promise=2, judge="mae", share=0.35, weight=2.5)
    again = story.LINK.read(story.LINK.write(lesson))
    assert story.LINK.write(again) == story.LINK.write(lesson)
    assert again.step == step


@pytest.mark.parametrize("query", [{"step": "0"}, {"step": "1.5"}, {"red": "3"}, {"sizes": "1,2"}, {"sizes": "0,0,0,0,0"}, {"pair": "9,1"}, {"judge": "x"}, {"share": "1"}])  # fmt: skip
def test_an_address_that_is_no_lesson_is_refused(query):
    with pytest.raises(ValueError, match="the address says"):
        story.LINK.read({"step": "2", **query})
