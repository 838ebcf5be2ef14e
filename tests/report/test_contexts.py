"""Occurrences of a term below each other, captions of points, and plots as figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from distinctly.errors import InputError, SpecError
from distinctly.report import rendered
from distinctly.report.captions import CHARACTER, LINE, place_captions
from distinctly.report.contexts import beginning, ending, in_context
from distinctly.report.drawing import check_plot
from distinctly.report.figures import figure_of
from distinctly.report.page import Concordance, ContextLine, Page, Plot, Series

LINES = [
    ContextLine("7", "at the end of the very long and windy", "day", "we went home , tired but content"),
    ContextLine("12,345", "that", "day", "was"),
]


def test_matches_are_below_each_other_and_lines_fit_the_width():
    first, second = (str(line) for line in in_context(Concordance("day", LINES), 50))
    assert first.index("day") == second.index("day")
    assert max(len(first), len(second)) <= 50
    # 50 less the label (6), the match (3) and 6 spaces: 17 on the left, 18 on the right.
    assert first == "  7       …y long and windy day we went home , ti…"
    assert second == "  12,345               that day was"


@given(st.text(alphabet="ab é知", max_size=20), st.integers(0, 12))
def test_shortened_texts_fit_and_keep_their_end_or_beginning(text, width):
    for short, kept in ((beginning(text, width), text.startswith), (ending(text, width), text.endswith)):
        assert cell_len(short) <= width
        assert kept(short.replace("…", ""))
        assert (short == text) == (cell_len(text) <= width)


@pytest.mark.parametrize("form", ["table", "markdown", "html"])
def test_every_format_with_listings_shows_the_lines(form):
    text = rendered(Page([Concordance("day (text)", LINES)]), form)
    for part in ("day (text)", "12,345", "that", "was"):
        assert part in text


POINTS = st.lists(st.tuples(st.floats(0, 300), st.floats(0, 200)), max_size=12)


@given(POINTS, st.data())
def test_captions_cover_neither_each_other_nor_points(points, data):
    captions = [data.draw(st.sampled_from(["", "one", "another"])) for _ in points]
    boxes = []
    for placed in place_captions(points, captions, (300, 200)):
        x, y = points[placed.place][0] + placed.dx, points[placed.place][1] + placed.dy
        width = CHARACTER * len(captions[placed.place])
        left = {"left": x, "center": x - width / 2, "right": x - width}[placed.align]
        assert left >= 0
        assert left + width <= 300
        boxes.append((placed.place, left, y - LINE / 2, left + width, y + LINE / 2))
    for place, left, bottom, right, top in boxes:
        others = [box[1:] for box in boxes if box[0] != place]
        others += [(a, b, a, b) for other, (a, b) in enumerate(points) if other != place]
        assert not any(a < right and left < c and b < top and bottom < d for a, b, c, d in others)


def test_the_first_captions_are_the_most_important_ones():
    crowded = [(100.0, 100.0 + place / 100) for place in range(30)]
    placed = place_captions(crowded, ["word"] * 30, (200, 200))
    assert 0 < len(placed) < 30
    assert placed[0].place == 0


def test_a_plot_is_written_with_its_captions(tmp_path):
    series = [Series("a", [0.0, 1.0], [1.0, 2.0], captions=["left", ""]), Series("b", [2.0], [0.5])]
    plot = Plot("A title", "x", "y", series, curves=False)
    figure_of([plot, plot], path=tmp_path / "plot.svg")
    text = (tmp_path / "plot.svg").read_text()
    assert text.count("left") == 2
    assert "A title" in text
    figure_of([plot], path=tmp_path / "again.svg")
    figure_of([plot], path=tmp_path / "and again.svg")
    assert (tmp_path / "again.svg").read_bytes() == (tmp_path / "and again.svg").read_bytes()


def test_plots_that_cannot_be_written(tmp_path):
    with pytest.raises(SpecError, match=r"ends with \.png, \.svg or \.pdf"):
        check_plot("plot.gif")
    with pytest.raises(InputError, match="this folder does not exist"):
        check_plot(tmp_path / "no" / "plot.png")
