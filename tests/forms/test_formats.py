"""The same rows in every format that is read give the same counts."""

import bz2
import gzip
import lzma

import numpy as np
import pytest

import ordeval as oe

pa = pytest.importorskip("pyarrow")
openpyxl = pytest.importorskip("openpyxl")
pyreadstat = pytest.importorskip("pyreadstat")

LABELS = ["low", "mid", "high"]
rng = np.random.default_rng(20)
TRUE, A, B = (rng.integers(0, 3, 300) for _ in range(3))
WEIGHT = rng.choice([0.5, 1.0, 1.75], 300)
WANTED = {"true": "grade", "pred": ["nurse", "model"], "labels": LABELS, "sample_weight": "weight"}


def columns(kind=LABELS):
    return {
        "visit": [f"v{i}" for i in range(300)],
        "grade": [kind[i] for i in TRUE],
        "nurse": [kind[i] for i in A],
        "model": [kind[i] for i in B],
        "weight": WEIGHT.tolist(),
    }


def text(delimiter=",", decimal="."):
    rows = [list(columns()), *zip(*columns().values(), strict=True)]
    return "".join(delimiter.join(str(x).replace(".", decimal) for x in row) + "\n" for row in rows)


def as_frame():
    import pandas as pd

    return pd.DataFrame(columns())


def workbook(path):
    book = openpyxl.Workbook()
    for row in [list(columns()), *zip(*columns().values(), strict=True)]:
        book.active.append(list(row))
    book.save(path)


def statistical(path):
    import pandas as pd

    frame = pd.DataFrame(columns([1, 2, 3]))
    names = {name: {1: "low", 2: "mid", 3: "high"} for name in ("grade", "nurse", "model")}
    write = pyreadstat.write_dta if path.suffix == ".dta" else pyreadstat.write_sav
    write(frame, str(path), variable_value_labels=names)


def arrow(path):
    table = pa.table(columns())
    if path.suffix == ".orc":
        from pyarrow import orc

        orc.write_table(table, str(path))
    elif path.suffix == ".arrows":
        with pa.ipc.new_stream(str(path), table.schema) as writer:
            writer.write_table(table)
    else:
        from pyarrow import feather

        feather.write_feather(table, str(path))


def lines():
    import json

    rows = zip(*columns().values(), strict=True)
    return "".join(json.dumps(dict(zip(columns(), row, strict=True))) + "\n" for row in rows)


def zstd(path):
    with pa.CompressedOutputStream(str(path), "zstd") as file:
        file.write(text().encode())


def long():
    rows = ["visit,model,grade,answer,weight"]
    rows += [
        f"v{i},{model},{LABELS[TRUE[i]]},{LABELS[said[i]]},{WEIGHT[i]}"
        for model, said in (("nurse", A), ("model", B))
        for i in range(300)
    ]
    return "\n".join(rows) + "\n"


