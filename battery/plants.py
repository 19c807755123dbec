"""Bad implementations on purpose: another text in a source file, in this process or in those that are started, and bad metrics.

A plant makes something wrong for as long as its block lasts; the row that looks at it must then report failures.
"""

from __future__ import annotations

import functools
import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any
from unittest import mock

import numpy as np

from battery.rows import ROOT, Plant

OPTIMIZED = 0x1  # the flag of code that is a function's, not a module's or a class's


@dataclass(frozen=True)
class Edit:
    """One stretch of a source file exchanged for another; it must stand there exactly once."""

    file: str
    before: str
    after: str

    def source(self) -> str:
        """The file with the mistake in it."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            raise LookupError(f"{self.file} holds {self.before!r} {text.count(self.before)} times, and must hold it once")
        return text.replace(self.before, self.after)

    @contextmanager
    def here(self) -> Iterator[None]:
        """The mistake in this process: the living functions of the file get their code from the other text."""
        path = str(ROOT / self.file)
        old = list(functions_of(compile((ROOT / self.file).read_bytes(), path, "exec", dont_inherit=True)))
        new = list(functions_of(compile(self.source(), path, "exec", dont_inherit=True)))
        if [code.co_name for code in old] != [code.co_name for code in new]:
            raise LookupError(f"{self.file} has other functions with {self.after!r}, so they cannot be exchanged")
        module = self.file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        __import__(module)
        changed = {(a.co_firstlineno, a.co_name): (a, b) for a, b in zip(old, new, strict=True) if a != b}
        undo = []
        for found in gc.get_objects():
            if type(found) is FunctionType and found.__code__.co_filename == path:
                before, after = changed.get((found.__code__.co_firstlineno, found.__code__.co_name), (None, None))
                if after is not None and found.__code__ == before and found.__code__.co_freevars == after.co_freevars:
                    undo.append((found, found.__code__))
                    found.__code__ = after
        if not undo:
            raise LookupError(f"no living function of {self.file} changes with {self.after!r}")
        _forget()
        try:
            yield
        finally:
            for found, code in undo:
                found.__code__ = code
            _forget()

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """The mistake in the programs that are started: they import a copy of the package that has it."""
        with tempfile.TemporaryDirectory(prefix="ordeval-plant-") as folder:
            copy = Path(folder) / "src"
            shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
            (Path(folder) / self.file).write_text(self.source(), encoding="utf-8")
            with mock.patch.dict(os.environ, {"PYTHONPATH": str(copy)}):
                yield


def functions_of(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module, methods, lambdas and inner ones included, in the order of the source."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & OPTIMIZED:
                yield constant
            yield from functions_of(constant)


def _forget() -> None:
    """Caches may hold what the other code gave."""
    for found in gc.get_objects():
        if type(found) is functools._lru_cache_wrapper and str(found.__module__).startswith("ordeval"):
            found.cache_clear()


def in_this_process(**edits: tuple[str, str, str]) -> dict[str, Plant]:
    """Plants by name, with `_` for the spaces of a name: file, before, after."""
    return {name.replace("_", " "): Edit(*edit).here for name, edit in edits.items()}


def in_others(**edits: tuple[str, str, str]) -> dict[str, Plant]:
    """The same for rows that start programs."""
    return {name.replace("_", " "): Edit(*edit).elsewhere for name, edit in edits.items()}


def edits_of(planted: dict[str, Plant]) -> list[Edit]:
    """The edits among some plants."""
    found = (getattr(plant, "__self__", None) for plant in planted.values())
    return [edit for edit in found if isinstance(edit, Edit)]


def replaced(target: str, name: str, change: Callable[[Any], Any]) -> Plant:
    """A plant that puts something else in the place of what a module or a class calls so: ``change`` makes it of the good one."""

    @contextmanager
    def plant() -> Iterator[None]:
        module, _, inside = target.partition(":")
        __import__(module)
        owner = sys.modules[module]
        for part in filter(None, inside.split(".")):
            owner = getattr(owner, part)
        with mock.patch.object(owner, name, change(getattr(owner, name))):
            yield

    return plant


# Bad metrics


def spoiled_tables(spoil: Callable[[Callable[[Any], Any], Any], Any]) -> Plant:
    """Every metric of tables gives what ``spoil(good, tables)`` makes of the good one."""

    def change(bind: Any) -> Any:
        def bad(self: Any, counts: Any) -> Any:
            good = bind(self, counts)
            return (lambda tables: spoil(good, np.asarray(tables, float))) if self.needs_only_counts else good

        return bad

    return replaced("ordeval.metrics.core.record:Metric", "bind", change)


def spoiled_points(spoil: Callable[[float], float]) -> Plant:
    """Every score of rows, of probabilities or sets, is spoiled."""

    def change(bind: Any) -> Any:
        def bad(self: Any, counts: Any) -> Any:
            good = bind(self, counts)
            return good if self.needs_only_counts else _Spoiled(good, spoil)

        return bad

    return replaced("ordeval.metrics.core.record:Metric", "bind", change)


class _Spoiled:
    def __init__(self, good: Any, spoil: Callable[[float], float]) -> None:
        self.good, self.spoil = good, spoil

    def point(self) -> float:
        return self.spoil(self.good.point())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.good, name)


def single(value: Any) -> Any:
    """In single precision."""
    return np.asarray(value, np.float32).astype(float)[()]


def zero_for_nan(value: Any) -> Any:
    return np.nan_to_num(value, nan=0.0, posinf=np.inf, neginf=-np.inf)[()]


#: What may be wrong with the numbers of a metric of tables.
BAD_NUMBERS: dict[str, Plant] = {
    "1e-9 added": spoiled_tables(lambda good, tables: good(tables) + 1e-9),
    "nan given as 0": spoiled_tables(lambda good, tables: zero_for_nan(good(tables))),
    "truth and prediction exchanged": spoiled_tables(lambda good, tables: good(np.swapaxes(tables, -1, -2))),
    "single precision": spoiled_tables(lambda good, tables: single(good(tables))),
}
