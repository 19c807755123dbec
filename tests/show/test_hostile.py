"""Twenty hostile labels as classes, groups and model names, in every format: inert, complete, no number hidden."""

import csv
import html
import http.server
import io
import json
import re
import subprocess
import threading
from functools import partial
from html.parser import HTMLParser
from typing import get_args

import markdown_it
import numpy as np
import pandas as pd
import pytest
from forms_of_results import comparison_in, latex_of, scores_in
from hostile import HOSTILE, MODELS

import ordeval as oe
from ordeval.evaluation._audit import audit_lines
from ordeval.show import Block, Card, Code, Figure, Line, Page, Paragraph, Row, Section, Table
from ordeval.show import _escapes as escape
from ordeval.show._html import blocks_as_html, page_as_html
from ordeval.show._latex import page_as_latex
from ordeval.show._markdown import page_as_markdown
from ordeval.show._plain import display_width, printable, shorten
from ordeval.types import Evaluations

SHOWN = {label: printable(label) for label in HOSTILE}  # what a reader sees: control characters are no text


@pytest.fixture(scope="module")
def counts():
    """Every label is a class, and a group of rows."""
    rng = np.random.default_rng(3)
    true = np.repeat(np.arange(20), 10)
    answers = {name: np.clip(true + rng.integers(-2, 3, true.size), 0, 19) for name in MODELS}
    label = np.array(HOSTILE, dtype=object)
    predictions = {name: list(label[codes]) for name, codes in answers.items()}
    return oe.count(list(label[true]), predictions, labels=HOSTILE, by=list(label[rng.permutation(true)]))


@pytest.fixture(scope="module")
def results(counts):
    return {model: oe.evaluate(counts[model], metrics=["accuracy", "mae"], n_resamples=400) for model in MODELS}


@pytest.fixture(scope="module")
def comparison(counts):
    both = oe.count(*_columns(counts), labels=HOSTILE)
    return oe.compare(both, metrics=["cem", "mae"], n_resamples=400)


def _columns(counts):
    a, b = MODELS
    cells = [(t, i, j) for (t, i, j), rows in np.ndenumerate(counts.pair(a, b)) for _ in range(int(rows))]
    true, first, second = ([HOSTILE[code] for code in column] for column in zip(*cells, strict=True))
    return true, {a: first, b: second}


@pytest.fixture(scope="module")
def report(results):
    return Evaluations({MODELS[0]: results[MODELS[0]]}).page({"file scored": HOSTILE[1]})


def test_the_list_is_hostile():
    assert len(set(HOSTILE)) == 20
    assert {"\n", "\t", "<", "$", "\\", "=", "\u202e", "\u200d", "|"} <= set("".join((*HOSTILE, *MODELS))) | {"|"}


def test_text(counts, results, comparison):
    pages = [scores_in(results, "text", HOSTILE[5]), comparison_in(comparison, "text", HOSTILE[7])]
    audit = "\n".join(audit_lines(counts, HOSTILE[18], [(MODELS[0], oe.choose.pitfalls(counts[MODELS[0]]))]))
    for page in (*pages, audit):
        assert max(map(display_width, page.splitlines())) <= 80
        assert page == "\n".join(map(printable, page.split("\n")))  # nothing that a terminal would obey
    for label in HOSTILE:
        assert shorten(label, 20) in pages[0]
        assert shorten(label, 24) in audit
    for model in MODELS:
        assert shorten(model, 10) in pages[1]
        for text, score in results[model].scores.items():
            assert f"{score.value:.3f}" in pages[0], text


def test_json(results, comparison):
    data = json.loads(scores_in(results, "json"))
    assert list(data["models"]) == list(MODELS)
    for model in data["models"].values():
        assert model["labels"] == HOSTILE
        assert sorted(model["groups"]) == sorted(HOSTILE)
    data = json.loads(comparison_in(comparison, "json"))
    assert (data["differences"][0]["first"], data["differences"][0]["second"]) == MODELS


def guarded(label):
    """As docs/command-line.md says: a field that a spreadsheet would take for a formula begins with an apostrophe."""
    return "'" + label if label.lstrip(" ")[:1] in tuple("=+-@\t\r\n") else label


