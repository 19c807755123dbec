"""Generated pages of the documentation are what the code computes."""

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
