"""Serving the explorer: a Streamlit server in a process of its own, on this machine alone, until Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ADDRESS = "127.0.0.1"
PORT = 8501  # the first choice where none is given
UPLOAD_MB = 50
PATIENCE = 60.0  # seconds to wait for the first answer
ENTRY = Path(__file__).parent / "entry" / "explorer.py"

#: Everything that must not depend on somebody's Streamlit settings.
SETTINGS = {
    "server.headless": "true",
    "server.address": ADDRESS,
    "server.enableCORS": "true",
    "server.enableXsrfProtection": "true",
    "server.enableStaticServing": "false",
    "server.fileWatcherType": "none",
    "server.maxUploadSize": str(UPLOAD_MB),
    "server.runOnSave": "false",
    "server.showEmailPrompt": "false",
    "server.baseUrlPath": "",
    "browser.gatherUsageStats": "false",
    "browser.serverAddress": ADDRESS,
    "client.showErrorDetails": "none",
    "client.toolbarMode": "viewer",
    "global.developmentMode": "false",
    "logger.level": "warning",
    "theme.light.primaryColor": "#0b5fa5",
    "theme.dark.primaryColor": "#6cb4ee",
}
HOSTS = (ADDRESS, "localhost")  # so that a page elsewhere cannot reach the server under a name of its own


def command(port: int) -> list[str]:
    """The server, in the same Python."""
    settings = [f"--{name}={value}" for name, value in {**SETTINGS, "server.port": str(port)}.items()]
    settings += [f"--server.allowedHosts={host}" for host in HOSTS]
    return [sys.executable, "-m", "streamlit", "run", str(ENTRY), *settings]


def check_installed() -> None:
    """The explorer has an extra of its own."""
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError('the explorer needs streamlit, which is not installed: pip install "ordeval[app]"')


def chosen_port(port: int | None) -> int:
    """The port asked for, if it is free; else the usual one, or any that is free."""
    if port is not None:
        if port and not _is_free(port):
            raise ValueError(f"port {port} of {ADDRESS} is taken or not allowed; choose another with --port")
        return port or _any_free()
    return PORT if _is_free(PORT) else _any_free()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        if os.name == "posix":  # a server that has just ended does not block its port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError:
            return False
    return True


def _any_free() -> int:
    with socket.socket() as probe:
        probe.bind((ADDRESS, 0))
        port: int = probe.getsockname()[1]
        return port


def answers(port: int) -> bool:
    """The server is up."""
    try:
        with urllib.request.urlopen(f"http://{ADDRESS}:{port}/_stcore/health", timeout=2) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


@contextmanager
def running(port: int | None = None) -> Iterator[tuple[str, subprocess.Popen[Any]]]:
    """The address of a server that answers, and its process; the server ends with the block."""
    check_installed()
    port = chosen_port(port)
    quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    process = subprocess.Popen(command(port), start_new_session=True, **quiet)  # noqa: S603 - words of our own
    try:
        until = time.monotonic() + PATIENCE
        while not answers(port):
            if process.poll() is not None:
                raise OSError(f"the server ended at once, with exit code {process.returncode}; its message stands above")
            if time.monotonic() > until:
                raise OSError(f"the server did not answer within {PATIENCE:.0f} seconds")
            time.sleep(0.05)
        yield f"http://{ADDRESS}:{port}", process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def serve(port: int | None = None, *, browser: bool = True) -> None:
    """Serve until Ctrl-C; say where, and open a browser where there is a screen."""
    signal.signal(signal.SIGTERM, _interrupted)
    with running(port) as (address, process):
        print(f"the explorer is at {address}  (this machine only; Ctrl-C ends it)", flush=True)
        if browser and _has_screen():
            import webbrowser

            webbrowser.open(address)
        try:
            process.wait()
        except KeyboardInterrupt:
            print("\nended", flush=True)
            return
    raise OSError(f"the server ended by itself, with exit code {process.returncode}")


def _interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
