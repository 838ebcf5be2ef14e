"""Spilled runs: what is read is what was put, in whatever way it is kept."""

from __future__ import annotations

import numpy as np
import pytest

from distinctly.engine import spill
from distinctly.engine.spill import InMemory, OnDisk, Packed, SpillFolder


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize(
    ("limit", "small", "kind"), [(10**9, 10**9, Packed), (10**9, 0, InMemory), (0, 10**9, OnDisk)]
)
def test_partitions_are_read_as_they_were_put(monkeypatch, width, limit, small, kind):
    monkeypatch.setattr(spill, "SMALL_RUN", small)
    draw = np.random.default_rng(0)
    runs = []
    for _ in range(2):
        sizes = draw.integers(0, 5, 16)
        shapes = [(size,) if width == 1 else (size, 2) for size in sizes]
        hashes = [draw.integers(0, 2**63, shape, np.uint64) for shape in shapes]
        runs.append([(part, draw.integers(1, 9, len(part), np.uint64)) for part in hashes])
    folder = SpillFolder(limit)
    try:
        kept = [folder.put(run) for run in runs]
        assert all(isinstance(run, kind) for run in kept)
        for run, put in zip(kept, runs):
            for p, (hashes, counts) in enumerate(put):
                assert run.length(p) == len(hashes)
                read_hashes, read_counts = run.read(p)
                assert read_hashes.tolist() == hashes.tolist()
                assert read_counts.tolist() == counts.tolist()
    finally:
        folder.clear()
