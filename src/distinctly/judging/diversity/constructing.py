"""Corpora whose diversity is known by construction: of equal size, and of matched length.

A plan says which classes of texts there are, and how much of what a level has; `drawing` draws from it.
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
    """How corpora of each level are made.

    Attributes
    ----------
    construction
        What grows from level to level: the classes that a corpus is drawn from, the share of its texts that
        differ, or a number that the texts carry.
    levels
        How much of it a level has: how many classes, which share, or the mean of the number.
    classes
        The texts of each class; all in one where any text will do, and a class a level for a number.
    targets
        The lengths that the texts of a corpus are to have, ascending.
    notes
        What was left out.
    """

    construction: Construction
    levels: tuple[float, ...]
    classes: tuple[Integers, ...]
    targets: Reals
    notes: tuple[str, ...] = ()


def make_plan(
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
    """Plan k levels of corpora of n texts each.

    Parameters
    ----------
    rows, labels
        The texts in an order that only their contents give, and the label of each, where they matter.
    matched
        Whether lengths are to be matched.
    source
        What errors call the texts.
    """
    if len(rows) < n:
        raise InputError(
            f"expected at least {n:,} texts for a corpus, got {len(rows):,}: choose smaller ones (--n).",
            source=source,
        )
    if construction == "classes":
        return plan_classes(rows, labels, view.lengths, n=n, k=k, matched=matched, source=source)
    if construction == "temperature":
        return plan_temperature(rows, labels, view.lengths, n=n, k=k, source=source)
    return plan_repeats(rows, view.text_hashes[rows], view.lengths, n=n, k=k, source=source)


def plan_classes(
    rows: Integers, labels: Sequence[str], lengths: Integers, *, n: int, k: int, matched: bool, source: str
) -> Design:
    """Plan corpora of ever more classes, by equal factors: from one (or the fewest that have texts) to all.

    All levels are drawn from the same classes: those with enough texts for a corpus of the lowest level, and,
    where lengths are matched, with texts short and long enough for one mean length.
    """
    by_label = _by_label(rows, labels)
    if len(by_label) < k:
        told = f"all have the label '{next(iter(by_label))}'" if len(by_label) == 1 else f"{len(by_label)}"
        raise InputError(
            f"expected at least {k} classes for {k} levels, got {told}: choose another field (--label), or "
            "fewer levels (--k).",
            source=source,
        )
    targets = _quantiles(lengths[rows], n)
    for fewest in range(1, min(len(by_label), n) - k + 2):
        share = math.ceil(n / fewest)
        used = [own for own in by_label.values() if len(own) >= share]
        if matched and used:
            used, targets = _matching(used, share, lengths, targets)
        if len(used) >= fewest + k - 1:
            break
    else:
        sizes = sorted(map(len, by_label.values()))
        remedy = ", or --no-match-length" if matched else ""
        raise InputError(
            f"expected classes with enough texts{' of matching lengths' * matched} for {k} levels of corpora "
            f"of {n:,}, got {len(by_label)} classes of {sizes[0]:,} to {sizes[-1]:,} texts: choose smaller "
            f"corpora (--n), fewer levels (--k){remedy}.",
            source=source,
        )
    notes = []
    if len(used) < len(by_label):
        also = " that can have the mean length of the others" if matched else ""
        remedy = f"--n {n // 2}{' or --no-match-length' * matched}"
        notes.append(
            f"{len(by_label) - len(used)} of {len(by_label)} classes are left out: each needs {share:,} texts"
            f"{also}. More are taken in with {remedy}."
        )
    levels = _by_factors(fewest, min(len(used), n), k)
    return Design("classes", levels, tuple(used), targets, tuple(notes))


def plan_repeats(
    rows: Integers, contents: Hashes, lengths: Integers, *, n: int, k: int, source: str
) -> Design:
    """Plan corpora whose share of different texts grows by equal steps, to all."""
    different = rows[np.sort(np.unique(contents, return_index=True)[1])]
    if len(different) < n:
        raise InputError(
            f"expected at least {n:,} different texts, got {len(different):,}: choose smaller corpora (--n).",
            source=source,
        )
    levels = tuple(round(n * (place + 1) / k) / n for place in range(k))
    return Design("repeats", levels, (different,), _quantiles(lengths[different], n))


def plan_temperature(
    rows: Integers, labels: Sequence[str], lengths: Integers, *, n: int, k: int, source: str
) -> Design:
    """Plan corpora by a number that their texts carry; more numbers than levels are put together."""
    numbers = np.array([_number(label, source) for label in labels])
    values, places, counts = np.unique(numbers, return_inverse=True, return_counts=True)
    if len(values) < FEWEST_LEVELS:
        told = " and ".join(f"{value:g}" for value in values)
        raise InputError(
            f"expected at least {FEWEST_LEVELS} different numbers as labels, got {told}: choose another "
            "field (--label).",
            source=source,
        )
    bins, notes = np.arange(len(values)), []
    if len(values) > k:
        # Where the middle of each number's texts lies among all of them.
        middle = (np.cumsum(counts) - counts / 2) / len(rows)
        bins = np.unique(np.floor(middle * k), return_inverse=True)[1]
        notes.append(
            f"{len(values)} numbers are put together into {bins[-1] + 1} levels of about as many texts."
        )
    level = bins[places]
    classes = tuple(rows[level == one] for one in range(bins[-1] + 1))
    levels = tuple(float(numbers[level == one].mean()) for one in range(len(classes)))
    for value, own in zip(levels, classes):
        if len(own) < n:
            raise InputError(
                f"expected at least {n:,} texts a level, got {len(own):,} at {value:.3g}: choose smaller "
                "corpora (--n), or fewer levels (--k).",
                source=source,
            )
    if len(levels) < k:
        notes.append(
            f"There are {len(levels)} levels: no more different numbers, or not enough texts of each."
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
            f"expected labels that are numbers, such as a temperature, got '{label}': choose another field "
            "(--label), or --construction classes.",
            source=source,
        )
    return number


def _quantiles(lengths: Integers, n: int) -> Reals:
    """Return n lengths that are spread as all of them are.

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
    """Return the classes that can have one mean length, so many texts of each, and targets of that mean.

    It is the mean that most classes can have, and of these the nearest to that of the targets: one class of
    very long texts must not keep out all others.
    """
    ordered = [np.sort(lengths[own]) for own in classes]
    shortest = np.array([own[:texts].mean() for own in ordered])
    longest = np.array([own[-texts:].mean() for own in ordered])
    means = np.concatenate([[targets.mean()], shortest, longest])
    reached = (shortest <= means[:, None]) & (means[:, None] <= longest)
    best = np.lexsort((np.abs(means - means[0]), -reached.sum(axis=1)))[0]
    scale = means[best] / means[0] if means[0] else 1.0
    return [own for own, fits in zip(classes, reached[best]) if fits], targets * scale


def _by_factors(first: int, last: int, k: int) -> tuple[float, ...]:
    """Return k different whole numbers, as near as can be to equal factors.

    Examples
    --------
    >>> _by_factors(1, 100, 7), _by_factors(1, 7, 7)
    ((1.0, 2.0, 5.0, 10.0, 22.0, 46.0, 100.0), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0))
    """
    found: list[float] = []
    for wanted in np.geomspace(first, last, k):
        found.append(max(float(round(wanted)), found[-1] + 1 if found else first))
    return tuple(found)
