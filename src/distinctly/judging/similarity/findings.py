"""How well distances follow known similarities: from records to the eight measures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from distinctly.judging.measures import (
    Reals,
    accuracy,
    correlation,
    judgements,
    linearity,
    monotonicity,
    pairs_of,
    separability,
)
from distinctly.judging.records import Key, Record, mean_of, number
from distinctly.judging.similarity import growth
from distinctly.judging.similarity.beside import Published
from distinctly.judging.similarity.robustness import robustness
from distinctly.judging.trial import Finding, Trial

# The measures of the paper's table; the two of sizes use other corpora than mixtures.
OF_MIXTURES = ("accuracy", "weighted_accuracy", "time", "monotonicity", "separability", "linearity")
OF_SIZES = ("size_robustness", "imbalance_robustness")
MEASURES = (*OF_MIXTURES, *OF_SIZES)
GROWTH = "growth"
CONSTANT = "Undefined: the distances of all pairs are equal."
NEGATIVE = "It falls as corpora get farther apart; its negative is judged."


@dataclass(frozen=True)
class Repeated:
    """A finding, and the values of the repetitions that it is the mean of."""

    finding: Finding
    values: Sequence[float]

    @classmethod
    def over(cls, values: Sequence[float], **labels: Any) -> Repeated:
        """Summarize the values of the repetitions."""
        return cls(Finding.over(values, **labels), values)


@dataclass(frozen=True, kw_only=True)
class SimilarityTrial(Trial):
    """Distances of known-similarity corpora.

    The kinds of records are ``distance`` (of corpora i and j), ``speed`` (hundreds of distances per second),
    ``size``, ``imbalance`` and ``asymptote`` (of corpora of `size` texts), ``growth`` (seconds).

    Attributes
    ----------
    beside
        Published values to show beside ours, from `read_published`. They are not saved.
    """

    kind: ClassVar[str] = "similarity"

    beside: Published | None = None

    def find(self) -> list[Finding]:
        """Compute all measures of all metrics."""
        return [repeated.finding for repeated in self.repeated]

    @cached_property
    def repeated(self) -> list[Repeated]:
        """The findings, with the values of the repetitions."""
        return [
            repeated for key, records in self.by_subject.items() for repeated in self._judged(key, records)
        ]

    def _judged(self, key: Key, records: Sequence[Record]) -> Iterator[Repeated]:
        subject: dict[str, Any] = dict(zip(("metric", "embedder", "part"), key))
        for measure in self.settings["measures"]:
            labels = {**subject, "measure": measure}
            if measure in OF_MIXTURES:
                for n, k in self.settings["plan"][measure]:
                    selected = [record for record in records if (record.get("n"), record.get("k")) == (n, k)]
                    labels["settings"] = {"n": n, "k": k}
                    if measure == "time" and (speeds := _values(selected, "speed")):
                        yield Repeated.over(speeds, **labels)
                    elif measure != "time" and _values(selected, "distance"):
                        yield _of_mixtures(selected, k, labels, paper=self.paper)
            elif measure in OF_SIZES and _values(records, "asymptote"):
                yield _of_sizes(records, labels, paper=self.paper)
            elif measure == GROWTH and _values(records, "growth"):
                yield _of_growth(records, labels)

    @property
    def paper(self) -> bool:
        """Whether the measures are computed as in the table of the paper."""
        return bool(self.settings["preset"] == "paper")


def _of_mixtures(records: Sequence[Record], k: int, labels: dict[str, Any], *, paper: bool) -> Repeated:
    runs = _by_repetition(records, k)
    levels = np.array([j - i for i, j in pairs_of(k)])
    straight = [correlation(levels, run) for run in runs]
    notes = _notes(records, ("distance",))
    if undefined := sum(int(np.isnan(run).sum()) for run in runs):
        notes.append(f"{undefined:,} of {sum(map(len, runs)):,} distances are undefined.")
    elif all((run == run[0]).all() for run in runs):
        notes.append(CONSTANT)
    # A part of a metric may be a similarity; the metric itself is assumed to be a distance.
    if mean_of(straight) < 0 and labels["part"]:
        runs, straight = [-run for run in runs], [-r for r in straight]
        notes.append(NEGATIVE)
    elif mean_of(straight) < 0:
        notes.append(
            "It falls as corpora get farther apart. Add `,reverse=yes` to a function that is a similarity."
        )
    labels = {**labels, "notes": notes}
    measure = labels["measure"]
    if measure == "monotonicity":
        return Repeated.over([monotonicity(levels, run) for run in runs], **labels)
    if measure == "separability":
        return Repeated.over([separability(levels, run) for run in runs], **labels)
    if measure == "linearity":
        values = straight if paper else [linearity(levels, run) for run in runs]
        return Repeated.over(values, **labels, parts=_beside(r=straight))
    expected = judgements(k, repeated=paper)
    accuracies = [accuracy(run, expected) for run in runs]
    weighted = measure == "weighted_accuracy"
    strict = [each.strict_weighted if weighted else each.strict for each in accuracies]
    values = strict if paper else [each.weighted if weighted else each.plain for each in accuracies]
    ties = mean_of([each.ties for each in accuracies])
    parts = {"judgements": expected.count, "ties": ties, **_beside(strict=strict)}
    return Repeated.over(values, **labels, parts=parts)


def _of_sizes(records: Sequence[Record], labels: dict[str, Any], *, paper: bool) -> Repeated:
    kind = "size" if labels["measure"] == "size_robustness" else "imbalance"
    largest = _values(records, "asymptote")
    # Undefined if one value is: the mean of the others would be another distance.
    asymptote = math.fsum(largest) / len(largest)
    values = {
        (_whole(record, "repetition"), _whole(record, "size")): number(record, "value")
        for record in records
        if record["kind"] == kind
    }
    relative = not (paper and kind == "imbalance")
    notes = _notes(records, (kind, "asymptote"))
    if asymptote == 0 and relative:
        notes.append("Undefined: the distance of the largest corpora is 0, and errors are relative to it.")
    values_by_repetition = robustness(values, asymptote, relative=relative)
    return Repeated.over(values_by_repetition, **labels, parts={"asymptote": asymptote}, notes=notes)


def _of_growth(records: Sequence[Record], labels: dict[str, Any]) -> Repeated:
    seconds = {
        _whole(record, "size"): number(record, "value") for record in records if record["kind"] == "growth"
    }
    exponent = growth.exponent(seconds)
    notes = _notes(records, ("growth",))
    if math.isnan(exponent):
        notes.append(f"Undefined: an exponent needs three sizes of at least {growth.FITTED_FROM:,} texts.")
    seconds_by_size = {f"seconds_{size}": time for size, time in seconds.items() if not math.isnan(time)}
    return Repeated(Finding(**labels, mean=exponent, parts=seconds_by_size, notes=tuple(notes)), [exponent])


def _beside(**runs: Sequence[float]) -> dict[str, float]:
    """Return the mean and the standard deviation of other definitions of a measure."""
    findings = {name: Finding.over(values, metric="", measure=name) for name, values in runs.items()}
    means = {name: finding.mean for name, finding in findings.items()}
    return means | {f"{name}_std": finding.std for name, finding in findings.items()}


def _by_repetition(records: Sequence[Record], k: int) -> list[Reals]:
    """Return the distances of each repetition, in the order of `pairs_of`; NaN if missing."""
    runs: dict[int, dict[tuple[int, int], float]] = {}
    for record in records:
        if record["kind"] == "distance":
            pair = _whole(record, "i"), _whole(record, "j")
            runs.setdefault(_whole(record, "repetition"), {})[pair] = number(record, "value")
    pairs = [(i + 1, j + 1) for i, j in pairs_of(k)]
    return [np.array([run.get(pair, math.nan) for pair in pairs]) for run in runs.values()]


def _notes(records: Sequence[Record], kinds: Sequence[str]) -> list[str]:
    """Return the first note of records of these kinds."""
    return [str(record["note"]) for record in records if record["kind"] in kinds and record["note"]][:1]


def _values(records: Sequence[Record], kind: str) -> list[float]:
    return [number(record, "value") for record in records if record["kind"] == kind]


def _whole(record: Record, column: str) -> int:
    return int(number(record, column))
