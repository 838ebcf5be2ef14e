"""Bins of length, for corpora such as essays in which hardly two texts are equally long.

A bin holds the texts from its length up to the length of the next bin, and all of them are cut to their first
tokens, as many as its length. Texts of equal length are the special case of one bin per length, in which
nothing is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from distinctly.batch import Batch, TokenColumn
from distinctly.ragged import Integers, positions
from distinctly.statistics.pool import Pool
from distinctly.strings import Strings
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.rows import Rows
from distinctly.views.tokens import Selected, Tokens, TokenView

# The number of bins, if there are enough texts.
BINS = 10
# The share of texts that are left out as too short, so that a few do not set the length of the first bin.
TOO_SHORT = 0.05


def equal_bins(lengths: Integers, bins: int, least: int) -> list[int]:
    """Return the lengths at which bins begin, so that bins have about equal numbers of texts.

    Parameters
    ----------
    lengths
        The number of tokens of each text.
    bins
        The number of bins; there are fewer if many texts are equally long.
    least
        The smallest number of texts of a bin.

    Examples
    --------
    >>> equal_bins(np.arange(100, 200), 4, least=10)
    [105, 129, 153, 177]
    >>> equal_bins(np.array([5] * 30 + [6, 7, 8]), 3, least=2)
    [5, 6]
    """
    in_order = np.sort(lengths)
    kept = in_order[in_order >= in_order[int(TOO_SHORT * len(in_order))]]
    starts: list[int] = []
    seen = within = 0
    for length, count in zip(*(values.tolist() for values in np.unique(kept, return_counts=True))):
        if not starts or (within >= least and seen >= len(starts) * len(kept) / bins):
            starts.append(length)
            within = 0
        within += count
        seen += count
    return starts[:-1] if len(starts) > 1 and within < least else starts


def number_of_bins(texts: int, least: int, fewest: int) -> int:
    """Return the default number of bins for a number of texts, of which a bin has at least `least`.

    Examples
    --------
    >>> number_of_bins(6000, 10, 3), number_of_bins(150, 10, 3), number_of_bins(6000, 1000, 3)
    (10, 10, 6)
    """
    return max(fewest, min(BINS, texts // least))


def bin_of(lengths: Integers, starts: Sequence[int]) -> Integers:
    """Return the length of the bin of each text; 0 if the text is shorter than all bins.

    Examples
    --------
    >>> bin_of(np.array([3, 5, 9, 400]), [5, 10]).tolist()
    [0, 5, 5, 10]
    """
    return np.array([0, *starts])[np.searchsorted(starts, lengths, "right")]


def cut_texts(pool: Pool, view: TokenView, rows: Integers, lengths: Integers) -> Pool:
    """Return a pool of these texts, each cut to its first tokens.

    Parameters
    ----------
    pool, view, rows
        The texts, as tokens and as strings.
    lengths
        The number of tokens to keep of each text, at most the number that it has.

    Examples
    --------
    >>> from distinctly.views.tokens import WORDS
    >>> pool = Pool(Rows(Batch.of(["It rains, again.", "One, two and three"])))
    >>> cut = cut_texts(pool, WORDS, np.array([1, 0]), np.array([3, 2]))
    >>> cut.view(WORDS).token_lists(), cut.rows.batch.strings.tolist()
    ([['One', ',', 'two'], ['It', 'rains']], ['One, two', 'It rains'])
    """
    tokens = pool.view(view)
    where, bounds = _first(tokens.bounds, rows, lengths)
    cut = Tokens(tokens.hashes[where], bounds, Selected(tokens.spelling, where), compiled=tokens.compiled)
    batch = pool.rows.batch
    if batch.bounds is None:
        strings = [
            _beginning(text, kept, view.tokenizer)
            for text, kept in zip(batch.strings.take(rows), cut.token_lists())
        ]
        shortened = Batch(Strings.encode(strings))
    else:
        places, bounds = _first(batch.bounds, rows, lengths)
        shortened = Batch(batch.strings.take(places), bounds)
    if batch.tags is not None:
        places, bounds = _first(batch.tags.bounds, rows, lengths)
        shortened = replace(shortened, tags=TokenColumn(batch.tags.strings.take(places), bounds))
    made = Rows(shortened, pool.rows.config)
    made.set(view, cut)
    return Pool(made)


def _first(bounds: Integers, rows: Integers, lengths: Integers) -> tuple[Integers, Integers]:
    """Return the positions of the first values of these rows, and their bounds."""
    ends = np.minimum(bounds[rows] + lengths, bounds[rows + 1])
    starts_and_ends = np.stack([bounds[rows], ends], axis=1).ravel()
    where, cut = positions(starts_and_ends, np.arange(0, 2 * len(rows), 2))
    return where, cut


def _beginning(text: str, tokens: Sequence[str], tokenizer: Tokenizer) -> str:
    """Return a text up to the end of these tokens, its first ones.

    Where a tokenizer changes its tokens, so that they do not occur in the text, they are joined by spaces.

    Examples
    --------
    >>> from distinctly.tokenizers import find_tokenizer
    >>> _beginning("It rains, again.", ["it", "rains", ","], find_tokenizer("words:lc=yes"))
    'It rains,'
    """
    prepared = tokenizer.prepare(text)
    end = 0
    for token in tokens:
        place = prepared.find(token, end)
        if place < 0:
            return " ".join(tokens)
        end = place + len(token)
    return text[:end] if len(prepared) == len(text) else prepared[:end]


def tokens_cut_off(lengths: Integers, kept: Integers) -> float:
    """Return the share of the tokens of these texts that are cut off."""
    return 1 - float(kept.sum()) / float(lengths.sum())


def ranges(starts: Sequence[int], longest: int) -> list[list[int]]:
    """Return the shortest and the longest text of each bin.

    Examples
    --------
    >>> ranges([5, 10, 20], 34)
    [[5, 9], [10, 19], [20, 34]]
    """
    return [[start, after - 1] for start, after in pairwise([*starts, longest + 1])]
