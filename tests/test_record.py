"""Numbers and signatures of the demo texts are those of the stored record.

Where a number is meant to change, write the record again:

    python -m scripts.record run tests/golden/record.json --only demo/ --numbers-only
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scripts.record.cases import demo_cases
from scripts.record.differences import bare, differences
from scripts.record.interface import Entries, Entry
from scripts.record.running import run_case

PATH = Path(__file__).parent / "golden" / "record.json"
STORED: Entries = json.loads(PATH.read_text(encoding="utf-8"))
CASES = demo_cases()
# Sums of products and eigenvalues, whose last digits depend on the BLAS library.
BLAS_TOLERANCE = 1e-9
THROUGH_BLAS = (
    *("chamfer", "dcscore", "dispersion", "magnitude", "similarity_hill", "vendi"),
    *("rarefied", "zipf", "ttr_difference"),
)


def tolerance(entry: Entry) -> float:
    # Standard errors and values at a size are sums over n-grams, weighted by probabilities.
    metric, signature = entry.get("metric", "").partition(":")[0], entry.get("signature", "")
    weighted = "low" in entry or "p" in entry or "|emb:" in signature or "|at:" in signature
    return BLAS_TOLERANCE if weighted or metric in THROUGH_BLAS else 0.0


@pytest.mark.parametrize("case", CASES)
def test_gives_the_stored_numbers_and_signatures(case: str) -> None:
    stored = {name: entry for name, entry in STORED.items() if name.startswith(f"{case} | ")}
    result = differences(stored, bare(run_case(case, CASES[case])), tolerance)
    assert [result.numbers, result.signatures, result.missing, result.new] == [[], [], [], []]


def test_every_stored_case_is_run() -> None:
    assert {name.partition(" | ")[0] for name in STORED} == set(CASES)
