"""`flores101`, `flores200`: never downloaded; with a model in place, equal to sacreBLEU."""

from __future__ import annotations

import importlib
import pickle
from pathlib import Path

import pytest
from tests.tokenizers.samples import ENGLISH, TEXTS, need

import distinctly as dy
from distinctly.tokenizers import find_tokenizer, sacrebleu


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make sacreBLEU look for models in an empty folder."""
    need("flores200")
    monkeypatch.setattr(
        importlib.import_module("sacrebleu.tokenizers.tokenizer_spm"), "SACREBLEU_DIR", str(tmp_path)
    )
    sacrebleu._cutter.cache_clear()
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", ["flores101", "flores200"])
def test_missing_model_names_its_url_and_path(name: str, models: Path) -> None:
    with pytest.raises(dy.SpecError, match=f"'{name}' needs a model.*get https://.* save it as {models}"):
        find_tokenizer(name)


def test_with_a_model_it_equals_sacrebleu(models: Path) -> None:
    spm = importlib.import_module("sentencepiece")
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(ENGLISH * 5),
        model_prefix=str(models / "small"),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (models / "small.model").rename(models / "flores200sacrebleuspm")
    theirs = importlib.import_module("sacrebleu.tokenizers.tokenizer_spm").Flores200Tokenizer()
    ours = find_tokenizer("flores200")
    for text in TEXTS:
        assert ours.tokenize(text) == theirs(text).split()
    assert ours.vocabulary_size == theirs.sp.GetPieceSize()

    score = dy.measure(ENGLISH, "ead:vocabulary=tokenizer", tokenizer=ours)[0]
    signature = dy.Signature.parse(score.signature)
    assert find_tokenizer(signature.tokenizer) == ours == pickle.loads(pickle.dumps(ours))
    (models / "flores200sacrebleuspm").write_bytes(b"another")
    with pytest.raises(dy.SpecError, match="Expected hash"):
        find_tokenizer(signature.tokenizer)
