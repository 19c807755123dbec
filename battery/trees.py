"""A copy of the tree that may be spoiled, and the first test that fails on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from battery.rows import ROOT

PARTS = ("src", "tests", "benchmarks", "battery", "docs", "scripts", "conformance", "README.md", "pyproject.toml", "conftest.py")


def copy_of_tree(folder: Path) -> Path:
    """Source and tests, to be changed at will."""
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / part).exists():
            shutil.copy(ROOT / part, folder / part)
    return folder


def first_failure(root: Path, arguments: list[str], limit: float = 900) -> str:
    """The first test that fails there; "" if none does, "time" if there is no end."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1", "CI": ""}
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return "time"
    if done.returncode == 0:
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0].partition(" ")[2] if failed else f"pytest ended with {done.returncode}"
