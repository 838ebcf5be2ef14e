"""`distinctly compare`: how far are corpora from a reference?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.api import DEFAULT_DISTANCES, compare
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
    output_of,
    plot_option,
    progress_bar,
    reading_of,
    reading_options,
    saved_metrics,
    showing_options,
    vectors_option,
    view_options,
)
from distinctly.config import RunConfig
from distinctly.errors import SpecError
from distinctly.report.pages.scores import page_of_scores
from distinctly.run.resampling import Resampling
from distinctly.spec import parse_metrics

EPILOG = """\b
Examples:
  distinctly compare human.txt model.txt
  distinctly compare human.jsonl a.jsonl b.jsonl --field response --noise-floor --permutations 1000
  distinctly compare systems.jsonl --by model --reference human --explain
  distinctly compare a.txt b.txt c.txt --matrix -m mauve -m frechet
  distinctly compare systems.jsonl --by model --matrix -m energy --plot energy.png
  distinctly compare human.txt model.txt --embedder sbert:all-MiniLM-L6-v2 --device cuda
  distinctly compare human.txt model.txt -m frechet --vectors human.npy --vectors model.npy
  distinctly compare human.txt model.txt --require "mauve<=0.2"
"""


@grouped_command("compare", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="REFERENCE [CANDIDATE]...")
@metric_option(DEFAULT_DISTANCES)
@view_options
@vectors_option
@option(
    "--reference",
    "against",
    group="What",
    metavar="NAME",
    help="Name of the corpus that is the reference, or its value of --by.  [default: the first]",
)
@option("--matrix", group="What", is_flag=True, help="Compare every corpus with every other.")
@reading_options(without=("id", "prompt", "quality", "partition"))
@by_option
@settings(
    Resampling,
    without=("paired", "population"),
    changed={"permutations": {"default": "0"}},
)
@showing_options
@explain_options("the tokens, texts and clusters that drive the distances", 3)
@plot_option
@settings(RunConfig)
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    vectors: tuple[str, ...],
    by: str | None,
    explain: bool | None,
    examples: int,
    requirements: tuple[str, ...],
    baseline: str | None,
    plot_file: str | None,
    **options: Any,
) -> int:
    """Measure how far each CANDIDATE is from the REFERENCE: 0 is the same, larger is farther.

    Files are as for `distinctly measure`. With --by, one file is enough: its texts are split by a field.
    """
    if len(files) < 2 and by is None:
        raise SpecError("Expected a reference and a candidate, or one file and --by FIELD to split it.")
    reading = reading_of(options, by)
    output = output_of(options, explain=explain)
    check_plot_file(plot_file)
    gates = [Gate.parse(text) for text in requirements]
    known = read_baseline(baseline, gates) if gates or baseline else None
    wanted = [
        *(metrics or saved_metrics(files, "distance") or DEFAULT_DISTANCES),
        *(spec for gate in gates for spec in gate.specs),
    ]
    specs = [request.spec for request in parse_metrics(wanted)]
    systems = None if options["matrix"] else files[1:]
    reference, *candidates = open_named(files, reading, systems=systems)
    if by is None:
        names = [corpus.name for corpus in (reference, *candidates)]
        excluded = None if options["matrix"] else options["against"] or reference.name
        for gate in gates:
            gate.check_corpus([name for name in names if name != excluded], "candidate")
    with progress_bar() as progress:
        scores = compare(
            reference,
            candidates or None,
            specs,
            vectors=vectors or None,
            by=by,
            explain=examples if explain else 0,
            progress=progress,
            **given(options),
        )
    if plot_file is not None:
        scores.plot(path=plot_file)
    verdicts = judge(gates, scores, known) if gates else []
    output.write(page_of_scores(scores, verdicts))
    return 1 if verdicts and report_failures(verdicts) else 0
