"""What the screens compute, without Streamlit: tables, presets, standings, closeness, intervals, addresses, uploads."""

import io
import math
import shlex
from contextlib import redirect_stdout
from itertools import pairwise

import numpy as np
import pytest
from commands import ordeval
from hostile import HOSTILE
from hypothesis import given
from hypothesis import strategies as st

import ordeval as oe
from ordeval.app import closeness, costs, elsewhere, forecasts, tables, uploads
from ordeval.app import evaluate_state as studies
from ordeval.app import intervals_state as spans
from ordeval.app import laws_state as properties
from ordeval.app.charts import dot_plot, fitted, score_bars, spec_of
from ordeval.app.escape import escape
from ordeval.app.presets import FIRST, LINK, PRESETS
from ordeval.app.score_table import SHOWN, moved_sentence, score_table, share_of
from ordeval.app.tables import Table
from ordeval.study._roles import Values

TRUTHS = Table(("a", "b", "c"), ((5, 3, 2), (1, 6, 0), (0, 0, 4)))


# Tables

names = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\x00\r\n"), min_size=1, max_size=20).map(str.strip).filter(bool),
    min_size=2,
    max_size=10,
    unique=True,
)


@given(names, st.data())
def test_a_table_comes_back_from_its_address(labels, data):
    k = len(labels)
    cells = data.draw(st.lists(st.lists(st.integers(0, 10**9), min_size=k, max_size=k), min_size=k, max_size=k))
    table = Table(tuple(labels), tables.as_cells(cells, k), tables.as_cells(cells[::-1], k))
    assert LINK.read(LINK.write(table)) == table


def test_hostile_labels_come_back_from_an_address():
    labels = tuple(label.strip() for label in HOSTILE if label.strip() and len(label) < 60)[:10]
    table = Table(labels, tables.as_cells(np.eye(10, dtype=int).tolist(), 10))
    assert LINK.read(LINK.write(table)) == table


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"table": "1,2;3"}, "needs 2 rows of 2 numbers"),
        ({"table": "1,-2;3,4"}, "-2 is not a count"),
        ({"table": "1,x;3,4"}, "says “1,x;3,4” for “table”; whole numbers with commas"),
        ({"table": "1"}, "there are 1 classes"),
        ({"table": "1,2;3,4", "classes": "a,a"}, "two classes are called a"),
        ({"table": "1,2;3,4", "classes": "a,b,c"}, "needs 3 rows"),
        ({"table": "1,2;3,4", "classes": f"a,{'b' * 61}"}, "61 signs"),
        ({"table": ";".join(["1" + ",1" * 10] * 11)}, "there are 11 classes"),
        ({"table": f"{10**9 + 1},2;3,4"}, "not a count"),
        ({"table": "1,2;3,4", "classes": "a\rb,c"}, "these names cannot be read"),
    ],
)
def test_an_address_that_is_no_table_is_refused_in_a_sentence(query, said):
    with pytest.raises(ValueError, match=said):
        LINK.read(query)


def test_emptied_cells_are_zero_and_fractions_are_refused():
    assert tables.as_cells([[None, 2.0], [math.nan, 4]], 2) == ((0, 2), (0, 4))
    with pytest.raises(ValueError, match=r"1\.5 is not a count"):
        tables.as_cells([[1.5, 0], [0, 0]], 2)
    with pytest.raises(ValueError, match="inf is not a count"):
        tables.as_cells([[math.inf, 0], [0, 0]], 2)


def test_other_classes_keep_the_counts_in_their_place():
    wider = TRUTHS.with_labels(("w", "x", "y", "z"))
    assert wider.cells == ((5, 3, 2, 0), (1, 6, 0, 0), (0, 0, 4, 0), (0, 0, 0, 0))
    assert wider.with_labels(("w", "x")).cells == ((5, 3), (1, 6))


