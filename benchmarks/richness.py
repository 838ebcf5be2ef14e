"""Lexical richness of a million tokens against lexicalrichness: `python -m benchmarks.richness`.

Both are timed in one process, in turns, from two places: from tokens that are ready (theirs: the object with
its list of words; ours: the view with its hashes), and from one string (theirs also cuts it: words are split
at white space in both). Ours takes the compiled road, after a warm-up that is told apart; below 4 MB of text
`measure` takes the plain road by itself, since starting the compiler costs more: it has its own column.
"""

from __future__ import annotations

import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import distinctly as dy
from benchmarks.text import write_text
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.statistics.pool import Lookup, Pool
from distinctly.tokenizers.whitespace import Whitespace
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS, TokenView

TOKENS = 1_000_000
# Their hdd has 7 digits at a million tokens (a difference of log-gammas); ours has all, as a test shows.
NEAR = 1e-6
# Ours, and theirs by the same definition.
METRICS: dict[str, Callable[[Any], float]] = {
    "mattr:window=50": lambda theirs: theirs.mattr(50),
    "mtld:preset=lexicalrichness": lambda theirs: theirs.mtld(),
    "hdd": lambda theirs: theirs.hdd(42),
}


def text_of(tokens: int) -> str:
    """Return a seeded text of so many tokens."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        write_text(path, tokens * 8 / 1_000_000)
        words = path.read_text(encoding="ascii").split()
    return " ".join(words[:tokens])


def seconds(work: Callable[[], float]) -> tuple[float, float]:
    """Return how long a call takes, and what it returns."""
    began = time.perf_counter()
    value = work()
    return time.perf_counter() - began, value


def of_view(spec: str, tokens: Tokens) -> float:
    """Measure tokens that are ready."""
    rows = Rows(Batch.of([]))
    rows.set(WORDS, tokens)
    return dy.metric(spec).score_from(Lookup(Pool(rows).whole)).value


def lines(tokens: int = TOKENS, turns: int = 3) -> list[str]:
    """Measure, and return the lines of a table."""
    from lexicalrichness import LexicalRichness

    text = text_of(tokens)
    theirs = LexicalRichness(text.split(), preprocessor=None, tokenizer=None)
    view = TokenView(Whitespace()).make(Batch.of([text]), RunConfig(compiled=True))
    made = [
        f"| {tokens:,} tokens | lexicalrichness, s | ours, s | ratio | plain, s | ratio | first call, s |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    together: dict[str, tuple[Callable[[], float], Callable[[bool], float]]] = {
        "from a string": (
            lambda: _all_of(LexicalRichness(text, preprocessor=None, tokenizer=str.split)),
            lambda compiled: sum(
                score.value
                for score in dy.measure([text], list(METRICS), tokenizer="whitespace", compiled=compiled)
            ),
        )
    }
    for spec, call in METRICS.items():
        ways: dict[str, tuple[Callable[[], float], Callable[[bool], float]]] = {
            "tokens ready": (
                lambda call=call: call(theirs),
                lambda compiled, spec=spec: of_view(spec, view if compiled else plain(view)),
            ),
            "from a string": (
                lambda call=call: call(LexicalRichness(text, preprocessor=None, tokenizer=str.split)),
                lambda compiled, spec=spec: (
                    dy.measure([text], spec, tokenizer="whitespace", compiled=compiled)[0].value
                ),
            ),
        }
        made += _rows(f"`{spec}`", ways, turns)
    return [*made, *_rows("all three at once", together, turns)]


def _all_of(theirs: Any) -> float:
    return sum(call(theirs) for call in METRICS.values())


def _rows(
    what: str, ways: dict[str, tuple[Callable[[], float], Callable[[bool], float]]], turns: int
) -> list[str]:
    made = []
    for way, (peer, own) in ways.items():
        warm_up, value = seconds(lambda own=own: own(True))
        runs = [
            (seconds(peer), seconds(lambda own=own: own(True)), seconds(lambda own=own: own(False)))
            for _ in range(turns)
        ]
        for one in runs[0]:
            if not math.isclose(one[1], value, rel_tol=NEAR):
                raise RuntimeError(f"{what}: {[run[1] for run in runs[0]]}")
        a, b, c = (statistics.median(times) for times in zip(*([one[0] for one in run] for run in runs)))
        times = f"{a:.3f} | {b:.4f} | {a / b:.0f}× | {c:.3f} | {a / c:.1f}× | {warm_up:.2f}"
        made.append(f"| {what}, {way} | {times} |")
        print(made[-1], file=sys.stderr)
    return made


def plain(view: Tokens) -> Tokens:
    """Return a view without its mark that the compiled road is to be taken."""
    return Tokens(view.hashes, view.bounds, view.spelling)


if __name__ == "__main__":
    print("\n".join(lines()))
