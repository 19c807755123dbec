"""`ordeval app`: the explorer in the browser."""

from typing import Annotated

from ordeval.cli.joining import command


@command("ordeval app", "ordeval app --port 8600 --no-browser", name="app")
def explorer(
    *,
    port: Annotated[int | None, "NUMBER: The port; 8501 if it is free, else any.  0 takes any free one."] = None,
    browser: Annotated[bool, "Open a browser where there is a screen."] = True,
) -> None:
    """Explore scores in the browser: edit a table, compare models, see laws hold and break.

    Served on this machine alone (127.0.0.1), until Ctrl-C.
    """
    from ordeval.app.server import serve

    serve(port, browser=browser)
