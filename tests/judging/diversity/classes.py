"""Texts of known classes, for fast trials."""

from __future__ import annotations

SMALL = {"n": 12, "k": 4, "corpora": 3, "repetitions": 2}


def labelled(classes: int = 8, each: int = 60) -> tuple[list[str], list[str]]:
    """Return texts that are all different, each with the word of its class, and the classes."""
    texts = [f"class{label} text{label}x{place}" for label in range(classes) for place in range(each)]
    return texts, [text.split()[0] for text in texts]


def noisy(texts: list[str]) -> float:
    """Return a number that depends on the texts, but not on their classes."""
    return sum(int(text.rpartition("x")[2]) for text in texts)
