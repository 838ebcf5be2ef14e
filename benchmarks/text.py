"""Texts for the benchmarks: generated from a seed, and resampled from real sentences.

`python -m benchmarks.text FILE MEGABYTES` writes generated text, the same bytes on every machine; without a
size, FILE is converted to .jsonl and .parquet. Both run as separate processes, so that their memory is not
counted elsewhere.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

SHARED = Path(__file__).parents[2] / "shared"
DATA = SHARED / "data"
# The answers of eight systems to 805 prompts.
SYSTEMS = DATA / "alpacaeval-8-systems.jsonl.gz"
SOURCES = ("brown-sentences.jsonl.gz", "opensubtitles-sample.jsonl.gz")
# Where the texts of a run are kept; set by `python -m benchmarks`.
FOLDER = "BENCHMARKS_FOLDER"
VOCABULARY = 120_000
FOLLOWERS = 40


@cache
def folder() -> Path:
    """Return the folder of the texts of this run."""
    return Path(os.environ[FOLDER])


def big_text(megabytes: float, sources: tuple[str, ...] = SOURCES) -> Path:
    """Return a file of new sentences, word chains of real ones; without these, of generated text."""
    path = folder() / f"{'-'.join(name[:5] for name in sources)}-{megabytes:g}.txt"
    if not path.exists():
        tool, files = SHARED / "tools" / "make_big_text.py", [DATA / name for name in sources]
        if tool.exists() and all(file.exists() for file in files):
            words = [str(tool), str(path), "--mb", str(megabytes), "--mode", "bigram", *map(str, files)]
        else:
            words = ["-m", "benchmarks.text", str(path), str(megabytes)]
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    return path


def generated_text(megabytes: float, seed: int = 0) -> Path:
    """Return a file of generated text."""
    path = folder() / f"generated-{seed}-{megabytes:g}.txt"
    if not path.exists():
        words = ["-m", "benchmarks.text", str(path), str(megabytes), str(seed)]
        subprocess.run([sys.executable, *words], check=True)
    return path


def converted(path: Path) -> tuple[Path, Path]:
    """Return the texts of a file as JSON lines and as Parquet."""
    files = path.with_suffix(".jsonl"), path.with_suffix(".parquet")
    if not all(file.exists() for file in files):
        subprocess.run([sys.executable, "-m", "benchmarks.text", str(path)], check=True)
    return files


def texts_of(name: str) -> list[str]:
    """Return the texts of a file of ../shared/data."""
    path = DATA / name
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open("rt") as file:
        return [json.loads(line)["text"] for line in file]


def write_text(path: Path, megabytes: float, seed: int = 0) -> None:
    """Write sentences of a word chain, one sentence per line, words separated by single spaces.

    Words follow Zipf's law. Three times in four, a word is followed by one of its 40 followers. So frequent
    n-grams are repeated and new ones continue to appear, as in real text.
    """
    import numpy as np

    from distinctly.ragged import bounds_of, positions

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

    with path.open(encoding="utf-8", newline="\n") as file:
        texts = [line.rstrip("\n") for line in file]
    with path.with_suffix(".jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(texts))
    pq.write_table(pa.table({"text": texts}), path.with_suffix(".parquet"))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        write_text(Path(sys.argv[1]), float(sys.argv[2]), *map(int, sys.argv[3:]))
    else:
        convert(Path(sys.argv[1]))
