"""The page of homogeneity: one table of all pairs of systems per measure, and what it shows in words."""

from __future__ import annotations

import math
from itertools import combinations_with_replacement

from distinctly.report.cells import NONE, corpus_cell, printable, words
from distinctly.report.page import (
    Block,
    Cell,
    Column,
    Heading,
    HeatMap,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Table,
)
from distinctly.report.pages.scores import MOST_NOTES
from distinctly.run.homogeneity import NGRAMS, Homogeneity, Likeness

DECIMALS = 3
# More pairs than this do not fit a screen.
MOST_PAIRS = 40
OTHER_PROMPTS = "other prompts"
LEGEND = (
    "Each number is the mean similarity of the answers of two systems to the same prompt; 1 is the same. "
    "Other prompts: the mean similarity of a system's answers to those of the other systems to different "
    "prompts; they are this much alike whatever is asked."
)
DIAGONAL = "On the diagonal: different answers of one system to the same prompt."
INTERVALS = (
    "±: half the width of the 95 % interval, by leaving out one prompt at a time. Above: the similarity less "
    "that of answers of the same two systems to different prompts."
)


def page_of_homogeneity(result: Homogeneity) -> Page:
    """Lay out how alike systems are."""
    blocks: list[Block] = [
        Heading(
            printable(corpus["name"]),
            f"{corpus['texts']:,} texts, {corpus['prompts']:,} prompts, {corpus['tokens']:,} tokens "
            f"({corpus['tokenizer']})",
        )
        for corpus in result.corpora
    ]
    for likeness in result.measures:
        blocks.append(_matrix(likeness))
        if _has_intervals(likeness):
            blocks.append(_pairs(likeness))
    blocks += [Paragraph(line, "legend") for line in _legend(result)]
    blocks += [Paragraph(printable(sentence), "verdict") for sentence in result.summary]
    blocks.append(Notes([OwnedNote(note) for note in result.notes], MOST_NOTES))
    records = result.to_records()
    return Page(
        blocks,
        document=result.to_dict,
        records=lambda: records,
        values=[record["similarity"] for record in records],
        title="homogeneity",
    )


def _legend(result: Homogeneity) -> list[str]:
    diagonal = any(not math.isnan(value) for each in result.measures for value in each.similarity.diagonal())
    lines = [f"{LEGEND} {DIAGONAL}" if diagonal else LEGEND]
    return [*lines, INTERVALS] if any(map(_has_intervals, result.measures)) else lines


def _has_intervals(likeness: Likeness) -> bool:
    return any(not math.isnan(low) for low in likeness.low.ravel())


def _title(likeness: Likeness) -> str:
    if likeness.measure == NGRAMS:
        return f"shared {likeness.options['n']}-grams"
    return "cosine without the prompt" if likeness.options["context"] else "cosine"


def _meaning(likeness: Likeness) -> str:
    if likeness.measure == NGRAMS:
        return f"distinct {likeness.options['n']}-grams that two answers to a prompt have in common"
    embedder = str(likeness.options["embedder"]).partition(",")[0]
    return f"of the vectors ({embedder}) of two answers to a prompt"


def _matrix(likeness: Likeness) -> HeatMap:
    """Return the similarities of all pairs, beside the mean floor of each system.

    Floors are no numbers of the heat map: they are so much smaller that all similarities would have one
    colour.
    """
    names = [printable(name) for name in likeness.systems]
    rows = [
        [*map(_cell, row), words(_cell(likeness.mean_floor(place)).text)]
        for place, row in enumerate(likeness.similarity.tolist())
    ]
    return HeatMap(_title(likeness), names, [*names, OTHER_PROMPTS], rows, _meaning(likeness))


def _pairs(likeness: Likeness) -> Table:
    """Return one row per pair of systems with its intervals, the most alike first."""
    above = likeness.above
    places = combinations_with_replacement(range(len(likeness.systems)), 2)
    defined = [pair for pair in places if not math.isnan(likeness.similarity[pair])]
    rows = [
        [
            corpus_cell(likeness.systems[pair[0]]),
            words("(itself)") if pair[0] == pair[1] else corpus_cell(likeness.systems[pair[1]]),
            _cell(likeness.similarity[pair], likeness.low[pair], likeness.high[pair]),
            _cell(likeness.floor[pair]),
            _cell(above[pair], likeness.above_low[pair], likeness.above_high[pair]),
            Cell(f"{likeness.prompts[pair]:,}", value=float(likeness.prompts[pair])),
        ]
        for pair in sorted(defined, key=lambda pair: -likeness.similarity[pair])
    ]
    names = [Column("system", "name"), Column("other", "name")]
    titles = ("similarity", OTHER_PROMPTS, "above", "shared prompts")
    title = f"{_title(likeness)}, pairs of systems"
    columns = [*names, *(Column(title) for title in titles)]
    return Table(columns, rows, title, "the most alike first", most=MOST_PAIRS)


def _cell(value: float, low: float = math.nan, high: float = math.nan) -> Cell:
    """Return a cell with a number and half the width of its interval."""
    number = float(value)
    if math.isnan(number):
        return NONE
    text = f"{number:.{DECIMALS}f}"
    if math.isnan(low) or math.isnan(high):
        return Cell(text, value=number)
    half = max(high - number, number - low)
    return Cell(f"{text} ±{half:.{DECIMALS}f}", value=number, low=float(low), high=float(high))
