"""Rows from elsewhere: files, frames, databases, clusters, streams, and the bundled examples."""

from ordeval.read.accumulator import Accumulator
from ordeval.read.examples import load_example
from ordeval.read.scan import scan

__all__ = ["Accumulator", "load_example", "scan"]
