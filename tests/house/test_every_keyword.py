"""Every keyword of every public function matters: with another value the answer is another one.  Where an answer has intervals, a
lower confidence level narrows all of them, and rows that come in clusters widen them.
"""

import inspect

import pytest
from keywords import Refuses, as_text, cases, intervals
from public_surface import public_names

import ordeval as oe

CASES = cases()


@pytest.mark.parametrize(("name", "keyword"), [(name, keyword) for name, case in CASES.items() for keyword in case.others])
def test_another_value_gives_another_answer(name, keyword):
    case = CASES[name]
    other = case.other(keyword)
    base = case.base | other.also
    before, after = case.told(**base), case.told(**base | {keyword: other.value})
    assert as_text(after) != as_text(before)
    assert as_text(after).startswith('"refused') is isinstance(other, Refuses), after


def keywords_of(function):
    """Those with a default, and those that must be named."""
    found = inspect.signature(function).parameters.values()
    return {p.name for p in found if p.kind is p.KEYWORD_ONLY or (p.default is not p.empty and p.kind is not p.VAR_KEYWORD)}


ELSEWHERE = {  # functions whose keywords are each the subject of a file of their own
    "get_scorer": "forms/test_scorers.py",
    "scorers": "forms/test_scorers.py",
    "load_example": "house/test_pages.py",
    "metric": "house/test_registry.py",
    "papers.errata": "papers/",
    "papers.reproduce": "papers/test_reproduce.py",
    "papers.saddle": "papers/",
    "papers.table3": "papers/",
    "plot.short_labels": "show/",
    "raters.ratings": "faults/test_raters_input.py",
    "raters.read_judge_log": "forms/test_judge_logs.py",
    "raters.scan": "faults/test_raters_input.py",
    "show.number": "show/test_numbers.py",
    "show.render": "show/test_golden.py",
    "show.wrap": "show/test_wrap.py",
    "show.write": "faults/",
    "study.assert_rules": "study/test_rules.py",
    "study.look": "study/test_proposal.py",
}


def test_every_keyword_of_every_function_is_tried():
    metrics = {metric.name for metric in oe.catalogue()}
    wanted = {
        name: keywords_of(value) for name, value in public_names().items() if inspect.isfunction(value) and name not in metrics
    }
    wanted = {name: found for name, found in wanted.items() if found and name not in ELSEWHERE}
    tried = {name: {*case.others, *case.elsewhere} for name, case in CASES.items()}
    assert {name: found - tried.get(name, set()) - {"announce"} for name, found in wanted.items()} == {
        name: set() for name in wanted
    }
    assert set(tried) <= set(wanted)


WITHOUT = {"plan", "leaderboard"}  # rows that are needed, and ranks


@pytest.mark.parametrize(
    "name", [name for name, case in CASES.items() if "confidence_level" in case.others and name not in WITHOUT]
)
def test_a_lower_confidence_level_narrows_every_interval(name):
    case = CASES[name]
    wide, narrow = (intervals(case.told(**case.base | {"confidence_level": level})) for level in (0.95, 0.8))
    assert wide
    assert {where: (wide[where], narrow[where]) for where in wide if not inside(narrow[where], wide[where])} == {}


def inside(narrow, wide):
    """Within the other, and narrower, unless both are at a bound or have no width at all."""
    within = wide[0] <= narrow[0] and narrow[1] <= wide[1]
    return within and (narrow != wide or wide[0] == wide[1])
