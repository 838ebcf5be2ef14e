"""`function_words`: how far apart two corpora are in their use of function words."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.distance._divergence import divergence, divergence_terms
from distinctly.distance.base import SumOverNgrams
from distinctly.errors import SpecError
from distinctly.options import hidden, option
from distinctly.references import ENDRES_2003, bibtex
from distinctly.score import Note, Score
from distinctly.statistics.listed_words import ListedTable, WordList
from distinctly.statistics.token_table import TwoCounts
from distinctly.tokenizers.dropping import read_words

ENGLISH = Path(__file__).parents[1] / "word_lists" / "english-function-words.txt"
# About half of the words of English texts are in the list. A note warns of a smaller share; our choice.
FEW = 0.15


def _reads_a_file(metric: FunctionWords) -> bool:
    return metric.words is not None


@functools.cache
def _english() -> WordList:
    return WordList("english", read_words(str(ENGLISH), "function words", "words=")[0])


@dataclass(frozen=True, kw_only=True)
class FunctionWords(SumOverNgrams):
    """The distance of the function-word profiles of two corpora: of style, hardly of topic.

    A profile has the share of each word of a list, such as *the*, *of* and *she*, and that of all other words
    together. The distance is the square root of the Jensen–Shannon divergence of two profiles, in bits: from
    0 (the same shares) to 1. Words are lower-cased. Known bias: it is too high in small corpora, since two
    samples of one source also differ.

    Attributes
    ----------
    words
        A file with one word per line (UTF-8, lower-cased when it is read), for other languages than English.
        A signature contains the last part of the path.
    hash
        The hash of the file; a different file is an error.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.compare(["The cat of the man"], ["The dog of the town"], "function_words")[0].value
    0.0
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "mosteller1964inference",
            author="Mosteller, F. and Wallace, D. L.",
            title="Inference and disputed authorship: The {Federalist}",
            publisher="Addison-Wesley",
            year=1964,
        ),
        bibtex(
            "inproceedings",
            "zhao2006using",
            author="Zhao, Y. and Zobel, J. and Vines, P.",
            title="Using relative entropy for authorship attribution",
            booktitle="Asia Information Retrieval Symposium",
            year=2006,
        ),
        ENDRES_2003,
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    files: ClassVar[tuple[str, ...]] = ("words",)
    default_view: ClassVar[str] = "words(punct=no;lc=yes)"
    summed: ClassVar[str] = "divergence"
    symbol: ClassVar[str] = "the divergence"

    words: str | None = field(default=None, compare=False)
    hash: str = option("", only=_reads_a_file)
    listed: WordList = hidden(WordList("", ()))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.words is None:
            object.__setattr__(self, "listed", _english())
        elif not self.listed.words:
            given_with = f"-m {self.metric_name()}:words=PATH"
            lines, actual = read_words(self.words, "function words", given_with)
            if self.hash not in ("", actual):
                raise SpecError(
                    f"Expected function words with the hash {self.hash} in '{self.words}', got {actual}: "
                    f"another list. Restore the first one, or omit `hash={self.hash}`."
                )
            different = tuple(dict.fromkeys(word.lower().replace("’", "'") for word in lines))
            object.__setattr__(self, "listed", WordList(actual, different))
            object.__setattr__(self, "hash", actual)

    @cached_property
    def signed_options(self) -> Mapping[str, str]:
        """The options as a signature writes them: without the folders of the file."""
        options = dict(super().signed_options)
        return options | ({} if self.words is None else {"words": f"./{Path(self.words).name}"})

    def pair_statistics(self) -> tuple[ListedTable]:
        """Return the counts of the words of the list."""
        return (ListedTable(self.listed, view=self.view),)

    def contributions(self, counts: TwoCounts) -> tuple[TwoCounts, NDArray[np.float64]]:
        """Return the words, and what each of them adds to the divergence, in bits."""
        return counts, divergence_terms(counts)

    def score(self, table: TwoCounts) -> Score:
        """Compare the profiles."""
        others = table.codes == len(self.listed.words)
        totals, listed = table.totals, (table.reference[~others].sum(), table.candidate[~others].sum())
        parts: dict[str, int | float] = {
            "listed_words": len(self.listed.words),
            "reference_words": totals[0],
            "candidate_words": totals[1],
        }
        if lacking := table.lacking():
            return self.scored(math.nan, parts, undefined=f"the {lacking} has no words.")
        shares = {
            name: int(count) / total for name, count, total in zip(("reference", "candidate"), listed, totals)
        }
        parts |= {f"{name}_share": share for name, share in shares.items()}
        if not any(shares.values()):
            why = "neither corpus has any of the listed words. Give a list for their language: words=FILE."
            return self.scored(math.nan, parts, undefined=why)
        bits, _ = divergence(table)
        return self.scored(math.sqrt(bits), {**parts, "divergence": bits}, _few(shares))


def _few(shares: Mapping[str, float]) -> tuple[Note, ...]:
    """Warn of a corpus that may be in another language than the list."""
    name, share = min(shares.items(), key=lambda item: item[1])
    if share >= FEW:
        return ()
    few = (
        f"Only {share:.1%} of the words of the {name} are in the list, which may be of another language: "
        "give words=FILE."
    )
    return (Note(few, "warning"),)
