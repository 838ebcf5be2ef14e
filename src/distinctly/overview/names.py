"""What the sentences of an overview call metrics, sizes, p-values and lists."""

from __future__ import annotations

from collections.abc import Sequence

from distinctly.options import split_spec
from distinctly.score import Score

# What metrics are called in a sentence; others are called by their specs.
_TITLES = {
    "distinct": "Distinct-{n}",
    "ead": "EAD",
    "entropy": "the entropy of {n}-grams",
    "self_bleu": "Self-BLEU",
    "duplicates": "the share of repeated texts",
    "vendi": "the Vendi Score",
    "compression": "the compression ratio",
    "jensen_shannon": "the Jensen–Shannon distance",
    "energy": "the energy distance",
    "frechet": "the Fréchet distance",
    "mauve": "MAUVE",
    "chi": "the χ² distance",
    "mmd": "the maximum mean discrepancy",
}
_GRAMS = {1: "tokens", 2: "bigrams", 3: "trigrams"}


def title_of(score: Score) -> str:
    """Return what the metric of a score is called in a sentence, without the size.

    Examples
    --------
    >>> title_of(Score(0.5, metric="distinct", options={"n": 2, "at": 90}, spec="distinct:n=2,at=90"))
    'Distinct-2'
    >>> title_of(Score(0.5, metric="mtld", spec="mtld"))
    'mtld'
    """
    plain = score.plain_spec or score.spec
    title = _TITLES.get(score.metric)
    if title is None or ("{n}" in title and "n" not in score.options):
        return plain
    # A spec with other options is not the metric that the title is known for.
    if split_spec(plain)[1].keys() - {"n", "at", "unit"}:
        return plain
    return title.format(n=score.options.get("n"))


def size_of(score: Score) -> str:
    """Return at which size a score is measured, to follow its title; empty for all texts.

    Examples
    --------
    >>> size_of(Score(0.5, metric="distinct", options={"n": 2, "at": "9000", "unit": "text"}))
    ' at an equal number of bigrams (9,000)'
    """
    size = score.options.get("at")
    if size is None:
        return ""
    text = str(size)
    if text.endswith("texts"):
        return f" at an equal number of texts ({int(text.removesuffix('texts')):,})"
    n = score.options.get("n", 1)
    grams = _GRAMS.get(int(n), f"{n}-grams") if isinstance(n, int) else "n-grams"
    return f" at an equal number of {grams} ({int(text):,})"


def listed(names: Sequence[str], most: int = 4) -> str:
    """Return names as part of a sentence; of many, the first and the number of the others.

    Examples
    --------
    >>> listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b", "c", "d", "e"], most=3)
    ('a', 'a, b and c', 'a, b and 3 others')
    """
    shown = list(names)
    if len(shown) > most:
        shown = [*shown[: most - 1], f"{len(shown) - most + 1:,} others"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def capitalized(sentence: str) -> str:
    """Return a sentence with a capital letter, unless it begins with a name."""
    return sentence[:1].upper() + sentence[1:] if sentence.startswith(("the ", "no ")) else sentence
