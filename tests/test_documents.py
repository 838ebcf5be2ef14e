"""Runs the examples of docstrings, README and CONTRIBUTING."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests import pages

import distinctly
from distinctly.registry import metric_names

MODULES = sorted(module.name for module in pkgutil.walk_packages(distinctly.__path__, "distinctly."))


@pytest.mark.parametrize("name", ["distinctly", *(name for name in MODULES if not name.endswith("__main__"))])
def test_examples_of_docstrings(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except distinctly.MissingExtraError as error:  # tests/integrations runs them where the package is there
        pytest.skip(str(error))
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        "docs/approximate.md",
        "docs/at-a-glance.md",
        "docs/choosing.md",
        "docs/citing.md",
        "docs/distances.md",
        "docs/embedders.md",
        "docs/index.md",
        "docs/judging.md",
        "docs/keyness.md",
        "docs/notebooks.md",
        "docs/overused-phrases.md",
        "docs/texts.md",
        "docs/per-text.md",
        "docs/prompts.md",
        "docs/states.md",
        "docs/studies.md",
        *(f"docs/metrics/{name}.md" for name in metric_names()),
    ],
)
def test_examples_of_documents(root: Path, document: str) -> None:
    result = doctest.testfile(str(root / document), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


# The packages that a page of docs/coming-from runs beside ours. `diversity` and quanteda are not run; their
# pages say why. The page on evaluate is run by tests/integrations.
PEERS: dict[str, tuple[str, ...]] = {
    "diversity": (),
    "index": ("rouge_score", "vendi_score"),
    "lexicalrichness": ("lexical_diversity", "lexicalrichness"),
    "mauve-text": ("faiss", "mauve"),
    "nltk": ("nltk",),
    "prdc": ("prdc",),
    "quanteda": (),
    "sacrebleu": ("sacrebleu",),
}


@pytest.mark.filterwarnings("ignore")  # of the other packages
@pytest.mark.parametrize("page", PEERS)
def test_examples_of_coming_from(root: Path, page: str) -> None:
    for package in PEERS[page]:
        pytest.importorskip(package, reason=f"needs {package}")
    result = doctest.testfile(str(root / "docs" / "coming-from" / f"{page}.md"), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


def test_every_page_of_coming_from_is_run_and_listed(root: Path) -> None:
    pages = {path.stem for path in (root / "docs" / "coming-from").glob("*.md")}
    assert pages == {*PEERS, "evaluate"}
    index = (root / "docs" / "coming-from" / "index.md").read_text(encoding="utf-8")
    assert {page for page in pages if f"]({page}.md)" in index} == pages - {"index"}


@pytest.mark.slow  # starts Ray and Spark
@pytest.mark.parametrize(
    ("section", "package"),
    [("Ray", "ray"), ("Spark", "pyspark"), ("datatrove", "datatrove"), ("Ray Data", "ray.data")],
)
def test_examples_of_clusters(root: Path, tmp_path: Path, section: str, package: str) -> None:
    """Run the examples of each section of the page in a process of its own."""
    if importlib.util.find_spec(package.partition(".")[0]) is None:
        pytest.skip(f"needs {package}")
    if package == "pyspark" and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17 or newer")
    text = (root / "docs" / "clusters.md").read_text(encoding="utf-8")
    (content,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert ">>>" in content
    (tmp_path / "section.md").write_text(content, encoding="utf-8")
    script = "import doctest; assert doctest.testfile('section.md', module_relative=False).failed == 0"
    paths = [str(Path(distinctly.__file__).parents[1]), str(root / "examples")]
    here = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, **here, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_readme_is_short(root: Path) -> None:
    assert len((root / "README.md").read_text(encoding="utf-8").splitlines()) < 100


@pytest.mark.parametrize("document", ["README.md", "docs/keyness.md"])
def test_commands_print_what_documents_say(root: Path, tmp_path: Path, document: str) -> None:
    """Run each `$ distinctly …` of a document and compare its output with the lines shown."""
    text = (root / document).read_text(encoding="utf-8")
    shown = re.findall(r"^\$ (distinctly [^\n]+)\n((?:(?!\$ |```).*\n)*)", text, re.MULTILINE)
    assert shown
    for command, output in shown:
        run = f"{sys.executable} -m {command}"
        printed = subprocess.run(
            run,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100"},
            capture_output=True,
            text=True,
            check=False,
        ).stdout
        for line in output.splitlines():
            if line.strip() not in ("", "…"):
                assert line.strip() in [one.strip() for one in printed.splitlines()], f"{command}: {line}"


def test_public_names_exist() -> None:
    assert sorted(distinctly.__all__) == distinctly.__all__
    for name in distinctly.__all__:
        assert getattr(distinctly, name) is not None
    assert set(distinctly.__all__) <= set(dir(distinctly))
    with pytest.raises(AttributeError):
        _ = distinctly.nothing_of_that_name


def test_the_worked_example_of_contributing_adds_a_metric(root: Path, tmp_path: Path) -> None:
    """Follow CONTRIBUTING in a copy of the tree: with its three files, every test passes."""
    blocks = pages.blocks((root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    files = {block.title: block.body for block in blocks if block.title is not None}
    assert list(files) == [
        "src/distinctly/diversity/hapax.py",
        "tests/diversity/test_hapax.py",
        "docs/metrics/hapax.md",
    ]
    package = Path(distinctly.__file__).parent
    shutil.copytree(package, tmp_path / "src" / "distinctly", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(root / "docs" / "metrics", tmp_path / "docs" / "metrics")
    shutil.copy(root / "pyproject.toml", tmp_path)
    for name, body in files.items():
        (tmp_path / name).write_text(body, encoding="utf-8")
    tests = [
        "tests/diversity/test_hapax.py",
        "tests/contract",
        "tests/test_registry.py::test_every_metric_has_its_three_files",
    ]
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-k",
            "hapax or three_files",
            "-p",
            "no:cacheprovider",
            *tests,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert (
        "hapax"
        in subprocess.run(
            [sys.executable, "-c", "from distinctly.registry import metric_names; print(metric_names())"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
