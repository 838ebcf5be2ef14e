"""The page of homogeneity: one table of all pairs of systems per measure, and what it shows in words."""

from __future__ import annotations

import math
from collections.abc import Callable

from distinctly.report.cells import NONE, printable
from distinctly.report.page import Block, Cell, Heading, HeatMap, Notes, OwnedNote, Page, Paragraph
from distinctly.report.pages.scores import MOST_NOTES
from distinctly.run.homogeneity import NGRAMS, Homogeneity, Likeness

DECIMALS = 3
OTHER_PROMPTS = "other prompts"
LEGEND = (
    "Rows and columns are systems. Each number is the mean similarity of an answer of one to an answer of the "
    "other, to the same prompt; 1 is the same. Other prompts: the mean of the same system with the others if "
    "the two answer different prompts."
)
DIAGONAL = "On the diagonal: different answers of one system to the same prompt."
ABOVE = "With ±, half the width of the 95 % interval, by leaving out one prompt at a time."


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
        blocks.append(_similarities(likeness))
        if _has_intervals(likeness):
            blocks.append(_above(likeness))
    blocks += [Paragraph(line, "legend") for line in _legend(result)]
    blocks += [Paragraph(printable(sentence), "verdict") for sentence in result.summary]
    blocks.append(Notes([OwnedNote(note) for note in result.notes], MOST_NOTES))
    return Page(
        blocks,
        document=result.to_dict,
        records=result.to_records(),
        values=[float(each.similarity[pair]) for each in result.measures for pair in _all_pairs(each)],
        title="homogeneity",
    )


def _all_pairs(likeness: Likeness) -> list[tuple[int, int]]:
    return [(a, b) for a in range(len(likeness.systems)) for b in range(a, len(likeness.systems))]


def _legend(result: Homogeneity) -> list[str]:
    diagonal = any(
        not math.isnan(number) for each in result.measures for number in each.similarity.diagonal()
    )
    lines = [f"{LEGEND} {DIAGONAL}" if diagonal else LEGEND]
    return [*lines, ABOVE] if any(map(_has_intervals, result.measures)) else lines


def _has_intervals(likeness: Likeness) -> bool:
    return any(not math.isnan(low) for low in likeness.low.ravel())


def _title(likeness: Likeness) -> str:
    if likeness.measure == NGRAMS:
        return f"shared {likeness.options['n']}-grams"
    return "cosine without the prompt" if likeness.options["context"] else "cosine"


def _meaning(likeness: Likeness) -> str:
    if likeness.measure == NGRAMS:
        return f"share of distinct {likeness.options['n']}-grams that two answers to a prompt have in common"
    return f"cosine of the vectors of two answers to a prompt ({likeness.options['embedder']})"


def _similarities(likeness: Likeness) -> HeatMap:
    """Return the similarities of all pairs, beside the mean floor of each system."""

    def cell(a: int, b: int) -> Cell:
        return _cell(likeness.similarity[a, b], likeness.low[a, b], likeness.high[a, b])

    floors = [_cell(likeness.mean_floor(place)) for place in range(len(likeness.systems))]
    return _matrix(likeness, _title(likeness), _meaning(likeness), cell, floors)


def _above(likeness: Likeness) -> HeatMap:
    """Return the similarities less the floors of all pairs."""
    above = likeness.above

    def cell(a: int, b: int) -> Cell:
        return _cell(above[a, b], likeness.above_low[a, b], likeness.above_high[a, b])

    title = f"{_title(likeness)}, above other prompts"
    return _matrix(likeness, title, "less the similarity of answers to different prompts", cell)


def _matrix(
    likeness: Likeness,
    title: str,
    meaning: str,
    cell: Callable[[int, int], Cell],
    floors: list[Cell] | None = None,
) -> HeatMap:
    names = [printable(name) for name in likeness.systems]
    places = range(len(names))
    cells = [[cell(a, b) for b in places] for a in places]
    if floors is None:
        return HeatMap(title, names, names, cells, meaning)
    rows = [[*row, floor] for row, floor in zip(cells, floors)]
    return HeatMap(title, names, [*names, OTHER_PROMPTS], rows, meaning)


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
