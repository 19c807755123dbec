"""The row ledger: a source is read to the last row or refused in one line; never a part of it, never another table."""

import bz2
import gzip
import json
import lzma
import os
import threading
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import ordeval

import ordeval as oe
from ordeval.base.files import check_free, write_bytes
from ordeval.read import streams

LABELS = ["low", "mid", "high"]
SIX = "id\ty\tp\ttext\n" + "".join(f"{i}\t{i % 3}\t{i % 3}\t{text}\n" for i, text in enumerate(["a", '"b', "c", "d", 'e"', "f"]))


def write(folder, name, data):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def zst(data):
    """One frame, without a checksum."""
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data if isinstance(data, bytes) else data.encode())
    return sink.getvalue().to_pybytes()


def parquet(path, **columns):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def scan(source, **options):
    return oe.scan(source, **{"true": "y", "pred": "p", **options})


def refused(source, match, **options):
    with pytest.raises((ValueError, TypeError), match=match) as caught:
        scan(source, **options)
    assert "\n" not in str(caught.value)


# Compressed streams


@pytest.mark.parametrize("share", [0.2, 0.5, 0.999])
def test_a_zst_file_that_is_cut_is_refused(tmp_path, share):
    """A frame has several blocks; the engine takes those that are there for the whole."""
    rng = np.random.default_rng(0)
    rows = "".join(f"{i},{y},{p}\n" for i, (y, p) in enumerate(rng.integers(0, 3, (100_000, 2)).tolist()))
    whole = zst("id,y,p\n" + rows)
    assert scan(write(tmp_path, "whole.csv.zst", whole)).total == 100_000
    refused(
        write(tmp_path, "cut.csv.zst", whole[: int(len(whole) * share)]), "cut.csv.zst cannot be decompressed: it is cut short"
    )


def test_several_frames_and_members_are_read_and_the_last_must_end(tmp_path):
    first, second = b"y,p\n1,2\n", b"2,2\n1,1\n"
    skippable = b"\x5a\x2a\x4d\x18\x05\x00\x00\x00hello"
    for name, packed in {
        "x.csv.zst": zst(first) + skippable + zst(second),
        "x.csv.gz": gzip.compress(first) + gzip.compress(second),
    }.items():
        assert scan(write(tmp_path, name, packed)).total == 3
        refused(write(tmp_path, name, packed[:-3]), "cannot be decompressed")
        refused(write(tmp_path, name, packed + b"garbage"), "cannot be decompressed")


def test_what_the_engine_cannot_read_is_read_from_a_plain_copy(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "spill"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "spill").mkdir()
    data = b"y,p\n1,2\n2,2\n"
    packed = gzip.compress(data, mtime=0)
    with_comment = packed[:3] + b"\x10" + packed[4:10] + b"a comment\0" + packed[10:]
    files = {
        "a.csv.bz2": bz2.compress(data),
        "a.csv.xz": lzma.compress(data),
        "comment.csv.gz": with_comment,
        "padded.csv.gz": packed + b"\0" * 512,
        "wide.csv": data.decode().encode("utf-16"),
    }
    for name, content in files.items():
        (file,) = scan(write(tmp_path, name, content)).audit.files
        assert (file.rows, file.content_bytes) == (2, 12)
        assert file.path.endswith(name)
    assert os.listdir(tmp_path / "spill") == []
    refused(write(tmp_path, "cut.csv.xz", lzma.compress(data)[:-5]), "cut.csv.xz cannot be decompressed")
    assert (
        scan(
            write(tmp_path, "x.parquet.gz", gzip.compress(parquet(tmp_path / "x.parquet", y=[1, 2], p=[2, 2]).read_bytes()))
        ).total
        == 2
    )


@pytest.mark.parametrize(("check", "said"), [(lzma.CHECK_NONE, ", no checksum"), (lzma.CHECK_CRC32, ""), (lzma.CHECK_CRC64, "")])
def test_xz_without_a_checksum_is_said(tmp_path, check, said):
    audit = scan(write(tmp_path, "x.csv.xz", lzma.compress(b"y,p\n1,2\n", check=check))).audit
    assert audit.files[0].ended == f"xz check{said}"


