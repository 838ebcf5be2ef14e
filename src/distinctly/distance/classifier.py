"""How well a classifier separates the texts of two corpora."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance.base import VectorDistance
from distinctly.geometry.separation import Judgements, Separation, Split
from distinctly.options import Value, option
from distinctly.references import KOUR_2022, bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Classifier(VectorDistance):
    """How much better than chance a support vector machine separates two corpora.

    ``max(0, 2·balanced accuracy − 1)``, each text judged by a machine that was not trained on it: from 0
    (the classifier guesses) to 1 (it is never wrong). It finds any difference that can be learnt from the
    texts. Known bias: more is learnt from more texts, so the distance grows with their number.

    Attributes
    ----------
    value
        ``accuracy``, as above, or ``f1``: the F1 of finding the candidate's texts.
    split, folds
        ``folds``: judge every text once, in this number of folds. ``once``: judge one fifth of the texts.
    c
        The cost of an error (C of the support vector machine).
    standardise
        Bring every dimension of the vectors to variance 1.
    balanced
        Weight errors so that corpora of different sizes count equally.
    sample
        The largest number of texts of each corpus to use.
    seed
        The seed of the folds and of the sample.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> rows = np.random.default_rng(0).standard_normal((50, 3))
    >>> dy.compare(rows, rows + 9, "classifier")[0].value, dy.compare(rows, rows, "classifier")[0].value
    (1.0, 0.0)
    """

    references: ClassVar[tuple[str, ...]] = (
        KOUR_2022,
        bibtex(
            "inproceedings",
            "lopezpaz2017revisiting",
            author="Lopez-Paz, D. and Oquab, M.",
            title="Revisiting classifier two-sample tests",
            booktitle="ICLR",
            year=2017,
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    # Only the accuracy is symmetric; the F1 is that of the candidate's texts.
    symmetric: ClassVar[bool] = False
    least_texts: ClassVar[int] = 2
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "paper": {"value": "f1", "split": "once", "standardise": False, "balanced": False}
    }

    value: Literal["accuracy", "f1"] = "accuracy"
    split: Split = "folds"
    folds: int = option(5, only={"split": ("folds",)}, at_least=2)
    c: float = option(1.0, above=0, below=math.inf)
    standardise: bool = True
    balanced: bool = True
    sample: int = option(3000, at_least=2)
    seed: int = 0

    @property
    def texts_can_be_left_out(self) -> bool:
        """Whether a change without one text is due to it: no, folds would be other ones."""
        return False

    def pair_statistics(self) -> tuple[Separation]:
        """Return the numbers of correctly classified texts."""
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

    def score(self, judged: Judgements) -> Score:
        """Compare the shares of correct judgements with guessing."""
        shares = judged.reference_correct / judged.reference, judged.candidate_correct / judged.candidate
        balanced_accuracy = sum(shares) / 2
        wrong = judged.reference - judged.reference_correct + judged.candidate - judged.candidate_correct
        f1 = 2 * judged.candidate_correct / max(2 * judged.candidate_correct + wrong, 1)
        parts = {
            "balanced_accuracy": balanced_accuracy,
            "accuracy": (judged.reference_correct + judged.candidate_correct)
            / (judged.reference + judged.candidate),
            "accuracy_p": by_guessing(judged),
            "f1": f1,
            "folds": judged.folds,
            "judged_texts": judged.reference + judged.candidate,
        }
        notes: tuple[str, ...] = ()
        if self.split == "folds" and judged.folds < self.folds:
            notes = (
                f"Only {judged.folds} of {self.folds} folds are used: the smaller corpus has no more texts.",
            )
        if judged.sampled:
            notes += (f"A random sample of {self.sample:,} texts replaces each larger corpus (`sample`).",)
        value = f1 if self.value == "f1" else max(0.0, 2 * balanced_accuracy - 1)
        return self.scored(value, parts, notes)


def by_guessing(judged: Judgements) -> float:
    """Return the probability of at least as many correct judgements by guessing.

    Under guessing, the candidate's texts among those assigned to the candidate are a random draw. Its
    hypergeometric distribution is approximated by a normal one, with continuity correction. The results of
    the k folds are correlated, since they share most of their training texts: a correlation of 1/k (Nadeau &
    Bengio, 2003) makes the variance 1 + (k − 1)/k times as large.

    Examples
    --------
    >>> judged = Judgements(reference=50, candidate=50, reference_correct=30, candidate_correct=30, folds=1)
    >>> round(by_guessing(judged), 4)  # 29.5 for 25, in deviations of 2.513: 1.791
    0.0366
    """
    texts = judged.reference + judged.candidate
    assigned = judged.candidate_correct + judged.reference - judged.reference_correct
    expected = assigned * judged.candidate / texts
    variance = expected * (judged.reference / texts) * (texts - assigned) / max(texts - 1, 1)
    if not variance:
        return 1.0
    inflation = 1 + (judged.folds - 1) / judged.folds
    deviations = (judged.candidate_correct - 0.5 - expected) / math.sqrt(variance * inflation)
    # A probability is never 0: the smallest float replaces smaller ones.
    return max(math.erfc(deviations / math.sqrt(2)) / 2, sys.float_info.min)
