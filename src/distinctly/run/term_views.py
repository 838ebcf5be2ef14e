"""What terms are made of: their lengths, and the view of the texts that is cut into them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from distinctly.errors import SpecError
from distinctly.run.plan import description
from distinctly.statistics.base import Mergeable
from distinctly.statistics.contents import Contents
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.recurrence import TextsPerKey
from distinctly.statistics.spelled_terms import SpelledTerms
from distinctly.taggers import AnyTagger, find_tagger
from distinctly.tokenizers import AnyTokenizer, find_tokenizer
from distinctly.tokenizers.words import Words
from distinctly.views.base import View
from distinctly.views.parsing import parse_view
from distinctly.views.tokens import Tokens, TokenView

# The largest number of tokens per term: each length is counted in a table of its own.
LONGEST = 100
Statistics = list[Mergeable[Any, Any]]
# The view of words if none is requested: lists of tokens are read as they are.
DEFAULT_VIEW = TokenView(Words(lc=True), lists_as_given=True)


@dataclass(frozen=True)
class TermView:
    """What terms are made of.

    Attributes
    ----------
    view
        The view of the texts.
    sizes
        The numbers of tokens per term, ascending.
    described
        The tokens that describe a corpus.
    """

    view: View[Tokens]
    sizes: tuple[int, ...]
    described: TokenView

    def counts(self, n: int) -> NgramCounts:
        """Return the statistic that counts the terms of n tokens."""
        return NgramCounts(n, view=self.view)

    @property
    def counted(self) -> Statistics:
        """The statistics of the first reading."""
        needed = [*map(self.counts, self.sizes), *self.describing]
        return list(dict.fromkeys(statistic for statistic in needed if isinstance(statistic, Mergeable)))

    @property
    def describing(self) -> Statistics:
        """The statistics for the description of a corpus, and for its hash."""
        known = [Contents(view=self.view), *description(self.described)]
        return [statistic for statistic in known if isinstance(statistic, Mergeable)]

    @property
    def saved(self) -> Statistics:
        """The statistics of a state, from which terms can be looked up without the texts."""
        of_terms: Statistics = []
        for n in self.sizes:
            of_terms += [TextsPerKey(n, again=False, view=self.view), SpelledTerms(n, view=self.view)]
        return [*self.counted, *of_terms]


def term_view(
    sizes: tuple[int, ...], of: str, tokenizer: AnyTokenizer | None, tagger: AnyTagger | None
) -> TermView:
    """Return what terms are made of: what `of` names, or the tokens of a tokenizer."""
    tokens = DEFAULT_VIEW if tokenizer is None else TokenView(find_tokenizer(tokenizer))
    view: View[Tokens] = parse_view(of, find_tagger(tagger)) if of else tokens
    return TermView(view, sizes, view if isinstance(view, TokenView) else tokens)


def sizes_of(n: int | str | Iterable[int]) -> tuple[int, ...]:
    """Return lengths of terms, ascending.

    Examples
    --------
    >>> sizes_of(2), sizes_of("1-3"), sizes_of("1,3"), sizes_of([2, 1])
    ((2,), (1, 2, 3), (1, 3), (1, 2))
    """
    sizes: set[int] = set()
    try:
        if isinstance(n, str):
            for part in n.split(","):
                first, _, last = part.partition("-")
                # One length more than there may be tells that there are too many.
                sizes |= set(range(int(first), min(int(last or first), LONGEST + 1) + 1)) or {0}
        else:
            sizes |= {int(size) for size in (n if isinstance(n, Iterable) else [n])}
    except (TypeError, ValueError):
        sizes = set()
    if not sizes or min(sizes) < 1 or max(sizes) > LONGEST:
        raise SpecError(f"Expected `n` to be numbers from 1 to {LONGEST}, as in 2, 1-3 or 1,3, got {n!r}.")
    return tuple(sorted(sizes))
