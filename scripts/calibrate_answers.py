"""Calibrate the threshold of `answers` and `utility` for an embedder, on ConTest (Tevet & Berant, 2021).

    python -m scripts.calibrate_answers tevet-diversity-eval-with-hds.jsonl --embedder wordllama

People wrote five texts per set: all of the same content (one answer), or of different contents (five
answers). The labels are of sets, not of pairs, so the errors are of sets. A threshold is calibrated on one
half of the sets, by a hash of their ids, and tested on the other. Its error is the mean difference of the
number of classes from 1 or 5, averaged over both kinds of sets. The accuracy is that of telling the two kinds
apart: a set with more than three classes is nearer to five than to one.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.arrays import Reals
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.embedders import find_embedder
from distinctly.embedders.base import Embedder
from distinctly.geometry.vector_classes import VectorClasses
from distinctly.hashing import hash_strings
from distinctly.ragged import Integers
from distinctly.views.vectors import VectorTable, VectorView

Set = dict[str, Any]
THRESHOLDS = np.arange(0, 100) / 100
EQUAL, DIFFERENT = 1, 5


def read_sets(path: Path) -> list[Set]:
    """Return the sets of ConTest."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row for row in rows if row["dataset"] == "conTest" and len(row["texts"]) == DIFFERENT]


def count_classes(sets: Sequence[Set], view: VectorView) -> Integers:
    """Return the number of classes of each set (rows) at each threshold (columns)."""
    texts = [text for row in sets for text in row["texts"]]
    prompts = [row["context"] for row in sets for _ in row["texts"]]
    table: VectorTable = view.make(Batch.of(texts, prompts=prompts), RunConfig())
    statistics = [VectorClasses(view, float(threshold), "complete") for threshold in THRESHOLDS]
    rows = [table.select(np.arange(start, start + DIFFERENT)) for start in range(0, len(texts), DIFFERENT)]
    return np.array([[len(statistic.summarize(row).sizes) for statistic in statistics] for row in rows])


def errors(counts: Integers, differ: Any) -> tuple[Reals, Reals]:
    """Return the mean error of the number of classes and the balanced accuracy, at each threshold."""
    equal, different = counts[~differ], counts[differ]
    error = ((equal - EQUAL).mean(axis=0) + (DIFFERENT - different).mean(axis=0)) / 2
    middle = (EQUAL + DIFFERENT) / 2
    return error, ((equal <= middle).mean(axis=0) + (different > middle).mean(axis=0)) / 2


@dataclass(frozen=True)
class Calibrated:
    """A threshold, and on the half of the sets that it is from (first) and on the other half (second):

    the number of sets, the error, the accuracy, and the mean number of classes of both kinds of sets.
    """

    threshold: float
    sets: tuple[int, int]
    error: tuple[float, float]
    accuracy: tuple[float, float]
    of_equal: tuple[float, float]
    of_different: tuple[float, float]


def calibrate(sets: Sequence[Set], embedder: Embedder, *, context: bool) -> Calibrated:
    """Return the threshold with the smallest error on one half of the sets."""
    differ = np.array([row["label_value"] == 1 for row in sets])
    first = hash_strings([row["sample_id"] for row in sets]) % np.uint64(2) == 0
    counts = count_classes(sets, VectorView(embedder, context=context))
    best = int(errors(counts[first], differ[first])[0].argmin())
    both = [errors(counts[half], differ[half]) for half in (first, ~first)]

    def means(kind: Any) -> tuple[float, float]:
        return float(counts[first & kind, best].mean()), float(counts[~first & kind, best].mean())

    return Calibrated(
        float(THRESHOLDS[best]),
        (int(first.sum()), int((~first).sum())),
        (both[0][0][best], both[1][0][best]),
        (both[0][1][best], both[1][1][best]),
        means(~differ),
        means(differ),
    )


def main() -> None:
    """Print thresholds and their errors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", default="wordllama")
    arguments = parser.parse_args()
    sets, embedder = read_sets(arguments.data), find_embedder(arguments.embedder)
    for context in (False, True):
        result = calibrate(sets, embedder, context=context)
        options = "context=prompt" if context else "no context"
        print(f"{embedder.title()}, {options}: threshold {result.threshold:.2f}")
        for half, name in enumerate(("calibrated on", "tested on")):
            print(
                f"  {name} {result.sets[half]} sets: error {result.error[half]:.2f} classes, accuracy "
                f"{result.accuracy[half]:.3f}; {result.of_equal[half]:.2f} classes where contents are equal, "
                f"{result.of_different[half]:.2f} where they differ"
            )


if __name__ == "__main__":
    main()