def test_a_frame_without_a_checksum_is_said(tmp_path):
    audit = scan(write(tmp_path, "x.csv.zst", zst("y,p\n1,2\n"))).audit
    assert audit.files[0].ended == "zstd frame, no checksum"
    assert audit.notes == ("no checksum: a changed byte would not be noticed",)
    assert str(audit) == "1 row read · 1 judged\nno checksum: a changed byte would not be noticed"


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 1 << 20])
def test_the_pass_counts_as_python_does(tmp_path, monkeypatch, piece):
    monkeypatch.setattr(streams, "PIECE", piece)
    rng = np.random.default_rng(piece)
    for _ in range(20):
        data = b"".join(rng.choice([b"\n", b"\r\n", b"a", b'"', b"b,", b"\n\n"], rng.integers(1, 60)).tolist()) + b"\n"
        lines = data.split(b"\n")[:-1]
        expected = (len(lines), sum(line in (b"", b"\r") for line in lines), data.count(b'"'), len(data))
        for packing, pack in (("", bytes), ("gz", gzip.compress), ("zst", zst), ("bz2", bz2.compress), ("xz", lzma.compress)):
            cut = int(rng.integers(len(data) + 1))
            packed = pack(data[:cut]) + pack(data[cut:])
            found = streams.measure(write(tmp_path, "x", packed), packing, copy=tmp_path / "copy")
            assert (found.lines, found.blank, found.quotes, found.content_bytes) == expected
            assert (tmp_path / "copy").read_bytes() == data


# Shards


