"""`StudyStore`: a study in one file: sets of texts, annotators with secret links, and every answer.

Annotators are addressed by their names, which `annotator_of` returns for the secret part of a link. What they
are shown contains nothing about methods. Answers are appended and never changed; the latest one of each
annotator and set counts.
"""

from __future__ import annotations

import hmac
import json
import math
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from distinctly.errors import unknown
from distinctly.studies.creation import (
    TOKEN_BYTES,
    add_columns,
    add_person,
    check_names,
    hashed,
    now,
    write_study,
)
from distinctly.studies.database import Database
from distinctly.studies.model import (
    OWNER,
    Answer,
    AnswerError,
    Comment,
    NewAnswer,
    PlaceState,
    Progress,
    ShownPackage,
    ShownSet,
    StudyPlan,
    StudySet,
)

# The longest key of a request, and the longest comment, in characters.
LONGEST_KEY, LONGEST_COMMENT = 200, 10_000


class StudyStore:
    """A study file; safe for several threads and processes at once.

    Parameters
    ----------
    path
        A file that `create` has written.

    Attributes
    ----------
    title, instructions, question, example, language
        What annotators read; see `StudyPlan`.
    low, high
        The ends of the scale.
    methods
        The names of the methods, which annotators must not see.
    notes
        Notes on the design.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._database = Database(path)
        with self._database.reading() as connection:
            settings = dict(connection.execute("SELECT name, value FROM settings"))
            self.methods = [name for (name,) in connection.execute("SELECT name FROM methods ORDER BY id")]
        self._settings: dict[str, Any] = {name: json.loads(value) for name, value in settings.items()}
        self.title, self.instructions, self.question, self.example, self.language = (
            str(self._settings[name]) for name in ("title", "instructions", "question", "example", "language")
        )
        self.low, self.high = float(self._settings["low"]), float(self._settings["high"])
        self.identity = str(self._settings["identity"])
        self.source = str(self._settings["source"])
        self.notes: tuple[str, ...] = tuple(self._settings["notes"])

    @classmethod
    def create(cls, path: str | Path, plan: StudyPlan) -> tuple[StudyStore, dict[str, str]]:
        """Write a new study, and return it with the secret token of each annotator and of the owner.

        Only a hash of each token is stored, so this is the only time that they are known.
        """
        tokens = write_study(Path(path), plan)
        return cls(path), tokens

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> StudyStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def annotators(self) -> list[str]:
        """The names of the annotators."""
        with self._database.reading() as connection:
            query = "SELECT name FROM people WHERE role = 'annotator' ORDER BY id"
            return [name for (name,) in connection.execute(query)]

    def annotator_of(self, token: str) -> str | None:
        """Return the name of the annotator with this secret token; None if there is none."""
        return self._person(token, "annotator")

    def owner_of(self, token: str) -> bool:
        """Return whether this is the secret token of the owner."""
        return self._person(token, "owner") is not None

    def renew(self, name: str) -> str:
        """Give an annotator, or the owner, a new token; the previous link no longer works."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._database.writing() as connection:
            changed = connection.execute(
                "UPDATE people SET token_hash = ? WHERE name = ?", (hashed(token), name)
            ).rowcount
        if not changed:
            raise unknown("annotator", name, [*self.annotators, OWNER])
        return token

    def add_annotator(self, name: str, *, simulated: bool = False) -> str:
        """Add an annotator, who sees all packages, and return the secret token."""
        check_names([*self.annotators, name])
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self._database.writing() as connection:
            count = connection.execute("SELECT count(*) FROM people WHERE role = 'annotator'").fetchone()[0]
            add_person(connection, name, "annotator", token, simulated=simulated)
            add_columns(connection, name, int(count), int(self._settings["seed"]))
        return token

    def mark_simulated(self, names: Iterable[str]) -> None:
        """Note that the answers of these annotators are simulated."""
        with self._database.writing() as connection:
            connection.executemany(
                "UPDATE people SET simulated = 1 WHERE name = ?", [(name,) for name in names]
            )

    def packages_of(self, annotator: str) -> list[PlaceState]:
        """Return the places of an annotator's packages in their order, with what has been scored."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT place, sum(EXISTS (
                    SELECT 1 FROM answers
                    WHERE answers.annotator = columns.annotator AND answers.set_id = columns.set_id
                )), count(*)
                FROM columns WHERE annotator = ? GROUP BY place ORDER BY place
                """,
                (self._id_of(connection, annotator),),
            )
            return [PlaceState(*row) for row in rows]

    def shown(self, annotator: str, place: int) -> ShownPackage:
        """Return what an annotator sees at a place, from 1: sets in columns, without their methods."""
        with self._database.reading() as connection:
            person = self._id_of(connection, annotator)
            _check_place(place)
            rows = connection.execute(
                """
                SELECT number, texts, (
                    SELECT score FROM answers WHERE answers.annotator = columns.annotator
                    AND answers.set_id = columns.set_id ORDER BY answers.id DESC LIMIT 1
                )
                FROM columns JOIN sets ON sets.id = set_id
                WHERE annotator = ? AND place = ? ORDER BY number
                """,
                (person, place),
            ).fetchall()
            places = connection.execute(
                "SELECT count(DISTINCT place) FROM columns WHERE annotator = ?", (person,)
            ).fetchone()[0]
            if not rows:
                raise AnswerError(f"Expected a package from 1 to {places}, got {place}.")
            comment = connection.execute(
                "SELECT text FROM comments WHERE annotator = ? AND package = ? ORDER BY id DESC LIMIT 1",
                (person, _package_at(connection, person, place)),
            ).fetchone()
        sets = [ShownSet(number, f"Set {number}", json.loads(texts), score) for number, texts, score in rows]
        return ShownPackage(place, places, sets, comment[0] if comment else "")

    def save(self, annotator: str, place: int, column: int, score: float, key: str) -> int:
        """Store an answer, and return its number when it is on the disk.

        Parameters
        ----------
        annotator
            The name of the annotator.
        place, column
            The place of the package in the annotator's order and the column of the set, both from 1.
        score
            A number within the scale.
        key
            A text that the client chooses anew for each answer. If a request is repeated with the same key,
            the answer is stored once.

        Raises
        ------
        AnswerError
            If the score is outside the scale, there is no such set, or the key was used for another answer.
        ResourceError
            If the disk is full or cannot be written; nothing was stored then.
        """
        return self.save_all([NewAnswer(annotator, place, column, score, key)])[0]

    def save_all(self, answers: Sequence[NewAnswer]) -> list[int]:
        """Store several answers, all or none; see `save`."""
        with self._database.writing() as connection:
            return [self._insert(connection, answer) for answer in answers]

    def check_score(self, score: object) -> float:
        """Return a score as a number; raise if it is not a number within the scale."""
        number = score if isinstance(score, (int, float)) and not isinstance(score, bool) else math.nan
        if self.low <= number <= self.high:
            return float(number)
        shown = f"{number:g}" if abs(number) < 1e9 else "another value"
        raise AnswerError(f"Expected a score from {self.low:g} to {self.high:g}, got {shown}.")

    def comment(self, annotator: str, place: int, text: str, key: str) -> int:
        """Store a comment on the package at a place, and return its number; the latest one counts."""
        _check_key(key)
        if not isinstance(text, str) or len(text) > LONGEST_COMMENT:
            raise AnswerError(f"Expected a comment of at most {LONGEST_COMMENT:,} characters.")
        with self._database.writing() as connection:
            person = self._id_of(connection, annotator)
            _check_place(place)
            package = _package_at(connection, person, place)
            if package is None:
                raise AnswerError(f"There is no package {place}.")
            values = person, package, text.encode("utf-8", "replace").decode(), now(), key
            return _insert_once(connection, "comments", ("package", "text"), values)

    def progress(self) -> list[Progress]:
        """Return how far each annotator has come."""
        with self._database.reading() as connection:
            people = connection.execute(
                "SELECT name, simulated FROM people WHERE role = 'annotator' ORDER BY id"
            ).fetchall()
            times = connection.execute(
                "SELECT name, max(time) FROM answers JOIN people ON people.id = annotator GROUP BY annotator"
            )
            last = dict(times.fetchall())
        progress = []
        for name, simulated in people:
            places = self.packages_of(name)
            progress.append(
                Progress(
                    name,
                    sum(place.scored for place in places),
                    sum(place.sets for place in places),
                    sum(place.complete for place in places),
                    len(places),
                    last.get(name, ""),
                    bool(simulated),
                )
            )
        return progress

    def answers(self, *, every: bool = True) -> list[Answer]:
        """Return all answers in the order of saving; if not `every`, the latest one of each set."""
        with self._database.reading() as connection:
            rows = connection.execute(
                """
                SELECT answers.id, people.name, sets.package, sets.id, methods.name, score, time, key,
                    answers.id = max(answers.id) OVER (PARTITION BY annotator, set_id)
                FROM answers JOIN people ON people.id = annotator JOIN sets ON sets.id = set_id
                JOIN methods ON methods.id = sets.method ORDER BY answers.id
                """
            )
            answers = [
                Answer(number, annotator, package, set_number, method, score, time, key, bool(latest))
                for number, annotator, package, set_number, method, score, time, key, latest in rows
            ]
        return [answer for answer in answers if every or answer.latest]

    def last_answer(self) -> int:
        """Return the number of the latest answer; 0 if there is none."""
        with self._database.reading() as connection:
            return int(connection.execute("SELECT coalesce(max(id), 0) FROM answers").fetchone()[0])

    def comments(self) -> list[Comment]:
        """Return all comments in the order of saving."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT name, package, text, time FROM comments JOIN people ON people.id = annotator "
                "ORDER BY comments.id"
            )
            return [Comment(*row) for row in rows]

    def sets(self) -> list[StudySet]:
        """Return all sets with their methods, for the owner."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT sets.id, package, name, texts, prompts FROM sets JOIN methods ON methods.id = method "
                "JOIN packages ON packages.id = package ORDER BY sets.id"
            )
            return [
                StudySet(number, package, method, json.loads(texts), json.loads(prompts))
                for number, package, method, texts, prompts in rows
            ]

    def columns_of(self, annotator: str) -> dict[tuple[int, int], int]:
        """Return the number of the set at each place and column of an annotator, for the owner."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT place, number, set_id FROM columns WHERE annotator = ?",
                (self._id_of(connection, annotator),),
            )
            return {(place, column): number for place, column, number in rows}

    def _person(self, token: str, role: str) -> str | None:
        wanted = hashed(token)
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT name, token_hash FROM people WHERE token_hash = ? AND role = ?", (wanted, role)
            ).fetchone()
        if row is None or not hmac.compare_digest(row[1], wanted):
            return None
        return str(row[0])

    def _id_of(self, connection: sqlite3.Connection, annotator: str) -> int:
        row = connection.execute(
            "SELECT id FROM people WHERE name = ? AND role = 'annotator'", (annotator,)
        ).fetchone()
        if row is None:
            raise AnswerError(f"There is no annotator '{annotator}'.")
        return int(row[0])

    def _insert(self, connection: sqlite3.Connection, answer: NewAnswer) -> int:
        score = self.check_score(answer.score)
        _check_key(answer.key)
        _check_place(answer.place, answer.column)
        person = self._id_of(connection, answer.annotator)
        row = connection.execute(
            "SELECT set_id FROM columns WHERE annotator = ? AND place = ? AND number = ?",
            (person, answer.place, answer.column),
        ).fetchone()
        if row is None:
            raise AnswerError(f"There is no set {answer.column} in package {answer.place}.")
        values = person, row[0], score, now(), answer.key
        return _insert_once(connection, "answers", ("set_id", "score"), values)


def _insert_once(
    connection: sqlite3.Connection, table: str, names: tuple[str, str], values: tuple[Any, ...]
) -> int:
    """Append a row, or return the number of the one with the same key; another content is an error."""
    person, subject, content, _, key = values
    known = connection.execute(
        f"SELECT id, {names[0]}, {names[1]} FROM {table} WHERE annotator = ? AND key = ?",  # noqa: S608
        (person, key),
    ).fetchone()
    if known is not None:
        if tuple(known[1:]) != (subject, content):
            raise AnswerError("The key of the request was used before, for another answer.")
        return int(known[0])
    columns = f"annotator, {names[0]}, {names[1]}, time, key"
    cursor = connection.execute(f"INSERT INTO {table} ({columns}) VALUES (?, ?, ?, ?, ?)", values)  # noqa: S608
    return int(cursor.lastrowid or 0)


def _package_at(connection: sqlite3.Connection, person: int, place: int) -> int | None:
    row = connection.execute(
        "SELECT package FROM columns JOIN sets ON sets.id = set_id WHERE annotator = ? AND place = ?",
        (person, place),
    ).fetchone()
    return None if row is None else int(row[0])


def _check_key(key: object) -> None:
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
        raise AnswerError(f"Expected a key of 1 to {LONGEST_KEY} printable characters for the request.")


def _check_place(*numbers: object) -> None:
    """Raise if a place or a column is not a number that can exist."""
    for number in numbers:
        if isinstance(number, bool) or not isinstance(number, int) or not 0 < number < 2**31:
            raise AnswerError(f"Expected the number of a package or a set, got {number!r:.40}.")
