"""`distinctly measure --per-text`: one value per text and metric, beside kept fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.api import DEFAULT_PER_TEXT, per_text
from distinctly.cli.grouped import option, together
from distinctly.cli.options import given, open_named, open_reference, output_of, progress_bar, reading_of
from distinctly.errors import SpecError

# Options of `measure` that are about a corpus as a whole.
_OF_CORPORA = {
    "interval": "--interval",
    "paired": "--paired",
    "population": "--population",
    "permutations": "--permutations",
    "seed": "--seed",
    "top": "--top",
    "explain": "--explain",
    "requirements": "--require",
    "baseline": "--baseline",
    "plot_file": "--plot",
    "plot_kind": "--plot-kind",
    "score_only": "--score-only",
    "approximate": "--approximate",
}
per_text_options = together(
    option(
        "--per-text",
        group="What",
        is_flag=True,
        help="Measure each text separately: one row per text, one column per metric; by default "
        f"{', '.join(DEFAULT_PER_TEXT)}.",
    ),
    option(
        "--keep",
        group="What",
        multiple=True,
        metavar="FIELD",
        help="One row per text, as with --per-text, and a field of the input to write beside the values; "
        "repeatable, also as a path (meta.author) or a pattern ('*').",
    ),
    option(
        "--correlate",
        group="What",
        metavar="FIELD",
        help="One row per text, as with --per-text, and the correlation of each metric with a numeric field.",
    ),
)


def show_texts(
    files: Sequence[str],
    metrics: Sequence[str],
    reference: str | None,
    by: str | None,
    options: dict[str, Any],
    whole: Mapping[str, object],
) -> None:
    """Measure each text of the files, and write the table.

    Parameters
    ----------
    files, metrics, reference, by
        As for `measure`.
    options
        The other options of the command.
    whole
        More options that are about a corpus as a whole, and that must not be given.
    """
    from distinctly.report.pages.texts import page_of_texts

    for name, flag in _OF_CORPORA.items():
        if {**options, **whole}.get(name) not in (None, (), 0):
            raise SpecError(f"{flag} is about a corpus as a whole, so it cannot be combined with --per-text.")
    output = output_of(options)
    if output.form == "values":
        raise SpecError("--format values is for single numbers. Choose csv for one row per text.")
    reading = reading_of(options)
    keep = [*([] if by is None else [by]), *options.pop("keep")]
    corpora = open_named(files, reading, systems=())
    with progress_bar() as progress:
        table = per_text(
            corpora,
            list(metrics) or DEFAULT_PER_TEXT,
            keep=keep,
            correlate=options.pop("correlate"),
            reference=open_reference(reference, reading),
            progress=progress,
            **given(options),
        )
    output.write(page_of_texts(table))