def test_counts_stay_with_their_class():
    table = Table(("a", "b", "c"), ((5, 3, 2), (1, 6, 0), (0, 0, 4)), ((1, 0, 0), (0, 2, 0), (0, 0, 3)))
    turned = table.with_classes(("c", "b", "a"))
    assert turned.cells == ((4, 0, 0), (0, 6, 1), (2, 3, 5))
    assert turned.pinned == ((3, 0, 0), (0, 2, 0), (0, 0, 1))
    assert table.with_classes(("a", "new", "b", "c")).cells == ((5, 0, 3, 2), (0, 0, 0, 0), (1, 0, 6, 0), (0, 0, 0, 4))
    assert table.with_classes(("x", "b", "c")).cells == table.cells  # another name in the same place
    with pytest.raises(oe.ArgumentError, match="take a class away first"):
        table.with_classes(("x", "c"))


def test_rows_of_a_class_that_is_taken_away_are_left_out_or_joined():
    assert TRUTHS.lost(("a", "c")) == (1,)
    assert TRUTHS.lost(("c", "a")) == TRUTHS.lost(("a", "x")) == ()  # more was changed than that
    assert TRUTHS.rows_of((1,)) == 1 + 6 + 0 + 3 + 0
    assert TRUTHS.without((1,)).cells == ((5, 2), (0, 4))
    assert TRUTHS.without((1,), "below").cells == ((5 + 3 + 1 + 6, 2 + 0), (0, 4))
    assert TRUTHS.without((1,), "above").cells == ((5, 3 + 2), (1, 6 + 0 + 0 + 4))
    assert TRUTHS.without((0, 1), "below").cells == ((21,),)  # there is none below, so the one above
    total = sum(map(sum, TRUTHS.cells))
    for join in ("below", "above"):
        assert sum(map(sum, TRUTHS.without((0,), join).cells)) == total


# Presets


def test_the_first_table_is_system_b_of_the_cem_paper_with_a_pinned():
    found = {s.metric: s for s in score_table(FIRST.labels, FIRST.cells, None, FIRST.pinned)}
    assert (f"{found['cem'].pinned:.3f}", f"{found['cem'].value:.3f}") == ("0.712", "0.760")
    assert found["accuracy"].value == found["accuracy"].pinned == 0.7


@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_questions_with_a_table_and_something_to_compare_with(name):
    preset = PRESETS[name]
    assert "?" in preset.asks
    table = preset.make(TRUTHS)
    assert table.pinned is not None
    assert len(table.labels) == len(table.cells) == len(table.pinned)
    assert table.cells != table.pinned
    assert [sum(row) for row in table.cells] == [sum(row) for row in table.pinned]  # the same truth, other answers


def test_presets_of_the_own_classes():
    assert PRESETS["majority"].make(TRUTHS).cells == ((10, 0, 0), (7, 0, 0), (4, 0, 0))
    assert PRESETS["shifted"].make(TRUTHS).cells == ((0, 10, 0), (0, 0, 7), (0, 0, 4))
    assert PRESETS["reversed"].make(TRUTHS).cells == ((0, 0, 10), (0, 7, 0), (4, 0, 0))
    assert PRESETS["perfect"].make(TRUTHS).cells == ((10, 0, 0), (0, 7, 0), (0, 0, 4))
    empty = Table(("a", "b"), ((0, 0), (0, 0)))
    assert all(
        PRESETS[name].make(empty).cells == empty.cells for name in ("majority", "shifted", "reversed", "perfect", "random")
    )


def test_the_same_accuracy_hides_the_harm():
    table = PRESETS["harm"].make(TRUTHS)
    found = {s.metric: s for s in score_table(table.labels, table.cells, None, table.pinned)}
    assert found["accuracy"].ahead == 0
    assert found["cem"].ahead < -0.05
    assert found["mae"].ahead > 0.2


# Standings


def test_standings_are_the_librarys_own_numbers():
    found = score_table(TRUTHS.labels, TRUTHS.cells, FIRST.cells, None)
    truth = [label for label, row in zip("abc", TRUTHS.cells, strict=True) for _ in range(sum(row))]
    answer = [p for row in TRUTHS.cells for p, n in zip("abc", row, strict=True) for _ in range(n)]
    for text in ("cem", "amae", "cohen_kappa", "oci", "kendall_tau"):
        s = next(s for s in found if s.metric == text)
        assert s.value == pytest.approx(oe.get_metric(text)(truth, answer, labels=list("abc")), abs=1e-15)
    assert len(found) == len([m for m in oe.catalogue() if m.needs <= {"whole counts"}])
    assert set(SHOWN) <= {s.metric for s in found}


