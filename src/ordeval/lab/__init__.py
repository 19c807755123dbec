"""Judging metrics and the papers that proposed them."""

from ordeval.lab.papers import Claim, Outcome, Report, reproduce

__all__ = ["Claim", "Outcome", "Report", "reproduce"]
