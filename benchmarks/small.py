"""Small inputs in a living process, beside a ten-line script.

The script splits at white space and counts in sets; ours also checks the texts, hashes and signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import distinctly as dy
from benchmarks.turns import Row, in_turns

SIZES = (1, 16, 64, 512, 2_000, 10_000)
# Numbers of texts for the default table, which also embeds and compresses texts.
DEFAULTS = (16, 512, 2_000)


def short_texts(number: int) -> list[str]:
    """Return short, seeded texts."""
    verbs, nouns = (
        ("see", "want", "find", "like", "keep", "need", "sell"),
        ("ship", "house", "tree", "bird", "lamp"),
    )
    return [
        f"i {verbs[i % 7]} the {nouns[i % 5]} and the {nouns[i // 5 % 5]} that you {verbs[i // 7 % 7]}"
        for i in range(number)
    ]


def script(texts: list[str], n: int = 2) -> float:
    """Return Distinct-n as a short script computes it."""
    total, distinct = 0, set()
    for text in texts:
        tokens = text.split()
        grams = list(zip(*(tokens[start:] for start in range(n))))
        total += len(grams)
        distinct.update(grams)
    return len(distinct) / total


def row(number: int, metrics: str | None = "distinct:n=2") -> Row | str:
    """Time `measure` of a number of texts beside the script."""
    texts = short_texts(number)
    return in_turns(
        f"{number:,} text{'s' * (number > 1)}, {f'`{metrics}`' if metrics else 'default table'}",
        partial(dy.measure, texts, metrics) if metrics else partial(dy.measure, texts),
        "script of `distinct:n=2`",
        partial(script, texts),
        peer=metrics is not None,
        same=(lambda scores, value: scores[0].value == value) if metrics else None,
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    yield from map(row, SIZES)
    for number in DEFAULTS:
        yield row(number, None)
