"""Statistics of scores: paired differences, ranks, dominance, groups, cross-validation."""

from ordeval.infer._crossval import corrected_resampled_test, pool_folds
from ordeval.infer._difference import exchange_test
from ordeval.infer._dominance import dominance
from ordeval.infer._flips import contributions, flips
from ordeval.infer._groups import compare_groups, reweight
from ordeval.infer._winners import ranking_agreement, winner_sensitivity

__all__ = [
    "compare_groups",
    "contributions",
    "corrected_resampled_test",
    "dominance",
    "exchange_test",
    "flips",
    "pool_folds",
    "ranking_agreement",
    "reweight",
    "winner_sensitivity",
]
