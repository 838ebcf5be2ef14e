"""Known-similarity corpora: how they are mixed, what is judged on them, and what is refused."""

from __future__ import annotations

import math
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import judgements as oracle

import distinctly as dy
from distinctly.embedders.function import Function
from distinctly.judging import growth, known_similarity
from distinctly.judging.evaluating import compare_pairs
from distinctly.judging.gathering import gathering
from distinctly.judging.mixing import check_enough, mix, shares
from distinctly.judging.printed import COLUMNS, printed
from distinctly.judging.robustness import Sizes, robustness
from distinctly.judging.similarity import DEFAULT_METRICS, PAPER_METRICS
from distinctly.judging.similarity_trial import MEASURES
from distinctly.spec import parse_metrics

DO = ["sat", "lay", "slept", "purred", "ate", "stood", "ran", "hid", "came", "went"]
A = [f"the {what} {verb} on the mat" for verb in DO for what in ("cat", "dog", "cow", "hen", "ewe")]
B = [f"rain {verb} in the {where}" for verb in DO for where in ("north", "south", "west", "east", "end")]
DRAW = np.random.default_rng(7)
HERE, THERE = DRAW.standard_normal((130, 4)), DRAW.standard_normal((140, 4)) * 0.7 + 1.2
SMALL: dict[str, Any] = {"n": 6, "k": 4, "repetitions": 2}
MIXED = ["accuracy", "weighted_accuracy", "monotonicity", "separability", "linearity"]
SIZES_AND_K = st.tuples(st.integers(3, 15), st.integers(0, 60)).map(
    lambda both: (both[0] - 1 + both[1], both[0])
)


def rain_apart(reference: list[str], candidate: list[str]) -> float:
    """A distance that is right by construction: the difference in texts of B."""
    return abs(sum("rain" in text for text in reference) - sum("rain" in text for text in candidate))


def try_it(metrics: Any, a: Any = A, b: Any = B, **options: Any) -> Any:
    return known_similarity(a, b, metrics, **{**SMALL, "measures": MIXED, **options})


def plain(trial: Any) -> list[dict[str, Any]]:
    return [one.to_dict() for one in trial.findings]


def test_shares_by_hand() -> None:
    # 100 texts, 7 corpora: 100 · 5/6 = 83.3, 66.7, 50, 33.3, 16.7.
    assert shares(100, 7) == [100, 83, 67, 50, 33, 17, 0]
    # 6 texts, 5 corpora: 6, 4.5, 3, 1.5, 0; a half goes to A.
    assert shares(6, 5) == [6, 5, 3, 2, 0]


@given(SIZES_AND_K)
def test_shares_are_the_nearest_whole_numbers(case: tuple[int, int]) -> None:
    n, k = case
    counts = shares(n, k)
    assert (counts[0], counts[-1], len(counts)) == (n, 0, k)
    assert all(one > other for one, other in pairwise(counts))
    for i, count in enumerate(counts):
        exact = n * (k - 1 - i) / (k - 1)
        assert abs(count - exact) <= 0.5
        # From B the counts are the same, but for halves, which go to A.
        assert count + counts[k - 1 - i] == n + (2 * exact % 2 == 1)


@given(SIZES_AND_K, st.integers(0, 5))
def test_mixtures_are_disjoint_and_hold_what_they_should(case: tuple[int, int], seed: int) -> None:
    n, k = case
    of_a = sum(shares(n, k))
    a, b = np.arange(of_a + seed), np.arange(1000, 1000 + n * k - of_a)
    corpora = mix(a, b, n, k, np.random.default_rng(seed))
    assert [len(rows) for rows in corpora] == [n] * k
    assert [int((rows < 1000).sum()) for rows in corpora] == shares(n, k)
    together = np.concatenate(corpora)
    assert len(set(together.tolist())) == n * k
    assert set(together.tolist()) <= {*a.tolist(), *b.tolist()}


@given(SIZES_AND_K, st.floats(0.01, 1), st.floats(0.01, 1))
def test_the_n_of_the_message_is_the_largest_that_works(
    case: tuple[int, int], of_a: float, of_b: float
) -> None:
    n, k = case
    needed = sum(shares(n, k)), n * k - sum(shares(n, k))
    texts = int(needed[0] * of_a), int(needed[1] * of_b)
    if texts == needed:
        check_enough(["one", "other"], texts, n, k)
        return
    with pytest.raises(dy.InputError) as caught:
        check_enough(["one", "other"], texts, n, k)
    name, short = ("one", 0) if texts[0] < needed[0] else ("other", 1)
    told = f"{name}: expected {needed[short]:,} texts or more, got {texts[short]:,}: "
    assert str(caught.value).startswith(told)
    found = re.search(r"a smaller n \((\d+) at most\)", str(caught.value))
    most = k - 2 if found is None else int(found[1])
    if found is not None:
        check_enough(["one", "other"], texts, most, k)
    with pytest.raises(dy.InputError):
        check_enough(["one", "other"], texts, most + 1, k)


