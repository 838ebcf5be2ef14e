"""Texts that are read once, and then measured, compared and mapped from memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.corpus import Corpus, are_paths, read_together
from distinctly.errors import InputError
from distinctly.run.corpora import parts_by_id
from distinctly.sources.base import Source, naming_option
from distinctly.sources.objects import has_fields
from distinctly.views.texts import Texts


class HeldSource(Source):
    """Texts in memory that were read from another source."""

    def __init__(self, batch: Batch, name: str, *, numbers_groups: bool = False) -> None:
        self.name = self.title = name
        self.numbers_groups = numbers_groups
        self._batch = batch

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches; in one batch if no size is given."""
        count = len(self._batch)
        if rows is None or count <= rows:
            yield self._batch
            return
        for start in range(0, count, rows):
            yield self._batch.select(np.arange(start, min(start + rows, count)))


@dataclass(frozen=True)
class Held:
    """A named corpus in memory.

    Attributes
    ----------
    name
        The name of the corpus, or of a part that a field splits it into.
    batch
        Its texts, with their groups.
    numbers_groups
        Whether groups are named by their numbers, since they have no other names.
    """

    name: str
    batch: Batch
    numbers_groups: bool = False

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def corpus(self) -> Corpus:
        """The texts as a corpus, for `measure` and `compare`."""
        source = HeldSource(self.batch, self.name, numbers_groups=self.numbers_groups)
        return Corpus.of_source(source, self.name)

    @cached_property
    def texts(self) -> list[str]:
        """The texts as they were read; lists of tokens are joined by spaces."""
        return Texts(self.batch).texts.tolist()


def read_corpora(
    named: Sequence[tuple[str, object]],
    how: Mapping[str, Any],
    columns: Mapping[str, Any],
    config: RunConfig,
    *,
    by: str | None = None,
) -> list[Held]:
    """Read corpora into memory under different names, and split them by the ids of their texts.

    Parameters
    ----------
    named
        The corpora with their names; an empty name stands for that of the corpus itself.
    how, columns
        How to read those that are not a `Corpus` yet, and columns for texts without fields.
    config
        How to run.
    by
        The field by which texts are split; None if they are not.
    """
    with naming_option("id", None if by is None else "by"):
        opened = [_opened(name, texts, how, columns) for name, texts in named]
        read_together(opened)
        corpora = [_read(corpus, config) for corpus in opened]
    names = _different([corpus.name for corpus in corpora])
    corpora = [Held(name, corpus.batch, corpus.numbers_groups) for name, corpus in zip(names, corpora)]
    if by is None:
        return corpora
    return [part for corpus in corpora for part in _parts(corpus, alone=len(corpora) == 1)]


def read_reference(reference: object, how: Mapping[str, Any], config: RunConfig) -> Held:
    """Read the reference, which needs no ids or tags; groups only if it is a file or a table with fields."""
    is_path = isinstance(reference, (str, Path)) or are_paths(reference)
    kept = ("field", "group") if has_fields(reference) else ("tokens",)
    same = {
        key: value for key, value in how.items() if (is_path and key not in ("id", "tags")) or key in kept
    }
    corpus = _read(_opened("", reference, same, {}), config)
    name = corpus.name if is_path or isinstance(reference, Corpus) else "reference"
    return Held(name, corpus.batch, corpus.numbers_groups)


def _opened(name: str, texts: object, how: Mapping[str, Any], columns: Mapping[str, Any]) -> Corpus:
    corpus = texts if isinstance(texts, Corpus) else Corpus.wrap(texts, **how, **columns)
    corpus.name = name or corpus.name
    return corpus


def _read(corpus: Corpus, config: RunConfig) -> Held:
    corpus.source.limit_memory(config.memory)
    batches = []
    for batch in corpus.batches(config.batch_size):
        batches.append(batch)
        config.report("reading", corpus.source.position, corpus.source.size, "bytes")
    return Held(corpus.name, Batch.join(batches), corpus.source.numbers_groups)


def _different(names: Sequence[str]) -> list[str]:
    """Return names of which no two are equal: those that repeat are numbered."""
    taken: dict[str, None] = {}
    for name in names:
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} ({number})"
        taken[free] = None
    return list(taken)


def _parts(corpus: Held, *, alone: bool) -> list[Held]:
    """Return the parts of a corpus by the ids of its texts; without the name of the corpus if it is alone."""
    return [
        Held(
            label if alone else f"{corpus.name}: {label}",
            corpus.batch.select(rows),
            corpus.numbers_groups,
        )
        for label, rows in parts_by_id(corpus.batch, corpus.name).items()
    ]


def take_reference(corpora: Sequence[Held], name: str) -> Held | None:
    """Return the corpus with this name; None if there is none, and an error if it is the only corpus."""
    chosen = next((corpus for corpus in corpora if corpus.name == name), None)
    if chosen is not None and len(corpora) < 2:
        raise InputError(f"'{name}' is the reference, and there is no other corpus to compare with it.")
    return chosen
