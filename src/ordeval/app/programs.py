"""The programs that run in the browser, as text: each by itself for a component, or several joined into one."""

from __future__ import annotations

import re
from importlib.resources import files

_FOLDER = files("ordeval.app") / "js"
_IMPORT, _EXPORT = re.compile(r"(?m)^import \{[^}]*\} from '\./\w+\.js';\n"), re.compile(r"(?m)^export (?=const |function )")


def source(name: str) -> str:
    """One of the programs, or style sheets, as it stands."""
    return (_FOLDER / name).read_text(encoding="utf-8")


def plain(program: str) -> str:
    """A program without its imports and exports, to be joined to others."""
    return _EXPORT.sub("", _IMPORT.sub("", program))


def joined(*programs: str) -> str:
    """Programs that import from each other, as one."""
    return "\n".join(map(plain, programs))
