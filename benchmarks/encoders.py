"""Sentence encoders on short texts (needs the packages of `minilm`), after their models are loaded.

Processor seconds are those on one core, wall seconds those on all. The texts are questions to an assistant.

- Plain onnxruntime: the same network and tokenizer, 32 texts per call in their order, padded to the longest.
- sentence-transformers, where it and the package onnx are installed: the same weights in torch, its `encode`.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.text import texts_of
from benchmarks.turns import SINGLE, Row, in_turns, sized
from distinctly.errors import MissingExtraError

TEXTS = 4000
Embed = Callable[[list[str]], Any]


def files() -> tuple[Path, Path]:
    """Return the files of the network and of the tokenizer."""
    from distinctly.embedders import minilm

    return minilm._find_file(*minilm.NETWORK)[1], minilm._find_file(*minilm.TOKENIZER)[1]


def ours(name: str) -> Embed:
    from distinctly.embedders import find_embedder

    return find_embedder(name).embed


def plain(cores: int) -> Embed:
    import onnxruntime
    from tokenizers import Tokenizer

    network, tokenizer_file = files()
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = cores
    session = onnxruntime.InferenceSession(str(network), settings, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding()

    def embed(batch: list[str]) -> Any:
        rows = []
        for start in range(0, len(batch), 32):
            pieces = tokenizer.encode_batch(batch[start : start + 32])
            ids, mask = (
                np.array([getattr(piece, name) for piece in pieces]) for name in ("ids", "attention_mask")
            )
            # The network pools by itself: this is the mean of its states over the mask.
            (means,) = session.run(["461"], {"input_ids": ids, "attention_mask": mask})
            rows.append(means / np.linalg.norm(means, axis=1, keepdims=True))
        return np.concatenate(rows)

    return embed


def sentence_transformers(cores: int) -> Embed:
    import onnx
    import torch
    from sentence_transformers import SentenceTransformer, models
    from transformers import BertConfig, BertModel

    network, tokenizer_file = files()
    weights = {
        part.name.removeprefix("model.0.auto_model."): torch.tensor(onnx.numpy_helper.to_array(part))
        for part in onnx.load(network).graph.initializer
    }
    # The file names biases and embeddings, and has the transposed matrices of each layer in this order.
    matrices = [key for key in weights if key.startswith("onnx::MatMul_")]
    parts = (
        *(f"attention.self.{part}" for part in ("query", "key", "value")),
        "attention.output.dense",
        "intermediate.dense",
        "output.dense",
    )
    for place, key in enumerate(matrices):
        name = f"encoder.layer.{place // len(parts)}.{parts[place % len(parts)]}.weight"
        weights[name] = weights.pop(key).T.contiguous()
    config = BertConfig(
        vocab_size=30522,
        hidden_size=384,
        num_hidden_layers=len(matrices) // len(parts),
        num_attention_heads=12,
        intermediate_size=1536,
    )
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(weights, strict=True)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        for file in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
            shutil.copy(tokenizer_file.parent / file, folder)
        transformer = models.Transformer(folder, max_seq_length=128)
    torch.set_num_threads(cores)
    encoder = SentenceTransformer(
        modules=[transformer, models.Pooling(config.hidden_size, "mean"), models.Normalize()], device="cpu"
    )
    return lambda batch: encoder.encode(batch, show_progress_bar=False)


def near(ours: Any, theirs: Any) -> bool:
    """Return whether vectors are the same up to float32."""
    return bool(abs(np.subtract(ours, theirs)).max() <= 1e-5)


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    if os.environ.items() >= SINGLE.items():
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    cores = len(os.sched_getaffinity(0))
    lines = texts_of("clinc150.jsonl.gz")
    batch = lines[:: len(lines) // TEXTS][: sized(TEXTS)]
    yield in_turns(f"`wordllama`, {len(batch):,} texts", partial(ours("wordllama"), batch))
    try:
        embed = partial(ours("minilm"), batch)
        files()
    except MissingExtraError as error:
        yield f"Left out: `minilm`. {error}"
        return
    what = f"`minilm`, {len(batch):,} texts"
    yield in_turns(what, embed, "plain onnxruntime", partial(plain(cores), batch), same=near)
    sbert: list[Embed] = []

    def theirs() -> Any:
        sbert.extend([sentence_transformers(cores)] * (not sbert))
        return sbert[0](batch)

    needs = "onnx sentence_transformers"
    yield in_turns(what, embed, "sentence-transformers", theirs, needs=needs, same=near)
