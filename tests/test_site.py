"""The documentation site: its reference has every public name and option, and its navigation every page.

The pages are generated in memory, without MkDocs; `.ci/run` builds the site, where a wrong link is an error.
"""

from __future__ import annotations

import ast
import doctest
import html
import re
from pathlib import Path

import click
import pytest
from scripts.site_pages import options
from scripts.site_pages.commands import all_commands, command_pages
from scripts.site_pages.loaded import loaded_from_elsewhere
from scripts.site_pages.navigation import SECTIONS, navigation, pages_of, section_list
from scripts.site_pages.outside import DOCS, find_outside, links, relink
from scripts.site_pages.python import MODULES, public_names, python_pages

import distinctly
from distinctly.cli import COMMANDS, cli
from distinctly.registry import metric_class_names

DESCRIBED = re.compile(r"^::: (\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def written(root: Path) -> dict[str, str]:
    """The pages of `docs`, by path in it."""
    folder = root / DOCS
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")
    }


@pytest.fixture(scope="module")
def pages(root: Path, written: dict[str, str]) -> dict[str, str]:
    """All pages of the site by path: written, generated, and of files outside `docs`."""
    outside = find_outside(root, {f"{DOCS}/{uri}": text for uri, text in written.items()})
    return {
        **written,
        **python_pages(),
        **command_pages(),
        **{file.uri: file.content for file in outside.values() if file.content is not None},
    }


def described() -> list[str]:
    """Return what the pages ask mkdocstrings to describe."""
    return [name for text in python_pages().values() for name in DESCRIBED.findall(text)]


def test_every_public_name_is_described_once() -> None:
    names = described()
    assert len(set(names)) == len(names)
    modules = {name for name in MODULES if name in distinctly.__all__}
    wanted = {f"distinctly.{name}" for name in distinctly.__all__ if name != "__version__"}
    assert wanted - {f"distinctly.{name}" for name in modules} <= set(names)


def test_every_metric_class_is_described_with_its_name_and_card(written: dict[str, str]) -> None:
    text = "".join(python_pages()[f"reference/python/{kind}.md"] for kind in ("diversity", "distance"))
    classes = [name.rpartition(".")[2] for name in DESCRIBED.findall(text)]
    assert sorted(classes) == sorted(metric_class_names())
    for name in metric_class_names():
        assert f"{{#distinctly.{name}}}" in text, "the short name leads to it"
    cards = re.findall(r"Card: \[\w+\]\(\.\./\.\./(metrics/\w+\.md)\)", text)
    assert sorted(cards) == sorted(uri for uri in written if uri.startswith("metrics/"))


@pytest.mark.parametrize("module", sorted(MODULES))
def test_every_public_name_of_a_module_is_described(root: Path, module: str) -> None:
    """Lines of the source that begin a class or function count, so that no module needs its extra."""
    names = public_names(module)
    assert {f"distinctly.{module}.{name}" for name in names} <= set(described())
    if module == "judging":
        assert names == distinctly.judging.__all__
    else:
        source = (root / "src" / "distinctly" / f"{module}.py").read_text(encoding="utf-8")
        assert names == re.findall(r"^(?:class|def) ([A-Za-z]\w*)", source, re.MULTILINE)


def test_modules_for_users_have_a_page(root: Path) -> None:
    """A module that raises for a missing extra, and belongs to no package, is one that users import."""
    for path in (root / "src" / "distinctly").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        attempts = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Try)]
        adapts = any("missing_extra" in text for text in attempts)
        assert not adapts or path.stem in MODULES, f"add {path.stem} to MODULES of site_pages/python.py"


def test_every_command_has_a_heading() -> None:
    commands = all_commands()
    assert set(COMMANDS) <= commands.keys()
    for words in commands:
        page = command_pages()[f"reference/commands/{words.split()[0]}.md"]
        assert re.search(rf"^#+ distinctly {re.escape(words)}$", page, re.MULTILINE), words


@pytest.mark.parametrize("words", ["", *all_commands()])
def test_every_option_is_described(words: str) -> None:
    command = all_commands()[words] if words else cli
    name = f"distinctly {words}".strip()
    page = command_pages()[f"reference/commands/{words.split(maxsplit=1)[0] if words else 'index'}.md"]
    context = click.Context(command, info_name=name, **cli.context_settings)
    for option in command.get_params(context):
        if not isinstance(option, click.Option) or option.hidden:
            continue
        anchor = f'<code id="{name.replace(" ", "-")}{max(option.opts, key=len)}">'
        assert page.count(anchor) == 1, option.opts
        term, _, rest = page.partition(anchor)[2].partition("</code>\n:   ")
        shown = re.split(r", | / | ", html.unescape(term))
        assert {*option.opts, *option.secondary_opts} <= set(shown)
        explained = re.findall(r"\w+", rest.partition("\n")[0].replace("\\", ""))
        expected = re.findall(r"\w+", option.help or "")
        assert explained[: len(expected)] == expected


def test_options_are_in_the_groups_of_the_help() -> None:
    page = command_pages()["reference/commands/measure.md"]
    order = [
        "## What",
        "-measure--metric",
        "## Reading",
        "-measure--field",
        "## Comparing",
        "-measure--interval",
    ]
    positions = [page.index(text) for text in [*order, "## Output", "-measure--format", "## Running"]]
    assert positions == sorted(positions)


