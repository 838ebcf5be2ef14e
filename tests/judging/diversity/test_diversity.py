"""Known-diversity corpora: drawing, findings, and errors."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.diversity.classes import SMALL, labelled, noisy
from tests.oracles.ordering import ordered

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.errors import InputError, SpecError
from distinctly.judging.defaults import default_metrics
from distinctly.judging.diversity.findings import DiversityTrial
from distinctly.judging.diversity.ordering import MEASURES, Ordering
from distinctly.judging.diversity.trial import known_diversity
from distinctly.registry import find_metric, metric_names


class Seen:
    """A user's metric that keeps its inputs, and whose value grows with every call."""

    def __init__(self) -> None:
        self.corpora: list[list[str]] = []

    def __call__(self, texts: list[str]) -> float:
        self.corpora.append(texts)
        return float(len(self.corpora))


def seen(texts, **how):
    """Draw corpora and return them, level by level, with the trial."""
    metric = Seen()
    trial = known_diversity(texts, metric, **{**SMALL, "repetitions": 1, **how})
    corpora = how.get("corpora", SMALL["corpora"])
    levels = len(trial.settings["levels"])
    return [metric.corpora[level * corpora : (level + 1) * corpora] for level in range(levels)], trial


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=2, max_size=12))
def test_shares_of_pairs_in_order_are_those_of_the_loops(corpora):
    levels, values = [level for level, _ in corpora], [float(value) for _, value in corpora]
    if len(set(levels)) < 2:
        return
    found = Ordering("m", "", "", (np.array(levels),), (np.array(values),)).accuracies[0]
    if len(set(values)) == 1:  # a constant is no order
        assert math.isnan(found.plain)
        return
    for name, value in ordered(levels, values).items():
        assert getattr(found, name) == pytest.approx(value, rel=1e-12), name


def test_corpora_of_classes_have_that_many_classes_alike_in_number_and_share_no_text():
    texts, labels = labelled()
    by_level, trial = seen(texts, label=labels)
    # 8 classes by equal factors, in 4 levels: 1, 8^(1/3), 8^(2/3), 8.
    assert trial.settings["levels"] == [1, 2, 4, 8]
    for level, corpora in zip((1, 2, 4, 8), by_level):
        for corpus in corpora:
            counts = Counter(text.split()[0] for text in corpus)
            assert (len(corpus), len(counts)) == (12, level)
            assert max(counts.values()) - min(counts.values()) <= 1
    every = [text for corpora in by_level for corpus in corpora for text in corpus]
    assert len(every) == len(set(every)) == 4 * 3 * 12
    assert trial.notes == ()


def test_more_classes_than_texts_in_a_corpus_are_not_all_drawn_from():
    texts, labels = labelled(classes=30, each=20)
    _, trial = seen(texts, label=labels)
    assert trial.settings["levels"][-1] == 12


def test_corpora_of_repeats_have_that_many_different_texts_repeated_alike():
    by_level, trial = seen(labelled()[0], n=20)
    assert trial.settings["levels"] == [0.25, 0.5, 0.75, 1.0]
    for share, corpora in zip((0.25, 0.5, 0.75, 1.0), by_level):
        for corpus in corpora:
            counts = Counter(corpus)
            assert (len(corpus), len(counts)) == (20, 20 * share)
            assert max(counts.values()) - min(counts.values()) <= 1
    different = [text for corpora in by_level for corpus in corpora for text in set(corpus)]
    assert len(different) == len(set(different))


def test_repeats_are_not_taken_from_texts_that_are_repeats_already():
    by_level, _ = seen([text for text in labelled()[0] for _ in range(3)], n=20)
    assert [len(set(corpus)) for corpus in by_level[-1]] == [20, 20, 20]


def test_corpora_by_a_number_are_of_texts_with_that_number():
    texts = [f"{number} {place}" for number in (0.5, 0.1, 1.2) for place in range(40)]
    by_level, trial = seen(
        texts, construction="temperature", label=[float(text.split()[0]) for text in texts]
    )
    assert trial.settings["levels"] == [0.1, 0.5, 1.2]
    for number, corpora in zip(("0.1", "0.5", "1.2"), by_level):
        assert {text.split()[0] for corpus in corpora for text in corpus} == {number}
    assert "There are only 3 levels" in trial.notes[0]


