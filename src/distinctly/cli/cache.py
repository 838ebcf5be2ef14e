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

The folder is DISTINCTLY_CACHE, or the user's cache folder; the limit is DISTINCTLY_CACHE_LIMIT, such
as 500MB. The least recently used vectors are removed first. --no-cache runs without the cache.
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
    """Show the folder of the vectors, and the number of texts per embedder."""
    if shown_as not in FORMATS:
        raise unknown("format", shown_as, FORMATS)
    folder, limit, stores = cache_folder(), cache_limit(), all_kept()
    total = sum(store.bytes for store in stores)
    if shown_as == "json":
        document = {
            "folder": str(folder),
            "bytes": total,
            "limit": limit,
            "embedders": [
                {"embedder": store.title, "texts": store.texts, "bytes": store.bytes} for store in stores
            ],
        }
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    click.echo(f"{folder}\n{readable(total)} of {readable(limit)}")
    for store in stores:
        click.echo(f"  {store.title}  {store.texts:,} texts, {readable(store.bytes)}")


@command.command("clear")
@click.argument("embedder", required=False)
def remove(embedder: str | None) -> None:
    """Remove all vectors, or those of an EMBEDDER: a name, or a spec as `info` shows it."""
    known = [store.title for store in all_kept()]
    removed = clear(embedder)
    click.echo(f"{readable(removed)} removed from {cache_folder()}")
    if embedder is not None and not removed:
        click.echo(
            f"The cache has no vectors of '{embedder}'; it has: {', '.join(known) or 'none'}.", err=True
        )


def readable(size: int) -> str:
    """Write a number of bytes with a unit.

    Examples
    --------
    >>> readable(512), readable(41_000_000), readable(2 * 10**9)
    ('512 B', '41.0 MB', '2.0 GB')
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} B"
