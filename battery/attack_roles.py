"""Sources with more than truth and prediction: weights, groups, clusters, several models, a truth in another source."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from battery.attack_tables import READ, REFUSE, Case, Table, case, gz, parquet, put, table, zst


def columns_of(t: Table, **more: Any) -> dict[str, list[Any]]:
    return {"y": t.y, "p": t.p} | {name: np.asarray(column).tolist() for name, column in more.items()}


def door(columns: dict[str, list[Any]], rng: Random, folder: Path, name: str = "rows") -> Any:
    """The columns as a file or a frame of some kind."""
    rows = list(zip(*columns.values(), strict=True))

    def delimited(sign: str) -> bytes:
        def written(value: Any) -> str:
            text = str(value)
            return f'"{text}"' if sign in text or '"' in text else text

        return "".join(sign.join(map(written, row)) + "\n" for row in [tuple(columns), *rows]).encode()

    def lines() -> bytes:
        return "".join(json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) + "\n" for row in rows).encode()

    def frame(kind: str) -> Any:
        import pyarrow as pa

        if kind == "arrow":
            return pa.table(columns)
        if kind == "pandas":
            return pa.table(columns).to_pandas()
        import polars as pl

        found = pl.DataFrame(columns)
        return found.lazy() if kind == "lazy" else found

    return rng.choice(
        [
            lambda: put(folder, f"{name}.csv", delimited(",")),
            lambda: put(folder, f"{name}.csv.gz", gz(delimited(";"), rng)),
            lambda: put(folder, f"{name}.tsv", delimited("\t")),
            lambda: put(folder, f"{name}.jsonl.zst", zst(lines())),
            lambda: parquet(folder / f"{name}.parquet", columns, row_group_size=rng.choice([7, 1_000, None])),
            lambda: frame("arrow"),
            lambda: frame("pandas"),
            lambda: frame("polars"),
            lambda: frame("lazy"),
        ]
    )()


def some_weights(t: Table, rng: Random) -> np.ndarray:
    """Whole numbers, or eighths, whose sums are exact in any order; zeros among them."""
    g = np.random.default_rng(rng.getrandbits(32))
    whole = g.integers(0, 9, t.n)
    whole[:2] = 0, 3  # one that excludes its row, one that is not 1
    return whole if rng.random() < 0.5 else whole / 8


@case("weights.of rows", READ, 3)
def weighted(rng: Random, folder: Path) -> Case:
    t = table(rng, 5_000)
    t.weights = some_weights(t, rng)
    return Case(door(columns_of(t, w=t.weights), rng, folder), t, READ, {"sample_weight": "w"}, cli=False)


@case("weights.in shards", READ)
def weighted_shards(rng: Random, folder: Path) -> Case:
    t = table(rng, 5_000)
    t.weights = some_weights(t, rng)
    columns, half = columns_of(t, w=t.weights), rng.randrange(1, t.n)
    for i, part in enumerate((slice(0, half), slice(half, None))):
        parquet(folder / f"part-{i}.parquet", {name: column[part] for name, column in columns.items()})
    return Case(folder, t, READ, {"sample_weight": "w"}, cli=False)


@case("weights.negative or missing", REFUSE)
def bad_weights(rng: Random, folder: Path) -> Case:
    """One row, anywhere."""
    t = table(rng, 3_000)
    columns = columns_of(t, w=some_weights(t, rng))
    columns["w"][rng.randrange(t.n)] = rng.choice([-1, None])
    source = parquet(folder / "rows.parquet", columns) if rng.random() < 0.5 else _frame(columns)
    return Case(source, t, REFUSE, {"sample_weight": "w"}, cli=False)


def _frame(columns: dict[str, list[Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(columns, strict=False)


@case("join.truth in another source", READ, 3)
def truth_elsewhere(rng: Random, folder: Path) -> Case:
    """Both are shuffled, weights stand beside the truth."""
    t = table(rng, 5_000)
    t.weights = some_weights(t, rng) if rng.random() < 0.5 else None
    ids = [f"r{i}" for i in range(t.n)] if rng.random() < 0.5 else [7 * i for i in range(t.n)]
    gold = {"id": ids, "y": t.y} | ({} if t.weights is None else {"w": t.weights.tolist()})
    runs = {"id": ids, "p": t.p}
    for columns in (gold, runs):
        order = rng.sample(range(t.n), t.n)
        columns.update({name: [column[i] for i in order] for name, column in columns.items()})
    kind = rng.random() < 0.5  # both files, or both frames
    made = [
        _written(columns, rng, folder, name) if kind else _frame(columns) for columns, name in ((runs, "runs"), (gold, "gold"))
    ]
    weight = {} if t.weights is None else {"sample_weight": "w"}
    return Case(made[0], t, READ, {"gold": made[1], "id": "id"} | weight, cli=False)


def _written(columns: dict[str, list[Any]], rng: Random, folder: Path, name: str) -> Path:
    source = None
    while not isinstance(source, Path):
        source = door(columns, rng, folder, name)
    return source


@case("groups.with clusters and weights", READ, 3)
def grouped(rng: Random, folder: Path) -> Case:
    """The table of each group, and the rows of each cluster."""
    t = table(rng, 3_000)
    t.weights = some_weights(t, rng) if rng.random() < 0.5 else None
    g = np.random.default_rng(rng.getrandbits(32))
    names = np.array(["north", "süd", "a, b", "3"])
    group, cluster = names[g.integers(0, 4, t.n)], g.integers(0, 40, t.n)
    more = {"site": group, "patient": cluster} | ({} if t.weights is None else {"w": t.weights})
    source = door(columns_of(t, **more), rng, folder)

    def reader(oe: Any) -> tuple[Any, int]:
        weight = {} if t.weights is None else {"sample_weight": "w"}
        counts = oe.scan(source, true="y", pred="p", labels=t.labels, by="site", cluster="patient", **weight)
        of_site = counts.groups("site")
        for name in names:
            expected = _part(t, group == name)
            if expected.matrix.any() and not np.array_equal(of_site[str(name)].matrix, expected.matrix):
                return of_site[str(name)].matrix, expected.n
        kept = np.ones(t.n, bool) if t.weights is None else t.weights > 0
        clusters = len({str(c) for c in cluster[kept]})
        found = len({str(c) for c in counts.values["patient"]})
        return counts.matrix, counts.audit.read if found == clusters else -found

    return Case(source, t, READ, cli=False, reader=reader)


def _part(t: Table, rows: np.ndarray) -> Table:
    part = t.part(rows)
    part.weights = None if t.weights is None else t.weights[rows]
    return part


@case("models.three at once", READ, 2)
def three_models(rng: Random, folder: Path) -> Case:
    """Each model's own table, and how often two of them are both right."""
    t = table(rng, 3_000)
    g = np.random.default_rng(rng.getrandbits(32))
    others = [np.where(g.random(t.n) < share, t.true, g.integers(0, len(t.labels), t.n)) for share in (0.3, 0.8)]
    more = {f"m{i}": np.array(t.labels, object)[codes] for i, codes in enumerate(others)}
    source = door(columns_of(t, **more), rng, folder)

    def reader(oe: Any) -> tuple[Any, int]:
        counts = oe.scan(source, true="y", pred=["p", "m0", "m1"], labels=t.labels)
        for name, codes in (("m0", others[0]), ("m1", others[1])):
            if not np.array_equal(counts[name].matrix, Table(t.labels, t.true, codes).matrix):
                return counts[name].matrix, t.n
        pair = counts.margin("p", "m1")
        both = Table(t.labels, t.pred, others[1]).matrix
        table_of = np.zeros_like(both)
        table_of[tuple(pair.cells.T)] = pair.weights
        return (counts["p"].matrix, counts.audit.read) if np.array_equal(table_of, both) else (table_of, t.n)

    return Case(source, t, READ, cli=False, reader=reader)
