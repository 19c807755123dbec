"""The pages on laws are generated: one that is stale is noticed, every link leads somewhere, every cross to its counter-example."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ordeval as oe
from ordeval.laws import LAWS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def check(folder):
    script = [sys.executable, str(ROOT / "scripts" / "laws_page.py"), "--check", "--docs", str(folder)]
    return subprocess.run(script, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600)


@pytest.mark.slow
def test_the_pages_are_up_to_date_and_stale_ones_are_noticed(tmp_path):
    done = check(DOCS)
    assert (done.returncode, done.stderr) == (0, "")
    for name, old, new in (("laws.md", "[✗](#mae-imbalance)", "✓"), ("cem-table-2.md", "all 18,750 cases", "all 18,751 cases")):
        for page in ("laws.md", "cem-table-2.md"):
            shutil.copy(DOCS / page, tmp_path / page)
        text = (DOCS / name).read_text(encoding="utf-8")
        assert old in text
        (tmp_path / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        done = check(tmp_path)
        assert done.returncode == 1
        assert done.stderr == f"{name} is not up to date; run  make laws\n"


def test_every_cross_leads_to_its_counterexample():
    for name in ("laws.md", "cem-table-2.md"):
        text = (DOCS / name).read_text(encoding="utf-8")
        anchors = re.findall(r'<a id="([^"]+)"></a>', text)
        assert len(set(anchors)) == len(anchors)
        assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= set(anchors)
        for target in re.findall(r"\]\(([a-z0-9-]+\.md)\)", text):
            assert (DOCS / target).exists()


def test_the_table_shows_what_the_registry_claims():
    """Read back from the page, not from what made it."""
    lines = (DOCS / "laws.md").read_text(encoding="utf-8").splitlines()
    header = next(line for line in lines if line.startswith("| metric |"))
    laws = re.findall(r"\]\(#([a-z_]+)\)", header)
    assert laws == list(LAWS)
    rows = {line.split("`")[1]: line.split(" | ")[1:] for line in lines if line.startswith("| `")}
    assert list(rows) == [str(metric) for metric in oe.catalogue() if metric.needs_only_counts]
    for metric in (m for m in oe.catalogue() if m.needs_only_counts):
        for law, cell in zip(laws, rows[str(metric)], strict=True):
            assert ("✗" in cell) == (law in metric.broken), (metric, law)
            assert ("✓" in cell) == (law in metric.laws and law not in metric.broken), (metric, law)
            assert ("**" in cell) == metric.laws.get(law, "").startswith("proved"), (metric, law)
