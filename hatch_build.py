"""What the package says of itself when it is built: where it lives, and a README without links that lead nowhere.

No address is in the source.  ORDEVAL_HOME, the address of the repository, gives the project's links, and makes those of the README absolute
at the tag of the version.  Without it there are none, and a link to a file of the repository becomes its words.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

CODE = re.compile(r"(^```.*?^```[^\n]*$|`[^`\n]+`)", re.M | re.S)  # in which nothing is a link
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|!\[[^\]]*\]\([^)]*\))*)\]\(([^)\s]+)\)")


class Links(MetadataHookInterface):
    """Fill in the fields that depend on where the package lives."""

    def update(self, metadata: dict[str, Any]) -> None:
        root = Path(self.root)
        home = os.environ.get("ORDEVAL_HOME", "").rstrip("/")
        if home and not re.fullmatch(r"https://[\w.-]+(?:/[\w.~-]+)+", home):
            raise ValueError(f"ORDEVAL_HOME is {home!r}; give the address of the repository, https://host/owner/name")
        version = re.search(r'__version__ = "([^"]+)"', (root / "src/ordeval/base/version.py").read_text(encoding="utf-8"))
        assert version is not None
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, home, f"v{version[1]}")}
        metadata["urls"] = urls(home, f"v{version[1]}")


def urls(home: str, tag: str) -> dict[str, str]:
    """The project's links, by the names that package indexes know."""
    if not home:
        return {}
    return {"Source": home, "Issues": f"{home}/issues", "Changelog": f"{home}/blob/{tag}/CHANGELOG.md"}


def readme(text: str, home: str, tag: str) -> str:
    """The README with links that work wherever it is shown, or with their words instead."""
    parts = CODE.split(text)
    parts[::2] = [_absolute(part, home, tag) for part in parts[::2]]
    return "".join(parts)


def _absolute(text: str, home: str, tag: str) -> str:
    def picture(found: re.Match[str]) -> str:
        words, place = found.groups()
        if not _is_relative(place):
            return found[0]
        return f"![{words}]({home}/raw/{tag}/{place})" if home else words

    def link(found: re.Match[str]) -> str:
        words, place = found.groups()
        if not _is_relative(place):
            return found[0]
        return f"[{words}]({home}/blob/{tag}/{place})" if home and not place.startswith("#") else words

    return LINK.sub(link, PICTURE.sub(picture, text))


def _is_relative(place: str) -> bool:
    return not re.match(r"[a-z][a-z0-9+.-]*:", place)
