"""`distinctly cache`: show or remove the vectors of texts stored on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from distinctly.cli import one_line, say
from distinctly.embedders.store import all_kept, cache_folder, cache_limit, clear, is_read_only
from distinctly.errors import unknown
from distinctly.report.cells import printable

FORMATS = ("table", "json")
# The number of other files to name.
MOST_NAMES = 5
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
        say(context.get_help())


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
            "read_only": is_read_only(),
            "bytes": total,
            "limit": limit,
            "embedders": [
                {"embedder": store.title, "texts": store.texts, "bytes": store.bytes} for store in stores
            ],
        }
        say(json.dumps(document, indent=2, ensure_ascii=False))
        return
    say(printable(str(folder)) + (" (read-only)" if is_read_only() else ""))
    say(f"{readable(total)} of {readable(limit)}")
    for store in stores:
        say(f"  {printable(store.title)}  {store.texts:,} texts, {readable(store.bytes)}")


@command.command("clear")
@click.argument("embedder", required=False)
def remove(embedder: str | None) -> None:
    """Remove all vectors, or those of an EMBEDDER: a name, or a spec as `info` shows it.

    Other files in the folder are kept, and links are not followed.
    """
    known = [store.title for store in all_kept()]
    cleared = clear(embedder)
    files = f" in {cleared.files} file{'s' * (cleared.files != 1)}" if cleared.files else ""
    say(f"{readable(cleared.bytes)}{files} removed from {printable(str(cache_folder()))}")
    if cleared.links:
        say(f"Left alone, since they are links: {_listed(cleared.links)}")
    if cleared.others:
        say(f"Kept, since they are not of distinctly: {_listed(cleared.others)}")
    if embedder is not None and not cleared.bytes:
        say(
            f"The cache has no vectors of '{one_line(embedder)}'; it has: {', '.join(known) or 'none'}.",
            err=True,
        )


def _listed(names: Sequence[str]) -> str:
    """Write the first names, and the number of the others."""
    more = f" … and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(map(printable, names[:MOST_NAMES])) + more


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