def test_a_distance_that_is_right_is_found_right() -> None:
    found = try_it(rain_apart).to_dict()[f"{__name__}:rain_apart"]
    # Texts of B: 0, 2, 4, 6 of 6, so that distances are 2, 4 and 6: exactly the level.
    for measure in MIXED:
        assert found[measure]["mean"] == pytest.approx(1, abs=1e-12)
        assert found[measure]["std"] == pytest.approx(0, abs=1e-12)
    assert (found["accuracy"]["judgements"], found["accuracy"]["ties"]) == (9, 0)
    assert found["accuracy"]["repetitions"] == 2


def test_the_shape_of_the_house() -> None:
    trial = known_similarity(A, B, "jensen_shannon", **SMALL, sizes=[10, 20], size_repetitions=2)
    found = trial.to_dict()
    assert list(found) == ["jensen_shannon"]
    assert tuple(found["jensen_shannon"]) == MEASURES
    for reading in found["jensen_shannon"].values():
        assert {"mean", "std", "low", "high", "repetitions", "notes"} <= reading.keys()
        assert reading["low"] <= reading["mean"] <= reading["high"]
    assert [one.measure for one in trial.findings] == list(MEASURES)
    assert found["jensen_shannon"]["time"]["mean"] > 0


def test_distances_are_those_of_compare() -> None:
    with gathering([("A", A), ("B", B)], parse_metrics(["jensen_shannon", "chi:top=50"])) as gathered:
        a, b = gathered.corpora.values()
        corpora = mix(a, b, 6, 4, np.random.default_rng([0, 30, 6, 4, 0]))
        texts = [[gathered.pool.view.texts.tolist()[row] for row in rows] for rows in corpora]
    trial = try_it(["jensen_shannon", "chi:top=50"], repetitions=1)
    for record in trial.records:
        if record["kind"] == "distance":
            i, j = int(str(record["i"])) - 1, int(str(record["j"])) - 1
            alone = dy.compare(texts[j], texts[i], record["metric"])[0].value
            assert record["value"] == pytest.approx(alone, rel=1e-9)


def test_findings_are_those_of_the_loops() -> None:
    trial = try_it("frechet", HERE, THERE, n=12, k=5)
    runs: dict[int, dict[tuple[int, int], float]] = {0: {}, 1: {}}
    for one in trial.records:
        if one["kind"] == "distance":
            runs[one["repetition"]][one["i"], one["j"]] = one["value"]
    asked = oracle.distinct(5)
    right = [oracle.shares_right(run, asked) for run in runs.values()]
    omega = [oracle.omega_squared([j - i for i, j in run], list(run.values())) for run in runs.values()]
    found = trial.to_dict()["frechet"]
    assert found["accuracy"]["mean"] == pytest.approx(np.mean([one[0] for one in right]), rel=1e-12)
    assert found["accuracy"]["std"] == pytest.approx(np.std([one[0] for one in right], ddof=1), abs=1e-12)
    assert found["weighted_accuracy"]["mean"] == pytest.approx(np.mean([one[1] for one in right]), rel=1e-12)
    assert found["separability"]["mean"] == pytest.approx(np.mean(omega), rel=1e-9)
    assert found["linearity"]["mean"] < found["linearity"]["r"]


def test_the_order_of_the_texts_changes_nothing() -> None:
    shuffled = [np.random.default_rng(i).permutation(texts).tolist() for i, texts in enumerate((A, B))]
    metrics = ["jensen_shannon", "medoid", rain_apart]
    embedder = Function(call=lambda texts: [[len(text), text.count("a"), 1] for text in texts])
    options = {"sizes": [10, 20], "measures": [*MIXED, "size_robustness", "imbalance_robustness"]}
    one = try_it(metrics, embedder=embedder, **options)
    other = try_it(metrics, *shuffled, embedder=embedder, **options)
    assert plain(one) == plain(other)
    assert one.settings == other.settings


