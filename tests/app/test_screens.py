"""Each page as Streamlit draws it: it starts with something to see, opens from a link, keeps its state, and its recipes hold."""

import html
import io
import re
import warnings
import weakref
from contextlib import redirect_stdout
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from app_pages import EVERY, PAGES, open_page, shown, texts

import ordeval as oe
from ordeval.app import closeness, frame, uploads, verdicts
from ordeval.app import evaluate_state as studies
from ordeval.app import intervals_state as spans
from ordeval.app.figures_state import KINDS, Figure
from ordeval.app.figures_state import LINK as FIGURES
from ordeval.app.presets import LINK
from ordeval.app.screens import inside
from ordeval.study import guess_roles

HOSTILE_TABLE = {
    "classes": '"<img src=x onerror=alert(1)>","$x_{",":red[x]","it\'s ""quoted"", truly"',
    "table": "3,1,0,0;1,4,0,0;0,0,2,1;0,1,0,3",
}


def printed(python, **names):
    """What the Python of a page prints."""
    out = io.StringIO()
    with redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(python, names)
    return out.getvalue()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_starts_with_something_to_see(name):
    app = open_page(name)
    assert not app.exception
    assert not app.error
    assert not app.warning or name == "laws"
    title = app.title[0].value
    assert len(title.split()) > 3  # a sentence
    python, command, link = shown(app)
    assert python.startswith("import ")
    assert command
    assert link.startswith("http")


@pytest.mark.parametrize("name", EVERY)
def test_a_broken_link_is_said_in_words_and_the_page_starts_afresh(name):
    broken = {"playground": {"table": "x"}, "evaluate": {"source": "elsewhere"}, "closeness": {"classes": "a"}, "laws": {"law": "gravity"},
              "path": {"share": "7"}, "intervals": {"edges": "3,2,1"}, "choose": {"scale": "spiral"}, "": {"table": "x"}, "learn": {"step": "9"}, "metric": {"name": "nonsense"}, "probabilities": {"target": "x"}, "figures": {"show": "x"}}[name]  # fmt: skip
    app = open_page(name, **broken)
    assert not app.exception
    said = app.warning[0].value.replace("\\", "")
    assert "This link cannot be opened" in said
    assert not re.search(r"[A-Za-z_]+=|\(\)|'|Error", said), said  # words, no Python
    assert app.title


@pytest.mark.parametrize("name", PAGES)
def test_the_link_reopens_the_page(name):
    first = open_page(name, name="mae") if name == "metric" else open_page(name)
    python, command, link = shown(first)
    query = {key: values[0] for key, values in parse_qs(urlsplit(link).query).items()}
    again = open_page(name, **query)
    assert shown(again)[:2] == (python, command)


def all_metrics(**query):
    """The playground with its table of all metrics open."""
    return open_page("playground", state={"all_metrics_open": True}, **query)


def table_of(app, column="metric"):
    """The table on the page that has this column."""
    return next(frame.value for frame in app.dataframe if column in frame.value)


# Playground


def test_the_playground_shows_the_papers_numbers():
    app = all_metrics()
    python, _, _ = shown(app)
    said = dict(re.findall(r"^(\w+) (\S+) \S+$", printed(python), re.M))
    assert f"{float(said['cem']):.3f}" == "0.760"
    rows = table_of(app)
    cem = rows[rows["metric"] == "cem"].iloc[0]
    assert (f"{cem['value']:.3f}", f"{cem['pinned']:.3f}") == ("0.760", "0.712")


@pytest.mark.parametrize("query", [{}, HOSTILE_TABLE, {"table": "9,1;0,4"}], ids=["papers", "hostile", "numbered"])
def test_python_and_command_of_the_playground_give_its_numbers(query, shell):
    app = all_metrics(**query)
    assert not app.exception
    python, command, _ = shown(app)
    rows = table_of(app).set_index("metric")["value"]
    lines = [line.split(" ") for line in printed(python).splitlines()]
    assert {words[0]: float(words[1]) for words in lines} == pytest.approx(rows.to_dict(), nan_ok=True)
    import json

    scored = json.loads(shell(f"{command} --format json"))["scores"]
    assert {text: scored[text]["value"] for text in scored} == {
        text: None if np.isnan(value) else pytest.approx(value) for text, value in rows.items()
    }


