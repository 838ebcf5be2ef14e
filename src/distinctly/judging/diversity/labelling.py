"""The labels of the texts of a trial: classes or numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from distinctly import hashing
from distinctly.errors import InputError, SpecError
from distinctly.judging.diversity.constructing import Construction
from distinctly.judging.gathering import Gathered
from distinctly.ragged import Integers, bounds_of
from distinctly.views.texts import TextView


def labelled(
    gathered: Gathered, construction: Construction, label: str | Sequence[object] | None
) -> tuple[Integers, list[str]]:
    """Return the rows, in an order that depends only on contents, and their labels; repeats have none."""
    ((name, rows),) = gathered.corpora.items()
    if construction == "repeats":
        return rows, []
    ids = gathered.pool.rows.batch.ids
    if label is not None and not isinstance(label, str):
        labels = np.array([str(item) for item in label], object)
        if len(labels) != len(rows):
            raise InputError(
                f"expected one label per text, got {len(labels):,} for {len(rows):,} texts.", source=name
            )
    elif ids is None:
        raise SpecError(
            f"{construction.capitalize()} need labels. Name their field with --label (Python: label=)."
        )
    else:
        labels = np.array(ids.tolist(), object)
    # Identical texts of different classes are ordered by their labels.
    contents = gathered.pool.view(TextView()).text_hashes
    tokens = gathered.pool.view(gathered.tokens).text_hashes
    order = np.lexsort((hashing.hash_strings(labels.tolist()), contents, tokens))
    return order, labels[order].tolist()


def hash_of_labels(labels: Sequence[str]) -> str:
    """Return a hash of the labels in this order."""
    hashes = hashing.sequence(hashing.hash_strings(labels), bounds_of([len(labels)]))
    return f"{int(hashes[0]):016x}" if labels else ""
