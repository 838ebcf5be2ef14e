"""Where the captions of points are written, so that they cover neither each other nor a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "right", "center"]
Box = tuple[float, float, float, float]
# Pixels: the width of a character, the height of a line, and the distance from the middle of a point.
CHARACTER, LINE, APART = 6.6, 14.0, 7.0


@dataclass(frozen=True)
class Placed:
    """A caption beside a point.

    Attributes
    ----------
    place
        The number of the point.
    dx, dy
        The distance of the caption from the point in pixels, to the right and upwards.
    align
        Which end of the caption is there.
    """

    place: int
    dx: float
    dy: float
    align: Align


# Beside a point, above it and below it.
_POSITIONS: tuple[tuple[float, float, Align], ...] = (
    (APART, 0.0, "left"),
    (-APART, 0.0, "right"),
    (0.0, APART + LINE / 2, "center"),
    (0.0, -APART - LINE / 2, "center"),
    (APART, LINE, "left"),
    (-APART, LINE, "right"),
    (APART, -LINE, "left"),
    (-APART, -LINE, "right"),
)


def place_captions(
    points: Sequence[tuple[float, float]], captions: Sequence[str], size: tuple[float, float]
) -> list[Placed]:
    """Return the captions that have room; earlier ones come first.

    Parameters
    ----------
    points
        The places of all points in pixels, from the lower left corner.
    captions
        One text per point; empty for points without a caption.
    size
        The width and the height of the chart in pixels.

    Examples
    --------
    >>> [placed.align for placed in place_captions([(20, 20), (24, 20)], ["one", "two"], (200, 100))]
    ['center', 'left']
    """
    taken: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    placed = []
    for place, ((x, y), caption) in enumerate(zip(points, captions)):
        if not caption:
            continue
        for dx, dy, align in _POSITIONS:
            box = _box(x + dx, y + dy, align, caption)
            others = (other for number, other in enumerate(taken) if number != place)
            if _inside(box, size) and not any(_overlap(box, other) for other in others):
                taken.append(box)
                placed.append(Placed(place, dx, dy, align))
                break
    return placed


def _box(x: float, y: float, align: Align, caption: str) -> Box:
    width = CHARACTER * sum(1 if character.isascii() else 1.8 for character in caption)
    left = x - {"left": 0.0, "center": width / 2, "right": width}[align]
    return left, y - LINE / 2, left + width, y + LINE / 2


def _inside(box: Box, size: tuple[float, float]) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= size[0] and box[3] <= size[1]


def _overlap(box: Box, other: Box) -> bool:
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
