"""Serving the explorer: a Streamlit server in a process of its own, on this machine alone, until Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from threading import Thread, Timer
from typing import Any

import ordeval as oe

ADDRESS = "127.0.0.1"
UPLOAD_MB = 50
PATIENCE = 60.0  # seconds to wait until it listens
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


def command(port: int | None) -> list[str]:
    """The server, in the same Python; without a port Streamlit takes 8501, or the next one that is free."""
    settings = SETTINGS if port is None else {**SETTINGS, "server.port": str(port)}
    options = [f"--{name}={value}" for name, value in settings.items()]
    return [sys.executable, "-m", "streamlit", "run", str(ENTRY), *options, *(f"--server.allowedHosts={host}" for host in HOSTS)]


def check_installed() -> None:
    """The explorer has an extra of its own."""
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError('the explorer needs streamlit, which is not installed: pip install "ordeval[app]"')


@contextmanager
def running(port: int | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server that answers, and its process; the server ends with the block."""
    check_installed()
    pipe = subprocess.PIPE
    words, nothing = command(port), subprocess.DEVNULL
    with subprocess.Popen(words, stdin=nothing, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:  # noqa: S603 - words of our own
        warnings = Thread(target=sys.stderr.writelines, args=(process.stderr,), daemon=True)  # passes on what the server says
        try:
            address = _address(process, port)
            warnings.start()
            yield address, process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            if warnings.is_alive():
                warnings.join()


def _address(process: subprocess.Popen[str], port: int | None) -> str:
    """Where the server says that it listens: it chooses its port itself."""
    assert process.stdout is not None
    assert process.stderr is not None
    guard = Timer(PATIENCE, process.kill)
    guard.start()
    try:
        for line in process.stdout:
            if printed := re.search(rf"http://{re.escape(ADDRESS)}:\d+", line):
                return printed[0]
    finally:
        guard.cancel()
    said = process.stderr.read()
    if port and f"Port {port} is not available" in said:
        problem, remedy = f"port {port} of {ADDRESS} is taken or not allowed", "choose another with {port}"
        raise oe.ArgumentError(problem, argument="port", remedy=remedy)
    sys.stderr.write(said)
    raise OSError(f"the server did not start (exit code {process.wait()}); its message stands above")


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
