"""Training progress: checkpoints against a reference."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest

import distinctly as dy
from distinctly.judging import read_trial, training_progress
from distinctly.judging.figures import save_figures
from distinctly.judging.page import page_of
from distinctly.report import formats, rendered
from distinctly.report.terminal import draw, split

WORDS = [f"w{number}" for number in range(60)]
METRICS = ["jensen_shannon", "distinct:n=1"]


def texts(count: int, words: list[str], seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(words, k=8)) for _ in range(count)]


REFERENCE = texts(80, WORDS, 0)
# With every step, more words are of the reference and fewer of others.
CHECKPOINTS = {
    f"step-{100 * step}.txt": texts(30, WORDS[: 10 * step] + [f"x{n}" for n in range(60 - 10 * step)], step)
    for step in range(1, 7)
}


@pytest.fixture(scope="module")
def trial():
    return training_progress(REFERENCE, CHECKPOINTS, METRICS)


def test_a_distance_falls_as_checkpoints_come_nearer(trial):
    found = trial.to_dict()["jensen_shannon"]
    assert found["spearman"]["mean"] == -1.0
    assert found["spearman"]["p"] == pytest.approx(
        2 / math.factorial(6)
    )  # of all orders, these two are as far
    assert found["slope"]["low"] < found["slope"]["mean"] < found["slope"]["high"] < 0
    assert found["best"]["step"] == found["last"]["step"] == 600
    assert found["last_to_floor"]["mean"] == pytest.approx(found["last"]["mean"] / found["floor"]["mean"])
    # The last checkpoint has only words of the reference: two samples of one source.
    assert found["floor_reached"]["mean"] == 600
    assert found["distance"]["step=100"]["repetitions"] == 5


def test_the_slope_is_that_of_the_mean_distances(trial):
    found = trial.to_dict()["jensen_shannon"]
    means = [found["distance"][f"step={step}"]["mean"] for step in range(100, 700, 100)]
    slope, intercept = np.polyfit(range(100, 700, 100), means, 1)
    assert found["slope"]["mean"] == pytest.approx(slope)
    assert found["slope"]["intercept"] == pytest.approx(intercept)


def test_a_metric_of_one_corpus_stands_beside_the_reference_itself(trial):
    found = trial.to_dict()["distinct:n=1"]
    # All checkpoints have 30 texts, the number that is drawn, so every draw is the whole checkpoint.
    whole = dy.measure(CHECKPOINTS["step-300.txt"], "distinct:n=1")[0].value
    assert found["diversity"]["step=300"]["mean"] == pytest.approx(whole)
    assert found["diversity"]["step=300"]["std"] == pytest.approx(0, abs=1e-12)
    assert found["reference"]["std"] > 0


def test_all_samples_have_one_size_and_those_of_the_reference_share_nothing():
    seen = []

    def look(reference, candidate):
        seen.append((tuple(reference), tuple(candidate)))
        return 1.0

    training_progress(REFERENCE, CHECKPOINTS, look, n=20, repetitions=2)
    assert {(len(one), len(other)) for one, other in seen} == {(20, 20)}
    floors, others = seen[:2], seen[2:]
    assert all(not set(one) & set(other) and {*one, *other} <= set(REFERENCE) for one, other in floors)
    # In a repetition, all checkpoints are compared with the same sample.
    assert {one for one, _ in others} == {one for one, _ in floors}
    assert len({one for one, _ in floors}) == 2


def test_n_is_that_of_the_smallest_or_of_half_of_the_reference():
    assert training_progress(REFERENCE, CHECKPOINTS, METRICS, repetitions=1).settings["n"] == 30
    assert training_progress(REFERENCE[:21], CHECKPOINTS, METRICS, repetitions=1).settings["n"] == 10


def test_order_changes_nothing(trial):
    chance = random.Random(1)
    shuffled = {name: chance.sample(own, len(own)) for name, own in reversed(CHECKPOINTS.items())}
    again = training_progress(REFERENCE[::-1], shuffled, METRICS)
    assert again.records == trial.records


def test_a_seed_is_a_draw(trial):
    other = training_progress(REFERENCE, CHECKPOINTS, METRICS, seed=1)
    assert other.records != trial.records
    assert other.to_dict()["jensen_shannon"]["spearman"]["mean"] == -1.0


def test_paths_are_checkpoints(tmp_path, trial):
    for name, own in CHECKPOINTS.items():
        (tmp_path / name).write_text("\n".join(own) + "\n", encoding="utf-8")
    (tmp_path / "human.txt").write_text("\n".join(REFERENCE) + "\n", encoding="utf-8")
    found = training_progress(tmp_path / "human.txt", [tmp_path / name for name in CHECKPOINTS], METRICS)
    assert found.records == trial.records
    assert found.settings["corpora"][0]["name"] == "human.txt"


def test_vectors_alone_are_enough():
    draw = np.random.default_rng(0)
    steps = [draw.normal(3 - step, 1, (40, 3)) for step in range(4)]
    found = training_progress(draw.normal(0, 1, (80, 3)), steps, "frechet").to_dict()["frechet"]
    assert found["spearman"]["mean"] == -1.0


def test_one_checkpoint_has_no_trend():
    found = training_progress(
        REFERENCE, {"step-100": CHECKPOINTS["step-100.txt"]}, "jensen_shannon"
    ).to_dict()
    for measure in ("slope", "spearman"):
        reading = found["jensen_shannon"][measure]
        assert reading["mean"] is None
        assert reading["notes"] == ["Undefined: a trend needs two steps with a value."]
    assert found["jensen_shannon"]["distance"]["mean"] > 0


def test_a_metric_that_raises_leaves_the_others_alone():
    def picky(reference, candidate):
        if any("x" in text for text in candidate[:3]):
            raise ValueError("no x, please")
        return {"one": 1.0, "two": float(len(candidate))}

    trial = training_progress(REFERENCE, CHECKPOINTS, [picky, "jensen_shannon"])
    found = trial.to_dict()
    assert found["jensen_shannon"]["slope"]["steps"] == 6
    (name, own), *_ = ((name, own) for name, own in found.items() if name.endswith("two"))
    assert own["distance"]["step=600"]["mean"] == 30
    assert own["distance"]["step=100"]["mean"] is None
    assert "no x, please" in own["distance"]["step=100"]["notes"][0]
    assert own["slope"]["notes"][-1].endswith("checkpoints have no value; they are left out.")
    assert any(note.startswith(name) for note in page_of(trial).notes)


WRONG = {
    "an empty checkpoint": ({"checkpoints": {"a": REFERENCE, "none": []}}, "none: expected texts"),
    "a small reference": ({"reference": ["alone"]}, "at least 2 texts of the reference"),
    "n for the reference": ({"n": 41}, "twice n = 41 texts of the reference.*--n 30"),
    "n for a checkpoint": ({"n": 35}, r"step-\d00.txt: expected at least n = 35 .*got 30.*--n 30"),
    "n": ({"n": 0}, "`n` to be at least 1"),
    "repetitions": ({"repetitions": 0}, "`repetitions` to be at least 1"),
    "steps": ({"steps": [1, 2]}, "one step per checkpoint"),
    "a reference of its own": ({"metrics": "ead:vocabulary=reference"}, "its own reference corpus"),
    "a metric": ({"metrics": "frechett"}, "Unknown metric"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told(what):
    changed, told = WRONG[what]
    given = {"reference": REFERENCE, "checkpoints": CHECKPOINTS, "metrics": METRICS, **changed}
    with pytest.raises((dy.InputError, dy.SpecError), match=told):
        training_progress(**given)


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_checkpoints_can_be_added_to_a_file(tmp_path, trial, ending):
    save = tmp_path / f"run.{ending}"
    first = dict(list(CHECKPOINTS.items())[:2])
    training_progress(REFERENCE, first, METRICS, save=save)
    for name in list(CHECKPOINTS)[2:]:
        added = training_progress(REFERENCE, {name: CHECKPOINTS[name]}, METRICS, save=save)
    assert added.to_dict() == trial.to_dict()
    assert read_trial(save).to_dict() == trial.to_dict()


def test_what_is_in_the_file_is_not_measured_again(tmp_path):
    calls = []

    def count(reference, candidate):
        calls.append(candidate)
        return float(len(calls))

    save = tmp_path / "run.json"
    first = dict(list(CHECKPOINTS.items())[:2])
    training_progress(REFERENCE, first, count, repetitions=2, save=save)
    assert len(calls) == 6  # the reference and two checkpoints, twice each
    training_progress(REFERENCE, CHECKPOINTS, count, repetitions=2, save=save)
    assert len(calls) == 6 + 8  # four checkpoints more
    more = training_progress(REFERENCE, CHECKPOINTS, "jensen_shannon", repetitions=3, save=save)
    assert len(calls) == 14
    assert [curve.metric for curve in more.curves][1:] == ["jensen_shannon"]


def test_what_would_not_go_together_is_refused_and_the_file_stays(tmp_path):
    save = tmp_path / "run.json"
    first = dict(list(CHECKPOINTS.items())[:2])
    training_progress(REFERENCE, first, METRICS, save=save)
    before = save.read_bytes()
    refused = {
        r"step-300.txt: expected at least n = 30 texts .*another file with n = 20 \(--n 20\)": {
            "checkpoints": {"step-300.txt": CHECKPOINTS["step-300.txt"][:20]}
        },
        "step-100.txt: its texts differ from those": {"checkpoints": {"step-100.txt": REFERENCE}},
        "step-100.txt: it is step 100 in .*, got step 7": {"checkpoints": first, "steps": [7, 8]},
        "other corpora": {"reference": REFERENCE[1:], "checkpoints": first},
        "other seed": {"seed": 3, "checkpoints": first},
        "other n": {"n": 10, "checkpoints": first},
    }
    for told, changed in refused.items():
        with pytest.raises(dy.InputError, match=told):
            training_progress(**{"reference": REFERENCE, "metrics": METRICS, "save": save, **changed})
    assert save.read_bytes() == before


@pytest.mark.parametrize("form", formats("trials"))
def test_every_report_has_every_step_and_metric(trial, form):
    shown = rendered(page_of(trial), form).replace("\\_", "_")
    assert all(metric in shown for metric in METRICS)
    assert all(str(step) in shown for step in range(100, 700, 100))


def test_the_page_says_what_was_found(trial):
    page = page_of(trial)
    assert "(80 texts) and 6 checkpoints: 30 random texts per side, 5 draws" in page.sentences("header")[0]
    by_step, trends = page.tables
    assert [column.title for column in by_step.columns] == ["step", *METRICS]
    assert [row[0].text for row in by_step.rows] == ["100", "200", "300", "400", "500", "600", "reference"]
    assert [row[0].text for row in by_step.rows if row[1].best] == ["600"]
    assert trends.rows[0][0].text == "jensen_shannon"
    assert (trends.rows[0][-1].text, trends.rows[0][-1].value) == ("step 600", 600)
    assert "Falls with the step (p < 0.05): jensen_shannon" in " ".join(page.sentences("verdict"))
    assert "Few texts per side (30; 1,000 are safe)" in page.notes[0]


def test_the_page_fits_its_width_and_names_checkpoints_without_a_number():
    several = ["jensen_shannon", *(f"distinct:n={n}" for n in range(1, 9))]
    own = {"base": CHECKPOINTS["step-100.txt"], "tuned": CHECKPOINTS["step-600.txt"]}
    page = page_of(training_progress(REFERENCE, own, several))
    parts = split(page.tables[0], 100)
    assert len(parts) > 1
    for table in parts:
        assert [column.title for column in table.columns[:2]] == ["step", "checkpoint"]
        names = [[cell.text for cell in row[:2]] for row in table.rows]
        assert names == [["1", "base"], ["2", "tuned"], ["reference", ""]]
    lines = draw(page, 100).partition("Trends")[0].splitlines()
    assert max(map(len, lines[1:])) <= 100  # below the sentence that says what was compared


def test_embedders_side_by_side_have_names_of_their_own():
    def by_length(texts):
        return np.array([[len(text), 1.0] for text in texts])

    def by_letter(texts):
        return np.array([[text.count("w"), 2.0] for text in texts])

    trial = training_progress(REFERENCE, CHECKPOINTS, "medoid", embedder=[by_length, by_letter])
    header = [column.title for column in page_of(trial).tables[0].columns[1:]]
    assert len(set(header)) == 2
    assert all(title.startswith("medoid ") for title in header)


def test_the_figure_has_a_panel_a_metric_and_says_n(tmp_path, trial):
    pytest.importorskip("matplotlib")
    files = save_figures(trial, tmp_path)
    assert sorted(file.name for file in files) == ["progress.png", "progress.svg"]
    drawn = (tmp_path / "progress.svg").read_text(encoding="utf-8")
    for told in (*METRICS, "30 random texts per side", "step", "distance", "diversity", "regression line"):
        assert told in drawn


def test_one_checkpoint_and_one_draw_can_be_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    own = {"step-100": CHECKPOINTS["step-100.txt"]}
    trial = training_progress(REFERENCE, own, "jensen_shannon", repetitions=1)
    assert len(save_figures(trial, tmp_path)) == 2
    page = page_of(trial)
    assert "1 checkpoint: 30 random texts per side, 1 draw" in page.sentences("header")[0]
    assert page.notes[-1] == "One checkpoint has no trend."


def test_all_of_it_is_plain_data(trial):
    assert json.loads(json.dumps(trial.document(), allow_nan=False))["trial"] == "progress"
