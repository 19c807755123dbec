"""The way in from a shell: `ordeval` and `python -m ordeval`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    try:
        _main()
    except KeyboardInterrupt:
        sys.exit(130)


def _main() -> None:
    try:
        from ordeval.base.errors import ArgumentError
        from ordeval.cli import about, app
        from ordeval.cli.options import as_option, as_options
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit('ordeval: the command line needs its extra; install it with  pip install "ordeval[cli]"')
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without these signs gets question marks, not a traceback
    try:
        if sys.argv[1:] == ["metrics"]:  # nothing to parse, and typer's parser takes longer to load than all the rest
            about.metrics()
        else:
            app(prog_name="ordeval")
    except (ValueError, TypeError, OSError, ModuleNotFoundError) as error:
        if isinstance(error, BrokenPipeError):  # the reader has seen enough, as in `ordeval metrics | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        if isinstance(error, OSError) and error.filename:
            sys.exit(f"ordeval: {error.filename}: {error.strerror}")
        sys.exit(f"ordeval: {error.text(as_option) if isinstance(error, ArgumentError) else as_options(str(error))}")
    except MemoryError as error:
        sys.exit(f"ordeval: there is not enough memory for this{f' ({error})' if str(error) else ''}")


if __name__ == "__main__":
    main()
