"""Generated pages of the documentation are what the code computes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_page_on_meta_evaluation_is_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "meta_page.py", "--check"], capture_output=True, text=True, check=False, timeout=600
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_guide_quotes_of_the_meta_evaluation_stands_there():
    page, guide = (
        (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("meta-evaluation", "explanation/which-metric")
    )
    coverage = dict(re.findall(r"^\| `([^`]+)` \| (\d\.\d\d) \|", page.partition("### Steadiness")[2], re.M))
    assert list(coverage)[:3] == ["cohen_kappa(weights='linear')", "cem", "amae"]
    assert coverage["cohen_kappa(weights='linear')"] == coverage["cem"]
    words = (
        f"Linear kappa and CEM ({coverage['cem']} each) and AMAE ({coverage['amae']}) lead; accuracy alone has {coverage['accuracy']}, "
        f"Kendall's tau-b {coverage['kendall_tau']}."
    )
    assert words in " ".join(guide.split())
