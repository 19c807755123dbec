"""The metrics: the registry, and one file per family, each kernel above its public function."""

from ordeval.metrics.core.forecast import forecast
from ordeval.metrics.core.parameters import Parameter
from ordeval.metrics.core.record import Metric
from ordeval.metrics.core.registry import catalogue, get_metric, metric
from ordeval.metrics.core.score import score
from ordeval.metrics.families import (
    agreement,
    association,
    calibration,
    closeness,
    cost,
    discrimination,
    error,
    hits,
    information,
    path,
    probability,
    sets,
)
from ordeval.metrics.families.agreement import *  # noqa: F403
from ordeval.metrics.families.association import *  # noqa: F403
from ordeval.metrics.families.calibration import *  # noqa: F403
from ordeval.metrics.families.closeness import *  # noqa: F403
from ordeval.metrics.families.cost import *  # noqa: F403
from ordeval.metrics.families.discrimination import *  # noqa: F403
from ordeval.metrics.families.error import *  # noqa: F403
from ordeval.metrics.families.hits import *  # noqa: F403
from ordeval.metrics.families.information import *  # noqa: F403
from ordeval.metrics.families.path import *  # noqa: F403
from ordeval.metrics.families.probability import *  # noqa: F403
from ordeval.metrics.families.sets import *  # noqa: F403

__all__ = ["Metric", "Parameter", "catalogue", "forecast", "get_metric", "metric", "score"]
__all__ += hits.__all__
__all__ += error.__all__
__all__ += agreement.__all__
__all__ += association.__all__
__all__ += information.__all__
__all__ += closeness.__all__
__all__ += path.__all__
__all__ += cost.__all__
__all__ += probability.__all__
__all__ += calibration.__all__
__all__ += discrimination.__all__
__all__ += sets.__all__
