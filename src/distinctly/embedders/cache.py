"""Vectors of texts, in batches: known vectors are read from disk, new ones are computed and stored."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from distinctly.config import RunConfig
from distinctly.embedders.base import Embedder, Vectors, checked
from distinctly.embedders.store import Keys, Store, keys_of
from distinctly.errors import InputError

# New vectors are written, in whole batches, after this many seconds or bytes.
SECONDS = 2.0
BYTES = 1 << 26


def embed_texts(embedder: Embedder, texts: Sequence[str], config: RunConfig) -> Vectors:
    """Return one row per text.

    Each distinct text is embedded once, in an order that depends only on the texts, so the order of
    reading cannot change a vector. A process that is killed loses the last batch, or the last two seconds
    of work; the next process resumes from there.

    Examples
    --------
    >>> from distinctly.embedders import find_embedder
    >>> seen = []
    >>> embedder = find_embedder(lambda texts: seen.extend(texts) or [[len(text)] for text in texts])
    >>> embed_texts(embedder, ["bb", "a", "bb"], RunConfig()).tolist(), seen
    ([[2.0], [1.0], [2.0]], ['a', 'bb'])
    """
    # Sorted by length, so that embedders need little padding.
    distinct = sorted(sorted(set(texts)), key=len)
    if not distinct:
        return np.zeros((0, 0), np.float32)
    store = _store_of(embedder) if config.cache else None
    if store is None:
        rows = _embedded(embedder, distinct, config)
    else:
        rows = _read_or_embedded(embedder, distinct, store, config)
    places = {text: place for place, text in enumerate(distinct)}
    vectors: Vectors = rows[np.fromiter(map(places.__getitem__, texts), np.int64, len(texts))]
    return vectors


def kept_dimension(embedder: Embedder) -> int | None:
    """Return the dimension of the vectors on disk, without loading the model; None if there are none."""
    store = _store_of(embedder)
    return None if store is None else store.dimension()


def _store_of(embedder: Embedder) -> Store | None:
    identity = embedder.identity()
    if identity is None:
        return None
    try:
        return Store(identity)
    except RuntimeError:  # the user has no home folder
        return None


def _embedded(embedder: Embedder, texts: Sequence[str], config: RunConfig) -> Vectors:
    return np.concatenate(list(_batches(embedder, texts, 0, config)))


def _read_or_embedded(embedder: Embedder, texts: Sequence[str], store: Store, config: RunConfig) -> Vectors:
    """Read the known vectors, and compute the others, which are written meanwhile."""
    keys = keys_of(texts)
    rows, known = store.find(keys)
    if rows is not None and embedder.known_dimension() not in (None, rows.shape[1]):
        # The stored vectors are of another embedder, so none of them can be trusted.
        store.forget()
        rows, known = None, np.zeros(len(keys), np.bool_)
    if rows is not None and known.all():
        return rows
    missing = np.flatnonzero(~known)
    new_texts = [texts[place] for place in missing.tolist()]
    writer = _Writer(embedder, store, keys[missing])
    parts = []
    try:
        for part in _batches(embedder, new_texts, len(texts) - len(new_texts), config):
            parts.append(part)
            writer.add(part)
    finally:
        writer.flush()
    new_rows = np.concatenate(parts)
    if rows is None:
        return new_rows
    if (rows.shape[1], rows.dtype) != (new_rows.shape[1], new_rows.dtype):
        # The stored vectors are of another embedder, so none of them can be trusted.
        store.forget()
        return _embedded(embedder, texts, config)
    rows[missing] = new_rows
    return rows


def _batches(embedder: Embedder, texts: Sequence[str], before: int, config: RunConfig) -> Iterator[Vectors]:
    """Yield the checked vectors of each batch, and report the progress."""
    name = f"the embedder '{embedder.title()}'"
    dimension = None
    for start in range(0, len(texts), embedder.batch):
        batch = texts[start : start + embedder.batch]
        rows = checked(embedder.embed_on(config.on_device, batch), len(batch), name)
        if dimension not in (None, rows.shape[1]):
            raise InputError(
                f"expected {name} to give vectors of one dimension, got {dimension} for the first texts and "
                f"{rows.shape[1]} for later ones."
            )
        dimension = rows.shape[1]
        yield rows
        config.report("embedding texts", before + start + len(batch), before + len(texts))


class _Writer:
    """Collects batches until they are large or old enough to be written."""

    def __init__(self, embedder: Embedder, store: Store, keys: Keys) -> None:
        self._embedder, self._store, self._keys = embedder, store, keys
        self._done = 0
        self._parts: list[Vectors] = []
        self._since = time.monotonic()

    def add(self, rows: Vectors) -> None:
        """Add the vectors of the next batch of keys."""
        self._parts.append(rows)
        size = sum(part.nbytes for part in self._parts)
        if size >= BYTES or time.monotonic() - self._since >= SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the collected batches."""
        if self._parts:
            rows = np.concatenate(self._parts)
            self._store.add(self._keys[self._done : self._done + len(rows)], rows, self._embedder.title())
            self._done += len(rows)
        self._parts, self._since = [], time.monotonic()
