"""The sentences of a summary say what the scores and their tests say, and nothing else."""

from __future__ import annotations

import math

import pytest

import distinctly as dy
from distinctly.overview.verdict import (
    MOST_SENTENCES,
    sentences_of_distances,
    sentences_of_scores,
)
from distinctly.score import Comparison, Floor, Note, Score, Scores, Test


def compared(values: dict[str, float], noise: dict[str, bool | None], lower: bool = False) -> Scores:
    """Return scores of Distinct-2 at one size, and the differences from the best."""
    best = (min if lower else max)(values, key=values.__getitem__)
    metric = "self_bleu" if lower else "distinct"
    spec = "self_bleu" if lower else "distinct:n=2,at=900,unit=text"
    options = {} if lower else {"n": 2, "at": 900, "unit": "text"}
    plain = None if lower else "distinct:n=2"
    scores = [
        Score(value, metric=metric, options=options, spec=spec, plain_spec=plain, corpus=name)
        for name, value in values.items()
    ]
    comparisons = [
        Comparison(
            metric=spec,
            scope=None,
            best=best,
            corpus=name,
            difference=value - values[best],
            p=math.nan if noise[name] is None else 0.2 if noise[name] else 0.001,
            p_holm=math.nan if noise[name] is None else 0.4 if noise[name] else 0.002,
            noise=noise[name],
            test="each text left out in turn",
        )
        for name, value in values.items()
        if name != best
    ]
    corpora = [{"name": name, "texts": 9, "tokens": 99, "tokens_per_text": 11.0} for name in values]
    return Scores(scores, corpora, comparisons)


def test_a_decided_contest_names_the_best_and_the_span_of_the_differences() -> None:
    scores = compared({"a": 0.61, "b": 0.59, "c": 0.47}, {"b": False, "c": False})
    assert sentences_of_scores(scores) == [
        "a is the most varied of 3 corpora: Distinct-2 at an equal number of bigrams (900) is 0.6100, and "
        "0.0200 to 0.1400 higher than for the 2 others (corrected p < 0.05 for all)."  # 0.61-0.59, 0.61-0.47
    ]


def test_two_corpora_are_compared_by_name() -> None:
    (sentence,) = sentences_of_scores(compared({"a": 0.2, "b": 0.5}, {"a": False}))
    assert sentence.startswith("b is more varied than a: Distinct-2")
    assert "which is 0.3000 higher (corrected p = 0.002)" in sentence  # 0.5 - 0.2


def test_less_is_more_varied_for_self_bleu() -> None:
    (sentence,) = sentences_of_scores(compared({"a": 0.2, "b": 0.5}, {"b": False}, lower=True))
    assert sentence.startswith("a is more varied than b: Self-BLEU is 0.2000, which is 0.3000 lower")


def test_corpora_within_noise_are_not_called_less_varied() -> None:
    scores = compared({"a": 0.61, "b": 0.6, "c": 0.47}, {"b": True, "c": False})
    (sentence,) = sentences_of_scores(scores)
    assert "most varied" not in sentence
    assert "c is lower by 0.1400 (corrected p < 0.05), while b is within noise of it" in sentence


def test_nothing_is_claimed_if_no_difference_is_more_than_noise() -> None:
    (sentence,) = sentences_of_scores(compared({"a": 0.61, "b": 0.6, "c": 0.59}, {"b": True, "c": True}))
    assert sentence.startswith("No corpus is more varied than all others beyond noise")
    (sentence,) = sentences_of_scores(compared({"a": 0.61, "b": 0.6}, {"b": True}))
    assert "the other corpus does not differ from it significantly" in sentence


def test_a_tie_and_an_untested_difference() -> None:
    (sentence,) = sentences_of_scores(compared({"a": 0.5, "b": 0.5}, {"a": True, "b": True}))
    assert "for all 2 corpora, so none is more varied than another" in sentence
    (sentence,) = sentences_of_scores(compared({"a": 0.6, "b": 0.5}, {"b": None}))
    assert "too few texts to test" in sentence


