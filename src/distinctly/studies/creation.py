"""A new study file: its sets, its people with their secrets, and the order of each annotator."""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import sqlite3
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from distinctly.errors import InputError, SpecError
from distinctly.studies.balance import column_orders, package_order
from distinctly.studies.database import creating
from distinctly.studies.model import OWNER, StudyPlan
from distinctly.version import __version__

TOKEN_BYTES = 24


def write_study(path: Path, plan: StudyPlan) -> dict[str, str]:
    """Write a new study, and return the secret token of each annotator and of the owner."""
    _check_plan(plan)
    names = [*plan.annotators, OWNER]
    tokens = {name: secrets.token_urlsafe(TOKEN_BYTES) for name in names}
    settings = {
        "title": plan.title,
        "instructions": plan.instructions,
        "question": plan.question,
        "example": plan.example,
        "language": plan.language,
        "low": plan.low,
        "high": plan.high,
        "seed": plan.seed,
        "source": plan.source,
        "notes": list(plan.notes),
        "identity": secrets.token_hex(8),
        "created": now(),
        "version": __version__,
    }
    methods = list(plan.packages[0].sets)
    with creating(path) as connection:
        connection.executemany(
            "INSERT INTO settings VALUES (?, ?)",
            [(name, json.dumps(value)) for name, value in settings.items()],
        )
        connection.executemany("INSERT INTO methods VALUES (?, ?)", enumerate(methods, 1))
        number = 0
        for place, package in enumerate(plan.packages, 1):
            connection.execute(
                "INSERT INTO packages VALUES (?, ?)", (place, json.dumps(list(package.prompts)))
            )
            for method, name in enumerate(methods, 1):
                number += 1
                row = number, place, method, json.dumps(list(package.sets[name]))
                connection.execute("INSERT INTO sets VALUES (?, ?, ?, ?)", row)
        for name, token in tokens.items():
            role = "owner" if name == OWNER else "annotator"
            add_person(connection, name, role, token)
        for place, name in enumerate(plan.annotators):
            add_columns(connection, name, place, plan.seed)
    return tokens


def add_person(
    connection: sqlite3.Connection, name: str, role: str, token: str, *, simulated: bool = False
) -> None:
    """Store a person with the hash of a token."""
    connection.execute(
        "INSERT INTO people (name, role, token_hash, simulated) VALUES (?, ?, ?, ?)",
        (name, role, hashed(token), int(simulated)),
    )


def add_columns(connection: sqlite3.Connection, name: str, place: int, seed: int) -> None:
    """Store the order of packages and columns of an annotator."""
    (person,) = connection.execute("SELECT id FROM people WHERE name = ?", (name,)).fetchone()
    rows = connection.execute("SELECT id, package, method FROM sets ORDER BY id").fetchall()
    by_position = {(package - 1, method - 1): number for number, package, method in rows}
    packages = max(package for _, package, _ in rows)
    methods = len(rows) // packages
    orders = column_orders(methods, packages, place, seed)
    connection.executemany(
        "INSERT INTO columns VALUES (?, ?, ?, ?)",
        [
            (person, position, column, by_position[int(package), method])
            for position, package in enumerate(package_order(packages, place, seed), 1)
            for column, method in enumerate(orders[package], 1)
        ],
    )


def _check_plan(plan: StudyPlan) -> None:
    if not plan.packages:
        raise InputError("expected at least one package, got none.")
    if not (math.isfinite(plan.low) and math.isfinite(plan.high) and plan.low < plan.high):
        raise SpecError(
            f"Expected a scale from a lower score to a higher one, got {plan.low:g} to {plan.high:g}."
        )
    if not plan.annotators:
        raise SpecError("Expected at least one annotator, got none.")
    check_names(plan.annotators)


def check_names(names: Sequence[str]) -> None:
    """Raise if a name of an annotator is empty, too long, that of the owner, or given twice."""
    for name in names:
        if not name.strip() or not name.isprintable() or len(name) > 100 or name == OWNER:
            raise SpecError(
                f"Expected a name of an annotator, not empty and not '{OWNER}', got '{name:.100}'."
            )
        if list(names).count(name) > 1:
            raise SpecError(f"Expected annotators of different names, got '{name}' twice.")


def hashed(token: str) -> str:
    """Return what is stored of a secret token, which has too many bits to be guessed from its hash."""
    return hashlib.sha256(token.encode("utf-8", "backslashreplace")).hexdigest()


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds")
