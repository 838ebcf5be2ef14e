"""Real texts for tests against peers, from the public data sets beside the repository."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path


def read_texts(path: Path, many: int) -> list[str]:
    """Return the first texts of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        texts = (
            text
            for row in map(json.loads, lines)
            for text in ([row["text"]] if "text" in row else row["texts"])
        )
        return list(islice(texts, many))


def english(shared: Path, many: int) -> list[list[str]]:
    """Return utterances of DailyDialog, split at white space."""
    return [text.split() for text in read_texts(shared / "dailydialog-valid-test.jsonl.gz", many)]


def chinese(shared: Path, many: int) -> list[list[str]]:
    """Return utterances of KdConv, split into characters."""
    return [list(text) for text in read_texts(shared / "zh-kdconv-dev-test.jsonl.gz", many)]
