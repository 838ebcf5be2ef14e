"""The columns of a comparison of terms: their counts, rates, measures, ranges and dispersion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Reals
from distinctly.ragged import Integers
from distinctly.statistics.contingency import chi_squared_p
from distinctly.statistics.false_discovery import benjamini_hochberg
from distinctly.statistics.keyness_measures import KeynessMeasures
from distinctly.statistics.sought_terms import TermUses
from distinctly.statistics.term_counts import CountedTerms

# The columns of the result that are always there, in order; permutations add two.
COLUMNS = (
    *("term", "n", "more_in", "candidate_count", "reference_count"),
    *("candidate_per_million", "reference_per_million"),
    *("log_ratio", "percent_difference", "difference_coefficient", "log_odds", "log_odds_z", "pmi"),
    *("g2", "g2_p", "g2_p_corrected", "chi2", "chi2_p", "chi2_p_corrected", "chi2_yates", "chi2_yates_p"),
    *("candidate_range", "reference_range", "candidate_dp", "reference_dp", "few_texts"),
    *("range_g2", "range_p", "range_p_corrected", "range_log_odds_z"),
    *("permutation_p", "permutation_p_corrected"),
)
# The directions in the order of the result.
DIRECTIONS = ("candidate", "reference", "neither")
# A term is in few texts if these are at most this share of its occurrences, or of all texts.
FEW = 0.1


def columns_of(
    n: int,
    terms: CountedTerms,
    measures: KeynessMeasures,
    uses: tuple[TermUses, TermUses],
    units: tuple[int, int],
) -> dict[str, NDArray[Any]]:
    """Return the columns of terms of n words that need no correction for other terms.

    Parameters
    ----------
    n, terms, measures
        The length and the counts of the terms, and what is computed from the counts.
    uses
        How the terms are used in the reference and in the candidate.
    units
        The number of texts (or groups) of both.
    """
    reference, candidate = uses
    of_ranges = KeynessMeasures(reference.units, candidate.units, units)
    return {
        "n": np.full(len(terms), n),
        "more_in": np.array(["neither", "candidate", "reference"])[measures.direction.astype(np.int64)],
        "candidate_count": terms.candidate,
        "reference_count": terms.reference,
        "candidate_per_million": measures.per_million[1],
        "reference_per_million": measures.per_million[0],
        "log_ratio": measures.log_ratio,
        "percent_difference": measures.percent_difference,
        "difference_coefficient": measures.difference_coefficient,
        "log_odds": measures.log_odds,
        "log_odds_z": measures.log_odds_z,
        "pmi": measures.pmi,
        "g2": measures.g2,
        "g2_p": chi_squared_p(measures.g2),
        "chi2": measures.chi2,
        "chi2_p": chi_squared_p(measures.chi2),
        "chi2_yates": measures.chi2_yates,
        "chi2_yates_p": chi_squared_p(measures.chi2_yates),
        "candidate_range": candidate.units,
        "reference_range": reference.units,
        "candidate_dp": dispersion(candidate, terms.candidate, measures.totals[1]),
        "reference_dp": dispersion(reference, terms.reference, measures.totals[0]),
        "few_texts": in_few_texts(terms, measures, uses, units),
        "range_g2": of_ranges.g2,
        "range_p": chi_squared_p(of_ranges.g2),
        "range_log_odds_z": of_ranges.log_odds_z,
    }


def dispersion(uses: TermUses, counts: Integers, total: int) -> Reals:
    """Return Gries' deviation of proportions (DP): 0 if a term is spread as the texts are long, at most 1.

    It is half the sum of the differences between the share of a term's occurrences that a text has, and the
    share of all n-grams that it has. NaN if the term does not occur, or if there were no texts to look at.

    Examples
    --------
    >>> from distinctly.strings import Strings
    >>> uses = TermUses(np.array([2]), np.array([12]), np.zeros(0, np.int64), Strings.encode([]))
    >>> dispersion(uses, np.array([3]), 6).round(4).tolist()  # (|2/3 − 3/6| + |1/3 − 1/6| + |0 − 2/6|) / 2
    [0.3333]
    """
    known = (counts > 0) & (uses.even >= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(known, 1 - uses.even / (counts.astype(np.float64) * total), np.nan)


def in_few_texts(
    terms: CountedTerms, measures: KeynessMeasures, uses: tuple[TermUses, TermUses], units: tuple[int, int]
) -> NDArray[np.bool_]:
    """Return whether each term is repeated in few texts of the corpus that uses it more often.

    These are at most a tenth of its occurrences and of all texts, or a single text.
    """
    more = measures.direction > 0
    counts = np.where(more, terms.candidate, terms.reference)
    texts = np.where(more, uses[1].units, uses[0].units)
    all_texts = np.where(more, units[1], units[0])
    few = texts <= np.maximum(FEW * np.minimum(counts, all_texts), 1)
    return np.asarray(few & (counts > 1) & (all_texts > 1), np.bool_)


def spelled(n: int, size: int, uses: Sequence[TermUses]) -> list[tuple[str, ...]]:
    """Return the words of each term of n words, from the corpora that have it."""
    terms: list[tuple[str, ...]] = [()] * size
    for each in uses:
        words = each.words.tolist()
        for place, start in zip(each.places.tolist(), range(0, len(words), n)):
            terms[place] = tuple(words[start : start + n])
    return terms


def corrected_p_values(
    listed: Sequence[tuple[CountedTerms, Callable[[Integers, Integers], Reals]]],
) -> list[Reals]:
    """Return the p-values of listed terms, corrected for all terms that were counted (Benjamini–Hochberg).

    P-values are computed once per pair of counts, of which there are far fewer than terms.

    Parameters
    ----------
    listed
        Terms, whose tally has all of them, and what returns the p-values of pairs of counts; NaN is not
        counted as a test. All of them together are one family.
    """
    pairs = [terms.tally.pairs() for terms, _ in listed]
    p_values = [p_of(reference, candidate) for (_, p_of), (reference, candidate, _) in zip(listed, pairs)]
    times = np.concatenate([terms for _, _, terms in pairs])
    corrected = benjamini_hochberg(np.concatenate(p_values), times)
    of_each = np.split(corrected, np.cumsum([len(each) for each in p_values])[:-1])
    return [
        of_pairs[places_of_pairs(each[:2], (terms.reference, terms.candidate))]
        for (terms, _), each, of_pairs in zip(listed, pairs, of_each)
    ]


def places_of_pairs(pairs: tuple[Integers, Integers], wanted: tuple[Integers, Integers]) -> Integers:
    """Return the places of wanted pairs of counts among different pairs, which have all of them.

    Examples
    --------
    >>> pairs = np.array([3, 0, 3]), np.array([1, 7, 0])
    >>> places_of_pairs(pairs, (np.array([0, 3]), np.array([7, 1]))).tolist()
    [1, 0]
    """
    scale = int(pairs[1].max(initial=0)) + 1
    codes = pairs[0] * scale + pairs[1]
    order = np.argsort(codes)
    return order[np.searchsorted(codes, wanted[0] * scale + wanted[1], sorter=order)]
