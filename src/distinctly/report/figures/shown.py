"""A figure that a notebook shows where it is the value of a cell."""

from __future__ import annotations

import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Pixels of the screen per inch, and pixels of the picture per pixel of the screen.
SCREEN, SHARPNESS = 100, 2


class ShownFigure(Figure):
    """A figure of matplotlib with a picture for notebooks.

    IPython shows figures of matplotlib only after `pyplot` was imported. This one does not belong to
    `pyplot`, so it is not shown a second time at the end of the cell.
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        contents = io.BytesIO()
        self.savefig(contents, format="png", dpi=SCREEN * SHARPNESS)
        width, height = (round(SCREEN * inches) for inches in self.get_size_inches())
        return contents.getvalue(), {"width": width, "height": height}


def shown_figure(width: float, height: float) -> Any:
    """Return an empty figure of this size in inches, without a window."""
    figure = ShownFigure(figsize=(width, height), dpi=SCREEN)
    FigureCanvasAgg(figure)
    return figure