def test_an_edit_says_what_moved():
    table = LINK.read({"table": "5,1;2,6"})
    app = open_page("playground", state={"table": table, "before": ((4, 1), (2, 6)), "all_metrics_open": True})
    assert "1 called 1" in app.info[0].value.replace("\\", "")
    change = oe.cem(table.counts) - oe.cem(oe.Counts.from_matrix([[4, 1], [2, 6]]))
    rows = table_of(app).set_index("metric")["change"]
    assert rows["cem"] == pytest.approx(change)


def test_the_playground_leads_to_other_pages_with_its_table():
    app = open_page("playground", classes="a,b,c", table="5,3,2;1,6,0;0,0,4")
    links = {link.proto.page: parse_qs(link.proto.query_string) for link in app.get("page_link")}
    rows = {"classes": ["a,b,c"], "table": ["5,3,2;1,6,0;0,0,4"]}
    assert links["path"].items() >= rows.items()
    assert links["learn"].items() >= rows.items()
    assert links["closeness"].items() >= {"first": ["10,7,4"], "second": ["6,9,6"]}.items()  # rows of the truth and of the answer
    assert "laws" in links


def test_presets_and_pinning_change_the_table():
    app = open_page("playground")
    app.selectbox(key="preset").select("majority").run()
    assert not app.exception
    table = app.session_state["table"]
    assert table.cells == ((0, 10, 0), (0, 60, 0), (0, 30, 0))
    assert table.pinned == LINK.start.cells
    button(app, "Pin this table").click().run()
    assert app.session_state["table"].pinned == table.cells
    app.text_input(key="classes").set_value("a,b,c").run()
    assert app.session_state["table"].labels == ("a", "b", "c")
    app.text_input(key="classes").set_value("a,a").run()
    assert "two classes are called a" in app.error[0].value
    assert app.session_state["table"].labels == ("a", "b", "c")


def button(app, label):
    return next(found for found in app.button if found.label == label)


def test_a_class_is_taken_away_only_after_its_rows_have_a_place():
    app = open_page("playground", classes="a,b,c", table="5,3,2;1,6,0;0,0,4")
    before = app.session_state["table"]
    app.text_input(key="classes").set_value("a,c").run()
    assert app.session_state["table"] == before  # nothing is dropped without a word
    assert "its 10 rows" in texts(app)
    button(app, "Keep as it is").click().run()
    assert app.session_state["table"] == before
    assert app.text_input(key="classes").value == "a,b,c"
    app.text_input(key="classes").set_value("a,c").run()
    button(app, "Join to the class below").click().run()
    assert app.session_state["table"].cells == ((15, 2), (0, 4))
    button(app, "Undo").click().run()
    assert app.session_state["table"] == before
    assert button(app, "Undo").disabled


def test_a_caption_stays_true_after_an_edit_and_reset_brings_the_question_back():
    app = open_page("playground")
    app.selectbox(key="preset").select("harm").run()
    asked = app.session_state["table"]
    assert "The pinned one errs by one step" in texts(app)
    app.text_input(key="classes").set_value("a,b,c,d").run()
    assert "The pinned one errs by one step" not in texts(app)
    assert "You have changed this table; it began as" in texts(app).replace("\\", "")
    assert "different harm" in texts(app)
    button(app, "Reset").click().run()
    assert app.session_state["table"] == asked
    assert "The pinned one errs by one step" in texts(app)


def test_what_the_browser_sends_is_checked():
    from ordeval.app import frame

    app = open_page("playground")
    for sent in ([[1, 2], [3]], [[1.5] * 3] * 3, [["<img>"] * 3] * 3, "x", None, [[10**10] * 3] * 3):
        taken, refused = [], []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(frame.pieces, "edit_table", lambda *a, take, sent=sent, **k: take(sent))
            patch.setattr(frame, "refuse_edit", refused.append)
            patch.setattr(frame, "add_field", lambda *a: None)
            frame.edited_cells("x", ("a", "b", "c"), app.session_state["table"].cells, "table", taken.append)
        assert (taken, len(refused)) == ([], 1), sent