def test_the_order_of_vectors_changes_nothing() -> None:
    one = try_it("frechet", HERE, THERE)
    other = try_it("frechet", HERE[::-1], THERE[::-1])
    for mine, yours in zip(one.findings, other.findings):
        assert mine.mean == pytest.approx(yours.mean, rel=1e-9)


def test_seeds() -> None:
    once, again, other = (try_it("jensen_shannon", seed=seed) for seed in (3, 3, 4))
    assert plain(once) == plain(again)
    assert plain(once) != plain(other)
    # More repetitions go on with the same draws.
    longer = try_it("jensen_shannon", seed=3, repetitions=3)
    values = [
        [one["value"] for one in trial.records if one["kind"] == "distance"] for trial in (once, longer)
    ]
    assert values[1][: len(values[0])] == values[0]


def test_a_metric_is_judged_the_same_whoever_is_beside_it() -> None:
    alone = try_it("jensen_shannon").to_dict()["jensen_shannon"]
    assert try_it(["chi", rain_apart, "jensen_shannon"]).to_dict()["jensen_shannon"] == alone


def test_n_and_k_of_a_measure() -> None:
    trial = try_it(
        "jensen_shannon",
        measures=["accuracy", "linearity", "monotonicity"],
        n={"accuracy": 8, "linearity": [6, 7], "monotonicity": 6},
        k={"accuracy": 3, "linearity": 4, "monotonicity": (4, 5)},
    )
    plan = [(one.measure, one.settings["n"], one.settings["k"]) for one in trial.findings]
    assert plan == [
        ("accuracy", 8, 3),
        ("linearity", 6, 4),
        ("linearity", 7, 4),
        ("monotonicity", 6, 4),
        ("monotonicity", 6, 5),
    ]
    found = trial.to_dict()["jensen_shannon"]
    assert found["accuracy"]["judgements"] == 2  # two intervals within one
    assert list(found["linearity"]) == ["n=6", "n=7"]
    assert list(found["monotonicity"]) == ["k=4", "k=5"]
    # Corpora of the same n and k are drawn once for all measures: (8, 3), (6, 4), (7, 4), (6, 5), each twice.
    assert len(trial.done) == 8


def test_several_k() -> None:
    found = try_it("jensen_shannon", k=[3, 5], measures=["accuracy", "time"]).to_dict()["jensen_shannon"]
    assert list(found["accuracy"]) == ["k=3", "k=5"]
    assert [one["judgements"] for one in found["accuracy"].values()] == [2, 25]
    assert found["accuracy"]["k=5"] == try_it("jensen_shannon", k=5).to_dict()["jensen_shannon"]["accuracy"]
    both = try_it("jensen_shannon", k=[3, 5], n=[6, 7], measures="accuracy").to_dict()["jensen_shannon"]
    assert list(both["accuracy"]) == ["n=6, k=3", "n=7, k=3", "n=6, k=5", "n=7, k=5"]


def by_length(texts: list[str]) -> list[list[float]]:
    return [[len(text), 1.0] for text in texts]


def by_letters(texts: list[str]) -> list[list[float]]:
    return [[text.count("a"), text.count("t"), 1.0] for text in texts]


def test_several_embedders_stand_side_by_side() -> None:
    trial = try_it(["medoid", "jensen_shannon"], embedder=[by_length, by_letters], measures="accuracy")
    found = trial.to_dict()
    names = [f"embedder={__name__}.{name}" for name in ("by_length", "by_letters")]
    assert list(found["medoid"]["accuracy"]) == names
    assert found["jensen_shannon"]["accuracy"]["judgements"] == 9  # sees no vectors: judged once
    for name, embedder in zip(names, (by_length, by_letters)):
        alone = try_it("medoid", embedder=embedder, measures="accuracy").to_dict()["medoid"]["accuracy"]
        assert found["medoid"]["accuracy"][name] == alone
    assert found["medoid"]["accuracy"][names[0]] != found["medoid"]["accuracy"][names[1]]


def test_embedders_of_one_name_are_refused() -> None:
    two = [lambda texts, width=width: np.ones((len(texts), width)) for width in (1, 2)]
    with pytest.raises(dy.SpecError, match="Expected embedders of different names, got two called"):
        try_it("medoid", embedder=two)
    assert list(try_it("medoid", embedder=[by_length, by_length], measures="accuracy").to_dict()["medoid"])


