"""Correlations of metrics with human scores, and tests of their differences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from distinctly.judging.correlations import HUMAN, MEASURES, compare_correlations
from distinctly.judging.measures import Reals
from distinctly.judging.records import Key, Record, name_of, number
from distinctly.judging.trial import Finding
from distinctly.run.resampling import holm

# The measures by which two metrics are compared, and whether they use ranks. There is no such test for
# Kendall's τ.
TESTED = {"pearson": False, "spearman": True}
# A metric that is defined for a smaller share of the sets is not ranked.
ENOUGH = 0.9


@dataclass(frozen=True)
class Judged:
    """The values of one metric for the sets of a subset, with their human scores.

    Attributes
    ----------
    metric, embedder, part
        As in the records.
    values
        The values of the metric; NaN if undefined.
    human
        The human scores of the same sets.
    sign
        −1 if less is more diverse.
    why
        Why some values are undefined.
    called, unit
        What sentences call the human scores, and what has one: a set or a text.
    """

    metric: str
    embedder: str
    part: str
    values: Reals
    human: Reals
    sign: int
    why: str = ""
    called: str = HUMAN
    unit: str = "set"

    @classmethod
    def of(cls, key: Key, records: Sequence[Record], called: str = HUMAN, unit: str = "set") -> Judged:
        """Collect the values of records."""
        values, human = (
            np.array([number(record, name) for record in records]) for name in ("value", "human")
        )
        why = next((str(record["note"]) for record in records if record["note"]), "")
        return cls(*key, values, human, int(number(records[0], "sign")), why, called, unit)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Mask of the sets that have a value."""
        return np.isfinite(self.values)

    @property
    def enough(self) -> bool:
        """Whether nearly all sets have a value."""
        return bool(self.known.mean() >= ENOUGH)

    @property
    def turned(self) -> Reals:
        """The values, with the sign that makes higher more diverse."""
        return self.sign * self.values

    @property
    def key(self) -> Key:
        """The metric, its embedder and its part."""
        return self.metric, self.embedder, self.part

    @property
    def name(self) -> str:
        """The name of the metric, with its part and embedder."""
        return name_of(*self.key)


def judged_by_subset(
    by_subject: Mapping[Key, Sequence[Record]],
    subsets: Sequence[str],
    called: str = HUMAN,
    unit: str = "set",
) -> dict[str, list[Judged]]:
    """Return the values of all metrics, and of all parts of a function, per subset."""
    return {
        subset: [
            Judged.of(key, [record for record in records if record["subset"] == subset], called, unit)
            for key, records in by_subject.items()
        ]
        for subset in subsets
    }


def correlated(judged: Judged, measure: str, subset: str) -> Finding:
    """Correlate a metric with human scores; positive means agreement, for metrics of either direction."""
    known = judged.known
    result = MEASURES[measure](judged.turned[known], judged.human[known], judged.called)
    notes = [result.note] if result.note else []
    if missing := int((~known).sum()):
        why = f" ({judged.why.rstrip('.')})" if judged.why else ""
        notes.append(f"{missing:,} of {len(known):,} {judged.unit}s have no value and are left out{why}.")
    return Finding(
        metric=judged.metric,
        embedder=judged.embedder,
        part=judged.part,
        measure=measure,
        mean=result.value,
        low=None if math.isnan(result.low) else result.low,
        high=None if math.isnan(result.high) else result.high,
        settings={"subset": subset},
        parts={"n": result.pairs, "sets": len(known), "p": result.p, "raw": judged.sign * result.value},
        notes=tuple(notes),
    )


def best_of(several: Sequence[Judged], measure: str) -> Judged | None:
    """Return the metric with the highest correlation, of those with a value for nearly all sets."""
    ranked = [(correlated(judged, measure, "").mean, judged) for judged in several if judged.enough]
    known = [pair for pair in ranked if not math.isnan(pair[0])]
    return max(known, key=lambda pair: pair[0])[1] if known else None


def differences(several: Sequence[Judged], rival: Judged, measure: str, subset: str) -> list[Finding]:
    """Test each metric of a subset against one of them, on the sets for which both have a value."""
    others = [judged for judged in several if judged is not rival]
    tests = []
    for other in others:
        both = other.known & rival.known
        values = other.turned[both], rival.turned[both], other.human[both]
        tests.append(compare_correlations(*values, ranks=TESTED[measure]))
    return [
        Finding(
            metric=other.metric,
            embedder=other.embedder,
            part=other.part,
            measure=f"{measure}_difference",
            mean=test.value,
            settings={"subset": subset, "against": rival.name},
            parts={
                "n": test.pairs,
                "between": test.between,
                "t": test.t,
                "p": test.p,
                "p_holm": corrected,
                "z": test.z,
                "p_z": test.p_z,
            },
            notes=("Undefined: too few sets have a value of both metrics, or one of them is constant.",)
            if math.isnan(test.p)
            else (),
        )
        for other, test, corrected in zip(others, tests, holm([test.p for test in tests]))
    ]
