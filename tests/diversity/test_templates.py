"""`templates`: by hand, against loops, through every path, and explained."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import form as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.report.pages.explanations import explained
from distinctly.statistics.templates import TemplateUse
from distinctly.views.tokens import Tokens

# Ten sentences with tags by hand: determiner, adjective, noun, verb, pronoun, adverb (R), preposition (I).
SENTENCES = {
    "The old man slept well": "D A N V R",
    "A young dog barked loudly": "D A N V R",
    "The small boy laughed": "D A N V",
    "The cat sat on the mat": "D N V I D N",
    "The dog ran in the park": "D N V I D N",
    "She read the book": "P V D N",
    "He saw the old tree": "P V D A N",
    "We ate the fresh bread": "P V D A N",
    "They left": "P V",
    "Birds sing loudly every day": "N V R D N",
}
TEXTS, TAGS = list(SENTENCES), [tags.split() for tags in SENTENCES.values()]


def score(spec: str, **options: Any) -> dy.Score:
    return dy.measure(TEXTS, spec, tags=TAGS, **options)[0]


def test_by_hand() -> None:
    # n = 4. The 4-grams of tags, and the texts (1 to 10) that have them:
    #   D A N V   1 2 3        A N V R   1 2          D N V I   4 5        N V I D   4 5       V I D N   4 5
    #   P V D N   6            P V D A   7 8          V D A N   7 8        N V R D   10        V R D N   10
    # In at least 2 texts: D A N V, A N V R, D N V I, N V I D, V I D N, P V D A, V D A N = 7 templates.
    # Texts with one: 1 2 3 4 5 7 8 = 7, of the 9 texts with at least 4 tags (text 9 has 2).
    # Places: text 1: 2, 2: 2, 3: 1, 4: 3, 5: 3, 7: 2, 8: 2 = 15. Tags: 5+5+4+6+6+4+5+5+2+5 = 47.
    result = score("templates:n=4,texts=2")
    assert result.value == 7 / 9
    assert result.parts == {
        "texts": 10,
        "skipped_texts": 1,
        "templated_texts": 7,
        "templates": 7,
        "per_token": 15 / 47,
    }
    # In at least 3 texts: D A N V alone, in texts 1, 2 and 3.
    assert score("templates:n=4,texts=3").value == 3 / 9
    # n = 5: D A N V R (1 2), D N V I D and N V I D N (4 5), P V D A N (7 8); N V R D N only in 10.
    # Texts 1 2 4 5 7 8, of the 7 with at least 5 tags (1 2 4 5 7 8 10).
    assert score("templates:n=5,texts=2").value == 6 / 7


def test_a_text_that_repeats_an_ngram_is_one_text() -> None:
    # D N is in the first text twice, and in no other.
    tags = [["D", "N", "D", "N"], ["V", "V"], ["A", "A"]]
    assert dy.measure(["a", "b", "c"], "templates:n=2,texts=2", tags=tags)[0].value == 0


def test_texts_that_are_too_short() -> None:
    assert score("templates:n=4,texts=2,short=zero").value == 7 / 10
    assert math.isnan(score("templates:n=4,texts=2,short=nan").value)
    note = "1 of 10 texts have fewer than 4 tags; they are left out (short=skip)."
    assert score("templates:n=4,texts=2").notes[0] == note
    assert score("templates:n=9").undefined == "no text has at least 9 tags, so there are no 9-grams."


def test_fewer_texts_than_the_threshold_have_no_templates() -> None:
    result = dy.measure(TEXTS[:4], "templates:n=4", tags=TAGS[:4])[0]
    assert result.value == 0
    assert result.notes == (
        "There are only 4 texts, so no n-gram can be in 5 of them, and there are no templates.",
    )


def test_without_n_there_is_one_score_per_length() -> None:
    scores = dy.measure(TEXTS, "templates", tags=TAGS)
    assert [one.options["n"] for one in scores] == [4, 5, 6, 7, 8]


def test_a_tokenizer_does_not_replace_the_tags() -> None:
    expected = score("templates:n=4,texts=2").value
    assert score("templates:n=4,texts=2", tokenizer="words:lc=yes").value == expected
    # With `of`, templates are of words: none is in two texts.
    assert score("templates:n=4,texts=2,of=words").value == 0


@given(texts=TOKEN_LISTS, n=st.integers(1, 5), least=st.integers(2, 4))
def test_against_loops_on_both_paths(texts: list[list[str]], n: int, least: int) -> None:
    expected = oracle.template_parts(texts, n, least)
    tags = Tokens.of(texts)
    for view in (tags, replace(tags, compiled=True)):
        use = TemplateUse(n, least).summarize(view)
        assert use.templated == expected["templated_texts"]
        assert (use.templates, use.occurrences) == (expected["templates"], expected["places"])
    (result,) = dy.measure(texts, f"templates:n={n},texts={least},of=given", tokens=True)
    long = sum(len(text) >= n for text in texts)
    assert result.value == pytest.approx(
        expected["templated_texts"] / long if long else math.nan, nan_ok=True
    )


def test_the_number_of_templates_does_not_depend_on_the_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As if the texts did not fit: they are read twice, and templates are counted by 1 / texts in pieces.
    monkeypatch.setattr("distinctly.engine.local.ROWS_PER_BYTE", 10**9)
    words = [f"{first}{second}" for first in "abcdefg" for second in "hijklm"]
    rows = [" ".join(words[(row * step) % len(words)] for step in range(1, 9)) for row in range(600)]
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    spec = "templates:n=3,texts=5,of=words"
    expected = dy.measure(rows, spec)[0]
    twice = dy.measure(path, spec, compiled=True, batch_size=7)[0]
    assert (twice.value, twice.parts) == (expected.value, expected.parts)
    assert expected.parts["templates"] == len(oracle.templates([row.split() for row in rows], 3, 5))


def test_explained_with_examples() -> None:
    scores = dy.measure(TEXTS, "templates:n=4,texts=2", tags=TAGS, explain=2)
    (listed,) = scores.corpora[0]["explain"]["templates"]
    assert (listed["n"], listed["least"]) == (4, 2)
    # D A N V is in three texts; of those in two, A N V R is the first in alphabetical order.
    assert [(one["tags"], one["texts"]) for one in listed["templates"]] == [("D A N V", 3), ("A N V R", 2)]
    assert set(listed["templates"][1]["examples"]) == set(TEXTS[:2])
    listing = explained(scores)[-1]
    assert listing.title == "Templates of 4 tags that most texts of texts have (at least 2), and examples"
    assert [item.label for item in listing.items] == ["3 texts", "2 texts"]


def test_without_tags_the_error_says_what_to_give() -> None:
    with pytest.raises(dy.InputError, match="--tagger hanta, spacy:MODEL or MODULE:FUNCTION.*--tags"):
        dy.measure(TEXTS, "templates")
