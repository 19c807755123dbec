"""Does a figure show what is there, and only that?  Numbers and positions are read back from the drawing and compared with the data."""

import math
import re

import numpy as np
import pytest
from matplotlib.text import Annotation

import ordeval as oe
from ordeval.base.arrays import rank_difference
from ordeval.base.errors import ArgumentTypeError
from ordeval.infer._methods import wilson
from ordeval.parts._cuts import cut_counts, cut_table, worst_cut
from ordeval.plot._heat import outline
from ordeval.plot._style import RAMP, contrast, ink_on, luminance, shade, short, short_labels
from ordeval.show._html import page_as_html

LABELS = ["low", "mid", "high"]
TABLE = [[30, 5, 1], [4, 20, 6], [0, 2, 9]]
COUNTS = oe.Counts.from_matrix(TABLE, labels=LABELS)


def texts_at(ax):
    """The texts inside the axes by the data position they are drawn at."""
    found = {tuple(text.get_position()): text.get_text() for text in ax.texts if not isinstance(text, Annotation)}
    inside = [text for text in ax.texts if isinstance(text, Annotation) and text.get_horizontalalignment() == "center"]
    for text in inside:  # two lines of different size, the upper one first
        found[text.xy] = "\n".join([*([found[text.xy]] if text.xy in found else []), text.get_text()])
    return found


