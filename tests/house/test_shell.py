"""The command line in a real shell: gates, exit codes, pipes, interruption, 80 columns, and the examples that --help shows."""

import glob
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import HEAVY_LIBRARIES, ordeval, ordeval_process, write_csv
from processes import GUARD

import ordeval as oe
from ordeval.cli.program import app
from ordeval.show._plain import display_width


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


STUDY = """\
study = 1
[data]
files = "visits.csv"
[columns]
true = "grade"
models = ["nurse", "model"]
raters = ["nurse", "model"]
[scale]
labels = ["low", "mid", "high"]
[[gate]]
rule = "cem >= 0.5"
[output]
report = "study.html"
baseline = "baseline.json"
"""


def made_up_files():
    """Every file that an example names."""
    words = ["low", "mid", "high"]
    rows = [(i % 3, min(i % 3 + (i % 5 == 0), 2), min(i % 3 + (i % 7 == 0), 2)) for i in range(90)]
    write_csv("visits.csv", [["grade", "nurse", "model"], *([words[code] for code in row] for row in rows)])
    Path("classes.txt").write_text("low\nmid\nhigh\n")
    Path("study.toml").write_text(STUDY, encoding="utf-8")
    write_csv("runs.csv", [["y", "p", "a", "b"], *((t, a, a, b) for t, a, b in rows)])
    write_csv("pilot.csv", [["y", "p", "a", "b"], *((t, a, a, b) for t, a, b in rows)])
    write_csv("gold.csv", [["id", "true"], *((i, words[t]) for i, (t, _, _) in enumerate(rows))])
    for folder in ("runs", "shards", "cases"):
        os.mkdir(folder)
    for name, place in (("runs/one.csv", 1), ("runs/two.csv", 2), ("run.csv", 1)):
        write_csv(name, [["id", "pred"], *((i, words[row[place]]) for i, row in enumerate(rows))])
    true, a, b = zip(*rows, strict=True)
    pq.write_table(pa.table({"y": true, "p": a}), "runs/day.parquet")
    pq.write_table(pa.table({"y": true, "a": a, "b": b}), "runs.parquet")
    counts = oe.count(true, a, labels=[0, 1, 2])
    for name in ("monday.json", "tuesday.json", "shards/1.json", "shards/2.json"):
        counts.save(name)
    both = oe.count(true, {"a": a, "b": b, "c": [1] * 90}, labels=[0, 1, 2])
    for name in ("cases/1.json", "cases/2.json", "cases/3.json"):
        both.save(name)
    write_csv("essays.csv", [["ann", "bob", "cay"], *((t + 1, a + 1, b + 2) for t, a, b in rows)])
    votes = [
        {"id": i, "who": who, "score": row[place]}
        for i, row in enumerate(rows)
        for place, who in enumerate(("ann", "bob", "gpt"))
    ]
    Path("votes.jsonl").write_text("".join(json.dumps(vote) + "\n" for vote in votes))


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        ("score FILE --labels 1\n2,3", 3, "this is not a list on one line; give a,b,c, or @file"),
        ("score FILE --labels @latin.txt", 3, "--labels @latin.txt; the file is not UTF-8 text; save it as UTF-8"),
        ("score FILE --labels a,b --edges 0,1", 2, "--labels and --edges both name the classes; give one of them"),
        ("score FILE --edges 0,one", 2, "--edges 0,one; edges are numbers, lowest first, such as --edges 0,30,60,90"),
        ("score FILE --edges 1,0", 2, "--edges must strictly increase"),
        ("score FILE --metrics ,", 2, "an empty list of names was given; name at least one, or leave the option out"),
        ("score FILE --metrics cemm", 2, "there is no metric called 'cemm'; did you mean cem"),
        ("score FILE --confidence-level 2", 2, "--confidence-level 2.0 is not between 0 and 1"),
        (
            "score FILE --n-resamples 9",
            2,
            "9 resamples leave too few beyond the ends of the interval; take --n-resamples 400 or more",
        ),
        ("score FILE --seed -1", 2, "Invalid value for '--seed'"),
        ("score FILE --method bootstrap", 2, "'bootstrap' is not one of 'auto'"),
        ("score FILE --format xml", 2, "'xml' is not one of 'text'"),
        ("score FILE --colour red", 2, "No such option: --colour"),
        ("score nowhere.csv --true y --pred p", 3, "there is no file nowhere.csv"),
        ("score FILE --max-rows 3", 3, "runs.csv has more than 3 rows, but --max-rows 3; raise the limit if you want them all"),
        ("score FILE --sample-weight p --labels 1,2", 3, '"3" is not a class (1 < 2)'),
        ("score FILE -o runs.csv", 2, "runs.csv exists already; pass --force to replace it"),
        (
            "report FILE -o report.doc",
            2,
            "report.doc: a report is HTML, Markdown or LaTeX; let its name end in .html, .md or .tex",
        ),
        (
            "compare FILE",
            3,
            "a comparison needs two models: give --pred twice, or --model-column if there is a row for each answer",
        ),
        (
            "compare FILE --pred y --primary bias",
            2,
            "bias has a target, not a direction, so it cannot decide; name another --primary",
        ),
        ("compare FILE --pred y --margin 0", 2, "--margin 0.0: the margin of equivalence is a number above 0"),
        ("check FILE --rule cem", 2, "'cem' is not a rule; write a score, a sign and a number"),
        ("plan FILE --half-width 0", 2, "such as --half-width 0.02"),
        ("plan FILE", 2, "a plan is for --half-width or for --difference, but neither was given"),
        ("plan FILE --pred y --half-width 0.1", 3, "choose with --pred p"),
        ("leaderboard runs.csv runs.csv runs.csv", 3, "runs.csv is given twice; give the file of every system once"),
        ("meta --synthetic --metrics cem", 2, "--synthetic has metrics, systems and classes of its own"),
        ("raters runs.csv", 2, "name a column for each rater with --raters a --raters b, or the three columns"),
        ("raters runs.csv --raters y --raters p --person y", 2, "name the judge with --judge"),
        ("raters runs.csv --raters y --raters p --coefficients kapa", 2, "'kapa'"),
    ],
)
def test_what_cannot_be_done_is_said_of_the_options(args, code, said):
    write_csv("runs.csv", [["y", "p"], *((i % 3 + 1, i % 2 + 1) for i in range(30))])
    Path("latin.txt").write_bytes("größe\n".encode("latin-1"))
    done = ordeval(*args.replace("FILE", "runs.csv --true y --pred p").split(" "))
    assert done.code == code, done.err
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err


