"""A blank that counts as wrong: no answer in its place is worse, for every score that adds up over the rows."""

from itertools import product

import numpy as np
import pytest

import ordeval as oe
from ordeval.infer._ranks import goodness
from ordeval.metrics.core.registry import _FOUND_BY, _REGISTRY
from ordeval.metrics.core.stacks import score_stack

VARIANTS = [
    *(f"accuracy_within(steps={steps})" for steps in (0, 2)),
    *(f"cem({words})" for words in ("level='nominal'", "level='interval'", "normalize=True", "flat=True", "ties='full'")),
    *(f"cem(level='{level}', ties='own')" for level in ("ordinal", "nominal", "interval")),
    *(f"{cost}(absent='renumber')" for cost in ("stc", "total_cost", "interval_mae", "interval_stc")),
    *(f"{cost}(distance='midpoint')" for cost in ("interval_stc", "interval_smae", "interval_total_cost")),
    *(f"brennan_prediger(weights='{weights}')" for weights in ("identity", "circular", "radical")),
]
#: What the specification names: scores that add up over rows once the true classes are known.
ADDITIVE = {"accuracy", "accuracy_within", "balanced_accuracy", "mae", "amae", "cem", "total_cost", "stc", "interval_stc"}
#: Scores for which a blank counts by a rule: there are tables on which another answer scores worse.
RULES = ["oci", "cohen_kappa", "kendall_tau", "spearman", "macro_f1"]


@pytest.fixture
def forgotten():
    """Metrics of a test are no part of the catalogue after it."""
    before = set(_FOUND_BY)
    yield
    for name in set(_FOUND_BY) - before:
        _FOUND_BY.pop(name), _REGISTRY.pop(name, None)


def of_labels():
    return [metric for metric in oe.catalogue() if metric.needs_only_counts]


def cases(rng, number, blanks=3):
    """Random scales and tables, some classes empty, and the true classes of a few blanks."""
    for _ in range(number):
        k = int(rng.integers(2, 6))
        edges = np.cumsum([0, *rng.integers(1, 9, k)]).astype(float)
        table = rng.integers(0, rng.integers(2, 9), (k, k)) * (rng.random((k, k)) < rng.random())
        table[rng.random(k) < 0.15] = 0
        for scale in (oe.Scale(range(k)), oe.Scale.from_edges(edges)):
            yield scale, table, rng.integers(0, k, blanks)


def placed(table, blank, classes):
    found = table.copy()
    np.add.at(found, (blank, classes), 1)
    return found


def loss(metric, scale, table, blank):
    """How much worse the worst of all answers to these blanks is than the classes that the metric has for them."""
    every = [placed(table, blank, np.array(answers)) for answers in product(range(scale.K), repeat=len(blank))]
    counts = oe.Counts.from_matrix(placed(table, blank, blank), labels=scale)  # only the truth matters
    ours = placed(table, blank, metric.worst_classes(counts)[blank])
    good = goodness(metric, score_stack(metric, np.array([*every, ours]), scale))
    return 0.0 if np.isnan(good).all() else float(good[-1] - np.nanmin(good))


ROWWISE = [str(metric) for metric in of_labels() if metric.rowwise] + VARIANTS


@pytest.mark.parametrize("text", ROWWISE)
def test_no_answer_is_worse_than_a_blank(text):
    metric, seed = oe.get_metric(text), np.random.SeedSequence().entropy
    for scale, table, blank in cases(np.random.default_rng(seed), 12):
        if ("edges" in metric.needs) == (scale.edges is not None):
            assert loss(metric, scale, table, blank) <= 1e-12, (seed, table.tolist(), blank.tolist(), scale)


def test_the_scores_that_add_up_are_recorded_as_such():
    assert {metric.name for metric in of_labels() if metric.rowwise} >= ADDITIVE


