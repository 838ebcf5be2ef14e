"""`distinctly study links`: new links, since those of a study are shown only once."""

from __future__ import annotations

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.cli.study.options import show_links


@grouped_command("links")
@click.argument("file", metavar="STUDY")
@option(
    "--renew",
    group="What",
    multiple=True,
    metavar="NAME",
    help="Annotator, or owner, who gets a new link; the previous one stops working. Repeatable.",
)
@option("--add", group="What", multiple=True, metavar="NAME", help="New annotator, with a link. Repeatable.")
def command(file: str, renew: tuple[str, ...], add: tuple[str, ...]) -> None:
    """List the annotators of a STUDY, or make new links.

    Only a hash of each link is stored, so a link that is lost can be replaced, but not shown again.
    """
    from distinctly.errors import unknown
    from distinctly.studies.model import OWNER
    from distinctly.studies.store import StudyStore

    with StudyStore(file) as study:
        known = [*study.annotators, OWNER]
        for name in renew:
            if name not in known:
                raise unknown("annotator", name, known)
        tokens = {name: study.add_annotator(name) for name in add}
        tokens |= {name: study.renew(name) for name in renew}
    if tokens:
        show_links(tokens, file)
        return
    say(f"{file} has links for {', '.join(known)}.")
    say("They are not stored. Make a new one with --renew NAME.")
