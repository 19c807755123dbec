"""Write the reference of the documentation from the registry and the docstrings: one page per metric, and the public names.

reference_pages.py DIR writes them below DIR.  They are made when the documentation is built, never by hand, so prose cannot drift from code.
"""

import ast
import dataclasses
import doctest
import inspect
import re
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from generated import grid

import ordeval
from ordeval import Metric, catalogue, get_metric
from ordeval.infer._conditions import in_words
from ordeval.metrics.core.record import LAWS
from ordeval.metrics.core.references import reference
from ordeval.papers import CITED

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

FAMILIES = {
    "hits": "Hits: is the class right?",
    "error": "Error: how many steps off?",
    "agreement": "Agreement beyond chance",
    "association": "Association: do they rise together?",
    "information": "Information",
    "closeness": "Closeness (CEM)",
    "path": "Paths (OCI)",
    "cost": "Total cost (STC)",
    "probability": "Probabilities",
    "calibration": "Calibration",
    "discrimination": "Discrimination",
    "sets": "Prediction sets",
}

#: The public names that are no metrics: those at the top by the room they live in, the others by their namespace.
ROOMS = {
    "order": "Order",
    "counts": "Counts",
    "read": "Reading rows",
    "metrics": "Metrics",
    "evaluation": "Evaluating and comparing",
    "integrations": "scikit-learn",
    "parts": "oe.parts: what a score is made of",
    "infer": "oe.infer: more statistics",
    "plot": "oe.plot: figures",
    "raters": "oe.raters: several raters and no truth",
    "laws": "oe.laws: what a metric promises",
    "choose": "oe.choose: which metric to trust",
    "decide": "oe.decide: classes from probabilities",
    "papers": "oe.papers: the papers, number by number",
    "show": "oe.show: forms of results",
    "types": "oe.types: all result types",
}

#: Programs that probability metrics were compared with (tests/peers); those of tables are read from the tests themselves.
OTHER_PEERS = {
    "rps": "scoringrules",
    "log_loss": "scikit-learn",
    "brier": "scikit-learn",
    "concordance_index": "SciPy",
    "ordinal_auc": "scikit-learn",
    "calibration_slope": "scikit-learn",
}


def peers() -> dict[str, list[str]]:
    """The independent programs that each metric was compared with, from the tests that compare them."""
    sys.path.insert(0, str(ROOT / "tests"))
    from peers.test_frozen import FROZEN_LISTS
    from peers.test_frozen_papers import LISTS, metric_of
    from peers.test_peers import PEERS

    found = {name: {program} for name, program in OTHER_PEERS.items()}
    compared = [(text, program) for table in (PEERS, FROZEN_LISTS) for text, (program, _) in table.items()]
    compared += [(metric_of(name), name.split(" ", 1)[0]) for name in LISTS]
    for text, program in compared:
        found.setdefault(get_metric(text).name, set()).add(program)
    return {name: sorted(programs, key=str.lower) for name, programs in found.items()}


# Markdown


def paragraphs(doc: str) -> list[str]:
    """A docstring as Markdown: numpydoc's sections become lists, examples blocks of code, everything else is Markdown already."""
    words, *sections = re.split(r"^([A-Z][A-Za-z ]+)\n-{3,}\n", doc, flags=re.M)
    out = _blocks(words)
    for title, body in zip(sections[::2], sections[1::2], strict=True):
        if title == "Examples":
            out += _blocks(body)
        elif title in ("Parameters", "Returns", "Warns"):
            entries = re.split(r"^(?=\S)", body.strip(), flags=re.M)
            out.append(f"**{title}**\n\n" + "\n".join(map(_entry, filter(None, entries))))
        elif title == "See Also":
            names = ", ".join(f"`{name.strip()}`" for name in body.strip().split(","))
            out.append(f"**{title}**: {names}")
        else:
            out += [f"**{title}**", *_blocks(re.sub(r"^\.\. math:: .*$", "", body, flags=re.M))]
    return [block for block in out if block.strip()]


def _entry(text: str) -> str:
    """One entry of a section, as an item of a list."""
    head, _, said = text.partition("\n")
    name, _, kind = head.partition(" : ")
    return f"- `{name}`" + (f" ({kind.replace('*', '')})" if kind else "") + f": {' '.join(said.split())}"


def _blocks(words: str) -> list[str]:
    out, example = [], []
    for block in words.strip().split("\n\n"):
        if block.lstrip().startswith(">>>"):
            example.append(inspect.cleandoc(block))
            continue
        if example:
            out.append(whole_example("\n".join(example)))
            example = []
        out.append(inspect.cleandoc(block))
    if example:
        out.append(whole_example("\n".join(example)))
    return out