def test_parts_are_judged_one_by_one() -> None:
    trial = try_it("pr", HERE, THERE, n=12, parts=True, measures=["accuracy", "linearity", "time"])
    found = trial.to_dict()
    assert {"pr", "pr precision", "pr recall"} <= found.keys()
    assert not {"pr reference_texts", "pr candidate_texts"} & found.keys()
    assert "time" in found["pr"]
    assert "time" not in found["pr precision"]
    # Precision falls as corpora get farther apart, so its negative is judged.
    told = "It falls as corpora get farther apart: its negative is judged."
    assert told in found["pr precision"]["accuracy"]["notes"]
    assert found["pr precision"]["accuracy"]["mean"] > 0.5
    assert found["pr precision"]["linearity"]["r"] > 0
    assert found["pr"] == try_it("pr", HERE, THERE, n=12, measures=["accuracy", "linearity"]).to_dict()[
        "pr"
    ] | {"time": found["pr"]["time"]}


def test_a_function_with_several_values() -> None:
    def several(one: list[str], other: list[str]) -> dict[str, float]:
        apart = rain_apart(one, other)
        return {"apart": apart, "near": -apart, "same": 1.0}

    trial = try_it(several, sizes=[10, 20], size_repetitions=2, measures=[*MIXED, "time", "size_robustness"])
    name = f"{__name__}:{several.__qualname__}"
    found = trial.to_dict()
    assert list(found) == [f"{name} apart", f"{name} near", f"{name} same", name]
    assert list(found[name]) == ["time"]
    for part in ("apart", "near"):
        assert found[f"{name} {part}"]["accuracy"]["mean"] == 1
        assert found[f"{name} {part}"]["size_robustness"]["mean"] is not None
    assert found[f"{name} near"]["accuracy"]["notes"] == [
        "It falls as corpora get farther apart: its negative is judged."
    ]
    assert found[f"{name} same"]["accuracy"]["mean"] is None
    assert found[f"{name} same"]["size_robustness"]["mean"] == 1


def test_a_function_with_several_values_that_fails_at_some_pairs() -> None:
    def several(one: list[str], other: list[str]) -> dict[str, float]:
        if rain_apart(one, other) == 6:  # of the first and the last
            raise LookupError("too far")
        return {"apart": rain_apart(one, other), "half": math.inf if rain_apart(one, other) == 4 else 1.5}

    name = f"{__name__}:{several.__qualname__}"
    found = try_it([several, "jensen_shannon"]).to_dict()
    assert list(found) == [f"{name} apart", f"{name} half", "jensen_shannon"]
    apart, half = (found[f"{name} {part}"]["accuracy"] for part in ("apart", "half"))
    assert (apart["mean"], half["mean"]) == (None, None)
    # 1 of 6 pairs in each of 2 repetitions; and two pairs of corpora that are two steps apart.
    assert apart["notes"] == [
        f"Undefined: {name} raised LookupError: too far.",
        "2 of 12 distances are undefined.",
    ]
    assert half["notes"][1:] == ["6 of 12 distances are undefined."]


def test_a_similarity_is_told_but_taken_at_its_word() -> None:
    found = try_it(lambda one, other: -rain_apart(one, other)).findings[0]
    assert found.mean == 0
    told = "It falls as corpora get farther apart. Is it a similarity? A function takes `,reverse=yes`."
    assert found.notes == (told,)


def test_a_constant_tells_nothing_and_others_go_on() -> None:
    constant, other = try_it([lambda one, other: 1.0, "jensen_shannon"]).to_dict().values()
    for measure in MIXED:
        assert constant[measure]["mean"] is None
        assert constant[measure]["notes"] == [
            "Undefined: the distances of all pairs are equal, so that nothing can be told by them."
        ]
    assert other == try_it("jensen_shannon").to_dict()["jensen_shannon"]


@pytest.mark.parametrize(
    ("bad", "note"),
    [
        (math.nan, "gave NaN."),
        (math.inf, "Undefined: it gave inf."),
        (None, "gave NoneType, and not a number"),
    ],
)
def test_a_pair_without_a_distance(bad: float | None, note: str) -> None:
    def seldom(one: list[str], other: list[str]) -> float | None:
        apart = rain_apart(one, other)
        return bad if apart == 6 else apart

    found, other = try_it([seldom, "jensen_shannon"]).to_dict().values()
    for measure in MIXED:
        assert found[measure]["mean"] is None
        assert note in found[measure]["notes"][0]
        assert found[measure]["notes"][1] == "2 of 12 distances are undefined."
    assert other["accuracy"]["mean"] is not None


