"""`distinctly list`: the metrics, sets of them, tokenizers, embedders and taggers, with their options."""

from __future__ import annotations

import inspect
from dataclasses import MISSING

import click

from distinctly.cli import say
from distinctly.distance.base import Distance
from distinctly.embedders import EMBEDDERS
from distinctly.errors import DistinctlyError, installation, unknown
from distinctly.metrics import Metric
from distinctly.options import HasOptions, aliases_of, default_of, describe_type, option_fields, written
from distinctly.registry import find_metric, is_metric_name, metric_names
from distinctly.sets import SETS, specs_in
from distinctly.taggers import TAGGERS
from distinctly.tokenizers import TOKENIZERS
from distinctly.views.parsing import TAGS

# What a metric reads of texts is made by one of these.
VIEWS = {**TOKENIZERS, **EMBEDDERS, **TAGGERS}
EPILOG = """\b
Examples:
  distinctly list
  distinctly list ead
"""


@click.command("list", epilog=EPILOG)
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """List metrics, sets of metrics, tokenizers, embedders and taggers; with a NAME, describe one."""
    if name is None:
        _overview()
    elif name in SETS:
        say("\n".join([name, "", SETS[name], "", "Metrics", *(f"  {spec}" for spec in specs_in(name))]))
    elif name in VIEWS:
        then = EMBEDDERS[name].then if name in EMBEDDERS else ""
        say(_described(name, VIEWS[name]) + _needed(VIEWS[name].extra, then))
    elif is_metric_name(name):
        metric = find_metric(name)
        title = ", also ".join([metric.metric_name(), *metric.aliases])
        say(_described(title, metric) + _metric_facts(metric))
    else:
        known = [*metric_names(), *SETS, *VIEWS]
        raise unknown("metric, set of metrics, tokenizer, embedder or tagger", name, known)


def _overview() -> None:
    width = max(map(len, [*metric_names(), *VIEWS]))
    lines: dict[bool, list[str]] = {False: [], True: []}
    for name in metric_names():
        try:
            metric = find_metric(name)
            lines[issubclass(metric, Distance)].append(f"  {name:{width}}  {_first_line(metric)}")
        except DistinctlyError as error:  # a plug-in that does not load does not hide the others
            lines[False].append(f"  {name:{width}}  ({error})")
    say("\n".join(["Metrics of one corpus: distinctly measure FILE -m NAME", *lines[False], ""]))
    sets = [f"  {name:{width}}  {meaning}" for name, meaning in SETS.items()]
    say("\n".join(["Sets of these: distinctly measure FILE -m NAME", *sets, ""]))
    say("\n".join(["Distances: distinctly compare REFERENCE FILE -m NAME", *lines[True]]))
    for title, kinds in (("Tokenizers", TOKENIZERS), ("Embedders", EMBEDDERS), ("Taggers", TAGGERS)):
        say(f"\n{title}")
        for name, kind in kinds.items():
            needs = f" [{kind.extra}]" if kind.extra else ""
            say(f"  {name:{width}}  {_first_line(kind)}{needs}")
    say('\n[NAME] is an extra to install: pip install "distinctly[NAME]"')
    say("Options of each: distinctly list NAME")


def _first_line(kind: type) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _described(name: str, kind: type[HasOptions]) -> str:
    text, _, _ = (inspect.getdoc(kind) or "").partition("\nAttributes\n")
    text, _, _ = text.partition("\nExamples\n")
    lines = [name, "", text.strip(), "", "Options"]
    for field in option_fields(kind):
        default = default_of(field)
        if default is not None:
            shown = f"default {written(default) or 'automatic'}"
        else:
            shown = "required" if field.default is MISSING else "by default not given"
        also = f"; also {', '.join(aliases_of(field))}" if aliases_of(field) else ""
        lines.append(f"  {field.name:12} {describe_type(kind, field.name)}  ({shown}{also})")
    return "\n".join(lines)


def _needed(extra: str, then: str = "") -> str:
    return f"\n\nRequires an extra: {installation(extra, then)}" if extra else ""


def _metric_facts(kind: type[Metric]) -> str:
    low, high = kind.bounds
    lines = ["", "", f"A larger value is {kind.more_is}; values are between {low:g} and {high:g}."]
    if kind.default_view:
        # A tokenizer does not replace tags.
        without = "`of`" if kind.default_view == TAGS else "`of` or a tokenizer"
        lines.append(f"Without {without}, it reads {kind.default_view}.")
    for key, values in kind.expands.items():
        lines.append(f"Without {key}, it is measured for {key} = {', '.join(map(written, values))}.")
    for option, name in kind.elsewhere.items():
        lines.append(f"With {option}, a spec names another metric: distinctly list {name}.")
    for preset, options in kind.presets.items():
        words = ",".join(f"{key}={written(value)}" for key, value in options.items())
        lines.append(f"preset={preset} means {words}.")
    return "\n".join(lines)
