"""What values of metrics and scores of people come to: correlations, and who agrees more than whom."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from distinctly.judging.correlations import MEASURES, compare_correlations
from distinctly.judging.measures import Reals
from distinctly.judging.records import Key, Record, name_of, number
from distinctly.judging.trial import Finding
from distinctly.run.resampling import holm

# The measures that two metrics are compared by, and whether that is by ranks: for Kendall's τ, no such test
# is known.
TESTED = {"pearson": False, "spearman": True}
# With a value on a smaller share of the sets, a metric is judged on a choice of sets that it made itself.
ENOUGH = 0.9


@dataclass(frozen=True)
class Judged:
    """The values of one metric on the sets of a subset, beside people's scores.

    Attributes
    ----------
    metric, embedder, part
        Which metric, as in the records.
    values
        As the metric gives them; NaN where it gives none.
    human
        People's scores of the same sets.
    sign
        −1 where less is more diverse.
    why
        Why some sets have no value.
    """

    metric: str
    embedder: str
    part: str
    values: Reals
    human: Reals
    sign: int
    why: str = ""

    @classmethod
    def of(cls, key: Key, records: Sequence[Record]) -> Judged:
        """Take the values from records."""
        values, human = (np.array([number(one, name) for one in records]) for name in ("value", "human"))
        why = next((str(one["note"]) for one in records if one["note"]), "")
        return cls(*key, values, human, int(number(records[0], "sign")), why)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Which sets have a value."""
        return np.isfinite(self.values)

    @property
    def enough(self) -> bool:
        """Whether nearly all sets have a value."""
        return bool(self.known.mean() >= ENOUGH)

    @property
    def turned(self) -> Reals:
        """The values, with the sign that makes more of them more diverse."""
        return self.sign * self.values

    @property
    def key(self) -> Key:
        """What tells metrics apart."""
        return self.metric, self.embedder, self.part

    @property
    def name(self) -> str:
        """What reports call it."""
        return name_of(*self.key)


def judged_by_subset(
    by_subject: Mapping[Key, Sequence[Record]], subsets: Sequence[str]
) -> dict[str, list[Judged]]:
    """Return the values of every metric, and of each number of a function that gives several, by subset."""
    return {
        subset: [
            Judged.of(key, [one for one in records if one["subset"] == subset])
            for key, records in by_subject.items()
        ]
        for subset in subsets
    }


def correlated(one: Judged, measure: str, subset: str) -> Finding:
    """Correlate a metric with people; what is positive is agreement, whatever the metric's direction."""
    known = one.known
    found = MEASURES[measure](one.turned[known], one.human[known])
    notes = [found.note] if found.note else []
    if lost := int((~known).sum()):
        why = f" ({one.why.rstrip('.')})" if one.why else ""
        notes.append(f"{lost:,} of {len(known):,} sets have no value, and are left out{why}.")
    return Finding(
        metric=one.metric,
        embedder=one.embedder,
        part=one.part,
        measure=measure,
        mean=found.value,
        low=None if math.isnan(found.low) else found.low,
        high=None if math.isnan(found.high) else found.high,
        settings={"subset": subset},
        parts={"n": found.pairs, "sets": len(known), "p": found.p, "raw": one.sign * found.value},
        notes=tuple(notes),
    )


def best_of(several: Sequence[Judged], measure: str) -> Judged | None:
    """Return the metric that correlates most with people, of those with a value on nearly all sets."""
    ranked = [(correlated(one, measure, "").mean, one) for one in several if one.enough]
    known = [pair for pair in ranked if not math.isnan(pair[0])]
    return max(known, key=lambda pair: pair[0])[1] if known else None


def differences(several: Sequence[Judged], rival: Judged, measure: str, subset: str) -> list[Finding]:
    """Test each metric of a subset against one of them, on the sets that both have a value of."""
    others = [one for one in several if one is not rival]
    tests = []
    for one in others:
        both = one.known & rival.known
        tests.append(
            compare_correlations(one.turned[both], rival.turned[both], one.human[both], ranks=TESTED[measure])
        )
    return [
        Finding(
            metric=one.metric,
            embedder=one.embedder,
            part=one.part,
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
            notes=("Undefined: too few sets have a value of both, or one of them is constant.",)
            if math.isnan(test.p)
            else (),
        )
        for one, test, corrected in zip(others, tests, holm([test.p for test in tests]))
    ]
