"""Known-similarity corpora: measures, settings, and several of them side by side."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.judging.similarity.mixtures import HERE, MIXED, SMALL, THERE, A, B, plain, rain_apart, try_it
from tests.oracles import judgements as oracle

import distinctly as dy
from distinctly.embedders.function import Function
from distinctly.judging import known_similarity
from distinctly.judging.gathering import gather
from distinctly.judging.similarity.findings import MEASURES
from distinctly.judging.similarity.mixing import mix
from distinctly.judging.similarity.trial import DEFAULT_METRICS, PAPER_METRICS
from distinctly.spec import parse_metrics
from distinctly.views.texts import TextView


def test_a_distance_that_is_right_is_found_right() -> None:
    found = try_it(rain_apart).to_dict()[f"{rain_apart.__module__}:rain_apart"]
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
    gathered = gather([("A", A), ("B", B)], parse_metrics(["jensen_shannon", "chi:top=50"]))
    a, b = gathered.corpora.values()
    corpora = mix(a, b, 6, 4, np.random.default_rng([0, 30, 6, 4, 0]))
    texts = [gathered.pool.view(TextView()).select(rows).texts.tolist() for rows in corpora]
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
    # More repetitions continue the same draws.
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
    told = "It falls as corpora get farther apart; its negative is judged."
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
        "It falls as corpora get farther apart; its negative is judged."
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
    told = "It falls as corpora get farther apart. Add `,reverse=yes` to a function that is a similarity."
    assert found.notes == (told,)


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
