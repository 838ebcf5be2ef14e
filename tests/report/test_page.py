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
        Paragraph("* best.", "legend"),
        Paragraph("b less a -0.25", "difference"),
        Listing("Most frequent", [Item("12 ×", ["the `cat`"]), Item("3 ×", ["a dog"], example="see a dog")]),
        Listing("Clusters", [], nothing="none at all"),
        Figure("curve", lambda: None),
        Notes([OwnedNote(Note("few.", "warning"), ["a.txt"], ["ead"]), OwnedNote(Note("all."))]),
        Signatures(["ead|n:1"]),
    ],
    document=lambda: {"format_version": 1, "values": [0.5, None]},
    records=[{"spec": "ead", "value": 0.5}, {"spec": "z", "value": math.nan, "p": 0.1}],
    values=[0.5, math.nan],
)
GOLDEN = {
    "table": """a.txt  2 texts
What was measured.

within: each group by itself

 metric          a_b   made of
 ─────────────────────────────
 ead      0.50 ±0.1*   N 1
 x|y           0.25≈
 z         undefined

* best.
  b less a -0.25
Most frequent
  12 × the `cat`
   3 × a dog   … see a dog
Clusters
  none at all
Note: a.txt, ead: few.
Note: all.
Signatures (cite one with every number you report):
  ead|n:1
""",
    "markdown": """What was measured.

**within**: each group by itself

| metric | a_b | made of |
| --- | ---: | --- |
| ead | 0.50 ±0.1* | N 1 |
| x\\|y | 0.25≈ |  |
| z | undefined |  |

* best.

- b less a -0.25
Most frequent:

- 12 × `` the `cat` ``
- 3 × `a dog` … `see a dog`

Clusters:

- none at all

> a.txt, ead: few.
> all.

- `ead|n:1`
""",
    "latex": r"""% What was measured.
% within: each group by itself
\begin{tabular}{lrl}
\toprule
metric & a\_b & made of \\
\midrule
ead & 0.50 $\pm$0.1* & N 1 \\
x|y & 0.25$\approx$ &  \\
z & undefined &  \\
\bottomrule
\end{tabular}
% * best.
% b less a -0.25
% a.txt, ead: few.
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
    page = Page([], records=[{"value": 1}], settings={"trial": "length"}, findings=[{"mean": 2.0}])
    assert rendered(page, "csv") == '# {"trial": "length"}\nvalue\n1\n'
    assert rendered(page, "findings") == "mean\n2.0\n"


def test_the_formats_are_the_files_of_the_folder() -> None:
    assert formats("scores") == ["table", "csv", "json", "latex", "markdown", "values"]
    assert formats("trials") == ["table", "csv", "findings", "json", "latex", "markdown"]


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
    with pytest.raises(SpecError, match="--top needs --format table, json, markdown"):
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
        "Note: … and 3 more notes: see --format json.",
    ]
    assert len(draw(Page([Notes(notes)]), 80).splitlines()) == 5


def test_cells_of_scores_keep_their_numbers() -> None:
    scores = dy.compare(
        ["a b c"] * 5, {"near": ["a b c"] * 5, "far": ["x y z"] * 5}, "jensen_shannon", interval=True
    )
    [row] = page_of_scores(scores).tables[0].rows
    near, far = row[1], row[2]
    assert (near.value, near.best, near.missing) == (scores[0].value, True, False)
    assert (far.value, far.low, far.high, far.best) == (scores[1].value, scores[1].low, scores[1].high, False)


def test_a_reason_is_a_warning_of_its_metric() -> None:
    page = page_of_scores(dy.measure(["a b"], ["distinct:n=1", "distinct:n=3"]))
    [notes] = [block for block in page.blocks if isinstance(block, Notes)]
    [reason] = [item for item in notes.items if item.note.startswith("Undefined: ")]
    assert (reason.note.level, reason.corpora, reason.specs) == ("warning", [], ["distinct:n=3"])
    assert [cell.missing for _, cell, _ in page.tables[0].rows] == [False, True]
