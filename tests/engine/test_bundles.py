"""Bundles of small inputs, many partitions, and what a file of states costs to open."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

import distinctly as dy
from distinctly.batch import Batch
from distinctly.config import Step
from distinctly.engine import parts, state_file
from distinctly.engine.state_file import ReadAhead, StateFile, StoredTable, write_state
from distinctly.engine.states import CollectedStates, Folded
from distinctly.engine.storage import Folder, Stored, StoredHere
from distinctly.sources.base import Partition
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.tables import PARTITIONS, PackedTable, Totals

METRICS = ["distinct", "entropy", "ead", "self_bleu"]


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Twelve files of about 300 bytes, of words that recur in other files."""
    folder = tmp_path / "texts"
    folder.mkdir()
    paths = [folder / f"{number:02}.txt" for number in range(12)]
    for number, path in enumerate(paths):
        rows = [f"w{(number * 7 + i) % 11} w{i * number % 5} w{i % 3} end" for i in range(20)]
        path.write_text("\n".join(rows) + "\n")
    return paths


def measured(files: list[Path], folder: Path, threads: int = 1) -> tuple[list[float], list[str]]:
    """Return the values, and what was reported, of a run through files of states."""
    steps: list[Step] = []
    scores = dy.measure(
        files, METRICS, checkpoint=str(folder), progress=steps.append, tokenizer="words", threads=threads
    )
    return [score.value for score in scores], [f"{step.what}: {step.detail}" for step in steps]


def plain(files: list[Path]) -> list[float]:
    return [score.value for score in dy.measure(files, METRICS, tokenizer="words")]


def test_small_files_are_bundled(files: list[Path], tmp_path: Path) -> None:
    values, reports = measured(files, tmp_path / "states")
    assert values == plain(files)
    assert any("1 of 1 partitions" in report for report in reports)


def test_bundles_are_filled_in_order() -> None:
    class Sized(Partition):
        def __init__(self, size: int | None) -> None:
            self.name = self.title = "sized"
            self.size = size

        def batches(self, rows: int | None = None) -> Iterator[Batch]:
            return iter(())

    sizes = [3, 5, 2, 1, None, 4, 20, 1]
    bundles = parts.bundled([Sized(size) for size in sizes], 10)
    # 3+5+2 fill 10; 1 begins the next, which the unknown size closes; 4 begins another; 20 is alone, then 1
    assert [bundle.size for bundle in bundles] == [10, 1, None, 4, 20, 1]


def test_a_changed_file_of_a_bundle_is_read_again(files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "states"
    before = parts.Job((), (), dy.RunConfig(), Folder(str(folder)))
    names = []
    for _ in range(2):
        bundle = parts.Bundle(dy.Corpus.read(files).partitions())
        names.append(parts.identity(bundle, before))
        files[5].write_text("another text of other words\n")
        os.utime(files[5], (1, 1))
    assert names[0] != names[1]


@pytest.mark.parametrize("threads", [1, 2])
def test_many_files_are_merged_in_groups(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    monkeypatch.setattr(parts, "FAN_IN", 5)
    monkeypatch.setattr(parts, "AHEAD", 64)
    monkeypatch.setattr(parts, "RANGE_BYTES", 300_000)
    monkeypatch.setattr(parts, "bundled", lambda partitions, size: list(partitions))
    folder = tmp_path / "states"
    values, reports = measured(files, folder, threads=threads)
    assert any("12 of 12 partitions" in report for report in reports)
    assert values == plain(files)
    assert list(folder.iterdir()) == []


def test_large_partitions_are_counted_in_turns(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distinctly.statistics import tables

    monkeypatch.setattr(tables, "LARGEST_TURN", 1)
    monkeypatch.setattr(parts, "bundled", lambda partitions, size: list(partitions))
    assert measured(files, tmp_path / "states")[0] == plain(files)


class Watched(Stored):
    """A file that counts its reads."""

    def __init__(self, path: Path) -> None:
        self._stored = StoredHere(path)
        self.name = "watched"
        self.reads = 0

    def exists(self) -> bool:
        return True

    def size(self) -> int:
        return self._stored.size()

    def read(self, start: int, length: int) -> bytes:
        self.reads += 1
        return self._stored.read(start, length)

    def writing(self) -> contextlib.AbstractContextManager[BinaryIO]:
        return self._stored.writing()

    def check_target(self) -> None:
        self._stored.check_target()

    def remove(self) -> None:
        self._stored.remove()


def stored_counts(path: Path, keys: int) -> tuple[NgramCounts, PackedTable, Watched]:
    """Write a table of random keys, and return it with its file."""
    statistic = NgramCounts(n=1)
    draw = np.random.default_rng(0)
    hashes = np.unique(draw.integers(0, 2**64, keys, np.uint64))
    counts = draw.integers(1, 600, len(hashes)).astype(np.uint64)
    table = PackedTable.of(hashes, counts, Totals(int(counts.sum()), 1, 1, 0))
    stream = io.BytesIO()
    write_state(stream, CollectedStates({statistic: table}, Folded()), {})
    path.write_bytes(stream.getvalue())
    return statistic, table, Watched(path)


def test_a_file_is_opened_in_two_reads(tmp_path: Path) -> None:
    statistic, _, stored = stored_counts(tmp_path / "state", 50_000)
    assert stored.size() > state_file.END
    StateFile(stored).collected([statistic])
    assert stored.reads == 2  # its beginning, and its end with the places of all partitions


def test_reading_ahead_and_ranges_give_the_same_entries(tmp_path: Path) -> None:
    statistic, table, stored = stored_counts(tmp_path / "state", 5_000)
    opened = StateFile(stored).collected([statistic]).tables[statistic]
    assert isinstance(opened, StoredTable)
    before = stored.reads
    ahead = ReadAhead(opened, 4_000)
    for p in range(PARTITIONS):
        expected = [(hashes.tolist(), counts.tolist()) for hashes, counts in table.entries(p)]
        assert [(h.tolist(), c.tolist()) for h, c in ahead.entries(p)] == expected
        within = opened.within(range(p, min(p + 2, PARTITIONS)))
        assert len(within.lengths) <= 2
        assert [(h.tolist(), c.tolist()) for h, c in within.entries(p)] == expected
    # 5,000 entries of about 9 + 8·0.57 bytes in pieces of at most 4,000 bytes, beside one read per partition
    blocks = stored.reads - before - np.count_nonzero(opened.lengths)
    assert 12 <= blocks <= 25
