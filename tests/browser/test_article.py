"""The article: one file without a server, whose dots can be dragged and stepped, whose link brings it back, and which fits a phone."""

import sys
from pathlib import Path

import pytest

from ordeval.app import learn_state as story
from ordeval.app.programs import joined, plain, source

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def article(tmp_path_factory):
    sys.path.insert(0, str(ROOT / "scripts"))
    import shutil

    from build_docs import write_article

    sys.path.remove(str(ROOT / "scripts"))
    folder = tmp_path_factory.mktemp("article") / "article"
    shutil.copytree(ROOT / "docs" / "_static" / "article", folder)
    write_article(folder)
    assert [path.name for path in folder.iterdir()] == ["index.html"]  # it needs nothing beside it
    return folder / "index.html"


@pytest.fixture
def opened(chromium, article):
    contexts = []

    def go(fragment="", **options):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page, wrong = context.new_page(), []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith("file:") else wrong.append(request.url))
        page.goto(article.as_uri() + fragment)
        page.wrong = wrong
        return page

    yield go
    for context in contexts:
        for page in context.pages:
            assert page.wrong == []
            assert page.evaluate("window.PWNED") is None
        context.close()


def scores(page):
    return page.locator("#blind .bars output").all_inner_texts()


def expected(to):
    cells = [list(row) for row in story.PATIENTS]
    cells[3] = [0, 0, 0, 1]
    cells[3][to] += 1
    return [f"{story.score(name, story.GRADES, cells):.3f}" for name in ("accuracy", "mae", "cem")]


def red(page):
    """The red patient who is not called red."""
    return page.locator("#blind .person[aria-label^='truly red']").first


def test_a_dragged_dot_moves_the_scores_at_once_and_a_link_brings_it_back(opened):
    page = opened()
    assert scores(page) == expected(2)
    dot, people = red(page).bounding_box(), page.locator("#blind svg.people").bounding_box()
    page.mouse.move(dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2)
    page.mouse.down()
    page.mouse.move(people["x"] + 10, dot["y"] + 10, steps=4)
    assert scores(page) == expected(0)  # while it is held
    length = page.evaluate("history.length")
    page.mouse.up()
    assert page.evaluate("history.length") == length
    assert page.locator("#blind [role=status]").inner_text() == "A person who is truly red is now called green."
    again = opened(page.evaluate("location.hash"))
    assert scores(again) == expected(0)
    page.get_by_role("button", name="Start again").click()
    assert scores(page) == expected(2)


def test_by_keyboard(opened):
    page = opened()
    red(page).focus()
    for to in (1, 0, 0):
        page.keyboard.press("ArrowLeft")
        assert scores(page) == expected(to)
        assert red(page).get_attribute("aria-valuetext") == f"called {story.GRADES[to]}"


def test_every_screen_says_the_librarys_numbers(opened):
    page = opened()

    def said(name):
        return page.locator(f"#{name} .said").inner_text()

    assert "MAE of X 0.150, of Y 0.100" in said("lengths")
    page.locator("#lengths input").fill("5")
    assert "of Y 0.200: X errs less" in said("lengths")
    assert f"{story.between(story.JOURNALS.first, 1, 3).bits:.3f} bits" in said("between")
    page.locator("#between select").select_option(index=1)
    assert f"{story.between(story.JOURNALS.second, 1, 3).bits:.3f} bits" in said("between")
    page.get_by_role("button", name="true positive, called negative").click()
    assert f"{story.between((10, 60, 30), 2, 0).bits:.3f} bits (3 % of a right answer)" in said("cem")
    for system, cells in (("A", story.A), ("B", story.B)):
        page.locator("#cem select").select_option(system)
        assert f"CEM {story.score('cem', story.MOODS, cells):.3f}; accuracy 0.700" in said("cem")
    for promise in range(3):
        first, second = story.promise_tables(promise)
        for judge in story.JUDGES:
            page.locator("#promises .promise").select_option(str(promise))
            page.locator("#promises .judge").select_option(judge)
            a, b = (story.score(judge, story.JOURNALS.labels, cells) for cells in (first, second))
            kept = abs(a - b) < 1e-12 if not promise else ((b - a if judge == "mae" else a - b) > 1e-12)
            assert said("promises") == f"{a:.3f} and {b:.3f}: the promise is {'kept' if kept else 'broken'}."
    for percent in (60, 90):
        page.locator("#share input").fill(str(percent))
        a, b = (story.score_at("cem", cells, percent / 100) for cells in (story.A, story.B))
        assert f"CEM of A {a:.3f}, of B {b:.3f}" in said("share")
    visits = story.visits()
    for weight in (1, 6):
        page.locator("#misleads input").fill(str(weight))
        assert f"nurse {visits.cost('nurse', weight):.0f}, model {visits.cost('model', weight):.0f}" in said("misleads")


@pytest.mark.parametrize(
    "fragment",
    [
        "#classes=a,b&table=1,2;3",
        "#classes=a,b&table=1,-2;3,4",
        "#classes=a,b&table=1,1e9;3,4",
        "#classes=a,b,c,d,e,f,g&table=" + ";".join(["1,1,1,1,1,1,1"] * 7),
        "#table=1,2;3,4",
        "#classes=a,b&table=999,999;999,999",
    ],
)
def test_a_fragment_that_is_no_table_is_left_aside(opened, fragment):
    assert scores(opened(fragment)) == expected(2)


def test_labels_are_text(opened):
    page = opened("#classes=<img src=x onerror=window.PWNED=1>,${window.PWNED=1}&table=2,1;0,3")
    page.wait_for_function("() => document.querySelector('#blind .legend').innerText.includes('<img')")
    assert page.locator("img").count() == 0
    assert scores(page)[0] == f"{5 / 6:.3f}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_the_screen(opened, width, scheme):
    page = opened(viewport={"width": width, "height": 900}, color_scheme=scheme)
    wide = """() => [...document.querySelectorAll('main *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
        .map(e => `${e.tagName} ${e.textContent.slice(0, 40)}`)"""
    assert page.evaluate(wide) == []
    sizes = page.evaluate("() => [...document.querySelectorAll('svg .label')].map(e => e.getBoundingClientRect().height)")
    assert min(sizes) >= 14  # labels do not shrink with the drawing


def test_programs_have_no_other_form_of_import_or_export():
    """`plain` takes off what it knows; anything else would break the joined program."""
    for name in ("metrics.js", "dots.js"):
        assert "import" not in plain(source(name)).split("//")[0]
        rest = [line for line in plain(source(name)).splitlines() if line.startswith(("import", "export"))]
        assert rest == [], name
    assert "\nexport" not in joined(source("metrics.js"), source("dots.js"))


def test_it_is_small():
    files = [ROOT / "docs/_static/article/index.html", ROOT / "docs/_static/article/article.js"]
    lines = sum(len(path.read_text().splitlines()) for path in files)
    assert lines + sum(len(source(name).splitlines()) for name in ("metrics.js", "dots.js")) <= 400
