"""`jieba`: equal to `jieba.lcut`, without output and without temporary files."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest
from tests.tokenizers.samples import TEXTS, need, shared_texts

import distinctly as dy
from distinctly.tokenizers import find_tokenizer
from distinctly.tokenizers.libraries import imported

PROGRAM = """
import tempfile
def refuse(*_, **__):
    raise FileNotFoundError("No usable temporary directory found")
tempfile.gettempdir = tempfile.mkstemp = refuse
import distinctly as dy
print(dy.measure(["我来到北京清华大学"], "types:n=1", tokenizer="jieba")[0].value)
"""


@pytest.fixture
def theirs():
    need("jieba")
    jieba = imported("jieba", "jieba", "zh")
    jieba.setLogLevel(logging.CRITICAL)
    return lambda text: [token for token in jieba.lcut(text) if not token.isspace()]


def test_equals_jieba(theirs) -> None:
    tokenizer = find_tokenizer("jieba")
    for text in TEXTS:
        assert tokenizer.tokenize(text) == theirs(text)


def test_equals_jieba_on_shared_data(theirs) -> None:
    tokenizer = find_tokenizer("jieba")
    for text in shared_texts("zh-kdconv-dev-test.jsonl.gz"):
        assert tokenizer.tokenize(text) == theirs(text)


def test_by_example(theirs) -> None:
    # The example of jieba's README, version 0.42.1.
    assert find_tokenizer("jieba").tokenize("我来到 北京清华大学") == ["我", "来到", "北京", "清华大学"]


def test_leaves_out_punctuation_numbers_and_stop_words(theirs, tmp_path) -> None:
    text = "酒店的早餐，2008年很好！"
    assert theirs(text) == ["酒店", "的", "早餐", "，", "2008", "年", "很", "好", "！"]
    words = tmp_path / "stop.txt"
    words.write_text("的\n很\n", encoding="utf-8")
    tokenizer = find_tokenizer(f"jieba:punct=no,numbers=no,stopwords={words}")
    assert tokenizer.tokenize(text) == ["酒店", "早餐", "年", "好"]
    signature = dy.measure([text], "types:n=1", tokenizer=tokenizer)[0].signature
    assert "|tok:jieba,lc:no,punct:no,numbers:no,stopwords:./stop.txt,hash:" in str(signature)


def test_words_added_to_the_shared_jieba_change_nothing(theirs) -> None:
    jieba = imported("jieba", "jieba", "zh")
    before = find_tokenizer("jieba").tokenize("石墨烯是好的")
    jieba.add_word("石墨烯是好的", freq=10**9)
    assert theirs("石墨烯是好的") == ["石墨烯是好的"]
    assert find_tokenizer("jieba").tokenize("石墨烯是好的") == before != ["石墨烯是好的"]
    jieba.del_word("石墨烯是好的")


def test_it_is_quiet_and_needs_no_temporary_files() -> None:
    need("jieba")
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("4.0\n", "")


def test_the_signature_has_the_version() -> None:
    need("jieba")
    version = imported("jieba", "jieba", "zh").__version__
    score = dy.measure(["我来到"], "types:n=1", tokenizer="jieba:lc=yes")[0]
    assert f"|tok:jieba,lc:yes,jieba:{version}|" in score.signature
    with pytest.raises(dy.SpecError, match=f"Expected jieba 0.1 for the tokenizer 'jieba', got {version}"):
        find_tokenizer("jieba:jieba=0.1")
