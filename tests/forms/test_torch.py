"""The same predictions as a list and as torch tensors: the same Counts, the same refusals, the same scores in torchmetrics."""

import copy
import pickle
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from processes import GUARD
from tables import TABLE_4X4, rows_of, scale_of, tables, variants

import ordeval as oe

torch = pytest.importorskip("torch", reason='torch is not installed: pip install "ordeval[torch]"')
pytest.importorskip("torchmetrics", reason='torchmetrics is not installed: pip install "ordeval[torch]"')

from ordeval.integrations import torch as on_device  # noqa: E402
from ordeval.integrations.torchmetrics import (  # noqa: E402
    LOSSES,
    OrdinalMetric,
    OrdinalMetricCollection,
    OrdinalProbabilityMetric,
)

TRUE, PRED = rows_of(np.array(TABLE_4X4))
DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
METRICS = list(oe.catalogue())
DTYPES = ["uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32", "float64"]


def tensor(values, dtype="int64", device="cpu"):
    return torch.tensor(values).to(getattr(torch, dtype)).to(device)


def by_torch(true, pred, labels=None):
    """Counted by torch operations, also where the tensors lie on the host and `count` would hand them to numpy."""
    counts = on_device.count_on_device(true, pred, labels)
    assert counts is not None
    return counts


# Counts


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "labels", [None, [0, 1, 2, 3], range(-1, 6), [3, 2, 1, 0], [0, 1, 2, 3, 7, 40], oe.Scale(range(4))], ids=repr
)
def test_every_type_of_tensor_gives_the_counts_of_the_list(dtype, labels, device):
    true, pred = tensor(TRUE, dtype, device), tensor(PRED, dtype, device)
    expected = oe.count(TRUE, PRED, labels=labels)
    found = [on_device.count(true, pred, labels=labels)]
    if dtype != "uint64":
        found.append(by_torch(true, pred, labels))
    if device == "cpu":
        found.append(oe.count(true, pred, labels=labels))
    for counts in found:
        assert counts == expected
        assert (counts.scale.inferred, counts.matrix.dtype, counts.audit) == (labels is None, np.int64, expected.audit)


@pytest.mark.parametrize("labels", [None, [False, True], [True, False]])
def test_booleans(labels):
    true, pred = [True, False, False], [True, True, False]
    counts = by_torch(torch.tensor(true), torch.tensor(pred), labels)
    assert counts == oe.count(true, pred, labels=labels) == on_device.count(torch.tensor(true), torch.tensor(pred), labels=labels)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("k", [1, 2, 3, 6, 7, 10, 11, 16, 17, 100, 109, 110, 256, 257, 300])
def test_the_counting_pass_for_every_way_of_packing(k, device, monkeypatch):
    """Odd lengths, several slices, and every class at both ends of each slice."""
    monkeypatch.setattr(on_device, "SLICE", 2008)
    rng = np.random.default_rng(k)
    for n in (1, 2, 3, 5001):
        true, pred = rng.integers(0, k, (2, n))
        expected = np.zeros((k, k), np.int64)
        np.add.at(expected, (true, pred), 1)
        for dtype in ("uint8" if k <= 256 else "int16", "int64", "float32"):
            for low in (0, -3 if dtype != "uint8" else 0):
                t, p = (tensor((column + low).tolist(), dtype, device) for column in (true, pred))
                table = on_device.pair_table(t, p, k, low)
                assert table.dtype == torch.int64
                assert np.array_equal(table.cpu().numpy(), expected)


@given(tables(most_classes=7), st.sampled_from(["int8", "int64", "float32"]), st.integers(-5, 5), st.randoms())
def test_any_table_on_any_run_of_integers(table, dtype, low, random):
    rows = list(zip(*rows_of(table), strict=True))
    random.shuffle(rows)
    true, pred = ([row[i] + low for row in rows] for i in (0, 1))
    labels = range(low, low + len(table))
    assert by_torch(tensor(true, dtype), tensor(pred, dtype), labels).matrix.tolist() == table.tolist()
    assert by_torch(tensor(true, dtype), tensor(pred, dtype)) == oe.count(true, pred)


