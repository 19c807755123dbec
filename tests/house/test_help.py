"""--help: examples on lines of their own, commands and options in groups, and a word for every value that says the thing."""

import re

import pytest
import typer
from commands import ordeval

from ordeval.cli.help import COMMANDS, OPTIONS
from ordeval.cli.program import app

PROGRAM = typer.main.get_command(app)
#: Commands that take rows, and so a study.
WITH_ROWS = ("score", "compare", "leaderboard", "report", "check", "validate", "plan", "raters")


def sections(text):
    """{title: its lines} of a page of help."""
    found, title = {}, ""
    for line in text.splitlines():
        head = re.fullmatch(r" {0,2}([A-Z][\w ]+):", line)
        if head:
            title = head[1]
            found[title] = []
        elif title and line.strip():
            found[title].append(line)
    return found


def test_every_command_stands_in_one_group_in_their_order():
    found = sections(ordeval("--help").out)
    assert list(found) == ["Options", *COMMANDS, "Examples"]
    listed = {title: [re.match(r"  (\w+)", line)[1] for line in found[title] if re.match(r"  \w", line)] for title in COMMANDS}
    assert listed == {title: list(names) for title, names in COMMANDS.items()}
    assert sorted(PROGRAM.commands) == sorted(name for names in COMMANDS.values() for name in names)


@pytest.mark.parametrize("command", sorted(PROGRAM.commands))
def test_options_stand_in_groups_and_help_is_the_last(command):
    found = sections(ordeval(command, "--help").out)
    order = ["Arguments", "Options", *OPTIONS, "Help", "Examples"]
    assert list(found) == [title for title in order if title in found]
    assert [line.split()[0] for line in found["Help"]] == ["--help"]
    if command in WITH_ROWS:
        assert "Options" not in found, "an option of no group"
    for param in PROGRAM.commands[command].params:
        panel = next((title for title, names in OPTIONS.items() if param.name in names), "Options")
        if param.param_type_name == "option":
            assert any(param.opts[0] in line for line in found[panel]), (param.name, panel)


@pytest.mark.parametrize("command", sorted(PROGRAM.commands))
def test_a_value_is_called_by_what_it_is(command):
    page = ordeval(command, "--help").out
    assert not re.search(r"<(str|int|float|list.*?)>|\bINTEGER\b|\bFLOAT\b", page), page
    for param in PROGRAM.commands[command].params:
        if param.param_type_name == "option" and not param.is_flag:
            assert re.fullmatch(r"[A-Z,=]+", param.metavar), param.name


@pytest.mark.parametrize("command", sorted(PROGRAM.commands))
def test_examples_fit_76_columns_and_the_first_of_rows_is_a_study(command):
    examples = [line.strip() for line in sections(ordeval(command, "--help").out)["Examples"]]
    assert max(map(len, examples)) <= 76
    assert all(example.startswith("ordeval ") for example in examples)
    assert command not in WITH_ROWS or examples[0].startswith(f"ordeval {command} study.toml")


def test_every_group_of_options_is_used():
    used = {param.name for command in PROGRAM.commands.values() for param in command.params}
    assert {name for names in OPTIONS.values() for name in names} <= used
