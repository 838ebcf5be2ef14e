"""A test of terms by exchanging texts between two corpora, in which a text counts as one observation.

G² and χ² take each occurrence of a term as independent of the others. Occurrences clump in texts, so that
many terms seem to differ between two halves of one corpus. Here, whole texts (or groups of texts) are
exchanged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from distinctly.arrays import Reals
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.ragged import Integers
from distinctly.run.corpora import NamedRows, one_pool
from distinctly.run.resampling import SHUFFLES, TIE, Resampling, exchanged
from distinctly.run.term_views import TermView
from distinctly.statistics.sought_terms import TermKeys
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_array

# Exchanges that are counted together: a table of this number of columns per term stays small.
AT_ONCE = 64


def exchange_p_values(
    reference: Batch,
    candidate: Batch,
    terms: TermView,
    sought: Mapping[int, TermKeys],
    resampling: Resampling,
    config: RunConfig,
) -> dict[int, Reals]:
    """Return the p-value of each term of each length: the share of exchanges with a χ² that is as large.

    It is ``(b + 1) / (m + 1)`` for m exchanges, including ties. Of given counts in both corpora together, χ²
    depends on ``(b·C − c·B)² / (A·B)`` alone: b is the count in the candidate, c that in both, and A, B and C
    are the totals. Groups that both corpora have are exchanged with each other.
    """
    times, view = resampling.permutations or 0, terms.view
    sides = {"reference": reference, "candidate": candidate}
    read = [NamedRows(name, Rows(batch, config)) for name, batch in sides.items()]
    first, second = one_pool(read, terms.described)
    tokens: Tokens = first.pool.view(view)
    counts = {n: _counts_by_text(tokens, n, keys) for n, keys in sought.items()}
    totals = {n: np.diff(tokens.gram_bounds(n)).astype(np.float64) for n in sought}
    observed: dict[int, Reals] = {}
    as_large = {n: np.zeros(len(keys.hashes), np.int64) for n, keys in sought.items()}
    draws = exchanged(first.units(view), second.units(view), times, resampling.stream(SHUFFLES))
    done = 0
    while columns := [_column(rows, len(tokens)) for _, (_, rows) in zip(range(AT_ONCE), draws)]:
        in_candidate = np.stack(columns, axis=1)
        for n, by_text in counts.items():
            statistics = _statistics(by_text, totals[n], in_candidate)
            if not done:  # the first column is of the texts as they are
                observed[n], statistics = statistics[:, 0], statistics[:, 1:]
            as_large[n] += (statistics >= (observed[n] * (1 - TIE))[:, None]).sum(axis=1)
        done += len(columns)
        config.report("exchanging texts", done - 1, times)
    return {n: (hits + 1) / (times + 1) for n, hits in as_large.items()}


def _column(rows: Integers, texts: int) -> Reals:
    """Return 1 for the texts in these rows, and 0 for the others."""
    column = np.zeros(texts)
    column[rows] = 1.0
    return column


def _counts_by_text(tokens: Tokens, n: int, keys: TermKeys) -> csr_array:
    """Return how often each text (column) has each term (row)."""
    from scipy.sparse import csr_array

    places, starts = keys.occurrences(tokens, n)
    texts = np.searchsorted(tokens.bounds, starts, "right") - 1
    shape = len(keys.hashes), len(tokens)
    return csr_array((np.ones(len(places)), (places, texts)), shape=shape)


def _statistics(by_text: csr_array, totals: Reals, in_candidate: Reals) -> Reals:
    """Return what χ² depends on for each term (row) and exchange (column)."""
    both, of_candidate = by_text.sum(axis=1)[:, None], by_text @ in_candidate
    total = totals.sum()
    of_all = totals @ in_candidate
    with np.errstate(divide="ignore", invalid="ignore"):  # if one side has no terms, all statistics are NaN
        statistics: Reals = (of_candidate * total - both * of_all) ** 2 / (of_all * (total - of_all))
    return statistics
