"""The command line as a person meets it: what it prints, where, and with which exit code."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from commands import ordeval, ordeval_process, write_csv
from processes import GUARD

import ordeval as oe
from ordeval.__main__ import main
from ordeval.metrics.core.docs import card
from ordeval.show._plain import display_width, printable, shorten


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the demo writes its report where it is called


@pytest.mark.slow
def test_demo_tells_the_whole_story():
    done = ordeval("demo")
    assert done.returncode == 0
    assert done.stderr == ""
    first, second, *_ = done.stdout.splitlines()
    assert first == "rows     2,400 rows read · 2,396 judged · 4 left out: prediction missing (model)"
    assert second == "classes  green < yellow < orange < red"
    visits = oe.load_example("triage")
    both = {name: visits[name] for name in ("nurse", "model")}
    counts = oe.count(visits["grade"], both, labels=["green", "yellow", "orange", "red"], missing="drop")
    for text in ("cem", "accuracy", "amae", "oci"):
        nurse, model = (oe.get_metric(text)(counts[name]) for name in both)
        assert f"{nurse:.3f}   {model:.3f}      {model - nurse:+.3f}".replace("-", "\N{MINUS SIGN}") in done.stdout
    assert "model is better than nurse: CEM" in done.stdout
    assert "weakest at red: finds 44 of 88 (50 %)" in done.stdout
    proba = np.array(
        [[np.nan if p is None else p for p in visits[f"p_{grade}"]] for grade in ("green", "yellow", "orange", "red")]
    ).T
    known = ~np.isnan(proba).any(1)
    grades = [grade for grade, there in zip(visits["grade"], known, strict=True) if there]
    skill = oe.rps_skill(grades, proba[known], labels=["green", "yellow", "orange", "red"])
    assert f"RPS skill {skill:.3f} [" in done.stdout
    assert "report:  ordeval-demo.html" in done.stdout
    page = Path("ordeval-demo.html").read_text(encoding="utf-8")
    assert "model is better than nurse: CEM" in page
    assert len(page) < 1_000_000


def test_metrics_lists_every_metric():
    done = ordeval("metrics")
    listed = [line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert listed == [m.name for m in oe.catalogue()]


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_explain_says_everything(metric):
    text = " ".join(" ".join(card(metric)).split())
    assert metric.title in text
    for word in ("ignores", "misleads when", "better", "bounds", "undefined", "formula"):
        assert word in text
    assert ("paper" in text) == bool(metric.cite)


def test_explain_takes_aliases_and_parameters():
    assert ordeval("explain", "qwk").stdout.startswith("cohen_kappa   Cohen's weighted kappa")
    assert ordeval("explain", "cohen_kappa(weights='linear')").stdout.startswith("cohen_kappa(weights='linear')")


def test_an_unknown_metric_is_one_line_and_exit_2():
    done = ordeval("explain", "cohens_kapa")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ordeval: there is no metric called 'cohens_kapa'; did you mean cohen_kappa?\n"


def test_an_unknown_paper_is_one_line_and_exit_2():
    done = ordeval("reproduce", "ocr")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ordeval: ")
    assert "'ocr' is not one of 'oci', 'cem', 'stc', 'blog'\n" in done.stderr


def test_laws_shows_the_counterexample_and_says_the_number_of_cases_first():
    done = ordeval("laws", "kendall_tau", "--laws", "imbalance")
    assert done.returncode == 0
    assert done.stderr == "kendall_tau: 1,930 cases of 1 law\n"
    lines = [line.strip() for line in done.stdout.splitlines()]
    at = lines.index("truth     1 1 2 3         3 classes")
    assert lines[at + 1].startswith("answer A  2 1 2 3  0.800")
    assert lines[at + 2].startswith("answer B  1 1 2 2  0.894")
    assert "fails in 990 of 990 cases with K ≤ 4, N ≤ 12" in " ".join(lines)


def test_laws_without_a_metric_is_the_table():
    done = ordeval("laws", "--laws", "imbalance", "--laws", "ordinal_invariance")
    rows = [line.split() for line in done.stdout.splitlines()]
    counted = [str(m) for m in oe.catalogue() if m.needs_only_counts]
    assert [row[0] for row in rows[1 : 1 + len(counted)]] == counted
    assert ["cem", "✓", "✓"] in rows
    assert ["kendall_tau", "✗", "✓"] in rows


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("kendal_tau",), "there is no metric called 'kendal_tau'; did you mean kendall_tau"),
        (("mae", "--laws", "inbalance"), "there is no law called 'inbalance'; did you mean imbalance"),
        (
            ("mae", "--max-k", "9", "--max-n", "9"),
            "tables with K = 9 and N ≤ 9, but at most 1,000,000 are enumerated; take a smaller ",
        ),
    ],
)
def test_laws_refuses_in_one_line(args, said):
    done = ordeval("laws", *args)
    assert (done.returncode in (2, 3), done.stdout) == (True, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_wrong_usage_is_exit_2():
    assert ordeval("explain").returncode == 2
    assert ordeval("nonsense").returncode == 2


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("demo",),
        ("metrics",),
        ("explain",),
        ("reproduce",),
        ("score",),
        ("validate",),
        ("merge",),
        ("compare",),
        ("leaderboard",),
        ("report",),
        ("check",),
        ("plan",),
        ("meta",),
        ("advise",),
        ("app",),
        ("laws",),
    ],
)
def test_help_ends_with_two_examples(command):
    done = ordeval(*command, "--help")
    assert done.returncode == 0
    first, *examples = done.stdout[done.stdout.index("Examples:") :].splitlines()
    assert first == "Examples:"
    assert len([example for example in examples if example.startswith("    ordeval ")]) == 2


@pytest.mark.parametrize("metric", oe.catalogue(), ids=str)
def test_cards_fit_80_columns_but_for_code(metric):
    assert max(display_width(line) for line in card(metric) if not line.startswith("    ")) <= 80


@pytest.mark.parametrize(
    "command",
    [
        ("demo",),
        ("metrics",),
        ("explain", "amae"),
        ("reproduce", "blog"),
        ("meta", "--synthetic"),
        ("meta", "--help"),
        ("advise", "--scale", "interval", "--open-band", "yes", "--audience", "papers"),
        ("advise", "--help"),
        ("laws",),
        ("laws", "kendall_tau"),
        ("--help",),
    ],
)
@pytest.mark.slow
def test_everything_fits_80_columns(command):
    assert max(map(display_width, ordeval(*command, COLUMNS="80").stdout.splitlines())) <= 80


@pytest.mark.slow
def test_a_terminal_without_these_signs_gets_no_traceback():
    done = ordeval_process("demo", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_closed_pipe_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m ordeval demo | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        executable="/bin/bash",
        timeout=GUARD,
    )
    assert done.stdout.startswith("rows")
    assert done.stderr == ""


@pytest.mark.parametrize("command", [("metrics",), ("explain", "cem")])
def test_a_pipe_that_nobody_reads_is_no_error_even_where_all_fits_into_a_buffer(monkeypatch, command):
    nobody, pipe = os.pipe()
    os.close(nobody)
    monkeypatch.setattr(sys, "argv", ["ordeval", *command])
    with (
        open(pipe, "w", buffering=2**20, encoding="utf-8") as out,
        contextlib.redirect_stdout(out),
        pytest.raises(SystemExit, match="^0$"),
    ):
        main()


@pytest.mark.slow
def test_without_its_extra_the_command_line_says_what_to_install():
    program = "import sys; sys.modules['typer'] = None\nfrom ordeval.__main__ import main\nmain()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=GUARD)
    assert done.returncode == 3
    assert done.stderr == 'ordeval: the command line needs its extra; install it with  pip install "ordeval[cli]"\n'


@pytest.mark.parametrize(
    ("module", "error", "code", "said"),
    [
        (
            "program",
            ModuleNotFoundError("No module named 'click'", name="click"),
            3,
            "the command line needs its extra; install it",
        ),
        ("program", ModuleNotFoundError("No module named 'numpy'", name="numpy"), 3, "ordeval: No module named 'numpy'\n"),
        ("program", KeyboardInterrupt(), 130, ""),
        ("errors", KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_happens_while_commands_are_loaded(monkeypatch, module, error, code, said):
    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == f"ordeval.cli.{module}":
                raise error

    monkeypatch.delitem(sys.modules, f"ordeval.cli.{module}", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    done = ordeval("validate", "rows.csv")
    assert (done.code, done.out) == (code, "")
    assert said in done.err if said else not done.err


def test_labels_are_data_on_a_terminal():
    assert printable("a\x1b[31mb\nc") == "a\ufffd[31mb\ufffdc"
    assert shorten("日本語ラベル", 7) == "日本語…"
    assert display_width("日本") == 4


@pytest.mark.parametrize(
    "beside", [{"by": "site"}, {"cluster": "patient"}, {"sample_weight": "weight"}], ids=lambda one: next(iter(one))
)
def test_score_takes_probabilities(tmp_path, beside):
    visits = oe.load_example("triage")
    visits = {**visits, "weight": [1 + i % 3 for i in range(len(visits["grade"]))]}
    (option, column), proba = next(iter(beside.items())), ["p_green", "p_yellow", "p_orange", "p_red"]
    names = ["grade", "model", column, *proba]
    write_csv(tmp_path / "visits.csv", [names, *zip(*(visits[name] for name in names), strict=True)])
    options = "--true grade --pred model --labels green,yellow,orange,red --missing drop --metrics rps,cem --n-resamples 499"
    asked = [*options.split(), f"--{option.replace('_', '-')}", column, "--format", "json"]
    done = ordeval("score", tmp_path / "visits.csv", *asked, "--proba", ",".join(proba))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    expected = oe.evaluate(
        visits["grade"],
        visits["model"],
        proba=[[np.nan if p is None else p for p in row] for row in zip(*(visits[name] for name in proba), strict=True)],
        labels=["green", "yellow", "orange", "red"],
        missing="drop",
        metrics=["rps", "cem"],
        n_resamples=499,
        **{option: visits[column] if option == "sample_weight" else {column: visits[column]}},
    )
    assert found == json.loads(expected.to_json())
    assert set(found.get("groups", {})) == ({"harbour", "hill", "park"} if option == "by" else set())
    done = ordeval("score", tmp_path / "visits.csv", *asked, "--proba", "p_green,p_yellow")
    assert done.returncode in (2, 3)
    assert "proba has 2 columns, and there are 4 classes" in done.stderr


def test_all_is_every_metric_that_the_rows_allow(tmp_path):
    write_csv(tmp_path / "rows.csv", [["y", "p"], [1, 1], [2, 2], [2, 1]])
    done = ordeval(
        "score", tmp_path / "rows.csv", "--true", "y", "--pred", "p", "--labels", "1,2", "--metrics", "all", "--format", "json"
    )
    assert done.code == 0
    assert {"cem", "mae", "kendall_tau"} < set(json.loads(done.out)["scores"])


def test_no_line_of_the_help_is_cut():
    assert "..." not in ordeval("--help", COLUMNS="80").stdout.replace("[ARGS]...", "")
