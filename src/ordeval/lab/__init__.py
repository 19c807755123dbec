"""Judging metrics: by what they promise, by what they capture, and by what the papers say of them."""
