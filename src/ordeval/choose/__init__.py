"""Which metric to trust: advice, meta-evaluation, pitfalls."""

from ordeval.choose._advise import advise
from ordeval.choose._campaign import Campaign
from ordeval.choose._meta import meta_evaluate
from ordeval.choose._pitfalls import pitfalls
from ordeval.choose._questions import QUESTIONS

__all__ = ["QUESTIONS", "Campaign", "advise", "meta_evaluate", "pitfalls"]
