"""`distinctly judge similarity`: does a distance measure how much of B is mixed into A?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.cli.judge.options import (
    beside_option,
    check_shown,
    embedders_option,
    listed,
    run_options,
    run_trial,
    text_options,
    words,
)
from distinctly.cli.options import metric_option, open_named, reading_of, vectors_option
from distinctly.embedders.vectors import FileVectors
from distinctly.errors import SpecError
from distinctly.judging.similarity.findings import GROWTH, MEASURES
from distinctly.judging.similarity.trial import DEFAULT_METRICS, K, N, known_similarity

EPILOG = """\b
Examples:
  distinctly judge similarity a.txt b.txt
  distinctly judge similarity a.txt b.txt -m mauve -m frechet -m mymodule:distance --k 7 --k 12
  distinctly judge similarity a.txt b.txt -m frechet --k accuracy=6 --n linearity=50 --repetitions 20
  distinctly judge similarity a.txt b.txt --embedder wordllama --embedder sbert:all-MiniLM-L6-v2
  distinctly judge similarity a.txt b.txt --vectors a.npy --vectors b.npy -m frechet --beside table-3.csv
  distinctly judge similarity a.txt b.txt -m frechet --measures accuracy,growth --plots figures/
"""


@grouped_command("similarity", epilog=EPILOG)
@click.argument("files", nargs=2, metavar="A B")
@metric_option(DEFAULT_METRICS)
@text_options
@embedders_option
@vectors_option
@option(
    "--n",
    "sizes_of",
    group="What",
    multiple=True,
    metavar="[MEASURE=]N",
    help=f"Number of texts per corpus; repeatable, also per measure.  [default: {N}]",
)
@option(
    "--k",
    "numbers_of",
    group="What",
    multiple=True,
    metavar="[MEASURE=]K",
    help=f"Number of corpora, from all of A to all of B; repeatable, also per measure.  [default: {K}]",
)
@option(
    "--repetitions",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of times that corpora are drawn.  [default: 5]",
)
@option(
    "--measures",
    group="What",
    metavar="NAMES",
    help=f"Measures, separated by commas: {', '.join(MEASURES)}; and {GROWTH}, the time by size.  "
    "[default: the first eight]",
)
@option(
    "--preset",
    group="What",
    metavar="NAME",
    help="paper: the measures, and by default the metrics, as in the printed table.",
)
@option("--parts", group="What", is_flag=True, help="Also judge each part of a metric separately.")
@option(
    "--reference",
    group="What",
    metavar="A|B",
    help="Which of two mixtures is the reference: that with more of A, or of B.  [default: B; A for sizes]",
)
@option(
    "--sizes",
    group="What",
    metavar="N,N…",
    help="Numbers of texts per corpus for size and imbalance.  [default: 50,250,…,2850]",
)
@option(
    "--largest",
    group="What",
    type=click.IntRange(min=2),
    metavar="N",
    help="Number of texts at which a distance is taken as its asymptote.  [default: 3000, or all texts]",
)
@option(
    "--size-repetitions",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of times that corpora of one size are drawn.  [default: 10]",
)
@run_options
@beside_option
def command(
    files: tuple[str, str],
    metrics: tuple[str, ...],
    sizes_of: tuple[str, ...],
    numbers_of: tuple[str, ...],
    measures: str | None,
    sizes: str | None,
    **options: Any,
) -> None:
    """Mix A and B into corpora of known similarity, and test which distances follow it.

    K disjoint corpora of N texts, from all of A to all of B, are compared in all pairs. A and B may also be
    .npy or .npz files of vectors. After Kour et al. (2022), "Measuring the Measuring Tools".
    """
    check_shown(options)
    reading = reading_of(options)
    a, b = _vectors(files) or open_named(files, reading, systems=())
    run_trial(
        known_similarity,
        a,
        b,
        listed(metrics),
        n=_numbers("--n", sizes_of),
        k=_numbers("--k", numbers_of),
        measures=words(measures),
        names=[Path(file).stem for file in files],
        sizes=None if sizes is None else [_number("--sizes", size) for size in sizes.split(",")],
        **options,
    )


def _vectors(files: Sequence[str]) -> list[Any] | None:
    """Return the vectors of both files; None if they are files of texts."""
    if not all(Path(file).suffix in (".npy", ".npz") for file in files):
        return None
    return [FileVectors(source=file).rows() for file in files]


def _numbers(flag: str, given: Sequence[str]) -> list[int] | dict[str, list[int]] | None:
    """Parse numbers for all measures, or per measure: `12`, `accuracy=50`."""
    if not given:
        return None
    named = [text.rpartition("=") for text in given]
    if not any(measure for measure, _, _ in named):
        return [_number(flag, text) for text in given]
    if not all(measure for measure, _, _ in named):
        raise SpecError(f"Expected {flag} either as numbers or per measure, such as accuracy=50, got both.")
    by_measure: dict[str, list[int]] = {}
    for measure, _, number in named:
        by_measure.setdefault(measure.strip(), []).append(_number(flag, number))
    return by_measure


def _number(flag: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SpecError(f"Expected whole numbers for {flag}, got '{text}'.") from None
