"""The ordered classes: the only room where order is decided."""

from ordeval.order.scale import Labels, Scale, WrittenLabels, as_scale

__all__ = ["Labels", "Scale", "WrittenLabels", "as_scale"]
