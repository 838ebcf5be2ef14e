"""`mauve`: by hand, against loops, against mauve-text, and on small corpora."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.oracles import mauve as oracle

import distinctly as dy
from distinctly import arrays
from distinctly.distance.mauve import Mauve, area, frontier_integral
from distinctly.embedders.given import GivenVectors
from distinctly.geometry import clusters
from distinctly.geometry.clusters import ClusterCounts, ClusterIndex, Clusters
from distinctly.geometry.kmeans import k_means
from distinctly.views.vectors import VectorTable, VectorView

Vectors = NDArray[np.float32]

# The numbers of texts of the reference and of the candidate per cluster.
COUNTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=6).filter(
    lambda pairs: all(sum(side) for side in zip(*pairs)) and sum(map(any, pairs)) > 1
)


def in_clusters(counts: tuple[int, ...]) -> NDArray[np.float64]:
    """Return this number of vectors along each axis, of various lengths, which must not matter."""
    return np.repeat(np.diag(np.arange(1.0, len(counts) + 1)), counts, axis=0)


def normal(n: int, dimensions: int = 12, shift: float = 0.0, seed: int = 0) -> Vectors:
    draw = np.random.default_rng([seed, n])
    found: Vectors = (draw.standard_normal((n, dimensions)) + shift).astype(np.float32)
    return found


def index(vectors: Any, **how: Any) -> ClusterIndex:
    view = VectorView(GivenVectors.of([vectors]))
    return ClusterIndex(Clusters(view, **how), VectorTable(vectors))


def value(one: Any, other: Any, options: str = "") -> float:
    return dy.compare(one, other, f"mauve:{options}" if options else "mauve")[0].value


def test_by_hand_disjoint() -> None:
    # P = (1, 0), Q = (0, 1). With R = (w, 1−w), KL(Q‖R) = −log(1−w) and KL(P‖R) = −log w, so the curve is
    # ((1−w)^c, w^c). With c = 1 that is the straight line from (1, 0) to (0, 1): the area is 1/2.
    score = dy.compare(in_clusters((3, 0)), in_clusters((0, 4)), "mauve:scale=1")[0]
    assert score.value == pytest.approx(0.5, abs=1e-12)
    assert score.parts["mauve"] == pytest.approx(0.5, abs=1e-12)
    # 2∫ −w·log w − (1−w)·log(1−w) dw = 4·¼ = 1.
    assert score.parts["frontier_integral"] == 1
    assert {
        key: score.parts[key] for key in ("clusters", "dimensions", "seeds", "zero_vectors", "spread")
    } == {
        "clusters": 2,
        "dimensions": 1,
        "seeds": 5,
        "zero_vectors": 0,
        "spread": 0,
    }
    # With c = 5 the area under the smooth curve is 5∫ w⁵(1−w)⁴ dw = 5·5!·4!/10! = 1/252; through 25 points
    # it is more, by less than a tenth, since chords lie above it.
    assert 1 / 252 < 1 - value(in_clusters((3, 0)), in_clusters((0, 4))) < 1.1 / 252


def test_frontier_integral_by_hand() -> None:
    # p = (3/4, 1/4), q = (1/4, 3/4): for both clusters 1/2 − (3/16)·log 3/(1/2), so 1 − ¾·log 3 in all.
    score = dy.compare(in_clusters((3, 1)), in_clusters((1, 3)), "mauve:seeds=1")[0]
    assert score.parts["frontier_integral"] == pytest.approx(1 - 0.75 * math.log(3), rel=1e-12)
    # Smoothed: (3.5/5, 1.5/5) and the other way round: 2·(1/2 − 0.21·log(7/3)/0.4).
    smoothed = 1 - 2 * 0.21 * math.log(7 / 3) / 0.4
    assert score.parts["frontier_integral_star"] == pytest.approx(smoothed, rel=1e-12)


@given(pairs=COUNTS, scale=st.sampled_from([0.5, 1.0, 5.0, 20.0]))
def test_against_loops(pairs: list[tuple[int, int]], scale: float) -> None:
    one, other = zip(*pairs)
    filled = [pair for pair in pairs if any(pair)]
    spec = f"mauve:scale={scale},explained=1,clusters={len(filled)},seeds=2"
    score = dy.compare(in_clusters(one), in_clusters(other), spec)[0]
    assert score.parts["clusters"] == len(filled)
    for name, shares in (("", oracle.shares), ("_star", oracle.smoothed)):
        sides = [shares(side) for side in zip(*filled)]
        assert score.parts[f"mauve{name}"] == pytest.approx(oracle.mauve(*sides, scale), rel=1e-9, abs=1e-12)
        # The oracle's integral is a sum of 500 strips.
        expected = oracle.frontier_integral(*sides)
        assert score.parts[f"frontier_integral{name}"] == pytest.approx(expected, abs=1e-5)
    assert score.value == pytest.approx(1 - score.parts["mauve"], abs=1e-15)


# Seeds per size: enough to measure the spread in a second or two.
@pytest.mark.parametrize(("n", "seeds"), [(100, 12), (1000, 6), (2850, 3)])
@pytest.mark.parametrize("halves", [False, True], ids=["two corpora", "halves of one"])
def test_lies_within_the_seed_spread_of_mauve_text(shared: Path, n: int, seeds: int, halves: bool) -> None:
    draw = np.random.default_rng(n)
    names = ["clinc150"] if halves else ["clinc150", "banking77"]
    rows = [np.load(shared / "embeddings" / f"{name}-minilm.npz")["vectors"] for name in names]
    mixed = [own[draw.permutation(len(own))].astype(np.float32) for own in rows]
    one, other = (mixed[0][:n], mixed[0][n : 2 * n]) if halves else (mixed[0][:n], mixed[1][:n])
    peer = [peer_mauve(one, other, seed) for seed in range(1, seeds + 1)]
    counts = index(np.concatenate([one, other]), seeds=8).summarize(np.arange(n), np.arange(n, 2 * n))
    shares = [side / n for side in (counts.reference, counts.candidate)]
    for name, own in (("mauve", area(*shares, 5.0)), ("frontier_integral", frontier_integral(*shares))):
        theirs = [getattr(found, name) for found in peer]
        spread = max(np.std(own, ddof=1), np.std(theirs, ddof=1))
        # Two standard deviations of one seed, since their estimate from a few seeds has an error of a third.
        assert np.mean(own) == pytest.approx(np.mean(theirs), abs=2 * spread), name
    # On the same clusters, both give the same value.
    for found in peer:
        sides = found.p_hist[None, :], found.q_hist[None, :]
        assert area(*sides, 5.0)[0] == pytest.approx(found.mauve, rel=1e-9)
        assert frontier_integral(*sides)[0] == pytest.approx(found.frontier_integral, rel=1e-9)
        smoothed = [(side * n + 0.5) / (n + side.shape[1] / 2) for side in sides]
        assert area(*smoothed, 5.0)[0] == pytest.approx(found.mauve_star, rel=1e-9)
        star = found.frontier_integral_star
        assert frontier_integral(*smoothed)[0] == pytest.approx(star, rel=1e-9)


def peer_mauve(one: Vectors, other: Vectors, seed: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of faiss, about its bindings
        import faiss
        import mauve

        faiss.omp_set_num_threads(1)  # several threads that wait for each other are slower
        return mauve.compute_mauve(p_features=one, q_features=other, device_id=-1, verbose=False, seed=seed)


def test_the_same_corpus_is_at_no_distance() -> None:
    vectors = normal(200)
    score = dy.compare(vectors, vectors[::-1], "mauve")[0]
    assert (score.value, score.parts["mauve"], score.parts["frontier_integral"]) == (0, 1, 0)


def test_grows_with_the_shift() -> None:
    values = [value(normal(300), normal(300, shift=shift, seed=1), "seeds=3") for shift in (0, 0.3, 0.6, 1.2)]
    assert values == sorted(values)
    assert values[0] < 0.1
    assert values[-1] > 0.9


def test_neither_order_nor_side_nor_scale_of_vectors_matters() -> None:
    one, other = normal(150), normal(120, shift=0.4, seed=1)
    expected = value(one, other)
    draw = np.random.default_rng(0)
    assert value(one[draw.permutation(150)], other[draw.permutation(120)]) == expected
    assert value(other, one) == pytest.approx(expected, rel=1e-9)
    one, other = in_clusters((5, 2)), in_clusters((2, 5))
    assert value(one * 1e200, other * 1e-200) == value(one, other)


def test_the_same_seed_gives_the_same_score() -> None:
    one, other = normal(150), normal(150, seed=1)
    assert value(one, other, "seed=3") == value(one, other, "seed=3")
    singles = [value(one, other, f"seeds=1,seed={seed}") for seed in (3, 4)]
    both = dy.compare(one, other, "mauve:seeds=2,seed=3")[0]
    assert both.value == pytest.approx(sum(singles) / 2, rel=1e-12)
    assert both.parts["spread"] == pytest.approx(abs(singles[0] - singles[1]) / math.sqrt(2), rel=1e-9)
    assert [both.parts["lowest"], both.parts["highest"]] == sorted(singles)
    assert "spread" not in dy.compare(one, other, "mauve:seeds=1")[0].parts


def test_torch_and_small_blocks_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    one, other = normal(500, 40), normal(400, 40, shift=0.2, seed=1)
    expected = dy.compare(one, other, "mauve")[0]
    for device in ("torch", "cpu"):
        found = dy.compare(one, other, "mauve", device=device)[0]
        assert found.parts == pytest.approx(expected.parts, rel=1e-9)
        monkeypatch.setattr(arrays, "CPU_BLOCK", 20_000)


def same(one: ClusterCounts, other: ClusterCounts) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name))
        for name in ("reference", "candidate", "reference_rows", "candidate_rows", "zeros", "asked")
    )


@settings(max_examples=25)
@given(data=st.data(), joint=st.booleans())
def test_many_pairs_are_each_what_they_are_alone(data: st.DataObject, joint: bool) -> None:
    vectors = np.round(normal(40, 3), 1)
    vectors[7] = 0
    places = st.permutations(range(40))
    pairs = []
    for _ in range(4):
        order, size = np.array(data.draw(places)), data.draw(st.integers(2, 40))
        cut = data.draw(st.integers(1, size - 1))
        pairs.append((order[:cut], order[cut:size]))
    found = list(index(vectors, joint=joint).each(pairs))
    alone = [index(vectors, joint=joint).summarize(*pair) for pair in pairs]
    assert all(map(same, found, alone))


def test_permutations_are_counted_in_clusters_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counted(*how: Any) -> Any:
        made.append(how)
        return k_means(*how)

    monkeypatch.setattr(clusters, "k_means", counted)
    one, other = normal(100), normal(80, shift=0.5, seed=1)
    score = dy.compare(one, other, "mauve", permutations=99)[0]
    assert len(made) == 5  # one per seed
    assert score.test.p == 0.01
    assert dy.compare(one, normal(80, seed=3), "mauve", permutations=99)[0].test.p > 0.05


def test_clustered_jointly_all_candidates_are_read_from_the_same_clusters() -> None:
    corpora = [normal(60), normal(60, shift=0.3, seed=1), normal(60, shift=1.0, seed=2)]
    scores = dy.compare(corpora[0], corpora[1:], "mauve:joint=yes,seeds=2")
    assert scores[0].value < scores[1].value
    pool = index(np.concatenate(corpora), joint=True, seeds=2)
    rows = np.arange(180).reshape(3, 60)
    near, far = pool.summarize(rows[0], rows[1]), pool.summarize(rows[0], rows[2])
    assert near.partition is far.partition
    assert (near.reference == far.reference).all()
    assert near.reference.sum() == 2 * 60
    assert scores[0].value == pytest.approx(Mauve(joint=True, seeds=2).score(near).value, rel=1e-9)


def test_drivers_are_the_clusters_that_differ_with_typical_texts() -> None:
    # Three clusters with 4, 4 and 0 of the reference, and 4, 1 and 3 of the candidate.
    one, other = in_clusters((4, 4, 0)), in_clusters((4, 1, 3))
    counts = index(np.concatenate([one, other]), clusters=3, explained=1.0).summarize(
        np.arange(8), np.arange(8, 16)
    )
    drivers = Mauve().drivers(counts, most=5)
    # 0 against 3/8 adds (3/8)/2 bits; 1/2 against 1/8 adds (½·log₂ 8/5 + ⅛·log₂ 2/5)/2; the first nothing.
    assert [round(own.divergence, 6) for own in drivers] == [
        0.1875,
        round((math.log2(8 / 5) / 2 + math.log2(2 / 5) / 8) / 2, 6),
    ]
    assert [(own.reference, own.candidate) for own in drivers] == [(0, 0.375), (0.5, 0.125)]
    assert [own.reference_rows for own in drivers] == [[], [4, 5]]
    assert [own.candidate_rows for own in drivers] == [[13, 14], [12]]


def test_typical_texts_are_nearest_to_the_centre() -> None:
    angles = np.array([0.0, 0.1, 0.2, 1.4, 1.5, 1.6])  # centres at about 0.1 and 1.5
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    counts = index(vectors, explained=1.0).summarize(np.array([0, 1, 2]), np.array([3, 4, 5]))
    drivers = Mauve().drivers(counts, most=2, texts=1)
    assert sorted(own.reference_rows + own.candidate_rows for own in drivers) == [[1], [4]]


def test_one_text_each() -> None:
    apart = dy.compare(np.array([[1.0, 0]]), np.array([[0, 1.0]]), "mauve:scale=1")[0]
    assert apart.value == pytest.approx(0.5, abs=1e-12)
    assert apart.notes[0] == "There are only 2 clusters, too few for a reliable value: use more texts."
    alike = dy.compare(np.array([[1.0, 2]]), np.array([[2.0, 4]]), "mauve")[0]
    assert (alike.value, alike.parts["clusters"], alike.parts["dimensions"]) == (0, 1, 0)
    assert alike.notes[0] == "There are fewer distinct vectors than requested clusters: 1 cluster is made."


def test_all_vectors_in_one_direction() -> None:
    draw = np.random.default_rng(0)
    rows = (draw.random((300, 1)) * np.array([[0.1, 0.2, 0.3]])).astype(np.float32)
    score = dy.compare(rows[:100], rows[100:], "mauve")[0]
    assert (score.value, score.parts["clusters"], score.parts["dimensions"]) == (0, 1, 0)


def test_fewer_vectors_differ_than_clusters_are_asked_for() -> None:
    score = dy.compare(in_clusters((5, 5, 2)), in_clusters((2, 5, 5)), "mauve:clusters=50,explained=1")[0]
    assert score.parts["clusters"] == 3
    expected = oracle.mauve(oracle.shares((5, 5, 2)), oracle.shares((2, 5, 5)), 5)
    assert score.parts["mauve"] == pytest.approx(expected, rel=1e-9)
    assert score.notes[0] == "There are fewer distinct vectors than requested clusters: 3 clusters are made."


def test_vectors_of_zeros_are_left_out() -> None:
    rows = np.concatenate([in_clusters((3, 1)), np.zeros((2, 2))])
    score = dy.compare(rows, in_clusters((1, 3)), "mauve")[0]
    assert score.value == value(in_clusters((3, 1)), in_clusters((1, 3)))
    assert score.parts["zero_vectors"] == 2
    assert score.notes[0] == "2 texts have a zero vector, which has no direction; they are left out."
    for one, other, which in ((np.zeros((2, 2)), rows, "reference"), (rows, np.zeros((2, 2)), "candidate")):
        nothing = dy.compare(one, other, "mauve")[0]
        assert math.isnan(nothing.value)
        why = f"all texts of the {which} have a zero vector, which has no direction."
        assert nothing.undefined == why
    assert math.isnan(value(np.zeros((2, 2)), np.zeros((3, 2))))


def test_unequal_sizes() -> None:
    score = dy.compare(normal(50), normal(2850, seed=1), "mauve:seeds=2")[0]
    assert score.parts["clusters"] == 5  # a tenth of the smaller
    assert 0 < score.value < 0.3
    assert score.value == pytest.approx(value(normal(2850, seed=1), normal(50), "seeds=2"), rel=1e-9)


def test_warns_where_the_number_is_not_safe() -> None:
    score = dy.compare(normal(60), normal(60, seed=1), "mauve:clusters=20")[0]
    notes = " ".join(score.notes)
    assert (
        "The smaller corpus has 3.0 texts per cluster, so the shares of clusters are mostly chance" in notes
    )
    assert f"from {score.parts['lowest']:.3f} to {score.parts['highest']:.3f}" in notes


def test_few_clusters_that_were_asked_for_are_no_surprise() -> None:
    score = dy.compare(normal(2000), normal(2000, seed=1), "mauve:clusters=3,seeds=1")[0]
    assert not any("clusters" in note for note in score.notes)


def test_many_texts_take_fewer_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "MANY", 30)
    assert dy.compare(normal(30), normal(40), "mauve")[0].parts["seeds"] == 2
    assert dy.compare(normal(29), normal(40), "mauve")[0].parts["seeds"] == 5


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("scale=0", "Expected `scale` of 'mauve' to be above 0 and finite, got 0"),
        ("explained=1.5", "Expected `explained` of 'mauve' to be above 0 and at most 1, got 1.5"),
        ("clusters=0", "Expected `clusters` of 'mauve' to be at least 1, got 0"),
        ("seeds=0", "Expected `seeds` of 'mauve' to be at least 1, got 0"),
        ("seed=-1", "Expected `seed` of 'mauve' to be at least 0, got -1"),
        ("clusters=some", "Expected `clusters` of 'mauve' to be auto | a whole number, got 'some'"),
    ],
)
def test_says_what_is_wrong_with_an_option(options: str, said: str) -> None:
    with pytest.raises(dy.SpecError) as error:
        value(normal(5), normal(5), options)
    assert said in str(error.value)
