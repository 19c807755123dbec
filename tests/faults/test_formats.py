"""What a file is comes from its content; what is not read is called by its name, and what is cut short is refused."""

import io
import os
import random
import struct
import threading
import zipfile
from types import SimpleNamespace

import pandas as pd
import pytest
from commands import ordeval

import ordeval as oe
from ordeval.read.excel import _table
from ordeval.read.runs import scan_runs

LABELS = ["low", "mid", "high"]
ROWS = "grade,nurse\nlow,mid\nhigh,high\n"


def scan(path, **more):
    return oe.scan(path, **{"true": "grade", "pred": "nurse", "labels": LABELS, **more})


def said(path, **more):
    with pytest.raises((ValueError, TypeError, ImportError)) as caught:
        scan(path, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value).replace(f"{os.path.dirname(path)}{os.sep}", "")


def write(folder, name, data):
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def archive(**members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in members.items():
            file.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return out.getvalue()


REFUSED = {
    "x.xlsb": (
        archive(xl__workbook_dot_bin="x"),
        "x.xlsb is an Excel workbook in the binary format .xlsb; save it as .xlsx or CSV",
    ),
    "x.ods": (
        archive(mimetype="application/vnd.oasis.opendocument.spreadsheet"),
        "x.ods is an OpenDocument spreadsheet; save it as .xlsx or CSV",
    ),
    "x.zip": (archive(a_dot_csv=ROWS), "x.zip is a ZIP archive; unpack it"),
    "x.xls": (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        "x.xls is an Excel workbook in the old format .xls, or one with a password; save it as .xlsx or CSV",
    ),
    "old.feather": (b"FEA1" + bytes(20) + b"FEA1", "old.feather is a Feather file of version 1; write it as Feather 2"),
    "x.avro": (b"Obj\x01" + bytes(20), "x.avro is an Avro file; write it as Parquet or JSON lines"),
    "x.db": (b"SQLite format 3\0" + bytes(100), "x.db is an SQLite database; use DuckDB or Ibis"),
    "x.pkl": (b"\x80\x04\x95" + bytes(20), "x.pkl is a pickle, which is never opened because it can run code"),
    "x.html": ("<table><tr><td>1</td></tr></table>", "x.html is HTML or XML, not a table"),
    "x.xml": ("<rows><row/></rows>", "x.xml is HTML or XML, not a table"),
    "x.pdf": (b"%PDF-1.7\n", "x.pdf is a PDF, not a table"),
    "page.csv": ("<!DOCTYPE html><html></html>", "page.csv is HTML or XML, not a table"),
    "book.csv": (
        archive(xl__workbook_dot_bin="x"),
        "book.csv is an Excel workbook in the binary format .xlsb; save it as .xlsx or CSV",
    ),
    "arrow.csv": (b"ARROW1\0\0" + bytes(20), "arrow.csv is an Arrow file; its name should end in .arrow"),
    "text.xlsx": (ROWS, "text.xlsx is not an Excel workbook, although its name says so: it is cut short, or in another format"),
    "text.dta": (ROWS, "text.dta is not a Stata file, although its name says so: it is cut short, or in another format"),
    "text.orc": (ROWS, "text.orc is not an ORC file, although its name says so: it is cut short, or in another format"),
    "latin.csv": (
        ROWS.replace("mid", "mïd").encode("latin-1"),
        "latin.csv: its first byte that is not UTF-8 is 0xef in row 1; if it came from Windows: reading=Reading(encoding='windows-1252')",
    ),
    "head.csv": (
        ROWS.replace("nurse", "nürse").encode("latin-1"),
        "head.csv: its first byte that is not UTF-8 is 0xfc in its first line; "
        "if it came from Windows: reading=Reading(encoding='windows-1252')",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_called_by_its_name(tmp_path, name):
    data, sentence = REFUSED[name]
    assert said(write(tmp_path, name, data)) == sentence


def test_a_name_that_disagrees_with_the_content_is_an_error(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.save(tmp_path / "misnamed.csv")
    assert said(tmp_path / "misnamed.csv") == "misnamed.csv is an Excel workbook; its name should end in .xlsx"
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    pd.DataFrame({"grade": LABELS, "nurse": LABELS}).to_parquet(tmp_path / "rows.csv")
    assert said(tmp_path / "rows.csv") == "rows.csv is a Parquet file; its name should end in .parquet"
    os.rename(tmp_path / "rows.csv", tmp_path / "rows")
    assert scan(tmp_path / "rows").total == 3  # a name that says nothing


@pytest.mark.parametrize("first", ["ORCA", "FEA1", "PAR1", "site", "BZh", "<b>", "<5", "%PD", "Obj"])
def test_text_that_begins_like_another_format_is_text(tmp_path, first):
    path = write(tmp_path, "rows.csv", f"{first},grade,nurse\nx,low,mid\n")
    assert scan(path).total == 1
    os.rename(path, tmp_path / "rows")
    if not first.startswith("<b"):
        assert scan(tmp_path / "rows").total == 1


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    openpyxl.Workbook().save(tmp_path / "a.xlsx")
    pa = pytest.importorskip("pyarrow")
    from pyarrow import feather

    feather.write_feather(pa.table({"grade": LABELS, "nurse": LABELS}), str(tmp_path / "a.feather"))
    write(tmp_path, "a.dta", b"<stata_dta></stata_dta>")
    for package, name, what in (
        ("openpyxl", "a.xlsx", "an Excel workbook"),
        ("pyarrow", "a.feather", "an Arrow file"),
        ("pyreadstat", "a.dta", "a Stata file"),
    ):
        with monkeypatch.context() as patch:
            patch.setitem(__import__("sys").modules, package, None)
            assert said(tmp_path / name) == f'{name} is {what}; to read it: pip install "ordeval[files]"'


def test_the_command_line_spells_it_as_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "latin.csv", ROWS.replace("mid", "mïd").encode("latin-1"))
    done = ordeval("score", "latin.csv", "--true", "grade", "--pred", "nurse", "--labels", "low,mïd,high")
    assert done.returncode == 3
    sentence = "ordeval: latin.csv: its first byte that is not UTF-8 is 0xef in row 1; if it came from Windows: --encoding windows-1252\n"
    assert done.stderr == sentence
    assert scan(tmp_path / "latin.csv", labels=["low", "mïd", "high"], reading={"encoding": "latin-1"}).audit.notes == (
        "written in latin-1",
    )
    bad = write(tmp_path, "bad.csv", ROWS.replace("mid", "m\x81d").encode("latin-1"))
    assert said(bad, reading={"encoding": "windows-1252"}) == "bad.csv is not windows-1252: 0x81 at byte offset 17"


def test_utf_16_is_read_and_the_audit_says_so(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(ROWS, encoding="utf-16")
    assert scan(path).audit.notes == ("written in UTF-16",)
    path.write_bytes(path.read_bytes()[:-1])
    assert said(path) == "rows.csv begins as UTF-16 and does not end so: it is cut short or damaged"


def test_a_pipe_is_copied_first(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (("grade", "nurse"), ("low", "mid")):
        book.active.append(row)
    book.save(tmp_path / "book.xlsx")
    for data in (ROWS.encode(), (tmp_path / "book.xlsx").read_bytes()):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(data,))
        writer.start()
        assert scan(pipe).audit.read == (2 if data.startswith(b"grade") else 1)
        writer.join()
        pipe.unlink()


# Excel


def book_with(path, sheets):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


HEAD = ("grade", "nurse", "when")


def test_a_workbook_with_several_sheets_asks_which(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = book_with(tmp_path / "a.xlsx", {"first": [HEAD, ("low", "mid")], "second": [HEAD, ("low", "low"), ("mid", "mid")]})
    assert said(path) == "a.xlsx has 2 sheets (first, second); say which: reading=Reading(sheet='first')"
    done = ordeval("score", "a.xlsx", "--true", "grade", "--pred", "nurse", "--labels", "low,mid,high")
    assert (done.returncode, done.stderr) == (2, "ordeval: a.xlsx has 2 sheets (first, second); say which: --sheet first\n")
    assert scan(path, reading={"sheet": "second"}).total == 2
    assert scan(path, reading={"sheet": 1}).total == 1
    assert scan(path, reading={"sheet": 1}).audit.notes == ("sheet 'first'",)
    assert said(path, reading={"sheet": "secnd"}) == "a.xlsx has no sheet 'secnd'; did you mean 'second'?"
    assert said(path, reading={"sheet": 3}) == "a.xlsx has no sheet 3; it has first, second"


def test_cells_with_errors_are_no_value_and_have_their_own_reason(tmp_path):
    rows = [
        HEAD,
        ("low", "#N/A", 1),
        ("mid", "#DIV/0!", 1),
        ("high", "#N/A", 1),
        ("low", "low", 1),
        (None, None, None),
        ("mid", "mid", 1),
    ]
    counts = scan(book_with(tmp_path / "a.xlsx", {"one": rows}), missing="drop")
    assert counts.audit.read == 5  # a row with nothing in it is none
    assert counts.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert counts.audit.changes == ['nurse: 3 with an error, as no value ("#N/A" 2, "#DIV/0!" 1)']


def test_cells_with_errors_are_counted_for_the_run_that_holds_them(tmp_path):
    pytest.importorskip("openpyxl")
    answers = {"one": ["low", "#N/A", "#N/A", "mid"], "two": ["#DIV/0!", "low", "mid", "mid"]}
    gold = book_with(tmp_path / "gold.xlsx", {"s": [("id", "true"), *zip("abcd", ["low", "low", "mid", "mid"], strict=True)]})
    runs = {
        name: book_with(tmp_path / f"{name}.xlsx", {"s": [("id", "pred"), *zip("abcd", given, strict=True)]})
        for name, given in answers.items()
    }
    asked = {"id": "id", "true": "true", "pred": "pred", "labels": ["low", "mid"], "missing": "unanswered"}
    counts, _ = scan_runs(gold, runs, **asked)
    assert {one.column: list(one.reasons.values()) for one in counts.read_as} == {"one": [{"#N/A": 2}], "two": [{"#DIV/0!": 1}]}


def test_a_formula_that_was_never_calculated_is_an_error_where_it_is_used(tmp_path):
    path = book_with(tmp_path / "a.xlsx", {"one": [HEAD, ("low", "low", 1), ("mid", '=IF(1,"mid","low")', 1)]})
    assert (
        said(path) == "a.xlsx, nurse: the formula in row 2 was never calculated; open the workbook, let it calculate, and save it"
    )
    assert set(oe.peek(path, ["grade"]).classes) == {"low", "mid"}  # the other columns can be used


def test_dates_are_no_classes_and_numbers_are_what_they_are(tmp_path):
    import datetime

    day = datetime.datetime(2024, 5, 1)
    path = book_with(tmp_path / "a.xlsx", {"one": [HEAD, (1, 1.0, day), (2, "2", day), (3, 2, day), (True, 3, day)][:4]})
    assert said(path, pred="when") == "a.xlsx, when holds a date in row 1 (2024-05-01 00:00:00), and dates cannot be classes"
    counts = oe.scan(path, true="grade", pred="nurse")
    assert counts.scale.labels == (1, 2, 3)
    assert counts.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


def test_weights_of_a_workbook_are_numbers(tmp_path):
    path = book_with(tmp_path / "a.xlsx", {"one": [HEAD, ("low", "low", 0.5), ("mid", "mid", 2), ("mid", "low", "x")]})
    assert said(path, sample_weight="when") == 'a.xlsx, when: "x" is not a number; 1 row, first row 3'
    good = book_with(tmp_path / "b.xlsx", {"one": [HEAD, ("low", "low", 0.5), ("mid", "mid", 2)]})
    assert scan(good, sample_weight="when").total == 2.5


def test_a_workbook_that_unpacks_to_too_much_is_not_opened(tmp_path):
    pytest.importorskip("openpyxl")
    path = tmp_path / "a.xlsx"
    path.write_bytes(archive(xl__workbook_dot_xml="x", big=b"0"))
    data = bytearray(path.read_bytes())
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 3 << 29)  # what the archive says of its last member
    path.write_bytes(data)
    assert said(path) == "a.xlsx unpacks to 1.5 GiB, and the limit is 1 GiB; save the sheet as CSV"


# Stata and SPSS


def coded(path, values, labels, **more):
    pyreadstat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"grade": values, "nurse": values, "day": range(len(values))})
    write = pyreadstat.write_dta if str(path).endswith("dta") else pyreadstat.write_sav
    write(frame, str(path), variable_value_labels={"grade": labels, "nurse": labels}, **more)
    return path


NAMES = {1: "low", 2: "mid", 3: "high"}


def test_codes_that_a_file_calls_missing_are_counted_by_name(tmp_path):
    names = {**NAMES, 9: "refused"}
    path = coded(tmp_path / "a.sav", [1, 2, 9, 3], names, missing_ranges={"grade": [9], "nurse": [9]})
    counts = oe.scan(path, true="grade", pred="nurse", missing="drop")
    assert counts.scale.labels == ("low", "mid", "high")
    assert counts.audit.changes == [
        "grade: 1 as no answer, by the file (refused 1)",
        "nurse: 1 as no answer, by the file (refused 1)",
    ]
    assert counts.audit.excluded == {"truth missing": 1}
    path = coded(
        tmp_path / "a.dta", [1, 2, "a", 3], {**NAMES, "a": "refused"}, missing_user_values={"grade": ["a"], "nurse": ["a"]}
    )
    counts = oe.scan(path, true="grade", pred="nurse", missing="drop")
    assert counts.scale.labels == ("low", "mid", "high")
    assert counts.audit.changes[0] == "grade: 1 as no answer, by the file (refused 1)"


@pytest.mark.parametrize("named", [True, False], ids=["named", "bare"])
@pytest.mark.parametrize(
    ("missing", "gone"),
    [
        ([9], [9]),
        ([-8, -9], [-8, -9]),
        ([-9, -8], [-8, -9]),
        ([7, 9, 8], [7, 8, 9]),
        ([{"lo": 7, "hi": 9}], [7, 8, 9]),
        ([{"lo": 7, "hi": 9}, -1], [-1, 7, 8, 9]),
        ([{"lo": -9, "hi": -7}, 9], [-9, -7, 9]),
    ],
    ids=str,
)
def test_every_code_that_a_file_calls_missing_means_no_value(tmp_path, missing, gone, named):
    """Single codes, a range, and both; with or without a name of their own."""
    values = [1, *gone, 2, 3, *gone[:1], 1, 3]
    words = {code: f"word {code}" if named else str(code) for code in gone}
    names = NAMES | (words if named else {})
    path = coded(tmp_path / "a.sav", values, names, missing_ranges={"grade": missing, "nurse": missing})
    counts = oe.scan(path, true="grade", pred="day", labels=list(range(len(values))), missing="drop")
    days = [day for day, value in enumerate(values) if value in NAMES]
    assert counts == oe.count([values[day] for day in days], days, labels=list(range(len(values))))
    assert counts.audit.excluded == {"truth missing": len(gone) + 1}
    counts = oe.scan(path, true="grade", pred="nurse", missing="drop")
    kept = [NAMES[value] for value in values if value in NAMES]
    assert counts == oe.count(kept, kept, labels=LABELS)
    times = {words[code]: values.count(code) for code in gone}
    assert [one.reasons for one in counts.read_as] == [{"as no answer, by the file": times}] * 2
    assert oe.scan(path, true="grade", pred="nurse", labels=[1, 2, 3], missing="drop").matrix.tolist() == counts.matrix.tolist()


@pytest.mark.parametrize("gone", [["x"], ["x", "y"], ["y", "x"], ["x", "y", "z"]], ids="".join)
def test_every_text_that_a_file_calls_missing_means_no_value(tmp_path, gone):
    values = ["low", *gone, "high", "mid", *gone[:1]]
    path = coded(tmp_path / "a.sav", values, {}, missing_ranges={"grade": gone, "nurse": gone})
    counts = scan(path, missing="drop")
    kept = ["low", "high", "mid"]
    assert counts == oe.count(kept, kept, labels=LABELS)
    times = {text: values.count(text) for text in gone}
    assert [one.reasons for one in counts.read_as] == [{"as no answer, by the file": times}] * 2


def test_classes_that_nobody_has_are_classes(tmp_path):
    counts = oe.scan(coded(tmp_path / "a.sav", [1, 2, 1], NAMES), true="grade", pred="nurse")
    assert counts.scale.labels == ("low", "mid", "high")
    assert counts.audit.notes == ("order: the codes of grade, 1 to 3", "order: the codes of nurse, 1 to 3")


@pytest.mark.parametrize(
    ("values", "labels", "more", "sentence"),
    [
        ([1, 2], NAMES, {"variable_measure": {"grade": "nominal"}},
         'grade: its measure is "nominal" (1 "low", 2 "mid", 3 "high"); say which are the classes, lowest first: labels=[1, 2, 3]'),
        ([1, 2, 9], {**NAMES, 9: "refused"}, {},
         'grade: there is a gap in its codes (1 "low", 2 "mid", 3 "high", 9 "refused"); '
         "say which are the classes, lowest first: labels=[1, 2, 3, 9]"),
        ([1, 2, 4], NAMES, {},
         'grade: 1 code without a label (4) (1 "low", 2 "mid", 3 "high"); say which are the classes, lowest first: labels=[1, 2, 3]'),
    ],
)  # fmt: skip
def test_codes_that_are_no_order_are_refused_with_all_of_them(tmp_path, values, labels, more, sentence):
    path = coded(tmp_path / "a.sav", values, labels, **more)
    with pytest.raises(oe.ArgumentError) as caught:
        oe.scan(path, true="grade", pred="nurse")
    assert str(caught.value) == sentence
    assert oe.scan(path, true="grade", pred="nurse", labels=sorted({*values, 1, 2, 3})).total == len(values)


@pytest.mark.parametrize("name", ["a.sav", "a.zsav", "a.dta", "old.dta", "a.feather", "a.arrows", "a.orc", "a.xlsx"])
def test_a_file_that_is_cut_is_refused_wherever_it_is_cut(tmp_path, name):
    pd = pytest.importorskip("pandas")
    path = tmp_path / name
    values = [1, 2, 3] * 40
    if name == "a.zsav":
        coded(tmp_path / "a.sav", values, NAMES, compress=True)
        os.rename(tmp_path / "a.sav", path)
    elif name == "old.dta":
        frame = pd.DataFrame({"grade": pd.Categorical(["low", "mid"] * 60), "nurse": pd.Categorical(["low", "mid"] * 60)})
        frame.to_stata(path, version=114, write_index=False)
    elif name.endswith(("sav", "dta")):
        coded(path, values, NAMES)
    elif name == "a.xlsx":
        book_with(path, {"one": [HEAD, *(("low", "mid", 1) for _ in range(120))]})
    else:
        pa = pytest.importorskip("pyarrow")
        table = pa.table({"grade": LABELS * 40, "nurse": LABELS * 40})
        if name == "a.orc":
            from pyarrow import orc

            orc.write_table(table, str(path))
        else:
            with (pa.ipc.new_stream if name == "a.arrows" else pa.ipc.new_file)(str(path), table.schema) as writer:
                for batch in table.to_batches(max_chunksize=30):
                    writer.write_batch(batch)
    labels = LABELS if name != "old.dta" else ["low", "mid"]
    whole = path.read_bytes()
    assert scan(path, labels=labels).audit.read == 120
    rng = random.Random(5)
    for cut in sorted(
        {1, 4, 9, len(whole) // 2, len(whole) - 9, len(whole) - 1, *(rng.randrange(1, len(whole)) for _ in range(25))}
    ):
        path.write_bytes(whole[:cut])
        assert name in said(path, labels=labels)


# Long tables


def test_long_tables_say_what_does_not_fit(tmp_path):
    rows = "id,model,grade,answer\n1,a,low,low\n1,b,low,mid\n2,a,mid,mid\n"
    long = {"pred": "answer", "id": "id", "model_column": "model"}
    path = write(tmp_path, "long.csv", rows)
    counts = scan(path, **long, missing="unanswered")
    assert counts.models == ("a", "b")
    assert counts["b"].unanswered.tolist() == [0, 1, 0]
    assert counts.audit.notes == ("3 rows of 2 models, 2 ids",)
    write(tmp_path, "long.csv", rows + "1,b,low,low\n")
    assert said(path, **long).startswith("long.csv: 1 answer occurs more than once (1 of b);")
    write(tmp_path, "long.csv", rows + "2,b,high,low\n")
    assert said(path, **long).startswith("long.csv: 1 id has more than one grade (2);")
    write(tmp_path, "long.csv", rows + ",b,high,low\n")
    assert said(path, **long) == "long.csv has 1 row without an id, first row 4"
    with pytest.raises(TypeError, match=r'model_column needs id; name the column .* id="..."'):
        scan(path, pred="answer", model_column="model")
    with pytest.raises(TypeError, match="gold and model_column cannot be used together"):
        scan(path, **long, gold=path)


@pytest.mark.parametrize(
    ("type", "values"), [("UInt8", [0, 255]), ("Int8", [-128, 127]), ("Int64", [1, 2]), ("Float64", [0.0, 1.0])]
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_missing_value_contradicts_every_value_of_the_same_id(tmp_path, type, values, place):
    """Also the smallest and the largest number that the column can hold."""
    site = pd.array([*values, None, values[1 - place]], dtype=type)
    ids, answers = ["x", "y", "xy"[place], "xy"[1 - place]], [1, 2, 1, 2]
    rows = pd.DataFrame({"id": ids, "model": list("aabb"), "grade": 1, "answer": answers, "site": site})
    rows.to_parquet(tmp_path / "long.parquet")
    with pytest.raises(ValueError, match=f"1 id has more than one site \\({'xy'[place]}\\)"):
        oe.scan(tmp_path / "long.parquet", true="grade", pred="answer", id="id", model_column="model", by="site", labels=[1, 2])


def test_empty_cells_beside_the_names_of_a_workbook_are_no_columns():
    for names in (["y", "p"], ["y", "p", None], ["y", "p", None, None], ["y"], ["y", None, "p", None]):
        rows = [[SimpleNamespace(value=value) for value in row] for row in (names, [1] * len(names))]
        while names[-1] is None:
            names = names[:-1]
        assert _table(iter(rows)) == (["" if name is None else name for name in names], rows[1:])
