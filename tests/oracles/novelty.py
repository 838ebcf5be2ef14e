"""N-grams and longest matches by sets of tuples: slow, and without hashes."""

from __future__ import annotations

from collections.abc import Sequence

Texts = Sequence[Sequence[str]]


def ngrams(text: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return the n-grams of a text."""
    return [tuple(text[start : start + n]) for start in range(len(text) - n + 1)]


def novel(reference: Texts, candidate: Texts, n: int) -> list[tuple[int, int]]:
    """Return for each text of the candidate the number of its n-grams that are new, and of all of them."""
    known = {gram for text in reference for gram in ngrams(text, n)}
    grams_of_texts = [ngrams(text, n) for text in candidate]
    return [(sum(gram not in known for gram in grams), len(grams)) for grams in grams_of_texts]


def longest_matches(texts: Texts, others: Texts) -> list[int]:
    """Return for each token the number of tokens from it on that one of the others has in sequence."""
    longest = max((len(text) for text in others), default=0)
    known = {gram for text in others for n in range(1, longest + 1) for gram in ngrams(text, n)}
    matches = []
    for text in texts:
        for start in range(len(text)):
            length = 0
            while start + length < len(text) and tuple(text[start : start + length + 1]) in known:
                length += 1
            matches.append(length)
    return matches


def occurrences(texts: Texts, passage: Sequence[str]) -> list[tuple[int, int]]:
    """Return the text and the position of each occurrence of a sequence of tokens, both from 1."""
    size = len(passage)
    return [
        (row, start + 1)
        for row, text in enumerate(texts, 1)
        for start in range(len(text) - size + 1)
        if list(text[start : start + size]) == list(passage)
    ]
