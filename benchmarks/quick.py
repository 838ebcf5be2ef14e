"""A few rows in three minutes, each a ratio to a peer or yardstick, compared with the committed ones.

A row is slower if the highest of its ratios (peer's processor seconds divided by ours, per turn) is more than
10 % below the lowest committed ratio: the spreads of both runs, and 10 %, are allowed.
"""

from __future__ import annotations

import csv
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.turns import Row, number_of

COMMITTED = Path(__file__).parent / "quick.csv"
# The share of a ratio that may be lost beyond the spread of both runs.
MARGIN = 0.1


@dataclass(frozen=True)
class Ratio:
    """The median ratio of processor seconds of a row, and the lowest and highest of its turns."""

    row: str
    beside: str
    ratio: float
    lowest: float
    highest: float

    @classmethod
    def of(cls, row: Row) -> Ratio:
        """Return the ratio of a row."""
        ratios = row.ratios("processor")
        return cls(row.what, row.beside, statistics.median(ratios), min(ratios), max(ratios))

    def is_below(self, committed: Ratio) -> bool:
        """Return whether even the highest ratio is more than the margin below the lowest committed one."""
        return self.highest < (1 - MARGIN) * committed.lowest

    def __str__(self) -> str:
        return f"{number_of(self.ratio)}× ({number_of(self.lowest)}–{number_of(self.highest)})"


def rows() -> Iterator[Row | str]:
    """Yield rows of all kinds, from the sections of the full run at smaller sizes."""
    from benchmarks import (
        counting,
        distances,
        jobs,
        keyness,
        per_text,
        repetition,
        richness,
        small,
        startup,
        trials,
        vectors,
    )

    for index, row in enumerate(startup.rows()):
        if index != 1:
            yield row
    yield from map(small.row, (1, 64, 2000))
    yield small.row(512, None)
    yield counting.row(10, "polars")
    yield richness.from_a_string(list(richness.METRICS), richness.text_of(20_000))
    yield per_text.row(300, "short")
    yield from islice(repetition.self_bleu(2000, 2), 1)
    yield repetition.homogenization(300, 1000)
    yield repetition.self_repetition(2000)
    yield vectors.vendi(1000)
    yield vectors.answers(100)
    pair = distances.Pair(1000)
    yield pair.row(["pr", "dc"], "prdc, called twice", partial(distances.prdc, times=2), needs="prdc")
    yield pair.row("mauve:seeds=1", "mauve-text", distances.mauve, needs="mauve")
    yield pair.row("energy", distances.IBM, distances.ibm.energy, needs="sklearn")
    yield pair.of_tokens("chi")
    yield trials.Trial((5,), 1).row("frechet", "irpr", "zipf")
    yield keyness.row(1)
    yield jobs.with_intervals()


def save(ratios: Sequence[Ratio], path: Path = COMMITTED) -> None:
    """Write ratios to a file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, Ratio.__dataclass_fields__, lineterminator="\n")
        writer.writeheader()
        for ratio in ratios:
            numbers = {name: f"{getattr(ratio, name):.4g}" for name in ("ratio", "lowest", "highest")}
            writer.writerow(asdict(ratio) | numbers)


def read(path: Path = COMMITTED) -> list[Ratio]:
    """Read ratios from a file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Ratio(
                line["row"], line["beside"], *(float(line[name]) for name in ("ratio", "lowest", "highest"))
            )
            for line in csv.DictReader(file)
        ]


def compared(now: Sequence[Ratio], committed: Sequence[Ratio]) -> tuple[list[str], bool]:
    """Return the lines of a table of both, with the decision, and whether no row is slower."""
    before = {(ratio.row, ratio.beside): ratio for ratio in committed}
    lines = ["| row | beside | committed ratio | ratio now | change | |", "|---|---|---:|---:|---:|---|"]
    slower = []
    for ratio in now:
        earlier = before.pop((ratio.row, ratio.beside), None)
        cells = ["", str(ratio), "", "new"]
        if earlier is not None:
            is_slower = ratio.is_below(earlier)
            slower += [ratio.row] * is_slower
            cells = [
                str(earlier),
                str(ratio),
                f"{ratio.ratio / earlier.ratio - 1:+.0%}",
                "**slower**" * is_slower,
            ]
        lines.append(f"| {ratio.row} | {ratio.beside} | {' | '.join(cells)} |")
    lines += [f"| {ratio.row} | {ratio.beside} | {ratio} | | | not measured |" for ratio in before.values()]
    rule = (
        f"A row is slower if its highest ratio of processor seconds is more than {MARGIN:.0%} below the "
        "lowest committed one."
    )
    decision = f"Slower: {'; '.join(slower)}." if slower else "No row is slower."
    return [*lines, "", f"{rule} {decision}"], not slower
