"""How well a classifier tells the texts of two corpora apart."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance.base import VectorDistance
from distinctly.errors import SpecError
from distinctly.geometry.separation import Separation, Split, Told
from distinctly.options import Value, option
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Classifier(VectorDistance):
    """How much better than chance a support vector machine tells two corpora apart.

    ``max(0, 2·balanced accuracy − 1)``, each text judged by a machine that has not learnt from it: from 0
    (the classifier guesses) to 1 (it is never wrong). It sees any difference that can be learnt from so few
    texts; more texts teach it more, so that the same difference grows with the size of the corpora.

    Attributes
    ----------
    value
        ``accuracy``, as above, or ``f1``: the F1 of finding the candidate's texts.
    split, folds
        Judge every text, in so many folds; or one fifth of them, once.
    c
        What an error costs the machine.
    standardise
        Bring every dimension of the vectors to variance 1.
    balanced
        Weigh errors so that corpora of different sizes count alike.
    sample
        Use so many texts of each corpus at most.
    seed
        What the folds and the sample are drawn from.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> one = np.random.default_rng(0).standard_normal((50, 3))
    >>> dy.compare(one, one + 9, "classifier")[0].value, dy.compare(one, one, "classifier")[0].value
    (1.0, 0.0)
    """

    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    # Only the F1 is not: it asks for the candidate's texts.
    symmetric: ClassVar[bool] = False
    least_texts: ClassVar[int] = 2
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "paper": {"value": "f1", "split": "once", "standardise": False, "balanced": False}
    }

    value: Literal["accuracy", "f1"] = "accuracy"
    split: Split = "folds"
    folds: int = option(5, only={"split": ("folds",)})
    c: float = 1.0
    standardise: bool = True
    balanced: bool = True
    sample: int = 3000
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, given, least in (("folds", self.folds, 2), ("sample", self.sample, 2)):
            if given < least:
                raise SpecError(f"Expected `{name}` of 'classifier' to be at least {least}, got {given}.")
        if not 0 < self.c < math.inf:
            raise SpecError(f"Expected `c` of 'classifier' to be positive and finite, got {self.c}.")

    def pair_statistics(self) -> tuple[Separation]:
        """Return how many texts of each were told right."""
        return (
            Separation(
                self.view,
                c=self.c,
                split=self.split,
                folds=self.folds,
                standardise=self.standardise,
                balanced=self.balanced,
                sample=self.sample,
                seed=self.seed,
            ),
        )

    def score(self, told: Told) -> Score:
        """Compare the shares that were told right with guessing."""
        right = told.reference_right / told.reference, told.candidate_right / told.candidate
        balanced_accuracy = sum(right) / 2
        wrong = told.reference - told.reference_right + told.candidate - told.candidate_right
        f1 = 2 * told.candidate_right / max(2 * told.candidate_right + wrong, 1)
        parts = {
            "balanced_accuracy": balanced_accuracy,
            "accuracy": (told.reference_right + told.candidate_right) / (told.reference + told.candidate),
            "accuracy_p": by_guessing(told),
            "f1": f1,
            "folds": told.folds,
            "judged_texts": told.reference + told.candidate,
        }
        notes: tuple[str, ...] = ()
        if self.split == "folds" and told.folds < self.folds:
            notes = (f"{told.folds} folds instead of {self.folds}: the smaller corpus has no more texts.",)
        if told.sampled:
            notes += (f"Of a corpus with more than {self.sample:,} texts (`sample`), so many were drawn.",)
        value = f1 if self.value == "f1" else max(0.0, 2 * balanced_accuracy - 1)
        return self.scored(value, parts, notes)


def by_guessing(told: Told) -> float:
    """Return how probable it is to be right so often, or more often, by guessing.

    The candidate's texts among those that were taken for the candidate's are a random draw then
    (hypergeometric; its normal approximation, with the correction for whole numbers). What is learnt in two
    of k folds is mostly the same, so that their results go together: with a correlation of 1/k (Nadeau &
    Bengio, 2003), which makes the variance 1 + (k − 1)/k times as large.

    Examples
    --------
    >>> told = Told(reference=50, candidate=50, reference_right=30, candidate_right=30, folds=1)
    >>> round(by_guessing(told), 4)  # 29.5 for 25, in deviations of 2.513: 1.791
    0.0366
    """
    texts = told.reference + told.candidate
    taken = told.candidate_right + told.reference - told.reference_right
    expected = taken * told.candidate / texts
    variance = expected * (told.reference / texts) * (texts - taken) / max(texts - 1, 1)
    if not variance:
        return 1.0
    together = 1 + (told.folds - 1) / told.folds
    deviations = (told.candidate_right - 0.5 - expected) / math.sqrt(variance * together)
    # The smallest float stands for what is smaller: no chance is ever 0.
    return max(math.erfc(deviations / math.sqrt(2)) / 2, sys.float_info.min)
