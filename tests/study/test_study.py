"""Study files: the two examples of the specification with every command, and what results say of the file."""


import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path
