"""Notes that keep a number from misleading: EAD on large corpora, and texts of different lengths."""

from __future__ import annotations

import numpy as np
import pytest

import distinctly as dy

DRAW = np.random.default_rng(0)
# Words with Zipfian frequencies, so that larger corpora have more of them.
WORDS = [f"w{word}" for word in range(3000)]
WEIGHTS = 1 / np.arange(1, 3001)


def texts_of(count: int, length: int) -> list[str]:
    """Return random texts of equal length."""
    drawn = DRAW.choice(WORDS, (count, length), p=WEIGHTS / WEIGHTS.sum())
    return [" ".join(words) for words in drawn.tolist()]


def notes_with(words: str, scores: dy.Scores) -> dict[str, list[str]]:
    """Return the notes that contain words, by spec."""
    notes: dict[str, list[str]] = {}
    for score in scores:
        notes.setdefault(score.spec, []).extend(str(note) for note in score.notes if words in note)
    return {spec: list(dict.fromkeys(found)) for spec, found in notes.items() if found}


# EAD


def test_ead_says_that_it_grows_with_the_corpus() -> None:
    corpus = texts_of(400, 10)  # 4,000 tokens
    small, large = (dy.measure(corpus, f"ead:vocabulary={size}")[0] for size in (4000, 3999))
    assert not notes_with("grows with the size of the corpus", dy.Scores([small]))
    ((note,),) = notes_with("grows with the size of the corpus", dy.Scores([large])).values()
    assert "more tokens (C = 4,000) than the vocabulary has types (V = 3,999)" in note
    assert "above 1" not in note
    # It does grow, where Distinct falls.
    values = [dy.measure(corpus[:count], "ead:vocabulary=500")[0].value for count in (100, 200, 400)]
    assert values == sorted(values)


def test_ead_says_why_it_is_above_one() -> None:
    score = dy.measure(["a b c d e f", "g h i j k l"], "ead:vocabulary=10")[0]
    ((note,),) = notes_with("above 1", dy.Scores([score])).values()
    # 12 different letters.
    assert score.value > 1
    assert "N = 12 is larger than V" in note


@pytest.mark.parametrize("spec", ["ead:n=2,vocabulary=10", "ead:vocabulary=chao1"])
def test_ead_without_a_fixed_vocabulary_of_words_has_no_such_note(spec: str) -> None:
    assert not notes_with("grows with", dy.measure(texts_of(50, 10), spec))


def test_ead_has_no_column_beside_distinct_at_one_size() -> None:
    corpora = {"small": texts_of(20, 10), "large": texts_of(40, 10)}
    both = dy.measure(corpora, ["distinct:n=1", "ead", "entropy:n=1"])
    sized = {score.spec for score in both if score.plain_spec is not None}
    assert sized == {"distinct:n=1,at=200,unit=text", "entropy:n=1,at=200,unit=text"}
    assert list(notes_with("constant multiple of distinct:n=1, with the same order", both)) == ["ead"]
    assert {comparison.metric for comparison in both.comparisons} == sized
    # Alone, or beside Distinct of other n-grams, it has one, and it is what the note says.
    alone = dy.measure(corpora, ["distinct:n=2", "ead"])
    values = [score.value for score in alone if score.spec == "ead:at=200,unit=text"]
    distinct = [score.value for score in both if score.spec == "distinct:n=1,at=200,unit=text"]
    assert values[0] / distinct[0] == pytest.approx(values[1] / distinct[1], rel=1e-12)


@pytest.mark.parametrize("ead", ["ead:vocabulary=chao1", "ead:of=char"])
def test_ead_of_another_expectation_or_view_keeps_its_column(ead: str) -> None:
    corpora = {"small": texts_of(20, 10), "large": texts_of(40, 10)}
    scores = dy.measure(corpora, ["distinct:n=1", ead])
    assert any(score.plain_spec == ead for score in scores)


# Lengths


def test_measure_warns_if_texts_differ_in_length() -> None:
    corpora = {"short": texts_of(30, 20), "long": texts_of(30, 21)}  # 5 % longer
    warned = notes_with("Texts have 20.0 to 21.0 tokens on average", dy.measure(corpora, "distinct:n=1"))
    assert "distinct:n=1" in warned
    corpora["long"][0] = " ".join(corpora["long"][0].split()[:-1])  # now less than 5 %
    assert not notes_with("tokens on average", dy.measure(corpora, "distinct:n=1"))


def test_only_metrics_that_depend_on_length_warn() -> None:
    corpora = {"short": texts_of(30, 60), "long": texts_of(30, 120)}
    specs = ["self_bleu", "entropy:n=1", "mattr:window=50", "hdd", "duplicates", "mtld"]
    warned = notes_with("tokens on average, so differences", dy.measure(corpora, specs))
    assert {spec.partition(":")[0] for spec in warned} == {"self_bleu", "entropy"}


def test_compare_warns_if_texts_differ_in_length() -> None:
    reference = texts_of(30, 20)
    cut = [" ".join(text.split()[:10]) for text in reference]
    (notes,) = notes_with("due to length", dy.compare(reference, cut, "jensen_shannon")).values()
    assert notes[0].startswith("Texts have 20.0 tokens on average in the reference and 10.0 in the candidate")
    same = dy.compare(reference, texts_of(30, 20), "jensen_shannon")
    assert not notes_with("due to length", same)
