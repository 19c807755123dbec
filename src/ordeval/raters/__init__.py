"""Raters and judges: when the truth is other people's opinion.  The axes of Counts are raters instead of truth and models."""