def test_strides_gradients_and_the_far_ends_of_the_types():
    every_second = torch.arange(20, dtype=torch.int8).remainder(4)[::2]
    assert by_torch(every_second, every_second) == oe.count(every_second.tolist(), every_second.tolist())
    with_gradient = torch.tensor([0.0, 1.0, 1.0], requires_grad=True)
    assert by_torch(with_gradient, with_gradient) == oe.count(with_gradient, with_gradient) == oe.count([0, 1, 1], [0, 1, 1])
    far = [2**63 - 1, 2**63 - 3]
    assert by_torch(torch.tensor(far), torch.tensor(far)) == oe.count(far, far)
    assert by_torch(tensor([-128, 127], "int8"), tensor([127, -128], "int8")) == oe.count([-128, 127], [127, -128])
    assert by_torch(tensor([-5], "int8"), tensor([-5], "int8"), range(-900, 0)).cells.tolist() == [[895, 895]]


def test_what_is_not_plain_is_counted_on_the_host():
    true, pred, other = torch.tensor([0, 1, 2, 2]), torch.tensor([0, 2, 2, 1]), torch.tensor([0, 0, 2, 1])
    weights, groups = torch.tensor([1, 2**60, 0, 3]), ["a", "b", "a", "b"]
    several = on_device.count(true, {"a": pred, "b": other}, sample_weight=weights, by=groups)
    expected = oe.count([0, 1, 2, 2], {"a": [0, 2, 2, 1], "b": [0, 0, 2, 1]}, sample_weight=[1, 2**60, 0, 3], by=groups)
    assert several == expected
    assert several.audit == expected.audit
    assert several.weights.max() == 2**60
    gaps = torch.tensor([0.0, float("nan"), 2.0, 1.0])
    assert on_device.count_on_device(true, gaps) is None
    assert on_device.count(true, gaps, missing="unanswered").unanswered.tolist() == [0, 1, 0]
    measured = torch.tensor([1.0, 35.0, 80.0, 12.0])
    edges = oe.Scale.from_edges([0, 30, 60, 90])
    assert on_device.count_on_device(measured, measured, edges) is None
    assert on_device.count(measured, measured, labels=edges).matrix.tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert on_device.count(["lo", "hi"], ["lo", "lo"], labels=["lo", "hi"]).matrix.tolist() == [[1, 0], [1, 0]]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("true", "pred", "labels"),
    [
        ([0, 1, 7, 7, -2], [0, 1, 1, 1, 1], [0, 1, 2]),
        ([0, 1, 1], [0, 9, 1], range(3)),
        ([1, 2, 3, 3], [1, 1, 1, 1], [1, 2, 4]),
        ([5, 6], [5, 6], range(256, 300)),
        ([2.0, 7.0], [2.0, 2.0], [1, 2]),
        ([True, False], [False, False], [False]),
        ([-(2**63), 0], [0, 0], [0, 1]),
        ([2**63 - 1, 0], [0, 0], [-(2**63), 2 - 2**63]),
    ],
)
def test_a_value_outside_the_scale_is_refused_in_the_same_words(true, pred, labels, device, monkeypatch):
    monkeypatch.setattr(on_device, "SEARCH_SLICE", 2)
    with pytest.raises(ValueError, match="is not one of the classes") as by_list:
        oe.count(true, pred, labels=labels)
    with pytest.raises(ValueError, match=f"^{re.escape(str(by_list.value))}$"):
        by_torch(torch.tensor(true, device=device), torch.tensor(pred, device=device), labels)


