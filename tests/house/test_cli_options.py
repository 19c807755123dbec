"""Options are the keywords of the functions: names, defaults and choices.  Old names still work, and exit codes tell what went wrong."""

import inspect
from dataclasses import fields
from importlib import import_module
from typing import Literal, get_args, get_origin

import pytest
import typer
from commands import ordeval, write_csv

import ordeval as oe
from ordeval.base.docs import words_of
from ordeval.base.renamed import KEYWORDS
from ordeval.cli.options import ExaminedRows, as_missing
from ordeval.cli.program import app
from ordeval.cli.renamed import FLAGS, RENAMED, translate

#: The functions that a command calls; where two have a keyword, the default is that of the first.
CALLS = {
    "score": [oe.evaluate, oe.scan],
    "compare": [oe.compare, oe.scan],
    "leaderboard": [oe.leaderboard],
    "plan": [oe.plan, oe.scan],
    "raters": [oe.raters.agreement, oe.raters.scan, oe.raters.judge_panel, oe.raters.corrected_grades],
    "judge": [oe.raters.read_judge_log, oe.raters.validate_judge],
    "laws": [oe.laws.table, oe.laws.check],
    "meta": [oe.choose.meta_evaluate, oe.choose.Campaign.load, oe.papers.table3],
    "reproduce": [oe.papers.reproduce],
}
OPTION_OF = {"y_true": "true", "y_pred": "pred", "judges": "judge", "people": "person"}
#: Keywords without an option of their own, and why.
NOT_HERE = {
    **dict.fromkeys(["counts", "campaign", "log"], "made of the files"),
    "announce": "to stderr",
    "reading": "the options of a Reading, one by one",
    "models": "those of --pred",
    "unparsable": "the one of --judge",
    "estimator": "the usual one",
    "undefined": "left out",
    "filesystem": "nothing is fetched by a command",
    **dict.fromkeys(["direction", "bounds", "beyond"], "of functions that are no metric"),
}
ONLY_FOR = {"laws": {"metrics": "one or all", "rng": "the usual one"}, "plan": {"by": "the pilot as a whole"}}
#: Those of them that some command has all the same.
ALL_THE_SAME = {("reproduce", "models"), ("meta", "reading"), ("laws", "reading")}
#: Options without a keyword: of the command line alone.
ONLY_HERE = {"edges", "format", "output", "force", "codabench", "report", "synthetic", "rule", "list", "disagreements", "junit"}
ONLY_HERE |= {f.name for f in fields(oe.Reading)}


def signature(command):
    (found,) = [c for c in app.registered_commands if c.name == command]
    return inspect.signature(found.callback).parameters


def keywords(function):
    """The keywords of a function, by the names that they have now."""
    renamed = {old: new for old, new in KEYWORDS.get(function.__name__, {}).items() if new.isidentifier()}
    return {renamed.get(p.name, p.name): p for p in inspect.signature(function).parameters.values()}