def test_shards_keep_the_types_of_their_own(tmp_path):
    first = parquet(tmp_path / "a.parquet", y=[1, 2], p=[1, 2])
    for values, match in (
        ([1.4, 2.4], r'column "p": [12].4 is not one of the classes'),
        (["01", "02"], r'column "p" holds text, but integers in .*a.parquet; convert one of them'),
        ([True, False], r'column "p" holds booleans, but integers in'),
    ):
        second = parquet(tmp_path / "b.parquet", y=[1, 2], p=values)
        refused([first, second], match, labels=[1, 2])
    mixed = parquet(tmp_path / "b.parquet", y=pa.array([1, 2], pa.int16()), p=[2.0, 1.0])
    assert scan([first, mixed], labels=[1, 2]).matrix.tolist() == [[1, 1], [1, 1]]
    nothing = parquet(tmp_path / "c.parquet", y=[1], p=pa.array([None]))
    assert scan([first, nothing], labels=[1, 2], missing="unanswered").audit == oe.types.Audit(3, 2, 1)
    for far in (2**53 + 1, -(2**53) - 1):
        large = parquet(tmp_path / "d.parquet", y=[1, 1, 2], p=[1, far, 2])
        for order in ([large, mixed], [mixed, large], [first, large, mixed]):
            refused(order, r"d.parquet.*integers beyond 2\*\*53, and other files hold floats there", labels=[1, 2])
    for exact in (2**53, -(2**53)):
        large = parquet(tmp_path / "d.parquet", y=[1], p=[exact])
        assert scan([large, mixed], labels=[1, 2, exact]).matrix.tolist() == [[0, 1, 1], [1, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_columns_are_those_that_are_named_in_every_file(tmp_path, ending):
    """Another order of the columns, another delimiter, names that differ by case alone."""
    frames = [{"y": [1, 2], "p": [1, 2]}, {"y": [1, 2], "P": [2, 1], "p": [1, 2]}, {"p": [1, 2], "more": [0, 0], "y": [1, 2]}]
    paths = []
    for i, columns in enumerate(frames):
        path = tmp_path / f"{i}.{ending}"
        if ending == "csv":
            pd.DataFrame(columns).to_csv(path, sep=",;|"[i], index=False)
        else:
            parquet(path, **columns)
        paths.append(path)
    for order in (paths, paths[::-1], [paths[1], paths[0], paths[2]]):
        counts = scan(order)
        assert counts.matrix.tolist() == [[3, 0], [0, 3]]
        assert [file.rows for file in counts.audit.files] == [2, 2, 2]
    refused([paths[0], write(tmp_path, "x.csv", "y,P\n1,1\n")] if ending == "csv" else
            [paths[0], parquet(tmp_path / "x.parquet", y=[1], P=[1])], r'x.* has no column "p"; it has \'y\', \'P\'')  # fmt: skip


def test_the_same_file_is_read_once_whatever_it_is_called(tmp_path):
    path = write(tmp_path, "rows/a.csv", "y,p\n1,2\n2,2\n")
    for source in ([path, path], [path, str(tmp_path / "rows" / "*.csv")]):
        audit = scan(source).audit
        assert (audit.read, audit.notes) == (2, ("1 file listed twice, read once",))
    os.symlink("a.csv", tmp_path / "rows" / "latest.csv")
    os.link(path, tmp_path / "rows" / "hard.csv")
    audit = scan(tmp_path / "rows").audit
    assert audit.read == 2
    assert audit.notes[0].startswith("2 files listed twice, read once (")
    copy = write(tmp_path, "copy.csv", path.read_bytes())
    audit = scan([path, copy]).audit
    assert audit.read == 4
    assert audit.notes == (f"{path} and {copy} have the same bytes",)


@pytest.mark.parametrize(
    ("kind", "sign", "inside"),
    [
        ("a Delta", "_delta_log/00000000000000000000.json", "x.parquet"),
        ("a Delta", "_delta_log/00000000000000000000.json", "day=1/x.parquet"),
        ("a Hudi", ".hoodie/hoodie.properties", "x.parquet"),
        ("an Iceberg", "metadata/v1.metadata.json", "data/x.parquet"),
    ],
)
def test_files_of_lake_tables_are_refused_by_folder_and_by_pattern(tmp_path, kind, sign, inside):
    write(tmp_path, f"table/{sign}", "{}")
    path = parquet(tmp_path / "table" / inside, y=[1, 2], p=[1, 2])
    match = f"table is {kind} table, whose files also hold rows that were deleted or replaced; "
    for source in ([tmp_path / "table"], path, str(path.parent / "*.parquet")):
        refused(source, match)


def test_a_folder_is_read_when_it_is_whole_and_what_is_not_read_is_named(tmp_path):
    write(tmp_path, "a.csv", "y,p\n1,2\n")
    for name in ("_SUCCESS", ".hidden.csv", ".a.csv.crc", "a.csv.crc", "notes.txt", "_old.csv"):
        write(tmp_path, name, "nothing")
    assert scan(tmp_path).audit.notes == ("not read: 2 files (_old.csv, notes.txt)",)
    write(tmp_path, "book.xlsx", "PK")
    refused(tmp_path, r"files of different formats \(csv, xlsx\)")
    (tmp_path / "book.xlsx").unlink()
    for name in ("b.csv.tmp", "b.csv.part", "_temporary/0/b.csv", "b.csv.crdownload"):
        path = write(tmp_path, name, "y,p\n1,2\n")
        refused(tmp_path, r"holds \S+, which is not fully written yet; wait until it is complete, or name the files")
        assert scan(tmp_path / "a.csv").total == 1
        path.unlink()
        if path.parent.name == "0":
            path.parent.rmdir()
            (tmp_path / "_temporary").rmdir()


def test_folders_that_say_a_value_are_columns_unless_the_files_have_them(tmp_path):
    for site in ("01", "b"):
        parquet(tmp_path / f"site={site}" / "x.parquet", y=[1, 2], p=[1, 2])
        write(tmp_path, f"text/site={site}/x.csv", "site,y,p\nown,1,2\n")
    counts = scan(tmp_path / "site=01" / "x.parquet", by="site")
    assert counts.values["site"] == ("01",)
    counts = scan(str(tmp_path / "site=*" / "*.parquet"), by="site")
    assert (counts.values["site"], counts.audit.read) == (("01", "b"), 4)
    assert scan(tmp_path / "text", by="site").values["site"] == ("own",)


# Quotes and lines


def test_a_quote_that_would_swallow_rows_is_refused_until_it_is_said_what_it_is(tmp_path):
    for name, text in (("x.tsv", SIX), ("x.csv", SIX.replace("\t", ","))):
        path = write(tmp_path, name, text)
        refused(
            path,
            r"can be read in two ways: with quotes around fields it has 3 rows, with quotes as text 6; say which with quote=",
        )
        assert scan(path, quote="none").total == scan(path, quote="").total == 6
        assert scan(path, quote="double").total == scan(path, quote='"').total == 3
        assert scan(path, quote="none").audit.notes == ("quotes are read as text",)
    done = ordeval("score", tmp_path / "x.csv", "--true", "y", "--pred", "p", "--quote", "none", "--format", "json")
    assert json.loads(done.stdout)["rows"]["read"] == 6
    assert "--quote" in ordeval("score", tmp_path / "x.csv", "--true", "y", "--pred", "p").stderr
    with pytest.raises(oe.ArgumentError, match="quote='single' is unknown"):
        scan(path, quote="single")


def test_quotes_that_are_marks_or_nothing_else_are_read_without_asking(tmp_path):
    legal = 'y,p,text\n1,2,"one\n\ntwo, three"\n2,2,"say ""x"""\n'
    assert scan(write(tmp_path, "legal.csv", legal)).total == 2
    assert scan(write(tmp_path, "inches.csv", 'y,p,text\n1,2,5" disk\n2,2,plain\n')).total == 2
    lone = 'y\tp\ttext\n1\t2\t"opened\n2\t2\tplain\n'
    audit = scan(write(tmp_path, "lone.tsv", lone)).audit
    assert (audit.read, audit.notes) == (2, ("quotes are read as text",))
    refused(
        write(tmp_path, "lone.csv", lone.replace("\t", ",")),
        r'a quote is opened and not closed.*; if quotes are plain text here, give quote="none"',
    )


def test_rows_that_do_not_add_up_with_the_lines_are_refused(tmp_path):
    """A header that breaks its quoting rules gives no rows and no error of the engine."""
    whole = write(tmp_path, "a.csv", "idx,y,p\n1,1,2\n")
    broken = write(tmp_path, "b.csv", '"id"x,y,p\n1,1,2\n2,2,2\n')
    refused([whole, broken], "b.csv has 2 lines below its header, but 0 rows were found; it is refused")
    two = '{"y": 1, "p": 2} {"y": 1, "p": 2}\n'
    refused(write(tmp_path, "two.jsonl", two), "two.jsonl")
    assert scan(write(tmp_path, "three.jsonl", '{"y": 1, "p": 2}\n\n{"y": 2, "p": 2}')).total == 2
    refused(write(tmp_path, "cut.json", '[{"y": 1, "p": 2},\n {"y": 2, "p": 2}'), "cut.json")
    assert scan(write(tmp_path, "whole.json", '[{"y": 1, "p": 2},\n {"y": 2, "p": 2}]\n')).total == 2


def test_the_engine_is_not_believed(tmp_path, monkeypatch):
    """A reader that loses the last row is found out, for each format."""
    from ordeval.read import grouping

    honest = grouping.by_file

    def forgetful(numbers, rows, breaks, files):
        return honest(numbers, [*rows[:-1], rows[-1] - 1], breaks, files)

    sources = [
        write(tmp_path, "x.csv", "y,p\n1,2\n2,2\n"),
        write(tmp_path, "x.jsonl", '{"y": 1, "p": 2}\n{"y": 2, "p": 2}\n'),
        write(tmp_path, "x.json", '[{"y": 1, "p": 2}, {"y": 2, "p": 2}]'),
        parquet(tmp_path / "x.parquet", y=[1, 2], p=[2, 2]),
    ]
    assert [scan(source).total for source in sources] == [2] * 4
    monkeypatch.setattr(grouping, "by_file", forgetful)
    for source in sources:
        refused(source, "but 1 row was found; it is refused")


def test_blank_lines_old_line_ends_and_a_missing_last_one(tmp_path):
    assert scan(write(tmp_path, "blank.csv", "y,p\n\n1,2\n\n\n2,2\n\n")).total == 2
    assert scan(write(tmp_path, "old.csv", "y,p\r1,2\r2,2\r")).audit.files[0].lines == 3
    audit = scan(write(tmp_path, "unended.csv", "y,p\r\n1,2\r\n\r\n2,2")).audit
    assert (audit.read, audit.notes) == (2, ("the last line has no line end",))


@pytest.mark.parametrize("packed", [False, True])
def test_a_pipe_is_read_from_its_beginning_to_its_end(packed):
    data = b"y,p\n" + b"1,2\n2,2\n" * 40_000
    reading, writing = os.pipe()

    def feed():
        with os.fdopen(writing, "wb") as file:
            file.write(gzip.compress(data) if packed else data)

    thread = threading.Thread(target=feed)
    thread.start()
    with os.fdopen(reading, "rb") as stream:
        counts = scan(stream if packed else f"/dev/fd/{reading}")
    thread.join()
    assert counts.matrix.tolist() == [[0, 40_000], [0, 40_000]]
    assert counts.audit.files[0].content_bytes == len(data)


# Columns in memory


def chunks(*orders):
    parts = [pa.DictionaryArray.from_arrays(pa.array(range(len(o)), pa.int32()), pa.array(o), ordered=True) for o in orders]
    return pa.chunked_array(parts)


def test_the_orders_of_chunks_are_one_order_or_none(tmp_path):
    column = chunks(["low", "high"], LABELS)
    assert oe.count(column, column).scale.labels == tuple(LABELS)
    assert oe.count(column, column).matrix.tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 2]]
    assert scan(pa.table({"y": column, "p": column})).scale.labels == tuple(LABELS)
    torn = chunks(["low", "high"], ["mid", "low"])
    with pytest.raises(
        oe.ArgumentError, match=r"y_true has chunks with different orders \(low < high; mid < low\); give labels="
    ):
        oe.count(torn, torn)
    assert oe.count(torn, torn, labels=LABELS).total == 4
    fewer = pd.Categorical(["low", "high"], ["low", "high"], ordered=True)
    assert oe.count(pd.Categorical(["low", "mid"], LABELS, ordered=True), fewer).scale.labels == tuple(LABELS)


