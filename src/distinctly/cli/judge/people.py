"""`distinctly judge people`: does a metric agree with people?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.judge.options import Shared, embedders_option, listed, work_options
from distinctly.cli.options import metric_option
from distinctly.errors import SpecError
from distinctly.judging.people.annotations import LEAST_AGREEMENT

EPILOG = """\b
Examples:
  distinctly judge people sets.jsonl --human score
  distinctly judge people sets.jsonl --human score --subset task --column 'metric_*' --plots figures/
  distinctly judge people sets.jsonl --annotations scores --scale 1 50 -m ead -m mymodule:score
  distinctly judge people table.csv --human human --column distinct --column ead --subset corpus
\b
A row of sets.jsonl: {"texts": ["a cat", "a dog"], "score": 4.5, "task": "story", "metric_x": 0.3},
or, with --annotations scores, {"texts": […], "scores": {"ann": 31, "bob": 40}}.
"""


@click.command("people", epilog=EPILOG)
@click.argument("sets", metavar="SETS")
@metric_option(["every metric of one corpus, if there are texts"])
@click.option("--human", metavar="NAME", help="Field with the human score; higher is more diverse.")
@click.option(
    "--annotations",
    multiple=True,
    metavar="NAME",
    help="Field with the scores of all annotators, a mapping or a list, instead of --human; or one field per "
    "annotator. May be repeated, and may be a pattern ('worker_*').",
)
@click.option(
    "--least-agreement",
    default=str(LEAST_AGREEMENT),
    show_default=True,
    metavar="R",
    help="Drop annotators whose correlation with the mean of the others is lower; none keeps all.",
)
@click.option(
    "--scale",
    type=float,
    nargs=2,
    metavar="LOW HIGH",
    help="Lowest and highest score of the annotators' scale; they are mapped to 0 and 10.",
)
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="NAME",
    help="Field with the subset that a set belongs to; may be repeated.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME",
    help="Field with the values of another metric to judge; may be repeated, and may be a pattern.",
)
@click.option("--columns-only", is_flag=True, help="Judge the columns only, even if there are texts.")
@click.option(
    "--against",
    metavar="SPEC",
    help="Metric or column that the others are tested against.  [default: the best]",
)
@click.option("--tokenizer", metavar="SPEC", help="As for `distinctly measure`.  [default: words]")
@click.option("--field", metavar="NAME", help="Field with the list of texts.  [default: texts]")
@click.option(
    "--input",
    "input_format",
    metavar="FORMAT",
    help="jsonl, json, csv or tsv.  [default: by the file's ending]",
)
@click.option("--encoding", default="utf-8", metavar="NAME", help="Encoding of the file.  [default: utf-8]")
@click.option(
    "--errors",
    default="strict",
    metavar="HOW",
    help="How to handle undecodable bytes: strict, replace, ignore.  [default: strict]",
)
@click.option(
    "--no-cache", is_flag=True, help="Do not read vectors from the cache, and do not store them in it."
)
@embedders_option
@work_options
def command(
    sets: str,
    metrics: tuple[str, ...],
    human: str | None,
    annotations: tuple[str, ...],
    least_agreement: str,
    scale: tuple[float, float] | None,
    subsets: tuple[str, ...],
    columns: tuple[str, ...],
    columns_only: bool,
    against: str | None,
    field: str | None,
    input_format: str | None,
    encoding: str,
    errors: str,
    **shared: Any,
) -> None:
    """Correlate metrics with human scores of the diversity of SETS, a file with one set of texts per row.

    A positive correlation means agreement, for metrics of either direction. Without texts, only the columns
    are judged.
    """
    from distinctly.judging.people.trial import human_agreement

    of = Shared.of(shared)
    if columns_only and metrics:
        raise SpecError(
            "--columns-only judges no metric and cannot be combined with --metric. Leave out one of them."
        )
    of.run(
        human_agreement,
        sets,
        [] if columns_only else listed(metrics),
        human=human,
        annotations=listed(annotations),
        least_agreement=_read_agreement(least_agreement),
        scale=scale,
        subsets=subsets,
        columns=columns,
        against=against,
        field=field,
        format=input_format,
        encoding=encoding,
        errors=errors,
    )


def _read_agreement(word: str) -> float | None:
    if word == "none":
        return None
    try:
        return float(word)
    except ValueError:
        raise SpecError(f"Expected --least-agreement to be a number or none, got '{word}'.") from None
