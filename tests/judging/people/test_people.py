"""`human_agreement`: lists and files, subsets, columns, and undefined values."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.judging.people.rated_sets import HUMAN, SETS, finding, rows_file, with_annotators
from tests.shared import ROOT

import distinctly as dy
from distinctly.errors import InputError, SpecError
from distinctly.judging import human_agreement, read_trial
from distinctly.judging.defaults import default_metrics
from distinctly.judging.page import page_of
from distinctly.judging.people.findings import PeopleTrial
from distinctly.judging.people.trial import SHORT
from distinctly.report import rendered, terminal
from distinctly.report.page import Page

TABLE_2 = ROOT / "docs" / "reproductions" / "table-2.csv"


class TestLists:
    """Sets and scores in memory."""

    def test_values_are_those_of_measure_and_correlations_those_of_scipy(self) -> None:
        trial = human_agreement(SETS, ["distinct:n=1", "homogenization"], human=HUMAN)
        for metric, sign in (("distinct:n=1", 1), ("homogenization", -1)):
            values = [dy.measure(texts, metric)[0].value for texts in SETS]
            assert [one["value"] for one in trial.records if one["metric"] == metric] == values
            for measure, theirs in (
                ("pearson", stats.pearsonr),
                ("spearman", stats.spearmanr),
                ("kendall", stats.kendalltau),
            ):
                found = finding(trial, metric, measure)
                expected = theirs(values, HUMAN)
                # Less homogenization is more diverse, so its correlation is negated; `raw` is not.
                assert found.mean == pytest.approx(sign * expected.statistic, abs=1e-12)
                assert found.parts["raw"] == pytest.approx(expected.statistic, abs=1e-12)
                assert found.parts["p"] == pytest.approx(expected.pvalue, rel=1e-9)
                assert found.parts["n"] == len(SETS)

    def test_order_of_texts_within_a_set_is_kept(self) -> None:
        # Windows of two tokens of a stream: a b, b b and b a in one order; b a, a a and a b in the other.
        sets = [["a b", "b a"], ["b a", "a b"], ["c d", "d c", "c d"], ["a b", "c d"]]
        trial = human_agreement(sets, "mattr:pool=corpus,window=2", human=[1, 2, 3, 4])
        assert [one["value"] for one in trial.records] == [
            dy.measure(texts, "mattr:pool=corpus,window=2")[0].value for texts in sets
        ]

    def test_order_of_sets_changes_nothing(self) -> None:
        one = human_agreement(SETS, "ead", human=HUMAN).findings
        other = human_agreement(SETS[::-1], "ead", human=HUMAN[::-1]).findings
        assert [found.mean for found in one] == pytest.approx([found.mean for found in other], abs=1e-12)

    def test_token_lists(self) -> None:
        tokens = [[text.split() for text in texts] for texts in SETS]
        found = human_agreement(tokens, "distinct:n=1", human=HUMAN)
        assert finding(found, "distinct:n=1").mean == pytest.approx(
            finding(human_agreement(SETS, "distinct:n=1", human=HUMAN), "distinct:n=1").mean
        )

    def test_a_function_of_the_user_is_judged_as_any(self) -> None:
        def spread(texts: list[str]) -> float:
            if "a b d" in texts:
                raise ZeroDivisionError("no spread")
            return len({word for text in texts for word in text.split()})

        trial = human_agreement(SETS, [spread, "types:n=1"], human=HUMAN)
        own = finding(trial, next(one["metric"] for one in trial.records))
        assert own.parts["n"] == len(SETS) - 1
        assert "1 of 6 sets have no value" in own.notes[0]
        assert "ZeroDivisionError: no spread" in own.notes[0]
        assert finding(trial, "types:n=1").parts["n"] == len(SETS)
        # Defined for 5 of 6 sets, less than 90 %, it is neither ranked nor best.
        assert "°" in rendered(page_of(trial), "table")

    def test_several_numbers_of_a_function_are_judged_one_by_one(self) -> None:
        def both(texts: list[str]) -> dict[str, float]:
            return {"types": len(set(" ".join(texts).split())), "texts": -len(texts[0])}

        trial = human_agreement(SETS, both, human=HUMAN)
        assert {one.part for one in trial.findings} == {"types", "texts"}

    def test_a_function_of_several_numbers_that_fails_in_one_subset(self) -> None:
        def both(texts: list[str]) -> dict[str, float]:
            if "a b d" in texts:
                raise ValueError("not these")
            return {"types": len(set(" ".join(texts).split())), "letters": len("".join(texts))}

        trial = human_agreement(SETS, both, human=HUMAN, subsets=list("xyxyxy"))
        assert {one.part for one in trial.findings} == {"types", "letters"}
        spearman = [one for one in trial.findings if one.measure == "spearman" and one.part == "types"]
        assert {one.settings["subset"]: one.parts["n"] for one in spearman} == {"x": 3, "y": 2}
        assert "ValueError: not these" in rendered(page_of(trial), "json")
        assert "types" in rendered(page_of(trial), "table")

    def test_scores_alone(self) -> None:
        trial = human_agreement(None, human=HUMAN, columns={"x": [1, 2, None, 4, 5, 3]})
        found = finding(trial, "x")
        assert found.parts["n"] == 5
        kept = [0, 1, 3, 4, 5]
        expected = stats.spearmanr([1, 2, 4, 5, 3], [HUMAN[place] for place in kept])
        assert found.mean == pytest.approx(expected.statistic, abs=1e-12)
        assert "1 of 6 sets have no value" in found.notes[0]

    def test_annotations(self) -> None:
        # Three who agree and one who does not: the human score is the mean of the three, scaled to 10.
        raw = with_annotators([9, 1, 7, 2, 1, 8])
        trial = human_agreement(SETS, "ead", annotations=raw)
        assert trial.settings["annotators"]["dropped"] == ["c"]
        low, high = min(HUMAN), max(HUMAN)
        assert [one["human"] for one in trial.records] == pytest.approx(
            [(one - low) / (high - low) * 10 for one in HUMAN]
        )
        listed = human_agreement(SETS, "ead", annotations=[list(one.values()) for one in raw])
        assert [one.mean for one in listed.findings] == [one.mean for one in trial.findings]
        assert "4 annotators; 1 left out" in "".join(page_of(trial).sentences("header"))

    def test_a_set_without_a_kept_annotator_is_left_out(self) -> None:
        raw = with_annotators([9, 1, 7, 2, 1, 8])
        raw[5] = {"c": 3}
        trial = human_agreement(SETS, "ead", annotations=raw)
        assert trial.settings["sets"] == 5
        assert "1 of 6 sets" in trial.notes[0]


class TestDifferences:
    """Tests of differences from the best metric."""

    def trial(self, against: str | None = None) -> PeopleTrial:
        draw = np.random.default_rng([5, 9])
        people, *noise = draw.standard_normal((4, 120))
        columns = {"good": people + 0.3 * noise[0], "near": people + 0.32 * noise[1], "poor": noise[2]}
        return human_agreement(
            None, human=people.tolist(), columns={k: v.tolist() for k, v in columns.items()}, against=against
        )

    def test_the_best_is_tested_against_and_noise_marked(self) -> None:
        trial = self.trial()
        tests = {one.metric: one for one in trial.findings if one.measure == "spearman_difference"}
        assert tests.keys() == {"near", "poor"} or tests.keys() == {"good", "poor"}
        other = next(name for name in tests if name != "poor")
        assert tests[other].parts["p_holm"] > 0.05
        assert tests["poor"].parts["p_holm"] < 1e-6
        # Holm: the smaller of two p-values is doubled.
        assert tests["poor"].parts["p_holm"] == pytest.approx(2 * tests["poor"].parts["p"])
        cells = {row[0].text: row[3] for row in page_of(trial).tables[0].rows}
        assert cells[other].mark == "noise"
        assert (cells["poor"].mark, cells["poor"].best) == ("", False)
        assert sum(cell.best for cell in cells.values()) == 1

    def test_against_one_that_is_named(self) -> None:
        tests = [one for one in self.trial("poor").findings if one.measure == "pearson_difference"]
        assert {one.metric for one in tests} == {"good", "near"}
        assert all(one.settings["against"] == "poor" and one.mean > 0.5 for one in tests)
        with pytest.raises(SpecError, match="Did you mean 'poor'"):
            self.trial("por")

    def test_subsets_are_judged_apart(self) -> None:
        # In agreement with people in one half, and reversed in the other.
        human, values = [1, 2, 3, 4, 1, 2, 3, 4], [1, 2, 3, 4, 4, 3, 2, 1]
        trial = human_agreement(None, human=human, columns={"x": values}, subsets=["a"] * 4 + ["b"] * 4)
        assert finding(trial, "x", subset="a").mean == pytest.approx(1)
        assert finding(trial, "x", subset="b").mean == pytest.approx(-1)
        assert set(trial.to_dict()["x"]["spearman"]) == {"subset=a", "subset=b"}


# Pearson, Spearman, Kendall, recomputed from the printed columns; DEFINITIONS.md has the same.
EXPECTED = {
    ("DailyDialog", "distinct"): (0.674, 0.419, 0.270),
    ("DailyDialog", "ead"): (0.703, 0.624, 0.467),
    ("OpenSubtitles", "distinct"): (0.561, 0.624, 0.511),
    ("OpenSubtitles", "ead"): (0.603, 0.648, 0.556),
}


class TestTable2:
    """The printed columns of Liu et al. (2022), seed 003, give the printed correlations."""

    def test_the_twelve_correlations_and_their_p_values(self) -> None:
        trial = human_agreement(TABLE_2, human="human", columns=["distinct", "ead"], subsets="corpus")
        for (corpus, metric), expected in EXPECTED.items():
            for measure, value in zip(("pearson", "spearman", "kendall"), expected):
                assert round(finding(trial, metric, measure, corpus).mean, 3) == value
        # The printed † (p < 0.1) on Distinct's Spearman correlation is wrong.
        assert finding(trial, "distinct", "spearman", "DailyDialog").parts["p"] == pytest.approx(
            0.228, abs=5e-4
        )
        tests = [one for one in trial.findings if one.measure.endswith("_difference")]
        # With ten systems, EAD is not significantly better anywhere.
        assert len(tests) == 4
        assert all(one.settings["against"] == "ead" and one.parts["p"] > 0.05 for one in tests)


class TestRequests:
    """Errors."""

    def test_neither_or_both_kinds_of_scores(self, tmp_path: Path) -> None:
        with pytest.raises(SpecError, match="either `human`"):
            human_agreement(SETS, "ead")
        with pytest.raises(SpecError, match="Fields of .*: texts, score"):
            human_agreement(rows_file(tmp_path), "ead")

    def test_lengths_that_differ(self) -> None:
        with pytest.raises(InputError, match="one entry of sets per human score, got 6 for 2"):
            human_agreement(SETS, "ead", human=[1, 2])
        with pytest.raises(InputError, match=r"one entry of columns\['x'\] per human score, got 1 for 6"):
            human_agreement(SETS, "ead", human=HUMAN, columns={"x": [1]})

    def test_a_distance(self) -> None:
        with pytest.raises(SpecError, match="mauve"):
            human_agreement(SETS, "mauve", human=HUMAN)

    def test_nothing_to_judge(self) -> None:
        with pytest.raises(SpecError, match="got neither"):
            human_agreement(None, human=HUMAN)
        with pytest.raises(SpecError, match="got only scores"):
            human_agreement(None, "ead", human=HUMAN)

    def test_fields_of_reading(self) -> None:
        with pytest.raises(SpecError, match="argument 'group'"):
            human_agreement(SETS, "ead", human=HUMAN, group="author")

    def test_a_column_with_the_name_of_a_metric(self) -> None:
        with pytest.raises(SpecError, match="'ead' is both a metric and a column"):
            human_agreement(SETS, "ead", human=HUMAN, columns={"ead": HUMAN})


class TestSaved:
    """Saved results can be read and resumed."""

    @pytest.mark.parametrize("ending", ["json", "csv"])
    def test_it_is_read_again(self, tmp_path: Path, ending: str) -> None:
        path = tmp_path / f"trial.{ending}"
        trial = human_agreement(SETS, ["ead", "self_bleu"], human=HUMAN, subsets=list("123123"), save=path)
        again = read_trial(path)
        assert isinstance(again, PeopleTrial)
        assert again.document() == trial.document()
        for form in ("table", "markdown", "latex", "findings"):
            assert rendered(page_of(again), form) == rendered(page_of(trial), form)

    def test_another_metric_is_added(self, tmp_path: Path) -> None:
        path = tmp_path / "trial.json"
        human_agreement(SETS, "ead", human=HUMAN, save=path)
        both = human_agreement(SETS, ["ead", "distinct:n=1"], human=HUMAN, save=path)
        assert {one["metric"] for one in both.records} == {"ead", "distinct:n=1"}
        assert both.findings == human_agreement(SETS, ["ead", "distinct:n=1"], human=HUMAN).findings

    def test_other_scores_or_texts_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "trial.json"
        human_agreement(SETS, "ead", human=HUMAN, save=path)
        for sets, human in ((SETS, HUMAN[::-1]), (SETS[::-1], HUMAN)):
            with pytest.raises(InputError, match="other hash"):
                human_agreement(sets, "ead", human=human, save=path)

    def test_a_column_that_changed_is_read_again(self, tmp_path: Path) -> None:
        path = tmp_path / "trial.json"
        human_agreement(None, human=HUMAN, columns={"x": HUMAN}, save=path)
        again = human_agreement(None, human=HUMAN, columns={"x": [-one for one in HUMAN]}, save=path)
        assert finding(again, "x").mean == pytest.approx(-1)


def test_defaults_are_every_metric_of_one_corpus() -> None:
    from distinctly.distance.base import Distance
    from distinctly.registry import metric_names

    names = {spec.partition(":")[0] for spec in default_metrics(SHORT)}
    # The sample of `rarefied` has no default, `templates` needs tags, `sentence_length` has no direction, and
    # thresholds and quality have no default for any embedder.
    others = {"rarefied", "templates", "sentence_length", "answers", "utility"}
    assert names == set(metric_names()) - set(metric_names(Distance)) - others
    assert {spec for spec in default_metrics(SHORT) if spec.startswith("distinct")} == {
        "distinct:n=1",
        "distinct:n=2",
    }


def test_a_page_fits_100_columns_whatever_there_is_on_it() -> None:
    draw = np.random.default_rng([5, 11])
    people = draw.standard_normal(90)
    columns = {
        f"metric_with_a_rather_long_name_{n}": (people + draw.standard_normal(90)).tolist() for n in range(4)
    }
    subsets = [f"a subset called {place % 9}" for place in range(90)]
    for parts in (subsets, ["one"] * 90):
        trial = human_agreement(None, human=people.tolist(), columns=columns, subsets=parts)
        for table in page_of(trial).tables:
            assert {len(row) for row in table.rows} == {len(table.columns)}
            lines = terminal.draw(Page([table]), 100).splitlines()
            assert max(map(len, lines)) <= 100
            # No number is broken: each is on one line as often as it is in the table.
            text = "\n".join(lines)
            assert all(cell.marked in text for row in table.rows for cell in row[1:])


def test_figures_show_every_metric_and_subset() -> None:
    pytest.importorskip("matplotlib")
    from distinctly.judging.figures import figures

    draw = np.random.default_rng([5, 12])
    people = draw.standard_normal(40)
    columns = {f"m{n}": (people + draw.standard_normal(40)).tolist() for n in range(14)}
    trial = human_agreement(None, human=people.tolist(), columns=columns, subsets=[*"abcd"] * 10)
    drawn = figures(trial)
    scatter, dots = drawn["people-scatter"], drawn["people-correlations"]
    assert sum(axis.get_visible() for axis in scatter.axes) == 12
    assert "12 best of 14" in scatter.get_suptitle()
    assert "n = 40" in scatter.axes[0].get_title()
    assert [axis.get_title() for axis in dots.axes] == [f"{name}\nn = 10" for name in "abcd"]
    assert {label.get_text() for label in dots.axes[0].get_yticklabels()} == set(columns)


def test_tevet_and_berant_without_prompts(shared: Path) -> None:
    # Measured on the same sets by another program: per row ConTest, DecTest and McDiv nuggets.
    expected = {
        "chamfer": ((0.742, 0.568, 0.607), (0.890, 0.800, 0.814), (0.770, 0.432, 0.470)),
        "chamfer:context=prompt": ((0.743, 0.607, 0.655), (0.880, 0.810, 0.816), (0.771, 0.557, 0.605)),
    }
    path = shared / "tevet-diversity-eval-with-hds.jsonl"
    subsets = ["dataset", "task"]
    trial = human_agreement(path, list(expected), human="hds_mean", subsets=subsets, prompt="context")
    for spec, rows in expected.items():
        for dataset, values in zip(("conTest", "decTest", "McDiv_nuggets"), rows):
            for task, value in zip(("prompt_gen", "resp_gen", "story_gen"), values):
                correlation = finding(trial, spec, subset=f"{dataset} {task}").mean
                assert correlation == pytest.approx(value, abs=0.005)


def test_tevet_and_berant_by_subset(shared: Path) -> None:
    # From the columns that came with the data, rows of one `dataset` and `task`: prompt, response and story
    # generation. SciPy's spearmanr of the columns gives the same.
    expected = {
        ("conTest", "metric_AveragedDistinctNgrams"): (0.508, 0.476, 0.609),
        ("decTest", "metric_AveragedDistinctNgrams"): (0.757, 0.782, 0.805),
        ("McDiv_nuggets", "metric_AveragedDistinctNgrams"): (0.352, 0.260, 0.224),
        ("conTest", "metric_SentBert"): (0.823, 0.788, 0.775),
        ("decTest", "metric_SentBert"): (0.831, 0.735, 0.786),
        ("McDiv_nuggets", "metric_SentBert"): (0.855, 0.787, 0.720),
    }
    path = shared / "tevet-diversity-eval-with-hds.jsonl"
    trial = human_agreement(path, [], human="hds_mean", subsets=["dataset", "task"], columns="metric_*")
    assert len(trial.subsets) == 9
    for (dataset, column), values in expected.items():
        for task, value in zip(("prompt_gen", "resp_gen", "story_gen"), values):
            assert round(finding(trial, column, subset=f"{dataset} {task}").mean, 3) == value
    assert not math.isnan(trial.findings[0].mean)