@pytest.mark.parametrize("text", ["cem", "oci_general", "krippendorff_alpha", "rps_skill"])
def test_a_card_shows_what_the_record_says_and_the_formula_typeset(text):
    app = open_page("metric", name=text)
    assert not app.exception
    assert not app.warning
    metric = oe.get_metric(text)
    page = html.unescape(texts(app)).replace("\\", "").replace("\u2060", "").replace("`", "")
    assert metric.title in page
    assert metric.formula in app.latex[0].value.replace("\n", " ") or metric.formula in app.latex[0].value
    for name, words in metric.facts():
        if name in ("better", "bounds", "undefined", "ignores", "misleads when", "paper", "parameter"):
            assert words.replace("`", "") in page, name
    if text != "rps_skill":
        report = oe.laws.table([text]).reports[text]
        for law in oe.laws.LAWS:
            if report[law].holds is not None:
                assert f"{'✓' if report[law].holds else '✗'} {law.replace('_', ' ')}" in page


# Closeness


def test_python_of_closeness_gives_its_pairs(shell):
    app = open_page("closeness")
    page = texts(app).replace("\\", "")
    assert "weak accept → accept: **2.951 bits**" in page
    python, command, _ = shown(app)
    out = printed(python)
    assert shell(command) == out
    values = {(name, p, t): float(bits) for name, p, t, bits in re.findall(r"^(.+) \('(.+)', '(.+)'\) (\S+)$", out, re.M)}
    for name, rows in closeness.FIRST.both.items():
        for pair in closeness.pairs(closeness.FIRST.labels, rows):
            assert values[name, pair.answer, pair.truth] == pytest.approx(pair.bits)


def test_closeness_with_empty_classes():
    app = open_page("closeness", classes="a,b,c", names="x,y", first="0,0,3", second="0,0,0")
    assert not app.exception
    assert not app.error
    assert "no row lies between" in texts(app)
    assert "there are no rows" in texts(app)


# Several models, slices


@pytest.mark.slow
def test_several_models_are_shown_pair_by_pair():
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 4, 200)
    answers = [np.where(rng.random(200) < p, truth, rng.integers(1, 4, 200)) for p in (0.9, 0.6, 0.2)]
    lines = "\n".join(",".join(map(str, row)) for row in zip(truth, *answers, strict=True))
    app = evaluate_page(f"true,a,b,c\n{lines}\n".encode(), true="true", preds=("a", "b", "c"), order=("1", "2", "3"))
    assert not app.exception
    table = next(frame.value for frame in app.dataframe if "shows" in frame.value.columns)
    assert len(table) == 3
    assert set(table["shows"]) <= {"a is better", "b is better"}


@pytest.mark.slow
def test_slices_and_the_links_to_the_playground_show_both_models():
    app = open_page("evaluate")
    assert not app.exception
    rows = oe.load_example()
    answers = {model: rows[model] for model in ("nurse", "model")}
    counts = oe.count(rows["grade"], answers, labels=list(uploads.EXAMPLE_ORDER), missing="drop", by={"site": rows["site"]})
    table = next(frame.value for frame in app.dataframe if "slice" in frame.value.columns).set_index("slice")
    links = {link.proto.label: parse_qs(link.proto.query_string) for link in app.get("page_link")}
    for name, of in counts.groups("site").items():
        nurse, model = (oe.cem(of[model]) for model in ("nurse", "model"))
        assert table.loc[name, ["nurse", "model", "difference"]].tolist() == pytest.approx([nurse, model, model - nurse])
        assert cells_of(links[f"{name} in the playground"]) == [of[model].matrix.tolist() for model in ("nurse", "model")]
    whole = cells_of(links["Open this table in the playground"])
    assert whole == [counts[model].matrix.tolist() for model in ("nurse", "model")]


def cells_of(query):
    """The table of a link, and the one that is pinned beside it."""
    return [[[int(n) for n in row.split(",")] for row in query[part][0].split(";")] for part in ("table", "pinned")]


