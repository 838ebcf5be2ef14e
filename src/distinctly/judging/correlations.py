"""Correlations of a metric with human scores: p-values, intervals, and tests of their differences.

All p-values are two-sided. Undefined values are NaN, with a note.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from distinctly.judging.measures import Reals, correlation
from distinctly.judging.measures import ranks as ranked
from distinctly.run.resampling import Z

# Two pairs always lie on a line.
LEAST_PAIRS = 3
HUMAN = "human scores"


@dataclass(frozen=True)
class Correlation:
    """The correlation of two columns.

    Attributes
    ----------
    value
        From −1 to 1.
    p
        The two-sided p-value.
    low, high
        The 95 % interval.
    pairs
        Number of pairs.
    note
        Why the correlation or its interval is undefined.
    """

    value: float
    p: float
    low: float
    high: float
    pairs: int
    note: str = ""


@dataclass(frozen=True)
class Difference:
    """The difference of the correlations of two metrics with the same human scores.

    Attributes
    ----------
    value
        The first correlation minus the second.
    between
        The correlation of the two metrics with each other: the higher it is, the smaller the differences
        that are significant.
    t, p
        Williams' test.
    z, p_z
        Steiger's test.
    pairs
        Number of pairs of all three correlations.
    """

    value: float
    between: float
    t: float
    p: float
    z: float
    p_z: float
    pairs: int


def pearson(values: Reals, people: Reals, called: str = HUMAN) -> Correlation:
    """Return Pearson's r, with Fisher's interval: the hyperbolic arc tangent of r has variance 1 / (n − 3).

    `called` is what notes call the second column.

    Examples
    --------
    >>> import numpy as np
    >>> r = pearson(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([2.0, 1.0, 4.0, 3.0, 5.0]))
    >>> round(r.value, 3), round(r.p, 3), round(r.low, 3), round(r.high, 3)
    (0.8, 0.104, -0.28, 0.986)
    """
    return _linear(values, people, lambda _, n: 1 / (n - 3), called)


def spearman(values: Reals, people: Reals, called: str = HUMAN) -> Correlation:
    """Return Spearman's ρ: Pearson's r of the ranks, with mean ranks for ties.

    The interval has the variance of Bonett and Wright (2000), (1 + ρ²/2) / (n − 3).
    """
    return _linear(ranked(values), ranked(people), lambda rho, n: (1 + rho**2 / 2) / (n - 3), called)


def kendall(values: Reals, people: Reals, called: str = HUMAN) -> Correlation:
    """Return Kendall's τ-b, with SciPy's p-value, which is exact for few pairs without ties.

    The interval has the variance of Fieller, Hartley and Pearson (1957), 0.437 / (n − 4).
    """
    from scipy.stats import kendalltau

    if problem := _problem(values, people, called):
        return Correlation(math.nan, math.nan, math.nan, math.nan, len(values), problem)
    tau, p = map(float, kendalltau(values, people))
    return _with_interval(tau, p, len(values), 4, 0.437 / (len(values) - 4) if len(values) > 4 else math.nan)


MEASURES: dict[str, Callable[[Reals, Reals, str], Correlation]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}


def _linear(
    values: Reals, people: Reals, variance: Callable[[float, int], float], called: str
) -> Correlation:
    n = len(values)
    if problem := _problem(values, people, called):
        return Correlation(math.nan, math.nan, math.nan, math.nan, n, problem)
    r = correlation(people, values)
    return _with_interval(r, _p_of(r, n), n, 3, variance(r, n) if n > 3 else math.nan)


def _problem(values: Reals, people: Reals, called: str) -> str:
    if len(values) < LEAST_PAIRS:
        return f"Undefined: a correlation needs {LEAST_PAIRS} pairs, got {len(values)}."
    if (values == values[0]).all():
        return "Undefined: all values of the metric are equal."
    if (people == people[0]).all():
        return f"Undefined: all {called} are equal."
    return ""


def _p_of(r: float, n: int) -> float:
    """Return the p-value of a linear correlation: r of normal columns has a beta distribution on −1 to 1.

    That is Student's t of r·√((n − 2) / (1 − r²)) with n − 2 degrees of freedom, without a division by 0.
    """
    from scipy.special import betainc

    shape = n / 2 - 1
    return float(2 * betainc(shape, shape, (1 - abs(r)) / 2))


def _with_interval(value: float, p: float, n: int, least: int, variance: float) -> Correlation:
    if n <= least:
        note = f"The interval needs {least + 1} pairs, got {n}."
        return Correlation(value, p, math.nan, math.nan, n, note)
    # arctanh(1) is infinite, and its tanh is 1 again: the interval of a perfect correlation is a point.
    middle = math.copysign(math.inf, value) if abs(value) >= 1 else math.atanh(value)
    half = Z * math.sqrt(variance)
    return Correlation(value, p, math.tanh(middle - half), math.tanh(middle + half), n)


def compare_correlations(first: Reals, second: Reals, people: Reals, *, ranks: bool = False) -> Difference:
    """Test whether two metrics differ in their correlation with the human scores of the same sets.

    Parameters
    ----------
    first, second, people
        One value per set.
    ranks
        Correlate ranks (Spearman), not values. For ranks both tests are a good approximation (Myers & Sirois,
        2006).

    Examples
    --------
    >>> import numpy as np
    >>> people = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    >>> better, worse = np.array([1.0, 2.0, 3.5, 3.0, 5.0, 6.0]), np.array([2.0, 1.0, 3.0, 6.0, 4.0, 5.0])
    >>> difference = compare_correlations(better, worse, people)
    >>> round(difference.value, 3), round(difference.t, 3), round(difference.p, 3)
    (0.194, 1.93, 0.149)
    """
    if not len(people):
        return Difference(math.nan, math.nan, math.nan, math.nan, math.nan, math.nan, 0)
    if ranks:
        first, second, people = ranked(first), ranked(second), ranked(people)
    r1, r2 = correlation(people, first), correlation(people, second)
    between = correlation(first, second)
    t, p = williams(r1, r2, between, len(people))
    z, p_z = steiger(r1, r2, between, len(people))
    return Difference(r1 - r2, between, t, p, z, p_z, len(people))


def williams(r1: float, r2: float, between: float, n: int) -> tuple[float, float]:
    """Return t, of n − 3 degrees of freedom, and p of Williams' test (1959; Steiger, 1980, equation 7).

    t = (r₁ − r₂) √( (n−1)(1+r₁₂) / (2 (n−1)/(n−3) |R| + ((r₁+r₂)/2)² (1−r₁₂)³) ), where
    |R| = 1 − r₁² − r₂² − r₁₂² + 2 r₁ r₂ r₁₂; r₁ and r₂ are the correlations of two metrics with human scores,
    and r₁₂ that of the metrics with each other. Graham and Baldwin (2014) use it for metrics of translation.

    Examples
    --------
    >>> t, p = williams(0.4, 0.5, 0.1, 103)   # masculinity, femininity and verbal ability: Steiger (1980)
    >>> round(t, 3), round(p, 3)
    (-0.891, 0.375)
    """
    from scipy.special import stdtr

    if _undecided(r1, r2, between, n):
        return math.nan, math.nan
    determinant = 1 - r1**2 - r2**2 - between**2 + 2 * r1 * r2 * between
    mean = (r1 + r2) / 2
    spread = 2 * (n - 1) / (n - 3) * max(determinant, 0.0) + mean**2 * (1 - between) ** 3
    if r1 == r2 or spread == 0:
        # The two metrics differ only in scale.
        return 0.0, 1.0
    t = (r1 - r2) * math.sqrt((n - 1) * (1 + between) / spread)
    return t, float(2 * stdtr(n - 3, -abs(t)))


def steiger(r1: float, r2: float, between: float, n: int) -> tuple[float, float]:
    """Return Z, of a standard normal distribution, and p of Steiger's test (1980, equation 14, pooled).

    Z = (arctanh r₁ − arctanh r₂) √(n−3) / √(2 − 2c), where c is the covariance of the two, with r the mean of
    r₁ and r₂: c = (r₁₂ (1 − 2r²) − ½ r² (1 − 2r² − r₁₂²)) / (1 − r²)².

    Examples
    --------
    >>> z, p = steiger(0.4, 0.5, 0.1, 103)   # masculinity, femininity and verbal ability: Steiger (1980)
    >>> round(z, 3), round(p, 3)
    (-0.889, 0.374)
    """
    from scipy.special import ndtr

    if _undecided(r1, r2, between, n) or max(abs(r1), abs(r2)) >= 1:
        return math.nan, math.nan
    square = ((r1 + r2) / 2) ** 2
    covariance = (between * (1 - 2 * square) - square * (1 - 2 * square - between**2) / 2) / (1 - square) ** 2
    if r1 == r2 or covariance >= 1:
        return 0.0, 1.0
    z = (math.atanh(r1) - math.atanh(r2)) * math.sqrt((n - 3) / (2 - 2 * covariance))
    return z, float(2 * ndtr(-abs(z)))


def _undecided(r1: float, r2: float, between: float, n: int) -> bool:
    return n <= LEAST_PAIRS or any(map(math.isnan, (r1, r2, between)))
