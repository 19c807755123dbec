"""Draw the figures of docs/figures.md into a folder: python scripts/gallery.py FOLDER.

The page's own code makes them, so the page shows what the code gives.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from ordeval.plot import Display

PAGE = Path(__file__).resolve().parents[1] / "docs" / "figures.md"


def displays() -> dict[str, Display]:
    """Every figure that the page's code makes, by the name it has there."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S):
        exec(block, names)
    return {name: value for name, value in names.items() if isinstance(value, Display)}


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        sys.exit("give one folder: python scripts/gallery.py FOLDER")
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, display in displays().items():
        display.save(folder / f"{name}.png", force=True)
        print(f"{folder / name}.png  {display.caption}")


if __name__ == "__main__":
    main(sys.argv[1:])
