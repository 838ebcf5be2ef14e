"""Figures of trials: one module per kind of trial draws them; colours, fonts and files are defined here.

Figures are readable in print and by colour-blind readers: they use the colours of Okabe and Ito (2008) and of
Tol (2021) with different markers and dashes, and show units and the number of texts. They are about as wide
as a page, so that their text is not scaled down.
"""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distinctly.errors import InputError, SpecError, missing_extra, reason
from distinctly.judging.trial import Trial
from distinctly.report.page import Drawing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe & Ito (2008) without yellow, which is too light on white, and wine and indigo of Tol (2021, "muted").
# With normal sight, and with each simulated colour blindness (Machado et al., 2009), any two differ by a
# distance of at least 16 in CIELAB.
COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#000000"),
    *("#882255", "#56B4E9", "#332288"),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
DASHES = (
    *("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1))),
    *((0, (8, 3)), (0, (6, 1, 1, 1, 1, 1))),
)
# The colours of single values, and of a reference: a floor or an asymptote.
DOTS, REFERENCE = "#56B4E9", "#009E73"
# Inches: the width of a page. A wider figure is scaled down where it is shown.
PAGE_WIDTH = 7.0
ENDINGS = (".png", ".svg")
# Bytes: an SVG with thousands of points is larger than its PNG.
LARGEST_SVG = 300_000
_STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "legend.fontsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "figure.dpi": 150,
    "savefig.dpi": 200,
    "svg.fonttype": "none",  # letters stay letters
    "svg.hashsalt": "distinctly",  # the same figure is the same file
    "figure.constrained_layout.use": True,
}


def figures(trial: Trial) -> Mapping[str, Figure]:
    """Draw the figures of a trial, by name."""
    with _styled():
        drawn: Mapping[str, Figure] = importlib.import_module(
            f"distinctly.judging.{trial.kind}.figures"
        ).figures(trial)
    return drawn


def save_figures(trial: Trial, folder: str | Path) -> list[Path]:
    """Write all figures of a trial to a folder, as PNG and SVG, and return the files."""
    with _styled():
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
    with _styled():
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


def need_matplotlib() -> None:
    """Raise an error with the install command if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401 - whether it is there
    except ImportError as error:
        raise missing_extra("A plot", "matplotlib", "plots") from error


@contextmanager
def _styled() -> Iterator[None]:
    need_matplotlib()
    import matplotlib

    with matplotlib.rc_context(_STYLE):
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, without a window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height))
    FigureCanvasAgg(made)
    return made


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
