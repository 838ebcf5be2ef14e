"""Lexical richness of a million tokens beside lexicalrichness.

From two starting points: from given tokens (theirs: the object with its list of words; ours: the view with
its hashes), and from one string, which both split at white space. Below 4 MB of text, a process that measures
once uses plain loops, since loading the compiled ones takes longer; these have rows of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import distinctly as dy
from benchmarks.text import generated_text
from benchmarks.turns import Row, in_turns, sized
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.statistics.pool import Summaries
from distinctly.tokenizers.whitespace import Whitespace
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens, TokenView

TOKENS = 1_000_000
PEER = "lexicalrichness"
# Their hdd is accurate to 7 digits at a million tokens (a difference of log-gammas); a test checks ours.
near = partial(math.isclose, rel_tol=1e-6)
# Our spec, and their call with the same definition.
METRICS: dict[str, Callable[[Any], float]] = {
    "mattr:window=50": lambda theirs: theirs.mattr(50),
    "mtld:compare=<=": lambda theirs: theirs.mtld(),
    "hdd": lambda theirs: theirs.hdd(42),
}


def text_of(tokens: int) -> str:
    """Return a seeded text with this number of tokens."""
    words = generated_text(tokens * 8 / 1_000_000).read_text(encoding="ascii").split()
    return " ".join(words[:tokens])


def of_view(spec: str, tokens: Tokens) -> float:
    """Measure given tokens."""
    rows = Rows(Batch.of([]))
    rows.set(WORDS, tokens)
    return dy.metric(spec).score_from(Summaries(rows=[rows])).value


def of_string(specs: list[str], text: str, compiled: bool) -> float:
    """Return the sum of our values of a text."""
    return sum(score.value for score in dy.measure([text], specs, tokenizer="whitespace", compiled=compiled))


def theirs_of_string(specs: list[str], text: str) -> float:
    """Return the sum of their values of a text."""
    from lexicalrichness import LexicalRichness

    measured = LexicalRichness(text, preprocessor=None, tokenizer=str.split)
    return sum(METRICS[spec](measured) for spec in specs)


def from_a_string(specs: list[str], text: str, compiled: bool = True) -> Row | str:
    """Time ours beside theirs, from one string."""
    named = f"`{specs[0]}`" if len(specs) == 1 else f"all {len(specs)} metrics at once"
    return in_turns(
        f"{named}, from a string{', plain loops' * (not compiled)}",
        partial(of_string, specs, text, compiled),
        PEER,
        partial(theirs_of_string, specs, text),
        needs=PEER,
        same=near,
    )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    text = text_of(sized(TOKENS))
    view = TokenView(Whitespace()).make(Batch.of([text]), RunConfig(compiled=True))

    @cache
    def words() -> Any:
        from lexicalrichness import LexicalRichness

        return LexicalRichness(text.split(), preprocessor=None, tokenizer=None)

    for spec, call in METRICS.items():
        yield in_turns(
            f"`{spec}`, tokens ready",
            partial(of_view, spec, view),
            PEER,
            lambda call=call: call(words()),
            needs=PEER,
            same=near,
        )
        yield from (from_a_string([spec], text, compiled) for compiled in (True, False))
    yield from_a_string(list(METRICS), text)
