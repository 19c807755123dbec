"""A person's path on each page: upload, reorder, edit, read a number, compare it with the library's, download, reopen by link."""

import json
import re

import pytest

import ordeval as oe
from ordeval.app.presets import FIRST
from ordeval.app.tables import Table, cells_text

NAMES = ("", "evaluate", "closeness", "laws", "path", "intervals", "choose")
CSV = b"truth,rater,model\n" + b"low,low,low\nmid,mid,low\nhigh,mid,high\nmid,high,mid\nhigh,high,high\nlow,mid,low\n" * 25


DRAWN = """() => {
    const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')].filter(chart => chart.checkVisibility());
    return charts.length > 0 && charts.every(chart => (chart.getAttribute('aria-label') || '').length > 20);
}"""


def type_into_grid(page, grid, column, row, text):
    """Click a cell of a grid and type: columns and rows counted from 0, the names of the rows being column 0."""
    canvas = page.locator("[data-testid=stDataFrame]").nth(grid).locator("canvas").first
    canvas.wait_for()
    page.wait_for_function(DRAWN)  # what is drawn late moves what stands below it
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    width = box["width"] / (len(FIRST.labels) + 1)
    page.mouse.click(box["x"] + width * (column + 0.5), box["y"] + 35 * (row + 1.5))  # the grid listens above its canvas
    page.wait_for_timeout(300)
    page.keyboard.type(text, delay=200)  # as fast as a person: the first digit opens the cell
    page.wait_for_function("text => document.querySelector('#portal input.gdg-input')?.value === text", arg=text)
    page.keyboard.press("Enter")


def bars(page):
    """The scores that the bars say, as a screen reader gets them."""
    label = page.locator("[data-testid=stVegaLiteChart][aria-label^='exact (accuracy)']").first.get_attribute("aria-label")
    return dict(re.findall(r"\((\w+)\) \S+ (\d\.\d{3})", label))


def test_playground_edit_read_and_reopen(visit):
    visitor = visit()
    page = visitor.go()
    assert bars(page)["CEM"] == "0.760"
    for edit, value in enumerate((8, 9, 10, 11, 12, 13, 14)):
        type_into_grid(page, 0, 1, 0, str(value))
        page.get_by_text(re.compile(rf"negative called negative\S* {value - 1 if edit else 7} → {value}\.")).wait_for()
        visitor.settle()
    visitor.settle()
    table = FIRST.with_cells([[14, 1, 2], *FIRST.cells[1:]])
    for name, text in (("accuracy", "accuracy"), ("CEM", "cem"), ("AMAE", "amae"), ("QWK", "cohen_kappa"), ("OCI", "oci")):
        assert bars(page)[name] == f"{oe.get_metric(text)(table.counts):.3f}"
    link = visitor.codes()[2]
    assert page.url.split("?")[1] == link.split("?")[1]
    other = visit()
    assert bars(other.go(link))["CEM"] == f"{oe.cem(table.counts):.3f}"


def test_playground_by_keyboard_alone(visit):
    visitor = visit()
    page = visitor.go()
    for _ in range(40):
        page.keyboard.press("Tab")
        if (
            page.evaluate("document.activeElement.getAttribute('aria-label') || ''").startswith("Start from a question")
            or page.evaluate("document.activeElement.getAttribute('role') || ''") == "combobox"
        ):
            break
    else:
        raise AssertionError("the menu of questions cannot be reached by Tab")
    page.keyboard.type("always says the majority")
    page.keyboard.press("Enter")
    page.get_by_text("What still looks good here is easy to please.").wait_for()
    visitor.settle()
    majority = Table(FIRST.labels, ((0, 10, 0), (0, 60, 0), (0, 30, 0)))
    page.wait_for_function(
        "text => document.querySelector(\"[aria-label^='exact (accuracy)']\").getAttribute('aria-label').includes(text)",
        arg=f"{oe.cem(majority.counts):.3f}",
    )


