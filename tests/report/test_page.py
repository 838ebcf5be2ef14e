"""A page is typed blocks, and every format renders the same page."""

from __future__ import annotations

import json
import math
import sys

import pytest

import distinctly as dy
from distinctly import report
from distinctly.errors import SpecError
from distinctly.report import check_format, formats, rendered
from distinctly.report.page import (
    Cell,
    Column,
    Figure,
    Heading,
    Item,
    Listing,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Signatures,
    Table,
)
from distinctly.report.pages.scores import page_of_scores
from distinctly.report.terminal import draw, folded, split
from distinctly.score import Note

TABLE = Table(
    [Column("metric", "name"), Column("a_b"), Column("made of", "text", muted=True)],
    [
        [Cell("ead"), Cell("0.50 ±0.1", value=0.5, low=0.4, high=0.6, best=True), Cell("N 1")],
        [Cell("x|y"), Cell("0.25", value=0.25, mark="noise"), Cell("")],
        [Cell("z"), Cell("undefined", value=math.nan, missing=True), Cell("")],
    ],
    "within",
    "each group by itself",
)
PAGE = Page(
    [
        Heading("a.txt", "2 texts"),
        Paragraph("What was measured.", "header"),
        TABLE,
        Paragraph("best.", "legend", of_best=True),
        Paragraph("b less a -0.25", "difference"),
        Listing("Most frequent", [Item("12 ×", ["the `cat`"]), Item("3 ×", ["a dog"], example="see a dog")]),
        Listing("Clusters", [], nothing="none at all"),
        Figure("curve", list),
        Notes([OwnedNote(Note("few.", "warning"), ["a.txt"], ["ead"]), OwnedNote(Note("all."))]),
        Signatures(["ead|n:1"]),
    ],
    document=lambda: {"format_version": 1, "values": [0.5, None]},
    records=lambda: [{"spec": "ead", "value": 0.5}, {"spec": "z", "value": math.nan, "p": 0.1}],
    values=[0.5, math.nan],
)
GOLDEN = {
    "table": """a.txt  2 texts
What was measured.

within: each group by itself

 metric         a_b    made of
 ─────────────────────────────
 ead      0.50 ±0.1*   N 1
 x|y           0.25≈
 z        undefined

* best.
  b less a -0.25
Most frequent
  12 × the `cat`
   3 × a dog   … see a dog
Clusters
  none at all
Note: ead of a.txt: few.
Note: all.
Signatures (cite one with every number you report):
  ead|n:1
""",
    "markdown": """What was measured.

**within**: each group by itself

| metric | a_b | made of |
| --- | ---: | --- |
| ead | **0.50 ±0.1** | N 1 |
| x\\|y | 0.25≈ |  |
| z | undefined |  |

**Bold**: best.

- b less a -0.25

Most frequent:

- 12 × `` the `cat` ``
- 3 × `a dog` … `see a dog`

Clusters:

- none at all

> ead of a.txt: few.
>
> all.

- `ead|n:1`
""",
    "latex": r"""% What was measured.
% within: each group by itself
\begin{tabular}{lrl}
\toprule
metric & a\_b & made of \\
\midrule
ead & \textbf{0.50 $\pm$0.1} & N 1 \\
x\textbar{}y & 0.25\rlap{$\approx$} &  \\
z & undefined &  \\
\bottomrule
\end{tabular}
% Bold: best.
% b less a -0.25
% ead of a.txt: few.
% all.
% ead|n:1
""",
    "csv": "spec,value,p\nead,0.5,\nz,,0.1\n",
    "values": "0.5\nnan\n",
}


@pytest.mark.parametrize("form", GOLDEN)
def test_a_page_in_every_format(form: str) -> None:
    assert rendered(PAGE, form) == GOLDEN[form]


def test_json_is_the_document() -> None:
    assert json.loads(rendered(PAGE, "json")) == PAGE.document()


def test_settings_stand_above_the_records() -> None:
    page = Page([], records=lambda: [{"value": 1}], settings={"trial": "length"}, findings=[{"mean": 2.0}])
    assert rendered(page, "csv") == '# {"trial": "length", "cells": "guarded"}\nvalue\n1\n'
    assert rendered(page, "findings") == "mean\n2.0\n"


def test_the_formats_are_the_files_of_the_folder() -> None:
    assert formats("scores") == [
        "table",
        "csv",
        "html",
        "json",
        "jsonl",
        "latex",
        "markdown",
        "tsv",
        "values",
    ]
    assert formats("trials") == [
        "table",
        "csv",
        "findings",
        "html",
        "json",
        "jsonl",
        "latex",
        "markdown",
        "tsv",
    ]


