"""Rows from elsewhere: the bundled examples."""

from ordeval.read.examples import load_example

__all__ = ["load_example"]
