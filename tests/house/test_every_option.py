"""Every option of every command matters: with it something else is printed, refused or written, where rows are given and where a study is."""

import copy
import functools
import json
import re
import shlex
import shutil
import signal
import sys
import webbrowser
from dataclasses import dataclass, field, replace

import duckdb
import numpy as np
import openpyxl
import pytest
import typer
from commands import ordeval, write_csv
from judge_files import inspect_log, lm_eval_samples

import ordeval as oe
from ordeval.cli.program import app


@dataclass(frozen=True, eq=False)
class Case:
    """Arguments in which an option must matter."""

    given: str  #: the option
    rows: str | None = None  #: the rows, and what in them is what; None as the command usually has them
    study: dict = field(default_factory=dict)  #: the keys by which a study that says the same differs from the usual one
    rest: str = "{rest}"  #: what else is given, beside or instead of what usually is
    instead: str = ""  #: the option with a study, where it is said otherwise there
    alike: bool = True  #: whether rows and a study, each with the option, come out the same
    slow: bool = False


# The rows of most commands

SCALES = {
    "": ("--labels 1,2,3", {"labels": [1, 2, 3]}),
    "words": ("--labels low,mid,high", {"labels": ["low", "mid", "high"]}),
    "letters": ("--labels früh,mid,spät", {"labels": ["früh", "mid", "spät"]}),
    "numbers": ("--edges 1000,2000,3000,4000", {"edges": [1000, 2000, 3000, 4000]}),
}
#: The file in which an option of reading matters, the option, its classes, and what is said of missing answers.
READING = {
    "na": ("none.csv", "--na none", "", "drop"),
    "recode": ("none.csv", "--recode none=2", "", ""),
    "decimal": ("comma.csv", "--decimal ,", "numbers", ""),
    "thousands": ("groups.csv", '--thousands "\'"', "numbers", ""),
    "case": ("loud.csv", "--case ignore", "words", ""),
    "space": ("spaced.csv", "--space trim", "words", ""),
    "encoding": ("latin.csv", "--encoding latin-1", "letters", ""),
    "quote": ("quote.tsv", "--quote none", "", ""),
    "sheet": ("book.xlsx", "--sheet second", "", ""),
    "max_rows": ("rows.csv", "--max-rows 5", "", ""),
    "missing": ("blank.csv", "--missing drop", "", ""),
    "missing_truth": ("untrue.csv", "--missing-truth drop", "", ""),
    "unknown": ("none.csv", "--unknown missing", "", "drop"),
    "edges": ("numbers.csv", "--edges 1000,2000,3000,4000", None, ""),
}


def reading(columns, *left_out):
    """The cases of options that say how files are read, in the files of `made_up`."""
    found = {}
    for option, (file, given, scale, missing) in READING.items():
        if option not in left_out:
            words, keys = ("", None) if scale is None else SCALES[scale]
            rows = f"{columns(file)} {words}" + (f" --missing {missing}" if missing and "missing" not in left_out else "")
            found[option] = Case(given, rows, {"data": file, "scale": keys} | ({"missing.answer": missing} if missing else {}))
    return found


def wide(file):
    return f"{file} --true y --pred a --pred b"