def test_evaluate_upload_reorder_and_download(visit):
    visitor = visit()
    page = visitor.go("evaluate")
    page.get_by_text("a file of mine").click()
    page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": CSV}
    )
    page.get_by_text("Still to pick, lowest first").wait_for()
    order = page.get_by_role("combobox", name=re.compile("The classes, lowest first"))
    for label in ("low", "mid", "high"):
        order.click()
        order.fill(label)
        order.press("Enter")
        visitor.settle()
    page.keyboard.press("Escape")
    page.get_by_text("Taken as: low < mid < high").wait_for()
    page.get_by_text("The same numbers elsewhere").wait_for()
    visitor.settle()
    columns = [line.split(",") for line in CSV.decode().splitlines()]
    rows = {name: [line[i] for line in columns[1:]] for i, name in enumerate(columns[0])}
    result = oe.evaluate(oe.count(rows["truth"], {"model": rows["model"]}, labels=["low", "mid", "high"])["model"])
    with page.expect_download() as caught:
        page.get_by_role("button", name="Numbers (JSON)").click()
    given = json.loads(caught.value.path().read_text())
    assert given["scores"] == json.loads(result.to_json())["scores"]
    with page.expect_download() as caught:
        page.get_by_role("button", name="Report (HTML)").click()
    report = caught.value.path().read_text()
    assert f"{result.scores['cem'].value:.3f}" in report
    assert caught.value.suggested_filename == "mine-report.html"
    assert (
        f"{oe.cem(rows['truth'], rows['model'], labels=['low', 'mid', 'high']):.3f}" == f"{given['scores']['cem']['value']:.3f}"
    )
    page.get_by_role("button", name="Turn upside down").click()
    page.get_by_text("Taken as: high < mid < low").wait_for()
    visitor.settle()
    assert "labels=['high', 'mid', 'low']" in visitor.codes()[0]


def test_evaluate_compares_the_bundled_models_and_keeps_its_state(visit):
    visitor = visit()
    page = visitor.go("evaluate")
    page.get_by_text("model is better than nurse by Closeness Evaluation Measure").first.wait_for()
    page.get_by_role("link", name="Choose").click()
    page.get_by_text("Six answers lead to two or three metrics").wait_for()
    page.get_by_text("that of the few in it: their errors must weigh more").click()
    page.wait_for_function("() => document.body.innerText.includes(\"rare='theirs'\")")
    page.get_by_role("link", name="Evaluate").click()
    page.get_by_text("The verdict").wait_for()
    page.get_by_role("link", name="Choose").click()
    page.get_by_text("Six answers lead").wait_for()
    visitor.settle()
    assert "rare='theirs'" in visitor.codes()[0]


def test_two_visitors_do_not_see_each_other(visit):
    one, two = visit(), visit()
    page = one.go("evaluate")
    page.get_by_text("a file of mine").click()
    page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        {"name": "secret-rows.csv", "mimeType": "text/csv", "buffer": CSV}
    )
    page.get_by_text("Still to pick, lowest first").wait_for()
    one.go(f"?table={cells_text([[901, 2], [3, 4]])}&classes=secret,other")
    for path in ("", "evaluate"):
        assert "secret" not in two.go(path).inner_text("body")
    two.page.get_by_text("a file of mine").click()
    two.page.get_by_text("Choose a file above").wait_for()
    assert "secret" not in two.page.inner_text("body")


def test_closeness_reads_the_blogs_pair(visit):
    page = visit().go("closeness")
    page.get_by_text("weak accept → accept: 2.951 bits").wait_for()
    again = visit()
    again.go("closeness?classes=a,b,c&names=x,y&first=0,0,3&second=1,2,3")
    again.page.get_by_text("no row lies between").first.wait_for()