def choices(annotation):
    """The words that an option may be."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return {word for part in get_args(annotation) if get_origin(part) is not None for word in choices(part)}


@pytest.mark.parametrize("command", CALLS)
def test_every_keyword_is_an_option(command):
    options, seen = signature(command), set()
    for function in CALLS[command]:
        for name, parameter in keywords(function).items():
            left_out = name in NOT_HERE and (command, name) not in ALL_THE_SAME
            if left_out or name in ONLY_FOR.get(command, {}):
                assert name not in options or name in seen
                continue
            option = OPTION_OF.get(name, name)
            assert option in options, f"{function.__name__}({name}=) has no option"
            if option in seen:
                continue
            seen.add(option)
            given = options[option]
            if parameter.default is not inspect.Parameter.empty and option not in OPTION_OF.values():
                assert given.default == parameter.default, name
            words = {w for w in words_of(str(parameter.annotation), function) if isinstance(w, str)} - {"all"}
            if option == "missing":  # it also takes as=CLASS, so its words stand in the help
                assert words <= set(get_args(given.annotation)[1].help.replace(",", "").split())
                continue
            assert not words or words == choices(given.annotation), name
    assert set(options) - seen <= ONLY_HERE


@pytest.mark.parametrize("command", ["score", "compare", "leaderboard", "raters", "report", "check", "validate", "plan"])
def test_every_command_that_reads_rows_has_the_options_of_a_reading(command):
    options = signature(command)
    for field in fields(oe.Reading):
        if field.name not in ("na", "recode"):  # they are repeated, so nothing of them is None there
            assert options[field.name].default == field.default
        else:
            assert options[field.name].default is None
    if command != "raters":
        assert {"unknown", "strays"} <= set(options)
    if command not in ("raters", "leaderboard"):
        assert "model_column" in options


@pytest.mark.parametrize("command", [c.name for c in app.registered_commands])
def test_every_option_is_its_keyword_with_dashes(command):
    for parameter in typer.main.get_command(app).commands[command].params:
        if parameter.param_type_name == "option" and parameter.name not in ("help", "rng"):
            assert parameter.opts[0] == f"--{parameter.name.replace('_', '-')}"


def rows(path="rows.csv"):
    write_csv(path, [["y", "p", "w"], *((i % 3, min(i % 3 + (i % 5 == 0), 2), 1 + i % 2) for i in range(60))])
    return ["score", path, "--true", "y", "--pred", "p", "--labels", "0,1,2", "--format", "json"]


def test_old_options_still_work_and_a_note_names_the_new_ones(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    old = ordeval(*rows(), "--confidence", "0.9", "--resamples=499", "--weight", "w")
    new = ordeval(*rows(), "--confidence-level", "0.9", "--n-resamples", "499", "--sample-weight", "w")
    assert (old.code, old.out) == (0, new.out)
    assert new.err == ""
    notes = ["--confidence is now --confidence-level", "--resamples is now --n-resamples", "--weight is now --sample-weight"]
    assert old.err.splitlines() == [f"note: {note}" for note in notes]


@pytest.mark.parametrize("old", RENAMED)
@pytest.mark.slow
def test_an_old_option_is_not_shown_and_its_new_name_exists(old):
    pages = [ordeval(command.name, "--help").out.split() for command in app.registered_commands]
    assert not any(old in page for page in pages)
    assert any(RENAMED[old].partition("=")[0] in page for page in pages)


def test_values_are_never_taken_for_options(capsys):
    for args in (
        ["score", "f.csv", "--labels", "--weight", "--pred", "--confidence=1"],
        ["score", "f.csv", "-o", "--resamples", "--force", "--true", "--law"],
        ["explain", "--", "--weight"],
        ["score", "-", "--labels=--weight,--k"],
    ):
        assert translate(args) == args
    assert capsys.readouterr().err == ""
    assert translate(["score", "-", "--force", "--weight", "w"]) == ["score", "-", "--force", "--sample-weight", "w"]
    assert translate(["raters", "f", "--rater", "a", "--crossed"]) == ["raters", "f", "--raters", "a", "--resample=crossed"]
    assert translate(["raters", "f", "--item", "i", "--by-rater", "r"]) == ["raters", "f", "--item", "i", "--rater", "r"]
    flags = {opt for c in typer.main.get_command(app).commands.values() for p in c.params if getattr(p, "is_flag", False)
             for opt in (*p.opts, *p.secondary_opts)}  # fmt: skip
    assert flags <= FLAGS


@pytest.mark.parametrize(
    ("error", "code", "last"),
    [
        (RuntimeError("odd"), 70, "ordeval: this is a bug of ordeval"),
        (KeyError("odd"), 70, "ordeval: this is a bug of ordeval"),
        (ModuleNotFoundError("no module", name="ordeval.nothing"), 70, "ordeval: this is a bug of ordeval"),
        (ModuleNotFoundError("polars is not installed"), 3, "ordeval: polars is not installed"),
        (ValueError("rows\x1b[31m\nodd"), 3, "ordeval: rows\ufffd[31m\ufffdodd"),
        (OSError(28, "No space left on device", "page.html"), 3, "ordeval: page.html: No space left on device"),
        (MemoryError(), 3, "ordeval: there is not enough memory for this"),
        (oe.ArgumentError("{n_resamples} odd", argument="n_resamples"), 2, "ordeval: --n-resamples odd"),
        (oe.ArgumentTypeError("{cluster} odd", argument="cluster"), 3, "ordeval: --cluster odd"),
    ],
)
def test_exit_codes(error, code, last, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    args = rows()

    def fail(*args, **options):
        raise error

    monkeypatch.setattr(import_module("ordeval.read.scan"), "open_table", fail)
    done = ordeval(*args)
    assert (done.code, done.out) == (code, "")
    assert done.err.splitlines()[-1].startswith(last)
    assert ("Traceback" in done.err) == (code == 70)
    assert code == 70 or done.err.count("\n") == 1


def test_interrupted(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    args = rows()
    monkeypatch.setattr(
        import_module("ordeval.read.scan"), "open_table", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    done = ordeval(*args)
    assert (done.code, done.out, done.err) == (130, "", "")


def test_a_warning_is_a_note(tmp_path, monkeypatch):
    import warnings

    monkeypatch.chdir(tmp_path)
    write_csv("rows.csv", [["y", "p"], *(("Low", "low"), ("low", "low")) * 20])
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        done = ordeval("validate", "rows.csv", "--true", "y", "--pred", "p", "--labels", "low,Low")
    assert done.code == 0
    assert done.err.startswith("note: the classes 'low' and 'Low' differ only by case")


def test_classes_are_taken_as_results_print_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_csv("rows.csv", [["y", "p"], *(("b", "b"), ("a", "c"), ("c", "a"), ("a", "a")) * 10])
    said = [
        ordeval("score", "rows.csv", "--true", "y", "--pred", "p", "--format", "json", "--labels", labels).out
        for labels in ("b,a,c", "b < a < c", '"b < a",c')
    ]
    assert said[0] == said[1] != said[2] == ""  # a class that is called "b < a" is said in quotes


def test_rows_are_called_by_their_files():
    for source, name in ((["-"], "stdin"), (["a.csv"], "a.csv"), (["a.csv", "b.csv"], "a.csv, b.csv")):
        assert ExaminedRows(source=source).name == name


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("as=red", "red"),
        ("as: 'deep red'", "deep red"),
        ('{as = "red"}', "red"),
        ('as="', '"'),
        ("as='", "'"),
        ("as=\"red'", "\"red'"),
    ],
)
def test_quotes_around_a_class_are_taken_off_in_pairs(text, label):
    assert list(as_missing(text)["as"]) == [label]
