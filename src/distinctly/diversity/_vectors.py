"""Base class of the diversity metrics on vectors, with notes on texts whose vector is zero."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from distinctly.batch import Column
from distinctly.metrics import Family, Given, VectorMetric
from distinctly.options import option
from distinctly.score import Score
from distinctly.views.vectors import VectorView

V = TypeVar("V", bound="VectorDiversity")


class Summary(Protocol):
    """The attributes that the summaries of this family share."""

    @property
    def texts(self) -> int:
        """The number of all texts."""

    @property
    def zeros(self) -> int:
        """The number of texts whose vector is zero."""

    @property
    def dimensions(self) -> int:
        """The number of coordinates of the vectors."""


@dataclass(frozen=True, kw_only=True)
class VectorDiversity(VectorMetric):
    """A formula on the cosines between the vectors of texts.

    Attributes
    ----------
    context
        ``prompt``: the direction of the prompt is taken out of the vector of each text, so that the value is
        of what the answers to a prompt do not share with it: ``x ← unit(x − (x·c) c)``, c the unit vector of
        the prompt. By default vectors are as they are.
    """

    family: ClassVar[Family] = "content"

    context: Literal["prompt"] | None = option(None, last=True)

    def in_set(self: V, given: Given) -> V | None:
        """Return the metric without the prompts if they are given; None if there are no vectors."""
        if not given.vectors:
            return None
        if given.embedder is None or "prompts" not in given.columns:
            return self
        context: dict[str, Any] = {"context": "prompt"}
        return replace(self, **context)

    @property
    def reads_columns(self) -> tuple[Column, ...]:
        """The prompts, with ``context=prompt``."""
        return ("prompts",) if self.context == "prompt" else ()

    @property
    def view(self) -> VectorView:
        """The vectors of the texts, without their prompts if `context` says so."""
        view = super().view
        return replace(view, context=True) if self.context == "prompt" else view

    def scored_on(self, value: float, summary: Summary, **more: int | float) -> Score:
        """Return the score, which is undefined where too few texts have a nonzero vector."""
        nonzero = summary.texts - summary.zeros
        parts: dict[str, int | float] = {
            "texts": summary.texts,
            "zero_vectors": summary.zeros,
            "dimensions": summary.dimensions,
            **more,
        }
        notes: tuple[str, ...] = ()
        if summary.zeros and nonzero:
            zeros = f"{summary.zeros:,} of {summary.texts:,} texts have a zero vector, which has no direction"
            notes = (f"{zeros}; they are left out.",)
        if not summary.texts:
            return self.scored(math.nan, parts, undefined="there are no texts.")
        if not nonzero:
            why = "all texts have a zero vector, which has no direction."
            return self.scored(math.nan, parts, undefined=why)
        if nonzero < self.least_texts:
            single = "there is only one text" if summary.texts == 1 else "only one text has a nonzero vector"
            return self.scored(math.nan, parts, notes, undefined=f"{single}; at least two are needed.")
        return self.scored(value, parts, notes)
