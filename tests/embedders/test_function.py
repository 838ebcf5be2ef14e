"""Functions as embedders: their arguments, their names, and errors for bad rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders import find_embedder
from distinctly.embedders.function import Function

BAD: list[tuple[Any, str]] = [
    ([[1.0, 2.0]], "got 1 rows for 2 texts"),
    ([[1.0], [float("nan")]], r"NaN or infinity in 1 of 2 rows \(the first is row 1"),
    ([1.0, 2.0], "2-D array of numbers"),
    ([["a"], ["b"]], "2-D array of numbers"),
    ([[1.0], [2.0, 3.0]], "one row per text"),
    (np.zeros((2, 0)), "one dimension or more"),
]


def counted(texts: list[str]) -> list[list[int]]:
    return [[text.count("a"), text.count("b")] for text in texts]


def test_is_named_in_the_signature() -> None:
    score = dy.measure(["a", "b"], "dispersion", embedder=counted)[0]
    assert score.value == 1
    assert f"|emb:function,call:{__name__}.counted,norm:no|" in score.signature


def test_receives_each_distinct_text_once_in_batches() -> None:
    seen: list[list[str]] = []

    def embed(texts: list[str]) -> list[list[int]]:
        seen.append(texts)
        return counted(texts)

    texts = ["a" * (i % 1500 + 1) for i in range(4000)]
    dy.measure(texts, ["dispersion", "vendi", "chamfer"], embedder=embed)
    assert [len(batch) for batch in seen] == [1024, 476]


@pytest.mark.parametrize(("rows", "message"), BAD)
def test_bad_rows_are_errors(rows: Any, message: str) -> None:
    with pytest.raises(dy.InputError, match=message):
        dy.measure(["a", "b"], "dispersion", embedder=lambda texts: rows)


def test_vectors_are_scaled_on_request() -> None:
    embedder = Function(call=lambda texts: [[3, 4]] * len(texts), norm=True)
    assert embedder.embed(["a"]).tolist() == [[0.6, 0.8]]
    assert embedder.options()["norm"] == "yes"


def test_invalid_embedders_are_errors() -> None:
    with pytest.raises(dy.SpecError, match="got 3"):
        find_embedder(3)  # type: ignore[arg-type]
    with pytest.raises(dy.SpecError, match="pass the function as `embedder`"):
        find_embedder("function")


def test_an_accumulator_embeds_and_refuses_another_embedder() -> None:
    state, other = (dy.Accumulator("dispersion", embedder=counted) for _ in range(2))
    state.update(["a"])
    other.update(["b"])
    assert state.merge(other).compute()[0].value == 1
    with pytest.raises(dy.InputError, match="embedders"):
        state.merge(dy.Accumulator("dispersion", embedder="wordllama"))


def test_a_signature_names_the_embedder() -> None:
    score = dy.measure(["a cat", "a dog"], "dispersion", embedder="wordllama:dim=64")[0]
    spec = dy.Signature.parse(score.signature).embedder
    assert spec is not None
    assert dy.measure(["a cat", "a dog"], "dispersion", embedder=spec)[0].signature == score.signature
    assert dy.Signature.parse(dy.measure(["a b"], "distinct:n=1")[0].signature).embedder is None
