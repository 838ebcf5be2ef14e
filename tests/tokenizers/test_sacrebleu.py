"""SacreBLEU's tokenizers: equal to sacreBLEU's own classes, with checks of its version."""

from __future__ import annotations

import importlib

import pytest
from tests.tokenizers.samples import TEXTS, need, shared_texts

import distinctly as dy
from distinctly.tokenizers import find_tokenizer

CLASSES = {
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "zh": "tokenizer_zh.TokenizerZh",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
}
SHARED_FILES = ["brown-sentences.jsonl.gz", "zh-kdconv-dev-test.jsonl.gz", "ja-small-parallel-enja.jsonl.gz"]


def own(name: str):
    """Return sacreBLEU's own tokenizer, independently of our code."""
    need(name)
    module, _, kind = CLASSES[name].partition(".")
    return getattr(importlib.import_module(f"sacrebleu.tokenizers.{module}"), kind)()


@pytest.mark.parametrize("name", CLASSES)
def test_equals_sacrebleu(name: str) -> None:
    theirs, ours = own(name), find_tokenizer(name)
    for text in TEXTS:
        assert ours.tokenize(text) == theirs(text).split()


@pytest.mark.parametrize("file", SHARED_FILES)
@pytest.mark.parametrize("name", CLASSES)
def test_equals_sacrebleu_on_shared_data(name: str, file: str) -> None:
    theirs, ours = own(name), find_tokenizer(f"{name}:lc=yes")
    for text in shared_texts(file):
        assert ours.tokenize(text) == theirs(text.lower()).split()


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        # By eye, and the same by sacrebleu 2.6.0, with mecab-python3 1.0.12 and mecab-ko 1.0.3.
        ("13a", "It's 3.5 miles, isn't it?", ["It's", "3.5", "miles", ",", "isn't", "it", "?"]),
        ("intl", "It's 3.5 miles…", ["It", "'", "s", "3.5", "miles", "…"]),
        ("zh", "我在GPT-3。", ["我", "在", "GPT-3", "。"]),
        ("ja-mecab", "すもももももももものうち", ["すもも", "も", "もも", "も", "もも", "の", "うち"]),
        ("ko-mecab", "방에 들어가신다", ["방", "에", "들어가", "신다"]),
    ],
)
def test_by_example(name: str, text: str, tokens: list[str]) -> None:
    need(name)
    assert find_tokenizer(name).tokenize(text) == tokens


def test_the_signature_has_the_version() -> None:
    need("13a")
    version = importlib.import_module("sacrebleu").__version__
    score = dy.measure(["a b"], "types:n=1", tokenizer="13a")[0]
    assert f"|tok:13a,lc:no,sacrebleu:{version}|" in score.signature


def test_the_signature_of_japanese_has_mecab_and_its_dictionary() -> None:
    need("ja-mecab")
    score = dy.measure(["猫だ"], "types:n=1", tokenizer="ja-mecab")[0]
    assert score.signature.split("|")[3].endswith(",mecab:0.996-IPA")
    with pytest.raises(
        dy.SpecError, match="Expected mecab 0.9-IPA for the tokenizer 'ja-mecab', got 0.996-IPA"
    ):
        find_tokenizer("ja-mecab:mecab=0.9-IPA")


def test_another_version_is_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    need("13a")
    sacrebleu = importlib.import_module("sacrebleu")
    signature = dy.Signature.parse(dy.measure(["a b"], "types:n=1", tokenizer="13a")[0].signature)
    now = sacrebleu.__version__
    monkeypatch.setattr(sacrebleu, "__version__", "9.9.9")
    with pytest.raises(dy.SpecError, match=f"Expected sacrebleu {now} for the tokenizer '13a', got 9.9.9"):
        find_tokenizer(signature.tokenizer)


@pytest.mark.parametrize("text", ["猫\0犬", "猫\ud800"])
def test_mecab_never_loses_a_part_of_the_text(text: str) -> None:
    # sacreBLEU returns 猫 alone for the first, and raises a TypeError of SWIG for the second.
    need("ja-mecab")
    with pytest.raises(dy.InputError, match="null character|half a surrogate pair"):
        find_tokenizer("ja-mecab").tokenize(text)


def test_texts_are_not_kept() -> None:
    # sacreBLEU caches the results of its last 65,536 texts, twice: gigabytes for long texts.
    need("13a")
    kinds = [own("13a"), own("13a")._post_tokenizer]
    before = [type(kind).__call__.cache_info().currsize for kind in kinds]
    find_tokenizer("13a").tokenize("a text that nobody else has cut")
    assert [type(kind).__call__.cache_info().currsize for kind in kinds] == before


def test_renamed_tokenizer_names_the_new_one() -> None:
    with pytest.raises(dy.SpecError, match="'spm': use 'flores101'"):
        find_tokenizer("spm")