def test_a_repetition_without_a_distance_is_left_out() -> None:
    calls = []

    def seldom(one: list[str], other: list[str]) -> float:
        calls.append(one)
        return math.nan if len(calls) == 5 else rain_apart(one, other)

    found = try_it(seldom, repetitions=3).findings[0]
    assert (found.mean, found.repetitions) == (1, 2)
    assert found.notes[-1] == "1 of 3 repetitions have no value; they are left out."


def test_the_paper_counts_its_own_way() -> None:
    def coarse(one: list[str], other: list[str]) -> float:
        return min(rain_apart(one, other), 4)

    ours, papers = (
        next(iter(try_it(coarse, k=7, preset=preset, n=12, a=A * 2, b=B * 2).to_dict().values()))
        for preset in (None, "paper")
    )
    # Texts of B: 0, 2, 4 … 12, so that all pairs that are two steps apart or more have distance 4.
    distances = {(i, j): min(2 * (j - i), 4) for i in range(1, 8) for j in range(i + 1, 8)}
    plain_way = oracle.shares_right(distances, oracle.distinct(7))
    paper_way = oracle.shares_right(distances, oracle.released(7))
    assert ours["accuracy"]["mean"] == plain_way[0] == 1
    assert ours["accuracy"]["strict"] == pytest.approx(plain_way[2], rel=1e-12)
    assert ours["accuracy"]["ties"] == pytest.approx(plain_way[4], rel=1e-12)
    assert (ours["accuracy"]["judgements"], papers["accuracy"]["judgements"]) == (105, 156)
    assert papers["accuracy"]["mean"] == pytest.approx(paper_way[2], rel=1e-12)
    assert papers["weighted_accuracy"]["mean"] == pytest.approx(paper_way[3], rel=1e-12)
    assert papers["linearity"]["mean"] == papers["linearity"]["r"]
    assert ours["linearity"]["mean"] == pytest.approx(papers["linearity"]["mean"] ** 2, rel=1e-12)
    for measure in ("monotonicity", "separability"):
        assert ours[measure] == papers[measure]


def test_the_defaults_are_the_papers() -> None:
    few: dict[str, Any] = {"n": 11, "repetitions": 1, "measures": "time"}
    ours = known_similarity(A, B, k=3, embedder=by_letters, **few)
    assert tuple(ours.to_dict()) == DEFAULT_METRICS
    papers = known_similarity(A * 2, B * 2, preset="paper", embedder=by_letters, **few)
    assert tuple(papers.to_dict()) == PAPER_METRICS
    assert papers.settings["plan"] == {"time": [[11, 7], [11, 12]]}


def test_of_vectors_alone_the_defaults_are_those_that_see_them() -> None:
    few: dict[str, Any] = {"n": 6, "k": 3, "repetitions": 1, "measures": "time"}
    seeing = [one for one in DEFAULT_METRICS if one not in ("chi", "zipf")]
    assert list(known_similarity(HERE, THERE, **few).to_dict()) == seeing
    with pytest.raises(dy.SpecError, match="needs texts, got vectors"):
        known_similarity(HERE, THERE, "chi", **few)


def test_mauve_clusters_once_in_a_trial() -> None:
    trial = try_it(["mauve", "mauve:seeds=2"], HERE, THERE, n=12, k=3, parts=True, measures="accuracy")
    seeds = {one["metric"]: one["value"] for one in trial.records if one["part"] == "seeds"}
    assert seeds == {"mauve": 1, "mauve:seeds=2": 2}


def test_which_is_the_reference() -> None:
    def first(one: list[str], other: list[str]) -> float:
        return sum("rain" in text for text in one) + 0.001 * sum("rain" in text for text in other)

    # Corpora 1 and 2 have 0 and 2 texts of B: the reference comes first.
    values = {
        reference: try_it(first, reference=reference, repetitions=1).records[0]["value"]
        for reference in (None, "A", "B")
    }
    assert values == {None: 2, "A": 0.002, "B": 2}


def test_only_what_is_not_symmetric_has_a_reference() -> None:
    asked = ["dc", "frechet", "pr:k=3"]
    of_a, of_b, as_it_is = (
        try_it(
            asked, HERE, THERE, n=12, reference=reference, sizes=[20, 40], size_repetitions=1, measures=None
        )
        for reference in ("A", "B", None)
    )
    values = [
        {
            (*(one.get(key) for key in ("metric", "kind", "i", "j", "size", "repetition")),): one["value"]
            for one in trial.records
        }
        for trial in (of_a, of_b, as_it_is)
    ]
    for key in values[0]:
        one, other, default = (found[key] for found in values)
        if key[1] == "speed":
            continue
        if key[0] == "frechet":
            assert one == pytest.approx(other, rel=1e-9)
        assert default == (other if key[1] == "distance" else one)
    assert any(values[0][key] != values[1][key] for key in values[0] if key[:2] == ("dc", "distance"))
    assert any(values[0][key] != values[1][key] for key in values[0] if key[:2] == ("dc", "size"))


