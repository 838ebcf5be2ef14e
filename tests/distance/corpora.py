"""Pairs of corpora for tests of distances on tokens: real ones, and any two lists as a table."""

from __future__ import annotations

import functools
import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from tests.shared import SHARED

from distinctly.batch import Batch
from distinctly.statistics.pool import Pool
from distinctly.statistics.token_table import TokenTable, TwoCounts
from distinctly.views.rows import Rows

# Files whose rows are labelled with the system that wrote them.
LABELLED = ["alpacaeval-8-systems.jsonl.gz", "dailydialog-hredf-vs-reference.jsonl"]
# The number of texts per corpus; enough to compare formulas.
MANY = 400


def two_corpora(name: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return texts of the first two systems of a file, split at whitespace."""
    if not SHARED.is_dir():
        pytest.skip("needs the public data sets in ../shared/data, which are not part of the repository")
    return _read(SHARED / name)


@functools.cache
def _read(path: Path) -> tuple[list[list[str]], list[list[str]]]:
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        rows = [json.loads(line) for line in lines]
    labels = list(dict.fromkeys(row["label"] for row in rows))[:2]
    one, other = ([row["text"] for row in rows if row["label"] == label][:MANY] for label in labels)
    return [text.split() for text in one], [text.split() for text in other]


def tables(reference: list[list[str]], candidate: list[list[str]], n: int = 1) -> TwoCounts:
    """Return the counts of two lists of token lists."""
    pool = Pool(Rows(Batch.of([*reference, *candidate])))
    rows = np.arange(len(reference)), np.arange(len(reference), len(reference) + len(candidate))
    return TokenTable(n).index(pool).summarize(*rows)
