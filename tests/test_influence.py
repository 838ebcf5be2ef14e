"""The texts that move a distance most (`explain`), against distances that are measured without each text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.fixtures import command, save

import distinctly as dy

__all__ = ["command", "save"]

WORDS = ("cat", "dog", "fox", "owl", "sat", "ran")
TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=3, max_size=7
)
OF_TOKENS = ("chi", "jensen_shannon:n=1", "jensen_shannon:n=2", "zipf", "ttr_difference", "function_words")
OF_VECTORS = ("frechet", "medoid", "median", "ttest", "sliced_wasserstein", "energy", "mmd")
OF_NEIGHBOURS = ("pr:k=1", "dc:k=1", "irpr", "hausdorff")


def embed(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    """Return the number of each word in each text, and the length of the text."""
    return np.array([[*(text.split().count(word) for word in WORDS), len(text)] for text in texts], float)


def moving(scores: dy.Scores) -> dict[str, dict[str, Any]]:
    """Return the texts that move each metric of a comparison with one candidate."""
    return {listed["metric"]: listed for listed in scores.corpora[1]["drivers"].get("moving", [])}


def changes_one_by_one(reference: list[str], candidate: list[str], spec: str) -> dict[tuple[str, str], float]:
    """Measure the distance again without each text."""
    value = dy.compare(reference, candidate, spec, embedder=embed)[0].value
    changes = {}
    for role, texts in (("reference", reference), ("candidate", candidate)):
        for place, text in enumerate(texts):
            rest = texts[:place] + texts[place + 1 :]
            sides = (rest, candidate) if role == "reference" else (reference, rest)
            changes[role, text] = dy.compare(*sides, spec, embedder=embed)[0].value - value
    return changes


@pytest.mark.parametrize("spec", [*OF_TOKENS, *OF_VECTORS, *OF_NEIGHBOURS])
@settings(max_examples=10)
@given(reference=TEXTS, candidate=TEXTS)
def test_changes_are_those_of_distances_without_the_text(
    spec: str, reference: list[str], candidate: list[str]
) -> None:
    scores = dy.compare(reference, candidate, spec, embedder=embed, explain=20)
    listed = moving(scores)[scores[0].spec]
    value = scores[0].value
    assert listed["value"] == pytest.approx(value, nan_ok=True) or listed["value"] is None
    expected = changes_one_by_one(reference, candidate, spec)
    least = 1e-9 * abs(value) if value == value else np.inf
    # Up to a thousandth of that, changes on the border may be listed or not.
    must = {key for key, change in expected.items() if abs(change) > max(1.001 * least, 1e-12)}
    changes = {(text["corpus"], text["text"]): text["change"] for text in listed["texts"]}
    assert must <= set(changes)
    for key, change in changes.items():
        assert change == pytest.approx(expected[key], rel=1e-6, abs=1e-9)
    sizes = [abs(text["change"]) for text in listed["texts"]]
    assert sizes == sorted(sizes, reverse=True)
    for text in listed["texts"]:
        assert text["times"] == (reference if text["corpus"] == "reference" else candidate).count(
            text["text"]
        )


def test_by_hand() -> None:
    # Shares of a: 3/4 and 0; of b: 1/4 and 1. Without "b", the corpora share nothing: √1.
    scores = dy.compare(["a a a", "b"], ["b b"], "jensen_shannon", explain=2)
    listed = moving(scores)["jensen_shannon"]
    assert listed["left_out"] == {"reference": 2, "candidate": 1}
    changes = {text["text"]: text["change"] for text in listed["texts"]}
    value = scores[0].value
    # Without "a a a" they are the same. Without "b b" there is no candidate, and so no change.
    assert changes == {"a a a": pytest.approx(-value), "b": pytest.approx(1 - value)}


def many(size: int, seed: int) -> list[str]:
    """Return different texts of common words, too many to leave out each of them."""
    draw = np.random.default_rng(seed)
    return [f"{' '.join(draw.choice(WORDS, 6))} {seed} {place}" for place in range(size)]


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("jensen_shannon", "zebu " * 40),
        ("chi:top=20", "cat " * 60),
        ("frechet", "cat " * 60),
        ("medoid", "owl " * 60),
        ("hausdorff:mode=max,metric=euclidean", "dog " * 60),
        ("mmd", "ran " * 60),
    ],
)
def test_of_many_texts_the_one_that_matters_is_tried(spec: str, texts: str) -> None:
    candidate = [*many(300, 1), texts.strip()]
    scores = dy.compare(many(300, 0), candidate, spec, embedder=embed, explain=1)
    listed = moving(scores)[scores[0].spec]
    assert sum(listed["left_out"].values()) < sum(listed["different"].values()) == 601
    assert {"text": texts.strip(), "corpus": "candidate", "times": 1}.items() <= listed["texts"][0].items()
    without = dy.compare(many(300, 0), candidate[:-1], spec, embedder=embed)[0].value
    assert listed["texts"][0]["change"] == pytest.approx(without - scores[0].value, rel=1e-6)


def test_one_copy_of_a_text_is_left_out() -> None:
    reference, candidate = ["a b", "c d", "c d", "c d"], ["a b", "a b"]
    listed = moving(dy.compare(reference, candidate, "jensen_shannon", explain=9))["jensen_shannon"]
    assert listed["left_out"] == {"reference": 2, "candidate": 1}
    value = listed["value"]
    expected = dy.compare(reference[:-1], candidate, "jensen_shannon")[0].value - value
    copies = next(text for text in listed["texts"] if text["text"] == "c d")
    assert (copies["times"], copies["change"]) == (3, pytest.approx(expected, rel=1e-9))


def apart(reference: list[str], candidate: list[str]) -> float:
    """Return the difference of the numbers of characters."""
    return float(abs(len(" ".join(reference)) - len(" ".join(candidate))))


@pytest.mark.parametrize("metric", ["classifier", "mauve", "novelty:n=1", "frechet:extrapolate=yes", apart])
def test_only_changes_that_are_due_to_the_text_are_listed(metric: Any) -> None:
    scores = dy.compare(many(30, 0), many(30, 1), [metric, "jensen_shannon"], embedder=embed, explain=2)
    assert moving(scores).keys() == {"jensen_shannon"}


def test_vectors_of_zeros_have_no_neighbours() -> None:
    # No text of the reference has a direction, so that distances of directions are undefined.
    scores = dy.compare(
        [""] * 3, ["cat", "dog", "owl"], ["irpr", "medoid"], embedder=zeros_if_empty, explain=1
    )
    assert np.isnan(scores[0].value)
    assert moving(scores)["irpr"]["texts"] == []
    assert scores.corpora[1]["drivers"]["nearest"] == []


def zeros_if_empty(texts: Sequence[str]) -> np.ndarray[Any, Any]:
    return embed(texts) if any(texts) else np.zeros((len(texts), len(WORDS) + 1))


def test_the_listing(command: Any, save: Any) -> None:
    save("a.txt", "a a a\nb\n")
    save("b.txt", "b b\n")
    done = command("compare", "a.txt", "b.txt", "-m", "jensen_shannon", "--explain")
    assert done.returncode == 0
    listing = done.stdout[done.stdout.index("Texts that move") :].splitlines()
    # Of 4 and 2 tokens, a has the shares 3/4 and 0, b 1/4 and 1, means 3/8 and 5/8: the divergence is
    # (3/4 · log₂ 2 + 1/4 · log₂ (2/5) + log₂ (8/5)) / 2 = .5488, its root .7408.
    assert listing[0] == "Texts that move jensen_shannon (0.7408) most: its change without the text"
    assert listing[1].split() == ["-0.7408", "a", "a", "a", "of", "a.txt"]
    assert listing[2].split() == ["+0.2592", "b", "of", "a.txt"]


def test_of_many_texts_the_number_tried_is_listed(command: Any, save: Any) -> None:
    save("a.txt", "\n".join(many(300, 0)))
    save("b.txt", "\n".join(many(300, 1)))
    wide = {"COLUMNS": "120"}
    done = command("compare", "a.txt", "b.txt", "-m", "jensen_shannon", "--explain", environment=wide)
    title = next(line for line in done.stdout.splitlines() if line.startswith("Texts that move"))
    assert re.search(r"without the text \(\d+ of 600 texts tried\)$", title)
