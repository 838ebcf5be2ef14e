"""`explain` for distances: tokens, far texts, nearest pairs, clusters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import distinctly as dy

CATS = [f"the cat sat on mat number {place}" for place in range(20)]
STOCKS = [f"shares of company {place} fell sharply" for place in range(20)]


def embed(texts: list[str]) -> np.ndarray[Any, Any]:
    """Embed texts about cats far from texts about stocks, and each text near the next."""
    places = [[1.0, 0.0] if "cat" in text else [0.0, 1.0] for text in texts]
    return np.array(
        [[*place, 0.01 * int("".join(filter(str.isdigit, text)) or 0)] for place, text in zip(places, texts)]
    )


def drivers(reference: list[str], candidate: list[str], **options: Any) -> dict[str, Any]:
    found = dy.compare(reference, candidate, ["medoid"], embedder=embed, explain=3, **options)
    assert "drivers" not in found.corpora[0]
    told: dict[str, Any] = found.corpora[1]["drivers"]
    return told


def test_what_one_corpus_lacks_and_what_it_has_besides() -> None:
    told = drivers(CATS + STOCKS, CATS)
    # Half of the reference is about stocks, and no candidate is.
    assert told["uncovered"]["share"] == 0.5
    assert all("shares" in text for text in told["uncovered"]["texts"])
    assert told["outside"] == {"share": 0.0, "texts": []}
    assert told["shared"] == 0.5
    turned = drivers(CATS, CATS + STOCKS)
    assert turned["outside"]["share"] == 0.5
    assert all("shares" in text for text in turned["outside"]["texts"])
    assert turned["shared"] == 1.0


def test_tokens_and_their_side() -> None:
    told = drivers(CATS, STOCKS)["tokens"]
    assert len(told) == 3
    assert {one["more_in"] for one in told} <= {"reference", "candidate"}
    # "the" occurs once in each of 20 texts about cats, and never in those about stocks.
    shares = {one["token"]: one for one in drivers(CATS, STOCKS, tokenizer="whitespace")["tokens"]}
    assert all(one["reference"] == 0 or one["candidate"] == 0 for one in shares.values())


def test_nearest_pairs_are_not_the_same_text() -> None:
    told = drivers(CATS[:10], CATS[5:])["nearest"]
    assert told
    assert all(one["reference"] != one["candidate"] for one in told)
    distances = [one["distance"] for one in told]
    assert distances == sorted(distances)


def test_clusters_that_only_one_fills() -> None:
    told = drivers(CATS + STOCKS, CATS)["clusters"]
    assert told[0]["reference_share"] > told[0]["candidate_share"]
    assert all("shares" in text for text in told[0]["texts"])


def test_a_few_texts_have_no_neighbourhoods_and_none_have_nothing() -> None:
    assert "uncovered" not in drivers(CATS[:3], STOCKS[:3])
    assert drivers(CATS, []) == {}


def test_tokens_alone_where_no_distance_sees_vectors() -> None:
    found = dy.compare(CATS, STOCKS, "chi", explain=2)
    assert found.corpora[1]["drivers"].keys() == {"tokens", "tokens_of", "moving"}


@pytest.mark.parametrize(
    ("options", "told"),
    [({"matrix": True}, "cannot be combined with `matrix`"), ({}, "only vectors")],
)
def test_refused(options: dict[str, Any], told: str) -> None:
    texts: Any = (CATS, STOCKS) if options else (np.ones((3, 2)), np.ones((3, 2)))
    with pytest.raises(dy.SpecError, match=told):
        dy.compare(*texts, "medoid", explain=1, **options)


def test_rates_are_of_all_tokens_and_shares_of_the_reported_statistic() -> None:
    # Of 10 tokens of the reference, 4 are "a" and 3 are "b"; the 3 others are not among the 2 most frequent.
    reference, candidate = ["a a a a b b b x y z"], ["a b b b b b b u v w"]
    scores = dy.compare(reference, candidate, "chi:top=2", explain=2)
    explained = scores.corpora[1]["drivers"]
    by_token = {token["token"]: token for token in explained["tokens"]}
    assert by_token["a"]["reference_per_million"] == 400_000
    assert by_token["a"]["candidate_per_million"] == 100_000
    # The table is (4, 3), (1, 6): each row has 7 tokens, so 2.5 and 4.5 are expected. The two tokens add
    # 2 · 1.5² / 2.5 = 1.8 and 2 · 1.5² / 4.5 = 1.
    assert scores[0].parts["statistic"] == pytest.approx(2.8, rel=1e-12)
    assert by_token["a"]["share"] * scores[0].parts["statistic"] == pytest.approx(1.8, rel=1e-12)
    assert by_token["b"]["share"] * scores[0].parts["statistic"] == pytest.approx(1.0, rel=1e-12)
    assert explained["tokens_of"]["metric"] == "chi:top=2"
    assert explained["tokens_of"]["value"] == scores[0].parts["statistic"]


def test_shares_are_of_the_first_requested_sum() -> None:
    scores = dy.compare(CATS, STOCKS, ["medoid", "jensen_shannon:n=2", "chi"], embedder=embed, explain=200)
    explained = scores.corpora[1]["drivers"]
    assert explained["tokens_of"]["metric"] == "jensen_shannon:n=2"
    assert explained["tokens_of"]["value"] == pytest.approx(scores[1].parts["divergence"], rel=1e-12)
    assert sum(token["share"] for token in explained["tokens"]) == pytest.approx(1, rel=1e-12)
    # Each text about cats has the pairs "the cat" to "mat number" once, and 6 pairs in all.
    the_cat = next(token for token in explained["tokens"] if token["token"] == "the cat")
    assert (the_cat["reference"], the_cat["reference_per_million"]) == (20, pytest.approx(1e6 / 6))


def test_tokens_are_those_that_the_distance_reads() -> None:
    explained = dy.compare(["Ab"], ["ab ab"], "chi:of=char", explain=5).corpora[1]["drivers"]
    assert {token["token"] for token in explained["tokens"]} <= {"A", "a", "b", " "}


def test_shares_of_texts_are_those_of_the_requested_distance() -> None:
    scores = dy.compare(
        CATS + STOCKS[:4], CATS[5:] + STOCKS[2:12], ["pr:k=2", "dc:k=2"], embedder=embed, explain=2
    )
    explained = scores.corpora[1]["drivers"]
    assert explained["outside"]["share"] == 1 - scores[0].parts["precision"]
    assert explained["uncovered"]["share"] == 1 - scores[1].parts["coverage"]