@pytest.mark.parametrize(
    ("true", "pred", "labels"),
    [
        ([0, 1], [0, 1, 1], None),
        ([], [], None),
        ([[0, 1]], [[0, 1]], None),
        ([0, 5000], [0, 1], None),
        ([0.0, 0.5], [0.0, 1.0], None),
        ([0.0, float("inf")], [0.0, 1.0], [0, 1]),
        ([0.0, float("nan")], [0.0, 1.0], [0, 1]),
        ([True, False], [0, 1], None),
        ([0, 1], [0, 1], ["low", "high"]),
        ([0, 1], [0, 1], [False, True]),
        ([1j, 2j], [1j, 2j], None),
    ],
)
def test_every_other_refusal_is_left_to_count(true, pred, labels):
    true, pred = torch.tensor(true), torch.tensor(pred)
    assert on_device.count_on_device(true, pred, labels) is None
    with pytest.raises((ValueError, TypeError)) as by_count:
        oe.count(true.numpy(), pred.numpy(), labels=labels)
    with pytest.raises(type(by_count.value), match=f"^{re.escape(str(by_count.value))}$"):
        on_device.count(true, pred, labels=labels)


def test_count_names_the_way_for_a_tensor_on_a_device():
    far = torch.zeros(3, device="meta")
    with pytest.raises(
        TypeError, match=r"^y_true is a tensor on meta; count it there with ordeval.integrations.torch.count, or .*y_true.cpu"
    ):
        oe.count(far, far)
    with pytest.raises(TypeError, match="y_pred is a tensor on meta"):
        oe.mae([0, 1, 2], far)


# torchmetrics


def asymmetric():
    """mae per true class: exchanging truth and prediction changes it."""
    return OrdinalMetric("amae", labels=range(4))


def test_the_prediction_comes_first():
    metric = asymmetric()
    metric.update(torch.tensor(PRED), torch.tensor(TRUE))
    assert metric.compute().item() == oe.amae(TRUE, PRED) != oe.amae(PRED, TRUE)
    assert metric.counts.matrix.tolist() == TABLE_4X4
    by_name = asymmetric()
    by_name.update(target=torch.tensor(TRUE), preds=torch.tensor(PRED))
    assert by_name.counts == metric.counts


@pytest.mark.parametrize("score", variants(), ids=str)
def test_every_score_is_that_of_the_function(score):
    metric = OrdinalMetric(str(score), labels=scale_of(score, 4))
    for t, p in zip(np.array_split(TRUE, 5), np.array_split(PRED, 5), strict=True):
        metric.update(torch.tensor(p), torch.tensor(t))
    assert metric.compute().dtype == torch.float64
    assert metric.compute().item() == score(oe.Counts.from_matrix(TABLE_4X4, labels=scale_of(score, 4)))
    assert metric.higher_is_better is {"higher": True, "lower": False}.get(score.direction)
    assert (metric.is_differentiable, metric.full_state_update) == (False, False)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_scores_of_the_classes_are_answers_too(dtype):
    logits = torch.nn.functional.one_hot(torch.tensor(PRED), 4).to(dtype) * 3 - 1
    flat, grid = asymmetric(), asymmetric()
    flat.update(logits.requires_grad_(), torch.tensor(TRUE))
    grid.update(logits.reshape(3, 29, 4).transpose(1, 2), torch.tensor(TRUE).reshape(3, 29))
    assert flat.counts.matrix.tolist() == grid.counts.matrix.tolist() == TABLE_4X4


