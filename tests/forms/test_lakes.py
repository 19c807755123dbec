"""Lake tables: of Delta and Iceberg the rows that live, after overwrites and deletes, from this machine alone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from processes import GUARD

import ordeval as oe

for library in ("deltalake", "pyiceberg"):
    pytest.importorskip(library, reason=f'{library} is not installed: pip install "ordeval[lake]"')

from deltalake import DeltaTable, write_deltalake  # noqa: E402
from pyiceberg.catalog import MetastoreCatalog  # noqa: E402
from pyiceberg.table import CommitTableResponse, Table  # noqa: E402

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


def test_a_delta_table_after_an_overwrite_and_a_delete_has_its_live_rows_only(table, tmp_path):
    path = tmp_path / "delta"
    write_deltalake(str(path), table, partition_by=["site"])
    write_deltalake(str(path), table.slice(0, 200), mode="overwrite")
    live = scan(table.slice(0, 200))
    for source in (path, str(path), path.as_uri(), DeltaTable(path)):
        assert scan(source) == live
        assert scan(source).audit.read == 200
    DeltaTable(path).delete("site = 'a'")
    left = [row for row in table.slice(0, 200).to_pylist() if row["site"] == "b"]
    assert scan(path) == scan(pa.Table.from_pylist(left))
    assert 0 < scan(path).audit.read == len(left) < 200
    dead = sum(pq.read_metadata(file).num_rows for file in path.rglob("*.parquet"))
    assert dead > N  # what the folder's files hold
    for inside in (str(path / "**" / "*.parquet"), [path], path / "site=b", next(path.rglob("*.parquet"))):
        with pytest.raises(
            ValueError, match="is a Delta table, whose files also hold rows that were deleted or replaced; give the table itself"
        ):
            scan(inside)


class Shelf(MetastoreCatalog):
    """A catalog in memory that keeps nothing but where each table's metadata is."""

    def __init__(self, folder):
        super().__init__("shelf", warehouse=folder.as_uri())
        self.places = {}

    def load_table(self, identifier):
        from pyiceberg.serializers import FromInputFile

        io = self._load_file_io(location=self.places[identifier])
        metadata = FromInputFile.table_metadata(io.new_input(self.places[identifier]))
        return Table(identifier, metadata, self.places[identifier], io, self)

    def create(self, identifier, schema, location):
        staged = self._create_staged_table(identifier, schema, location)
        return self._write(staged, identifier)

    def commit_table(self, table, requirements, updates):
        staged = self._update_and_stage_table(self.load_table(table.name()), table.name(), requirements, updates)
        done = self._write(staged, table.name())
        return CommitTableResponse(metadata=done.metadata, metadata_location=done.metadata_location)

    def _write(self, staged, identifier):
        self._write_metadata(staged.metadata, staged.io, staged.metadata_location)
        self.places[identifier] = staged.metadata_location
        return self.load_table(identifier)


Shelf.__abstractmethods__ = frozenset()  # views, namespaces and the rest are not asked for


def iceberg(table, folder):
    made = Shelf(folder).create(("n", "t"), table.schema, (folder / "ice").as_uri())
    made.append(table)
    return made


def test_an_iceberg_table_after_a_delete_has_its_live_rows_only(table, tmp_path):
    made = iceberg(table, tmp_path)
    first = made.metadata_location
    made.delete("site == 'a'")
    left = table.filter(pc.equal(table["site"], "b"))
    assert scan(made) == scan(made.metadata_location.removeprefix("file://")) == scan(made.metadata_location) == scan(left)
    assert scan(made).audit.read == len(left) < N == scan(first).audit.read
    folder = tmp_path / "ice"
    assert sum(pq.read_metadata(file).num_rows for file in folder.rglob("*.parquet")) > N
    for inside in (str(folder / "**" / "*.parquet"), [folder], folder / "data"):
        with pytest.raises(
            ValueError,
            match="is an Iceberg table, whose files also hold rows that were deleted or replaced; give the table itself",
        ):
            scan(inside)


def test_the_current_metadata_of_an_iceberg_folder_is_never_guessed(table, tmp_path):
    made = iceberg(table, tmp_path)
    made.delete("site == 'a'")
    folder = tmp_path / "ice"
    with pytest.raises(
        ValueError, match=r"3 metadata files, and only its catalog knows which one is current; give the table of the catalog, or"
    ):
        scan(folder)
    current = os.path.basename(made.metadata_location)
    shutil.copy(folder / "metadata" / current, folder / "metadata" / "v3.metadata.json")
    (folder / "metadata" / "version-hint.text").write_text("3")
    assert scan(folder) == scan(made)
    for file in (folder / "metadata").glob("0*.metadata.json"):
        file.unlink()
    (folder / "metadata" / "version-hint.text").unlink()
    assert scan(folder) == scan(folder / "metadata" / "v3.metadata.json")


def test_a_table_given_by_its_path_is_read_from_this_machine_alone(table, tmp_path):
    made = iceberg(table, tmp_path)
    path = made.metadata_location.removeprefix("file://")
    for change in ({"location": "s3://bucket/t"}, {"manifest-list": "s3://bucket/m.avro"}):
        told = json.loads(Path(path).read_text())
        for place in (told, *told["snapshots"]):
            place.update({key: value for key, value in change.items() if key in place})
        other = tmp_path / f"{next(iter(change))}.metadata.json"
        other.write_text(json.dumps(told))
        with pytest.raises(
            ValueError, match=r"names files on another machine \(s3://bucket/.*\), and nothing is fetched from a network"
        ):
            scan(other)


def test_a_broken_table_is_one_sentence(tmp_path):
    (tmp_path / "d" / "_delta_log").mkdir(parents=True)
    (tmp_path / "d" / "_delta_log" / "00000000000000000000.json").write_text("{")
    (tmp_path / "v1.metadata.json").write_text("{}")
    for path in (tmp_path / "d", tmp_path / "v1.metadata.json"):
        with pytest.raises(ValueError, match=r"cannot be read as a table: \S") as caught:
            scan(path)
        assert "\n" not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(("hidden", "word"), [("polars", "Polars"), ("deltalake", "deltalake")])
def test_without_the_libraries_one_sentence_says_what_to_install(table, tmp_path, hidden, word):
    write_deltalake(str(tmp_path / "d"), table)
    program = (
        f"import sys; sys.modules[{hidden!r}] = None\nimport ordeval as oe\n"
        f"try:\n    oe.scan({str(tmp_path / 'd')!r}, true='y', pred='p')\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=GUARD)
    assert word in done.stdout
    assert 'pip install "ordeval[lake]"' in done.stdout
