"""The pytest plugin: rules as tests, what a failure says, and that loading it costs nothing."""

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from processes import GUARD

import ordeval as oe
import ordeval_pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/how-to/pytest.md").read_text(encoding="utf-8")
TRUE, NEW = [1, 2, 3] * 40, [1, 2, 2] * 40


def run(folder, program, *options, **files):
    """pytest on one file, with the plugin of this tree and no other, and with warnings as errors."""
    (folder / "test_it.py").write_text(program, encoding="utf-8")
    (folder / "pytest.ini").write_text(files.pop("ini", "[pytest]\n"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "ordeval_pytest", "-W", "error", *options]
    paths = os.pathsep.join([str(Path(ordeval_pytest.__file__).parent), str(Path(oe.__file__).parents[1])])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "200"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False, timeout=GUARD
    )


@pytest.mark.slow
def test_the_page_shows_what_pytest_says(tmp_path):
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)
    (shown,) = re.findall(r"^```\n(E .*?)^```", PAGE, re.S | re.M)
    done = run(tmp_path, program)
    assert done.returncode == 1
    said = [line for line in done.stdout.splitlines() if line.startswith("E ")]
    assert said == shown.splitlines()
    assert "ordeval_pytest.py" not in done.stdout  # the failure is shown where the test calls it


@pytest.mark.slow
def test_loading_the_plugin_imports_neither_numpy_nor_ordeval(tmp_path):
    """A run without the fixture; then one with it, in which they are there, so that the look at them can fail."""
    looks = "import sys\n\ndef test_it({}):\n    print('heavy:', sorted({{'numpy', 'scipy', 'ordeval'}} & set(sys.modules)))\n"
    assert "heavy: []\n" in run(tmp_path, looks.format(""), "-s").stdout
    used = looks.format("ordinal") + "    import ordeval\n    ordinal.check(ordeval.count([1, 2], [1, 2]), 'mae <= 1')\n"
    done = run(tmp_path, used + looks[looks.index("    print") :].format(), "-s")
    assert (done.returncode, done.stdout.count("heavy: []\n")) == (0, 1), done.stdout
    assert "heavy: ['numpy', 'ordeval'" in done.stdout


@pytest.mark.slow
def test_numbers_go_into_junit_and_baselines_come_from_option_and_setting(tmp_path):
    oe.count(TRUE, TRUE).save(tmp_path / "perfect.json")
    oe.count(TRUE, NEW).save(tmp_path / "same.json")
    program = (
        "import ordeval as oe\n\n\ndef test_it(ordinal):\n"
        f"    counts = oe.count({TRUE}, {NEW})\n"
        "    print('baseline', ordinal.baseline)\n"
        "    ordinal.check(counts, ['cem >= baseline - 0.01', \"cohen_kappa(weights='linear') >= 0\"])\n"
    )
    done = run(tmp_path, program, "--junit-xml=report.xml", "-s")
    assert done.returncode == 0, done.stdout  # without a baseline the rule is skipped
    assert "baseline None" in done.stdout
    (case,) = ElementTree.parse(tmp_path / "report.xml").iter("testcase")
    found = {one.attrib["name"]: float(one.attrib["value"]) for one in case.iter("property")}
    scores = oe.evaluate(TRUE, NEW, metrics=["cem", "cohen_kappa(weights='linear')"]).scores
    assert found == {
        f"{oe.get_metric(name).key}{end}": pytest.approx(number)
        for name, score in scores.items()
        for end, number in {"": score.value, "_low": score.low, "_high": score.high}.items()
    }
    setting = f"[pytest]\n{ordeval_pytest.INI} = perfect.json\n"
    done = run(tmp_path, program, ini=setting)
    assert done.returncode == 1
    assert "FAIL  cem >= baseline - 0.01   0.796, baseline 1.000" in done.stdout
    assert "needed: cem at least 0.99; it is 0.796 [0.763, 0.826]" in done.stdout
    assert run(tmp_path, program, "--ordeval-baseline=same.json", ini=setting).returncode == 0


class Node:
    """What of a test the fixture writes to."""

    def __init__(self):
        self.user_properties = []


def check(counts, rules, **options):
    return ordeval_pytest.Ordinal(Node(), None).check(counts, rules, **options)


def failure(counts, rules, **options):
    with pytest.raises(AssertionError) as caught:
        check(counts, rules, **options)
    return str(caught.value).splitlines()


def test_a_call_that_holds_gives_the_report():
    report = check(oe.count(TRUE, NEW), "cem >= 0.7 ci")
    assert (report.holds, len(report.verdicts)) == (True, 1)


