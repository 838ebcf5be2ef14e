"""Unusual input with a correct answer."""

from __future__ import annotations

import json
import math

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test


def strict(text: str) -> dict:
    """Read strict JSON: without NaN and Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.mark.slow
@pytest.mark.parametrize("tokenizer", ["words", "whitespace"])
def test_a_text_of_100_mb_without_a_space(command, tmp_path, tokenizer):
    path = tmp_path / "long.txt"
    with path.open("w") as file:
        for _ in range(100):
            file.write("x" * 1_000_000)
    asked = ("-m", "distinct:n=1", "-m", "distinct:n=2", "--tokenizer", tokenizer, "--format", "json")
    done = command("measure", path, *asked, timeout=120)
    assert done.returncode == 0, done.stderr
    one, two = strict(done.stdout)["scores"]
    # One token, and no pair.
    assert (one["value"], one["parts"]["N"], one["parts"]["C"], one["parts"]["texts"]) == (1.0, 1, 1, 1)
    assert two["value"] is None


def test_a_million_empty_lines(command, save):
    path = save("empty.txt", "\n" * 1_000_000)
    done = command("measure", path, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = strict(done.stdout)
    assert report["corpora"][0]["texts"] == report["corpora"][0]["empty_texts"] == 1_000_000
    for score in report["scores"]:
        assert score["value"] is None
        assert score["undefined"].startswith(("no text has", "all texts have a zero vector"))
        assert "1,000,000 of 1,000,000 texts are empty (no tokens)." in score["notes"]


@pytest.mark.parametrize("n", [3, 999, 5_000, 1_000_000_000])
@pytest.mark.parametrize("metric", ["distinct", "ead"])
def test_texts_too_short_for_n_are_undefined_with_a_note(command, save, n, metric):
    path = save("short.txt", "one two\nthree\n")
    done = command("measure", path, "-m", f"{metric}:n={n}", "--format", "json", timeout=15)
    assert done.returncode == 0, done.stderr
    score = strict(done.stdout)["scores"][0]
    assert score["value"] is None
    assert score["undefined"] == f"no text has at least {n} tokens, so there are no {n}-grams."


def test_some_texts_too_short_for_n_are_told(command, save):
    path = save("short.txt", "one two three\nfour\n\n")
    done = command("measure", path, "-m", "distinct:n=2", "--format", "json")
    score = strict(done.stdout)["scores"][0]
    # "one two" and "two three": 2 of 2; the other two texts have no pair.
    assert (score["value"], score["parts"]["C"], score["parts"]["skipped_texts"]) == (1.0, 2, 2)
    assert score["notes"][0] == "2 of 3 texts have fewer than 2 tokens and so contain no 2-gram."


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown", "latex"])
def test_lone_surrogates_and_nul_are_tokens_and_stop_no_report(command, save, form):
    path = save("odd.jsonl", '{"text": "\\ud800 \\u0000 a"}\n{"text": "\\udc00 \\u0000"}\n')
    done = command("measure", path, "-m", "distinct:n=1", "--tokenizer", "whitespace", "--format", form)
    assert done.returncode == 0, done.stderr
    # D800, NUL, a, DC00, NUL: 4 distinct of 5.
    assert "0.8" in done.stdout


def test_lone_surrogates_and_nul_are_listed_as_they_are(command, save):
    path = save("odd.jsonl", '{"text": "\\ud800 \\u0000 a"}\n{"text": "\\ud800 \\u0000"}\n')
    asked = ("-m", "distinct:n=1", "--tokenizer", "whitespace", "--format", "json", "--top", 2)
    done = command("measure", path, *asked)
    assert done.returncode == 0, done.stderr
    # D800 and NUL twice each; ties in order of text.
    assert strict(done.stdout)["corpora"][0]["top"] == [
        {"n": 1, "ngrams": [{"text": "\x00", "count": 2}, {"text": "\ud800", "count": 2}]}
    ]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_json_is_json_whatever_the_encoding_of_the_output(command, save, encoding):
    path = save("é😀.txt", "é 😀 知 x\n")
    asked = ("-m", "distinct:n=1", "--format", "json", "--top", 4, "--tokenizer", "whitespace")
    done = command(
        "measure", path.name, *asked, environment={"PYTHONIOENCODING": f"{encoding}:strict"}, raw=True
    )
    assert done.returncode == 0, done.stderr
    report = strict(done.stdout.decode(encoding))
    assert report["corpora"][0]["name"] == "é😀.txt"
    assert {gram["text"] for gram in report["corpora"][0]["top"][0]["ngrams"]} == {"é", "😀", "知", "x"}


@pytest.mark.parametrize("form", ["json", "csv"])
def test_windows_line_ends_change_nothing(command, save, form):
    lines = ["the cat sat", "", "the dog sat", "知道 🐕"]
    shown = []
    for folder, end in (("unix", "\n"), ("windows", "\r\n")):
        path = save(f"{folder}/same.txt", "".join(line + end for line in lines))
        done = command("measure", path, "--tokenizer", "char", "--format", form)
        assert done.returncode == 0, done.stderr
        shown.append(done.stdout)
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    "text",
    [
        "a'" * 200_000,
        "1." * 200_000,
        "a" + "\u0301" * 300_000,
        "a\u0301" * 200_000,
        "\u0301" * 300_000,
        "’" * 300_000,
    ],
    ids=["apostrophes", "points", "one letter, many marks", "marked letters", "marks alone", "quotes"],
)
def test_no_text_takes_the_tokenizer_long(command, save, text):
    # A pattern that backtracks would take hours on these.
    done = command("measure", save("long.txt", text + "\n"), "-m", "types:n=1", "--score-only", timeout=30)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) >= 1


def test_a_line_of_a_million_words(save):
    score = dy.measure(save("long.txt", "to be or not " * 250_000), "distinct:n=1")[0]
    # 4 distinct words of a million.
    assert math.isclose(score.value, 4e-6, rel_tol=1e-12)
