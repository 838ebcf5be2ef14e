"""Time sentence encoders on short texts: `python -m benchmarks.encoders` (needs the packages of `minilm`).

Each row is one process that may use one core, or all of them. Its model is loaded and has embedded the texts
once before; the times are those of the faster of the two next turns. The texts are questions to an assistant
(../shared/data), or generated sentences of the same lengths where these are absent.

- Plain onnxruntime: the same network and tokenizer, 32 texts per call in their order, padded to the longest.
- sentence-transformers, where it and the package onnx are installed: the same weights in torch, its `encode`.
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.errors import MissingExtraError

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
TEXTS = 4000
Embed = Callable[[list[str]], Any]


def texts() -> list[str]:
    """Return short texts, all different."""
    path = SHARED / "clinc150.jsonl.gz"
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines = [json.loads(line)["text"] for line in file]
        return lines[:: len(lines) // TEXTS][:TEXTS]
    from benchmarks.text import write_text

    with tempfile.TemporaryDirectory() as folder:
        write_text(Path(folder) / "text.txt", 1)
        return (Path(folder) / "text.txt").read_text(encoding="ascii").splitlines()[:TEXTS]


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


EMBEDDERS: dict[str, tuple[str, Callable[[int], Embed]]] = {
    "minilm": ("`minilm`", lambda _: ours("minilm")),
    "plain": ("plain onnxruntime", plain),
    "sbert": ("sentence-transformers", sentence_transformers),
    "wordllama": ("`wordllama`", lambda _: ours("wordllama")),
}


def time_one(name: str, cores: int) -> None:
    """Print the wall and processor seconds of an embedder on a number of cores, and some of its vectors."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    embed, corpus = EMBEDDERS[name][1](cores), texts()
    embed(corpus)
    turns = []
    for _ in range(2):
        wall, processor = time.perf_counter(), time.process_time()
        rows = embed(corpus)
        turns.append((time.perf_counter() - wall, time.process_time() - processor))
    seconds, processor_seconds = min(turns)
    result = {"texts": len(corpus), "seconds": seconds, "processor": processor_seconds}
    print(json.dumps({**result, "vectors": rows[::100].tolist()}))


def measured(name: str, cores: int) -> dict[str, Any]:
    """Return what `time_one` prints in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.encoders", name, str(cores)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    result: dict[str, Any] = json.loads(printed)
    return result


def lines() -> list[str]:
    """Return the lines of the table, or what is missing."""
    try:
        files()
    except MissingExtraError as error:
        return [str(error)]
    table = [
        f"{TEXTS:,} short texts.",
        "",
        "| embedder | cores | seconds | processor seconds | texts per second | per processor second |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    peers = all(map(importlib.util.find_spec, ("onnx", "sentence_transformers")))
    names = [name for name in EMBEDDERS if name != "sbert" or peers]
    expected = None
    for cores in sorted({1, len(os.sched_getaffinity(0))}):
        for name in names:
            result = measured(name, cores)
            if name != "wordllama":
                expected = expected or result["vectors"]
                if abs(np.subtract(result["vectors"], expected)).max() > 1e-5:
                    raise RuntimeError(f"the vectors of {name} on {cores} cores differ")
            seconds, processor = result["seconds"], result["processor"]
            table.append(
                f"| {EMBEDDERS[name][0]} | {cores} | {seconds:.2f} | {processor:.2f} "
                f"| {result['texts'] / seconds:,.0f} | {result['texts'] / processor:,.0f} |"
            )
            print(table[-1], file=sys.stderr)
    return table


if __name__ == "__main__":
    if len(sys.argv) > 1:
        time_one(sys.argv[1], int(sys.argv[2]))
    else:
        print("\n".join(lines()))
