"""How metrics are laid out on figures: a name, a colour, a marker and a dash each; no text on another."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from distinctly.judging.figures import COLOURS, DASHES, MARKERS, panels
from distinctly.judging.records import Key
from distinctly.report.cells import clipped, printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# More on one figure cannot be told apart.
MOST = 8
# Of a name.
LINES = 3
LETTERS_AN_INCH = 15
# Stands for a space that no line ends at: n = 100 stays together.
TIED = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True)
class PlottedMetric:
    """A metric on a figure.

    Attributes
    ----------
    key
        Whose records it has.
    name
        What it is called, with the embedder where there are several.
    place
        Where it is on the figure, from 0.
    """

    key: Key
    name: str
    place: int

    @property
    def look(self) -> dict[str, Any]:
        """The colour, the marker and the dash of its line."""
        # Markers and dashes are shifted each round, by unlike steps, so that no two are alike without colour.
        again, place = divmod(self.place, len(COLOURS))
        return {
            "color": COLOURS[place],
            "marker": MARKERS[(place + again) % len(MARKERS)],
            "linestyle": DASHES[(place + 2 * again) % len(DASHES)],
        }


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


def suffixes(told: Sequence[Mapping[str, int]]) -> list[str]:
    """Return the ends of names of figures, from what tells them apart.

    Examples
    --------
    >>> suffixes([{"n": 100, "k": 7}, {"n": 100, "k": 12}]), suffixes([{"n": 100, "k": 7}])
    (['-k7', '-k12'], [''])
    """
    differ = [key for key in (told[0] if told else ()) if len({one[key] for one in told}) > 1]
    return ["".join(f"-{key}{one[key]}" for key in differ) for one in told]


def grid(count: int) -> tuple[int, int]:
    """Return how many rows and columns of panels there are, at most four across and the rows about full.

    Examples
    --------
    >>> grid(8), grid(6), grid(5), grid(2)
    ((2, 4), (2, 3), (2, 3), (1, 2))
    """
    return panels(count, -(-count // panels(count)[0]))


def headline(figure: Figure, text: str) -> int:
    """Write what is drawn, and of how many texts, above a figure, and return how many lines it takes."""
    shown, width = plain(text), int(figure.get_figwidth() * LETTERS_AN_INCH)
    shown = shown.replace(" = ", f"{TIED}={TIED}")
    fewest = len(textwrap.wrap(shown, width))
    # As narrow as it gets in so many lines, so that no word stands alone in the last.
    while len(textwrap.wrap(shown, width - 1)) == fewest:
        width -= 1
    figure.suptitle(textwrap.fill(shown, width).replace(TIED, " "), fontsize=8.5)
    return fewest


def wrapped(name: str, width: int) -> str:
    """Break a name into lines, after colons, commas and spaces where there are any.

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
    """Say how often something was repeated."""
    return f"{count} repetition{'s' * (count != 1)}"


def plain(text: str) -> str:
    """Return a text that is drawn as it is, not as a formula."""
    return printable(text).replace("$", r"\$")
