"""`ead`: the number of distinct n-grams, divided by the number expected of a random draw."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads, ratio
from distinctly.diversity.distinct import Distinct
from distinctly.errors import SpecError
from distinctly.metrics import MOSTLY, Context, Direction, Metric
from distinctly.options import hidden, option
from distinctly.references import bibtex
from distinctly.score import Note, Score
from distinctly.statistics.lengths import LengthSums
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Reals
from distinctly.strings import Letters
from distinctly.views.tokens import TokenView

BERT = 30522
# Standard deviation over mean; a choice of ours, since the paper names no threshold.
VARIED_LENGTHS = 0.5
# If this share of the n-grams, or of V, is expected, EAD is within 5 % of Distinct, or of N / V; our choice.
NEARLY_ALL = 0.95


@dataclass(frozen=True, kw_only=True)
class Ead(NgramDiversity):
    """Expectation-Adjusted Distinct (Liu et al., 2022).

    ``EAD = N / (V·(1 − ((V−1)/V)^C))``: N distinct n-grams, divided by the number expected of C draws from V
    equally likely n-grams. It can exceed 1. Known bias: once C exceeds V it approaches N / V and grows with
    the size of the corpus; at one size it is a constant multiple of Distinct. It still falls with the length
    of texts on narrow domains, where words are far from equally likely: check it on the training data first.

    Attributes
    ----------
    vocabulary
        V: a number; ``bert`` = 30522, as in the paper; ``tokenizer``: the size of the tokenizer's vocabulary;
        ``chao1``: estimated from the n-grams themselves; ``reference``: the number of distinct tokens of the
        reference corpus. For n > 1 there are Vⁿ n-grams, except with ``chao1``.
    expected
        ``uniform``: as above. ``reference``: the number expected of C draws from the n-gram distribution of
        the reference corpus, whose unseen part is estimated.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["the cat sat", "the cat ran"], metrics=["ead:vocabulary=10"])["ead"].value, 4)
    0.8537
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "liu2022rethinking",
            author="Liu, S. and Sabour, S. and Zheng, Y. and Ke, P. and Zhu, X. and Huang, M.",
            title="Rethinking and refining the {Distinct} metric",
            booktitle="ACL (short papers)",
            year=2022,
            pages="762--770",
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("expectation_adjusted_distinct",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    n: int = 1
    vocabulary: int | Literal["bert", "tokenizer", "chao1", "reference"] = option(
        BERT, only={"expected": ("uniform",)}, at_least=1
    )
    expected: Literal["uniform", "reference"] = "uniform"
    _known: Grams | int | None = hidden(None)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vocabulary == "bert":
            object.__setattr__(self, "vocabulary", BERT)

    @property
    def reads(self) -> Reads:
        """What `formula` reads: with ``vocabulary=chao1`` also how often n-grams occur."""
        return "sums" if self.vocabulary == "chao1" and self.expected == "uniform" else "sizes"

    def formula(self, grams: Grams) -> Reals:
        """Return N divided by its expectation."""
        value = ratio(grams.distinct, self.expectation(grams))
        return np.where(grams.total > 0, value, np.nan)

    def expectation(self, grams: Grams) -> Reals:
        """Return the expected number of distinct n-grams of C draws."""
        if isinstance(self._known, Grams) and self.expected == "reference":
            return _drawn_from(self._known, grams.total)
        if self.vocabulary == "chao1":
            return _drawn_uniformly(grams.chao1(), grams.total)
        size = self._known if self.vocabulary in ("tokenizer", "reference") else self.vocabulary
        if not isinstance(size, int):
            raise SpecError(f"'ead:vocabulary={self.vocabulary}' has no vocabulary size: call `bind` first.")
        return _drawn_uniformly(np.array([_power(size, self.n)]), grams.total)

    def is_multiple_of(self, other: Metric) -> bool:
        """Return whether the other is Distinct of the same n-grams: the expectation depends on C alone."""
        if not isinstance(other, Distinct) or (self.vocabulary == "chao1" and self.expected == "uniform"):
            return False
        same = (other.n, other.pool, other.denominator, other.view)
        return same == (self.n, "corpus", "ngrams", self.view)

    def repeats_another(self, scores: Sequence[Score]) -> bool:
        """Return whether EAD says nothing that Distinct-1 does not.

        Several corpora are compared by Distinct at one size, of which EAD is a constant multiple. In a small
        corpus, EAD is nearly Distinct; in a large one, it is nearly N / V, which grows with its size.
        """
        if len({score.corpus for score in scores}) > 1:
            return True
        sizes = [(each.parts["C"], each.parts["expected"]) for each in scores if "expected" in each.parts]
        types = _power(self.vocabulary, self.n) if isinstance(self.vocabulary, int) else math.inf
        return not any(expected <= NEARLY_ALL * min(total, types) for total, expected in sizes)

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, the texts, and the expected N."""
        return {**super().parts(grams), "expected": float(self.expectation(grams)[0])}

    def remarks(self, lengths: LengthSums, grams: Grams | None = None) -> tuple[str, ...]:
        """Return notes on where EAD is close to Distinct or depends on size or length."""
        notes = [] if grams is None or self.n > 1 or self.expected == "reference" else self._large(grams)
        if self.n > 1 and self.expected == "uniform" and self.vocabulary != "chao1":
            bound = (
                f"The expectation is over V^{self.n} equally likely n-grams, a number so large that EAD "
                f"approaches Distinct-{self.n}."
            )
            notes.append(Note(bound))
        if lengths.variation > VARIED_LENGTHS:
            by = f" (standard deviation {lengths.variation:.0%} of the mean)"
            general = (
                "Text lengths vary widely{}, and EAD may depend on length. Section 4 of the paper recommends "
                "to check this first: `distinctly judge length --designated -m ead`, or with the file of the "
                "training data in place of --designated."
            )
            notes.append(Note(general.format(by), "warning", general=general.format("")))
        return tuple(notes)

    def _large(self, grams: Grams) -> list[Note]:
        """Return a warning if the corpus has more tokens than the vocabulary has types."""
        size = self.vocabulary if isinstance(self.vocabulary, int) else self._known
        distinct, total = float(grams.distinct[0]), int(grams.total[0])
        if not isinstance(size, int) or total <= size:
            return []
        above = f", and is above 1 since N = {distinct:,.0f} is larger than V" if distinct > size else ""
        grows = "EAD then approaches N / V and grows with the size of the corpus"
        advice = "Compare corpora at one size, where EAD is a constant multiple of Distinct-1."
        large = (
            f"The corpus has more tokens (C = {total:,}) than the vocabulary has types (V = {size:,}). "
            f"{grows}{above}. {advice}"
        )
        general = f"The corpora have more tokens than the vocabulary has types. {grows}. {advice}"
        return [Note(large, "warning", general=general)]

    def remarks_on_script(self, letters: Letters, *, came_as_tokens: bool) -> tuple[Note, ...]:
        """Return a warning if V is that of English, but most of the text is not in Latin script."""
        notes = super().remarks_on_script(letters, came_as_tokens=came_as_tokens)
        english = self.vocabulary == BERT and self.expected == "uniform"
        if not english or letters.share("ideographs", "others") < MOSTLY:
            return notes
        foreign = (
            f"V is {BERT:,}, the size of BERT's English vocabulary, but most letters are not Latin. Give the "
            "size of a vocabulary of this language, or vocabulary=chao1, tokenizer or reference."
        )
        return (*notes, Note(foreign, "warning"))

    def reference_statistics(self) -> tuple[NgramCounts, ...]:
        """Return the counts that give the expectation or the size of the vocabulary."""
        if self.expected == "reference":
            return (NgramCounts(self.n, view=self.view),)
        return (NgramCounts(1, view=self.view),) if self.vocabulary == "reference" else ()

    def bind(self, context: Context) -> Ead:
        """Return the metric with the distribution of the reference or the size of the vocabulary."""
        bound = super().bind(context)
        statistics = bound.reference_statistics()
        if statistics:
            setting = "expected=reference" if self.expected == "reference" else "vocabulary=reference"
            if context.reference is None:
                raise SpecError(
                    f"'ead:{setting}' needs a reference corpus: give --reference FILE (Python: reference=)."
                )
            grams: Grams = context.reference[statistics[0]]
            if not grams.total[0]:
                raise SpecError(
                    f"'ead:{setting}' needs {statistics[0].n}-grams in the reference corpus, which has none."
                )
            return replace(bound, _known=grams if self.expected == "reference" else int(grams.distinct[0]))
        if self.vocabulary == "tokenizer" and self.expected == "uniform":
            tokenizer = context.view.tokenizer if isinstance(context.view, TokenView) else None
            if tokenizer is None or tokenizer.vocabulary_size is None:
                name = "tags" if tokenizer is None else tokenizer.name
                raise SpecError(
                    f"'ead:vocabulary=tokenizer' needs a tokenizer with a vocabulary; '{name}' "
                    "has none. Give a number, or bert, chao1 or reference."
                )
            return replace(bound, _known=tokenizer.vocabulary_size)
        return bound


def _power(size: int, n: int) -> float:
    return float(size**n) if n * math.log(size) < 700 else math.inf  # e^709 is the largest float


def _drawn_uniformly(size: Reals, draws: Any) -> Reals:
    """Return ``V·(1 − (1 − 1/V)^C)``, by expm1 and log1p: the plain form loses all digits at large V."""
    sizes, counts = np.broadcast_arrays(size, np.asarray(draws, np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = -sizes * np.expm1(counts * np.log1p(-1 / sizes))
    # If V is infinite, no two draws are equal; if it is 0, there are no n-grams to estimate it from.
    return np.where(np.isinf(sizes), counts, np.where(sizes > 0, expected, 0.0))


def _drawn_from(reference: Grams, draws: Any) -> Reals:
    """Return ``Σ_j 1 − (1 − p_j)^C`` with p from the reference, some of it reserved for unseen n-grams.

    The probability mass of unseen n-grams is f₁/C (Good–Turing), their number Chao1 − N.
    """
    total, once = float(reference.total[0]), float(reference.seen(1)[0])
    unseen = float(reference.chao1()[0] - reference.distinct[0])
    mass = min(once, total - 1) / total if unseen > 0 else 0.0
    probabilities = np.append((1 - mass) * reference.counts / total, min(mass / unseen, 1.0) if mass else 0.0)
    numbers = np.append(reference.types.astype(np.float64), unseen)
    with np.errstate(divide="ignore"):
        misses = np.log1p(-probabilities)
    expected = [math.fsum(-numbers * np.expm1(float(c) * misses)) if c else 0.0 for c in draws]
    return np.array(expected)
