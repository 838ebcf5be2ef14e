"""What the owner of a study sees while it is running: progress, agreement so far, and means of methods."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

import numpy as np

from distinctly.judging.people.annotations import Agreement, consensus
from distinctly.studies.model import Answer, Progress
from distinctly.studies.store import StudyStore

# The number of hours of which the answers are counted, and the number of seconds after which the counts,
# which depend on the time of day, are computed again.
HOURS = 24
COUNTS_FOR = 60.0


@dataclass(frozen=True)
class MethodMean:
    """The mean of the scores of a method so far, as they were given; None if there are none."""

    method: str
    mean: float | None
    scores: int


@dataclass(frozen=True)
class LiveState:
    """The state of a study at one time.

    Attributes
    ----------
    last_answer
        The number of the latest answer.
    computed
        When it was computed, in seconds.
    progress
        How far each annotator has come.
    agreement
        The agreement of each annotator who has answered with the others.
    hours
        The number of answers in each of the last hours; the present hour is the last.
    per_annotator
        The number of answers of each annotator within the last 60 minutes.
    answers, changed
        The number of all answers, and how many of them were replaced by later ones.
    methods
        The mean score of each method.
    comments
        The number of comments.
    """

    last_answer: int
    computed: float
    progress: Sequence[Progress]
    agreement: dict[str, Agreement]
    hours: Sequence[int]
    per_annotator: dict[str, int]
    answers: int
    changed: int
    methods: Sequence[MethodMean]
    comments: int

    def is_current(self, last_answer: int) -> bool:
        """Return whether nothing has changed since."""
        return self.last_answer == last_answer and time.monotonic() - self.computed < COUNTS_FOR


def live_state(study: StudyStore) -> LiveState:
    """Compute the state of a study from its answers."""
    answers = study.answers()
    latest = [answer for answer in answers if answer.latest]
    now = datetime.now(timezone.utc)
    times = [datetime.fromisoformat(answer.time) for answer in answers]
    recent: dict[str, int] = {}
    for answer, saved in zip(answers, times):
        if now - saved < timedelta(hours=1):
            recent[answer.annotator] = recent.get(answer.annotator, 0) + 1
    return LiveState(
        answers[-1].number if answers else 0,
        time.monotonic(),
        study.progress(),
        _agreement(latest),
        _per_hour(times, now),
        recent,
        len(answers),
        len(answers) - len(latest),
        _means(study.methods, latest),
        len(study.comments()),
    )


def _agreement(answers: Sequence[Answer]) -> dict[str, Agreement]:
    by_set: dict[int, dict[str, float]] = {}
    for answer in answers:
        by_set.setdefault(answer.set, {})[answer.annotator] = answer.score
    return dict(consensus(list(by_set.values()), least_agreement=None).agreement) if by_set else {}


def _per_hour(times: Sequence[datetime], now: datetime) -> list[int]:
    present = now.replace(minute=0, second=0, microsecond=0)
    counts = [0] * HOURS
    for saved in times:
        ago = (present - saved.replace(minute=0, second=0, microsecond=0)) // timedelta(hours=1)
        if 0 <= ago < HOURS:
            counts[HOURS - 1 - ago] += 1
    return counts


def _means(methods: Sequence[str], answers: Sequence[Answer]) -> list[MethodMean]:
    scores: dict[str, list[float]] = {method: [] for method in methods}
    for answer in answers:
        scores[answer.method].append(answer.score)
    return [
        MethodMean(method, float(np.mean(values)) if values else None, len(values))
        for method, values in scores.items()
    ]
