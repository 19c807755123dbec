"""What people are told of rows that are not tidy: the sentences, word by word, and all of them at once."""

import json
import random

import pandas as pd
import pytest
from commands import ordeval

import ordeval as oe
from ordeval.read.numbers import decimal_text

TASK = ["--gold", "gold.csv", "--id", "id", "--true", "true", "--pred", "pred", "--labels", "0,1,2,3"]
RUNS = [f"runs/{name}.csv" for name in "abcdef"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def say(*args):
    """What a command says, and how it ends."""
    done = ordeval(*args)
    return done.code, (done.err or done.out).removeprefix("ordeval: ").rstrip("\n")


@pytest.fixture
def task(here):
    """A shared task with six runs and five faults."""
    (here / "runs").mkdir()
    rng = random.Random(3)
    truth = {f"d{i}": rng.randrange(4) for i in range(400)}

    def run(name, rows, header="id,pred"):
        write(name, header + "\n" + "".join(f"{id},{answer}\n" for id, answer in rows))

    rows = list(truth.items())
    run("gold.csv", rows, "id,true")
    run("runs/a.csv", rows)
    run("runs/b.csv", [(id, 7 if id == "d3" else answer) for id, answer in reversed(rows)])
    run("runs/c.csv", [row for row in rows if row[0] != "d5"])
    run("runs/d.csv", [*rows, ("d999", 1)])
    run("runs/e.csv", rows, "id,answer")
    run("runs/f.csv", [*rows, ("d1", 1)])


FIVE = """\
5 of 6 runs cannot be judged:
  b.csv   pred: "7" is not a class (0 < 1 < 2 < 3); 1 row, first row 397 (id d3)
  c.csv   1 id of the gold has no row (d5)                         missing.answer decides
  d.csv   1 id is not in the gold (d999)                           strays = "drop" leaves it out
  e.csv   no column "pred"; it has id, answer
  f.csv   1 id occurs twice (d1), rows 2 and 401"""


def as_key(argument, value=None):
    """As a study file spells it."""
    return {"missing": "missing.answer"}.get(argument, argument) + (f" = {value}" if value else "")


@pytest.mark.usefixtures("task")
def test_all_faults_of_a_shared_task_are_in_one_answer():
    found = oe.types.Problems.of_runs("gold.csv", RUNS, labels=[0, 1, 2, 3])
    assert found.text(as_key) == FIVE
    options = FIVE.replace("missing.answer decides", "--missing decides").replace(
        'strays = "drop" leaves', "--strays drop leaves"
    )
    assert say("validate", *RUNS, *TASK) == (3, options)
    problems = json.loads(ordeval("validate", *RUNS, *TASK, "--format", "json").out)["problems"]
    assert [one["file"] for one in problems] == ["b.csv", "c.csv", "d.csv", "e.csv", "f.csv"]
    assert (problems[0]["value"], problems[0]["rows"], problems[0]["first"]) == ("7", 1, 397)


@pytest.mark.usefixtures("task")
def test_what_was_said_of_the_rows_is_no_problem():
    some = [f"runs/{name}.csv" for name in "abcd"]
    found = oe.types.Problems.of_runs(
        "gold.csv", some, labels=[0, 1, 2, 3], unknown="missing", strays="drop", missing="unanswered"
    )
    assert not found
    assert str(found) == "no problems"
    more = ["--unknown", "missing", "--strays", "drop", "--missing", "unanswered"]
    code, said = say("validate", *some, *TASK, *more)
    assert code == 0
    assert 'read as   b: 1 as no answer, not being a class ("7" 1)' in said
    assert "1 left out: id not in the gold" in " ".join(said.split())
    counts = oe.leaderboard("gold.csv", some, labels=[0, 1, 2, 3], unknown="missing", strays="drop", missing="unanswered").counts
    assert counts.audit.excluded == {"id not in the gold": 1}
    assert [int(counts[model].unanswered.sum()) for model in "abcd"] == [0, 1, 1, 0]


@pytest.mark.usefixtures("task")
def test_faults_of_the_gold_are_named_as_such():
    write("gold.csv", "id,true\nd1,0\nd1,1\n,2\n")
    (first, *_) = str(oe.types.Problems.of_runs("gold.csv", RUNS[:1], labels=[0, 1, 2, 3], strays="drop")).split("\n")
    assert first == "the gold cannot be read:"
    write("gold.csv", "id,truth\nd1,0\n")
    (first, second, *_) = str(oe.types.Problems.of_runs("gold.csv", RUNS[:1], labels=[0, 1, 2, 3], strays="drop")).split("\n")
    assert (first, second) == ("the gold cannot be read:", '  gold.csv   no column "true"; it has id, truth')


def test_twenty_problems_are_listed_and_the_rest_is_counted():
    write("rows.csv", "y,p\n" + "".join(f"1,x{i:02}\n" for i in range(27)))
    code, said = say("validate", "rows.csv", "--true", "y", "--pred", "p", "--labels", "1,2")
    lines = said.split("\n")
    assert code == 3
    assert lines[0] == "rows.csv: 27 problems"
    assert lines[1] == '  rows.csv   p: "x00" is not a class (1 < 2); 1 row, first row 1'
    assert len(lines) == 22
    assert lines[-1] == "  … and 7 problems more"


def test_every_kind_of_problem_of_one_file_is_listed():
    write("rows.csv", 'id;y;p;w\na;low;low;1\na;Low;;0,5\nb;mid;"N/A";x\n;high;high;\n')
    found = oe.types.Problems.of_rows(
        "rows.csv", true="y", pred=["p", "q"], id="id", sample_weight="w", labels=["low", "mid", "high"], by=["site"]
    )
    assert [line.split("   ")[1] for line in str(found).split("\n")[1:]] == [
        'no column "q"; it has id, y, p, w',
        'no column "site"; it has id, y, p, w',
        'w: "0,5" is not a number; 2 rows, first row 2',
        "1 row without an id, first row 4",
        "1 id occurs twice (a), rows 1 and 2",
        "y: \"Low\" is not a class (low < mid < high); 1 row, first row 2 (id a)  It is read with reading=Reading(case='ignore')",
        "p: \"N/A\" is not a class (low < mid < high); 1 row, first row 3 (id b)  If it means no answer: reading=Reading(na=['N/A'])",
        "p: 1 row without an answer, first row 2",
    ]
    missing = oe.types.Problems.of_rows("elsewhere.txt", true="y", pred="p")
    assert str(missing) == "elsewhere.txt: 1 problem\n  elsewhere.txt   there is no file elsewhere.txt"


# The pairs of sentences


def rows_of(column, values, header="y,p", truth="0"):
    write(column, f"{header}\n" + "".join(f"{truth},{value}\n" for value in values))


def test_a_class_that_looks_like_no_answer_is_pointed_out():
    write("na.csv", "y,p\n" + "low,NA\n" * 5 + "low,low\nhigh,high\n")
    code, said = say("validate", "na.csv", "--true", "y", "--pred", "p", "--labels", "low,high,NA")
    assert code == 0
    assert "NA is a class here: no row is truly NA, but 5 answers are. If it means no answer: --na NA" in " ".join(said.split())
    assert "No row is truly" not in said
    code, said = say("validate", "na.csv", "--true", "y", "--pred", "p", "--labels", "low,mid,high,NA")
    assert "No row is truly mid." in said


def test_a_comparison_of_one_model_says_how_two_are_given():
    write("one.csv", "y,p\n0,0\n1,1\n")
    sentence = "a comparison needs two models: give --pred twice, or --model-column if there is a row for each answer"
    assert say("compare", "one.csv", "--true", "y", "--pred", "p", "--labels", "0,1") == (3, sentence)


def test_whole_numbers_written_with_a_fraction_are_read_and_counted():
    write("g.csv", "g,p\n" + "3.0,3\n" * 40 + "1,2\n")
    code, said = say("validate", "g.csv", "--true", "g", "--pred", "p", "--labels", "1,2,3")
    assert code == 0
    assert "read as  g: 40 written with .0\n" in said


def test_a_word_that_is_no_class_may_mean_no_answer():
    write("na.csv", "y,p\n" + "0,NA\n" * 5 + "0,0\n1,1\n2,2\n3,3\n")
    sentence = 'p: "NA" is not a class (0 < 1 < 2 < 3); 5 rows, first row 1. If it means no answer: --na NA'
    assert say("score", "na.csv", "--true", "y", "--pred", "p", "--labels", "0,1,2,3") == (3, sentence)
    code, said = say("score", "na.csv", "--true", "y", "--pred", "p", "--labels", "0,1,2,3", "--na", "NA", "--missing", "drop")
    assert code == 0
    assert 'read as  p: 5 as no answer ("NA" 5)' in said


def test_a_weight_with_a_comma_may_be_a_number():
    write("dec.csv", "y;p;w\n" + "0;0;0,5\n1;1;0,5\n" * 20)
    sentence = 'dec.csv, w: "0,5" is not a number; 40 rows, first row 1. If the comma is the decimal sign: --decimal ,'
    asked = ["--true", "y", "--pred", "p", "--labels", "0,1", "--sample-weight", "w"]
    assert say("score", "dec.csv", *asked) == (3, sentence)
    assert oe.scan("dec.csv", true="y", pred="p", sample_weight="w", reading={"decimal": ","}).total == 20
    write("dec.csv", "y;p;w\n0;0;1,000\n1;1;2\n")
    both = 'dec.csv, w: "1,000" is not a number; 1 row, first row 1. If the comma is the decimal sign: --decimal ,; '
    assert say("score", "dec.csv", *asked) == (3, both + "if it stands between thousands: --thousands ,")
    assert oe.scan("dec.csv", true="y", pred="p", sample_weight="w", reading={"thousands": ","}).total == 1002
    write("dec.csv", "y;p;w\n0;0;NA\n1;1;2\n")
    nothing = 'dec.csv, w: "NA" means no value, and a number is needed; 1 row, first row 1'
    assert say("score", "dec.csv", *asked, "--na", "NA") == (3, nothing)
    write("dec.csv", "y;p;w\n0;0;0.5\n1;1;2\n")
    assert say("score", "dec.csv", *asked, "--decimal", ",") == (3, 'dec.csv, w: "0.5" is not a number; 1 row, first row 1')


def joined_with_a_frame(name, reading):
    gold = pd.DataFrame({"id": ["a", "b"], "t": [0, 1]})
    return oe.scan(name, gold=gold, id="id", true="t", pred="p", sample_weight="w", reading=reading).total


NUMBERS = {
    "grouped": lambda name, reading: oe.scan(name, true="y", pred="p", sample_weight="w", reading=reading).total,
    "joined": joined_with_a_frame,
    "a row for each answer": lambda name, reading: (
        oe.scan(name, true="y", pred="p", id="id", model_column="m", sample_weight="w", reading=reading).total
    ),
    "one by one": lambda name, reading: oe.types.Columns.read(name, ["y"], numbers=["w"], reading=reading)["w"].sum(),
}


@pytest.mark.parametrize("way", NUMBERS)
@pytest.mark.parametrize(
    ("written", "signs"),
    [
        ("0.5", {"decimal": ","}),
        ("1.5", {"decimal": ",", "thousands": "."}),
        ("1,5", {"thousands": ","}),
        ("1.234.5", {"decimal": ",", "thousands": "."}),
        ("1e3.0", {"decimal": ","}),
    ],
)
def test_a_number_with_other_signs_is_refused_wherever_numbers_are_read(way, written, signs):
    """By its place in its own file, whatever the order in which a join puts the rows."""
    write("w.csv", f"id;m;y;p;w\nb;m;1;1;2\na;m;0;0;{written}\n")
    with pytest.raises(oe.ArgumentError, match=f'^w.csv, w: "{written}" is not a number; 1 row, first row 2'):
        NUMBERS[way]("w.csv", signs)
    assert f'w: "{written}" is not a number; 1 row, first row 2' in str(
        oe.types.Problems.of_rows("w.csv", true="y", pred="p", sample_weight="w", reading=signs)
    )


@pytest.mark.parametrize("way", NUMBERS)
@pytest.mark.parametrize(
    ("written", "signs", "number"),
    [
        ("0,5", {"decimal": ","}, 0.5),
        ("1.000,5", {"decimal": ",", "thousands": "."}, 1000.5),
        ("1,000", {"thousands": ","}, 1000),
        ("1,000", {"decimal": ","}, 1),
        ("1'000.25", {"thousands": "'"}, 1000.25),
        ("5e-1", {"decimal": ","}, 0.5),
    ],
)
def test_a_number_with_the_signs_that_were_said_is_read_wherever_numbers_are(way, written, signs, number):
    write("w.csv", f"id;m;y;p;w\nb;m;1;1;2\na;m;0;0;{written}\n")
    assert NUMBERS[way]("w.csv", signs) == 2 + number
    assert not oe.types.Problems.of_rows("w.csv", true="y", pred="p", sample_weight="w", labels=[0, 1], reading=signs)


def test_probabilities_have_the_same_signs():
    write("dec.csv", "y;p;a;b\n0;0;0,75;0,25\n1;1;0;1\n0;1;0,5;0,5\n")
    asked = ["--true", "y", "--pred", "p", "--labels", "0,1", "--proba", "a,b", "--metrics", "rps"]
    sentence = 'dec.csv, a: "0,75" is not a number; 2 rows, first row 1. If the comma is the decimal sign: --decimal ,'
    assert say("score", "dec.csv", *asked) == (3, sentence)
    assert say("score", "dec.csv", *asked, "--decimal", ",")[0] == 0


def test_classes_with_commas_are_quoted_and_may_be_numbers():
    write("dec.csv", "y;p\n0,0;0,5\n1,0;1,5\n")
    code, said = say("score", "dec.csv", "--true", "y", "--pred", "p")
    assert code == 3
    assert said.endswith("""--labels '"0,0","0,5","1,0","1,5"', or as numbers with --decimal ,""")
    code, said = say("score", "dec.csv", "--true", "y", "--pred", "p", "--decimal", ",")
    assert "holds numbers with fractions (0.5, …), which are not classes by themselves" in said


def test_texts_that_are_nearly_classes_are_told_with_what_reads_them():
    write("x.csv", "y,p\n" + "low,mid \nmid,Low\nhigh,HIGH\n" * 10 + "low,low\n")
    asked = ["--true", "y", "--pred", "p", "--labels", "low,mid,high"]
    sentence = (
        'p: "mid " 10 rows, "Low" 10, "HIGH" 10 are not classes (low < mid < high). All are read with --space trim --case ignore'
    )
    assert say("score", "x.csv", *asked) == (3, sentence)
    code, said = say("score", "x.csv", *asked, "--space", "trim", "--case", "ignore")
    assert code == 0
    assert "read as  p: 10 trimmed, 20 in another case\n" in said


@pytest.mark.parametrize(("written", "reading"), [("2,0", {"decimal": ","}), ("2.0 ", {"space": "trim"})])
def test_whole_numbers_that_are_nearly_classes_are_told_with_what_reads_them(written, reading):
    write("x.csv", f"y;p\n2;{written}\n1;1\n")
    asked = {"true": "y", "pred": "p", "labels": [1, 2, 3]}
    with pytest.raises(oe.ArgumentError) as refused:
        oe.scan("x.csv", **asked)
    assert f'p: "{written}" is not a class' in str(refused.value)
    assert f"It is read with reading={oe.Reading(**reading)!r}" in str(refused.value)
    assert oe.scan("x.csv", **asked, reading=reading).matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


def test_of_many_values_that_are_no_classes_the_first_in_the_file_are_named():
    rows_of("x.csv", [f"v{i:02}" for i in range(50)], truth="low")
    with pytest.raises(oe.ArgumentError, match='p: "v00" 1 row, "v01" 1, "v02" 1, "v03" 1, "v04" 1, 45 others 45 are not'):
        oe.scan("x.csv", true="y", pred="p", labels=["low", "high"])


def test_a_workbook_without_the_extra_is_named(here, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save(here / "a.xlsx")
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    sentence = 'a.xlsx is an Excel workbook; to read it: pip install "ordeval[files]"'
    assert say("score", "a.xlsx", "--true", "y", "--pred", "p") == (3, sentence)


# The reading itself


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"decimal": ";"}, "decimal=';' is unknown; choose one of '.', ','"),
        ({"thousands": "."}, "decimal and thousands are both '.'; give two different signs"),
        ({"thousands": "_"}, "thousands='_' is unknown; choose one of '', ',', '.', \"'\", ' '"),
        ({"case": "Ignore"}, "case='Ignore' is unknown; did you mean 'ignore'?"),
        ({"encoding": "utf-32"}, "encoding='utf-32' is unknown; did you mean 'utf-8' or 'utf-16'?"),
        ({"sheet": 0}, "sheet=0; sheets are numbered from 1"),
        ({"na": [1]}, "na=[1]; give texts that mean no value: na=['NA', '-']"),
        ({"recode": {"a": 1}}, "recode={'a': 1}; give a text and the class that it means, such as recode={'Yellow': 'yellow'}"),
        ({"spaces": "trim"}, "reading has no 'spaces'; did you mean space?"),
    ],
)
def test_a_reading_checks_its_values(given, sentence):
    with pytest.raises(oe.ArgumentError) as caught:
        oe.Reading.of(given)
    assert str(caught.value) == sentence