def tick_texts(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def chart_data(display):
    """The rows of data of all layers of a Vega-Lite specification."""

    def rows_of(spec):
        own = spec.get("data", {}).get("values", [])
        return own + [row for layer in spec.get("layer", []) for row in rows_of(layer)]

    return rows_of(display.to_vega())


def test_confusion_shows_counts_and_shares_truth_downwards():
    display = oe.plot.ConfusionDisplay.from_counts(COUNTS).plot()
    ax, texts = display.ax_, texts_at(display.ax_)
    for t in range(3):
        for p in range(3):
            n = TABLE[t][p]
            shown = f"{100 * n / sum(TABLE[t]):.0f} %\n{n}" if n else "0"
            assert texts[p, t] == shown  # x is the prediction, y the truth
    assert tick_texts(ax.xaxis) == tick_texts(ax.yaxis) == LABELS
    top, bottom = (ax.transData.transform((0, t))[1] for t in (0, 2))
    left, right = (ax.transData.transform((p, 0))[0] for p in (0, 2))
    assert top > bottom  # the lowest true class is at the top
    assert left < right
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("true class", "predicted class")


def test_confusion_shades_by_share_of_the_true_class():
    display = oe.plot.ConfusionDisplay.from_counts(COUNTS).plot()
    (mesh,) = display.ax_.collections
    drawn = np.asarray(mesh.get_array())[:, :, :3]
    share = np.array(TABLE) / np.sum(TABLE, 1, keepdims=True)
    wanted = [[[int(shade(v)[i : i + 2], 16) / 255 for i in (1, 3, 5)] for v in row] for row in share]
    np.testing.assert_allclose(drawn, wanted, atol=1e-9)


@pytest.mark.parametrize(("classes", "shown"), [(40, 1600), (41, 42)])
def test_a_crowded_matrix_leaves_empty_cells_blank(classes, shown):
    table = 3 * np.eye(classes, dtype=int)
    table[0, -1] = 1
    texts = texts_at(oe.plot.ConfusionDisplay.from_counts(oe.Counts.from_matrix(table), cells="counts").plot().ax_)
    assert len(texts) == shown
    assert (texts[0, 0], texts[classes - 1, 0]) == ("3", "1")


def test_the_more_classes_the_smaller_the_numbers_in_the_cells():
    def size(classes):
        display = oe.plot.ConfusionDisplay.from_counts(oe.Counts.from_matrix(np.eye(classes, dtype=int)), cells="counts")
        (found,) = {text.get_fontsize() for text in display.plot().ax_.texts if not isinstance(text, Annotation)}
        return found

    assert size(2) == size(8) > size(9) == size(12) > size(13) == size(20) > size(21)


@pytest.mark.parametrize(("cells", "shown"), [("counts", "30"), ("shares", "83 %"), ("both", "83 %\n30")])
def test_confusion_cells_hold_what_was_asked_for(cells, shown):
    assert texts_at(oe.plot.ConfusionDisplay.from_counts(COUNTS, cells=cells).plot().ax_)[0, 0] == shown
    rare = oe.Counts.from_matrix([[999, 1], [0, 5]])
    shown = texts_at(oe.plot.ConfusionDisplay.from_counts(rare, cells=cells).plot().ax_)
    assert shown[1, 0] == {"counts": "1", "shares": "<1 %", "both": "<1 %\n1"}[cells]  # what is there does not look like nothing
    with pytest.raises(ValueError, match="cells='x'"):
        oe.plot.ConfusionDisplay.from_counts(COUNTS, cells="x")


def test_confusion_in_vega_lite_holds_the_same_numbers_in_the_same_order():
    display = oe.plot.ConfusionDisplay.from_counts(COUNTS, path=True)
    spec = display.to_vega()
    rows = [row for row in chart_data(display) if "count" in row]
    assert [row["count"] for row in rows[:9]] == np.ravel(TABLE).tolist()
    assert [(row["row"], row["column"]) for row in rows[:9]] == [(t, p) for t in LABELS for p in LABELS]
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == LABELS
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == LABELS
    path = {(t, p) for t, p in oe.parts.oci_path(COUNTS)}
    assert {(row["row"], row["column"]) for row in rows[:9] if row["on_path"]} == path


def test_the_path_is_that_of_oci_and_its_line_goes_round_it():
    counts = oe.count([1, 1, 2, 2, 2, 3], [1, 2, 3, 3, 3, 3], labels=[1, 2, 3])
    display = oe.plot.ConfusionDisplay.from_counts(counts, path=True)
    assert display.path == ((0, 0), (0, 1), (1, 2), (2, 2))
    lines = {(tuple(line.get_xdata()), tuple(line.get_ydata())) for line in display.plot().ax_.lines}
    assert lines == set(outline(display.path))
    # two blocks of two cells that touch in a corner: 6 edges each
    assert len(lines) == 12
    above, below, left, right = (
        ((4.5, 5.5), (2.5, 2.5)),
        ((4.5, 5.5), (3.5, 3.5)),
        ((4.5, 4.5), (2.5, 3.5)),
        ((5.5, 5.5), (2.5, 3.5)),
    )
    assert set(outline([(3, 5)])) == {above, below, left, right}
    with pytest.raises(TypeError, match="path=True"):
        oe.plot.ConfusionDisplay.from_counts(counts, share=0)


def test_closeness_and_cost_show_the_matrices_of_their_scores():
    for display, matrix in (
        (oe.plot.ClosenessDisplay.from_counts(COUNTS), oe.parts.closeness_matrix(COUNTS)),
        (oe.plot.CostDisplay.from_counts(COUNTS), oe.parts.cost_matrix(COUNTS)),
    ):
        texts = texts_at(display.plot().ax_)
        for t in range(3):
            for p in range(3):
                assert float(texts[p, t]) == pytest.approx(matrix[t, p], abs=0.006)
        field = "bits" if isinstance(display, oe.plot.ClosenessDisplay) else "cost"
        assert [row[field] for row in chart_data(display)][:9] == np.ravel(matrix).tolist()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: oe.plot.CostDisplay.from_counts(COUNTS, of="stc"), "CostDisplay.from_counts: of= is now metric="),
        (lambda: oe.plot.OpenLengthDisplay.from_counts(COUNTS, empty="keep"), "empty= is now absent="),
        (lambda: oe.plot.FlipsDisplay.from_predictions([1], predictions={}), "predictions= is now y_pred="),
    ],
)
def test_keywords_of_old_say_what_they_are_called_now(call, words):
    with pytest.raises(ArgumentTypeError, match=words):
        call()


