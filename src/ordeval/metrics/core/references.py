"""The bibliography: papers by the key under which a metric cites them."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def bibliography() -> dict[str, dict[str, Any]]:
    """All papers, by key: authors, year, title, in, and a doi where there is one."""
    import tomllib
    from importlib.resources import files

    return tomllib.loads((files("ordeval.metrics.core") / "references.toml").read_text(encoding="utf-8"))


def reference(key: str) -> str:
    """One paper in one line.

    >>> reference("scott1955")
    'Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion Quarterly 19(3), 321-325. doi:10.1086/266577'
    """
    paper = bibliography()[key]
    doi = f" doi:{paper['doi']}" if "doi" in paper else ""
    title = paper["title"] if paper["title"].endswith("?") else f"{paper['title']}."
    return f"{', '.join(paper['authors'])} ({paper['year']}). {title} {paper['in']}.{doi}"
