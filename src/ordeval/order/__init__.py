"""The ordered classes: the only room where order is decided."""

from ordeval.order.scale import Scale, WrittenLabels, as_scale

__all__ = ["Scale", "WrittenLabels", "as_scale"]
