"""Agreement of many raters: irrCAC, krippendorff and R's psych (frozen by scripts/freeze_raters.py), scipy and statsmodels."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import friedmanchisquare
from statsmodels.stats.contingency_tables import SquareTable
from tables import same

import ordeval as oe
from ordeval.raters._coefficients import COEFFICIENTS
from ordeval.raters._sums import RatedItems

FROZEN = json.loads((Path(__file__).parent / "frozen_raters.json").read_text(encoding="utf-8"))
TABLES = [(k, np.array(table, float)) for k, table in FROZEN["tables"]]
SCHEMES = tuple(FROZEN["irrCAC"]["gwet_ac"])


def units_of(i):
    k, table = TABLES[i]
    kept = table[:, ~np.isnan(table).all(0)]
    return RatedItems.of(oe.raters.ratings(kept, labels=range(1, k + 1)))


def value(units, name, weights="quadratic"):
    return float(COEFFICIENTS[name].bind(weights, None, units.K)(units.sums(units.whole))[0])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", ["gwet_ac", "fleiss_kappa", "conger_kappa", "brennan_prediger"])
def test_irrcac_agrees(name, scheme, compared):
    made = 0
    for i, other in enumerate(FROZEN["irrCAC"][name][scheme]):
        if other is None:
            continue
        ours = value(units_of(i), name, scheme)
        assert same(ours, other, 1e-11), f"{name}, {scheme}, table {i}: {ours} here, {other} in irrCAC"
        made += 1
    assert made > 35
    compared("irrCAC", made)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_krippendorff_agrees(level, compared):
    for i, other in enumerate(FROZEN["krippendorff"][level]):
        ours = value(units_of(i), f"alpha_{level}")
        assert same(ours, other, 1e-11), f"{level}, table {i}: {ours} here, {other} in krippendorff"
    compared("krippendorff", len(TABLES))


def test_irrcacs_alpha_has_fixed_weights():
    """Its "ordinal" is another coefficient; identity, quadratic and ratio are the nominal, interval and ratio levels."""
    fixed = FROZEN["irrCAC"]["alpha_fixed_weights"]
    for scheme, level in (("identity", "nominal"), ("quadratic", "interval"), ("ratio", "ratio")):
        for i, other in enumerate(fixed[scheme]):
            if other is not None:
                assert same(value(units_of(i), f"alpha_{level}"), other, 1e-11)
    assert abs(value(units_of(0), "alpha_ordinal") - fixed["ordinal"][0]) > 0.01


def test_psych_agrees_on_icc(compared):
    for i, (single, mean) in FROZEN["psych"].items():
        units = units_of(int(i))
        assert value(units, "icc") == pytest.approx(single, abs=1e-11), i
        assert value(units, "icc_mean") == pytest.approx(mean, abs=1e-11), i
    assert len(FROZEN["psych"]) > 15
    compared("R psych", 2 * len(FROZEN["psych"]))


def test_scipys_friedman_statistic_is_kendalls_w(compared):
    """With ties too: chi-square = raters · (items - 1) · W."""
    made = 0
    for i in map(int, FROZEN["psych"]):
        _, table = TABLES[i]
        items, raters = table.shape
        if len(np.unique(table)) < 2:
            continue
        expected = friedmanchisquare(*table).statistic / (raters * (items - 1)) if raters > 2 else None
        if expected is None:
            continue
        assert value(units_of(i), "kendall_w") == pytest.approx(expected, abs=1e-12), i
        made += 1
    assert made > 8
    compared("SciPy", made)


def test_statsmodels_agrees_on_homogeneity(compared):
    rng = np.random.default_rng(3)
    for k in (2, 3, 4, 6):
        table = rng.multinomial(400, rng.dirichlet(np.ones(k * k) * 2)).reshape(k, k)
        ours = oe.raters.marginal_homogeneity(oe.Counts.from_matrix(table))["true", "pred"]
        theirs = SquareTable(table, shift_zeros=False)
        stuart, bowker = theirs.homogeneity(), theirs.symmetry()
        assert (ours.stuart_maxwell, ours.p_value, ours.degrees) == (
            pytest.approx(stuart.statistic), pytest.approx(stuart.pvalue), stuart.df
        )  # fmt: skip
        assert (ours.bowker, ours.bowker_p_value) == (pytest.approx(bowker.statistic), pytest.approx(bowker.pvalue))
    compared("statsmodels", 8)
