"""The options of `words`, and the words that lexical richness counts, through the command."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

Command = Callable[..., "subprocess.CompletedProcess[str]"]
# 6 words of which 4 differ in lower case (the, cat, saw, 2), and 3 signs.
TEXT = "The cat saw the cat: 2!?"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    (tmp_path / "texts.txt").write_text(f"{TEXT}\n", encoding="utf-8")
    (tmp_path / "stop.txt").write_text("The\n", encoding="utf-8")
    return tmp_path


def scores(command: Command, *arguments: str) -> list[dict[str, Any]]:
    done = command("measure", "texts.txt", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    documents: list[dict[str, Any]] = json.loads(done.stdout)["scores"]
    return documents


@pytest.mark.parametrize(
    ("arguments", "value", "tokenizer"),
    [
        (["-m", "ttr"], 4 / 6, "words,lc:yes,punct:no"),
        (["-m", "ttr:of=words"], 8 / 9, "words,lc:no"),
        (["-m", "ttr", "--tokenizer", "words"], 8 / 9, "words,lc:no"),
        (["-m", "ttr", "--tokenizer", "words:punct=no"], 5 / 6, "words,lc:no,punct:no"),
        (["-m", "ttr:of=words(numbers=no;lc=yes)"], 6 / 8, "words,lc:yes,numbers:no"),
        # The, the, cat, cat, saw, 2: "The" is a stop word, and in lower case both are.
        (
            ["-m", "ttr:of=words(punct=no;stopwords=stop.txt)"],
            4 / 5,
            "words,lc:no,punct:no,stopwords:./stop.txt",
        ),
        (
            ["-m", "ttr", "--tokenizer", "words:punct=no,lc=yes,stopwords=stop.txt"],
            3 / 4,
            "words,lc:yes,punct:no",
        ),
        (["-m", "distinct:n=1"], 8 / 9, "words,lc:no"),
        (["-m", "distinct:n=1", "--tokenizer", "words:punct=no,lc=yes"], 4 / 6, "words,lc:yes,punct:no"),
        # LexicalRichness: the cat saw the cat. lexical-diversity: the cat saw the cat 2.
        (["-m", "ttr:preset=lexicalrichness"], 3 / 5, "lexicalrichness,lc:yes"),
        (["-m", "ttr:preset=kyle", "--tokenizer", "char"], 4 / 6, "kyle,lc:yes"),
    ],
)
def test_what_is_counted(
    command: Command, texts: Path, arguments: list[str], value: float, tokenizer: str
) -> None:
    (score,) = scores(command, *arguments)
    assert score["value"] == pytest.approx(value, rel=1e-15)
    assert f"|tok:{tokenizer}" in score["signature"]
    assert str(texts) not in score["signature"]


def test_the_signature_of_stop_words_needs_their_file(
    command: Command, texts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(texts)
    (score,) = scores(command, "-m", "ttr", "--tokenizer", f"words:lc=yes,stopwords={texts / 'stop.txt'}")
    again = dy.measure([TEXT], signature=score["signature"])[0]
    assert (again.value, again.signature) == (score["value"], score["signature"])
    (texts / "folder").mkdir()
    (texts / "stop.txt").rename(texts / "folder" / "stop.txt")
    with pytest.raises(dy.SpecError, match=r"stop words './stop.txt' .*only the last part of its path: give"):
        dy.measure([TEXT], signature=score["signature"])
    path = texts / "folder" / "stop.txt"
    given = dy.measure([TEXT], signature=score["signature"], tokenizer=f"words:lc=yes,stopwords={path}")[0]
    assert (given.value, given.signature) == (score["value"], score["signature"])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "Cannot read the stop words 'stops.txt' (No such file or directory)"),
        (b"", "Expected one word per line in 'stops.txt', got no words"),
        (b" \n\n", "Expected one word per line in 'stops.txt', got no words"),
        (b"the\n\xff\n", "undecodable bytes in line 2 of 'stops.txt'"),
    ],
)
@pytest.mark.parametrize("spec", ["ttr", "ttr:of=words(stopwords=stops.txt)"])
def test_stop_words_that_cannot_be_read_are_an_error(
    command: Command, texts: Path, content: bytes | None, words: str, spec: str
) -> None:
    if content is not None:
        (texts / "stops.txt").write_bytes(content)
    tokenizer = [] if "of=" in spec else ["--tokenizer", "words:stopwords=stops.txt"]
    done = command("measure", "texts.txt", "-m", spec, *tokenizer)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_hash_of_no_file_and_of_another_one_are_errors(command: Command, texts: Path) -> None:
    done = command("measure", "texts.txt", "--tokenizer", "words:stopwords=stop.txt,hash=00")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Expected hash 00 for the tokenizer 'words:stopwords=stop.txt'" in done.stderr
    done = command("measure", "texts.txt", "--tokenizer", "words:hash=00")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Expected the file of `hash=00`" in done.stderr


def test_the_list_names_the_options(command: Command) -> None:
    shown = command("list", "words").stdout
    assert all(name in shown for name in ("punct ", "numbers ", "stopwords "))
    assert "reads words(punct=no;lc=yes)" in command("list", "mtld").stdout
