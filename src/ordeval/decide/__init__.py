"""Classes from probabilities: the decision that a metric rewards."""

from typing import TYPE_CHECKING, Any

from ordeval.decide._decisions import Decision, decide, fit

if TYPE_CHECKING:
    from ordeval.decide._estimator import OrdinalDecision

__all__ = ["Decision", "OrdinalDecision", "decide", "fit"]


def __getattr__(name: str) -> Any:
    if name == "OrdinalDecision":  # needs scikit-learn
        from ordeval.decide._estimator import OrdinalDecision

        return OrdinalDecision
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
