"""`ordeval app`: the explorer in the browser."""

import os
from typing import Annotated

from ordeval.cli.joining import command


@command("ordeval app", "ordeval app --port 8600 --no-browser", name="app")
def explorer(
    *,
    port: Annotated[int | None, "NUMBER: The port; 8501 if it is free, else any.  0 takes any free one."] = None,
    browser: Annotated[bool, "Open a browser where there is a screen."] = True,
    host: Annotated[
        str, "ADDRESS: Where to listen; any but 127.0.0.1 lets other machines in, and needs --allow-hosts."
    ] = "127.0.0.1",
    allow_hosts: Annotated[
        str | None, "HOSTS: The host names under which people open it, comma-separated (or in ORDEVAL_ALLOW_HOSTS)."
    ] = None,
    upload_mb: Annotated[int, "NUMBER: The largest file that a visitor may upload, in MB."] = 50,
    base_path: Annotated[str, "PATH: Its path on a server that serves other things too, such as tools/ordeval."] = "",
) -> None:
    """Explore scores in the browser.

    Learn, evaluate a file, edit a table, see laws hold and break.
    Served on this machine alone (127.0.0.1) unless another --host is given, until Ctrl-C.
    """
    from ordeval.app.server import Place, serve

    names = allow_hosts if allow_hosts is not None else os.environ.get("ORDEVAL_ALLOW_HOSTS", "")
    hosts = tuple(name.strip() for name in names.split(",") if name.strip())
    serve(port, browser=browser, place=Place(host, hosts, upload_mb, base_path))