def commands():
    return {found.name or found.callback.__name__: found.epilog for found in app.registered_commands}


def examples_of(epilog):
    return re.findall(r"^  (ordeval .*)", epilog, re.M)


@pytest.mark.parametrize("command", commands())
def test_help_shows_two_examples_in_80_columns(command):
    epilog = commands()[command]
    assert len(examples_of(epilog)) == 2, epilog
    done = ordeval(command, "--help")
    assert done.code == 0
    assert done.out.endswith("".join(f"  {line}\n" for line in epilog.splitlines()[1:]))  # each on its own line
    assert "<str>" not in done.out.partition("Options:")[2]
    assert max(map(display_width, done.out.splitlines())) <= 80


ELSEWHERE = {
    "ordeval reproduce oci --table 6 --quick",  # minutes; tests/papers runs it
    "ordeval advise",  # asks; tests/laws answers
    "ordeval app",  # serves until it is stopped; tests/browser looks at it
    "ordeval app --port 8600 --no-browser",
    "ordeval judge judge.eval --labels 1,2,3,4,5 --rule 'same_again >= 0.8 ci'",  # a log of Inspect; tests/doors reads one
}


def words_of(example):
    """As a shell gives them to the program."""
    words = shlex.split(example.partition(" | ")[0])[1:]
    quoted = set(re.findall(r"'([^']*)'", example))
    return [one for word in words for one in ([word] if word in quoted or "*" not in word else sorted(glob.glob(word)))]