def whole_example(text: str) -> str:
    """An example of a docstring with the imports that a reader needs; in the source the module has them."""
    tree = ast.parse("".join(part.source for part in doctest.DocTestParser().get_examples(text)))
    made = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
    used = {node.id for node in names} - made
    lines = [">>> import numpy as np"] if "np" in used else []
    homes: dict[str, list[str]] = {}
    for name in sorted(used):
        if home := next((dotted for dotted in (*ordeval.__all__, *public_names()) if dotted.rpartition(".")[2] == name), ""):
            homes.setdefault(".".join(["ordeval", *home.split(".")[:-1]]), []).append(name)
    lines += [f">>> from {home} import {', '.join(names)}" for home, names in homes.items()]
    return fenced("pycon", "\n".join([*lines, text]))


def fenced(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```"


def table(rows: list[tuple[str, str]], header: tuple[str, str] = ("", "")) -> str:
    return grid([*header], [[cell.replace("\n", " ") for cell in row] for row in rows]).rstrip()


def signature(function: object, name: str) -> str:
    """Parameters and defaults; the types stand in the source and would fill the line."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (ValueError, TypeError):
        return name
    shown = [p.replace(annotation=inspect.Parameter.empty) for p in parameters if p.name not in ("self", "cls")]
    return f"{name}{inspect.Signature(shown)}"


def directive(kind: str, line: str, body: str, *, fence: str, options: str = "") -> str:
    return f"{fence}{{py:{kind}}} {line}\n:module: ordeval\n{options}\n{body}\n{fence}"


# Metrics


def interval_words(metric: Metric) -> str:
    return f"{in_words(metric)}. [What was measured]({UP}coverage.md)"


UP = "../../"


def facts(metric: Metric, programs: list[str]) -> str:
    """The facts that every card shows, and what only the documentation knows."""
    beside = ("what it is", "", "formula", "ignores", "misleads when", "keeps", "breaks", "paper")
    rows = [(name, _plain(words)) for name, words in metric.facts() if name not in beside]
    if metric.uses_unused_classes:
        rows.append(("scale", "depends on classes that nobody used: give `labels=`"))
    rows.append(("95 % interval", interval_words(metric)))
    rows.append(("checked against", ", ".join(programs) or "a second derivation; no other program computes it"))
    if metric.cite:
        rows.append(("paper", linked(reference(metric.cite))))
    if metric.cite in CITED:
        rows.append(("its numbers", f"`ordeval reproduce {CITED[metric.cite]}` computes them again; [errata](../errata.md)"))
    return table(rows)


def _plain(words: str) -> str:
    return words.replace("*", "\\*").replace("_", "\\_").replace("|", "\\|")


def linked(text: str) -> str:
    """A reference whose doi is a link."""
    return re.sub(r"doi:(\S+)$", r"[doi:\1](https://doi.org/\1)", text)


def laws(metric: Metric) -> str:
    kept = []
    for law, reading in metric.laws.items():
        kept.append((f"[{law}]({UP}laws.md#{law})", LAWS[law] + (f" (*{reading}*)" if reading else "")))
    out = "### Kept\n\n" + (table(kept, ("law", "what it says")) if kept else "None of the laws in the list.")
    if not metric.broken:
        return out
    broken = []
    report = ordeval.laws.table([metric]).reports[str(metric)] if metric.needs_only_counts else None
    for law, witness in metric.broken.items():
        shown = str(report[law].breach) if report and report[law].status == "fails" else f"`{witness}`"
        broken.append((f"[{law}]({UP}laws.md#{law})", shown))
    return f"{out}\n\n### Broken\n\nClasses are numbered from 1.\n\n{table(broken, ('law', 'counter-example'))}"


def metric_page(metric: Metric, programs: Sequence[str] = ()) -> str:
    words = [block for block in paragraphs(metric.function.__doc__ or "") if not block.startswith("**")]
    examples = [block for block in words if block.startswith("```pycon")]
    parameters = [
        block
        for block in paragraphs(metric.function.__doc__ or "")
        if block.startswith(("**Parameters", "**Returns", "**Warns", "**See"))
    ]
    told = next((i for i, block in enumerate(words) if block.startswith(("Ignores ", "Misleads when "))), len(words))
    described = directive(
        "function", signature(metric.function, metric.name), "\n\n".join([*words[:told], *parameters]), fence="````"
    )
    warned = [f"Ignores {metric.ignores}.", *(f"Misleads when {words}." for words in metric.misleads)]
    return "\n\n".join(
        [
            f"# {metric.title}",
            described,
            "## Formula",
            f"```{{image}} {metric.name}.svg\n:alt: {metric.formula}\n:class: formula\n```",
            fenced("text", metric.formula_text),
            f"[What the symbols mean]({UP}symbols.md), [and the letters](index.md#letters)",
            "## What to know before using it",
            "\n".join(f"- {sentence}" for sentence in warned),
            facts(metric, list(programs)),
            "## Example",
            *examples,
            "## Laws",
            laws(metric),
            "",
        ]
    )


def formula_svg(formula: str) -> str:
    """The formula, drawn: a page shows it without asking anybody for a program that typesets."""
    from io import StringIO

    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import math_to_image

    out = StringIO()
    math_to_image("$" + formula.replace("\\frac", "\\dfrac") + "$", out, format="svg", prop=FontProperties(size=14))
    return out.getvalue()


LETTERS = """
(letters)=
## The letters in the formulas

| letter | meaning |
|---|---|
| `C[t, p]` | rows of true class *t* predicted as class *p*; classes are numbered from 1 to K |
| `K` | classes of the scale, used or not |
| `n_t`, `m_p` | true rows of a class, predicted rows of a class |
| `N` | all rows |
| `d` | the number of steps between truth and prediction, \\|t − p\\| |
| present, `mean_t` | the classes with a true row, and the mean over them |
| `S` | the sum of all weights of a weight scheme |
| `p_k`, `F_k`, `O_k` | of probabilities: that of class *k*, that of "class *k* or below", and whether the latter came true (1 or 0) |

A sum without limits goes over all cells of the table. Where nothing can be divided by, a score is undefined (`nan`).
"""


def metric_pages() -> dict[str, str]:
    """The pages by name of file."""
    programs = peers()
    found = {f"{m.name}.md": metric_page(m, programs.get(m.name, [])) for m in catalogue()}
    index = ["# Metrics", "One page for each: formula, bounds, interval, laws with counter-examples, paper, peers, example."]
    for family, of_family in groupby(catalogue(), key=lambda m: m.family):
        index.append(f"## {FAMILIES.get(family, family.capitalize())}")
        group = list(of_family)
        rows = [(f"[`{m.name}`]({m.name}.md)", m.summary.rstrip(".")) for m in group]
        index.append(table(rows, ("metric", "what it is")))
        names = "\n".join(f"{m.name} <{m.name}>" for m in group)
        index.append(f"```{{toctree}}\n:hidden:\n\n{names}\n```")
    found["index.md"] = "\n\n".join([*index, LETTERS.strip(), ""])
    return found


# Errata


def errata_page() -> str:
    """Every erratum of the papers with its explanation and the counter-example, computed anew."""
    report = ordeval.papers.reproduce()
    totals = report.totals()
    page = [
        "# Errata of the papers, all of them",
        f"Computed by `ordeval reproduce` when this page was built: {totals['reproduced']} of {len(report.outcomes)} numbers and statements "
        f"come out, {totals['erratum']} are errata, and {totals['not reproducible here']} cannot be reproduced from what is published. "
        "[What this means](../explanation/errata.md). Statements are in our words. A case is a complete set of small ones that was tried.",
    ]
    for paper, outcomes in groupby((o for o in report.outcomes if o.verdict == "erratum"), key=lambda o: o.claim.paper):
        page.append(f"## {report.titles[paper]}")
        alike = groupby(outcomes, key=lambda o: (o.claim.where, o.claim.explanation, o.claim.counterexample.text))
        for (where, explanation, example), members_of in alike:
            page.append(erratum(where, explanation, example, list(members_of)))
    return "\n\n".join([*page, ""])


def erratum(where: str, explanation: str, example: str, outcomes: list) -> str:
    lines = []
    for outcome in outcomes:
        claim = outcome.claim
        if claim.printed:
            lines.append(f"{claim.row}, {claim.column}: printed {claim.printed}, here {outcome.computed}")
        else:
            lines.append(f"“{claim.row}” Tried: {claim.column}; {outcome.computed}")
    said = lines[0] + "." if len(lines) == 1 else "\n".join(["", *(f"- {line}" for line in lines)])
    return f"**{where}.** {said}\n\n{explanation} *Counter-example:* {example}."


# Public names


def commented_fields(cls: type) -> dict[str, str]:
    """What the source says behind `#:` of a field."""
    try:
        source = inspect.getsource(cls)
    except (OSError, TypeError):
        return {}
    return dict(re.findall(r"^    (\w+): .*?#: (.+)$", source, re.M))


def members(cls: type) -> list[tuple[str, str, object]]:
    """(kind, name, object) of the public methods and properties that the class itself or a base of ours defines, in the order of the source."""
    found: dict[str, tuple[str, str, object]] = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("ordeval"):
            continue
        for name, value in vars(base).items():
            if name.startswith("_"):
                continue
            if isinstance(value, property) or hasattr(value, "func"):
                found[name] = ("property", name, value)
            elif isinstance(value, (classmethod, staticmethod)):
                found[name] = ("classmethod" if isinstance(value, classmethod) else "staticmethod", name, value.__func__)
            elif inspect.isfunction(value):
                found[name] = ("method", name, value)
    return list(found.values())


def class_body(cls: type) -> str:
    out = paragraphs(own_doc(cls))
    fields = [f.name for f in dataclasses.fields(cls) if not f.name.startswith("_")] if dataclasses.is_dataclass(cls) else []
    if fields:
        said = commented_fields(cls)
        out.append("Fields: " + "; ".join(f"`{name}`" + (f" ({said[name]})" if name in said else "") for name in fields) + ".")
    for kind, name, value in members(cls):
        line = name if kind == "property" else signature(value, name)
        out.append(directive(kind, f"{cls.__name__}.{line}", "\n\n".join(paragraphs(member_doc(cls, name))), fence="````"))
    return "\n\n".join(out)


def member_doc(cls: type, name: str) -> str:
    """The words of a member: its own, or those of the class that it was inherited from."""
    said = (own_doc(getattr(vars(base)[name], "__func__", vars(base)[name])) for base in cls.__mro__ if name in vars(base))
    return next(filter(None, said), "")


def own_doc(value: object) -> str:
    """The words written for this very thing: not those of `object`, nor the signature that a dataclass makes up."""
    doc = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    made_up = isinstance(value, type) and doc.startswith(f"{value.__name__}(")
    return "" if made_up else doc


def public_names() -> dict[str, object]:
    """The public names that are no metrics, by where they are; a type stands where it is used, and in oe.types if nowhere else."""
    metrics = {m.name for m in catalogue()}
    found = {name: getattr(ordeval, name) for name in ordeval.__all__ if name not in metrics}
    for space in ordeval._NAMESPACES:
        module = getattr(ordeval, space)
        for name in getattr(module, "__all__", ()):
            if not any(value is getattr(module, name) for value in found.values()):
                found[f"{space}.{name}"] = getattr(module, name)
    return found


def entry(name: str) -> str:
    value = public_names()[name]
    if isinstance(value, type):
        shown = name if issubclass(value, Warning) else signature(value, name)
        kind = "exception" if issubclass(value, Warning) else "class"
        long = dataclasses.is_dataclass(value) or len(shown) > 200
        return directive(kind, name if long else shown, class_body(value), fence="`````")
    if callable(value):
        return directive("function", signature(value, name), "\n\n".join(paragraphs(own_doc(value))), fence="`````")
    listed = "\n".join(f"- `{key}`: {text}" for key, text in value.items()) if hasattr(value, "items") else f"`{value!r}`"
    return directive("data", name, listed, fence="`````")


def room(name: str) -> str:
    if "." in name:
        return name.split(".")[0]
    module = getattr(getattr(ordeval, name), "__module__", "") or ""
    found = module.split(".")[1] if module.startswith("ordeval.") else "metrics"
    return "evaluation" if found in ("infer", "base") else found


def api_pages() -> dict[str, str]:
    """Every public name that is not a metric, one page for each room."""
    rest = list(public_names())
    rooms = sorted({room(name) for name in rest}, key=lambda r: (*ROOMS, r).index(r))
    pages = {}
    for key in rooms:
        names = sorted((name for name in rest if room(name) == key), key=str.lower)
        pages[f"{key}.md"] = "\n\n".join([f"# {ROOMS.get(key, key.capitalize())}", *map(entry, names), ""])
    listed = [(f"[{ROOMS.get(key, key.capitalize())}]({key}.md)", links(key, rest)) for key in rooms]
    toctree = "```{toctree}\n:hidden:\n\n" + "\n".join(rooms) + "\n```"
    words = (
        "Every name of `ordeval`, with its signature and its docstring; metrics have [pages of their own](../metrics/index.md)."
    )
    pages["index.md"] = "\n\n".join(["# Public names", words, table(listed, ("", "names")), toctree, ""])
    return pages


def links(key: str, names: list[str]) -> str:
    mine = sorted((name for name in names if room(name) == key), key=str.lower)
    return ", ".join(f"{{py:obj}}`{name} <ordeval.{name}>`" for name in mine)


def write(folder: Path) -> None:
    for part, pages in (("metrics", metric_pages()), ("api", api_pages()), (".", {"errata.md": errata_page()})):
        target = folder / "reference" / part
        target.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (target / name).write_text(text, encoding="utf-8", newline="\n")
        if part == "metrics":
            for metric in catalogue():
                (target / f"{metric.name}.svg").write_text(formula_svg(metric.formula), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
