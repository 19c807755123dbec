"""Rows that cannot be read or scored: one sentence with what, where and how to mend it; nothing half-done."""

import gzip
import json
import os
import signal

import pandas as pd
import polars as pl
import pytest
from commands import ordeval
from processes import GUARD, SAYS_HOW_READING_ENDS

import ordeval as oe
from ordeval.read.refusals import _first_bad_byte, sentence
from ordeval.read.runs import scan_runs

LABELS = ["a", "b", "c"]


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


BAD = {
    "missing column": (
        "x.csv",
        "id,grade,model\n1,a,b\n",
        {"true": "grad"},
        ValueError,
        r"has no column 'grad'; did you mean 'grade'\?",
    ),
    "no near column": ("x.csv", "id,p\n1,a\n", {}, ValueError, r"has no column 'y'; it has 'id', 'p'"),
    "twice the column": ("x.csv", "y,p,p\na,b,c\n", {}, ValueError, r"has 2 columns called 'p'; rename one"),
    "empty": ("x.csv", "", {}, ValueError, r"x.csv is empty; its first line should name the columns"),
    "header only": ("x.csv", "y,p\n", {}, ValueError, r"x.csv has no rows; there is nothing to score"),
    "a name beyond all bounds": (
        "x.csv",
        "y,p," + "x" * 200_000 + "\na,b,c\n",
        {},
        ValueError,
        r"x.csv: the first line, which should name the columns, cannot be read: field larger than",
    ),
    "short line": ("x.csv", "y,p\na,b\na\n", {}, ValueError, r"x.csv, line 3 has 1 fields where the header has 2"),
    "long line": ("x.csv", "y,p\na,b\na,b,c\n", {}, ValueError, r"x.csv, line 3 has 3 fields where the header has 2"),
    "open quote": ("x.csv", 'y,p\na,b\n"a,b\n', {}, ValueError, r"x.csv, line 3: a quote is opened and not closed"),
    "mixed line ends": ("x.csv", b"y,p\na,b\r\na,b\n", {}, ValueError, r"x.csv cannot be read as CSV: its line ends are mixed"),
    "not UTF-8": (
        "x.csv",
        b"y,p\na,b\nb,\xe9\n",
        {},
        ValueError,
        r"x.csv: its first byte that is not UTF-8 is 0xe9 in row 2; if it came from Windows",
    ),
    "UTF-16, cut": (
        "x.csv",
        "y,p\na,b\n".encode("utf-16")[:-1],
        {},
        ValueError,
        r"x.csv begins as UTF-16 and does not end so: it is cut short or damaged",
    ),
    "not gzip": ("x.csv.gz", "y,p\na,b\n", {}, ValueError, r"x.csv.gz cannot be "),
    "no Parquet": ("x.parquet", "y,p\na,b\n", {}, ValueError, r"x.parquet is not a complete Parquet file"),
    "empty Parquet": ("x.parquet", "", {}, ValueError, r"x.parquet is not a complete Parquet file"),
    "no JSON": ("x.jsonl", '{"y": "a", "p": "b"}\n{"y": \n', {}, ValueError, r"x.jsonl has a line that is not JSON"),
    "JSON mixes kinds": (
        "x.jsonl",
        '{"y": "a", "p": "b"}\n{"y": 1, "p": "b"}\n',
        {},
        TypeError,
        r"mixes kinds of label: .*(1 \(integers, row 2 of .*x.jsonl\).*'a' \(text, row 1 of|'a' \(text, row 1 of.*1 \(integers, row 2 of)",
    ),
    "JSON nests": ("x.jsonl", '{"y": {"k": 1}, "p": "b"}\n', {}, TypeError, r'column "y" holds a dict at row 1 of'),
    "outside the scale": (
        "x.csv",
        "y,p\na,b\nb,B \nc,B \n",
        {},
        ValueError,
        r"p: \"B \" is not a class \(a < b < c\); 2 rows, first row 2\. It is read with reading=Reading\(space='trim', case='ignore'\)",
    ),
    "a missing truth": (
        "x.csv",
        "y,p\na,b\n,b\n",
        {"missing": "unanswered"},
        ValueError,
        r"\"y\" has 1 missing value, the first at row 2 of",
    ),
    "a missing prediction": (
        "x.csv",
        "y,p\na,b\nb,\n",
        {},
        ValueError,
        r"column \"p\" has 1 missing value, the first at row 2 of",
    ),
    "text without an order": ("x.csv", "y,p\na,b\n", {"labels": None}, ValueError, r"text has no order; give it, lowest first"),
    "too many rows": (
        "x.csv",
        "y,p\na,b\na,b\na,b\n",
        {"max_rows": 2},
        ValueError,
        r"x.csv has more than 2 rows, but max_rows=2",
    ),
    "weight no number": (
        "x.csv",
        "y,p,w\na,b,x\n",
        {"sample_weight": "w"},
        ValueError,
        r"x.csv, w: \"x\" is not a number; 1 row, first row 1",
    ),
    "a column named by a number": ("x.csv", "y,p\na,b\n", {"pred": 1}, TypeError, r"columns are named by text, not by 1; rename"),
    "weight negative": (
        "x.csv",
        "y,p,w\na,b,-1\n",
        {"sample_weight": "w"},
        ValueError,
        r"1 row with a weight that is missing, negative",
    ),
    "weight missing": (
        "x.csv",
        "y,p,w\na,b,\n",
        {"sample_weight": "w"},
        ValueError,
        r"1 row with a weight that is missing, negative",
    ),
    "unknown missing": ("x.csv", "y,p\na,b\n", {"missing": "skip"}, ValueError, r"missing='skip' is unknown"),
    "same name twice": ("x.csv", "y,p\na,b\n", {"pred": ["p", "p"]}, ValueError, r"the name 'p' is used twice"),
    "no model": ("x.csv", "y,p\na,b\n", {"pred": []}, ValueError, r"pred is empty"),
    "gold without id": (
        "x.csv",
        "y,p\na,b\n",
        {"gold": "x.csv"},
        TypeError,
        r"gold and id must be given together; give gold=truth with id=",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused_in_one_sentence(tmp_path, case):
    name, data, options, error, sentence = BAD[case]
    path = write(tmp_path, name, data)
    with pytest.raises(error, match=sentence) as caught:
        oe.scan(path, **{"true": "y", "pred": "p", "labels": LABELS, **options})
    assert "\n" not in str(caught.value)


def test_a_truncated_parquet_file_is_named(tmp_path):
    whole = tmp_path / "whole.parquet"
    pd.DataFrame({"y": ["a"] * 1000, "p": ["b"] * 1000}).to_parquet(whole)
    cut = write(tmp_path, "cut.parquet", whole.read_bytes()[:-100])
    with pytest.raises(ValueError, match="cut.parquet is not a complete Parquet file"):
        oe.scan(cut, true="y", pred="p", labels=LABELS)
    with pytest.raises(ValueError, match=r"whole.parquet has 1,000 rows, but max_rows=999"):
        oe.scan(whole, true="y", pred="p", labels=LABELS, max_rows=999)
    assert oe.scan(whole, true="y", pred="p", labels=LABELS, max_rows=1000).total == 1000


def test_a_gzip_file_whose_content_is_not_what_was_packed_is_refused(tmp_path):
    """The checksum tells; a reader that does not look at it counts other labels."""
    packed = gzip.compress(b"y,p\n" + b"a,b\n" * 3, compresslevel=0)
    assert oe.scan(write(tmp_path, "good.csv.gz", packed), true="y", pred="p", labels=LABELS).total == 3
    for damaged in (packed.replace(b"a,b\na,b", b"a,b\na,c", 1), packed[:-4] + b"\0\0\0\0", packed[:-9]):
        with pytest.raises(ValueError, match="bad.csv.gz cannot be decompressed: it is cut short, damaged"):
            oe.scan(write(tmp_path, "bad.csv.gz", damaged), true="y", pred="p", labels=LABELS)


def test_a_parquet_file_with_a_damaged_name_of_a_column_is_named(tmp_path):
    whole = tmp_path / "whole.parquet"
    pd.DataFrame({"y": ["a"], "p": ["b"], "longer": ["c"]}).to_parquet(whole)
    damaged = write(tmp_path, "damaged.parquet", whole.read_bytes().replace(b"longer", b"lo\xff\xfeer"))
    with pytest.raises(ValueError, match="damaged.parquet"):
        oe.scan(damaged, true="y", pred="p", labels=LABELS)


def test_what_is_not_there_is_named(tmp_path):
    write(tmp_path, "rows.csv", "y,p\na,b\n")
    with pytest.raises(FileNotFoundError, match=r"there is no file .*row.csv; did you mean .*rows.csv"):
        oe.scan(tmp_path / "row.csv", true="y", pred="p")
    with pytest.raises(FileNotFoundError, match=r"no file matches .*\*.parquet"):
        oe.scan(str(tmp_path / "*.parquet"), true="y", pred="p")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"the directory .*empty has no file that can be read"):
        oe.scan(tmp_path / "empty", true="y", pred="p")
    with pytest.raises(ValueError, match="nothing is fetched from a network"):
        oe.scan("https://example.org/x.csv", true="y", pred="p")
    with pytest.raises(TypeError, match="scan cannot read a int"):
        oe.scan(3, true="y", pred="p")
    with pytest.raises(TypeError, match="use count"):
        oe.scan({"y": [1]}, true="y", pred="p")
    with pytest.raises(TypeError, match="pred"):
        oe.scan(tmp_path / "rows.csv", true="y")


def test_files_that_do_not_belong_together_are_refused(tmp_path):
    write(tmp_path, "1.csv", "y,p\na,b\n")
    write(tmp_path, "2.csv", "P,y\na,b\n")
    with pytest.raises(ValueError, match=r"2.csv has no column \"p\"; it has 'P', 'y'"):
        oe.scan(tmp_path, true="y", pred="p", labels=LABELS)
    write(tmp_path, "2.csv", "p,p,y\na,a,b\n")
    with pytest.raises(ValueError, match=r"2.csv has 2 columns called 'p'; rename one"):
        oe.scan(tmp_path, true="y", pred="p", labels=LABELS)
    write(tmp_path, "3.jsonl", '{"y": "a", "p": "b"}\n')
    with pytest.raises(ValueError, match=r"files of different formats \(csv, json\)"):
        oe.scan(tmp_path, true="y", pred="p", labels=LABELS)


def test_odd_file_names_are_only_names(tmp_path):
    for name in ("a[1].csv", "o'clock.csv", "semi;colon.csv", "star*.csv", "ünï.csv", "sp ace.csv", 'qu"ote.csv'):
        path = write(tmp_path, name, "y,p\na,b\n")
        assert oe.scan(path, true="y", pred="p", labels=LABELS).total == 1
        path.unlink()


def test_odd_column_names_are_only_names(tmp_path):
    names = ["y'; DROP TABLE x", 'p"q', 'P"Q', "ünï", ""]
    line = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    path = write(tmp_path, "odd.csv", line + "\na,b,c,a,b\n")
    assert oe.scan(path, true=names[0], pred=names[1:4], labels=LABELS).cells.tolist() == [[0, 1, 2, 0]]
    frame = pd.DataFrame([["a", "b", "a"]], columns=[names[0], names[1], names[3]])
    frame.to_parquet(tmp_path / "odd.parquet")
    assert oe.scan(tmp_path / "odd.parquet", true=names[0], pred=[names[1], names[3]], labels=LABELS).total == 1


JOINS = {
    "one-sided": (
        "1,a\n2,b\n3,c\n",
        "1,a\n2,b\n4,c\n",
        "error",
        r"1 id only in .*gold.csv \(3\); 1 id only in .*run.csv \(4\); missing=\"drop\"",
    ),
    "duplicates": ("1,a\n1,b\n", "1,a\n", "drop", r"1 id more than once in .*gold.csv \(1\)"),
    "both": (
        "1,a\n2,b\n",
        "1,a\n1,b\n7,b\n",
        "error",
        r"1 id more than once in .*run.csv \(1\); 1 id only in .*gold.csv \(2\); 1 id only in .*run.csv \(7\)",
    ),
    "strays": ("1,a\n", "1,a\n2,b\n", "unanswered", r"1 id only in .*run.csv \(2\)"),
    "no id": ("1,a\n,b\n", "1,a\n", "drop", r"rows without an id in .*gold.csv"),
    "many": ("".join(f"{i},a\n" for i in range(20)), "1,a\n", "error", r"19 ids only in .*gold.csv \(0, 10, 11, 12, 13, …\)"),
}


@pytest.mark.parametrize("case", JOINS)
def test_joins_that_are_not_one_to_one_are_refused_with_the_ids(tmp_path, case):
    gold, run, missing, sentence = JOINS[case]
    truth, answers = write(tmp_path, "gold.csv", "id,y\n" + gold), write(tmp_path, "run.csv", "id,p\n" + run)
    with pytest.raises(ValueError, match=sentence):
        oe.scan(answers, gold=truth, id="id", true="y", pred="p", labels=LABELS, missing=missing)
    if case != "many":  # in memory ids come in the order of the file
        frames = [pd.read_csv(path, dtype=str) for path in (answers, truth)]
        in_memory = sentence.replace(".*gold.csv", "the pandas table of the gold").replace(".*run.csv", "the pandas table")
        with pytest.raises(ValueError, match=in_memory):
            oe.scan(frames[0], gold=frames[1], id="id", true="y", pred="p", labels=LABELS, missing=missing)


def test_ids_on_one_side_can_be_left_out_and_are_counted(tmp_path):
    truth, answers = write(tmp_path, "gold.csv", "id,y\n1,a\n2,b\n3,c\n"), write(tmp_path, "run.csv", "id,p\n2,b\n4,c\n1,a\n")
    for pair in ((answers, truth), (pd.read_csv(answers), pd.read_csv(truth))):
        counts = oe.scan(pair[0], gold=pair[1], id="id", true="y", pred="p", labels=LABELS, missing="drop")
        assert counts.audit == oe.types.Audit(4, 2, 0, {"id not in the gold": 1, "prediction missing": 1})


# The command line


ARGS = ("--true", "y", "--pred", "p", "--labels", "a,b,c")


@pytest.mark.parametrize(
    "case", ["missing column", "empty", "header only", "no Parquet", "outside the scale", "a missing prediction"]
)
def test_the_command_line_says_one_line_and_writes_nothing(tmp_path, case):
    name, data, options, _, _ = BAD[case]
    path = write(tmp_path, name, data)
    args = ("--true", options.get("true", "y"), "--pred", "p", "--labels", "a,b,c")
    done = ordeval("score", path, *args, "-o", tmp_path / "out.txt")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("ordeval: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out.txt").exists()
    assert ordeval("validate", path, *args).returncode == 3


def test_refusals_speak_of_options(tmp_path):
    path = write(tmp_path, "x.csv", "y,p\nlow,high\nhigh,\n")
    done = ordeval("score", path, "--true", "y", "--pred", "p", "--missing", "drop")
    assert "--labels high,low" in done.stderr
    done = ordeval("score", path, "--true", "y", "--pred", "p", "--labels", "low,high")
    assert "--missing drop" in done.stderr


def test_score_reads_stdin_and_files_alike(tmp_path):
    text = "y,p\n" + "a,a\nb,b\nb,c\nc,c\n" * 25
    path = write(tmp_path, "x.csv", text)
    from_file = ordeval("score", path, *ARGS, "--format", "json", "--n-resamples", "499")
    from_stdin = ordeval("score", "-", *ARGS, "--format", "json", "--n-resamples", "499", stdin=text)
    assert from_file.returncode == 0, from_file.stderr
    data, from_pipe = json.loads(from_file.stdout), json.loads(from_stdin.stdout)
    (file,), (stdin,) = data["rows"].pop("files"), from_pipe["rows"].pop("files")
    assert data == from_pipe
    assert (file.pop("path"), stdin.pop("path")) == (str(path), "stdin")
    assert file == stdin == {"rows": 100, "bytes": 404, "content_bytes": 404, "ended": "size", "lines": 101, "blank": 0, "quotes": 0,
                             "schema": {"y": "written", "p": "written"}}  # fmt: skip
    assert data["counts"] == [[25, 0, 0], [0, 25, 25], [0, 0, 25]]
    assert data["rows"] == {"read": 100, "scored": 100, "unanswered": 0, "excluded": {}}
    frame = pd.read_csv(path)
    frame.to_parquet(tmp_path / "x.parquet")
    parquet = (tmp_path / "x.parquet").read_bytes()
    piped = ordeval("score", "-", *ARGS, "--format", "json", "--n-resamples", "499", stdin=parquet)
    through = json.loads(piped.stdout)
    assert through["rows"].pop("files")[0]["ended"] == "parquet footer"
    assert through == data


@pytest.mark.parametrize("left_out", [0, 2])
def test_a_wrong_answer_is_named_by_its_place_in_the_run_not_in_the_gold(tmp_path, left_out):
    """Also where rows before it are left out, because they have no truth."""
    more = list(range(5, 5 + left_out))
    gold = pd.DataFrame({"id": [*more, 1, 2, 3, 4], "y": [*([None] * left_out), *"abab"]})
    run = pd.DataFrame({"id": [*more, 4, 3, 2, 1], "p": [*("a" * left_out), "x", "x", "a", "b"]})
    gold.to_csv(tmp_path / "gold.csv", index=False)
    run.to_csv(tmp_path / "run.csv", index=False)
    part = {"true": "y", "pred": "p", "id": "id", "labels": ["a", "b"], "missing": "drop"}
    with pytest.raises(ValueError, match=f"'x' is not one of the classes .*2 rows hold it, the first at index {left_out};"):
        oe.scan(run, gold=gold, **part)
    with pytest.raises(ValueError, match=rf'r: "x" is not a class \(a < b\); 2 rows, first row {left_out + 1};'):
        scan_runs(tmp_path / "gold.csv", {"r": tmp_path / "run.csv"}, **part)


@pytest.mark.parametrize(
    ("weight", "said"), [(-1, 'column "w" is -1'), (float("inf"), 'column "w" is inf'), (None, "is missing")]
)
def test_a_wrong_weight_is_named_by_its_place_in_the_run_too(weight, said):
    gold = pd.DataFrame({"id": [1, 2, 3, 4], "y": list("abab")})
    run = pd.DataFrame({"id": [4, 3, 2, 1], "p": list("abab"), "w": [1, weight, 2, weight]})
    with pytest.raises(ValueError, match=f"{said} at index 1; weights are finite and not negative"):
        oe.scan(run, gold=gold, id="id", true="y", pred="p", sample_weight="w", labels=["a", "b"])


@pytest.mark.parametrize("more", [{"by": "site"}, {"sample_weight": "w"}, {"cluster": "site"}, {"pred": ["p", "site"]}])
def test_runs_in_files_of_their_own_have_one_column_of_answers_and_nothing_beside_it(tmp_path, more):
    gold = write(tmp_path, "gold.csv", "id,y\n1,a\n2,b\n")
    runs = {name: write(tmp_path, f"{name}.csv", "id,p,site,w\n1,a,b,1\n2,b,a,1\n") for name in ("one", "two")}
    asked = {"gold": gold, "true": "y", "pred": "p", "id": "id", "labels": ["a", "b"]}
    assert oe.scan(runs, **asked).total == 2
    with pytest.raises(TypeError, match="several runs can have only one column of predictions, pred.*join the files first"):
        oe.scan(runs, **asked | more)


def test_what_a_lazy_frame_refuses_is_told_in_one_sentence():
    rows = pl.LazyFrame({"y": ["1", "x"], "p": ["1", "1"]}).with_columns(pl.col("y").cast(pl.Int64))
    with pytest.raises(ValueError, match="^the engine of the polars table cannot run the query: conversion .*$"):
        oe.scan(rows, true="y", pred="p")


def test_a_frame_with_two_columns_of_one_name_is_refused():
    frame = pd.DataFrame([[1, 2, 3]], columns=["y", "p", "p"])
    with pytest.raises(ValueError, match="two columns of the table have the same name; rename one of them .*'p' 2 times"):
        oe.scan(frame, true="y", pred="p")


def test_written_labels_meet_typed_columns(tmp_path):
    frame = pd.DataFrame({"y": [1, 2, 3, 3] * 10, "p": [1, 2, 2, 3] * 10, "t": ["1", "2", "3", "3"] * 10})
    frame.to_parquet(tmp_path / "x.parquet")
    frame.to_csv(tmp_path / "x.csv", index=False)
    for name in ("x.parquet", "x.csv"):
        options = "--true y --pred p --labels 1,2,3,4 --format json --n-resamples 499"
        done = ordeval("score", tmp_path / name, *options.split())
        assert json.loads(done.stdout)["labels"] == [1, 2, 3, 4], done.stderr
    options = "--true t --pred t --labels 1,2,3 --format json --n-resamples 499"
    done = ordeval("score", tmp_path / "x.parquet", *options.split())
    assert json.loads(done.stdout)["labels"] == ["1", "2", "3"]
    taken = ordeval("score", tmp_path / "x.csv", "--true", "y", "--pred", "p", "--n-resamples", "499")
    assert "taken from the data" in taken.stderr
    assert "taken from the data" in taken.stdout


def test_merge_adds_up_shards_and_keeps_what_is_there(tmp_path):
    rows = [("a", "b"), ("b", "b"), ("c", "a")]
    for i, row in enumerate(rows):
        oe.count([row[0]], [row[1]], labels=LABELS).save(tmp_path / f"{i}.json")
    total = tmp_path / "total.json"
    parts = [tmp_path / f"{i}.json" for i in range(3)]
    done = ordeval("merge", *parts, "-o", total)
    assert done.returncode == 0, done.stderr
    assert oe.Counts.load(total) == oe.count([t for t, _ in rows], [p for _, p in rows], labels=LABELS)
    before = total.read_bytes()
    again = ordeval("merge", *parts, "-o", total)
    assert (again.returncode, total.read_bytes()) == (2, before)
    assert "--force" in again.stderr
    assert json.loads(ordeval("merge", *parts).stdout)["ordeval"] == "counts"
    oe.count([1], [2], labels=[1, 2]).save(tmp_path / "other.json")
    refused = ordeval("merge", parts[0], tmp_path / "other.json")
    assert refused.returncode == 3
    assert "different scales" in refused.stderr


def test_ctrl_c_stops_a_long_read_cleanly(tmp_path, child):
    import duckdb

    path, spill = tmp_path / "long.csv", tmp_path / "spill"
    duckdb.sql("SELECT hash(i) % 5 AS y, hash(i * 7) % 5 AS p, repeat('x', 60) AS pad FROM range(15000000) t(i)").write_csv(
        str(path)
    )
    spill.mkdir()
    program = SAYS_HOW_READING_ENDS + "from ordeval.__main__ import main\nmain()"
    words = ["score", path, "--true", "y", "--pred", "p", "--cluster", "pad"]
    reader = child("-c", program, *words, env={**os.environ, "TMPDIR": str(spill)})
    assert reader.stdout.readline() == "ready\n"
    reader.send_signal(signal.SIGINT)
    out, err = reader.communicate(timeout=GUARD)
    assert reader.returncode in (130, -signal.SIGINT)  # a shell says 130 to both
    assert out == "stopped\n"
    assert "Traceback" not in err
    assert list(spill.iterdir()) == []


# A look into a source, and files by a name of their own


def test_a_look_shows_columns_and_classes_and_guesses_no_order(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("t,p,n\nlow,high,3\nmid,low,1\n")
    assert oe.peek(path) == (("t", "p", "n"), (), False)
    columns, classes, ordered = oe.peek(path, ["t", "p"])
    assert (columns, set(classes), ordered) == (("t", "p", "n"), {"low", "mid", "high"}, False)
    assert oe.peek(path, ["n"])[1:] == ((1, 2, 3), True)
    import pandas as pd

    grades = pd.Categorical(["b", "a"], categories=["b", "a", "c"], ordered=True)
    assert oe.peek(pd.DataFrame({"g": grades}), ["g"])[1:] == (("b", "a", "c"), True)
    with pytest.raises(ValueError, match="no column 'q'"):
        oe.peek(path, ["q"])
    with pytest.raises(oe.ArgumentError, match="more than 1 rows") as caught:
        oe.peek(path, ["t"], max_rows=1)
    assert caught.value.argument == "max_rows"


@pytest.mark.parametrize(
    ("ending", "data", "said"),
    [
        ("csv", b"", "{x} of mine is empty; its first line should name the columns"),
        ("csv", b"t,p\nlow,high\nlow\n", "{x} of mine, line 3 has 1 fields where the header has 2"),
        ("csv", b"t,p\nlow,\xff\n", "{x} of mine: its first byte that is not UTF-8 is 0xff in row 1; if it came from Windows"),
        (
            "jsonl",
            b'{"t": "low", "p": "low"}\n{"t": "low", "p": "Hihg"}\n',
            "{x} of mine, column \"p\": 'Hihg' is not one of the classes",
        ),
        ("jsonl", b'{"t": "low", "p": "low"}\n{"t": "low", "p": "Hihg"}\n', "the first at row 2 of {x} of mine"),
        ("parquet", b"PAR1 and no more", "{x} of mine is not a complete Parquet file"),
        ("jsonl", b'{"t": "low", "p": "low"}\n{"t": ', "{x} of mine"),
    ],
)
def test_messages_call_a_file_by_the_name_it_was_given(tmp_path, ending, data, said):
    path = tmp_path / f"rows.{ending}"
    path.write_bytes(data)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is looked at below
        oe.scan(oe.types.NamedFile(str(path), "{x} of mine"), true="t", pred="p", labels=["low", "high"])
    assert said in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize("rows", [3, 200_000])
@pytest.mark.parametrize("packed", [False, True])
def test_the_first_byte_that_is_not_utf_8_is_found_far_down(tmp_path, rows, packed):
    path = tmp_path / ("x.csv.gz" if packed else "x.csv")
    data = b"t,p\n" + "é,ü\n".encode() * (rows - 1) + b"low,\xe9\n" + b"low,low\n" * 5
    path.write_bytes(gzip.compress(data, 1) if packed else data)
    assert _first_bad_byte(str(path)) == (rows, "0xe9")


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("IO Error: the disk is gone.\nLINE 1: SELECT", "x.csv cannot be read: the disk is gone"),
        ("Binder Error: no such thing", "x.csv cannot be read: no such thing"),
        ("all went wrong.\nError: later", "x.csv cannot be read: all went wrong"),
    ],
)
def test_of_an_unknown_error_the_first_line_is_told(message, said):
    assert sentence(message, "csv", "x.csv") == said


@pytest.mark.parametrize(("odd", "shown"), [("b\nc", r"b\nc"), ("b\u2028c", r"b\u2028c"), ("b\tc", r"b\tc")])
def test_a_value_with_a_line_break_is_refused_in_one_line(tmp_path, odd, shown):
    path = write(tmp_path, "x.csv", f'y,p\na,b\na,"{odd}"\n')
    with pytest.raises(ValueError, match="is not a class") as refused:
        oe.scan(path, true="y", pred="p", labels=["a", "b"])
    assert f'p: "{shown}" is not a class (a < b); 1 row' in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1
