"""`templates`: the share of texts that use a sequence of tags that many texts use."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from distinctly.diversity.base import Short, treat_short
from distinctly.metrics import Direction, Sizable, Sized
from distinctly.options import Value, option
from distinctly.options import bounds as limits
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.templates import Templated, TemplateUse


@dataclass(frozen=True, kw_only=True)
class Templates(Sizable):
    """Template rate: the share of texts with at least one syntactic template (Shaib et al., 2024).

    A template is an n-gram of tags, such as parts of speech, that at least `texts` different texts have. A
    text counts once, however often it repeats the n-gram. Known bias: it grows with the number of texts,
    since more n-grams reach the threshold, and with their length.

    Attributes
    ----------
    n
        Tags per template.
    texts
        The smallest number of texts that have a template.
    short
        How a text with fewer than n tags is treated: leave it out (``skip``), count it as 0
        (``zero``), or make the share undefined (``nan``).

    Examples
    --------
    >>> import distinctly as dy
    >>> tags = [["D", "A", "N", "V", "R"], ["D", "A", "N", "V"], ["P", "V", "D", "N"]]
    >>> texts = ["The old man slept well", "A young dog barked", "She read the book"]
    >>> dy.measure(texts, "templates:n=4,texts=2", tags=tags)[0].value   # D A N V, in two of three texts
    0.6666666666666666
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "shaib2024detection",
            author="Shaib, C. and Elazar, Y. and Li, J. J. and Wallace, B. C.",
            title="Detection and measurement of syntactic templates in generated text",
            booktitle="EMNLP",
            year=2024,
        ),
    )
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    compares_texts: ClassVar[bool] = True
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": (4, 5, 6, 7, 8)}
    default_view: ClassVar[str] = "tags"

    n: int = field(metadata=limits(at_least=1))
    texts: int = option(5, at_least=2)
    short: Short = "skip"

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def used(self) -> TemplateUse:
        """Return the statistic."""
        return TemplateUse(self.n, self.texts, view=self.view)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the use of templates."""
        return (self.used(),)

    def score(self, *summaries: Any) -> Score:
        """Divide the number of texts with a template by the number of texts."""
        use: Templated = summaries[0]
        treated = treat_short(self.short, self.n, use.texts, use.short, "tags")
        parts: dict[str, int | float] = {
            "texts": use.texts,
            "skipped_texts": use.short,
            "templated_texts": use.templated,
            "templates": use.templates,
        }
        if use.tokens:
            parts["per_token"] = use.occurrences / use.tokens
        if treated.undefined is not None:
            return self.scored(math.nan, parts, undefined=treated.undefined)
        notes = list(treated.notes)
        if use.texts < self.texts:
            notes.append(
                f"There are only {use.texts:,} texts, so no n-gram can be in {self.texts} of them, and there "
                "are no templates."
            )
        return self.scored(use.templated / treated.divisor, parts, tuple(notes))
