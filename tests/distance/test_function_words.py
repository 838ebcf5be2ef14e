"""`function_words`: by hand, against loops, with other lists, and for strangers."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import form, token_tables

import distinctly as dy
from distinctly.distance.function_words import ENGLISH

WORDS = ENGLISH.read_text(encoding="utf-8").split()
TOKENS = st.lists(
    st.lists(st.sampled_from(["the", "of", "she", "don't", "cat", "house", ""]), max_size=8), max_size=8
)


def test_by_hand() -> None:
    # Reference: the 2, of 1, others 1 (of 4). Candidate: the 1, others 3 (of 4).
    # Means: the 3/8, of 1/8, others 4/8. Divergence, in bits:
    #   reference: 1/2 log2(4/3) + 1/4 log2 2 + 1/4 log2(1/2); candidate: 1/4 log2(2/3) + 3/4 log2(3/2).
    score = dy.compare(["The king of the"], ["THE big red dog"], "function_words")[0]
    reference = math.log2(4 / 3) / 2 + 1 / 4 - 1 / 4
    candidate = math.log2(2 / 3) / 4 + 3 * math.log2(3 / 2) / 4
    assert score.value == pytest.approx(math.sqrt((reference + candidate) / 2), rel=1e-12)
    assert score.parts == pytest.approx(
        {
            "reference_texts": 1,
            "candidate_texts": 1,
            "listed_words": len(WORDS),
            "reference_words": 4,
            "candidate_words": 4,
            "reference_share": 3 / 4,
            "candidate_share": 1 / 4,
            "divergence": (reference + candidate) / 2,
        },
        rel=1e-12,
    )


@given(reference=TOKENS, candidate=TOKENS)
def test_against_loops(reference: list[list[str]], candidate: list[list[str]]) -> None:
    profiles = [form.profile(texts, WORDS) for texts in (reference, candidate)]
    score = dy.compare(reference, candidate, "function_words", tokens=True)[0]
    listed = [sum(count for word, count in profile.items() if word) for profile in profiles]
    if not min(map(sum, (profile.values() for profile in profiles))) or not any(listed):
        assert math.isnan(score.value)
        return
    table = {word: tuple(profile[word] for profile in profiles) for word in {*profiles[0], *profiles[1]}}
    assert score.value == pytest.approx(token_tables.jensen_shannon(table), rel=1e-9, abs=2e-8)
    assert score.parts["reference_share"] == listed[0] / sum(profiles[0].values())


def test_content_words_do_not_matter_and_apostrophes_are_one_word() -> None:
    assert dy.compare(["The cat of the man"], ["The dog of the town"], "function_words")[0].value == 0
    assert dy.compare(["I don't know"], ["I don’t care"], "function_words")[0].value == 0


def test_the_list_has_different_words_in_lower_case() -> None:
    assert len(WORDS) == len(set(WORDS)) == 281
    assert all(word == word.lower() and "’" not in word for word in WORDS)
    assert {"the", "of", "whom", "ourselves", "don't", "upon"} <= set(WORDS)


def test_written_answers(tmp_path: Path) -> None:
    for pair, why in [
        ((["!"], ["the"]), "the reference has no words."),
        ((["chat"], ["chien"]), "neither corpus has any of the listed words. Give a list"),
    ]:
        score = dy.compare(*pair, "function_words")[0]
        assert math.isnan(score.value)
        assert score.undefined.startswith(why)
    french = ["le chat du roi " * 5], ["la reine et le roi the"]
    (note, *_) = dy.compare(*french, "function_words")[0].notes
    assert note == (
        "Only 0.0% of the words of the reference are in the list, which may be of another language: give "
        "words=FILE."
    )


def test_a_list_for_another_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("french.txt").write_text("le\nLa\ndu\net\nd’un\n", encoding="utf-8")
    spec = f"function_words:words={tmp_path / 'french.txt'}"
    texts = ["Le chat du roi"], ["La reine et le roi d'un"]
    score = dy.compare(*texts, spec)[0]
    # le 1/4, du 1/4, others 1/2 against la, et, le, d'un 1/6 each and others 1/3.
    table = {"le": (1, 1), "du": (1, 0), "": (2, 2), "la": (0, 1), "et": (0, 1), "d'un": (0, 1)}
    assert score.value == pytest.approx(token_tables.jensen_shannon(table), rel=1e-9)
    assert "|words:./french.txt|hash:" in score.signature
    # From the folder of the file, the signature is enough; elsewhere the file is not found.
    assert dy.compare(*texts, signature=score.signature)[0].value == score.value
    Path("french.txt").write_text("le\n", encoding="utf-8")
    with pytest.raises(dy.SpecError, match="Expected function words with the hash"):
        dy.compare(*texts, signature=score.signature)
    # le is 1/4 of the reference and 1/6 of the candidate.
    alone = token_tables.jensen_shannon({"le": (1, 1), "": (3, 5)})
    assert dy.compare(*texts, "function_words:words=french.txt")[0].value == pytest.approx(alone, rel=1e-9)
    with pytest.raises(dy.SpecError, match="Cannot read the function words 'none.txt'"):
        dy.compare(*texts, "function_words:words=none.txt")


def test_a_stranger_names_no_file_elsewhere(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the\n", encoding="utf-8")
    line = f"function_words|words:{secret}|tok:words,lc:yes,punct:no|v:0.1.0"
    with pytest.raises(dy.SpecError, match="The signature names the file .*outside the working folder"):
        dy.compare(["the"], ["a"], signature=line)
    assert dy.compare(["the"], ["the"], signature=line, trust=True)[0].value == 0


def test_explained_by_words() -> None:
    scores = dy.compare(["the cat of the man"] * 3, ["she ran and she hid"] * 3, "function_words", explain=3)
    tokens = [token["token"] for token in scores.corpora[1]["drivers"]["tokens"]]
    # the and she have 2/5 each and occur on one side only.
    assert set(tokens[:2]) == {"the", "she"}
    assert scores.corpora[1]["drivers"]["tokens_of"]["metric"] == "function_words"
