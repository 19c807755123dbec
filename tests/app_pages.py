"""The explorer's pages without a browser: Streamlit's own test runner."""

import os
import stat
import subprocess
import sys

import pytest
from processes import GUARD
from streamlit.testing.v1 import AppTest

PAGES = ("playground", "evaluate", "closeness", "laws", "path", "intervals", "figures", "choose", "metric", "probabilities")
EVERY = ("", "learn", *PAGES)  # the first two tell a story, which has no recipe


def open_page(name, /, state=None, **query):
    """One page, as a link with this query opens it."""
    program = f"from ordeval.app.frame import guard\nfrom ordeval.app.pages import PAGES\nguard(PAGES[{name!r}][1], {name!r})()\n"
    app = AppTest.from_string(program, default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = value
    for key, value in (state or {}).items():
        app.session_state[key] = value
    return app.run()


def texts(app):
    """Everything that stands on the page as text, one string."""
    parts = [
        *app.markdown,
        *app.caption,
        *app.text,
        *app.error,
        *app.warning,
        *app.success,
        *app.info,
        *app.title,
        *app.header,
        *app.subheader,
        *app.latex,
    ]
    return "\n".join(str(part.value) for part in parts)


def shown(app):
    """The Python, the command and the link at the end of a page; a page may show other code before."""
    python, command, link = [block.value for block in app.code][-3:]
    return python, command, link


@pytest.fixture
def shell(tmp_path):
    """Runs a command as a person would, in a folder of its own, with this Python and this ordeval."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for name, words in (("python", ""), ("ordeval", "-m ordeval")):
        script = bin_ / name
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
    home = tmp_path / "home"
    home.mkdir()

    def run(command, files=None):
        for name, data in (files or {}).items():
            (home / name).write_bytes(data)
        env = {**os.environ, "PATH": f"{bin_}:{os.environ['PATH']}"}
        done = subprocess.run(
            ["/bin/bash", "-c", command],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            cwd=home,
            env=env,
            timeout=GUARD,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
