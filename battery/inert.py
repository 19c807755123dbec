"""Is a label still only a label?  What may not be in an output, whatever the labels are."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser
from typing import Any


class _Elements(HTMLParser):
    """Every element and attribute of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "iframe", "object", "embed", "form", "base", "link") or (
            tag == "img" and dict(attrs).get("src") == "x"
        ):
            self.wrong.append(f"an element <{tag}>")
        for name, value in attrs:
            is_text = name.startswith(("data-", "aria-"))  # whatever it holds
            if name.startswith("on") or (not is_text and re.match(r"\s*javascript:", value or "", re.IGNORECASE)):
                self.wrong.append(f"the attribute {name}={value!r}")
            if name in ("src", "href", "xlink:href") and not re.match(
                r"#|data:image/|https://doi\.org/|https?://(?!example\.org)", value or ""
            ):
                self.wrong.append(f"a reference to {value!r}")
            if "example.org" in (value or "") and not is_text:
                self.wrong.append(f"a link made of a label: {value!r}")


def html(text: str) -> list[str]:
    parser = _Elements()
    parser.feed(text)
    return parser.wrong


def latex(text: str) -> list[str]:
    dangerous = re.findall(r"\\(?:input|write18|frac|include|def)\b", text)
    return [f"the command {command}" for command in dangerous]


def markdown(text: str) -> list[str]:
    raw = re.findall(r"(?<!\\)<(?:script|img|/td)|(?<!\\)\[[^\[\]]*\]\((?:javascript|http://example)", text)
    return [f"raw {found!r}" for found in raw]


def spreadsheet(text: str) -> list[str]:
    fields = [field for line in csv.reader(io.StringIO(text)) for field in line]
    return [
        f"the formula {f!r}"
        for f in fields
        if re.match(r"\s*[=+@＝]", f) or (re.match(r"\s*-", f) and not re.fullmatch(r"-[\d.e+-]+|-inf", f))
    ]


def terminal(text: str) -> list[str]:
    return [
        f"the control character {c!r}"
        for c in sorted(set(re.findall(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]", text)))
    ]


def data(text: str, labels: list[Any]) -> list[str]:
    found = json.loads(text)
    kept = found.get("labels") or next(iter(found["models"].values()))["labels"]
    return [] if kept == labels else ["labels that came back changed"]