def test_many_numbers_are_put_together_in_order():
    texts = [f"{number} {place}" for number in range(20) for place in range(10)]
    by_level, trial = seen(texts, construction="temperature", label=[text.split()[0] for text in texts])
    # 20 numbers in 4 levels are 5 per level: 0 to 4, whose mean is 2; 5 to 9 …
    assert trial.settings["levels"] == [2, 7, 12, 17]
    for level, corpora in enumerate(by_level):
        numbers = {int(text.split()[0]) for corpus in corpora for text in corpus}
        assert numbers <= set(range(5 * level, 5 * level + 5))


def longer_with_number() -> tuple[list[str], list[int]]:
    """Return texts of 1 to 12 tokens whose mean length grows with their number, 0 to 3."""
    draw = np.random.default_rng(0)
    numbers = [place % 4 for place in range(800)]
    lengths = [int(draw.integers(1 + number, 10 + number)) for number in numbers]
    return [" ".join(f"w{place}" for _ in range(length)) for place, length in enumerate(lengths)], numbers


def test_lengths_are_matched_so_that_length_tells_no_level():
    texts, numbers = longer_with_number()

    def length(tokens: list[list[str]]) -> float:
        return sum(map(len, tokens))

    how = {**SMALL, "label": numbers, "construction": "temperature"}
    free = known_diversity(texts, length, match_length=False, **how)
    assert free.length_difference > 0.2
    # Accuracy: longer texts have larger numbers, except for ties and chance.
    assert free.findings[0].mean > 0.85
    assert "Choose --match-length" in free.notes[-1]
    matched = known_diversity(texts, length, **how)
    assert matched.length_difference < 0.02
    assert not any("length" in note for note in matched.notes)


def test_classes_that_cannot_have_the_mean_length_are_left_out_of_all_levels():
    texts, labels = labelled(classes=9)
    # One class has texts of 50 tokens, the others of 2: no corpus of that class alone can match.
    texts = [" ".join([text] * 25) if label == "class8" else text for text, label in zip(texts, labels)]
    by_level, trial = seen(texts, label=labels)
    assert trial.notes[0].startswith("1 of 9 classes are left out: each needs 12 texts")
    assert not any("class8" in text for corpora in by_level for corpus in corpora for text in corpus)


def test_a_metric_that_counts_the_classes_is_right_in_all():
    """Every text of a class is the same word, so the number of types is the number of classes."""
    texts = [f"class{place % 8}" for place in range(800)]
    trial = known_diversity(texts, "types:n=1", label=texts, **SMALL)
    assert [one["value"] for one in trial.records] == [1, 1, 1, 2, 2, 2, 4, 4, 4, 8, 8, 8] * 2
    found = trial.to_dict()["types:n=1"]
    assert {name: found[name]["mean"] for name in ("accuracy", "weighted_accuracy")} == {
        "accuracy": 1.0,
        "weighted_accuracy": 1.0,
    }
    # Six pairs of levels, of three corpora each: 6 × 3 × 3.
    assert (found["accuracy"]["pairs"], found["accuracy"]["ties"]) == (54, 0)
    # Ranks agree, including ties; within levels nothing varies.
    assert [found[name]["mean"] for name in ("monotonicity", "separability")] == pytest.approx([1.0, 1.0])
    # Levels 0, 1, 2, 3 and values 1, 2, 4, 8: r = 11.5 / √(5 · 28.75), squared.
    assert found["linearity"]["mean"] == pytest.approx(11.5**2 / (5 * 28.75))


def test_a_metric_that_falls_with_diversity_is_judged_by_its_negative():
    texts, labels = labelled()

    def fewer(texts: list[str]) -> float:
        return -len({text.split()[0] for text in texts})

    trial = known_diversity(texts, ["simpson:pool=corpus", fewer], label=labels, **SMALL)
    simpson, negative = (one for one in trial.findings if one.measure == "accuracy")
    assert simpson.mean > 0.95
    assert negative.mean == 0.0
    assert known_diversity(texts, "duplicates", **SMALL).findings[0].mean == 1.0