@pytest.mark.slow
def test_each_slice_is_held_against_the_rest_when_asked():
    app = open_page("evaluate", state={"slices_open": True})
    rows = oe.load_example()
    answers = {model: rows[model] for model in ("nurse", "model")}
    order = list(uploads.EXAMPLE_ORDER)
    for cluster in (None, "patient"):
        if cluster is not None:
            app.selectbox(key="study_cluster").select(cluster).run()
        assert not app.exception
        table = next(frame.value for frame in app.dataframe if "slice" in frame.value.columns and "low" in frame.value.columns)
        together = None if cluster is None else rows[cluster]
        counts = oe.count(rows["grade"], answers, labels=order, missing="drop", by={"site": rows["site"]}, cluster=together)
        for model in ("nurse", "model"):
            for group in oe.infer.compare_groups(counts[model], "site", "cem").groups:
                line = table[(table.model == model) & (table.slice == str(group.value))].iloc[0]
                found = (line.difference, line.low, line.high)
                assert found == pytest.approx((group.raw.difference, group.raw.low, group.raw.high))


def test_what_is_kept_is_made_of_this_very_thing(monkeypatch):
    """Equal counts of another file are another thing; the old one stays in memory, so that no other takes its address."""
    monkeypatch.setattr(frame.st, "session_state", {})
    counts, others = (oe.count([0, 1], [0, 1]) for _ in range(2))
    first = frame.session_cache("lines", 1, object, of=counts)
    assert frame.session_cache("lines", 1, object, of=counts) is first
    second = frame.session_cache("lines", 2, object, of=counts)
    third = frame.session_cache("lines", 2, object, of=others)
    assert len({id(first), id(second), id(third)}) == 3
    kept = weakref.ref(others)
    del others
    assert kept() is not None


# Figures of the papers


def test_the_figures_pass_through_the_points_that_the_papers_print():
    single = Figure("single", 0.5).display
    curve = dict(zip(single.betas, single.values, strict=True))
    assert curve[0.125][:4] == pytest.approx([0, 0.625, 0.9167, 1], abs=5e-5)
    assert curve[0.5][1:] == pytest.approx(1)  # the visitor's own
    assert curve[0.0] == pytest.approx(single.distances / (1 + single.distances))
    three = dict(zip(Figure("tridiagonal", 3).display.names, Figure("tridiagonal", 3).display.values[:, -1], strict=True))
    assert sorted(three.values()) == pytest.approx(sorted([0.5714, 0.5714, 0.5, 0.4375, 0.4615, 0.5812, 0.6526]), abs=5e-5)
    lengths = Figure("x-tilde", 8).display
    for ratio, best in ((0.25, 0.4472), (0.5, 0.5774), (1, 0.7071), (2, 1.2361)):
        assert lengths.lengths[lengths.ratios == ratio] == pytest.approx(best, abs=5e-5)
    assert lengths.lengths[-1] == pytest.approx(8**0.5)


@pytest.mark.parametrize("show", KINDS)
def test_the_slider_of_a_figure_changes_it_and_the_recipe_draws_it(show):
    app = open_page("figures", show=show)
    before = app.get("vega_lite_chart")[0].proto.SerializeToString()
    kind = KINDS[show]
    app.slider(key="figure_at").set_value(type(kind.least)(kind.most)).run()
    assert not app.exception
    assert app.get("vega_lite_chart")[0].proto.SerializeToString() != before
    assert Figure(show).display.title in texts(app)
    assert "<svg" in printed(shown(app)[0])


@pytest.mark.parametrize("show", KINDS)
def test_every_place_of_a_slider_has_an_address(show):
    kind = KINDS[show]
    for place in (kind.least, kind.start, kind.most):
        figure = Figure(show, place)
        assert FIGURES.read(FIGURES.write(figure)) == figure


# Path


def test_the_parts_of_the_index_add_up_and_the_recipe_gives_them(shell):
    app = open_page("path", table="5,1,4;5,50,5;7,8,15", classes="a,b,c", share="0.25", gamma="2")
    numbers = [float(metric.value) for metric in app.metric]
    parts = oe.parts.oci_parts(oe.Counts.from_matrix([[5, 1, 4], [5, 50, 5], [7, 8, 15]]), share=0.25, gamma=2.0)
    assert numbers == [round(value, 3) for value in (parts.index, parts.dispersion, parts.left_out, parts.penalty)]
    python, command, _ = shown(app)
    assert f"{parts.index} {parts.dispersion} {parts.left_out} {parts.penalty}" in printed(python)
    import json

    (score,) = json.loads(shell(f"{command} --format json"))["scores"].values()
    assert score["value"] == pytest.approx(parts.index)
    app.slider(key="dial_share").set_value(0.0).run()
    assert float(app.metric[3].value) == 0  # nothing on the path costs anything


