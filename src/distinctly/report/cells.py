"""Cells that pages share: numbers, intervals, marks, and names on one line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from distinctly.errors import escaped
from distinctly.report.page import MARKS, Cell
from distinctly.score import Score, Scores

# Shown once above the table, or in a separate column, not with every number.
_COMMON_PARTS = (
    *("texts", "tokens", "skipped_texts", "skipped_groups", "groups"),
    *("reference_texts", "candidate_texts"),
)
# With more corpora than this, or with longer names, each corpus is a row.
SIDE_BY_SIDE, LONGEST_TITLE = 3, 20
TOKENS_PER_TEXT = "tokens per text"
# What rounding leaves over in a computation.
RESIDUE = 1e-12
NOISE, PARTIAL = MARKS["noise"], MARKS["partial"]


@dataclass(frozen=True)
class Rounding:
    """The number of decimals of several numbers that are read together.

    Attributes
    ----------
    decimals
        Digits after the decimal point.
    scientific
        Whether numbers are written with a power of ten, since all of them are tiny.
    """

    decimals: int
    scientific: bool = False

    @classmethod
    def of(cls, values: Iterable[float], halves: Iterable[float] = ()) -> Rounding:
        """Return the decimals for values, and for half the widths of their intervals.

        Examples
        --------
        >>> entropies = Rounding.of([9.8703, 14.7812], halves=[0.052, 0.083])
        >>> entropies.write(9.8703), entropies.write(0.052)
        ('9.87', '0.05')
        >>> Rounding.of([0.42, 0.00001]).write(0.00001), Rounding.of([12, 4]).write(4)
        ('<0.0001', '4')
        """
        sizes = [abs(value) for value in values if math.isfinite(value)]
        widths = sorted(half for half in halves if math.isfinite(half) and half > RESIDUE)
        largest = max(sizes, default=0.0)
        if largest >= 2 and all(float(size).is_integer() for size in sizes):
            return cls(0 if not widths or widths[-1] >= 10 else 1)
        if RESIDUE < largest < 1e-4:
            return cls(2, scientific=True)
        decimals = 6 if RESIDUE < largest < 1e-3 else 4 if largest < 10 else 2
        # A typical width is not shown as 0.
        while widths and decimals < 6 and widths[len(widths) // 2] < 0.5 * 10**-decimals:
            decimals += 1
        return cls(decimals)

    def write(self, value: float) -> str:
        """Write a number; what is left over by rounding in its computation is 0."""
        if math.isnan(value):
            return "undefined"
        if self.scientific and abs(value) > RESIDUE:
            return f"{value:.{self.decimals}e}"
        text = f"{value:,.{self.decimals}f}"
        if float(text.replace(",", "")) != 0:
            return text
        smallest = f"{10**-self.decimals:.{self.decimals}f}"
        if abs(value) <= RESIDUE:
            return f"{0:.{self.decimals}f}"
        return f"<{smallest}" if value > 0 else f">-{smallest}"


def rounded(value: float) -> str:
    """Round a single number for reading.

    Examples
    --------
    >>> rounded(0.123456), rounded(1234567.0), rounded(12.3456), rounded(float("nan"))
    ('0.1235', '1,234,567', '12.35', 'undefined')
    """
    return Rounding.of([value]).write(value)


def roundings(scores: Scores) -> dict[str, Rounding]:
    """Return the rounding of each spec: one for all corpora, scopes, and specs of a metric.

    Counts, which are whole numbers, do not decide the decimals of other specs of their metric.
    """
    by_spec: dict[str, list[Score]] = {}
    for score in scores:
        by_spec.setdefault(score.spec, []).append(score)
    alone = {spec: _rounding_of(alike) for spec, alike in by_spec.items()}
    by_metric: dict[str, list[Score]] = {}
    for spec, alike in by_spec.items():
        if alone[spec].decimals > 1:
            by_metric.setdefault(alike[0].metric, []).extend(alike)
    together = {metric: _rounding_of(alike) for metric, alike in by_metric.items()}
    return {
        spec: together[by_spec[spec][0].metric] if rounding.decimals > 1 else rounding
        for spec, rounding in alone.items()
    }


def _rounding_of(scores: Sequence[Score]) -> Rounding:
    values = [score.value for score in scores]
    floors = [score.floor for score in scores if score.floor is not None]
    values += [number for floor in floors for number in (floor.mean, floor.distance_at_size)]
    halves = [half for score in scores if (half := half_width(score)) is not None]
    return Rounding.of(values, halves)


def half_width(score: Score) -> float | None:
    """Return the larger distance of the value from the ends of its interval; None without an interval."""
    if score.low is None or score.high is None or math.isnan(score.value):
        return None
    return max(score.high - score.value, score.value - score.low)


def bare(value: float, digits: int = 3, sign: str = "") -> str:
    """Write a number without the 0 before its decimal point.

    Examples
    --------
    >>> bare(0.508), bare(-0.0214), bare(1.0), bare(0.25, 2, "+"), bare(float("nan"))
    ('.508', '-.021', '1.000', '+.25', '–')
    """
    return "–" if math.isnan(value) else re.sub(r"^([+-]?)0\.", r"\1.", f"{value:{sign}.{digits}f}")


def printable(text: str) -> str:
    r"""Return text on one line, with unprintable characters escaped.

    Examples
    --------
    >>> print(printable("tab\there"))
    tab\there
    """
    return text if text.isprintable() else escaped(text)


def parts_of(score: Score, above: Score | None = None) -> str:
    """Return the parts of a score, as text; of those above the table only one that an option names.

    Parts that are the same as those of the score of the same metric in the row above are left out.

    Examples
    --------
    >>> parts_of(Score(0.5, options={"denominator": "tokens"}, parts={"N": 3, "tokens": 6, "texts": 2}))
    'N 3  tokens 6'
    """
    known = above.parts if above is not None and above.metric == score.metric else {}
    return "  ".join(
        f"{name} {f'{part:,}' if isinstance(part, int) else rounded(part)}"
        for name, part in score.parts.items()
        if (name not in _COMMON_PARTS or name in score.options.values()) and known.get(name) != part
    )


def cell(score: Score, rounding: Rounding | None = None, *, best: bool = False, noise: bool = False) -> Cell:
    """Return the cell of a score: its value, half the width of its interval, and its marks.

    Examples
    --------
    >>> cell(Score(0.5, low=0.45, high=0.55), best=True).marked
    '0.5000 ±0.0500*'
    >>> cell(Score(0.5, low=0.5, high=0.5 + 3e-17)).marked
    '0.5000 ±0.0000'
    """
    shared = _rounding_of([score]) if rounding is None else rounding
    half = half_width(score)
    return Cell(
        shared.write(score.value) + ("" if half is None else f" ±{shared.write(half)}"),
        value=score.value,
        low=score.low,
        high=score.high,
        best=best,
        mark="noise" if noise else "",
        missing=math.isnan(score.value),
    )


def corpus_cell(name: str, *, indented: bool = False) -> Cell:
    """Return a cell with the name of a corpus."""
    return Cell(printable(name), corpus=True, indented=indented)


def corpus_size(corpus: Mapping[str, Any]) -> str:
    """Return the numbers of texts and tokens of a corpus in words.

    Examples
    --------
    >>> corpus_size({"texts": 2, "tokens": 1005, "tokens_per_text": 502.5, "tokenizer": "words,lc:no"})
    '2 texts, 1,005 tokens, 502.5 per text (words,lc:no)'
    """
    mean = corpus.get("tokens_per_text")
    per_text = "" if mean is None else f", {mean:,.1f} per text"
    return f"{corpus['texts']:,} texts, {corpus['tokens']:,} tokens{per_text} ({corpus['tokenizer']})"


def mean_lengths(scores: Scores) -> dict[str, Cell]:
    """Return the cell of the mean number of tokens per text of each corpus; none if nothing has tokens."""
    means = {str(corpus["name"]): corpus.get("tokens_per_text") for corpus in scores.corpora}
    if not any(means.values()):
        return {}
    return {name: NONE if mean is None else Cell(f"{mean:,.1f}", value=mean) for name, mean in means.items()}


def written_p(p: float) -> str:
    """Write a p-value.

    Examples
    --------
    >>> written_p(0.0123), written_p(1.0), written_p(0.00001)
    ('0.012', '1.000', '<0.001')
    """
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def words(text: str) -> Cell:
    """Return a cell of text: a name, or a remark.

    Examples
    --------
    >>> words("ead").value is None
    True
    """
    return Cell(text)


EMPTY, NONE = Cell("", missing=True), Cell("–", missing=True)


def spaced(spec: str) -> str:
    """Write a spec with spaces, so that the title of a column can be wrapped.

    Examples
    --------
    >>> spaced("distinct:n=2,pool=text")
    'distinct n=2 pool=text'
    """
    name, _, options = spec.partition(":")
    return " ".join([name, *options.split(",")] if options else [name])


def side_by_side(corpora: Sequence[str]) -> bool:
    """Return whether few corpora with short names can be columns."""
    return len(corpora) <= SIDE_BY_SIDE and max(map(len, corpora), default=0) <= LONGEST_TITLE


def clipped(text: str, width: int) -> str:
    """Shorten a text to a width."""
    return text if len(text) <= width else text[: max(width - 1, 0)] + "…" * (width > 1)
