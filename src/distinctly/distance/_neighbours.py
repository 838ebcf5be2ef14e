"""Notes that the distances by nearest neighbours share, on texts and sizes."""

from __future__ import annotations

from collections.abc import Sequence

from distinctly.distance.base import left_out
from distinctly.geometry.balls import Balls
from distinctly.geometry.screening import Crowd
from distinctly.ragged import Integers
from distinctly.score import Note

# Corpora are called unequal where one has this many times the texts of the other.
UNEQUAL = 1.5
# From this share of repeated texts on, a note says so.
MANY_REPEATED = 0.01
NAMES = ("reference", "candidate")


def notes_on_zeros(numbers: Sequence[Integers]) -> tuple[str, ...]:
    """Say how many texts have no direction, so are left out."""
    return left_out([int((own < 0).sum()) for own in numbers], [len(own) for own in numbers])


def why_undefined(numbers: Sequence[Integers]) -> str:
    """Say which corpus has no text with a direction; nothing where both have."""
    for name, own in zip(NAMES, numbers):
        if not (own >= 0).any():
            return f"all texts of the {name} have a vector of zeros, so no direction."
    return ""


def too_few(crowds: Sequence[tuple[str, Crowd]], k: int) -> str:
    """Say which corpus is too small for a k-th neighbour; nothing where none is."""
    for name, crowd in crowds:
        if crowd.texts <= k:
            have = "1 text" if crowd.texts == 1 else f"{crowd.texts:,} texts"
            return f"the {name} has {have}, and balls of {k} neighbours take {k + 1:,}: choose a smaller k."
    return ""


def notes_on_balls(balls: Balls, *, both: bool) -> list[Note]:
    """Warn of sizes and repeated texts that make balls misleading; both, or only those of the reference."""
    notes = [Note(text) for text in notes_on_zeros(balls.numbers)]
    sizes = balls.reference.texts, balls.candidate.texts
    if max(sizes) >= UNEQUAL * min(sizes):
        unequal = (
            f"The corpora differ in size ({sizes[0]:,} and {sizes[1]:,} texts), and the balls of a small "
            "corpus are large: compare as many texts of each (subsample)."
        )
        notes.append(Note(unequal, "warning"))
    crowds = (balls.reference, balls.candidate) if both else (balls.reference,)
    for name, crowd, empty in zip(NAMES, crowds, balls.empty):
        repeated = crowd.texts - len(crowd)
        if repeated >= MANY_REPEATED * crowd.texts or empty:
            repeats = f"{repeated:,} of {crowd.texts:,} texts of the {name} have the vector of another one"
            more = f": {empty:,} have an empty ball" if empty else ""
            notes.append(Note(f"{repeats}, which makes balls smaller{more}.", "warning"))
    return notes
