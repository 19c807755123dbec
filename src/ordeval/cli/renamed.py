"""Options that have another name now; kept for one minor version."""

from __future__ import annotations

import sys
from collections.abc import Sequence

RENAMED = {
    "--confidence": "--confidence-level",
    "--resamples": "--n-resamples",
    "--weight": "--sample-weight",
    "--law": "--laws",
    "--k": "--max-k",
    "--n": "--max-n",
    "--system": "--systems",
    "--keep": "--folder",
    "--by-rater": "--rater",
    "--crossed": "--resample=crossed",
}
#: Options that take no value.
FLAGS = {
    "--force",
    "--accept",
    "--check-intervals",
    "--quick",
    "--open",
    "--synthetic",
    "--unfinished",
    "--crossed",
    "--browser",
    "--no-browser",
    "--help",
    "--version",
}


def translate(args: Sequence[str]) -> list[str]:
    """The arguments with options by the names they have now; a note says which had another.  Values are left as they are."""
    renamed = dict(RENAMED)
    long = any(arg.partition("=")[0] in ("--item", "--grade") or arg.lower().endswith(".toml") for arg in args)
    if args[:1] == ["raters"] and not long:  # it named the columns of raters, and now names the one column of a long table
        renamed["--rater"] = "--raters"
    found, given = [], iter(args)
    for arg in given:
        option, equals, value = arg.partition("=")
        if option in renamed:
            print(f"note: {option} is now {renamed[option].replace('=', ' ')}", file=sys.stderr)
            arg = renamed[option] + equals + value
        found.append(arg)
        if arg == "--":
            return [*found, *given]
        if arg.startswith("-") and arg != "-" and not equals and option not in FLAGS and (arg[1] == "-" or len(arg) == 2):
            found += [value for value in [next(given, None)] if value is not None]
    return found
