"""The colours and markers of corpora: the same in every chart of a page, light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from distinctly.report.cells import printable
from distinctly.report.hypertext.text import markup
from distinctly.report.page import Block, Forest, Heading, Plot, TextMap

# Okabe & Ito (2008) and Tol (2021), as in the figures of trials; orange and sky blue are darker, so that the
# contrast with white is at least 3. With normal sight, and with each simulated colour blindness (Machado et
# al., 2009), any two differ by a distance of at least 13 in CIELAB; markers differ as well.
LIGHT = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#8C4C00", "#000000"),
    *("#882255", "#0093E6", "#332288"),
)
# The same hues, whose contrast with the dark background is at least 3.
DARK = (
    *("#80B9D9", "#C05500", "#0DA37A", "#CC79A7", "#F0C566", "#BFBFBF"),
    *("#A04E77", "#D5ECFA", "#7064AC"),
)
# What is not a corpus, by theme: text, less important text, lines of a grid, background.
THEMES: dict[str, dict[str, Any]] = {
    "light": {
        "series": LIGHT,
        "text": "#1B1F24",
        "muted": "#57606A",
        "grid": "#E3E6EA",
        "surface": "#FFFFFF",
    },
    "dark": {"series": DARK, "text": "#E6EAF0", "muted": "#A3ADB8", "grid": "#2C333C", "surface": "#14181D"},
}
# Names of Bokeh, and the same shapes as paths in a square of 16 by 16.
MARKERS = {
    "circle": "M8 2a6 6 0 1 0 .01 0z",
    "square": "M3 3h10v10H3z",
    "triangle": "M8 2l6.5 11.5h-13z",
    "diamond": "M8 1l5.5 7L8 15 2.5 8z",
    "inverted_triangle": "M8 14L1.5 2.5h13z",
    "hex": "M8 1.5l5.7 3.25v6.5L8 14.5l-5.7-3.25v-6.5z",
    "star": "M8 1l2 4.8 5.2.4-4 3.4 1.3 5L8 11.9l-4.5 2.7 1.3-5-4-3.4 5.2-.4z",
    "plus": "M6.5 2h3v4.5H14v3H9.5V14h-3V9.5H2v-3h4.5z",
    "square_pin": "M2 2q6 3 12 0-3 6 0 12-6-3-12 0 3-6 0-12z",
}
# Longer names of corpora are shortened.
LONGEST_NAME = 80
# How much larger a marker is drawn, so that all look equally large.
SIZES = {"triangle": 1.2, "diamond": 1.4, "inverted_triangle": 1.2, "hex": 1.1, "star": 1.5, "plus": 1.3}
DASHES = ("solid", "dashed", "dotdash", "dotted", "dashdot")


@dataclass(frozen=True)
class Look:
    """How a corpus looks: the place of its colour, its marker and the dashes of its lines."""

    colour: int
    marker: str
    dash: str

    @property
    def size(self) -> float:
        """The size of the marker relative to that of a circle."""
        return SIZES.get(self.marker, 1.0)

    @property
    def swatch(self) -> str:
        """The marker in its colour, as markup; the name of the corpus is beside it."""
        path = MARKERS[self.marker]
        return (
            f'<svg class="swatch c{self.colour}" viewBox="0 0 16 16" width="12" height="12" '
            f'aria-hidden="true"><path d="{path}"/></svg>'
        )


class Looks:
    """The look of each corpus in the charts of a page, by its name; headings decide the order."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        charted = dict.fromkeys(printable(name) for block in blocks for name in _charted(block))
        headings = [block.text for block in blocks if isinstance(block, Heading)]
        self.names = [*(name for name in dict.fromkeys(headings) if name in charted)]
        self.names += [name for name in charted if name not in self.names]
        self._places = {name: place for place, name in enumerate(self.names)}

    def __getitem__(self, corpus: str) -> Look:
        place = self._places[printable(corpus)]
        # Markers are shifted after each round of colours, so that no two of 81 corpora look alike.
        again, within = divmod(place, len(LIGHT))
        marker = list(MARKERS)[(within + again) % len(MARKERS)]
        return Look(within, marker, DASHES[(within + again) % len(DASHES)])

    def __contains__(self, corpus: str) -> bool:
        return printable(corpus) in self._places

    def named(self, corpus: str) -> str:
        """Return the name of a corpus after its swatch, as markup."""
        name = f'<bdi dir="auto">{markup(printable(corpus), LONGEST_NAME)}</bdi>'
        return f'<span class="corpus">{self[corpus].swatch}{name}</span>' if corpus in self else name


def _charted(block: Block) -> list[str]:
    """Return the corpora in a chart, in order."""
    if isinstance(block, Forest):
        return [estimate.corpus for estimates in block.panels.values() for estimate in estimates]
    if isinstance(block, Plot):
        return [series.corpus for series in block.series]
    if isinstance(block, TextMap):
        shares = [corpus for region in block.regions for corpus in region.shares]
        return [*shares, *(point.corpus for point in block.points)]
    return []


def colour_rules() -> str:
    """Return the rules of the style sheet for the colours of corpora."""
    pairs = enumerate(zip(LIGHT, DARK))
    return "\n".join(f".c{place}{{--series:light-dark({light},{dark})}}" for place, (light, dark) in pairs)