def test_csv(results):
    page = scores_in(results, "csv")
    rows = list(csv.DictReader(io.StringIO(page, newline="")))
    expected = [
        (model, group, text, score)
        for model, result in results.items()
        for group, part in {"": result, **result.groups}.items()
        for text, score in part.scores.items()
    ]
    assert [(row["model"], row["group"], row["metric"]) for row in rows] == [
        (guarded(m), guarded(g), t) for m, g, t, _ in expected
    ]
    assert [float(row["value"]) for row in rows] == [score.value for *_, score in expected]
    assert {row["group"] for row in rows} == {"", *map(guarded, HOSTILE)}
    assert sum(row["group"].startswith("'") for row in rows) == 2 * 2  # "=1+1", of two models, by two metrics
    frame = pd.read_csv(io.StringIO(page), keep_default_na=False, dtype=str)
    assert frame["group"].tolist() == [row["group"] for row in rows]
    assert frame["model"].tolist() == [row["model"] for row in rows]
    assert not any(re.match(r"\s*[=+@-]", cell) for row in rows for cell in (row["group"], row["model"]))


def rendered_markdown(page):
    """The texts of all inline pieces, and the kinds of everything that an independent parser found."""
    tokens = markdown_it.MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(page)
    texts, kinds = [], set()
    for token in tokens:
        kinds.add(token.type)
        if token.type == "inline":
            kinds |= {child.type for child in token.children}
            texts.append("".join("\n" if child.type == "hardbreak" else child.content for child in token.children))
    return texts, kinds


INERT = {"inline", "text", "text_special", "softbreak", "hardbreak", "paragraph", "table", "thead", "tbody", "tr", "th", "td"}


def kinds_of(*names):
    return {kind for name in (*INERT, *names) for kind in (name, f"{name}_open", f"{name}_close")}


def test_markdown_tables(results, comparison):
    texts, kinds = rendered_markdown(scores_in(results, "md"))
    assert kinds <= kinds_of()
    for label in (*SHOWN.values(), *map(printable, MODELS)):
        assert label in texts  # a cell of its own, exactly
    numbers = [
        f"{score.value:.3f}" for result in results.values() for part in result.groups.values() for score in part.scores.values()
    ]
    cells = [text for text in texts if re.fullmatch(r"\d\.\d{3}", text)]
    assert cells == numbers
    texts, kinds = rendered_markdown(comparison_in(comparison, "md"))
    assert kinds <= kinds_of()
    assert set(map(printable, MODELS)) <= set(texts)


@pytest.mark.parametrize(
    "text",
    [
        "- x",
        "-",
        "---",
        "+ 1",
        "1. x",
        "1)",
        "===",
        "# x",
        "> x",
        "    x",
        "a  ",
        "www.x.org",
        "http://x.org",
        ":x:",
        "a.b",
        "x@y.z",
        "\\",
    ],
)
def test_markdown_at_the_start_of_a_line(text):
    """GitHub also links names of hosts: a sign before the dot keeps it from seeing one."""
    texts, kinds = rendered_markdown(escape.markdown(text))
    assert (texts, kinds) == ([text], kinds & kinds_of())
    assert not re.search(r"www\.|\w\.[a-z]|\w://|\w@", escape.markdown(text))


def test_markdown_report(report, comparison):
    for page in (report, comparison.page()):
        texts, kinds = rendered_markdown(page_as_markdown(page))
        assert kinds <= kinds_of("heading", "bullet_list", "list_item", "em", "fence")
        assert printable(f"classes: {' < '.join(HOSTILE)}") in texts
        assert printable(page.title) in texts
        assert printable(page.headline) in texts
    assert printable(f"file scored: {HOSTILE[1]}") in rendered_markdown(page_as_markdown(report))[0]


