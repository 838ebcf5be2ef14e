"""`collocations` through the front door: loops over tokens, numbers by hand, batches and errors."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2
from tests.oracles import keyness as oracle

import distinctly as dy

WORDS = st.sampled_from(["a", "b", "c", "the", "é"])
TEXTS = st.lists(st.lists(WORDS, max_size=9).map(" ".join), min_size=1, max_size=6)
NODES = st.lists(WORDS, min_size=1, max_size=2).map(tuple)
TEA = ["a cup of strong tea", "strong tea and cake", "a strong wind", "a cup of milk", "tea"]


@given(TEXTS, NODES, st.integers(0, 3), st.integers(0, 3), st.integers(1, 2), st.booleans())
def test_counts_are_those_of_loops(texts, node, left, right, min_count, compiled):
    tokens = [text.split() for text in texts]
    near, far, nodes = oracle.collocates(tokens, node, left, right)
    options = {"window": (left, right), "min_count": min_count, "compiled": compiled or None}
    if not left + right:
        with pytest.raises(dy.SpecError, match="at least 1 token"):
            dy.collocations(node, texts, **options)
        return
    if not nodes:
        with pytest.raises(dy.InputError, match=f"'{' '.join(node)}' does not occur in the texts"):
            dy.collocations(node, texts, **options)
        return
    result = dy.collocations(node, texts, **options)
    assert result.nodes == nodes
    inside, outside = sum(near.values()), sum(far.values())
    before = oracle.collocates(tokens, node, left, 0)[0]
    after = oracle.collocates(tokens, node, 0, right)[0]
    expected = {
        word: count
        for word, count in near.items()
        if count >= min_count and count * outside > far[word] * inside
    }
    assert {row["collocate"]: row["together"] for row in result} == expected
    for row in result:
        word, together = row["collocate"], row["together"]
        count = together + far[word]
        assert (row["count"], row["left"], row["right"]) == (count, before[word], after[word])
        assert row["expected"] == pytest.approx(count * inside / (inside + outside))
        table = together, far[word], inside - together, outside - far[word]
        assert row["g2"] == pytest.approx(oracle.g2(*table), abs=1e-9)
        assert row["pmi"] == pytest.approx(math.log2(together / row["expected"]))
        assert row["log_dice"] == pytest.approx(14 + math.log2(2 * together / (nodes + count)))
        ranged = sum(word in oracle.collocates([text], node, left, right)[0] for text in tokens)
        assert row["range"] == ranged
    sizes = [row["g2"] for row in result]
    assert sizes == sorted(sizes, reverse=True)


def test_by_hand():
    result = dy.collocations("tea", TEA, window=2)
    # Near the three teas: of, strong | strong, and, cake. All others but the teas: a, cup | a, strong, wind |
    # a, cup, of, milk: 5 and 9 of 14 tokens.
    strong = next(row for row in result if row["collocate"] == "strong")
    assert (strong["together"], strong["left"], strong["right"], strong["count"]) == (2, 2, 0, 3)
    assert strong["expected"] == pytest.approx(3 * 5 / 14)
    assert strong["pmi"] == pytest.approx(math.log2(2 / (15 / 14)))
    assert strong["log_dice"] == pytest.approx(14 + math.log2(2 * 2 / (3 + 3)))
    assert result.nodes == 3
    # and and cake only occur near it: all of 1. of is near in 1 of 2; a and cup are not near.
    assert {row["collocate"] for row in result} == {"and", "cake", "of", "strong"}


def test_corrected_p_values_are_of_all_words_that_are_near_often_enough():
    texts = ["x a", "x a", "x a", "x b", "x b", "c d", "a", "b b b", "e"]
    every = dy.collocations("x", texts, window=1)
    # a: 3 of 5 near, 1 of 7 elsewhere; b: 2 of 5 and 3 of 7, which is less, but tested.
    p_values = [every[0]["g2_p"], float(chi2.sf(oracle.g2(2, 3, 3, 4), 1))]
    assert [row["collocate"] for row in every] == ["a"]
    assert every[0]["g2_p_corrected"] == pytest.approx(oracle.corrected(p_values)[0])
    (only,) = dy.collocations("x", texts, window=1, min_count=3)
    assert only["g2_p_corrected"] == only["g2_p"]


def test_orders_and_minimum_range():
    texts = ["x rare", "x often", "x often", "often else else else", "x one one one"]
    by = {
        sort: [row["collocate"] for row in dy.collocations("x", texts, sort=sort)] for sort in ("g2", "pmi")
    }
    # one and rare are only near: PMI log2(10/6); often: 2 of 6 near and 1 of 4 elsewhere, log2(2 / (3·6/10)).
    assert by["pmi"] == ["one", "rare", "often"]
    assert by["g2"][0] == "one"
    dice = [row["collocate"] for row in dy.collocations("x", texts, sort="log_dice")]
    # 2·3/(4+3), 2·2/(4+3), 2·1/(4+1).
    assert dice == ["one", "often", "rare"]
    assert {row["collocate"] for row in dy.collocations("x", texts, min_range=2)} == {"often"}


def test_several_words_lines_and_views():
    texts = ["Strong tea at noon", "no strong tea", "strong coffee", "tea"]
    result = dy.collocations("strong tea", texts, window=(1, 2), lines=5)
    assert {row["collocate"] for row in result} == {"at", "no", "noon"}
    assert [(line.text, line.left, line.match, line.right) for line in result.lines] == [
        (1, "", "strong tea", "at noon"),
        (2, "no", "strong tea", ""),
    ]
    assert dy.collocations("strong tea", texts).lines == []
    with pytest.raises(dy.InputError, match="does not occur"):
        dy.collocations("strong tea", texts[:1], tokenizer="words")
    tagged = dy.Corpus(["a b c"], tags=[["DET", "N", "V"]])
    assert [row["collocate"] for row in dy.collocations("N", tagged, of="tags", window=(0, 1))] == ["V"]
    assert [row["collocate"] for row in dy.collocations(["Aa"], [["Aa", "b"], ["c", "d"]])] == ["b"]


def test_the_same_bytes_in_any_batches_threads_and_partitions(tmp_path):
    lines = [f"w{place % 7} w{place % 3} tea w{place % 5}" for place in range(500)]
    (tmp_path / "a.txt").write_text("\n".join([*lines, *lines[::-1], "no more"]) + "\n")

    def measured(**options):
        return json.dumps(dy.collocations("tea", tmp_path / "a.txt", window=1, lines=3, **options).to_dict())

    expected = measured()
    for options in (
        {"compiled": True},
        {"compiled": True, "threads": 1, "batch_size": 9},
        {"compiled": True, "memory": "10MB"},
        {"checkpoint": str(tmp_path / "parts")},
    ):
        assert measured(**options) == expected


@pytest.mark.parametrize(
    ("word", "options", "problem"),
    [
        ("  ", {}, "Expected a word to look for"),
        ("tea", {"window": -1}, "`window` to be a whole number of at least 0"),
        ("tea", {"window": 0}, "at least 1 token"),
        ("tea", {"sort": "chi2"}, "Unknown value 'chi2' of sort"),
        ("tea", {"min_count": 0}, "`min_count` to be a whole number of at least 1"),
        ("tea", {"permutations": 5}, "nothing is drawn or exchanged"),
        ("milk shake", {}, "'milk shake' does not occur in the texts"),
    ],
)
def test_errors(word, options, problem):
    with pytest.raises((dy.InputError, dy.SpecError), match=problem):
        dy.collocations(word, TEA, **options)


def test_a_node_without_other_words_has_no_collocates():
    result = dy.collocations("tea", ["tea", "tea tea"])
    assert (len(result), result.nodes) == (0, 3)


def test_what_a_result_can_do(tmp_path):
    result = dy.collocations("tea", TEA, window=2, lines=1)
    assert result.to_pandas()["collocate"].tolist() == [row["collocate"] for row in result]
    assert "<td>strong</td>" in result._repr_html_()
    assert result[0] == next(iter(result))
    result.save(tmp_path / "tea.json")
    assert json.loads((tmp_path / "tea.json").read_text()) == result.to_dict()
