"""Sets of texts of equal length: drawn from a corpus, or generated from independent tokens.

Where few texts of a corpus are equally long, texts of similar length are cut to the same length.
"""

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
from distinctly.judging.length.bins import (
    bin_of,
    cut_texts,
    equal_bins,
    number_of_bins,
    ranges,
    tokens_cut_off,
)
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
# Texts of equal length are compared if the lengths with enough of them hold this share of the texts, or if
# sets are as large as in the paper; of lengths given with a step, if SHARE of the lengths have enough.
# Otherwise texts are cut to the length of their bin.
IDENTICAL = 0.5
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
class Binned:
    """How the texts of a corpus were put into bins by length, and cut to the length of their bin.

    Attributes
    ----------
    ranges
        The shortest and the longest text of each bin, in tokens; texts are cut to the former.
    asked_for
        The number of bins that was asked for, if one was.
    too_short
        The share of texts that are shorter than the first bin, and left out.
    cut_off
        The share of the tokens of the other texts that is cut off.
    """

    ranges: Sequence[Sequence[int]]
    asked_for: int | None
    too_short: float
    cut_off: float

    def describe(self) -> str:
        """Return a sentence for the reader."""
        count = f"{len(self.ranges)} bins"
        if self.asked_for is None:
            reason = "too few texts are equally long, so they are put into"
        elif len(self.ranges) < self.asked_for:
            reason, count = (
                "texts are put into",
                f"{count}, not {self.asked_for}, since many are equally long,",
            )
        else:
            reason = "texts are put into"
        out = f" {self.too_short:.0%} of the texts are shorter than the first bin and left out."
        return (
            f"{reason} {count} by length and cut to the shortest length of their bin, which cuts off "
            f"{self.cut_off:.0%} of their tokens.{out * (self.too_short > 0)}"
        )


@dataclass(frozen=True)
class NaturalSets:
    """Texts of a corpus by their length.

    Attributes
    ----------
    corpus, pool
        Its name, and the texts; those of a bin are cut to its length.
    texts
        Texts per set.
    rows
        The texts of each length that has enough, in an order that depends only on their contents.
    left_out
        The number of texts of each other length.
    smaller
        Whether sets are smaller than in the paper.
    binned
        How texts were put into bins; None if all texts of a length are equally long by themselves.
    """

    corpus: str
    pool: Pool
    texts: int
    rows: Mapping[int, Integers]
    left_out: Mapping[int, int]
    smaller: bool
    binned: Binned | None = None

    @classmethod
    def of(
        cls,
        corpus: str,
        pool: Pool,
        tokens: TokenView,
        rows: Integers,
        texts: int | None,
        wanted: Sequence[int] | None,
        bins: int | None = None,
    ) -> NaturalSets:
        """Select the lengths or bins that have enough texts, and the size of sets if it is not given."""
        lengths = pool.view(tokens).lengths[rows]
        if not lengths.any():
            raise InputError("expected texts with tokens, got none.", source=corpus)
        rows, lengths = rows[lengths > 0], lengths[lengths > 0]
        counts = _counts(lengths, wanted)
        size = _size(counts) if texts is None else texts
        if bins is None and _identical_suffice(counts, size, wanted):
            return cls._selected(corpus, pool, rows, lengths, counts, size, texts)
        least = SMALLER[-1] if texts is None else texts
        starts = _starts(lengths, least, wanted, bins)
        cut = bin_of(lengths, starts)
        binned_counts = _counts(cut[cut > 0], None)
        size = _size(binned_counts) if texts is None else texts
        if sum(count >= size for count in binned_counts.values()) < LEAST_POINTS:
            raise InputError(_too_few(lengths, size, wanted, bins), source=corpus)
        kept = np.flatnonzero(cut)
        binned = Binned(
            ranges(starts, int(lengths.max())),
            asked_for=bins,
            too_short=1 - len(kept) / len(rows),
            cut_off=tokens_cut_off(lengths[kept], cut[kept]),
        )
        cut_pool = cut_texts(pool, tokens, rows[kept], cut[kept])
        places = np.arange(len(kept))
        return cls._selected(corpus, cut_pool, places, cut[kept], binned_counts, size, texts, binned)

    @classmethod
    def _selected(
        cls,
        corpus: str,
        pool: Pool,
        rows: Integers,
        lengths: Integers,
        counts: Mapping[int, int],
        size: int,
        texts: int | None,
        binned: Binned | None = None,
    ) -> NaturalSets:
        return cls(
            corpus,
            pool,
            size,
            {length: rows[lengths == length] for length, count in counts.items() if count >= size},
            {length: count for length, count in counts.items() if count < size},
            smaller=texts is None and size < TEXTS,
            binned=binned,
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
            "bins": None if self.binned is None else self.binned.ranges,
        }

    def notes(self) -> Iterator[str]:
        """Yield notes on bins, on smaller sets, and on lengths that are left out."""
        if self.binned is not None:
            yield f"{self.corpus}: {self.binned.describe()}"
        called = "lengths" if self.binned is None else "bins"
        if self.smaller:
            yield (
                f"{self.corpus}: sets have {self.texts:,} texts, since fewer than {FEW_LENGTHS} {called} "
                f"have {TEXTS:,}."
            )
        if self.left_out:
            out, kept = sum(self.left_out.values()), sum(map(len, self.rows.values()))
            which = f"{len(self.left_out)} of {len(self.left_out) + len(self.rows)} {called}"
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