def test_several_values_of_a_function_are_judged_one_by_one():
    texts, labels = labelled()

    def both(texts: list[str]) -> dict[str, float]:
        classes = len({text.split()[0] for text in texts})
        return {"up": classes, "down": -classes}

    found = known_diversity(texts, both, label=labels, measures=["monotonicity"], **SMALL).findings
    assert [(one.part, round(one.mean)) for one in found] == [("up", 1), ("down", -1)]


def test_one_that_raises_and_one_that_never_changes_are_undefined_and_the_others_go_on():
    texts, labels = labelled()

    def broken(texts: list[str]) -> float:
        raise RuntimeError("out of luck")

    def constant(texts: list[str]) -> float:
        return 3.0

    trial = known_diversity(texts, [broken, constant, "types:n=1"], label=labels, **SMALL)
    first, second, third = (one for one in trial.findings if one.measure == "accuracy")
    assert math.isnan(first.mean)
    assert "out of luck" in first.notes[0]
    assert math.isnan(second.mean)
    assert second.notes == ("Undefined: all corpora have the same value, 3.",)
    assert third.mean > 0.9
    # Those without a value come last.
    assert trial.ranked[0].metric == "types:n=1"


def test_one_corpus_a_level_has_no_separability_and_says_why():
    texts, labels = labelled()
    trial = known_diversity(texts, "types:n=1", label=labels, **{**SMALL, "corpora": 1})
    found = {one.measure: one for one in trial.findings}
    assert found["accuracy"].mean > 0.9
    assert math.isnan(found["separability"].mean)
    assert "--corpora 2" in found["separability"].notes[0]


def test_how_far_a_metric_is_behind_the_best_is_told_by_repetition():
    texts, labels = labelled()
    trial = known_diversity(texts, [noisy, "types:n=1"], label=labels, **{**SMALL, "repetitions": 4})
    by_name = {one.metric: one for one in trial.findings if one.measure == "accuracy"}
    best, other = (by_name[one.metric] for one in trial.ranked)
    assert (best.parts["behind"], best.parts["behind_low"], best.parts["behind_high"]) == (0, 0, 0)
    values = [one.measured("accuracy") for one in trial.ranked]
    differences = [x - y for x, y in zip(*values)]
    assert other.parts["behind"] == pytest.approx(sum(differences) / 4)
    half = 1.959963984540054 * np.std(differences, ddof=1) / 2  # of a mean of 4
    assert other.parts["behind_high"] - other.parts["behind"] == pytest.approx(half)


def test_the_order_of_the_texts_changes_nothing():
    texts, labels = labelled()
    pairs = list(zip(texts, labels))
    mixed = [pairs[place] for place in np.random.default_rng(5).permutation(len(pairs))]
    one = known_diversity(texts, noisy, label=labels, **SMALL)
    other = known_diversity([text for text, _ in mixed], noisy, label=[x for _, x in mixed], **SMALL)
    assert one.records == other.records
    assert one.settings == other.settings
    assert known_diversity(texts, noisy, label=labels, seed=1, **SMALL).records != one.records


def test_a_run_is_gone_on_with_and_other_settings_are_refused(tmp_path):
    texts, labels = labelled()
    file = tmp_path / "trial.csv"
    how = {**SMALL, "label": labels}
    known_diversity(texts, "types:n=1", save=file, **{**how, "repetitions": 1})
    more = known_diversity(texts, ["types:n=1", "ead"], save=file, **how)
    assert more.records == known_diversity(texts, ["types:n=1", "ead"], **how).records
    again = dy.judging.read_trial(file)
    assert isinstance(again, DiversityTrial)
    assert again.to_dict() == more.to_dict()
    assert again.notes == more.notes
    with pytest.raises(InputError, match="other n"):
        known_diversity(texts, "types:n=1", save=file, **{**how, "n": 13})
    with pytest.raises(InputError, match="other labels"):
        known_diversity(texts, "types:n=1", save=file, **{**how, "label": labels[::-1]})


def test_too_few_texts_for_disjoint_corpora_are_told():
    texts, labels = labelled(classes=4, each=20)
    trial = known_diversity(texts, "types:n=1", label=labels, **SMALL)
    assert any("too few texts for disjoint corpora" in note for note in trial.notes)