# Intervals


@pytest.mark.parametrize("query", [{}, {"edges": "-inf,0,10,inf", "table": "5,1,0;2,9,1;0,3,4"}, {"edges": "0,1,3", "table": "5,1;2,9"}, {"edges": "0,1,inf", "table": "5,1;2,9", "length": "4.5", "distance": "midpoint"}])  # fmt: skip
def test_python_and_command_of_intervals_give_their_numbers(query, shell):
    app = open_page("intervals", **query)
    assert not app.exception
    assert not app.error
    python, command, _ = shown(app)
    said = dict(re.findall(r"^([a-z_]+(?:\(.*\))?) (\S+)$", printed(python), re.M))
    values = spans.LINK.read(query).values()
    assert {text: float(value) for text, value in said.items()} == pytest.approx(values)
    assert [metric.value for metric in app.metric] == [f"{value:.3f}" for value in values.values()]
    import json

    scored = json.loads(shell(f"{command} --format json"))["scores"]
    assert {text: score["value"] for text, score in scored.items()} == pytest.approx(values)


def test_edges_can_be_typed():
    app = open_page("intervals")
    app.text_input(key="edges").set_value("0, 10, 20").run()
    assert app.session_state["spans"].edges == (0, 10, 20)
    assert not app.exception
    app.text_input(key="edges").set_value("0, 30, 20").run()
    assert app.error
    assert app.session_state["spans"].edges == (0, 10, 20)


# Laws


def test_a_law_is_read_and_its_counter_example_shown(shell):
    app = open_page("laws")
    page = texts(app).replace("\\", "")
    assert "an error in a small class costs more than the same error in a large one" in page
    assert "B scores better" in page
    assert [metric.value for metric in app.metric][:2] == ["0.800", "0.894"]
    python, command, _ = shown(app)
    assert printed(python) == shell(command)
    assert "answer B  1 1 2 2  0.894" in printed(python)
    app.selectbox(key="law_metric").select("cem").run()
    assert "proved by" in app.success[0].value.replace("\\", "")
    assert [metric.value for metric in app.metric][-2:] == ["0.9445", "0.9273"]
    app.selectbox(key="law_metric").select("interval_stc").run()
    app.selectbox(key="law_name").select("merging").run()
    assert not app.exception


def test_the_table_of_laws_is_the_librarys():
    app = open_page("laws")
    rows = table_of(app).set_index("metric")
    recorded = oe.laws.table(["cem", "mae"], laws=["imbalance", "ordinal_invariance"])
    signs = {True: "✓", False: "✗"}
    for metric in ("cem", "mae"):
        for law in ("imbalance", "ordinal_invariance"):
            assert rows.loc[metric, law] == signs[recorded[metric, law].holds]
    assert len(rows) == len([m for m in oe.catalogue() if m.needs <= {"whole counts", "edges"}])


# Choose


def test_answers_lead_to_the_advice_of_the_library(shell):
    app = open_page("choose", rare="theirs")
    advice = oe.choose.advise(rare="theirs")
    page = texts(app).replace("\\", "").replace("\u2060", "")
    for found in advice.recommendations:
        assert f"`{found.metric}`" in page
        for sentence in (*found.reasons, *found.misses):
            assert str(sentence) in page
    assert advice.code in [block.value for block in app.code]
    python, command, _ = shown(app)
    assert printed(python) == shell(command) == f"{advice}\n"
    app.radio(key="answer_probabilities").set_value("yes").run()
    assert not app.exception
    app.radio(key="answer_audience").set_value("papers").run()
    assert "audience='papers'" in shown(app)[0]


# Evaluate


def numbers_in(text):
    return re.findall(r"\d\.\d{3}", text)


