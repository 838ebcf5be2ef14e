"""Sets of texts of one length: drawn from a corpus, or made up of independent tokens."""

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
from distinctly.views.tokens import Numbered, Tokens
from distinctly.views.words import WORDS, TokenView

AnyLengths = str | Iterable[int]

# As in the paper: texts a set, and how many words there are.
TEXTS, VOCABULARY = 2000, 30522
DESIGNATED = "designated"
DESIGNATED_LENGTHS = tuple(range(10, 101, 10))
# Where fewer lengths than this have so many texts, sets are smaller: the largest of these sizes at which the
# lengths that have enough are so many and hold this share of all texts; or, failing that, are so many.
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
        """How many a set has."""

    @property
    def lengths(self) -> Sequence[int]:
        """The lengths, in tokens, ascending."""

    def draw(self, length: int, sets: int, seed: int) -> tuple[Pool, list[Integers]]:
        """Draw the sets of a length: a pool, and the rows of each."""

    def facts(self) -> dict[str, Any]:
        """Return what the settings of a trial say of them."""

    def notes(self) -> Iterator[str]:
        """Say what a reader has to know."""

    def sharing(self, sets: int) -> int:
        """Return at how many lengths so many sets have texts in common."""


def read_lengths(wanted: AnyLengths | None) -> list[int] | None:
    """Read which lengths are asked for: `5:30`, `10:100:10` (the last one included), or numbers.

    Examples
    --------
    >>> read_lengths("10:30:10"), read_lengths([7, 5])
    ([10, 20, 30], [5, 7])
    """
    if wanted is None:
        return None
    if isinstance(wanted, str):
        found = _RANGE.fullmatch(wanted)
        step = int(found[3] or 1) if found else 0
        if found is None or step < 1 or not 1 <= int(found[1]) <= int(found[2]):
            raise SpecError(f"Expected lengths such as 5:30, or 10:100:10 with a step, got '{wanted}'.")
        return list(range(int(found[1]), int(found[2]) + 1, step))
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
        How many a set has.
    rows
        By length, where there are enough, in an order that only the contents of the texts give.
    left_out
        How many texts there are of each other length.
    smaller
        Whether sets are smaller than they should be.
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
        """Choose the lengths that have enough texts, and the size of sets where it is not given."""
        lengths = pool.view(tokens).lengths[rows]
        if not lengths.any():
            raise InputError("expected texts with tokens, got none.", source=corpus)
        found, counted = np.unique(lengths[lengths > 0], return_counts=True)
        asked = [place for place, length in enumerate(found) if wanted is None or length in wanted]
        counts = {int(found[place]): int(counted[place]) for place in asked}
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
        """Draw sets that share no text while there are enough; then all texts are laid out anew."""
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
        there_are = [len(rows) for rows in self.rows.values()]
        return {
            "corpus": self.corpus,
            "kind": "natural",
            "texts": self.texts,
            "lengths": list(self.lengths),
            "there_are": there_are,
        }

    def notes(self) -> Iterator[str]:
        """Tell smaller sets, and lengths that are left out."""
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
        """Return at how many lengths so many sets have texts in common."""
        return sum(len(rows) < sets * self.texts for rows in self.rows.values())


@dataclass(frozen=True)
class DesignatedSets:
    """Texts of independent tokens: λ is uniform on (0, v), the token's number is Poisson of λ, v = 30522.

    That is P(X = k) = ∫₀^v λ^k e^−λ / (v·k!) dλ, the designated distribution of the EAD paper (section 2):
    nearly uniform, and the same whatever the length, so that a score that changes with length is biased.
    """

    texts: int = TEXTS
    lengths: Sequence[int] = DESIGNATED_LENGTHS
    tokens: TokenView = WORDS
    corpus: str = DESIGNATED

    def draw(self, length: int, sets: int, seed: int) -> tuple[Pool, list[Integers]]:
        """Make up the texts of a length; no two sets have one in common."""
        return _made_up(self.tokens, length, self.texts, sets, seed), list(
            np.arange(sets * self.texts).reshape(sets, -1)
        )

    def facts(self) -> dict[str, Any]:
        """Return sizes and lengths."""
        return {
            "corpus": self.corpus,
            "kind": "designated",
            "texts": self.texts,
            "lengths": list(self.lengths),
        }

    def notes(self) -> Iterator[str]:
        """Say nothing: there are always enough."""
        yield from ()

    def sharing(self, sets: int) -> int:
        """Return 0: every set has texts of its own."""
        return 0


@lru_cache(maxsize=1)  # one metric after the other measures the sets of a length
def _made_up(tokens: TokenView, length: int, texts: int, sets: int, seed: int) -> Pool:
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
    """Choose the size of sets."""
    held = {size: [count for count in counts.values() if count >= size] for size in (TEXTS, *SMALLER)}
    many = [size for size, own in held.items() if len(own) >= FEW_LENGTHS]
    if TEXTS in many:
        return TEXTS
    wide = [size for size in many if sum(held[size]) >= SHARE * sum(counts.values())]
    return next(iter(wide or many), SMALLER[-1])


def _too_few(counts: Mapping[int, int], size: int) -> str:
    """Say what there is, and what to do."""
    most = sorted(counts.items(), key=lambda one: -one[1])
    told = ", ".join(f"{count:,} of {length} tokens" for length, count in most[:LEAST_POINTS])
    there_are = f"the most are {told}" if most else "there is none of these lengths"
    remedy = "Give more texts, or other lengths."
    if len(most) >= LEAST_POINTS and most[LEAST_POINTS - 1][1] > 1:
        remedy = f"Give more texts, or smaller sets (--texts {most[LEAST_POINTS - 1][1]})."
    return f"expected {size:,} texts of each of {LEAST_POINTS} lengths or more: {there_are}. {remedy}"
