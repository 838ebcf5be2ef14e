"""`distinctly measure`: how varied is a corpus?"""

from __future__ import annotations

from typing import Any, Literal

import click

from distinctly.api import DEFAULT_METRICS, measure_all
from distinctly.cli.options import (
    Requirement,
    check_output,
    drawing_options,
    examples_option,
    metric_option,
    open_named,
    reading_of,
    reading_options,
    report_failures,
    showing_options,
)
from distinctly.cli.progress import ProgressBar
from distinctly.corpus import Corpus
from distinctly.errors import SpecError
from distinctly.report import render
from distinctly.spec import parse_metrics

EPILOG = """\b
Examples:
  distinctly measure outputs.txt
  distinctly measure human.txt model.txt -m distinct:n=2 -m ead
  distinctly measure data.parquet --field response
  distinctly measure 'run-a/*.jsonl.gz' 'run-b/*.jsonl.gz'
  distinctly measure essays/ --file-a-text
  distinctly measure outputs.jsonl --field response --tokenizer words:lc=yes
  distinctly measure samples.jsonl --field texts --group prompt_id -m distinct:pool=group
  distinctly measure systems.jsonl --by model --group prompt_id --interval --paired
  distinctly measure outputs.txt --explain
  distinctly measure outputs.txt -m ead:vocabulary=reference --reference train.txt
  cat outputs.txt | distinctly measure - --format json
  distinctly measure outputs.txt --require "ead>=0.2" --require "distinct:n=2>0.4"
"""


@click.command("measure", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@metric_option(DEFAULT_METRICS)
@reading_options
@click.option("--id", "id_", metavar="NAME", help="The field with the text's id.")
@click.option("--reference", metavar="FILE", help="A second corpus, for metrics that need one.")
@drawing_options
@click.option(
    "--paired",
    is_flag=True,
    help="Test each corpus against the best by exchanging texts, within groups where both have them.",
)
@click.option(
    "--sample",
    type=click.Choice(["common", "all"]),
    default="common",
    help="Several corpora: at the size of the smallest, or each as it is.  [default: common]",
)
@click.option(
    "--permutations",
    type=click.IntRange(min=1),
    default=1000,
    metavar="N",
    help="Exchanges for a test.  [default: 1000]",
)
@click.option(
    "--population",
    type=click.IntRange(min=1),
    metavar="N",
    help="The texts (groups) are a random part of N: narrower intervals.  [default: without end]",
)
@click.option(
    "--explain", is_flag=True, help="Also show the n-grams and the texts that cost the most variety."
)
@examples_option(5)
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="Also show the K most frequent n-grams.")
@showing_options
@click.option(
    "--memory",
    metavar="SIZE",
    help="What counts may take before they go to a temporary folder, as in 0.5GB.  [default: a quarter]",
)
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    tokenizer: str | None,
    id_: str | None,
    reference: str | None,
    by: str | None,
    embedder: str | None,
    no_cache: bool,
    interval: bool,
    paired: bool,
    sample: Literal["common", "all"],
    seed: int,
    subsamples: int,
    permutations: int,
    population: int | None,
    explain: bool,
    examples: int,
    top: int | None,
    output_format: str,
    score_only: bool,
    requirements: tuple[str, ...],
    batch_size: int | None,
    threads: int | None,
    device: str,
    memory: str | None,
    **how: Any,
) -> int:
    """Measure how varied each FILE is.

    A FILE is .txt (a text a line), .jsonl, .json (an array), .csv, .tsv, .parquet or .arrow; what is text
    may also be .gz, .xz, .bz2 or .zst. - is standard input. A folder, or a pattern in quotes, is one
    corpus of all its files. Several FILEs are several corpora, shown side by side.
    """
    if by is not None and id_ is not None:
        raise SpecError("--by and --id cannot both be given: texts are told apart by one field.")
    reading = reading_of(id_=id_ if by is None else by, **how)
    check_output(output_format, score_only=score_only, top=top, explain=explain)
    gates = [Requirement.parse(text) for text in requirements]
    specs = list(dict.fromkeys([*(metrics or DEFAULT_METRICS), *(gate.spec for gate in gates)]))
    wanted = [request.spec for request in parse_metrics(specs)]
    with ProgressBar() as progress:
        scores = measure_all(
            open_named(files, reading),
            wanted,
            tokenizer=tokenizer,
            embedder=embedder,
            cache=not no_cache,
            reference=_reference(reference, reading),
            by=by,
            interval=interval,
            paired=paired,
            sample=sample,
            seed=seed,
            subsamples=subsamples,
            permutations=permutations,
            population=population,
            explain=examples if explain else 0,
            top=top or 0,
            batch_size=batch_size,
            threads=threads,
            device=device,
            memory=memory,
            progress=progress,
            watch=progress.step,
        )
    render(scores, "values" if score_only else output_format)
    return 1 if report_failures(gates, scores) else 0


def _reference(file: str | None, reading: dict[str, Any]) -> Corpus | None:
    if file is None:
        return None
    return Corpus.read(file, **{key: value for key, value in reading.items() if key not in ("group", "id")})
