"""`Studies`: the studies that a server was started with, found by the secrets of links."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fastapi import Request

from distinctly.errors import DistinctlyError
from distinctly.studies.live import LiveState, live_state
from distinctly.studies.model import AnswerError
from distinctly.studies.store import StudyStore
from distinctly.web.refusals import RefusalError

# Longer secrets are not looked up; those of `distinctly study new` have 32 characters.
LONGEST_TOKEN = 200


@dataclass
class ServedStudy:
    """A study, and its state as it was last computed."""

    store: StudyStore
    _state: LiveState | None = None

    def save(self, annotator: str, answer: dict[str, object]) -> None:
        """Store an answer from a client; it is on the disk when this returns.

        Raises
        ------
        AnswerError
            If it is not an answer to a set of this annotator.
        ResourceError
            If the disk is full or cannot be written.
        """
        place, column = _number(answer, "package"), _number(answer, "column")
        score = self.store.check_score(answer.get("score"))
        key = _text(answer, "key")
        self.store.save(annotator, place, column, score, key)

    def comment(self, annotator: str, comment: dict[str, object]) -> None:
        """Store a comment from a client on a package; it is on the disk when this returns."""
        place, text, key = _number(comment, "package"), _text(comment, "text"), _text(comment, "key")
        self.store.comment(annotator, place, text, key)

    def state(self) -> LiveState:
        """Return what the owner sees, which is computed again if there are new answers."""
        known, count = self._state, self.store.last_answer()
        if known is None or not known.is_current(count):
            known = self._state = live_state(self.store)
        return known


class Studies:
    """The studies of a server.

    Parameters
    ----------
    paths
        The files of the studies.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.served = [ServedStudy(StudyStore(path)) for path in paths]

    def annotator(self, token: str) -> tuple[ServedStudy, str] | None:
        """Return the study and the name of the annotator with this secret; None if there is none."""
        with _readable():
            for study in self.served if len(token) <= LONGEST_TOKEN else ():
                name = study.store.annotator_of(token)
                if name is not None:
                    return study, name
        return None

    def owner(self, token: str) -> ServedStudy | None:
        """Return the study whose owner has this secret; None if there is none."""
        with _readable():
            for study in self.served if len(token) <= LONGEST_TOKEN else ():
                if study.store.owner_of(token):
                    return study
        return None

    def close(self) -> None:
        """Close the files."""
        for study in self.served:
            study.store.close()


@contextlib.contextmanager
def _readable() -> Iterator[None]:
    """Refuse a request, instead of failing, while the file of a study cannot be read."""
    try:
        yield
    except DistinctlyError:  # whose message names a file of this machine
        raise RefusalError(
            503, "This cannot be read at the moment. Try again later.", {"Retry-After": "5"}
        ) from None


def studies_of(request: Request) -> Studies:
    """Return the studies of the server."""
    studies: Studies = request.app.state.studies
    return studies


def _number(values: dict[str, object], name: str) -> int:
    value = values.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise AnswerError(f"Expected `{name}` to be a whole number.")
    return value


def _text(values: dict[str, object], name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise AnswerError(f"Expected `{name}` to be a text.")
    return value
