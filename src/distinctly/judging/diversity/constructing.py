"""Corpora whose diversity is known by construction: of equal size, and of matched length.

A `Design` lists the classes of texts and what each level contains; `drawing` draws corpora from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from distinctly.errors import InputError
from distinctly.hashing import Hashes
from distinctly.judging.measures import Reals
from distinctly.ragged import Integers
from distinctly.views.tokens import Tokens

Construction = Literal["classes", "repeats", "temperature"]
CONSTRUCTIONS: tuple[Construction, ...] = ("classes", "repeats", "temperature")
FEWEST_LEVELS = 3


@dataclass(frozen=True)
class Design:
    """How the corpora of each level are constructed.

    Attributes
    ----------
    construction
        What increases from level to level: the number of classes in a corpus, the share of texts that are
        not repeated, or the number of the texts.
    levels
        The number of classes, the share, or the mean number of each level.
    classes
        The texts of each class: one class of all texts for repeats, and one class per level for numbers.
    targets
        The target lengths of the texts of a corpus, ascending.
    notes
        What was left out.
    """

    construction: Construction
    levels: tuple[float, ...]
    classes: tuple[Integers, ...]
    targets: Reals
    notes: tuple[str, ...] = ()


def make_design(
    construction: Construction,
    view: Tokens,
    rows: Integers,
    labels: Sequence[str],
    *,
    n: int,
    k: int,
    matched: bool,
    source: str,
) -> Design:
    """Design k levels of corpora of n texts each.

    Parameters
    ----------
    rows, labels
        The texts, in an order that depends only on their contents, and their labels, if they are needed.
    matched
        Whether to match lengths.
    source
        Name of the texts in error messages.
    """
    if len(rows) < n:
        raise InputError(
            f"expected at least {n:,} texts per corpus, got {len(rows):,}. Choose smaller corpora (--n).",
            source=source,
        )
    if construction == "classes":
        return design_classes(rows, labels, view.lengths, n=n, k=k, matched=matched, source=source)
    if construction == "temperature":
        return design_temperature(rows, labels, view.lengths, n=n, k=k, source=source)
    return design_repeats(rows, view.text_hashes[rows], view.lengths, n=n, k=k, source=source)


def design_classes(
    rows: Integers, labels: Sequence[str], lengths: Integers, *, n: int, k: int, matched: bool, source: str
) -> Design:
    """Design corpora of an increasing number of classes, by equal factors: from the fewest possible to all.

    All levels are drawn from the same classes: those with enough texts for a corpus of the lowest level and,
    if lengths are matched, with texts short and long enough for a common mean length.
    """
    by_label = _by_label(rows, labels)
    if len(by_label) < k:
        count = f"one, '{next(iter(by_label))}'" if len(by_label) == 1 else f"{len(by_label)}"
        raise InputError(
            f"expected at least {k} classes for {k} levels, got {count}. Choose another field (--label), or "
            "fewer levels (--k).",
            source=source,
        )
    targets = _quantiles(lengths[rows], n)
    for fewest in range(1, min(len(by_label), n) - k + 2):
        share = math.ceil(n / fewest)
        used = [rows_of for rows_of in by_label.values() if len(rows_of) >= share]
        if matched and used:
            used, targets = _matching(used, share, lengths, targets)
        if len(used) >= fewest + k - 1:
            break
    else:
        sizes = sorted(map(len, by_label.values()))
        remedy = ", or --no-match-length" if matched else ""
        raise InputError(
            f"expected classes with enough texts{' of matching lengths' * matched} for {k} levels of corpora "
            f"of {n:,} texts, got {len(by_label)} classes of {sizes[0]:,} to {sizes[-1]:,} texts. Choose "
            f"smaller corpora (--n), fewer levels (--k){remedy}.",
            source=source,
        )
    notes = []
    if len(used) < len(by_label):
        also = " of the same mean length as the others" if matched else ""
        remedy = f"--n {n // 2}{' or --no-match-length' * matched}"
        notes.append(
            f"{len(by_label) - len(used)} of {len(by_label)} classes are left out: each needs {share:,} texts"
            f"{also}. Include more with {remedy}."
        )
    levels = _by_factors(fewest, min(len(used), n), k)
    return Design("classes", levels, tuple(used), targets, tuple(notes))


def design_repeats(
    rows: Integers, contents: Hashes, lengths: Integers, *, n: int, k: int, source: str
) -> Design:
    """Design corpora whose share of different texts increases by equal steps, up to all."""
    different = rows[np.sort(np.unique(contents, return_index=True)[1])]
    if len(different) < n:
        raise InputError(
            f"expected at least {n:,} different texts, got {len(different):,}. Choose smaller corpora (--n).",
            source=source,
        )
    levels = tuple(round(n * (place + 1) / k) / n for place in range(k))
    return Design("repeats", levels, (different,), _quantiles(lengths[different], n))


def design_temperature(
    rows: Integers, labels: Sequence[str], lengths: Integers, *, n: int, k: int, source: str
) -> Design:
    """Design corpora by the number of their texts; if there are more numbers than levels, they are merged."""
    numbers = np.array([_number(label, source) for label in labels])
    values, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    if len(values) < FEWEST_LEVELS:
        numbers_found = " and ".join(f"{value:g}" for value in values)
        raise InputError(
            f"expected at least {FEWEST_LEVELS} different numbers as labels, got {numbers_found}. Choose "
            "another field (--label).",
            source=source,
        )
    bins, notes = np.arange(len(values)), []
    if len(values) > k:
        # The relative position of the middle text of each number among all texts.
        middle = (np.cumsum(counts) - counts / 2) / len(rows)
        bins = np.unique(np.floor(middle * k), return_inverse=True)[1]
        notes.append(
            f"{len(values)} numbers are merged into {bins[-1] + 1} levels of about the same number of texts."
        )
    level = bins[places]
    classes = tuple(rows[level == place] for place in range(bins[-1] + 1))
    levels = tuple(float(numbers[level == place].mean()) for place in range(len(classes)))
    for value, texts in zip(levels, classes):
        if len(texts) < n:
            raise InputError(
                f"expected at least {n:,} texts per level, got {len(texts):,} at {value:.3g}. Choose smaller "
                "corpora (--n), or fewer levels (--k).",
                source=source,
            )
    if len(levels) < k:
        notes.append(
            f"There are only {len(levels)} levels: no more different numbers, or too few texts per number."
        )
    targets = _matching(classes, n, lengths, _quantiles(lengths[rows], n))[1]
    return Design("temperature", levels, classes, targets, tuple(notes))


def _by_label(rows: Integers, labels: Sequence[str]) -> dict[str, Integers]:
    names, places = np.unique(np.array(labels, object), return_inverse=True)
    return {str(name): rows[places == place] for place, name in enumerate(names)}


def _number(label: str, source: str) -> float:
    try:
        number = float(label)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            f"expected labels that are numbers, such as a temperature, got '{label}'. Choose another field "
            "(--label), or --construction classes.",
            source=source,
        )
    return number


def _quantiles(lengths: Integers, n: int) -> Reals:
    """Return n quantiles of the lengths.

    Examples
    --------
    >>> _quantiles(np.array([3, 1, 2, 4, 5, 6]), 3).tolist()
    [2.0, 4.0, 6.0]
    """
    places = ((np.arange(n) + 0.5) / n * len(lengths)).astype(np.int64)
    return np.sort(lengths)[places].astype(np.float64)


def _matching(
    classes: Sequence[Integers], texts: int, lengths: Integers, targets: Reals
) -> tuple[list[Integers], Reals]:
    """Return the classes of which `texts` texts can have a common mean length, and targets of that mean.

    The mean is the one that most classes can reach and, among these, the nearest to that of the targets. A
    single class of very long texts thus does not exclude all others.
    """
    ordered = [np.sort(lengths[rows]) for rows in classes]
    shortest = np.array([sorted_lengths[:texts].mean() for sorted_lengths in ordered])
    longest = np.array([sorted_lengths[-texts:].mean() for sorted_lengths in ordered])
    means = np.concatenate([[targets.mean()], shortest, longest])
    reached = (shortest <= means[:, None]) & (means[:, None] <= longest)
    best = np.lexsort((np.abs(means - means[0]), -reached.sum(axis=1)))[0]
    scale = means[best] / means[0] if means[0] else 1.0
    return [rows for rows, fits in zip(classes, reached[best]) if fits], targets * scale


def _by_factors(first: int, last: int, k: int) -> tuple[float, ...]:
    """Return k different whole numbers that increase by factors as equal as possible.

    Examples
    --------
    >>> _by_factors(1, 100, 7), _by_factors(1, 7, 7)
    ((1.0, 2.0, 5.0, 10.0, 22.0, 46.0, 100.0), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0))
    """
    numbers: list[float] = []
    for wanted in np.geomspace(first, last, k):
        numbers.append(max(float(round(wanted)), numbers[-1] + 1 if numbers else first))
    return tuple(numbers)
