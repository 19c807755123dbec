"""The waist: Counts, the one table type, and count(), the way from columns to it."""

from ordeval.counts.counting import count
from ordeval.counts.table import Audit, Counts

__all__ = ["Audit", "Counts", "count"]
