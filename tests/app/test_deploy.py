"""Where the explorer may be served, and that what is deployed has the same settings."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import ordeval as oe
from ordeval.app.server import HOSTS, SETTINGS, Place, command

ROOT = Path(__file__).resolve().parents[2]


def test_the_hosted_settings_are_ours_less_address_and_hosts():
    held = tomllib.loads((ROOT / "deploy/.streamlit/config.toml").read_text())
    flat = {}

    def walk(part, names):
        for name, value in part.items():
            if isinstance(value, dict):
                walk(value, [*names, name])
            else:
                flat[".".join([*names, name])] = str(value).lower() if isinstance(value, bool) else str(value)

    walk(held, [])
    assert flat == {name: value for name, value in SETTINGS.items() if name not in ("server.address", "browser.serverAddress")}
    assert (ROOT / "deploy/requirements.txt").read_text().split() == ["ordeval[app]"]
    entry = (ROOT / "src/ordeval/app/entry/explorer.py").read_text().splitlines()[2:]
    assert (ROOT / "deploy/streamlit_app.py").read_text().splitlines()[2:] == entry


def test_this_machine_alone_unless_hosts_are_named():
    words = command(8501)
    assert "--server.address=127.0.0.1" in words
    assert [word for word in words if "allowedHosts" in word] == [f"--server.allowedHosts={host}" for host in HOSTS]
    words = command(None, Place("0.0.0.0", ("lab.example.org",), 7, "/tools/ordeval/"))
    for setting in (
        "server.address=0.0.0.0",
        "server.allowedHosts=lab.example.org",
        "server.maxUploadSize=7",
        "server.baseUrlPath=tools/ordeval",
    ):
        assert f"--{setting}" in words
    assert "--server.allowedHosts=*" not in words


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("0.0.0.0",), "name the hosts under which people will open it"),
        (("0.0.0.0", ("*",)), "is not a host name"),
        (("0.0.0.0", ("a b",)), "is not a host name"),
        (("127.0.0.1", (), 0), "0 MB"),
        (("127.0.0.1", (), 2001), "2001 MB; give 1 to 2000"),
        (("127.0.0.1", (), 50, "../x y"), "is not the path"),
    ],
)
def test_places_that_are_refused(given, said):
    with pytest.raises(oe.ArgumentError, match=said):
        Place(*given)


@pytest.mark.parametrize("most", [1, 2000])
def test_the_smallest_and_the_largest_upload_may_be_asked_for(most):
    assert f"--server.maxUploadSize={most}" in command(None, Place(upload_mb=most))


def test_the_container_file_is_fine():
    text = (ROOT / "Containerfile").read_text()
    assert "USER 10001" in text
    assert text.index("USER 10001") < text.index("ENTRYPOINT")
    for path in ("pyproject.toml", "README.md", "LICENSE", "constraints.txt", "src"):
        assert (ROOT / path).exists()
    linter = shutil.which("hadolint")
    if linter is not None:
        done = subprocess.run([linter, str(ROOT / "Containerfile")], capture_output=True, text=True, check=False, timeout=60)
        assert done.stdout == ""
        assert done.returncode == 0
