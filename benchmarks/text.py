"""Generate text for the benchmarks from a seed: the same bytes on every machine.

`python -m benchmarks.text FILE MEGABYTES` writes a text file; without a size, FILE is converted to
.jsonl and .parquet. It runs as a separate process, so that its memory is not counted elsewhere.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from distinctly.ragged import bounds_of, positions

VOCABULARY = 120_000
FOLLOWERS = 40


def write_text(path: Path, megabytes: float, seed: int = 0) -> None:
    """Write sentences of a word chain, one sentence per line, words separated by single spaces.

    Words follow Zipf's law. Three times in four, a word is followed by one of its 40 followers. So frequent
    n-grams are repeated and new ones continue to appear, as in real text.
    """
    draw = np.random.default_rng(seed)
    chances = 1 / (np.arange(VOCABULARY) + 2.7)
    cumulative = np.cumsum(chances / chances.sum())
    letters = np.array(list("etaoinshrdlucmfwygpbvkxjqz"))
    lengths = 1 + np.minimum(draw.poisson(1 + 1.1 * np.log10(np.arange(VOCABULARY) + 1)), 14)
    words = ["".join(letters[np.minimum(draw.geometric(0.12, n) - 1, 25)]) for n in lengths]
    drawn = np.searchsorted(cumulative, draw.random(1 << 22))  # drawing from these again is faster
    followers = drawn[draw.integers(0, len(drawn), (VOCABULARY, FOLLOWERS))]
    table = np.frombuffer("".join(word + " " for word in words).encode("ascii"), np.uint8)
    bounds = bounds_of([len(word) + 1 for word in words])
    goal, written = megabytes * 1_000_000, 0
    with path.open("wb") as file:
        while written < goal:
            chains = np.empty((20_000, 24), np.int64)
            now = drawn[draw.integers(0, len(drawn), len(chains))]
            for place in range(chains.shape[1]):
                chains[:, place] = now
                usual = followers[now, draw.integers(0, FOLLOWERS, len(now))]
                fresh = drawn[draw.integers(0, len(drawn), len(now))]
                now = np.where(draw.random(len(now)) < 0.75, usual, fresh)
            lengths = 2 + draw.integers(0, 22, len(chains))
            chosen = chains[np.arange(24) < lengths[:, None]]
            where, ends = positions(bounds, chosen)
            block = table[where]
            block[ends[np.cumsum(lengths)] - 1] = ord("\n")  # in place of the space after a line's last word
            written += file.write(block.tobytes())


def convert(path: Path) -> None:
    """Write the texts of a file as JSON lines and as Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = path.read_text(encoding="ascii").splitlines()
    with path.with_suffix(".jsonl").open("w", encoding="ascii") as file:
        file.writelines(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts))
    pq.write_table(pa.table({"text": texts}), path.with_suffix(".parquet"))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write_text(Path(sys.argv[1]), float(sys.argv[2]))
    else:
        convert(Path(sys.argv[1]))
