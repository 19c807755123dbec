"""Groups: resampled each on its own, compared with the rest, and at one class mix."""

import math

import numpy as np
import pytest
import scipy.stats
from tables import TABLE_4X4, counted, counts_of, random_tables, same, scale_of

import ordeval as oe
from ordeval.infer._groups import compare_groups, reweight

PARTS = {"a": [[30, 10], [5, 15]], "b": [[8, 4], [12, 36]], "c": [[20, 20], [10, 30]]}


def grouped(parts, axis="site", **options):
    """Counts of one model with an axis of groups, from a table per group."""
    true, pred, site = [], [], []
    for value, table in parts.items():
        cells = np.argwhere(np.array(table)).repeat(np.array(table)[np.array(table) > 0], axis=0)
        true += cells[:, 0].tolist()
        pred += cells[:, 1].tolist()
        site += [value] * len(cells)
    return oe.count(true, pred, by={axis: site}, labels=range(len(table)), **options)


class TestReweight:
    def test_by_hand(self):
        """8 rows of the first class and 2 of the second become 5 and 5: factors 5/8 and 5/2."""
        counts = reweight(oe.Counts.from_matrix([[6, 2], [0, 2]]), [0.5, 0.5])
        assert counts.matrix.tolist() == [[3.75, 1.25], [0, 5]]
        assert (counts.total, counts.audit.scored) == (10, 10)

    def test_to_its_own_shares_changes_nothing(self):
        for table in random_tables(40, largest=9):
            counts = oe.Counts.from_matrix(table)
            again = reweight(counts, table.sum(1) / table.sum())
            assert again == counts
            assert again.weights.dtype == counts.weights.dtype
            assert not again.weighted
            assert reweight(counts) == counts

    @pytest.mark.parametrize(
        "metric", [m for m in counted() if "prevalence" in m.laws and "whole counts" not in m.needs], ids=str
    )
    def test_what_does_not_depend_on_prevalence_does_not_change(self, metric):
        counts = counts_of(metric, np.array(TABLE_4X4), scale_of(metric, 4))
        changed = reweight(counts, [0.1, 0.2, 0.3, 0.4])
        assert same(metric(changed), metric(counts), 1e-12)

    def test_what_depends_on_prevalence_does(self):
        counts = oe.Counts.from_matrix(TABLE_4X4)
        changed = reweight(counts, [0.1, 0.2, 0.3, 0.4])
        assert changed.matrix.sum(1) / 87 == pytest.approx([0.1, 0.2, 0.3, 0.4])
        recall = np.diag(TABLE_4X4) / np.sum(TABLE_4X4, 1)
        assert oe.accuracy(changed) == pytest.approx(recall @ [0.1, 0.2, 0.3, 0.4])

    def test_all_groups_get_the_pooled_mix_and_keep_their_totals(self):
        counts = grouped(PARTS)
        changed = reweight(counts)
        for value, part in changed.groups("site").items():
            assert part.matrix.sum() == pytest.approx(np.sum(PARTS[value]))
            assert part.matrix.sum(1) / part.matrix.sum() == pytest.approx(counts.matrix.sum(1) / counts.total)

    def test_shares_by_class_and_a_class_with_no_share(self):
        counts = oe.Counts.from_matrix([[3, 1], [2, 4]], labels=["lo", "hi"])
        assert reweight(counts, {"lo": 1, "hi": 3}) == reweight(counts, [0.25, 0.75])
        only = reweight(counts, {"hi": 1})
        assert only.matrix.tolist() == [[0, 0], [10 / 3, 20 / 3]]
        assert only.audit.excluded == {"weight zero": 4}
        assert only.audit.read == 10

    @pytest.mark.parametrize(
        ("missing", "recalls"), [("wrong", (2 / 4, 5 / 6)), ({"as": 1}, (2 / 4, 5 / 6)), ("unanswered", (2 / 3, 5 / 6))]
    )
    def test_a_blank_is_still_what_it_was(self, missing, recalls):
        """Accuracy at a class mix is the mean of the recalls with these shares; each class has a blank or an error."""
        counts = oe.count([0] * 4 + [1] * 6, [0, 0, None, 1, *[1] * 5, 0], labels=[0, 1], missing=missing)
        for shares in ([0.5, 0.5], [0.25, 0.75]):
            changed = reweight(counts, shares)
            assert oe.accuracy(changed) == pytest.approx(np.dot(shares, recalls), rel=1e-12)
            assert changed.total == pytest.approx(counts.total, rel=1e-12)
            assert changed.audit == counts.audit
            assert (changed + changed).blanks == counts.blanks

    @pytest.mark.parametrize(
        ("shares", "words"),
        [
            ([1, 1, 1], "2 classes need one share each"),
            ([1, -1], "not negative"),
            ([3, -1], "not negative"),
            ([0, 0], "not all 0"),
            ([1, math.nan], "finite"),
            ([1, math.inf], "finite"),
            ({"mid": 1}, "'mid', which is no class"),
        ],
    )
    def test_bad_shares(self, shares, words):
        with pytest.raises(ValueError, match=words):
            reweight(oe.Counts.from_matrix([[3, 1], [2, 4]], labels=["lo", "hi"]), shares)

    def test_a_class_that_is_not_there_cannot_weigh_more(self):
        with pytest.raises(ValueError, match="the counts cannot be given this class mix: it has no row of the true class 1"):
            reweight(oe.Counts.from_matrix([[3, 1], [0, 0]]), [0.5, 0.5])
        with pytest.raises(ValueError, match="the group 'b' cannot be given"):
            reweight(grouped({"a": [[3, 1], [2, 4]], "b": [[3, 1], [0, 0]]}))

    def test_several_axes_and_unknown_ones(self):
        counts = oe.count([0, 1, 1, 0], [0, 1, 0, 0], by={"site": list("aabb"), "year": list("xyxy")})
        with pytest.raises(ValueError, match="choose one: by='site' or by='year'"):
            reweight(counts)
        with pytest.raises(KeyError, match="no axis of groups 'town'"):
            reweight(counts, by="town")
        assert reweight(counts, by="site").matrix.sum() == 4


