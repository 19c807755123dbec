"""Other kernels of BLAS and numpy: the same words, numbers that agree within 1e-11 of max(1, |value|), simulated ones within 1e-4."""

import json
import os
import subprocess
import sys

import pytest
from processes import GUARD

CLOSE = 1e-11
SIMULATED = 1e-4  # a last digit of a share may put one drawn row elsewhere
ENDS = ("low", "high", "band", "p_value")
#: What makes numpy and OpenBLAS take other instructions than this processor's best.
KERNELS = {
    "the oldest kernels of BLAS": {"OPENBLAS_CORETYPE": "Prescott"},
    "kernels of BLAS without AVX-512": {"OPENBLAS_CORETYPE": "Haswell"},
    "numpy without wide vectors": {
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
    },
}
PROGRAM = """
import json, warnings
import numpy as np
warnings.simplefilter("ignore")
import ordeval as oe

rng = np.random.default_rng(11)
truth = rng.choice(5, 700, p=[0.4, 0.3, 0.15, 0.1, 0.05])
models = {name: np.clip(truth + rng.choice([-1, 0, 0, 0, 1, 2], 700), 0, 4) for name in ("a", "b")}
one = oe.evaluate(truth, models["a"], labels=range(5), metrics="all", n_resamples=400, rng=3)
two = oe.compare(truth, models, labels=range(5), n_resamples=400, rng=3)
print(json.dumps([one.to_dict(), two.to_dict(), str(one), str(two)], default=str))
"""


def printed(**environment):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, **environment, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=GUARD,
    )
    return json.loads(done.stdout)


def leaves(data):
    if isinstance(data, dict):
        return [leaf for name in data for leaf in [name, *leaves(data[name])]]
    if isinstance(data, list):
        return [leaf for part in data for leaf in leaves(part)]
    return [data]


def differences(first, second):
    """Words that differ, and numbers that do by more than is promised."""
    ours, theirs = leaves(first), leaves(second)
    assert len(ours) == len(theirs)
    wrong, name = [], ""
    for a, b in zip(ours, theirs, strict=True):
        name = a if isinstance(a, str) else name
        numbers = isinstance(a, float) and isinstance(b, float)
        close = SIMULATED if name in ENDS else CLOSE
        if abs(a - b) > close * max(1, abs(a)) if numbers else a != b:
            wrong.append((a, b))
    return wrong


@pytest.fixture(scope="module")
def usual():
    return printed()


@pytest.mark.slow
@pytest.mark.parametrize("kernels", KERNELS)
def test_other_kernels_give_the_same_words_and_numbers_that_agree(usual, kernels):
    assert differences(usual, printed(**KERNELS[kernels])) == []


def test_the_comparison_can_fail():
    assert differences([0.5, "three"], [0.5 + 1e-12, "three"]) == []
    assert differences([0.5, "three"], [0.5 + 1e-10, "three"]) == [(0.5, 0.5 + 1e-10)]
    assert differences([0.5, "three"], [0.5, "four"]) == [("three", "four")]
