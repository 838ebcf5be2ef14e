"""Distances of IBM's compcor 1.0.6 (Apache-2.0), on given vectors and tokens.

The package cannot be installed on current Pythons, so its formulas are copied here as released
(corpus_metrics.py, utils.py), without the embedding. `energy` is that of its paper.
"""

from __future__ import annotations

import operator
import random
from collections import Counter
from typing import Any

import numpy as np


def irpr(reference: Any, candidate: Any) -> float:
    from sklearn.metrics.pairwise import cosine_similarity

    table = np.arccos(np.clip(cosine_similarity(reference, candidate), -1, 1)) / np.pi
    precision = np.nansum(np.nanmin(table, axis=1)) / table.shape[1]
    recall = np.nansum(np.nanmin(table, axis=0)) / table.shape[0]
    return float(2 * (precision * recall) / (precision + recall))


def classifier(reference: Any, candidate: Any) -> float:
    from sklearn import svm
    from sklearn.metrics import f1_score

    draw = random.Random(0)
    parts = []
    for rows in (reference, candidate):
        train = set(draw.sample(range(len(rows)), k=int(0.8 * len(rows))))
        parts.append(([rows[i] for i in train], [rows[i] for i in range(len(rows)) if i not in train]))
    model = svm.SVC(random_state=1)
    model.fit(parts[0][0] + parts[1][0], [0] * len(parts[0][0]) + [1] * len(parts[1][0]))
    truth = [0] * len(parts[0][1]) + [1] * len(parts[1][1])
    return float(f1_score(truth, model.predict(parts[0][1] + parts[1][1])))


def medoid(reference: Any, candidate: Any) -> float:
    from scipy import spatial

    return float(spatial.distance.cosine(np.mean(reference, axis=0), np.mean(candidate, axis=0)))


def ttest(reference: Any, candidate: Any) -> float:
    from scipy.stats import ttest_ind

    return float(1 - np.nanmean(ttest_ind(reference, candidate).pvalue))


def frechet(reference: Any, candidate: Any) -> float:
    from scipy.linalg import sqrtm

    first, second = np.cov(reference, rowvar=False), np.cov(candidate, rowvar=False)
    apart = np.sum((np.mean(reference, axis=0) - np.mean(candidate, axis=0)) ** 2.0)
    root = sqrtm(first.dot(second))
    return float(apart + np.trace(first + second - 2.0 * (root.real if np.iscomplexobj(root) else root)))


def energy(reference: Any, candidate: Any) -> float:
    from sklearn.metrics.pairwise import cosine_similarity

    def mean(a: Any, b: Any) -> Any:
        return np.mean(np.arccos(np.clip(cosine_similarity(a, b), -1, 1)) / np.pi)

    return float(2 * mean(reference, candidate) - mean(reference, reference) - mean(candidate, candidate))


def chi(reference: list[list[str]], candidate: list[list[str]], top: int = 5000) -> float:
    import scipy.stats
    from scipy.stats import chisquare

    first = Counter(token for text in reference for token in text)
    second = Counter(token for text in candidate for token in text)
    both = Counter([token for texts in (reference, candidate) for text in texts for token in text])
    common = {word for word, _ in both.most_common(top)}
    n1, n2 = sum(first[word] for word in common), sum(second[word] for word in common)
    o1, o2, e1, e2 = [], [], [], []
    for word in common:
        e1 += [(first[word] + second[word]) * n1 / (n1 + n2)]
        o1 += [first[word]]
        e2 += [(first[word] + second[word]) * n2 / (n1 + n2)]
        o2 += [second[word]]
    statistic = chisquare(f_exp=e1, f_obs=o1)[0] + chisquare(f_exp=e2, f_obs=o2)[0]
    return float(1 - scipy.stats.chi2.cdf(statistic, 2 * (len(common) - 1)))


def zipf(reference: list[list[str]], candidate: list[list[str]]) -> float:
    return abs(_zipf_coefficient(reference) - _zipf_coefficient(candidate))


def _zipf_coefficient(texts: list[list[str]], most: int = 5000, stretch: int = 15) -> float:
    from sklearn import linear_model

    counter: Counter[str] = Counter()
    for text in texts:
        counter.update(text)
    frequencies = np.array(sorted(counter.values(), key=operator.neg)[:most])
    ranks = np.arange(1, min(len(counter), most)).astype(np.float64)
    xs, chosen = np.unique(np.round(stretch * np.log(ranks)) / stretch, return_index=True)
    model = linear_model.LinearRegression()
    model.fit(xs.reshape(-1, 1), np.log(frequencies[chosen]))
    return float(model.coef_[0])
