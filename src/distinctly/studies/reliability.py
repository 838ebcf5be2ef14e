"""How far annotators agree: Krippendorff's α and intraclass correlations, by the packages of their authors.

α of interval data is computed by `krippendorff`, intraclass correlations by `pingouin`: ICC(A,1), the
agreement of single annotators (ICC2 of Shrout and Fleiss, 1979), and ICC(A,k), that of their mean (ICC2k).
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from distinctly.errors import missing_extra
from distinctly.judging.measures import Reals
from distinctly.judging.people.annotations import Annotation
from distinctly.score import finite

# `krippendorff` makes a table of all pairs of different scores; rescaled scores are rounded to this number of
# steps, which changes α by less than 0.0001.
STEPS = 500
# The fewest sets that all annotators scored from which intraclass correlations are computed.
LEAST_SETS = 5
# The names of both correlations in `pingouin`, before and after version 0.6.
_SINGLE, _MEAN = ("ICC2", "ICC(A,1)"), ("ICC2k", "ICC(A,k)")


@dataclass(frozen=True)
class Reliability:
    """The agreement of several annotators.

    Attributes
    ----------
    annotators
        Which annotators: ``all``, or those who were ``kept``.
    rescale
        The treatment of the scores: ``none``, or per ``package``.
    count, sets, complete
        The number of annotators, of sets that at least two of them scored, and of sets that all scored.
    alpha
        Krippendorff's α of interval data, from all sets that at least two scored.
    icc2, icc2_low, icc2_high
        The intraclass correlation of a single annotator, with its 95 % interval, from complete sets.
    icc2k, icc2k_low, icc2k_high
        The same of the mean of all annotators.
    note
        Why a value is undefined, or what is left out.
    """

    annotators: str
    rescale: str
    count: int
    sets: int
    complete: int
    alpha: float
    icc2: float
    icc2_low: float
    icc2_high: float
    icc2k: float
    icc2k_low: float
    icc2k_high: float
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; undefined numbers are None."""
        plain = asdict(self)
        return {name: finite(value) if isinstance(value, float) else value for name, value in plain.items()}


def check_installed() -> None:
    """Raise if a package that computes agreement is not installed."""
    for package in ("krippendorff", "pingouin"):
        if importlib.util.find_spec(package) is None:
            raise missing_extra("The agreement of annotators", package, "study")


def reliability(
    annotations: Sequence[Annotation], people: Sequence[str], *, annotators: str, rescale: str
) -> Reliability:
    """Compute the agreement of some annotators.

    Parameters
    ----------
    annotations
        For each set, its scores by annotator.
    people
        The annotators whose scores are used.
    annotators, rescale
        What to call them, and the treatment of the scores.
    """
    table = np.array(
        [[scores.get(name, math.nan) for name in people] for scores in annotations], np.float64
    ).reshape(len(annotations), len(people))
    scored = (~np.isnan(table)).sum(axis=1)
    shared, complete = table[scored >= 2], table[scored == len(people)]
    nothing = dict.fromkeys(
        ("alpha", "icc2", "icc2_low", "icc2_high", "icc2k", "icc2k_low", "icc2k_high"), math.nan
    )
    values, note = dict(nothing), ""
    if len(people) < 2:
        note = f"Undefined: agreement needs 2 annotators, got {len(people)}."
    elif not len(shared) or np.nanmax(shared) == np.nanmin(shared):
        note = "Undefined: no two annotators scored the same sets, or all scores are equal."
    else:
        values["alpha"] = _alpha(shared)
        if len(complete) < LEAST_SETS or np.ptp(complete) == 0:
            note = f"ICC is undefined: it needs {LEAST_SETS} sets that all scored, got {len(complete):,}."
        else:
            values |= _intraclass(complete, people)
            if len(complete) < len(shared):
                note = (
                    f"ICC is from the {len(complete):,} of {len(shared):,} sets that all annotators scored."
                )
    return Reliability(
        annotators, rescale, len(people), len(shared), len(complete), note=note, **_floats(values)
    )


def _floats(values: Mapping[str, float]) -> dict[str, Any]:
    return {name: float(value) for name, value in values.items()}


def _alpha(table: Reals) -> float:
    from krippendorff import alpha

    low, high = float(np.nanmin(table)), float(np.nanmax(table))
    if len(np.unique(table[~np.isnan(table)])) > STEPS:
        table = np.round((table - low) / (high - low) * STEPS)
    return float(alpha(reliability_data=table.T, level_of_measurement="interval"))


def _intraclass(table: Reals, people: Sequence[str]) -> dict[str, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of pandas and of scores without spread
        import pandas
        import pingouin

        rows = [
            (place, name, score) for place, scores in enumerate(table) for name, score in zip(people, scores)
        ]
        frame = pandas.DataFrame(rows, columns=["set", "annotator", "score"])
        results = pingouin.intraclass_corr(
            data=frame, targets="set", raters="annotator", ratings="score"
        ).to_dict("records")
    values: dict[str, float] = {}
    for result in results:
        for name, titles in (("icc2", _SINGLE), ("icc2k", _MEAN)):
            if result["Type"] in titles:
                low, high = result.get("CI95", result.get("CI95%"))
                values |= {name: result["ICC"], f"{name}_low": low, f"{name}_high": high}
    return values
