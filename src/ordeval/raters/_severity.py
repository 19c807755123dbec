"""How far each rater stands from the others: bias on common items, and severity when items are not shared out evenly."""

from __future__ import annotations

import numpy as np

from ordeval.base.arrays import Array, ratio
from ordeval.raters._sums import Patterns


def severity_units(codes: Array, number: Array) -> Patterns:
    """Patterns with the sums behind bias and severity, by rater: differences, common items, and the equations of least squares."""
    here = (codes >= 0).astype(float)
    grade = np.where(codes >= 0, codes, 0)
    many = here.sum(1, keepdims=True)
    shared = here * (many > 1)
    sums = grade.sum(1, keepdims=True)
    others = ratio(sums - grade, many - 1)
    apart = np.where(shared > 0, grade - others, 0)
    mean = ratio(sums, many)
    equations = shared[:, :, None] * (np.eye(codes.shape[1]) - here[:, None, :] / np.maximum(many, 1)[:, :, None])
    right = np.where(shared > 0, grade - mean, 0)
    return Patterns(number, np.hstack([apart, shared, right, equations.reshape(len(codes), -1)]))


def bias_and_severity(stack: Array, raters: int) -> Array:
    """(b, 2, R): mean difference from the others on common items; and the rater's part of grade = item + rater, adding up to 0."""
    apart, shared, right = (stack[:, i * raters : (i + 1) * raters] for i in range(3))
    equations = stack[:, 3 * raters :].reshape(-1, raters, raters)
    fitted = (np.linalg.pinv(equations, rcond=1e-10, hermitian=True) @ right[..., None])[..., 0]
    return np.stack([ratio(apart, shared), fitted], 1)


def connected(stack: Array, raters: int) -> bool:
    """Every two raters are linked by items in common, directly or through others."""
    equations = stack[0, 3 * raters :].reshape(raters, raters)
    return bool(np.linalg.matrix_rank(equations, tol=1e-8 * max(1.0, float(np.abs(equations).max()))) == raters - 1)
