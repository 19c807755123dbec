"""Programs that cannot be installed beside ours: their values were frozen with their versions by scripts/freeze_peers.py."""

import json
from pathlib import Path

import numpy as np
import pytest
from tables import same, value

from ordeval import get_metric

FROZEN = json.loads((Path(__file__).parent / "frozen.json").read_text(encoding="utf-8"))
TABLES = [np.array(table) for table in FROZEN["tables"]]
SCHEMES = ("identity", "linear", "quadratic", "ordinal", "radical", "ratio", "circular", "bipolar")
COEFFICIENTS = ("cohen_kappa", "scott_pi", "gwet_ac", "brennan_prediger")

#: what we call it -> (program, its list of values)
FROZEN_LISTS = {
    **{f"{name}(weights='{s}')": ("irrCAC", FROZEN["values"]["irrCAC"][name][s]) for name in COEFFICIENTS for s in SCHEMES},
    **{
        f"krippendorff_alpha(level='{level}')": ("krippendorff", FROZEN["values"]["krippendorff"][level])
        for level in FROZEN["values"]["krippendorff"]
    },
    "cohen_kappa(weights='identity') ": ("R vcd", FROZEN["values"]["R vcd"]["unweighted"]["value"]),
    "cohen_kappa(weights='linear') ": ("R vcd", FROZEN["values"]["R vcd"]["linear"]["value"]),
    "cohen_kappa(weights='quadratic') ": ("R vcd", FROZEN["values"]["R vcd"]["quadratic"]["value"]),
    " cohen_kappa(weights='identity')": ("R psych", FROZEN["values"]["R psych"]["unweighted"]),
    " cohen_kappa(weights='quadratic')": ("R psych", FROZEN["values"]["R psych"]["quadratic"]),
    "kendall_tau": ("R cor", FROZEN["values"]["R cor"]["kendall"]),
    "spearman": ("R cor", FROZEN["values"]["R cor"]["spearman"]),
    "goodman_kruskal_gamma": ("R vcdExtra", FROZEN["values"]["R vcdExtra"]["gamma"]),
    "somers_d": ("R survival", FROZEN["values"]["R survival"]["somers_d_column_given_row"]),
    "somers_d(given='pred')": ("R survival", FROZEN["values"]["R survival"]["somers_d_row_given_column"]),
}
FROZEN_METRICS = {get_metric(text).name for text in FROZEN_LISTS}


@pytest.mark.parametrize("text", FROZEN_LISTS)
def test_frozen_values_agree(text, compared):
    program, values = FROZEN_LISTS[text]
    metric = get_metric(text)
    for table, other in zip(TABLES, values, strict=True):
        ours = value(metric, table)
        assert same(ours, np.nan if other is None else other, 1e-12), (
            f"{text}: {ours} here, {other} in {program}, on {table.tolist()}"
        )
    compared(program, len(TABLES))


def test_krippendorffs_ordinal_is_not_a_fixed_weight_scheme():
    """irrCAC's coefficient of that name takes fixed weights; nominal, interval and ratio are the same number in both."""
    fixed = FROZEN["values"]["irrCAC"]["alpha_fixed_weights"]
    for scheme, level in (("identity", "nominal"), ("quadratic", "interval"), ("ratio", "ratio")):
        metric = get_metric(f"krippendorff_alpha(level='{level}')")
        assert all(same(value(metric, t), np.nan if v is None else v, 1e-11) for t, v in zip(TABLES, fixed[scheme], strict=True))
    ordinal = get_metric("krippendorff_alpha")
    assert value(ordinal, TABLES[0]) == pytest.approx(0.776060, abs=1e-6)
    assert fixed["ordinal"][0] == pytest.approx(0.733678, abs=1e-6)
