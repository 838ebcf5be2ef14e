"""Repetition across texts against the peers: `python -m benchmarks.repetition` (some minutes).

Peers that take hours are timed on a part of the work and scaled, and the line says so. Times are wall
times of one process each for the scaling of Self-BLEU (start-up, reading and cutting included), and of
the call alone, on texts in memory, elsewhere.
"""

from __future__ import annotations

import importlib.util
import math
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import distinctly as dy
from benchmarks.text import write_text

SIZES = (10_000, 100_000, 1_000_000)
TOKENS = 10
MEASURE = [sys.executable, "-m", "distinctly", "measure", "--tokenizer", "whitespace", "--score-only"]


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return how long the fastest of some calls takes."""
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def peak_of(command: list[str]) -> tuple[float, float]:
    """Run a command; return its wall time and its peak memory in GB."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command} ended with status {status}")
    return time.perf_counter() - began, usage.ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)


def sentences(folder: Path, many: int) -> list[str]:
    """Return sentences of 2 to 23 words."""
    path = folder / "sentences.txt"
    if not path.exists():
        write_text(path, 5)
    return path.read_text(encoding="ascii").splitlines()[:many]


def write_equally_long(folder: Path) -> None:
    """Write files of texts of ten tokens each."""
    whole = folder / "whole.txt"
    write_text(whole, 62)
    words = whole.read_text(encoding="ascii").split()
    if len(words) < SIZES[-1] * TOKENS:
        raise RuntimeError(f"{len(words)} words are too few")
    for many in SIZES:
        starts = range(0, many * TOKENS, TOKENS)
        (folder / f"{many}.txt").write_text(
            "".join(" ".join(words[i : i + TOKENS]) + "\n" for i in starts), encoding="ascii"
        )


def self_bleu(texts: list[str]) -> list[str]:
    """Compare with NLTK's loop over all texts, and with fast-bleu where it can be imported."""
    from nltk.translate.bleu_score import sentence_bleu

    ours = seconds(lambda: dy.measure(texts, "self_bleu", tokenizer="whitespace"), 3)
    cut = [text.split() for text in texts]
    some = random.Random(0).sample(range(len(cut)), 6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = seconds(lambda: [sentence_bleu(cut[:i] + cut[i + 1 :], cut[i]) for i in some])
    theirs *= len(cut) / len(some)
    what = f"Self-BLEU of {len(texts):,} texts"
    peer = f"NLTK, {len(some)} hypotheses scaled"
    lines = [f"| {what} | {peer} | {ours:.3f} | {theirs:,.0f} | {theirs / ours:,.0f}× |"]
    if importlib.util.find_spec("fast_bleu"):
        from fast_bleu import SelfBLEU

        weights = {"4": (0.25,) * 4}
        theirs = seconds(lambda: SelfBLEU(cut, weights).get_score())
        lines.append(f"| {what} | fast-bleu | {ours:.3f} | {theirs:,.1f} | {theirs / ours:,.0f}× |")
    return lines


def homogenization(texts: list[str]) -> list[str]:
    """Compare with rouge-score on pairs."""
    from rouge_score import rouge_scorer, tokenizers

    class Split(tokenizers.Tokenizer):
        def tokenize(self, text: str) -> list[str]:
            return text.split()

    dy.measure(texts[:2], "homogenization")
    ours = seconds(lambda: dy.measure(texts, "homogenization", tokenizer="whitespace"), 3)
    scorer = rouge_scorer.RougeScorer(["rougeL"], tokenizer=Split())
    everything = list(combinations(texts, 2))
    some = random.Random(0).sample(everything, 5000)
    theirs = seconds(lambda: [scorer.score(a, b)["rougeL"].fmeasure for a, b in some])
    theirs *= len(everything) / len(some)
    return [
        f"| homogenization of {len(texts):,} texts, all pairs | rouge-score, {len(some):,} pairs scaled "
        f"| {ours:.3f} | {theirs:,.0f} | {theirs / ours:,.0f}× |"
    ]


def self_repetition(texts: list[str]) -> list[str]:
    """Compare with the algorithm of the package `diversity` 0.3, copied: it brings 2 GB of others."""

    def theirs_does() -> float:
        grams = [
            list({" ".join(gram) for gram in zip(*(text.split()[k:] for k in range(4)))}) for text in texts
        ]
        everything: list[str] = sum(grams, [])  # noqa: RUF017 - as they do, in quadratic time
        counts = Counter(everything)
        return sum(math.log(sum(counts[g] for g in own) - len(own) + 1) for own in grams) / len(texts)

    spec = "self_repetition:preset=salkar2022"
    ours = seconds(lambda: dy.measure(texts, spec, tokenizer="whitespace"), 3)
    found: list[float] = []
    theirs = seconds(lambda: found.append(theirs_does()))
    if not math.isclose(found[0], dy.measure(texts, spec, tokenizer="whitespace")[0].value, rel_tol=1e-9):
        raise RuntimeError("not the same number")
    return [
        f"| self_repetition of {len(texts):,} texts | algorithm of `diversity` 0.3 "
        f"| {ours:.3f} | {theirs:,.1f} | {theirs / ours:,.0f}× |"
    ]


def scaling(folder: Path) -> list[str]:
    """Measure the time and the memory of Self-BLEU by the number of texts, a process each."""
    lines = [f"| Self-BLEU, texts of {TOKENS} tokens | seconds | peak GB |", "|---|---:|---:|"]
    peak_of([sys.executable, "-m", "benchmarks.repetition", str(folder)])
    command = [*MEASURE, "-m", "self_bleu"]
    peak_of([*command, str(folder / f"{SIZES[-1]}.txt")])  # compiles, once for all
    for many in SIZES:
        wall, peak = peak_of([*command, str(folder / f"{many}.txt")])
        lines.append(f"| {many:,} | {wall:.1f} | {peak:.2f} |")
    return lines


def lines() -> list[str]:
    """Return all tables as markdown."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        grown = scaling(folder)  # first, while this process is small: its memory counts in its children's
        return [
            "| what | peer | ours, seconds | peer, seconds | ours is faster by |\n|---|---|---:|---:|---:|",
            *self_bleu(sentences(folder, 5000)),
            *homogenization(sentences(folder, 1000)),
            *self_repetition(sentences(folder, 50_000)),
            "",
            *grown,
        ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_equally_long(Path(sys.argv[1]))
    else:
        print("\n".join(lines()))