def test_a_reading_that_makes_classes_the_same_is_refused():
    write("x.csv", "y,p\nlow,Low\n")
    asked = {"true": "y", "pred": "p"}
    with (
        pytest.raises(oe.ArgumentError, match='^the classes "low" and "Low" become the same; leave out case$'),
        pytest.warns(UserWarning, match="differ only by case"),
    ):
        oe.scan("x.csv", **asked, labels=["low", "Low"], reading={"case": "ignore"})
    with pytest.raises(
        oe.ArgumentError, match='^"low" is a class, and is said to mean no value; take it out of labels or out of na$'
    ):
        oe.scan("x.csv", **asked, labels=["low", "high"], reading={"na": "low"})
    assert say("score", "x.csv", "--true", "y", "--pred", "p", "--labels", "low,high", "--na", "low") == (
        2,
        '"low" is a class, and is said to mean no value; take it out of --labels or out of --na',
    )


def test_a_table_of_one_column_is_for_that_column_and_what_never_occurs_is_noted():
    write("x.csv", "y,p\nL,L\nM,M\nlow,mid\n")
    recode = {"L": "low", "M": "mid", "X": "high", "p": {"L": "mid", "Z": "low"}, "other": {"a": "low"}}
    counts = oe.scan("x.csv", true="y", pred="p", labels=["low", "mid"], reading={"recode": recode})
    assert counts.matrix.tolist() == [[0, 2], [0, 1]]
    assert counts.audit.changes == ["y: 2 recoded", "p: 2 recoded"]
    assert counts.audit.notes == (
        'recode: "X" never occurs',
        'recode: "Z" never occurs in p',
        'recode: no column "other" of classes is read',
    )


