"""How the share of distinct n-grams falls with size: `python -m benchmarks.growth`.

The number of distinct n-grams is fitted to K·T^β on all sizes but the largest, and checked on that one.
"""

from __future__ import annotations

import gzip
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import distinctly as dy
from benchmarks.text import DATA, FOLDER, SOURCES, big_text, folder
from benchmarks.turns import sized

ORDERS = (1, 2, 3, 4)
SIZES = [1, 4, 16, 64, 200, 1000]


def growth(path: Path, megabytes: list[float]) -> list[dict[str, Any]]:
    """Return the number of tokens and of distinct n-grams of the first bytes of a file, by size."""
    measured_sizes = []
    for size in megabytes:
        if size * 1e6 > path.stat().st_size * 1.1:
            continue
        with tempfile.NamedTemporaryFile(suffix=".txt", dir=path.parent) as part, path.open("rb") as whole:
            left = int(size * 1e6)
            while left > 0 and (block := whole.read(min(left, 1 << 24))):
                left -= part.write(block)
            part.write(whole.readline())  # the rest of the last line
            part.flush()
            scores = list(dy.measure(part.name, "distinct", tokenizer="whitespace"))
        counts = {
            "megabytes": size,
            "texts": scores[0].parts["texts"],
            "tokens": scores[0].parts["tokens"],
            "distinct": [int(score.parts["N"]) for score in scores],
        }
        measured_sizes.append(counts)
    return measured_sizes


def fitted(sizes: list[dict[str, Any]], n: int) -> tuple[float, float]:
    """Return K and β of the number of distinct n-grams K·T^β, by least squares of logarithms."""
    tokens = np.log([size["tokens"] for size in sizes])
    distinct = np.log([size["distinct"][n - 1] for size in sizes])
    slope, intercept = np.polyfit(tokens, distinct, 1)
    return float(np.exp(intercept)), float(slope)


def growth_rows(kind: str, counted: list[dict[str, Any]]) -> list[str]:
    """Return the rows of one kind of text: fits on all sizes but the largest, and their predictions."""
    *sizes, check = counted
    rows = []
    for n in ORDERS:
        shares = [size["distinct"][n - 1] / size["tokens"] for size in counted]
        listed = ", ".join(f"{share:.3f}" for share in shares[:-1])
        cells = []
        for chosen in (sizes, sizes[-2:]):
            scale, exponent = fitted(chosen, n)
            predicted = scale * check["tokens"] ** (exponent - 1)
            cells.append(f"{scale:.3g} | {exponent:.3f} | {predicted:.4f}")
        megabytes = ", ".join(f"{size['megabytes']:.0f}" for size in sizes)
        rows.append(
            f"| {kind}: {megabytes}; {check['megabytes']:,.0f} MB | {n} | {listed} | {' | '.join(cells)} "
            f"| {shares[-1]:.4f} |"
        )
    return rows


def real_text() -> Path:
    """Return a file of the English texts of the shared data, as they are, in one random order."""
    path = folder() / "real.txt"
    texts: list[str] = []
    for source in sorted(DATA.glob("*.jsonl*")):
        if source.name.startswith(("ja-", "zh-")):
            continue
        with gzip.open(source, "rt") if source.suffix == ".gz" else source.open() as lines:
            for line in lines:
                record = json.loads(line)
                texts += [" ".join(str(text).split()) for text in record.get("texts", [record.get("text")])]
    order = np.random.default_rng(0).permutation(len(texts))
    path.write_text("\n".join(texts[i] for i in order) + "\n", encoding="utf-8")
    return path


def lines() -> Iterator[str]:
    """Yield the lines of the table."""
    yield (
        "Distinct n-grams per token of white space, and the fit K·T^(β−1) for T tokens, on all sizes but the "
        "largest, and on the last two of these:"
    )
    yield ""
    yield (
        "| text: sizes; largest, MB | n | share by size | K | β | predicted at the largest | K "
        "| β, last two sizes | predicted | measured |"
    )
    yield "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|"
    *fit_sizes, largest = SIZES[:3] + [sized(size) for size in SIZES[3:]]
    kinds: dict[str, Callable[[], Path]] = {
        "real": real_text,
        "sentences": partial(big_text, largest, SOURCES[:1]),
        "subtitles": partial(big_text, largest, SOURCES[1:]),
    }
    for kind, make in kinds.items():
        path = make()
        total = path.stat().st_size / 1e6
        sizes = [*fit_sizes, largest]
        chosen = sizes if total >= largest * 0.9 else [size for size in fit_sizes if size < total] + [total]
        yield from growth_rows(kind, growth(path, chosen))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        os.environ.setdefault(FOLDER, temporary)
        for line in lines():
            print(line, flush=True)