@pytest.mark.parametrize("preds", [("model",), ("nurse", "model")])
def test_python_and_command_of_an_evaluation_give_its_numbers(preds, shell, tmp_path, monkeypatch):
    study = studies.Study("grade", preds, uploads.EXAMPLE_ORDER, "drop", source="example")
    app = open_page("evaluate", state={"audit_open": True}, **studies.LINK.write(study))
    assert not app.exception
    assert not app.error
    python, command, _ = shown(app)
    example = uploads.example()
    (tmp_path / "triage.csv").write_bytes(example.data)
    monkeypatch.chdir(tmp_path)
    out = printed(python)
    counts = study.counts(example)
    result = study.compare(counts) if len(preds) > 1 else study.evaluate(counts)
    assert out == f"{result}\n"
    assert numbers_in(shell(command, {"triage.csv": example.data})) == numbers_in(out)
    rows = table_of(app, "low")
    evaluation = result.evaluations["model"] if len(preds) > 1 else result
    mine = rows[rows["model"] == "model"]
    assert mine["value"].tolist() == [score.value for score in evaluation.scores.values()]
    assert "2,400 rows read · 2,396 judged · 4 left out" in texts(app)
    classes = table_of(app, "class")
    assert classes["class"].tolist() == list(uploads.EXAMPLE_ORDER)
    assert [classes[f"n{i}"].tolist() for i in range(len(preds) + 1)] == [
        counts.table(axis).tolist() for axis in ("true", *preds)
    ]
    page = texts(app).replace("\\", "").replace("\u2060", "")
    verdict = verdicts.two_models(result, preds) if len(preds) > 1 else verdicts.one_model(result, "model", "cem")
    assert verdict.sentence in page
    assert all(sentence in page for sentence in verdict.but)


def fresh(upload):
    return studies.first_study(upload.columns(), guess_roles(upload.values()))


def evaluate_page(rows, **study):
    upload = uploads.Upload("mine.csv", rows)
    held = studies.Study(**study) if study else fresh(upload)
    return open_page("evaluate", state={"upload": upload, "study": held, "source": "file"})


def test_text_without_an_order_waits_for_one_and_nothing_is_red():
    app = evaluate_page(b"truth,model\n" + b"low,high\nmid,mid\nhigh,high\n" * 20)
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert not app.code  # no score before there is an order
    assert "Is this lowest first?" in [box.label.replace("\\", "") for box in app.expander][1]
    button(app, "Yes, this is the order, lowest first").click().run()
    assert "labels=['low', 'mid', 'high']" in shown(app)[0]  # in order of appearance, as the visitor saw it
    button(app, "Turn upside down").click().run()
    assert "labels=['high', 'mid', 'low']" in shown(app)[0]


def test_whole_numbers_stand_in_their_own_order():
    app = evaluate_page(b"truth,model\n" + b"1,2\n2,2\n3,1\n" * 20)
    assert not app.error
    assert "labels=['1', '2', '3']" in shown(app)[0] or "labels=[1, 2, 3]" in shown(app)[0]


def test_a_column_of_many_numbers_is_refused_before_an_order_is_looked_for():
    rows = b"hours,model\n" + b"".join(b"%d,%d\n" % (i % 1000, i % 7) for i in range(2000))
    app = evaluate_page(rows, true="hours", preds=("model",))
    said = app.error[0].value.replace("\\", "")
    assert "hours holds 1,000 different numbers" in said
    assert "cut it into bands" in said
    with pytest.raises(oe.ArgumentError, match="whole numbers more than 100 apart"):
        uploads.Upload("a.csv", b"t,p\n1,1\n100000000,1\n").classes("t", ["p"])


def test_what_the_library_refuses_stands_beside_its_field_in_the_words_of_the_page():
    app = evaluate_page(b"truth,model\n" + b"1,\n2,2\n1,1\n2,2\n", true="truth", preds=("model",))
    assert not app.exception
    said = app.error[0].value.replace("\\", "").replace("\u2060", "")
    assert said == (
        'mine.csv, column "model" has 1 missing value, the first at row 1 of mine.csv; “A row without a prediction: leave the row out, '
        "and count it” leaves these rows out, “A row without a prediction: count it as unanswered, and show what it could change” keeps "
        "count of them"
    )
    assert app.expander[0].error  # where the choice is made, not at the end of the page
    app.radio(key="study_missing").set_value("drop").run()
    assert not app.error


