"""Lexical richness of one list of tokens, as the papers tell it: loops, sets and exact fractions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction


def msttr(tokens: Sequence[str], window: int) -> float:
    """Mean ratio of the whole segments."""
    segments = [tokens[i : i + window] for i in range(0, len(tokens) - window + 1, window)]
    return sum(len(set(s)) for s in segments) / (len(segments) * window) if segments else math.nan


def mattr(tokens: Sequence[str], window: int) -> float:
    """Mean ratio of all windows."""
    windows = [tokens[i : i + window] for i in range(len(tokens) - window + 1)]
    return sum(len(set(w)) for w in windows) / (len(windows) * window) if windows else math.nan


def _ended(tokens: Sequence[str], threshold: float, compare: str, minimum: int) -> bool:
    ratio = len(set(tokens)) / len(tokens)
    return len(tokens) >= minimum and (ratio < threshold or (compare == "<=" and ratio == threshold))


def mtld(tokens: Sequence[str], threshold: float = 0.72, compare: str = "<", minimum: int = 0) -> float:
    """Mean of tokens over factors, forward and backward."""
    if not tokens:
        return math.nan
    found = []
    for direction in (list(tokens), list(tokens)[::-1]):
        factors, factor = 0.0, list[str]()
        for token in direction:
            factor.append(token)
            if _ended(factor, threshold, compare, minimum):
                factors, factor = factors + 1, []
        if factor:
            factors += (1 - len(set(factor)) / len(factor)) / (1 - threshold)
        found.append(len(tokens) / factors if factors else float(len(tokens)))
    return sum(found) / 2


def mtld_ma(tokens: Sequence[str], threshold: float = 0.72, compare: str = "<", minimum: int = 0) -> float:
    """Tokens of the factors from every start over their number; round to the beginning, once at most."""
    if not tokens:
        return math.nan
    covered, factors = 0, 0.0
    for start in range(len(tokens)):
        turned = [*tokens[start:], *tokens[:start]]
        ends = [n for n in range(1, len(turned) + 1) if _ended(turned[:n], threshold, compare, minimum)]
        covered += ends[0] if ends else len(turned)
        factors += 1 if ends else (1 - len(set(turned)) / len(turned)) / (1 - threshold)
    return covered / factors if factors else float(len(tokens))


def sampled_ttr(tokens: Sequence[str], sample: int) -> Fraction:
    """Ratio to expect of a random sample, from binomial coefficients."""
    total = len(tokens)
    chances = (
        1 - Fraction(math.comb(total - count, sample), math.comb(total, sample))
        for count in Counter(tokens).values()
    )
    return sum(chances, Fraction(0)) / sample


def hdd(tokens: Sequence[str], sample: int = 42) -> float:
    """Expected ratio of a sample."""
    return float(sampled_ttr(tokens, sample)) if len(tokens) >= sample else math.nan


def vocd(tokens: Sequence[str]) -> float:
    """Where the slope of the squared errors in log D passes 0, by halving."""
    if len(tokens) < 50 or len(set(tokens)) == len(tokens):
        return math.nan
    ratios = {n: float(sampled_ttr(tokens, n)) for n in range(35, 51)}

    def slope(log_d: float) -> float:
        total = 0.0
        for n, ratio in ratios.items():
            u = n / math.exp(log_d)
            root = math.sqrt(1 + 2 * u)
            total += (2 / (1 + root) - ratio) * 2 * u / (root * (1 + root) ** 2)
        return total

    low, high = -10.0, 25.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if slope(middle) > 0 else (middle, high)
    return math.exp(low)