@pytest.mark.parametrize("text", RULES)
def test_for_other_scores_a_blank_counts_by_a_rule(text):
    metric = oe.get_metric(text)
    assert not metric.rowwise
    found = [loss(metric, scale, table, blank) for scale, table, blank in cases(np.random.default_rng(11), 60) if not scale.edges]
    assert max(found) > 1e-6


def test_one_class_for_all_scores_would_not_do():
    """With true classes 97, 1, 1, 1 the class most steps away still earns much of what CEM gives; the other end hardly any."""
    counts = oe.count([0] * 97 + [1, 2, 3], [0] * 97 + [None, 2, 3], labels=range(4), missing="wrong")
    rank, cem, stc = (oe.get_metric(text).worst_classes(counts)[1] for text in ("mae", "cem", "stc"))
    assert (rank, cem, stc) == (3, 0, 3)
    bits = oe.parts.closeness_matrix(counts)[1]
    assert [round(bits[p] / bits[1], 2) for p in (3, 0)] == [0.70, 0.13]


def test_the_map_depends_on_the_truth_alone_and_ties_go_down():
    truth = [0, 1, 1, 2, 2, 2, 3, 4] * 5
    for metric in of_labels():
        if "edges" in metric.needs:
            continue
        one = oe.count(truth, [4] * 40, labels=range(5))
        other = oe.count(truth, [None, 0] * 20, labels=range(5), missing="wrong")
        assert metric.worst_classes(one).tolist() == metric.worst_classes(other).tolist()
    assert oe.get_metric("accuracy").worst_classes(one).tolist() == [4, 4, 0, 0, 0]


def test_the_dearest_class_is_often_no_end():
    rng, stc = np.random.default_rng(5), oe.get_metric("stc")
    inner = [
        np.isin(stc.worst_classes(oe.Counts.from_matrix(np.diag(rng.integers(1, 60, 5)))), (1, 2, 3)).any() for _ in range(300)
    ]
    assert 50 < sum(inner) < 250


def test_a_metric_of_ones_own_declares_its_worst_class(forgotten):
    def kernel(stack):
        return stack[..., 0].sum(-1) / stack.sum((-2, -1))

    @oe.metric(kernel=kernel, title="Share called lowest", direction="lower", bounds=(0, 1), rowwise=True,
               worst=lambda sample: np.zeros(sample.scale.K, int))  # fmt: skip
    def share_lowest(y_true, y_pred=None, *, labels=None, sample_weight=None):
        return oe.score(share_lowest, y_true, y_pred, labels=labels, sample_weight=sample_weight)

    counts = oe.count([0, 1, 1, 2], [1, None, 2, None], labels=range(3), missing="wrong")
    assert share_lowest(counts) == 0.5
    assert oe.evaluate(counts, metrics=[share_lowest])["share_lowest"].value == 0.5


def test_a_map_may_not_look_at_the_answers(forgotten):
    @oe.metric(kernel=lambda stack: stack[..., 0, 0], title="x", direction="lower", bounds=(0, 1),
               worst=lambda sample: sample.matrix.argmax(-1))  # fmt: skip
    def looks_at_answers(y_true, y_pred=None, *, labels=None, sample_weight=None):
        return oe.score(looks_at_answers, y_true, y_pred, labels=labels, sample_weight=sample_weight)

    counts = oe.count([0, 1], [0, None], labels=range(2), missing="wrong")
    with pytest.raises(TypeError, match="says depends='truths'"):
        looks_at_answers(counts)


def test_a_note_names_the_scores_for_which_it_is_a_rule():
    counts = oe.count([0, 1, 2] * 20, [0, 1, None] * 20, labels=range(3), missing="wrong")
    said = oe.evaluate(counts, metrics=["cem", "cohen_kappa", "oci"]).notes
    assert said == [
        "cohen_kappa, oci: a row without an answer counts as the class most steps away; that is a rule, and another answer may score worse"
    ]
    assert oe.evaluate(counts, metrics=["cem", "stc", "amae"]).notes == []
