"""`onnx`: networks small enough to compute by hand."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders import find_embedder
from distinctly.embedders.base import share_of_unknown
from distinctly.embedders.models import load_tokenizer
from distinctly.embedders.onnx import Onnx

needs_packages = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("onnx", "onnxruntime", "tokenizers")),
    reason="needs the extra onnx and the package onnx: pip install 'distinctly[onnx]' onnx",
)

VOCABULARY = {"[PAD]": 0, "[CLS]": 1, "cat": 2, "dog": 3, "[UNK]": 4}
WEIGHTS = np.array([[9, 9], [1, 0], [3, 4], [0, 2], [0, 0]], np.float32)


def save_tokenizer(folder: Path) -> None:
    """Words, and a [CLS] before each text."""
    special = {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]}
    piece = {"SpecialToken": {"id": "[CLS]", "type_id": 0}}
    sequence = {"Sequence": {"id": "A", "type_id": 0}}
    settings = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [piece, sequence],
            "pair": [piece, sequence, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": special},
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "[UNK]"},
    }
    (folder / "tokenizer.json").write_text(json.dumps(settings))


def save_network(
    path: Path,
    inputs: tuple[str, ...] = ("input_ids", "attention_mask"),
    kind: str = "INT64",
    per_text: bool = False,
) -> Path:
    """A network that looks up the vector of each subword, and nothing else."""
    onnx = pytest.importorskip("onnx")
    make = onnx.helper
    path.parent.mkdir(parents=True, exist_ok=True)
    nodes = [make.make_node("Gather", ["weights", "input_ids"], ["last_hidden_state"])]
    shape: list[Any] = ["texts", "subwords", 2]
    output = "last_hidden_state"
    if per_text:
        nodes.append(make.make_node("ReduceMax", ["last_hidden_state", "axes"], ["vector"], keepdims=0))
        output, shape = "vector", ["texts", 2]
    graph = make.make_graph(
        nodes,
        "lookup",
        [
            make.make_tensor_value_info(name, getattr(onnx.TensorProto, kind), ["texts", "subwords"])
            for name in inputs
        ],
        [make.make_tensor_value_info(output, onnx.TensorProto.FLOAT, shape)],
        [
            onnx.numpy_helper.from_array(WEIGHTS, "weights"),
            *([onnx.numpy_helper.from_array(np.array([1]), "axes")] if per_text else []),
        ],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 18)], ir_version=9)
    path.write_bytes(model.SerializeToString())
    if path.parent.name != "onnx":
        save_tokenizer(path.parent)
    return path


@needs_packages
def test_by_hand(tmp_path: Path) -> None:
    path = save_network(tmp_path / "lookup.onnx")
    # [CLS] cat: the mean of (1, 0) and (3, 4); [CLS] cat dog dog; [CLS] alone: padding does not count.
    expected = [[2, 2], [(1 + 3) / 4, (4 + 2 + 2) / 4], [1, 0]]
    found = find_embedder(f"onnx:{path},norm=no").embed(["cat", "cat dog dog", ""])
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    scaled = find_embedder(f"onnx:{path}").embed(["cat", "cat dog dog", ""])
    np.testing.assert_allclose(scaled, [[0.5**0.5, 0.5**0.5], [1 / 5**0.5, 2 / 5**0.5], [1, 0]], rtol=1e-6)
    first = find_embedder(f"onnx:{path},pool=cls,norm=no").embed(["cat", "cat dog"])
    assert first.tolist() == [[1, 0], [1, 0]]
    # [CLS] cat: the rest is truncated.
    cut = find_embedder(f"onnx:{path},length=2,norm=no").embed(["cat dog dog"])
    assert cut.tolist() == [[2, 2]]


@needs_packages
def test_many_texts_in_any_order(tmp_path: Path) -> None:
    embedder = find_embedder(f"onnx:{save_network(tmp_path / 'lookup.onnx')},norm=no")
    texts = ["dog " * (i % 13) + "cat " * (i % 7) for i in range(200)]
    words = [text.split() for text in texts]
    expected = [(WEIGHTS[[1, *(VOCABULARY[word] for word in own)]]).mean(axis=0) for own in words]
    np.testing.assert_allclose(embedder.embed(texts), expected, rtol=1e-5)
    assert embedder.embed([]).shape[0] == 0


@needs_packages
@pytest.mark.parametrize("kind", ["INT32", "INT64"])
@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask", "token_type_ids")])
def test_inputs_of_the_network(tmp_path: Path, inputs: tuple[str, ...], kind: str) -> None:
    path = save_network(tmp_path / "lookup.onnx", inputs, kind)
    assert find_embedder(f"onnx:{path},norm=no").embed(["cat"]).tolist() == [[2, 2]]


@needs_packages
def test_a_network_that_pools_by_itself(tmp_path: Path) -> None:
    path = save_network(tmp_path / "pooled.onnx", per_text=True)
    assert find_embedder(f"onnx:{path},norm=no").embed(["cat", "dog"]).tolist() == [[3, 4], [1, 2]]


@needs_packages
@pytest.mark.parametrize("name", ["any.onnx", "model.onnx", "onnx/model.onnx"])
def test_folders(tmp_path: Path, name: str) -> None:
    save_tokenizer(tmp_path)
    save_network(tmp_path / name)
    assert find_embedder(f"onnx:{tmp_path},norm=no").embed(["cat"]).tolist() == [[2, 2]]


@needs_packages
def test_signature_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save_network(tmp_path / "one" / "lookup.onnx")
    score = dy.measure(["cat", "dog"], "dispersion", embedder=f"onnx:{path},pool=mean")[0]
    digest = find_embedder(f"onnx:{path}").options()["hash"]
    assert f"|emb:onnx,name:./lookup.onnx,dim:2,norm:yes,pool:mean,length:0,hash:{digest}|" in score.signature
    spec = dy.Signature.parse(score.signature).embedder
    assert spec is not None
    monkeypatch.chdir(path.parent)
    assert find_embedder(spec) == find_embedder(f"onnx:{path}")
    assert find_embedder(spec).identity() != find_embedder(f"onnx:{path},pool=cls").identity()
    tokenizer = path.parent / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace("cat", "cow"))
    with pytest.raises(dy.SpecError, match=f"hash {digest} at"):
        find_embedder(spec)


@needs_packages
def test_errors_name_the_problem(tmp_path: Path) -> None:
    for source in (tmp_path / "nowhere.onnx", tmp_path / "nowhere", "some-name"):
        with pytest.raises(dy.SpecError, match="expected an .onnx file"):
            find_embedder(f"onnx:{source}")
    with pytest.raises(dy.SpecError, match="got none"):
        find_embedder(f"onnx:{tmp_path}")
    (tmp_path / "a.onnx").write_bytes(b"no network")
    with pytest.raises(dy.SpecError, match="No tokenizer.json"):
        find_embedder(f"onnx:{tmp_path}")
    save_tokenizer(tmp_path)
    with pytest.raises(dy.SpecError, match="Cannot load the model"):
        dy.measure(["cat"], "vendi", embedder=f"onnx:{tmp_path}")
    (tmp_path / "b.onnx").write_bytes(b"no network")
    with pytest.raises(dy.SpecError, match="got 2: a.onnx, b.onnx"):
        find_embedder(f"onnx:{tmp_path}")
    strange = save_network(tmp_path / "strange" / "a.onnx", ("input_ids", "pixels"))
    with pytest.raises(dy.SpecError, match="got also pixels"):
        dy.measure(["cat"], "vendi", embedder=f"onnx:{strange}")
    with pytest.raises(dy.SpecError, match="at least 0, got -1"):
        find_embedder(f"onnx:{strange},length=-1")
    with pytest.raises(dy.SpecError, match="above 1, the number of special subwords, got 1"):
        dy.measure(["cat"], "vendi", embedder=f"onnx:{strange},length=1")
    with pytest.raises(dy.SpecError, match=r"mean \| cls"):
        find_embedder(f"onnx:{strange},pool=max")
    good = save_network(tmp_path / "good" / "a.onnx")
    with pytest.raises(dy.InputError, match="UTF-8"):
        find_embedder(f"onnx:{good}").embed(["\ud800"])


@needs_packages
def test_subwords_without_a_vector_are_an_error(tmp_path: Path) -> None:
    """A tokenizer of another model: its subword 9 has no vector."""
    path = save_network(tmp_path / "lookup.onnx")
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"dog": 3', '"dog": 9'))
    with pytest.raises(dy.InputError, match="cannot process a text of 2 subwords"):
        find_embedder(f"onnx:{path}").embed(["dog"])


def test_padding_is_not_a_subword(tmp_path: Path) -> None:
    """A tokenizer.json may pad texts: the share of unknown subwords is one of subwords of the text."""
    tokenizers = pytest.importorskip("tokenizers")
    save_tokenizer(tmp_path)
    path = tmp_path / "tokenizer.json"
    padding = {
        "strategy": {"Fixed": 128},
        "direction": "Right",
        "pad_to_multiple_of": None,
        "pad_id": 0,
        "pad_type_id": 0,
        "pad_token": "[PAD]",
    }
    path.write_text(json.dumps({**json.loads(path.read_text()), "padding": padding}))
    assert len(tokenizers.Tokenizer.from_file(str(path)).encode("cat")) == 128
    # One of two subwords, `bird`, is not in the vocabulary.
    assert share_of_unknown(load_tokenizer(path, Onnx), ["cat bird"]) == 1 / 2


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(dy.MissingExtraError, match=r'pip install "distinctly\[onnx\]"'):
        find_embedder("onnx:model.onnx")