def test_a_class_without_rows_is_infinitely_close_to_itself_and_says_so():
    counts = oe.count(["a", "c"], ["a", "b"], labels=["a", "b", "c"])
    assert texts_at(oe.plot.ClosenessDisplay.from_counts(counts).plot().ax_)[1, 1] == "∞"


def test_profile_bars_are_the_shares_too_low_and_too_high():
    display = oe.plot.ErrorProfileDisplay.from_counts(COUNTS).plot()
    share = np.array(TABLE) / np.sum(TABLE, 1, keepdims=True)
    steps = rank_difference(3)
    drawn = {}
    for bar in display.ax_.patches:
        row = round(bar.get_y() + bar.get_height() / 2)
        side = np.sign(bar.get_x() + bar.get_width() / 2)
        drawn[row, side] = drawn.get((row, side), 0) + abs(bar.get_width())
    for t in range(3):
        for side in (-1, 1):
            assert drawn.get((t, side), 0) == pytest.approx(share[t][np.sign(steps[t]) == side].sum())
    assert display.ax_.yaxis_inverted()
    assert tick_texts(display.ax_.yaxis) == LABELS
    notes = [text.get_text() for text in display.ax_.texts]
    assert "83 % · 0.19 · 36" in [note.strip() for note in notes]
    bars = [row for row in chart_data(display) if "amount" in row]
    assert sum(row["amount"] for row in bars) == pytest.approx(3 - np.trace(share))


def test_far_errors_are_kept_together_and_none_is_lost():
    rng = np.random.default_rng(2)
    counts = oe.Counts.from_matrix(rng.integers(0, 9, (7, 7)))
    display = oe.plot.ErrorProfileDisplay.from_counts(counts)
    np.testing.assert_allclose(display.below.sum(1) + display.above.sum(1) + display.exact, 1)
    np.testing.assert_allclose(display.above[0, 2], counts.matrix[0, 3:].sum() / counts.matrix[0].sum())


def test_cuts_are_drawn_with_wilson_intervals():
    evaluation = oe.evaluate(COUNTS, metrics=["accuracy"], n_resamples=400)
    display = oe.plot.CutDisplay.from_evaluation(evaluation).plot()
    found, kept = display.ax_.lines
    np.testing.assert_allclose(found.get_ydata(), [37 / 41, 9 / 11])
    np.testing.assert_allclose(kept.get_ydata(), [30 / 36, 59 / 66])
    segments = display.ax_.collections[0].get_segments()
    assert tuple(segments[1][:, 1]) == pytest.approx(wilson(9 / 11, 11, 0.95))
    assert tick_texts(display.ax_.xaxis) == ["≥ mid", "high"]
    rows = [row for row in chart_data(display) if row["rate"].startswith("found")]
    assert [row["share"] for row in rows[:2]] == pytest.approx([37 / 41, 9 / 11])
    narrower = oe.plot.CutDisplay.from_evaluation(evaluation, confidence_level=0.5)
    assert narrower.confidence_level == 0.5
    assert (np.ptp(narrower.sensitivity_ends, 1) < np.ptp(display.sensitivity_ends, 1)).all()
    same = oe.plot.CutDisplay.from_counts(COUNTS)
    np.testing.assert_array_equal(same.sensitivity_ends, display.sensitivity_ends)


@pytest.mark.parametrize("seed", range(6))
def test_every_number_of_a_cut_is_counted_row_by_row(seed):
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(2, 6)), int(rng.integers(5, 60))
    true, pred, weight = rng.integers(0, k, n), rng.integers(0, k, n), rng.integers(1, 4, n)
    cuts = oe.parts.cut_table(true, pred, labels=range(k), sample_weight=weight)
    rows = cuts.to_frame().to_dict("records")
    assert [row["class"] for row in rows] == list(range(1, k))

    def share(part, whole):
        return weight[part & whole].sum() / weight[whole].sum() if whole.any() else math.nan

    for cut, row in zip(cuts, rows, strict=True):
        there, said = true >= cut.label, pred >= cut.label
        by_hand = {
            "true_positive": weight[there & said].sum(),
            "false_negative": weight[there & ~said].sum(),
            "false_positive": weight[~there & said].sum(),
            "true_negative": weight[~there & ~said].sum(),
            "sensitivity": share(said, there),
            "specificity": share(~said, ~there),
            "ppv": share(there, said),
            "npv": share(~there, ~said),
            "prevalence": share(there, np.ones(n, bool)),
        }
        assert {name: getattr(cut, name) for name in by_hand} == pytest.approx(by_hand, nan_ok=True)
        assert row == pytest.approx({"class": cut.label, **by_hand}, nan_ok=True)


