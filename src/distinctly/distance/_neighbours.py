"""Notes that the distances by nearest neighbours share."""

from __future__ import annotations

from collections.abc import Sequence

from distinctly.distance.base import left_out
from distinctly.geometry.balls import Balls
from distinctly.geometry.screening import Crowd
from distinctly.ragged import Integers
from distinctly.score import Note

# A note warns if one corpus has this many times the texts of the other.
UNEQUAL = 1.5
# A note warns from this share of repeated texts on.
MANY_REPEATED = 0.01
NAMES = ("reference", "candidate")


def notes_on_zeros(numbers: Sequence[Integers]) -> tuple[str, ...]:
    """Return notes on the texts that are left out since their vector is zero."""
    return left_out([int((points < 0).sum()) for points in numbers], [len(points) for points in numbers])


def why_undefined(numbers: Sequence[Integers]) -> str:
    """Return which corpus has only zero vectors; empty if neither does."""
    for name, points in zip(NAMES, numbers):
        if not (points >= 0).any():
            return f"all texts of the {name} have a zero vector, which has no direction."
    return ""


def too_few(crowds: Sequence[tuple[str, Crowd]], k: int) -> str:
    """Return which corpus is too small for a k-th neighbour; empty if neither is."""
    for name, crowd in crowds:
        if crowd.texts <= k:
            texts = "1 text" if crowd.texts == 1 else f"{crowd.texts:,} texts"
            return f"the {name} has {texts}, but k={k} needs at least {k + 1:,}: choose a smaller k."
    return ""


def notes_on_balls(balls: Balls, *, both: bool) -> list[Note]:
    """Warn of unequal sizes, and of repeated texts: of both corpora, or only of the reference."""
    notes = [Note(text) for text in notes_on_zeros(balls.numbers)]
    sizes = balls.reference.texts, balls.candidate.texts
    if max(sizes) >= UNEQUAL * min(sizes):
        general = (
            "The corpora differ in size{}, and the smaller one has larger balls: compare equal numbers of "
            "texts (subsample)."
        )
        unequal = general.format(f" ({sizes[0]:,} and {sizes[1]:,} texts)")
        notes.append(Note(unequal, "warning", general=general.format("")))
    crowds = (balls.reference, balls.candidate) if both else (balls.reference,)
    for name, crowd, empty in zip(NAMES, crowds, balls.empty):
        repeated = crowd.texts - len(crowd)
        if repeated >= MANY_REPEATED * crowd.texts or empty:
            repeats = f"texts of the {name} repeat the vector of another text, which makes balls smaller"
            more = f": {empty:,} have an empty ball" if empty else ""
            text = f"{repeated:,} of {crowd.texts:,} {repeats}{more}."
            notes.append(Note(text, "warning", general=f"Some {repeats}."))
    return notes
