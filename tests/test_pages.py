"""Runs every block of the documentation: commands, examples of Python and files; or the page says why not."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests import example_files, pages
from tests.shared import ROOT

import distinctly

FOLDERS = ("*.md", "docs/**/*.md", "benchmarks/*.md", "examples/**/*.md", "scripts/**/*.md")
PAGES = sorted({path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in ROOT.glob(folder)})
# The commands of these pages are run by the README's command, since newcomers run them first; those of other
# pages by `.ci/run`. These pages make all files that they read.
FIRST = {"docs/start.md", *(page for page in PAGES if "/tutorials/" in page)}
# The examples of these pages start clusters or need torch. Other tests run them, where it is installed.
ELSEWHERE = {
    "docs/clusters.md": "test_examples_of_clusters of tests/test_documents.py",
    "docs/coming-from/evaluate.md": "tests/integrations/test_documents.py",
    "docs/tracking.md": "tests/integrations/test_tracking.py",
    "docs/training.md": "tests/integrations/test_documents.py",
}
# The packages that a page runs beside ours. They warn of what concerns themselves.
PEERS = {
    "docs/coming-from/index.md": ("rouge_score", "vendi_score"),
    "docs/coming-from/lexicalrichness.md": ("lexical_diversity", "lexicalrichness"),
    "docs/coming-from/mauve-text.md": ("faiss", "mauve"),
    "docs/coming-from/nltk.md": ("nltk",),
    "docs/coming-from/prdc.md": ("prdc",),
    "docs/coming-from/sacrebleu.md": ("sacrebleu",),
    "docs/tokens.md": ("HanTa", "sacrebleu"),
}
FOR_DEVELOPERS = {"bench", "dev", "docs", "integrations", "site", "test"}  # extras that are not for users


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def commands_of(page: str) -> list[pages.Block]:
    """Return the blocks of a page whose commands are run."""
    return [
        block
        for block in pages.blocks(read(page))
        if block.reason is None and block.title is None and block.language in ("console", "shell")
    ]


def marked(page: str) -> object:
    marks = [pytest.mark.filterwarnings("ignore")] if page in PEERS else []
    if page not in FIRST and commands_of(page):
        marks.append(pytest.mark.slow)
    return pytest.param(page, marks=marks)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_run_or_says_why_not(page: str) -> None:
    text = read(page)
    blocks = pages.blocks(text)
    assert not pages.FENCE.search(pages.BLOCK.sub("", text)), "a fence was not recognized"
    for block in blocks:
        runs = block.title is not None or block.is_example or block.language in ("console", "shell")
        assert runs or block.reason, f"say why this block is not run:\n{block.body}"
    if page in ELSEWHERE:
        assert not commands_of(page), "commands of this page are not run: say why"


@pytest.mark.parametrize("page", [marked(page) for page in PAGES if page not in ELSEWHERE])
def test_a_page_shows_what_its_blocks_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Write the files that the page shows, and run its commands and examples, all in order, in one folder."""
    blocks = [block for block in pages.blocks(read(page)) if block.reason is None]
    if not any(block.is_example or block.language in ("console", "shell") for block in blocks):
        return
    for package in PEERS.get(page, ()):
        pytest.importorskip(package, reason=f"needs {package}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    if page not in FIRST:
        example_files.write(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        if block.title is not None:
            path = tmp_path / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.body, encoding="utf-8", newline="\n")
        elif block.language == "console":
            run_commands(block.body, tmp_path)
        elif block.language == "shell":
            run_script(block.body, tmp_path)
        else:
            example = doctest.DocTestParser().get_doctest(block.body, names, page, page, 0)
            example.globs = names
            assert doctest.DocTestRunner().run(example, clear_globs=False).failed == 0


def environment(folder: Path) -> dict[str, str]:
    """Return an environment in which the command is this package's."""
    program = folder / ".bin" / "distinctly"
    if not program.exists():
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m distinctly "$@"\n', encoding="utf-8")
        program.chmod(0o755)
        (program.parent / "python").symlink_to(sys.executable) if os.name == "posix" else None
    package = str(Path(distinctly.__file__).parents[1])
    path = os.pathsep.join([str(program.parent), os.environ["PATH"]])
    return {**os.environ, "COLUMNS": "100", "PATH": path, "PYTHONPATH": package, "PYTHONUTF8": "1"}


def run_script(body: str, folder: Path) -> None:
    """Run a block of commands whose output the page does not show; none may fail."""
    run = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", body],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, f"exit code {run.returncode}:\n{run.stdout}"


def run_commands(body: str, folder: Path) -> None:
    """Run the commands of a console block, and compare what they print with the lines below each."""
    code = 0
    for command, shown in pages.commands(body):
        if command == "echo $?":
            assert shown == [str(code)]
            code = 0
            continue
        assert code == 0, f"the page does not show the exit code {code} of the command before {command}"
        program, *arguments = shlex.split(command)
        assert program in ("distinctly", "python"), command
        module = ["-m", "distinctly"] if program == "distinctly" else []
        run = subprocess.run(
            [sys.executable, *module, *arguments],
            cwd=folder,
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        code = run.returncode
        assert pages.agree(shown, pages.lines(run.stdout)), f"$ {command}\n{run.stdout}"
    assert code == 0, f"the page does not show the exit code {code}"


def test_how_pages_are_read() -> None:
    assert doctest.testmod(pages).failed == 0
    fences = ("<!-- not run: why -->\n```yaml", '```csv title="a.csv"', "```console")
    page = "\n".join(f"{fence}\nbody\n```\n" for fence in fences)
    assert [(block.language, block.title, block.reason) for block in pages.blocks(page)] == [
        ("yaml", None, "why"),
        ("csv", "a.csv", None),
        ("console", None, None),
    ]


def test_what_agrees() -> None:
    printed = ["a", "b", "c", "d"]
    for shown in ("abcd", "…", "a…", "…cd", "a…c…d", "ab…cd"):
        assert pages.agree(list(shown), printed), shown
    for shown in ("", "a", "abc", "b…", "…c", "…c…b…", "a…abcd", "abc…cd", "abcx", "a…x…d"):
        assert not pages.agree(list(shown), printed), shown


def test_failures_are_noticed(tmp_path: Path) -> None:
    """A wrong line, an exit code that is not shown, and a command that fails in the middle of a script."""
    run_commands("$ python -c 'print(1)'\n1\n", tmp_path)
    with pytest.raises(AssertionError, match="print"):
        run_commands("$ python -c 'print(1)'\n2\n", tmp_path)
    with pytest.raises(AssertionError, match="exit code 3"):
        run_commands("$ python -c 'raise SystemExit(3)'\n", tmp_path)
    if os.name == "posix":
        run_script("distinctly --version | grep distinctly  # a comment\n", tmp_path)
        with pytest.raises(AssertionError, match="exit code 2"):
            run_script("distinctly measure nothing.txt\ndistinctly --version\n", tmp_path)


def test_every_page_of_coming_from_is_listed(root: Path) -> None:
    names = {path.stem for path in (root / "docs" / "coming-from").glob("*.md")} - {"index"}
    index = read("docs/coming-from/index.md")
    assert {name for name in names if f"]({name}.md)" in index} == names


def test_every_extra_for_users_is_on_the_start_page(root: Path) -> None:
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    section = project.split("[project.optional-dependencies]\n")[1].split("\n[")[0]
    extras = set(re.findall(r"^([\w-]+) = \[", section, re.MULTILINE))
    page = read("docs/start.md")
    listed = re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)))
    assert sorted(listed) == sorted(extras - FOR_DEVELOPERS)


@pytest.mark.slow
def test_commands_of_the_decision_tables_run(tmp_path: Path) -> None:
    pytest.importorskip("HanTa", reason="needs HanTa, the tagger of a command")
    tables = read("docs/choosing.md").partition("\n## The default table\n")[0]
    commands = re.findall(r"^\| [^|]+ \| `(distinctly [^`]+)` \|", tables, re.MULTILINE)
    assert len(commands) == len(re.findall(r"^\| (?!I want)", tables, re.MULTILINE))
    example_files.write(tmp_path)
    for command in commands:
        run_script(command, tmp_path)