def test_a_cell_shows_its_rows_and_only_those():
    upload = uploads.example()
    values = upload.values()
    counts = studies.EXAMPLE.counts(upload)
    for model in ("nurse", "model"):
        for t, truth in enumerate(uploads.EXAMPLE_ORDER):
            for p, answer in enumerate(uploads.EXAMPLE_ORDER):
                found = inside.rows_of_cell(studies.EXAMPLE, values, model, truth, answer)
                assert len(found) == counts[model].matrix[t, p]
    app = open_page("evaluate", state={"study_rows_cell": ("model", 3, 0)})
    assert "2 rows: truly red, called green by model" in texts(app).replace("\\", "").replace("\u2060", "")
    rows = table_of(app, "row")
    assert set(rows["grade"]) == {"red"}
    assert set(rows["model"]) == {"green"}
    lines = upload.data.decode().splitlines()
    assert [lines[row].split(",")[3] for row in rows["row"]] == ["red", "red"]


def test_own_costs_turn_where_the_library_says():
    app = open_page("evaluate", state={"costs_open": True})
    cost = {metric.label.partition(":")[0]: metric.value for metric in app.metric}
    assert cost == {"nurse": "604", "model": "466"}
    assert "red weighs 5.18" in texts(app)
    app.slider(key="costs_weight").set_value(5.2).run()
    nurse, model = (float(metric.value) for metric in app.metric)
    assert nurse < model
    button(app, "Twice as bad if too low").click().run()
    assert app.session_state["costs"][3][0] == 6
    assert app.session_state["costs"][0][3] == 3


@pytest.mark.parametrize(("missing", "steps"), [("wrong", {"a": 2 + 1, "b": 20}), ("unanswered", {"a": 0, "b": 20})])
def test_what_a_missing_answer_counts_as_is_what_the_numbers_and_the_costs_hold(missing, steps):
    """Two rows without an answer: counted as wrong, they are called the class most steps away, 2 steps from 1 and 1 step from 2."""
    rows = b"truth,a,b,who\n" + b"1,1,1,u\n2,2,3,v\n3,3,2,u\n" * 10 + b"1,,1,v\n2,,2,u\n"
    chosen = {"true": "truth", "preds": ("a", "b"), "order": ("1", "2", "3"), "metrics": ("mae",), "primary": "mae"}
    app = evaluate_page(rows, missing="drop", **chosen)
    app.session_state["costs_open"] = True
    assert {metric.label: metric.value for metric in app.run().metric} == {"a: total cost": "0", "b: total cost": "20"}
    app.radio(key="study_missing").set_value(missing).run()
    assert not app.exception
    assert {metric.label: metric.value for metric in app.metric} == {f"{name}: total cost": str(n) for name, n in steps.items()}
    numbers = table_of(app, "low").set_index("model")["value"]
    upload = uploads.Upload("mine.csv", rows)
    counts = studies.Study(missing=missing, **chosen).counts(upload)
    assert numbers.to_dict() == {name: oe.mae(counts[name]) for name in ("a", "b")}


@pytest.mark.parametrize(
    ("key", "value", "change"),
    [
        ("study_true", "b", {"true": "b", "preds": ("a",)}),
        ("study_pred", ["b"], {"preds": ("b",)}),
        ("study_cluster", "who", {"cluster": "who"}),
        ("study_confidence_level", 0.9, {"level": 0.9}),
        ("study_metric", ["accuracy"], {"metrics": ("accuracy",)}),
    ],
)
def test_every_choice_of_an_evaluation_changes_the_numbers_to_those_of_that_choice(key, value, change):
    answers = ("1,1,1", "2,2,3", "3,3,2", "3,2,2", "1,1,2")
    rows = "\n".join(["truth,a,b,who", *(f"{answers[i % 5]},{i // 3}" for i in range(60))]).encode()
    start = {"true": "truth", "preds": ("a",), "order": ("1", "2", "3"), "metrics": ("mae",), "primary": "mae"}
    app = evaluate_page(rows, **start)
    before, field = table_of(app, "low"), next(field for field in (*app.selectbox, *app.multiselect) if field.key == key)
    field.set_value(value).run()
    assert not app.exception
    after, study = table_of(app, "low"), studies.Study(**start | change)
    expected = study.evaluate(study.counts(uploads.Upload("mine.csv", rows))).scores.values()
    ends = [(score.value, score.low, score.high) for score in expected]
    assert list(after[["value", "low", "high"]].itertuples(index=False, name=None)) == ends
    assert not after.equals(before)