def test_arrow_categories_in_pandas_are_categories():
    kind = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    frame = pd.DataFrame({"y": pd.Series(["low", None, "high"], dtype=kind), "p": pd.Series(["low", "mid", "mid"], dtype=kind)})
    assert scan(frame, labels=LABELS, missing="drop").matrix.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]


def test_ordered_categories_are_found_in_parquet_where_their_order_is(tmp_path):
    frame = pd.DataFrame({name: pd.Categorical(["mid", "high"] * 60, LABELS, ordered=True) for name in "yp"})
    frame.to_parquet(tmp_path / "a.parquet", row_group_size=50)
    assert scan(tmp_path / "a.parquet").scale.labels == tuple(LABELS)
    frame.to_parquet(tmp_path / "b.parquet", use_dictionary=False)
    refused(tmp_path / "b.parquet", "text has no order")
    for name in "yp":
        frame[name] = frame[name].cat.reorder_categories(LABELS[::-1])
    frame.to_parquet(tmp_path / "c.parquet")
    refused([tmp_path / "a.parquet", tmp_path / "c.parquet"], "has chunks with different orders")
    assert scan([tmp_path / "a.parquet", tmp_path / "c.parquet"], labels=LABELS).total == 240


def test_series_that_name_other_rows_are_refused():
    y, p = pd.Series([1, 2, 3]), pd.Series([1, 2, 3])
    assert oe.count(y, p).total == 3
    with pytest.raises(
        ValueError, match=r"y_pred has the same rows as y_true in another order; align them: y_pred.reindex\(y_true.index\)"
    ):
        oe.count(y, p.iloc[::-1])
    split = y.set_axis([7, 3, 9])
    assert oe.count(split, p).total == oe.count(y, {"a": split}).total == 3
    with pytest.raises(ValueError, match=r"y_true and y_pred\['a'\] name different rows \(7, 3, 9; 'a', 'b', 'c'\); align them"):
        oe.count(split, {"a": p.set_axis(["a", "b", "c"])})
    with pytest.raises(ValueError, match="sample_weight has the same rows as y_true in another order"):
        oe.count(y, p, sample_weight=p.iloc[[1, 0, 2]])
    for truth in (y, y.tolist()):  # any two columns are compared, also where the first one names no rows
        with pytest.raises(ValueError, match="sample_weight has the same rows as y_pred in another order; align them"):
            oe.count(truth, p.set_axis([3, 7, 9]), sample_weight=p.set_axis([9, 3, 7]))
        with pytest.raises(ValueError, match=r"y_pred\['b'\] has the same rows as y_pred\['a'\] in another order"):
            oe.count(truth, {"a": p.set_axis([4, 5, 6]), "b": p.set_axis([6, 5, 4])})
        with pytest.raises(ValueError, match="site and ward name different rows"):
            oe.count(truth, p, by={"site": p.set_axis([4, 5, 6])}, cluster={"ward": p.set_axis([7, 8, 9])})
    proba = pd.DataFrame(np.full((3, 3), 1 / 3), index=[2, 1, 0])
    with pytest.raises(ValueError, match="proba has the same rows as y_true in another order"):
        oe.rps(y, proba, labels=[1, 2, 3])


