"""Options that several commands share: metrics, reading and output."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from typing import Any

import click

from distinctly.cli import say
from distinctly.cli.grouped import Decorator, option, settings, together, with_default
from distinctly.config import Progress
from distinctly.corpus import Corpus, is_state, read_together
from distinctly.errors import SpecError
from distinctly.report import Subject, check_format, formats, rendered
from distinctly.report.page import Notes, Page
from distinctly.score import Kind
from distinctly.sources.base import Reading
from distinctly.sources.opening import shown_path

EMBEDDERS = "Embedder of texts: wordllama, minilm, sbert:NAME, onnx:PATH, vectors:FILE, or MODULE:FUNCTION."
TAGGERS = (
    "Tagger for metrics with of=tags: hanta, hanta:language=de, spacy:MODEL, or MODULE:FUNCTION from a text "
    "to its list of tags.  [default: the tags read by --tags]"
)
# Comparisons and trials hold all texts in memory, and spill nothing.
IN_MEMORY = {"help": "Memory for texts, such as 0.5GB; a text may have 1/32 of it."}

tokenizer_option = option(
    "--tokenizer",
    group="What",
    metavar="SPEC",
    help="Tokenizer: words, whitespace, char, regex:PATTERN, 13a, jieba, hf:PATH …, or MODULE:FUNCTION; each "
    "with the options lc=yes and norm=nfc|nfkc.  [default: words]",
)
embedder_option = option(
    "--embedder", group="What", metavar="SPEC", help=with_default(EMBEDDERS, "wordllama")
)
tagger_option = option("--tagger", group="What", metavar="SPEC", help=TAGGERS)
view_options = together(tokenizer_option, embedder_option, tagger_option)
term_options = together(
    option(
        "--of",
        group="What",
        metavar="VIEW",
        help="What terms are made of: tags, or a tokenizer such as char or words(punct=no).  "
        "[default: words in lower case]",
    ),
    tokenizer_option,
    tagger_option,
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
file_options = together(
    option(
        "-o",
        "--output",
        "output_file",
        group="Output",
        metavar="FILE",
        help="Write the report to a file, whose ending decides the format: .csv, .tsv, .xlsx (pip install "
        '"distinctly[excel]"), .parquet, .json, .jsonl, .md, .tex, .html or .txt.  '
        "[default: standard output]",
    ),
    option(
        "--bom",
        group="Output",
        is_flag=True,
        help="Begin csv and tsv with a byte order mark, so that Excel shows accents.",
    ),
    option(
        "--raw-cells",
        group="Output",
        is_flag=True,
        help="Write text cells of csv, tsv and xlsx as they are. By default those that a spreadsheet would "
        "read as a formula get an apostrophe in front.",
    ),
)
format_options = together(
    option(
        "--format",
        "output_format",
        group="Output",
        metavar="FORMAT",
        help=with_default(f"Format of the output: {', '.join(formats('scores'))}.", "table"),
    ),
    file_options,
)
plot_option = option(
    "--plot",
    "plot_file",
    group="Output",
    metavar="FILE",
    help='Also draw a figure, as .png, .svg or .pdf (pip install "distinctly[plots]").',
)
showing_options = together(
    format_options,
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


def metric_option(defaults: Sequence[str], also: str = "") -> Decorator[Any]:
    """Return the option for metrics; `also` is what else they can be."""
    return option(
        "-m",
        "--metric",
        "metrics",
        group="What",
        multiple=True,
        metavar="SPEC",
        help=with_default(
            f"Metric, as name:option=value,…, or a Python function, as module:function{also}; repeatable.",
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


@dataclass(frozen=True)
class Output:
    """Where a report is written, and in which format.

    Attributes
    ----------
    form
        The format.
    file
        The file; None for standard output.
    bom, raw_cells
        As for `distinctly.report.saving.save_page`.
    """

    form: str
    file: str | None
    bom: bool
    raw_cells: bool

    def write(self, page: Page) -> None:
        """Write a report; if it goes to a file, its notes and the name of the file go to standard error."""
        if self.file is None:
            show("\ufeff" * self.bom + rendered(page, self.form, raw_cells=self.raw_cells), self.form)
            return
        from distinctly.report.saving import save_page

        save_page(page, self.file, self.form, bom=self.bom, raw_cells=self.raw_cells)
        for line in (line for block in page.blocks if isinstance(block, Notes) for line in block.lines):
            say(f"Note: {line}", err=True)
        say(f"distinctly: wrote {self.file}", err=True)


def output_of(options: dict[str, Any], subject: Subject = "scores", **listings: object) -> Output:
    """Remove the options of the output from the options, and return them.

    Raises an error before anything is measured if the format cannot show what was requested, or the file
    cannot be written.
    """
    requested, file = options.pop("output_format"), options.pop("output_file")
    bom, raw_cells = bool(options.pop("bom")), bool(options.pop("raw_cells"))
    if requested is not None:
        check_format(requested, subject)
    if options.pop("score_only", None):
        requested = "values"
    form = requested or "table"
    if file == "-":
        file = None
    if file is not None:
        from distinctly.report.saving import check_target, format_of

        form = format_of(file, requested)
        check_target(file, subject, form)
    _check_cells(form, bom=bom, raw_cells=raw_cells)
    for name, wanted in listings.items():
        if wanted and form in ("xlsx", "parquet"):
            raise SpecError(f"--{name} needs a .json, .md, .html or .txt file, or standard output.")
        if form not in ("xlsx", "parquet"):
            check_format(form, subject, listings=bool(wanted), option=f"--{name}")
    return Output(form, file, bom, raw_cells)


def _check_cells(form: str, *, bom: bool, raw_cells: bool) -> None:
    """Raise if an option of spreadsheets is given for another format."""
    marked = ("csv", "tsv", "findings")
    if bom and form not in marked:
        raise SpecError("--bom is for csv and tsv: choose -o FILE.csv or --format csv, or leave it out.")
    if raw_cells and form not in (*marked, "xlsx"):
        raise SpecError("--raw-cells is for csv, tsv and xlsx: choose -o FILE.csv, or leave it out.")


def open_named(
    files: Sequence[str], reading: dict[str, Any], *, systems: Sequence[str] | None = None
) -> list[Corpus]:
    """Open the corpora under different names: the name of the file, its path, or its path with a number.

    Logs of several systems are several corpora, named by the systems, unless they are split by a field.

    Parameters
    ----------
    files
        The files.
    reading
        How to read them.
    systems
        The files whose systems are separated, if they are logs; by default all.
    """
    corpora, paths = [], []
    for file in files:
        corpus = Corpus.read(file, **reading)
        is_split = "id" not in reading and (systems is None or file in systems)
        parts = corpus.by_system() if is_split else [corpus]
        corpora += parts
        paths += [shown_path(file)] * len(parts)
    read_together(corpora)
    names = [corpus.name for corpus in corpora]
    for place, (corpus, file) in enumerate(zip(corpora, paths)):
        if names.count(corpus.name) > 1:
            corpus.name = file if paths.count(file) == 1 else f"{file} ({paths[: place + 1].count(file)})"
    return corpora


def saved_metrics(files: Sequence[str], kind: Kind) -> list[str]:
    """Return the metrics of a kind with which the first state among files was saved; none without a state."""
    if not any(map(is_state, files)):
        return []
    from distinctly.run.stored import Saved

    return Saved.first(files).metrics(kind)


def open_reference(file: str | None, reading: dict[str, Any]) -> Corpus | None:
    """Open the reference, which needs no groups, ids or tags."""
    if file is None:
        return None
    fields = {name: value for name, value in reading.items() if name not in ("group", "id", "tags")}
    return Corpus.read(file, **fields)


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given, so that defaults are defined in one place."""
    return {name: value for name, value in options.items() if value not in (None, ())}


def check_plot_file(file: str | None) -> None:
    """Raise if the file of a figure cannot be written, before anything is measured."""
    if file is not None:
        from distinctly.report.drawing import check_plot

        check_plot(file)


def show(report: str, form: str) -> None:
    """Write a report to standard output; what goes to a file, or has colours, is written as it is."""
    say(report, end="", as_it_is=form == "table" or not sys.stdout.isatty())


def progress_bar() -> AbstractContextManager[Progress | None]:
    """Return a progress bar, or none if standard error is not a terminal."""
    if not sys.stderr.isatty():
        return nullcontext()
    from distinctly.cli.progress import ProgressBar

    return ProgressBar()
