"""Install the built wheel into empty environments and run the fast tests of the source archive against it.

release_check.py [newest] [lowest] [--slice] [--work DIR]

newest takes the versions of constraints.txt, lowest those of lowest.txt: every direct dependency at its lower bound.  With --slice only the
folders that ask whether the package works at all are run, not those that ask whether a metric is right.  Environments are kept in DIR
(default: build/release) and used again.
"""

import argparse
import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What the tests need beside the package and its extras.
TOOLS = ["altair", "hypothesis", "imbalanced-learn", "mpmath", "mypy", "pandas", "pyarrow", "pytest", "skordinal", "statsmodels"]
TOOLS += ["dask[dataframe]", "jsonschema", "markdown-it-py", "numpydoc", "scoringrules", "vl-convert-python"]
EXTRAS = "cli,sklearn,polars"
CONSTRAINTS = {"newest": "constraints.txt", "lowest": "lowest.txt"}
INSTALLED = "tests/house/test_installed.py"  # its slow tests too
SLICE = ["tests/forms", "tests/order", "tests/papers"]
#: Tests about the repository rather than the package, pages whose printed digits are those of the newest versions, and what needs
#: a browser, a server or the explorer's extra.
LEFT_OUT = [
    "tests/house/test_pages.py",
    "tests/house/test_readme.py",
    "tests/house/test_reference.py",
    "tests/house/test_action.py",
    "tests/house/test_release.py",
]
LEFT_OUT += ["tests/app", "tests/app_pages.py", "tests/browser", "tests/engines"]


def run(*command: object, cwd: Path = ROOT, **environment: str) -> None:
    print("$", *command, flush=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "CI"))}
    subprocess.run([str(part) for part in command], cwd=cwd, env={**clean, **environment}, check=True)


def environment(name: str, wheel: Path, work: Path) -> Path:
    """The Python of an environment with the wheel in it, made if it is not there yet."""
    folder = work / name
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
    pinned = ROOT / CONSTRAINTS[name]
    done = folder / pinned.name
    if not done.exists() or done.read_bytes() != pinned.read_bytes():
        venv.create(folder, with_pip=True, clear=True)
        run(*pip, "--constraint", pinned, f"{wheel}[{EXTRAS}]", *TOOLS)
        done.write_bytes(pinned.read_bytes())
    run(*pip, "--force-reinstall", "--no-deps", wheel)
    return python


def unpacked(archive: Path, work: Path) -> Path:
    """The source archive without the package itself, so that only the installed wheel can be imported."""
    with tarfile.open(archive) as source:
        source.extractall(work / "source", filter="data")
    return work / "source" / archive.name.removesuffix(".tar.gz")


def check(name: str, wheel: Path, archive: Path, work: Path, part: bool) -> None:
    python = environment(name, wheel, work)
    source = unpacked(archive, work)
    run(python, "-m", "pip", "check")
    where = "import ordeval, sys; print(ordeval.__file__); sys.exit('site-packages' not in ordeval.__file__)"
    run(python, "-c", where, cwd=source)
    run(python, "-m", "pytest", "-q", INSTALLED, cwd=source)
    left_out = [f"--ignore={path}" for path in LEFT_OUT]
    run(python, "-m", "pytest", "-q", "-m", "not slow", *left_out, *(SLICE if part else ["tests"]), cwd=source)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", help="newest, lowest; both if none is named")
    parser.add_argument("--slice", action="store_true", dest="part")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "release")
    given = parser.parse_args()
    unknown = [name for name in given.versions if name not in CONSTRAINTS]
    if unknown:
        parser.error(f"{unknown[0]!r} is none of {', '.join(CONSTRAINTS)}")
    wheels, archives = (sorted((ROOT / "dist").glob(pattern)) for pattern in ("*.whl", "*.tar.gz"))
    if len(wheels) != 1 or len(archives) != 1:
        sys.exit("dist holds no wheel and source archive, or several; run  make dist")
    for name in given.versions or CONSTRAINTS:
        print(f"\n{name} versions ({CONSTRAINTS[name]})")
        try:
            check(name, wheels[0].resolve(), archives[0].resolve(), given.work.resolve(), given.part)
        except subprocess.CalledProcessError as failed:
            sys.exit(f"{name}: {' '.join(map(str, failed.cmd[:4]))} ... failed with {failed.returncode}")


if __name__ == "__main__":
    main()
