"""The page and the figures of known-diversity corpora."""

from __future__ import annotations

import pytest
from tests.judging.diversity.classes import SMALL, labelled, noisy

from distinctly.judging.diversity.trial import known_diversity
from distinctly.judging.page import page_of
from distinctly.report import rendered

TEXTS, LABELS = labelled()


@pytest.fixture(scope="module")
def everything():
    """All metrics of the package, on small corpora."""
    return known_diversity(TEXTS, label=LABELS, **SMALL)


def test_all_metrics_fit_a_page_of_100_columns(everything):
    lines = rendered(page_of(everything), "table").splitlines()
    table = [line for line in lines if "±" in line or line.startswith(" metric")]
    assert len(table) > 20
    assert max(map(len, table)) <= 100


def test_the_best_comes_first_and_what_is_within_noise_of_it_is_marked():
    trial = known_diversity(TEXTS, [noisy, "ead", "types:n=1", "distinct:n=1"], label=LABELS, **SMALL)
    rows = page_of(trial).tables[0].rows
    accuracy = [row[1] for row in rows]
    assert rows[0][1].best
    # All texts have two tokens: the three are functions of each other, so equally good.
    assert sum(cell.mark == "noise" for cell in accuracy) == 2
    assert rows[-1][0].text.endswith("noisy")
    assert rows[-1][1].mark == ""


def test_what_is_no_better_than_chance_or_worse_is_said():
    def fewer(texts: list[str]) -> float:
        return -len({text.split()[0] for text in texts}) + noisy(texts) / 1e6

    trial = known_diversity(TEXTS, [noisy, fewer], label=LABELS, **{**SMALL, "repetitions": 8})
    told = " ".join(page_of(trial).sentences())
    assert "No better than chance (0.5): tests.judging.diversity.classes:noisy." in told
    assert "In the wrong order more often than in the right one" in told


def test_ties_are_told_since_they_count_as_right():
    def many(texts: list[str]) -> float:
        return float(len({text.split()[0] for text in texts}) > 2)

    # Levels of 1, 2, 4 and 8 classes get 0, 0, 1, 1: two pairs of six are ties.
    trial = known_diversity(TEXTS, many, label=LABELS, **SMALL)
    assert "(33% ties; A 0.667 if they count as wrong)" in " ".join(page_of(trial).sentences())


def test_one_repetition_has_no_interval_and_says_so():
    page = page_of(known_diversity(TEXTS, "ead", label=LABELS, **{**SMALL, "repetitions": 1}))
    assert page.tables[0].rows[0][1].low is None
    assert "--repetitions 5" in " ".join(page.sentences("legend"))


def test_what_is_undefined_is_in_the_table_with_its_note():
    def constant(texts: list[str]) -> float:
        return 3.0

    page = page_of(known_diversity(TEXTS, constant, label=LABELS, **SMALL))
    cells = page.tables[0].rows[0][1:]
    assert [(cell.text, cell.missing) for cell in cells] == [("undefined", True)] * 5
    assert any("all corpora have the same value, 3." in note for note in page.notes)


def test_embedders_are_told_apart_where_there_are_several():
    embedders = ["wordllama:dim=64", "wordllama:dim=128"]
    page = page_of(known_diversity(TEXTS, "dispersion", label=LABELS, embedder=embedders, **SMALL))
    assert sorted("dim=64" in row[0].text for row in page.tables[0].rows) == [False, True]


def test_figures_have_a_panel_a_metric_and_say_how_many_texts(everything):
    pytest.importorskip("matplotlib")
    from distinctly.judging.figures import figures

    drawn = figures(everything)
    assert list(drawn) == ["diversity-values", "diversity-ranking"]
    shown = [panel for panel in drawn["diversity-values"].axes if panel.get_visible()]
    # All metrics that are defined for few and short texts have a panel.
    defined = [row for row in page_of(everything).tables[0].rows if not row[1].missing]
    assert len(shown) == len(defined)
    assert "3 corpora per level of 12 texts" in drawn["diversity-values"].get_supxlabel()
    assert "3 corpora per level of 12 texts" in drawn["diversity-ranking"].get_suptitle()
