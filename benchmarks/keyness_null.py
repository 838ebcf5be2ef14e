"""What clumping does to tests of words: `python -m benchmarks.keyness_null` (needs ../shared/data).

Two random halves of one corpus differ in no word. So the share of words with an uncorrected p below 0.05
should be 5 % at most, and with the correction of Benjamini and Hochberg, there should be any below 0.05 in
5 % of halves at most. Halves are of texts, or of groups of texts such as dialogs; a test that takes texts, or
occurrences, as independent is wrong where they come in groups.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import distinctly as dy

DATA = Path(__file__).parents[2] / "shared" / "data"
HALVES, PERMUTATIONS, MIN_COUNT = 20, 999, 5
TESTS = {"G²": "g2_p", "χ²": "chi2_p", "range": "range_p", "exchanges": "permutation_p"}


@dataclass(frozen=True)
class Source:
    """A corpus, and the field of the units of which halves are made; None for texts."""

    title: str
    file: str
    unit: str | None = None
    label: str | None = None
    tokenizer: str | None = None


SOURCES = (
    Source("AlpacaEval, answers of gpt4", "alpacaeval-8-systems.jsonl.gz", label="gpt4"),
    Source("AlpacaEval, answers of 8 systems by prompt", "alpacaeval-8-systems.jsonl.gz", "prompt_id"),
    Source("Topical-Chat, turns by dialog", "topical-chat-valid-test.jsonl.gz", "dialog"),
    Source("DailyDialog, turns by dialog", "dailydialog-valid-test.jsonl.gz", "dialog"),
    Source("KdConv (Chinese characters), turns by dialog", "zh-kdconv-dev-test.jsonl.gz", "dialog"),
    Source("clinc150, requests", "clinc150.jsonl.gz"),
)


def read(source: Source) -> list[tuple[str, str]]:
    """Return the unit and the text of each row."""
    with gzip.open(DATA / source.file, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        (str(place) if source.unit is None else f"{row[source.unit]} {row.get('split', '')}", row["text"])
        for place, row in enumerate(rows)
        if source.label is None or row["label"] == source.label
    ]


def halves(rows: list[tuple[str, str]], seed: int) -> list[list[tuple[str, str]]]:
    """Return two random halves of the units."""
    units = sorted({unit for unit, _ in rows})
    chosen = np.random.default_rng(seed).permutation(len(units)) < len(units) // 2
    first = {unit for unit, inside in zip(units, chosen) if inside}
    return [[row for row in rows if (row[0] in first) == inside] for inside in (True, False)]


def false_claims(source: Source, *, grouped: bool, many: int) -> dict[str, tuple[float, float, float]]:
    """Return, per test, the shares of words with p < 0.05, corrected, and of halves with such a word."""
    rows = read(source)
    shares: dict[str, list[tuple[float, float]]] = {name: [] for name in TESTS}
    for seed in range(many):
        corpora = [
            dy.Corpus([text for _, text in half], groups=[unit for unit, _ in half] if grouped else None)
            for half in halves(rows, seed)
        ]
        options = {"min_count": MIN_COUNT, "permutations": PERMUTATIONS, "tokenizer": source.tokenizer}
        (terms,) = dy.keyness(*corpora, **options).comparisons
        for name, column in TESTS.items():
            p = np.array(terms.columns[column])
            corrected = np.array(terms.columns[f"{column}_corrected"])
            shares[name].append((float((p < 0.05).mean()), float((corrected < 0.05).mean())))
    return {
        name: (*np.mean(each, axis=0).tolist(), float(np.mean([false > 0 for _, false in each])))
        for name, each in shares.items()
    }


def table(many: int = HALVES) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield f"| two halves of ({many} times) | unit of the test | " + " | ".join(TESTS) + " |"
    yield "|---|---|" + "---:|" * len(TESTS)
    for source in SOURCES:
        for grouped in (False, True) if source.unit else (False,):
            claims = false_claims(source, grouped=grouped, many=many)
            cells = [f"{100 * p:.1f} / {100 * false:.2f} / {any_:.0%}" for p, false, any_ in claims.values()]
            unit = source.unit or "text"
            yield f"| {source.title} | {unit if grouped else 'text'} | {' | '.join(cells)} |"


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else HALVES):
        print(line, flush=True)
