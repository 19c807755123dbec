"""`ordeval raters` as a person meets it."""

import json

import numpy as np
import pytest
from commands import ordeval

import ordeval as oe
from ordeval.show._plain import display_width


def raters(*args):
    return ordeval("raters", *args)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rng = np.random.default_rng(1)
    quality = rng.normal(3, 1.1, 200)
    given = {
        n: np.clip(np.round(quality + s + 0.6 * rng.normal(size=200)), 1, 5) for n, s in (("ann", 0), ("bob", 0.9), ("cay", 0))
    }
    judge = np.clip(np.round(quality + 0.5 + 0.5 * rng.normal(size=200)), 1, 5)
    path = tmp_path_factory.mktemp("raters") / "judged.jsonl"
    lines = []
    for i in range(200):
        row = {"judge": int(judge[i]) if i % 20 else "cannot say"}
        lines.append(row | ({name: int(grades[i]) for name, grades in given.items()} if i < 100 else {}))
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


COLUMNS = ["--raters", "ann", "--raters", "bob", "--raters", "cay", "--labels", "1,2,3,4,5"]


def test_every_coefficient_with_an_interval_and_who_drives_it(path):
    done = raters(path, *COLUMNS)
    assert (done.returncode, done.stderr) == (0, "")
    found = oe.raters.agreement(oe.raters.scan(path, raters=["ann", "bob", "cay"], labels=[1, 2, 3, 4, 5]))
    for name, score in found.scores.items():
        line = next(line for line in done.stdout.splitlines() if found.titles[name] in line)
        assert f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]" in line
    assert found.drivers[0].name == "bob"
    assert "would change without bob" in " ".join(done.stdout.split())
    assert found.sentence in " ".join(done.stdout.split())
    assert max(map(display_width, done.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_a_judge_against_the_panel_and_as_an_instrument(path):
    done = raters(path, *COLUMNS, "--raters", "judge", "--judge", "judge", "--person", "ann")
    words = " ".join(done.stdout.split())
    assert done.returncode == 0
    assert done.stderr == "note: judge: 10 answers outside the classes, counted as unanswered: 'cannot say' (10)\n"
    assert "alternative annotator test" in words
    assert "judge alone would have said" in words
    assert "the mean grade corrected for the judge's errors" in words
    assert max(map(display_width, done.stdout.splitlines())) <= 80
    data = json.loads(
        raters(path, *COLUMNS, "--raters", "judge", "--judge", "judge", "--person", "ann", "--format", "json").stdout
    )
    assert data["corrected"]["rows"] == {"people": 100, "judge alone": 100, "unanswered": 10}
    assert data["panel"]["place"] in ("above", "within", "below")
    assert set(data["raters"]) == {"ann", "bob", "cay"}


def test_a_judge_is_corrected_only_where_a_person_is_named(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("ann,bob,judge\n" + "1,1,1\n2,2,1\n2,3,3\n3,3,2\n" * 5)
    asked = [path, "--raters", "ann", "--raters", "bob", "--raters", "judge", "--labels", "1,2,3", "--judge", "judge"]
    few = ["--coefficients", "alpha_ordinal", "--n-resamples", "400", "--format", "json"]
    alone, corrected = (json.loads(raters(*asked, *few, *more).stdout) for more in ([], ["--person", "ann"]))
    assert "corrected" not in alone
    assert corrected["corrected"]["rows"]["people"] == 20
    assert alone["panel"] == corrected["panel"]


def test_with_a_judge_the_agreement_is_that_of_the_others(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("ann,bob,cay,judge\n" + "1,1,2,3\n2,2,2,1\n2,3,3,1\n3,3,3,2\n" * 5)
    few = ["--labels", "1,2,3", "--coefficients", "all", "--n-resamples", "400", "--format", "json"]
    people, judge = (["--raters", "ann", "--raters", "bob", "--raters", "cay"], ["--raters", "judge", "--judge", "judge"])
    alone, beside = (json.loads(raters(path, *people, *more, *few).stdout) for more in ([], judge))
    assert "judge" in beside["panel"].values()
    for part in ("scores", "raters", "pairs"):
        assert beside[part] == alone[part]


@pytest.mark.parametrize("format", ["csv", "md", "latex"])
def test_other_formats(path, format):
    done = raters(path, *COLUMNS, "--format", format)
    assert done.returncode == 0
    assert "alpha" in done.stdout


def test_bad_input_is_one_line_and_exit_3(path):
    done = raters(path, "--raters", "ann", "--labels", "1,2,3,4,5")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "ordeval: there is one rater (ann), and agreement needs two or more\n"
    assert raters(path, *COLUMNS, "--person", "ann").returncode == 2


def test_help_ends_with_two_examples():
    done = raters("--help")
    assert done.stdout[done.stdout.index("Examples:") :].count("ordeval ") == 2