@pytest.mark.parametrize("preset", [None, "paper"])
def test_size_and_imbalance_are_those_of_the_loops(preset: Any) -> None:
    sizes = [10, 30, 50]
    both = ["size_robustness", "imbalance_robustness"]
    options = {"sizes": sizes, "largest": 100, "size_repetitions": 3, "measures": both, "preset": preset}
    trial = known_similarity(HERE, THERE, "frechet", **options)
    assert trial.settings["sizes"] == {"sizes": sizes, "largest": 100, "together": 60}
    values = {(one["kind"], one["size"], one["repetition"]): one["value"] for one in trial.records}
    asymptote = sum(values["asymptote", 100, r] for r in range(3)) / 3
    found = trial.to_dict()["frechet"]
    for kind in ("size", "imbalance"):
        of_kind = [[values[kind, size, r] for size in sizes] for r in range(3)]
        divided = preset is None or kind == "size"
        expected = oracle.robustness(of_kind, asymptote, divided=divided)
        assert found[f"{kind}_robustness"]["mean"] == pytest.approx(expected, rel=1e-9)
        assert found[f"{kind}_robustness"]["asymptote"] == pytest.approx(asymptote, rel=1e-12)


def test_the_sizes_that_are_compared() -> None:
    seen = []

    def record(one: list[str], other: list[str]) -> float:
        seen.append((len(one), len(other), rain_apart(one, other)))
        return 1.0

    trial = known_similarity(
        A,
        B,
        record,
        sizes=[5, 20, 50],
        size_repetitions=1,
        measures=["size_robustness", "imbalance_robustness"],
    )
    # As many of A as of B, then the largest size, then 5 + 50 texts in other shares.
    equal, unequal = [(5, 5), (20, 20), (50, 50)], [(5, 50), (20, 35), (50, 5)]
    assert [one[:2] for one in seen] == [*equal, (50, 50), *unequal]
    # All of the one are of A, and all of the other of B.
    assert [one[2] for one in seen] == [one[1] for one in seen]
    assert [one.mean for one in trial.findings] == [1, 1]


@given(st.integers(100, 5000))
def test_sizes_fit_the_texts(texts: int) -> None:
    found = Sizes.fitting(texts, None, None)
    assert found.largest == min(texts, 3000)
    assert list(found.sizes) == [size for size in range(50, 2851, 200) if size < found.largest]
    assert all(50 <= found.together - size <= found.sizes[-1] for size in found.sizes)
    assert (found.note() == ()) == (texts >= 3000)


def test_small_corpora_are_tried_at_smaller_sizes() -> None:
    trial = known_similarity(
        HERE, THERE, "frechet", size_repetitions=1, measures=["size_robustness", "imbalance_robustness"]
    )
    # 130 texts of the smaller: 50 only, since 250 are too many.
    assert trial.settings["sizes"] == {"sizes": [50], "largest": 130, "together": 100}
    told = "Size and imbalance are tried up to 50 texts, and the distance they tend to is taken at 130; "
    assert trial.notes == (told + "the paper has 2,850 and 3,000.",)


def test_smaller_ones_are_not_tried() -> None:
    trial = known_similarity(A, B, "jensen_shannon", **SMALL)
    assert trial.notes == ("Size and imbalance are not tried: they take 100 texts of each, or sizes.",)
    assert tuple(trial.to_dict()["jensen_shannon"]) == tuple(one for one in MEASURES if "robust" not in one)


def test_robustness_by_hand() -> None:
    # Errors of .1 and 0 around .5, in parts of it .2 and 0: 1 − .1; then none.
    values = {(0, 50): 0.6, (0, 250): 0.5, (1, 50): 0.5, (1, 250): 0.5}
    assert robustness(values, 0.5, relative=True) == pytest.approx([0.9, 1])
    assert robustness(values, 0.5, relative=False) == pytest.approx([0.95, 1])
    assert all(map(math.isnan, robustness(values, 0.0, relative=True)))


