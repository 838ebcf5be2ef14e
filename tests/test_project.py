"""The files of the project agree with each other: versions, workflows, templates, distributions."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy

yaml = pytest.importorskip("yaml", reason="needs PyYAML: pip install pyyaml")

WORKFLOWS = ("build", "release", "site", "tests")


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    if sys.version_info < (3, 11):
        pytest.skip("Python 3.10 reads no TOML")
    settings: dict[str, Any] = importlib.import_module("tomllib").loads(read(root / "pyproject.toml"))
    return settings


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def workflow(root: Path, name: str) -> dict[str, Any]:
    text = read(root / ".github" / "workflows" / f"{name}.yml")
    # In YAML 1.1 the word `on` is true.
    return {"on" if key is True else key: value for key, value in yaml.safe_load(text).items()}


def steps(root: Path, name: str) -> list[dict[str, Any]]:
    return [step for job in workflow(root, name)["jobs"].values() for step in job.get("steps", ())]


def pythons(project: dict[str, Any]) -> list[str]:
    found = [
        re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line) for line in classifiers(project)
    ]
    return [match[1] for match in found if match]


def classifiers(project: dict[str, Any]) -> list[str]:
    return list(project["project"]["classifiers"])


def test_the_newest_heading_of_the_changelog_is_the_version(root: Path) -> None:
    heading = re.search(r"^## (\S+) \((.+)\)$", read(root / "CHANGELOG.md"), re.MULTILINE)
    assert heading is not None
    assert heading[1] == dy.__version__
    assert re.fullmatch(r"unreleased|\d{4}-\d{2}-\d{2}", heading[2])


def test_the_citation_has_the_version(root: Path) -> None:
    path = root / "CITATION.cff"
    if not path.is_file():
        pytest.skip("there is no CITATION.cff")
    assert str(yaml.safe_load(read(path))["version"]) == dy.__version__


def test_the_classifiers_begin_with_the_oldest_python(project: dict[str, Any]) -> None:
    oldest = pythons(project)[0]
    assert project["project"]["requires-python"] == f">={oldest}"
    assert project["tool"]["mypy"]["python_version"] == oldest
    assert project["tool"]["ruff"]["target-version"] == f"py{oldest.replace('.', '')}"


def test_all_workflows_are_known(root: Path) -> None:
    assert sorted(path.stem for path in (root / ".github" / "workflows").iterdir()) == sorted(WORKFLOWS)


def test_tests_run_on_every_system_and_python(root: Path, project: dict[str, Any]) -> None:
    job = workflow(root, "tests")["jobs"]["tests"]
    matrix = job["strategy"]["matrix"]
    assert matrix["python"] == pythons(project)
    assert {name.partition("-")[0] for name in matrix["system"]} == {"ubuntu", "macos", "windows"}


def test_tests_run_by_the_command_of_the_readme(root: Path) -> None:
    (command,) = re.findall(
        r'^python -m pip install "\.\[test\]" && .+$',
        read(root / "README.md"),
        re.MULTILINE,
    )
    assert command in [step.get("run") for step in workflow(root, "tests")["jobs"]["tests"]["steps"]]


def test_extras_that_workflows_install_exist(root: Path, project: dict[str, Any]) -> None:
    known = project["project"]["optional-dependencies"]
    commands = "\n".join(str(step.get("run", "")) for name in WORKFLOWS for step in steps(root, name))
    wanted = {extra for group in re.findall(r'"\.\[([\w,]+)\]"', commands) for extra in group.split(",")}
    assert {"test", "dev", "integrations"} <= wanted
    assert wanted <= {*known}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_have_few_rights(name: str, root: Path) -> None:
    described = workflow(root, name)
    assert described["permissions"] == {"contents": "read"}
    assert "concurrency" in described
    for step in steps(root, name):
        if "uses" in step:
            assert re.search(r"@(v\d+|release/v\d+)$", step["uses"]), "an action without a major version"
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False
        # What others write, such as the name of a branch, is never part of a script.
        assert "${{ github" not in step.get("run", "")


def test_a_release_needs_tests_and_no_token(root: Path) -> None:
    text = read(root / ".github" / "workflows" / "release.yml")
    publish = workflow(root, "release")["jobs"]["publish"]
    assert {*publish["needs"]} == {"tests", "build"}
    assert publish["permissions"] == {"id-token": "write"}
    assert "secrets." not in text
    assert "password" not in text


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("bug", {"signature", "version", "command"}),
        ("wrong-number", {"signature", "command", "expected", "source"}),
        ("feature", {"question"}),
    ],
)
def test_templates_ask_for_what_is_needed(name: str, asked: set[str], root: Path) -> None:
    form = yaml.safe_load(read(root / ".github" / "ISSUE_TEMPLATE" / f"{name}.yml"))
    assert form["name"]
    assert form["description"]
    fields = [field["id"] for field in form["body"] if field["type"] != "markdown"]
    assert len(fields) == len({*fields})
    assert asked <= {*fields}


def test_hooks_need_no_network(root: Path) -> None:
    hooks = yaml.safe_load(read(root / ".pre-commit-config.yaml"))
    for source in hooks["repos"]:
        assert source["repo"] == "local"
        assert {hook["language"] for hook in source["hooks"]} == {"system"}


def test_links_of_policies_lead_somewhere(root: Path) -> None:
    pages = ("SECURITY.md", "CODE_OF_CONDUCT.md", "docs/versioning.md", ".github/PULL_REQUEST_TEMPLATE.md")
    for page in pages:
        text = read(root / page)
        # A template is shown at the root of the site.
        links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
        for link in links:
            assert (root / page).parent.joinpath(link).is_file(), f"{page}: {link}"


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both distributions from the files of this repository, without an environment of their own."""
    pytest.importorskip("hatchling", reason="needs hatchling: pip install hatchling")
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.mark.slow  # builds both distributions
def test_the_source_distribution_has_what_the_tests_need(built: Path, root: Path) -> None:
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("needs the repository")
    missing = {name for name in listed.stdout.splitlines() if (root / name).is_file()} - names
    assert not missing
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


@pytest.mark.slow
def test_the_wheel_has_every_file_of_the_package(built: Path, root: Path) -> None:
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = {*archive.namelist()}
    source = root / "src" / "distinctly"
    files = [file for file in source.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert {f"distinctly/{file.relative_to(source).as_posix()}" for file in files} <= names
    assert not [name for name in names if name.startswith("tests")]