def test_every_number_of_every_model_and_group_goes_to_the_properties_of_the_test_under_a_name_of_its_own():
    counts = oe.count(TRUE, {"new": NEW, "old": TRUE}, by={"site": ["a", "b"] * 60})
    ordinal = ordeval_pytest.Ordinal(Node(), None)
    ordinal.check(counts, ["mae <= 1", "cem of new >= 0"], by="site", n_resamples=400)
    ordinal.check(oe.count(TRUE, NEW), "accuracy >= 0", n_resamples=400)  # its model has no name
    found = dict(ordinal._node.user_properties)
    assert len(found) == len(ordinal._node.user_properties)
    tables = {"": counts} | {f"site={site}/": part for site, part in counts.groups("site").items()}
    expected = {f"{model}/{group}mae": oe.mae(table[model]) for group, table in tables.items() for model in ("new", "old")}
    expected |= {f"new/{group}cem": oe.cem(table["new"]) for group, table in tables.items()}
    expected |= {"accuracy": oe.accuracy(counts["new"])}
    values = {name: number for name, number in found.items() if not name.endswith(("_low", "_high"))}
    assert values == pytest.approx(expected)
    for name, value in values.items():
        if f"{name}_low" in found:
            assert found[f"{name}_low"] <= value <= found[f"{name}_high"]


@pytest.mark.parametrize(
    ("rule", "needed"),
    [
        ("accuracy >= 0.7", r"accuracy at least 0.7; it is 0.667 \[0.579, 0.747\]$"),
        ("mae < 0.3", r"mae below 0.3; it is 0.333 \[0.253, 0.422\]$"),
        ("mae <= 0.2 ci", r"mae at most 0.2 with its whole interval; it is 0.333 \[0.253, 0.422\]$"),
        ("mae <= 0.4 ci", r"; about \d+ rows would do, if the score stays \(there are 120\)$"),
        ("mae <= 0.334 ci", "; the score is on the right side, by too little for any number of rows to show$"),
        (
            "cem >= old - 0.01",
            r"its difference in cem at least -0.01 with its whole interval; it is -0.204 \[-0.2\d\d, -0.1\d\d\]$",
        ),
        ("cem >= old - 0.21", r"; about \d[\d,]+ rows would do"),
    ],
)
def test_what_would_be_needed(rule, needed):
    counts = oe.count(TRUE, {"new": NEW, "old": TRUE})
    said = failure(counts, rule.replace(" ", " of new ", 1))
    assert said[0] == "1 of 1 rule failed"
    assert re.search(f"^new: needed: .*{needed}", said[-1]), said


def test_the_rows_that_would_do_would_do():
    """As many times the same rows: the rule holds then, and did not long before."""
    said = failure(oe.count(TRUE, NEW), "mae <= 0.4 ci")[-1]
    rows = int(re.search(r"about (\d+) rows", said)[1])
    assert 120 < rows < 360
    times = -(-rows // 120) + 1
    assert check(oe.count(TRUE * times, NEW * times), "mae <= 0.4 ci").holds


@pytest.mark.parametrize("right", [90, 108, 116])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_limit_from_below_and_its_mirror_from_above_need_as_many_rows(right, share):
    """What decides is the end of the interval on the side of the limit, and near 1 the two ends are not equally far."""
    counts = oe.count([1] * 120, [1] * right + [2] * (120 - right), labels=[1, 2])
    low, value = oe.evaluate(counts, metrics=["accuracy"]).scores["accuracy"].low, right / 120
    limit = round(low + share * (value - low), 4)
    said = [failure(counts, rule)[-1] for rule in (f"accuracy >= {limit} ci", f"mze <= {1 - limit:.4f} ci")]
    times = ((value - low) / (value - limit)) ** 2
    for line in said:
        assert int(re.search(r"about ([\d,]+) rows would do", line)[1].replace(",", "")) == pytest.approx(120 * times, abs=1)


def test_of_groups_and_clusters_no_number_of_rows_is_said():
    groups = ["a", "b"] * 60
    said = failure(oe.count(TRUE, NEW, by={"site": groups}), "mae <= 0.4 ci", by="site")
    needed = [line for line in said if "needed:" in line]
    assert any("site=a" in line for line in needed)
    assert not any("rows would do" in line for line in needed if "site=" in line)
    clustered = oe.count(TRUE, NEW, cluster=[i // 4 for i in range(120)])
    assert not any("rows would do" in line for line in failure(clustered, "mae <= 0.4 ci"))


def test_a_rule_that_cannot_be_decided_says_why_and_asks_for_nothing():
    said = failure(oe.count([1, 1], [1, 1], labels=[1, 2]), "cohen_kappa >= 0.5")
    assert "undefined" in " ".join(said)
    assert not any("needed:" in line for line in said)
