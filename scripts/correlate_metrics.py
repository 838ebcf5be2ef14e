"""Correlate metrics with each other over many sets of texts: which of them say the same?

    python -m scripts.correlate_metrics sets.jsonl --subset dataset --subset task -o correlations.csv
    python -m scripts.correlate_metrics answers.jsonl.gz --set prompt_id
    python -m scripts.correlate_metrics answers.jsonl.gz --set label --texts 100 --samples 20

A row has a list of texts (`texts`), which is a set; or one text, and the field `--set` names its set. With
`--samples`, random samples of each set are measured in its place. Values are those of `distinctly.measure`,
negated if a larger value is less diverse. The result is Spearman's correlation of each pair of metrics,
within each subset of the sets, as the mean over the subsets in which the values of both vary. `tokens` is the
number of tokens per text, which is no metric.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import itertools
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.arrays import Reals
from distinctly.judging.measures import correlation, ranks
from distinctly.sets import DEFAULT_SPECS
from distinctly.spec import parse_metrics

CANDIDATES = ("entropy:n=1", "chamfer", "similarity_hill", "magnitude", "dcscore", "vendi:preset=rke")
TOKENS = "tokens"


@dataclass(frozen=True)
class Pair:
    """The correlation of two metrics, and the number of subsets that it is a mean over."""

    first: str
    second: str
    spearman: float
    subsets: int


def read_sets(path: Path, set_field: str | None, subset_fields: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return the sets of texts of each subset, which is called by the values of its fields."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    sets: dict[tuple[str, object], list[str]] = defaultdict(list)
    for number, row in enumerate(rows):
        subset = " ".join(str(row[field]) for field in subset_fields)
        if set_field is None:
            sets[subset, number] = row["texts"]
        else:
            sets[subset, row[set_field]].append(row["text"])
    by_subset: dict[str, list[list[str]]] = defaultdict(list)
    for (subset, _), texts in sets.items():
        by_subset[subset].append(texts)
    return by_subset


def draw_samples(sets: Sequence[Sequence[str]], texts: int, samples: int, seed: int) -> list[list[str]]:
    """Return random samples of the texts of each set."""
    generator = np.random.default_rng(seed)
    return [
        [each[row] for row in generator.choice(len(each), texts, replace=False)]
        for each in sets
        for _ in range(samples)
    ]


def measure_sets(
    sets: Sequence[Sequence[str]], specs: Sequence[str], tokenizer: str, embedder: str
) -> dict[str, Reals]:
    """Return the values of each metric, one per set, such that more is more diverse."""
    signs = {
        request.spec: -1.0 if request.metric.more_is == "less diverse" else 1.0
        for request in parse_metrics(list(specs))
    }
    values: dict[str, list[float]] = {spec: [] for spec in (*signs, TOKENS)}
    for texts in sets:
        scores = dy.measure(texts, list(specs), tokenizer=tokenizer, embedder=embedder)
        for spec, sign in signs.items():
            values[spec].append(sign * scores[spec].value)
        values[TOKENS].append(scores["distinct:n=1"].parts["C"] / len(texts))
    return {spec: np.array(column) for spec, column in values.items()}


def correlate(subsets: Sequence[dict[str, Reals]]) -> list[Pair]:
    """Return the mean correlation of each pair of metrics."""
    pairs = []
    for first, second in itertools.combinations(subsets[0], 2):
        found = []
        for values in subsets:
            both = np.isfinite(values[first]) & np.isfinite(values[second])
            found.append(correlation(ranks(values[first][both]), ranks(values[second][both])))
        defined = [each for each in found if not math.isnan(each)]
        mean = math.fsum(defined) / len(defined) if defined else math.nan
        pairs.append(Pair(first, second, mean, len(defined)))
    return pairs


def show(pairs: Sequence[Pair]) -> str:
    """Return a table in Markdown; a star marks a mean over a part of the subsets."""
    names = list(dict.fromkeys(name for pair in pairs for name in (pair.first, pair.second)))
    most = max(pair.subsets for pair in pairs)
    cells = {frozenset((pair.first, pair.second)): pair for pair in pairs}
    lines = ["| | " + " | ".join(str(number + 1) for number in range(len(names))) + " |"]
    lines.append("|---|" + "---:|" * len(names))
    for number, name in enumerate(names):
        row = []
        for other in names:
            pair = cells.get(frozenset((name, other)))
            if pair is None or math.isnan(pair.spearman):
                row.append("" if pair is None else "–")
                continue
            text = f"{pair.spearman:.2f}".replace("0.", ".").replace("-.00", ".00")
            row.append(text + ("\\*" if pair.subsets < most else ""))
        lines.append(f"| {number + 1} `{name}` | " + " | ".join(row) + " |")
    return "\n".join(lines)


def main() -> None:
    """Print the table, and write all correlations to a CSV file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--set", help="the field of the set of a text")
    parser.add_argument(
        "--subset", action="append", default=[], help="a field that names the subset of a set"
    )
    parser.add_argument("--texts", type=int, default=100, help="texts per sample")
    parser.add_argument("--samples", type=int, default=0, help="samples per set")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-m", "--metric", action="append", help="default: the default table, and candidates")
    parser.add_argument("--tokenizer", default="words")
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("-o", "--output", type=Path, help="a CSV file")
    given = parser.parse_args()
    subsets = read_sets(given.data, given.set, given.subset)
    if given.samples:
        subsets = {
            name: draw_samples(sets, given.texts, given.samples, given.seed) for name, sets in subsets.items()
        }
    specs = given.metric or [*DEFAULT_SPECS, *CANDIDATES]
    pairs = correlate(
        [measure_sets(sets, specs, given.tokenizer, given.embedder) for sets in subsets.values()]
    )
    print(f"{sum(map(len, subsets.values())):,} sets in {len(subsets)} subset(s)\n\n{show(pairs)}")
    if given.output is not None:
        with given.output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["first", "second", "spearman", "subsets"])
            writer.writerows((each.first, each.second, each.spearman, each.subsets) for each in pairs)


if __name__ == "__main__":
    main()
