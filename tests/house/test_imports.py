"""Importing the package imports numpy and little else; what is public is listed."""

import subprocess
import sys

import pytest
from commands import HEAVY_LIBRARIES
from processes import GUARD

import ordeval

HEAVY = [*HEAVY_LIBRARIES, "typer", "streamlit"]


def modules_after(code):
    program = f"{code}\nimport sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD)
    return set(done.stdout.split())


def test_import_is_light():
    assert modules_after("import ordeval") & set(HEAVY) == set()


@pytest.mark.slow
def test_scoring_lists_and_arrays_loads_nothing_more():
    code = "import ordeval as oe, numpy as np; oe.mae([1, 2], [2, 2]); oe.amae(np.array([1, 2]), np.array([1, 1]))"
    assert modules_after(code) & set(HEAVY) == set()


def test_public_names_are_listed_and_exist():
    assert all(hasattr(ordeval, name) for name in ordeval.__all__)
    assert sorted(dir(ordeval)) == sorted([*ordeval.__all__, *ordeval._NAMESPACES])
    assert len(set(ordeval.__all__)) == len(ordeval.__all__)


def test_every_metric_is_a_public_name():
    assert [m.name for m in ordeval.catalogue() if getattr(ordeval, m.name, None) is not m.function] == []


@pytest.mark.slow
@pytest.mark.parametrize("module", ["torch", "torchmetrics"])
def test_an_integration_without_its_library_says_what_to_install(module):
    program = f"import sys; sys.modules['torch'] = None; import ordeval.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=GUARD)
    assert done.stderr.splitlines()[-1] == 'ImportError: torch is not installed: pip install "ordeval[torch]"'
