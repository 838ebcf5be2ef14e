"""Occurrences of a term below each other, in columns of characters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from distinctly.report.cells import printable
from distinctly.report.page import Concordance

if TYPE_CHECKING:
    from rich.text import Text

# Longer labels are shortened.
LONGEST_LABEL = 24


def in_context(concordance: Concordance, width: int) -> Iterator[Text]:
    """Yield the lines of a term; what is around it is shortened to the width."""
    from rich.text import Text

    lines = [
        (
            beginning(printable(line.label), LONGEST_LABEL),
            *map(printable, (line.left, line.match, line.right)),
        )
        for line in concordance.lines
    ]
    labels = max((length(label) for label, *_ in lines), default=0)
    matches = max((length(match) for _, _, match, _ in lines), default=0)
    room = max(width - labels - matches - 6, 0)
    for label, left, match, right in lines:
        before = ending(left, room // 2)
        spaces = " " * (labels - length(label) + 2 + room // 2 - length(before))
        text = Text(f"  {label}{spaces}{before} ")
        text.append(match, style="bold")
        yield text + Text(f" {beginning(right, room - room // 2)}")


def beginning(text: str, width: int) -> str:
    """Return the beginning of a text, in a number of columns.

    Examples
    --------
    >>> beginning("strong tea", 8), beginning("知道吗", 5)
    ('strong …', '知道…')
    """
    if length(text) <= width:
        return text
    while text and length(text) >= width:
        text = text[:-1]
    return text + "…" * (width > 0)


def ending(text: str, width: int) -> str:
    """Return the end of a text, in a number of columns.

    Examples
    --------
    >>> ending("a cup of strong", 10)
    '…of strong'
    """
    if length(text) <= width:
        return text
    while text and length(text) >= width:
        text = text[1:]
    return "…" * (width > 0) + text


def length(text: str) -> int:
    """Return the number of columns that a text takes; some characters take two."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