def test_choose_leads_to_a_file_with_its_metrics():
    app = open_page("evaluate", metrics="mae;cem", primary="mae")
    assert app.session_state["study"].metrics == ("mae", "cem")
    assert app.session_state["study"].primary == "mae"
    assert "steps off (MAE)" in texts(app)


def test_a_refused_edit_is_said_below_its_field():
    app = open_page("playground")
    app.text_input(key="classes").set_value("a,{labels},{labels}").run()
    (error,) = app.columns[0].error
    assert error.value.replace("\\", "") == "two classes are called {labels}; every class needs a name of its own"
    app = open_page("closeness")
    app.text_input(key="name_second").set_value("journal F").run()
    (error,) = app.expander[0].error
    assert "two distributions are called journal F" in error.value


# Probabilities


@pytest.mark.parametrize("target", ["cem", "costs"])
def test_forecasts_are_scored_and_decided_as_the_recipe_says(target, tmp_path, monkeypatch):
    app = open_page("probabilities", target=target)
    assert not app.exception
    assert not app.error
    (tmp_path / "triage.csv").write_bytes(uploads.example().data)
    monkeypatch.chdir(tmp_path)
    scores, table = printed(shown(app)[0]).splitlines()
    rps, skill = map(float, scores.split())
    assert [metric.value for metric in app.metric][:2] == [f"{rps:.3f}", f"{skill:.3f}"]
    fitted = oe.Counts.from_matrix(eval(table), labels=list(uploads.EXAMPLE_ORDER))
    metric = oe.get_metric("mae" if target == "costs" else target)
    assert app.metric[3].value == f"{metric(fitted):.3f}"
    assert fitted.total == (2400 - 4) // 2  # the half that the rule has not seen, of the rows with probabilities


def test_a_file_without_probabilities_says_what_is_needed():
    upload = uploads.Upload("mine.csv", b"truth,model\n" + b"1,2\n2,2\n1,1\n" * 5)
    study = studies.Study("truth", ("model",), ("1", "2"))
    app = open_page("probabilities", state={"upload": upload, "study": study})
    assert not app.exception
    assert "This file has no probabilities" in app.info[0].value


# State


def test_state_survives_a_change_of_page():
    program = (
        "import streamlit as st\nfrom ordeval.app.frame import guard\nfrom ordeval.app.pages import PAGES\n"
        "name = st.radio('page', list(PAGES)[5:], key='which')\nguard(PAGES[name][1], name)()\n"
    )
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_string(program, default_timeout=60).run()
    app.selectbox(key="preset").select("reversed").run()
    app.radio(key="which").set_value("path").run()
    assert app.session_state["table"].cells == ((0, 0, 10), (0, 60, 0), (30, 0, 0))
    app.slider(key="dial_share").set_value(0.5).run()
    app.radio(key="which").set_value("intervals").run()
    app.radio(key="distance").set_value("midpoint").run()
    app.radio(key="which").set_value("path").run()
    assert app.slider(key="dial_share").value == 0.5
    app.radio(key="which").set_value("intervals").run()
    assert app.radio(key="distance").value == "midpoint"
    assert not app.exception


def test_forecasts_are_read_in_the_order_of_the_classes_and_shown_on_rows_that_the_rule_has_not_seen():
    from ordeval.app.forecasts import decide_for, read_forecasts
    from ordeval.study import Values

    shares = np.random.default_rng(6).dirichlet([1, 1, 1], 80)
    order, truths = ("low", "mid", "high"), ["high", "low", "mid"]  # the file meets the classes in another order
    places = shares.argmax(1)
    at = np.array([truths.index(order[place]) for place in places])
    texts = {name: [f"{value * 0.99:.6f}" for value in shares[:, i]] for i, name in enumerate(order)}  # they add up to 0.99
    values = {"grade": Values(tuple(truths), at)}
    values |= {f"p_{name}": Values(tuple(found), np.arange(80)) for name, found in texts.items()}
    rows = read_forecasts(values, "grade", ("p_high", "p_low", "p_mid"), order)
    assert rows.columns == ("p_low", "p_mid", "p_high")
    np.testing.assert_allclose(rows.proba, shares, atol=2e-6)
    decided = decide_for(rows, "accuracy", None)
    held = [order[place] for place in places[1::2]]
    assert decided.likeliest.matrix.tolist() == oe.count(held, held, labels=list(order)).matrix.tolist()