def test_weighted_rows_have_cuts_without_intervals():
    weighted = oe.count(["a", "b", "b"], ["a", "b", "a"], labels=["a", "b"], sample_weight=[0.5, 1, 1])
    display = oe.plot.CutDisplay.from_counts(weighted).plot()
    assert np.isnan(display.sensitivity_ends).all()
    assert display.sensitivity.tolist() == [0.5]


def marks_of(ax):
    """Markers as (x, y, filled)."""
    return [
        (line.get_xdata()[0], line.get_ydata()[0], line.get_markerfacecolor() != "white")
        for line in ax.lines
        if line.get_marker() not in ("None", "", None)
    ]


def test_forest_marks_lie_where_the_scores_are_on_their_own_lines():
    metrics = ["cem", "amae", "stc", "cohen_kappa"]
    few = oe.Counts.from_matrix([*TABLE[:2], [0, 2, 5]], labels=LABELS)  # a class of seven rows: no interval of a cost
    evaluation = oe.evaluate(few, metrics=metrics, n_resamples=400)
    display = oe.plot.ForestDisplay.from_evaluation(evaluation).plot()
    length = {"cem": 1, "amae": 2, "stc": 1, "cohen_kappa": 1}  # from 0: nothing here is below
    wanted = [evaluation.scores[text].value / length[text] for text in metrics]
    marks = sorted(marks_of(display.ax_), key=lambda mark: mark[1])
    assert [mark[0] for mark in marks] == pytest.approx(wanted)
    assert [mark[2] for mark in marks] == [not math.isnan(evaluation.scores[text].low) for text in metrics]  # no interval: hollow
    assert (marks[0][2], marks[2][2]) == (True, False)
    written = [text.get_text() for text in display.ax_.texts]
    score = evaluation.scores["cem"]
    assert f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]" in written
    assert f"{evaluation.scores['stc'].value:.3f} (no interval)" in written
    assert display.ax_.yaxis_inverted()
    rows = [row for row in chart_data(display) if "value" in row]
    assert [row["value"] for row in rows[:4]] == [evaluation.scores[text].value for text in metrics]
    assert [row["x"] for row in rows[:4]] == pytest.approx(wanted)


def spans_of(page):
    """Of each drawn span the middle of its line, half the line's length, and where the interval and the dot lie."""
    for svg in re.findall(r'<svg viewBox="0 0 144 20".*?</svg>', page_as_html(page)):
        lines = [
            (float(a), float(b), wide) for a, b, wide in re.findall(r'<line x1="(.*?)" x2="(.*?)".*? stroke-width="(.)"', svg)
        ]
        (left, right), (interval,) = lines[0][:2], [(a, b) for a, b, wide in lines if wide == "4"]
        (dot,) = re.findall(r'<circle cx="(.*?)"', svg)
        yield (left + right) / 2, (right - left) / 2, (interval[0], float(dot), interval[1])


def test_a_span_of_a_report_lies_where_the_score_and_its_interval_are():
    found = oe.evaluate(COUNTS, metrics=["accuracy", "cohen_kappa"], n_resamples=400)
    for (middle, half, drawn), (name, start) in zip(spans_of(found.page()), (("accuracy", 0), ("cohen_kappa", -1)), strict=True):
        score = found.scores[name]
        places = [start + (1 - start) * (1 + (x - middle) / half) / 2 for x in drawn]
        assert places == pytest.approx([score.low, score.value, score.high], abs=0.05 * (1 - start) / (2 * half))


