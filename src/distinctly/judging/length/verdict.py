"""Verdicts on how a score depends on length: as a word, a sentence and a percentage."""

from __future__ import annotations

import math
from collections.abc import Mapping

from distinctly.judging.lines import LEAST_POINTS, Estimate, Line

# A score is level if the 95 % interval of its change over all lengths is within this share of its mean. The
# threshold is our choice. A bound per token would not mean the same for tweets and for essays.
LEVEL = 0.05


def verdict(change: Estimate) -> str:
    """Return a verdict in one word, from the change of a score over all lengths as a share of its mean.

    A score is level only if the whole interval is within ±5 %; a change that is not significant is undecided.

    Examples
    --------
    >>> verdict(Estimate(-0.2, -0.3, -0.1)), verdict(Estimate(0.01, -0.01, 0.03))
    ('falls', 'level')
    >>> verdict(Estimate(0.01, -0.2, 0.22)), verdict(Estimate(math.nan))
    ('undecided', 'undefined')
    """
    if math.isnan(change.value):
        return "undefined"
    if change.low >= -LEVEL and change.high <= LEVEL:
        return "level"
    if change.high < 0:
        return "falls"
    return "rises" if change.low > 0 else "undecided"


def bends(change: float, bend: float) -> bool:
    """Return whether a score is farther from the line than half of its total change.

    Examples
    --------
    >>> bends(-0.3, 0.2), bends(-0.7, 0.2), bends(0.0, 0.03)
    (True, False, False)
    """
    return bend > max(LEVEL, abs(change) / 2)


def sentence(line: Line, means: Mapping[int, float]) -> str:
    """Describe in one sentence how a score depends on length, from its line and its means."""
    if len(means) < LEAST_POINTS:
        return f"Undefined: a line needs scores of {LEAST_POINTS} lengths, got {len(means)}."
    shortest, longest = min(means), max(means)
    change = line.relative.times(longest - shortest)
    word, within = verdict(change), f"±{LEVEL:.0%}".replace("%", " %")
    if word == "undefined":
        return "Undefined: the mean score is 0, so a relative change is undefined."
    opening = {"level": "Level", "undecided": "Undecided"}.get(word, f"{word.capitalize()} with length")
    closing = {"level": f", within {within}", "undecided": f": it may be within {within}, or not"}
    interval = f"95 % interval {percent(change.low)} to {percent(change.high)}"
    if math.isnan(change.low):
        interval = "no interval, since the mean may be 0"
    bent = f" It bends: at one length it is {percent(line.bend, '')} of its mean off the line."
    return (
        f"{opening}: {means[shortest]:.4g} at {shortest} tokens, {means[longest]:.4g} at {longest}; "
        f"{percent(line.relative.value)} of its mean per token, {percent(change.value)} over all lengths "
        f"({interval}){closing.get(word, '')}."
        f"{bent * bends(change.value, line.bend)}"
    )


def percent(share: float, sign: str = "+") -> str:
    """Return a share as a rounded percentage.

    Examples
    --------
    >>> percent(-0.24321), percent(0.0612), percent(0.00063), percent(1e-12), percent(0.08, "")
    ('-24 %', '+6.1 %', '+0.063 %', '0 %', '8.0 %')
    """
    number = 100 * share
    if abs(number) < 0.0005:
        return "0 %"
    digits = 0 if abs(number) >= 10 else 1 if abs(number) >= 1 else 2 if abs(number) >= 0.1 else 3
    return f"{number:{sign}.{digits}f} %"
