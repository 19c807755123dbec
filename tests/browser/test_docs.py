"""The built documentation on a wide and on a narrow screen: nothing reaches beyond the page, no picture is missing, nothing is fetched."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: One of each kind, and those with the widest tables, names and blocks.
PAGES = (
    "index",
    "tutorial",
    "how-to/paper",
    "how-to/llm-judge",
    "explanation/which-metric",
    "reference/metrics/index",
    "reference/metrics/cem",
    "reference/metrics/geometric_mean_extreme_sensitivity",
    "reference/api/metrics",
    "genindex",
    "figures",
    "laws",
    "coverage",
    "promises",
)

#: What is wider than the page and does not lie in a box that scrolls by itself.
TOO_WIDE = """() => {
    const edge = document.documentElement.clientWidth + 1;
    const scrolls = element => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    const article = document.querySelector('article');  // around it the theme lets the whole text scroll: that is no box of its own
    const boxed = e => e !== article && (scrolls(e.parentElement) && e.parentElement !== article || boxed(e.parentElement));
    const found = [...document.querySelectorAll('article, article *')].filter(e => e.getBoundingClientRect().right > edge && !boxed(e));
    if (document.documentElement.scrollWidth > edge) found.push(document.documentElement);
    return found.map(e => `${e.tagName} ${e.textContent.trim().slice(0, 60)}`);
}"""
MISSING = "() => [...document.images].filter(image => image.complete && !image.naturalWidth).map(image => image.src)"


@pytest.fixture(scope="module")
def html(chromium, tmp_path_factory):
    pytest.importorskip("sphinx")
    target = tmp_path_factory.mktemp("docs")
    subprocess.run([sys.executable, ROOT / "scripts" / "build_docs.py", target], check=True, capture_output=True, timeout=600)
    return target / "html"


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_fit_the_screen_and_need_no_network(chromium, html, width):
    context = chromium.new_context(viewport={"width": width, "height": 900})
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: None if request.url.startswith(("file:", "data:")) else wrong.append(request.url))
    for name in PAGES:
        page.goto((html / f"{name}.html").as_uri())
        wrong += [f"{name}: {said}" for said in page.evaluate(TOO_WIDE) + page.evaluate(MISSING)]
        assert page.locator(".sidebar-tree a[href]").count() > 30, name
    assert wrong == []
    page.evaluate("document.querySelector('article p').style.width = '3000px'")  # it would be noticed
    assert page.evaluate(TOO_WIDE) != []
    context.close()
