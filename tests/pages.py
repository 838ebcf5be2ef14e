"""Reads a page of documentation as blocks: files to write, commands with their output, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = re.compile(
    r"^(?P<indent> *)(?:<!-- not run: (?P<reason>[^\n]+?) -->\n\n?(?P=indent))?"
    r'(?P<fence>`{3,})(?P<language>\w*)(?: title="(?P<title>[^"\n]+)")?\n'
    r"(?P<body>.*?)^(?P=indent)(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
FENCE = re.compile(r"^\s*```", re.MULTILINE)
VERSION = re.compile(r"(\|v:|\bversion[:=])[^|,\s]+")


@dataclass(frozen=True)
class Block:
    """A fenced block: of a language, with the name of its file, or with the reason why it is not run."""

    language: str
    body: str
    title: str | None
    reason: str | None

    @property
    def is_example(self) -> bool:
        """Whether the block is an interactive example of Python."""
        return (
            self.reason is None and self.title is None and self.language == "python" and ">>> " in self.body
        )


def blocks(text: str) -> list[Block]:
    r"""Return the fenced blocks of a page, in order.

    Examples
    --------
    >>> blocks("- In a list:\n\n  ```python\n  >>> 1\n  1\n  ```\n")
    [Block(language='python', body='>>> 1\n1\n', title=None, reason=None)]
    """
    return [
        Block(match["language"], dedent(match["body"], match["indent"]), match["title"], match["reason"])
        for match in BLOCK.finditer(text)
    ]


def dedent(body: str, indent: str) -> str:
    """Remove the indentation of a block from its lines."""
    return "".join(line.removeprefix(indent) for line in body.splitlines(keepends=True))


def commands(body: str) -> Iterator[tuple[str, list[str]]]:
    r"""Yield each command of a console block, with the lines shown below it.

    Examples
    --------
    >>> list(commands("$ distinctly measure a.txt \\\n    -m ead\nead 0.5\n$ echo $?\n0\n"))
    [('distinctly measure a.txt -m ead', ['ead 0.5']), ('echo $?', ['0'])]
    """
    for match in re.finditer(r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
        yield re.sub(r"\\\n *", "", match[1]), lines(match[2])


def lines(printed: str) -> list[str]:
    """Return lines without white space at their ends, and without the versions in signatures."""
    return [line.rstrip() for line in VERSION.sub(r"\1", printed).strip("\n").splitlines()]


def agree(shown: list[str], printed: list[str]) -> bool:
    """Return whether the lines shown are those printed; a line ``…`` stands for any number of lines.

    Examples
    --------
    >>> agree(["a", "…", "d"], ["a", "b", "c", "d"]), agree(["a", "…", "c"], ["a", "b", "c", "d"])
    (True, False)
    """
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    if len(parts) == 1:
        return shown == printed
    first, *middle, last = parts
    place, end = len(first), len(printed) - len(last)
    if printed[:place] != first or printed[max(end, 0) :] != last:
        return False
    for part in middle:
        places = (start for start in range(place, end) if printed[start : start + len(part)] == part)
        place = next(places, end) + len(part)
    return place <= end
