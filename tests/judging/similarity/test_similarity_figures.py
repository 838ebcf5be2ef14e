"""Figures of trials: their contents, no overlapping text, and what is left out."""

import dataclasses
import math
import sys
from itertools import combinations

import numpy as np
import pytest
from matplotlib.text import Text

from distinctly.errors import MissingExtraError, SpecError
from distinctly.judging.figures import figures, save_figures
from distinctly.judging.similarity.findings import GROWTH, MEASURES, OF_MIXTURES, SimilarityTrial

pytestmark = pytest.mark.slow  # draws many figures

# Eight, the largest number on one figure; the longest names have options or are functions of a user.
LONG = ("dc", "frechet", "irpr:preset=paper", "mauve", "classifier:preset=paper", "energy")
METRICS = (*LONG, "mmd:kernel=gaussian,width=0.25", "my_own_metrics:distance_of_means")
SIZES, REPETITIONS = (50, 250, 450), 3
MIXTURES, SIZED = ["distance-by-level", "radar", "spread"], ["size", "imbalance"]


def make_trial(metrics=METRICS, *, mixtures=((100, 5),), embedders=("given:hash=1",), measures=None, part=""):
    """Make the records of a trial in which distances grow with the level, with a little noise."""
    draw = np.random.default_rng(0)
    records = []
    for metric in metrics:
        for embedder in embedders:
            told = {"metric": metric, "embedder": embedder, "part": part, "note": ""}
            # Distances of one metric are small, as those of mmd are.
            scale = 1e-4 if metric.startswith("mmd") else 1.0

            def noisy(value, scale=scale):
                return scale * (value + draw.normal(0, 0.1))

            for repetition in range(REPETITIONS):
                for n, k in mixtures:
                    where = {**told, "n": n, "k": k, "repetition": repetition}
                    records += [
                        {**where, "kind": "distance", "i": i, "j": j, "value": noisy(j - i)}
                        for i, j in combinations(range(1, k + 1), 2)
                    ]
                    records.append({**where, "kind": "speed", "value": 10.0 ** draw.uniform(-2, 2)})
                where = {**told, "repetition": repetition}
                for kind in ("size", "imbalance"):
                    records += [{**where, "kind": kind, "size": size, "value": noisy(1.0)} for size in SIZES]
                records.append({**where, "kind": "asymptote", "size": 500, "value": noisy(1.0)})
            records += [
                {**told, "repetition": 0, "kind": "growth", "size": size, "value": size**2 * 1e-7}
                for size in (100, 1000, 2000, 4000)
            ]
    settings = {
        "corpora": [{"name": "clinc150", "texts": 8000}, {"name": "banking77", "texts": 8000}],
        "preset": None,
        "measures": list(measures or (*MEASURES, GROWTH)),
        "plan": {measure: [list(one) for one in mixtures] for measure in OF_MIXTURES},
        "sizes": {"sizes": list(SIZES), "largest": 500, "together": 500},
    }
    return SimilarityTrial(settings=settings, records=records)


def changed(trial, change):
    """Return the trial with records that `change` returns; those of None are dropped."""
    records = [new for one in trial.records if (new := change(dict(one))) is not None]
    return dataclasses.replace(trial, records=records)


def texts_of(figure):
    """Return all texts of a figure except tick labels beyond the ends of an axis."""
    figure.canvas.draw()
    beyond = set()
    for axes in figure.axes:
        for axis, place in ((axes.xaxis, 0), (axes.yaxis, 1)):
            low, high = sorted(axis.get_view_interval())
            labels = axis.get_ticklabels(which="both")
            beyond |= {id(one) for one in labels if not low <= one.get_position()[place] <= high}
    hidden = {id(one) for axes in figure.axes if not axes.get_visible() for one in axes.findobj(Text)}
    # A title is three texts, of which two are empty.
    return [
        one
        for one in figure.findobj(Text)
        if one.get_visible() and one.get_text().strip() and id(one) not in beyond | hidden
    ]