LONG = {
    "data": {"shape": "long", "files": "long.csv"},
    "columns": {"true": "y", "pred": "p", "model": "model", "id": "id"},
}
RUNS = {
    "data": {"shape": "runs", "gold": "joined/rows/gold.csv", "runs": ["joined/rows/one.csv", "joined/rows/two.csv"]},
    "columns": {"true": "true", "pred": "pred", "id": "id"},
}
ONE_RUN = "joined/rows/one.csv --true true --pred pred --pred other --labels 1,2,3"
ROWS = reading(wide) | {
    "true": Case("--true c"),
    "pred": Case("--pred c", instead="--pred a --pred b --pred c"),
    "labels": Case("--labels 2,1,3"),
    "sample_weight": Case("--sample-weight w"),
    "cluster": Case("--cluster who"),
    "id": [
        Case("--id id", f"{ONE_RUN} --gold joined/rows/gold.csv", RUNS | {"columns.id": None}, alike=False),
        Case("--id id", "long.csv --true y --pred p --model-column model --labels 1,2,3", LONG | {"columns.id": None}),
    ],
    "gold": Case("--gold joined/rows/gold.csv", f"{ONE_RUN} --id id", RUNS | {"data.gold": "joined/untrue/gold.csv"}, alike=False),
    "model_column": Case("--model-column model", "long.csv --true y --pred p --id id --labels 1,2,3", LONG | {"columns.model": None}),
    "strays": Case("--strays drop", f"{ONE_RUN} --id id --gold joined/fewer/gold.csv", RUNS | {"data.gold": "joined/fewer/gold.csv"}, alike=False),
}  # fmt: skip
ONE = {"rows": "rows.csv --true y --pred a --labels 1,2,3", "study": {"columns.models": ["a"]}}
BY = {"by": Case("--by site")}
PROBA = {"proba": Case("--proba p1,p2,p3 --proba q1,q2,q3", rest="{rest} --metrics rps_skill,mae")}
JUDGED = {"metrics": Case("--metrics accuracy,mae")}
LEVEL = {"confidence_level": Case("--confidence-level 0.8")}
DRAWN = LEVEL | {"rng": Case("--seed 1"), "n_resamples": Case("--n-resamples 450")}
HOW = DRAWN | {"method": Case("--method percentile")}

TARGET = {"output": Case("--output out.txt"), "force": Case("--force", rest="{rest} --output there.txt")}
OUT = TARGET | {"format": Case("--format csv")}
PAGE = {"report": Case("--report page.md")}


@dataclass(frozen=True)
class Command:
    """What a command is usually given, and the cases of its options."""

    cases: dict
    rows: str = "rows.csv --true y --pred a --pred b --labels 1,2,3"
    rest: str = ""
    study: dict | None = field(default_factory=dict)  #: None: it takes none
    of_order: tuple = ()  #: the options whose cases need a score that has an order and draws its interval, which accuracy has not


# Leaderboards


def joined(file):
    name, _, kind = file.partition(".")
    return " ".join(f"joined/{name}/{part}.{kind}" for part in ("gold", "one", "two"))


def as_runs(case):
    """The same files, in parts that are joined."""
    if "data" not in case.study:
        return case
    name, _, kind = case.study["data"].partition(".")
    data = {"shape": "runs", "gold": f"joined/{name}/gold.{kind}"} | {
        "runs": [f"joined/{name}/{part}.{kind}" for part in ("one", "two")]
    }
    return replace(case, study={**case.study, "data": data})


MANY = [f"board/{run}.csv" for run in range(6)]
MANY_RUNS = {  # so much alike that some range of ranks turns on little
    "rows": f"board/gold.csv {' '.join(MANY)} --labels 1,2,3",
    "study": {"data.gold": "board/gold.csv", "data.runs": MANY},
}
BOARD = {option: as_runs(case) for option, case in reading(joined, "missing_truth").items()} | {
    "true": Case("--true other"),
    "pred": Case("--pred other"),
    "id": Case("--id key"),
    "labels": Case("--labels 2,1,3"),
    "cluster": Case("--cluster who", **MANY_RUNS),
    "confidence_level": Case("--confidence-level 0.8", **MANY_RUNS),
    "rng": Case("--seed 1", **MANY_RUNS),
    "n_resamples": Case("--n-resamples 450", **MANY_RUNS),
    "strays": Case("--strays drop", "joined/fewer/gold.csv joined/rows/one.csv joined/rows/two.csv --labels 1,2,3", {"data.gold": "joined/fewer/gold.csv"}),
    "primary": Case("--primary accuracy"),
    "codabench": Case("--codabench scores"),
}  # fmt: skip