def test_a_collection_shares_one_state():
    names = ["amae", "cem", "bias", "cohen_kappa(weights='linear')"]
    metrics = OrdinalMetricCollection(names, labels=range(4), prefix="val_")
    for t, p in zip(np.array_split(TRUE, 3), np.array_split(PRED, 3), strict=True):
        metrics.update(torch.tensor(p), torch.tensor(t))
    members = list(metrics.values(copy_state=False))
    keys = [oe.get_metric(name).key for name in names]
    assert metrics.compute_groups == {0: keys}
    assert len({member.table.data_ptr() for member in members}) == 1
    assert [member.update_count for member in members] == [3] * 4
    assert metrics.counts.matrix.tolist() == TABLE_4X4
    scores = {f"val_{key}": oe.get_metric(name)(metrics.counts) for name, key in zip(names, keys, strict=True)}
    assert {name: value.item() for name, value in metrics.compute().items()} == scores
    assert oe.evaluate(metrics.counts, metrics=["cem"]).scores["cem"].low < scores["val_cem"]
    metrics.reset()
    assert metrics.counts.total == 0
    batch = metrics(torch.tensor(PRED[::9]), torch.tensor(TRUE[::9]))
    assert batch["val_bias"].item() == oe.bias(TRUE[::9], PRED[::9], labels=range(4))
    assert metrics.counts == oe.count(TRUE[::9], PRED[::9], labels=range(4))


def test_a_metric_shows_its_score_and_classes():
    assert repr(OrdinalMetric("oci(share=0.5)", labels=["low", "high"])) == "OrdinalMetric(oci(share=0.5), low < high)"


def test_names_in_a_collection():
    given = OrdinalMetricCollection({"quarter": "oci(share=0.25)", "mean": oe.mae}, labels=range(4))
    given.update(torch.tensor(PRED), torch.tensor(TRUE))
    assert given.compute()["quarter"].item() == oe.oci(TRUE, PRED, labels=range(4), share=0.25)
    from ordeval.evaluation import DEFAULT_METRICS

    assert set(OrdinalMetricCollection(labels=range(4))) == set(DEFAULT_METRICS)
    assert set(OrdinalMetricCollection(["oci(share=0.25)", oe.mae], labels=range(4))) == {"oci_share_0_25", "mae"}
    with pytest.raises(ValueError, match=r"^torch allows no dot in a name, and 'my.score' has one; name it without one$"):
        OrdinalMetricCollection({"my.score": "oci(share=0.25)"}, labels=range(4))
    with pytest.raises(ValueError, match="metrics holds 'mae' twice, or two scores that would be called 'mae'; give a mapping"):
        OrdinalMetricCollection(["mae", oe.mae], labels=range(4))
    with pytest.raises(TypeError, match="labels is missing"):
        OrdinalMetricCollection(["mae"])
    with pytest.raises(ValueError, match="metrics is empty"):
        OrdinalMetricCollection([], labels=range(4))
    with pytest.raises(ValueError, match="did you mean"):
        OrdinalMetric("cemm", labels=range(4))
    with pytest.raises(ValueError, match="these have no edges"):
        OrdinalMetric("interval_mae", labels=range(4))


def test_states_are_kept_copied_moved_and_merged():
    metric = asymmetric()
    metric.update(torch.tensor(PRED), torch.tensor(TRUE))
    for same in (copy.deepcopy(metric), metric.clone(), pickle.loads(pickle.dumps(metric)), metric.to("cpu")):
        assert same.counts == metric.counts
        assert same.compute() == metric.compute()
    metric.persistent(True)
    loaded = asymmetric()
    loaded.load_state_dict(metric.state_dict())
    assert loaded.counts == metric.counts
    loaded.merge_state(metric)
    assert loaded.counts == metric.counts + metric.counts
    loaded.reset()
    assert loaded.counts.total == 0
    assert metric.half().to(torch.bfloat16).set_dtype(torch.float16).double().table.dtype == torch.int64


def test_counts_stay_exact_past_what_a_float_holds():
    metric = asymmetric()
    metric.merge_state({"table": torch.full((4, 4), 2**53)})
    metric.half().update(torch.tensor([0]), torch.tensor([0]))
    assert metric.counts.matrix[0, 0] == 2**53 + 1
    assert metric.counts.total == 2**57 + 1


def test_nothing_counted_is_undefined_and_says_so():
    metric = asymmetric()
    metric.update(torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64))
    metric.update(torch.zeros(0, 4), torch.zeros(0, dtype=torch.int64))
    with pytest.warns(oe.UndefinedScore, match="amae is undefined here"):
        assert metric.compute().isnan()


