"""Campaigns that are uneven, incomplete or no campaigns: one sentence each, in the library and on the command line."""

import numpy as np
import pytest
from typer.testing import CliRunner

import ordeval as oe
from ordeval.cli.program import app
from ordeval.show._plain import display_width

TRUE = [0, 1, 2, 2, 1, 0]


def case(*names, true=TRUE, labels=(0, 1, 2), **options):
    rng = np.random.default_rng(len(names))
    return oe.count(true, {name: rng.choice(list(labels), len(true)) for name in names}, labels=list(labels), **options)


def refusal(cases, error=ValueError, **options):
    with pytest.raises(error) as raised:
        oe.choose.Campaign.from_counts(cases, **options)
    text = str(raised.value)
    assert "\n" not in text
    return text


def test_a_missing_system_is_named_with_its_case_and_the_remedy():
    cases = {"east": case("a", "b", "c", "d"), "west": case("a", "b", "d")}
    assert refusal(cases) == (
        "the system 'c' is missing from the test case 'west'; every system must have answered every case, so leave out the case, "
        "or name the systems that are everywhere: systems=[...]"
    )
    assert oe.choose.Campaign.from_counts(cases, systems=["a", "b", "d"]).systems == ("a", "b", "d")
    assert "the system 'x' is missing from the test case 'east'" in refusal(cases, systems=["a", "b", "x"])


def test_too_few_or_repeated_systems():
    cases = {"east": case("a", "b"), "west": case("a", "b")}
    assert "but there are only 2 (a, b); give 3 or more" in refusal(cases)
    assert "the system 'a' is named twice" in refusal({"east": case("a", "b", "c")}, systems=["a", "a", "b"])


def test_other_classes():
    other = case("a", "b", "c", labels=(0, 1, 2, 3))
    assert refusal({"east": case("a", "b", "c"), "west": other}) == (
        "the test cases 'east' and 'west' have different classes (0 < 1 < 2; 0 < 1 < 2 < 3)"
    )
    inferred = oe.count([0, 1], {name: [0, 1] for name in "abc"})
    assert "taken from the data: count with the same labels" in refusal({"east": case("a", "b", "c"), "west": inferred})


def test_other_true_rows():
    alone = {name: case(name)[name] for name in "abc"}
    uneven = {**alone, "b": case("b", true=[0, 1, 2, 2, 1, 1])["b"]}
    assert refusal({"east": alone, "west": uneven}) == (
        "in the test case 'west' the systems 'a' and 'b' have different true classes ([2, 2, 2] and [1, 3, 2] rows); "
        "they must answer the same rows"
    )


def test_unanswered_rows():
    answers = {"a": [0, 1, None, 2, 1, 0], "b": TRUE, "c": TRUE}
    counts = oe.count(TRUE, answers, labels=[0, 1, 2], missing="unanswered")
    message = refusal({"east": counts})
    assert message.startswith("the system 'a' left 1 rows of the test case 'east' unanswered")
    assert oe.choose.Campaign.from_counts({"east": counts.answered("a", "b", "c")}).tables.sum() == 15


def test_no_case_no_system_no_counts():
    assert refusal({}) == "a campaign needs test cases, but there are none; give {case: counts}"
    assert "the test case 'east' is a list" in refusal({"east": [1, 2]}, TypeError)
    assert "the test case 'east' has no system" in refusal({"east": {}})
    two = {name: case("a", "b") for name in "xyz"}
    assert "the counts of the system 'x' in the test case 'east' hold 2 models; give one" in refusal({"east": two})


def test_cases_with_different_numbers_of_rows_are_fine():
    found = oe.choose.Campaign.from_counts({"east": case("a", "b", "c"), "west": case("a", "b", "c", true=TRUE * 9)})
    assert found.tables.sum((-2, -1)).tolist() == [[6] * 3, [54] * 3]


def test_metrics_that_are_not_there_or_twice():
    cases = {"east": case("a", "b", "c")}
    with pytest.raises(ValueError, match="metrics names mae twice"):
        oe.choose.meta_evaluate(cases, metrics=["mae", "mae"])
    with pytest.raises(ValueError, match="against names no metric"):
        oe.choose.meta_evaluate(cases, against=[])
    with pytest.raises(ValueError, match="there is no metric called 'maee'"):
        oe.choose.meta_evaluate(cases, metrics=["maee"])


