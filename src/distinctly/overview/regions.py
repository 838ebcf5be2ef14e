"""Regions of a map: clusters of texts with names, shares per corpus, and tested remarks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.overview.names import listed
from distinctly.ragged import Integers
from distinctly.report.cells import printable, written_p
from distinctly.report.page import Region
from distinctly.run.comparing import SIGNIFICANT
from distinctly.strings import Strings
from distinctly.views.tokens import Tokens, TokenView

# Words per name, and the smallest number of texts of a region that a word of its name is in.
WORDS_PER_NAME, LEAST_TEXTS = 3, 2
# A word of a name is this many times as frequent in the region as elsewhere.
MORE_FREQUENT = 2.0
# A corpus misses or invents a region if its share differs by this factor, and significantly.
FACTOR = 2.0
MOST_REGIONS, FEWEST_TEXTS = 16, 15
# From this share of ideographs on, pairs of them may be in names; words that are spelled per region.
SOME, MOST_CANDIDATES = 0.01, 200
# Two ideographs are taken for a word if at least this share of the more frequent one occurs in the pair.
COHESIVE = 0.25
NO_NAME = "mixed"


def number_of_regions(texts: int) -> int:
    """Return the number of regions of a map.

    Examples
    --------
    >>> number_of_regions(10), number_of_regions(100), number_of_regions(5000)
    (1, 4, 16)
    """
    return 1 if texts < FEWEST_TEXTS else max(2, min(MOST_REGIONS, round(math.sqrt(texts / 2) / 2)))


def cluster(vectors: NDArray[np.float32], count: int, seed: int) -> Integers:
    """Return the region of each vector by k-means, the region with most vectors first."""
    if count < 2:
        return np.zeros(len(vectors), np.int64)
    from sklearn.cluster import KMeans

    different = len(np.unique(vectors.round(5), axis=0))
    model = KMeans(min(count, different), n_init=3, random_state=seed)
    labels = model.fit_predict(vectors.astype(np.float64))
    kept, labels, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    rank = np.empty(len(kept), np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(kept))
    return rank[labels]


def names_of(batch: Batch, view: TokenView, labels: Integers) -> list[str]:
    """Return the name of each region: the words in whose share of texts it exceeds the others most.

    Words that are frequent everywhere do not pass this contrast, so that no list of stop words is needed.
    Where each ideograph is a token, pairs of them take the place of words.
    """
    tokens = view.make(batch, RunConfig())
    counts = [_Counts.of(tokens, 1, labels)]
    if batch.strings.letters().share("ideographs") >= SOME:
        counts.append(_Counts.of(tokens, 2, labels))
    names = []
    for region in range(int(labels.max(initial=-1)) + 1):
        ranked = sorted(pair for each in counts for pair in each.typical(tokens, region))
        chosen: list[str] = []
        for _, word in ranked:
            if not any(_overlap(word, other) for other in chosen):
                chosen.append(word)
            if len(chosen) == WORDS_PER_NAME:
                break
        names.append(", ".join(map(printable, chosen)) or NO_NAME)
    return names


def _overlap(first: str, second: str) -> bool:
    """Return whether two words are the same, or two pairs of ideographs share one."""
    return first == second or (_are_ideographs(first) and bool(set(first) & set(second)))


def _are_ideographs(word: str) -> bool:
    return Strings.encode([word]).letters().ideographs == len(word)


@dataclass(frozen=True)
class _Counts:
    """In how many texts of each region each n-gram occurs.

    Attributes
    ----------
    n
        Tokens per n-gram.
    positions
        The position of the first occurrence of each n-gram, to spell it.
    texts
        The number of texts by region and n-gram.
    sizes
        The number of texts of each region.
    cohesion
        How often the tokens of an n-gram occur in it: its count divided by the largest count of its tokens.
    """

    n: int
    positions: Integers
    texts: NDArray[np.int64]
    sizes: Integers
    cohesion: NDArray[np.float64]

    @classmethod
    def of(cls, tokens: Tokens, n: int, labels: Integers) -> _Counts:
        """Count the texts of each region that contain each n-gram."""
        grams, first, numbers, times = np.unique(
            tokens.grams(n), return_index=True, return_inverse=True, return_counts=True
        )
        text = np.repeat(np.arange(len(tokens)), np.diff(tokens.gram_bounds(n)))
        pairs = np.unique(text * max(len(grams), 1) + numbers)
        rows, columns = pairs // max(len(grams), 1), pairs % max(len(grams), 1)
        regions = int(labels.max(initial=-1)) + 1
        flat = np.bincount(labels[rows] * len(grams) + columns, minlength=regions * len(grams))
        sizes = np.bincount(labels, minlength=regions)
        positions = tokens.starts(n)[first] if len(grams) else np.zeros(0, np.int64)
        return cls(
            n, positions, flat.reshape(regions, len(grams)), sizes, _cohesion(tokens, n, positions, times)
        )

    def typical(self, tokens: Tokens, region: int) -> list[tuple[float, str]]:
        """Return the typical words of a region, after minus the gain in likelihood of its own share."""
        inside = self.texts[region].astype(np.float64)
        outside = self.texts.sum(axis=0) - inside
        here, there = float(self.sizes[region]), float(self.sizes.sum() - self.sizes[region])
        share, overall = inside / here, (inside + outside) / (here + there)
        other = outside / there if there else np.zeros_like(outside)
        typical = (inside >= min(LEAST_TEXTS, here)) & (share > MORE_FREQUENT * other)
        typical &= self.cohesion >= COHESIVE
        gain = xlogy(inside, share / overall) + xlogy(outside, np.where(outside > 0, other / overall, 1))
        gain += xlogy(here - inside, np.where(share < 1, (1 - share) / np.maximum(1 - overall, 1e-12), 1))
        places = np.flatnonzero(typical)
        best = places[np.argsort(-gain[places], kind="stable")][:MOST_CANDIDATES]
        words = [(-round(float(gain[place]), 9), self._word(tokens, int(place))) for place in best]
        return [(score, word) for score, word in words if word]

    def _word(self, tokens: Tokens, place: int) -> str:
        """Return an n-gram as a word; empty if it is none: a number, a sign, or a single letter."""
        text = tokens.spell(int(self.positions[place]), self.n)
        if self.n > 1:
            joined = text.replace(" ", "")
            return joined if len(joined) == self.n and _are_ideographs(joined) else ""
        letters = sum(map(str.isalpha, text))
        return text if letters > 1 and all(c.isalpha() or c in "-'’" for c in text) else ""


def _cohesion(tokens: Tokens, n: int, positions: Integers, times: Integers) -> NDArray[np.float64]:
    """Return the count of each n-gram, divided by the largest count of its tokens."""
    keys, counts = np.unique(tokens.hashes, return_counts=True)
    largest = np.zeros(len(positions), np.int64)
    for offset in range(n):
        places = np.searchsorted(keys, tokens.hashes[positions + offset])
        largest = np.maximum(largest, counts[places])
    return np.asarray(times / np.maximum(largest, 1), np.float64)


def regions_of(
    names: Sequence[str],
    labels: Mapping[str, Integers],
    reference: str | None,
) -> list[Region]:
    """Return the regions, with remarks on corpora that have unexpectedly few or many texts there.

    Parameters
    ----------
    names
        The name of each region.
    labels
        The regions of the texts of each corpus.
    reference
        The corpus that others are compared with; None to compare each with all others together.
    """
    counts = {name: np.bincount(rows, minlength=len(names)) for name, rows in labels.items()}
    filled = {name: numbers for name, numbers in counts.items() if numbers.sum()}
    remarks = _remarks(filled, reference, len(names))
    return [
        Region(
            title,
            {
                printable(name): float(numbers[place] / numbers.sum()) if numbers.sum() else 0.0
                for name, numbers in counts.items()
            },
            remarks[place],
        )
        for place, title in enumerate(names)
    ]


def _remarks(counts: Mapping[str, Integers], reference: str | None, regions: int) -> list[str]:
    """Return what is unusual about each region, by Fisher's exact test, corrected for all tests (Holm)."""
    from scipy.stats import fisher_exact

    if reference is not None and reference not in counts:
        reference = None
    candidates = [name for name in counts if name != reference]
    if len(counts) < 2:
        return [""] * regions
    tests: list[tuple[float, int, str, float, float]] = []
    for name in candidates:
        numbers = counts[name]
        rest = np.sum([others for other, others in counts.items() if other != name], axis=0)
        others = counts[reference] if reference is not None else rest
        for place in range(regions):
            inside, outside = int(numbers[place]), int(others[place])
            total, other_total = int(numbers.sum()), int(others.sum())
            table = [[inside, total - inside], [outside, other_total - outside]]
            p = float(fisher_exact(table)[1])
            tests.append((p, place, name, inside / total, outside / other_total))
        if reference is None and len(candidates) == 2:
            break  # with two corpora, the second test would be the first one again
    parts: dict[int, list[str]] = {}
    corrected = 0.0
    beside = printable(reference) if reference is not None else "the others"
    if reference is None and len(candidates) == 2:
        beside = printable(candidates[1])
    for rank, (p, place, name, share, other) in enumerate(sorted(tests)):
        corrected = max(corrected, min(p * (len(tests) - rank), 1.0))
        if corrected >= SIGNIFICANT:
            break
        known = f"{share:.1%} of its texts, {other:.1%} of those of {beside}, corrected p {_p(corrected)}"
        if share * FACTOR <= other:
            verb = "misses it" if share == 0 else "has few texts here"
            parts.setdefault(place, []).append(f"{printable(name)} {verb} ({known})")
        elif other * FACTOR <= share:
            verb = f"alone is here, not {beside}" if other == 0 else "has many texts here"
            parts.setdefault(place, []).append(f"{printable(name)} {verb} ({known})")
    return [f"{listed(parts[place], most=3)}." if place in parts else "" for place in range(regions)]


def _p(p: float) -> str:
    text = written_p(p)
    return text if text.startswith("<") else f"= {text}"
