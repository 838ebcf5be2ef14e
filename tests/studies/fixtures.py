"""Small studies for the tests of this folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from distinctly.studies.model import Package, StudyPlan
from distinctly.studies.store import StudyStore


def small_plan(
    methods: Sequence[str] = ("alpha", "beta", "gamma"),
    packages: int = 6,
    annotators: Sequence[str] = ("ann", "bob"),
    per_set: int = 2,
) -> StudyPlan:
    """Return a plan whose texts name no method: the text of a set is its number and that of the response."""
    return StudyPlan(
        title="A title",
        instructions="Score the sets.",
        question="How diverse?",
        low=1,
        high=50,
        packages=[
            Package(
                {
                    method: [f"text {package * len(methods) + place} {number}" for number in range(per_set)]
                    for place, method in enumerate(methods)
                },
                [f"prompt {package} {number}" for number in range(per_set)],
            )
            for package in range(packages)
        ],
        annotators=annotators,
        seed=3,
    )


def small_study(folder: Path, **options: object) -> tuple[StudyStore, dict[str, str]]:
    """Create a small study in a folder."""
    plan = small_plan(**options)  # type: ignore[arg-type]
    return StudyStore.create(folder / "small.study", plan)
