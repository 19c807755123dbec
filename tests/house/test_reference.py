"""The reference is made from the registry and the docstrings: every metric and every public name is in it, and no link is dead."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ordeval as oe
from ordeval.papers import CITED, PAPERS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT / "scripts"))

import reference_pages  # noqa: E402 - a script, not a package

ENTRY = re.compile(r"^`{4,}\{py:\w+\} (\w+)(?:\(|$)", re.M)


@pytest.fixture(scope="module")
def metrics():
    return reference_pages.metric_pages()


@pytest.fixture(scope="module")
def names():
    return reference_pages.api_pages()


def test_every_metric_has_its_page_and_the_index_lists_it(metrics):
    assert set(metrics) == {f"{m.name}.md" for m in oe.catalogue()} | {"index.md"}
    assert re.findall(r"^\| \[`(\w+)`\]\(\1\.md\)", metrics["index.md"], re.M) == [m.name for m in oe.catalogue()]


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_a_page_says_what_the_record_says(metric, metrics):
    page = metrics[f"{metric.name}.md"]
    assert page.startswith(f"# {metric.title}\n")
    assert metric.formula_text in page
    assert f":alt: {metric.formula}\n" in page
    kept, _, broken = page.partition("### Broken")
    law = re.compile(r"^\| \[(\w+)\]\(\.\./\.\./laws\.md#\1\)", re.M)
    assert law.findall(kept) == list(metric.laws)
    assert law.findall(broken) == list(metric.broken)
    assert metric.undefined in page
    assert "\n>>> " in page
    assert all(
        f"- {said}." in page for said in (f"Ignores {metric.ignores}", *(f"Misleads when {words}" for words in metric.misleads))
    )
    assert not metric.cite or reference_pages.linked(reference_pages.reference(metric.cite)) in page


def test_a_page_names_the_programs_that_the_tests_compare_with(metrics):
    assert "| checked against | imbalanced-learn |" in metrics["amae.md"]
    assert "| checked against | irrCAC, R psych, R vcd, scikit-learn, statsmodels |" in metrics["cohen_kappa.md"]
    assert "no other program computes it" in metrics["order_f.md"]


@pytest.mark.slow
def test_every_example_runs_as_it_stands_on_its_page(metrics, names):
    """In an empty namespace: what the module of a docstring has, a reader has not."""
    pages = {**metrics, **names}
    blocks = [(page, block) for page, text in pages.items() for block in re.findall(r"^```pycon\n(.*?)^```", text, re.S | re.M)]
    assert len(blocks) > 100
    runner, said = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE), []
    for page, block in blocks:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, page, page, 0), out=said.append)
    assert "".join(said) == ""


def test_a_page_leads_to_the_numbers_of_its_paper(metrics):
    assert set(CITED.values()) < set(PAPERS)
    assert set(CITED) <= {m.cite for m in oe.catalogue()}
    for m in oe.catalogue():
        assert ("[errata](../errata.md)" in metrics[f"{m.name}.md"]) == (m.cite in CITED)
    assert "`ordeval reproduce oci` computes them again" in metrics["oci.md"]


def test_every_public_name_has_one_entry(metrics, names):
    entries = [name for page in (*metrics.values(), *names.values()) for name in ENTRY.findall(page)]
    assert sorted(entries) == sorted(oe.__all__)


def test_public_functions_and_classes_say_what_they_are():
    silent = [name for name in oe.__all__ if callable(getattr(oe, name)) and not reference_pages.own_doc(getattr(oe, name))]
    assert silent == []


FENCE = re.compile(r"^(`{3,}).*?^\1", re.S | re.M)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_links_between_pages_lead_to_pages(metrics, names):
    """As they stand in the repository; places inside pages are followed on the built ones."""
    made = {DOCS / "reference" / "errata.md"}
    made |= {DOCS / "reference" / "metrics" / page for page in metrics} | {DOCS / "reference" / "api" / page for page in names}
    dead, followed = [], 0
    for page in [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            path = link.split("#")[0]
            if path and not link.startswith(("http:", "https:")):
                followed += 1
                target = (page.parent / path).resolve()
                if not target.exists() and target not in made:
                    dead.append(f"{page.relative_to(ROOT)}: {link}")
    assert dead == []
    assert followed > 30


@pytest.mark.slow
def test_the_documentation_builds_without_a_warning_or_a_dead_link(tmp_path):
    pytest.importorskip("sphinx")
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "build_docs.py", tmp_path / "docs"],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "docs" / "html" / "reference" / "metrics" / "cem.html").exists()


def test_a_dead_link_is_noticed(tmp_path):
    from build_docs import dead_links, fetched

    (tmp_path / "a.html").write_text('<p id="here"><a href="#here">x</a><a href="b.html#lost">y</a><a href="c.html">z</a></p>')
    (tmp_path / "b.html").write_text('<a href="a.html#here">x</a><script src="https://example.org/x.js"></script>')
    assert dead_links(tmp_path) == ["a.html: b.html#lost", "a.html: c.html"]
    assert fetched(tmp_path) == ["b.html: https://example.org/x.js"]