def _counts(lengths: Integers, wanted: Sequence[int] | None) -> dict[int, int]:
    """Return the number of texts of each length, or of each of the wanted lengths."""
    present, numbers = np.unique(lengths, return_counts=True)
    return {
        length: count
        for length, count in zip(present.tolist(), numbers.tolist())
        if wanted is None or length in wanted
    }


def _identical_suffice(counts: Mapping[int, int], size: int, wanted: Sequence[int] | None) -> bool:
    """Return whether enough texts are equally long for sets of this size."""
    enough = [count for count in counts.values() if count >= size]
    if len(enough) < LEAST_POINTS:
        return False
    if wanted is not None and len(wanted) < wanted[-1] - wanted[0] + 1:  # with steps
        return len(enough) >= SHARE * len(wanted)
    return size >= TEXTS or sum(enough) >= IDENTICAL * sum(counts.values())


def _starts(lengths: Integers, least: int, wanted: Sequence[int] | None, bins: int | None) -> Sequence[int]:
    """Return the lengths at which bins begin."""
    if wanted is not None:
        return wanted
    return equal_bins(lengths, bins or number_of_bins(len(lengths), least, LEAST_POINTS), least)


def _too_few(lengths: Integers, size: int, wanted: Sequence[int] | None, bins: int | None) -> str:
    """Return an error message with the number of texts and a remedy."""
    counts = _counts(lengths, wanted)
    most = sorted(counts.items(), key=lambda item: -item[1])
    largest = ", ".join(f"{count:,} of {length} tokens" for length, count in most[:LEAST_POINTS])
    got = f"{sum(counts.values()):,} texts ({largest})" if most else "none of these lengths"
    smaller = _largest_size(lengths, size - 1, wanted, bins)
    remedy = f"smaller sets (--texts {smaller})" if smaller else "other lengths"
    expected = f"{size:,} texts of each of at least {LEAST_POINTS} lengths, or bins of lengths"
    return f"expected {expected}, got {got}. Give more texts, or {remedy}."


def _largest_size(lengths: Integers, most: int, wanted: Sequence[int] | None, bins: int | None) -> int:
    """Return a size of sets for which there are enough texts, about the largest; 0 if there is none.

    Examples
    --------
    >>> _largest_size(np.repeat([7, 8, 6, 9], [21, 9, 8, 2]), 9, None, None)
    8
    """
    enough, too_large = 0, min(most, len(lengths) // LEAST_POINTS) + 1
    while too_large - enough > 1:
        size = (enough + too_large) // 2
        if _suffice(lengths, size, wanted, bins):
            enough = size
        else:
            too_large = size
    return enough


def _suffice(lengths: Integers, size: int, wanted: Sequence[int] | None, bins: int | None) -> bool:
    """Return whether there are enough texts for sets of this size, of equal length or in bins."""
    if bins is None and _identical_suffice(_counts(lengths, wanted), size, wanted):
        return True
    cut = bin_of(lengths, _starts(lengths, size, wanted, bins))
    return sum(count >= size for count in _counts(cut[cut > 0], None).values()) >= LEAST_POINTS
