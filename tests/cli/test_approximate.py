"""`distinctly measure --approximate`."""

from __future__ import annotations

import json

import pytest
from tests.cli.fixtures import Run, Save

import distinctly as dy

LINES = "".join(f"the word {i % 40} of line {i % 300}\n" for i in range(1000))


def test_table_gates_and_top(command: Run, save: Save) -> None:
    path = save("texts.txt", LINES)
    result = command("measure", path, "--approximate", "--top", 2, "--require", "distinct:n=1<0.1")
    assert result.returncode == 0, result.stderr
    assert "distinct:n=2,approximate=yes" in result.stdout
    assert "entropy" not in result.stdout
    assert "±" in result.stdout
    assert "1,000 × of line" in result.stdout
    assert "not of sampling" in result.stdout
    failed = command("measure", path, "--approximate", "--require", "distinct:n=1>0.1")
    assert failed.returncode == 1
    assert "distinct:n=1,approximate=yes is 0.0" in failed.stderr


def test_json_has_bounds_and_a_signature_that_reproduces(command: Run, save: Save) -> None:
    path = save("texts.txt", LINES)
    printed = json.loads(
        command("measure", path, "--approximate", "-m", "types:n=2", "--top", 1, "--format", "json").stdout
    )
    (score,) = printed["scores"]
    (again,) = dy.measure(path, signature=score["signature"])
    assert (again.value, again.low, again.high) == (score["value"], score["low"], score["high"])
    # Every line has "the word" and "of line" once; the first in alphabetical order is listed.
    (listed,) = printed["corpora"][0]["top"]
    assert listed["ngrams"] == [{"text": "of line", "count": 1000, "low": 1000, "high": 1000}]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-m", "entropy"], "leave out --approximate"),
        (["--interval"], "not of sampling"),
        (["--per-text"], "--approximate is about a corpus as a whole"),
        (["--group", "prompt"], "groups of texts"),
    ],
)
def test_what_cannot_be_approximate(command: Run, save: Save, options: list[str], problem: str) -> None:
    lines = [{"text": line, "prompt": i // 2} for i, line in enumerate(LINES.splitlines())]
    path = save("texts.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    result = command("measure", path, "--field", "text", "--approximate", *options)
    assert result.returncode == 2
    assert problem.lower() in result.stderr.lower()
