"""A language model of a few thousand random weights, and its tokenizer: nothing is downloaded."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import pytest

# Read when the packages are imported: nothing asks the network, or is left in the user's folders.
CACHE = tempfile.TemporaryDirectory()
os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": CACHE.name}

WORDS = ["the", "a", "cat", "dog", "owl", "fox", "sat", "ran", "flew", "here", "there", "away", "is", "red"]
CHAT = (
    "{% for message in messages %}{{ message['role'] }} {{ message['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}assistant {% endif %}"
)


@pytest.fixture
def tokenizer() -> Any:
    pytest.importorskip("torch", reason='needs torch: pip install "distinctly[gpu]"')
    pytest.importorskip("transformers", reason='needs transformers: pip install "distinctly[transformers]"')
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    special = ["<pad>", "<eos>", "<unk>", "user", "assistant"]
    vocabulary = {word: number for number, word in enumerate([*special, *WORDS])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made = PreTrainedTokenizerFast(
        tokenizer_object=words,
        pad_token="<pad>",
        eos_token="<eos>",
        unk_token="<unk>",
        padding_side="left",
        model_max_length=64,
    )
    made.chat_template = CHAT
    return made


@pytest.fixture
def model(tokenizer: Any) -> Any:
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    return GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=64,
            n_embd=16,
            n_layer=2,
            n_head=2,
            bos_token_id=tokenizer.eos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )
