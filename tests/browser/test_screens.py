"""Every page on every screen: nothing is cut, nothing is out of reach, Back leads back, no keystroke is lost, links lead where they say."""

import json
from pathlib import Path

import pytest
from app_pages import EVERY

from ordeval.app.tables import cells_text

HERE = Path(__file__).parent
CLIP = (HERE / "clip.js").read_text().partition("\n")[2]  # without its first comment
PATHS = [*EVERY, *(f"learn?step={step}" for step in range(2, 8))]
#: Charts that a page must show: one that fails to draw would have nothing to be cut.
CHARTS = {"playground": 1, "evaluate": 6, "closeness": 2, "path": 1, "intervals": 1, "figures": 1, "probabilities": 1}
ALERTS = {"laws": 1}  # the verdict on a law
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1366, 1920])
def test_nothing_is_cut(visit, width, scheme):
    visitor = visit(viewport={"width": width, "height": 5000}, color_scheme=scheme)
    wrong = []
    for path in PATHS:
        page = visitor.go(path)
        seen = page.evaluate(CLIP)
        wrong += [f"{path}: {said}" for said in seen["found"]]
        if seen["charts"] != CHARTS.get(path, 0) or seen["alerts"] != ALERTS.get(path, 0):
            wrong.append(f"{path}: {seen['charts']} charts, {seen['alerts']} alerts")
    assert wrong == []


def test_what_is_cut_would_be_seen(visit):
    visitor = visit()
    page = visitor.go("playground")
    assert page.evaluate(CLIP)["found"] == []
    page.evaluate("document.querySelector('[data-testid=stVegaLiteChart] svg text').setAttribute('dx', '-400')")
    assert page.evaluate(CLIP)["found"]
    page = visitor.go("playground")
    page.evaluate("document.querySelector('[data-testid=stVegaLiteChart]').style.cssText = 'overflow-x: auto; width: 100px'")
    assert page.evaluate(CLIP)["found"]


def violations(page, axe):
    page.evaluate(axe)
    ours = "rules => axe.run({exclude: [['[data-testid=stSidebarNavItems]']]}, {runOnly: rules})"  # Streamlit's own list of pages
    found = page.evaluate(ours, RULES)["violations"]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nobody_is_shut_out(visit, axe, width, scheme):
    visitor = visit(viewport={"width": width, "height": 2500}, color_scheme=scheme)
    wrong = {path: found for path in PATHS if (found := violations(visitor.go(path), axe))}
    assert wrong == {}


def test_axe_sees_what_is_wrong(visit, axe):
    page = visit().go("learn")
    page.evaluate(
        "document.querySelector('[data-testid=stMain]').insertAdjacentHTML('beforeend', '<img src=\"data:,\"><button></button>')"
    )
    assert violations(page, axe)


def test_back_and_forward(visit):
    visitor = visit()
    page = visitor.go("playground")
    length = page.evaluate("history.length")
    for value in ("11", "12", "13"):
        visitor.cell("negative", "negative").click()
        page.keyboard.type(value)
        page.wait_for_function("value => decodeURIComponent(location.search).includes(`table=${value},`)", arg=value)
        visitor.settle()
    assert page.evaluate("history.length") == length  # edits are no steps
    edited = page.url
    page.get_by_role("link", name="How close its classes are").click()
    page.get_by_text("The fewer rows lie between two classes").wait_for()
    visitor.settle()
    assert page.evaluate("history.length") == length + 1
    page.go_back()
    page.get_by_text("Change a number and watch every metric answer").wait_for()
    page.wait_for_function("url => location.href === url", arg=edited)
    visitor.settle()
    assert visitor.cell("negative", "negative").input_value() == "13"
    page.go_forward()
    page.get_by_text("The fewer rows lie between two classes").wait_for()
    visitor.settle()
    assert "names=truth" in page.url
    page.go_back()
    page.get_by_text("Change a number and watch every metric answer").wait_for()
    visitor.settle()
    assert page.url == edited


