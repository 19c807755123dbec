"""Rows from elsewhere: files, frames, databases, clusters, streams, and the bundled examples."""

from ordeval.read.examples import load_example
from ordeval.read.opening import NamedFile
from ordeval.read.reading import Reading
from ordeval.read.scan import Peek, peek, scan

__all__ = ["NamedFile", "Peek", "Reading", "load_example", "peek", "scan"]
