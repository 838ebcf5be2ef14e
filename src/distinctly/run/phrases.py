"""Phrases: sequences of words that are not parts of longer ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Reals
from distinctly.ragged import Integers
from distinctly.tokenizers.dropping import kind_of

# A phrase is nearly always part of a longer one if that has at least this share of its count.
NEARLY = 0.8


def maximal_phrases(words: Sequence[tuple[str, ...]], counts: Integers) -> NDArray[np.bool_]:
    """Return which sequences of words are maximal phrases.

    A phrase begins and ends with a word or a number. It is not maximal if a longer phrase that contains it
    has nearly its count.

    Parameters
    ----------
    words
        Different sequences of words.
    counts
        How often each of them occurs, all in one corpus.

    Examples
    --------
    >>> words = [("a", "lot"), ("a", "lot", "of"), ("lot", "of"), ("of", ","), ("the", "lot")]
    >>> maximal_phrases(words, np.array([10, 9, 30, 9, 1])).tolist()
    [False, True, True, False, True]
    """
    shortest = min(map(len, words), default=0)
    are_phrases = [kind_of(each[0]) != "punctuation" != kind_of(each[-1]) for each in words]
    longest: dict[tuple[str, ...], int] = {}
    for each, is_phrase, count in zip(words, are_phrases, counts.tolist()):
        if is_phrase:
            for size in range(shortest, len(each)):
                for start in range(len(each) - size + 1):
                    part = each[start : start + size]
                    longest[part] = max(longest.get(part, 0), count)
    return np.array(
        [
            is_phrase and longest.get(each, 0) < NEARLY * count
            for each, is_phrase, count in zip(words, are_phrases, counts.tolist())
        ],
        np.bool_,
    )


def phrase_ranks(columns: Mapping[str, NDArray[Any]]) -> Reals:
    """Return what phrases are ordered by: the smaller z of the log-odds of their counts and of their ranges.

    So a phrase is high in the order only if both its occurrences and the texts that have it are many. It is 0
    if they disagree on the corpus that uses it more often.

    Examples
    --------
    >>> columns = {"log_odds_z": np.array([9.0, 5.0, 2.0]), "range_log_odds_z": np.array([1.0, 4.0, -1.0])}
    >>> phrase_ranks(columns).tolist()
    [1.0, 4.0, 0.0]
    """
    counts, ranges = columns["log_odds_z"], columns["range_log_odds_z"]
    return np.where(counts * ranges > 0, np.minimum(np.abs(counts), np.abs(ranges)), 0.0)
