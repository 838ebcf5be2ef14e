"""The page of collocations: the words near a word in a table, and lines of the word in context."""

from __future__ import annotations

from distinctly.report.cells import corpus_size, printable, words
from distinctly.report.page import (
    Block,
    Cell,
    Column,
    Concordance,
    ContextLine,
    Heading,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Signatures,
    Table,
)
from distinctly.report.pages.keyness import p_cell, real_cell, whole_cell
from distinctly.report.pages.scores import MOST_NOTES
from distinctly.run.collocates import Collocations, Row

LEGEND = (
    "Together: how often the word is near; left and right: before and after. Expected: if it were as "
    "frequent near the word as elsewhere. Count: in the whole corpus. PMI: binary logarithm of together over "
    "expected; it favours rare words. log-Dice: at most 14, for words that only occur together; it does not "
    "depend on the size of the corpus. p: of G², corrected for all words that are near often enough."
)
# The number of rows on a terminal.
SHOWN = 30


def page_of_collocations(result: Collocations, shown: int = SHOWN) -> Page:
    """Lay out which words occur near a word."""
    corpus = result.corpus
    left, right = result.window
    table = Table(
        [
            Column("collocate", "name"),
            *map(Column, ("together", "left", "right", "expected", "count", "texts")),
            *map(Column, ("PMI", "log-Dice", "G²", "p")),
        ],
        [_row(row) for row in list(result)[:shown]],
        f"Near {printable(result.node)}",
        f"which occurs {result.nodes:,} times; up to {left} tokens before and {right} after it; "
        f"{min(shown, len(result)):,} of {len(result):,} collocates",
    )
    blocks: list[Block] = [Heading(printable(str(corpus["name"])), corpus_size(corpus)), table]
    if result.lines:
        lines = [ContextLine(f"{line.text:,}", *line.context) for line in result.lines]
        blocks.append(Concordance(f"{printable(result.node)} (text)", lines))
    blocks += [
        Paragraph(LEGEND, "legend"),
        Notes([OwnedNote(note) for note in result.notes], MOST_NOTES),
        Signatures([result.signature]),
    ]
    return Page(
        blocks,
        document=result.to_dict,
        records=lambda: result.rows,
        values=[row[result.sort] for row in result.rows],
        title="collocates",
        more_sheets=lambda: {"lines": [line.to_dict() for line in result.lines]},
    )


def _row(row: Row) -> list[Cell]:
    return [
        words(printable(row["collocate"])),
        *(whole_cell(row[name]) for name in ("together", "left", "right")),
        real_cell(row["expected"], 1 if row["expected"] >= 1 else 3),
        *(whole_cell(row[name]) for name in ("count", "range")),
        real_cell(row["pmi"], 2),
        real_cell(row["log_dice"], 2),
        real_cell(row["g2"], 1),
        p_cell(row["g2_p_corrected"]),
    ]