@pytest.mark.parametrize("metric", [m for m in oe.catalogue() if m.needs <= {"whole counts"}], ids=str)
def test_a_bar_is_full_at_the_best_score_and_empty_at_the_worst(metric):
    low, high = metric.bounds_for(4)
    if not math.isfinite(high):
        assert math.isnan(share_of(metric, 1.0, 4))
        return
    best, worst = {"higher": (high, low), "lower": (low, high)}.get(metric.direction, (metric.direction, high))
    assert share_of(metric, best, 4) == 1
    assert share_of(metric, worst, 4) == 0


def test_every_edit_says_what_moved_and_by_how_much():
    after = TRUTHS.with_cells([[6, 3, 2], [1, 6, 0], [0, 0, 4]])
    found = score_table(after.labels, after.cells, TRUTHS.cells)
    said = moved_sentence(found, after.labels, TRUTHS.cells, after.cells)
    change = oe.cem(after.counts) - oe.cem(TRUTHS.counts)
    assert said.startswith("a called a: 5 → 6.")
    assert f"how close (CEM) {change:+.3f}".replace("-", "\N{MINUS SIGN}") in said
    moved = sum(s.moved for s in found)
    assert f"{moved} of {len(found)} scores moved" in said
    assert moved_sentence(found, after.labels, after.cells, after.cells) == ""
    still = score_table(TRUTHS.labels, TRUTHS.cells, None)
    assert all(math.isnan(s.change) for s in still)


def test_a_table_without_rows_has_no_scores_and_no_error():
    lines = {line.metric: line for line in score_table(("a", "b"), ((0, 0), (0, 0)), ((1, 0), (0, 1)))}
    assert all(math.isnan(lines[text].value) and math.isnan(lines[text].change) for text in SHOWN)


# Closeness


@pytest.mark.parametrize(("journal", "answer", "truth", "bits"), oe.papers.examples.CLOSEST_AND_FURTHEST)
def test_the_blogs_pairs(journal, answer, truth, bits):
    rows = closeness.FIRST.both[f"journal {journal}"]
    found = {(pair.answer, pair.truth): pair.bits for pair in closeness.pairs(closeness.FIRST.labels, rows)}
    assert f"{found[answer, truth]:.3f}" == bits


def test_journal_f_begins_with_weak_accept_to_accept():
    closest, furthest = closeness.closest_and_furthest(closeness.FIRST.labels, closeness.FIRST.first)
    assert (closest[0].answer, closest[0].truth, closeness.bits_text(closest[0].bits)) == ("weak accept", "accept", "2.951 bits")
    assert {furthest[0].answer, furthest[0].truth} == {"reject", "accept"}
    assert all(a.bits >= b.bits for a, b in pairwise(closest))
    assert all(a.bits <= b.bits for a, b in pairwise(furthest))


def test_zero_counts_are_allowed():
    found = closeness.pairs(("a", "b", "c"), (0, 0, 3))
    assert {(p.answer, p.truth): p.bits for p in found}["b", "a"] == math.inf  # nobody from a to b
    assert closeness.bits_text(math.inf) == "no row lies between"
    assert closeness.pairs(("a", "b"), (0, 0)) == []
    assert closeness.closest_and_furthest(("a", "b"), (0, 0)) == ([], [])


def test_every_row_has_its_dot_until_there_are_too_many():
    placed, per_dot = closeness.dots(("a", "b"), (7, 105))
    assert per_dot == 1
    assert [sum(dot["class"] == c for dot in placed) for c in "ab"] == [7, 105]
    assert len({(dot["class"], dot["place"], dot["level"]) for dot in placed}) == 112
    many, per_dot = closeness.dots(("a", "b"), (10**6, 1))
    assert len(many) <= closeness.DOTS + 2
    assert per_dot > 1
    assert sum(dot["class"] == "b" for dot in many) == 1  # a rare class does not vanish