@pytest.mark.parametrize("primary", ["cem", "amae"])
def test_a_span_of_a_difference_lies_to_the_right_where_the_second_is_better(triage, primary):
    """Whichever score decides: lines of closeness and of errors are each turned by their own direction."""
    found = oe.compare(triage, metrics=["cem", "amae", "bias"], primary=primary, n_resamples=400)
    differences = found.differences["nurse", "model"]
    for (text, d), (middle, _, drawn) in zip(differences.items(), spans_of(found.page()), strict=True):
        low, high = (d.low, d.high) if text == primary else d.band
        scale = (drawn[2] - drawn[0]) / (high - low)
        assert (scale < 0) is (text == "amae")  # bias has no better side: as it is
        rounded = 0.05 + 0.1 * max(abs(low), abs(high)) / (high - low)  # places have one decimal
        assert drawn == pytest.approx([middle + scale * end for end in (low, d.value, high)], abs=rounded)


@pytest.mark.parametrize(
    ("table", "start"),
    [
        ([[12, 3], [2, 13]], 0),  # all of the interval is above 0
        ([[8, 7], [6, 9]], -1),  # the score is above 0, and the low end of its interval is not
        ([[6, 9], [8, 7]], -1),
    ],
)
def test_a_line_begins_below_zero_where_the_score_or_its_interval_does(table, start):
    counts = oe.Counts.from_matrix(table, labels=["low", "high"])
    found = oe.evaluate(counts, metrics=["cohen_kappa"], n_resamples=400)
    score = found.scores["cohen_kappa"]
    assert (score.low < 0) == (start < 0)
    display = oe.plot.ForestDisplay.from_evaluation(found)
    ax = display.plot().ax_
    written = [text.get_text() for text in ax.texts]
    assert (str(start) if not start else "\N{MINUS SIGN}1") in written
    wanted = [(x - start) / (1 - start) for x in (score.low, score.value, score.high)]
    (row,) = [row for row in chart_data(display) if "value" in row]
    assert [row[x] for x in ("x1", "x", "x2")] == pytest.approx(wanted)
    assert [tuple(line.get_xdata()) for line in ax.lines].count((row["x1"], row["x2"])) == 1
    assert 0 <= row["x1"] < row["x2"] <= 1


def test_forest_says_what_is_undefined():
    counts = oe.count(["a"] * 40, ["a"] * 40, labels=["a", "b"])
    display = oe.plot.ForestDisplay.from_evaluation(
        oe.evaluate(counts, metrics=["cohen_kappa", "accuracy"], n_resamples=400)
    ).plot()
    assert [text.get_text() for text in display.ax_.texts].count("undefined") == 1
    assert len(marks_of(display.ax_)) == 1
    assert "undefined: Cohen's weighted kappa" in display.caption


def test_all_undefined_is_said():
    counts = oe.count(["a"] * 40, ["a"] * 40, labels=["a", "b"])
    display = oe.plot.ForestDisplay.from_evaluation(oe.evaluate(counts, metrics=["cohen_kappa"], n_resamples=400))
    assert display.caption.startswith("No score is defined: ")
    assert marks_of(display.plot().ax_) == []


def test_difference_to_the_right_is_better_for_the_second(triage):
    comparison = oe.compare(triage, metrics=["cem", "amae", "oci", "bias"], n_resamples=400)
    found = comparison.differences["nurse", "model"]
    display = oe.plot.DifferenceDisplay.from_comparison(comparison).plot()
    places = [x for x, _, _ in sorted(marks_of(display.ax_), key=lambda mark: mark[1])]
    assert (places[0] > 0.5) == (found["cem"].value > 0)
    assert (places[1] > 0.5) == (found["amae"].value < 0)
    assert (places[2] > 0.5) == (found["oci"].value < 0)
    assert (places[3] > 0.5) == (found["bias"].value > 0)  # no direction: as it is
    assert display.low[0] == found["cem"].low
    assert (display.low[1], display.high[1]) == found["amae"].band
    rows = [row for row in chart_data(display) if "value" in row]
    assert [row["value"] for row in rows[:4]] == [d.value for d in found.values()]
    with pytest.raises(ValueError, match="no pair"):
        oe.plot.DifferenceDisplay.from_comparison(comparison, ("model", "nurse"))


