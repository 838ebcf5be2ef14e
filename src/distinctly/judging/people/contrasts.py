"""Scores as contrasts: only differences between the sets of a package are compared.

Annotators who are asked to show contrasts choose the level and the spread of their scores freely in each
package: {1, 2, 2} and {2, 5, 5} say the same (Liu et al., 2022).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from distinctly.errors import InputError
from distinctly.judging.people.annotations import Annotation


@dataclass(frozen=True)
class Contrasts:
    """Scores that are rescaled per annotator and package.

    Attributes
    ----------
    annotations
        For each set, its rescaled scores by annotator.
    constant
        The number of packages, counted per annotator, in which all sets have the same score.
    incomplete
        The number of packages, counted per annotator, that were scored in part and are left out.
    """

    annotations: Sequence[Annotation]
    constant: int
    incomplete: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What readers should know."""
        notes = [
            "Scores are rescaled per annotator and package to a mean of 0 and a standard deviation of 1: "
            "only contrasts within a package count."
        ]
        if self.constant:
            notes.append(
                f"{_packages(self.constant, 'has', 'have')} equal scores for all sets, so there is no "
                "contrast: each of these scores is 0."
            )
        if self.incomplete:
            notes.append(
                f"{_packages(self.incomplete, 'is', 'are')} scored in part, without comparable contrasts, "
                "and left out."
            )
        return tuple(notes)


def _packages(count: int, verb: str, plural: str) -> str:
    """Return a number of packages, with a verb."""
    shown = f"{count:,} package{'s' * (count != 1)} (counted per annotator)"
    return f"{shown} {verb if count == 1 else plural}"


def contrasts(annotations: Sequence[Annotation], packages: Sequence[str]) -> Contrasts:
    """Rescale the scores of each annotator in each package to a mean of 0 and a standard deviation of 1.

    If all sets of a package have the same score, there is no contrast, and each is 0. A package that an
    annotator scored only in part is left out.

    Parameters
    ----------
    annotations
        For each set, its scores by annotator.
    packages
        The package of each set.

    Examples
    --------
    >>> scores = [{"ann": 1, "bob": 2}, {"ann": 2, "bob": 5}, {"ann": 2, "bob": 5}]
    >>> rescaled = contrasts(scores, ["p", "p", "p"]).annotations
    >>> [round(each["ann"], 3) for each in rescaled], [round(each["bob"], 3) for each in rescaled]
    ([-1.414, 0.707, 0.707], [-1.414, 0.707, 0.707])
    """
    if len(annotations) != len(packages):
        raise InputError(f"expected one package per set, got {len(packages)} for {len(annotations)} sets.")
    members: dict[str, list[int]] = {}
    for place, package in enumerate(packages):
        members.setdefault(package, []).append(place)
    if all(len(places) < 2 for places in members.values()):
        raise InputError(
            "expected packages of several sets to compare, got packages of 1. Name the field of the package "
            "with --package (Python: packages=)."
        )
    rescaled: list[dict[str, float]] = [{} for _ in annotations]
    constant = incomplete = 0
    for places in members.values():
        for name in sorted({name for place in places for name in annotations[place]}):
            scores = np.array([annotations[place].get(name, math.nan) for place in places])
            if np.isnan(scores).any() or len(places) < 2:
                incomplete += 1
                continue
            spread = float(scores.std())
            constant += spread == 0
            centred = scores - scores.mean()
            for place, score in zip(places, centred / spread if spread > 0 else np.zeros(len(scores))):
                rescaled[place][name] = float(score)
    return Contrasts(rescaled, constant, incomplete)