def test_integer_weights_beyond_64_bits_are_refused_by_lazy_engines_too():
    frame = pl.DataFrame({"y": ["low"] * 4 + ["mid"], "p": ["low"] * 4 + ["mid"], "w": [2**62] * 4 + [1]})
    for source in (frame, frame.lazy()):
        refused(source, r"add up to more than 2\*\*63 - 1", labels=LABELS, sample_weight="w")
    light = frame.with_columns(w=pl.lit(2**40)).lazy()
    assert scan(light, labels=LABELS, sample_weight="w").total == 5 * 2**40


def test_decimals_are_exact_or_refused(tmp_path):
    def table(texts, scale):
        values = pa.array([Decimal(text) for text in texts], pa.decimal128(30, scale))
        return {"y": values, "p": values}

    for source in (pa.table(table(["1", "2"], 0)), parquet(tmp_path / "x.parquet", **table(["1.0", "2.0"], 1))):
        assert scan(source).scale.labels == (1, 2)
    halves = table(["0.5", "1.5"], 1)
    for source in (pa.table(halves), parquet(tmp_path / "x.parquet", **halves)):
        assert scan(source, labels=[0.5, 1.5]).total == 2
    fine = table(["1", "1.00000000000000000001"], 20)
    for source in (pa.table(fine), pl.from_arrow(pa.table(fine)).lazy(), parquet(tmp_path / "x.parquet", **fine)):
        refused(source, "holds 1.00000000000000000001, which a float cannot hold", labels=[1, 2])


