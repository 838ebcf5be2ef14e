"""The contents of a study as flat rows: answers, sets with their scores, and comments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from distinctly.studies.store import StudyStore

Rows = list[dict[str, Any]]


def answer_rows(study: StudyStore, *, every: bool = False) -> Rows:
    """Return one row per answer: the latest of each annotator and set, or all of them."""
    return [
        {
            "answer": answer.number,
            "annotator": answer.annotator,
            "package": answer.package,
            "set": answer.set,
            "method": answer.method,
            "score": answer.score,
            "time": answer.time,
            **({"latest": answer.latest} if every else {}),
        }
        for answer in study.answers(every=every)
    ]


def set_rows(study: StudyStore) -> Rows:
    """Return one row per set, with its texts and the score of each annotator, as `judge people` reads it."""
    by_set: dict[int, dict[str, float]] = {}
    for answer in study.answers(every=False):
        by_set.setdefault(answer.set, {})[answer.annotator] = answer.score
    return [
        {
            "set": each.set,
            "package": each.package,
            "method": each.method,
            "texts": list(each.texts),
            "prompts": list(each.prompts),
            "scores": by_set.get(each.set, {}),
        }
        for each in study.sets()
    ]


def comment_rows(study: StudyStore) -> Rows:
    """Return one row per comment."""
    return [
        {
            "annotator": comment.annotator,
            "package": comment.package,
            "text": comment.text,
            "time": comment.time,
        }
        for comment in study.comments()
    ]


# What can be exported, by the name of the option.
CONTENTS: Mapping[str, Callable[[StudyStore], Rows]] = {
    "answers": answer_rows,
    "sets": set_rows,
    "comments": comment_rows,
}
# The columns of each, which are written even if there are no rows.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "answers": ("answer", "annotator", "package", "set", "method", "score", "time"),
    "sets": ("set", "package", "method", "texts", "prompts", "scores"),
    "comments": ("annotator", "package", "text", "time"),
}
