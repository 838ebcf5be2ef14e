"""The compiled scan against the oracles, on valid text and on undecodable bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import hashing as oracle
from tests.strategies import TEXTS

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.kernels import scan as kernel
from distinctly.strings import Strings
from distinctly.tokenizers import find_tokenizer
from distinctly.tokenizers.words import class_table
from distinctly.views.tokens import TokenView

TOKENIZERS = ["words", "whitespace", "char", "words:lc=yes", "words:norm=nfkc,lc=yes", "whitespace:norm=nfc"]
TOKENIZERS += [
    "words:punct=no",
    "words:numbers=no",
    "words:punct=no,numbers=no,lc=yes",
    "words:stopwords=STOP",
]
TOKENIZERS += ["words:punct=no,lc=yes,norm=nfkc,stopwords=STOP"]


@pytest.fixture(scope="module")
def stop_words(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("words") / "stop.txt"
    path.write_text("a\nA\nb\nab\n漢\n1\nñ\n", encoding="utf-8")
    return str(path)


@settings(max_examples=300)
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(texts=st.lists(TEXTS, max_size=6))
def test_tokens_equal_the_plain_path(stop_words: str, tokenizer: str, texts: list[str]) -> None:
    chosen, batch = find_tokenizer(tokenizer.replace("STOP", stop_words)), Batch.of(texts)
    scanned_tokens = TokenView(chosen).make(batch, RunConfig(compiled=True))
    expected = [chosen.tokenize(text) for text in texts]
    tokens = [token for text in expected for token in text]
    assert np.diff(scanned_tokens.bounds).tolist() == [len(text) for text in expected]
    assert [scanned_tokens.spell(place, 1) for place in range(len(tokens))] == tokens
    assert [h.tobytes() for h in scanned_tokens.hashes] == [oracle.token(token) for token in tokens]
    assert [h.tobytes() for h in scanned_tokens.text_hashes] == [oracle.text(text) for text in expected]


@pytest.mark.slow
def test_classes_of_all_code_points_equal_the_plain_path() -> None:
    texts = [f"a{chr(code)}b 1{chr(code)}2 漢{chr(code)}'a" for code in range(0x30000)]
    texts += [f"a{chr(code)}b 1{chr(code)}2" for code in range(0x30000, 0x110000, 7)]
    for name in ("words", "whitespace", "char", "words:punct=no", "words:numbers=no"):
        chosen, batch = find_tokenizer(name), Batch.of(texts)
        plain, scanned = (
            TokenView(chosen).make(batch, RunConfig()),
            TokenView(chosen).make(batch, RunConfig(compiled=True)),
        )
        assert np.array_equal(plain.bounds, scanned.bounds)
        assert np.array_equal(plain.hashes, scanned.hashes)


@settings(max_examples=500)
@given(before=TEXTS, wrong=st.binary(min_size=1, max_size=6), after=TEXTS)
def test_position_of_undecodable_bytes(before: str, wrong: bytes, after: str) -> None:
    data = before.encode("utf-8", "surrogatepass") + wrong + after.encode("utf-8", "surrogatepass")
    try:
        data.decode("utf-8", "surrogatepass")
        expected = -1
    except UnicodeDecodeError as error:
        expected = error.start
    assert scanned(data)[1] == expected


def scanned(data: bytes) -> tuple[int, int]:
    strings = Strings.packed(np.frombuffer(data, np.uint8), np.array([0, len(data)]))
    hashes, bounds = np.empty(len(data), np.uint64), np.zeros(2, np.int64)
    nowhere = np.empty(0, np.int64)
    return kernel.scan(strings.data, strings.starts, strings.ends, class_table(), hashes, bounds, nowhere)


@given(st.binary(max_size=30))
def test_never_reads_beyond_the_end(data: bytes) -> None:
    # The same bytes followed by others, which must not matter.
    behind = np.frombuffer(data + b"\xff" * 9, np.uint8)
    strings = Strings(behind, np.array([0]), np.array([len(data)]))
    hashes, bounds = np.empty(len(data), np.uint64), np.zeros(2, np.int64)
    again = kernel.scan(
        strings.data, strings.starts, strings.ends, class_table(), hashes, bounds, np.empty(0, np.int64)
    )
    alone = np.empty(len(data), np.uint64)
    own = np.frombuffer(data, np.uint8)
    first = kernel.scan(
        own, strings.starts, strings.ends, class_table(), alone, np.zeros(2, np.int64), np.empty(0, np.int64)
    )
    assert first == again
    assert alone[: first[0]].tolist() == hashes[: first[0]].tolist()