def assert_readable(figure):
    """Check that no two texts overlap, and that none leaves the figure."""
    renderer = figure.canvas.get_renderer()
    boxes = [(one.get_text(), one.get_window_extent(renderer)) for one in texts_of(figure)]
    width, height = figure.canvas.get_width_height()
    for text, box in boxes:
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= width, text
        assert box.y1 <= height, text
    for (one, box), (other, another) in combinations(boxes, 2):
        # Boxes have a margin of one pixel around the letters.
        apart = min(box.x1, another.x1) - max(box.x0, another.x0) < 1
        assert apart or min(box.y1, another.y1) - max(box.y0, another.y0) < 1, (one, other)


def written(figure):
    """Return all texts of a figure, on one line."""
    return " ".join(one.get_text().replace("\n", " ") for one in texts_of(figure))


@pytest.fixture(scope="module")
def trial():
    """A trial of eight metrics."""
    return make_trial()


@pytest.fixture(scope="module")
def drawn(trial):
    """All of its figures."""
    return figures(trial)


@pytest.mark.parametrize("name", [*MIXTURES, *SIZED, "growth"])
def test_nothing_is_written_on_something_else(drawn, name):
    assert_readable(drawn[name])


def test_the_check_of_overlaps_finds_one(drawn):
    figure = figures(make_trial(["dc"]))["growth"]
    figure.text(0.5, 0.5, "one")
    figure.text(0.5, 0.5, "other")
    with pytest.raises(AssertionError, match="one"):
        assert_readable(figure)


def test_there_is_a_figure_for_everything_there_are_records_of(drawn):
    assert sorted(drawn) == sorted([*MIXTURES, *SIZED, "growth"])
    without = changed(make_trial(["dc"]), lambda one: one if one.get("k") else None)
    assert sorted(figures(without)) == MIXTURES
    sizes = changed(make_trial(["dc"]), lambda one: one if one["kind"] in (*SIZED, "asymptote") else None)
    # Only S and I: a radar needs three measures.
    assert sorted(figures(sizes)) == ["imbalance", "size", "spread"]


def test_distances_by_level(trial, drawn):
    figure = drawn["distance-by-level"]
    assert [axes.get_title().split("\n")[0] for axes in figure.axes[:5]] == [
        *("dc", "frechet", "irpr:preset=paper", "mauve", "classifier:")
    ]
    assert figure.axes[4].get_xlabel() == "level ℓ = j − i"
    assert figure.axes[0].get_ylabel() == "distance"
    # 5 · 4 / 2 pairs.
    for told in ("n = 100 texts", "k = 5 mixtures", "10 pairs", "3 repetitions", "clinc150", "95 %"):
        assert told in written(figure)
    dots = figure.axes[0].collections[0].get_offsets()
    assert sorted(dots[:, 1]) == pytest.approx(
        sorted(one["value"] for one in trial.records if (one["metric"], one["kind"]) == ("dc", "distance"))
    )
    found = trial.to_dict()["dc"]
    title = f"ρ = {found['monotonicity']['mean']:.2f}, R² = {found['linearity']['mean']:.2f}"
    assert figure.axes[0].get_title() == f"dc\n{title}"


def test_the_printed_measures_are_told_by_their_names():
    trial = make_trial(["dc"])
    paper = dataclasses.replace(trial, settings={**trial.settings, "preset": "paper"})
    drawn = figures(paper)
    assert ", r = " in drawn["distance-by-level"].axes[0].get_title()
    assert "L (r)" in written(drawn["radar"])


def test_sizes(trial, drawn):
    for name, sign, told in (
        ("size", "S", "s texts of clinc150 and s texts of banking77"),
        ("imbalance", "I", "s texts of A, clinc150, and N − s texts of B, banking77; N = 500"),
    ):
        figure = drawn[name]
        assert told in written(figure)
        found = trial.to_dict()["dc"][f"{name}_robustness"]
        lines = figure.axes[0].get_lines()
        assert list(lines[0].get_xdata()) == list(SIZES)
        assert lines[1].get_ydata()[0] == pytest.approx(found["asymptote"])
        assert figure.axes[0].get_title() == f"dc\nD = {found['asymptote']:.3g}, {sign} = {found['mean']:.2f}"


