"""`utility`: the quality of the different answers, for a reader who loses patience."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from distinctly.batch import Column
from distinctly.diversity._answers import AnswerClasses
from distinctly.metrics import Direction
from distinctly.options import option
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.classes import Classes
from distinctly.statistics.quality import Quality, Reals


@dataclass(frozen=True, kw_only=True)
class Utility(AnswerClasses):
    """Expected quality of new answers to a reader who may lose patience (Zhang et al., 2025).

    ``(1 − p) / (1 − p^k) · Σ_{i=1..k} p^(i−1) · [text i is the first of its class] · u_i``, u_i the quality
    of the i-th of k texts, and p the probability of reading on. A text that repeats an earlier answer adds
    nothing. More is better: more diverse, of better quality, or earlier. The order of the texts matters. It
    needs the quality of each text. Known bias: it falls with the number of texts, since later answers are
    more often known.

    Attributes
    ----------
    patience
        The probability p of reading on. With 1, all texts have the same weight.
    by, threshold, linkage, classifier, hash, context
        Which texts are equivalent, as for `answers`.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["Paris.", "It is Paris.", "London."]
    >>> classes = ["paris", "paris", "london"]
    >>> score = dy.measure(texts, "utility:by=partition,patience=0.5", partition=classes, quality=[8, 9, 2])
    >>> round(score[0].value, 6)  # (8 + 0 + 2/4) / (1 + 1/2 + 1/4)
    4.857143
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)

    patience: float = option(0.8, at_least=0, at_most=1)

    @property
    def ordered(self) -> bool:
        """Whether the value depends on the order of the texts: always."""
        return True

    @property
    def reads_columns(self) -> tuple[Column, ...]:
        """The quality, and what makes texts equivalent."""
        return ("quality", *super().reads_columns)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the classes and the quality."""
        return self.classes(), Quality()

    def score(self, *summaries: Any) -> Score:
        """Return the weighted mean of the quality of new answers."""
        classes: Classes
        quality: Reals
        classes, quality = summaries
        if not len(classes.sizes):
            return self.score_classes(math.nan, classes, mean_quality=math.nan)
        weights = self.patience ** np.arange(len(quality))
        value = float(np.average(np.where(classes.first, quality, 0.0), weights=weights))
        return self.score_classes(value, classes, mean_quality=float(quality.mean()))
