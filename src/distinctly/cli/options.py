"""Options that several commands share: how to read texts, and what to do with the scores."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from distinctly.corpus import FORMATS, Corpus
from distinctly.errors import SpecError
from distinctly.report import check_format, formats
from distinctly.score import Score, Scores
from distinctly.spec import parse_metrics

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_READING = (
    click.option(
        "--tokenizer",
        metavar="SPEC",
        help="words, whitespace, char, regex:PATTERN, 13a, jieba, hf:PATH …; each with lc=yes and "
        "norm=nfc|nfkc.  [default: words]",
    ),
    click.option("--field", metavar="NAME", help="The field with the text.  [default: text]"),
    click.option("--group", metavar="NAME", help="The field with the text's group, such as its prompt."),
    click.option(
        "--tokens", is_flag=True, help="A list of strings is the tokens of one text, not a group of texts."
    ),
    click.option(
        "--input",
        "input_format",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}.  [default: by the file's ending; txt for standard input]",
    ),
    click.option("--file-a-text", is_flag=True, help="Each file is one text; the same as --input file."),
    click.option(
        "--nulls", metavar="WHAT", help="error, skip or empty: what a missing text is.  [default: error]"
    ),
    click.option("--encoding", metavar="NAME", help="The files' encoding.  [default: utf-8]"),
    click.option(
        "--errors",
        metavar="HOW",
        help="What to do with bytes that are none: strict, replace, ignore.  [default: strict]",
    ),
    click.option(
        "--no-cache", is_flag=True, help="Neither read vectors of texts from the cache nor keep them there."
    ),
)
_SYSTEMS = (
    click.option("--by", metavar="NAME", help="A field that splits the texts into systems, to be compared."),
    click.option(
        "--embedder",
        metavar="SPEC",
        help="What makes vectors of texts: wordllama, sbert:NAME, onnx:PATH, vectors:FILE.  "
        "[default: wordllama]",
    ),
)
_DRAWING = (
    click.option("--interval", is_flag=True, help="Give every value its 95 % interval."),
    click.option("--seed", type=int, default=0, metavar="N", help="Where draws begin.  [default: 0]"),
    click.option(
        "--subsamples",
        type=click.IntRange(min=2),
        default=100,
        metavar="N",
        help="Subsamples for an interval.  [default: 100]",
    ),
)
_SHOWING = (
    click.option(
        "--format",
        "output_format",
        default="table",
        show_default=True,
        metavar="FORMAT",
        help=", ".join(formats("scores")) + ".",
    ),
    click.option("--score-only", is_flag=True, help="Print bare numbers, one a line."),
    click.option(
        "--require",
        "requirements",
        multiple=True,
        metavar="GATE",
        help='Exit with 1 unless met, as in "ead>=0.2"; may be repeated.',
    ),
)
WORKING = (
    click.option(
        "--batch-size", type=click.IntRange(min=1), metavar="TEXTS", help="Texts a batch; changes no number."
    ),
    click.option(
        "--threads", type=click.IntRange(min=1), metavar="N", help="Changes no number.  [default: all cores]"
    ),
    click.option(
        "--device",
        default="cpu",
        metavar="NAME",
        help="cpu, cuda, cuda:1: where vectors are worked on; changes no number.  [default: cpu]",
    ),
)


def text_options(command: Decorated) -> Decorated:
    """Give a command the options that say how to read texts."""
    return with_options(command, _READING)


def reading_options(command: Decorated) -> Decorated:
    """Give a command the options that say how to read texts, how to split them, and what embeds them."""
    return with_options(command, (*_READING, *_SYSTEMS))


def drawing_options(command: Decorated) -> Decorated:
    """Give a command the options of whatever draws."""
    return with_options(command, _DRAWING)


def showing_options(command: Decorated) -> Decorated:
    """Give a command the options of the output, and of how the work is done."""
    return with_options(command, (*_SHOWING, *WORKING))


def with_options(command: Decorated, options: Sequence[Callable[[Decorated], Decorated]]) -> Decorated:
    """Give a command some options, in the order of its help."""
    for option in reversed(options):
        command = option(command)
    return command


def vectors_option(command: Decorated) -> Decorated:
    """Give a command the option for vectors made elsewhere."""
    return click.option(
        "--vectors",
        multiple=True,
        metavar="FILE",
        help="Vectors made elsewhere, a .npy, .npz or .parquet file for each corpus, in their order.",
    )(command)


def metric_option(defaults: Sequence[str]) -> Callable[[Decorated], Decorated]:
    """Return the option for metrics."""
    return click.option(
        "-m",
        "--metric",
        "metrics",
        multiple=True,
        metavar="SPEC",
        help="A metric, name:option=value,…, or a function of yours, module:function; may be repeated.  "
        f"[default: {', '.join(defaults)}]",
    )


def examples_option(default: int) -> Callable[[Decorated], Decorated]:
    """Return the option for how much an explanation shows."""
    return click.option(
        "--examples",
        type=click.IntRange(min=1),
        default=default,
        metavar="K",
        help=f"How many of each --explain shows.  [default: {default}]",
    )


def reading_of(
    *,
    field: str | None,
    group: str | None,
    id_: str | None,
    tokens: bool,
    input_format: str | None,
    file_a_text: bool,
    nulls: str | None,
    encoding: str | None,
    errors: str | None,
) -> dict[str, Any]:
    """Return how to read, as `Corpus.read` takes it."""
    if file_a_text and input_format not in (None, "file"):
        raise SpecError(f"--file-a-text means --input file, so it does not go with --input {input_format}.")
    found = {
        "field": field,
        "group": group,
        "id": id_,
        "tokens": tokens or None,
        "nulls": nulls,
        "encoding": encoding,
        "errors": errors,
        "format": "file" if file_a_text else input_format,
    }
    return {name: value for name, value in found.items() if value is not None}


def check_output(output_format: str, *, score_only: bool, **listings: object) -> None:
    """Raise where a report cannot show what is asked for."""
    check_format(output_format)
    for name, asked in listings.items():
        shown_as = "values" if score_only else output_format
        check_format(shown_as, listings=bool(asked), option=f"--{name}")


def open_named(files: Sequence[str], reading: dict[str, Any]) -> list[Corpus]:
    """Open the corpora, each under a name of its own: the file's, its path, or that with a number."""
    corpora = [Corpus.read(file, **reading) for file in files]
    names = [corpus.name for corpus in corpora]
    for place, (corpus, file) in enumerate(zip(corpora, files)):
        if names.count(corpus.name) > 1:
            corpus.name = file if files.count(file) == 1 else f"{file} ({files[: place + 1].count(file)})"
    return corpora


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


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def report_failures(gates: Sequence[Requirement], scores: Scores) -> bool:
    """Say which requirements are not met; True where there are any."""
    failed = False
    for gate in gates:
        for score in gate.failures(scores):
            click.echo(
                f"distinctly: not met: {gate.text} ({score.spec} of {score.corpus} is {score.value:.6g})",
                err=True,
            )
            failed = True
    return failed