def test_the_radar_is_of_all_means_but_time(trial, drawn):
    axes = drawn["radar"].axes[0]
    found = trial.to_dict()["dc"]
    means = [max(found[measure]["mean"], 0) for measure in MEASURES if measure != "time"]
    assert axes.get_lines()[0].get_ydata() == pytest.approx([*means, means[0]])
    looks = {(line.get_color(), line.get_marker()) for line in axes.get_lines()}
    assert len(looks) == len(METRICS)
    assert "time" not in written(drawn["radar"])
    assert [text.get_text() for text in drawn["radar"].legends[0].get_texts()][
        4
    ] == "classifier:\npreset=paper"


def test_what_is_below_zero_is_drawn_at_zero_and_told():
    # Far from its asymptote, so that S = 1 − |10 − 1| / 1 is below 0.
    trial = changed(make_trial(["dc"]), lambda one: one | ({"value": 10.0} if one["kind"] == "size" else {}))
    figure = figures(trial)["radar"]
    assert "Below 0, drawn at 0: dc (S)." in written(figure)
    assert min(figure.axes[0].get_lines()[0].get_ydata()) == 0


def test_the_spread_is_of_the_values_of_the_repetitions(trial, drawn):
    figure = drawn["spread"]
    assert [axes.get_title().split("\n")[0].split()[-1] for axes in figure.axes] == [
        *("A", "Aw", "T", "ρ", "W", "(R²)", "S", "I")
    ]
    assert all(axes.get_title().endswith("\n3 repetitions") for axes in figure.axes)
    assert figure.axes[2].get_xlabel() == "100 distances per second"
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert [labels[0], labels[4]] == ["dc", "classifier:\npreset=paper"]
    speeds = [one["value"] for one in trial.records if (one["metric"], one["kind"]) == ("dc", "speed")]
    low, high = np.percentile(speeds, [25, 75])
    box = figure.axes[2].patches[0].get_path().vertices
    assert (box[:, 0].min(), box[:, 0].max()) == pytest.approx((low, high))


def test_the_values_of_the_repetitions_are_those_a_finding_is_the_mean_of():
    trial = make_trial(["dc", "frechet"])
    assert [one.finding for one in trial.repeated] == trial.findings
    for one in trial.repeated:
        assert math.fsum(one.values) / len(one.values) == pytest.approx(one.finding.mean)
        assert len(one.values) == (1 if one.finding.measure == GROWTH else REPETITIONS)


def test_growth(drawn):
    axes = drawn["growth"].axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("texts s of each corpus", "seconds for one distance")
    # seconds are 1e-7 · size².
    assert drawn["growth"].legends[0].get_texts()[0].get_text() == "dc  b = 2.00"


def test_several_mixtures_are_several_figures():
    drawn = figures(make_trial(["dc"], mixtures=((100, 4), (100, 5))))
    assert {f"{name}-k{k}" for name in MIXTURES for k in (4, 5)} | {*SIZED, "growth"} == set(drawn)
    assert "k = 4 mixtures: 6 pairs" in written(drawn["distance-by-level-k4"])


def test_measures_that_are_found_on_other_mixtures_share_a_figure():
    trial = make_trial(["dc"], mixtures=((100, 4), (50, 5)))
    plan = {one: [[50, 5] if one in ("accuracy", "time") else [100, 4]] for one in OF_MIXTURES}
    drawn = figures(dataclasses.replace(trial, settings={**trial.settings, "plan": plan}))
    assert "n = 50 texts per mixture, k = 5 mixtures (A, T)" in written(drawn["spread"])
    assert "distance-by-level-n50-k5" in drawn


