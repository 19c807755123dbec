"""Reports in a browser and on paper: page one fits, no word is broken, nobody is shut out, the evidence opens in print."""

import re
from pathlib import Path

import numpy as np
import pytest

import ordeval as oe

HERE = Path(__file__).parent
BROKEN = (HERE / "broken.js").read_text().partition("\n")[2]  # without its first comment
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]
SCALE = ["green", "yellow", "orange", "red"]
REPORTS = ("one", "two", "six", "board", "raters")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """One model, two and six with sites and patients; a leaderboard; raters."""
    folder = tmp_path_factory.mktemp("reports")
    visits, rng = oe.load_example("triage"), np.random.default_rng(1)
    truth = np.array([SCALE.index(grade) for grade in visits["grade"]])

    def team(noise):
        return np.array(SCALE)[np.clip(truth + np.rint(rng.normal(0, noise, len(truth))).astype(int), 0, 3)].tolist()

    two = {name: visits[name] for name in ("nurse", "model")}
    six = {**two, **{f"team{i}": team(0.3 + 0.1 * i) for i in range(1, 5)}}
    given = {"labels": SCALE, "missing": "drop", "by": {"site": visits["site"]}, "cluster": {"patient": visits["patient"]}}
    made = {
        "one": oe.evaluate(visits["grade"], visits["model"], n_resamples=400, **given),
        "two": oe.compare(visits["grade"], two, n_resamples=400, **given),
        "six": oe.compare(visits["grade"], six, n_resamples=400, **given),
    }
    for name, result in made.items():
        result.report(folder / f"{name}.html")
    frames = {name: {"id": visits["visit"], "pred": column} for name, column in six.items()}
    gold = {"id": visits["visit"], "true": visits["grade"]}
    import pandas as pd

    runs = {name: pd.DataFrame(frame).dropna() for name, frame in frames.items()}
    board = oe.leaderboard(pd.DataFrame(gold), runs, labels=SCALE, missing="drop", n_resamples=400)
    board.report(folder / "board.html")
    raters = oe.raters.ratings(six, labels=SCALE)
    oe.show.write(oe.raters.RatersReport(oe.raters.agreement(raters, n_resamples=400)).page(), folder / "raters.html")
    return folder


@pytest.fixture
def opened(chromium, reports):
    contexts = []

    def go(name, *, unfold=True, **options):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page, wrong = context.new_page(), []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
        page.goto((reports / f"{name}.html").as_uri())
        if unfold:
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        page.wrong = wrong
        return page

    yield go
    for context in contexts:
        assert [page.wrong for page in context.pages] == [[]] * len(context.pages)
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_no_word_is_broken_or_cut(opened, width, scheme):
    wrong = {}
    for name in REPORTS:
        page = opened(name, viewport={"width": width, "height": 900}, color_scheme=scheme)
        if found := page.evaluate(BROKEN):
            wrong[name] = sorted(set(found))[:12]
    assert wrong == {}


def test_a_broken_word_would_be_seen(opened):
    page = opened("two")
    page.evaluate(
        "const place = document.querySelector('.headline'); place.style.cssText = 'width: 3rem; overflow-wrap: anywhere'"
    )
    assert any("is broken" in said for said in page.evaluate(BROKEN))
    page = opened("two")
    page.evaluate("document.querySelector('figure svg text').setAttribute('x', '-900')")
    page.evaluate("document.querySelector('figure svg text').setAttribute('transform', '')")
    assert any("leaves its drawing" in said for said in page.evaluate(BROKEN))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nobody_is_shut_out(opened, axe, width, scheme):
    wrong = {}
    for name in REPORTS:
        page = opened(name, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
        page.evaluate(axe)
        found = page.evaluate("rules => axe.run({runOnly: rules})", RULES)["violations"]
        if found:
            wrong[name] = [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]][:8]
    assert wrong == {}


@pytest.mark.parametrize("name", REPORTS)
def test_page_one_fits_the_screen(opened, name):
    page = opened(name, unfold=False)
    assert page.evaluate("document.querySelector('.first').getBoundingClientRect().bottom") <= 900
    assert page.locator("details[open]").count() == 0
    assert page.locator("h1").count() == 1
    assert page.locator("script").count() == 0


def pages(data):
    return len(re.findall(rb"/Type\s*/Page\b", data))


@pytest.mark.parametrize(("name", "most"), [("one", 4), ("two", 4)])
def test_it_is_short_on_paper_and_page_one_stands_alone(opened, name, most):
    page = opened(name, unfold=False)
    whole = page.pdf(prefer_css_page_size=True)
    assert 2 <= pages(whole) <= most
    page.evaluate("document.querySelectorAll('details, footer').forEach(one => one.remove())")
    alone = page.pdf(prefer_css_page_size=True)
    assert pages(alone) == 1


def test_evidence_opens_in_print_but_not_what_only_explains(opened):
    page = opened("two", unfold=False)
    page.emulate_media(media="print")
    seen = "title => [...document.querySelectorAll('details')].find(one => one.innerText.startsWith(title))?.checkVisibility()"
    height = (
        "() => [...document.querySelectorAll('details:not(.reference) .evidence')].map(one => one.getBoundingClientRect().height)"
    )
    assert min(page.evaluate(height)) > 0
    assert not page.locator("details.reference").first.is_visible()
    assert page.evaluate(seen, "Scores and differences")
