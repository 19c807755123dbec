"""Ready to publish: what the package says of itself, and that workflows, matrix, container and citation say the same."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
import yaml
from hatchling import build as backend
from markdown_it import MarkdownIt
from processes import GUARD

import ordeval

ROOT = Path(__file__).resolve().parents[2]
HOME = "https://example.org/owner/ordeval"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))

sys.path.insert(0, str(ROOT / "scripts"))
import release_files  # noqa: E402


def read_yaml(path):
    """A workflow; its word on is no truth value here."""
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {"on" if key is True else key: value for key, value in found.items()}


def places(text):
    """Where the links and pictures of Markdown lead, those in HTML too."""
    tokens = [token for block in MarkdownIt("commonmark").parse(text) for token in (block, *(block.children or ()))]
    found = [token.attrs.get("href") or token.attrs.get("src") for token in tokens]
    html = "".join(token.content for token in tokens if token.type.startswith("html"))
    return [place for place in (*found, *re.findall(r'(?:href|src)="([^"]+)"', html)) if place]


@pytest.fixture
def metadata(monkeypatch, tmp_path):
    """Call with the address of the repository, or none: what the built package says of itself."""

    def built(home):
        monkeypatch.chdir(ROOT)
        monkeypatch.setenv("ORDEVAL_HOME", home)
        target = tmp_path / (home.rpartition("/")[2] or "nowhere")
        target.mkdir()
        text = (target / backend.prepare_metadata_for_build_wheel(str(target)) / "METADATA").read_text(encoding="utf-8")
        return Parser().parsestr(text)

    return built


def test_with_an_address_the_links_lead_there(metadata):
    found = metadata(HOME)
    tag = f"v{ordeval.__version__}"
    named = [f"Source, {HOME}", f"Issues, {HOME}/issues", f"Changelog, {HOME}/blob/{tag}/CHANGELOG.md"]
    assert found.get_all("Project-URL") == named
    text = found.get_payload()
    assert f"]({HOME}/raw/{tag}/docs/confusion.png)" in text
    assert f"]({HOME}/blob/{tag}/docs/how-to/grid-search.md)" in text
    assert [place for place in places(text) if not place.startswith("https://")] == []
    for place in places(text):
        if place.startswith(HOME):
            assert (ROOT / re.sub(rf"^{HOME}/(?:raw|blob)/{tag}/", "", place)).exists(), place


def test_without_an_address_nothing_leads_nowhere(metadata):
    found = metadata("")
    assert found.get_all("Project-URL") is None
    text = found.get_payload()
    assert [place for place in places(text) if not place.startswith("https://")] == []
    assert "](docs/" not in text
    assert "coming from scikit-learn" in text  # the words of the link stay
    code = re.findall(r"^```.*?^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    assert code
    assert all(block in text for block in code)  # and code is left as it is
    relative = places((ROOT / "README.md").read_text(encoding="utf-8"))
    assert any(place.startswith("docs/") for place in relative)  # the look at links sees one


@pytest.mark.parametrize("home", ["http://example.org/owner/ordeval", "example.org", "https://example.org", "https://e.org/a b"])
def test_an_address_that_is_none_is_refused(metadata, home):
    with pytest.raises(ValueError, match="ORDEVAL_HOME is .*; give the address of the repository"):
        metadata(home)


def test_the_wheel_holds_the_plugin_beside_the_package(monkeypatch, tmp_path):
    monkeypatch.chdir(ROOT)
    with zipfile.ZipFile(tmp_path / backend.build_wheel(str(tmp_path))) as wheel:
        names = wheel.namelist()
        entries = wheel.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    assert "ordeval_pytest.py" in names
    assert "[pytest11]\nordeval = ordeval_pytest\n" in entries
    assert {name.partition("/")[0] for name in names} == {
        "ordeval",
        "ordeval_pytest.py",
        f"ordeval-{ordeval.__version__}.dist-info",
    }


def test_matrix_classifiers_and_lower_bound_name_the_same_pythons():
    matrix = read_yaml(ROOT / ".github/workflows/test.yml")["jobs"]["test"]["strategy"]["matrix"]["python"]
    classifiers = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", text)]
    assert matrix == classifiers
    minors = [int(text.partition(".")[2]) for text in matrix]
    assert minors == list(range(minors[0], minors[-1] + 1))
    assert PROJECT["requires-python"] == f">={matrix[0]}"
    docs = read_yaml(ROOT / ".readthedocs.yaml")
    assert docs["build"]["tools"]["python"] in matrix
    for path in WORKFLOWS:
        for pinned in re.findall(r'python-version: "([\d.]+)"', path.read_text(encoding="utf-8")):
            assert pinned in matrix


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_may_do_little_and_run_what_people_run(path):
    workflow = read_yaml(path)
    assert workflow["permissions"] == {}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for name, job in workflow["jobs"].items():
        assert set(job["permissions"]) == ({"id-token"} if name == "publish" else {"contents"})
        assert job["timeout-minutes"] <= 180
        for step in job["steps"]:
            if "uses" in step:
                assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), step
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"] == {"persist-credentials": False}
            for words in re.findall(r"\bmake ([^\n]+)", step.get("run", "")):
                assert {word for word in words.split() if "=" not in word} <= targets, words


def test_a_release_publishes_what_was_built_after_an_approval():
    workflow = read_yaml(ROOT / ".github/workflows/release.yml")
    assert workflow["on"] == {"push": {"tags": ["v*"]}}
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert (publish["needs"], publish["environment"]) == ("build", "release")
    assert not any("checkout" in step.get("uses", "") or "run" in step for step in publish["steps"])
    (script,) = [step["run"] for step in build["steps"] if "run" in step]
    assert 'ORDEVAL_HOME="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY"' in script


def test_the_citation_is_complete():
    found = yaml.safe_load(release_files.citation(HOME, "2026-01-31"))
    assert {"cff-version", "message", "title", "type", "authors", "abstract", "keywords", "license"} <= set(found)
    assert (found["version"], found["repository-code"], found["url"]) == (ordeval.__version__, HOME, HOME)
    assert str(found["date-released"]) == "2026-01-31"
    assert found["license"] == PROJECT["license"]
    assert set(found["keywords"]) <= set(PROJECT["keywords"])
    assert "repository-code" not in yaml.safe_load(release_files.citation("", "2026-01-31"))


def test_the_container_builds_what_the_build_reads():
    """The build hook and all that it reads are copied before the package is built; nobody is root, and somebody looks after it."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    copied = {word for line in re.findall(r"^COPY (?!--from)(.+) \./.*$", text, re.M) for word in line.split()}
    assert {"pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "src"} <= copied
    assert all((ROOT / name).exists() for name in copied)
    assert re.findall(r"^USER (\d+)$", text, re.M)
    assert "/_stcore/health" in text


# Other programs


def lint(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=GUARD)


@pytest.mark.slow
def test_workflows_and_action_have_no_findings(tmp_path):
    zizmor = [shutil.which("zizmor", path=str(Path(sys.executable).parent)) or "zizmor", "--offline", "--no-progress"]
    done = lint(*zizmor, "--persona=pedantic", ".github", "action.yml")
    assert done.returncode == 0, done.stdout
    bad = (ROOT / "action.yml").read_text(encoding="utf-8").replace('ordeval check "$FILE"', "ordeval check ${{ inputs.file }}")
    (tmp_path / "action.yml").write_text(bad, encoding="utf-8")
    done = lint(*zizmor, str(tmp_path / "action.yml"))
    assert done.returncode != 0
    assert "template-injection" in done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the linter comes for Linux")
def test_the_containerfile_has_no_findings(tmp_path):
    hadolint = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    assert hadolint, "hadolint is not installed; make setup brings it"
    assert lint(hadolint, "Containerfile").stdout == ""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    (tmp_path / "Containerfile").write_text(text.replace("WORKDIR /src", "RUN cd /src").replace("USER 10001", "USER root"))
    found = lint(hadolint, str(tmp_path / "Containerfile")).stdout
    assert {"DL3002", "DL3003"} <= set(re.findall(r"DL\d+", found))


@pytest.mark.slow
def test_the_bill_of_materials_names_what_is_installed(tmp_path):
    venv.create(tmp_path / "environment", with_pip=True)
    python = tmp_path / "environment" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    release_files.bill(python, tmp_path / "bill.json")
    bill = json.loads((tmp_path / "bill.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", release_files.SPECIFICATION)
    assert bill["metadata"]["component"]["name"] == "ordeval"
    assert "pip" in {part["name"] for part in bill["components"]}
