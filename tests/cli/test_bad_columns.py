"""Prompts, quality, classes and corpora that are missing or wrong: one line with the remedy, no output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.fixtures import Run, Save

pytestmark = pytest.mark.slow  # a process per test

GOOD: dict[str, Any] = {"text": "a b", "prompt": "x", "score": 1, "class": 0}
LISTS: dict[str, Any] = {"text": ["a b", "c d", "e f"], "prompt": "x", "score": [1, 2, 3], "class": [0, 1, 1]}
PROMPT = ("--prompt", "prompt", "-m", "distinct:n=1")
QUALITY = ("--quality", "score", "--at-least", "1", "-m", "distinct:n=1")
UTILITY = ("--prompt", "prompt", "--quality", "score", "-m", "utility")
CLASSES = ("--prompt", "prompt", "--partition", "class", "-m", "answers:by=partition")
# The second row of a file, the options, and the error.
CASES: dict[str, tuple[dict[str, Any], tuple[str, ...], str]] = {
    "a prompt that is null": (
        {**GOOD, "prompt": None},
        PROMPT,
        "the prompt is missing (null). Fill it in, or read the texts without --prompt (Python: prompt=).",
    ),
    "a row without a prompt": (
        {"text": "c d"},
        PROMPT,
        "Unknown field 'prompt'. Fields: text. Choose one with --prompt (Python: prompt=), or add it to this "
        "row.",
    ),
    "a list of prompts": (
        {**LISTS, "prompt": ["x", "y", "z"]},
        PROMPT,
        "expected the prompt to be text, got a list of text (['x', 'y', 'z']). Write one prompt per row, as "
        "a string, or name another field with --prompt (Python: prompt=).",
    ),
    "a quality that is text": (
        {**GOOD, "score": "good"},
        QUALITY,
        "expected the quality to be a number, got text ('good'). Name a field of numbers with --quality "
        "(Python: quality=).",
    ),
    "a quality in a list that is text": (
        {**LISTS, "score": [1, 2, "good"]},
        UTILITY,
        "expected the quality to be a number, got text ('good'). Name a field of numbers with --quality "
        "(Python: quality=).",
    ),
    "a list of quality that is too long": (
        {**LISTS, "score": [1, 2, 3, 4]},
        UTILITY,
        "expected the quality of 3 texts to be a list of 3 values, got 4. Give one value per text.",
    ),
    "a partition that is too short": (
        {**LISTS, "class": [0, 1]},
        CLASSES,
        "expected the partition of 3 texts to be a list of 3 values, got 2. Give one value per text.",
    ),
    "a class that is null": (
        {**GOOD, "class": None},
        CLASSES,
        "expected the partition to be a word or a number, got nothing (null). Fill it in, or name another "
        "field with --partition (Python: partition=).",
    ),
    "a corpus that is null": (
        {**GOOD, "prompt": None},
        ("--by", "prompt", "--relative-to", "x", "-m", "distinct:n=1"),
        "expected the field to split by to be a word or a number, got nothing (null). Fill it in, or name "
        "another field with --by (Python: by=).",
    ),
}


def check(command: Run, folder: Path, *arguments: str) -> str:
    """Return the error of a command, which writes one line and no file."""
    done = command("measure", *arguments, "-o", "scores.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("distinctly: error: ")
    assert done.stderr.count("\n") == 1
    assert not (folder / "scores.json").exists()
    return str(done.stderr).removeprefix("distinctly: error: ").rstrip("\n")


@pytest.mark.parametrize("case", CASES)
def test_values_beside_the_texts(command: Run, save: Save, tmp_path: Path, case: str) -> None:
    row, options, message = CASES[case]
    first = LISTS if isinstance(row["text"], list) else GOOD
    save("rows.jsonl", "".join(json.dumps(each) + "\n" for each in (first, row, first)))
    assert check(command, tmp_path, "rows.jsonl", *options) == f"rows.jsonl, line 2: {message}"


def test_quality_of_a_table(command: Run, save: Save, tmp_path: Path) -> None:
    save("rows.csv", "text,score\na b,1\nc d,good\n")
    error = check(command, tmp_path, "rows.csv", *QUALITY)
    assert error.startswith("rows.csv, line 3: expected the quality to be a number, got text ('good').")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("human.txt", "", "the file is empty"),
        ("human.jsonl", "", "the file is empty"),
        ("human.csv", "text,prompt\n", "the file has only a header"),
        ("human.json", "[]", "the file has only an empty array"),
    ],
)
def test_people_without_texts(
    command: Run, save: Save, tmp_path: Path, name: str, content: str, problem: str
) -> None:
    save("rows.jsonl", json.dumps(GOOD) + "\n")
    save(name, content)
    error = check(command, tmp_path, "rows.jsonl", "--relative-to", name, "-m", "distinct:n=1")
    assert error == f"{name}: {problem}: no text to measure."
