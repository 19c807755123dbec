"""What results say of the study file that asked for them; `settings["study"]` has its hash, its registry and what was overridden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DIGITS = 12  # of the hash, in a signature


def study_mark(settings: Mapping[str, Any]) -> str:
    """The first digits of the study's hash for a signature, and how many keys were overridden; nothing without a study."""
    study = settings.get("study")
    if not study:
        return ""
    changed = len(study.get("overridden", ()))
    return f" study:{study['sha256'][:DIGITS]}{f'+{changed}' if changed else ''}"


def study_lines(settings: Mapping[str, Any]) -> list[str]:
    """The mark of the study and what was overridden: below a result that has no signature of its own."""
    mark = study_mark(settings).strip()
    return [mark, *settings["study"].get("overridden", ())] if mark else []


def fixed_in(settings: Mapping[str, Any], inferred: bool) -> str:
    """Where the classes come from, within the methods: nobody can check what was fixed before the data were seen."""
    if inferred:
        return "taken from the data"
    return "as its study file has them" if settings.get("study") else "given with the call"


def study_sentences(settings: Mapping[str, Any]) -> list[str]:
    """What a study file fixed, with its hash, and what was overridden: sentences for the methods."""
    study = settings.get("study")
    if not study:
        return []
    registered = f", registered at {study['registered']}" if study.get("registered") else ""
    fixed = "The classes, the treatment of missing answers and the deciding score were fixed in a study file"
    changed = [f"{words[0].upper()}{words[1:]}." for words in study.get("overridden", ())]
    return [f"{fixed} (SHA-256 {study['sha256']}{registered}).", *changed]
