"""From a study to its rows: the files it names, read as it says, counted."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ordeval.base.errors import ArgumentError
from ordeval.counts import Counts
from ordeval.order.scale import Scale
from ordeval.read.folders import find_files
from ordeval.read.problems import Problems
from ordeval.read.reading import Reading
from ordeval.read.runs import RunAudit, scan_runs, system_names
from ordeval.read.scan import scan
from ordeval.read.values import Columns
from ordeval.study._consistency import grouping, model_columns

#: The keys of [reading] and [data] that say what written values mean.
READING = ("na", "recode", "decimal", "thousands", "case", "space", "quote")
OF_FILES = ("encoding", "sheet")


class StudyRows:
    """The rows that a study names, and how they are read."""

    folder: str
    data: dict[str, Any]
    columns: dict[str, Any]
    scale_table: dict[str, Any]
    reading_table: dict[str, Any]
    missing: dict[str, Any]

    def __init__(self, data: Mapping[str, Any], folder: str) -> None:
        self.folder = folder
        tables = ("data", "columns", "scale", "reading", "missing")
        self.data, self.columns, self.scale_table, self.reading_table, self.missing = (data.get(name, {}) for name in tables)

    @property
    def shape(self) -> str:
        return str(self.data.get("shape", "wide"))

    @property
    def labels(self) -> Any:
        """The classes for `labels=`; None where the columns carry their own."""
        if "edges" in self.scale_table:
            return Scale.from_edges(self.scale_table["edges"], names=self.scale_table.get("names"))
        return self.scale_table.get("labels")

    @property
    def reading(self) -> Reading | None:
        """What written values mean, where it is not the usual."""
        given = {name: self.reading_table[name] for name in READING if name in self.reading_table}
        given |= {name: self.data[name] for name in OF_FILES if name in self.data}
        return Reading(**given) if given else None

    def place(self, path: str) -> str:
        """A path of the study, seen from here."""
        return os.path.join(self.folder, path) if self.folder else path

    @property
    def files(self) -> list[str]:
        """Paths and patterns of the rows."""
        given = self.data.get("files", [])
        return [self.place(path) for path in ([given] if isinstance(given, str) else given)]

    @property
    def runs(self) -> dict[str, str]:
        """{model: its file}, of a study of runs."""
        given = self.data.get("runs", [])
        patterns = [self.place(path) for path in ([given] if isinstance(given, str) else given)]
        return system_names(sorted(find_files(patterns).paths))

    def check_files(self) -> None:
        """Refuse a study that names a file twice, by a link or by a pattern."""
        patterns = self.files if self.shape != "runs" else [self.place(self.data["gold"]), *self.runs.values()]
        for note in find_files(patterns).notes:
            if "listed twice" in note:
                raise ArgumentError(
                    "{note}", argument="files", remedy="name every file once", values={"note": note.replace(", read once", "")}
                )

    def count(self) -> tuple[Counts, dict[str, RunAudit]]:
        """The counts, and of runs how each met the gold."""
        self.check_files()
        if self.shape == "runs":
            return self._runs()
        own: dict[str, Any] = {"true": self.columns["true"], "labels": self.labels, "missing": self.answer}
        same = {"cluster": "cluster", "weight": "sample_weight"}
        own |= {keyword: self.columns[key] for key, keyword in same.items() if key in self.columns}
        if groups := grouping(self.columns):
            own["by"] = groups
        if "max_rows" in self.data:
            own["max_rows"] = self.data["max_rows"]
        if self.shape == "wide" and "id" in self.columns:
            self._check_ids(self.columns["id"])
        if self.shape == "long":
            own |= {"pred": self.columns["pred"], "model_column": self.columns["model"], "id": self.columns["id"]}
        else:
            own["pred"] = model_columns(self.columns)
        return scan(self.files, **own, **self._asked()), {}

    def _check_ids(self, id: str) -> None:
        """Refuse an id that stands twice: rows could not be named, and a file may have been put in twice."""
        more = {key: value for key, value in self._asked().items() if key == "reading"}
        words, places = Columns.read(self.files, [id], max_rows=self.data.get("max_rows"), **more).texts(id)
        times = np.bincount(places[places >= 0], minlength=len(words))
        twice = np.flatnonzero(times > 1)
        blank = int((places < 0).sum())
        if twice.size:
            first, n = int(twice[0]), f"{twice.size:,} {'value occurs' if twice.size == 1 else 'values occur'}"
            rows = " and ".join(f"{row + 1:,}" for row in np.flatnonzero(places == first)[:2].tolist())
            said = f"{id}: {n} more than once, the first is {words[first]} (rows {rows})"
        elif blank:
            rows_text = "1 row has" if blank == 1 else f"{blank:,} rows have"
            said = f"{id}: {rows_text} no value, the first is row {int(np.flatnonzero(places < 0)[0]) + 1:,}"
        else:
            return
        raise ArgumentError("{said}", argument="id", remedy="every row needs an id of its own", values={"said": said})

    def _runs(self) -> tuple[Counts, dict[str, RunAudit]]:
        names = {name: self.columns[name] for name in ("true", "pred", "id")}
        more: dict[str, Any] = {"max_rows": self.data["max_rows"]} if "max_rows" in self.data else {}
        more |= {"by": grouping(self.columns) or None, "cluster": self.columns.get("cluster")}
        gold = self.place(self.data["gold"])
        return scan_runs(gold, self.runs, **names, labels=self.labels, missing=self.answer, **more, **self._asked())

    def problems(self) -> Problems:
        """Everything that is wrong with the rows."""
        same: dict[str, Any] = {key: value for key, value in self._asked().items() if key in ("reading", "unknown")}
        same |= {"labels": self.labels, "missing": self.answer, "max_rows": self.data.get("max_rows")}
        if self.shape == "runs":
            names = {name: self.columns[name] for name in ("true", "pred", "id")}
            strays = self.missing.get("strays", "error")
            return Problems.of_runs(self.place(self.data["gold"]), self.runs, **names, **same, strays=strays)
        if self.shape == "long":
            same |= {"pred": self.columns["pred"], "model_column": self.columns["model"]}
        else:
            same["pred"] = list(model_columns(self.columns).values())
        beside = {"weight": "sample_weight", "cluster": "cluster", "id": "id"}
        same |= {keyword: self.columns[key] for key, keyword in beside.items() if key in self.columns}
        return Problems.of_rows(
            self.files[0] if len(self.files) == 1 else self.files, true=self.columns["true"], by=grouping(self.columns), **same
        )

    @property
    def answer(self) -> Any:
        """What a row without an answer counts as."""
        return self.missing.get("answer", "error")

    def _asked(self) -> dict[str, Any]:
        """What is not the usual, by the keyword that asks for it."""
        found: dict[str, Any] = {
            key: self.missing[key] for key in ("unknown", "strays") if self.missing.get(key, "error") != "error"
        }
        found["missing_truth"] = self.missing.get("truth", "error")
        if (reading := self.reading) is not None:
            found["reading"] = reading
        return found

    def forecasts(self, models: Mapping[str, list[str]]) -> tuple[Any, dict[str, Any], dict[str, Any], dict[str, Any]]:
        """The truth, the answers and the probabilities of some models, and what else belongs to the rows."""
        of_model, by = model_columns(self.columns), grouping(self.columns)
        answers = {model: of_model[model] for model in models}
        cluster, weight = (self.columns.get(name) for name in ("cluster", "weight"))
        numbers = [*(name for each in models.values() for name in each), *([weight] if weight else [])]
        classes = [self.columns["true"], *answers.values()]
        wanted = [*classes, *by, *([cluster] if cluster else [])]
        more: dict[str, Any] = {key: value for key, value in self._asked().items() if key in ("reading", "unknown")}
        more |= {"numbers": numbers, "classes": classes, "max_rows": self.data.get("max_rows")}
        labels = self.labels if isinstance(self.labels, Scale) or self.labels is None else Scale(self.labels)
        columns = Columns.read(self.files, wanted, scale=labels, **more)
        same = {
            "labels": columns.scale,
            "by": {name: columns[name] for name in by} or None,
            "cluster": {cluster: columns[cluster]} if cluster else None,
            "sample_weight": columns[weight] if weight else None,
            "missing": self.answer,
        }
        proba = {model: np.column_stack([columns[name] for name in each]) for model, each in models.items()}
        return columns[self.columns["true"]], {m: columns[c] for m, c in answers.items()}, proba, same
