"""Logs as tests read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import distinctly as dy
from distinctly.batch import Batch


def read(path: Path, **reading: Any) -> Batch:
    """Return all texts of a log."""
    return Batch.join(dy.read(path, **reading).batches())


def answers(batch: Batch, column: Sequence[Any] | None = None) -> dict[str, list[Any]]:
    """Return the texts of each group, in order, or the values of another column."""
    groups: dict[str, list[Any]] = {}
    for group, value in zip(batch.groups.tolist(), batch.strings.tolist() if column is None else column):
        groups.setdefault(group, []).append(value)
    return groups