@pytest.mark.parametrize("primary", ["cem", "accuracy", "mae", "amae", "mze", "oci", "cohen_kappa"])
@pytest.mark.parametrize("order", [["good", "bad"], ["bad", "good"]], ids=" ".join)
def test_the_caption_of_a_difference_names_the_better_model_whichever_way_is_better(primary, order):
    truth = np.arange(90) % 3
    answers = {"good": np.where(np.arange(90) % 10 == 0, 1, truth), "bad": 2 - truth}
    counts = oe.count(truth, {name: answers[name] for name in order}, labels=range(3))
    comparison = oe.compare(counts, metrics=[primary, "mae", "accuracy"], primary=primary, n_resamples=400)
    caption = oe.plot.DifferenceDisplay.from_comparison(comparison).caption
    difference = oe.score(primary, counts[order[1]]) - oe.score(primary, counts[order[0]])
    said = f"{difference:+.3f}".replace("-", "\N{MINUS SIGN}")
    assert caption.startswith("good is better than bad by ")
    assert f"({order[1]} less {order[0]}: {said} [" in caption


def test_flips_bars_add_up_to_the_rows(triage):
    display = oe.plot.FlipsDisplay.from_counts(triage, "nurse", "model").plot()
    flips = oe.infer.flips(triage, "nurse", "model")
    drawn = [bar.get_width() for bar in display.ax_.patches]
    assert sum(width for width in drawn if width > 0) == flips.closer
    assert -sum(width for width in drawn if width < 0) == flips.further
    assert sum(display.same) == flips.same
    assert display.caption.startswith(f"model is nearer the truth on {flips.closer} rows, nurse on {flips.further}; ")
    assert sum(row["amount"] for row in chart_data(display) if "amount" in row) == flips.closer + flips.further


def test_ranks_are_those_of_the_rank_sets(triage):
    ranks = oe.rank_sets(triage, "accuracy", n_resamples=400)
    display = oe.plot.RankDisplay.from_ranks(ranks).plot()
    spans = [tuple(line.get_xdata()) for line in display.ax_.lines if len(line.get_xdata()) == 2]
    assert spans == [(system.best, system.worst) for system in ranks.systems]
    assert tick_texts(display.ax_.yaxis) == list(ranks.models)
    assert display.ax_.yaxis_inverted()
    assert [(row["best"], row["worst"]) for row in chart_data(display)][:2] == spans


@pytest.mark.parametrize(
    ("systems", "ticks"),
    [(5, [1, 2, 3, 4, 5]), (24, [1, *range(2, 25, 2)]), (30, [1, 5, 10, 15, 20, 25, 30]), (61, [1, 10, 20, 30, 40, 50, 60])],
)
def test_ticks_of_many_ranks_are_the_first_and_round_numbers(systems, ticks):
    ranks = tuple(range(1, systems + 1))
    names, scores = tuple(f"system {rank}" for rank in ranks), tuple(1 - rank / 100 for rank in ranks)
    display = oe.plot.RankDisplay(names, scores, ranks, ranks, "accuracy", 0.95).plot()
    assert display.ax_.get_xticks().tolist() == ticks


def test_a_rank_has_its_short_name_on_the_axis_and_the_whole_one_beside_the_cursor():
    long = ["a model whose name is far too long for the axis of a figure", "b"]
    counts = oe.count([0, 1, 2, 1] * 10, {long[0]: [0, 1, 1, 1] * 10, long[1]: [0, 1, 2, 1] * 10}, labels=range(3))
    display = oe.plot.RankDisplay.from_ranks(oe.rank_sets(counts, "accuracy", n_resamples=400))
    rows = {row["label"]: row["system"] for row in chart_data(display) if "label" in row}
    assert set(rows) == set(long)
    assert rows["b"] == "b"
    assert len(rows[long[0]]) < 30


