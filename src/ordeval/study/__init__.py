"""A study: what is judged and how, said in one file; the rules that its scores must keep, and a first look at rows."""

from ordeval.study._init import look
from ordeval.study._junit import junit_error
from ordeval.study._problems import StudyError
from ordeval.study._proposal import Proposal
from ordeval.study._roles import TRUTHS, Roles, Values, guess_roles
from ordeval.study._rules import assert_rules, check_rules
from ordeval.study._study import Study

__all__ = ["TRUTHS", "Proposal", "Roles", "Study", "StudyError", "Values"]
__all__ += ["assert_rules", "check_rules", "guess_roles", "junit_error", "look"]
