"""`distinctly compare`: how far are corpora from a reference?"""

from __future__ import annotations

from typing import Any

import click

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
    vectors_option,
)
from distinctly.cli.progress import ProgressBar
from distinctly.distances import DEFAULT_DISTANCES, compare
from distinctly.errors import SpecError
from distinctly.report import render
from distinctly.spec import parse_metrics

EPILOG = """\b
Examples:
  distinctly compare human.txt model.txt
  distinctly compare human.jsonl a.jsonl b.jsonl --field response --noise-floor --permutations 1000
  distinctly compare systems.jsonl --by model --reference human --explain
  distinctly compare a.txt b.txt c.txt --matrix -m mauve -m frechet
  distinctly compare human.txt model.txt --embedder sbert:all-MiniLM-L6-v2 --device cuda
  distinctly compare human.txt model.txt -m frechet --vectors human.npy --vectors model.npy
  distinctly compare human.txt model.txt --require "mauve<=0.2"
"""


@click.command("compare", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="REFERENCE [CANDIDATE]...")
@metric_option(DEFAULT_DISTANCES)
@reading_options
@vectors_option
@click.option(
    "--reference",
    "against",
    metavar="NAME",
    help="Which corpus is the reference, by its name or its value of --by.  [default: the first]",
)
@click.option("--matrix", is_flag=True, help="Compare all with all.")
@click.option(
    "--permutations",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Give every distance a p-value, from N shuffles of the texts.  [default: 0]",
)
@click.option("--noise-floor", is_flag=True, help="Also measure two random parts of the reference.")
@drawing_options
@click.option(
    "--subsample", type=click.IntRange(min=1), metavar="N", help="Compare N random texts of each corpus."
)
@click.option("--explain", is_flag=True, help="Also show the tokens and the texts that drive the distance.")
@examples_option(3)
@showing_options
@click.option("--tf32", is_flag=True, help="Multiply in TF32 on a GPU: faster, with three digits.")
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    tokenizer: str | None,
    by: str | None,
    embedder: str | None,
    no_cache: bool,
    vectors: tuple[str, ...],
    against: str | None,
    matrix: bool,
    permutations: int,
    noise_floor: bool,
    interval: bool,
    seed: int,
    subsamples: int,
    subsample: int | None,
    explain: bool,
    examples: int,
    output_format: str,
    score_only: bool,
    requirements: tuple[str, ...],
    batch_size: int | None,
    threads: int | None,
    device: str,
    tf32: bool,
    **how: Any,
) -> int:
    """Measure how far each CANDIDATE is from the REFERENCE: 0 is the same, larger is farther.

    Files are as for `distinctly measure`. With --by, one file is enough: its texts are split by a field.
    """
    if len(files) < 2 and by is None:
        raise SpecError("Expected a reference and a candidate, or one file and --by NAME to split it.")
    check_output(output_format, score_only=score_only, explain=explain)
    gates = [Requirement.parse(text) for text in requirements]
    specs = list(dict.fromkeys([*(metrics or DEFAULT_DISTANCES), *(gate.spec for gate in gates)]))
    wanted = [request.spec for request in parse_metrics(specs)]
    corpora = open_named(files, reading_of(id_=by, **how))
    with ProgressBar() as progress:
        scores = compare(
            corpora[0],
            corpora[1:] or None,
            wanted,
            tokenizer=tokenizer,
            embedder=embedder,
            cache=not no_cache,
            vectors=vectors or None,
            by=by,
            against=against,
            matrix=matrix,
            permutations=permutations,
            noise_floor=noise_floor,
            interval=interval,
            subsample=subsample,
            explain=examples if explain else 0,
            seed=seed,
            subsamples=subsamples,
            device=device,
            tf32=tf32,
            batch_size=batch_size,
            threads=threads,
            progress=progress,
            watch=progress.step,
        )
    render(scores, "values" if score_only else output_format)
    return 1 if report_failures(gates, scores) else 0