@pytest.mark.slow
@pytest.mark.parametrize("example", [e for epilog in commands().values() for e in examples_of(epilog) if e not in ELSEWHERE])
def test_the_examples_run(example):
    made_up_files()
    if " init " in example:
        os.remove("study.toml")  # it writes one
    done = ordeval(*words_of(example), stdin="y,p\n" + "0,0\n1,1\n2,1\n" * 20)
    assert done.code == 0, done.err
    assert done.out or "written: " in done.err


#: The one quick test of a command in a process of its own: something small that it does.
SMALL = {
    "demo": "--help",  # tests/house/test_installed.py runs it
    "init": "visits.csv -o new.toml",
    "metrics": "",
    "explain": "cem",
    "laws": "mae --law reversal --k 2 --n 3",
    "reproduce": "blog",
    "score": "visits.csv --true grade --pred model --labels low,mid,high",
    "validate": "visits.csv --true grade --pred model --labels low,mid,high",
    "merge": "monday.json tuesday.json",
    "compare": "visits.csv --true grade --pred nurse --pred model --labels low,mid,high",
    "leaderboard": "gold.csv runs/one.csv runs/two.csv --labels low,mid,high",
    "report": "visits.csv --true grade --pred model --labels low,mid,high -o report.md",
    "check": "visits.csv --true grade --pred model --labels low,mid,high --rule 'accuracy > 0.5'",
    "plan": "pilot.csv --true y --pred p --half-width 0.1",
    "meta": "cases",
    "judge": "votes.jsonl --item id --rater who --grade score --judge gpt --person ann --person bob --labels 0,1,2",
    "raters": "essays.csv --rater ann --rater bob --rater cay --labels 1,2,3,4,5",
    "advise": "--scale order",
    "app": "--help",  # tests/browser starts it
}


@pytest.mark.parametrize("command", commands())
@pytest.mark.slow
def test_each_command_runs_in_a_process_of_its_own(command):
    made_up_files()
    done = ordeval_process(command, *shlex.split(SMALL[command]))
    assert done.returncode == 0, done.stderr
    assert done.stdout or "written: " in done.stderr


GATE = """
ordeval() { "$PYTHON" -m ordeval "$@"; }
export COLUMNS=80
ordeval check visits.csv --true grade --pred model --labels low,mid,high --rule 'accuracy >= 0.8' --rule 'mae < 1 ci'
echo "pass $?"
if ordeval check visits.csv --true grade --pred model --labels low,mid,high --rule 'accuracy >= 0.8' --rule 'accuracy > 0.99'
then echo released; else echo "stopped $?"; fi
ordeval check visits.csv --true grade --pred model --labels low,mid --rule 'accuracy >= 0.8' 2> error.txt
echo "input $?"
ordeval check visits.csv --true grade --pred model --labels low,mid,high --rule 'accuracy is fine' 2> /dev/null
echo "usage $?"
ordeval check visits.csv --true grade --pred model --labels low,mid,high 2> /dev/null
echo "no rule $?"
NO_COLOR=1 ordeval metrics | grep -c kappa
ordeval score visits.csv --true grade --pred model --labels low,mid,high --n-resamples 400 --format json | "$PYTHON" -m json.tool > /dev/null
echo "pipe ${PIPESTATUS[*]}"
"""


@pytest.mark.slow
def test_a_gate_in_a_script():
    made_up_files()
    done = subprocess.run(
        ["bash", "-c", GATE],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "PYTHON": sys.executable},
        timeout=GUARD,
    )
    lines = done.stdout.splitlines()
    assert [line for line in lines if line[:4] not in ("pass", "FAIL") or "  " not in line] == [
        "90 rows read · 90 judged",
        "pass 0",
        "1 of 2 rules failed",
        "90 rows read · 90 judged",
        "stopped 1",
        "input 3",
        "usage 2",
        "no rule 2",
        str(sum("kappa" in m.name or "kappa" in m.title.lower() for m in oe.catalogue())),
        "pipe 0 0",
    ]
    assert [line[:4] for line in lines if "  model: " in line] == ["pass", "pass", "pass", "FAIL"]
    (error,) = Path("error.txt").read_text(encoding="utf-8").splitlines()
    assert error.startswith("ordeval: ")
    assert '"high"' in error or "'high'" in error
    assert "\x1b" not in done.stdout