@pytest.mark.parametrize(
    ("preds", "target", "error", "sentence"),
    [
        (
            torch.tensor([0, 9, 9]),
            torch.tensor([0, 1, 2]),
            ValueError,
            r"preds: 9 is not one of the classes \(0 < 1 < 2 < 3\); 2 rows hold it, the first at index 1",
        ),
        (
            torch.tensor([[0, 1], [1, 1]]),
            torch.tensor([[0, 1], [1, -1]]),
            ValueError,
            "target: -1 is not one of .*first at index 3",
        ),
        (torch.tensor([0, 1]), torch.tensor([0, 1, 1]), ValueError, r"preds has the shape \(2,\) and target \(3,\)"),
        (torch.tensor([0, 1]), torch.tensor([0.0, 1.0]), TypeError, "target holds torch.float32; .* integer from 0 to 3"),
        (torch.tensor([0.0, 1.0]), torch.tensor([0, 1]), ValueError, r"preds holds torch.float32 of the shape \(2,\) beside"),
        (torch.zeros(2, 5), torch.tensor([0, 1]), ValueError, "scores of the 4 classes in the second dimension"),
        (
            torch.tensor([[0, 1, 2, 3], [0, 1, float("nan"), 3]]),
            torch.tensor([0, 1]),
            ValueError,
            "preds is not a number at index 1",
        ),
        (torch.tensor([0, 1j]), torch.tensor([0, 1]), TypeError, "preds holds torch.complex64"),
        (torch.tensor([0, 1]), torch.tensor([0, 1j]), TypeError, "target holds torch.complex64"),
    ],
)
def test_a_bad_batch_is_refused_and_not_counted(preds, target, error, sentence):
    metric = asymmetric()
    with pytest.raises(error, match=sentence):
        metric.update(preds, target)
    assert metric.counts.total == 0


# Rows to ignore, weights, probabilities, plots


@pytest.fixture(scope="module")
def batch():
    """Logits, targets of which every seventh is to be ignored, and weights; nan and a class of its own stand where nobody looks."""
    generator = torch.Generator().manual_seed(0)
    logits, target = torch.randn(500, 4, generator=generator), torch.randint(0, 4, (500,), generator=generator)
    target[::7] = -100
    logits[7] = float("nan")
    return logits, target, torch.rand(500, generator=generator), target != -100


def by_numpy(name, logits, target, weight, kept):
    """The library's own value of the rows that are kept."""
    metric, true = oe.get_metric(name), target[kept].numpy()
    weights = None if weight is None else weight[kept].double().numpy()
    if metric.needs_only_counts:
        return metric(true, logits.argmax(1)[kept].numpy(), labels=range(4), sample_weight=weights)
    return metric(true, proba=logits[kept].double().softmax(1).numpy(), labels=range(4), sample_weight=weights)


@pytest.mark.parametrize("weighted", [False, True])
def test_ignored_rows_and_weights_of_hard_labels(batch, weighted):
    logits, target, weight, kept = batch
    weight = weight if weighted else None
    for name in ("cem", "amae", "cohen_kappa"):
        metric = OrdinalMetric(name, labels=range(4), ignore_index=-100, weighted=weighted)
        for part in range(0, 500, 64):
            rows = slice(part, part + 64)
            metric.update(logits[rows], target[rows], None if weight is None else weight[rows])
        expected = by_numpy(name, logits, target, weight, kept)
        assert metric.compute().item() == pytest.approx(expected, rel=1e-12)
        assert metric.table.dtype == (torch.float64 if weighted else torch.int64)
        assert metric.counts.total == pytest.approx(float(kept.sum() if weight is None else weight[kept].double().sum()))
    if weighted:
        metric.update(torch.tensor([0]), torch.tensor([0]))  # a row without a weight counts once
        assert metric.counts.total == pytest.approx(float(weight[kept].double().sum()) + 1)


