"""Sets of texts with human scores, for the tests of agreement."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from distinctly.judging.people.findings import PeopleTrial

SETS = [
    ["a b c", "a b c"],
    ["a b c", "a b d"],
    ["a b c", "a d e"],
    ["a b c", "d e f"],
    ["the cat sat", "a dog ran"],
    ["the cat sat", "the cat ran"],
]
HUMAN = [1.0, 3.0, 4.0, 8.0, 9.0, 2.5]


def finding(trial: PeopleTrial, metric: str, measure: str = "spearman", subset: str = "") -> Any:
    return next(
        one
        for one in trial.findings
        if (one.metric, one.measure, one.settings["subset"]) == (metric, measure, subset)
    )


def with_annotators(noise: list[float]) -> list[dict[str, float]]:
    """Return three annotators who agree up to an offset, and one who scores at random."""
    return [{"a": score, "b": score + 1, "c": other, "d": score + 2} for score, other in zip(HUMAN, noise)]


def rows_file(folder: Path, name: str = "sets.jsonl", **more: list[Any]) -> Path:
    rows = [
        {"texts": texts, "score": score, **{key: values[place] for key, values in more.items()}}
        for place, (texts, score) in enumerate(zip(SETS, HUMAN))
    ]
    path = folder / name
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return path
