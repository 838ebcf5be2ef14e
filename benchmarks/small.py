"""Time small inputs in a living process beside a ten-line script: `python -m benchmarks.small`.

The script splits at white space and counts in sets; ours also checks the texts, hashes and signs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import distinctly as dy

SIZES = (16, 64, 512, 2000)
TURNS = 200


def texts_of(size: int) -> list[str]:
    """Return this number of short, seeded texts."""
    verbs, nouns = (
        ("see", "want", "find", "like", "keep", "need", "sell"),
        ("ship", "house", "tree", "bird", "lamp"),
    )
    return [
        f"i {verbs[i % 7]} the {nouns[i % 5]} and the {nouns[i // 5 % 5]} that you {verbs[i // 7 % 7]}"
        for i in range(size)
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


def milliseconds(work: Callable[[], object]) -> float:
    """Return the smallest processor time of a call, in milliseconds, after a warm-up."""
    work()
    best = float("inf")
    for _ in range(TURNS):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return 1000 * best


def lines() -> list[str]:
    """Measure, and return the lines of a table."""
    table = [
        "| texts | script, `distinct:n=2`, ms | ours, ms | ratio | ours, default table, ms |",
        "|---:|---:|---:|---:|---:|",
    ]
    for size in SIZES:
        texts = texts_of(size)
        if dy.measure(texts, "distinct:n=2")[0].value != script(texts):
            raise ValueError("the script and the package disagree")
        theirs = milliseconds(partial(script, texts))
        ours = milliseconds(partial(dy.measure, texts, "distinct:n=2"))
        default = milliseconds(partial(dy.measure, texts))
        table.append(f"| {size:,} | {theirs:.3f} | {ours:.3f} | {theirs / ours:.2f}× | {default:.2f} |")
    return [*table, "", f"Processor milliseconds per call, smallest of {TURNS}, after a warm-up."]


if __name__ == "__main__":
    print("\n".join(lines()))