def test_what_is_typed_becomes_distributions():
    sets = closeness.sets_from_texts("low, high", "x", "3,0", " y", "0 2")
    assert sets == closeness.Sets(("low", "high"), ("x", "y"), (3, 0), (0, 2))
    assert closeness.LINK.read(closeness.LINK.write(sets)) == sets
    for change, said in (
        ({"classes": "low,low"}, "two classes are called low"),
        ({"first": "1"}, "x has 1 number for 2 classes"),
        ({"first": "1,-1"}, "-1 is not a count"),
        ({"second": "1,half"}, "the rows of y cannot be read"),
        ({"second_name": "x"}, "two distributions are called x"),
    ):
        given = {"classes": "low,high", "first_name": "x", "first": "1,2", "second_name": "y", "second": "3,4"} | change
        with pytest.raises(oe.ArgumentError, match=said):
            closeness.sets_from_texts(**given)


@pytest.mark.parametrize(
    "change", [{"first": "1,2"}, {"first": "x,1,1,1,1"}, {"names": "a,b,c"}, {"classes": "a"}, {"classes": "a\rb,c"}]
)
def test_an_address_that_is_no_pair_of_distributions_is_refused(change):
    with pytest.raises(ValueError, match="address|classes|names"):
        closeness.LINK.read({**closeness.LINK.write(closeness.FIRST), **change})


# Intervals


def test_the_hospital_example_is_open_at_the_top():
    first = spans.FIRST
    assert first.open_ends == 1
    assert first.values()["interval_stc"] == oe.interval_stc(first.counts)
    assert first.metrics == ["interval_stc", "stc", "mae"]  # a mean distance needs all lengths
    given_length = spans.Spans(first.edges, first.cells, "midpoint", 20.0)
    assert given_length.metric == "interval_stc(unbounded=20.0, distance='midpoint')"
    assert "interval_mae(unbounded=20.0, distance='midpoint')" in given_length.values()
    for some in (first, given_length):
        assert spans.LINK.read(spans.LINK.write(some)) == some


@pytest.mark.parametrize("text", ["0, 30, 60", "-inf, 0, 1, inf", "−∞, 0.5, 1", "1e-3,2,3"])
def test_edges_come_back(text):
    edges = spans.edges_from(text)
    assert spans.edges_from(spans.edges_text(edges)) == edges


@pytest.mark.parametrize("text", ["", "0,1", "0,x,2", "0,2,1", "0,inf,3", "nan,1,2", "0,0,1", ",".join(map(str, range(13)))])
def test_edges_that_are_no_scale_are_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        spans.edges_from(text)


# Laws


def test_the_blogs_examples_the_right_way_round():
    found = dict(
        zip(
            ("ordinal_invariance", "ordinal_monotonicity", "imbalance"),
            (properties.score_example(example, oe.get_metric("cem")) for example in properties.EXAMPLES),
            strict=True,
        )
    )
    assert all(shown.kept for shown in found.values())
    assert (round(found["imbalance"].first, 4), round(found["imbalance"].second, 4)) == (0.9445, 0.9273)
    assert (round(found["ordinal_monotonicity"].first, 4), round(found["ordinal_monotonicity"].second, 4)) == (0.9319, 0.9002)
    assert found["ordinal_invariance"].first < 1  # an example that can fail
    assert not properties.score_example(properties.EXAMPLES[0], oe.get_metric("mae")).kept
    assert not properties.score_example(properties.EXAMPLES[1], oe.get_metric("accuracy")).kept
    assert (
        properties.score_example(properties.EXAMPLES[2], oe.get_metric("kendall_tau")).sentence
        == "The first should score better: the second does."
    )
    assert (
        properties.score_example(properties.EXAMPLES[1], oe.get_metric("accuracy")).sentence
        == "The first should score better: they score the same."
    )


