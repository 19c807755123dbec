"""The sum behind CEM written out: as the paper's Figure 3 has it, with what each cell earned and lost."""

import numpy as np
import pytest

import ordeval as oe

GRADES = ["neg", "neu", "pos"]
SUMS = {
    "A": "cem = (5·4.32 + 5·0.62 + 7·0.07 + 1·1.32 + 50·1.74 + 8·0.74 + 4·0.23 + 5·0.42 + 15·2.74) / (10·4.32 + 60·1.74 + 30·2.74)",
    "B": "cem = (7·4.32 + 12·0.62 + 4·0.07 + 1·1.32 + 45·1.74 + 8·0.74 + 2·0.23 + 3·0.42 + 18·2.74) / (10·4.32 + 60·1.74 + 30·2.74)",
}


@pytest.fixture(scope="module")
def systems():
    return {name: oe.Counts.from_matrix(table, labels=GRADES) for name, table in oe.papers.examples.SYSTEMS.items()}


@pytest.mark.parametrize(("name", "score"), [("A", "0.712"), ("B", "0.760")])
def test_the_sum_is_that_of_figure_3(systems, name, score):
    text = " ".join(str(oe.parts.explain_score(systems[name], "cem")).split())
    assert SUMS[name] in text
    assert text.endswith(f"= {score}")


def test_earned_and_lost(systems):
    cells = {(c.true, c.pred): c for c in oe.parts.explain_score(systems["A"]).cells}
    assert round(cells["pos", "neu"].each, 2) < round(cells["neg", "neu"].each, 2)  # earns less
    assert cells["pos", "neu"].lost / cells["pos", "neu"].rows == pytest.approx(2, abs=0.005)
    assert cells["neg", "neu"].lost == pytest.approx(3, abs=0.005)  # and loses less
    assert cells["neu", "neu"].lost == 0
    frame = oe.parts.explain_score(systems["A"]).to_frame()
    assert list(frame.columns) == ["true", "pred", "rows", "each", "earned", "lost"]
    found = oe.parts.explain_score(systems["A"])
    assert frame["earned"].sum() / (frame["earned"].sum() + frame["lost"].sum()) == pytest.approx(found.score)


@pytest.mark.parametrize(
    "metric", ["cem", "cem(level='nominal')", "cem(level='interval', ties='own')", "cem(flat=True)", "cem(normalize=True)"]
)
def test_it_is_the_score(metric):
    rng = np.random.default_rng(0)
    for k in (2, 3, 5):
        for _ in range(10):
            counts = oe.Counts.from_matrix(rng.integers(0, 4, (k, k)) + np.eye(k, dtype=int))
            assert oe.parts.explain_score(counts, metric).score == pytest.approx(oe.get_metric(metric)(counts), abs=1e-12)


@pytest.mark.parametrize("metric", ["cem", "cem(level='nominal')"])
def test_rows_without_an_answer_are_part_of_the_sum(metric):
    """They earn what the class earns that they count as; of four rows that are 1, one is left blank."""
    truth, answer = [0, 0, 0, 1, 1, 1, 1, 2], [0, 0, 1, 1, 1, 2, None, 2]
    counts = oe.count(truth, answer, labels=range(3), missing="wrong")
    found = oe.parts.explain_score(counts, metric)
    assert found.score == pytest.approx(oe.get_metric(metric)(counts), abs=1e-12)
    assert sum(cell.rows for cell in found.cells) == 8
    at = int(oe.get_metric(metric).worst_classes(counts)[1])
    by_hand = oe.count(truth, [at if a is None else a for a in answer], labels=range(3))
    assert found == oe.parts.explain_score(by_hand, metric)


def test_what_is_no_such_sum_is_one_sentence(systems):
    with pytest.raises(ValueError, match="metric='mae' is not a sum of what cells earn; choose cem, with any of its parameters"):
        oe.parts.explain_score(systems["A"], "mae")
    both = oe.count([1, 2], {"a": [1, 2], "b": [2, 2]}, labels=[1, 2])
    with pytest.raises(ValueError, match=r"counts has 2 models; choose one: counts\[model\]"):
        oe.parts.explain_score(both)
    assert oe.parts.explain_score(both["a"]).score == 1


def test_macro_f1_of_some_classes():
    """SemEval takes the mean of the positive and the negative class."""
    from sklearn.metrics import f1_score

    rng = np.random.default_rng(1)
    true, pred = rng.choice(GRADES, (2, 300))
    for classes in (["neg", "pos"], ["neu"], GRADES):
        expected = f1_score(true, pred, labels=classes, average="macro")
        assert oe.macro_f1(true, pred, labels=GRADES, classes=classes) == pytest.approx(expected)
    assert oe.macro_f1(true, pred, labels=GRADES, classes=GRADES) == oe.macro_f1(true, pred, labels=GRADES)
    metric = oe.get_metric("macro_f1(classes=('neg', 'pos'))")
    assert metric.key == "macro_f1_classes_neg_pos"
    with pytest.raises(ValueError, match=r"classes=\(\) names no class; give a list of classes"):
        oe.macro_f1(true, pred, labels=GRADES, classes=[])
    with pytest.raises(ValueError, match="classes: 'bad' is not one of the classes"):
        oe.macro_f1(true, pred, labels=GRADES, classes=["bad"])


def test_campaigns_that_used_a_metric_are_named():
    used = {metric.name: metric.used_in for metric in oe.catalogue() if metric.used_in}
    assert used == {
        "accuracy": "NTCIR-7",
        "macro_f1": "EVALITA 2016",
        "balanced_accuracy": "SemEval-2017 task 4",
        "amae": "SemEval-2017 task 4",
        "mse": "SemEval-2015 task 11",
        "pearson": "STS 2016",
        "order_reliability": "RepLab 2013",
        "order_sensitivity": "RepLab 2013",
    }
    assert ("used in", "NTCIR-7") in oe.get_metric("accuracy").facts()


def test_no_rows_have_no_path_and_no_parts():
    parts = oe.parts.oci_parts(oe.Counts.from_matrix(np.zeros((3, 3), int)))
    assert (parts.path, parts.rows, parts.on_path, parts.distance) == ((), 0, 0, 0)
    assert np.isnan([parts.benefit, parts.dispersion, parts.left_out, parts.penalty, parts.index]).all()
