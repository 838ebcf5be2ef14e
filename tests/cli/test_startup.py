"""Imports at start-up: a fast start imports no heavy package."""

from __future__ import annotations

import gzip
import lzma
import subprocess
import sys

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

HEAVY = ("numba", "scipy", "pyarrow", "pandas", "polars", "torch", "sklearn", "rich", "numpy")


def imported_by(program: str, *arguments: object) -> set[str]:
    """Run a program in a fresh Python and return the heavy packages that it has imported."""
    told = f"import sys\n{program}\nprint('imported:', *(m for m in {HEAVY} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", told, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].removeprefix("imported:").split())


COMMAND = """
from distinctly.cli import main
try:
    main()
except SystemExit as done:
    assert not done.code, done.code
"""


def test_import_is_instant():
    assert imported_by("import distinctly") == set()


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"]])
def test_help_is_instant(arguments):
    assert imported_by(COMMAND, *arguments) == set()


@pytest.mark.parametrize("name", ["measure", "list", "cache", "demo"])
def test_the_help_of_a_command_imports_nothing_but_numpy(name):
    assert imported_by(COMMAND, name, "--help") <= {"numpy"}


def test_measuring_a_file_waits_for_no_compiler_and_no_arrow(save):
    path = save("texts.txt", "the cat sat\nthe dog sat\n")
    assert imported_by(COMMAND, "measure", path, "--format", "json") == {"numpy", "scipy"}
    assert imported_by(COMMAND, "measure", path) == {"numpy", "rich", "scipy"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.jsonl", b'{"text": "the cat sat"}\n'),
        ("rows.json", b'["the cat sat"]'),
        ("rows.csv", b"text\nthe cat sat\n"),
        ("rows.jsonl.gz", gzip.compress(b'{"text": "the cat sat"}\n', mtime=0)),
        ("rows.txt.xz", lzma.compress(b"the cat sat\n")),
    ],
)
def test_small_files_of_text_wait_for_no_arrow(save, name, content):
    path = save(name, content)
    assert imported_by(COMMAND, "measure", path, "--format", "json") == {"numpy", "scipy"}


@pytest.mark.parametrize("texts", ["['the cat sat']", "[['the', 'cat', 'sat']]"])
def test_measuring_a_list_waits_for_no_compiler_and_no_arrow(texts):
    assert imported_by(f"import distinctly as dy; dy.measure({texts})") == {"numpy", "scipy"}


def test_finding_a_metric_imports_no_other():
    def metrics_imported_by(program):
        metrics = (
            "[m for m in sys.modules if m.startswith(('distinctly.diversity.', 'distinctly.distance.'))]"
        )
        names = f"print(*sorted(m.split('.')[2] for m in {metrics}))"
        done = subprocess.run(
            [sys.executable, "-c", f"import sys\nimport distinctly as dy\n{program}\n{names}"],
            capture_output=True,
            text=True,
            check=True,
        )
        return [name for name in done.stdout.split() if name != "base" and not name.startswith("_")]

    assert metrics_imported_by("dy.metric('dc')") == ["dc"]
    assert metrics_imported_by("dy.metric('density_coverage')") == ["dc"]
    assert metrics_imported_by("dy.DensityCoverage") == ["dc"]


def test_distances_wait_for_no_classifier_but_one():
    compare = "import distinctly as dy; dy.compare(['a cat', 'a dog'], ['a cat', 'no dog'], '{}')"
    assert imported_by(compare.format("jensen_shannon")) == {"numpy"}
    assert "sklearn" in imported_by(compare.format("classifier"))


def test_everything_promised_can_be_had():
    assert set(dy.__all__) < set(dir(dy))
    assert all(getattr(dy, name) is not None for name in dir(dy))


def test_what_is_not_there_is_told_by_name():
    with pytest.raises(AttributeError, match="'distinctly' has no attribute 'mesure'"):
        _ = dy.mesure
