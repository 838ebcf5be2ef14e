"""Check the intervals: `python -m benchmarks.uncertainty` (some minutes; needs ../shared/data).

Halves of real corpora are drawn, for which the value of the whole is known.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.run.resampling import Resampling, Z
from distinctly.run.scopes import ngrams_in
from distinctly.run.scoring import values_of
from distinctly.statistics.pool import Pool
from distinctly.views.rows import Rows

DATA = Path(__file__).parents[2] / "shared" / "data"
COVERED = (
    "atis.jsonl",
    "banking77.jsonl",
    "dailydialog-hredf-vs-reference.jsonl",
    "yahoo-nfl6-antique-queries.jsonl",
)
HALVED = (
    "atis.jsonl",
    "banking77.jsonl",
    "brown-sentences.jsonl.gz",
    "clinc150.jsonl.gz",
    "dailydialog-valid-test.jsonl.gz",
    "opensubtitles-sample.jsonl.gz",
    "personachat-valid-test.jsonl.gz",
    "quora-questions-20k-SUBSTITUTE.jsonl",
    "topical-chat-valid-test.jsonl.gz",
    "yahoo-nfl6-antique-queries.jsonl",
)
METRICS = ("rarefied:n=1", "rarefied:n=2", "distinct:n=1,pool=text")


def pool_of(name: str, texts: int | None = None) -> Pool:
    """Read a corpus into memory; at most `texts` texts of it, drawn from a seed."""
    strings = dy.Corpus.read(DATA / name).texts()
    if texts is not None and texts < len(strings):
        strings = [strings[i] for i in np.random.default_rng(0).permutation(len(strings))[:texts]]
    return Pool(Rows(Batch.of(strings), RunConfig(compiled=True)))


def measured(
    metrics: list[Metric], pool: Pool, rows: Integers, resampling: Resampling, draw: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, list[int | None]]:
    """Return the values of the selected texts, their standard errors, and their sample sizes."""
    half = len(rows) // 2
    subsamples = [draw.permutation(rows)[:half] for _ in range(resampling.subsamples)]
    samples = [
        min(ngrams_in(pool, metric, subsample) for subsample in subsamples)
        if metric.sized == "ngrams"
        else None
        for metric in metrics
    ]
    values = values_of(metrics, pool, subsamples, samples)
    errors = np.array([resampling.standard_error(column, len(rows), half) for column in values.T])
    return values_of(metrics, pool, [rows], samples)[0], errors, samples


def coverage(seeds: int = 1000) -> list[str]:
    """Return the share of halves whose interval contains the value of the whole."""
    metrics = [dy.metric(spec) for spec in METRICS]
    lines = [
        f"| corpus | texts | {' | '.join(f'`{spec}`' for spec in METRICS)} |",
        "|---|---:|" + "---:|" * len(METRICS),
    ]
    for name in COVERED:
        pool = pool_of(name)
        all_rows = np.arange(len(pool))
        covered = np.zeros((2, len(metrics)))
        for seed in range(seeds):
            draw = np.random.default_rng([1, seed])
            rows = draw.permutation(all_rows)[: len(pool) // 2]
            values, errors, samples = measured(metrics, pool, rows, Resampling(population=len(pool)), draw)
            distances = np.abs(values - values_of(metrics, pool, [all_rows], samples)[0])
            covered += [distances <= Z * errors, distances <= Z * errors * math.sqrt(2)]
        cells = (f"{a:.1%} ({b:.1%})" for a, b in zip(*(covered / seeds)))
        lines.append(f"| {name.split('.')[0]} | {len(pool):,} | {' | '.join(cells)} |")
        print(lines[-1], file=sys.stderr)
    return lines


def halves() -> list[str]:
    """Compare a random half with the whole, with plain and with rarefied Distinct-2."""
    plain, rarefied = dy.metric("distinct:n=2"), dy.metric("rarefied:n=2")
    lines = [
        "| corpus | texts | Distinct-2 of half | of the whole | rarefied of half | of the whole | difference "
        "and its 95 % |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name in HALVED:
        pool = pool_of(name, 20_000)
        draw = np.random.default_rng(2)
        all_rows = np.arange(len(pool))
        rows = draw.permutation(all_rows)[: len(pool) // 2]
        resampling = Resampling()
        value, error, samples = measured([rarefied], pool, rows, resampling, draw)
        whole = values_of([rarefied], pool, [all_rows], samples)
        _, whole_error, _ = measured([rarefied], pool, all_rows, resampling, draw)
        raw = values_of([plain], pool, [rows, all_rows], [None])[:, 0]
        difference, width = value[0] - whole[0, 0], Z * math.hypot(error[0], whole_error[0])
        inside = "within" if abs(difference) <= width else "OUTSIDE"
        lines.append(
            f"| {name.split('.')[0]} | {len(pool):,} | {raw[0]:.4f} | {raw[1]:.4f} | {value[0]:.4f} "
            f"| {whole[0, 0]:.4f} | {difference:+.4f} ±{width:.4f}, {inside}; plain {raw[0] - raw[1]:+.4f} |"
        )
        print(lines[-1], file=sys.stderr)
    return lines


def bootstrap() -> list[str]:
    """Show the effect of resampling with replacement on Distinct-2."""
    pool = pool_of("atis.jsonl", 1000)
    metric = dy.metric("distinct:n=2")
    all_rows = np.arange(len(pool))
    draw = np.random.default_rng(3)
    value = values_of([metric], pool, [all_rows], [None])[0, 0]
    with_replacement = values_of([metric], pool, list(draw.integers(0, 1000, (1000, 1000))), [None])[:, 0]
    without = values_of([metric], pool, [draw.permutation(all_rows)[:500] for _ in range(1000)], [None])[:, 0]
    ours = dy.measure(dy.Corpus(pool.rows.batch.strings.tolist()), "distinct:n=2", interval=True)[0]
    bounds = [np.quantile(values, (0.025, 0.975)) for values in (with_replacement, without)]
    return [
        "| | value | 95 % |",
        "|---|---:|---:|",
        f"| Distinct-2 of 1,000 texts | {value:.4f} | |",
        f"| bootstrap, 1,000 of 1,000 with replacement | | {bounds[0][0]:.4f} – {bounds[0][1]:.4f} |",
        f"| spread of halves, as it is | | {bounds[1][0]:.4f} – {bounds[1][1]:.4f} |",
        f"| ours, at {ours.parts['sample']:,} bigrams "
        f"| {ours.value:.4f} | {ours.low:.4f} – {ours.high:.4f} |",
    ]


def lines() -> dict[str, list[str]]:
    """Return the lines of all tables, by title."""
    return {
        "Why not the bootstrap": bootstrap(),
        "A half and the whole": halves(),
        "Intervals of 1,000 halves that hold the value of the whole": coverage(),
    }


if __name__ == "__main__":
    for title, table in lines().items():
        print(f"**{title}**\n", *table, "", sep="\n")