LONG = {"pred": "answer", "model_column": "model", "id": "visit"}
FORMATS = {
    "comma.csv": (
        lambda path: path.write_text("\ufeff" + text(";", ","), encoding="utf-8"),
        {"reading": {"decimal": ","}},
        "size",
    ),
    "tab.tsv": (lambda path: path.write_text(text("\t")), {}, "size"),
    "book.xlsx": (workbook, {}, "zip crc"),
    "stata.dta": (statistical, {}, "stata end"),
    "spss.sav": (statistical, {}, "spss case count"),
    "rows.parquet": (lambda path: as_frame().to_parquet(path), {}, "parquet footer"),
    "rows.feather": (arrow, {}, "arrow footer"),
    "rows.arrows": (arrow, {}, "arrow end of stream"),
    "rows.orc": (arrow, {}, "orc footer"),
    "rows.jsonl": (lambda path: path.write_text(lines()), {}, "size"),
    "rows.csv.gz": (lambda path: path.write_bytes(gzip.compress(text().encode())), {}, "gzip crc"),
    "rows.csv.zst": (zstd, {}, "zstd frame, no checksum"),
    "rows.csv.xz": (lambda path: path.write_bytes(lzma.compress(text().encode())), {}, "xz check"),
    "rows.csv.bz2": (lambda path: path.write_bytes(bz2.compress(text().encode())), {}, "bz2 crc"),
    "utf16.csv": (lambda path: path.write_text(text(), encoding="utf-16"), {}, "size"),
    "utf16.tsv": (lambda path: path.write_text(text("\t"), encoding="utf-16-le"), {"reading": {"encoding": "utf-16"}}, "size"),
    "windows.csv": (lambda path: path.write_bytes(text().encode("cp1252")), {"reading": {"encoding": "windows-1252"}}, "size"),
    "long.csv": (lambda path: path.write_text(long()), LONG, "size"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_rows_give_one_matrix_in_every_format(tmp_path, name):
    write, more, ended = FORMATS[name]
    write(tmp_path / name)
    counts = oe.scan(tmp_path / name, **{**WANTED, **more})
    same = oe.count(
        columns()["grade"], {"nurse": columns()["nurse"], "model": columns()["model"]}, labels=LABELS, sample_weight=WEIGHT
    )
    assert counts == same
    assert counts.audit.read == 300
    assert [(file.ended, file.rows) for file in counts.audit.files] == [(ended, 600 if name == "long.csv" else 300)]


@pytest.mark.parametrize("beside", [{"by": "site"}, {"cluster": "ward"}, {"by": "site", "cluster": "ward"}], ids=" and ".join)
def test_a_row_for_each_answer_has_the_group_the_cluster_and_the_weight_of_its_id(tmp_path, beside):
    wide = {"grade": ["low", "mid", "high", "mid"], "site": ["e", "w", "e", "w"], "ward": [7, 8, 8, 9], "weight": [1, 2, 0.5, 4]}
    answers = {"nurse": ["low", "low", "high", "mid"], "model": ["mid", "mid", None, "mid"]}
    rows = ["visit,model,grade,answer,site,ward,weight"]
    for model, said in answers.items():
        own = zip("abcd", wide["grade"], said, wide["site"], wide["ward"], wide["weight"], strict=True)
        rows += [f"{visit},{model},{','.join(map(str, rest))}" for visit, *rest in own if rest[1] is not None]
    (tmp_path / "long.csv").write_text("\n".join(rows) + "\n")
    asked = {"labels": LABELS, "missing": "unanswered"}
    counts = oe.scan(tmp_path / "long.csv", true="grade", **LONG, sample_weight="weight", **beside, **asked)
    named = {role: {column: wide[column]} for role, column in beside.items()}
    assert counts == oe.count(wide["grade"], answers, sample_weight=wide["weight"], **named, **asked)
    assert counts.cluster == beside.get("cluster")


ROWS = "id,a,weight,note\n1,low,1,one\n2,mïd,2,two\n3,high,4,three\n"


def second_sheet(path):
    book = openpyxl.Workbook()
    sheet = book.create_sheet("rows")
    for row in ROWS.splitlines():
        sheet.append(row.split(","))
    book.save(path)


NEEDS_A_READING = {
    "latin.csv": (lambda path: path.write_text(ROWS, "latin-1"), {"encoding": "latin-1"}),
    "quotes.csv": (
        lambda path: path.write_text(ROWS.replace("one", '"one').replace("three", 'three"'), "utf-8"),
        {"quote": "none"},
    ),
    "commas.csv": (lambda path: path.write_text(ROWS.replace(",", ";").replace(";1;", ";1,0;"), "utf-8"), {"decimal": ","}),
    "book.xlsx": (second_sheet, {"sheet": "rows"}),
}


@pytest.mark.parametrize("place", ["gold", "run"])
@pytest.mark.parametrize("name", NEEDS_A_READING)
def test_both_sides_of_a_join_are_opened_with_the_reading(tmp_path, name, place):
    write, reading = NEEDS_A_READING[name]
    write(tmp_path / name)
    (tmp_path / "other.csv").write_text("id,b\n3,high\n1,high\n2,low\n")
    odd, other = (tmp_path / name, "a"), (tmp_path / "other.csv", "b")
    (gold, true), (run, pred) = (odd, other) if place == "gold" else (other, odd)
    asked = {"gold": gold, "id": "id", "true": true, "pred": pred, "sample_weight": "weight", "labels": ["low", "mïd", "high"]}
    with pytest.raises(ValueError, match=name):
        oe.scan(run, **asked)
    table = np.array([[0, 0, 1], [2, 0, 0], [0, 0, 4]])  # from a to b
    assert oe.scan(run, **asked, reading=reading).matrix.tolist() == (table if place == "gold" else table.T).tolist()


@pytest.mark.parametrize("name", ["stata.dta", "spss.sav"])
def test_codes_are_the_order_and_labels_are_the_names(tmp_path, name):
    write, _, _ = FORMATS[name]
    write(tmp_path / name)
    wanted = {name: value for name, value in WANTED.items() if name != "labels"}
    by_names = oe.scan(tmp_path / name, **wanted)
    assert by_names.scale.labels == tuple(LABELS)
    assert not by_names.scale.inferred
    assert by_names == oe.scan(tmp_path / name, **WANTED)
    assert "order: the codes of grade, 1 to 3" in by_names.audit.notes
    by_codes = oe.scan(tmp_path / name, **wanted, labels=[1, 2, 3])
    assert by_codes.scale.labels == (1, 2, 3)
    assert (by_codes.table("true", "nurse") == by_names.table("true", "nurse")).all()
