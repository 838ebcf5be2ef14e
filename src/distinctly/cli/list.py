"""`distinctly list`: the metrics and tokenizers, with their options."""

from __future__ import annotations

import inspect

import click

from distinctly.distance.base import Distance
from distinctly.errors import DistinctlyError, unknown
from distinctly.metric import Metric
from distinctly.options import HasOptions, default_of, describe_type, option_fields, written
from distinctly.registry import find_metric, metric_names
from distinctly.tokenizers import TOKENIZERS
from distinctly.tokenizers.base import Tokenizer

EPILOG = """\b
Examples:
  distinctly list
  distinctly list ead
"""


@click.command("list", epilog=EPILOG)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List metrics and tokenizers; with a NAME, tell all about one."""
    if name is None:
        _overview()
    elif name in TOKENIZERS:
        click.echo(_described(name, TOKENIZERS[name]) + _tokenizer_facts(TOKENIZERS[name]))
    elif name in metric_names():
        click.echo(_described(name, find_metric(name)) + _metric_facts(find_metric(name)))
    else:
        raise unknown("metric or tokenizer", name, [*metric_names(), *TOKENIZERS])


def _overview() -> None:
    width = max(map(len, [*metric_names(), *TOKENIZERS]))
    lines: dict[bool, list[str]] = {False: [], True: []}
    for name in metric_names():
        try:
            metric = find_metric(name)
            lines[issubclass(metric, Distance)].append(f"  {name:{width}}  {_first_line(metric)}")
        except DistinctlyError as error:  # a plug-in that does not load must not hide the others
            lines[False].append(f"  {name:{width}}  ({error})")
    click.echo("\n".join(["Metrics of one corpus: distinctly measure FILE -m NAME", *lines[False], ""]))
    click.echo("\n".join(["Distances: distinctly compare REFERENCE FILE -m NAME", *lines[True]]))
    click.echo("\nTokenizers")
    for name, kind in TOKENIZERS.items():
        needs = f" [{kind.extra}]" if kind.extra else ""
        click.echo(f"  {name:{width}}  {_first_line(kind)}{needs}")
    click.echo('\n[NAME] is an extra to install: pip install "distinctly[NAME]"')
    click.echo("Options of one: distinctly list NAME")


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _described(name: str, kind: type[HasOptions]) -> str:
    text, _, _ = (inspect.getdoc(kind) or "").partition("\nAttributes\n")
    text, _, _ = text.partition("\nExamples\n")
    lines = [name, "", text.strip(), "", "Options"]
    for f in option_fields(kind):
        default = default_of(f)
        shown = "to be given" if default is None else f"default {written(default) or 'what there is'}"
        lines.append(f"  {f.name:12} {describe_type(kind, f.name)}  ({shown})")
    return "\n".join(lines)


def _tokenizer_facts(kind: type[Tokenizer]) -> str:
    return f'\n\nIt needs an extra: pip install "distinctly[{kind.extra}]"' if kind.extra else ""


def _metric_facts(kind: type[Metric]) -> str:
    low, high = kind.bounds
    lines = ["", "", f"A larger value is {kind.more_is}; it lies between {low:g} and {high:g}."]
    for key, values in kind.expands.items():
        lines.append(f"Without its {key} it stands for {key} = {', '.join(map(written, values))}.")
    for preset, options in kind.presets.items():
        words = ",".join(f"{key}={written(value)}" for key, value in options.items())
        lines.append(f"preset={preset} means {words}.")
    return "\n".join(lines)