def test_typed_files_are_recoded_and_say_that_the_rest_is_not_for_them(here):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pd.DataFrame({"y": ["mid ", "-", "L"], "p": ["low", "low", "low"]}).to_parquet(here / "x.parquet")
    reading = {"recode": {"L": "low"}, "na": ["-"], "space": "trim"}
    counts = oe.scan("x.parquet", true="y", pred="p", labels=["mid ", "low"], reading=reading, missing="drop")
    assert counts.matrix.tolist() == [[0, 1], [0, 1]]
    assert counts.audit.changes == ['y: 1 recoded, 1 as no value ("-" 1)']
    assert counts.audit.notes == ("space='trim' is for files without types; y, p stay as they are",)


def test_raters_are_read_by_the_same_rules():
    write("r.csv", "ann,bob\n1.0,2\n NA,1\n2,2\n")
    counts = oe.raters.scan("r.csv", raters=["ann", "bob"], labels=[1, 2], reading={"na": "NA", "space": "trim"})
    assert counts.audit.changes == ['ann: 1 trimmed, 1 written with .0, 1 as no answer ("NA" 1)']
    assert say("raters", "r.csv", "--raters", "ann", "--raters", "bob", "--labels", "1,2") == (
        3,
        "ann: \" NA\" is not a class (1 < 2); 1 row, first row 2. If it means no answer: --na ' NA'",
    )
    assert (
        say("raters", "r.csv", "--raters", "ann", "--raters", "bob", "--labels", "1,2", "--na", "NA", "--space", "trim")[0] == 0
    )