def test_every_page_is_in_the_navigation_once(pages: dict[str, str]) -> None:
    found = pages_of(navigation(pages))
    assert sorted(found) == sorted(pages)


def test_new_pages_appear_without_a_change(pages: dict[str, str]) -> None:
    new = {
        "start.md": "# Start",
        "tutorials/index.md": "[two](two.md), then [one](one.md#top)",
        "tutorials/one.md": "# One",
        "tutorials/two.md": "# Two",
        "tutorials/extra.md": "# Extra",
        "coming-from/nltk.md": "# NLTK",
        "glossary.md": "# Glossary",
        "colours.md": "# A new guide",
    }
    without = {
        uri: text for uri, text in pages.items() if uri not in new and not uri.startswith("tutorials/")
    }
    entries = navigation({**without, **new})
    sections = {title: value for entry in entries for title, value in entry.items()}
    assert list(sections) == ["Home", *SECTIONS]
    assert sections["Start"] == "start.md"
    assert sections["Tutorials"] == [
        "tutorials/index.md",
        "tutorials/two.md",
        "tutorials/one.md",
        "tutorials/extra.md",
    ]
    assert sections["Guides"][-1] == {"More": ["colours.md"]}
    assert "- **[Start](start.md)**" in section_list(entries)


def test_tutorials_without_an_index_are_in_the_order_of_the_start_page() -> None:
    tutorials = {"tutorials/a.md": "", "tutorials/b.md": "", "tutorials/c.md": ""}
    start = {"start.md": "[b](tutorials/b.md), [c](tutorials/c.md)"}
    entries = navigation({**tutorials, **start})
    assert entries[1] == {"Tutorials": ["tutorials/b.md", "tutorials/c.md", "tutorials/a.md"]}


def test_cards_are_under_the_questions_of_the_table() -> None:
    table = "| question | metrics |\n|---|---|\n| How many? | [b](metrics/b.md), [a](metrics/a.md#x); one |\n"
    pages = {"metrics.md": table, "metrics/a.md": "", "metrics/b.md": "", "metrics/new.md": ""}
    assert navigation(pages) == [
        {
            "Metrics": [
                "metrics.md",
                {"How many?": ["metrics/b.md", "metrics/a.md"]},
                {"Other": ["metrics/new.md"]},
            ]
        }
    ]


def test_files_outside_docs_become_pages(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("[run](scripts/run.py) ![p](chart.png)", encoding="utf-8")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run.py").write_text('"""```"""\n', encoding="utf-8")
    (tmp_path / "chart.png").write_bytes(b"\x89PNG\xff")
    (tmp_path / ".secret").write_text("x", encoding="utf-8")
    (tmp_path / "scripts" / "README.md").write_text("[run](run.py)", encoding="utf-8")
    page = (
        "[c](../CHANGELOG.md) [r](../scripts/README.md) `[no](../no.py)` "
        "[gone](../gone.md) [s](../.secret) [out](../../etc/passwd)"
    )
    found = find_outside(tmp_path, {"docs/a.md": page})
    assert {path: file.uri for path, file in found.items()} == {
        "CHANGELOG.md": "project/CHANGELOG.md",
        "scripts/run.py": "project/scripts/run.py.md",
        "scripts/README.md": "project/scripts/about.md",
        "chart.png": "project/chart.png",
    }
    assert found["chart.png"].content is None
    assert '\n````python\n"""```"""\n````\n' in str(found["scripts/run.py"].content)


def test_links_lead_to_pages_and_code_stays() -> None:
    code = "`[b](../CHANGELOG.md)`\n```\n[c](../CHANGELOG.md)\n```\n"
    text = f"[a](../../CHANGELOG.md#x) {code}[d](gone.md) [e](https://x.org)"
    uri_of = {"CHANGELOG.md": "project/CHANGELOG.md", "docs/guide.md": "guide.md"}.get
    changed = f"[a](../project/CHANGELOG.md#x) {code}[d](gone.md) [e](https://x.org)"
    assert relink(text, "docs/metrics/m.md", "metrics/m.md", uri_of) == changed
    assert relink("[g](docs/guide.md)", "CHANGELOG.md", "project/CHANGELOG.md", uri_of) == "[g](../guide.md)"
    assert list(links(text)) == ["../../CHANGELOG.md#x", "gone.md", "https://x.org"]


def test_what_a_page_loads_from_elsewhere_is_found() -> None:
    """Links are for readers; scripts, images, style sheets and fonts would be requested."""
    page = """
        <a href="https://a.org"><link rel="canonical" href="https://a.org/b"><img src="../c.png">
        <script async src='https://s.org/s.js'></script><link href="//f.org/f.css" rel="stylesheet">
        <style>@font-face { src: url(http://t.org/t.woff) } p { background: url(d.png) }</style>
        <img alt="" src=https://i.org/i.png>
    """
    assert loaded_from_elsewhere(page) == [
        "https://s.org/s.js",
        "//f.org/f.css",
        "http://t.org/t.woff",
        "https://i.org/i.png",
    ]


def test_options_are_not_broken() -> None:
    assert doctest.testmod(options).failed == 0
    others = "<code>a - b</code> <code>--x</code> <pre><code><span>a --by c</span></code></pre> a --by c"
    shown = others.replace("--x", '<span class="option">--x</span>', 1)
    assert options.unbroken(others) == shown
