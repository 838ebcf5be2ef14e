"""Runs the examples of docstrings and of pages that need an environment of their own."""

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

MODULES = sorted(module.name for module in pkgutil.walk_packages(distinctly.__path__, "distinctly."))


@pytest.mark.parametrize("name", ["distinctly", *(name for name in MODULES if not name.endswith("__main__"))])
def test_examples_of_docstrings(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except distinctly.MissingExtraError as error:  # tests/integrations runs them where the package is there
        pytest.skip(str(error))
    assert doctest.testmod(module).failed == 0


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
