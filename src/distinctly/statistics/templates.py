"""`TemplateUse`: n-grams that many texts have, and the texts that have one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import TwoPass
from distinctly.statistics.exact_sum import ExactSum
from distinctly.statistics.ngram_counts import Run
from distinctly.statistics.recurrence import TextsPerKey, occurrences
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens


@dataclass(frozen=True)
class Templated:
    """Exact sums over texts.

    Attributes
    ----------
    texts, short, tokens
        The number of texts, of those with fewer than n tokens, and of tokens.
    templated
        The number of texts that have a template.
    occurrences
        The number of places where a template begins.
    parts
        The sum of ``1 / texts with the template`` over the different templates of each text. A template adds
        1 over all texts, so this is the number of templates, up to rounding.
    """

    texts: int
    short: int
    tokens: int
    templated: int
    occurrences: int
    parts: ExactSum

    def __add__(self, other: Templated) -> Templated:
        return Templated(
            self.texts + other.texts,
            self.short + other.short,
            self.tokens + other.tokens,
            self.templated + other.templated,
            self.occurrences + other.occurrences,
            self.parts + other.parts,
        )

    @property
    def templates(self) -> int:
        """The number of different templates."""
        return round(self.parts.value)


@dataclass(frozen=True)
class TemplateUse(TwoPass[Templated, Templated]):
    """Use of templates: n-grams that at least `least` texts have.

    Examples
    --------
    >>> texts = Tokens.of([["D", "N", "V"], ["D", "N", "D", "N"], ["V"]])
    >>> use = TemplateUse(2, 2).summarize(texts)   # D N, three times
    >>> use.templated, use.occurrences, use.templates, use.short
    (2, 3, 1, 1)
    """

    n: int
    least: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def first(self) -> tuple[TextsPerKey]:
        """Return the number of texts per n-gram."""
        return (TextsPerKey(self.n, again=False, view=self.view),)

    def summarize(self, tokens: Tokens) -> Templated:
        """Count the texts per n-gram, then the templates of each text."""
        (texts_per_key,) = self.first()
        return self.collect(tokens, texts_per_key.summarize(texts_per_key.collect(tokens)))

    def collect(self, tokens: Tokens, *first: Run) -> Templated:
        """Count the templates of the texts of a batch."""
        templates = self.templates_among(first[0])
        begins = bounds_of(known(tokens.grams(self.n), templates.hashes).astype(np.int64))
        per_text = np.diff(begins[tokens.gram_bounds(self.n)])
        keys, _ = occurrences(tokens, self.n, again=False)
        keys = keys[known(keys, templates.hashes)]
        texts = templates.counts[np.searchsorted(templates.hashes, keys)]
        return Templated(
            len(tokens),
            int((tokens.lengths < self.n).sum()),
            len(tokens.hashes),
            int((per_text > 0).sum()),
            int(per_text.sum()),
            ExactSum.of(1 / texts),
        )

    def templates_among(self, texts: Run) -> Run:
        """Return the n-grams that enough texts have, and the number of these texts."""
        enough = texts.counts >= self.least
        return Run(texts.hashes[enough], texts.counts[enough])

    def finish(self, state: Templated) -> Templated:
        """Return the sums; they are their own summary."""
        return state


def known(keys: Any, hashes: Any) -> NDArray[np.bool_]:
    """Return whether each key is among these hashes, which ascend."""
    places = np.searchsorted(hashes, keys)
    is_known = places < len(hashes)
    is_known[is_known] = hashes[places[is_known]] == keys[is_known]
    return np.asarray(is_known, np.bool_)


def rows_with(tokens: Tokens, n: int, key: int, most: int) -> Integers:
    """Return the rows of at most `most` texts that have an n-gram, in an order of their contents."""
    places = np.flatnonzero(tokens.grams(n) == np.uint64(key))
    rows = np.unique(np.searchsorted(tokens.gram_bounds(n), places, "right") - 1)
    return rows[np.argsort(tokens.text_hashes[rows], kind="stable")][:most]