def test_more_metrics_than_a_figure_can_hold_are_on_two():
    drawn = figures(make_trial([f"metric{number}" for number in range(9)]))
    assert [len(drawn[f"radar-{sheet}"].axes[0].get_lines()) for sheet in (1, 2)] == [5, 4]


def test_several_embedders_are_told_apart():
    drawn = figures(make_trial(["dc"], embedders=("wordllama:dim=256", "given:hash=1")))
    titles = [axes.get_title().split("\nρ")[0] for axes in drawn["distance-by-level"].axes]
    assert titles == ["dc (wordllama)", "dc (given)"]
    same = figures(make_trial(["dc"], embedders=("given:hash=1", "given:hash=2")))
    assert "given:hash=2" in written(same["growth"])


def test_the_negative_of_a_part_that_falls_is_told():
    falling = changed(make_trial(["dc"], part="coverage"), lambda one: one | {"value": -one["value"]})
    title = figures(falling)["distance-by-level"].axes[0].get_title()
    assert title.startswith("dc coverage\n")
    assert "ρ = 0.9" in title
    assert "(of −d)" in title


def test_what_was_not_measured_is_not_called_undefined():
    # The parts of a metric are not measured by size.
    part = changed(make_trial(["dc"], part="coverage"), lambda one: one if one.get("k") else None)
    whole = make_trial(["dc"])
    both = figures(dataclasses.replace(whole, records=[*whole.records, *part.records]))
    assert len(both["radar"].axes[0].get_lines()) == 2
    assert "Undefined" not in written(both["radar"])
    assert len(both["size"].axes) == 1


def test_what_is_undefined_is_left_out_and_told():
    def spoil(one):
        first = one["metric"] == "dc" and (one["repetition"] == 0 or one["kind"] == "asymptote")
        whole = one["metric"] == "frechet"
        return one | ({"value": math.nan, "note": "Undefined."} if first or whole else {})

    drawn = figures(changed(make_trial(["dc", "frechet", "pr"]), spoil))
    some, none, every = drawn["distance-by-level"].axes
    # Of 10 pairs, three times.
    assert some.get_title().endswith("10 undefined")
    assert len(some.collections[0].get_offsets()) == 20
    assert none.get_title() == "frechet\n30 undefined"
    assert not none.get_lines()
    assert len(every.collections[0].get_offsets()) == 30
    # Without an asymptote there is no line.
    assert [len(axes.get_lines()) for axes in drawn["size"].axes] == [1, 1, 2]
    assert "Undefined, left out: dc (S), dc (I)." in written(drawn["radar"])
    assert len(drawn["radar"].axes[0].get_lines()) == 2
    for figure in drawn.values():
        assert_readable(figure)


def test_figures_are_written_twice_and_are_the_same_each_time(tmp_path):
    trial = make_trial(["classifier:preset=paper"])
    files = save_figures(trial, tmp_path / "new" / "folder")
    assert {file.name for file in files} == {
        f"{name}{ending}" for name in [*MIXTURES, *SIZED, "growth"] for ending in (".png", ".svg")
    }
    for file in files:
        start = b"\x89PNG" if file.suffix == ".png" else b"<?xml"
        assert file.read_bytes().startswith(start)
    assert "preset=paper</text>" in files[1].read_text(encoding="utf-8")
    alone = changed(trial, lambda one: one if one["kind"] == "growth" else None)
    again = save_figures(alone, tmp_path)
    assert [file.name for file in again] == ["growth.png", "growth.svg"]
    for file in again:
        assert file.read_bytes() == (tmp_path / "new" / "folder" / file.name).read_bytes()


def test_a_trial_without_records_has_nothing_to_draw(tmp_path):
    with pytest.raises(SpecError, match="no values to draw"):
        save_figures(dataclasses.replace(make_trial(["dc"]), records=()), tmp_path)


def test_a_missing_matplotlib_is_told_with_the_line_that_installs_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r'pip install "distinctly\[plots\]"'):
        save_figures(make_trial(["dc"]), tmp_path)
