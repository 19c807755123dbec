"""The files of a release beside its packages: the citation with address and date, and a bill of materials of the installed wheel.

release_files.py TAG [--home ADDRESS] [--date DAY] [--out DIR]

TAG is v and the version.  ADDRESS is that of the repository (default: ORDEVAL_HOME); without one the citation has no address.  dist holds the
packages, by `make dist`.  The bill of materials is CycloneDX 1.6, of an environment that holds the wheel and what it needs, and nothing else.
"""

import argparse
import datetime
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPECIFICATION = "1.6"


def version() -> str:
    found = re.search(r'__version__ = "([^"]+)"', (ROOT / "src/ordeval/base/version.py").read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def citation(home: str, day: str) -> str:
    """CITATION.cff with what only a release knows."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    if f"\nversion: {version()}\n" not in text:
        sys.exit(f"CITATION.cff does not name the version {version()}")
    added = [f"date-released: {day}"]
    if home:
        added += [f"repository-code: {home}", f"url: {home}"]
    return text + "\n".join(added) + "\n"


def bill(python: Path, target: Path) -> None:
    """Everything that is installed for a Python, as CycloneDX."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--spec-version", SPECIFICATION, "--output-format", "JSON"]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--output-reproducible", "--output-file", str(target), str(python)]
    subprocess.run(command, check=True)


def installed(wheel: Path, folder: Path) -> Path:
    """The Python of a new environment that holds the wheel and what it needs; pip itself is taken out again."""
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--constraint", ROOT / "constraints.txt", wheel], check=True)
    subprocess.run([*pip, "uninstall", "--yes", "pip", "setuptools"], check=True)
    return python


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tag")
    parser.add_argument("--home", default=os.environ.get("ORDEVAL_HOME", "").rstrip("/"))
    parser.add_argument("--date", default=datetime.datetime.now(tz=datetime.UTC).date().isoformat())
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "release-files")
    given = parser.parse_args()
    if given.tag != f"v{version()}":
        sys.exit(f"the tag is {given.tag}, and the version is {version()}; name it v{version()}")
    wheels = sorted((ROOT / "dist").glob("*.whl"))
    if len(wheels) != 1:
        sys.exit("dist holds no wheel, or several; run  make dist")
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "CITATION.cff").write_text(citation(given.home, given.date), encoding="utf-8")
    bill(installed(wheels[0], ROOT / "build" / "bill"), given.out / f"ordeval-{version()}.cdx.json")
    print(*sorted(path.name for path in given.out.iterdir()), "in", given.out)


if __name__ == "__main__":
    main()