def test_one_corpus_has_its_interval_and_a_warning_against_comparing() -> None:
    scores = dy.measure([f"word{place} and word{place + 1}" for place in range(40)], "distinct:n=2", interval=True)
    first, second = sentences_of_scores(scores)
    # 80 bigrams, all different: "word0 and", "and word1" … except none: every text has two of its own.
    assert first.startswith("Distinct-2 of texts is 1.0000 (95 % interval")
    assert "nothing to compare it with" in second


def test_an_undefined_value_is_reported_with_its_reason() -> None:
    first = sentences_of_scores(dy.measure(["one", "two"], "distinct:n=2"))[0]
    assert first.startswith("Distinct-2 of texts is undefined: ")


def test_length_is_mentioned_only_if_it_differs() -> None:
    long = [f"a{place} b c d e f g h i j k l m n" for place in range(30)]
    short = [f"a{place} b{place} c" for place in range(30)]
    sentences = sentences_of_scores(dy.measure({"long": long, "short": short}, "distinct:n=1"))
    # 14 and 3 tokens per text.
    assert any("Texts of short have 3.0 tokens on average, and those of long 14.0" in line for line in sentences)
    alike = sentences_of_scores(dy.measure({"a": short, "b": list(reversed(short))}, "distinct:n=1"))
    assert not any("on average" in line for line in alike)


def test_repeated_texts_are_counted() -> None:
    texts = ["the same text"] * 25 + [f"another text {place}" for place in range(75)]
    sentences = sentences_of_scores(dy.measure(texts, ["distinct:n=2", "duplicates"]))
    assert "24% of the texts of texts repeat an earlier text word for word." in sentences  # 24 of 100


def distances(*values: tuple[str, float, float]) -> Scores:
    """Return Jensen–Shannon distances with a noise floor of 0.1."""
    return Scores(
        [
            Score(
                value,
                metric="jensen_shannon",
                spec="jensen_shannon",
                corpus=corpus,
                reference="human",
                kind="distance",
                test=Test(p=p, p_holm=p, permutations=99, how=""),
                floor=Floor(mean=0.1, texts=10, distance_at_size=value),
            )
            for corpus, value, p in values
        ]
    )


def test_distances_are_named_with_their_tests() -> None:
    (alone,) = sentences_of_distances(distances(("a", 0.79, 0.01)))
    assert "7.9 times as far as chance alone" in alone  # 0.79 / 0.1
    assert alone.endswith("(p = 0.010, corrected).")
    (noise,) = sentences_of_distances(distances(("a", 0.1, 0.6)))
    assert "which may be noise" in noise
    (several,) = sentences_of_distances(distances(("a", 0.4, 0.01), ("b", 0.2, 0.3), ("c", 0.3, 0.01)))
    assert several.startswith("b is nearest to human by the Jensen–Shannon distance (0.2000), and a is farthest")
    assert several.endswith("2 of 3 distances are more than noise, that of b is not.")


def test_undefined_distances_say_nothing() -> None:
    assert not list(sentences_of_distances(distances(("a", math.nan, math.nan))))


@pytest.mark.parametrize("names", [("<script>", "b"), ("a\x1b[31m", "b")])
def test_names_of_corpora_are_printable(names: tuple[str, str]) -> None:
    scores = compared(dict(zip(names, (0.6, 0.5))), {names[1]: False, names[0]: False})
    assert all(sentence.isprintable() for sentence in sentences_of_scores(scores))


def test_there_are_at_most_five_sentences() -> None:
    scores = compared({"a": 0.61, "b": 0.59}, {"b": False})
    noted = [score.evolve(notes=(Note("x"),)) for score in scores]
    assert len(sentences_of_scores(Scores(noted, scores.corpora, scores.comparisons))) <= MOST_SENTENCES
