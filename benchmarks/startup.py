"""Start-up of the command and of the import, beside an import of numpy."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.turns import Row, distinctly, in_turns, python

NUMPY = python("-c", "import numpy")
MEASURE = "import distinctly as dy; dy.measure(['a text', 'two texts'], 'distinct:n=2')"


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    for what, ours in (
        ("`distinctly --version`", distinctly("--version")),
        ("`import distinctly`", python("-c", "import distinctly")),
        ("import, and the first `measure` of two texts", python("-c", MEASURE)),
    ):
        yield in_turns(what, ours, "`import numpy`", NUMPY, peer=False)