def test_anything_that_hands_over_arrow_batches_is_a_table(tmp_path):
    import pyarrow.dataset as ds

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.table({"y": [1, 2], "p": [2, 2]}).__arrow_c_stream__(requested_schema)

    path = parquet(tmp_path / "x.parquet", y=[1, 2], p=[2, 2])
    reader = pa.table({"y": [1, 2], "p": [2, 2]}).to_reader()
    for source in (Stream(), reader, ds.dataset(path), path.as_uri()):
        assert scan(source).matrix.tolist() == [[0, 1], [0, 1]]


# The audit


def test_the_audit_shows_each_file_with_its_rows_and_bytes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "rows/1.csv", "y,p\nlow,mid\nmid,mid\n")
    write(tmp_path, "rows/2.csv.gz", gzip.compress(b"y,p\nlow,low\n", mtime=0))
    write(tmp_path, "rows/3.csv", "p;y\nhigh;high\nhigh;high\nmid;mid\n")
    audit = scan("rows", labels=LABELS).audit
    sizes = [os.path.getsize(file.path) for file in audit.files]
    assert [(file.path, file.rows, file.ended) for file in audit.files] == [
        ("rows/1.csv", 2, "size"), ("rows/2.csv.gz", 1, "gzip crc"), ("rows/3.csv", 3, "size")]  # fmt: skip
    assert [file.bytes for file in audit.files] == sizes
    assert [file.content_bytes for file in audit.files] == [sizes[0], 12, sizes[2]]
    table = [
        "  file           rows  bytes  end proven by",
        f"  rows/1.csv        2     {sizes[0]}           size",
        f"  rows/2.csv.gz     1     {sizes[1]}       gzip crc",
        f"  rows/3.csv        3     {sizes[2]}           size",
    ]
    assert str(audit).splitlines() == ["6 rows read · 6 judged", "3 files, 6 rows", "", *table]
    done = ordeval("validate", "rows", "--true", "y", "--pred", "p", "--labels", ",".join(LABELS))
    assert done.stdout.splitlines()[:8] == [
        "rows     6 rows read · 6 judged", "         3 files, 6 rows", "classes  low < mid < high", "", *table]  # fmt: skip
    many = scan(["rows/1.csv"] * 2, labels=LABELS)
    assert (many + many).audit.files == (*many.audit.files, *many.audit.files)
    assert oe.Counts.from_matrix([[1]]).audit.files == ()