@pytest.mark.parametrize("ignored", [None, 0, 1, 3, -1, 255])
def test_any_value_may_be_the_one_that_is_ignored(ignored):
    """A class too, and the lowest is 0: its rows are left out, and all others are counted."""
    target = torch.tensor([0, 1, 2, 3] * 5 + ([] if ignored is None else [ignored] * 3))
    pred = torch.arange(len(target)) % 3
    kept = np.ones(len(target), bool) if ignored is None else (target != ignored).numpy()
    expected = oe.count(target.numpy()[kept], pred.numpy()[kept], labels=range(4))
    several = OrdinalMetricCollection(["mae", "cem"], range(4), ignore_index=ignored)
    for metric in (OrdinalMetric("mae", range(4), ignore_index=ignored), several):
        metric.update(pred, target)
        assert metric.counts.matrix.tolist() == expected.matrix.tolist()
    proba = torch.eye(4, dtype=torch.float64)[pred]
    brier = OrdinalProbabilityMetric("brier", range(4), logits=False, ignore_index=ignored)
    brier.update(proba, target)
    assert brier.weight.item() == kept.sum()
    assert brier.compute().item() == pytest.approx(2 * (1 - oe.accuracy(expected)))  # of a certain error (0 - 1)² + (1 - 0)²


def test_a_position_is_named_by_its_place_in_the_batch_whatever_is_ignored():
    metric = OrdinalMetric("mae", labels=range(4), ignore_index=-100)
    with pytest.raises(ValueError, match="target: 9 is not one of .*first at index 2"):
        metric.update(torch.tensor([0, 0, 0]), torch.tensor([-100, -100, 9]))
    nan = float("nan")
    with pytest.raises(ValueError, match="not a number at index 1"):
        metric.update(torch.tensor([[nan] * 4, [nan] * 4]), torch.tensor([-100, 0]))
    metric.update(torch.tensor([9, 1]), torch.tensor([-100, 1]))  # what is predicted for an ignored row does not matter
    assert metric.counts.total == 1
    with pytest.raises(ValueError, match="target: -100 is not one of the classes"):
        OrdinalMetric("mae", labels=range(4)).update(torch.tensor([0]), torch.tensor([-100]))


def test_arrays_are_as_good_as_tensors():
    for metric in (OrdinalMetric("mae", labels=range(4)), OrdinalMetric("mae", labels=range(4), weighted=True)):
        weight = np.array([1, 2, 1]) if metric.weighted else None
        metric.update(np.array([0, 1, 3]), np.array([0, 2, 3]), weight)
        assert metric.compute().item() == oe.mae([0, 2, 3], [0, 1, 3], labels=range(4), sample_weight=weight)


def test_weights_without_notice_are_refused():
    metric = asymmetric()
    with pytest.raises(TypeError, match="make it with weighted=True"):
        metric.update(torch.tensor([0]), torch.tensor([0]), torch.tensor([1.0]))
    assert metric.counts.total == 0


def test_weights_that_are_none():
    metric = OrdinalMetric("mae", labels=range(4), weighted=True)
    for weight, sentence in (([1.0], "weight has the shape"), ([1.0, -1.0], "negative"), ([1.0, float("inf")], "not finite")):
        with pytest.raises(ValueError, match=sentence):
            metric.update(torch.tensor([0, 1]), torch.tensor([0, 1]), torch.tensor(weight))
    assert metric.counts.total == 0


def test_scores_of_whole_counts_refuse_weights_at_the_start():
    whole = [metric for metric in METRICS if "whole counts" in metric.needs]
    assert whole
    for metric in whole:
        with pytest.raises(ValueError, match="is defined for whole-number counts, and weighted rows have fractions"):
            OrdinalMetric(metric, labels=oe.Scale.from_edges([0, 1, 2, 3]), weighted=True)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [*LOSSES, "rps(normalize=True)", "ordinal_log_loss(alpha=2.0)"])