def test_no_keystroke_is_lost(visit):
    visitor = visit()
    page = visitor.go("playground")
    visitor.cell("negative", "negative").click()
    page.keyboard.type("123", delay=0)
    for value in ("5", "6", "70"):
        page.keyboard.press("Tab")
        page.keyboard.type(value, delay=0)
    wanted = cells_text([[123, 5, 6], [70, 45, 3], [4, 8, 18]])
    page.wait_for_function("wanted => decodeURIComponent(location.search).includes(`table=${wanted}`)", arg=wanted)
    visitor.settle()
    assert [visitor.cell(t, p).input_value() for t, p in (("negative", "negative"), ("neutral", "negative"))] == ["123", "70"]


def test_keys_while_the_page_is_busy(visit):
    """Messages of the server are held back, so that its answer to the first key comes while others are typed."""
    visitor = visit()

    def slow(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: (visitor.page.wait_for_timeout(100), socket.send(message))[1])

    visitor.page.route_web_socket("**/_stcore/stream", slow)
    page = visitor.go("playground")
    visitor.cell("positive", "positive").click()
    page.keyboard.type("98765", delay=120)
    page.wait_for_function("() => decodeURIComponent(location.search).includes('98765')")
    visitor.settle()
    assert visitor.cell("positive", "positive").input_value() == "98765"


def test_a_field_that_holds_no_count_keeps_the_last_one_and_says_why(visit):
    visitor = visit()
    page = visitor.go("playground")
    visitor.cell("negative", "negative").fill("-5x")
    page.get_by_text("“-5x” is not a whole number from 0 to 1,000,000,000; the last count, 7, is kept.").wait_for()
    visitor.cell("negative", "neutral").fill("9")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('table=7,9,2')")


def test_a_block_is_pasted_and_keys_step(visit):
    visitor = visit()
    page = visitor.go("playground")
    cell = visitor.cell("neutral", "neutral")
    cell.evaluate("""field => {
        const data = new DataTransfer();
        data.setData('text', '1\\t2\\n3\\t4\\n');
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    }""")
    page.wait_for_function("() => decodeURIComponent(location.search).includes('table=7,1,2;12,1,2;4,3,4')")
    cell.click()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowUp")
    page.wait_for_function("() => decodeURIComponent(location.search).includes(';12,12,2;')")
    page.keyboard.press("Enter")
    assert page.evaluate("() => { let e = document.activeElement; while (e.shadowRoot) e = e.shadowRoot.activeElement; return e.getAttribute('aria-label'); }") == "true positive, predicted neutral"  # fmt: skip


def test_the_page_follows_the_theme_of_the_system(visit):
    visitor = visit(color_scheme="light")
    page = visitor.go("playground")
    ink = "() => getComputedStyle(document.documentElement).getPropertyValue('--oe-ink').trim()"
    assert page.evaluate(ink) == "#1a1a1a"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"() => ({ink})() === '#ececec'")


def links_of(page):
    """The links in the body of a page."""
    return page.evaluate(
        "() => [...document.querySelectorAll('[data-testid=stMain] a[href]')].filter(a => a.checkVisibility()).map(a => a.href)"
    )


@pytest.mark.parametrize("path", [*EVERY, "learn?step=7"])
def test_every_link_opens_what_it_says(visit, path):
    visitor = visit()
    links = dict.fromkeys(links_of(visitor.go(path)))
    assert len(links) >= 2
    for link in list(links)[:8]:
        page = visitor.go(link)
        assert page.get_by_text("This link cannot be opened").count() == 0, link
        assert page.locator("[data-testid=stException]").count() == 0, link


def test_hostile_labels_in_the_pieces(visit):
    """The dots of Learn, the list of Evaluate and the tables take labels as text."""
    visitor = visit()
    names = json.dumps(["<img src=x onerror=window.PWNED=1>", "${window.PWNED=1}", "\u202eabc"])
    page = visitor.go("playground?classes=" + ",".join(f'"{name}"' for name in json.loads(names)) + "&table=1,2,3;4,5,6;7,8,9")
    assert page.evaluate("window.PWNED") is None
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert visitor.cell("<img src=x onerror=window.PWNED=1>", "${window.PWNED=1}").input_value() == "2"
