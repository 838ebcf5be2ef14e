"""Exact equality with Python sets on every file of ../shared/data, English, Chinese and Japanese."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.oracles import ngrams, words
from tests.shared import FILES

import distinctly as dy


def test_there_is_shared_data(shared: Path) -> None:
    assert FILES


@pytest.mark.parametrize("tokenizer", ["words", "whitespace"])
@pytest.mark.parametrize("name", FILES)
def test_equals_python_sets(shared: Path, name: str, tokenizer: str) -> None:
    path = shared / name
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as lines
    ):
        rows = [json.loads(line) for line in lines]
    texts = [text for row in rows for text in ([row["text"]] if "text" in row else row["texts"])]
    cut = [words.words(text) if tokenizer == "words" else text.split() for text in texts]
    scores = dy.measure(texts, ["distinct", "types"], tokenizer=tokenizer)
    for n in (1, 2, 3, 4):
        expected = {gram for tokens in cut for gram in ngrams.ngrams(tokens, n)}
        total = sum(max(0, len(tokens) - n + 1) for tokens in cut)
        assert scores[f"types:n={n}"].value == len(expected)
        assert scores[f"distinct:n={n}"].value == len(expected) / total
        assert scores[f"distinct:n={n}"].parts["C"] == total
