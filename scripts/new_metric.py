"""make metric NAME=... FAMILY=...: add a metric, step by step; run it until it is green.

The first run writes a kernel, a record and a function into the family's file and three tests into tests/metrics/test_NAME.py, with
... where something is owed.  Every later run says all that is still owed, at once; then it tries the kernel on every small table,
searches for the laws that the metric keeps and breaks, writes records, conformance vectors, tables and pages, and runs the tests.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = ROOT / "src" / "ordeval" / "metrics" / "families"
REQUIRED = ("title", "plain", "formula", "formula_text", "undefined", "ignores", "misleads", "structure", "cite")
PLAIN = 34  # characters of the question that a metric answers
SMALL = [(k, n) for k in (1, 2, 3) for n in (1, 2, 3, 4)]

BLOCK = '''

def _{name}(counts: Array) -> Array:
    """..."""
    return ratio(..., total(counts))


@metric(
    kernel=_{name},
    title="...",
    plain="...",
    formula=r"...",
    formula_text="...",
    direction="higher",
    bounds=(0, 1),
    undefined="there are no rows",
    ignores="...",
    misleads=["..."],
    structure="...",
    cite="...",
    see=[],
    laws={{}},
    broken={{}},
)
def {name}(y_true: Truth, y_pred: Answer = None, *, labels: Labels = None, sample_weight: Weights = None) -> float:
    """...

    >>> {name}([1, 2, 3], [1, 2, 2], labels=[1, 2, 3])
    ...
    """
    return score({name}, y_true, y_pred, labels=labels, sample_weight=sample_weight)
'''

TESTS = '''"""{name}: is it what its paper says?"""

import numpy as np
import pytest
from papers.derivations import derivation, derived, margins, ratio, real
from tables import all_tables, scale_of, value

import ordeval as oe


@derivation("{name}")
def {name}(c):
    """From the definition, in exact fractions; None where it has no value."""
    raise NotImplementedError("derive {name} a second time: margins(c) gives rows, columns and total, ratio(a, b) is None for 0/0")


def test_the_kernel_is_the_second_derivation():
    metric = oe.get_metric("{name}")
    for k, n in ((1, 3), (2, 4), (3, 3)):
        for table in all_tables(k, n):
            expected = derived(metric, scale_of(metric, k), table)
            got = value(metric, table)
            assert np.isnan(got) if expected is None else got == pytest.approx(float(real(expected)), rel=1e-12, abs=1e-12)


def test_the_numbers_that_the_paper_prints():
    raise NotImplementedError("copy a printed table and its value, with their printed decimals, and say where they stand")


def test_an_independent_program_agrees():
    raise NotImplementedError("compare with another program; if there is none, take this test out and say so in the first line above")
'''


def begin(name: str, family: str) -> str:
    """Write what is owed, and say where."""
    source = FAMILIES / f"{family}.py"
    text = source.read_text(encoding="utf-8")
    listed = re.search(r"__all__ = \[(.*?)\]", text, re.S)
    assert listed is not None
    names = sorted({*ast.literal_eval(f"[{listed[1]}]"), name})
    text = text.replace(listed[0], "__all__ = [" + ", ".join(f'"{one}"' for one in names) + "]")
    source.write_text(text.rstrip("\n") + "\n" + BLOCK.format(name=name), encoding="utf-8")
    tests = ROOT / "tests" / "metrics" / f"test_{name}.py"
    tests.parent.mkdir(exist_ok=True)
    tests.write_text(TESTS.format(name=name), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(source)], cwd=ROOT, check=True)
    return f"Fill in what is ... in {source.relative_to(ROOT)} (at its end) and {tests.relative_to(ROOT)}; then run the same command again."


def owed(name: str, family: str) -> list[str]:
    """Everything that the record and the tests still owe."""
    text = (FAMILIES / f"{family}.py").read_text(encoding="utf-8")
    node = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == name)
    kernel = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == f"_{name}")
    missing = [f"{name}: {k.arg}= in its record" for k in node.decorator_list[0].keywords if "..." in ast.unparse(k.value)]  # type: ignore[attr-defined]
    if any(isinstance(part, ast.Constant) and part.value is ... for part in ast.walk(kernel)) or "..." in (
        ast.get_docstring(kernel) or ""
    ):
        missing.append(f"{name}: its kernel _{name}, and one line that says what it does")
    if "..." in (ast.get_docstring(node) or ""):
        missing.append(f"{name}: the first line of its docstring, and what the example prints")
    tests = ROOT / "tests" / "metrics" / f"test_{name}.py"
    functions = [n for n in ast.parse(tests.read_text(encoding="utf-8")).body if isinstance(n, ast.FunctionDef)]
    return missing + [f"{tests.relative_to(ROOT)}: {n.name}" for n in functions if "NotImplementedError" in ast.unparse(n)]


def wrong_in_the_record(name: str) -> list[str]:
    """What is written but cannot be so."""
    from typing import get_args

    from matplotlib.mathtext import MathTextParser

    from ordeval import get_metric
    from ordeval.metrics.core.references import BIBLIOGRAPHY
    from ordeval.metrics.core.types import Structure

    metric, wrong = get_metric(name), []
    wrong += [f"{field}= is empty" for field in REQUIRED if not getattr(metric, field)]
    if len(metric.plain) > PLAIN:
        wrong.append(f"plain= has {len(metric.plain)} characters, and {PLAIN} fit")
    if metric.cite not in BIBLIOGRAPHY:
        wrong.append(f"cite={metric.cite!r} is not in metrics/core/references.py; add a line there")
    if metric.structure not in get_args(Structure):
        wrong.append(f"structure={metric.structure!r} is none of {', '.join(get_args(Structure))}")
    try:
        MathTextParser("path").parse(f"${metric.formula}$")
    except ValueError as error:
        wrong.append(f"formula= cannot be typeset: {str(error).strip().splitlines()[-1]}")
    wrong += [f"see= names {other!r}, which is no metric" for other in metric.see if not _exists(other)]
    wrong += [f"the parameter {p.name!r} does not say what it means" for p in metric.parameters.values() if not p.help]
    return wrong


def _exists(name: str) -> bool:
    from ordeval import get_metric

    try:
        return bool(get_metric(name))
    except ValueError:
        return False


def wrong_on_small_tables(name: str) -> list[str]:
    """The kernel on every table of up to three classes and four rows: alone and in a stack, weighted, within its bounds."""
    sys.path.insert(0, str(ROOT / "tests"))
    import numpy as np
    from tables import all_tables, scale_of, value

    from ordeval import get_metric
    from ordeval.metrics.core.stacks import score_stack

    metric, wrong = get_metric(name), []
    if not metric.needs_only_counts:
        return []
    for k, n in SMALL:
        stack, scale = np.array(list(all_tables(k, n))), scale_of(metric, k)
        together = score_stack(metric, stack, scale)
        alone = np.array([value(metric, table) for table in stack])
        if not np.array_equal(together, alone, equal_nan=True):
            wrong.append(f"K={k}, N={n}: a table alone and the same table in a stack have different scores")
        low, high = metric.bounds_for(k)
        if ((alone < low - 1e-12) | (alone > high + 1e-12)).any():
            wrong.append(
                f"K={k}, N={n}: scores from {np.nanmin(alone)} to {np.nanmax(alone)}, and the bounds are {low} to {high}"
            )
        if "whole counts" not in metric.needs and "replication" in metric.laws:
            twice = score_stack(metric, 2 * stack, scale)
            if not np.allclose(twice, alone, rtol=1e-12, equal_nan=True):
                wrong.append(f"K={k}, N={n}: every weight doubled changes the score")
        if np.isnan(alone).any() and not metric.undefined:
            wrong.append(f"K={k}, N={n}: some tables have no score, and undefined= does not say when")
    return wrong


def run(*command: str) -> None:
    print("  " + " ".join(command[1:] if command[0] == sys.executable else command), flush=True)
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit("This step failed; mend what it says above, and run the same command again.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("family", choices=sorted(path.stem for path in FAMILIES.glob("*.py") if path.stem != "__init__"))
    name, family = (lambda given: (given.name, given.family))(parser.parse_args())
    if not name.isidentifier() or name != name.lower():
        sys.exit(f"{name!r} is no name for a metric: small letters, digits and underscores")
    if f"def {name}(" not in (FAMILIES / f"{family}.py").read_text(encoding="utf-8"):
        print(begin(name, family))
        return
    missing = owed(name, family)
    if missing:
        sys.exit("Still owed:\n" + "\n".join(f"  {what}" for what in missing))
    wrong = wrong_in_the_record(name) or wrong_on_small_tables(name)
    if wrong:
        sys.exit("To be mended:\n" + "\n".join(f"  {what}" for what in wrong))
    run(sys.executable, "scripts/law_claims.py", name)
    run(sys.executable, "conformance/generate.py", "--add", name)
    for script in ("metrics_page.py", "laws_page.py"):
        run(sys.executable, f"scripts/{script}")
    run(sys.executable, "tests/house/test_api.py")
    run(sys.executable, "-m", "ruff", "check", "--quiet", "--fix", "src", "tests/metrics")
    run(sys.executable, "-m", "ruff", "format", "--quiet", "src", "tests/metrics")
    run(sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "not slow", f"tests/metrics/test_{name}.py", "tests/house")
    from ordeval import get_metric

    print(f"\nGreen.  For CHANGELOG.md:\n- `{name}`: {get_metric(name).summary}")


if __name__ == "__main__":
    main()
