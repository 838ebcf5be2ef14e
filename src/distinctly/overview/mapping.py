"""The map of an overview: a stated sample of the texts in the plane, in regions with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.embedders.base import Embedder, Positional
from distinctly.overview.held import Held
from distinctly.overview.layout import layout
from distinctly.overview.regions import cluster, names_of, number_of_regions, regions_of
from distinctly.ragged import Integers
from distinctly.report.cells import clipped, printable
from distinctly.report.page import MapPoint, TextMap
from distinctly.tokenizers.words import Words
from distinctly.views.texts import Texts
from distinctly.views.tokens import TokenView
from distinctly.views.vectors import VectorView

# The largest number of texts in a map, of characters of a text, and of bytes of all texts in the page.
MOST_TEXTS, LONGEST, MOST_BYTES = 5000, 1000, 2_500_000
# Bytes of a character that is not ASCII, where a page escapes it.
ESCAPED = 6
# Words for the names of regions, unless a tokenizer is requested.
NAMING = TokenView(Words(lc=True, punct=False))


@dataclass(frozen=True)
class _Sampled:
    """Some texts of a corpus, in an order by their contents, and their unit vectors."""

    corpus: Held
    rows: Integers
    vectors: NDArray[np.float32]


def text_map(
    corpora: Sequence[Held],
    embedder: Embedder,
    config: RunConfig,
    *,
    seed: int,
    reference: str | None = None,
    tokens: TokenView | None = None,
) -> TextMap | None:
    """Return the map of the texts of all corpora; None if no text has a vector.

    Parameters
    ----------
    corpora
        The texts.
    embedder
        What turns texts into vectors.
    config
        How to run.
    seed
        Seed of the sample, the layout and the regions.
    reference
        The name of the corpus whose regions others are compared with.
    tokens
        The tokens that name regions; by default words in lower case.
    """
    sampled = _sample(corpora, embedder, config, seed)
    if not sum(len(each.rows) for each in sampled):
        return None
    vectors = np.concatenate([each.vectors for each in sampled if len(each.rows)])
    labels = cluster(vectors, number_of_regions(len(vectors)), seed)
    selected = [each.corpus.batch.select(each.rows) for each in sampled if len(each.rows)]
    names = names_of(Batch.join(selected), tokens or NAMING, labels)
    ends = np.cumsum([len(each.rows) for each in sampled])[:-1]
    by_corpus = dict(zip((each.corpus.name for each in sampled), np.split(labels, ends)))
    return TextMap(
        "Map of the texts",
        _points(sampled, labels, seed),
        regions_of(names, by_corpus, reference),
        _meaning(corpora, sampled, embedder),
    )


def _sample(corpora: Sequence[Held], embedder: Embedder, config: RunConfig, seed: int) -> list[_Sampled]:
    """Return texts that are not empty: all, or as many of each corpus as fit the map."""
    usable = [np.flatnonzero([bool(text.strip()) for text in corpus.texts]) for corpus in corpora]
    quota = _quota([len(rows) for rows in usable])
    view, sampled = VectorView(embedder), []
    for corpus, rows in zip(corpora, usable):
        texts = Texts(corpus.batch)
        ordered = rows[_order(texts.text_hashes[rows], seed)][:quota]
        if isinstance(embedder, Positional):
            table = view.make(corpus.batch, config).rows[ordered]
        else:
            table = view.make(corpus.batch.select(ordered), config).rows if len(ordered) else np.zeros((0, 0))
        lengths = np.linalg.norm(table, axis=1) if len(ordered) else np.zeros(0)
        known = np.isfinite(lengths) & (lengths > 0)
        unit = (table[known] / lengths[known, None]).astype(np.float32) if known.any() else table[:0]
        sampled.append(_Sampled(corpus, ordered[known], np.asarray(unit, np.float32)))
    return sampled


def _quota(sizes: Sequence[int]) -> int:
    """Return the largest number of texts per corpus with which all corpora fit the map.

    Examples
    --------
    >>> _quota([10, 20]), _quota([100, 20_000, 20_000])
    (20, 2450)
    """
    left, quota = MOST_TEXTS, max(sizes, default=0)
    if sum(sizes) <= MOST_TEXTS:
        return quota
    for place, size in enumerate(sorted(sizes)):
        quota = left // (len(sizes) - place)
        if size > quota:
            break
        left -= size
    return quota


def _order(hashes: hashing.Hashes, seed: int) -> Integers:
    """Return a random order of texts that depends on their contents and the seed, not on their order.

    Copies of a text are numbered, so that they are not drawn together.
    """
    copies = hashing.copy_numbers(hashes).astype(np.uint64)
    keys = hashing.mix(hashes + hashing.mix(copies + hashing.mix(np.array([seed], np.uint64))))
    return np.argsort(keys, kind="stable")


def _points(sampled: Sequence[_Sampled], labels: Integers, seed: int) -> list[MapPoint]:
    """Return one point per different text of a corpus, with the number of its copies."""
    kept: list[tuple[str, str, int, int]] = []
    places: list[int] = []
    start = 0
    for each in sampled:
        texts = [each.corpus.texts[row] for row in each.rows.tolist()]
        first: dict[str, int] = {}
        times: dict[str, int] = {}
        for place, text in enumerate(texts):
            first.setdefault(text, place)
            times[text] = times.get(text, 0) + 1
        kept += [(each.corpus.name, text, times[text], start + place) for text, place in first.items()]
        places += [start + place for place in first.values()]
        start += len(texts)
    vectors = np.concatenate([each.vectors for each in sampled if len(each.rows)])
    where = layout(vectors[places], seed)
    shown = _shortened([text for _, text, _, _ in kept])
    points = [
        MapPoint(
            float(x),
            float(y),
            printable(corpus),
            text if copies == 1 else f"({copies:,} times) {text}",
            int(labels[place]),
        )
        for (corpus, _, copies, place), text, (x, y) in zip(kept, shown, where.tolist())
    ]
    # In a random order, no corpus is drawn above all others.
    return [points[place] for place in np.random.default_rng(seed).permutation(len(points)).tolist()]


def _shortened(texts: Sequence[str]) -> list[str]:
    """Return the texts on one line, each cut so that all of them together do not make the page too large."""
    lines = [printable(" ".join(text[: 4 * LONGEST].split())) for text in texts]
    width = LONGEST
    while width > 80 and sum(_bytes(clipped(line, width)) for line in lines) > MOST_BYTES:
        width = int(width * 0.8)
    return [clipped(line, width) for line in lines]


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text) + (ESCAPED - 1) * sum(not c.isascii() for c in text)


def _meaning(corpora: Sequence[Held], sampled: Sequence[_Sampled], embedder: Embedder) -> str:
    total = sum(len(corpus) for corpus in corpora)
    shown = sum(len(each.rows) for each in sampled)
    drawn = f"A random sample of {shown:,} of {total:,} texts" if shown < total else f"All {total:,} texts"
    return (
        f"{drawn}. Similar texts are near each other (vectors of {embedder.name}); equal texts of a corpus "
        "are one point. The axes have no meaning, and distances between far regions have little. Regions are "
        "clusters of the vectors, named by the words that are most typical of them; a remark says which "
        "corpus has fewer than half or more than twice the share of texts there (Fisher's exact test, "
        "corrected for all regions and corpora)."
    )
