"""How large a study has to be: the chance that it tells two metrics apart.

Sets have a true diversity, of which two metrics and the annotators see something. In many simulated studies,
the scores of the annotators are averaged, both metrics are correlated with them, and Williams' test decides
whether the correlations differ. The power is the share of studies in which they do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from distinctly.errors import SpecError
from distinctly.judging.correlations import LEAST_PAIRS, compare_correlations
from distinctly.report.cells import bare, words
from distinctly.report.page import Block, Cell, Column, Notes, OwnedNote, Page, Paragraph, Table
from distinctly.score import Note

ENOUGH = 0.8


@dataclass(frozen=True)
class Assumptions:
    """What is assumed about metrics and people.

    Attributes
    ----------
    with_people
        The true correlations of two metrics with human judgement, that is, with the mean of infinitely many
        annotators.
    between
        The correlation of the metrics with each other.
    noise
        The standard deviation of the answer of one annotator, relative to that of the true diversity of sets.
    alpha
        The level of significance.
    """

    with_people: tuple[float, float]
    between: float
    noise: float = 1.0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        first, second = self.with_people
        if not all(-1 < r < 1 for r in (first, second, self.between)):
            raise SpecError("Expected correlations between -1 and 1.")
        determinant = 1 - first**2 - second**2 - self.between**2 + 2 * first * second * self.between
        if determinant <= 0:
            root = math.sqrt((1 - first**2) * (1 - second**2))
            raise SpecError(
                f"Two metrics that correlate {first:g} and {second:g} with people correlate between "
                f"{first * second - root:.3f} and {first * second + root:.3f} with each other, got "
                f"{self.between:g}."
            )
        if self.noise < 0 or not math.isfinite(self.noise):
            raise SpecError(f"Expected a noise of at least 0, got {self.noise:g}.")
        if not 0 < self.alpha < 1:
            raise SpecError(f"Expected a level of significance between 0 and 1, got {self.alpha:g}.")

    def reliability(self, annotators: int) -> float:
        """Return the correlation of the mean of annotators with the truth."""
        return 1 / math.sqrt(1 + self.noise**2 / annotators)


@dataclass(frozen=True)
class Power:
    """The power of a study of one size, with its standard error over simulations."""

    sets: int
    annotators: int
    power: float
    error: float
    repetitions: int


def simulate_power(
    assumptions: Assumptions,
    sets: Sequence[int],
    annotators: Sequence[int],
    *,
    repetitions: int = 1000,
    seed: int = 0,
) -> list[Power]:
    """Return the power for each number of sets and of annotators.

    Examples
    --------
    >>> strong = Assumptions((0.9, 0.3), 0.3)
    >>> [power.power > 0.9 for power in simulate_power(strong, [100], [3], repetitions=50)]
    [True]
    """
    for count in sets:
        if count <= LEAST_PAIRS:
            raise SpecError(f"Expected more than {LEAST_PAIRS} sets, got {count}.")
    for count in annotators:
        if count < 1:
            raise SpecError(f"Expected at least 1 annotator, got {count}.")
    first, second = assumptions.with_people
    matrix = np.array([[1, first, second], [first, 1, assumptions.between], [second, assumptions.between, 1]])
    root = np.linalg.cholesky(matrix)
    powers = []
    for n in sets:
        for k in annotators:
            rng = np.random.default_rng([seed, n, k])
            significant = 0
            for _ in range(repetitions):
                truth, one, other = root @ rng.standard_normal((3, n))
                people = truth + rng.normal(0, assumptions.noise / math.sqrt(k), n)
                significant += compare_correlations(one, other, people).p < assumptions.alpha
            share = significant / repetitions
            powers.append(Power(n, k, share, math.sqrt(share * (1 - share) / repetitions), repetitions))
    return powers


def page_of_power(assumptions: Assumptions, powers: Sequence[Power]) -> Page:
    """Lay the powers out: one row per number of sets, one column per number of annotators."""
    first, second = assumptions.with_people
    by_size = {(power.sets, power.annotators): power for power in powers}
    sizes = sorted({power.sets for power in powers})
    people = sorted({power.annotators for power in powers})
    rows = [[words(f"{n:,}"), *(_cell(by_size[n, k]) for k in people)] for n in sizes]
    plural = {k: f"{k} annotator{'s' * (k != 1)}" for k in people}
    blocks: list[Block] = [
        Paragraph(
            f"Two metrics that correlate {first:g} and {second:g} with people, and {assumptions.between:g} "
            f"with each other; the noise of an annotator is {assumptions.noise:g} times the spread of the "
            "true diversity of sets.",
            "header",
        ),
        Paragraph(
            "Correlation of the mean of the annotators with the truth: "
            + ", ".join(f"{bare(assumptions.reliability(k), 2)} ({plural[k]})" for k in people)
            + ".",
            "header",
        ),
        Table(
            [Column("sets", "name"), *(Column(plural[k]) for k in people)],
            rows,
            "Share of studies that tell the metrics apart (Williams' test, "
            f"p < {assumptions.alpha:g}, two-sided)",
        ),
        Paragraph(f"a probability of {ENOUGH:g} or more to tell the metrics apart.", "legend", of_best=True),
        Paragraph(_verdict(assumptions, by_size, sizes, people), "verdict"),
        Notes(
            [
                OwnedNote(
                    Note(
                        f"Each share is of {powers[0].repetitions:,} simulated studies, with a standard "
                        f"error of at most {max(power.error for power in powers):.3f}. Sets are independent "
                        "of each other: sets of few methods or of the same prompts tell less.",
                        scope="run",
                    )
                )
            ]
        ),
    ]
    records = [asdict(power) for power in powers]
    settings: dict[str, Any] = asdict(assumptions)
    return Page(
        blocks,
        document=lambda: {"assumptions": settings, "powers": records},
        records=lambda: records,
        title="power",
    )


def _cell(power: Power) -> Cell:
    return Cell(f"{power.power:.2f}", value=power.power, best=power.power >= ENOUGH)


def _verdict(
    assumptions: Assumptions,
    by_size: dict[tuple[int, int], Power],
    sizes: Sequence[int],
    people: Sequence[int],
) -> str:
    if assumptions.with_people[0] == assumptions.with_people[1]:
        return "The metrics do not differ: the share is that of false alarms."
    enough = []
    for k in people:
        fit = [n for n in sizes if by_size[n, k].power >= ENOUGH]
        if fit:
            enough.append(f"{fit[0]:,} sets with {k} annotator{'s' * (k != 1)}")
    if not enough:
        return f"None of these sizes tells them apart with a probability of {ENOUGH:g}: try more sets."
    return f"A probability of {ENOUGH:g} or more needs {', or '.join(enough)}."
