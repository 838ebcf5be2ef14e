"""From texts to vectors, batch by batch: what is on disk is read, what is not is made and kept."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from distinctly.config import RunConfig
from distinctly.embedders.base import Embedder, Vectors, checked
from distinctly.embedders.store import Keys, Store, keys_of
from distinctly.errors import InputError

# What is made is written when this many seconds, or bytes, have passed: a batch at the least.
SECONDS = 2.0
BYTES = 1 << 26


def embed_texts(embedder: Embedder, texts: Sequence[str], config: RunConfig) -> Vectors:
    """Return one row per text.

    Each different text is embedded once, and in an order that the texts themselves give: their order
    cannot change a vector. A process that is killed has lost the last batch, or the last two seconds of
    work; the next one goes on from there.

    Examples
    --------
    >>> from distinctly.embedders import find_embedder
    >>> seen = []
    >>> embedder = find_embedder(lambda texts: seen.extend(texts) or [[len(text)] for text in texts])
    >>> embed_texts(embedder, ["bb", "a", "bb"], RunConfig()).tolist(), seen
    ([[2.0], [1.0], [2.0]], ['a', 'bb'])
    """
    # By length in the end, so that embedders that pad have little to pad.
    different = sorted(sorted(set(texts)), key=len)
    if not different:
        return np.zeros((0, 0), np.float32)
    store = _store_of(embedder) if config.cache else None
    rows = _made(embedder, different, config) if store is None else _kept(embedder, different, store, config)
    places = {text: place for place, text in enumerate(different)}
    found: Vectors = rows[np.fromiter(map(places.__getitem__, texts), np.int64, len(texts))]
    return found


def kept_dimension(embedder: Embedder) -> int | None:
    """Return the dimension of the vectors on disk, to which no model has to be loaded."""
    store = _store_of(embedder)
    return None if store is None else store.dimension()


def _store_of(embedder: Embedder) -> Store | None:
    identity = embedder.identity()
    if identity is None:
        return None
    try:
        return Store(identity)
    except RuntimeError:  # a user without a home
        return None


def _made(embedder: Embedder, texts: Sequence[str], config: RunConfig) -> Vectors:
    return np.concatenate(list(_batches(embedder, texts, 0, config)))


def _kept(embedder: Embedder, texts: Sequence[str], store: Store, config: RunConfig) -> Vectors:
    """Read what is known, make the rest and write it while it is made."""
    keys = keys_of(texts)
    rows, known = store.find(keys)
    if rows is not None and known.all():
        return rows
    missing = np.flatnonzero(~known)
    new = [texts[place] for place in missing.tolist()]
    writer = _Writer(embedder, store, keys[missing])
    parts = []
    try:
        for part in _batches(embedder, new, len(texts) - len(new), config):
            parts.append(part)
            writer.add(part)
    finally:
        writer.flush()
    made = np.concatenate(parts)
    if rows is None:
        return made
    if (rows.shape[1], rows.dtype) != (made.shape[1], made.dtype):
        # Kept under this name, and not by this embedder: nothing of it can be trusted.
        store.forget()
        return _made(embedder, texts, config)
    rows[missing] = made
    return rows


def _batches(embedder: Embedder, texts: Sequence[str], before: int, config: RunConfig) -> Iterator[Vectors]:
    """Embed batch after batch, each checked, and tell how far it is."""
    name = f"the embedder '{embedder.title()}'"
    dimension = None
    for start in range(0, len(texts), embedder.batch):
        batch = texts[start : start + embedder.batch]
        rows = checked(embedder.embed_on(config.on_device, batch), len(batch), name)
        if dimension not in (None, rows.shape[1]):
            raise InputError(
                f"expected {name} to give vectors of one dimension, got {dimension} of the first texts and "
                f"{rows.shape[1]} of later ones."
            )
        dimension = rows.shape[1]
        yield rows
        config.report("embedding texts", before + start + len(batch), before + len(texts))


class _Writer:
    """Collects batches until it is worth writing them."""

    def __init__(self, embedder: Embedder, store: Store, keys: Keys) -> None:
        self._embedder, self._store, self._keys = embedder, store, keys
        self._done = 0
        self._parts: list[Vectors] = []
        self._since = time.monotonic()

    def add(self, rows: Vectors) -> None:
        """Take a batch, the next of the keys."""
        self._parts.append(rows)
        waiting = sum(part.nbytes for part in self._parts)
        if waiting >= BYTES or time.monotonic() - self._since >= SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._parts:
            rows = np.concatenate(self._parts)
            self._store.add(self._keys[self._done : self._done + len(rows)], rows, self._embedder.title())
            self._done += len(rows)
        self._parts, self._since = [], time.monotonic()
