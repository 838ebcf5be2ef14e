"""An exact sum of floats: the same bits for any order and any batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MANTISSA = 53
_HALF = 27
_SMALLEST = 1074  # every finite float is an integer multiple of 2**-1074


@dataclass(frozen=True)
class ExactSum:
    """A sum as an integer number of units of 2**-1074, the smallest float.

    Examples
    --------
    >>> ExactSum.of(np.array([0.1] * 10)).value, 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
    (1.0, 0.9999999999999999)
    >>> (ExactSum.of(np.array([1e100, 1.0])) + ExactSum.of(np.array([-1e100]))).value
    1.0
    """

    units: int = 0

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> ExactSum:
        """Return the sum of finite floats."""
        fractions, exponents = np.frexp(values)
        mantissas = np.ldexp(fractions, _MANTISSA).astype(np.int64)
        units = 0
        for exponent in np.unique(exponents).tolist():
            same = mantissas[exponents == exponent]
            # In two halves, so that a sum of fewer than 2**36 values does not overflow 64 bits.
            high, low = int((same >> _HALF).sum()), int((same & ((1 << _HALF) - 1)).sum())
            shift = exponent - _MANTISSA + _SMALLEST
            units += _shifted((high << _HALF) + low, shift)
        return cls(units)

    def __add__(self, other: ExactSum) -> ExactSum:
        return ExactSum(self.units + other.units)

    @property
    def value(self) -> float:
        """The sum, rounded once."""
        # Python rounds the quotient of two integers correctly.
        return self.units / (1 << _SMALLEST)


def _shifted(number: int, shift: int) -> int:
    return number << shift if shift >= 0 else number >> -shift