class TestCompareGroups:
    def test_by_hand(self):
        found = compare_groups(grouped(PARTS), "site", "accuracy")
        assert [g.value for g in found.groups] == ["a", "b", "c"]
        assert found["a"].raw.score == pytest.approx(45 / 60)
        assert found["a"].raw.difference == pytest.approx(45 / 60 - (44 + 50) / (60 + 80))
        shares = np.array([92, 108]) / 200
        assert found["b"].standardised.score == pytest.approx(np.array([8 / 12, 36 / 48]) @ shares)
        rest = np.array([50 / 80, 45 / 60]) @ shares
        assert found["b"].standardised.difference == pytest.approx(np.array([8 / 12, 36 / 48]) @ shares - rest)
        assert found.worst.value == "c"
        assert found.shares == pytest.approx({0: 0.46, 1: 0.54})

    def test_groups_are_independent(self):
        """Two groups: the error of a difference of shares is the textbook's, with one critical value for both."""
        parts = {"a": [[300, 100], [50, 150]], "b": [[200, 200], [100, 300]]}
        found = compare_groups(grouped(parts), "site", "accuracy", n_resamples=9_999)
        p, q = 450 / 600, 500 / 800
        half = scipy.stats.norm.ppf(0.975) * math.sqrt(p * (1 - p) / 600 + q * (1 - q) / 800)
        a, b = found["a"].raw, found["b"].raw
        assert (a.high - a.low) / 2 == pytest.approx(half, rel=0.03)
        assert (a.low, a.high) == pytest.approx((-b.high, -b.low), rel=0.01)
        assert a.certain
        assert b.certain

    def test_standardised_replicates_are_standardised_too(self):
        """The error of a directly standardised share: sqrt(sum of share² · p (1 − p) / n) over the classes."""
        parts = {"a": [[300, 100], [50, 150]], "b": [[200, 200], [100, 300]]}
        found = compare_groups(grouped(parts), "site", "accuracy", n_resamples=9_999, shares=[0.2, 0.8])
        variance = 0
        for table in parts.values():
            rows = np.sum(table, 1)
            recall = np.diag(table) / rows
            variance += (np.array([0.2, 0.8]) ** 2 * recall * (1 - recall) / rows).sum()
        a = found["a"].standardised
        assert (a.high - a.low) / 2 == pytest.approx(scipy.stats.norm.ppf(0.975) * math.sqrt(variance), rel=0.03)

    def test_the_class_mix_alone_makes_no_difference_at_one_class_mix(self):
        """The same sensitivities, other prevalences: accuracy differs, standardised accuracy does not."""
        found = compare_groups(grouped({"a": [[90, 10], [8, 12]], "b": [[18, 2], [40, 60]]}), "site", "accuracy")
        assert found["a"].raw.certain
        assert found["a"].standardised.difference == pytest.approx(0, abs=1e-12)
        assert not found["a"].standardised.certain

    def test_prevalence_invariant_metrics_are_the_same_both_ways(self):
        found = compare_groups(grouped(PARTS), "site", "balanced_accuracy")
        for group in found.groups:
            assert group.raw.score == pytest.approx(group.standardised.score, abs=1e-12)

    def test_against_the_whole(self):
        counts = grouped(PARTS)
        found = compare_groups(counts, "site", "mae", against="overall")
        assert found["a"].raw.difference == pytest.approx(oe.mae(counts.groups("site")["a"]) - oe.mae(counts))
        assert found.worst.value == "c"

    def test_a_group_without_a_class_has_no_standardised_score(self):
        found = compare_groups(grouped({**PARTS, "d": [[40, 20], [0, 0]]}), "site", "accuracy")
        assert math.isnan(found["d"].standardised.score)
        assert found["d"].standardised.reason == "it has no row of the true class 1"
        assert math.isfinite(found["d"].raw.low)
        assert math.isfinite(found["a"].standardised.low)
        assert "d: it has no row of the true class 1" in str(found)
        lonely = compare_groups(grouped({"a": PARTS["a"], "d": [[40, 20], [0, 0]]}), "site", "accuracy")
        assert lonely["a"].standardised.reason == "the others have no row of the true class 1"

    @pytest.mark.parametrize("constant", ["a", "b"])
    def test_a_group_without_a_score_says_so(self, constant):
        tables = {"a": [[9, 3], [2, 8]], "b": [[9, 3], [2, 8]], constant: [[6, 0], [6, 0]]}
        found = compare_groups(grouped(tables), "site", "spearman", n_resamples=499)
        for standing in (found[site].raw for site in ("a", "b")):
            assert math.isnan(standing.difference)
            assert standing.reason.startswith("the score is undefined")

    def test_metrics_of_whole_counts_cannot_be_standardised(self):
        found = compare_groups(grouped(PARTS), "site", "krippendorff_alpha")
        assert math.isfinite(found["a"].raw.low)
        assert "whole-number counts" in found["a"].standardised.reason

    def test_a_tiny_group_gets_no_confident_interval(self):
        found = compare_groups(grouped({**PARTS, "d": [[2, 1], [1, 1]]}), "site", "mae")
        assert math.isnan(found["d"].raw.low)
        assert "5 rows; 15 are enough" in found["d"].raw.reason
        assert math.isfinite(found["a"].raw.low)

    def test_same_seed_same_bytes(self):
        whole = compare_groups(grouped(PARTS), "site", "cohen_kappa")
        assert compare_groups(grouped(PARTS), "site", "cohen_kappa") == whole
        assert compare_groups(grouped(PARTS), "site", "cohen_kappa", rng=1) != whole

    @pytest.mark.slow
    def test_all_intervals_hold_together(self):
        rng = np.random.default_rng(0)
        shares = [np.array(PARTS[value]) / np.sum(PARTS[value]) for value in "abc"]
        sizes, runs, held = (60, 120, 200), 1_000, np.zeros(2)
        pooled = sum(size * share for size, share in zip(sizes, shares, strict=True))
        mix = pooled.sum(1) / pooled.sum()
        true = np.zeros((2, 3))
        for g, share in enumerate(shares):
            tables = (share, pooled - sizes[g] * share)
            raw = [np.trace(t) / t.sum() for t in tables]
            standard = [(np.diag(t) / t.sum(1)) @ mix for t in tables]
            true[:, g] = raw[0] - raw[1], standard[0] - standard[1]
        for _ in range(runs):
            parts = {v: rng.multinomial(n, s.ravel()).reshape(2, 2) for v, n, s in zip("abc", sizes, shares, strict=True)}
            found = compare_groups(grouped(parts), "site", "accuracy", shares=mix, n_resamples=599, rng=rng)
            for i, which in enumerate(("raw", "standardised")):
                standings = [getattr(g, which) for g in found.groups]
                held[i] += all(s.low <= t <= s.high for s, t in zip(standings, true[i], strict=True))
        assert (held / runs >= 0.93).all()

    @pytest.mark.parametrize(
        ("axis", "options", "error", "words"),
        [
            ("town", {}, KeyError, "no axis of groups 'town'; there is site"),
            ("site", {"against": "all"}, ValueError, "choose one of 'rest', 'overall'"),
            ("site", {"confidence_level": 0}, ValueError, "not between 0 and 1"),
            ("site", {"n_resamples": 10}, ValueError, "take n_resamples=400 or more"),
            ("site", {"shares": [1]}, ValueError, "2 classes need one share each"),
        ],
    )
    def test_refusals(self, axis, options, error, words):
        with pytest.raises(error, match=words):
            compare_groups(grouped(PARTS), axis, "mae", **options)

    def test_counts_that_cannot_be_compared(self):
        with pytest.raises(ValueError, match="one group with answered rows"):
            compare_groups(grouped({"a": PARTS["a"]}), "site", "mae")
        with pytest.raises(ValueError, match=r"choose one: counts\['x'\]"):
            compare_groups(oe.count([0, 1], {"x": [0, 1], "y": [0, 1]}, by=["a", "b"]), "by", "mae")
        clustered = oe.count([0, 1] * 30, [0, 1] * 30, by=["a", "b"] * 30, cluster=np.repeat(np.arange(30), 2).tolist())
        with pytest.raises(ValueError, match="the cluster 0 has rows in several groups of 'by'"):
            compare_groups(clustered, "by", "mae")
        with pytest.raises(ValueError, match="'cluster' is the axis of clusters"):
            compare_groups(clustered, "cluster", "mae")
        with pytest.raises(KeyError, match="there is no group 'z'"):
            compare_groups(grouped(PARTS), "site", "mae")["z"]

    def test_clusters_inside_groups(self):
        rng = np.random.default_rng(0)
        true = rng.integers(0, 3, 400)
        pred = np.clip(true + rng.integers(-1, 2, 400), 0, 2)
        cluster = np.arange(400) // 5
        site = np.where(cluster < 40, "a", "b").tolist()
        found = compare_groups(oe.count(true, pred, by={"site": site}, cluster=cluster.tolist()), "site", "mae")
        assert found["a"].raw.low < found["a"].raw.difference < found["a"].raw.high

    @pytest.mark.parametrize("copies", [1, 4])
    def test_copies_in_clusters_say_nothing_new_on_either_side(self, copies):
        """Two groups: the textbook's error of a difference of shares, of clusters, with Student's t of the smaller group."""
        parts = {"a": [[60, 20], [10, 30]], "b": [[40, 40], [20, 60]]}
        rows = [(t, p, site) for site, table in parts.items() for t in (0, 1) for p in (0, 1) for _ in range(table[t][p])]
        true, pred, site = (np.repeat(column, copies) for column in zip(*rows, strict=True))
        cluster = np.arange(280).repeat(copies)
        counts = oe.count(true, pred, by={"site": site}, cluster=cluster, labels=[0, 1])
        found = compare_groups(counts, "site", "accuracy", n_resamples=9_999)
        p, q = 90 / 120, 100 / 160
        half = scipy.stats.t.ppf(0.975, 119) * math.sqrt(p * (1 - p) / 119 + q * (1 - q) / 159)
        for group in found.groups:
            assert (group.raw.high - group.raw.low) / 2 == pytest.approx(half, rel=0.05)

    @pytest.mark.parametrize("names", ["abc", "bca", "cab"])
    def test_the_group_with_the_fewest_clusters_sets_the_critical_value_of_all_wherever_it_stands(self, names):
        """Ten clusters of 12, 2, 2, … rows are as good as 900 / 180 = 5: Student's t with 4 degrees of freedom, for three differences."""
        sizes = dict(zip(names, ([12, *[2] * 9], [4] * 50, [4] * 50), strict=True))
        rows = [(i * 7 % 3, site, f"{site}{i}") for site, many in sizes.items() for i, n in enumerate(many) for _ in range(n)]
        grade, site, cluster = (np.array(column) for column in zip(*rows, strict=True))
        counts = oe.count(np.ones(len(rows), int), grade, by={"site": site}, cluster=cluster, labels=range(3))

        def variance(inside):
            away = np.abs(grade[inside] - 1)
            change = np.bincount(np.unique(cluster[inside], return_inverse=True)[1], away - away.mean())
            return len(change) / (len(change) - 1) * (change**2).sum() / len(away) ** 2

        large = compare_groups(counts, "site", "mae", n_resamples=400)[names[1]].raw
        error = math.sqrt(variance(site == names[1]) + variance(site != names[1]))
        alone, bonferroni = scipy.stats.t.ppf([1 - 0.025, 1 - 0.025 / 3], 4)
        assert alone < (large.high - large.low) / 2 / error < bonferroni

    def test_it_prints_both_scores(self):
        text = str(compare_groups(grouped(PARTS), "site", "mae"))
        assert text.split()[:2] == ["site", "rows"]
        assert "mae by site, and how far it is from that of the others; simultaneous 95 %\nconfidence intervals" in text
        assert "at one class mix" in text
        assert "worst: c" in text


def test_one_cluster_in_two_groups_is_enough_to_refuse():
    counts = oe.count([0, 1] * 6, [0, 1, 1] * 4, by={"site": list("aabbab") * 2}, cluster=[0, 0, 1, 1, 2, 2] * 2)
    with pytest.raises(ValueError, match="the cluster 2 has rows in several groups of 'site'"):
        compare_groups(counts, "site", "mae", n_resamples=499)


def test_a_group_is_refused_what_its_own_score_would_be():
    tables = {"large": [[40, 10], [10, 40]], "odd": [[30, 4], [0, 0]]}
    found = compare_groups(grouped(tables), "site", "amae", n_resamples=999)
    assert "class 1 has no rows" in found["odd"].raw.reason
    assert math.isnan(found["odd"].raw.low)
