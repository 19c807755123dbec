"""`ordeval app`: where it listens, what it prints, how it ends; and what it says when it cannot start."""

import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from ordeval.app.server import SETTINGS, answers, chosen_port, command


@contextmanager
def start(*args):
    process = subprocess.Popen(
        [sys.executable, "-m", "ordeval", "app", "--no-browser", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.terminate()  # it ends its server too


def handshake(port, host):
    """The status of the answer to somebody who wants to talk to the app under this name."""
    lines = ["GET /_stcore/stream HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Origin: http://{host}", "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall("\r\n".join(lines).encode())
        return line.recv(64).decode().split()[1]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_serves_this_machine_alone_and_ends_cleanly(how):
    port = chosen_port(0)
    with start("--port", str(port)) as process:
        line = process.stdout.readline()
        assert line == f"the explorer is at http://127.0.0.1:{port}  (this machine only; Ctrl-C ends it)\n"
        assert answers(port)
        listening = {
            words[1]
            for words in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
            if words[3] == "0A" and words[1].endswith(f":{port:04X}")
        }
        assert listening == {f"0100007F:{port:04X}"}
        six = Path("/proc/net/tcp6").read_text() if Path("/proc/net/tcp6").exists() else ""
        assert not [
            words for words in map(str.split, six.splitlines()[1:]) if words[3] == "0A" and words[1].endswith(f":{port:04X}")
        ]
        assert handshake(port, f"127.0.0.1:{port}") == "101"
        assert handshake(port, "evil.example") == "403"  # nobody gets in under another name
        process.send_signal(how)
        out, _ = process.communicate(timeout=30)
        assert (process.returncode, out) == (0, "\nended\n")
    assert not answers(port)


def test_nothing_depends_on_somebodys_settings():
    words = " ".join(command(8501))
    for setting in ("server.address=127.0.0.1", "browser.gatherUsageStats=false", "client.showErrorDetails=none", "server.maxUploadSize=50",
                    "server.fileWatcherType=none", "server.headless=true", "server.enableXsrfProtection=true", "server.allowedHosts=127.0.0.1"):  # fmt: skip
        assert f"--{setting}" in words
    assert len(SETTINGS) == len(set(SETTINGS))


def test_a_taken_port_is_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with start("--port", str(port)) as process:
            out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err == f"ordeval: port {port} of 127.0.0.1 is taken or not allowed; choose another with --port\n"


def test_without_its_extra_it_says_what_to_install():
    program = (
        "import sys; sys.modules['streamlit'] = None; sys.argv = ['ordeval', 'app']\nfrom ordeval.__main__ import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env={**os.environ})
    assert done.returncode == 1
    assert done.stderr == 'ordeval: the explorer needs streamlit, which is not installed: pip install "ordeval[app]"\n'


def test_no_page_asks_for_html_from_labels():
    """The one piece of HTML is a style sheet without a word from outside."""
    import ordeval.app

    folder = Path(ordeval.app.__file__).parent
    sources = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    assert not [path for path, text in sources.items() if "unsafe_allow_html" in text or "components" in text]
    used = [line.strip() for text in sources.values() for line in text.splitlines() if re.search(r"\bst\.html\(", line)]
    assert used == ["st.html(STYLE)"]
