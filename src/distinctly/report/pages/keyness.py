"""The page of keyness: the terms of each direction in a table, lines in context, and a plot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from distinctly.report.cells import NONE, clipped, corpus_size, printable, words, written_p
from distinctly.report.page import (
    Block,
    Cell,
    Column,
    Concordance,
    ContextLine,
    Heading,
    Mark,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Plot,
    Series,
    Signatures,
    Table,
)
from distinctly.report.pages.scores import MOST_NOTES
from distinctly.run.key_terms import Direction, Keyness, KeyTerms, Row
from distinctly.run.keyness import SIGNIFICANT

# Points of each direction in a plot, and those of them that are labelled.
MOST_POINTS, LABELLED = 400, 12
# A G² below this is drawn as this.
LEAST_PLOTTED = 0.1
SIDES: tuple[Direction, Direction] = ("candidate", "reference")
LEGEND = (
    "Per million: of all n-grams of that length. Log ratio: binary logarithm of the ratio of the rates, so "
    "that 1 is twice as often. z: log-odds with an informative prior, in standard errors. G²: "
    "log-likelihood. p: of G², corrected for all terms (Benjamini–Hochberg)."
)
EXCHANGED = "p by {unit}: exchanging whole {unit} between the corpora, corrected likewise."
FEW = "°: the term is repeated in few {unit}, so that its p is too small."
PHRASES = (
    "Phrases that are nearly always part of a longer one are left out. The order is by the smaller z of two "
    "log-odds: of the occurrences, and of the {unit} that have the phrase."
)


def page_of_keyness(result: Keyness) -> Page:
    """Lay out which terms corpora use more often."""
    blocks: list[Block] = [
        Heading(printable(corpus["name"]), corpus_size(corpus)) for corpus in result.corpora
    ]
    for terms in result.comparisons:
        blocks += keyness_blocks(terms, result.shown)
    blocks += [Paragraph(line, "legend") for line in keyness_legend(result)]
    blocks.append(Notes([OwnedNote(note) for note in result.notes], MOST_NOTES))
    blocks.append(Signatures([terms.signature for terms in result.comparisons]))
    return Page(
        blocks,
        document=result.to_dict,
        records=lambda: result.rows,
        values=[g2 for terms in result.comparisons for g2 in terms.columns["g2"].tolist()],
        title="terms",
        more_sheets=lambda: {
            "lines": result.to_dict().get("lines", ()),
            "comparisons": [terms.to_dict() for terms in result.comparisons],
        },
    )


def keyness_blocks(terms: KeyTerms, shown: int, sides: Sequence[Direction] = SIDES) -> Iterator[Block]:
    """Yield the tables of some directions, the plot, and lines in context."""
    for side in sides:
        table = _table(terms, side, shown)
        yield table if table.rows else Paragraph(f"{table.title}: no term.", "legend")
    if any(terms.more_in(side, 1) for side in SIDES):
        yield plot_of(terms)
    yield from _concordances(terms)


def keyness_legend(result: Keyness) -> Iterator[str]:
    """Yield what the columns and marks mean."""
    yield LEGEND
    units = {terms.unit for terms in result.comparisons}
    unit = units.pop() if len(units) == 1 else "texts"
    if any(row["few_texts"] for terms in result.comparisons for row in _shown(terms, result.shown)):
        yield FEW.format(unit=unit)
    if any("permutation_p" in terms.columns for terms in result.comparisons):
        yield EXCHANGED.format(unit=unit)
    if result.phrases:
        yield PHRASES.format(unit=unit)


def _shown(terms: KeyTerms, shown: int) -> list[Row]:
    return [row for side in SIDES for row in terms.more_in(side, shown)]


def _table(terms: KeyTerms, side: Direction, shown: int) -> Table:
    """Return the first terms that one side uses more often."""
    names = {"candidate": printable(terms.candidate), "reference": printable(terms.reference)}
    other = SIDES[1 - SIDES.index(side)]
    listed = terms.places(side)
    known = int((terms.columns["g2_p_corrected"][listed] < SIGNIFICANT).sum())
    meaning = f"than in {names[other]}; p < {SIGNIFICANT} for {known:,} of {len(listed):,} listed terms"
    columns = [
        Column("term", "name"),
        Column("count"),
        Column("per million"),
        Column(terms.unit),
        Column("DP"),
        Column("other corpus: count"),
        Column("per million"),
        Column(terms.unit),
        Column("log ratio"),
        Column("z"),
        Column("G²"),
        Column("p"),
    ]
    by_unit = "permutation_p" in terms.columns
    columns += [Column(f"p by {terms.unit[:-1]}")] if by_unit else []
    return Table(
        columns,
        [_row(row, side, by_unit=by_unit) for row in terms.rows(listed[:shown])],
        f"More in {names[side]}",
        meaning,
    )


def _row(row: Row, side: Direction, *, by_unit: bool) -> list[Cell]:
    other = SIDES[1 - SIDES.index(side)]
    cells = [
        words(printable(row["term"])),
        whole_cell(row[f"{side}_count"]),
        _rate(row[f"{side}_per_million"]),
        whole_cell(row[f"{side}_range"], "few" if row["few_texts"] else ""),
        real_cell(row[f"{side}_dp"], 2),
        whole_cell(row[f"{other}_count"]),
        _rate(row[f"{other}_per_million"]),
        whole_cell(row[f"{other}_range"]),
        real_cell(row["log_ratio"], 2),
        real_cell(row["log_odds_z"], 1),
        real_cell(row["g2"], 1),
        p_cell(row["g2_p_corrected"]),
    ]
    return [*cells, p_cell(row["permutation_p_corrected"])] if by_unit else cells


def whole_cell(number: int, mark: Mark = "") -> Cell:
    """Return the cell of a whole number."""
    return Cell(f"{number:,}", value=float(number), mark=mark)


def _rate(rate: float) -> Cell:
    """Return a rate per million with about three digits."""
    decimals = 0 if rate >= 100 or rate == 0 else 1 if rate >= 10 else 2
    return real_cell(rate, decimals)


def real_cell(number: float, decimals: int) -> Cell:
    """Return the cell of a number with some decimals."""
    return NONE if math.isnan(number) else Cell(f"{number:,.{decimals}f}", value=number)


def p_cell(p: float) -> Cell:
    """Return the cell of a p-value."""
    return NONE if math.isnan(p) else Cell(written_p(p), value=p)


def _concordances(terms: KeyTerms) -> Iterator[Concordance]:
    """Yield the lines of each term."""
    for term, lines in terms.lines.items():
        corpora = list(dict.fromkeys(quoted.corpus for quoted in lines))
        shown = [
            ContextLine(
                f"{quoted.corpus} {quoted.line.text:,}" if len(corpora) > 1 else f"{quoted.line.text:,}",
                *quoted.line.context,
            )
            for quoted in lines
        ]
        if shown:
            title = f"{term} (text of {corpora[0]})" if len(corpora) == 1 else f"{term} (text)"
            yield Concordance(printable(title), shown)


def plot_of(terms: KeyTerms) -> Plot:
    """Return the size of the effect against the evidence, with the first terms of each direction labelled."""
    names = printable(terms.reference), printable(terms.candidate)
    series = []
    for side, name in zip(SIDES[::-1], names):
        rows = terms.more_in(side, MOST_POINTS)
        labels = [printable(row["term"]) for row in rows]
        counts = [f"{row['reference_count']:,} and {row['candidate_count']:,}" for row in rows]
        series.append(
            Series(
                name,
                [row["log_ratio"] for row in rows],
                [math.log10(max(row["g2"], LEAST_PLOTTED)) for row in rows],
                labels=[f"{label}: {both}" for label, both in zip(labels, counts)],
                captions=[*labels[:LABELLED], *[""] * len(labels[LABELLED:])],
            )
        )
    return Plot(
        f"Terms of {names[0]} and {names[1]}",
        f"log ratio (above 0: more in {clipped(names[1], 24)})",
        "log₁₀ G²",
        series,
        f"One point per term, of the first {MOST_POINTS} of each direction. Sideways: the size of the "
        "effect; 1 is twice as often. Upwards: the evidence.",
        curves=False,
    )