@pytest.mark.parametrize("signs", [{"decimal": ","}, {"decimal": ",", "thousands": "."}, {"thousands": ","}])
def test_a_text_that_is_no_number_keeps_its_commas(signs):
    reading = oe.Reading(**signs)
    for text in ("no, thanks", "a,b", "1,2,3", "12,34,56", "1.2.3", ",", "", "x1,5"):
        assert decimal_text(text, reading) == text
    number = "1234,5" if reading.decimal == "," else "1234.5"
    assert decimal_text(number, reading) == "1234.5"


def test_a_number_that_is_no_class_may_mean_no_answer(tmp_path):
    """In a column of numbers, too."""
    pd.DataFrame({"t": [1, 2, 3, 1], "p": [1, 9, 3, 2]}).to_parquet(tmp_path / "rows.parquet")
    asked = {"true": "t", "pred": "p", "labels": [1, 2, 3], "missing": "unanswered"}
    counts = oe.scan(tmp_path / "rows.parquet", unknown="missing", **asked)
    assert (counts.unanswered.tolist(), counts.matrix.tolist()) == ([0, 1, 0], [[1, 1, 0], [0, 0, 0], [0, 0, 1]])
    assert '1 as no answer, not being a class ("9" 1)' in str(counts.audit)
    with pytest.raises(oe.ArgumentError, match="9 is not one of the classes"):
        oe.scan(tmp_path / "rows.parquet", **asked)


