"""Runs the commands of the start page and the tutorials, and compares their output with the page."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests import pages
from tests.shared import ROOT

import distinctly

PAGES = [
    "docs/start.md",
    *(page.relative_to(ROOT).as_posix() for page in sorted(ROOT.glob("docs/tutorials/*.md"))),
]
FOR_DEVELOPERS = {"bench", "dev", "docs", "integrations", "site", "test"}  # extras that are not for users


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_its_commands_print(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """Write the files that the page shows, and run its commands and examples, all in order, in one folder."""
    monkeypatch.chdir(tmp_path)
    text = (root / page).read_text(encoding="utf-8")
    blocks = pages.blocks(text)
    assert 2 * len(blocks) == len(re.findall(r"^\s*```", text, re.MULTILINE)), "a fence was not recognized"
    names: dict[str, object] = {}
    for block in blocks:
        if block.reason is not None:
            continue
        if block.title is not None:
            (tmp_path / block.title).write_text(block.body, encoding="utf-8", newline="\n")
        elif block.language == "console":
            run_commands(block.body, tmp_path)
        else:
            assert ">>> " in block.body, f"say why this block is not run:\n{block.body}"
            example = doctest.DocTestParser().get_doctest(block.body, names, page, page, 0)
            example.globs = names
            assert doctest.DocTestRunner().run(example, clear_globs=False).failed == 0


def run_commands(body: str, folder: Path) -> None:
    """Run the commands of a console block, and compare what they print with the lines below each."""
    code = 0
    package = str(Path(distinctly.__file__).parents[1])
    environment = {**os.environ, "COLUMNS": "100", "PYTHONPATH": package, "PYTHONUTF8": "1"}
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
            env=environment,
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


def test_every_extra_for_users_is_on_the_start_page(root: Path) -> None:
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    section = project.split("[project.optional-dependencies]\n")[1].split("\n[")[0]
    extras = set(re.findall(r"^([\w-]+) = \[", section, re.MULTILINE))
    page = (root / "docs/start.md").read_text(encoding="utf-8")
    listed = re.findall(r"`([\w-]+)`", " ".join(re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)))
    assert sorted(listed) == sorted(extras - FOR_DEVELOPERS)
