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
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.dropping import Dropping
from distinctly.tokenizers.words import class_table
from distinctly.views import scanned as views_scanned
from distinctly.views.scanned import Scanned
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
    spans, counts = np.empty(2 * len(data), np.int64), np.zeros(1, np.int64)
    return kernel.find_tokens(strings.data, strings.starts, strings.ends, class_table(), spans, counts)


@given(data=st.binary(max_size=30), wide=st.booleans())
def test_never_reads_beyond_the_end(data: bytes, wide: bool) -> None:
    # The same bytes followed by others, which must not matter.
    behind = np.frombuffer(data + b"\xff" * 9, np.uint8)
    results = []
    for buffer in (behind, np.frombuffer(data, np.uint8)):
        strings = Strings(buffer, np.array([0]), np.array([len(data)]))
        spans, counts = np.empty(2 * len(data), np.int64), np.zeros(1, np.int64)
        tokens_and_fault = kernel.find_tokens(
            buffer, strings.starts, strings.ends, class_table(), spans, counts
        )
        tokens = tokens_and_fault[0]
        hashes = np.empty((tokens, 2)[: 1 + wide], np.uint64)
        room = np.empty(tokens, np.uint64), np.empty(tokens, np.uintp)
        Scanned(strings, class_table(), None, wide)._hash(spans[: 2 * tokens], *room, hashes)
        results.append((tokens_and_fault, hashes.tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize("tokenizer", ["words", "words:punct=no,stopwords=STOP", "whitespace"])
@given(texts=st.lists(TEXTS, max_size=12))
def test_few_texts_at_a_time(stop_words: str, tokenizer: str, texts: list[str]) -> None:
    """The number of bytes that are scanned at a time changes nothing; a text may be longer than that."""
    chosen, strings = find_tokenizer(tokenizer.replace("STOP", stop_words)), Strings.encode(texts)
    classes = chosen.character_classes()
    assert classes is not None
    for wide in (False, True):
        whole = Scanned(strings, classes, dropping_of(chosen), wide).scan(spelled=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(views_scanned, "BYTES_AT_ONCE", 7)
            parts = Scanned(strings, classes, dropping_of(chosen), wide).scan(spelled=True)
        for column, same in zip(whole, parts):
            assert column.tolist() == same.tolist()


def dropping_of(tokenizer: Tokenizer) -> Dropping | None:
    return tokenizer if isinstance(tokenizer, Dropping) and tokenizer.drops else None
