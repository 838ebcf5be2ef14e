"""Does a distance depend on how many texts there are (S), or on how unequally they are shared out (I)?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from distinctly.errors import InputError, SpecError
from distinctly.judging.evaluating import compare_pairs, records_of
from distinctly.judging.gathering import Gathered, TrialMetric
from distinctly.judging.records import Record
from distinctly.judging.trial import Task
from distinctly.ragged import Integers

# What the paper has: 50, 250, …, 2,850 texts, and 3,000 for the distance that they tend to.
FIRST, STEP, LAST, LARGEST = 50, 200, 2850, 3000
FEWEST = 2 * FIRST


@dataclass(frozen=True)
class Sizes:
    """At which sizes a distance is measured.

    Attributes
    ----------
    sizes
        Texts of each corpus; of A alone, where sizes are unequal.
    largest
        Where the distance is taken for what it tends to.
    together
        Texts of both, where sizes are unequal.
    """

    sizes: Sequence[int]
    largest: int
    together: int

    @classmethod
    def fitting(cls, texts: int, sizes: Sequence[int] | None, largest: int | None) -> Sizes:
        """Choose the paper's sizes, as far as the smaller corpus has texts for them.

        Examples
        --------
        >>> Sizes.fitting(1000, None, None)
        Sizes(sizes=(50, 250, 450, 650, 850), largest=1000, together=900)
        """
        most = min(LARGEST, texts) if largest is None else largest
        if sizes is None:
            chosen = tuple(size for size in range(FIRST, LAST + 1, STEP) if size < most)
        else:
            chosen = tuple(sorted(set(sizes)))
        if most > texts:
            raise InputError(
                f"expected as many texts as the largest size, {most:,}, got {texts:,} in the smaller corpus."
            )
        if not chosen or chosen[0] < 2 or chosen[-1] > most:
            raise SpecError(f"Expected sizes from 2 to the largest, {most:,}, got {sizes or 'none'}.")
        return cls(chosen, most, chosen[-1] + chosen[0])

    def note(self) -> tuple[str, ...]:
        """Say where the sizes are not the paper's."""
        if self.largest == LARGEST and self.sizes[-1] == LAST:
            return ()
        return (
            f"Size and imbalance are tried up to {self.sizes[-1]:,} texts, and the distance they tend to is "
            f"taken at {self.largest:,}; the paper has {LAST:,} and {LARGEST:,}.",
        )


def pieces(
    gathered: Gathered, subject: TrialMetric, sizes: Sizes, repetitions: int, seed: int, swapped: bool
) -> Iterator[Task]:
    """Return the work for S and I of one metric, B the reference where they are swapped."""
    for repetition in range(repetitions):
        draw_of = {
            "size": [(size, size) for size in sizes.sizes],
            "asymptote": [(sizes.largest, sizes.largest)],
            "imbalance": [(size, sizes.together - size) for size in sizes.sizes],
        }
        for kind, pairs in draw_of.items():

            def records(
                kind: str = kind, pairs: list[tuple[int, int]] = pairs, repetition: int = repetition
            ) -> Iterator[Record]:
                for own, other in pairs:
                    rows = _drawn(
                        gathered, own, other, np.random.default_rng([seed, 31, own, other, repetition])
                    )
                    local = [np.arange(own), np.arange(own, own + other)]
                    pool = gathered.pool.part(np.concatenate(rows))
                    score = compare_pairs(subject, pool, local, [(1, 0) if swapped else (0, 1)]).scores[0]
                    yield from records_of(subject, score, kind=kind, size=own, repetition=repetition)

            yield Task(f"{subject.name} {kind} repetition {repetition + 1}", records)


def _drawn(gathered: Gathered, own: int, other: int, draw: np.random.Generator) -> list[Integers]:
    return [
        rows[np.sort(draw.permutation(len(rows))[:size])]
        for rows, size in zip(gathered.corpora.values(), (own, other))
    ]


def robustness(values: Mapping[tuple[int, int], float], asymptote: float, *, relative: bool) -> list[float]:
    """Return 1 − the mean error, over sizes, of each repetition, from values by (repetition, size).

    Parameters
    ----------
    values
        Distances, by repetition and size.
    asymptote
        What they tend to.
    relative
        Whether errors are parts of the asymptote.

    Examples
    --------
    >>> robustness({(0, 50): 0.6, (0, 250): 0.5, (1, 50): 0.5, (1, 250): 0.5}, 0.5, relative=True)
    [0.9, 1.0]
    """
    scale = abs(asymptote) if relative else 1.0
    if not scale:
        return [math.nan] * len({repetition for repetition, _ in values})
    errors: dict[int, list[float]] = {}
    for (repetition, _), value in values.items():
        errors.setdefault(repetition, []).append(abs(value - asymptote) / scale)
    return [1 - math.fsum(own) / len(own) for own in errors.values()]
