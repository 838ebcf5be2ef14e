"""Time lexical richness of a million tokens beside lexicalrichness: `python -m benchmarks.richness`.

Both are timed in one process, in turns, from two starting points: from given tokens (theirs: the object with
its list of words; ours: the view with its hashes), and from one string, which both split at white space. Ours
uses the compiled path, after a warm-up that is reported separately. Below 4 MB of text, `measure` uses the
plain path by default, since loading the compiler takes longer; that path has its own column.
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
from distinctly.views.tokens import WORDS, Tokens, TokenView

TOKENS = 1_000_000
# Their hdd is accurate to 7 digits at a million tokens (a difference of log-gammas); a test checks ours.
NEAR = 1e-6
# Our spec, and their call with the same definition.
METRICS: dict[str, Callable[[Any], float]] = {
    "mattr:window=50": lambda theirs: theirs.mattr(50),
    "mtld:compare=<=": lambda theirs: theirs.mtld(),
    "hdd": lambda theirs: theirs.hdd(42),
}


def text_of(tokens: int) -> str:
    """Return a seeded text with this number of tokens."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text.txt"
        write_text(path, tokens * 8 / 1_000_000)
        words = path.read_text(encoding="ascii").split()
    return " ".join(words[:tokens])


def seconds(work: Callable[[], float]) -> tuple[float, float]:
    """Return the seconds that a call takes, and its result."""
    began = time.perf_counter()
    value = work()
    return time.perf_counter() - began, value


def of_view(spec: str, tokens: Tokens) -> float:
    """Measure given tokens."""
    rows = Rows(Batch.of([]))
    rows.set(WORDS, tokens)
    return dy.metric(spec).score_from(Lookup(Pool(rows).whole)).value


def lines(tokens: int = TOKENS, turns: int = 3) -> list[str]:
    """Return the lines of the table."""
    from lexicalrichness import LexicalRichness

    text = text_of(tokens)
    theirs = LexicalRichness(text.split(), preprocessor=None, tokenizer=None)
    view = TokenView(Whitespace()).make(Batch.of([text]), RunConfig(compiled=True))
    table = [
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
        table += _rows(f"`{spec}`", ways, turns)
    return [*table, *_rows("all three at once", together, turns)]


def _all_of(theirs: Any) -> float:
    return sum(call(theirs) for call in METRICS.values())


def _rows(
    task: str, ways: dict[str, tuple[Callable[[], float], Callable[[bool], float]]], turns: int
) -> list[str]:
    rows = []
    for way, (peer, own) in ways.items():
        warm_up, value = seconds(lambda own=own: own(True))
        runs = [
            (seconds(peer), seconds(lambda own=own: own(True)), seconds(lambda own=own: own(False)))
            for _ in range(turns)
        ]
        for _, result in runs[0]:
            if not math.isclose(result, value, rel_tol=NEAR):
                raise RuntimeError(f"{task}: {[run[1] for run in runs[0]]}")
        a, b, c = (statistics.median(times) for times in zip(*([call[0] for call in run] for run in runs)))
        times = f"{a:.3f} | {b:.4f} | {a / b:.0f}× | {c:.3f} | {a / c:.1f}× | {warm_up:.2f}"
        rows.append(f"| {task}, {way} | {times} |")
        print(rows[-1], file=sys.stderr)
    return rows


def plain(view: Tokens) -> Tokens:
    """Return the view without the mark that selects the compiled path."""
    return Tokens(view.hashes, view.bounds, view.spelling)


if __name__ == "__main__":
    print("\n".join(lines()))
