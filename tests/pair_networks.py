"""Classifiers of pairs of texts in ONNX files, small enough to compute their probabilities by hand."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

needs_packages = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime", "tokenizers")),
    reason="needs the extra onnx and the package onnx: pip install 'distinctly[onnx]' onnx",
)

VOCABULARY = {"[CLS]": 0, "[SEP]": 1, "cat": 2, "kitten": 3, "dog": 4, "[UNK]": 5}
# What a subword adds to the logit of equivalent texts, as one of the first and as one of the second text; and
# what it adds to the other logit.
FIRST = {"cat": 1.0, "kitten": 1.0, "dog": 0.0}
SECOND = {"cat": 1.0, "kitten": 0.5, "dog": -2.0}
OTHER = {"[CLS]": 0.5}


def difference(first: str, second: str) -> float:
    """Return the logit of equivalent texts, less the other one."""
    return sum(FIRST[word] for word in first.split()) + sum(SECOND[word] for word in second.split()) - 0.5


def probability(first: str, second: str) -> float:
    return float(1 / (1 + np.exp(-difference(first, second))))


def save_tokenizer(folder: Path, truncation: dict[str, Any] | None = None) -> None:
    """Words: [CLS] first [SEP] second [SEP]."""

    def special(name: str, kind: int) -> dict[str, Any]:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    first, second = ({"Sequence": {"id": name, "type_id": kind}} for name, kind in (("A", 0), ("B", 1)))
    single = [special("[CLS]", 0), first, special("[SEP]", 0)]
    settings = {
        "version": "1.0",
        "truncation": truncation,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": single,
            "pair": [*single, second, special("[SEP]", 1)],
            "special_tokens": {
                name: {"id": name, "ids": [VOCABULARY[name]], "tokens": [name]} for name in ("[CLS]", "[SEP]")
            },
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "[UNK]"},
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(settings))


def save_classifier(path: Path, outputs: int = 2, shape: Sequence[Any] | None = None) -> Path:
    """Save a network that adds up what its subwords add, with its tokenizer.

    Of 2 outputs, they are the two logits; of 1, their difference; of 0, the same without a second axis; of
    3, another one that says nothing. `shape` is the declared one.
    """
    onnx = pytest.importorskip("onnx")
    make = onnx.helper
    tables = []
    for words in (FIRST, SECOND):
        table = [[OTHER.get(word, 0.0) / 2, words.get(word, 0.0)] for word in VOCABULARY]
        tables.append(np.array(table, np.float32))
    weights = np.concatenate(tables)
    weights[0, 0] = OTHER["[CLS]"]  # there is one [CLS], in the first text
    columns = {
        0: weights @ [-1, 1],
        1: weights @ [[-1], [1]],
        2: weights,
        3: weights @ [[1, 0, 0], [0, 1, 0]],
    }
    declared = shape or {0: ["pairs"], 1: ["pairs", 1], 2: ["pairs", 2], 3: ["pairs", 3]}[outputs]
    arrays = {
        "weights": columns[outputs].astype(np.float32),
        "words": np.array(len(VOCABULARY)),
        "axes": np.array([1]),
    }
    graph = make.make_graph(
        [
            make.make_node("Mul", ["token_type_ids", "words"], ["shift"]),
            make.make_node("Add", ["input_ids", "shift"], ["places"]),
            make.make_node("Gather", ["weights", "places"], ["each"]),
            make.make_node("ReduceSum", ["each", "axes"], ["logits"], keepdims=0),
        ],
        "pairs",
        [
            make.make_tensor_value_info(name, onnx.TensorProto.INT64, ["pairs", "subwords"])
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [make.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, declared)],
        [onnx.numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 18)], ir_version=9)
    save_tokenizer(path.parent)
    path.write_bytes(model.SerializeToString())
    return path
