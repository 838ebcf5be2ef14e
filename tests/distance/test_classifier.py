"""`classifier`: by hand, against scikit-learn and IBM's formula, and invariances."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import separation as oracle

import distinctly as dy
from distinctly.batch import Batch
from distinctly.distance.classifier import by_guessing
from distinctly.embedders.given import GivenVectors
from distinctly.geometry.separation import Judgements, Separation, SeparationIndex
from distinctly.views.texts import Texts
from distinctly.views.vectors import VectorTable, VectorView

Array = np.ndarray[Any, Any]


def classifier(one: Array, other: Array, options: str = "", *, named: bool = False) -> dy.Score:
    """Compare vectors; if they are named by numbers, the folds follow the numbers."""
    spec = f"classifier{options and ':'}{options}"
    if named:
        numbers = [str(number) for number in range(len(one) + len(other))]
        return dy.compare(numbers[: len(one)], numbers[len(one) :], spec, vectors=(one, other))[0]
    return dy.compare(one, other, spec)[0]


def index_of(rows: Array, *, named: bool = False, **options: Any) -> SeparationIndex:
    """Index vectors, by their bits or by their numbers."""
    texts = Texts(Batch.of([str(number) for number in range(len(rows))])) if named else None
    view = VectorView(GivenVectors.of([rows]))
    return SeparationIndex(Separation(view, **options), VectorTable(rows, texts=texts))


def clouds(n: int, shift: float, dimensions: int = 8, seed: int = 0) -> tuple[Array, Array]:
    """Return two Gaussian clouds whose means differ by the same amount in each dimension."""
    draw = np.random.default_rng(seed)
    return draw.standard_normal((n, dimensions)), draw.standard_normal((n, dimensions)) + shift


def test_by_hand() -> None:
    # Two points far apart on a line, three times each. Each fold classifies one text per corpus, trained on
    # the two others: all are correct. 2 · 1 − 1 = 1.
    score = classifier(np.array([[0.0]] * 3), np.array([[8.0]] * 3))
    assert score.value == 1
    assert score.parts["balanced_accuracy"] == score.parts["accuracy"] == score.parts["f1"] == 1
    assert score.parts["folds"] == 3
    assert score.parts["judged_texts"] == 6
    assert score.notes[0] == "Only 3 of 5 folds are used: the smaller corpus has no more texts."
    # One text of the candidate lies at the reference and is the only one that is misclassified.
    # Balanced accuracy (1 + 5/6)/2; 10 of 11 correct; F1 = 2·5 / (2·5 + 0 + 1).
    score = classifier(np.array([[0.0]] * 5), np.array([[8.0]] * 5 + [[0.0]]))
    assert score.value == pytest.approx(5 / 6, rel=1e-12)
    assert score.parts["accuracy"] == 10 / 11
    assert score.parts["f1"] == 10 / 11
    assert classifier(np.array([[0.0]] * 5), np.array([[8.0]] * 5 + [[0.0]]), "value=f1").value == 10 / 11


def test_guessing_by_hand() -> None:
    # 20 + 20 texts, 15 and 13 correct: 18 are assigned to the candidate, 9 of them expected to be correct.
    # The hypergeometric variance is 18 · ½ · ½ · 22/39 = 2.5385, of five folds 1.8 times that, 4.5692; z =
    # (13 − ½ − 9)/2.1376 = 1.6374.
    told = Judgements(reference=20, candidate=20, reference_correct=15, candidate_correct=13, folds=5)
    assert by_guessing(told) == pytest.approx(0.5 * math.erfc(1.6374 / math.sqrt(2)), rel=1e-3)
    # All texts are assigned to one corpus: no evidence.
    assert (
        by_guessing(
            Judgements(reference=20, candidate=20, reference_correct=20, candidate_correct=0, folds=5)
        )
        == 1
    )
    sure = Judgements(reference=3000, candidate=3000, reference_correct=3000, candidate_correct=3000, folds=5)
    assert by_guessing(sure) > 0


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    sizes=st.tuples(st.integers(2, 40), st.integers(2, 40)),
    dimensions=st.integers(1, 6),
    folds=st.integers(2, 6),
    balanced=st.booleans(),
)
def test_against_scikit_learn(
    seed: int, sizes: tuple[int, int], dimensions: int, folds: int, balanced: bool
) -> None:
    rows = np.random.default_rng(seed).standard_normal((sum(sizes), dimensions))
    rows[: sizes[0]] += 0.7
    index = index_of(rows, folds=folds, balanced=balanced)
    halves = np.arange(sizes[0]), np.arange(sizes[0], sum(sizes))
    deal = index.deal(*halves)
    right = oracle.told_right(rows[deal.rows], deal.side, deal.fold, balanced=balanced)
    told = index.summarize(*halves)
    assert told.folds == min(folds, *sizes)
    assert (told.reference, told.candidate) == sizes
    assert told.reference_correct == right[~deal.of_candidate].sum()
    assert told.candidate_correct == right[deal.of_candidate].sum()


@pytest.mark.parametrize("n", [50, 400])
def test_equals_scikit_learn_on_sentences(shared: Path, n: int) -> None:
    rows = np.concatenate([sentences(shared, name)[:n] for name in ("clinc150", "banking77")])
    index = index_of(rows)
    halves = np.arange(n), np.arange(n, 2 * n)
    deal = index.deal(*halves)
    right = oracle.told_right(rows[deal.rows], deal.side, deal.fold)
    told = index.summarize(*halves)
    assert told.reference_correct + told.candidate_correct == right.sum()


@pytest.mark.parametrize(("n", "m"), [(50, 50), (400, 400), (60, 300)])
def test_the_paper_is_ibms_formula_on_sentences(shared: Path, n: int, m: int) -> None:
    check_against_ibm(sentences(shared, "clinc150")[:n], sentences(shared, "banking77")[:m])


@pytest.mark.parametrize("seed", range(10))
def test_the_paper_is_ibms_formula(seed: int) -> None:
    # With dimensions of different means, the total variance, and so γ, differs from that around the means.
    one, other = clouds(60, 0.4, dimensions=4, seed=seed)
    check_against_ibm(one + np.array([0, 3, -2, 1]), other[:40] + np.array([0, 3, -2, 1]))


def check_against_ibm(one: Array, other: Array) -> None:
    n, m = len(one), len(other)
    score = classifier(one, other, "preset=paper", named=True)
    rows = np.concatenate([one, other])
    index = index_of(rows, named=True, split="once", standardise=False)
    deal = index.deal(np.arange(n), np.arange(n, n + m))
    learnt = deal.fold < 0
    # As released: int(0.8 n) texts per corpus are for training, all others are classified.
    assert (learnt & ~deal.of_candidate).sum() == int(0.8 * n)
    assert (learnt & deal.of_candidate).sum() == int(0.8 * m)
    own = [rows[deal.rows[deal.of_candidate == side]] for side in (False, True)]
    known = [learnt[deal.of_candidate == side] for side in (False, True)]
    split = (own[0][known[0]], own[0][~known[0]], own[1][known[1]], own[1][~known[1]])
    assert score.value == pytest.approx(oracle.ibm_f1(*split), rel=1e-12)
    assert score.value == score.parts["f1"]
    assert score.parts["judged_texts"] == n + m - int(0.8 * n) - int(0.8 * m)


def sentences(shared: Path, name: str) -> Array:
    with np.load(shared / "embeddings" / f"{name}-minilm.npz") as found:
        return found["vectors"].astype(np.float32)


def test_every_text_is_judged_once_and_folds_are_alike() -> None:
    one, other = clouds(23, 0.0)
    deal = index_of(np.concatenate([one, other])).deal(np.arange(23), np.arange(23, 46))
    for side in (False, True):
        assert sorted(np.bincount(deal.fold[deal.side == side]).tolist()) == [4, 4, 5, 5, 5]


def test_a_text_of_both_is_not_learnt_as_one_and_judged_as_the_other() -> None:
    one, other = clouds(30, 0.0)
    rows = np.concatenate([one, one[:12], other])  # the candidate has 12 texts of the reference
    deal = index_of(rows).deal(np.arange(30), np.arange(30, 72))
    for row in one[:12]:
        assert len(set(deal.fold[(rows[deal.rows] == row).all(axis=1)].tolist())) == 1


def test_copies_within_a_corpus_are_spread_over_the_folds() -> None:
    # A candidate of one repeated text is distinguished from a varied reference; if a quarter of the texts are
    # copies, so is a quarter of a sample.
    one, _ = clouds(60, 0.0)
    assert classifier(one, np.repeat(one[:1] + 3, 60, axis=0)).value > 0.9
    rows = np.concatenate([one, np.repeat(one[:1] + 3, 400, axis=0), clouds(1200, 0.0, seed=1)[0]])
    deal = index_of(rows, sample=400).deal(np.arange(60), np.arange(60, len(rows)))
    copies = (rows[deal.rows] == one[0] + 3).all(axis=1).sum()
    assert abs(copies - 100) < 4 * math.sqrt(400 * 0.25 * 0.75)


def test_identical_corpora_are_told_by_guessing_alone() -> None:
    one, _ = clouds(40, 0.0)
    score = classifier(one, one[::-1])
    assert score.value == 0
    assert score.parts["balanced_accuracy"] == 0.5  # both copies of a text are assigned to the same corpus
    assert score.parts["accuracy_p"] > 0.5


def test_what_is_disjoint_is_told_and_a_growing_shift_is_seen_growing() -> None:
    assert classifier(*clouds(60, 20.0)).value == 1
    values = [classifier(*clouds(150, shift, dimensions=3)).value for shift in (0.0, 0.4, 0.8, 1.6, 3.2)]
    assert values == sorted(values)
    assert values[0] < 0.2
    assert values[-1] > 0.95


def test_vectors_that_do_not_vary_tell_nothing() -> None:
    for options in ("", "preset=paper"):
        score = classifier(np.ones((8, 3)), np.ones((9, 3)), options)
        assert score.parts["balanced_accuracy"] == 0.5
    assert classifier(np.full((8, 3), 0.1), np.full((9, 3), 0.1)).value == 0
    # A dimension that does not vary changes nothing, γ included.
    one, other = clouds(40, 0.5)
    wider = [np.column_stack([rows, np.full(len(rows), 0.1)]) for rows in (one, other)]
    assert classifier(*wider, named=True).parts == classifier(one, other, named=True).parts


def test_size_of_numbers_changes_nothing() -> None:
    one, other = clouds(40, 0.5)
    for factor in (2.0**-600, 2.0**600):
        for options in ("", "standardise=no"):
            scaled = classifier(one * factor, other * factor, options, named=True)
            assert scaled.parts == classifier(one, other, options, named=True).parts


def test_corpora_of_different_sizes_count_alike() -> None:
    # Unweighted, the machine assigns all texts to the large corpus.
    one, other = clouds(400, 0.5)
    assert classifier(one, other).value > 0.5
    assert classifier(one, other[:40]).value > 0.4
    assert classifier(one, other[:40], "balanced=no").value == 0


def test_the_order_of_texts_changes_nothing() -> None:
    one, other = clouds(50, 0.3)
    one[3] = one[5] = other[7]  # a text of both corpora, twice in the reference
    draw = np.random.default_rng(3)
    first = classifier(one, other)
    for _ in range(5):
        again = classifier(draw.permutation(one), draw.permutation(other))
        assert again.parts == first.parts


@given(seed=st.integers(0, 10**6), shared_texts=st.integers(0, 5))
@settings(max_examples=20)
def test_the_accuracy_is_symmetric(seed: int, shared_texts: int) -> None:
    one, other = clouds(20, 0.3, dimensions=2, seed=seed)
    one[:shared_texts] = other[:shared_texts]
    there, back = classifier(one, other), classifier(other, one)
    assert there.value == back.value
    assert there.parts["accuracy_p"] == pytest.approx(back.parts["accuracy_p"], rel=1e-9)


def test_seeds_draw_other_folds_and_the_same_seed_the_same() -> None:
    one, other = clouds(40, 0.3)
    values = [classifier(one, other, f"seed={seed}").value for seed in range(6)]
    assert len(set(values)) > 1
    assert values[2] == classifier(one, other, "seed=2").value


@given(seed=st.integers(0, 10**6), split=st.sampled_from(["folds", "once"]), standardise=st.booleans())
@settings(max_examples=20)
def test_many_pairs_are_the_same_as_one_by_one(seed: int, split: Any, standardise: bool) -> None:
    draw = np.random.default_rng(seed)
    rows = draw.integers(-2, 3, (30, 3)).astype(np.float32)
    index = index_of(rows, split=split, standardise=standardise, sample=12)
    cuts = draw.integers(3, 27, 6)
    pairs = [(order[:cut], order[cut:]) for cut in cuts for order in [draw.permutation(30)]]
    pairs += [(order[:10], order[10:20]) for order in [draw.permutation(30)] for _ in range(2)]
    assert list(index.each(pairs)) == [index.summarize(*pair) for pair in pairs]


def test_a_sample_of_many_texts_is_noted() -> None:
    one, other = clouds(90, 0.8)
    score = classifier(one, other, "sample=50")
    assert score.parts["judged_texts"] == 100
    assert score.parts["reference_texts"] == 90
    assert score.notes[0] == "A random sample of 50 texts replaces each larger corpus (`sample`)."


def test_few_texts() -> None:
    score = classifier(np.zeros((1, 2)), np.ones((9, 2)))
    assert math.isnan(score.value)
    assert score.undefined == "the reference has 1 text; 'classifier' needs at least 2."
    assert classifier(np.zeros((2, 2)), np.ones((2, 2))).parts["folds"] == 2


@pytest.mark.parametrize("options", ["folds=1", "sample=1", "c=0", "c=-1", "c=inf"])
def test_options_that_make_no_sense(options: str) -> None:
    with pytest.raises(dy.errors.SpecError, match=f"Expected `{options.partition('=')[0]}` of 'classifier'"):
        classifier(np.zeros((3, 2)), np.ones((3, 2)), options)


def test_guesses_are_seldom_surprising() -> None:
    # P(accuracy_p ≤ .1) of 200 pairs from one source: at most .1 plus 3 standard errors.
    small = [
        classifier(*clouds(25, 0.0, dimensions=4, seed=seed)).parts["accuracy_p"] <= 0.1
        for seed in range(200)
    ]
    assert np.mean(small) <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / 200)
