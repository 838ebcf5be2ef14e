"""Keyness beside the script that everybody writes: `python -m benchmarks.keyness [MEGABYTES]`.

The script counts n-grams of `str.split` by `collections.Counter`, and computes G² by numpy. Both are one
process per line, on two texts of `benchmarks.text`; ours also finds the texts with each listed term, its
dispersion, effect sizes and corrected p-values. The largest G² of both are compared.
`python -m benchmarks.keyness script A B` is the script, `… ours A B` our call.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.__main__ import Timed, timed
from benchmarks.text import write_text

MEGABYTES, SMALL, TURNS, LENGTHS = 100, 10, 5, (1, 2, 3)
# Of two implementations, the relative difference of a G².
NEAR = 1e-6


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


def medians(runs: list[Timed]) -> tuple[float, float, float]:
    """Return the median wall and processor seconds and peak memory."""
    return tuple(
        statistics.median(getattr(run, name) for run in runs) for name in ("seconds", "processor", "peak")
    )


def lines(megabytes: int) -> list[str]:
    """Return the lines of the table."""
    table = [
        f"| two texts, n = {LENGTHS[0]}–{LENGTHS[-1]} | script: wall s | processor s | peak GB "
        "| ours: wall s | processor s | peak GB | faster by (wall) | (processor) |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for size in sorted({min(SMALL, megabytes), megabytes}):
            paths = [str(Path(folder) / f"{size}-{name}.txt") for name in "ab"]
            for seed, path in enumerate(paths):
                write_text(Path(path), size, seed)
            command = [sys.executable, "-m", "benchmarks.keyness"]
            timed([*command, "ours", *paths])  # compiled loops are stored by the first run
            # The script takes minutes and many gigabytes on large texts.
            turns = TURNS if size <= SMALL else 1
            theirs = [timed([*command, "script", *paths]) for _ in range(turns)]
            own = [timed([*command, "ours", *paths]) for _ in range(TURNS)]
            expected, actual = (json.loads(runs[0].output) for runs in (theirs, own))
            if any(abs(actual[n] / expected[n] - 1) > NEAR for n in expected):
                raise RuntimeError(f"{expected} and {actual}")
            (a, b, c), (x, y, z) = medians(theirs), medians(own)
            table.append(
                f"| 2 × {size} MB | {a:.1f} | {b:.1f} | {c:.2f} | {x:.2f} | {y:.2f} | {z:.2f} | {a / x:.1f}× "
                f"| {b / y:.1f}× |"
            )
            print(table[-1], file=sys.stderr)
    return table


if __name__ == "__main__":
    if len(sys.argv) > 3:
        print(json.dumps({"script": script, "ours": ours}[sys.argv[1]](*sys.argv[2:])))
    else:
        print("\n".join(lines(int(sys.argv[1]) if len(sys.argv) > 1 else MEGABYTES)))
