"""What drives the number: the n-grams and the texts that cost a corpus the most variety, as readable text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from distinctly.diversity.self_bleu import SelfBleu
from distinctly.spec import Request
from distinctly.statistics.derived import TextPool
from distinctly.views.tokens import Tokens

# Tokens of an example before and after what it is an example of.
AROUND = 6
# With smoothing, texts that share no 4-gram with others are still told apart.
OWN_BLEU = SelfBleu(smoothing="epsilon")


def explain(pool: TextPool, requests: Sequence[Request], most: int) -> dict[str, Any]:
    """List n-grams by how often they occur beyond the first time, and texts by their own Self-BLEU."""
    asked = {int(n) for request in requests if (n := getattr(request.metric, "n", None)) is not None}
    # A single word says little; pairs and longer ones show what is said again.
    sizes = sorted(asked - {1}) or [2]
    return {
        "ngrams": [{"n": n, "repeated": _repeated(pool.view, n, most)} for n in sizes],
        "texts": _alike(pool, most),
    }


def _repeated(view: Tokens, n: int, most: int) -> list[dict[str, Any]]:
    grams = view.grams(n)
    _, first, counts = np.unique(grams, return_index=True, return_counts=True)
    # A few more than are shown, so that ties can be put in the order of their text.
    least = np.sort(counts)[-most:][0] if len(counts) else 0
    tied = np.flatnonzero((counts >= least) & (counts > 1))[: 50 * most]
    starts = view.starts(n)
    found = [(-int(counts[place]), view.spell(int(starts[first[place]]), n), place) for place in tied]
    return [
        {
            "text": text,
            "count": -count,
            "beyond_first": -count - 1,
            "example": _in_context(view, int(starts[first[place]]), n),
        }
        for count, text, place in sorted(found)[:most]
    ]


def _in_context(view: Tokens, position: int, n: int) -> str:
    """Return an n-gram with some tokens of its text before and after it."""
    row = int(np.searchsorted(view.bounds, position, "right")) - 1
    start, end = max(position - AROUND, view.bounds[row]), min(position + n + AROUND, view.bounds[row + 1])
    return view.spell(int(start), int(end - start))


def _alike(pool: TextPool, most: int) -> list[dict[str, Any]]:
    if len(pool) < OWN_BLEU.least_texts:
        return []
    values = OWN_BLEU.each_text(pool.whole(OWN_BLEU.columns()))
    # By content where values are equal; the same text many times is shown once.
    order = np.lexsort((pool.view.text_hashes, -values))
    found: dict[str, dict[str, Any]] = {}
    for row in order[: 50 * most].tolist():
        text = pool.view.texts[row]
        if text in found:
            found[text]["times"] += 1
        elif len(found) < most:
            found[text] = {"text": text, "self_bleu": float(values[row]), "times": 1}
    return list(found.values())
