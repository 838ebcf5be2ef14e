"""Options that several commands share: metrics, reading and output."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from typing import Any

import click

from distinctly.cli.grouped import Decorator, option, settings, together, with_default
from distinctly.config import Progress
from distinctly.corpus import Corpus, read_together
from distinctly.errors import SpecError
from distinctly.report import check_format, formats
from distinctly.sources.base import Reading

EMBEDDERS = "Embedder of texts: wordllama, sbert:NAME, onnx:PATH, vectors:FILE."
# Comparisons and trials hold all texts in memory, and spill nothing.
IN_MEMORY = {"help": "Memory, such as 0.5GB; a text may have 1/32 of it."}

tokenizer_option = option(
    "--tokenizer",
    group="What",
    metavar="SPEC",
    help="Tokenizer: words, whitespace, char, regex:PATTERN, 13a, jieba, hf:PATH …; each with the options "
    "lc=yes and norm=nfc|nfkc.  [default: words]",
)
view_options = together(
    tokenizer_option,
    option("--embedder", group="What", metavar="SPEC", help=with_default(EMBEDDERS, "wordllama")),
    option(
        "--tagger",
        group="What",
        metavar="MODULE:FUNCTION",
        help="Function from a text to its list of tags, for metrics with of=tags.  [default: the tags read "
        "by --tags]",
    ),
)
vectors_option = option(
    "--vectors",
    group="What",
    multiple=True,
    metavar="FILE",
    help="Precomputed vectors: one .npy, .npz or .parquet file per corpus, in the same order.",
)
by_option = option(
    "--by", group="Reading", metavar="FIELD", help="Field by which texts are split into corpora to compare."
)
showing_options = together(
    option(
        "--format",
        "output_format",
        group="Output",
        default="table",
        metavar="FORMAT",
        help=with_default(f"Format of the output: {', '.join(formats('scores'))}.", "table"),
    ),
    option("--score-only", group="Output", is_flag=True, help="Print bare numbers, one per line."),
    option(
        "--require",
        "requirements",
        group="Output",
        multiple=True,
        metavar="GATE",
        help='Exit with status 1 unless the value meets a bound, as in "ead>=0.2", "within/ead>=0.2" (one '
        'scope) or "gpt4.txt/within/ead>=0.2" (one corpus and scope); repeatable.',
    ),
    option(
        "--baseline",
        group="Output",
        metavar="FILE",
        help='Output of an earlier run with --format json, for gates such as "vendi>=0.9*baseline".',
    ),
)


def metric_option(defaults: Sequence[str]) -> Decorator[Any]:
    """Return the option for metrics."""
    return option(
        "-m",
        "--metric",
        "metrics",
        group="What",
        multiple=True,
        metavar="SPEC",
        help=with_default(
            "Metric, as name:option=value,…, or a Python function, as module:function; repeatable.",
            ", ".join(defaults),
        ),
    )


def reading_options(*, without: Sequence[str] = ()) -> Decorator[Any]:
    """Return the options for reading texts, which `reading_of` collects."""
    return together(
        settings(Reading, without=without),
        option(
            "--text-per-file",
            "--file-a-text",
            "text_per_file",
            group="Reading",
            is_flag=True,
            help="Read each file as one text; short for --input file.",
        ),
    )


def explain_options(what: str, examples: int) -> Decorator[Any]:
    """Return the options for an explanation, and for the number of examples in it."""
    return together(
        option("--explain", group="Output", is_flag=True, help=f"Also show {what}."),
        option(
            "--examples",
            group="Output",
            type=click.IntRange(min=1),
            default=examples,
            metavar="K",
            help=with_default("Number of each that --explain shows.", examples),
        ),
    )


def reading_of(options: dict[str, Any], by: str | None = None) -> dict[str, Any]:
    """Remove the reading options from the options, and return those that were given."""
    taken = {field.name: options.pop(field.name, None) for field in fields(Reading)}
    if options.pop("text_per_file", None):
        if taken["format"] not in (None, "file"):
            raise SpecError(f"--text-per-file means --input file. Remove --input {taken['format']}.")
        taken["format"] = "file"
    if by is not None:
        if taken["id"] is not None:
            raise SpecError("--by and --id cannot both be given: texts are distinguished by one field.")
        taken["id"] = by
    return given(taken)


def check_output(output_format: str, *, score_only: bool, **listings: object) -> None:
    """Raise if the format cannot show what was requested."""
    check_format(output_format)
    for name, wanted in listings.items():
        shown_as = "values" if score_only else output_format
        check_format(shown_as, listings=bool(wanted), option=f"--{name}")


def open_named(files: Sequence[str], reading: dict[str, Any]) -> list[Corpus]:
    """Open the corpora under different names: the name of the file, its path, or its path with a number."""
    corpora = [Corpus.read(file, **reading) for file in files]
    read_together(corpora)
    names = [corpus.name for corpus in corpora]
    for place, (corpus, file) in enumerate(zip(corpora, files)):
        if names.count(corpus.name) > 1:
            corpus.name = file if files.count(file) == 1 else f"{file} ({files[: place + 1].count(file)})"
    return corpora


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, so that defaults are defined in one place."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def progress_bar() -> AbstractContextManager[Progress | None]:
    """Return a progress bar, or none if standard error is not a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from distinctly.cli.progress import ProgressBar

    return ProgressBar()