def test_another_module_is_another_format(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    (tmp_path / "shout.py").write_text("def render(page):\n    return page.sentences()[0].upper()\n")
    monkeypatch.setattr(report, "__path__", [*report.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "distinctly.report.shout", raising=False)
    try:
        assert "shout" in formats("scores")
        assert "shout" in formats("trials")
        assert rendered(PAGE, "shout") == "WHAT WAS MEASURED."
    finally:
        sys.modules.pop("distinctly.report.shout", None)


def test_a_format_that_cannot_show_listings_is_refused() -> None:
    check_format("markdown", listings=True, option="--top")
    with pytest.raises(SpecError, match="--top needs --format table, html, json, markdown"):
        check_format("csv", listings=True, option="--top")
    with pytest.raises(SpecError, match="Unknown format 'findings'"):
        check_format("findings")


def test_a_wide_table_is_split_with_the_names_repeated() -> None:
    columns = [Column("corpus", "name"), *(Column(f"distinct n={n}") for n in range(12))]
    row = [Cell("a.txt"), *(Cell("0.1234", value=0.1234) for _ in range(12))]
    table = Table(columns, [row], "within")
    parts = split(table, 60)
    assert [part.columns[0].title for part in parts] == ["corpus"] * len(parts)
    assert [column for part in parts for column in part.columns[1:]] == columns[1:]
    lines = draw(Page([table]), 60).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum(line.count("0.1234") for line in lines) == 12
    assert split(table, 300) == [table]


def test_names_are_folded_before_columns_are_split_off() -> None:
    name = "mattr:window=10,pool=corpus,short=skip"
    table = Table(
        [Column("metric", "name"), *(Column("x") for _ in range(3))], [[Cell(name), *[Cell("1" * 9)] * 3]]
    )
    assert split(table, 60) == [table]
    lines = draw(Page([table]), 60).splitlines()
    assert max(map(len, lines)) <= 60
    assert any(line.startswith(" mattr:window=10, ") for line in lines)
    assert folded("ead", 2) == "ead"


def test_too_many_notes_are_for_json() -> None:
    notes = [OwnedNote(Note(f"note {n}.")) for n in range(5)]
    assert draw(Page([Notes(notes, most=3)]), 80).splitlines() == [
        "Note: note 0.",
        "Note: note 1.",
        "Note: note 2.",
        "Note: … and 2 more notes: see --format json.",
    ]
    for form in ("markdown", "latex"):
        assert "… and 2 more notes: see --format json." in rendered(Page([Notes(notes, most=3)]), form)
        assert "note 3." not in rendered(Page([Notes(notes, most=3)]), form)
    assert len(draw(Page([Notes(notes)]), 80).splitlines()) == 5


def test_cells_of_scores_keep_their_numbers() -> None:
    scores = dy.compare(
        ["a b c"] * 5, {"near": ["a b c"] * 5, "far": ["x y z"] * 5}, "jensen_shannon", interval=True
    )
    [_, row] = page_of_scores(scores).tables[0].rows
    near, far = row[1], row[2]
    assert (near.value, near.best, near.missing) == (scores[0].value, True, False)
    assert (far.value, far.low, far.high, far.best) == (scores[1].value, scores[1].low, scores[1].high, False)


CANDIDATES = {
    "same": ["a b c", "d e f", "g h i", "a d g"] * 3,
    "far": ["x y z"] * 12,
    "farther": ["u v w"] * 11,
    "farthest": ["r s t"] * 12,
}


@pytest.mark.parametrize("candidates", [2, 4])
def test_every_candidate_has_its_p_value_and_ratio(candidates: int) -> None:
    several = dict(list(CANDIDATES.items())[:candidates])
    metrics = ["jensen_shannon", "jensen_shannon:n=2"]
    scores = dy.compare(CANDIDATES["same"], several, metrics, permutations=199, noise_floor=True)
    page = page_of_scores(scores)
    titles = [column.title for column in page.tables[0].columns]
    assert titles == [
        *("metric", "corpus", "tokens per text", "distance"),
        *("at 6 texts", "noise floor", "× floor", "p (corrected)"),
    ]
    reference, *rows = page.tables[0].rows
    assert [cell.text for cell in reference[:4]] == ["reference", "reference", "3.0", "–"]
    names = [(row[0].text, row[1].text) for row in rows]
    assert names[0] == ("jensen_shannon", "same")
    assert [metric for metric, _ in names[1:candidates]] == [""] * (candidates - 1)
    assert names[candidates] == ("jensen_shannon:n=2", "same")
    for row, score in zip(rows, (s for spec in metrics for s in scores[spec])):
        assert row[2].value == 3.0  # every text has three tokens
        assert (row[3].value, row[4].value) == (score.value, score.floor.distance_at_size)
        assert (row[5].value, row[6].value) == (score.floor.mean, score.floor.ratio)
        assert row[7].value == score.test.p_holm
        assert row[3].mark == ("noise" if score.corpus == "same" else "")
    assert [row[3].best for row in rows[:candidates]] == [True] + [False] * (candidates - 1)
    assert page.sentences("legend")[:2] == [
        "* nearest to reference.",
        f"≈ may be noise: p ≥ 0.05, corrected for {2 * candidates} comparisons (Holm); texts shuffled "
        "between the corpora, 199 times.",
    ]
    assert max(map(len, draw(Page(page.tables), 100).splitlines())) <= 100


def test_floors_of_different_sizes_are_said_to_be() -> None:
    reference = CANDIDATES["same"]
    scores = dy.compare(reference, {"a": reference, "b": reference[:5]}, "jensen_shannon", noise_floor=True)
    page = page_of_scores(scores)
    assert page.tables[0].columns[4].title == "at equal size"
    assert "two random parts of the reference, 5 to 6 texts each." in page.sentences("legend")[1]


@pytest.mark.parametrize("candidates", [1, 2, 4])
def test_without_a_test_nothing_is_claimed(candidates: int) -> None:
    several = dict(list(CANDIDATES.items())[:candidates])
    for options in ({}, {"noise_floor": True}):
        scores = dy.compare(CANDIDATES["same"], several, "jensen_shannon", **options)
        page = page_of_scores(scores)
        assert all(cell.mark == "" for row in page.tables[0].rows for cell in row)
        legend = " ".join(page.sentences("legend"))
        assert ("--permutations N" in legend) == bool(options)
        assert "may be noise" not in legend


def test_too_few_permutations_for_the_table_are_said() -> None:
    scores = dy.compare(CANDIDATES["same"], CANDIDATES, "jensen_shannon", permutations=79)
    assert page_of_scores(scores).sentences("legend")[-1] == (
        "Too few permutations for 4 comparisons to be significant: choose --permutations 80."
    )
    scores = dy.compare(CANDIDATES["same"], CANDIDATES, "jensen_shannon", permutations=80)
    assert [score.test.p_holm < 0.05 for score in scores] == [False, True, True, True]
    assert len(page_of_scores(scores).sentences("legend")) == 2


def test_a_matrix_names_the_formats_with_its_p_values() -> None:
    pair = {"far": CANDIDATES["far"], "same": CANDIDATES["same"]}
    scores = dy.compare(pair, metrics="jensen_shannon", matrix=True, permutations=99, noise_floor=True)
    assert page_of_scores(scores).sentences("legend") == [
        "All distances are more than noise: p < 0.05, corrected for 2 comparisons (Holm); texts shuffled "
        "between the corpora, 99 times.",
        "The p-value and the noise floor of each pair: --format csv or json.",
    ]


def test_a_reason_is_a_warning_of_its_metric() -> None:
    page = page_of_scores(dy.measure(["a b"], ["distinct:n=1", "distinct:n=3"]))
    [notes] = [block for block in page.blocks if isinstance(block, Notes)]
    [reason] = [item for item in notes.items if item.note.startswith("Undefined: ")]
    assert (reason.note.level, reason.corpora, reason.specs) == ("warning", [], ["distinct:n=3"])
    assert [cell.missing for _, cell, _ in page.tables[0].rows] == [False, True]


def test_several_corpora_are_blocks_of_rows_with_p_values() -> None:
    """Each metric is a block; marks and p-values are beside the value at one size."""
    corpora = {
        name: [f"{name}{i % words} b{i % 7}" for i in range(texts)]
        for name, words, texts in (("x", 30, 40), ("y", 4, 60), ("z", 29, 40))
    }
    page = page_of_scores(dy.measure(corpora, ["distinct:n=1", "ttr"]))
    (table,) = page.tables
    assert [column.title for column in table.columns] == [
        "metric, corpus",
        "tokens per text",
        "all texts",
        "at one size",
        "p (corrected)",
    ]
    assert [row[0].text for row in table.rows] == [*("distinct:n=1", "x", "z", "y"), *("ttr", "x", "y", "z")]
    assert list(table.sections) == [0, 4]
    block = table.rows[:4]
    assert [row[1].text for row in block] == ["", "2.0", "2.0", "2.0"]  # every text has two tokens
    assert block[0][3].text == "at=80,unit=text"  # 40 texts of two tokens
    assert [row[3].best for row in block[1:]] == [True, False, False]
    assert [row[2].best for row in block[1:]] == [False] * 3  # values of all texts are not compared
    assert [row[3].mark for row in block[1:]] == ["", "noise", ""]
    assert block[3][4].text == "<0.001"
    legend = " ".join(page.sentences("legend"))
    # 3 pairs of corpora, 2 metrics.
    assert "corrected for 6 comparisons" in legend
    assert "$<$0.001" in rendered(page, "latex")


def test_the_legend_claims_nothing_about_what_was_not_tested() -> None:
    corpora = {"few": ["a b", "c d"], "many": [f"a{i} b" for i in range(30)]}
    page = page_of_scores(dy.measure(corpora, ["ttr", "distinct:n=1"]))
    legend = " ".join(page.sentences("legend"))
    assert "more than noise" not in legend
    assert "Not tested, since there is too little data: ttr of many." in legend
