"""`distinctly study new`: draw sets of responses for annotators, and make their links."""

from __future__ import annotations

from pathlib import Path

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings
from distinctly.cli.study.options import check_target, read_text, show_links, write_links
from distinctly.errors import SpecError
from distinctly.sources.base import Reading

EPILOG = """\b
Examples:
  distinctly study new responses.jsonl --by method --group prompt --sets 100 --per-set 15
  distinctly study new responses.jsonl --by method --group prompt --annotators ann,bob,cy \\
      --scale 1 7 --title 'Which model varies more?' --instructions task.md -o pilot.study
\b
A row of responses.jsonl: {"method": "A", "prompt": "How are you?", "text": "Fine, thanks."}
"""
# The ending of a study.
ENDING = ".study"


@grouped_command("new", epilog=EPILOG)
@click.argument("responses", metavar="RESPONSES")
@option("--by", group="What", required=True, metavar="FIELD", help="Field that names the method.")
@option(
    "--group",
    group="What",
    metavar="FIELD",
    help="Field that holds the prompt: the sets of a package respond to the same prompts.",
)
@option(
    "--sets",
    group="What",
    type=click.IntRange(min=1),
    default=100,
    metavar="N",
    help="Number of sets per method; each package has one set of each method.  [default: 100]",
)
@option(
    "--per-set",
    group="What",
    type=click.IntRange(min=1),
    default=15,
    metavar="N",
    help="Number of responses in a set.  [default: 15]",
)
@option(
    "--annotators",
    group="What",
    default="3",
    metavar="N",
    help="Number of annotators, or their names, separated by commas.  [default: 3]",
)
@option(
    "--scale",
    group="What",
    type=float,
    nargs=2,
    default=(1.0, 50.0),
    metavar="LOW HIGH",
    help="Ends of the scale of scores.  [default: 1 50]",
)
@option("--title", group="What", metavar="TEXT", help="Title that annotators see.")
@option(
    "--instructions",
    group="What",
    metavar="FILE",
    help="Instructions for annotators, in Markdown.  [default: those of Liu et al., 2022]",
)
@option("--example", group="What", metavar="FILE", help="Example below the instructions, in Markdown.")
@option("--question", group="What", metavar="TEXT", help="Question below each set.")
@option(
    "--language",
    group="What",
    default="en",
    metavar="TAG",
    help="Language of title, instructions and texts, such as en or zh.  [default: en]",
)
@option(
    "--seed",
    group="What",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Seed of the draws and of the orders; links are always new.  [default: 0]",
)
@settings(Reading, "field", "encoding", "errors", "delimiter", "sheet", "format")
@option(
    "-o",
    "--output",
    "output_file",
    group="Output",
    metavar="FILE",
    help="File of the study.  [default: the name of RESPONSES with the ending .study]",
)
@option(
    "--links",
    "links_file",
    group="Output",
    metavar="FILE",
    help="Also write the links to a .csv file, which must be kept secret.",
)
def command(
    responses: str,
    by: str,
    group: str | None,
    sets: int,
    per_set: int,
    annotators: str,
    scale: tuple[float, float],
    title: str | None,
    instructions: str | None,
    example: str | None,
    question: str | None,
    language: str,
    seed: int,
    output_file: str | None,
    links_file: str | None,
    **reading: str | None,
) -> None:
    """Draw sets of RESPONSES, and make a study that annotators score in their browser.

    RESPONSES has one response per row, with its method and prompt. Set k of each method responds to the same
    prompts; these sets form a package, and are shown side by side. The order of the methods is balanced, and
    the order of packages random; both differ between annotators.
    """
    from distinctly.studies.design import draw_packages, read_responses
    from distinctly.studies.instructions import QUESTION, TITLE, default_instructions
    from distinctly.studies.model import StudyPlan
    from distinctly.studies.store import StudyStore

    name = "responses" if responses == "-" else Path(responses).name
    target = Path(output_file or Path(name).with_suffix(ENDING))
    check_target(target, links_file)
    names = _names(annotators)
    low, high = scale
    notes = []
    if language.partition("-")[0].lower() != "en" and instructions is None:
        notes.append(f"The default instructions are in English, not in '{language}': see --instructions.")
    task = None if instructions is None else read_text(instructions)
    shown_example = "" if example is None else read_text(example)
    read = read_responses(responses, by, group=group, **reading)
    packages, notes_on_draws = draw_packages(read, sets=sets, per_set=per_set, seed=seed)
    methods = list(packages[0].sets)
    plan = StudyPlan(
        title=title or TITLE,
        instructions=task or default_instructions(len(methods), low, high),
        question=question or QUESTION.format(low=f"{low:g}", high=f"{high:g}"),
        low=low,
        high=high,
        packages=packages,
        annotators=names,
        example=shown_example,
        language=language,
        seed=seed,
        source=name,
        notes=notes_on_draws,
    )
    study, tokens = StudyStore.create(target, plan)
    study.close()
    say(
        f"{target}: {len(packages):,} packages of {len(methods)} sets ({', '.join(methods)}) of {per_set} "
        f"responses; {len(names)} annotators, scores from {low:g} to {high:g}."
    )
    times, rest = divmod(len(packages), len(methods))
    often = f"{times} or {times + 1} times" if rest else "once" if times == 1 else f"{times} times"
    say(f"Each annotator sees each method in each column {often}.\n")
    show_links(tokens, target)
    say(f"Serve them with: distinctly serve --study {target}")
    if links_file is not None:
        write_links(tokens, links_file)
    for note in [*notes_on_draws, *notes]:
        say(f"Note: {note}", err=True)


def _names(given: str) -> list[str]:
    """Return names of annotators, or numbered ones."""
    if given.strip().lstrip("+-").isdecimal():
        count = int(given)
        if not 1 <= count <= 1000:
            raise SpecError(f"Expected 1 to 1,000 annotators, got {count}.")
        return [f"annotator-{number}" for number in range(1, count + 1)]
    return [name.strip() for name in given.split(",")]