@pytest.mark.parametrize(("metric", "law"), [("kendall_tau", "imbalance"), ("interval_stc", "merging"), ("oci", "triangle")])
def test_a_counter_example_has_the_scores_that_stand_beside_it(metric, law):
    breach = properties.law_report(metric, law)[law].breach
    counts = properties.breach_counts(breach)
    values = [float(oe.get_metric(metric).bind(c)(c.matrix)) for c in counts]
    assert values == pytest.approx(breach.scores, nan_ok=True)


def test_recorded_verdicts_print():
    table = oe.laws.table(["kendall_tau", "cem"], laws=["imbalance"])
    assert str(table["kendall_tau", "imbalance"]) == "fails; the counter-example is recorded with the metric"
    assert str(table["cem", "imbalance"]).startswith("proved by")


# Uploads and studies


def test_the_example_is_read_as_the_library_reads_it():
    counts = studies.EXAMPLE.counts(uploads.example())
    visits = oe.load_example("triage")
    both = {name: visits[name] for name in ("nurse", "model")}
    assert counts == oe.count(visits["grade"], both, labels=list(uploads.EXAMPLE_ORDER), missing="drop")


def test_the_order_of_text_is_never_guessed_and_that_of_integers_is_known():
    text = uploads.Upload("a.csv", b"t,p\nlow,high\nmid,mid\n")
    assert text.classes("t", ["p"]) == (("low", "mid", "high"), False) or set(text.classes("t", ["p"])[0]) == {
        "low",
        "mid",
        "high",
    }
    assert text.classes("t", ["p"])[1] is False
    numbers = uploads.Upload("a.csv", b"t,p\n1,5\n2,2\n")
    assert numbers.classes("t", ["p"]) == (("1", "2", "3", "4", "5"), True)
    gaps = uploads.Upload("a.jsonl", b'{"t": 0.5, "p": null}\n{"t": 1.5, "p": 0.5}\n')
    assert gaps.classes("t", ["p"]) == (("0.5", "1.5"), False)
    assert studies.ordered((), ("low", "mid"), known=False) == ()
    assert studies.ordered(("mid", "low"), ("low", "mid"), known=False) == ("mid", "low")
    assert studies.ordered(("x",), ("1", "2"), known=True) == ("1", "2")


@pytest.mark.parametrize("many", ["t", "p", "q"])
@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("note {}", "holds 101 different values, and the limit here is 100 classes; choose another column$"),
        ("{}", "holds 101 different numbers, and the limit here is 100 classes; choose another column, or cut it into bands"),
    ],
    ids=["texts", "numbers"],
)
def test_the_column_with_too_many_values_is_the_one_that_is_named(many, value, said):
    rows = [",".join(value.format(i) if name == many else str(i % 2) for name in "tpq") for i in range(101)]
    upload = uploads.Upload("a.csv", "\n".join(["t,p,q", *rows]).encode())
    with pytest.raises(oe.ArgumentError, match=f"^{many} {said}"):
        upload.classes("t", ["p", "q"])
    assert upload.classes(*{"t": ("p", ["q"]), "p": ("t", ["q"]), "q": ("t", ["p"])}[many]) == (("0", "1"), True)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.xlsx", b"PK", "not a file that can be read here"),
        ("a.csv", b"", "a.csv is empty"),
        ("a.parquet", b"not parquet", "a.parquet"),
        ("<img src=x>.csv", b"", "<img src=x>.csv is empty"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_its_own_name(name, data, said):
    with pytest.raises(ValueError, match=said) as caught:
        uploads.Upload(name, data).columns()
    assert "ordeval-" not in str(caught.value)  # nor the folder it was read in


def test_a_refusal_names_the_row_and_leaves_nothing_on_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    upload = uploads.Upload("mine.csv", b"t,p\nlow,high\nlow,Hihg\n")
    with pytest.raises(ValueError, match=r"Hihg.*first row 2"):
        upload.counts("t", ["p"], ("low", "high"), "error", None)
    assert list(tmp_path.iterdir()) == []


def test_a_bomb_is_refused_before_it_is_read(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = uploads.MAX_ROWS + 1
    ones = pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, np.int8)), pa.array(["a"]))
    pq.write_table(pa.table({"t": ones, "p": ones}), tmp_path / "bomb.parquet")
    data = (tmp_path / "bomb.parquet").read_bytes()
    assert len(data) < 2**20
    with pytest.raises(
        ValueError, match=r"bomb\.parquet has 10,000,001 rows, and the limit here is 10,000,000; score it with the"
    ):
        uploads.Upload("bomb.parquet", data).classes("t", ["p"])
    big = uploads.Upload("big.csv", b"t,p\n" + b"a" * (uploads.UPLOAD_MB * 2**20))
    with pytest.raises(ValueError, match="more than 50 MB"):
        big.columns()


