"""`ordeval init`: a study proposed from rows, with everything odd in them listed and every question that only people can answer."""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ordeval.base.docs import documented
from ordeval.base.errors import ArgumentError
from ordeval.read import Reading
from ordeval.read.folders import find_files
from ordeval.read.reading import Encoding
from ordeval.show._plain import count_text, printable
from ordeval.study._look import BLANK, CASE, COMMA, FRACTION, NOTHING_HERE, SPACE, Look, look_at
from ordeval.study._proposal import Proposal, sorted_values
from ordeval.study._roles import TRUTHS, guess_roles, one_row_per_answer, says_who
from ordeval.study._toml import key_text, written

ANSWER = "missing.answer: your choice"
CLUSTERS = (
    *("patient", "subject", "person", "participant", "user", "document", "doc", "student", "author", "session", "speaker"),
    *("cluster", "family", "school", "class", "team", "annotator", "conversation", "thread"),
)
IDS = ("id", "item", "visit", "row", "uid", "uuid", "key", "doc_id", "item_id")
PREDS = ("pred", "prediction", "predicted", "y_pred", "answer", "label", "class", "grade", "output", "response")
CHOICES = "error, drop, unanswered, wrong or { as = CLASS }"


@documented(
    "What was found, and the study that it proposes.",
    files="Paths and patterns of the rows; of several with different columns, the truth and the runs.",
    folder="Where the study will stand: paths in it are relative to this.",
    sheet="The sheet of an Excel workbook: its name, or its number, counted from 1.",
    encoding="The encoding of text files: utf-8, utf-16, windows-1252 or latin-1.",
)
def look(files: Sequence[str], folder: str = "", *, sheet: str | int | None = None, encoding: Encoding = "utf-8") -> Proposal:
    """Look at every row once and propose a study for a file in ``folder``."""
    reading = Reading(sheet=sheet, encoding=encoding)
    found = list(find_files(list(files)).paths)
    if not found:
        raise ArgumentError("there are no files", argument="source", remedy="name the files with the rows")
    names = {path: _names(path, reading) for path in found} if len(found) > 1 else {}
    if names and len({frozenset(each) for each in names.values()}) > 1:
        return _RunsDraft(found, names, folder, reading).proposal()
    return _WideDraft(found, folder, reading).proposal()


def _names(path: str, reading: Reading) -> list[str]:
    from ordeval.read.scan import peek

    return list(peek(path, reading=reading).columns)


