"""Figures by matplotlib: their style, and their files. `figures` draws the charts of a page in this style.

Figures are readable in print and by colour-blind readers: they use the colours of Okabe and Ito (2008) and of
Tol (2021) with different markers and dashes. They are about as wide as a page, so that their text is not
scaled down.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distinctly.errors import SpecError, missing_extra
from distinctly.report.saving import check_writable, write_whole

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
ENDINGS = (".png", ".svg", ".pdf")
# What files would have of the time at which they were written, and of versions.
_UNDATED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
STYLE: dict[str, Any] = {
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


def need_matplotlib() -> None:
    """Raise an error with the install command if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401 - whether it is there
    except ImportError as error:
        raise missing_extra("A plot", "matplotlib", "plots") from error


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of our figures until the context ends."""
    need_matplotlib()
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, without a window."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=(width, height))
    FigureCanvasAgg(made)
    return made


def check_plot(path: str | Path) -> None:
    """Raise if a plot cannot be written to a file, before anything is measured."""
    if Path(path).suffix.lower() not in ENDINGS:
        endings = f"{', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        raise SpecError(f"Expected a plot to be a file that ends with {endings}, got '{path}'.")
    need_matplotlib()
    check_writable(path, "plot")


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure to a file; the same figure is the same file."""
    check_plot(path)
    form = Path(path).suffix.lower().removeprefix(".")
    contents = io.BytesIO()
    with styled():
        figure.savefig(contents, format=form, metadata=_UNDATED[form])
    write_whole(path, contents.getvalue())