# Raters


def rated(file):
    return f"{file} --raters y --raters a --raters b"


RATED = "long.csv --labels 1,2,3"
JUDGE = "{rest} --judge b"
RATERS = reading(rated, "missing_truth", "missing", "unknown") | {
    "labels": Case("--labels 2,1,3"),
    "raters": Case("--raters c", instead="--raters y --raters a --raters b --raters c"),
    "item": Case("--item id", f"{RATED} --rater model --grade p", {"data": "long.csv", "columns": {"rater": "model", "grade": "p"}}),
    "rater": Case("--rater model", f"{RATED} --item id --grade p", {"data": "long.csv", "columns": {"item": "id", "grade": "p"}}),
    "grade": Case("--grade p", f"{RATED} --rater model --item id", {"data": "long.csv", "columns": {"rater": "model", "item": "id"}}),
    "judge": Case("--judge b"),
    "person": Case("--person a", rest=JUDGE),
    "coefficients": Case("--coefficients fleiss_kappa"),
    "weights": Case("--weights linear", rest="--coefficients pairwise_kappa --format json"),
    "power": Case("--power 3", rest="--coefficients pairwise_kappa --format json"),
    "resample": Case("--resample crossed"),
    "metric": Case("--metric mae", rest=JUDGE),
    "epsilon": Case("--epsilon 0.01", rest=JUDGE),
}  # fmt: skip

# Judges

JUDGES = {
    "human": Case("--human people.csv", "lonely.json --id item --grade ann"),
    "id": Case("--id item", "lonely.json --human people.csv --grade ann"),
    "item": [
        Case("--item id", "votes.csv --rater who --grade score --judge gpt"),
        Case("--item qid", "lm.jsonl --filter first"),
    ],
    "rater": Case("--rater who", "votes.csv --item id --grade score --judge gpt"),
    "grade": Case("--grade score", "votes.csv --item id --rater who --judge gpt"),
    "repeats": Case("--repeats run", "votes.csv --item id --rater who --grade score --judge gpt"),
    "trace": Case("--trace row", "votes.csv --item id --rater who --grade score --judge gpt --repeats run"),
    "judge": Case("--judge gpt", "votes.csv --item id --rater who --grade score --repeats run"),
    "person": Case("--person bob", "votes.csv --item id --rater who --grade score --repeats run --judge gpt"),
    "score": Case("--score grade", "scores.json"),
    "filter": Case("--filter first", "lm.jsonl"),
    "parse": Case(r"--parse '\d'", "said.json"),
    "epochs": Case("--epochs items"),
    "log_format": Case("--log-format table", "like.jsonl --item doc --judge resps --person ann"),
    "unfinished": Case("--unfinished", "begun.json"),
    "labels": Case("--labels 5,4,3,1,2"),
    "edges": Case("--edges 0,1,2,3,4,5", rest="--metrics mae --format json"),
    "junit": Case("--junit rules.xml", rest="{rest} --rule 'mae <= 5'"),
    "against": Case("--against earlier.json"),
    "rule": Case("--rule 'mae <= 0'"),
    "list": Case("--list 1", rest="{rest} --format text"),
    "disagreements": Case("--disagreements far.csv"),
}  # fmt: skip

