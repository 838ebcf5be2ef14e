"""`distinctly measure`: how varied is a corpus?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.api import DEFAULT_APPROXIMATE, DEFAULT_METRICS, measure
from distinctly.cli.gates import Gate, judge, read_baseline, report_failures
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings
from distinctly.cli.options import (
    by_option,
    check_plot_file,
    explain_options,
    given,
    metric_option,
    open_named,
    open_reference,
    output_of,
    plot_option,
    progress_bar,
    reading_of,
    reading_options,
    saved_metrics,
    showing_options,
    view_options,
)
from distinctly.cli.texts import per_text_options, show_texts
from distinctly.config import RunConfig
from distinctly.errors import SpecError
from distinctly.report.pages.scores import page_of_scores
from distinctly.run.resampling import Resampling
from distinctly.score import PlotKind
from distinctly.sets import SETS
from distinctly.spec import has_set, parse_metrics

EPILOG = """\b
Examples:
  distinctly measure outputs.txt
  distinctly measure human.txt model.txt -m distinct:n=2 -m ead
  distinctly measure outputs.jsonl --field response --tokenizer words:lc=yes
  distinctly measure essays.xlsx --sheet Texts --field Text
  distinctly measure samples.jsonl::prompt samples.jsonl::text
  distinctly measure 'run-a/*.jsonl.gz' 'run-b/*.jsonl'
  distinctly measure essays/ --text-per-file
  distinctly measure samples.jsonl --group prompt_id -m distinct:pool=group
  distinctly measure tagged.jsonl --tags pos -m distinct:n=2,of=tags -m compression:of=tags
  distinctly measure systems.jsonl --by model --group prompt_id --interval --paired
  distinctly measure essays.csv --field Text --per-text --keep Author --correlate Rating -o values.xlsx
  distinctly measure samples.jsonl --group prompt_id --prompt prompt -m vendi:context=prompt
  distinctly measure samples.jsonl --group prompt_id --quality reward --at-least 3
  distinctly measure systems.jsonl --by model --interval --plot forest.png
  distinctly measure model.txt --relative-to human.txt
  distinctly measure outputs.txt --explain
  distinctly measure crawl.txt.gz --approximate --top 20
  distinctly measure outputs.txt -m ead:vocabulary=reference --reference human.txt
  cat outputs.txt | distinctly measure - --format json
  distinctly measure outputs.txt --require "duplicates<=0.1" --require "distinct:n=2>0.4"
  distinctly measure outputs.txt -m vendi -o previous.json
  distinctly measure outputs.txt --baseline previous.json --require "vendi>=0.9*baseline"
  distinctly measure systems.jsonl --by model --group prompt_id --require "alpha/within/ead>=0.2"
"""


# --paired requests the test, which needs at least one exchange.
_PERMUTATIONS = {"help": "Number of random exchanges of texts per test.", "default": "1000", "at_least": 1}


@grouped_command("measure", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@metric_option(
    [f"the set `{DEFAULT_METRICS}`"],
    f"; also a set of metrics: {', '.join(SETS)} (see distinctly list)",
)
@view_options
@option("--reference", group="What", metavar="FILE", help="Reference corpus, for metrics that need one.")
@option(
    "--approximate",
    group="What",
    is_flag=True,
    default=None,
    help="Estimate numbers of distinct n-grams and texts in constant memory, with an error of about 1 %; for "
    f"metrics such as {', '.join(DEFAULT_APPROXIMATE)} (the default then).",
)
@option(
    "--at-least",
    "at_least",
    group="What",
    type=float,
    metavar="X",
    help="Also measure only the texts whose --quality is at least X; the share of them is the part `passed`.",
)
@option(
    "--relative-to",
    "relative_to",
    group="Comparing",
    metavar="CORPUS",
    help="Also show each value as a ratio to that of one of the corpora, or of another FILE, such as texts "
    "of people, with its 95 % interval.",
)
@per_text_options
@reading_options()
@by_option
@settings(
    Resampling,
    without=("noise_floor", "subsample"),
    changed={"permutations": _PERMUTATIONS},
)
@showing_options
@explain_options("the n-grams and the texts that reduce diversity most", 5)
@option(
    "--top",
    group="Output",
    type=click.IntRange(min=1),
    metavar="K",
    help="Also show the K most frequent n-grams.",
)
@plot_option
@option(
    "--plot-kind",
    group="Output",
    type=click.Choice(["forest", "length"]),
    help="What --plot draws: the values with their intervals, or the values against the mean length of "
    "texts.  [default: forest]",
)
@settings(RunConfig)
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    reference: str | None,
    by: str | None,
    explain: bool | None,
    examples: int,
    requirements: tuple[str, ...],
    baseline: str | None,
    plot_file: str | None,
    plot_kind: PlotKind | None,
    **options: Any,
) -> int:
    """Measure how varied each FILE is.

    A FILE is .txt (one text per line), .jsonl, .json (an array), .csv, .tsv, .xlsx, .parquet or .arrow; files
    of text may be compressed as .gz, .xz, .bz2 or .zst. - is standard input. A folder, or a quoted pattern,
    is one corpus of all its files. A FILE may also be an address: s3://…, gs://…, hdfs://…, hf://…,
    https://…. Several FILEs are several corpora, shown side by side. FILE::FIELD names the field of one FILE,
    as in answers.csv::Text; otherwise --field applies to all but .txt.
    """
    if options.pop("per_text") or options["keep"] or options["correlate"] is not None:
        whole = {
            "explain": explain,
            "requirements": requirements,
            "baseline": baseline,
            "plot_file": plot_file,
            "plot_kind": plot_kind,
        }
        show_texts(files, metrics, reference, by, options, whole)
        return 0
    del options["keep"], options["correlate"]
    reading = reading_of(options, by)
    output = output_of(options, top=options["top"], explain=explain)
    check_plot_file(plot_file)
    if plot_kind is not None and plot_file is None:
        raise SpecError("--plot-kind says what --plot FILE draws. Add --plot FILE, or remove it.")
    gates = [Gate.parse(text) for text in requirements]
    known = read_baseline(baseline, gates) if gates or baseline else None
    default = DEFAULT_APPROXIMATE if options["approximate"] else (DEFAULT_METRICS,)
    wanted = [
        *(metrics or saved_metrics(files, "diversity") or default),
        *(spec for gate in gates for spec in gate.specs),
    ]
    if not has_set(wanted):
        parse_metrics(wanted, sampling=True)  # a wrong name is an error before files are opened
    corpora = open_named(files, reading)
    human = options["relative_to"]
    if by is None and human is not None and human not in [corpus.name for corpus in corpora]:
        corpora = [*open_named([human], reading, systems=()), *corpora]
        options["relative_to"] = corpora[0].name
    if by is None:
        for gate in gates:
            gate.check_corpus([corpus.name for corpus in corpora], "corpus")
    with progress_bar() as progress:
        scores = measure(
            corpora,
            wanted,
            reference=open_reference(reference, reading),
            by=by,
            explain=examples if explain else 0,
            progress=progress,
            **given(options),
        )
    if plot_file is not None:
        scores.plot(plot_kind, path=plot_file)
    verdicts = judge(gates, scores, known) if gates else []
    output.write(page_of_scores(scores, verdicts))
    return 1 if verdicts and report_failures(verdicts) else 0
