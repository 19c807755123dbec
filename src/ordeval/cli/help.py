"""--help in groups: commands by what they are for, options by what they are about; and which options a call was given."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from typer.core import TyperCommand, TyperGroup

#: Commands by what they are for, in the order of --help.
COMMANDS = {
    "Start": ("demo", "init", "app"),
    "Judge models": ("score", "compare", "leaderboard", "report", "check", "validate", "plan"),
    "Judge raters": ("raters", "judge"),
    "Judge metrics": ("metrics", "explain", "advise", "laws", "meta", "reproduce"),
    "Counts": ("merge",),
}
#: Options by what they are about, in the order of --help; those of none of them come first.
OPTIONS = {
    "Columns": (
        *("true", "pred", "proba", "model_column", "sample_weight", "id", "cluster", "by", "gold"),
        *("raters", "item", "rater", "grade", "judge", "person"),
    ),
    "Classes": ("labels", "edges"),
    "Reading": (*("na", "recode", "decimal", "thousands", "case", "space", "quote", "encoding", "sheet"), "max_rows"),
    "Missing": ("missing", "missing_truth", "unknown", "strays"),
    "Scores": (
        *("metrics", "metric", "primary", "reference", "margin", "rule", "baseline", "accept", "against"),
        *("coefficients", "weights", "power", "epsilon", "half_width", "difference", "assurance"),
    ),
    "Intervals": ("confidence_level", "n_resamples", "method", "check_intervals", "resample", "rng"),
    "Output": ("format", "output", "force", "report", "junit", "summary", "codabench", "open"),
}
#: The options that the command in hand was given, by the name of their parameter.
_given: dict[str, Any] = {}


def given_options() -> dict[str, Any]:
    """What the command line says, and not what options are unless they are given."""
    return dict(_given)


def panel_of(table: dict[str, tuple[str, ...]], name: str) -> str | None:
    """The group in which a command or an option stands."""
    return next((panel for panel, names in table.items() if name in names), None)


class Command(TyperCommand):
    """A command whose options stand in groups, --help last."""

    def invoke(self, ctx: Any) -> Any:
        _given.clear()
        options = [param.name for param in self.params if param.param_type_name == "option"]
        said = [name for name in options if getattr(ctx.get_parameter_source(name), "name", "") == "COMMANDLINE"]
        _given.update((name, ctx.params[name]) for name in said if name in ctx.params)
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        arguments: list[tuple[str, str]] = []
        last: list[tuple[str, str]] = []
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Options", *OPTIONS)}
        listed = [name for names in OPTIONS.values() for name in names]
        params = self.get_params(ctx)
        for param in sorted(params, key=lambda param: listed.index(param.name) if param.name in listed else 0):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            if param.param_type_name == "argument":
                arguments.append((re.sub(r" <.*>", "", record[0]), record[1]))
            elif param.name != "help":
                groups[getattr(param, "rich_help_panel", None) or "Options"].append(record)
            else:
                last.append(record)
        _sections(formatter, [("Arguments", arguments), *groups.items(), ("Help", last)])


class Group(TyperGroup):
    """The program, whose commands stand in groups."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in COMMANDS}
        shown = [(name, self.get_command(ctx, name)) for panel in COMMANDS.values() for name in panel]
        found = [(name, command) for name, command in shown if command is not None and not command.hidden]
        limit = formatter.width - 6 - max(len(name) for name, _ in found)
        for name, command in found:
            groups[getattr(command, "rich_help_panel", None) or "Start"].append((name, command.get_short_help_str(limit)))
        _sections(formatter, groups.items())


def _sections(formatter: Any, groups: Iterable[tuple[str, list[tuple[str, str]]]]) -> None:
    for title, records in groups:
        if records:
            with formatter.section(title):
                formatter.write_dl(records)
