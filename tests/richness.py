"""Helpers of the tests of lexical richness: long texts, real texts, and peer packages."""

from __future__ import annotations

import gzip
import importlib
import json
import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from tests.strategies import WORDS

import distinctly as dy

# Long enough for windows, and for several factors.
LONG = st.lists(st.one_of(WORDS, st.integers(0, 60).map(str)), max_size=120)
LONG_LISTS = st.lists(LONG, max_size=5)


def value(tokens: Sequence[str], spec: str) -> float:
    """Measure one list of tokens."""
    return dy.measure([list(tokens)], spec)[0].value


def both_roads(texts: Sequence[Sequence[str]], spec: str) -> float:
    """Measure lists of tokens with and without compiled loops, which give the same value."""
    lists = [list(tokens) for tokens in texts]
    plain, compiled = (dy.measure(lists, spec, compiled=compiles)[0] for compiles in (False, True))
    assert plain.to_dict() == compiled.to_dict()
    assert plain.value == compiled.value or math.isnan(plain.value)
    return plain.value


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are not NaN; NaN if there are none."""
    known = [one for one in values if not math.isnan(one)]
    return math.fsum(known) / len(known) if known else math.nan


def english(shared: Path, tokens: int) -> list[str]:
    """Return the first tokens of the Brown corpus."""
    return _words(shared / "brown-sentences.jsonl.gz", tokens, str.split)


def chinese(shared: Path, tokens: int) -> list[str]:
    """Return the first characters of Chinese dialogues."""
    return _words(shared / "zh-kdconv-dev-test.jsonl.gz", tokens, lambda text: "".join(text.split()))


def _words(path: Path, many: int, cut: Any) -> list[str]:
    found: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        while len(found) < many:
            found += cut(json.loads(next(lines))["text"])
    return found[:many]


def lexicalrichness(tokens: Sequence[str]) -> Any:
    """Return the peer's object for a list of tokens."""
    module = _peer("lexicalrichness")
    return module.LexicalRichness(list(tokens), preprocessor=None, tokenizer=None)


def kyle() -> Any:
    """Return the module of Kyle's lexical-diversity."""
    return _peer("lexical_diversity.lex_div")


def _peer(name: str) -> Any:
    with warnings.catch_warnings():  # it leaves files open, and uses `pkg_resources`
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            pytest.skip(f"needs {name}")