def test_interrupted_is_130(child):
    reader = child("-m", "ordeval", "score", "-", "--true", "y", "--pred", "p", stdin=subprocess.PIPE)
    reader.stdin.write("y,p\n" + "0,0\n" * 500_000)  # more than a pipe holds, so it is reading when this returns
    reader.stdin.flush()
    reader.send_signal(signal.SIGINT)
    out, err = reader.communicate(timeout=GUARD)
    assert (reader.returncode, out) == (130, "")
    assert "Traceback" not in err


def test_what_is_wrong_with_stdin_is_said_of_stdin():
    done = ordeval("score", "-", "--true", "y", "--pred", "p", stdin="")
    assert (done.code, done.err) == (3, "ordeval: stdin is empty; its first line should name the columns\n")


def test_wide_labels_and_long_names_fit_80_columns():
    words = ["漢字" * 9, "かな" * 9, "한글" * 9]
    name = "データ" * 20 + ".csv"
    model = "モデル" * 12
    rows = [[words[i % 3], words[(i + (i % 5 == 0)) % 3], words[(i + (i % 7 == 0)) % 3]] for i in range(60)]
    write_csv(name, [["truth", model, "b" * 90], *rows])
    common = (name, "--true", "truth", "--pred", model, "--labels", ",".join(words))
    both = (*common, "--pred", "b" * 90)
    outputs = [
        ordeval("score", *common, "--n-resamples", "400"),
        ordeval("validate", *both),
        ordeval("compare", *both, "--n-resamples", "400"),
        ordeval("check", *common, "--rule", "accuracy > 0.99", "--n-resamples", "400"),
        ordeval("plan", *common, "--half-width", "0.1", "--metric", "accuracy"),
    ]
    assert [done.code for done in outputs] == [0, 0, 0, 1, 0]
    for done in outputs:
        assert max(map(display_width, done.out.splitlines())) <= 80, done.out


def runs(**changes):
    """A gold file and two runs; then one run is spoiled."""
    write_csv("gold.csv", [["id", "true"], [1, "low"], [2, "mid"], [3, "high"]])
    write_csv("good.csv", [["id", "pred"], [1, "low"], [2, "mid"], [3, "mid"]])
    write_csv("bad.csv", changes["bad"])
    return ordeval("leaderboard", "gold.csv", "good.csv", "bad.csv", "--labels", "low,mid,high", "--n-resamples", "400")


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ([["id", "pred"], [1, "low"], [2, "mid"]], "3"),
        ([["id", "pred"], [1, "low"], [2, "mid"], [2, "mid"], [3, "mid"]], "2"),
        ([["id", "answer"], [1, "low"], [2, "mid"], [3, "mid"]], "pred"),
        ([["key", "pred"], [1, "low"], [2, "mid"], [3, "mid"]], "id"),
        ([["id", "pred"], [1, "low"], [2, "mid"], [3, "huge"]], "huge"),
        ([["id", "pred"], [1, "low"], [2, "mid"], [3, "mid"], [4, "mid"]], "4"),
        ([["id", "pred"], [1, "low"], [2, "mid"], [3, ""]], "missing"),
        ([["id", "pred"]], "bad"),
    ],
    ids=["missing id", "twice", "column", "id column", "outside", "stray", "empty field", "no rows"],
)
def test_a_bad_run_is_named_in_one_sentence(bad, words):
    done = runs(bad=bad)
    assert (done.code, done.out) == (3, "")
    (line,) = done.err.splitlines()
    assert "bad" in line
    assert words in line


