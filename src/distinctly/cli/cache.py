"""`distinctly cache`: show or remove the vectors of texts stored on disk."""

from __future__ import annotations

import json

import click

from distinctly.embedders.store import all_kept, cache_folder, cache_limit, clear
from distinctly.errors import unknown

FORMATS = ("table", "json")
EPILOG = """\b
Examples:
  distinctly cache info
  distinctly cache clear
  distinctly cache clear wordllama

The folder is DISTINCTLY_CACHE, or the user's cache folder; the limit is DISTINCTLY_CACHE_LIMIT, as in
500MB. What was used least recently goes first. --no-cache runs without.
"""


@click.group("cache", epilog=EPILOG, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Show or remove the vectors of texts that embedders have made."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command("info")
@click.option(
    "--format",
    "shown_as",
    default="table",
    show_default=True,
    metavar="FORMAT",
    help="table or json.  [default: table]",
)
def info(shown_as: str) -> None:
    """Show where the vectors are, and how many of which embedder."""
    if shown_as not in FORMATS:
        raise unknown("format", shown_as, FORMATS)
    folder, limit, kept = cache_folder(), cache_limit(), all_kept()
    total = sum(one.bytes for one in kept)
    if shown_as == "json":
        found = {
            "folder": str(folder),
            "bytes": total,
            "limit": limit,
            "embedders": [{"embedder": one.title, "texts": one.texts, "bytes": one.bytes} for one in kept],
        }
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    click.echo(f"{folder}\n{readable(total)} of {readable(limit)}")
    for one in kept:
        click.echo(f"  {one.title}  {one.texts:,} texts, {readable(one.bytes)}")


@command.command("clear")
@click.argument("embedder", required=False)
def remove(embedder: str | None) -> None:
    """Remove all vectors, or those of an EMBEDDER: a name, or a spec as `info` shows it."""
    known = [one.title for one in all_kept()]
    removed = clear(embedder)
    click.echo(f"{readable(removed)} removed from {cache_folder()}")
    if embedder is not None and not removed:
        click.echo(f"There is nothing of '{embedder}'; there is: {', '.join(known) or 'nothing'}.", err=True)


def readable(size: int) -> str:
    """Write a number of bytes for reading.

    Examples
    --------
    >>> readable(512), readable(41_000_000), readable(2 * 10**9)
    ('512 B', '41.0 MB', '2.0 GB')
    """
    for unit, bytes_each in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= bytes_each:
            return f"{size / bytes_each:.1f} {unit}"
    return f"{size} B"
