"""`distinctly judge people`: does a metric agree with people?"""

from __future__ import annotations

import functools
from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings
from distinctly.cli.judge.options import (
    agreement_options,
    check_shown,
    embedders_option,
    listed,
    run_trial,
    work_options,
)
from distinctly.cli.options import metric_option, tokenizer_option
from distinctly.errors import SpecError
from distinctly.sources.base import Reading

# Sets are rows of a table, so only some fields of `Reading` apply.
READING = ("field", "prompt", "encoding", "errors", "delimiter", "sheet", "format")
_CHANGED = {
    "field": {"help": "Field that holds the text, or the list of texts.", "default": "texts"},
    "prompt": {"help": "Field that holds the prompt of a set, for metrics with context=prompt."},
    "format": {
        "help": "Format of the input: jsonl, json, csv, tsv, xlsx, parquet, arrow.",
        "default": "the ending of the file",
    },
}

EPILOG = """\b
Examples:
  distinctly judge people essays.csv --field Text --human Rating
  distinctly judge people sets.jsonl --human score
  distinctly judge people sets.jsonl --human score --subset task --column 'metric_*' --plots figures/
  distinctly judge people sets.jsonl --annotations scores --scale 1 50 -m ead -m mymodule:score
  distinctly judge people table-2.csv --human human --column distinct --column ead --subset corpus
\b
A row of sets.jsonl: {"texts": ["a cat", "a dog"], "score": 4.5, "task": "story", "metric_x": 0.3},
or, with --annotations scores, {"texts": […], "scores": {"ann": 31, "bob": 40}}.
"""


@grouped_command("people", epilog=EPILOG)
@click.argument("sets", metavar="SETS")
@metric_option(["all metrics of one corpus, if there are texts"])
@tokenizer_option
@embedders_option
@option("--columns-only", group="What", is_flag=True, help="Judge only the columns, even if there are texts.")
@option(
    "--against",
    group="What",
    metavar="SPEC",
    help="Metric or column to test the others against.  [default: the best]",
)
@option(
    "--human",
    group="Reading",
    metavar="FIELD",
    help="Field that holds the score given by people, or any other number; higher is more diverse.",
)
@option(
    "--annotations",
    group="Reading",
    multiple=True,
    metavar="FIELD",
    help="Instead of --human, the scores of single annotators: a field that holds a mapping or a list of "
    "them, or one field per annotator; repeatable, also as a pattern ('worker_*').",
)
@agreement_options("others")
@option(
    "--scale",
    group="Reading",
    type=float,
    nargs=2,
    metavar="LOW HIGH",
    help="Ends of the annotators' scale, mapped to 0 and 10; correlations do not change.",
)
@option(
    "--package",
    "packages",
    group="Reading",
    multiple=True,
    metavar="FIELD",
    help="Field that names the package of sets that annotators compared: their scores are rescaled per "
    "package, so that only contrasts count; repeatable.",
)
@option(
    "--subset",
    "subsets",
    group="Reading",
    multiple=True,
    metavar="FIELD",
    help="Field that names the part of the data a set belongs to; repeatable.",
)
@option(
    "--column",
    "columns",
    group="Reading",
    multiple=True,
    metavar="FIELD",
    help="Field that holds the values of another metric to judge; repeatable, also as a pattern.",
)
@settings(Reading, *READING, changed=_CHANGED)
@work_options
def command(
    sets: str,
    metrics: tuple[str, ...],
    columns_only: bool | None,
    annotations: tuple[str, ...],
    least_agreement: str,
    **options: Any,
) -> None:
    """Correlate metrics with human scores of the diversity of SETS, a file with one set of texts per row.

    A row may also be a single text with any number, such as a rating: metrics that compare texts with each
    other are then left out, and the number is called by the name of its field.

    A positive correlation is agreement, whatever the direction of the metric. Without texts, only columns
    are judged.
    """
    from distinctly.judging.people.trial import human_agreement

    check_shown(options)
    if columns_only and metrics:
        raise SpecError("--columns-only cannot be combined with --metric. Remove one of them.")
    options["annotations"] = listed(annotations)
    judged = [] if columns_only else listed(metrics)
    # None is a value here: all annotators are kept.
    trial = functools.partial(human_agreement, least_agreement=_agreement(least_agreement))
    run_trial(trial, sets, judged, **options)


def _agreement(word: str) -> float | None:
    if word == "none":
        return None
    try:
        return float(word)
    except ValueError:
        raise SpecError(f"Expected --least-agreement to be a number or none, got '{word}'.") from None