def test_rankings_share_ranks_where_scores_are_equal():
    truth = [0, 1, 2, 2]
    answers = {"a": [0, 1, 2, 1], "b": [0, 1, 1, 2], "c": [0, 1, 0, 2]}
    display = oe.plot.RankingsDisplay.from_counts(oe.count(truth, answers), ["accuracy", "mae", "kendall_tau"])
    rank = {model: row.tolist() for model, row in zip(display.models, display.ranks, strict=True)}
    assert rank["a"][:2] == rank["b"][:2] == [1, 1]
    assert rank["c"][:2] == [1, 3]
    texts = texts_at(display.plot().ax_)
    place = display.models.index("c")
    assert (texts[0, place], texts[1, place]) == ("1", "3")
    assert [row["rank"] for row in chart_data(display)][:9] == display.ranks.ravel().tolist()


@pytest.mark.parametrize(
    ("answers", "caption"),
    [
        ({"a": [1, 1, 1, 1], "b": [1, 1, 1, 2]}, "a is first by all 2 metrics; all rank them alike."),
        ({"a": [1, 1, 1, 3], "b": [1, 1, 2, 2]}, "a is first by all 2 metrics; only Accuracy tells them apart."),
        ({"a": [1, 1, 1, 3], "b": [1, 2, 2, 2], "c": [1, 1, 2, 2]}, "a is first by all 2 metrics; Accuracy and Mean"),
        ({"a": [1, 1, 1, 2], "b": [1, 1, 2, 1]}, "a and b are first by 2 of 2 metrics; no metric tells them apart."),
    ],
)
def test_a_metric_without_a_score_for_any_system_is_none_of_those_counted(answers, caption):
    """Of one true class nothing is in order or out of order."""
    counts = oe.count([1] * 4, answers, labels=[1, 2, 3])
    display = oe.plot.RankingsDisplay.from_counts(counts, ["accuracy", "mae", "kendall_tau"])
    assert np.isnan(display.ranks).tolist() == [[False, False, True]] * len(answers)
    assert display.caption.startswith(caption)
    nothing = oe.plot.RankingsDisplay.from_counts(counts, ["kendall_tau", "spearman"])
    assert nothing.caption == "No metric has a score for any system."


def test_a_metric_that_finds_all_systems_equal_does_not_rank_them_like_the_others():
    counts = oe.count([1, 1, 2, 2], {"a": [1, 2, 2, 3], "b": [1, 3, 2, 4]}, labels=[1, 2, 3, 4])
    display = oe.plot.RankingsDisplay.from_counts(counts, ["accuracy", "mae", "mse"])
    assert display.ranks.tolist() == [[1, 1, 1], [1, 2, 2]]
    assert display.caption == "a is first by all 3 metrics; all that tell them apart rank them alike."


@pytest.mark.parametrize("options", [{}, {"gamma": 0.5}, {"gamma": 2.0}], ids=str)
def test_oci_curve_is_oci_at_each_share(triage, options):
    display = oe.plot.OciShareDisplay.from_counts(triage["model"], **options).plot()
    line = display.ax_.lines[0]
    assert line.get_ydata()[0] == oe.oci(triage["model"], share=0.0, **options)
    assert line.get_ydata()[100] == oe.oci(triage["model"], share=0.5, **options)
    assert line.get_ydata()[-1] == oe.oci(triage["model"], share=1.0, **options)
    assert display.at_default == (oe.oci(triage["model"], **options),)
    assert chart_data(display)[0]["oci"] == oe.oci(triage["model"], share=0.0, **options)


