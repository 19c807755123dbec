"""The example tables and scales of the papers, as data: rows of every table are the truth."""

from ordeval.papers._blog import CLOSEST_AND_FURTHEST, DESCRIBED, JOURNALS
from ordeval.papers._cem_examples import REVIEWS, SYSTEMS
from ordeval.papers._oci_tables import TABLES as MATRICES
from ordeval.papers._stc_toy import TOY

__all__ = ["CLOSEST_AND_FURTHEST", "DESCRIBED", "JOURNALS", "MATRICES", "REVIEWS", "SYSTEMS", "TOY"]
