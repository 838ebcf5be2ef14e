"""Keyness beside the script that everybody writes.

The script counts n-grams of `str.split` by `collections.Counter`, and computes G² by numpy. Both are one
process; ours also finds the texts with each listed term, its dispersion, effect sizes and corrected p-values.
The largest G² of both are compared. `python -m benchmarks.keyness script A B` is the script.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from benchmarks.text import generated_text
from benchmarks.turns import Row, in_turns, python, sized

MEGABYTES, LENGTHS = (10, 100), (1, 2, 3)


def script(first: str, second: str) -> dict[str, float]:
    """Return the largest G² of each length, as a script for a paper would."""
    largest = {}
    for n in LENGTHS:
        counts: list[Counter[tuple[str, ...]]] = []
        for path in (first, second):
            counter: Counter[tuple[str, ...]] = Counter()
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    tokens = line.split()
                    counter.update(zip(*(tokens[start:] for start in range(n))))
            counts.append(counter)
        terms = list({*counts[0], *counts[1]})
        a, b = (np.array([counter[term] for term in terms], float) for counter in counts)
        c, d = a.sum() - a, b.sum() - b
        total = a.sum() + b.sum()
        with np.errstate(divide="ignore", invalid="ignore"):
            cells = ((a, a + b, a + c), (b, a + b, b + d), (c, c + d, a + c), (d, c + d, b + d))
            g2 = 2 * sum(np.nan_to_num(o * np.log(o * total / (row * column))) for o, row, column in cells)
        largest[str(n)] = float(g2.max())
    return largest


def ours(first: str, second: str) -> dict[str, float]:
    """Return the same by our function, which computes more."""
    import distinctly as dy

    (terms,) = dy.keyness(first, second, n=LENGTHS, tokenizer="whitespace").comparisons
    lengths, g2 = np.array(terms.columns["n"]), np.array(terms.columns["g2"])
    return {str(n): float(g2[lengths == n].max()) for n in LENGTHS}


def near(ours_printed: str, theirs_printed: str) -> bool:
    """Return whether two implementations agree on each G²."""
    actual, expected = json.loads(ours_printed), json.loads(theirs_printed)
    return all(abs(actual[n] / expected[n] - 1) < 1e-6 for n in expected)


def row(megabytes: int) -> Row | str:
    """Time ours beside the script on two generated texts."""
    paths = [generated_text(megabytes, seed) for seed in (0, 1)]
    commands = [python("-m", "benchmarks.keyness", side, *paths) for side in ("ours", "script")]
    return in_turns(f"2 × {megabytes} MB, n = 1–3", commands[0], "script, n = 1–3", commands[1], same=near)


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    return map(row, map(sized, MEGABYTES))


if __name__ == "__main__":
    print(json.dumps({"script": script, "ours": ours}[sys.argv[1]](*sys.argv[2:])))
