"""`distinctly compare -m novelty --explain` on the command line: passages, states, pipes and errors."""

from __future__ import annotations

import json

import pytest

import distinctly as dy

PASSAGE = "it was the best of times it was the worst of times"
HUMAN = f"we look at it\nhe said {PASSAGE} and left\n"
MODEL = f"once more {PASSAGE}\nwe delve into it\n"


@pytest.fixture
def files(save):
    return save("human.txt", HUMAN), save("model.txt", MODEL)


@pytest.fixture
def state(files):
    path = files[0].with_suffix(".state")
    dy.save_state(files[0], path, "novelty:n=1")
    return path


def test_the_terminal_shows_what_was_copied(command, files):
    done = command(
        "compare", "human.txt", "model.txt", "-m", "novelty", "--explain", environment={"COLUMNS": "100"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"  12 {PASSAGE}  text 1 ← 2" in done.stdout.splitlines()
    # Of the 18 tokens, once, more, delve and into are new, and "it" and "we" have no known continuation.
    assert "  22.2% 0" in done.stdout.splitlines()
    # Parts that all ten rows share are shown once.
    assert (done.stdout.count("longest_match 12"), done.stdout.count("ngrams ")) == (1, 10)


def test_json_is_what_python_returns(command, files):
    done = command("compare", "human.txt", "model.txt", "-m", "novelty:n=3", "--explain", "--format", "json")
    expected = dy.compare(*files, "novelty:n=3", explain=3).corpora[1]["drivers"]["copied"]
    assert json.loads(done.stdout)["corpora"][1]["drivers"]["copied"] == expected
    assert expected[0]["passages"][0]["text"] == PASSAGE


@pytest.mark.parametrize("options", [[], ["--input", "txt"]], ids=["", "with a format"])
def test_a_pipe_beside_a_state(command, state, options):
    done = command("compare", "human.state", "-", "-m", "novelty:n=3", "--explain", *options, given=MODEL)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"  12 {PASSAGE}  text 1 ← 2" in done.stdout.splitlines()


def test_a_state_of_another_tokenizer(command, state, files):
    done = command("compare", "human.state", "model.txt", "-m", "novelty:n=1", "--tokenizer", "char")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "human.state: the state does not have what 'novelty:n=1' needs" in done.stderr
    assert "--tokenizer words: save it again" in done.stderr


def test_an_empty_candidate(command, state, save):
    save("empty.txt", "")
    done = command("compare", "human.state", "empty.txt", "-m", "novelty:n=1")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "empty.txt" in done.stderr


def test_n_beyond_the_texts(command, files):
    done = command("compare", "human.txt", "model.txt", "-m", "novelty:n=50", "--format", "json")
    (score,) = json.loads(done.stdout)["scores"]
    assert (score["value"], score["undefined"]) == (None, "the candidate has no text of at least 50 tokens.")


def test_passages_of_a_state_cannot_be_quoted(command, state):
    done = command("compare", "human.state", "human.state", "-m", "novelty:n=1", "--explain")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "a state holds counts, not texts" in done.stderr
