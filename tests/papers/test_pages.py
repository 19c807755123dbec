"""The pages on the papers say what the record says, in words that their authors could read."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ordeval as oe
from ordeval.cli.program import app

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["explanation/errata", "cem-table-2", "meta-evaluation", "oci-table-6", "how-to/campaigns", "index", "command-line"]
UNKIND = re.compile(r"\b(got wrong|err|errs|fails to)\b", re.I)


@pytest.fixture(scope="module")
def script():
    sys.path.insert(0, str(ROOT / "scripts"))
    spec = importlib.util.spec_from_file_location("papers_page", ROOT / "scripts" / "papers_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "scripts"))


def test_the_pages_are_up_to_date(script):
    assert (ROOT / "docs/explanation/errata.md").read_text(encoding="utf-8") == script.page()
    assert (ROOT / "docs/reproduction.md").read_text(encoding="utf-8") == script.reproduction()


def test_the_page_has_the_sentence(script):
    text = " ".join((ROOT / "docs/reproduction.md").read_text(encoding="utf-8").split())
    assert script.sentence() in text
    assert script.sentence() == (
        "Of the 603 numbers, marks and statements that the papers behind CEM, OCI and STC and a blog on CEM print, `ordeval reproduce` finds "
        "336 as printed and 50 within measured simulation error; 45 belong to 32 errata (11 misprints or roundings, 10 missing conditions, 11 "
        "statements with a counter-example), 12 to a suspected exchange of two rows, 52 are not fixed by the text, 2 cannot be read in our "
        "copy, and 106 need data that do not come with the papers."
    )


@pytest.mark.parametrize("page", PAGES)
def test_no_unkind_words(page):
    assert UNKIND.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")) == []


def test_no_unkind_words_in_the_record_and_the_commands():
    for file in (ROOT / "src/ordeval/papers/record").glob("*.toml"):
        assert UNKIND.findall(file.read_text(encoding="utf-8")) == []
    for args in (["reproduce", "--help"], ["reproduce", "blog"], ["meta", "--help"]):
        assert UNKIND.findall(CliRunner().invoke(app, args).stdout) == []
    assert UNKIND.search("where they err.")
    assert not UNKIND.search("an error")


def test_the_order_of_the_page(script):
    text = script.page()
    heads = re.findall(r"^## (.*)$", text, re.M)
    assert heads[0] == "Five examples"
    assert heads[1:5] == list(oe.papers.PAPERS.values())
    assert heads[5:] == ["Suspected", "From our copy", "How a verdict is reached", "The denominator", "Corrections"]
    ids = re.findall(r'<a id="(\w+)"></a>\*\*(\w+) · ([^*]+)\.\*\*', text)
    assert len(ids) == 36
    assert {name for _, name, _ in ids} == {entry.id for entry in oe.papers.errata()}
    assert text.startswith("# Reading the papers: what comes out, and where to read differently\n")
    assert text.count("doi 10.1007/s10994-024-06654-4") == 4  # beside every STC entry
    for name in ("c1", "c11", "s3", "o2", "o5"):
        assert f"](#{name})" in text


def test_the_blogs_author_is_quoted():
    note = "There is an inconsistency in my interpretation and the original paper. I have contacted the author for advice"
    assert note in (ROOT / "docs/explanation/errata.md").read_text(encoding="utf-8")
    screen = (ROOT / "src/ordeval/app/screens/laws.py").read_text(encoding="utf-8")
    assert note in " ".join(screen.replace('"\n        "', "").split())


@pytest.mark.slow
def test_the_generated_page_lists_every_unit_that_is_not_exact(script):
    import reference_pages

    text = reference_pages.errata_page()
    assert UNKIND.findall(text) == []
    assert "603 printed: 336 exact" in text
    assert len(re.findall(r"^\| (?!---|place)", text, re.M)) == 603 - 336
