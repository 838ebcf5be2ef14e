"""Simulate intervals and comparisons: `python -m benchmarks.uncertainty` (80 minutes; needs ../shared/data).

Random parts of real corpora show how often an interval holds the expected value of a metric, and how often a
difference is claimed between two parts of one corpus. The processor time is that of one core.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import json
import math
import statistics
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.linalg  # noqa: F401 - loaded before its threads are limited
from threadpoolctl import threadpool_limits

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.run.comparing import Comparing
from distinctly.run.contrasts import Contrast
from distinctly.run.corpora import Subcorpus
from distinctly.run.estimating import Estimate, Estimator
from distinctly.run.plan import Plan, Views, identifying_view
from distinctly.run.resampling import Reals, Resampling, Units
from distinctly.run.scopes import Column, Scoped
from distinctly.score import Score
from distinctly.spec import Request, parse_metrics
from distinctly.statistics.pool import Pool, Summaries
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS

DATA = Path(__file__).parents[2] / "shared" / "data"
CONFIG = RunConfig(compiled=True)
# The largest number of texts (or groups) of a corpus, and the largest part of them in a sample.
MOST_UNITS, SHARE = 30_000, 10
# Numbers of texts (or groups) in a sample, and the smallest one that is judged.
SIZES, JUDGED = (50, 100, 400), 100
# Costly cells have this share of the trials: Self-BLEU of more tokens, Vendi of more texts than these.
FEWER, MANY_TOKENS, MANY_TEXTS = 0.4, 30_000, 200
# With fewer trials, the coverage of intervals is not judged.
FEWEST = 100
# A coverage outside of its limits is measured again, on other samples and this many times as many of them.
AGAIN = 10

BLEU = "self_bleu:max_n=2,smoothing=epsilon"
COVERED = ("distinct:n=1", "distinct:n=2", "entropy:n=1", "hill:q=2", "hill", "chao1", "coverage")
SIZED = ("distinct:n=1", "entropy:n=1")
BLOCKS = (BLEU, "self_bleu", "vendi")
COMPARED = ("distinct:n=1", "distinct:n=2", "entropy:n=1", BLEU)
CLOSED_COMPARED = COMPARED[:3]
MEAN = "distinct:n=1,pool=text"
# The shares of intervals that may hold the value, by the name of the metric.
CLOSED_LIMITS, OTHER_LIMITS = (0.92, 0.99), (0.92, 1.0)
CLOSED = ("distinct", "entropy", "hill")
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class File:
    """A file of texts, and the fields that name the group of a text; none if each text is a unit."""

    name: str
    fields: tuple[str, ...] = ()
    unit: str = "texts"

    @property
    def title(self) -> str:
        """The name without endings, and the unit."""
        return f"{self.name.split('.')[0]}, {self.unit}"


OPENSUBTITLES = File("opensubtitles-sample.jsonl.gz")
CLINC = File("clinc150.jsonl.gz")
QUORA = File("quora-questions-20k-SUBSTITUTE.jsonl")
BANKING = File("banking77.jsonl")
BROWN = File("brown-sentences.jsonl.gz")
ALPACA = File("alpacaeval-8-systems.jsonl.gz")
CHINESE = File("zh-kdconv-dev-test.jsonl.gz")
PROMPTS = File("alpacaeval-8-systems.jsonl.gz", ("prompt_id",), "prompts")
DAILY = File("dailydialog-valid-test.jsonl.gz", ("split", "dialog"), "dialogs")
PERSONA = File("personachat-valid-test.jsonl.gz", ("label", "dialog"), "dialogs")
TOPICAL = File("topical-chat-valid-test.jsonl.gz", ("split", "dialog"), "dialogs")
ALL = (OPENSUBTITLES, CLINC, QUORA, BANKING, BROWN, ALPACA, CHINESE, PROMPTS, DAILY, PERSONA, TOPICAL)
QUICK = (CLINC, DAILY)
# Corpora whose samples are compared with each other, and their shares of the trials.
FALSE = {
    **dict.fromkeys((OPENSUBTITLES, CLINC, QUORA, BANKING, BROWN, CHINESE), 1.0),
    ALPACA: 0.5,
    DAILY: 0.5,
    PERSONA: 0.25,
}
# The number of samples, the size of the first relative to the others, and the share of the trials.
DESIGNS = ((2, 1, 1.0), (5, 1, 0.4), (18, 1, 0.2), (2, 10, 1.0), (5, 10, 0.4))
DISTANCES = ((CLINC, BANKING), (OPENSUBTITLES, QUORA))
# Systems that answer the same prompts, numbers of prompts, and their shares of the trials.
PAIRED = (("gpt4", "claude-2", {120: 0.4, 400: 0.2}), ("gpt-3.5-turbo-0301", "alpaca-7b", {120: 0.4}))


@dataclass(frozen=True)
class Rate:
    """A measured share, and the limits that it is judged by.

    Attributes
    ----------
    table, row, column
        The place of the cell.
    rate, trials
        The share, and the number of trials (samples, or tables of comparisons).
    least, most
        The limits; the share is not judged if they are 0 and 1.
    undefined
        The number of trials without an interval or p-value; they count as outside, and as no claim.
    error_ratio
        The root mean square of the standard errors over the deviation of the values; NaN if there is none.
    first
        The share that was outside of the limits before it was measured again; None if it was not.
    """

    table: str
    row: str
    column: str
    rate: float
    trials: int
    least: float = 0.0
    most: float = 1.0
    undefined: int = 0
    error_ratio: float = math.nan
    first: float | None = None

    @property
    def outside(self) -> bool:
        """Whether the share is outside of its limits."""
        return not self.least <= self.rate <= self.most

    def shown(self, usual: int) -> str:
        """Return the share in percent, with the number of trials if it is not the usual one."""
        first = "" if self.first is None else f"; first {100 * self.first:.1f}"
        trials = "" if self.trials == usual else f" ({self.trials:,}{first})"
        return f"{100 * self.rate:.1f}{trials}" + " **✗**" * self.outside


@dataclass(frozen=True)
class Simulation:
    """The number of trials, their seed, and whether to make only a small part of the tables."""

    trials: int
    seed: int
    quick: bool = False

    def fewer(self, share: float = FEWER) -> int:
        """Return a share of the trials."""
        return max(round(share * self.trials), 2)

    def stream(self, *names: object) -> np.random.Generator:
        """Return the random generator of one row of a table."""
        return np.random.default_rng([self.seed, zlib.crc32(repr(names).encode())])


@dataclass(frozen=True)
class Population:
    """All texts of a corpus, of which samples are drawn."""

    file: File
    pool: Pool
    units: Units

    @property
    def tokens(self) -> float:
        """The mean number of tokens of a unit."""
        return float(self.pool.view(WORDS).lengths.sum()) / len(self.units)

    @property
    def texts(self) -> float:
        """The mean number of texts of a unit."""
        return len(self.pool) / len(self.units)

    def samples(self, sizes: Sequence[int], draw: np.random.Generator) -> list[Integers]:
        """Return the rows of disjoint random samples, given the number of units of each."""
        chosen = draw.permutation(len(self.units))[: sum(sizes)]
        return [self.units.subset(places) for places in np.split(chosen, np.cumsum(sizes)[:-1])]

    def corpora(self, sizes: Sequence[int], draw: np.random.Generator) -> list[Subcorpus]:
        """Return disjoint random samples as corpora."""
        return [subcorpus(place, self.pool, rows) for place, rows in enumerate(self.samples(sizes, draw))]


def records(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file."""
    opened = gzip.open if name.endswith(".gz") else open
    with opened(DATA / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@functools.cache
def population(file: File) -> Population:
    """Read a corpus into memory; at most `MOST_UNITS` of its units, drawn from a seed."""
    rows = list(records(file.name))
    names = [_group(row, file.fields) if file.fields else str(place) for place, row in enumerate(rows)]
    different = sorted(set(names))
    if len(different) > MOST_UNITS:
        kept = {different[i] for i in np.random.default_rng(0).permutation(len(different))[:MOST_UNITS]}
        rows, names = zip(*((row, name) for row, name in zip(rows, names) if name in kept))
    batch = Batch.of([row["text"] for row in rows], groups=list(names) if file.fields else None)
    pool = Pool(Rows(batch, CONFIG))
    return Population(file, pool, Units.of(pool, np.arange(len(pool)), WORDS))


def _group(row: dict[str, Any], fields: Iterable[str]) -> str:
    return "/".join(str(row[field]) for field in fields)


def requests_of(specs: Sequence[str]) -> Sequence[Request]:
    """Return the metrics of specs, each with its view."""
    requests = parse_metrics(specs)
    return Plan.of(requests, Views.of(requests)).requests


def subcorpus(place: int, pool: Pool, rows: Integers) -> Subcorpus:
    """Return rows of a pool as a corpus without a description."""
    return Subcorpus(str(place), pool, rows, Summaries())


def no_correction(error: float, _: int) -> float:
    """Return the standard error as it is."""
    return error


# Coverage


def specs_at(units: Population, size: int) -> list[str]:
    """Return specs at half of the mean number of tokens of a sample."""
    at = round(units.tokens * size / 2)
    return [f"{spec},at={at},unit={'group' if units.file.fields else 'text'}" for spec in SIZED]


def trials_of(metric: Metric, units: Population, size: int, simulation: Simulation) -> int:
    """Return the number of trials of a cell: fewer if it would take more than a minute."""
    many_tokens = metric.metric_name() == "self_bleu" and units.tokens * size > MANY_TOKENS
    many_texts = metric.metric_name() == "vendi" and units.texts * size > MANY_TEXTS
    return simulation.fewer() if many_tokens or many_texts else simulation.trials


def covering(scores: Sequence[Score], errors: Sequence[float] = ()) -> tuple[float, int, float]:
    """Return the share of intervals that hold the mean of the values, and more on them.

    Also return the number of scores without an interval, and the ratio of the root mean square of the
    standard errors to the deviation of the values (NaN without errors).
    """
    values = np.array([score.value for score in scores])
    low, high = (np.array([bound(score) for score in scores]) for bound in (_low, _high))
    target = float(values[~np.isnan(values)].mean())
    held = (low <= target) & (target <= high)
    squares = np.square(np.array(errors))
    deviation = float(np.nanstd(values, ddof=1))
    ratio = float(np.sqrt(np.nanmean(squares))) / deviation if len(squares) and deviation else math.nan
    return float(held.mean()), int(np.isnan(low).sum()), ratio


def _low(score: Score) -> float:
    return math.nan if score.low is None else score.low


def _high(score: Score) -> float:
    return math.nan if score.high is None else score.high


def coverage_of(units: Population, size: int, simulation: Simulation) -> list[Rate]:
    """Return the coverage of the intervals of samples of one size, one rate per metric."""
    specs = [*COVERED, *specs_at(units, size), *BLOCKS]
    titles = [*COVERED, *(f"{spec}, at half" for spec in SIZED), *BLOCKS]
    metrics = [request.metric for request in requests_of(specs)]
    trials = [trials_of(metric, units, size, simulation) for metric in metrics]
    names = ("coverage", units.file.title, size)
    estimates = estimates_of(units, size, metrics, trials, simulation.stream(*names))
    row = f"{units.file.title} | {len(units.units):,} | {size}"
    rates = []
    for metric, title, of_metric in zip(metrics, titles, estimates):
        limits = CLOSED_LIMITS if metric.metric_name() in CLOSED else OTHER_LIMITS
        if size < JUDGED or len(of_metric) < FEWEST:
            limits = (0.0, 1.0)
        rate = coverage_rate(row, title, of_metric, metric, limits)
        if rate.outside:
            draw = simulation.stream(*names, "again", title)
            (again,) = estimates_of(units, size, [metric], [AGAIN * len(of_metric)], draw)
            rate = replace(coverage_rate(row, title, again, metric, limits), first=rate.rate)
        rates.append(rate)
    return rates


def estimates_of(
    units: Population,
    size: int,
    metrics: Sequence[Metric],
    trials: Sequence[int],
    draw: np.random.Generator,
) -> list[list[Estimate]]:
    """Return the estimates of metrics on samples of one size, given the number of samples of each metric."""
    estimates: list[list[Estimate]] = [[] for _ in metrics]
    for trial in range(max(trials)):
        (rows,) = units.samples([size], draw)
        estimators: dict[Any, Estimator] = {}
        for place, metric in enumerate(metrics):
            if trial >= trials[place]:
                continue
            view = identifying_view(metric)
            if view not in estimators:
                estimators[view] = Estimator.of_all(
                    units.pool, Units.of(units.pool, rows, view), no_correction
                )
            estimates[place].append(estimators[view].estimate(metric))
    return estimates


def coverage_rate(
    row: str, title: str, estimates: Sequence[Estimate], metric: Metric, limits: tuple[float, float]
) -> Rate:
    """Return the coverage of the intervals of estimates."""
    scores = [estimate.with_interval(metric.bounds) for estimate in estimates]
    rate, undefined, ratio = covering(scores, [estimate.error for estimate in estimates])
    return Rate("coverage", row, title, rate, len(scores), *limits, undefined, ratio)


def coverage(simulation: Simulation) -> list[Rate]:
    """Return the coverage of the intervals of samples of all corpora and sizes."""
    rates: list[Rate] = []
    for file in QUICK if simulation.quick else ALL:
        units = population(file)
        largest = len(units.units) // SHARE
        sizes = [size for size in SIZES if size <= largest]
        if largest < JUDGED:
            sizes.append(largest)
        for size in sizes:
            rates += progress(coverage_of(units, size, simulation))
    return rates


def distance_coverage(simulation: Simulation) -> list[Rate]:
    """Return the coverage of the intervals of a distance between samples of two corpora."""
    spec, size, trials = "jensen_shannon", 300, simulation.trials
    rates: list[Rate] = []
    for files in DISTANCES[: 1 if simulation.quick else None]:
        sides = [population(file) for file in files]
        pool = Pool(Rows.join([side.pool.rows for side in sides]))
        requests = requests_of([spec])
        draw = simulation.stream("distance", *(file.title for file in files))
        scores = []
        for _ in range(trials):
            first, second = (side.samples([size], draw)[0] for side in sides)
            contrast = Contrast(
                subcorpus(0, pool, first),
                subcorpus(1, pool, second + len(sides[0].pool)),
                Resampling(interval=True),
                CONFIG,
                WORDS,
            )
            scores += contrast.scores(requests)
        rate, undefined, _ = covering(scores)
        least, most = OTHER_LIMITS if trials >= FEWEST else (0.0, 1.0)
        row = f"{files[0].title.split(',')[0]}, {files[1].title.split(',')[0]} | {size} + {size}"
        rates += progress([Rate("distance", row, spec, rate, trials, least, most, undefined)])
    return rates


# False claims


@dataclass(frozen=True)
class Claims:
    """The p-values of single comparisons, and whether a table claims any difference.

    Attributes
    ----------
    single
        One array of p-values per metric, of comparisons that share no sample.
    any_claim
        Whether any difference of the table is called more than noise, after correction.
    """

    single: Sequence[Reals]
    any_claim: bool


def claims_of(
    corpora: Sequence[Subcorpus],
    requests: Sequence[Request],
    pairs: Sequence[tuple[int, int]],
    plain: Sequence[str] = (),
) -> Claims:
    """Compare corpora in one table; `plain` are metrics to compare also as they are, not at one size."""
    resampling = Resampling(interval=bool(plain))
    columns = Scoped(corpora, "pooled", resampling, CONFIG).measure(requests)
    comparing = Comparing(corpora, "pooled", resampling, CONFIG)
    tested = [column for column in columns if column.tested]
    if len(tested) != len(requests):
        raise RuntimeError(f"{len(requests)} metrics, but {len(tested)} are compared")
    claimed = any(comparison.noise is False for comparison in comparing.compare(columns))
    as_they_are = [column for column in columns if column.request.spec in plain]
    return Claims([single_p(comparing, column, pairs) for column in (*tested, *as_they_are)], claimed)


def single_p(comparing: Comparing, column: Column, pairs: Sequence[tuple[int, int]]) -> Reals:
    """Return the p-values of pairs of corpora, without correction."""
    return np.array([test.p for test in comparing._by_leaving_out(column, pairs).values()])


def claim_rates(table: str, row: str, titles: Sequence[str], claims: Sequence[Claims]) -> list[Rate]:
    """Return the share of false claims per metric, and the share of tables with any."""
    rates = []
    for title, p_values in zip(titles, zip(*(each.single for each in claims))):
        p = np.concatenate(p_values)
        share, undefined = float((p < SIGNIFICANT).mean()), int(np.isnan(p).sum())
        rates.append(Rate(table, row, title, share, len(claims), 0.0, most_claims(len(p)), undefined))
    claimed = float(np.mean([each.any_claim for each in claims]))
    return [*rates, Rate(table, row, "any in a table", claimed, len(claims), 0.0, most_claims(len(claims)))]


def most_claims(trials: int) -> float:
    """Return 5 % and 3 standard errors of a share, given the number of trials."""
    return SIGNIFICANT + 3 * math.sqrt(SIGNIFICANT * (1 - SIGNIFICANT) / trials)


def false_claims(simulation: Simulation) -> list[Rate]:
    """Return the share of false claims between disjoint samples of one corpus."""
    rates: list[Rate] = []
    requests = requests_of(COMPARED)
    for file in QUICK if simulation.quick else FALSE:
        units = population(file)
        for count, times, share in DESIGNS:
            if file == PERSONA and count > 2:
                continue  # a table takes up to 2.5 s
            small = min(100, len(units.units) // (times + count - 1))
            sizes = [times * small] + [small] * (count - 1)
            # Pairs of neighbours share no sample; if one sample is larger, only it is compared.
            pairs = [(place, place + 1) for place in range(0, count - 1 if times == 1 else 1, 2)]
            row = f"{file.title} | {_design(sizes)}"
            draw = simulation.stream("claims", row)
            trials = simulation.fewer(share * FALSE[file])
            claims = [claims_of(units.corpora(sizes, draw), requests, pairs) for _ in range(trials)]
            rates += progress(claim_rates("claims", row, COMPARED, claims))
    return rates


def _design(sizes: Sequence[int]) -> str:
    """Return the sizes of samples in short."""
    if sizes[0] == sizes[1]:
        return f"{len(sizes)} × {sizes[0]}"
    return f"{sizes[0]} : {sizes[1]}" + f" × {len(sizes) - 1}" * (len(sizes) > 2)


def paired_claims(simulation: Simulation) -> list[Rate]:
    """Return the share of false claims between two systems whose answers are exchanged at random."""
    rates: list[Rate] = []
    pool = population(PROMPTS).pool
    records_of = list(records(PROMPTS.name))
    labels, prompts = (np.array([row[name] for row in records_of]) for name in ("label", "prompt_id"))
    requests = requests_of([*COMPARED, MEAN])
    for first, second, counts in PAIRED[: 1 if simulation.quick else None]:
        answers = np.stack([_answers(labels, prompts, system) for system in (first, second)])
        for count, missing in [(number, part) for number in counts for part in (0, number // 5)]:
            row = f"{first}, {second} | {count}" + f", {missing} missing" * (missing > 0)
            draw = simulation.stream("paired", row)
            plain = () if missing else CLOSED_COMPARED
            claims = []
            for _ in range(simulation.fewer(counts[count])):
                sides = _exchanged(answers[:, draw.permutation(answers.shape[1])[:count]], draw)
                corpora = [subcorpus(0, pool, sides[0]), subcorpus(1, pool, sides[1, missing:])]
                claims.append(claims_of(corpora, requests, [(0, 1)], plain))
            titles = [*COMPARED, MEAN, *(f"{spec}, as it is" for spec in plain)]
            rates += progress(claim_rates("paired", row, titles, claims))
    return rates


def _answers(labels: Any, prompts: Any, system: str) -> Integers:
    """Return the rows of the answers of a system, in the order of the prompts."""
    rows = np.flatnonzero(labels == system)
    return np.asarray(rows[np.argsort(prompts[rows], kind="stable")])


def _exchanged(answers: Integers, draw: np.random.Generator) -> Integers:
    """Return the answers of two systems (rows) to prompts (columns), exchanged in half of the columns."""
    swapped = draw.random(answers.shape[1]) < 0.5
    return np.where(swapped, answers[::-1], answers)


# Tables


def progress(rates: list[Rate]) -> list[Rate]:
    """Print rates as they become known."""
    cells = ", ".join(f"{rate.column} {rate.shown(rates[0].trials)}" for rate in rates)
    print(f"{time.process_time():.0f} s: {rates[0].row}: {cells}", file=sys.stderr, flush=True)
    return rates


def table(rates: Sequence[Rate], heads: str) -> list[str]:
    """Return a table with one line per row; cells with fewer trials than the rest of the row say so."""
    columns = list(dict.fromkeys(rate.column for rate in rates))
    heading = [*heads.split(" | "), *map(_title, columns)]
    lines = [f"| {' | '.join(heading)} |", "|---|" + "---:|" * (len(heading) - 1)]
    by_row: dict[str, dict[str, Rate]] = {}
    for rate in rates:
        by_row.setdefault(rate.row, {})[rate.column] = rate
    for row, cells in by_row.items():
        usual = statistics.mode(rate.trials for rate in cells.values())
        shown = [cells[column].shown(usual) if column in cells else "" for column in columns]
        lines.append(f"| {row} | {usual:,} | {' | '.join(shown)} |")
    return lines


def _title(column: str) -> str:
    """Return the title of a column, its spec as code."""
    spec, comma, words = column.partition(", ")
    return column if " " in spec else f"`{spec}`{comma}{words}"


def report(simulation: Simulation) -> tuple[list[str], list[Rate]]:
    """Return the lines of all tables, and the rates."""
    covered, distances = coverage(simulation), distance_coverage(simulation)
    claims, paired = false_claims(simulation), paired_claims(simulation)
    rates = [*covered, *distances, *claims, *paired]
    outside = sum(rate.outside for rate in rates)
    judged = sum((rate.least, rate.most) != (0.0, 1.0) for rate in rates)
    return [
        "**Intervals that hold the expected value, in %**",
        "",
        *table(covered, "corpus | units | sample | trials"),
        "",
        "**Intervals of a distance, in %**",
        "",
        *table(distances, "corpora | texts | trials"),
        "",
        "**False claims between samples of one corpus, in %**",
        "",
        *table(claims, "corpus | samples | tables"),
        "",
        "**False claims between two systems on the same prompts, in %**",
        "",
        *table(paired, "systems | prompts | tables"),
        "",
        f"{outside} of {judged} judged cells are outside of their limits (**✗**).",
    ], rates


def main() -> None:
    """Simulate, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.uncertainty")
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="10 trials of a few corpora")
    parser.add_argument("--out", type=Path, help="write the rates to this JSON file")
    arguments = parser.parse_args()
    began = time.perf_counter()
    trials = 10 if arguments.quick else arguments.trials
    with threadpool_limits(1):
        lines, rates = report(Simulation(trials, arguments.seed, arguments.quick))
    wall, processor = time.perf_counter() - began, time.process_time()
    print(*lines, "", sep="\n")
    print(f"{wall:,.0f} s of wall time, {processor:,.0f} s of processor time.")
    if arguments.out is not None:
        arguments.out.write_text(json.dumps([asdict(rate) for rate in rates], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
