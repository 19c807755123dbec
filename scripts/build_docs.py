"""Build the documentation: put hand-written and generated pages together, run Sphinx with warnings as errors, follow every internal link.

build_docs.py [DIR] leaves the pages in DIR/html (default: build/docs/html).
"""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

from reference_pages import write as write_reference

from ordeval.app import programs

ROOT = Path(__file__).resolve().parents[1]


class Anchors(HTMLParser):
    """The places that a page offers, and the links that it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := given.get(name))}
        for name in ("href", "src"):
            if value := given.get(name):
                self.links.append(value)


def read(page: Path) -> Anchors:
    found = Anchors()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def dead_links(folder: Path) -> list[str]:
    """Links inside the built pages that lead to no file, or to no place in it."""
    pages = {page.resolve(): read(page) for page in sorted(folder.rglob("*.html"))}
    dead = []
    for page, anchors in pages.items():
        for link in dict.fromkeys(anchors.links):
            if link.startswith(("http:", "https:", "mailto:", "data:", "javascript:")):
                continue
            path, fragment = urldefrag(link)
            target = (page.parent / unquote(path.split("?")[0])).resolve() if path else page
            target = target / "index.html" if target.is_dir() else target
            lost = not target.exists() or (fragment and target in pages and unquote(fragment) not in pages[target].ids)
            if lost:
                dead.append(f"{page.relative_to(folder.resolve())}: {link}")
    return dead


def fetched(folder: Path) -> list[str]:
    """What a page would load from elsewhere: there must be nothing, so that the pages work without a network."""
    found = []
    for page in sorted(folder.rglob("*.html")):
        parser = HTMLParser()
        outside: list[str] = []

        def note(tag: str, attrs: list[tuple[str, str | None]], outside: list[str] = outside) -> None:
            given = dict(attrs)
            source = given.get("src") if tag in ("script", "img", "iframe") else given.get("href") if tag == "link" else None
            if source and source.startswith(("http:", "https:", "//")):
                outside.append(source)

        parser.handle_starttag = note  # type: ignore[method-assign]
        parser.feed(page.read_text(encoding="utf-8"))
        found += [f"{page.relative_to(folder)}: {source}" for source in outside]
    return found


def for_sphinx(text: str, page: Path, source: Path) -> str:
    """What stands in the repository as plain Markdown, as Sphinx knows it: anchors in tables, links to and from the root."""
    text = re.sub(r'<a id="([^"]+)"></a>', r"[]{#\1}", text)
    text = text.replace("](docs/", "](")  # from the two pages of the root

    def within(link: re.Match[str]) -> str:
        """A link that leaves the pages: to one of the two, which lie here now; to any other file, its path."""
        place = Path(os.path.normpath(page.parent / link[2]))
        if place.is_relative_to(source):
            return link[0]
        name = place.relative_to(source.parent)
        return (
            f"[{link[1]}]({os.path.relpath(source / name, page.parent)})" if (source / name).exists() else f"{link[1]} (`{name}`)"
        )

    return re.sub(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]+)\)", within, text)


def without_empty_patterns(index: str, source: Path) -> str:
    """The index without the patterns that add no page: it may name pages that this version does not have."""
    lines = index.splitlines(keepends=True)
    listed = {line.strip() for line in lines}
    return "".join(
        line
        for line in lines
        if not re.fullmatch(r"[\w/-]+\*\n", line)
        or any(str(page.relative_to(source).with_suffix("")) not in listed for page in source.glob(f"{line.strip()}.md"))
    )


def write_article(folder: Path) -> None:
    """The article as one file that needs nothing else: its programs stand in it, those of the explorer among them."""
    page, script = folder / "index.html", folder / "article.js"
    program = programs.joined(programs.source("metrics.js"), programs.source("dots.js"), script.read_text(encoding="utf-8"))
    tag = '<script type="module" src="article.js"></script>'
    text = page.read_text(encoding="utf-8")
    assert tag in text
    page.write_text(text.replace(tag, f'<script type="module">\n{program}</script>'), encoding="utf-8")
    script.unlink()


def build(target: Path) -> None:
    folder = target / "source"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    write_article(folder / "_static" / "article")
    for name in ("CHANGELOG.md", "CONTRIBUTING.md"):
        shutil.copy(ROOT / name, folder / name)
    write_reference(folder)
    for page in folder.rglob("*.md"):
        page.write_text(for_sphinx(page.read_text(encoding="utf-8"), page, folder), encoding="utf-8")
    index = folder / "index.md"
    index.write_text(without_empty_patterns(index.read_text(encoding="utf-8"), folder), encoding="utf-8")
    options = ["-W", "--keep-going", "-q", "-b", "html", "-d", str(target / "doctrees")]
    done = subprocess.run([sys.executable, "-m", "sphinx", *options, str(folder), str(target / "html")], check=False)
    if done.returncode:
        sys.exit(done.returncode)
    for problem, lines in (
        ("leads nowhere", dead_links(target / "html")),
        ("is loaded from elsewhere", fetched(target / "html")),
    ):
        if lines:
            sys.exit("\n".join(f"{line} {problem}" for line in lines))
    print(f"{len(list((target / 'html').rglob('*.html')))} pages in {target / 'html'}")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "docs")