def test_sums_of_row_losses_are_the_librarys_means(batch, name, weighted):
    logits, target, weight, kept = batch
    weight = weight if weighted else None
    expected = by_numpy(name, logits, target, weight, kept)
    for values, is_logits in ((logits, True), (logits.double().softmax(1), False)):
        metric = OrdinalProbabilityMetric(name, labels=range(4), logits=is_logits, ignore_index=-100)
        for part in range(0, 500, 64):
            rows = slice(part, part + 64)
            metric.update(values[rows], target[rows], None if weight is None else weight[rows])
        assert metric.compute().item() == pytest.approx(expected, rel=1e-12)
        assert metric.higher_is_better is False
    halves = [OrdinalProbabilityMetric(name, labels=range(4), logits=True, ignore_index=-100) for _ in range(2)]
    halves[0].update(logits[:200], target[:200], None if weight is None else weight[:200])
    halves[1].update(logits[200:], target[200:], None if weight is None else weight[200:])
    halves[0].merge_state(halves[1])
    assert halves[0].compute().item() == pytest.approx(expected, rel=1e-12)


def test_certain_and_right_costs_nothing():
    for name in LOSSES:
        metric = OrdinalProbabilityMetric(name, labels=range(3), logits=False)
        metric.update(torch.eye(3), torch.arange(3))
        assert metric.compute().item() == 0


def test_probabilities_of_pictures_and_certain_errors():
    metric = OrdinalProbabilityMetric("log_loss", labels=range(2), logits=False)
    picture = torch.tensor([[[0.5, 1.0], [0.25, 0.0]], [[0.5, 0.0], [0.75, 1.0]]])  # class, row, column
    target = torch.tensor([[0, 0], [1, 1]])
    metric.update(picture[None], target[None])
    assert metric.compute().item() == pytest.approx(-(np.log(0.5) + np.log(0.75)) / 4)
    metric.update(torch.tensor([[0.0, 1.0]]), torch.tensor([0]), torch.tensor([0.0]))  # an infinite loss of no weight
    assert metric.compute().isfinite()
    metric.update(torch.tensor([[0.0, 1.0]]), torch.tensor([0]))
    assert metric.compute().item() == np.inf
    empty = OrdinalProbabilityMetric("log_loss", labels=range(2), logits=False)
    empty.update(torch.zeros(0, 2), torch.zeros(0, dtype=torch.int64))
    with pytest.warns(oe.UndefinedScore, match="log_loss is undefined here"):
        assert empty.compute().isnan()


@pytest.mark.parametrize(
    ("preds", "target", "error", "sentence"),
    [
        (
            [[2.0, -1.0]],
            [0],
            ValueError,
            r"not probabilities in 1 of the rows, the first at index 0.*give logits=True for logits",
        ),
        ([[0.5, 0.5], [0.6, 0.6]], [0, 1], ValueError, "the first at index 1"),
        ([[float("nan"), 0.5]], [0], ValueError, "not probabilities"),
        (
            [0, 1],
            [0, 1],
            ValueError,
            r"preds holds torch.int64 of the shape \(2,\) beside a target of \(2,\); give probabilities or",
        ),
        ([[0.5, 0.5]], [0, 1], ValueError, "beside a target of"),
        ([[0.5, 0.5]], [2], ValueError, "target: 2 is not one of the classes"),
        ([[0.5, 0.5]], [0.0], TypeError, "target holds torch.float32"),
    ],
)
def test_what_is_no_forecast_is_refused_and_not_added(preds, target, error, sentence):
    metric = OrdinalProbabilityMetric("rps", labels=range(2), logits=False)
    with pytest.raises(error, match=sentence):
        metric.update(torch.tensor(preds), torch.tensor(target))
    assert (metric.total.item(), metric.weight.item()) == (0, 0)


