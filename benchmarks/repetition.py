"""Metrics of repetition beside peers.

Peers that take hours are timed on a part of the work, and the time is scaled; the row says so. The rows by
the number of texts are commands; all others are calls on texts in memory.
"""

from __future__ import annotations

import math
import random
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

import distinctly as dy
from benchmarks.text import folder, generated_text
from benchmarks.turns import Row, distinctly, in_turns, sized

SIZES = (10_000, 100_000, 1_000_000)
TOKENS = 10


def sentences(number: int) -> list[str]:
    """Return sentences of 2 to 23 words."""
    return generated_text(5).read_text(encoding="ascii").splitlines()[:number]


def value(spec: str, texts: list[str]) -> float:
    """Return our value of texts."""
    return dy.measure(texts, spec, tokenizer="whitespace")[0].value


def self_bleu(number: int, hypotheses: int) -> Iterator[Row | str]:
    """Yield Self-BLEU beside NLTK's loop over some of the texts, and beside fast-bleu."""
    texts = sentences(number)
    tokens = [text.split() for text in texts]
    selected = random.Random(0).sample(range(len(tokens)), hypotheses)

    def nltk() -> None:
        from nltk.translate.bleu_score import sentence_bleu

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for i in selected:
                sentence_bleu(tokens[:i] + tokens[i + 1 :], tokens[i])

    def fast_bleu() -> None:
        from fast_bleu import SelfBLEU

        SelfBLEU(tokens, {"4": (0.25,) * 4}).get_score()

    what, ours = f"Self-BLEU of {number:,} texts", partial(value, "self_bleu", texts)
    beside = f"NLTK, {hypotheses} hypotheses scaled"
    yield in_turns(what, ours, beside, nltk, needs="nltk", scale=number / hypotheses)
    yield in_turns(what, ours, "fast-bleu", fast_bleu, needs="fast_bleu")


def homogenization(number: int, pairs: int) -> Row | str:
    """Time ROUGE-L of all pairs beside rouge-score on some of them."""
    texts = sentences(number)
    every = list(combinations(texts, 2))
    selected = random.Random(0).sample(every, pairs)

    def rouge_score() -> None:
        from rouge_score import rouge_scorer, tokenizers

        class Split(tokenizers.Tokenizer):
            def tokenize(self, text: str) -> list[str]:
                return text.split()

        scorer = rouge_scorer.RougeScorer(["rougeL"], tokenizer=Split())
        for pair in selected:
            scorer.score(*pair)

    return in_turns(
        f"homogenization of {number:,} texts, all pairs",
        partial(value, "homogenization", texts),
        f"rouge-score, {pairs:,} pairs scaled",
        rouge_score,
        needs="rouge_score",
        scale=len(every) / pairs,
    )


def self_repetition(number: int) -> Row | str:
    """Time ours beside the algorithm of `diversity` 0.3, copied, since that package needs 2 GB of others."""
    texts = sentences(number)

    def diversity() -> float:
        grams = [
            list({" ".join(gram) for gram in zip(*(text.split()[k:] for k in range(4)))}) for text in texts
        ]
        all_grams: list[str] = sum(grams, [])  # noqa: RUF017 - as in the package, in quadratic time
        counts = Counter(all_grams)
        return sum(
            math.log(sum(counts[gram] for gram in of_text) - len(of_text) + 1) for of_text in grams
        ) / len(texts)

    return in_turns(
        f"self_repetition of {number:,} texts",
        partial(value, "self_repetition:preset=salkar2022", texts),
        "algorithm of `diversity` 0.3",
        diversity,
        same=partial(math.isclose, rel_tol=1e-9),
    )


def equally_long(number: int) -> Path:
    """Return a file of texts of ten tokens each."""
    path = folder() / f"ten-{number}.txt"
    words = generated_text(number * TOKENS * 6.2 / 1e6).read_text(encoding="ascii").split()
    starts = range(0, number * TOKENS, TOKENS)
    path.write_text("".join(" ".join(words[i : i + TOKENS]) + "\n" for i in starts), encoding="ascii")
    return path


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    yield from self_bleu(sized(5000), 6)
    yield homogenization(sized(1000, 100), sized(4500))
    yield self_repetition(sized(50_000))


def by_size() -> Iterator[Row | str]:
    """Yield Self-BLEU by the number of texts, one process each."""
    for number in map(sized, SIZES):
        path = equally_long(number)
        command = distinctly("measure", path, "--tokenizer", "whitespace", "--score-only", "-m", "self_bleu")
        yield in_turns(f"Self-BLEU of {number:,} texts of {TOKENS} tokens", command)
