"""Trust, measured: what the promises of the package are worth, counted.  `make battery` runs all of it."""
