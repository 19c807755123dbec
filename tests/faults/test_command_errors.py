"""Errors of the command line with hostile data in them: the data stay what they are, and nothing around them is rewritten."""

import csv
import shlex
from pathlib import Path

import pytest
from commands import ordeval, write_csv

from ordeval.cli.errors import as_option
from ordeval.show import printable

NEUTRAL = "zzqqzz"
HOSTILE = [
    "difference=1",
    "half_width=0.02",
    "labels=[1]",
    'missing="drop"',
    "--labels x",
    "--weight",
    "{labels}",
    "{0}",
    "{labels:[...]}",
    "{{",
    "}",
    "<b>",
    "\x1b[31mred",
    "it's",
    "%s %(x)s",
    "$HOME",
    "y_true",
    "source",
    "labels=Scale.from_edges([...])",
]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def outside_the_classes(word):
    write_csv("rows.csv", [["y", "p"], ["a", "a"], ["b", word]])
    return ordeval("score", "rows.csv", "--true", "y", "--pred", "p", "--labels", "a,b")


def without_an_order(word):
    write_csv("rows.csv", [["y", "p"], [word, word]])
    return ordeval("score", "rows.csv", "--true", "y", "--pred", "p")


def from_stdin(word):
    return ordeval(
        "score", "-", "--true", "y", "--pred", "p", "--labels", "a,b", stdin=f'y,p\na,"{word.replace(chr(34), chr(34) * 2)}"\n'
    )


def no_such_column(word):
    write_csv("rows.csv", [["a", "b"], ["1", "1"]])
    return ordeval("score", "rows.csv", "--true", word, "--pred", "b")


def missing_in_a_column(word):
    write_csv("rows.csv", [[word, "p"], ["1", "1"], ["", "1"]])
    return ordeval("score", "rows.csv", "--true", word, "--pred", "p")


def no_such_file(word):
    return ordeval("score", f"./{word}.csv", "--true", "y", "--pred", "p")


def no_such_file_of_labels(word):
    write_csv("rows.csv", [["y", "p"], ["1", "1"]])
    return ordeval("score", "rows.csv", "--true", "y", "--pred", "p", "--labels", f"@{word}")


def no_edges(word):
    write_csv("rows.csv", [["y", "p"], ["1", "1"]])
    return ordeval("score", "rows.csv", "--true", "y", "--pred", "p", f"--edges={word}")


def a_file_that_is_there(word):
    write_csv("rows.csv", [["y", "p"], ["1", "1"]])
    Path(f"{word}.json").write_text("old")
    return ordeval("score", "rows.csv", "--true", "y", "--pred", "p", f"--output={word}.json")


def no_such_metric(word):
    return ordeval("explain", "--", f"no {word} metric")


def no_rule(word):
    return ordeval("check", "rows.csv", "--true", "y", "--pred", "p", f"--rule={word}")


def two_models_for_one_plan(word):
    write_csv("rows.csv", [["y", word, "b"], *(["1", "1", "2"], ["2", "2", "1"])])
    return ordeval("plan", "rows.csv", "--true", "y", f"--pred={word}", "--pred", "b", "--half-width", "0.1", "--labels", "1,2")


def no_such_id(word):
    write_csv("gold.csv", [["id", "true"], ["1", "1"], [word, "2"]])
    write_csv("run.csv", [["id", "pred"], ["1", "1"]])
    return ordeval("leaderboard", "gold.csv", "run.csv")


def no_such_rater(word):
    write_csv("rows.csv", [["a", "b"], *(["1", "2"], ["2", "2"])])
    return ordeval("raters", "rows.csv", "--raters", "a", "--raters", "b", f"--judge={word}")


def unknown_option(word):
    return ordeval("score", "rows.csv", f"--{'x' * 60}{word}")  # too long to be like another


CASES = [
    *(outside_the_classes, without_an_order, from_stdin, no_such_column, missing_in_a_column, no_such_file),
    *(no_such_file_of_labels, no_edges, a_file_that_is_there, no_such_metric, no_rule, two_models_for_one_plan),
    *(no_such_id, no_such_rater, unknown_option),
]


def forms(word):
    """How a word may stand in a message: as it is, quoted by Python or a shell, with control characters made printable."""
    in_a_list = '"' + word.replace('"', '""') + '"' if '"' in word or "," in word else word
    quoted = {word, repr(word), f"'{word}'", f'"{word}"', repr(word)[1:-1], shlex.quote(word), shlex.quote(in_a_list)}
    return sorted({printable(form) for form in quoted}, key=len, reverse=True)


def without(message, word):
    for form in forms(word):
        message = message.replace(form, "§")
    return message.replace('"', "'").replace("'§'", "§")


@pytest.mark.parametrize("word", HOSTILE)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
@pytest.mark.thorough
@pytest.mark.slow
def test_data_stay_data(case, word, tmp_path, monkeypatch):
    if (case is unknown_option and "=" in word) or (case is no_such_file and "[" in word):
        return  # that would be a value, or a pattern
    done = case(word)
    assert (done.code in (2, 3), done.out) == (True, ""), done
    (line,) = done.err.splitlines()
    assert line.startswith("ordeval: ")
    assert "\x1b" not in line
    assert any(form in line for form in forms(word)), line
    (tmp_path / "again").mkdir()
    monkeypatch.chdir(tmp_path / "again")
    assert without(line, word) == without(case(NEUTRAL).err.rstrip("\n"), NEUTRAL)


@pytest.mark.parametrize(
    ("argument", "value", "option"),
    [
        ("labels", None, "--labels"),
        ("labels", "[...]", "--labels a,b,c"),
        ("labels", "['lo', 'hi']", "--labels lo,hi"),
        ("labels", "['lo', 'hi', …]", "--labels lo,hi,…"),
        ("labels", "['very low', 'hi']", "--labels 'very low,hi'"),
        ("labels", "Scale.from_edges([...])", "--edges 0,30,60,90"),
        ("missing", '"drop"', "--missing drop"),
        ("max_rows", "1,000", "--max-rows 1,000"),
        ("half_width", "0.02", "--half-width 0.02"),
        ("y_true", None, "--true"),
        ("y_pred", "{'a': column, 'b': column}", "--pred twice"),
        ("models", "['difference=1']", "--pred difference=1"),
        ("source", None, "FILE"),
        ("rng", "7", "--seed 7"),
        ("force", "True", "--force"),
        ("raters", '["ann", "bob"]', "--raters ann --raters bob"),
        ("item", '"..."', "--item ..."),
        ("by", "that column", "--by a --by b"),
        ("true", "that column", "--true that column"),
    ],
)
def test_an_argument_is_spelt_as_a_shell_takes_it(argument, value, option):
    assert as_option(argument, value) == option


@pytest.mark.parametrize("word", [*HOSTILE, "a,b", 'say "so"', "two words"])
def test_labels_in_a_remedy_can_be_pasted(word):
    spelt = as_option("labels", repr([word, "high"]))
    option, line = shlex.split(spelt)
    assert option == "--labels"
    assert next(csv.reader([line])) == [word, "high"]
