"""Errors that carry the argument they are about, so that every edge can spell it in its own way.

A function of Python says ``labels=[...]``, the command line ``--labels a,b,c``, a study file ``labels = [...]``, a form the name of its
field.  The message is written once, as a template; what stands in braces is either data or an argument.

What the system says of a file passes as it is, an `OSError`.  Only a file that may not be replaced has a remedy that readers spell
differently: `ExistingFileError` is a `FileExistsError` with the parts of an `ArgumentError`, so ``error.text(spell)`` says ``--force``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any

Speller = Callable[[str, "str | None"], str]  # from an argument, and a value for it or None, to how a reader writes it


class UndefinedScore(UserWarning):
    """A score has no value for these counts; nan was returned."""


class ArgumentError(ValueError):
    """What is wrong with an argument, and how to mend it.

    Names in braces that are in ``values`` are data, put in as they are and never read again; all others are arguments, spelt for the
    reader.  ``{labels}`` is the argument itself, ``{labels:[...]}`` the argument with a value.

    >>> error = ArgumentError("{label} is none of the classes", argument="labels", remedy="give all of them: {labels:[...]}", values={"label": "'mid'"})
    >>> str(error)
    "'mid' is none of the classes; give all of them: labels=[...]"
    >>> error.text(lambda argument, value: f"--{argument}")
    "'mid' is none of the classes; give all of them: --labels"
    """

    problem: str
    argument: str
    remedy: str
    values: dict[str, Any]

    def __init__(self, problem: str, *, argument: str = "", remedy: str = "", values: Mapping[str, Any] | None = None) -> None:
        super().__init__(problem)
        self.problem, self.argument, self.remedy = problem, argument, remedy
        self.values = dict(values or {})

    def text(self, spell: Speller) -> str:
        """The message with its arguments spelt by ``spell(argument, value)``."""
        between = "" if not self.remedy or self.remedy.startswith(". ") else "; "  # a remedy may be a sentence of its own
        return between.join(_filled(part, self.values, spell) for part in (self.problem, self.remedy))

    def __str__(self) -> str:
        return self.text(as_keyword)

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.problem, self.argument, self.remedy, self.values)


class ArgumentTypeError(ArgumentError, TypeError):
    """The same for an argument of the wrong kind, or one that does not go with another."""


class ExistingFileError(ArgumentError, FileExistsError):
    """A file that exists and that nobody said to replace."""


def as_keyword(argument: str, value: str | None = None) -> str:
    """How Python spells an argument."""
    return argument if value is None else f"{argument}={value}"


def data(text: object) -> str:
    """A text as part of a template, where nothing in it is read as an argument."""
    return str(text).replace("{", "{{").replace("}", "}}")


def near(word: str, known: Iterable[Any], *, shown: Callable[[str], str] = str) -> str:
    """The one did-you-mean: "did you mean cem or cem_floor?", or nothing if nothing is like it.

    What differs by case, spaces or Unicode form alone comes before what is only like it.
    """
    import difflib  # only those who misspell pay for it

    texts = {text: fold(text.strip("'")) for text in known if isinstance(text, str)}  # quotes of words are no part of them
    same = [text for text, folded in texts.items() if folded == fold(word)]
    like = difflib.get_close_matches(fold(word), texts.values(), n=3)
    found = same or sorted((text for text in texts if texts[text] in like), key=lambda text: like.index(texts[text]))
    return f"did you mean {' or '.join(map(shown, found))}?" if found else ""


def fold(text: str) -> str:
    """What is left of a text when case, spaces and Unicode form are ignored."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _filled(template: str, values: Mapping[str, Any], spell: Speller) -> str:
    out = []
    for literal, name, value, _ in Formatter().parse(template):
        out.append(literal)
        if name is None:
            continue
        if name in values:
            out.append(str(values[name]))
        else:
            out.append(spell(name, _filled(value, values, spell) if value else None))
    return "".join(out)


def _again(kind: type[ArgumentError], problem: str, argument: str, remedy: str, values: Mapping[str, Any]) -> ArgumentError:
    return kind(problem, argument=argument, remedy=remedy, values=values)
