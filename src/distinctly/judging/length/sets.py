"""Sets of texts of equal length: drawn from a corpus, or generated from independent tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.errors import InputError, SpecError
from distinctly.judging.lines import LEAST_POINTS
from distinctly.ragged import Integers
from distinctly.statistics.pool import Pool
from distinctly.strings import Strings
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Numbered, Tokens, TokenView

AnyLengths = str | Iterable[int]

# As in the paper: texts per set, and size of the vocabulary.
TEXTS, VOCABULARY = 2000, 30522
DESIGNATED = "designated"
DESIGNATED_LENGTHS = tuple(range(10, 101, 10))
# If fewer than FEW_LENGTHS lengths have TEXTS texts, sets are smaller: the largest of the SMALLER sizes for
# which FEW_LENGTHS lengths have enough texts and contain SHARE of all texts; or, failing that, have enough.
FEW_LENGTHS, SHARE = 5, 0.8
SMALLER = (1000, 500, 200, 100, 50, 20, 10)
_RANGE = re.compile(r"\s*(\d+)\s*:\s*(\d+)\s*(?::\s*(\d+)\s*)?")


class Sets(Protocol):
    """Sets of texts of several lengths."""

    @property
    def corpus(self) -> str:
        """Where the texts come from."""

    @property
    def texts(self) -> int:
        """Texts per set."""

    @property
    def lengths(self) -> Sequence[int]:
        """The lengths, in tokens, ascending."""

    def draw(self, length: int, sets: int, seed: int) -> tuple[Pool, list[Integers]]:
        """Draw the sets of a length: a pool, and the rows of each set."""

    def facts(self) -> dict[str, Any]:
        """Return their description in the settings of a trial."""

    def notes(self) -> Iterator[str]:
        """Yield notes for the reader."""

    def sharing(self, sets: int) -> int:
        """Return the number of lengths at which this number of sets share texts."""


def read_lengths(wanted: AnyLengths | None) -> list[int] | None:
    """Parse lengths: `5:30`, `10:100:10` (both ends included), or numbers.

    Examples
    --------
    >>> read_lengths("10:30:10"), read_lengths([7, 5])
    ([10, 20, 30], [5, 7])
    """
    if wanted is None:
        return None
    if isinstance(wanted, str):
        match = _RANGE.fullmatch(wanted)
        step = int(match[3] or 1) if match else 0
        if match is None or step < 1 or not 1 <= int(match[1]) <= int(match[2]):
            raise SpecError(f"Expected lengths such as 5:30, or 10:100:10 with a step, got '{wanted}'.")
        return list(range(int(match[1]), int(match[2]) + 1, step))
    lengths = sorted(set(wanted))
    if not lengths or lengths[0] < 1:
        raise SpecError(f"Expected lengths of at least 1 token, got {lengths}.")
    return lengths


@dataclass(frozen=True)
class NaturalSets:
    """Texts of a corpus by their length.

    Attributes
    ----------
    corpus, pool
        Its name, and the texts.
    texts
        Texts per set.
    rows
        The texts of each length that has enough, in an order that depends only on their contents.
    left_out
        The number of texts of each other length.
    smaller
        Whether sets are smaller than in the paper.
    """

    corpus: str
    pool: Pool
    texts: int
    rows: Mapping[int, Integers]
    left_out: Mapping[int, int]
    smaller: bool

    @classmethod
    def of(
        cls,
        corpus: str,
        pool: Pool,
        tokens: TokenView,
        rows: Integers,
        texts: int | None,
        wanted: Sequence[int] | None,
    ) -> NaturalSets:
        """Select the lengths that have enough texts, and the size of sets if it is not given."""
        lengths = pool.view(tokens).lengths[rows]
        if not lengths.any():
            raise InputError("expected texts with tokens, got none.", source=corpus)
        present, numbers = np.unique(lengths[lengths > 0], return_counts=True)
        counts = {
            length: count
            for length, count in zip(present.tolist(), numbers.tolist())
            if wanted is None or length in wanted
        }
        size = _size(counts) if texts is None else texts
        enough = [length for length, count in counts.items() if count >= size]
        if len(enough) < LEAST_POINTS:
            raise InputError(_too_few(counts, size), source=corpus)
        return cls(
            corpus,
            pool,
            size,
            {length: rows[lengths == length] for length in enough},
            {length: count for length, count in counts.items() if count < size},
            smaller=texts is None and size < TEXTS,
        )

    @property
    def lengths(self) -> Sequence[int]:
        """The lengths that have enough texts."""
        return list(self.rows)

    def draw(self, length: int, sets: int, seed: int) -> tuple[Pool, list[Integers]]:
        """Draw disjoint sets until there are too few texts left; then start again from all texts."""
        rows = self.rows[length]
        at_once = len(rows) // self.texts
        drawn: list[Integers] = []
        while len(drawn) < sets:
            order = np.random.default_rng([seed, 50, length, len(drawn)]).permutation(len(rows))
            drawn += [
                rows[np.sort(order[start * self.texts : (start + 1) * self.texts])]
                for start in range(min(at_once, sets - len(drawn)))
            ]
        return self.pool, drawn

    def facts(self) -> dict[str, Any]:
        """Return sizes and lengths."""
        return {
            "corpus": self.corpus,
            "kind": "natural",
            "texts": self.texts,
            "lengths": list(self.lengths),
            "there_are": [len(rows) for rows in self.rows.values()],
        }

    def notes(self) -> Iterator[str]:
        """Yield notes on smaller sets and on lengths that are left out."""
        if self.smaller:
            yield (
                f"{self.corpus}: sets have {self.texts:,} texts, since fewer than {FEW_LENGTHS} lengths have "
                f"{TEXTS:,}."
            )
        if self.left_out:
            out, kept = sum(self.left_out.values()), sum(map(len, self.rows.values()))
            which = f"{len(self.left_out)} of {len(self.left_out) + len(self.rows)} lengths"
            yield (
                f"{self.corpus}: {which} are left out, with fewer than {self.texts:,} texts each, "
                f"{out / (out + kept):.0%} of the texts."
            )

    def sharing(self, sets: int) -> int:
        """Return the number of lengths at which this number of sets share texts."""
        return sum(len(rows) < sets * self.texts for rows in self.rows.values())


@dataclass(frozen=True)
class DesignatedSets:
    """Texts of independent tokens: λ is uniform on (0, v), the token number is Poisson of λ, v = 30522.

    That is P(X = k) = ∫₀^v λ^k e^−λ / (v·k!) dλ, the designated distribution of the EAD paper (section 2):
    nearly uniform, and the same for all lengths, so a score that changes with length is biased.
    """

    texts: int = TEXTS
    lengths: Sequence[int] = DESIGNATED_LENGTHS
    tokens: TokenView = WORDS
    corpus: str = DESIGNATED

    def draw(self, length: int, sets: int, seed: int) -> tuple[Pool, list[Integers]]:
        """Generate the texts of a length; sets are disjoint."""
        pool = _generate(self.tokens, length, self.texts, sets, seed)
        return pool, list(np.arange(sets * self.texts).reshape(sets, -1))

    def facts(self) -> dict[str, Any]:
        """Return sizes and lengths."""
        return {
            "corpus": self.corpus,
            "kind": "designated",
            "texts": self.texts,
            "lengths": list(self.lengths),
        }

    def notes(self) -> Iterator[str]:
        """Yield no notes: there are always enough texts."""
        yield from ()

    def sharing(self, sets: int) -> int:
        """Return 0: all sets are disjoint."""
        return 0


@lru_cache(maxsize=1)  # all metrics measure the sets of one length in turn
def _generate(tokens: TokenView, length: int, texts: int, sets: int, seed: int) -> Pool:
    draw = np.random.default_rng([seed, 51, length])
    numbers = draw.poisson(draw.uniform(0, VOCABULARY, sets * texts * length))
    words, ids = np.unique(numbers, return_inverse=True)
    vocabulary = [str(word) for word in words.tolist()]
    bounds = np.arange(sets * texts + 1) * length
    # As lists of tokens; their hashes are made by word, since there are millions of tokens.
    rows = Rows(Batch(Strings.encode(vocabulary).take(ids), bounds))
    rows.set(tokens, Tokens(hashing.hash_strings(vocabulary)[ids], bounds, Numbered(ids, vocabulary)))
    return Pool(rows)


def _size(counts: Mapping[int, int]) -> int:
    """Return the size of sets."""
    held = {size: [count for count in counts.values() if count >= size] for size in (TEXTS, *SMALLER)}
    many = [size for size, enough in held.items() if len(enough) >= FEW_LENGTHS]
    if TEXTS in many:
        return TEXTS
    wide = [size for size in many if sum(held[size]) >= SHARE * sum(counts.values())]
    return next(iter(wide or many), SMALLER[-1])


def _too_few(counts: Mapping[int, int], size: int) -> str:
    """Return an error message with the number of texts and a remedy."""
    most = sorted(counts.items(), key=lambda item: -item[1])
    largest = ", ".join(f"{count:,} of {length} tokens" for length, count in most[:LEAST_POINTS])
    got = largest if most else "none of these lengths"
    remedy = "Give more texts, or other lengths."
    if len(most) >= LEAST_POINTS and most[LEAST_POINTS - 1][1] > 1:
        remedy = f"Give more texts, or smaller sets (--texts {most[LEAST_POINTS - 1][1]})."
    return f"expected {size:,} texts of each of at least {LEAST_POINTS} lengths, got {got}. {remedy}"