def test_a_leaderboard_is_written_as_a_page_and_never_over_another():
    made_up_files()
    asked = ("leaderboard", "gold.csv", "runs/one.csv", "runs/two.csv", "--labels", "low,mid,high", "--n-resamples", "400")
    done = ordeval(*asked, "--report", "page.md")
    assert done.code == 0, done.err
    page = Path("page.md").read_text(encoding="utf-8")
    true = [i % 3 for i in range(90)]
    for every in (5, 7):  # a run calls each so many-th row too high
        run = [min(t + (i % every == 0), 2) for i, t in enumerate(true)]
        assert f"{oe.cem(true, run, labels=[0, 1, 2]):.3f}" in page
    again = ordeval(*asked, "--report", "page.md")
    assert (again.code, again.err) == (2, "ordeval: page.md exists already; pass --force to replace it\n")
    assert Path("page.md").read_text(encoding="utf-8") == page


def test_codabench():
    made_up_files()
    common = ("--labels", "low,mid,high", "--n-resamples", "400", "--metrics", "cem,accuracy,kendall_tau")
    done = ordeval("leaderboard", "gold.csv", "run.csv", "--codabench", "out", *common)
    assert done.code == 0, done.err
    scores = json.loads(Path("out/scores.json").read_text(encoding="utf-8"))
    words = ["low", "mid", "high"]
    true, pred = (
        [words[c] for c in column] for column in zip(*[(i % 3, min(i % 3 + (i % 5 == 0), 2)) for i in range(90)], strict=True)
    )
    assert scores == {m: getattr(oe, m)(true, pred, labels=words) for m in ("cem", "accuracy", "kendall_tau")}
    again = ordeval("leaderboard", "gold.csv", "run.csv", "--codabench", "out", *common)
    assert (again.code, again.err) == (2, "ordeval: out/scores.json exists already; pass --force to replace it\n")
    several = ordeval("leaderboard", "gold.csv", "runs/one.csv", "runs/two.csv", "--codabench", "each", *common)
    assert several.code == 0
    assert sorted(map(str, Path("each").rglob("*.json"))) == ["each/one/scores.json", "each/two/scores.json"]


def test_codabench_leaves_out_what_is_undefined_and_says_so():
    write_csv("gold.csv", [["id", "true"], [1, "low"], [2, "low"]])
    write_csv("run.csv", [["id", "pred"], [1, "low"], [2, "low"]])
    done = ordeval(
        "leaderboard", "gold.csv", "run.csv", "--labels", "low,high", "--metrics", "accuracy,cohen_kappa", "--codabench", "out"
    )
    assert done.code == 0
    assert Path("out/scores.json").read_text() == '{\n  "accuracy": 1.0\n}\n'
    assert done.err.startswith("note: run has no cohen_kappa: ")


@pytest.mark.parametrize(
    "systems",
    [("a b", "a+b"), ("Run", "run"), ("STRASSE", "straße"), ("a b", "a+b", "a-b-1"), ("A+b", "a b", "a-B-1", "a-b-2")],
    ids=" ".join,
)
def test_two_systems_never_share_a_folder(systems):
    """Nor where the file system thinks that Run and run are one name."""
    write_csv("gold.csv", [["id", "true"], *((i, "low") for i in range(10))])
    for right, name in enumerate(systems):
        write_csv(f"{name}.csv", [["id", "pred"], *((i, "low" if i < right else "high") for i in range(10))])
    asked = ("--labels", "low,high", "--metrics", "accuracy", "--n-resamples", "400")
    done = ordeval("leaderboard", "gold.csv", *(f"{name}.csv" for name in systems), *asked, "--codabench", "out")
    assert done.code == 0, done.err
    found = list(Path("out").rglob("scores.json"))
    assert len({path.parent.name.casefold() for path in found}) == len(systems)
    assert {json.loads(path.read_text())["accuracy"] for path in found} == {right / 10 for right in range(len(systems))}


@pytest.mark.slow
def test_starting_loads_nothing_heavy():
    for arguments in ("['--help']", "['metrics']", "['score', '--help']"):
        program = (
            f"import sys; sys.argv = ['ordeval', *{arguments}]\nfrom ordeval.__main__ import main\n"
            "try: main()\nexcept SystemExit: pass\nprint('LOADED', *sys.modules)"
        )
        out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD).stdout
        assert {*HEAVY_LIBRARIES} & set(out.rpartition("LOADED")[2].split()) == set(), arguments