def test_one_case_can_be_covered_but_not_be_robust():
    found = oe.choose.meta_evaluate({"east": case("a", "b", "c", "d", true=TRUE * 9)}, metrics=["mae", "cem"])
    assert not np.isnan(found["mae"].coverage)
    assert np.isnan(found["mae"].robustness)
    assert np.isnan(found.told_apart()["mae"])
    assert "—" in str(found)


def test_weights_with_fractions_leave_out_what_needs_whole_counts():
    weights = np.linspace(0.5, 1.5, 6)
    cases = {"east": case("a", "b", "c", sample_weight=weights), "west": case("a", "b", "c", sample_weight=weights)}
    with pytest.raises(ValueError, match="variant='a'\\) is defined for whole-number counts"):
        oe.choose.meta_evaluate(cases)
    found = oe.choose.meta_evaluate(cases, against=["accuracy", "kendall_tau"])
    assert "kendall_tau(variant='a')" not in found.metrics
    assert len(found.metrics) == 28
    assert str(found)


def run(*args):
    return CliRunner().invoke(app, ["meta", *map(str, args)])


@pytest.fixture
def folder(tmp_path):
    for name in ("east", "west", "north"):
        case("a", "b", "c", "d", true=TRUE * 5).save(tmp_path / f"{name}.json")
    (tmp_path / "notes.txt").write_text("not a test case")
    return tmp_path


def test_the_command_judges_a_folder(folder):
    done = run(folder, "--metrics", "cem,oci(share=0.25, gamma=2.0)", "--metrics", "mae", "--against", "accuracy,mae")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "3 test cases × 4 systems, classes 0 < 1 < 2"
    assert max(map(display_width, lines)) <= 80
    assert {line.split()[0] for line in lines[3:6]} == {"cem", "oci(share=0.25,", "mae"}
    assert "* reference: an improvement counts if accuracy and mae all see it." in done.stdout
    expected = oe.choose.meta_evaluate(
        oe.choose.Campaign.load(folder), metrics=["cem", "oci(share=0.25, gamma=2.0)", "mae"], against=["accuracy", "mae"]
    )
    assert done.stdout == str(expected) + "\n"


def test_the_command_takes_some_systems(folder):
    done = run(folder, "--systems", "a", "--systems", "b", "--systems", "d", "--metrics", "mae")
    assert done.stdout.startswith("3 test cases × 3 systems")


def test_a_campaign_of_rows_is_that_of_its_counts(folder, tmp_path_factory):
    rows = tmp_path_factory.mktemp("rows")
    for name in ("east", "west", "north"):
        counts = oe.Counts.load(folder / f"{name}.json")
        lines = [",".join(["id", "grade", *counts.models])]
        for i, (cell, weight) in enumerate(zip(counts.cells.tolist(), counts.weights.tolist(), strict=True)):
            lines += [",".join(map(str, [f"{i}-{j}", *cell])) for j in range(weight)]
        (rows / f"{name}.csv").write_text("\n".join(lines))
    expected = run(folder, "--metrics", "cem,mae")
    done = run(rows, "--metrics", "cem,mae", "--true", "grade", "--labels", "0,1,2")
    assert done.exit_code == 0, done.exception
    assert done.stdout == expected.stdout


def test_wrong_usage_of_the_command(folder):
    for args in ((), (folder, "--synthetic")):
        done = run(*args)
        assert done.exit_code == 2
        assert "give a folder of test cases, or --synthetic, and not both" in " ".join(done.output.split())


@pytest.mark.parametrize("share", [0.0, -0.1, 0.51, 1, float("nan")])
def test_two_sets_without_anything_in_common_hold_half_at_most(share):
    judged = oe.choose.meta_evaluate({name: case("a", "b", "c") for name in "wxyz"}, metrics=["mae"])
    for sets in (judged.by_cases, judged.by_rows):
        with pytest.raises(
            ValueError, match=f"a share of {share} cannot be taken: the two sets have no .* in common; give a share above 0"
        ):
            sets([share])


def test_a_folder_that_holds_no_campaign(tmp_path):
    with pytest.raises(ValueError, match="holds no file that ends in .json, .csv, .*; save the counts of each test case there"):
        oe.choose.Campaign.load(tmp_path)
    (tmp_path / "east.json").write_text("{}")
    with pytest.raises(ValueError, match="east.json does not hold counts saved by ordeval"):
        oe.choose.Campaign.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        oe.choose.Campaign.load(tmp_path / "nowhere")
