"""Write the generated metric table into README.md, or with --check exit 1 if it is not up to date."""

from pathlib import Path

from generated import put

import ordeval as oe
from ordeval.metrics.core.overview import metrics_markdown

README = Path(__file__).resolve().parents[1] / "README.md"
START, END = "<!-- metrics: written by scripts/readme_table.py -->", "<!-- end of metrics -->"


def main() -> None:
    old = README.read_text(encoding="utf-8")
    before, rest = old.split(START)
    _, after = rest.split(END)
    put(README, f"{before}{START}\n{chr(10).join(metrics_markdown(oe.catalogue()))}\n{END}{after}", "make readme")


if __name__ == "__main__":
    main()
