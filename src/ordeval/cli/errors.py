"""What a command says when it cannot go on, and the exit code it ends with."""

from __future__ import annotations

import ast
import csv
import io
import os
import shlex
import sys
import traceback

import ordeval as oe

DONE, FAILED, USAGE, INPUT, BUG, INTERRUPTED = 0, 1, 2, 3, 70, 130

#: Arguments that are settings of a command; an error about any other is one about the rows.
SETTINGS = frozenset(
    """metric metrics method confidence_level n_resamples rng format primary margin rule half_width difference power assurance reference baseline study check_intervals coverage force path
    edges proba raters coefficients weights resample epsilon laws max_k max_n against undefined reading paper table quick folder
    log_format epochs filter score parse scale rare prevalence probabilities open_band audience missing
    na recode decimal thousands case space encoding sheet unknown strays model_column""".split()  # noqa: SIM905 - as a list it is forty lines
)
#: Arguments whose option is not their name with dashes.
_SPELT = {
    "y_true": "--true",
    "y_pred": "--pred",
    "models": "--pred",
    "rng": "--seed",
    "path": "--output",
    "unparsable": "--judge",
    "judges": "--judge",
    "people": "--person",
    "source": "FILE",
    "runs": "RUN",
}
TWO_MODELS = "{'a': column, 'b': column}"  # how Python names two of them
#: Options that are given once for each value.
_REPEATED = ("--pred", "--by", "--raters", "--proba", "--systems", "--judge", "--person")


def as_option(argument: str, value: str | None = None) -> str:
    """How the command line spells an argument of a function: with a value as a shell would take it."""
    option = _SPELT.get(argument) or f"--{argument.replace('_', '-')}"
    if value is None or value == "True":
        return option
    if argument == "missing" and value.startswith("{"):
        return f"{option} as=CLASS"
    if argument == "labels" and value.startswith("Scale.from_edges"):
        return "--edges 0,30,60,90"
    if argument == "y_pred" and value == TWO_MODELS:
        return f"{option} twice"
    if argument == "reading" and value.startswith("Reading("):
        return _reading_options(value)
    more = value.endswith(", …]")  # a list that was cut short
    try:
        given = ast.literal_eval(f"{value[:-4]}]" if more else value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        given = value if option not in _REPEATED else [...]
    if given == [...]:
        given = ["a", "b", "c"] if option not in _REPEATED else ["a", "b"]
    if isinstance(given, list):
        words = [str(word) for word in given]
        if option in _REPEATED:
            return " ".join(f"{option} {shlex.quote(word)}" for word in words)
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(words)
        return f"{option} {shlex.quote(line.getvalue())}{',…' if more else ''}"
    return f"{option} {shlex.quote(given) if isinstance(given, str) and given != value else value}"


def _reading_options(call: str) -> str:
    """What a call of Reading says, as options."""
    found = ast.parse(call, mode="eval").body
    assert isinstance(found, ast.Call)
    words = []
    for keyword in found.keywords:
        value = ast.literal_eval(keyword.value)
        words += [f"--{keyword.arg} {shlex.quote(str(one))}" for one in (value if isinstance(value, list) else [value])]
    return " ".join(words)


def exit_code(error: BaseException) -> int:
    """Say what went wrong in one line on stderr, and how the process ends."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, BrokenPipeError):  # the reader has seen enough, as in `ordeval metrics | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    if isinstance(error, SystemExit):  # of something that a command calls
        raise error
    if hasattr(error, "format_message"):  # of the parser
        return _say(error.format_message().rstrip("."), USAGE)
    if type(error).__name__ in ("Exit", "Abort"):  # a command's own end; the end of the input, where an answer was awaited
        return int(getattr(error, "exit_code", INTERRUPTED))
    if isinstance(error, oe.ArgumentError):
        problems = getattr(error, "problems", None)
        if problems is not None:  # of a study: a list, on lines of its own
            print(problems, file=sys.stderr)
            return INPUT if problems.of_rows else USAGE
        return _say(error.text(as_option), USAGE if error.argument in SETTINGS else INPUT)
    if isinstance(error, OSError) and error.filename:
        return _say(f"{error.filename}: {error.strerror}", INPUT)
    if isinstance(error, MemoryError):
        return _say(f"there is not enough memory for this{f' ({error})' if str(error) else ''}", INPUT)
    missing = isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("ordeval")
    if missing or isinstance(error, (ValueError, TypeError, OSError)):
        return _say(str(error), INPUT)
    traceback.print_exception(error)
    return _say(f"this is a bug of ordeval {oe.__version__}; please report it with the lines above", BUG)


def _say(text: str, code: int) -> int:
    print(f"ordeval: {oe.show.printable(text)}", file=sys.stderr)
    return code
