"""Figures of trials: one module per kind of trial draws them, in the style of `report/drawing.py`.

They show units and the number of texts.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distinctly.errors import InputError, SpecError, reason
from distinctly.judging.trial import Trial
from distinctly.report.drawing import COLOURS, DASHES, MARKERS, styled
from distinctly.report.page import Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The files of each figure.
ENDINGS = (".png", ".svg")
# Bytes: an SVG with thousands of points is larger than its PNG.
LARGEST_SVG = 300_000


def figures(trial: Trial) -> Mapping[str, Figure]:
    """Draw the figures of a trial, by name."""
    with styled():
        drawn: Mapping[str, Figure] = importlib.import_module(
            f"distinctly.judging.{trial.kind}.figures"
        ).figures(trial)
    return drawn


def save_figures(trial: Trial, folder: str | Path) -> list[Path]:
    """Write all figures of a trial to a folder, as PNG and SVG, and return the files."""
    with styled():
        drawn = figures(trial)
        target = Path(folder)
        try:
            target.mkdir(parents=True, exist_ok=True)
            files = [target / f"{name}{ending}" for name in drawn for ending in ENDINGS]
            for file in files:
                metadata = {"Date": None} if file.suffix == ".svg" else {"Software": None}
                drawn[file.stem].savefig(file, metadata=metadata)
        except OSError as error:
            raise InputError(
                f"the figures cannot be written: {reason(error)}.", source=str(folder)
            ) from error
    if not files:
        raise SpecError("The trial has no values to draw.")
    return files


def drawings(trial: Trial) -> list[Drawing]:
    """Draw the figures of a trial for a page: as SVG, or as PNG where that is smaller by far."""
    with styled():
        return [_drawing(name, figure) for name, figure in figures(trial).items()]


def _drawing(name: str, figure: Figure) -> Drawing:
    import matplotlib

    # Letters as outlines look the same wherever the page is opened.
    with matplotlib.rc_context({"svg.fonttype": "path"}):
        content, kind = _saved(figure, "svg", {"Date": None}), "image/svg+xml"
    if len(content) > LARGEST_SVG:
        content, kind = _saved(figure, "png", {"Software": None}), "image/png"
    title = name.replace("-", " ").capitalize()
    words = " ".join(figure.get_suptitle().split())
    panels_shown = ", ".join(axis.get_title() for axis in figure.axes if axis.get_title())
    meaning = words or f"{title}: {panels_shown}".removesuffix(": ")
    return Drawing(title, content, kind, meaning)


def _saved(figure: Figure, form: str, metadata: dict[str, None]) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=form, metadata=metadata)
    return file.getvalue()


def look(place: int) -> dict[str, Any]:
    """Return the colour, marker and dash of the line at a place; no two places below 81 share all three.

    Examples
    --------
    >>> look(0), look(9)["color"] == look(0)["color"], look(9)["marker"] == look(0)["marker"]
    ({'color': '#0072B2', 'marker': 'o', 'linestyle': '-'}, True, False)
    """
    # Markers and dashes are shifted by different steps after each round of colours.
    again, within = divmod(place, len(COLOURS))
    return {
        "color": COLOURS[within],
        "marker": MARKERS[(within + again) % len(MARKERS)],
        "linestyle": DASHES[(within + 2 * again) % len(DASHES)],
    }


def panels(count: int, columns: int = 4) -> tuple[int, int]:
    """Return the number of rows and columns of a grid of panels.

    Examples
    --------
    >>> panels(8), panels(3), panels(5)
    ((2, 4), (1, 3), (2, 4))
    """
    across = min(count, columns)
    return -(-count // across), across
