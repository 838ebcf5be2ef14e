"""Distances beside prdc, mauve-text and IBM's formulas.

The vectors are by MiniLM, of clinc150 against banking77 (../shared/data/embeddings), 384 dimensions, stored
in float16, which we convert to float32 and the peers to float64, except in the rows marked float32. Ours is
the whole `dy.compare` (checking, hashing, signing), a peer's its function on the same arrays.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

import distinctly as dy
from benchmarks import ibm
from benchmarks.text import DATA, texts_of
from benchmarks.turns import Row, in_turns, sized
from distinctly.batch import Batch
from distinctly.distance.base import Distance
from distinctly.registry import metric_names
from distinctly.run.scoring import Distances
from distinctly.statistics.pool import Pool
from distinctly.tokenizers import find_tokenizer
from distinctly.views.rows import Rows

SIZES = (100, 1000, 2850)
CORPORA = ("clinc150", "banking77")
# Distances with a formula of IBM's code, of vectors and of tokens.
VECTORS = ("frechet", "energy", "irpr", "medoid", "ttest", "classifier")
TOKENS = ("chi", "zipf")
IBM = "IBM's formula"


def texts_and_vectors(name: str, size: int) -> tuple[list[str], Any]:
    """Return `size` random texts of a corpus, with their vectors."""
    stored = np.load(DATA / "embeddings" / f"{name}-minilm.npz")
    texts = texts_of(next(DATA.glob(f"{name}.jsonl*")).name)
    table = next(stored[key] for key in stored.files if stored[key].ndim == 2)
    chosen = np.random.default_rng(0).permutation(len(table))[:size]
    return [texts[row] for row in stored["row"][chosen]], table[chosen]


def prdc(*corpora: Any, times: int = 1) -> Any:
    """Call prdc without its printed output; twice for precision and recall, and density and coverage."""
    from prdc import compute_prdc

    with contextlib.redirect_stdout(io.StringIO()):
        for _ in range(times):
            values = compute_prdc(*corpora, nearest_k=5)
    return values


def mauve(reference: Any, candidate: Any) -> Any:
    """Call mauve-text on vectors."""
    import mauve as peer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return peer.compute_mauve(p_features=reference, q_features=candidate, device_id=-1, verbose=False)


class Pair:
    """Two corpora of a size: their vectors, as stored and in float32, and their tokens."""

    def __init__(self, size: int) -> None:
        texts, vectors = zip(*(texts_and_vectors(name, size) for name in CORPORA))
        tokenize = find_tokenizer("words").tokenize
        self.size, self.vectors = size, vectors
        self.wide = tuple(rows.astype(np.float32) for rows in vectors)
        self.tokens = [[tokenize(text) for text in corpus] for corpus in texts]

    def row(
        self, specs: str | Sequence[str], beside: str, call: Callable[..., Any], **options: Any
    ) -> Row | str:
        """Time a distance of the vectors beside a function of the same."""
        return self._row(self.vectors, specs, beside, call, **options)

    def float32(
        self, specs: str | Sequence[str], beside: str, call: Callable[..., Any], **options: Any
    ) -> Row | str:
        """Time the same in float32."""
        return self._row(self.wide, specs, beside, call, ", float32", **options)

    def of_tokens(self, name: str) -> Row | str:
        """Time a distance of the tokens beside IBM's formula."""
        return self._row(self.tokens, name, IBM, getattr(ibm, name), needs="sklearn")

    def numbered(self, name: str) -> Row | str:
        """Time the same on tokens that are already numbered, as for all permutations but the first."""
        pool = Pool(Rows(Batch.of([text for texts in self.tokens for text in texts])))
        sides = pool.select(np.arange(self.size)), pool.select(np.arange(self.size, len(pool)))
        ours = partial(Distances([dy.metric(name)]).scores, pool, sides)
        theirs = partial(getattr(ibm, name), *self.tokens)
        return in_turns(f"`{name}`, {self.size:,} texts, tokens numbered", ours, IBM, theirs, needs="sklearn")

    def _row(
        self,
        corpora: Any,
        specs: str | Sequence[str],
        beside: str,
        call: Callable[..., Any],
        remark: str = "",
        **options: Any,
    ) -> Row | str:
        named = " + ".join(f"`{spec}`" for spec in ([specs] if isinstance(specs, str) else specs))
        return in_turns(
            f"{named}, {self.size:,} texts{remark}",
            partial(dy.compare, *corpora, specs),
            beside,
            partial(call, *corpora),
            **options,
        )


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    for size in map(partial(sized, at_least=100), SIZES):
        pair = Pair(size)
        yield pair.row(["pr", "dc"], "prdc, called twice", partial(prdc, times=2), needs="prdc")
        for name in ("pr", "dc"):
            yield pair.row(name, "prdc", prdc, needs="prdc")
        yield pair.row("mauve:seeds=1", "mauve-text", mauve, needs="mauve")
        for name in VECTORS:
            yield pair.row(name, IBM, getattr(ibm, name), needs="sklearn")
        # The peer makes one split; our default makes five.
        yield pair.row("classifier:preset=paper", IBM, ibm.classifier, needs="sklearn")
        for name in TOKENS:
            yield pair.of_tokens(name)
            yield pair.numbered(name)
        everything = partial(dy.compare, *pair.tokens, metric_names(Distance), vectors=pair.vectors)
        yield in_turns(f"all distances together, {size:,} texts", everything)
    yield pair.float32(["pr", "dc"], "prdc, called twice", partial(prdc, times=2), needs="prdc")
    for name in ("frechet", "energy", "irpr"):
        yield pair.float32(name, IBM, getattr(ibm, name), needs="sklearn")
