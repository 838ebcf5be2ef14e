"""`distinctly judge similarity`: does a distance measure how much of B is mixed into A?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from distinctly.cli.judge.options import Shared, beside_option, embedders_option, listed, run_options, words
from distinctly.cli.options import metric_option, open_named, text_options, vectors_option
from distinctly.embedders.vectors import FileVectors
from distinctly.errors import SpecError
from distinctly.judging.similarity.findings import GROWTH, MEASURES
from distinctly.judging.similarity.trial import DEFAULT_METRICS, K, N, known_similarity

EPILOG = """\b
Examples:
  distinctly judge similarity news.txt reviews.txt
  distinctly judge similarity a.jsonl b.jsonl -m mauve -m frechet -m mymodule:distance --k 7 --k 12
  distinctly judge similarity a.txt b.txt --k accuracy=50 --n linearity=500 --repetitions 20
  distinctly judge similarity a.txt b.txt --embedder wordllama --embedder sbert:all-MiniLM-L6-v2
  distinctly judge similarity a.txt b.txt --vectors a.npy --vectors b.npy --preset paper --beside table.csv
  distinctly judge similarity a.txt b.txt --measures accuracy,growth --save trial.json --plots figures/
"""


@click.command("similarity", epilog=EPILOG)
@click.argument("files", nargs=2, metavar="A B")
@metric_option(DEFAULT_METRICS)
@click.option(
    "--n",
    "sizes_of",
    multiple=True,
    metavar="[MEASURE=]N",
    help=f"Texts per corpus; may be repeated, and may be set per measure.  [default: {N}]",
)
@click.option(
    "--k",
    "numbers_of",
    multiple=True,
    metavar="[MEASURE=]K",
    help="Number of mixtures, from all of A to all of B; may be repeated, and may be set per measure.  "
    f"[default: {K}]",
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=5,
    metavar="N",
    help="Number of times that mixtures are drawn.  [default: 5]",
)
@click.option(
    "--measures",
    metavar="NAMES",
    help=f"Measures, separated by commas: {', '.join(MEASURES)}; and {GROWTH}, the time per size.  "
    "[default: the first eight]",
)
@click.option(
    "--preset",
    metavar="NAME",
    help="paper: measures, and default metrics, as in the table of the paper.",
)
@click.option("--parts", is_flag=True, help="Also judge each part of a metric separately.")
@click.option(
    "--reference",
    metavar="A|B",
    help="Reference of a pair of mixtures: the one with more of A, or of B.  [default: B; A for sizes]",
)
@click.option(
    "--sizes", metavar="N,N…", help="Texts per corpus for size and imbalance.  [default: 50,250,…,2850]"
)
@click.option(
    "--largest",
    type=click.IntRange(min=2),
    metavar="N",
    help="Size at which a distance is taken as its asymptote.  [default: 3000, or all texts]",
)
@click.option(
    "--size-repetitions",
    type=click.IntRange(min=1),
    default=10,
    metavar="N",
    help="Number of times that corpora of each size are drawn.  [default: 10]",
)
@beside_option
@text_options
@embedders_option
@vectors_option
@run_options
def command(
    files: tuple[str, str],
    metrics: tuple[str, ...],
    sizes_of: tuple[str, ...],
    numbers_of: tuple[str, ...],
    repetitions: int,
    measures: str | None,
    preset: Any,
    parts: bool,
    reference: Any,
    sizes: str | None,
    largest: int | None,
    size_repetitions: int,
    beside: str | None,
    **shared: Any,
) -> None:
    """Mix A and B into corpora of known similarity, and judge distances by them.

    K disjoint corpora of N texts, from all of A to all of B, are compared in pairs. A and B may also be .npy
    or .npz files of vectors. After Kour et al. (2022), "Measuring the Measuring Tools".
    """
    of = Shared.of(shared)
    a, b = _read_vectors(files) or open_named(files, of.reading)
    of.run(
        known_similarity,
        a,
        b,
        listed(metrics),
        n=_read_numbers("--n", sizes_of),
        k=_read_numbers("--k", numbers_of),
        repetitions=repetitions,
        measures=words(measures),
        preset=preset,
        names=[Path(file).stem for file in files],
        parts=parts,
        reference=reference,
        sizes=None if sizes is None else [_read_number("--sizes", text) for text in sizes.split(",")],
        largest=largest,
        size_repetitions=size_repetitions,
        beside=beside,
    )


def _read_vectors(files: Sequence[str]) -> list[Any] | None:
    """Return the vectors if both files contain vectors, and None otherwise."""
    if not all(Path(file).suffix in (".npy", ".npz") for file in files):
        return None
    return [FileVectors(source=file).rows() for file in files]


def _read_numbers(option: str, given: Sequence[str]) -> list[int] | dict[str, list[int]] | None:
    """Read numbers for all measures (`12`) or per measure (`accuracy=50`)."""
    if not given:
        return None
    named = [text.rpartition("=") for text in given]
    if not any(measure for measure, _, _ in named):
        return [_read_number(option, text) for text in given]
    if not all(measure for measure, _, _ in named):
        raise SpecError(f"Expected {option} either as numbers or per measure (accuracy=50), got both.")
    by_measure: dict[str, list[int]] = {}
    for measure, _, number in named:
        by_measure.setdefault(measure.strip(), []).append(_read_number(option, number))
    return by_measure


def _read_number(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SpecError(f"Expected whole numbers for {option}, got '{text}'.") from None