LIKE = "--scale order --audience ourselves"
SERVED = {
    "port": Case("--port 8599"),
    "browser": Case("--no-browser"),
    "host": Case("--host 0.0.0.0", rest="--allow-hosts lab.example.org"),
    "allow_hosts": Case("--allow-hosts lab.example.org"),
    "upload_mb": Case("--upload-mb 7"),
    "base_path": Case("--base-path tools/ordeval"),
}
COMMANDS = {
    "demo": Command({"output": Case("--output other.html", slow=True)}, "", study=None),
    "init": Command(
        {
            "sheet": Case("--sheet second", "book.xlsx"),
            "encoding": Case("--encoding latin-1", "latin.csv"),
            "output": Case("--output other.toml"),
            "force": Case("--force", rest="--output there.txt"),
        },
        "rows.csv",
        study=None,
    ),
    "score": Command(
        ROWS | BY | PROBA | JUDGED | HOW | OUT | {"check_intervals": Case("--check-intervals", **ONE)},
        rest="--metrics accuracy --n-resamples 400 --format json",
        of_order=(*HOW, "labels", "check_intervals", "proba"),
    ),
    "compare": Command(
        ROWS | BY | PROBA | JUDGED | HOW | OUT
        | {
            "primary": Case("--primary mae"),
            "reference": Case("--reference b", "rows.csv --true y --pred a --pred b --pred c --labels 1,2,3", {"columns.models": ["a", "b", "c"]}),
            "margin": Case("--margin 0.1"),
        },
        rest="--metrics accuracy --primary accuracy --n-resamples 400 --format json",
        of_order=(*HOW, "labels", "proba"),
    ),
    "leaderboard": Command(
        BOARD | BY | JUDGED | OUT | PAGE,
        f"{joined('rows.csv')} --labels 1,2,3",
        "--metrics mae --primary mae --n-resamples 400 --format json",
        RUNS,
    ),
    "raters": Command(
        RATERS | HOW | OUT | PAGE,
        f"{rated('rows.csv')} --labels 1,2,3",
        "--coefficients alpha_ordinal --n-resamples 400 --format json",
        {"columns": {"raters": ["y", "a", "b"]}},
    ),
    "judge": Command(
        JUDGES | JUDGED | DRAWN | OUT | PAGE, "log.json", "--labels 1,2,3,4,5 --metrics mae --n-resamples 400 --format json", None
    ),
    "report": Command(
        ROWS | BY | PROBA | JUDGED | HOW
        | {
            "output": Case("--output other.md"),
            "primary": Case("--primary mae"),
            "open": Case("--open", rest="{rest} --output page.html", alike=False),
            "force": Case("--force", rest="{rest} --output there.md"),
        },
        rest="--metrics accuracy --primary accuracy --n-resamples 400 --output page.md",
        of_order=(*HOW, "labels", "proba"),
    ),
    "check": Command(
        ROWS | BY | HOW
        | {
            "rule": Case("--rule 'accuracy >= 0.9'", rest="--format json"),
            "accept": Case("--accept", study={"output.baseline": "kept.json"}, rest="--rule 'mae <= 2' --format json", alike=False),
            "baseline": Case("--baseline counts.json", study={"output.baseline": "kept.json"}, rest="--rule 'mae <= baseline - 0.01' --format json"),
            "format": Case("--format junit"),
            "junit": Case("--junit rules.xml"),
            "summary": Case("--summary summary.md"),
        },
        rest="--rule 'accuracy <= 0.3 ci' --format json",
        of_order=(*HOW, "labels"),
    ),
    "validate": Command(
        ROWS | OUT
        | {
            "sample_weight": Case("--sample-weight minus"),
            "cluster": Case("--cluster gaps"),
            "by": Case("--by gaps"),
        },
        rest="--format json",
    ),
    "plan": Command(
        ROWS | LEVEL
        | {
            "metric": Case("--metric mae"),
            "half_width": Case("--half-width 0.1", **ONE, rest="--metric mae"),
            "difference": Case("--difference 0.2", rest="--metric mae"),
            "power": Case("--power 0.9"),
            "assurance": Case("--assurance 0.95", **ONE, rest="--metric mae --half-width 0.1"),
            "rng": Case("--seed 1"),
        },
        rest="--metric accuracy --difference 0.1",
        of_order=("labels", "rng", "confidence_level"),
    ),
    "merge": Command(TARGET, "counts.json more.json", study=None),
    "metrics": Command(OUT, "", study=None),
    "advise": Command(
        {
            "scale": Case("--scale interval"),
            "rare": Case("--rare theirs"),
            "prevalence": Case("--prevalence yes"),
            "probabilities": Case("--probabilities yes"),
            "open_band": Case("--open-band yes", rest="--scale interval"),
            "audience": Case("--audience papers"),
        },
        "",
        LIKE,
        None,
    ),
    "laws": Command(
        {
            "laws": Case("--laws imbalance", rest="--max-k 2 --max-n 2"),
            "max_k": Case("--max-k 2"),
            "max_n": Case("--max-n 3"),
        },
        "mae",
        "--laws perfect --laws reversal --max-k 3 --max-n 2",
        None,
    ),
    "meta": Command(
        {
            "synthetic": Case("--synthetic", ""),
            "reading": Case("--reading literal", "--synthetic"),
            "rng": Case("--seed 1", "--synthetic"),
            "metrics": Case("--metrics accuracy"),
            "against": Case("--against accuracy,mae"),
            "systems": Case("--systems a --systems b --systems d"),
            "true": Case("--true y", "tables --metrics cem,mae --labels 1,2,3"),
            "labels": Case("--labels 2,1,3", "tables --true y --metrics cem,mae --labels 1,2,3"),
            "edges": Case("--edges 1000,2000,3000,4000", "numbers --true y --metrics cem,mae"),
        },
        "cases --metrics cem,mae",
        "",
        None,
    ),
    "reproduce": Command(
        {
            "table": Case("--table 9", "oci"),
            "models": Case("--models oSVM", "oci"),
            "quick": Case("--quick", "blog"),
            "folder": Case("--folder parts", "blog"),
        },
        study=None,
    ),
    "app": Command(SERVED, "", study=None),
}  # fmt: skip


