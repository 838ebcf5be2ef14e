"""χ² and Zipf distances of two lists of token lists, as IBM's compcor 1.0.6 releases them.

Copied from ``compcor/corpus_metrics.py`` (`chi_square_distance`) and ``compcor/utils.py`` (`zipf_coeff`),
Apache-2.0, without what cuts and embeds texts.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.stats
from scipy.stats import chisquare
from sklearn import linear_model


def chi_square_distance(corpus1: Sequence[Any], corpus2: Sequence[Any], top: int = 5000) -> float:
    """Return p, with 2(K − 1) degrees of freedom; the paper has 1 − p."""
    tokens1 = [x for xs in corpus1 for x in xs]
    tokens2 = [x for xs in corpus2 for x in xs]

    c1_word_count = Counter(tokens1)
    c2_word_count = Counter(tokens2)
    common_words = {word for word, freq in Counter(tokens1 + tokens2).most_common(top)}
    sum_count = {word: c1_word_count[word] + c2_word_count[word] for word in common_words}

    n1 = sum([c1_word_count[word] for word in common_words])
    n2 = sum([c2_word_count[word] for word in common_words])
    n = n1 + n2
    o1 = []
    o2 = []
    e1 = []
    e2 = []
    for word in common_words:
        e1 += [sum_count[word] * n1 / n]
        o1 += [c1_word_count[word]]
        e2 += [sum_count[word] * n2 / n]
        o2 += [c2_word_count[word]]

    chi_stat = chisquare(f_exp=e1, f_obs=o1)[0] + chisquare(f_exp=e2, f_obs=o2)[0]
    return float(1 - scipy.stats.chi2.cdf(chi_stat, 2 * (len(common_words) - 1)))


def zipf_coeff(
    samples: Sequence[Any], min_num: int = 1, max_num: int = 5000, stretch_factor: int = 15
) -> float:
    """Return the slope; the last rank is left out, since ``arange`` ends before it."""
    counter: Counter[str] = Counter()
    for s in samples:
        counter.update(s)
    top_freqs = np.array(sorted(counter.values(), key=operator.neg)[:max_num])
    xs, idxs_u = np.unique(
        np.round(stretch_factor * np.log(np.arange(min_num, min(len(counter), max_num)).astype(np.float64)))
        / stretch_factor,
        return_index=True,
    )
    ys = np.log(top_freqs[idxs_u])

    lr = linear_model.LinearRegression()
    lr.fit(xs.reshape(-1, 1), ys)
    return float(lr.coef_[0])


def zipf_distance(corpus1: Sequence[Any], corpus2: Sequence[Any]) -> float:
    """Return the difference of the slopes."""
    return float(np.abs(zipf_coeff(corpus2) - zipf_coeff(corpus1)))
