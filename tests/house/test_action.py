"""The action: its own steps, as they stand in action.yml, run against the real command."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from junitparser import JUnitXml
from processes import GUARD

import ordeval as oe

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step["id"]: step for step in ACTION["runs"]["steps"]}
PAGE = (ROOT / "docs/how-to/github-action.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


def test_inputs_reach_the_shell_by_variables_alone():
    for step in STEPS.values():
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]
    given = {name for step in STEPS.values() for name in re.findall(r"inputs\.([\w-]+)", str(step["env"]))}
    assert given == set(ACTION["inputs"])


@pytest.fixture
def step(tmp_path):
    """Call with the inputs of the action: how its step ends in a folder of its own, and what it leaves."""
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "ordeval"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ordeval "$@"\n')
    command.chmod(0o755)

    def run(name="check", alone=False, **inputs):
        for file in ("summary", "output"):
            (tmp_path / file).write_text("")
        defaults = {key: str(value.get("default", "")) for key, value in ACTION["inputs"].items()}
        values = {**defaults, **inputs}
        env = {
            key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: values[found[1]], text)
            for key, text in STEPS[name]["env"].items()
        }
        env |= {
            "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": "" if alone else str(Path(oe.__file__).parents[1]),
        }
        env |= {"RUNNER_TEMP": str(tmp_path / "runner"), "GITHUB_ACTION_PATH": str(ROOT)}
        env |= {"GITHUB_STEP_SUMMARY": str(tmp_path / "summary"), "GITHUB_OUTPUT": str(tmp_path / "output")}
        bash = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", STEPS[name]["run"]]  # as a runner calls it
        done = subprocess.run(
            bash, cwd=tmp_path, env={**os.environ, **env}, capture_output=True, text=True, check=False, timeout=5 * GUARD
        )
        return done, (tmp_path / "output").read_text(), (tmp_path / "summary").read_text()

    (tmp_path / "my rows.csv").write_text("true class,new,old\n" + "low,low,low\nmid,mid,low\nhigh,mid,low\n" * 40)
    run.folder = tmp_path
    return run


ARGS = "--true=true class\n--pred=new\n--pred=old\n--labels=low,mid,high\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "code", "outcome"),
    [
        ("cem of new >= 0.7 ci\n\ncem of new >= old + 0.1\n", 0, "pass"),
        ("cem of new >= 0.7 ci\ncem of old >= 0.9\n", 1, "fail"),
        ("cem of nobody >= 0.9", 2, "error"),
        ("", 2, "error"),
    ],
)
def test_rules_on_lines_of_their_own(step, rules, code, outcome):
    done, output, summary = step(file="my rows.csv", args=ARGS, rules=rules)
    assert (done.returncode, output) == (code, f"outcome={outcome}\n"), done.stderr
    if code < 2:
        assert summary.startswith("2 rules held" if code == 0 else "1 of 2 rules failed")
        assert "| rule |" in summary
        suites = list(JUnitXml.fromfile(str(step.folder / "ordeval.xml")))
        assert sum(suite.failures for suite in suites) == code
        assert sum(suite.tests for suite in suites) == 2


@pytest.mark.slow
def test_a_baseline_and_rows_that_cannot_be_read(step):
    oe.count(["low", "mid", "high"], ["low", "mid", "high"], labels=["low", "mid", "high"]).save(step.folder / "base line.json")
    asked = {"args": "--true=true class\n--pred=new\n--labels=low,mid,high", "rules": "cem >= baseline - 0.01"}
    done, output, _ = step(file="my rows.csv", baseline="base line.json", junit="out/x.xml", **asked)
    assert done.returncode == 3  # there is no folder for the XML
    (step.folder / "out").mkdir()
    done, output, _ = step(file="my rows.csv", baseline="base line.json", junit="out/x.xml", **asked)
    assert (done.returncode, output) == (1, "outcome=fail\n"), done.stderr
    assert (step.folder / "out" / "x.xml").exists()
    done, output, _ = step(file="none.csv", **asked)
    assert (done.returncode, output) == (3, "outcome=error\n")
    (suite,) = JUnitXml.fromfile(str(step.folder / "ordeval.xml"))
    assert suite.errors == 1


@pytest.mark.slow
def test_what_looks_like_a_command_is_an_argument(step):
    done, _, _ = step(file="$(touch hacked).csv", args="--true=y\n--pred=`touch hacked`", rules='cem >= 0.1"; touch hacked; "')
    assert done.returncode in (2, 3)
    assert not (step.folder / "hacked").exists()


@pytest.mark.slow
def test_both_steps_one_after_the_other(step, monkeypatch):
    """The version of the action itself goes into an environment of its own, with all that it needs, and the check runs there."""
    monkeypatch.setenv("PIP_CONSTRAINT", str(ROOT / "constraints.txt"))
    done, _, _ = step("install")
    assert done.returncode == 0, done.stderr
    (step.folder / "bin" / "ordeval").unlink()
    done, output, _ = step(file="my rows.csv", args=ARGS, rules="cem of new >= 0.7 ci", alone=True)
    assert (done.returncode, output) == (0, "outcome=pass\n"), done.stderr


def test_the_example_workflow_uses_inputs_that_there_are():
    (text,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.S | re.M)
    (used,) = [one for one in yaml.safe_load(text)["jobs"]["scores"]["steps"] if "ordeval" in one.get("uses", "")]
    assert set(used["with"]) <= set(ACTION["inputs"])
    listed = set(re.findall(r"^\| `([\w-]+)`", PAGE, re.M))
    assert listed == set(ACTION["inputs"])


@pytest.mark.slow
def test_the_example_workflow_runs_as_far_as_it_is_ours_and_has_no_findings(step, tmp_path):
    (text,) = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.S | re.M)
    (used,) = [one for one in yaml.safe_load(text)["jobs"]["scores"]["steps"] if "ordeval" in one.get("uses", "")]
    rows = (step.folder / "my rows.csv").read_text().replace("true class", "grade")
    (step.folder / "grades.csv").write_text(rows)
    done, output, _ = step(**used["with"])
    assert (done.returncode, output) == (0, "outcome=pass\n"), done.stderr
    path = tmp_path / ".github" / "workflows" / "scores.yml"
    path.parent.mkdir(parents=True)
    path.write_text(text.replace("OWNER", "owner").replace("COMMIT", "0" * 40))
    zizmor = shutil.which("zizmor", path=str(Path(sys.executable).parent)) or "zizmor"
    linted = subprocess.run(
        [zizmor, "--offline", "--no-progress", str(path)], capture_output=True, text=True, check=False, timeout=GUARD
    )
    assert linted.returncode == 0, linted.stdout
