"""Judging metrics and the papers that proposed them."""

from ordeval.lab.laws import LawReport, check_laws, law_table
from ordeval.lab.papers import Claim, Outcome, Report, reproduce

__all__ = ["Claim", "LawReport", "Outcome", "Report", "check_laws", "law_table", "reproduce"]
