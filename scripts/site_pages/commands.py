"""The reference of the command line, made from the commands themselves."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator

import click

from distinctly.cli import cli
from distinctly.cli.grouped import GROUPS, Group, GroupedOption

FOLDER = "reference/commands"
# Characters that Markdown would obey.
_SPECIAL = re.compile(r"([\\*<>\[\]#|]|\b_|_\b)")


def command_pages() -> dict[str, str]:
    """Return the pages by path: one of the command itself, and one per subcommand.

    Examples
    --------
    >>> list(command_pages())[:2]
    ['reference/commands/index.md', 'reference/commands/measure.md']
    """
    pages = {f"{FOLDER}/index.md": _start_page()}
    for name, command in _subcommands(cli):
        sections = [_section(words, below, 1 + depth) for words, below, depth in _walk(name, command)]
        pages[f"{FOLDER}/{name}.md"] = "\n".join(sections)
    return pages


def all_commands() -> dict[str, click.Command]:
    """Return every command and subcommand by its words, such as ``judge similarity``.

    Examples
    --------
    >>> {"measure", "judge", "judge similarity"} <= all_commands().keys()
    True
    """
    found = dict(_subcommands(cli))
    return {words: below for name, command in found.items() for words, below, _ in _walk(name, command)}


def _subcommands(group: click.Command) -> Iterator[tuple[str, click.Command]]:
    """Yield the names and commands of a group; nothing for a command."""
    if not isinstance(group, click.Group):
        return
    context = _context(group, group.name or "")
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is None:
            raise LookupError(f"expected the command '{name}' of '{group.name}', got none.")
        yield name, command


def _walk(words: str, command: click.Command, depth: int = 0) -> Iterator[tuple[str, click.Command, int]]:
    """Yield a command and all commands below it, with their words and depths."""
    yield words, command, depth
    for name, below in _subcommands(command):
        yield from _walk(f"{words} {name}", below, depth + 1)


def _context(command: click.Command, name: str) -> click.Context:
    """Return a context with the settings that subcommands inherit, such as the names of the help option."""
    return click.Context(command, info_name=name, **cli.context_settings)


def _start_page() -> str:
    lines = [
        "# The command line",
        "",
        _prose(cli.help or ""),
        "",
        "```",
        "distinctly [OPTIONS] COMMAND [ARGS]...",
        "```",
        "",
        "`distinctly COMMAND --help` shows the same in a terminal. `python -m distinctly` is the same.",
        "",
        "| command | question |",
        "|---|---|",
    ]
    for name, command in _subcommands(cli):
        below = [f"[{inner}]({name}.md#distinctly-{name}-{inner})" for inner, _ in _subcommands(command)]
        inside = f" ({', '.join(below)})" if below else ""
        lines.append(f"| [{name}]({name}.md){inside} | {_prose(_summary(command, name))} |")
    lines += ["", "## Options", "", *_options(cli, "distinctly"), *_epilog(cli)]
    return "\n".join(lines)


def _summary(command: click.Command, name: str) -> str:
    """Return what the help says of a command in one line."""
    known: dict[str, str] = getattr(cli, "known", {})
    return known.get(name) or command.get_short_help_str(200)


def _section(words: str, command: click.Command, level: int) -> str:
    """Return the heading, usage, description, options and examples of a command."""
    name = f"distinctly {words}"
    context = _context(command, name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    lines = [f"{'#' * level} {name}", "", "```", usage, "```", "", _prose(command.help or ""), ""]
    below = list(_subcommands(command))
    if below:
        known: dict[str, str] = getattr(command, "known", {})
        lines += ["| command | meaning |", "|---|---|"]
        lines += [
            f"| [{inner}](#{'-'.join([*name.split(), inner])}) | {_prose(known.get(inner, ''))} |"
            for inner, _ in below
        ]
        lines.append("")
    lines += _options(command, name, level + 1 if not below else 0)
    lines += _epilog(command)
    return "\n".join(lines)


def _options(command: click.Command, name: str, level: int = 0) -> list[str]:
    """Return the options as lists of definitions, under the headings of their groups if there is a level."""
    context = _context(command, name)
    groups: dict[Group, list[str]] = {group: [] for group in GROUPS}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is None:
            continue
        group = parameter.group if isinstance(parameter, GroupedOption) else GROUPS[-1]
        names, text = record
        anchor = f"{name.replace(' ', '-')}{max(parameter.opts, key=len)}"
        term = f'<code id="{anchor}">{html.escape(names)}</code>'
        groups[group] += [term, f":   {_prose(text) or '&nbsp;'}", ""]
    lines = []
    for group, items in groups.items():
        if items:
            lines += [f"{'#' * level} {group}", "", *items] if level else items
    return lines


def _epilog(command: click.Command) -> list[str]:
    r"""Return the text after the options: blocks that begin with ``\b`` keep their lines."""
    lines: list[str] = []
    for block in inspect.cleandoc(command.epilog or "").split("\b\n"):
        title, _, content = block.strip().partition("\n")
        if content:
            kind = "shell" if "distinctly" in content.split("\n")[0] else "text"
            lines += [f"**{title}**", "", f"```{kind}", inspect.cleandoc(f"\n{content}"), "```", ""]
        elif title:
            lines += [_prose(title), ""]
    return lines


def _prose(text: str) -> str:
    r"""Return a text of a help as Markdown, in which only code has a meaning.

    Examples
    --------
    >>> print(_prose("A FILE is *.txt; `--field` names its <field>."))
    A FILE is \*.txt; `--field` names its \<field\>.
    """
    parts = re.split(r"(`[^`\n]+`)", inspect.cleandoc(text).replace("\b\n", ""))
    return "".join(part if part.startswith("`") else _SPECIAL.sub(r"\\\1", part) for part in parts)
