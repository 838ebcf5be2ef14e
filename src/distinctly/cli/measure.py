"""`distinctly measure`: how varied is a corpus?"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import click

from distinctly.api import DEFAULT_METRICS, measure_all
from distinctly.cli.progress import ProgressBar
from distinctly.corpus import FORMATS, Corpus
from distinctly.errors import SpecError, unknown
from distinctly.report import REPORTS, WITH_NGRAMS, render
from distinctly.score import Score, Scores
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

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_REQUIREMENT = re.compile(r"\s*(?P<spec>.+?)\s*(?P<operator>>=|<=|>|<)\s*(?P<bound>[^<>=]+?)\s*")


@dataclass(frozen=True)
class Requirement:
    """A gate: `ead>=0.2`."""

    text: str
    spec: str
    operator: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Requirement:
        """Read a requirement, and the spec in it."""
        found = _REQUIREMENT.fullmatch(text)
        bound = _number(found["bound"]) if found else math.nan
        if found is None or math.isnan(bound):
            raise SpecError(f"Expected a requirement such as 'ead>=0.2' or 'distinct:n=2>0.4', got '{text}'.")
        return cls(text, found["spec"], found["operator"], bound)

    def failures(self, scores: Scores) -> list[Score]:
        """Return the scores that do not meet it; NaN meets nothing."""
        asked = {request.spec for request in parse_metrics(self.spec)}
        return [s for s in scores if s.spec in asked and not _OPERATORS[self.operator](s.value, self.bound)]


@click.command("measure", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="SPEC",
    help=f"A metric, name:option=value,…; may be repeated.  [default: {', '.join(DEFAULT_METRICS)}]",
)
@click.option(
    "--tokenizer",
    metavar="SPEC",
    help="words, whitespace, char, regex:PATTERN, 13a, jieba, hf:PATH …; each with lc=yes and "
    "norm=nfc|nfkc.  [default: words]",
)
@click.option("--field", metavar="NAME", help="The field with the text.  [default: text]")
@click.option("--group", metavar="NAME", help="The field with the text's group, such as its prompt.")
@click.option("--id", "id_", metavar="NAME", help="The field with the text's id.")
@click.option(
    "--tokens", is_flag=True, help="A list of strings is the tokens of one text, not a group of texts."
)
@click.option(
    "--input",
    "input_format",
    metavar="FORMAT",
    help=f"{', '.join(FORMATS)}.  [default: by the file's ending; txt for standard input]",
)
@click.option("--file-a-text", is_flag=True, help="Each file is one text; the same as --input file.")
@click.option(
    "--nulls", metavar="WHAT", help="error, skip or empty: what a missing text is.  [default: error]"
)
@click.option("--encoding", metavar="NAME", help="The files' encoding.  [default: utf-8]")
@click.option(
    "--errors",
    metavar="HOW",
    help="What to do with bytes that are none: strict, replace, ignore.  [default: strict]",
)
@click.option("--reference", metavar="FILE", help="A second corpus, for metrics that need one.")
@click.option("--by", metavar="NAME", help="A field that splits the texts into systems, to be compared.")
@click.option(
    "--embedder",
    metavar="SPEC",
    help="What makes vectors of texts: wordllama, sbert:NAME, onnx:PATH, vectors:FILE.  [default: wordllama]",
)
@click.option(
    "--no-cache", is_flag=True, help="Neither read vectors of texts from the cache nor keep them there."
)
@click.option("--interval", is_flag=True, help="Give every value its 95 % interval.")
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
@click.option("--seed", type=int, default=0, metavar="N", help="Where draws begin.  [default: 0]")
@click.option(
    "--subsamples",
    type=click.IntRange(min=2),
    default=100,
    metavar="N",
    help="Subsamples for an interval.  [default: 100]",
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
@click.option(
    "--examples",
    type=click.IntRange(min=1),
    default=5,
    metavar="K",
    help="How many of each --explain shows.  [default: 5]",
)
@click.option("--top", type=click.IntRange(min=1), metavar="K", help="Also show the K most frequent n-grams.")
@click.option(
    "--format",
    "output_format",
    default="table",
    show_default=True,
    metavar="FORMAT",
    help=", ".join(REPORTS) + ".",
)
@click.option("--score-only", is_flag=True, help="Print bare numbers, one a line.")
@click.option(
    "--require",
    "requirements",
    multiple=True,
    metavar="GATE",
    help='Exit with 1 unless met, as in "ead>=0.2"; may be repeated.',
)
@click.option(
    "--batch-size", type=click.IntRange(min=1), metavar="TEXTS", help="Texts a batch; changes no number."
)
@click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="Changes no number.  [default: all cores]"
)
@click.option(
    "--memory",
    metavar="SIZE",
    help="What counts may take before they go to a temporary folder, as in 0.5GB.  [default: a quarter]",
)
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    tokenizer: str | None,
    field: str | None,
    group: str | None,
    id_: str | None,
    tokens: bool,
    input_format: str | None,
    file_a_text: bool,
    nulls: str | None,
    encoding: str | None,
    errors: str | None,
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
    memory: str | None,
) -> int:
    """Measure how varied each FILE is.

    A FILE is .txt (a text a line), .jsonl, .json (an array), .csv, .tsv, .parquet or .arrow; what is text
    may also be .gz, .xz, .bz2 or .zst. - is standard input. A folder, or a pattern in quotes, is one
    corpus of all its files. Several FILEs are several corpora, shown side by side.
    """
    if file_a_text and input_format not in (None, "file"):
        raise SpecError(f"--file-a-text means --input file, so it does not go with --input {input_format}.")
    if output_format not in REPORTS:
        raise unknown("format", output_format, REPORTS)
    if top and (score_only or output_format not in WITH_NGRAMS):
        raise SpecError(f"--top goes with --format {', '.join(WITH_NGRAMS)}.")
    if explain and (score_only or output_format not in WITH_NGRAMS):
        raise SpecError(f"--explain goes with --format {', '.join(WITH_NGRAMS)}.")
    gates = [Requirement.parse(text) for text in requirements]
    specs = list(dict.fromkeys([*(metrics or DEFAULT_METRICS), *(gate.spec for gate in gates)]))
    wanted = [request.spec for request in parse_metrics(specs)]
    reading: dict[str, Any] = {
        name: value
        for name, value in {
            "field": field,
            "group": group,
            "id": id_ if by is None else by,
            "tokens": tokens or None,
            "nulls": nulls,
            "encoding": encoding,
            "errors": errors,
            "format": "file" if file_a_text else input_format,
        }.items()
        if value is not None
    }
    if by is not None and id_ is not None:
        raise SpecError("--by and --id cannot both be given: texts are told apart by one field.")
    with ProgressBar() as progress:
        scores = measure_all(
            _named(files, reading),
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
            memory=memory,
            progress=progress,
            watch=progress.step,
        )
    render(scores, "scores" if score_only else output_format)
    return 1 if _report_failures(gates, scores) else 0


def _named(files: tuple[str, ...], reading: dict[str, Any]) -> list[Corpus]:
    """Open the corpora, each under a name of its own: the file's, its path, or that with a number."""
    corpora = [Corpus.read(file, **reading) for file in files]
    names = [corpus.name for corpus in corpora]
    for place, (corpus, file) in enumerate(zip(corpora, files)):
        if names.count(corpus.name) > 1:
            corpus.name = file if files.count(file) == 1 else f"{file} ({files[: place + 1].count(file)})"
    return corpora


def _reference(file: str | None, reading: dict[str, Any]) -> Corpus | None:
    if file is None:
        return None
    return Corpus.read(file, **{key: value for key, value in reading.items() if key not in ("group", "id")})


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _report_failures(gates: list[Requirement], scores: Scores) -> bool:
    failed = False
    for gate in gates:
        for score in gate.failures(scores):
            click.echo(
                f"distinctly: not met: {gate.text} ({score.spec} of {score.corpus} is {score.value:.6g})",
                err=True,
            )
            failed = True
    return failed
