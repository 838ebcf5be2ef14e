"""Commands whose help shows options in groups, and options made from the fields of settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeVar

import click

from distinctly.config import RunConfig
from distinctly.errors import unknown
from distinctly.options import Setting, settings_of
from distinctly.run.resampling import Resampling
from distinctly.sources.base import Reading

Group = Literal["What", "Reading", "Comparing", "Output", "Running"]
Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]

# In the order of the help.
GROUPS: tuple[Group, ...] = ("What", "Reading", "Comparing", "Output", "Running")
_GROUP_OF: dict[type[Any], Group] = {Reading: "Reading", Resampling: "Comparing", RunConfig: "Running"}
# The help of a longer option is on the next line.
_WIDEST = 28


class GroupedOption(click.Option):
    """An option that belongs to a group of the help."""

    def __init__(self, *names: Any, group: Group = "What", **attributes: Any) -> None:
        super().__init__(*names, **attributes)
        self.group = group


class GroupedCommand(click.Command):
    """A command that shows its options under the headings of their groups, in one column."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group; ``--help`` is the last."""
        records: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                group = parameter.group if isinstance(parameter, GroupedOption) else GROUPS[-1]
                records[group].append(record)
        lengths = [len(names) for rows in records.values() for names, _ in rows]
        width = max(length for length in lengths if length <= _WIDEST)
        for heading, rows in records.items():
            if rows:
                (names, text), *others = rows
                with formatter.section(heading):
                    # One padded name aligns the group with the others.
                    formatter.write_dl([(names.ljust(width), text), *others], col_max=width)


def command(name: str, epilog: str = "") -> Callable[[Callable[..., Any]], click.Command]:
    """Declare a command whose help has groups of options."""
    return click.command(name, cls=GroupedCommand, epilog=epilog)


def option(*names: str, group: Group, **attributes: Any) -> Decorator[Any]:
    """Declare an option of a group; a flag that is not given is None, like any other option."""
    if attributes.get("is_flag"):
        attributes.setdefault("default", None)
    return click.option(*names, cls=GroupedOption, group=group, **attributes)


def settings(
    owner: type[Reading] | type[Resampling] | type[RunConfig],
    *names: str,
    without: Sequence[str] = (),
    changed: Mapping[str, Mapping[str, Any]] | None = None,
) -> Decorator[Any]:
    """Declare one option per field of a class of settings.

    The command gets them by the names of the fields; None if they are not given.

    Parameters
    ----------
    owner
        The class of the fields, which determines the group.
    names
        Fields to declare, in this order; by default all.
    without
        Fields to leave out.
    changed
        Attributes of `Setting` that differ for this command, by field.
    """
    known = settings_of(owner)
    wanted = [replace(known[name], **(changed or {}).get(name, {})) for name in names or known]
    options = [_option(field, _GROUP_OF[owner]) for field in wanted if field.name not in without]
    return together(*options)


def together(*options: Decorator[Any]) -> Decorator[Any]:
    """Declare several options at once, in the order of the help."""

    def decorate(function: Any) -> Any:
        for declare in reversed(options):
            function = declare(function)
        return function

    return decorate


def with_default(help_text: str, default: object) -> str:
    """Write the help of an option with its default."""
    return f"{help_text}  [default: {default}]" if default else help_text


def _option(field: Setting, group: Group) -> Decorator[Any]:
    attributes: dict[str, Any] = {"help": with_default(field.help, field.default)}
    if field.kind is bool:
        attributes |= {"is_flag": True, "flag_value": field.switches_to}
    elif field.kind is int:
        least = None if field.at_least is None else int(field.at_least)
        attributes |= {"metavar": field.metavar, "type": click.IntRange(min=least)}
    elif field.choices:
        attributes |= {"metavar": field.metavar, "type": _word_of(field.flag, field.choices)}
    else:
        attributes |= {"metavar": field.metavar}
    return option(field.flag, field.name, group=group, **attributes)


def _word_of(flag: str, choices: Sequence[str | int]) -> Callable[[str], str | int]:
    """Return a type for one of several words; for another word, its error suggests the nearest."""
    by_word = {str(choice): choice for choice in choices}

    def word(value: str) -> str | int:
        if value not in by_word:
            raise unknown("value", value, by_word, of=flag)
        return by_word[value]

    return word
