"""Does a distance depend on the size of the corpora (S), or on the imbalance of their sizes (I)?"""

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

# As in the paper: 50, 250, …, 2,850 texts, and 3,000 for the asymptote.
FIRST, STEP, LAST, LARGEST = 50, 200, 2850, 3000
FEWEST = 2 * FIRST


@dataclass(frozen=True)
class Sizes:
    """The sizes at which a distance is measured.

    Attributes
    ----------
    sizes
        Texts per corpus; for unequal sizes, the texts of A.
    largest
        The size at which a distance is taken as its asymptote.
    together
        The sum of unequal sizes.
    """

    sizes: Sequence[int]
    largest: int
    together: int

    @classmethod
    def fitting(cls, texts: int, sizes: Sequence[int] | None, largest: int | None) -> Sizes:
        """Return the sizes of the paper, as far as the smaller corpus has enough texts.

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
                f"expected at least {most:,} texts, the largest size, got {texts:,} in the smaller corpus."
            )
        if not chosen or chosen[0] < 2 or chosen[-1] > most:
            raise SpecError(f"Expected sizes from 2 to the largest, {most:,}, got {sizes or 'none'}.")
        return cls(chosen, most, chosen[-1] + chosen[0])

    def note(self) -> tuple[str, ...]:
        """Return a note if the sizes differ from those of the paper."""
        if self.largest == LARGEST and self.sizes[-1] == LAST:
            return ()
        return (
            f"Size and imbalance are measured up to {self.sizes[-1]:,} texts, with the asymptote at "
            f"{self.largest:,}; the paper has {LAST:,} and {LARGEST:,}.",
        )


def tasks(
    gathered: Gathered, subject: TrialMetric, sizes: Sizes, repetitions: int, seed: int, swapped: bool
) -> Iterator[Task]:
    """Yield the tasks for S and I of one metric; if `swapped`, B is the reference."""
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
                for of_a, of_b in pairs:
                    draw = np.random.default_rng([seed, 31, of_a, of_b, repetition])
                    rows = _draw(gathered, of_a, of_b, draw)
                    local = [np.arange(of_a), np.arange(of_a, of_a + of_b)]
                    pool = gathered.pool.part(np.concatenate(rows))
                    score = compare_pairs(subject, pool, local, [(1, 0) if swapped else (0, 1)]).scores[0]
                    yield from records_of(subject, score, kind=kind, size=of_a, repetition=repetition)

            yield Task(f"{subject.name} {kind} repetition {repetition + 1}", records)


def _draw(gathered: Gathered, of_a: int, of_b: int, draw: np.random.Generator) -> list[Integers]:
    """Return the rows of random texts of A and of B."""
    return [
        rows[np.sort(draw.permutation(len(rows))[:size])]
        for rows, size in zip(gathered.corpora.values(), (of_a, of_b))
    ]


def robustness(values: Mapping[tuple[int, int], float], asymptote: float, *, relative: bool) -> list[float]:
    """Return 1 − the mean error over sizes, per repetition.

    Parameters
    ----------
    values
        Distances, by repetition and size.
    asymptote
        The distance at the largest size.
    relative
        Whether to divide errors by the asymptote.

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
    return [1 - math.fsum(of_run) / len(of_run) for of_run in errors.values()]
