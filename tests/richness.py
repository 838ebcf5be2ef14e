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

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.strategies import WORDS

import distinctly as dy

# Long enough for windows, and for several factors.
LONG = st.lists(st.one_of(WORDS, st.integers(0, 60).map(str)), max_size=120)
LONG_LISTS = st.lists(LONG, max_size=5)


# Raw texts with all that tokenizers treat differently: case, digits, hyphens, dashes, straight and curly
# quotes, white space at the edges; a text without repetition, and one without words.
RAW = [
    """The state was named for the Colorado River, which Spanish travelers named the Río Colorado for the
ruddy silt the river carried from the mountains. The Territory of Colorado was organized on February 28, 1861,
and on August 1, 1876, U.S. President Ulysses S. Grant signed Proclamation 230 admitting Colorado to the
Union as the 38th state. Colorado is nicknamed the "Centennial State" because it became a state a
century after the signing of the United States Declaration of Independence. Colorado is bordered by
Wyoming to the north, Nebraska to the northeast, Kansas to the east, Oklahoma to the southeast, New
Mexico to the south, Utah to the west, and touches Arizona to the southwest at the Four Corners.\n""",
    """  "Don't you think -- really -- that it's well-known?" asked the well-known critic; he didn’t wait for
an answer. “It is, isn't it?” The 3 critics who'd come (all of them well known, too) said nothing — or next
to nothing: "Well…" One of them, the 2nd, wrote 1,000.50 words a day, 7 days a week, for THE
SYMPHONY_REVIEW; the other two wrote 10% of that, e.g. a note a day/a review a week. Nobody – not even
the critics – read it all. And nobody asked why. Why would they? They'd read it before, they'd read it
again, and the day after that they would read it once more, all of it, word after word, day after day,
week after week.""",
    "Not one word of this sentence, however long, is repeated!",
    "…?! 42 -- 😀 ",
    "Well, well, well: WELL-known wells don't run dry, do they? They do not. They don't!",
]


def value(tokens: Sequence[str], spec: str) -> float:
    """Measure one list of tokens."""
    return dy.measure([list(tokens)], spec, tokens=True)[0].value


def both_roads(texts: Sequence[Sequence[str]], spec: str) -> float:
    """Measure lists of tokens with and without compiled loops, which give the same value."""
    lists = [list(tokens) for tokens in texts]
    plain, compiled = (
        dy.measure(lists, spec, tokens=True, compiled=compiles)[0] for compiles in (False, True)
    )
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
    module = peer("lexicalrichness")
    return module.LexicalRichness(list(tokens), preprocessor=None, tokenizer=None)


def lexicalrichness_value(text: str, name: str) -> float:
    """Return what `LexicalRichness(text)` gives with its defaults; NaN where it raises."""
    richness = peer("lexicalrichness").LexicalRichness(text)
    with np.errstate(invalid="ignore"):
        try:
            value = getattr(richness, name)
            return float(value() if callable(value) else value)
        except (ValueError, ZeroDivisionError, AttributeError):
            return math.nan


def kyle_value(text: str, name: str) -> float:
    """Return what lexical-diversity gives for the tokens of its own `tokenize`."""
    module = kyle()
    return float(getattr(module, name)(module.tokenize(text)))


def kyle() -> Any:
    """Return the module of Kyle's lexical-diversity."""
    return peer("lexical_diversity.lex_div")


def peer(name: str) -> Any:
    """Return the module of a peer; skip the test if it is not installed."""
    with warnings.catch_warnings():  # it leaves files open, and uses `pkg_resources`
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            pytest.skip(f"needs {name}")
