"""The example tables and scales of the papers, as data: rows of every table are the truth."""

from ordeval.papers._blog import CLOSEST_AND_FURTHEST, DESCRIBED, JOURNALS
from ordeval.papers._cem import REVIEWS, SYSTEMS
from ordeval.papers._oci import MATRICES
from ordeval.papers._stc import TOY

__all__ = ["CLOSEST_AND_FURTHEST", "DESCRIBED", "JOURNALS", "MATRICES", "REVIEWS", "SYSTEMS", "TOY"]
