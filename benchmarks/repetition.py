"""Time metrics of repetition beside peers: `python -m benchmarks.repetition` (some minutes).

Peers that take hours are timed on a part of the work, and the time is scaled; the line says so. Times by the
number of texts are wall times of one process each (including start-up, reading and tokenizing). All other
times are those of the call alone, on texts in memory.
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
    """Return the seconds of the fastest of several calls."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return min(taken)


def peak_of(command: list[str]) -> tuple[float, float]:
    """Run a command; return its wall time and its peak memory in GB."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{command} ended with status {status}")
    return time.perf_counter() - began, usage.ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)


def sentences(folder: Path, number: int) -> list[str]:
    """Return `number` sentences of 2 to 23 words."""
    path = folder / "sentences.txt"
    if not path.exists():
        write_text(path, 5)
    return path.read_text(encoding="ascii").splitlines()[:number]


def write_equally_long(folder: Path) -> None:
    """Write files of texts of ten tokens each."""
    whole = folder / "whole.txt"
    write_text(whole, 62)
    words = whole.read_text(encoding="ascii").split()
    if len(words) < SIZES[-1] * TOKENS:
        raise RuntimeError(f"expected {SIZES[-1] * TOKENS:,} words, got {len(words):,}")
    for number in SIZES:
        starts = range(0, number * TOKENS, TOKENS)
        (folder / f"{number}.txt").write_text(
            "".join(" ".join(words[i : i + TOKENS]) + "\n" for i in starts), encoding="ascii"
        )


def self_bleu(texts: list[str]) -> list[str]:
    """Compare with NLTK's loop over all texts, and with fast-bleu if it is installed."""
    from nltk.translate.bleu_score import sentence_bleu

    ours = seconds(lambda: dy.measure(texts, "self_bleu", tokenizer="whitespace"), 3)
    tokens = [text.split() for text in texts]
    selected = random.Random(0).sample(range(len(tokens)), 6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = seconds(lambda: [sentence_bleu(tokens[:i] + tokens[i + 1 :], tokens[i]) for i in selected])
    theirs *= len(tokens) / len(selected)
    task = f"Self-BLEU of {len(texts):,} texts"
    peer = f"NLTK, {len(selected)} hypotheses scaled"
    lines = [f"| {task} | {peer} | {ours:.3f} | {theirs:,.0f} | {theirs / ours:,.0f}× |"]
    if importlib.util.find_spec("fast_bleu"):
        from fast_bleu import SelfBLEU

        weights = {"4": (0.25,) * 4}
        theirs = seconds(lambda: SelfBLEU(tokens, weights).get_score())
        lines.append(f"| {task} | fast-bleu | {ours:.3f} | {theirs:,.1f} | {theirs / ours:,.0f}× |")
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
    pairs = list(combinations(texts, 2))
    selected = random.Random(0).sample(pairs, 5000)
    theirs = seconds(lambda: [scorer.score(a, b)["rougeL"].fmeasure for a, b in selected])
    theirs *= len(pairs) / len(selected)
    return [
        f"| homogenization of {len(texts):,} texts, all pairs | rouge-score, {len(selected):,} pairs scaled "
        f"| {ours:.3f} | {theirs:,.0f} | {theirs / ours:,.0f}× |"
    ]


def self_repetition(texts: list[str]) -> list[str]:
    """Compare with the algorithm of `diversity` 0.3, copied, since that package requires 2 GB of others."""

    def peer_value() -> float:
        grams = [
            list({" ".join(gram) for gram in zip(*(text.split()[k:] for k in range(4)))}) for text in texts
        ]
        all_grams: list[str] = sum(grams, [])  # noqa: RUF017 - as in the package, in quadratic time
        counts = Counter(all_grams)
        return sum(math.log(sum(counts[g] for g in of_text) - len(of_text) + 1) for of_text in grams) / len(
            texts
        )

    spec = "self_repetition:preset=salkar2022"
    ours = seconds(lambda: dy.measure(texts, spec, tokenizer="whitespace"), 3)
    values: list[float] = []
    theirs = seconds(lambda: values.append(peer_value()))
    if not math.isclose(values[0], dy.measure(texts, spec, tokenizer="whitespace")[0].value, rel_tol=1e-9):
        raise RuntimeError("the values differ")
    return [
        f"| self_repetition of {len(texts):,} texts | algorithm of `diversity` 0.3 "
        f"| {ours:.3f} | {theirs:,.1f} | {theirs / ours:,.0f}× |"
    ]


def scaling(folder: Path) -> list[str]:
    """Measure the time and the memory of Self-BLEU by the number of texts, one process per size."""
    lines = [f"| Self-BLEU, texts of {TOKENS} tokens | seconds | peak GB |", "|---|---:|---:|"]
    peak_of([sys.executable, "-m", "benchmarks.repetition", str(folder)])
    command = [*MEASURE, "-m", "self_bleu"]
    peak_of([*command, str(folder / f"{SIZES[-1]}.txt")])  # compiles for all others
    for number in SIZES:
        wall, peak = peak_of([*command, str(folder / f"{number}.txt")])
        lines.append(f"| {number:,} | {wall:.1f} | {peak:.2f} |")
    return lines


def lines() -> list[str]:
    """Return the lines of all tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # First, while this process is small: its memory is counted in that of its children.
        by_size = scaling(folder)
        return [
            "| what | peer | ours, seconds | peer, seconds | ours is faster by |\n|---|---|---:|---:|---:|",
            *self_bleu(sentences(folder, 5000)),
            *homogenization(sentences(folder, 1000)),
            *self_repetition(sentences(folder, 50_000)),
            "",
            *by_size,
        ]


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write_equally_long(Path(sys.argv[1]))
    else:
        print("\n".join(lines()))