def test_a_distance_that_tends_to_0_has_no_size_robustness() -> None:
    trial = known_similarity(
        A, B, lambda one, other: 0.0, sizes=[5, 20], size_repetitions=2, measures=["size_robustness"]
    )
    found = trial.findings[0]
    assert math.isnan(found.mean)
    assert found.notes == (
        "Undefined: the distance of the largest corpora is 0, and errors are parts of it.",
    )


def test_growth() -> None:
    trial = try_it(["jensen_shannon", rain_apart], measures=["growth"], growth_sizes=[10, 20, 80])
    found = trial.to_dict()["jensen_shannon"]["growth"]
    assert found["mean"] is None
    assert found["notes"] == ["Undefined: it takes three sizes of 1,000 texts or more."]
    assert [name for name in found if name.startswith("seconds")] == [
        "seconds_10",
        "seconds_20",
        "seconds_80",
    ]
    assert all(found[f"seconds_{size}"] > 0 for size in (10, 20, 80))
    assert trial.notes == (
        "For `growth`, corpora of more than 50 texts repeat some, with vectors moved apart.",
    )


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_the_exponent_of_a_power(power: float) -> None:
    seconds = {size: 1e-9 * size**power for size in (1000, 3162, 10_000)}
    assert growth.exponent({100: 5.0, **seconds}) == pytest.approx(power, rel=1e-9)
    assert growth.exponent({**seconds, 100_000: math.nan}) == pytest.approx(power, rel=1e-9)
    assert math.isnan(growth.exponent({size: seconds[size] for size in (1000, 3162)}))


def test_what_takes_too_long_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "PATIENCE", 0.0)
    trial = try_it("jensen_shannon", measures=["growth"], growth_sizes=[10, 20, 30])
    found = trial.to_dict()["jensen_shannon"]["growth"]
    assert "seconds_10" in found
    assert "seconds_20" not in found
    assert found["notes"][0].startswith("Not tried: it would take over")


def test_growth_of_what_fails_says_why() -> None:
    def broken(one: list[str], other: list[str]) -> float:
        raise LookupError("lost")

    found = try_it(broken, measures=["growth"], growth_sizes=[5, 10]).findings[0]
    assert math.isnan(found.mean)
    assert "raised LookupError: lost" in found.notes[0]


def test_texts_of_both_are_told() -> None:
    trial = try_it("jensen_shannon", A, [*B, *A[:10]])
    told = "10 of 60 texts of B are in A, too, so mixtures differ less than it seems."
    assert told in trial.notes


def test_files_are_told_by_their_names(tmp_path: Any) -> None:
    for name, texts in (("cats", A), ("rain", B[:10])):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    with pytest.raises(dy.InputError) as caught:
        try_it("jensen_shannon", tmp_path / "cats.txt", tmp_path / "rain.txt")
    # 6, 4, 2, 0 texts of A, so 0, 2, 4, 6 of B: 12. With n = 5: 5, 3, 2, 0 of A, so 10 of B.
    assert str(caught.value) == (
        "rain.txt: expected 12 texts or more, got 10: 4 disjoint corpora of 6 texts take so many of it. "
        "Give more texts, a smaller n (5 at most) or a smaller k."
    )
    trial = try_it("jensen_shannon", tmp_path / "cats.txt", tmp_path / "rain.txt", n=5)
    assert [one["name"] for one in trial.settings["corpora"]] == ["cats.txt", "rain.txt"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"measures": ["acuracy"]}, "Unknown measure 'acuracy'. Did you mean 'accuracy'"),
        ({"measures": []}, "Expected at least one measure, got none"),
        ({"preset": "papers"}, "Unknown preset 'papers'. Did you mean 'paper'"),
        ({"reference": "C"}, "Unknown reference 'C'.*Known: A, B"),
        ({"k": 2}, "Expected `k` to be at least 3 corpora, got 2"),
        ({"n": 2, "k": 4}, "Expected `n` to be at least k − 1 = 3 texts, got 2"),
        ({"n": {"size_robustness": 5}}, "Unknown measure 'size_robustness' of n and k"),
        ({"repetitions": 0}, "Expected `repetitions` to be at least 1, got 0"),
        ({"size_repetitions": 0}, "Expected `size_repetitions` to be at least 1, got 0"),
        ({"metrics": []}, "Expected at least one metric, got none"),
        ({"measures": ["growth"], "growth_sizes": []}, "Expected `growth_sizes` to be 2 texts or more"),
        ({"measures": ["size_robustness"], "sizes": [1]}, "Expected sizes from 2 to the largest, 50, got"),
        ({"measures": ["size_robustness"], "sizes": [60]}, "Expected sizes from 2 to the largest, 50, got"),
        ({"measures": ["size_robustness"], "sizes": [5], "largest": 60}, "largest size, 60, got 50 in"),
    ],
)
def test_what_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises((dy.SpecError, dy.InputError), match=told):
        try_it(**{"metrics": "jensen_shannon", **options})


