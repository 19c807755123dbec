"""The data of the papers' experiments: generated where the paper says how, else those that come in the package skordinal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ordeval.base.arrays import Array
from ordeval.base.docs import documented
from ordeval.base.types import Rng

SADDLE = "synthetic"


@dataclass(frozen=True, eq=False)
class Dataset:
    """Features and classes of one data set."""

    name: str
    features: Array  #: (rows, features)
    codes: Array  #: (rows,) the classes, numbered from 0
    k: int  #: how many classes there are

    @property
    def frequencies(self) -> Array:
        """How many rows each class has."""
        return np.bincount(self.codes, minlength=self.k)


@documented("Two features and five classes.", rows="How many points.", rng="A generator, or its seed.")
def saddle(rows: int = 400, rng: Rng = 0) -> Dataset:
    """The synthetic data of Cardoso & Sousa (2011), section 4.3: a saddle over the unit square, with noise, cut into five classes.

    The product is of the shifted coordinates: with the formula as our copy of the paper shows it, two rows of three would be in the
    lowest class, and none of the matrices of Table 5 has a single one there.

    >>> saddle(1000).frequencies.tolist()
    [11, 258, 411, 209, 111]
    """
    rng = np.random.default_rng(rng)
    x = rng.uniform(size=(rows, 2))
    height = 10 * (x - 0.5).prod(1) + rng.normal(scale=0.125, size=rows)
    return Dataset(SADDLE, x, np.searchsorted([-2, -0.5, 0.25, 1], height), 5)


@documented("Four features and three classes, 625 rows.")
def balance() -> Dataset:
    """Balance is a complete design: all weights and distances from 1 to 5, and the side to which the scale tips.

    >>> balance().frequencies.tolist()
    [288, 49, 288]
    """
    features = np.stack(np.meshgrid(*[np.arange(1.0, 6)] * 4, indexing="ij"), -1).reshape(-1, 4)
    left, right = features[:, 0] * features[:, 1], features[:, 2] * features[:, 3]
    return Dataset("Balance", features, np.sign(right - left).astype(int) + 1, 3)


def packaged(name: str) -> Dataset:
    """SWD, LEV or ESL (Ben-David), which come in the package skordinal."""
    try:
        from skordinal import datasets
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "the data of Table 6 come in the package skordinal; install it with  pip install skordinal", name="skordinal"
        ) from None
    features, codes = getattr(datasets, f"load_{name.lower()}")(return_X_y=True)
    return Dataset(name, features, codes.astype(int), int(codes.max()) + 1)


def data_of(name: str, rng: np.random.Generator) -> Dataset:
    """A data set by the name it has in the paper."""
    if name == SADDLE:
        return saddle(rng=rng)
    return balance() if name == "Balance" else packaged(name)
