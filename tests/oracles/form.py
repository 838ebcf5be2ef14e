"""Templates and sentences, text by text, with loops only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.oracles.ngrams import ngrams

Texts = Sequence[Sequence[str]]


def templates(texts: Texts, n: int, least: int) -> set[tuple[str, ...]]:
    """Return the n-grams that occur in at least `least` texts."""
    grams = {gram for text in texts for gram in ngrams(text, n)}
    return {gram for gram in grams if sum(gram in ngrams(text, n) for text in texts) >= least}


def template_parts(texts: Texts, n: int, least: int) -> dict[str, int]:
    """Count the texts with a template, the templates, and the places where one begins."""
    known = templates(texts, n, least)
    found = [[gram for gram in ngrams(text, n) if gram in known] for text in texts]
    return {
        "templated_texts": sum(bool(grams) for grams in found),
        "templates": len(known),
        "places": sum(map(len, found)),
    }


def profile(texts: Texts, words: Sequence[str]) -> Counter[str]:
    """Count the words of a list, and all others under the empty string."""
    counts: Counter[str] = Counter()
    for text in texts:
        for token in text:
            counts[token if token in words else ""] += 1
    return counts
