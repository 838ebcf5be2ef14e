"""The files that the commands of guides read, in small."""

from __future__ import annotations

import itertools
from pathlib import Path

WHO = ("The ferry", "A neighbour", "My sister", "The old clock", "Nobody here", "The gardener", "A grey cat")
WHAT = ("leaves", "waits", "sings", "comes back", "stops", "rests", "laughs")
WHERE = ("at dawn", "by the harbour", "in the rain", "near the station", "after lunch", "without a word")


def sentences(count: int, first: int = 0) -> list[str]:
    """Return different sentences."""
    every = itertools.product(range(len(WHERE)), range(len(WHAT)), range(len(WHO)))
    chosen = itertools.islice(itertools.cycle(every), first, first + count)
    return [f"{WHO[who]} {WHAT[(what + who) % 7]} {WHERE[(where + what) % 6]}." for where, what, who in chosen]


def write(folder: Path) -> None:
    """Write all files to a folder."""
    lines = {"human.txt": sentences(60), "model.txt": sentences(12, 30) * 5, "outputs.txt": sentences(40, 80)}
    for name, texts in lines.items():
        (folder / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