def test_open_length_has_its_minimum_at_the_optimal_length():
    stay = oe.Scale.from_edges([0, 1, 2, math.inf])
    counts = oe.count([0.5, 1.5, 2.5], [0.5, 1.5, 1.5], labels=stay)
    display = oe.plot.OpenLengthDisplay.from_counts(counts).plot()
    assert display.optimum == (oe.parts.optimal_length(counts),)
    assert display.least <= display.largest.min() + 1e-12
    # the largest cost is the total cost of the dearest answer to every row: found here by trying all answers
    middle = 60
    x = float(display.lengths[0, middle])
    dearest = sum(
        max(oe.interval_total_cost(oe.Counts.from_matrix(one_wrong(t, p), labels=stay), unbounded=x) for p in range(3) if p != t)
        for t in range(3)
    )
    assert display.largest[0, middle] == pytest.approx(dearest)
    assert (math.sqrt(0.5), display.least) in [(line.get_xdata()[0], line.get_ydata()[0]) for line in display.ax_.lines]


def one_wrong(t, p):
    table = np.eye(3, dtype=int)
    table[t, t], table[t, p] = 0, 1
    return table


def test_two_open_ends_and_none():
    both = oe.Scale.from_edges([-math.inf, 0, 1, math.inf])
    rows = [-1, -1, 0.5, 0.5, 2]
    display = oe.plot.OpenLengthDisplay.from_predictions(rows, rows, labels=both)
    assert display.largest.shape[0] == 2
    assert display.least <= display.largest.min() + 1e-12
    empty = oe.plot.OpenLengthDisplay.from_predictions([0.5], [0.5], labels=both)
    assert empty.caption.startswith("No length is better")
    assert empty.plot().ax_.texts[0].get_text().replace("\n", " ") == empty.caption


def test_numbers_in_cells_can_be_read():
    steps = [shade(v) for v in np.linspace(0, 1, 101)]
    assert min(contrast(ink_on(colour), colour) for colour in steps) > 4.5
    darkness = [luminance(colour) for colour in steps]
    assert darkness == sorted(darkness, reverse=True)  # also in grey print
    assert (steps[0], steps[-1]) == (RAMP[0], RAMP[-1])


def test_short_labels_are_visibly_short_and_never_alike():
    texts = short_labels(["x" * 300, "x" * 299 + "y", "x", " "])
    assert len(set(texts)) == 4
    assert all("…" in text and len(text) <= 24 for text in texts[:2])
    assert texts[2:] == ["x", "(blank)"]


def test_right_to_left_names_leave_the_words_around_them_in_their_order():
    """Without the marks a line that begins with such a name runs from right to left: "b less a" would read "a less b"."""
    assert short("model") == "model"
    hebrew = "\u05e9\u05dc\u05d5\u05dd"
    assert short(hebrew) == f"\u200e{hebrew}\u200f\u200e"
    assert short(f"a {hebrew}") == f"\u200ea {hebrew}\u200e"
    assert short_labels([hebrew * 9, hebrew * 8], 10) == [f"\u200e{hebrew * 2}\u200f\u200e…{i}" for i in (1, 2)]


def test_cuts_of_a_stack_are_those_of_its_tables():
    stack = np.random.default_rng(6).integers(0, 9, (2, 3, 4, 4))
    found = cut_counts(stack)
    assert found.shape == (2, 3, 3, 2, 2)
    for place in np.ndindex(2, 3):
        table = stack[place]
        for cut in range(1, 4):
            above = np.arange(4) >= cut
            by_hand = [[table[np.ix_(t, p)].sum() for p in (above, ~above)] for t in (above, ~above)]
            assert found[place][cut - 1].tolist() == by_hand


def test_a_cut_that_keeps_nothing_out_is_not_the_weakest():
    """Nobody stands below the lowest cut, so it has no specificity."""
    counts = oe.Counts.from_matrix([[0, 0, 0], [1, 6, 1], [0, 2, 3]], labels=LABELS)
    assert np.isnan(cut_table(counts)[0].specificity)
    assert worst_cut(counts).label == "high"