def test_a_join_lists_the_files_of_both_sides(tmp_path):
    gold, run = write(tmp_path, "gold.csv", "id,y\n1,1\n2,2\n"), write(tmp_path, "run.csv", 'id,p\n"1",2\n"2",2\n')
    assert [(f.path, f.rows) for f in scan(run, gold=gold, id="id").audit.files] == [(str(gold), 2), (str(run), 2)]
    lazily = scan(pl.DataFrame({"y": [1, 2], "p": [1, 1]}).lazy()).audit
    assert (lazily.files, lazily.notes) == ((), ("rows counted by the engine alone",))


# Writing


def test_devices_and_pipes_are_written_into_and_links_stay(tmp_path):
    leader, terminal = os.openpty()
    device, pipe = os.ttyname(terminal), tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for path, end in ((device, leader), (pipe, reading)):
        for force in (False, True):
            write_bytes(path, b"through it", force=force)
            assert os.read(end, 100) == b"through it"
        check_free(path)
    assert not os.path.isfile(device)
    target, link = write(tmp_path, "target.txt", "old"), tmp_path / "link.txt"
    link.symlink_to(target)
    with pytest.raises(FileExistsError):
        write_bytes(link, b"new", force=False)
    write_bytes(link, b"new", force=True)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    for force in (False, True):
        with pytest.raises(OSError, match="cannot be written: it is a directory"):
            write_bytes(tmp_path, b"x", force=force)
    assert sorted(os.listdir(tmp_path)) == ["link.txt", "pipe", "target.txt"]
    for handle in (leader, terminal, reading):
        os.close(handle)


@pytest.mark.parametrize(("said", "named"), [("target.txt", "target.txt"), ("chain.txt", "target.txt"), ("new.txt", "new.txt")])
def test_a_link_is_followed_from_its_own_folder(tmp_path, monkeypatch, said, named):
    """Wherever the program runs; it may point to another link, or to nothing yet."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    target, link, chain = write(tmp_path, "target.txt", "old"), tmp_path / "link.txt", tmp_path / "chain.txt"
    link.symlink_to(said)
    chain.symlink_to("target.txt")
    with pytest.raises(FileExistsError):
        write_bytes(link, b"new", force=False)
    assert target.read_bytes() == b"old"
    write_bytes(link, b"new", force=True)
    assert link.is_symlink()
    assert chain.is_symlink()
    assert (tmp_path / named).read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == sorted({"chain.txt", "elsewhere", "link.txt", "target.txt", named})
    assert os.listdir() == []


def test_the_command_line_writes_into_a_pipe_and_leaves_it_one(tmp_path):
    path, pipe = write(tmp_path, "x.csv", "y,p\n1,2\n2,2\n"), tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    for more in ([], ["--force"]):
        done = ordeval("score", path, "--true", "y", "--pred", "p", "--metrics", "accuracy", "-o", pipe, *more)
        assert done.returncode == 0, done.stderr
        assert os.read(reading, 10_000).decode().split()[1:4] == ["2", "rows", "read"]
        assert pipe.is_fifo()
    os.close(reading)


def test_a_note_says_which_of_several_files_it_is_about(tmp_path):
    whole, cut, short = (
        write(tmp_path, f"{name}.csv", text) for name, text in (("a", "y,p\n1,2\n"), ("b", "y,p\n1,1"), ("c", "y,p\n2,2"))
    )
    assert scan([whole, cut]).audit.notes == (f"the last line has no line end ({cut})",)
    assert scan([whole, cut, short]).audit.notes == ("the last line has no line end (2 files)",)
    assert scan(cut).audit.notes == ("the last line has no line end",)


def test_a_column_without_any_value_fits_every_other_and_one_with_a_value_does_not(tmp_path):
    empty = parquet(tmp_path / "a.parquet", y=[1], p=pa.array([None], pa.int64()))
    full = parquet(tmp_path / "b.parquet", y=[1, 2], p=[1, 2])
    text = parquet(tmp_path / "c.parquet", y=[1, 2], p=["1", "2"])
    for order in ([empty, text], [text, empty]):
        counts = oe.scan(order, true="p", pred="p", missing="drop", missing_truth="drop", labels=["1", "2"])
        assert counts.matrix.tolist() == [[1, 0], [0, 1]]
    for order in ([empty, full, text], [full, empty, text], [text, full, empty]):
        refused(order, 'column "p" holds .*; convert one of them', labels=[1, 2])
