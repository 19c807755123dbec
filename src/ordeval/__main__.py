"""The way in from a shell: `ordeval` and `python -m ordeval`."""

from __future__ import annotations

import sys
import warnings


def main() -> None:
    try:
        from ordeval.cli.errors import exit_code
    except KeyboardInterrupt:  # while starting
        sys.exit(130)
    code = 0
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: print(f"note: {message}", file=sys.stderr)
            _run(sys.argv[1:])
    except BaseException as error:
        code = exit_code(error)
    sys.exit(code)


def _run(args: list[str]) -> None:
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a terminal without these signs gets question marks, not a traceback
    if args == ["metrics"]:  # nothing to parse, and a parser takes longer to load than all the rest
        import ordeval as oe

        print(oe.catalogue(), flush=True)
        return
    try:
        from ordeval.cli.program import run
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "click", "rich"):
            raise
        needs = 'the command line needs its extra; install it with  pip install "ordeval[cli]"'
        raise ModuleNotFoundError(needs) from None
    run(args)


if __name__ == "__main__":
    main()
