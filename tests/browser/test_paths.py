"""A person's path on each page: upload, reorder, edit, read a number, compare it with the library's, download, reopen by link."""

import json
import re
from importlib.resources import files

from playwright.sync_api import expect

import ordeval as oe
from ordeval.app.presets import FIRST
from ordeval.app.tables import Table, cells_text

CSV = b"truth,rater,model\n" + b"low,low,low\nmid,mid,low\nhigh,mid,high\nmid,high,mid\nhigh,high,high\nlow,mid,low\n" * 25


def bars(page):
    """The scores that the bars say, as a screen reader gets them."""
    label = page.locator("[data-testid=stVegaLiteChart][aria-label*='exact (accuracy)']").first.get_attribute("aria-label")
    return dict(re.findall(r"\((\w+)\) \S+ (\d\.\d{3})", label))


def test_playground_edit_read_and_reopen(visit):
    visitor = visit()
    page = visitor.go("playground")
    assert bars(page)["CEM"] == "0.760"
    for value in (8, 9, 10, 11, 12, 13, 14):
        visitor.cell("negative", "negative").click()
        page.keyboard.type(str(value))
        before = f"(?:{value - 1}|{value // 10})"  # on a busy machine the first of two keys may be sent alone
        page.get_by_text(re.compile(rf"negative called negative\S* {before} → {value}\.")).wait_for()
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
    page = visitor.go("playground")
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
        "text => document.querySelector(\"[aria-label*='exact (accuracy)']\").getAttribute('aria-label').includes(text)",
        arg=f"{oe.cem(majority.counts):.3f}",
    )


def said(words):
    """These words on a page, where a joiner after a colon keeps the colon from being taken for a sign."""
    return re.compile(re.escape(words).replace(":", ":\u2060?"))


def bring(visitor, name, rows):
    """Upload a file on Evaluate."""
    page = visitor.go("evaluate")
    page.get_by_text("a file of mine").click()
    page.locator("[data-testid=stFileUploaderDropzoneInput]").set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": rows}
    )
    return page


def test_evaluate_upload_order_look_inside_and_download(visit):
    visitor = visit(viewport={"width": 1280, "height": 4000})
    page = bring(visitor, "mine.csv", CSV)
    page.get_by_text("Is this lowest first?").wait_for()
    visitor.settle()
    assert page.locator("[data-testid=stAlert]").count() == 0  # nothing is red before anybody did something wrong
    names = page.locator("ol .name")
    assert sorted(names.all_inner_texts()) == ["high", "low", "mid"]
    for at, label in enumerate(("low", "mid")):  # each up to its place, a step at a time
        while (place := names.all_inner_texts().index(label)) > at:
            page.get_by_role("button", name=f"{label}: lower on the scale").click()
            expect(names.nth(place - 1)).to_have_text(label)
    assert names.all_inner_texts() == ["low", "mid", "high"]
    page.get_by_role("button", name="Yes, this is the order").click()
    page.get_by_text("The verdict").wait_for()
    visitor.settle()
    columns = [line.split(",") for line in CSV.decode().splitlines()]
    rows = {name: [line[i] for line in columns[1:]] for i, name in enumerate(columns[0])}
    both = {name: rows[name] for name in ("rater", "model")}
    result = oe.compare(oe.count(rows["truth"], both, labels=["low", "mid", "high"]))
    with page.expect_download() as caught:
        page.get_by_role("button", name="Numbers (JSON)").click()
    given = json.loads(caught.value.path().read_text())
    assert given["models"]["model"]["scores"] == json.loads(result.to_json())["models"]["model"]["scores"]
    with page.expect_download() as caught:
        page.get_by_role("button", name="Report (HTML)").click()
    assert f"{result.evaluations['model'].scores['cem'].value:.3f}" in caught.value.path().read_text()
    assert caught.value.suggested_filename == "mine-report.html"
    number = result.counts["model"].matrix[1, 0]  # mid called low
    page.get_by_role("button", name=f"true mid, predicted low: {number}").click()
    page.get_by_text(said(f"{number} rows: truly mid, called low by model.")).wait_for()
    page.locator("details", has_text="The order").locator("summary").click()
    page.get_by_role("button", name="Turn upside down").click()
    page.get_by_text(said("The order: high < mid < low")).wait_for()
    visitor.settle()
    assert "labels=['high', 'mid', 'low']" in visitor.codes()[0]