class _Draft:
    """A study in the making: lines, questions, and what is proposed for each oddity."""

    def __init__(self, paths: Sequence[str], folder: str, reading: Reading) -> None:
        self.folder, self.read_as = folder or ".", reading
        self.questions: list[str] = []
        self.roles: dict[str, str] = {}
        self.paths = list(paths)
        self.absent = 0  # answers that have no row, where a row is one answer

    def how_read(self) -> list[str]:
        """The keys of [data] without which the files cannot be read."""
        sheet = [] if self.read_as.sheet is None else [f"sheet = {written(self.read_as.sheet)}"]
        return sheet if self.read_as.encoding == "utf-8" else [*sheet, f"encoding = {written(self.read_as.encoding)}"]

    def relative(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")

    def ask(self, place: str, question: str) -> str:
        self.questions.append(f"{place}: {question}")
        return "# ?"

    # Tables of the study

    def scale(self, words: Sequence[str]) -> list[str]:
        """The classes: integers stand in an order of their own, of everything else people know it."""
        if words and all(re.fullmatch(r"-?\d+", word) for word in words):
            numbers = sorted(int(word) for word in words)
            if numbers[-1] - numbers[0] < 30:
                every = list(range(numbers[0], numbers[-1] + 1))
                return [
                    "",
                    "[scale]",
                    "# whole numbers, in their own order; add classes that occur nowhere",
                    f"labels = {written(every)}",
                ]
        listed = ", ".join(sorted_values(words))
        mark = self.ask("scale.labels", f"{listed}, which is lowest?" if words else "which classes are there, lowest first?")
        return ["", "[scale]", f"labels = []  {mark} put in order, lowest first: {listed}"]

    def reading(self, looks: Sequence[tuple[Look, Sequence[str]]], truth: frozenset[str]) -> list[str]:
        """What written values mean: keys that explain the variants, or a table for each of them."""
        lines: list[str] = []
        odd = [o for look, columns in looks for o in look.oddities if o.column in columns]
        recode = self._recode(looks, truth)
        if recode:
            lines += ["# variants that spaces and capitals do not explain", f"recode = {written(recode)}"]
        else:
            for kind, what, line in (
                (SPACE, "with a space at an end", 'space = "trim"'),
                (CASE, "in another case", 'case = "ignore"'),
            ):
                cells_of: dict[str, int] = {}
                for o in (o for o in odd if o.kind == kind):
                    cells_of[o.column] = cells_of.get(o.column, 0) + o.times
                said = [f"{column}: {count_text(times, 'cell')}" for column, times in cells_of.items()]
                lines += [f"# {', '.join(said)} {what}", line] if said else []
        nothing = [o for o in odd if o.kind == NOTHING_HERE]
        if nothing:
            cells: dict[tuple[str, str], int] = {}
            for o in nothing:
                cells[o.column, o.example] = cells.get((o.column, o.example), 0) + o.times
            told = ", ".join(f"{column}: {times:,} × {written(example)}" for (column, example), times in cells.items())
            lines += [f"# no value: {told}", f"na = {written(list(dict.fromkeys(o.example for o in nothing)))}"]
        commas = [o for o in odd if o.kind == COMMA]
        if commas:
            lines += [f"# {', '.join(f'{o.column}: {o.times:,} with a decimal comma' for o in commas)}", 'decimal = ","']
        return ["", "[reading]", *lines] if lines else []

    def _recode(self, looks: Sequence[tuple[Look, Sequence[str]]], truth: frozenset[str]) -> dict[str, str]:
        """{as written: as meant}, where some answer is neither a class nor one in other spaces and capitals, and is like one."""
        clean = [look.clean[name].words for look, columns in looks for name in columns]
        strange = {word for words in clean for word in words} - truth
        near = {
            word: difflib.get_close_matches(word.casefold(), [t.casefold() for t in truth], n=2, cutoff=0.75) for word in strange
        }
        meant = {word: next(t for t in truth if t.casefold() == like[0]) for word, like in near.items() if len(like) == 1}
        if not meant or all(word.lstrip("-").isdigit() for word in truth):
            return {}
        folded = {t.casefold(): t for t in truth}
        found = {}
        for look, columns in looks:
            for name in columns:
                for text in look.raw[name].texts:
                    bare = text.strip()
                    to = meant.get(bare) or folded.get(bare.casefold())
                    if to is not None and to != text:
                        found[text] = to
        return found

    def missing(self, looks: Sequence[tuple[Look, Sequence[str]]], true: tuple[Look, str] | None) -> list[str]:
        lines: list[str] = []
        blank = {BLANK, NOTHING_HERE}
        if true is not None and (gone := sum(o.times for o in true[0].oddities if o.column == true[1] and o.kind in blank)):
            mark = self.ask("missing.truth", f"{count_text(gone, 'row')} of {true[1]} have no true class: error or drop?")
            lines.append(f'truth = ""  {mark} rows without a true class: error or drop')
        told: dict[str, int] = {}
        for look, columns in looks:
            for o in look.oddities:
                if o.column in columns and o.kind in blank and (true is None or (look, o.column) != true):
                    told[o.column] = told.get(o.column, 0) + o.times
        if self.absent:
            told["without a row"] = self.absent
        if told:
            mark = self.ask("missing.answer", "what does a blank count as?")
            said = ", ".join(f"{name} {n:,}" for name, n in told.items())
            lines.append(f'answer = ""  {mark} what a row without an answer counts as ({said}): {CHOICES}')
        return ["", "[missing]", *lines] if lines else []

    def remedies(self, looks: Sequence[Look], used: Sequence[str], toml: str) -> Iterator[str]:
        """What the study proposes for each oddity, in a few words."""
        recoded, listed = "\nrecode = " in toml, False
        for look in looks:
            for o in look.oddities:
                role, active = self.roles.get(o.column, ""), o.column in used
                key = {SPACE: 'space = "trim"', CASE: 'case = "ignore"', COMMA: 'decimal = ","'}.get(o.kind, "")
                if o.kind == NOTHING_HERE and active:
                    line = re.search(r"^na = .*$", toml, re.M)
                    yield line[0] if line and not listed else ""
                    listed = True
                elif o.kind == NOTHING_HERE:
                    yield f"na = [{written(o.example)}], if used"
                elif o.kind == BLANK:
                    own = {"true": "missing.truth: your choice", "true or model?": ANSWER}
                    yield own.get(role, ANSWER if active else "left as it is")
                elif o.kind == FRACTION:
                    yield f"read as {o.example.strip().split('.')[0]}, noted"
                elif active and recoded and o.kind in (SPACE, CASE):
                    yield "recode"
                else:
                    yield key if active else f"{key}, if used"


class _WideDraft(_Draft):
    """One table with a column for each model."""

    graded: list[str] = []  # noqa: RUF012 - the columns of classes, where it is open which of them is the truth
    shape: list[str] = []  # noqa: RUF012 - the line of [data] where a row is one answer, or may be

    def proposal(self) -> Proposal:
        shown = ", ".join(map(self.relative, self.paths[:3])) + (", …" if len(self.paths) > 3 else "")
        look = look_at(self.paths, shown, self.read_as)
        if not look.rows:
            raise ArgumentError("{name} has no rows", argument="source", values={"name": shown})
        lines = [*self._columns(look)]
        true = next((name for name, role in self.roles.items() if role == "true"), None)
        models = [name for name, role in self.roles.items() if role == ("answer" if "answer" in self.roles.values() else "model")]
        truth = look.clean[true].words if true else frozenset()
        labelled = [name for name in (true, *models) if name] or self.graded
        words = {word for name in labelled for word in look.clean[name].words}
        reading = self.reading([(look, labelled)], truth)
        recoded = self._recode([(look, labelled)], truth)
        scale = self.scale(sorted(word for word in words if word in truth or word not in recoded))
        if true and "labels = []" in scale[-1]:  # words
            known = truth | set(recoded)
            scale += [self._stray(name, look.clean[name].words - known) for name in models if look.clean[name].words - known]
        missing = self.missing([(look, labelled)], (look, true) if true else None)
        toml = _joined([*_opening(shown), *self._data(), *lines, *scale, *reading, *missing, *_judging(), ""])
        return Proposal((look,), self.roles, toml, tuple(self.questions), tuple(self.remedies([look], labelled, toml)))

    def _stray(self, name: str, strays: frozenset[str]) -> str:
        """A question about words of a model that no row is truly."""
        words = ", ".join(map(written, sorted(strays)))
        mark = self.ask(f"columns.models: {name}", f"no row has the truth {words}; is that a class, or no answer?")
        return f"{mark} {name} says {words}, and no row has that truth: a class, or no answer (reading.na)?"

    def _data(self) -> list[str]:
        files = [self.relative(path) for path in self.paths]
        return ["", "[data]", *self.shape, f"files = {written(files[0] if len(files) == 1 else files)}", *self.how_read()]

    def _columns(self, look: Look) -> list[str]:
        roles = guess_roles(look.clean)
        lines = ["", "[columns]"]
        guessed = roles.true if not roles.unsure else ""
        answers = [name for name in look.clean if name in roles.preds or name in roles.offered]
        long = one_row_per_answer(look.clean, guessed, answers[0]) if guessed and len(answers) == 1 else None
        if long is not None and says_who(long[0]):
            self.shape = ['shape = "long"  # a row for each answer']
            self.absent = math.prod(len(look.clean[name].texts) for name in long) - look.rows
            self.roles |= {guessed: "true", answers[0]: "answer", long[0]: "model", long[1]: "id"}
            named = zip(("true", "pred", "model", "id"), (guessed, answers[0], *long), strict=True)
            lines += [f"{key} = {written(name)}" for key, name in named]
        elif guessed and answers:
            if long is not None:
                said = f"every {long[1]} occurs once for each {long[0]}"
                mark = self.ask("data.shape", f"{said}; wide, or long if {long[0]} says who answered?")
                self.shape = [f'shape = ""  {mark} {said}: wide, or long if that says who answered']
                keys = zip(("pred", "model", "id"), (answers[0], *long), strict=True)
                lines.append(f"# long: {', '.join(f'{key} = {written(name)}' for key, name in keys)}, and neither models nor by")
            lines.append(f"true = {written(guessed)}")
            self.roles |= {guessed: "true", **dict.fromkeys(answers, "model")}
            lines.append(f"models = {written(answers)}")
        else:
            may = [roles.true, *answers] if roles.true else [n for n, v in look.clean.items() if 2 <= len(v.texts) <= 30]
            said = ", ".join(may) or "none of them holds classes"
            lines.append(f'true = ""  {self.ask("columns.true", f"{said}, which is the truth?")} one of {said}')
            lines.append(f"models = []  {self.ask('columns.models', 'which are answers?')} the others that are answers")
            self.roles |= dict.fromkeys(may, "true or model?")
            self.graded = may if roles.true else []
        lines += self._others(look, roles)
        if roles.proba:
            self.roles |= dict.fromkeys(roles.proba, "proba")
            whose = key_text(answers[-1]) if answers else "model"
            lines.append(f"# proba = {{ {whose} = {written(list(roles.proba))} }}  # lowest class first")
        unused = [name for name in look.clean if name not in self.roles]
        return [*lines, f"# not used: {', '.join(unused)}"] if unused else lines

    def _others(self, look: Look, roles: Any) -> list[str]:
        lines: list[str] = []
        ids = [
            name for name in roles.ids if name not in self.roles and not any("." in text for text in look.clean[name].texts[:100])
        ]
        named = [name for name in ids if name.lower() in IDS or name.lower().endswith("_id")]
        if ids and "id" not in self.roles.values():
            self.roles[(named or ids)[0]] = "id"
            lines.append(f"id = {written((named or ids)[0])}")
        free = [name for name in look.clean if name not in self.roles]
        may = [name for name in free if _is_cluster(name) and 2 < len(look.clean[name].texts) < look.rows]
        if may:
            self.roles[may[0]] = "cluster"
            lines.append(f"cluster = {written(may[0])}  # rows of one {may[0]} are resampled together")
        groups = [name for name in roles.slices if name not in self.roles and look.clean[name].numbers() is None]
        groups = [name for name in groups if not look.of(name, COMMA)]
        if groups:
            self.roles |= dict.fromkeys(groups, "by")
            lines.append(f"by = {written(groups)}")
        return lines


def _is_cluster(name: str) -> bool:
    return any(part in CLUSTERS for part in re.split(r"[\W_]+", name.lower()))


class _RunsDraft(_Draft):
    """A gold file and a file for each model."""

    def __init__(self, paths: Sequence[str], names: dict[str, list[str]], folder: str, reading: Reading) -> None:
        super().__init__(paths, folder, reading)
        self.names = names
        alike: dict[frozenset[str], list[str]] = {}
        for path, columns in names.items():
            alike.setdefault(frozenset(columns), []).append(path)
        golds = [path for group in alike.values() if len(group) == 1 for path in group]
        hinted = [path for path in golds if any(name.lower() in TRUTHS for name in names[path])]
        called = [path for path in hinted or golds if re.search(r"gold|truth|ref", os.path.basename(path), re.I)]
        if not (called or hinted or golds):
            raise ArgumentError("{n} files have different columns, and none of them looks like the truth", argument="source",
                                remedy="give the file with the truth and those of the runs", values={"n": len(paths)})  # fmt: skip
        self.gold = (called or hinted or golds)[0]
        self.runs = [path for path in paths if path != self.gold]

    def _in_most(self, name: str) -> bool:
        """Whether most of the runs have the column: a few may be broken."""
        return 2 * sum(name in self.names[path] for path in self.runs) > len(self.runs)

    def proposal(self) -> Proposal:
        shared = [name for name in self.names[self.gold] if self._in_most(name)]
        gold = look_at([self.gold], self.relative(self.gold), self.read_as)
        ids = [name for name in shared if len(gold.clean[name].texts) == gold.rows]
        rest = [name for name in self.names[self.gold] if name not in ids[:1]]
        true = next((name for name in rest if name.lower() in TRUTHS), rest[0] if len(rest) == 1 else "")
        known = gold.clean[true].words if true else frozenset[str]()
        runs = [look_at([path], self.relative(path), self.read_as, known) for path in self.runs]
        common = [name for name in dict.fromkeys(name for path in self.runs for name in self.names[path]) if self._in_most(name)]
        answers = [name for name in common if name not in ids[:1]]
        pred = next((name for name in answers if name.lower() in PREDS), answers[0] if len(answers) == 1 else "")
        lines = ["", "[columns]"]
        for key, name, may in (("id", ids[0] if ids else "", shared), ("true", true, rest), ("pred", pred, answers)):
            listed = ", ".join(may) or "no column is in all files"
            mark = "" if name else f"  {self.ask(f'columns.{key}', f'{listed}, which is it?')} one of {listed}"
            lines.append(f"{key} = {written(name)}{mark}")
        self.roles = {name: role for role, name in (("id", ids[0] if ids else ""), ("true", true), ("model", pred)) if name}
        broken = []
        for path in self.runs:
            lacks = [name for name in (*ids[:1], pred) if name and name not in self.names[path]]
            if lacks:
                said = f"{self.relative(path)} has no column {' and '.join(lacks)}, it has {', '.join(self.names[path])}"
                broken.append(f"{self.ask('data.runs', f'{said}: correct it, or leave it out?')} {said}")
        truth = known
        looks = [(gold, [true] if true else []), *((run, [pred] if pred in run.clean else []) for run in runs)]
        words = {word for one, columns in looks for name in columns for word in one.clean[name].words}
        reading = self.reading(looks, truth)
        recoded = self._recode(looks, truth)
        scale = self.scale(sorted(truth or {word for word in words if word not in recoded}))
        missing = self.missing(looks, (gold, true) if true else None)
        files = [self.relative(path) for path in self.runs]
        data = [
            "",
            "[data]",
            'shape = "runs"',
            f"gold = {written(self.relative(self.gold))}",
            *broken,
            f"runs = {written(files)}",
            *self.how_read(),
        ]
        toml = _joined(
            [
                *_opening(f"{gold.name} and {count_text(len(runs), 'run')}"),
                *data,
                *lines,
                *scale,
                *reading,
                *missing,
                *_judging(),
                "",
            ]
        )
        every = (gold, *runs)
        used = [name for name in (true, pred) if name]
        return Proposal(every, self.roles, toml, tuple(self.questions), tuple(self.remedies(every, used, toml)))


def _joined(lines: Sequence[str]) -> str:
    """The lines of the study; what stands in a comment stays in its line, whatever the rows hold."""
    return "\n".join(map(printable, lines)).rstrip("\n") + "\n"


def _opening(shown: str) -> list[str]:
    return [
        f"# Proposed by ordeval init from {shown}.",
        "# Lines with a question mark are open questions: the study is not valid before they are answered.",
        "study = 1",
    ]


def _judging() -> list[str]:
    return ["", "[judge]", 'primary = "cem"  # the score that decides']
