"""The one helper by which a function becomes a command: groups of options are joined to its own signature."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, TypeVar, get_args, get_type_hints

import typer

import ordeval as oe
from ordeval.cli.help import COMMANDS, OPTIONS, Command, Group, panel_of

#: Options that are not called like their parameter, or have two names; and the limits of numbers.
NAMES = {"rng": ["--seed"], "output": ["--output", "-o"], "browser": ["--browser/--no-browser"]}
LIMITS = {"rng": {"min": 0}, "max_rows": {"min": 1}, "port": {"min": 0, "max": 65_535}}
F = TypeVar("F", bound=Callable[..., None])

app = typer.Typer(
    cls=Group,
    help="How good are predictions when the classes have an order?",
    epilog="\b\nExamples:\n  ordeval demo\n  ordeval init visits.csv",
    add_completion=False,
    rich_markup_mode=None,  # plain help: it opens faster, and a label is never markup
)


def command(*examples: str, name: str | None = None) -> Callable[[F], F]:
    """Make a command of a function; a parameter whose type is a group of options stands for the fields of that group.

    An option is called like its parameter, and its type is annotated with what --help says of it.  The default of a group is a group:
    its values are the defaults of the options.
    """

    def add(function: F) -> F:
        groups: dict[str, Any] = {}
        parameters = []
        hints = get_type_hints(function, include_extras=True)
        for own in inspect.signature(function).parameters.values():
            if is_dataclass(kind := hints[own.name]):
                groups[own.name], types = kind, get_type_hints(kind, include_extras=True)
                start = {f.name: f.default if own.default is own.empty else getattr(own.default, f.name) for f in fields(kind)}
                joined = [(field, types[field], own.empty if value is MISSING else value) for field, value in start.items()]
            else:
                joined = [(own.name, kind, own.default)]
            for option, type_, default in joined:
                annotated = _annotated(option, *get_args(type_))
                parameters.append(inspect.Parameter(option, own.KEYWORD_ONLY, default=default, annotation=annotated))
        parameters.sort(key=lambda p: p.default is not p.empty)  # what must be given stands first

        def run(**given: Any) -> None:
            given = {
                name: "all" if value == ["all"] else value for name, value in given.items()
            }  # typer makes lists of lists only
            groups_given = {at: kind(**{f.name: given.pop(f.name) for f in fields(kind)}) for at, kind in groups.items()}
            function(**groups_given, **given)

        run.__doc__, run.__annotations__ = function.__doc__, {p.name: p.annotation for p in parameters}
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        shown = "\n".join(["\b", "Examples:", *(f"  {example}" for example in examples)])  # \b: these lines are not wrapped
        called = name or function.__name__
        app.command(called, cls=Command, epilog=shown, rich_help_panel=panel_of(COMMANDS, called))(run)
        return function

    return add


def _annotated(name: str, kind: Any, text: str) -> Any:
    """What typer is to know of a parameter: "<FILE> words" is an argument, "FILE: words" an option with a value, "words" a flag."""
    found = re.fullmatch(r"(?:<(?P<argument>\w+)> |(?P<value>[A-Z,=]+): )?(?P<help>.*)", text)
    assert found is not None, text
    more: dict[str, Any] = {"help": found["help"], "metavar": found["argument"] or found["value"], **LIMITS.get(name, {})}
    if found["argument"]:
        return Annotated[kind, typer.Argument(**more)]
    flag = ["--" + name.replace("_", "-")] if kind is bool else []
    listed = _listed if found["value"] == "NAMES" else None
    return Annotated[kind, typer.Option(*NAMES.get(name, flag), callback=listed, rich_help_panel=panel_of(OPTIONS, name), **more)]


def _listed(given: Sequence[str] | None) -> list[str] | None:
    """Names, comma-separated or repeated; a comma inside brackets belongs to a metric."""
    if not given:
        return None
    texts = [text.strip() for part in given for text in re.split(r",(?![^()]*\))", part) if text.strip()]
    if not texts:
        raise typer.BadParameter("an empty list of names was given; name at least one, or leave the option out")
    return texts


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ordeval {oe.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    pass
