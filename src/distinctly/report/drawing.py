"""Figures by matplotlib: colours, fonts and files; and the plots of a page as such figures.

Figures are readable in print and by colour-blind readers: they use the colours of Okabe and Ito (2008) and of
Tol (2021) with different markers and dashes. They are about as wide as a page, so that their text is not
scaled down.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distinctly.errors import InputError, SpecError, missing_extra
from distinctly.report.captions import place_captions
from distinctly.report.cells import clipped
from distinctly.report.page import Plot, Series
from distinctly.report.saving import write_whole

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
# Inches: the height of a plot.
PLOT_HEIGHT = 5.0
# Pixels of a caption per inch: what `place_captions` takes as the size of letters, at 8 points.
PIXELS = 100
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
        raise SpecError(f"Expected a plot to be a file that ends with {' or '.join(ENDINGS)}, got '{path}'.")
    need_matplotlib()
    if not Path(path).absolute().parent.is_dir():
        raise InputError(
            "this folder does not exist. Create it, or choose another file for the plot.",
            source=str(Path(path).parent),
        )


def save_plots(plots: Sequence[Plot], path: str | Path) -> None:
    """Draw the plots of a page below each other, and write the figure to a file."""
    check_plot(path)
    with styled():
        figure = new_figure(PAGE_WIDTH, PLOT_HEIGHT * len(plots))
        for axis, plot in zip(figure.subplots(len(plots), 1, squeeze=False).ravel(), plots):
            _draw(axis, plot)
        contents = io.BytesIO()
        form = Path(path).suffix.lower().removeprefix(".")
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(contents, format=form, metadata=metadata)
    write_whole(path, contents.getvalue())


def _draw(axis: Any, plot: Plot) -> None:
    """Draw the points of a plot; captions are beside them where there is room."""
    for place, series in enumerate(plot.series):
        axis.scatter(
            series.x,
            series.y,
            s=14,
            color=COLOURS[place % len(COLOURS)],
            marker=MARKERS[place % len(MARKERS)],
            alpha=0.7,
            linewidths=0,
            label=clipped(series.corpus, 30),
        )
    axis.margins(0.08)
    axis.set_title(clipped(plot.title, 80))
    axis.set_xlabel(clipped(plot.x_title, 100))
    axis.set_ylabel(plot.y_title)
    if len(plot.series) > 1:
        axis.legend(frameon=False, loc="best")
    _write_captions(axis, plot.series)


def _write_captions(axis: Any, series: Sequence[Series]) -> None:
    x = [value for each in series for value in each.x]
    y = [value for each in series for value in each.y]
    captions = [caption for each in series for caption in each.captions or [""] * len(each.x)]
    (left, right), (bottom, top) = axis.get_xlim(), axis.get_ylim()
    size = PIXELS * (PAGE_WIDTH - 0.7), PIXELS * (PLOT_HEIGHT - 0.9)
    across, up = size[0] / (right - left), size[1] / (top - bottom)
    points = [((a - left) * across, (b - bottom) * up) for a, b in zip(x, y)]
    axis.set(xlim=(left, right), ylim=(bottom, top))
    for placed in place_captions(points, captions, size):
        at = x[placed.place] + placed.dx / across, y[placed.place] + placed.dy / up
        axis.text(*at, captions[placed.place], ha=placed.align, va="center", fontsize=8, clip_on=True)