# The files that cases name


def made_up(folder):
    rng = np.random.default_rng(4)
    y = [1 + i % 3 for i in range(60)]
    a, b, c, d = ([t if rng.random() < share else int(rng.integers(1, 4)) for t in y] for share in (0.8, 0.6, 0.5, 0.3))
    rows = list(zip(y, a, b, c, strict=True))

    def words(names):
        return [[names[value - 1] for value in row] for row in rows]

    def but(row, column, value, given=rows):
        return [[value if (i, at) == (row, column) else one for at, one in enumerate(line)] for i, line in enumerate(given)]

    named = ["low", "mid", "high"]
    files = {
        "rows.csv": rows,
        "fewer.csv": rows[:-1],
        "none.csv": but(4, 2, "none"),
        "blank.csv": but(4, 2, ""),
        "untrue.csv": but(4, 0, ""),
        "numbers.csv": words(["1500.5", "2500.5", "3500.5"]),
        "comma.csv": words(["1500,5", "2500,5", "3500,5"]),
        "groups.csv": words(["1'500", "2'500", "3'500"]),
        "loud.csv": but(4, 2, "HIGH", words(named)),
        "spaced.csv": but(4, 2, " high", words(named)),
        "latin.csv": words(["früh", "mid", "spät"]),
        "quote.tsv": but(4, 2, '"1"'),
        "book.xlsx": rows,
    }
    for name, found in files.items():
        beside = {
            "w": [1 + i % 4 for i in range(60)],
            "who": [i // 3 for i in range(60)],
            "site": ["xy"[i % 2] for i in range(60)],
            "minus": [-1 if i == 4 else 1 for i in range(60)],
            "gaps": ["" if i == 4 else i // 3 for i in range(60)],
        }
        for model, column in (("p", a), ("q", b)):
            beside |= {f"{model}{1 + k}": [0.6 if value == 1 + k else 0.2 for value in column] for k in range(3)}
        kept = list(beside) if name == "rows.csv" else []
        table(
            folder / name, ["y", "a", "b", "c", *kept], [[*row, *(beside[one][i] for one in kept)] for i, row in enumerate(found)]
        )
        stem, _, kind = name.partition(".")
        parts = folder / "joined" / stem
        parts.mkdir(parents=True)
        gold = [[f"d{i}", f"d{(i + 1) % 60}", row[0], row[3], "xy"[i % 2]] for i, row in enumerate(found)]
        table(parts / f"gold.{kind}", ["id", "key", "true", "other", "site"], gold)
        for part, place in (("one", 1), ("two", 2)):
            run = [[f"d{i}", f"d{i}", row[place], row[place % 3 + 1]] for i, row in enumerate(found)]
            table(parts / f"{part}.{kind}", ["id", "key", "pred", "other"], run)
    (folder / "board").mkdir()
    table(folder / "board" / "gold.csv", ["id", "true", "who"], [[i, t, i // 3] for i, t in enumerate(y)])
    alike = np.random.default_rng(5)
    for run in range(6):
        answers = [t if alike.random() < 0.35 + 0.1 * run else int(alike.integers(1, 4)) for t in y]
        table(folder / "board" / f"{run}.csv", ["id", "pred"], enumerate(answers))
    long = [[i, model, row[0], row[place]] for i, row in enumerate(rows) for place, model in ((1, "a"), (2, "b"))]
    table(folder / "long.csv", ["id", "model", "y", "p"], long)
    oe.count(y, {"a": b, "b": c}, labels=[1, 2, 3]).save(folder / "counts.json")
    oe.count(y, {"a": b, "b": c}, labels=[1, 2, 3]).save(folder / "more.json")
    (folder / "there.txt").write_text("there")
    (folder / "there.md").write_text("there")
    for name in ("cases", "tables", "numbers"):
        (folder / name).mkdir()
    for case in range(3):
        found = {model: np.roll(column, case).tolist() for model, column in (("a", a), ("b", b), ("c", c), ("d", d))}
        oe.count(y, found, labels=[1, 2, 3]).save(folder / "cases" / f"{case}.json")
        columns = [y, *found.values()]
        table(folder / "tables" / f"{case}.csv", ["y", *found], zip(*columns, strict=True))
        table(
            folder / "numbers" / f"{case}.csv",
            ["y", *found],
            ([1000 * n + 500.5 for n in row] for row in zip(*columns, strict=True)),
        )
    logs(folder, rng)


def table(path, head, rows):
    """A CSV or TSV file, or the two sheets of a workbook, of which the second is shorter."""
    rows = list(rows)
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for title, found in (("first", rows), ("second", rows[:50])):
            sheet = book.active if title == "first" else book.create_sheet(title)
            for row in [head, *found]:
                sheet.append(row)
            sheet.title = title
        book.save(path)
    elif path.suffix == ".tsv":
        path.write_text("".join("\t".join(map(str, row)) + "\n" for row in [head, *rows]), encoding="utf-8")
    else:
        write_csv(path, [head, *rows])
        if "latin" in str(path):
            path.write_bytes(path.read_text(encoding="utf-8").encode("latin-1"))


def logs(folder, rng):
    """What judges gave, as the tools write it."""
    people = rng.integers(1, 6, 30)
    grades = {f"q{i}": (int(t), np.clip(t + rng.integers(-1, 2, 3), 1, 5).tolist()) for i, t in enumerate(people)}
    log = json.loads(inspect_log(folder / "log.json", grades).read_text())
    inspect_log(folder / "begun.json", grades, status="started")
    inspect_log(folder / "earlier.json", {item: (t, [min(g + 1, 5) for g in given]) for item, (t, given) in grades.items()})
    inspect_log(folder / "said.json", {item: (t, [f"4 of 5: {g}" for g in given]) for item, (t, given) in grades.items()})
    for sample in log["samples"]:
        sample["scores"]["other"] = {"value": 3}
    (folder / "scores.json").write_text(json.dumps(log))
    for sample in log["samples"]:
        del sample["target"], sample["scores"]["other"]
    (folder / "lonely.json").write_text(json.dumps(log))
    write_csv(folder / "people.csv", [["item", "ann"], *([item, t] for item, (t, _) in grades.items())])
    lm_eval_samples(folder / "lm.jsonl", grades)
    like = [{"doc": item, "resps": given[0], "filtered_resps": "-", "ann": t} for item, (t, given) in grades.items()]
    (folder / "like.jsonl").write_text("".join(json.dumps(row) + "\n" for row in like))
    votes = [[item, who, 1, t] for item, (t, _) in grades.items() for who in ("ann", "bob")]
    votes += [
        [item, who, run, g] for item, (_, given) in grades.items() for run, g in enumerate(given, 1) for who in ("gpt", "llama")
    ]
    write_csv(
        folder / "votes.csv", [["id", "who", "run", "score", "row"], *([*vote, f"line {i}"] for i, vote in enumerate(votes))]
    )


# What comes out

#: What `ordeval app` starts in place of Python: it writes down its arguments, says that it listens, and ends.
SERVER = """\
#!/bin/sh
printf '%s\\n' "$@" "upload $ORDEVAL_UPLOAD_MB" > served.txt
echo http://127.0.0.1:8501
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    """What a call prints, refuses and writes; each call is made once."""
    folder, known = tmp_path_factory.mktemp("made"), {}
    made_up(folder)
    server = tmp_path_factory.mktemp("server") / "python"
    server.write_text(SERVER)
    server.chmod(0o755)
    made, on_term = {path.name for path in folder.iterdir()}, signal.getsignal(signal.SIGTERM)

    def run(args, study=None):
        key = args, json.dumps(study, sort_keys=True)
        if key not in known:
            for name in ("there.txt", "there.md"):
                (folder / name).write_text("there")
            if study is not None:
                (folder / "study.toml").write_text(oe.Study(study).to_toml(), encoding="utf-8")
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(folder)
                if args.startswith("app"):
                    patch.setattr(sys, "executable", str(server))
                    patch.setattr(webbrowser, "open", lambda address: (folder / "opened.txt").write_text(address))
                    patch.setenv("DISPLAY", ":0")
                done = ordeval(*shlex.split(args))
            assert done.code != 70, done.err
            files = {name: (folder / name).read_text(encoding="utf-8") for name in ("there.txt", "there.md")}
            for path in [path for path in folder.iterdir() if path.name not in made]:
                inside = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
                files |= {str(one): one.read_text(encoding="utf-8") for one in inside if path.name != "study.toml"}
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            known[key] = (done.code, told(done.out), done.err, {name: told(text) for name, text in files.items()})
        return known[key]

    @functools.cache
    def database(*config):
        return connect(":memory:", config=dict(config))

    connect = duckdb.connect
    with pytest.MonkeyPatch.context() as patch:  # what takes longest is the same for every call, so it is made once
        patch.setattr(typer.main, "get_command", functools.cache(typer.main.get_command))
        patch.setattr(duckdb, "connect", lambda place, config: database(*config.items()).cursor())
        yield run
    signal.signal(signal.SIGTERM, on_term)


def told(text):
    """What is said of the rows: without the settings that a result repeats, and without where it comes from."""
    try:
        return plain(json.loads(text))
    except ValueError:
        kept = text.partition("## Rows and reading")[0]  # of a report
        return re.sub(r"^(.* · ordeval \S+|overridden on the command line.*)$\n*", "", kept, flags=re.M).rstrip()


REPEATED = ("settings", "signature", "source", "notes", "files")


def plain(found):
    if isinstance(found, dict):
        return {key: plain(value) for key, value in found.items() if key not in REPEATED}
    if isinstance(found, list):
        return [plain(value) for value in found]
    return found


USUAL = {
    "study": 1,
    "data": {"files": "rows.csv"},
    "columns": {"true": "y", "models": ["a", "b"]},
    "scale": {"labels": [1, 2, 3]},
    "judge": {"primary": "accuracy"},
    "gate": [{"rule": "mae <= 0.1"}],
}


def study_of(*changes):
    """The usual study with other keys; a table that is given stands for the whole of it."""
    data = copy.deepcopy(USUAL)
    for place, value in (pair for each in changes for pair in each.items()):
        table, _, key = place.rpartition(".")
        inside = data.setdefault(table, {}) if table else data
        inside.pop(key, None)
        if value is not None:
            inside[key] = {"files": value} if place == "data" and isinstance(value, str) else copy.deepcopy(value)
    return data


CALLS = [
    pytest.param(
        command, option, case, id=f"{command}-{option}{f'-{number}' if number else ''}", marks=[pytest.mark.slow] * case.slow
    )
    for command, each in COMMANDS.items()
    for option, cases in each.cases.items()
    for number, case in enumerate(cases if isinstance(cases, list) else [cases])
]


def words_of(command, option, case):
    """What the command is given beside the option: of rows, and beside a study."""
    usual = COMMANDS[command]
    rest = case.rest.format(rest=usual.rest.replace("accuracy", "mae") if option in usual.of_order else usual.rest)
    return f"{command} {usual.rows if case.rows is None else case.rows} {rest}", f"{command} study.toml {rest}"


@pytest.mark.parametrize(("command", "option", "case"), CALLS)
def test_an_option_matters_where_rows_are_given(command, option, case, outcome):
    without, _ = words_of(command, option, case)
    assert outcome(without) != outcome(f"{without} {case.given}")


@pytest.mark.parametrize(("command", "option", "case"), [call for call in CALLS if COMMANDS[call.values[0]].study is not None])
def test_an_option_matters_where_a_study_is_given_and_means_the_same(command, option, case, outcome):
    of_rows, without = words_of(command, option, case)
    usual = COMMANDS[command]
    study = study_of(usual.study, case.study, {"judge.primary": "mae" if option in usual.of_order else "accuracy"})
    given = outcome(f"{without} {case.instead or case.given}", study)
    if case.alike:
        same = outcome(f"{of_rows} {case.given}")
        assert given == same or (given[0] == same[0] > 1), "refused by both, each in its own words"
    if not case.alike or given[0] > 1 or first_of(option, case) == command:  # else the same as rows, which are others without it
        assert outcome(without, study) != given


@functools.cache
def first_of(option, case):
    """The first command that has this very case."""
    return next(call.values[0] for call in CALLS if call.values[1] == option and call.values[2] is case)


KEYS = {
    "confidence_level": ("confidence_level", 0.8),
    "rng": ("seed", 1),
    "n_resamples": ("n_resamples", 450),
    "method": ("method", "percentile"),
}


@pytest.mark.parametrize(
    ("command", "option"),
    [(name, option) for name, each in COMMANDS.items() if each.study is not None for option in each.cases if option in KEYS],
)
def test_a_setting_that_stands_in_the_study_means_what_the_option_means(command, option, outcome):
    case, usual, (key, value) = COMMANDS[command].cases[option], COMMANDS[command], KEYS[option]
    _, without = words_of(command, option, case)
    without = without.replace("--n-resamples 400", "") if option == "n_resamples" else without
    study = usual.study, case.study, {"judge.primary": "mae"}
    assert outcome(without, study_of(*study, {f"judge.{key}": value})) == outcome(f"{without} {case.given}", study_of(*study))


def test_every_option_of_every_command_is_tried():
    program = typer.main.get_command(app)
    options = {
        name: {p.name for p in command.params if p.param_type_name == "option"} for name, command in program.commands.items()
    }
    tried = {command: set(each.cases) for command, each in COMMANDS.items()}
    assert {name: found ^ tried.get(name, set()) for name, found in options.items() if found != tried.get(name, set())} == {}
