"""Judging metrics and the papers that proposed them."""

from ordeval.lab.advise import Advice, advise
from ordeval.lab.campaign import Campaign
from ordeval.lab.meta import MetaEvaluation, meta_evaluate
from ordeval.lab.papers import Claim, Outcome, Report, reproduce
from ordeval.lab.papers.cem_table3 import Table3, table3
from ordeval.lab.questions import QUESTIONS, Choice, Question
from ordeval.lab.synthetic import simulate

__all__ = [
    "QUESTIONS",
    "Advice",
    "Campaign",
    "Choice",
    "Claim",
    "MetaEvaluation",
    "Outcome",
    "Question",
    "Report",
    "Table3",
    "advise",
    "meta_evaluate",
    "reproduce",
    "simulate",
    "table3",
]
