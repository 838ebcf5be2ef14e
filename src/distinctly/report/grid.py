"""The grid that the readable reports share: a row a metric, a column a corpus."""

from __future__ import annotations

import math

from distinctly.score import Score, Scores

# Shown once above the grid, not with every number.
_COMMON_PARTS = ("texts", "tokens", "skipped_texts", "skipped_groups", "groups")


def rounded(value: float) -> str:
    """Round a number for reading.

    Examples
    --------
    >>> rounded(0.123456), rounded(1234567.0), rounded(12.3456), rounded(float("nan"))
    ('0.1235', '1,234,567', '12.35', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    if float(value).is_integer() and abs(value) >= 2:
        return f"{value:,.0f}"
    if 0 < abs(value) < 0.001:
        return f"{value:.3g}"
    return f"{value:.4f}" if abs(value) < 10 else f"{value:,.2f}"


def printable(text: str) -> str:
    r"""Return text on one line, with what cannot be seen written out.

    Examples
    --------
    >>> print(printable("tab\there"))
    tab\there
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def made_of(score: Score) -> str:
    """Say in a few words what a number is made of."""
    return "  ".join(
        f"{name} {f'{part:,}' if isinstance(part, int) else rounded(part)}"
        for name, part in score.parts.items()
        if name not in _COMMON_PARTS
    )


def grid(scores: Scores) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows."""
    corpora = list(dict.fromkeys(score.corpus for score in scores))
    specs = scores.keys()
    cells = {(score.spec, score.corpus): score for score in scores}
    rows = [[spec, *(rounded(cells[spec, corpus].value) for corpus in corpora)] for spec in specs]
    if len(corpora) > 1:
        return ["metric", *map(printable, corpora)], rows
    return ["metric", "value", "made of"], [[*row, made_of(score)] for row, score in zip(rows, scores)]


def notes(scores: Scores) -> list[str]:
    """Return each note once, with the metrics that it belongs to where it is not everybody's."""
    several = len({score.corpus for score in scores}) > 1
    owners: dict[tuple[str, str], list[str]] = {}
    for score in scores:
        for note in score.notes:
            owners.setdefault((printable(score.corpus), note), []).append(score.spec)
    found = []
    for (corpus, note), specs in owners.items():
        everybody = len(specs) == sum(printable(score.corpus) == corpus for score in scores)
        whose = [corpus] * several + [] if everybody else [*([corpus] * several), ", ".join(specs)]
        found.append(f"{', '.join(whose)}: {note}" if whose else note)
    return found


def frequent(scores: Scores) -> list[tuple[str, list[tuple[str, int]]]]:
    """Return the most frequent n-grams of each corpus, under a title, where they were asked for."""
    return [
        (
            f"Most frequent {one['n']}-grams of {printable(corpus['name'])}",
            [(printable(gram["text"]), gram["count"]) for gram in one["ngrams"]],
        )
        for corpus in scores.corpora
        for one in corpus.get("top", ())
    ]
