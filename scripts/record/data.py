"""The texts of the record: samples of the public data sets, and the texts of the demonstration."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).parent.parent.parent
SHARED = ROOT.parent / "shared" / "data"
DEMOS = ("english-varied", "english-repetitive", "chinese-varied", "chinese-repetitive")
SETS = "tevet-diversity-eval-with-hds"
SYSTEMS = "alpacaeval-8-systems"
Row = dict[str, Any]


def names() -> list[str]:
    """Return the names of the data sets; an empty list if the folder is absent."""
    return list(_files())


def _files() -> dict[str, Path]:
    paths = [*sorted(SHARED.glob("*.jsonl*")), *sorted(SHARED.glob("encoder/*.jsonl*"))]
    return {path.name.partition(".")[0]: path for path in paths}


def _lines(path: Path) -> Iterator[str]:
    with (
        gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as f
    ):
        yield from f


@functools.lru_cache(maxsize=64)
def rows(name: str, number: int) -> tuple[Row, ...]:
    """Return `number` rows of a data set, evenly spaced from the first to the last."""
    lines = list(_lines(_files()[name]))
    places = np.unique(np.linspace(0, len(lines) - 1, min(number, len(lines))).astype(int))
    return tuple(json.loads(lines[place]) for place in places)


def texts(name: str, number: int) -> list[str]:
    """Return `number` texts of a data set: the first of each pair, all of each set."""
    if name == SETS:
        return [text for row in rows(name, max(number // 5, 1)) for text in row["texts"]][:number]
    return [row["text"] if "text" in row else row["a"] for row in rows(name, number)]


def sets(number: int) -> list[list[str]]:
    """Return `number` sets of texts that people have rated."""
    return [list(row["texts"]) for row in rows(SETS, number)]


@functools.lru_cache(maxsize=4)
def answers(prompts: int, systems: int) -> tuple[Row, ...]:
    """Return the answers of several systems to the same prompts."""
    answered = [json.loads(line) for line in _lines(_files()[SYSTEMS])]
    chosen = list(dict.fromkeys(row["label"] for row in answered))[:systems]
    return tuple(row for row in answered if row["label"] in chosen and row["prompt_id"] < prompts)


@functools.lru_cache(maxsize=4)
def embedded(name: str, number: int) -> tuple[list[str], NDArray[np.float32]]:
    """Return `number` texts of a data set, and one vector per text."""
    table = np.load(SHARED / "embeddings" / f"{name}-minilm.npz")
    places = np.linspace(0, len(table["row"]) - 1, number).astype(int)
    lines = list(_lines(_files()[name]))
    chosen = [json.loads(lines[row])["text"] for row in table["row"][places]]
    return chosen, table["vectors"][places].astype(np.float32)


def demo(name: str) -> list[str]:
    """Return the texts of a corpus of the demonstration."""
    path = ROOT / "src" / "distinctly" / "demo_data" / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines()
