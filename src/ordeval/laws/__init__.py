"""What a metric promises, tried on every small case: laws, search, verdicts."""

from ordeval.laws._checking import check, table
from ordeval.laws._report import Breach, LawReport, LawTable, LawVerdict
from ordeval.laws._statements import STATEMENTS, Law, Reading, get_law
from ordeval.metrics.core.record import LAWS, ROW_LAWS

__all__ = [
    "LAWS",
    "ROW_LAWS",
    "STATEMENTS",
    "Breach",
    "Law",
    "LawReport",
    "LawTable",
    "LawVerdict",
    "Reading",
    "check",
    "get_law",
    "table",
]
