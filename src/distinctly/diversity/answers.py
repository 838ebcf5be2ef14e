"""`answers`: the number of different answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.diversity._answers import AnswerClasses
from distinctly.metrics import Direction
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.classes import Classes


@dataclass(frozen=True, kw_only=True)
class Answers(AnswerClasses):
    """Number of different answers among texts: of classes of equivalent texts (Zhang et al., 2025).

    From 1 (all texts are equivalent) to the number of texts. More is more diverse. It is meant for several
    answers to one prompt: with groups, it is measured within each group. Known bias: it grows with the number
    of texts, and by vectors it depends on the threshold.

    Attributes
    ----------
    by
        What makes texts equivalent: ``vectors``, ``partition`` or ``classifier``.
    threshold
        The smallest cosine, or probability of a classifier, of equivalent texts.
    linkage
        ``complete``: all pairs of a class are equivalent. ``greedy``: each text joins the first class whose
        first text is equivalent to it, as in NoveltyBench.
    classifier
        A function from two lists of texts to one truth value or probability per pair; or a network that
        classifies pairs of texts, an .onnx file with its ``tokenizer.json``.
    hash
        The hash of the files of the network; different files are an error.
    context
        ``prompt``: the direction of the prompt is taken out of each vector.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["Paris.", "It is Paris.", "London."]
    >>> dy.measure(texts, "answers:by=partition", partition=["paris", "paris", "london"])[0].value
    2.0
    >>> dy.measure(["Paris it is", "it is Paris", "the cat sat"], "answers")[0].value
    2.0
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (1.0, math.inf)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the classes."""
        return (self.classes(),)

    def score(self, *summaries: Any) -> Score:
        """Count the classes."""
        classes: Classes = summaries[0]
        return self.score_classes(float(len(classes.sizes)) or math.nan, classes)
