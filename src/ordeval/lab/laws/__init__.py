"""What a metric promises, tried on every small case: laws, search, verdicts."""

from ordeval.lab.laws.checking import check_laws, law_table
from ordeval.lab.laws.report import Breach, LawReport, LawTable, Verdict
from ordeval.lab.laws.statements import STATEMENTS, Law, Reading, get_law

__all__ = ["STATEMENTS", "Breach", "Law", "LawReport", "LawTable", "Reading", "Verdict", "check_laws", "get_law", "law_table"]
