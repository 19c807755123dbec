"""Rows from elsewhere: files, frames, databases, clusters, streams, and the bundled examples."""

from ordeval.read.examples import load_example
from ordeval.read.scan import scan

__all__ = ["load_example", "scan"]
