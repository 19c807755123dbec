"""How many of the public names have a complete type, as a type checker sees them; exits 1 below 99 %."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST = 0.99


def main() -> None:
    here = str(Path(sys.executable).parent)
    with tempfile.TemporaryDirectory() as folder:  # away from the project, so that the installed package is looked at
        done = subprocess.run(
            [sys.executable, "-m", "basedpyright", "--verifytypes", "ordeval", "--ignoreexternal", "--outputjson"],
            capture_output=True,
            text=True,
            check=False,
            cwd=folder,
            env={**os.environ, "PATH": f"{here}{os.pathsep}{os.environ['PATH']}"},
        )
    found = json.loads(done.stdout)["typeCompleteness"]
    if found["completenessScore"] < LEAST:
        unknown = [symbol["name"] for symbol in found["symbols"] if symbol["isExported"] and not symbol["isTypeKnown"]]
        sys.exit(
            f"{found['completenessScore']:.1%} of the public names have a complete type; these have not: {', '.join(unknown[:20])}"
        )
    print(f"types: {found['completenessScore']:.1%} complete")


if __name__ == "__main__":
    main()