def test_only_sums_over_rows_are_taken_and_the_others_refused_by_name():
    """What is added up here is a mean of rows in the library, and nothing that needs all rows at once is."""
    from ordeval.metrics.core.row_scores import RowMean, bound

    rows = oe.forecast([0, 1, 2], [[0.5, 0.3, 0.2]] * 3, labels=range(3))
    for metric in METRICS:
        if metric.name in LOSSES:
            assert isinstance(bound(metric, rows), RowMean)
            continue
        told = "use OrdinalMetric" if metric.needs_only_counts else "it needs all rows at once; choose one of rps, brier"
        with pytest.raises(ValueError, match=told):
            OrdinalProbabilityMetric(metric, labels=range(3), logits=True)
    with pytest.raises(TypeError, match="logits"):
        OrdinalProbabilityMetric("rps", labels=range(3))


def test_plots_lie_between_the_bounds_of_the_score(batch):
    plt = pytest.importorskip("matplotlib.pyplot")
    logits, target, _, kept = batch
    metric = OrdinalMetric("cohen_kappa", labels=range(4), ignore_index=-100)
    steps = [metric(logits[kept][part : part + 100], target[kept][part : part + 100]) for part in range(0, 400, 100)]
    assert (metric.plot_lower_bound, metric.plot_upper_bound) == (-1.0, 1.0)
    _, axes = metric.plot(steps)
    assert len(axes.lines[0].get_ydata()) == 4
    mae = OrdinalMetric("mae", labels=range(4))
    assert (mae.plot_lower_bound, mae.plot_upper_bound) == (0.0, 3.0)
    loss = OrdinalProbabilityMetric("log_loss", labels=range(4), logits=True)
    assert (loss.plot_lower_bound, loss.plot_upper_bound) == (0.0, None)
    both = OrdinalMetricCollection(["cem", "oci(share=0.25)"], labels=range(4))
    both.update(logits[kept], target[kept])
    assert len(both.plot()) == 2
    plt.close("all")


WORKER = """
import sys, warnings
import torch
from ordeval.integrations.torchmetrics import OrdinalMetric, OrdinalMetricCollection
rank, store, rows = int(sys.argv[1]), sys.argv[2], sys.argv[3]
torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=2)
warnings.simplefilter("ignore")  # a process without rows computes before its first update
for shards in torch.load(rows):
    shard = shards[rank]
    metrics = OrdinalMetricCollection(["amae", "bias", "cem"], labels=range(4))
    single = OrdinalMetric("amae", labels=range(4))
    for batch in shard.split(16) if len(shard) else []:
        metrics.update(preds=batch[:, 1], target=batch[:, 0])
        single.update(preds=batch[:, 1], target=batch[:, 0])
    scores = metrics.compute()
    own = single.counts.total
    with single.sync_context():
        everywhere = single.counts.matrix.tolist()
    alone = own == len(shard) == single.counts.total == metrics.counts.total
    print([scores[name].item() for name in sorted(scores)], single.compute().item(), everywhere, alone)
torch.distributed.destroy_process_group()
"""


def test_two_processes_hold_the_whole_together(tmp_path, child):
    """Unequal shards; then all rows in the first process and none in the second."""
    rows = torch.tensor([TRUE, PRED]).T.contiguous()
    torch.save([[rows[:cut], rows[cut:]] for cut in (30, len(rows))], tmp_path / "rows.pt")
    arguments = [str(tmp_path / "store"), str(tmp_path / "rows.pt")]
    processes = [child("-c", WORKER, rank, *arguments, stderr=None) for rank in (0, 1)]
    said = [process.communicate(timeout=GUARD)[0] for process in processes]
    expected = [oe.amae(TRUE, PRED), oe.bias(TRUE, PRED), oe.cem(TRUE, PRED, labels=range(4))]
    assert said == [f"{expected} {expected[0]} {TABLE_4X4} True\n" * 2] * 2
