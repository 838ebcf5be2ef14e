"""The map: its sample, its layout, and its regions with names and tested remarks."""

from __future__ import annotations

import numpy as np
import pytest

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.overview import mapping
from distinctly.overview.held import Held
from distinctly.overview.layout import layout
from distinctly.overview.mapping import text_map
from distinctly.overview.regions import names_of, regions_of
from distinctly.report.page import TextMap
from distinctly.run.plan import default_embedder

FOOD = [f"bake the bread with {word} and salt" for word in ("flour", "butter", "milk", "sugar", "yeast") * 8]
SPACE = [f"the rocket flew to {word} in orbit" for word in ("mars", "venus", "saturn", "pluto", "titan") * 8]


def drawn(corpora: dict[str, list[str]], reference: str | None = None, seed: int = 0) -> TextMap:
    held = [Held(name, Batch.of(texts)) for name, texts in corpora.items()]
    drawing = text_map(held, default_embedder(), RunConfig(cache=False), seed=seed, reference=reference)
    assert drawing is not None
    return drawing


def test_a_region_that_a_candidate_misses_has_a_remark() -> None:
    drawing = drawn({"human": FOOD + SPACE, "model": FOOD + FOOD}, "human")
    missed = [region for region in drawing.regions if "model misses it" in region.remark]
    assert missed
    assert all(region.shares["model"] == 0 and region.shares["human"] > 0 for region in missed)


def test_equal_corpora_have_no_remarks() -> None:
    drawing = drawn({"human": FOOD + SPACE, "model": SPACE + FOOD}, "human")
    assert not [region.remark for region in drawing.regions if region.remark]


def test_a_large_ratio_of_few_texts_is_no_remark() -> None:
    # 0 of 4 and 2 of 4 texts: Fisher's exact p is 0.43, so it may be chance.
    labels = {"a": np.array([0, 0, 0, 0]), "b": np.array([0, 0, 1, 1])}
    assert [region.remark for region in regions_of(["x", "y"], labels, "b")] == ["", ""]


@pytest.mark.slow
def test_copies_of_a_text_are_one_point_with_their_number() -> None:
    drawing = drawn({"a": ["the same text"] * 5 + [f"text {place} of mine" for place in range(20)]})
    assert sum(point.text.startswith("(5 times) the same text") for point in drawing.points) == 1
    assert len(drawing.points) == 21  # 20 texts, and the repeated one


def test_the_order_of_texts_changes_no_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapping, "MOST_TEXTS", 30)
    texts = [*FOOD[:20], *(f"{text} again {place}" for place, text in enumerate(SPACE))]
    first, second = drawn({"a": texts}), drawn({"a": texts[::-1]})
    assert {(point.text, point.region) for point in first.points} == {
        (point.text, point.region) for point in second.points
    }
    assert "A random sample of 30 of 60 texts" in first.meaning
    other = drawn({"a": texts}, seed=1)
    assert {point.text for point in other.points} != {point.text for point in first.points}


def test_long_texts_are_cut_and_control_characters_escaped() -> None:
    drawing = drawn({"a": ["word " * 5000, "a\x1b[31m red \u202e text"]})
    assert all(len(point.text) <= mapping.LONGEST and point.text.isprintable() for point in drawing.points)
    assert any(point.text.endswith("…") for point in drawing.points)


def test_empty_texts_are_not_on_the_map() -> None:
    assert text_map([Held("a", Batch.of(["", " "]))], default_embedder(), RunConfig(), seed=0) is None


def test_names_are_words_that_are_more_frequent_in_the_region() -> None:
    batch = Batch.of(FOOD + SPACE)
    names = names_of(batch, mapping.NAMING, np.repeat([0, 1], 40))
    assert "salt" in names[0] or "bread" in names[0] or "bake" in names[0]
    assert "orbit" in names[1] or "rocket" in names[1] or "flew" in names[1]
    # "the" is in all texts.
    assert not any("the" in name.split(", ") for name in names)


def test_names_of_chinese_regions_are_pairs_of_characters() -> None:
    batch = Batch.of(
        ["我喜欢这部电影", "这部电影的导演是谁", "电影导演"] * 4 + ["门票多少钱", "门票在哪里买", "门票"] * 4
    )
    names = names_of(batch, mapping.NAMING, np.repeat([0, 1], 12))
    assert "电影" in names[0]
    assert "门票" in names[1]


@pytest.mark.parametrize("count", [1, 2, 14, 40])
def test_places_are_finite_and_the_same_for_the_same_seed(count: int) -> None:
    vectors = np.random.default_rng(0).normal(size=(count, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    places = layout(vectors, 3)
    assert places.shape == (count, 2)
    assert np.isfinite(places).all()
    assert (places == layout(vectors, 3)).all()


def test_equal_vectors_do_not_lie_on_one_another() -> None:
    places = layout(np.ones((5, 4), np.float32) / 2, 0)
    assert len(np.unique(places.round(9), axis=0)) == 5