def test_an_order_is_dragged(visit):
    visitor = visit()
    page = bring(visitor, "mine.csv", CSV)
    page.locator("ol li").nth(2).wait_for()
    visitor.settle()
    names = page.locator("ol .name")
    before = names.all_inner_texts()
    grip, target = page.locator("ol .grip").nth(2).bounding_box(), page.locator("ol li").nth(0).bounding_box()
    page.mouse.move(grip["x"] + 5, grip["y"] + 5)
    page.mouse.down()
    page.mouse.move(grip["x"] + 5, target["y"] + 5, steps=5)
    page.mouse.up()
    assert names.all_inner_texts() == [before[2], before[0], before[1]]
    page.get_by_role("button", name="Yes, this is the order").click()
    page.get_by_text(said(f"The order: {before[2]} < {before[0]} < {before[1]}")).wait_for()


def test_evaluate_compares_the_bundled_models_and_keeps_its_state(visit):
    visitor = visit()
    page = visitor.go("evaluate")
    page.get_by_text(said("model is better: how close (CEM) 0.877 against 0.855")).wait_for()
    page.get_by_text("It finds 44 of 88 red (nurse 69).").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("button", name="triage.csv").click()
    assert caught.value.suggested_filename == "triage.csv"
    assert caught.value.path().read_bytes() == (files("ordeval") / "data" / "triage.csv").read_bytes()
    page.get_by_role("link", name="Choose", exact=True).click()
    page.get_by_text("Six answers lead to two or three metrics").wait_for()
    page.get_by_text("the few in it: their errors must weigh more").click()
    page.wait_for_function("() => location.search.includes('rare=theirs')")
    page.get_by_role("link", name="Evaluate", exact=True).click()
    page.get_by_text("The verdict").wait_for()
    page.get_by_role("link", name="Choose", exact=True).click()
    page.get_by_text("Six answers lead").wait_for()
    visitor.settle()
    assert "rare='theirs'" in visitor.codes()[0]


def test_two_visitors_do_not_see_each_other(visit):
    one, two = visit(), visit()
    page = bring(one, "secret-rows.csv", CSV)
    page.get_by_text("Is this lowest first?").wait_for()
    one.go(f"?table={cells_text([[901, 2], [3, 4]])}&classes=secret,other")
    for path in ("playground", "evaluate"):
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
    "${window.PWNED=1}",
    "\u202eabc",
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
        f"playground?{query}",
        f"path?{query}",
        f"learn?step=4&{query}",
        f"closeness?{urlencode({'classes': out.getvalue(), 'names': '<b>x</b>,:red[y]', 'first': '1,2,3,4,5,6,7,8', 'second': '8,7,6,5,4,3,2,1'})}",
    ):
        page = visitor.go(path)
        _inert(page)
    rows = io.StringIO()
    writer = csv.writer(rows)
    true, pred = "<img src=x onerror=window.PWNED=1>", ":red[model] www.evil.example"
    writer.writerow([true, pred])
    writer.writerows([[a, b] for a in HOSTILE for b in HOSTILE])
    page = bring(visitor, "<img src=x onerror=window.PWNED=1>.csv", rows.getvalue().encode())
    page.get_by_text("Is this lowest first?").wait_for()
    _inert(page)
    page.get_by_role("button", name="Yes, this is the order").click()
    page.get_by_text("The verdict").wait_for()
    visitor.settle()
    _inert(page)
    visitor.go("evaluate?source=<img src=x onerror=window.PWNED=1>")
    _inert(page)


def _inert(page):
    page.wait_for_timeout(500)
    assert page.evaluate("window.PWNED") is None
    assert page.locator("main img, [data-testid=stMain] img").count() == 0
    assert page.locator(".katex", has_text="frac{1}{2}").count() == 0
    assert page.locator("[data-testid=stMarkdownContainer] p .katex").count() == 0
    led = "[...document.querySelectorAll('[data-testid=stMain] a')].filter(link => link.hostname.includes('evil')).length"
    assert page.evaluate(led) == 0
    assert page.locator("[data-testid=stMarkdownContainer] [class*=colored-text], .stMarkdownColoredText").count() == 0
