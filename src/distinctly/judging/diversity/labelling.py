"""The labels of texts in a trial: the class that each is of, or the number that it carries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

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
    """Return the rows in an order that only contents give, and the label of each; none where none matter."""
    ((name, rows),) = gathered.corpora.items()
    if construction == "repeats":
        return rows, []
    ids = gathered.pool.rows.batch.ids
    if label is not None and not isinstance(label, str):
        labels = np.array([str(one) for one in label], object)
        if len(labels) != len(rows):
            raise InputError(f"expected a label a text, got {len(labels):,} for {len(rows):,}.", source=name)
    elif ids is None:
        named = construction.capitalize()
        raise SpecError(f"{named} need labels: name their field with --label (Python: label=).")
    else:
        labels = np.array(ids.tolist(), object)
    # Texts that are alike, but of different classes, are told apart by these.
    contents = gathered.pool.view(TextView()).text_hashes
    tokens = gathered.pool.view(gathered.tokens).text_hashes
    order = np.lexsort((hashing.hash_strings(labels.tolist()), contents, tokens))
    return order, labels[order].tolist()


def hash_of(labels: Sequence[str]) -> str:
    """Return what tells these labels, in this order, from others."""
    found = hashing.sequence(hashing.hash_strings(labels), bounds_of([len(labels)]))
    return f"{int(found[0]):016x}" if labels else ""


@contextmanager
def naming_the_label() -> Iterator[None]:
    """Have errors call the field of labels by the name of its option here; for the reader, it is the id."""
    try:
        yield
    except InputError as error:
        problem = error.problem.replace("--id (Python: id=)", "--label (Python: label=)")
        raise InputError(problem, source=error.source, row=error.row) from error
