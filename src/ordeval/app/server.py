"""Serving the explorer: a Streamlit server in a process of its own, on this machine alone unless other hosts are named, until Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Thread, Timer
from typing import Any

import ordeval as oe

ADDRESS = "127.0.0.1"
UPLOAD_VARIABLE = "ORDEVAL_UPLOAD_MB"
UPLOAD_MB = int(os.environ.get(UPLOAD_VARIABLE, "50"))
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
OPEN = (
    "Anyone who can reach this machine can use the explorer; uploads stay in memory until their session ends; there is no login: "
    "put it behind one."
)
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
_PATH = re.compile(r"[\w.-]+(/[\w.-]+)*")


@dataclass(frozen=True)
class Place:
    """Where the explorer is served, and to whom."""

    host: str = ADDRESS
    allow_hosts: tuple[str, ...] = ()
    upload_mb: int = 50
    base_path: str = ""

    def __post_init__(self) -> None:
        if self.is_open and not self.allow_hosts:
            problem, remedy = (
                "{host:{it}} lets other machines in",
                "name the hosts under which people will open it: {allow_hosts:lab.example.org}",
            )
            raise oe.ArgumentError(problem, argument="allow_hosts", remedy=remedy, values={"it": self.host})
        for name in self.allow_hosts:
            if not _NAME.fullmatch(name):
                problem, remedy = "{name} is not a host name", "write it as in an address: lab.example.org"
                raise oe.ArgumentError(problem, argument="allow_hosts", remedy=remedy, values={"name": name})
        if not 1 <= self.upload_mb <= 2000:
            problem = f"the largest upload cannot be {self.upload_mb} MB; give 1 to 2000"
            raise oe.ArgumentError(problem, argument="upload_mb")
        if self.base_path.strip("/") and not _PATH.fullmatch(self.base_path.strip("/")):
            problem, remedy = "{path} is not the path of an address", "write it as tools/ordeval"
            raise oe.ArgumentError(problem, argument="base_path", remedy=remedy, values={"path": self.base_path})

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach it."""
        return self.host not in HOSTS

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*HOSTS, *self.allow_hosts]))


def command(port: int | None, place: Place = Place()) -> list[str]:  # noqa: B008 - it cannot be changed
    """The server, in the same Python; without a port Streamlit takes 8501, or the next one that is free."""
    settings = {
        **SETTINGS,
        "server.address": place.host,
        "server.maxUploadSize": str(place.upload_mb),
        "server.baseUrlPath": place.base_path.strip("/"),
        **({} if port is None else {"server.port": str(port)}),
    }
    options = [f"--{name}={value}" for name, value in settings.items()]
    allowed = [f"--server.allowedHosts={host}" for host in place.hosts]
    return [sys.executable, "-m", "streamlit", "run", str(ENTRY), *options, *allowed]


def check_installed() -> None:
    """The explorer has an extra of its own."""
    if find_spec("streamlit") is None:
        raise ModuleNotFoundError('the explorer needs streamlit, which is not installed: pip install "ordeval[app]"')


@contextmanager
def running(port: int | None = None, place: Place = Place()) -> Iterator[tuple[str, subprocess.Popen[str]]]:  # noqa: B008
    """The address of a server that answers, and its process; the server ends with the block."""
    check_installed()
    pipe = subprocess.PIPE
    words, nothing = command(port, place), subprocess.DEVNULL
    options: dict[str, Any] = {"stdin": nothing, "stdout": pipe, "stderr": pipe, "text": True, "start_new_session": True}
    options["env"] = {**os.environ, UPLOAD_VARIABLE: str(place.upload_mb)}
    with subprocess.Popen(words, **options) as process:  # noqa: S603 - words of our own
        warnings = Thread(target=sys.stderr.writelines, args=(process.stderr,), daemon=True)  # passes on what the server says
        try:
            address = _address(process, port)
            warnings.start()
            yield address, process
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            _end_group(process)
            if warnings.is_alive():
                warnings.join()


def _end_group(process: subprocess.Popen[str]) -> None:
    """What is left of a server: itself, or heavy work that it had begun."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()


def _address(process: subprocess.Popen[str], port: int | None) -> str:
    """Where the server says that it listens: it chooses its port itself."""
    assert process.stdout is not None
    assert process.stderr is not None
    guard = Timer(PATIENCE, process.kill)
    guard.start()
    try:
        for line in process.stdout:
            if printed := re.search(rf"http://{re.escape(ADDRESS)}:\d+(/[\w./-]*)?", line):
                return printed[0].rstrip("/")
    finally:
        guard.cancel()
    said = process.stderr.read()
    if port and f"Port {port} is not available" in said:
        problem, remedy = f"port {port} of {ADDRESS} is taken or not allowed", "choose another with {port}"
        raise oe.ArgumentError(problem, argument="port", remedy=remedy)
    sys.stderr.write(said)
    raise OSError(f"the server did not start (exit code {process.wait()}); its message stands above")


def serve(port: int | None = None, *, browser: bool = True, place: Place = Place()) -> None:  # noqa: B008
    """Serve until Ctrl-C; say where, and open a browser where there is a screen."""
    signal.signal(signal.SIGTERM, _interrupted)
    with running(port, place) as (address, process):
        if place.is_open:
            print(
                f"the explorer listens on {place.host}, at {address} and for {', '.join(place.allow_hosts)}  (Ctrl-C ends it)",
                flush=True,
            )
            print(OPEN, flush=True)
        else:
            print(f"the explorer is at {address}  (this machine only; Ctrl-C ends it)", flush=True)
        if browser and _has_screen():
            import webbrowser

            webbrowser.open(address)
        try:
            process.wait()
        except KeyboardInterrupt:
            print("\nended", flush=True)
            return
    raise OSError(f"the server stopped unexpectedly, with exit code {process.returncode}")


def _interrupted(*_: Any) -> None:
    raise KeyboardInterrupt


def _has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
