"""Networks: which texts are computed together, and how their vectors come back; without any package."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.config import cores
from distinctly.embedders import network
from distinctly.embedders.network import SUBWORDS_PER_CALL, Network

# The vector of subword i.
WEIGHTS = np.array([[0, 0], [1, 0], [3, 4], [0, 2]], np.float32)


class Encoding:
    """The subwords of a text, as the package tokenizers returns them."""

    def __init__(self, ids: list[int]) -> None:
        self.ids = ids
        self.attention_mask, self.type_ids = [1] * len(ids), [0] * len(ids)

    def __len__(self) -> int:
        return len(self.ids)


class Digits:
    """A tokenizer: one subword per digit, and no special ones."""

    def encode_batch(self, texts: list[str]) -> list[Encoding]:
        for text in texts:
            text.encode()
        return [Encoding([int(digit) for digit in text]) for text in texts]


@dataclass
class Lookup:
    """A network that looks up the vector of each subword, and keeps what it was given."""

    kind: str = "tensor(int64)"
    calls: list[dict[str, Any]] = field(default_factory=list)
    threads: set[int] = field(default_factory=set)

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=name, type=self.kind) for name in ("input_ids", "attention_mask")]

    def run(self, names: list[str], inputs: dict[str, Any]) -> list[Any]:
        assert names == ["last_hidden_state"]
        self.calls.append(inputs)
        self.threads.add(threading.get_ident())
        return [WEIGHTS[inputs["input_ids"]]]


def lookup(**options: Any) -> Network:
    return Network(Lookup(**options), "last_hidden_state", Digits(), "the embedder 'onnx'", "./lookup.onnx")


def test_by_hand() -> None:
    # 12: the mean of (1, 0) and (3, 4); 2333: (3, 4 + 3 · 2) / 4; a text without subwords is a zero vector.
    texts = ["12", "2333", "", "2"]
    assert lookup().embed(texts, "mean").tolist() == [[2, 2], [3 / 4, 10 / 4], [0, 0], [3, 4]]
    assert lookup().embed(texts, "cls").tolist() == [[1, 0], [3, 4], [0, 0], [3, 4]]
    assert lookup().embed([], "mean").shape[0] == 0


def test_nothing_is_padded() -> None:
    model = lookup()
    model.embed(["1", "22", "3", "123", "11"], "mean")
    shapes = sorted(call["input_ids"].shape for call in model.session.calls)
    assert shapes == [(1, 3), (2, 1), (2, 2)]
    assert all(call["attention_mask"].all() for call in model.session.calls)


@pytest.mark.parametrize(("kind", "dtype"), [("tensor(int64)", np.int64), ("tensor(int32)", np.int32)])
def test_types_of_inputs(kind: str, dtype: type) -> None:
    model = lookup(kind=kind)
    model.embed(["12"], "mean")
    assert {table.dtype for table in model.session.calls[0].values()} == {np.dtype(dtype)}


@given(st.lists(st.integers(0, 3 * SUBWORDS_PER_CALL) | st.integers(0, 4), max_size=300))
def test_calls_cover_each_text_once(lengths: list[int]) -> None:
    calls = [places.tolist() for places in network._calls(np.array(lengths, np.int64))]
    assert sorted(place for places in calls for place in places) == list(range(len(lengths)))
    for places in calls:
        assert len({lengths[place] for place in places}) == 1
        assert len(places) == 1 or len(places) * lengths[places[0]] <= SUBWORDS_PER_CALL


@given(st.lists(st.text("123", max_size=6), max_size=40), st.integers(1, 3))
def test_vectors_do_not_depend_on_neighbours(texts: list[str], threads: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OMP_NUM_THREADS", str(threads))
        together = lookup().embed(texts, "mean")
        for text, row in zip(texts, together, strict=True):
            assert lookup().embed([text], "mean").tolist() == [row.tolist()]


@pytest.mark.parametrize(("value", "expected"), [("3", 3), ("", None), ("0", None), ("4,2", None)])
def test_number_of_threads(value: str, expected: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert network._threads() == (expected or cores())
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert network._threads() == cores()


def test_one_thread_if_one_is_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "OMP_NUM_THREADS", "1")
    model = lookup()
    model.embed(["1" * length for length in range(1, 20)], "mean")
    assert len(model.session.calls) == 19
    assert len(model.session.threads) == 1


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ({"pooler_output": "float", "last_hidden_state": "float"}, "last_hidden_state"),
        ({"logits": "float16", "token_embeddings": "float16"}, "token_embeddings"),
        # The network of `minilm` returns its inputs first.
        ({"output": "int64", "463": "int64", "onnx::Shape_422": "float", "461": "float"}, "onnx::Shape_422"),
    ],
)
def test_output_with_the_vectors(outputs: dict[str, str], expected: str) -> None:
    declared = [SimpleNamespace(name=name, type=f"tensor({kind})") for name, kind in outputs.items()]
    session = SimpleNamespace(get_outputs=lambda: declared)
    assert network.output_of(session, network.OUTPUTS, "./lookup.onnx") == expected


def test_errors_name_the_problem() -> None:
    session = SimpleNamespace(get_outputs=lambda: [SimpleNamespace(name="ids", type="tensor(int64)")])
    with pytest.raises(dy.SpecError, match="'./lookup.onnx' to have an output of floats, got none"):
        network.output_of(session, network.OUTPUTS, "./lookup.onnx")
    with pytest.raises(dy.InputError, match="UTF-8 for the embedder 'onnx'"):
        lookup().embed(["\ud800"], "mean")
    with pytest.raises(dy.InputError, match="'./lookup.onnx' cannot process a text of 2 subwords"):
        lookup().embed(["99"], "mean")