class Texts(HTMLParser):
    """What a page says, tag by tag."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.texts = set(), set(), [""]

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.texts.append("")

    def handle_endtag(self, tag):
        self.texts.append("")

    def handle_data(self, data):
        self.texts[-1] += data


def parsed(page):
    found = Texts()
    found.feed(page)
    return found


@pytest.mark.thorough
@pytest.mark.slow
def test_html_before_a_browser_sees_it(report):
    page = parsed(page_as_html(report))
    assert not page.tags & {"script", "img", "link", "iframe", "object", "embed", "form", "base", "a", "input", "button"}
    assert not {name for name in page.attributes if name.startswith("on")} | (page.attributes & {"src", "style"})
    assert printable(" < ".join(HOSTILE)) in page.texts
    for label in HOSTILE:
        assert printable(label) in page.texts  # a cell of the table of groups
    assert "\u202e" not in page_as_html(report)


def test_notebook(results, comparison):
    page = comparison._repr_html_()
    assert parsed(page).tags == {"p", "table", "thead", "tbody", "tr", "th", "td", "small"}
    assert set(map(printable, MODELS)) <= set(parsed(page).texts)
    assert "\u202e" not in results[MODELS[0]]._repr_html_()


class Drawn:
    """A figure whose drawing has no text."""

    def __init__(self, caption):
        self.caption = caption

    def to_svg(self):
        return "<svg></svg>"


#: Of every kind of block, one with each of its texts given.
BLOCKS = {
    "Paragraph": (1, lambda a: Paragraph(a)),
    "Line": (1, lambda a: Line(a)),
    "Code": (1, lambda a: Code(a)),
    "Figure": (1, lambda a: Figure(Drawn(a))),
    "Row": (2, lambda a, b: Row([Figure(Drawn(a)), Figure(Drawn(b))])),
    "Card": (5, lambda a, b, c, d, e: Card(a, [(b, c), (d, e)])),
    "Table": (7, lambda a, b, c, d, e, f, g: Table([a, b], [[c, d]], caption=e, notes=[f, g])),
}
NOTEBOOK = "p br pre figure svg figcaption h4 dl dt dd table thead tbody tr th td small"
PAGE = "html head meta title style body main div h1 h2 h3 ul li details summary footer caption"
OURS = {*NOTEBOOK.split(), *PAGE.split()}


def test_every_kind_of_block_is_tested_here():
    assert set(BLOCKS) == {kind.__name__ for kind in get_args(Block)}


def in_a_notebook(blocks, texts):
    return blocks_as_html(blocks)


def in_a_page(blocks, texts):
    said = {"title": texts[0], "headline": texts[1], "judged": texts[2], "remarks": texts[3:5], "provenance": texts[5]}
    return page_as_html(Page(**said, first=blocks, sections=[Section(texts[6], blocks)]))


@pytest.mark.parametrize("written", [in_a_notebook, in_a_page])
@pytest.mark.parametrize("kind", BLOCKS)
def test_every_text_of_every_block_is_text_in_html(kind, written):
    number, block = BLOCKS[kind]
    for hostile in (
        "<img src=x onerror=alert(1)>",
        "</dd></td></pre></p><script>alert(1)</script>",
        "a & <b>\" onclick='x'",
        "&lt;",
    ):
        texts = [f"{hostile} {i}" for i in range(max(number, 7))]
        page = written([block(*texts[:number])], texts)
        found = parsed(page)
        assert found.tags <= OURS
        assert not {name for name in found.attributes if name.startswith("on")} | (found.attributes & {"src", "href"})
        said = " ".join(found.texts)
        for text in texts[: number if written is in_a_notebook else None]:
            assert text in said
    assert "\u202e" not in written([block(*["\u202eabc"] * number)], ["\u202eabc"] * 7)


@pytest.mark.parametrize("judge", ["<img src=x onerror=alert(1)>", "</h4><script>alert(1)</script>", "a & b", MODELS[0]])
def test_a_judge_is_text_in_html_and_not_markup(judge):
    rows = [(i, run, 1 + (i + (run == 2 and i % 8 == 0)) % 3) for i in range(40) for run in (1, 2)]
    frame = pd.DataFrame(rows, columns=["item", "run", "grade"]).assign(who=judge)
    log = oe.raters.read_judge_log(frame, item="item", rater="who", grade="grade", repeats="run", judges=[judge])
    found = parsed(oe.raters.self_consistency(log, n_resamples=400)._repr_html_())
    assert found.tags == {"h4", "dl", "dt", "dd", "p"}
    assert f"self-consistency of {judge}: 40 items with 2 runs" in found.texts


class Recorder(http.server.BaseHTTPRequestHandler):
    def __init__(self, pages, asked, *args):
        self.pages, self.asked = pages, asked
        super().__init__(*args)

    def do_GET(self):
        if not self.headers["Host"].endswith(("google.com", "googleapis.com")):  # those are the browser's own
            self.asked.append(f"{self.headers['Host']}{self.path}")
        page = self.pages.get(self.path, "").encode()
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *args):
        pass


@pytest.fixture
def browse(chromium, tmp_path):
    """Open a page in Chromium, with every host of the world mapped to a server that writes down what is asked of it."""

    def opened(page):
        asked = []
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Recorder, {"/report.html": page}, asked))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
        flags += " --disable-component-update --disable-sync --virtual-time-budget=2000 --dump-dom"
        command = [chromium, *flags.split(), f"--user-data-dir={tmp_path / f'profile{server.server_port}'}"]
        command += [f"--host-resolver-rules=MAP * 127.0.0.1:{server.server_port}", "http://report.test/report.html"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True)
        finally:
            server.shutdown()
            server.server_close()
        return done.stdout, asked

    return opened


def title_of(dom):
    return html.unescape(re.search(r"<title>(.*?)</title>", dom, re.S)[1])


@pytest.mark.slow
def test_html_in_a_browser(browse, report):
    page = page_as_html(report)
    dom, asked = browse(page)
    assert asked == ["report.test/report.html"]
    assert title_of(dom) == printable(report.title)
    assert printable(" < ".join(HOSTILE)) in parsed(dom).texts
    assert "default-src 'none'" in dom
    script = "<script>document.title='owned'</script><img src='//x.invalid/b'>"
    dom, asked = browse(page.replace("</body>", f"{script}</body>"))  # the policy holds even if something got in
    assert (title_of(dom), asked) == (printable(report.title), ["report.test/report.html"])
    without = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page).replace("</body>", f"{script}</body>")
    dom, asked = browse(without)  # and this test can fail
    assert title_of(dom) == "owned"
    assert "x.invalid/b" in asked


def compiled(lualatex, folder, source):
    """The log of LuaLaTeX; an error stops it."""
    (folder / "page.tex").write_text(source, encoding="utf-8")
    command = [lualatex, "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape", "page.tex"]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "max_print_line": "1000", "TEXMFVAR": str(folder / "var")}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-3000:]
    return (folder / "page.log").read_text(encoding="utf-8", errors="replace")


PREAMBLE = r"\documentclass{article}\usepackage{booktabs,graphicx,fontspec}\begin{document}"


@pytest.mark.slow
def test_latex_compiles_and_nothing_is_off_the_page(lualatex, tmp_path, results, comparison, report):
    written = [scores_in(results, "latex"), comparison_in(comparison, "latex")]
    sources = {
        "tables": "\n\n\\clearpage\n".join([PREAMBLE, *written, r"\end{document}"]),
        "report": page_as_latex(report),
        "comparison": page_as_latex(comparison.page()),
    }
    for name, source in sources.items():
        folder = tmp_path / name
        folder.mkdir()
        log = compiled(lualatex, folder, source)
        assert (folder / "page.pdf").read_bytes().startswith(b"%PDF")
        assert "Missing character" not in log
        assert [float(x) for x in re.findall(r"Overfull \\[hv]box \(([\d.]+)pt", log) if float(x) > 12] == []
        assert "Float too large" not in log


def read_back(source):
    """The text that our LaTeX source stands for, by a few rules of its own."""
    source = re.sub(r"\\allowbreak\{\}", "", source)
    source = re.sub(r"\\texttt\{\[U\+([0-9A-F]+)\]\}", lambda m: chr(int(m[1], 16)), source)
    words = {v.removesuffix("{}"): k for k, v in escape._LATEX.items() if v.startswith("\\text") or v == r"\ldots{}"}
    words |= {r"\textvisiblespace": " "}
    source = re.sub(r"(\\(?:text|ldots)[a-z]*)\{\}", lambda m: words[m[1]], source)
    return re.sub(r"\\([{}$&#%_])|\{([\[\]])\}|\{\}", lambda m: m[1] or m[2] or "", source.replace("\\\\", "\x00"))


@pytest.mark.parametrize("label", [*HOSTILE, *MODELS], ids=range(22))
def test_latex_stands_for_the_label(label):
    written = escape.latex(label)
    assert read_back(written) == label.replace("\x00", "")
    assert "\n" not in written
    assert set(re.findall(r"\\[a-zA-Z]+", written)) <= {
        *(command for text in escape._LATEX.values() for command in re.findall(r"\\[a-z]+", text)),
        r"\allowbreak",
        r"\texttt",
        r"\textvisiblespace",
    }


def test_long_names_are_short_in_a_printed_table_and_stand_in_full_below():
    table = latex_of(Table(["metric", "x" * 300], [["a", "0.5"]], "Caption."))
    head, below = table.split(r"\midrule")
    assert "x" * 24 in head.replace(r"\allowbreak{}", "")
    assert "x" * 40 not in head.replace(r"\allowbreak{}", "")
    assert "x" * 300 in below.replace(r"\allowbreak{}", "")


@pytest.mark.parametrize(("wide", "scaled"), [(15, False), (32, True)])
def test_a_printed_table_is_scaled_only_where_it_is_wider_than_the_line(wide, scaled):
    """Four columns of so many letters each; a line of the page holds 75."""
    assert (r"\resizebox" in latex_of(Table(["a"] * 4, [["x" * wide] * 4]))) is scaled


def test_a_long_table_goes_on_on_the_next_page():
    rows = [[f"s{i}", f"{i}"] for i in range(95)]
    written = latex_of(Table(["system", "score"], rows, "Caption.", ["A note."]))
    assert written.count(r"\begin{table}") == 3
    assert re.findall(r"^    s(\d+) &", written, re.M) == [str(i) for i in range(95)]
    assert written.count("A note.") == 1