def test_too_few_texts_for_any_n() -> None:
    with pytest.raises(
        dy.InputError, match=r"^B: expected 12 texts or more, got 3: .* more texts or a smaller k"
    ):
        try_it("jensen_shannon", A, B[:3])


@pytest.mark.parametrize("b", [A, A[::-1]])
def test_the_same_texts_twice_are_refused(b: list[str]) -> None:
    with pytest.raises(
        dy.InputError, match="A and B: expected two different corpora, got the same texts twice"
    ):
        try_it("jensen_shannon", A, b)
    with pytest.raises(dy.InputError, match="got the same texts twice"):
        try_it("frechet", HERE, HERE.copy())


def test_a_pair_that_a_metric_cannot_take_stops_no_other() -> None:
    with gathering([("A", A), ("B", B)], parse_metrics([rain_apart])) as gathered:
        subject, rows = gathered.subjects[0], list(gathered.corpora.values())
        found = compare_pairs(subject, gathered.pool, [*rows, rows[0][:0]], [(0, 1), (0, 2)])
    assert found.scores[0].value == 50
    assert found.scores[1].notes == ("Undefined: the candidate has no texts.",)
    assert found.seconds > 0


def test_ten_lines_of_a_user_are_put_on_trial() -> None:
    def vocabulary_apart(reference_tokens: list[list[str]], candidate_tokens: list[list[str]]) -> float:
        one = {word for text in reference_tokens for word in text}
        other = {word for text in candidate_tokens for word in text}
        return 1 - len(one & other) / len(one | other)

    found = next(iter(try_it(vocabulary_apart).to_dict().values()))
    assert found["monotonicity"]["mean"] > 0.3  # it sees something of it


def test_the_printed_table() -> None:
    table = printed(["clinc150.jsonl.gz", "banking77.jsonl"])
    assert len(table) == 8 * len(COLUMNS)
    # Table 3 of the paper: accuracy of FID at k = 7, and the two robustnesses of MAUVE.
    assert table["frechet", "accuracy", 7] == 0.949
    assert (table["mauve", "size_robustness", None], table["mauve", "imbalance_robustness", None]) == (
        0.977,
        0.943,
    )
    assert printed(["ATIS", "yahoo-nfl6"])["irpr", "separability", 7] == -0.02
    assert printed(["banking77", "clinc150"]) == {}


def vocabulary(texts):
    return {"types": len({word for text in texts for word in text.split()}), "texts": len(texts)}


def test_a_metric_of_one_corpus_is_judged_by_its_difference():
    """What it gives a pair is the absolute difference of what `measure` gives each."""
    a = [f"a{i} b{i % 3}" for i in range(40)]
    b = ["the same", "the same again"] * 20
    trial = dy.judging.known_similarity(
        a, b, ["distinct:n=1", vocabulary], n=8, k=3, repetitions=1, measures=["accuracy"]
    )
    # The corpora at the ends are eight texts of A, all words but b0, b1 and b2 different, and eight of B.
    (ends,) = [one for one in trial.records if (one["part"], one.get("i"), one.get("j")) == ("", 1, 3)]
    found = trial.to_dict()
    assert ends["value"] == pytest.approx(11 / 16 - dy.measure(b[:8], "distinct:n=1")[0].value, abs=0.07)
    assert found["distinct:n=1"]["accuracy"]["mean"] > 0.5
    # Several numbers, one by one; and as many texts in each corpus give no difference at all.
    name = f"{vocabulary.__module__}:vocabulary"
    assert found[f"{name} types"]["accuracy"]["mean"] > 0.5
    assert "Undefined" in found[f"{name} texts"]["accuracy"]["notes"][0]


def test_growth_is_timed_on_vectors_that_differ():
    """Where there are fewer texts than a size has, they repeat, and no two have the same vector."""
    seen = []

    def different(vectors, others):
        seen.append((len(vectors), len(np.unique(vectors, axis=0))))
        return 0.0

    draw = np.random.default_rng(0)
    a, b = draw.normal(size=(30, 4)), draw.normal(size=(30, 4))
    dy.judging.known_similarity(a, b, different, measures=["growth"], growth_sizes=[20, 100])
    assert set(seen) == {(20, 20), (100, 100)}