def test_laws_path_intervals_and_choose_answer(visit):
    visitor = visit()
    page = visitor.go("laws")
    page.get_by_text("B scores better").wait_for()
    metric = page.get_by_role("combobox", name=re.compile("^Metric"))
    metric.click()
    metric.fill("Closeness")
    metric.press("Enter")
    page.get_by_text(re.compile("✓ .*proved by Amig")).wait_for()
    page = visitor.go("path")
    slider = page.get_by_role("slider").first
    slider.focus()
    for _ in range(15):
        slider.press("ArrowLeft")
    parts = oe.parts.oci_parts(FIRST.counts, share=0.0)
    page.get_by_test_id("stMetricValue").first.get_by_text(f"{parts.index:.3f}").wait_for()
    page = visitor.go("intervals")
    edges = page.get_by_label("Edges, lowest first")
    edges.fill("1, 3, 8, 15, 30")
    edges.press("Enter")
    counts = oe.Counts.from_matrix(
        [[70, 24, 5, 1], [12, 52, 14, 2], [2, 11, 22, 5], [0, 3, 8, 9]], labels=oe.Scale.from_edges([1, 3, 8, 15, 30])
    )
    page.get_by_test_id("stMetricValue").first.get_by_text(f"{oe.interval_stc(counts):.3f}").wait_for()
    visitor.go("choose")


HOSTILE = [
    "<img src=x onerror=window.PWNED=1>",
    ":red[x] :smile:",
    "$\\frac{1}{2}$",
    "[a](http://evil.example)",
    "www.evil.example",
    "<script>window.PWNED=1</script>",
]


def test_hostile_labels_are_text(visit):
    visitor = visit()
    k = len(HOSTILE)
    cells = [[2 + (i == j) * 5 for j in range(k)] for i in range(k)]
    import csv
    import io
    from urllib.parse import urlencode

    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(HOSTILE)
    query = urlencode({"classes": out.getvalue(), "table": cells_text(cells), "pinned": cells_text(cells[::-1])})
    for path in (
        f"?{query}",
        f"path?{query}",
        f"closeness?{urlencode({'classes': out.getvalue(), 'names': '<b>x</b>,:red[y]', 'first': '1,2,3,4,5,6', 'second': '6,5,4,3,2,1'})}",
    ):
        page = visitor.go(path)
        _inert(page)
    page = visitor.go("evaluate")
    page.get_by_text("a file of mine").click()
    rows = io.StringIO()
    writer = csv.writer(rows)
    writer.writerow(["<img src=x onerror=window.PWNED=1>", ":red[model] www.evil.example"])
    writer.writerows([[a, b] for a in HOSTILE for b in HOSTILE])
    page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        {"name": "<img src=x onerror=window.PWNED=1>.csv", "mimeType": "text/csv", "buffer": rows.getvalue().encode()}
    )
    page.get_by_text("Still to pick, lowest first").wait_for()
    _inert(page)
    query = {
        "source": "file",
        "true": "<img src=x onerror=window.PWNED=1>",
        "pred": ":red[model] www.evil.example",
        "order": out.getvalue(),
    }
    page = visit()
    page.page.goto(f"{page.address}/evaluate?{urlencode(query)}")
    page.page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        {"name": "x.csv", "mimeType": "text/csv", "buffer": rows.getvalue().encode()}
    )
    page.page.get_by_text("The same numbers elsewhere").wait_for()
    page.settle()
    _inert(page.page)
    page.go("evaluate?source=<img src=x onerror=window.PWNED=1>")
    _inert(page.page)


def _inert(page):
    page.wait_for_timeout(500)
    assert page.evaluate("window.PWNED") is None
    assert page.locator("main img, [data-testid=stMain] img").count() == 0
    assert page.locator(".katex").count() == 0
    assert page.locator("[data-testid=stMain] a[href*=evil]").count() == 0
    assert page.locator("[data-testid=stMarkdownContainer] [class*=colored-text], .stMarkdownColoredText").count() == 0


@pytest.mark.parametrize("width", [400, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_the_screen(visit, width, scheme, tmp_path):
    visitor = visit(viewport={"width": width, "height": 1400}, color_scheme=scheme)
    visitor.page.goto(visitor.address)
    visitor.page.locator("[data-testid=stHeading]").first.wait_for()
    for name in NAMES:
        page = visitor.go(name)
        page.wait_for_timeout(1000)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth <= window.innerWidth"), name
        if name != "choose":  # every chart has its text alternative, as soon as it is drawn
            page.wait_for_function(DRAWN)
        page.screenshot(path=str(tmp_path / f"{name or 'playground'}-{width}-{scheme}.png"))
        assert (tmp_path / f"{name or 'playground'}-{width}-{scheme}.png").stat().st_size > 10_000