def test_labels_of_a_corpus_are_its_ids():
    texts, labels = labelled()
    corpus = dy.Corpus(texts, ids=labels)
    one = known_diversity(corpus, "types:n=1", construction="classes", **SMALL)
    assert one.records == known_diversity(texts, "types:n=1", label=labels, **SMALL).records


def test_vectors_alone_can_be_judged():
    centres = np.repeat(np.eye(8) * 10, 60, axis=0)
    table = centres + np.random.default_rng(0).normal(size=centres.shape)
    trial = known_diversity(table, ["vendi", "dispersion"], label=np.repeat(np.arange(8), 60), **SMALL)
    assert all(one.mean > 0.9 for one in trial.findings if one.measure == "accuracy")


def test_all_metrics_of_one_corpus_are_on_trial_where_none_is_named():
    names = {spec.partition(":")[0] for spec in default_metrics()}
    of_one_corpus = {name for name in metric_names() if not issubclass(find_metric(name), Distance)}
    # The sample of `rarefied` has no default, `templates` needs tags, `sentence_length` has no direction, and
    # thresholds and quality have no default for any embedder.
    assert names == of_one_corpus - {"rarefied", "templates", "sentence_length", "answers", "utility"}
    assert len(default_metrics()) < 40


@pytest.mark.parametrize(
    ("changed", "kind", "told"),
    [
        ({"k": 2}, SpecError, "at least 3 levels"),
        ({"n": 3}, SpecError, r"got n = 3, k = 4"),
        ({"corpora": 0}, SpecError, "`corpora` to be at least 1"),
        ({"repetitions": 0}, SpecError, "`repetitions` to be at least 1"),
        ({"measures": ["acuracy"]}, SpecError, "Did you mean 'accuracy'"),
        ({"construction": "classs"}, SpecError, "Did you mean 'classes'"),
        ({"label": None, "construction": "classes"}, SpecError, "--label"),
        ({"label": ["x"]}, InputError, "got 1 for 480"),
        ({"label": ["x"] * 480}, InputError, "got one, 'x'"),
        ({"label": ["x", "y"] * 240}, InputError, "at least 4 classes for 4 levels, got 2"),
        ({"n": 1000}, InputError, "at least 1,000 texts per corpus, got 480"),
        ({"n": 400, "match_length": False}, InputError, "8 classes of 60 to 60 texts"),
        ({"label": None, "n": 300, "texts": ["a", "b"] * 240}, InputError, "300 different texts, got 2"),
        ({"construction": "temperature"}, InputError, "labels that are numbers.*got 'class[0-9]'"),
        (
            {"construction": "temperature", "label": [1, 2] * 240},
            InputError,
            "different numbers.*got 1 and 2",
        ),
        (
            {"construction": "temperature", "label": [1] * 5 + [2] * 235 + [3] * 240},
            InputError,
            "at least 12 texts per level, got 5 at 1",
        ),
        ({"metrics": "frechet"}, SpecError, "frechet"),
    ],
)
def test_what_cannot_be_done_is_told_with_a_remedy(changed, kind, told):
    texts, labels = labelled()
    how = {**SMALL, "label": labels, "metrics": "types:n=1", **changed}
    with pytest.raises(kind, match=told):
        known_diversity(how.pop("texts", texts), how.pop("metrics"), **how)


def test_the_measures_that_are_asked_for_are_found_and_the_first_ranks():
    texts, labels = labelled()
    trial = known_diversity(
        texts, ["types:n=1", "ead"], label=labels, measures=["linearity", "accuracy"], **SMALL
    )
    assert [one.measure for one in trial.findings] == ["linearity", "accuracy"] * 2
    ranked = [np.mean(one.measured("linearity")) for one in trial.ranked]
    assert ranked == sorted(ranked, reverse=True)
    assert set(MEASURES) >= {one.measure for one in trial.findings}


def test_intents_of_real_users_are_seen_by_types_and_not_by_the_ratio_of_one_text(shared):
    """Texts of clinc150 by intent: the mean type-token ratio of texts does not depend on other texts."""
    trial = known_diversity(
        str(shared / "clinc150.jsonl.gz"), ["types:n=1", "ttr"], label="label", repetitions=2
    )
    types, ratio = (one for one in trial.findings if one.measure == "accuracy")
    assert types.mean > 0.93
    assert 0.25 < ratio.mean < 0.75
    assert trial.length_difference < 0.02
