"""Better whatever an error costs?  Against every cost of a family in small cases, and against every nearby cost for reversals."""

import itertools
import math

import numpy as np
import pytest

import ordeval as oe
from ordeval.infer._dominance import FAMILIES, _Band, _listing, dominance

FEW = {"n_resamples": 400}


def counts_of(joint, labels=None):
    joint = np.asarray(joint)
    cells = np.argwhere(joint)
    return oe.Counts(oe.Scale(labels or range(len(joint))), ("true", "a", "b"), cells, joint[tuple(cells.T)])


def all_joints(k, n):
    for cells in itertools.combinations_with_replacement(range(k**3), n):
        yield np.bincount(cells, minlength=k**3).reshape(k, k, k)


def random_joints(number, k, n, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        shares = rng.dirichlet(np.full(k**3, 0.2))
        yield rng.multinomial(rng.integers(1, n + 1), shares).reshape(k, k, k)


def belongs(costs, family, tolerance=1e-9):
    """Which of the costs (..., K, K), 0 on the diagonal, are in the family: from its definition alone."""
    k = costs.shape[-1]
    fine = (costs >= -tolerance).all((-2, -1))
    for t in range(k):
        for p, q in itertools.product(range(k), repeat=2):
            if abs(t - q) >= abs(t - p) and (p - t) * (q - t) >= 0:  # q is further off, on the same side
                fine &= costs[..., t, q] >= costs[..., t, p] - tolerance
    if family == "side":
        return fine
    by_distance = np.zeros((*costs.shape[:-2], k, k))  # for each true class f by distance, where it is reached
    known = np.zeros((k, k), bool)
    for t, p in itertools.product(range(k), repeat=2):
        d = abs(t - p)
        if known[t, d]:
            fine &= np.abs(by_distance[..., t, d] - costs[..., t, p]) <= tolerance
        by_distance[..., t, d], known[t, d] = costs[..., t, p], True
    for t, u in itertools.combinations(range(k), 2):
        for d, e in itertools.product(range(k), repeat=2):
            if known[t, d] and known[u, d] and family == "distance":
                fine &= np.abs(by_distance[..., t, d] - by_distance[..., u, d]) <= tolerance
            if known[t, d] and known[u, d] and known[t, e] and known[u, e]:  # proportional
                cross = by_distance[..., t, d] * by_distance[..., u, e] - by_distance[..., t, e] * by_distance[..., u, d]
                fine &= np.abs(cross) <= tolerance * 1e3
    return fine


def small_costs(k, values):
    off = np.argwhere(~np.eye(k, dtype=bool))
    found = np.array(list(itertools.product(values, repeat=len(off))), float)
    costs = np.zeros((len(found), k, k))
    costs[:, off[:, 0], off[:, 1]] = found
    return costs


#: Every cost with three classes and whole values up to 2, and with four and values up to 1, by family.
COSTS = {
    (k, family): costs[belongs(costs, family)]
    for k, values in ((2, (0, 1, 2)), (3, (0, 1, 2)), (4, (0, 1)))
    for costs in [small_costs(k, values)]
    for family in FAMILIES
}


def gap(joint, costs):
    """Cost of b minus cost of a."""
    return ((joint.sum(1) - joint.sum(2)) * costs).sum((-2, -1))


def families(found):
    return dict(zip(FAMILIES, found.families, strict=True))


def check_against_all_costs(joint):
    found = dominance(counts_of(joint), "a", "b", **FEW)
    for name, family in families(found).items():
        gaps = gap(joint, COSTS[len(joint), name])
        assert family.name == name
        assert family.equal == (gaps == 0).all()
        wanted = None if family.equal else "b" if (gaps <= 0).all() else "a" if (gaps >= 0).all() else None
        assert family.better == wanted, (name, joint.tolist())


class TestTheFiniteCheck:
    """The tails decide exactly as all costs together do."""

    def test_the_lists_of_costs(self):
        assert len(COSTS[3, "distance"]) == 6  # 0 ≤ f(1) ≤ f(2) ≤ 2
        assert len(COSTS[3, "side"]) == 6 * 3 * 3 * 6  # two ends with two steps each, the middle with one to either side
        assert len(COSTS[3, "distance"]) < len(COSTS[3, "class"]) < len(COSTS[3, "side"])

    def test_on_every_pair_of_two_classes_and_three_rows(self):
        for joint in all_joints(2, 3):
            check_against_all_costs(joint)

    def test_on_every_pair_of_three_classes_and_two_rows(self):
        for joint in all_joints(3, 2):
            check_against_all_costs(joint)

    @pytest.mark.slow
    def test_on_every_pair_of_three_classes_and_three_rows(self):
        for joint in all_joints(3, 3):
            check_against_all_costs(joint)

    def test_on_random_pairs_of_three_and_four_classes(self):
        for k in (3, 4):
            for joint in random_joints(100, k, 12):
                check_against_all_costs(joint)

    @pytest.mark.slow
    def test_no_random_cost_beats_a_dominant_model(self):
        rng = np.random.default_rng(1)
        seen = 0
        for joint in random_joints(400, 5, 8, seed=2):
            found = dominance(counts_of(joint), "a", "b", **FEW)
            steps = rng.exponential(size=(200, 5, 5)) * rng.integers(0, 2, (200, 5, 5))
            f = np.concatenate([np.zeros((200, 1)), np.cumsum(steps[:, 0, :4], 1)], 1)
            distance = np.abs(np.subtract.outer(range(5), range(5)))
            side = np.zeros((200, 5, 5))
            for t in range(5):
                side[:, t, t + 1 :] = np.cumsum(steps[:, t, t + 1 :], 1)
                side[:, t, :t] = np.cumsum(steps[:, t, :t][:, ::-1], 1)[:, ::-1]
            costs = {"distance": f[:, distance], "class": rng.exponential(size=(200, 5, 1)) * f[:, distance], "side": side}
            for name, family in families(found).items():
                if family.better:
                    seen += 1
                    sign = 1 if family.better == "b" else -1
                    assert (sign * gap(joint, costs[name]) <= 1e-12).all()
        assert seen > 20

    def test_a_model_dominant_in_a_family_is_so_in_the_narrower_ones(self):
        for joint in random_joints(200, 4, 6, seed=3):
            better = [family.better for family in dominance(counts_of(joint), "a", "b", **FEW).families]
            assert all(wide is None or wide == narrow for narrow, wide in itertools.pairwise(better))

    def test_the_models_exchanged(self):
        for joint in random_joints(50, 3, 20, seed=4):
            there = dominance(counts_of(joint), "a", "b", **FEW)
            back = dominance(counts_of(joint.transpose(0, 2, 1)), "a", "b", **FEW)
            swap = {"a": "b", "b": "a", None: None}
            for one, other in zip(there.families, back.families, strict=True):
                assert one.better == swap[other.better]
                assert (one.reversal and one.reversal.factor) == pytest.approx(other.reversal and other.reversal.factor)

    def test_the_tails_are_those_of_the_rows(self):
        rng = np.random.default_rng(5)
        true, a, b = rng.integers(0, 4, (3, 60))
        found = dominance(oe.count(true, {"a": a, "b": b}, labels=range(4)), "a", "b", **FEW)
        for family in found.families:
            for tail in family.tails:
                of = np.ones(60, bool) if tail.true is None else true == tail.true
                off = {"": lambda p: abs(p - true), "above": lambda p: p - true, "below": lambda p: true - p}[tail.side]
                assert tail.a == np.count_nonzero(of & (off(a) >= tail.steps))
                assert tail.b == np.count_nonzero(of & (off(b) >= tail.steps))
                assert tail.low <= tail.b - tail.a <= tail.high
        assert [len(family.tails) for family in found.families] == [3, 10, 12]


def ratios(cost):
    k = len(cost)
    distance = np.abs(np.subtract.outer(range(k), range(k)))
    return cost[distance > 0] / distance[distance > 0]


STEPS3 = np.abs(np.subtract.outer(range(3), range(3))).astype(float)


class TestReversals:
    @pytest.mark.slow
    def test_each_really_reverses_and_belongs_to_its_family(self):
        seen = dict.fromkeys(FAMILIES, 0)
        for k, n in ((3, 8), (4, 30), (6, 200)):
            distance = np.abs(np.subtract.outer(range(k), range(k)))
            for joint in random_joints(60, k, n, seed=k):
                found = dominance(counts_of(joint), "a", "b", **FEW)
                for name, family in families(found).items():
                    if family.reversal is None:
                        tie = found.better is None
                        assert tie or family.better == found.better or name == "class"
                        continue
                    seen[name] += 1
                    cost = family.reversal.cost
                    assert gap(joint, distance) * gap(joint, cost) < 0
                    assert belongs(cost[None], name)[0]
                    assert ratios(cost).max() / ratios(cost).min() <= family.reversal.reached * (1 + 1e-9)
                    assert ratios(cost).min() >= 1 - 1e-9
                    assert 1 < family.reversal.factor < family.reversal.reached
                    assert family.reversal.reached <= family.reversal.factor * 1.0101 + 1e-9  # three digits
        assert min(seen.values()) > 20

    def test_no_grid_finds_a_closer_one(self):
        """Below the factor nothing reverses; at it the corners (1, the factor, and equal costs side by side) do reach a tie."""
        seen = 0
        off = np.argwhere(STEPS3)
        for joint in random_joints(90, 3, 9, seed=9):
            found = dominance(counts_of(joint), "a", "b", **FEW)
            sign = -1 if found.better == "a" else 1
            for name, family in families(found).items():
                if family.reversal is None:
                    continue
                seen += 1
                factor = family.reversal.factor
                grid = np.array(list(itertools.product(np.linspace(1, factor * (1 - 1e-6), 5), repeat=6)))
                corners = np.array(list(itertools.product({1, factor, factor / 2, 2}, repeat=6)))
                for values, reaches in (
                    (grid, False),
                    (corners[(corners <= factor * (1 + 1e-9)).all(1) & (corners >= 1).all(1)], True),
                ):
                    costs = np.zeros((len(values), 3, 3))
                    costs[:, off[:, 0], off[:, 1]] = values
                    if name == "class":
                        costs = values[:, :3, None] * STEPS3
                    else:
                        costs = costs * STEPS3
                        costs = costs[belongs(costs, name)]
                    worst = (sign * gap(joint, costs)).max()
                    assert worst == pytest.approx(0, abs=1e-6) if reaches else worst < 0
        assert seen > 40

    def test_wider_families_come_closer(self):
        for joint in random_joints(60, 4, 40, seed=11):
            found = dominance(counts_of(joint), "a", "b", **FEW)
            factor = [family.reversal.factor if family.reversal else math.inf for family in found.families]
            assert factor[2] <= min(factor[:2]) * (1 + 1e-6)

    def test_class_weights_by_hand(self):
        """b saves 16 steps on green and loses 5 on red: from 16 / 5 = 3.2 on, red weighs more."""
        joint = np.zeros((3, 3, 3), int)
        joint[0, 1, 0], joint[2, 2, 1], joint[1, 1, 1] = 16, 5, 30
        found = dominance(counts_of(joint, ["green", "yellow", "red"]), "a", "b")
        assert found.better == "b"
        assert found.by_class.reversal.factor == pytest.approx(3.2)
        assert str(found.by_class.reversal) == "a cost that weighs red 3.21 times reverses that"
        assert found.distance.better == "b"
        assert found.distance.reason == "under no such cost is a better"
        assert "red 3.21 times" in str(found)
        assert str(found.side.reversal) == "a cost that weighs red taken for yellow 3.21 times reverses that"

    def test_a_cost_that_must_still_grow(self):
        """Ten errors of two steps became fifteen of one step: errors of one step must weigh up to their double, and no more."""
        joint = np.zeros((3, 3, 3), int)
        joint[0, 2, 1], joint[0, 0, 1] = 10, 5
        found = dominance(counts_of(joint), "a", "b")
        assert found.distance.reversal.factor == pytest.approx(4 / 3)  # 15 f(1) = 10 f(2)
        assert str(found.distance.reversal) == "a cost that weighs errors of 1 step 1.34 times reverses that"
        joint = np.zeros((3, 3, 3), int)
        joint[0, 2, 1], joint[0, 0, 1] = 10, 1
        reversal = dominance(counts_of(joint), "a", "b").distance.reversal
        assert reversal.factor == pytest.approx(20 / 11)
        joint[0, 2, 0] = 3  # 11 f(1) against 13 f(2): none reverses, a larger error never costs less
        assert dominance(counts_of(joint), "a", "b").distance.better == "b"

    def test_larger_errors_are_raised_along(self):
        """Of class 0 eleven rows more are off by one and ten fewer by two: it costs b only where both cost the same, 40 steps."""
        joint = np.zeros((3, 3, 3), int)
        joint[0, 2, 1], joint[0, 0, 1], joint[1, 0, 1] = 10, 1, 40
        reversal = dominance(counts_of(joint, ["lo", "mid", "hi"]), "a", "b").side.reversal
        assert reversal.factor == pytest.approx(40)
        assert reversal.cost[0].tolist() == pytest.approx([0, 40.1, 40.1])
        assert str(reversal) == "a cost that weighs lo taken for mid 40.1 times (and 1 other error by less) reverses that"

    def test_where_steps_tie(self):
        joint = np.zeros((3, 3, 3), int)
        joint[0, 1, 0], joint[2, 2, 1] = 4, 4
        found = dominance(counts_of(joint), "a", "b")
        assert found.better is None
        assert found.distance.equal
        assert found.by_class.better is None
        assert found.by_class.reversal is None
        assert "|t − p| itself ties" in str(found)

    def test_weights_of_classes_that_cannot_reverse(self):
        """In the one class that differs b is closer on average, yet further off at the far end."""
        joint = np.zeros((4, 4, 4), int)
        joint[0, 1, 0], joint[0, 1, 3] = 9, 1
        found = dominance(counts_of(joint), "a", "b")
        assert found.by_class.better is None
        assert found.by_class.reversal is None
        assert "no weighing of the classes alone" in str(found.by_class)
        assert found.distance.reversal is not None

    def test_many_rows_do_not_blur_it(self):
        joint = np.zeros((3, 3, 3), np.int64)
        joint[0, 1, 0], joint[2, 2, 1], joint[1, 1, 1] = 3 * 10**12, 10**12 + 1, 10**15
        found = dominance(counts_of(joint), "a", "b", **FEW)
        assert found.by_class.reversal.factor == pytest.approx(3, rel=1e-9)
        assert found.side.reversal.factor == pytest.approx(3, rel=1e-6)


def simulated(rng, n, shares):
    """A sample from a population given as {(true, a, b): share}."""
    kinds = np.array(list(shares))
    joint = np.zeros((3, 3, 3), int)
    joint[tuple(kinds.T)] = rng.multinomial(n, list(shares.values()))
    return counts_of(joint)


class TestBands:
    def test_much_better_is_certain_and_a_little_is_not(self):
        joint = np.zeros((3, 3, 3), int)
        for t in range(3):
            joint[t, t, t] = 50
        joint[0, 1, 0] = joint[1, 0, 1] = joint[1, 2, 1] = joint[2, 1, 2] = 20
        found = dominance(counts_of(joint), "a", "b")
        assert [family.better for family in found.families] == ["b"] * 3
        assert [family.certain for family in found.families] == [True] * 3
        assert [family.unjudged for family in found.families] == [1, 2, 2]  # nobody was off by two
        assert "with 95 % confidence, but for 1 kind of error where no row tells the two apart" in str(found)
        few = dominance(counts_of(np.where(joint == 20, 2, joint)), "a", "b")
        assert [family.certain for family in few.families] == [True, False, False]
        assert few.side.better == "b"
        assert "(in this sample)" in str(few)

    @pytest.mark.parametrize(("flips", "certain"), [(5, False), (6, True)])
    def test_one_tail_agrees_with_the_exact_sign_test(self, flips, certain):
        """Of n rows that differ all favour b: two-sided p = 2 / 2**n, 0.0625 for five and 0.03125 for six."""
        joint = np.zeros((2, 2, 2), int)
        joint[0, 1, 0], joint[1, 1, 1] = flips, 100
        assert dominance(counts_of(joint), "a", "b").distance.certain is certain

    def test_neither_is_certain_where_one_band_is_above_and_one_below(self):
        joint = np.zeros((3, 3, 3), int)
        joint[0, 1, 0], joint[2, 2, 0], joint[1, 1, 1] = 100, 30, 100
        found = dominance(counts_of(joint), "a", "b")
        assert [family.better for family in found.families] == [None] * 3
        assert [family.certain for family in found.families] == [True] * 3
        joint[2, 2, 0] = 2  # two rows are not enough to be certain of
        found = dominance(counts_of(joint), "a", "b")
        assert [family.better for family in found.families] == [None] * 3
        assert [family.certain for family in found.families] == [False] * 3

    def test_the_same_seed_gives_the_same_bands(self):
        joint = next(random_joints(1, 4, 200, seed=1))
        one, two, other = (dominance(counts_of(joint), "a", "b", rng=seed, **FEW).side.tails for seed in (1, 1, 2))
        assert one == two
        assert one != other

    def test_rows_as_clusters_of_one(self):
        rng = np.random.default_rng(3)
        true = rng.integers(0, 3, 300)
        a, b = (np.clip(true + rng.choice([-1, 0, 1], 300, p=p), 0, 2) for p in ((0.3, 0.4, 0.3), (0.1, 0.8, 0.1)))
        rows = dominance(oe.count(true, {"a": a, "b": b}), "a", "b").distance.tails[0]
        clusters = dominance(oe.count(true, {"a": a, "b": b}, cluster=range(300)), "a", "b").distance.tails[0]
        assert (rows.a, rows.b) == (clusters.a, clusters.b)
        assert clusters.high - clusters.low == pytest.approx(rows.high - rows.low - 2, rel=0.05)

    def test_weights_have_a_sample_statement_and_bands_only_by_clusters(self):
        true, a, b, weight = [0, 0, 1, 2] * 20, [0, 1, 1, 1] * 20, [0, 0, 1, 2] * 20, [0.1, 0.2, 0.3, 0.7] * 20
        found = dominance(oe.count(true, {"a": a, "b": b}, sample_weight=weight), "a", "b")
        assert [(family.better, family.certain) for family in found.families] == [("b", None)] * 3
        assert "cluster=" in found.reason
        assert math.isnan(found.distance.tails[0].high)
        assert "No bands" in str(found)
        numbered = oe.count(true, {"a": a, "b": b}, sample_weight=weight, cluster=range(80))
        assert dominance(numbered, "a", "b").distance.certain is True

    def test_weights_that_cancel_but_for_rounding_are_equal(self):
        found = dominance(
            oe.count([0, 0, 0, 0], {"a": [1, 1, 0, 0], "b": [0, 0, 0, 1]}, labels=[0, 1], sample_weight=[0.1, 0.2, 1, 0.1 + 0.2]),
            "a",
            "b",
        )
        assert found.better is None
        assert all(family.equal for family in found.families)

    @pytest.mark.slow
    @pytest.mark.parametrize("n", [40, 200])
    def test_equal_models_are_seldom_called_certain(self, n):
        rng = np.random.default_rng(n)
        shares = {(t, p, q): 1.0 for t in range(3) for p in range(3) for q in range(3)}
        for t in range(3):
            shares[t, t, t] = 20.0
        shares = {kind: share / sum(shares.values()) for kind, share in shares.items()}
        wrong, outside, size = np.zeros(3), np.zeros(3), 400
        for _ in range(size):
            found = dominance(simulated(rng, n, shares), "a", "b", n_resamples=400, rng=rng)
            wrong += [bool(family.certain) for family in found.families]
            outside += [any(not tail.low <= 0 <= tail.high for tail in family.tails) for family in found.families]
        assert (wrong <= 0.05 * size).all()
        assert (outside <= 0.07 * size).all()

    @pytest.mark.slow
    def test_on_the_edge_of_dominance(self):
        """b is far better at small errors and exactly as good at large ones: to be certain of dominance is an error."""
        rng = np.random.default_rng(8)
        shares = {(0, 1, 0): 0.3, (0, 0, 0): 0.5, (0, 2, 0): 0.1, (0, 0, 2): 0.1}
        wrong = sum(
            bool(dominance(simulated(rng, 150, shares), "a", "b", n_resamples=400, rng=rng).distance.certain) for _ in range(600)
        )
        assert wrong <= 0.04 * 600  # one side of a 95 % band, and Monte-Carlo error


BOTH = {"a": [0, 1, 1], "b": [1, 1, 1]}


class TestRequests:
    def test_one_model(self):
        with pytest.raises(ValueError, match="hold one model"):
            dominance(oe.count([0, 1], [0, 1]), "pred", "pred")

    def test_unknown_and_repeated_models(self):
        both = oe.count([0, 1, 1], BOTH)
        with pytest.raises(KeyError, match="there is no model 'nurse'; the models are a, b"):
            dominance(both, "a", "nurse")
        with pytest.raises(ValueError, match="named twice"):
            dominance(both, "b", "b")

    @pytest.mark.parametrize(
        ("options", "words"),
        [({"confidence_level": 95}, "not between 0 and 1"), ({"n_resamples": 99}, "n_resamples=400 or more")],
    )
    def test_settings(self, options, words):
        with pytest.raises(ValueError, match=words):
            dominance(oe.count([0, 1, 1], BOTH), "a", "b", **options)

    def test_one_class_only(self):
        found = dominance(oe.count([1, 1], {"a": [1, 1], "b": [1, 1]}, labels=[1]), "a", "b", **FEW)
        assert all(family.equal for family in found.families)
        assert "tie" in str(found)

    def test_only_rows_that_both_answered(self):
        true, a, b = [0, 1, 2, 2, 1], [0, 0, None, 0, 1], [1, 1, 2, 1, None]
        some = oe.count(true, {"a": a, "b": b}, labels=range(3), missing="unanswered")
        both = oe.count([0, 1, 2], {"a": [0, 0, 0], "b": [1, 1, 1]}, labels=range(3))
        assert str(dominance(some, "a", "b", **FEW)) == str(dominance(both, "a", "b", **FEW))

    def test_two_of_three_models(self):
        three = oe.count([0, 1, 2, 2], {"a": [0, 0, 1, 1], "c": [2, 2, 0, 0], "b": [0, 1, 1, 2]})
        assert dominance(three, "a", "b", **FEW).side.better == "b"
        assert dominance(three, "b", "c", **FEW).distance.better == "b"


def test_certain_is_what_every_band_says():
    def band(low, high):
        return _Band(np.array(low), np.array(high), np.ones(len(low), bool))

    assert band([1.0, -2.0], [2.0, -1.0]).certain(None, "b")
    assert not band([1.0, -1.0], [2.0, 1.0]).certain(None, "b")
    assert not band([-2.0, -1.0], [-1.0, 1.0]).certain(None, "b")
    assert band([-2.0, -1.0], [-1.0, 0.0]).certain("b", "b")
    assert not band([-2.0, -1.0], [-1.0, 0.0]).certain("a", "b")
    assert band([0.0, 1.0], [1.0, 2.0]).certain("a", "b")
    assert not band([-0.5, 1.0], [1.0, 2.0]).certain("a", "b")


def test_it_says_which_model_is_which():
    found = dominance(oe.count([0, 1, 2, 2], {"a": [1, 1, 2, 0], "b": [0, 1, 2, 2]}), "a", "b", **FEW)
    assert (found.a, found.b, found.better) == ("a", "b", "b")
    assert (found.steps_a, found.steps_b) == (3, 0)


def test_many_kinds_of_error_are_named_in_part():
    assert _listing(["a"]) == "a"
    assert _listing(["a", "b", "c", "d"]) == "a, b, c and d"
    assert _listing(list("abcdef"), "errors") == "a, b, c and 3 other errors"