def test_a_study_comes_back_from_its_address():
    study = studies.Study(
        "a, b", ("p;q", 'r"', " s"), ("lo,w", "hi"), "drop", ("cem", "cohen_kappa(weights='linear')"), "mae", 0.9, "site"
    )
    assert studies.LINK.read(studies.LINK.write(study)) == study
    for change in (
        {"missing": "guess"},
        {"level": "2"},
        {"metrics": "nonsense"},
        {"source": "http://x"},
        {"pred": ""},
        {"pred": "a\rb"},
        {"order": "a" * 200_000},
        {"primary": "interval_stc"},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            studies.LINK.read({**studies.LINK.write(study), **change})


@pytest.mark.parametrize("preds", [("p",), ("p", "q")], ids=["one", "two"])
@pytest.mark.parametrize(
    "change",
    [
        {},
        {"cluster": "who"},
        {"level": 0.9},
        {"missing": "drop"},
        {"missing": "unanswered"},
        {"metrics": ("accuracy",), "primary": "accuracy"},
        {"order": ("2", "1", "3")},
        {"true": "u"},
    ],
    ids=lambda change: "-".join(change) or "usual",
)
def test_python_and_command_of_a_study_give_its_numbers(preds, change, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{1 + i % 3},{'' if i == 7 else 1 + min(i % 3 + (i % 4 < 2), 2)},{1 + i * i % 3},{3 - i % 2},{i // 4}" for i in range(60)
    ]
    upload = uploads.Upload("rows.csv", "\n".join(["t,p,q,u,who", *lines]).encode())
    (tmp_path / upload.name).write_bytes(upload.data)
    study = studies.replace(studies.Study("t", preds, ("1", "2", "3"), "wrong", ("mae",), "mae"), **change)
    counts = study.counts(upload)
    result = study.compare(counts) if study.several else study.evaluate(counts)
    recipe = study.recipe(upload.name, counts)
    done = ordeval(*shlex.split(recipe.command)[1:], "--format", "csv")
    named = result if study.several else oe.types.Evaluations({"p": result}, "rows.csv")
    assert (done.code, done.out.split()) == (0, named.to_csv().split())
    out = io.StringIO()
    with redirect_stdout(out):
        exec(recipe.python, {})
    assert out.getvalue() == f"{result}\n"


def test_names_of_downloads_are_harmless():
    assert studies.file_stem("../../etc/<b>pass wd.csv") == "b-pass-wd"
    assert studies.file_stem("漢字.csv") == "rows"


# Labels are data

PAYLOADS = ["<img src=x onerror=alert(1)>", ":red[x]", ":smile:", "$x_{1}$", "[a](http://evil.example)", "www.evil.example", "a@evil.example",
            "http://evil.example", "# head", "`code`", "**b**", "<script>alert(1)</script>", ":material/delete:"]  # fmt: skip


@pytest.mark.parametrize("text", [*PAYLOADS, *HOSTILE])
def test_text_for_a_page_is_inert(text):
    from markdown_it import MarkdownIt

    page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(escape(text))
    assert not {"<img", "<script", "<a ", "<h1", "<code", "<strong", "<em>"} & {
        tag for tag in ("<img", "<script", "<a ", "<h1", "<code", "<strong", "<em>") if tag in page
    }
    import html
    import re

    shown = html.unescape(re.sub(r"</?p>", "", page))
    assert not re.search(r":\w+:|:\w+\[|https?://|(?i:www)\.|@\w", shown)


def test_labels_stand_in_charts_as_data():
    chart, words = dot_plot("<b>", ("<img src=x onerror=alert(1)>", "b"), (2, 3))
    assert "<img src=x onerror=alert(1)>" in words
    expressions = []

    def walk(node, key=""):
        if isinstance(node, dict):
            for inner, value in node.items():
                if inner != "values":
                    walk(value, inner)
        elif isinstance(node, list):
            for part in node:
                walk(part, key)
        elif "expr" in key.lower():
            expressions.append(node)

    walk(chart)
    walk(score_bars(score_table(TRUTHS.labels, TRUTHS.cells))[0])
    assert set(expressions) == {"datum.value ? 'best' : 'worst'"}


def test_charts_bring_their_data_with_them():
    spec = spec_of(oe.plot.ConfusionDisplay.from_counts(TRUTHS.counts))
    assert "datasets" not in spec
    assert len(spec["data"]["values"]) == 9
    assert "title" not in spec  # it stands above as text, where it is not cut
    page = fitted(spec)
    assert (page["width"], page["autosize"]["type"], page["background"]) == ("container", "fit-x", "transparent")
    assert "description" not in page  # the text alternative is given beside it


def test_charts_of_the_page_are_vega_lite():
    import altair as alt
    import vl_convert

    for chart, words in (
        score_bars(score_table(FIRST.labels, FIRST.cells, None, FIRST.pinned)[:5]),
        dot_plot("a", ("x", "y"), (3, 12)),
    ):
        alt.LayerChart.from_dict(chart)
        assert chart["description"] == words
        assert "<svg" in vl_convert.vegalite_to_svg(chart)


# Probabilities and costs


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_of_a_file_are_mended_and_halved(seed):
    rng = np.random.default_rng(seed)
    truth, proba = rng.choice(["low", "mid", "high"], 60), np.round(rng.dirichlet(np.ones(3), 60), 2)
    proba[:, 1] += 0.005
    proba[7] = 0.5  # adds up to 1.5
    columns = {"truth": truth.tolist(), **{name: proba[:, i].astype(str).tolist() for i, name in enumerate(("p1", "p2", "p3"))}}

    def values(column):
        texts = tuple(dict.fromkeys(column))
        return Values(texts, np.array([texts.index(text) for text in column]))

    order, seen = ("low", "mid", "high"), tuple(dict.fromkeys(truth.tolist()))
    named = tuple(f"p{1 + order.index(label)}" for label in seen)
    rows = forecasts.read_forecasts({name: values(column) for name, column in columns.items()}, "truth", named, order)
    kept = np.arange(60) != 7
    assert rows.proba.sum(1) == pytest.approx(np.ones(59))
    assert rows.proba == pytest.approx(proba[kept] / proba[kept].sum(1, keepdims=True))
    assert rows.truth.tolist() == truth[kept].tolist()
    found = forecasts.decide_for(rows, "mae", None)
    held, unseen = truth[kept][1::2], rows.proba[1::2]
    assert found.likeliest == oe.count(held, [order[i] for i in unseen.argmax(1)], labels=order)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, "x", None])
def test_a_table_with_one_bad_cost_is_none(bad):
    table = [[0.0, 1.0], [2.0, 5.0]]
    assert costs.as_costs(table, 2) == ((0.0, 1.0), (2.0, 0.0))
    table[0][1] = bad
    assert costs.as_costs(table, 2) is None
    assert costs.as_costs([[0.0, 1.0]], 2) is None


def test_counts_that_the_playground_cannot_show_are_no_table():
    shown = elsewhere.table_of(oe.Counts.from_matrix([[3, 1], [2, 4]], labels=["a", "b"]))
    assert (shown.labels, shown.cells) == (("a", "b"), ((3, 1), (2, 4)))
    half = oe.count(["a", "b"], ["a", "b"], labels=["a", "b"], sample_weight=[0.5, 1])
    spaced = oe.Counts.from_matrix([[3, 1], [2, 4]], labels=[" a", "b"])
    assert elsewhere.table_of(half) is None
    assert elsewhere.table_of(spaced) is None
    assert elsewhere.table_of(oe.Counts.from_matrix(np.eye(tables.MOST + 1, dtype=int))) is None