UNKNOWN = {
    "texts": (["low", "mid", "high"], ["low", "mid", "high", "low", "mid"], ["low", "none", "high", "?", "low"]),
    "numbers": ([1, 2, 3], [1, 2, 3, 1, 2], [1, 9, 3, -1, 1]),
    "texts and numbers": ([1, 2, 3], [1, 2, 3, 1, 2], ["1", "x", "3", "?", "1"]),
    "one that is not there": (["low", "mid", "high"], ["low", "mid", "high", "low", "mid"], ["low", None, "high", "?", "low"]),
    "nothing unknown": ([1, 2, 3], [1, 2, 3, 1, 2], [1, 2, 3, 2, 1]),
}


def with_chances(rows, kind):
    """Columns `a`, `b` and `c` of probabilities beside the others, in a file or a frame."""
    frame = pd.DataFrame({**rows, "a": 0.5, "b": 0.25, "c": 0.25})
    if kind == "csv":
        frame.to_csv("rows.csv", index=False)
    elif kind == "parquet":
        frame.to_parquet("rows.parquet")
    return frame if kind == "frame" else f"rows.{kind}"


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        *((case, kind) for case in UNKNOWN for kind in ("csv", "parquet", "frame") if case != "texts and numbers"),
        ("texts and numbers", "csv"),
    ],
)
def test_an_answer_that_is_no_class_is_no_answer_beside_probabilities_too(case, kind):
    labels, true, pred = UNKNOWN[case]
    rows = with_chances({"y": true, "p": pred, "q": pred[::-1]}, kind)
    asked = {"classes": ["y", "p", "q"], "scale": labels, "unknown": "missing"}
    read = oe.types.Columns.read(rows, ["y", "p", "q"], numbers=["a", "b", "c"], **asked)
    answers = {"p": read["p"], "q": read["q"]}
    found = oe.count(read["y"], answers, labels=labels, missing="unanswered")
    known = {str(label): label for label in labels}
    meant = {name: [known.get(str(one)) for one in column] for name, column in (("p", pred), ("q", pred[::-1]))}
    assert found == oe.count(true, meant, labels=labels, missing="unanswered")
    scanned = oe.scan(rows, true="y", pred=["p", "q"], labels=labels, missing="unanswered", unknown="missing")
    assert (found, read.read_as) == (scanned, scanned.read_as)


