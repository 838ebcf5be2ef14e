"""The layout of metrics on figures: names, colours, markers and dashes; no text overlaps another."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from distinctly.judging.figures import look, panels
from distinctly.judging.records import Key
from distinctly.report.cells import clipped, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More metrics on one figure cannot be distinguished.
MOST = 8
# Lines of a name.
LINES = 3
LETTERS_AN_INCH = 15
# A space at which no line breaks: n = 100 stays together.
TIED = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class PlottedMetric:
    """A metric on a figure.

    Attributes
    ----------
    key
        The metric, its embedder and its part.
    name
        The name of the metric, with its embedder if there are several.
    place
        Its position on the figure, from 0.
    """

    key: Key
    name: str
    place: int

    @property
    def look(self) -> dict[str, Any]:
        """The colour, marker and dash of its line."""
        return look(self.place)


def sheets(names: Mapping[Key, str]) -> list[list[PlottedMetric]]:
    """Distribute metrics over figures that can be read, about as many on each.

    Examples
    --------
    >>> keys = [(f"metric{number}", "", "") for number in range(9)]
    >>> [[metric.place for metric in sheet] for sheet in sheets({key: key[0] for key in keys})]
    [[0, 1, 2, 3, 4], [0, 1, 2, 3]]
    """
    size = -(-len(names) // -(-len(names) // MOST)) if names else 1
    metrics = [PlottedMetric(*named, place % size) for place, named in enumerate(names.items())]
    return [metrics[first : first + size] for first in range(0, len(metrics), size)]


def suffixes(settings: Sequence[Mapping[str, int]]) -> list[str]:
    """Return suffixes of the names of figures, from the settings in which they differ.

    Examples
    --------
    >>> suffixes([{"n": 100, "k": 7}, {"n": 100, "k": 12}]), suffixes([{"n": 100, "k": 7}])
    (['-k7', '-k12'], [''])
    """
    keys = settings[0] if settings else ()
    different = [key for key in keys if len({each[key] for each in settings}) > 1]
    return ["".join(f"-{key}{each[key]}" for key in different) for each in settings]


def grid(count: int) -> tuple[int, int]:
    """Return the number of rows and columns of panels, at most four columns and rows about equally full.

    Examples
    --------
    >>> grid(8), grid(6), grid(5), grid(2)
    ((2, 4), (2, 3), (2, 3), (1, 2))
    """
    return panels(count, -(-count // panels(count)[0]))


def headline(figure: Figure, text: str) -> int:
    """Write the headline of a figure, and return its number of lines."""
    shown, width = plain(text), int(figure.get_figwidth() * LETTERS_AN_INCH)
    shown = shown.replace(" = ", f"{TIED}={TIED}")
    fewest = len(textwrap.wrap(shown, width))
    # As narrow as this number of lines allows, so that no single word is in the last line.
    while len(textwrap.wrap(shown, width - 1)) == fewest:
        width -= 1
    figure.suptitle(textwrap.fill(shown, width).replace(TIED, " "), fontsize=8.5)
    return fewest


def wrapped(name: str, width: int) -> str:
    """Break a name into lines, if possible after colons, commas and spaces.

    Examples
    --------
    >>> print(wrapped("classifier:preset=paper", 18))
    classifier:
    preset=paper
    """
    lines = [""]
    for piece in re.findall(r"[^:, ]*[:, ]+|[^:, ]+", printable(name)):
        for start in range(0, len(piece), width):
            part = piece[start : start + width]
            if lines[-1] and len(lines[-1] + part.rstrip()) > width:
                lines.append("")
            lines[-1] += part
    if len(lines) > LINES:
        lines[LINES - 1 :] = [clipped("".join(lines[LINES - 1 :]), width)]
    return "\n".join(plain(line.rstrip()) for line in lines)


def times(count: int) -> str:
    """Return the number of repetitions as text."""
    return f"{count} repetition{'s' * (count != 1)}"


def plain(text: str) -> str:
    """Escape a text, so that it is not drawn as a formula."""
    return printable(text).replace("$", r"\$")
