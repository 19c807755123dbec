"""Ways in: whatever holds the rows, the counts are those of the rows that live."""

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import ordeval as oe

pytest.importorskip("datasets", reason="datasets is not installed: make setup")

import datasets
import fsspec

ORDER = ["low", "mid", "high"]
N = 600


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    chosen = {
        "y": rng.choice(ORDER, N),
        "p": rng.choice(ORDER, N),
        "site": rng.choice(["a", "b"], N),
        "other": rng.normal(size=N),
    }
    return pa.table({name: pa.array(values) for name, values in chosen.items()})


def scan(source, **options):
    return oe.scan(source, true="y", pred="p", **{"labels": ORDER, **options})


class Stream:
    """Nothing but the protocol."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_datasets_readers_and_streams_are_counted_as_the_table_is(table, tmp_path):
    ds.write_dataset(table, tmp_path / "rows", format="parquet", max_rows_per_file=200, max_rows_per_group=200)
    expected = scan(table, by="site")
    sources = {
        "a dataset": ds.dataset(tmp_path / "rows"),
        "a scanner": ds.dataset(tmp_path / "rows").scanner(columns=["y", "p", "site"]),
        "a reader": pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=100)),
        "a stream": Stream(table),
        "a Hugging Face dataset": datasets.Dataset(table).shuffle(seed=1),
        "one that is read on the way": datasets.Dataset(table).to_iterable_dataset(),
        "the same with features unknown": datasets.IterableDataset.from_generator(lambda: iter(table.to_pylist())),
    }
    for name, source in sources.items():
        counts = scan(source, by="site")
        assert counts == expected, name
        assert counts.audit.read == N, name


def test_a_selection_of_a_hugging_face_dataset_is_not_the_table_beneath(table):
    some = datasets.Dataset(table).shuffle(seed=1).select(range(5))
    assert some.data.table.num_rows == N  # what a look at the table would have counted
    assert scan(some).total == 5
    assert scan(some).matrix.tolist() == scan(pa.Table.from_pylist(some.to_list())).matrix.tolist()
    with pytest.raises(ValueError, match=r"the Hugging Face dataset holds 5 rows, more than the limit of 4|5 rows"):
        scan(some, max_rows=4)
    with pytest.raises(TypeError, match="scan reads files, frames and relations; give one of its splits"):
        scan(datasets.DatasetDict({"test": some}))


def test_only_the_columns_in_use_are_read_of_a_dataset(table, tmp_path):
    """The other column cannot be read: one of its files stores it as something else."""
    for i, other in enumerate(([1.5], ["no number"])):
        pq.write_table(pa.table({"y": ["low"], "p": ["mid"], "other": other}), tmp_path / f"{i}.parquet")
    source = ds.dataset([tmp_path / "0.parquet", tmp_path / "1.parquet"])
    with pytest.raises(pa.ArrowInvalid):
        source.to_table()
    assert scan(source).total == 2


def test_an_ordered_dictionary_keeps_its_order_on_every_way(tmp_path):
    ordered = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 1]), pa.array(ORDER), ordered=True)
    table = pa.table({"y": ordered, "p": ordered})
    pq.write_table(table, tmp_path / "x.parquet")
    for source in (ds.dataset(tmp_path / "x.parquet"), table.to_reader(), Stream(table)):
        assert scan(source, labels=None).scale.labels == tuple(ORDER)


def test_a_stream_that_was_read_says_so(table):
    reader = table.to_reader()
    assert scan(reader).total == N
    with pytest.raises(ValueError, match="the stream of Arrow batches has no rows; it can be read only once"):
        scan(reader)


def test_a_dataset_lacking_a_column_or_rows_says_so(table):
    with pytest.raises(ValueError, match="the Arrow dataset has no column 'q'; it has 'y', 'p'"):
        oe.scan(ds.dataset(table.select(["y", "p"])), true="y", pred="q")
    with pytest.raises(ValueError, match="there are no rows"):
        scan(datasets.Dataset(table.slice(0, 0)))


def test_a_dataset_joins_by_id_as_a_table_does(table):
    ids = pa.array([str(i) for i in range(N)])
    gold = ds.dataset(table.select(["y"]).append_column("id", ids))
    runs = datasets.Dataset(table.select(["p"]).append_column("id", ids)).shuffle(seed=2)
    assert scan(runs, gold=gold, id="id").matrix.tolist() == scan(table).matrix.tolist()


# Files elsewhere


@pytest.fixture
def memory(table):
    there = fsspec.filesystem("memory")
    there.store.clear()
    for site in ("a", "b"):
        with there.open(f"/rows/site={site}/x.parquet", "wb") as file:
            pq.write_table(table.filter(pa.compute.equal(table["site"], site)).drop(["site"]), file)
    with there.open("/x.csv", "wb") as file:
        file.write(b"y,p\nlow,mid\nmid,mid\n")
    with there.open("/cut.csv.gz", "wb") as file:
        file.write(b"\x1f\x8b\x08\x00 cut")
    yield there
    there.store.clear()


def test_files_of_a_file_system_that_the_caller_opened(table, memory):
    for source in ("/rows", "memory://rows", "/rows/*/x.parquet", ["/rows/site=a/x.parquet", "/rows/site=b/x.parquet"]):
        counts = scan(source, by="site", filesystem=memory)
        assert counts == scan(table, by="site"), source
        assert [file.path.lstrip("/") for file in counts.audit.files] == ["rows/site=a/x.parquet", "rows/site=b/x.parquet"]
    counts = scan("/x.csv", filesystem=memory)
    assert (counts.matrix.tolist(), counts.audit.files[0].path) == ([[0, 1, 0], [0, 1, 0], [0, 0, 0]], "/x.csv")


A, B = (f"/rows/site={site}/x.parquet" for site in "ab")


@pytest.mark.parametrize(
    "source",
    [
        [A, A, B],
        ["/rows", A],
        [B, "/rows"],
        ["/rows", "/rows"],
        ["/rows/site=b", "/rows/*/x.parquet"],
        ["/rows/*/x.parquet", "/rows/site=[ab]/*", "/rows/site=a/*"],
        [f"memory:/{A}", A, B],
        ["memory://rows", f"memory:/{B}"],
        ["rows/*/x.parquet", A.lstrip("/")],
        [B.lstrip("/"), "rows"],
    ],
    ids=" ".join,
)
def test_a_file_elsewhere_that_is_named_twice_is_read_once(table, memory, source):
    counts = scan(source, by="site", filesystem=memory)
    assert counts == scan(table, by="site")
    assert (counts.audit.read, sorted(file.path for file in counts.audit.files)) == (N, [A, B])


@pytest.mark.parametrize(
    "source", [["rows", "rows/x.csv"], ["rows/x.csv", "./rows/x.csv"], ["rows/*", "rows/x.csv"]], ids=" ".join
)
def test_a_file_here_that_is_named_twice_is_read_once_with_and_without_a_file_system(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "x.csv").write_text("y,p\nlow,mid\nmid,mid\n")
    for filesystem in (None, fsspec.filesystem("file")):
        assert scan(source, filesystem=filesystem) == oe.count(["low", "mid"], ["mid", "mid"], labels=ORDER)


def test_what_is_wrong_elsewhere_is_said_by_the_names_there(memory):
    for source, message in {
        "/cut.csv.gz": r"^/cut\.csv\.gz ",
        "/none.csv": "no file of the file system matches /none.csv",
        "/rows/*.csv": "no file of the file system matches",
    }.items():
        with pytest.raises((ValueError, FileNotFoundError), match=message):
            scan(source, filesystem=memory)
    with memory.open("/rows/_delta_log/0.json", "wb") as file:
        file.write(b"{}")
    for source in ("/rows", "/rows/site=a/x.parquet", "/rows/*/*.parquet"):
        with pytest.raises(
            ValueError, match="/rows is a Delta table, whose files also hold rows that were deleted or replaced; read its"
        ):
            scan(source, filesystem=memory)
    with pytest.raises(TypeError, match=r'filesystem is a str; give a file system of fsspec, such as fsspec.filesystem\("s3"\)'):
        scan("/x.csv", filesystem="s3")
    with pytest.raises(TypeError, match="filesystem is for paths"):
        scan(pa.table({"y": [1], "p": [1]}), filesystem=memory)


def test_nothing_is_fetched_without_a_file_system():
    for address in ("s3://bucket/x.parquet", "memory://x.csv", "https://example.org/x.csv"):
        with pytest.raises(ValueError, match="is not a file on this machine; nothing is fetched from a network"):
            scan(address)