@pytest.mark.parametrize("place", ["y", "p"])
@pytest.mark.parametrize("unknown", ["error", "missing"])
def test_a_truth_that_is_no_class_is_refused_beside_probabilities_too(unknown, place):
    columns = {"y": ["low", "mid", "high"], "p": ["low", "mid", "mid"]}
    columns[place] = ["low", "none", "high"]
    rows = with_chances(columns, "frame")
    asked = {"labels": ["low", "mid", "high"], "missing": "unanswered"}
    read = oe.types.Columns.read(rows, ["y", "p"], classes=["y", "p"], scale=asked["labels"], unknown=unknown)
    ways = [
        lambda: oe.count(read["y"], read["p"], **asked),
        lambda: oe.scan(rows, true="y", pred="p", unknown=unknown, **asked),
    ]
    for way in ways:
        if (unknown, place) == ("missing", "p"):
            assert way().unanswered.tolist() == [0, 1, 0]
        else:
            with pytest.raises(oe.ArgumentError, match="none.* is not one of the classes"):
                way()


def test_the_command_takes_unknown_answers_for_none_beside_probabilities():
    with_chances({"y": ["low", "mid", "high", "low"], "p": ["low", "none", "high", "mid"]}, "csv")
    asked = ["score", "rows.csv", "--true", "y", "--pred", "p", "--labels", "low,mid,high", "--metrics", "mae"]
    asked += ["--missing", "unanswered", "--format", "json"]
    without = ordeval(*asked, "--unknown", "missing")
    beside = ordeval(*asked, "--unknown", "missing", "--proba", "a,b,c")
    assert (without.code, beside.code) == (0, 0)
    values = [json.loads(done.out)["scores"]["mae"]["value"] for done in (without, beside)]
    assert values[0] == values[1] == 1 / 3
    assert ordeval(*asked, "--proba", "a,b,c").code == 3
