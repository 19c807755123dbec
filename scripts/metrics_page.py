"""Write docs/metrics.md, the table of all metrics; with --check exit 1 if it is not up to date."""

from pathlib import Path

from generated import put

import ordeval as oe
from ordeval.metrics.core.overview import metrics_markdown

PAGE = Path(__file__).resolve().parents[1] / "docs" / "metrics.md"
OPENING = """# All metrics

{number} metrics, written by `make metrics` from the record of each. K is the number of classes of the scale, S the sum of the weights.

Every metric takes `(y_true, y_pred, *, labels=None, sample_weight=None)`, or `Counts`. Those of probabilities, from `rps` on, take `proba`, a
column for each class in their order, or a `forecast` that was checked before; `evaluate` and `compare` take `proba=` too, and `decide` answers with
[the class that is best for a metric](how-to/decide.md). `ordeval explain NAME` says what one measures, who published it, what it ignores and when it
misleads; [its page](reference/metrics/index.md) has the formula. [Which metric?](explanation/which-metric.md) helps to choose.

Each is checked four ways: the numbers of a paper, a second derivation in exact fractions or 50 digits (up to 10¹⁵ rows), its
[laws](laws.md), and an independent program (scikit-learn, SciPy, statsmodels, imbalanced-learn, irrCAC, krippendorff, R).

"""
CLOSING = """
`oe.parts.cut_table` gives sensitivity, specificity and predictive values at every cut of the scale; `oe.parts.closeness_matrix` the bits that
`cem` adds up, and `oe.parts.cem_floor` its least value for these true classes, which is seldom 0.
"""


def main() -> None:
    metrics = oe.catalogue()
    table = "\n".join(metrics_markdown(metrics))
    put(PAGE, f"{OPENING.format(number=len(metrics))}{table}\n{CLOSING}", "make metrics")


if __name__ == "__main__":
    main()
