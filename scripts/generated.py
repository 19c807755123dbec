"""What the scripts that write pages share: tables, cells of coverage, and a file that is written or, with --check, compared."""

import sys
from pathlib import Path


def grid(header: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, ["---"] * len(header), *escaped]) + "\n"


def coverage(outcome: list[int]) -> tuple[float, float]:
    """From how often an interval held, was too high, was too low, and could not be given: its coverage, and how often it was given."""
    held, below, above, none = outcome
    given = held + below + above
    return (held / given if given else float("nan")), given / (given + none)


def coverage_cell(outcome: list[int]) -> str:
    """Coverage, bold outside 93 to 97 %, with how often an interval was given if not always."""
    share, given = coverage(outcome)
    if given < 0.02:
        return "none"
    text = f"{share:.3f}" if 0.93 <= round(share, 3) <= 0.97 else f"**{share:.3f}**"
    return text if given > 0.995 else f"{text} ({given:.0%})"


def put(path: Path, text: str, remedy: str) -> None:
    """Write a file; with --check among the arguments only say that it is not up to date, with exit code 1."""
    if "--check" not in sys.argv:
        path.write_text(text, encoding="utf-8", newline="\n")
    elif not path.exists() or path.read_text(encoding="utf-8") != text:
        sys.exit(f"{path.name} is not up to date; run  {remedy}")
