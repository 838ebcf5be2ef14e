"""`distinctly judge similarity`: does a distance see how much of B is mixed into A?"""

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
    help=f"Texts a corpus; may be repeated, and given by measure.  [default: {N}]",
)
@click.option(
    "--k",
    "numbers_of",
    multiple=True,
    metavar="[MEASURE=]K",
    help=f"Corpora, from all of A to all of B; may be repeated, and given by measure.  [default: {K}]",
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=5,
    metavar="N",
    help="How often corpora are drawn.  [default: 5]",
)
@click.option(
    "--measures",
    metavar="NAMES",
    help=f"Which, with commas: {', '.join(MEASURES)}; and {GROWTH}, the time against the size.  "
    "[default: the first eight]",
)
@click.option(
    "--preset",
    metavar="NAME",
    help="paper: the measures, and by default the metrics, as the printed table has them.",
)
@click.option("--parts", is_flag=True, help="Judge every number that a metric is made of by itself, too.")
@click.option(
    "--reference",
    metavar="A|B",
    help="Which of two mixtures is the reference: that with more of A, or of B.  [default: B; A for sizes]",
)
@click.option(
    "--sizes", metavar="N,N…", help="Texts a corpus for size and imbalance.  [default: 50,250,…,2850]"
)
@click.option(
    "--largest",
    type=click.IntRange(min=2),
    metavar="N",
    help="Where distances are taken for what they tend to.  [default: 3000, or all texts]",
)
@click.option(
    "--size-repetitions",
    type=click.IntRange(min=1),
    default=10,
    metavar="N",
    help="How often corpora of a size are drawn.  [default: 10]",
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
    """Mix A and B into corpora whose similarity is known, and see which distances get it right.

    K corpora of N texts, disjoint, from all of A to all of B, all pairs of them compared. A and B may also be
    .npy or .npz files of vectors. After Kour et al. (2022), "Measuring the Measuring Tools".
    """
    of = Shared.of(shared)
    a, b = _vectors(files) or open_named(files, of.reading)
    of.run(
        known_similarity,
        a,
        b,
        listed(metrics),
        n=_numbers("--n", sizes_of),
        k=_numbers("--k", numbers_of),
        repetitions=repetitions,
        measures=words(measures),
        preset=preset,
        names=[Path(file).stem for file in files],
        parts=parts,
        reference=reference,
        sizes=None if sizes is None else [_number("--sizes", one) for one in sizes.split(",")],
        largest=largest,
        size_repetitions=size_repetitions,
        beside=beside,
    )


def _vectors(files: Sequence[str]) -> list[Any] | None:
    """Return the vectors that are given instead of texts, where both files are of such."""
    if not all(Path(file).suffix in (".npy", ".npz") for file in files):
        return None
    return [FileVectors(source=file).rows() for file in files]


def _numbers(option: str, given: Sequence[str]) -> list[int] | dict[str, list[int]] | None:
    """Read numbers for all measures, or by measure: `12`, `accuracy=50`."""
    if not given:
        return None
    named = [one.rpartition("=") for one in given]
    if not any(measure for measure, _, _ in named):
        return [_number(option, one) for one in given]
    if not all(measure for measure, _, _ in named):
        raise SpecError(f"Expected {option} as numbers, or each for a measure such as accuracy=50, got both.")
    found: dict[str, list[int]] = {}
    for measure, _, number in named:
        found.setdefault(measure.strip(), []).append(_number(option, number))
    return found


def _number(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SpecError(f"Expected whole numbers for {option}, got '{text}'.") from None
