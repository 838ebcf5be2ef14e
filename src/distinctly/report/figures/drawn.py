"""What one chart of a figure is drawn by, and the notes below it."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

# Inches: a line of notes. And the characters of a line that is as wide as a page.
NOTE_LINE, NOTE_WIDTH = 0.15, 116
# Points: the size of notes and of titles.
SMALL = 8
GREY = "#666666"


class Drawn(ABC):
    """A chart that is drawn into a part of a figure as wide as a page."""

    @property
    @abstractmethod
    def height(self) -> float:
        """The height in inches, without the notes."""

    @property
    @abstractmethod
    def notes(self) -> Sequence[str]:
        """What is written below the chart."""

    @abstractmethod
    def draw(self, place: Any) -> None:
        """Draw the chart into a subfigure of matplotlib."""

    @cached_property
    def _lines(self) -> list[str]:
        """The notes in lines as wide as a page."""
        # A number stays beside its sign.
        notes = [note.replace(" %", "\N{NO-BREAK SPACE}%") for note in self.notes]
        return [line for note in notes for line in textwrap.wrap(note, NOTE_WIDTH)]

    @property
    def notes_height(self) -> float:
        """The height of the notes in inches."""
        return NOTE_LINE * len(self._lines) + 0.08

    def write_notes(self, place: Any) -> None:
        """Write the notes into a subfigure below the chart."""
        if self._lines:
            place.text(0.01, 1, "\n".join(self._lines), va="top", fontsize=SMALL, color=GREY)


def few_ticks(axis: Any, most: int) -> None:
    """Set at most some ticks on an axis of numbers, with commas, and without an offset."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(number))


def number(value: float, _: int | None = None) -> str:
    """Write the number of a tick.

    Examples
    --------
    >>> number(0.1 + 0.2), number(12_500.0), number(2e7), number(-0.05)
    ('0.3', '12,500', '2e+07', '-0.05')
    """
    return f"{value:.3g}" if abs(value) >= 1e7 else f"{value:,.6g}"
