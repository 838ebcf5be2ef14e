"""Cells that pages share: numbers, intervals, marks, and names on one line."""

from __future__ import annotations

import math
import re

from distinctly.report.page import MARKS, Cell
from distinctly.score import Score

# Shown once above the table, or in a separate column, not with every number.
_COMMON_PARTS = (
    *("texts", "tokens", "skipped_texts", "skipped_groups", "groups"),
    *("reference_texts", "candidate_texts"),
)
# With more corpora than this, each corpus is a row.
SIDE_BY_SIDE = 3
NOISE, PARTIAL = MARKS["noise"], MARKS["partial"]


def rounded(value: float) -> str:
    """Round a number for reading.

    Examples
    --------
    >>> rounded(0.123456), rounded(1234567.0), rounded(12.3456), rounded(float("nan"))
    ('0.1235', '1,234,567', '12.35', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    if float(value).is_integer() and abs(value) >= 2:
        return f"{value:,.0f}"
    if 0 < abs(value) < 0.001:
        return f"{value:.3g}"
    return f"{value:.4f}" if abs(value) < 10 else f"{value:,.2f}"


def bare(value: float, digits: int = 3, sign: str = "") -> str:
    """Write a number without the 0 before its decimal point.

    Examples
    --------
    >>> bare(0.508), bare(-0.0214), bare(1.0), bare(0.25, 2, "+"), bare(float("nan"))
    ('.508', '-.021', '1.000', '+.25', '–')
    """
    return "–" if math.isnan(value) else re.sub(r"^([+-]?)0\.", r"\1.", f"{value:{sign}.{digits}f}")


def printable(text: str) -> str:
    r"""Return text on one line, with unprintable characters escaped.

    Examples
    --------
    >>> print(printable("tab\there"))
    tab\there
    """
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )


def parts_of(score: Score) -> str:
    """Return the parts of a score, as text; of those above the table only one that an option names.

    Examples
    --------
    >>> parts_of(Score(0.5, options={"denominator": "tokens"}, parts={"N": 3, "tokens": 6, "texts": 2}))
    'N 3  tokens 6'
    """
    return "  ".join(
        f"{name} {f'{part:,}' if isinstance(part, int) else rounded(part)}"
        for name, part in score.parts.items()
        if name not in _COMMON_PARTS or name in score.options.values()
    )


def cell(score: Score, *, best: bool = False, noise: bool = False) -> Cell:
    """Return the cell of a score: its value, half the width of its interval, and its marks.

    Examples
    --------
    >>> cell(Score(0.5, low=0.45, high=0.55), best=True).marked
    '0.5000 ±0.050*'
    >>> cell(Score(0.0002, low=0.0001, high=0.0003)).marked
    '0.0002 ±0.0001'
    """
    half = ""
    if score.low is not None and score.high is not None:
        half = f" ±{_half(max(score.high - score.value, score.value - score.low))}"
    return Cell(
        rounded(score.value) + half,
        value=score.value,
        low=score.low,
        high=score.high,
        best=best,
        mark="noise" if noise else "",
        missing=math.isnan(score.value),
    )


def words(text: str) -> Cell:
    """Return a cell of text: a name, or a remark.

    Examples
    --------
    >>> words("ead").value is None
    True
    """
    return Cell(text)


EMPTY = Cell("", missing=True)


def _half(number: float) -> str:
    if 0 < number < 0.001:
        return f"{number:.1g}"
    return f"{number:.3f}" if number < 1 else f"{number:,.1f}"


def spaced(spec: str) -> str:
    """Write a spec with spaces, so that the title of a column can be wrapped.

    Examples
    --------
    >>> spaced("distinct:n=2,pool=text")
    'distinct n=2 pool=text'
    """
    name, _, options = spec.partition(":")
    return " ".join([name, *options.split(",")] if options else [name])


def clipped(text: str, width: int) -> str:
    """Shorten a text to a width."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…" * (width > 1)
