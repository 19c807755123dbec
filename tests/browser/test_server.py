"""`ordeval app`: where it listens, what it prints, how it ends; and what it says when it cannot start."""

import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from processes import GUARD

from ordeval.app.server import SETTINGS, command


def handshake(port, host):
    """The status of the answer to somebody who wants to talk to the app under this name."""
    lines = ["GET /_stcore/stream HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Origin: http://{host}", "", ""]
    with socket.create_connection(("127.0.0.1", port), timeout=GUARD) as line:
        line.sendall("\r\n".join(lines).encode())
        return line.recv(64).decode().split()[1]


def listening(table, port):
    """Where this system table knows a listener on this port."""
    lines = Path(table).read_text().splitlines()[1:] if Path(table).exists() else []
    return {words[1] for words in map(str.split, lines) if words[3] == "0A" and words[1].endswith(f":{port:04X}")}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_serves_this_machine_alone_and_ends_cleanly(how, child):
    process = child("-m", "ordeval", "app", "--no-browser", "--port", 0)
    line = process.stdout.readline()
    port = int(re.fullmatch(r"the explorer is at http://127\.0\.0\.1:(\d+)  \(this machine only; Ctrl-C ends it\)\n", line)[1])
    assert listening("/proc/net/tcp", port) == {f"0100007F:{port:04X}"}
    assert listening("/proc/net/tcp6", port) == set()
    assert handshake(port, f"127.0.0.1:{port}") == "101"
    assert handshake(port, "evil.example") == "403"  # nobody gets in under another name
    process.send_signal(how)
    out, _ = process.communicate(timeout=GUARD)
    assert (process.returncode, out) == (0, "\nended\n")
    assert listening("/proc/net/tcp", port) == set()


def test_nothing_depends_on_somebodys_settings():
    words = " ".join(command(8501))
    for setting in ("server.address=127.0.0.1", "browser.gatherUsageStats=false", "client.showErrorDetails=none", "server.maxUploadSize=50",
                    "server.fileWatcherType=none", "server.headless=true", "server.enableXsrfProtection=true", "server.allowedHosts=127.0.0.1"):  # fmt: skip
        assert f"--{setting}" in words
    assert len(SETTINGS) == len(set(SETTINGS))


def test_a_taken_port_is_one_line(child):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = child("-m", "ordeval", "app", "--no-browser", "--port", port)
        out, err = process.communicate(timeout=GUARD)
    assert (process.returncode, out) == (3, "")
    assert err == f"ordeval: port {port} of 127.0.0.1 is taken or not allowed; choose another with --port\n"


def test_without_its_extra_it_says_what_to_install():
    program = (
        "import sys; sys.modules['streamlit'] = None; sys.argv = ['ordeval', 'app']\nfrom ordeval.__main__ import main\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=GUARD)
    assert done.returncode == 3
    assert done.stderr == 'ordeval: the explorer needs streamlit, which is not installed: pip install "ordeval[app]"\n'


def test_no_page_asks_for_html_from_labels():
    """The one piece of HTML is a style sheet without a word from outside; components stand in one module, and take labels as text."""
    import ordeval.app

    folder = Path(ordeval.app.__file__).parent
    sources = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    assert not [path for path, text in sources.items() if "unsafe_allow_html" in text]
    assert [path.name for path, text in sources.items() if "st.components" in text] == ["pieces.py"]
    used = [line.strip() for text in sources.values() for line in text.splitlines() if re.search(r"\bst\.html\(", line)]
    assert used == ["st.html(style(theme()))"]
    programs = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.js")}
    assert len(programs) == 6
    assert not [
        path for path, text in programs.items() if re.search(r"innerHTML|outerHTML|insertAdjacentHTML|eval\(|new Function", text)
    ]
