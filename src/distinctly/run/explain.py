"""Explanations of a number: n-grams and texts that reduce diversity, or that drive a distance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from distinctly.distance.chi import drivers as token_drivers
from distinctly.distance.mauve import Mauve
from distinctly.diversity.self_bleu import SelfBleu
from distinctly.geometry.balls import Balls, Neighbours
from distinctly.geometry.nearest_across import BothWays, NearestAcross
from distinctly.metrics import Context
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.plan import Plan
from distinctly.statistics.pool import Pool
from distinctly.statistics.token_table import TokenTable
from distinctly.strings import Strings
from distinctly.views.texts import TextView
from distinctly.views.tokens import Tokens
from distinctly.views.vectors import VectorView

# Tokens of an example before and after the n-gram.
AROUND = 6
# With smoothing, texts that share no 4-gram with others still differ in their value.
BLEU_OF_TEXT = SelfBleu(smoothing="epsilon")
# Neighbours per ball, as in `pr` and `dc`.
NEIGHBOURS = 5


def explain_diversity(pool: Pool, plan: Plan, most: int) -> dict[str, Any]:
    """List n-grams by how often they occur beyond the first time, and texts by their Self-BLEU."""
    sizes = {request.metric.ngram_size for request in plan.requests} - {None, 1}
    tokens = pool.view(plan.views.tokens)
    # Only pairs and longer n-grams show what is repeated.
    return {
        "ngrams": [
            {"n": n, "repeated": _repeated(tokens, n, most)} for n in sorted(filter(None, sizes)) or [2]
        ],
        "texts": _most_similar(pool, plan, most),
    }


def explain_distance(reference: Subcorpus, candidate: Subcorpus, plan: Plan, most: int) -> dict[str, Any]:
    """List the tokens, texts and clusters that drive the distances, `most` of each."""
    if not len(reference.rows) or not len(candidate.rows):
        return {}
    pool, tokens = reference.pool, plan.views.tokens
    table = pool.pair_index(TokenTable(view=tokens)).summarize(
        reference.units(tokens).texts, candidate.units(tokens).texts
    )
    drivers: dict[str, Any] = {"tokens": token_drivers(table, most)}
    if plan.views.embedder is None:
        return drivers
    vectors, texts = VectorView(plan.views.embedder), TextView()
    rows = reference.units(texts).texts, candidate.units(texts).texts
    requested = (request.metric for request in plan.requests if isinstance(request.metric, Mauve))
    mauve = next(requested, Mauve(seeds=1).bind(Context(vectors)))
    return {
        **drivers,
        **_texts(pool, rows, vectors, most),
        "clusters": _clusters(pool, rows, mauve, most),
    }


def _repeated(tokens: Tokens, n: int, most: int) -> list[dict[str, Any]]:
    """List the n-grams that occur most often."""
    grams = tokens.grams(n)
    _, first, counts = np.unique(grams, return_index=True, return_counts=True)
    # A few more than are shown, so that ties can be sorted by text.
    least = np.sort(counts)[-most:][0] if len(counts) else 0
    tied = np.flatnonzero((counts >= least) & (counts > 1))[: 50 * most]
    starts = tokens.starts(n)
    ranked = sorted(
        (-int(counts[place]), tokens.spell(int(starts[first[place]]), n), int(starts[first[place]]))
        for place in tied
    )
    return [
        {
            "text": text,
            "count": -count,
            "beyond_first": -count - 1,
            "example": _in_context(tokens, start, n),
        }
        for count, text, start in ranked[:most]
    ]


def _in_context(tokens: Tokens, position: int, n: int) -> str:
    """Return an n-gram with some tokens of its text before and after it."""
    row = int(np.searchsorted(tokens.bounds, position, "right")) - 1
    start = max(position - AROUND, tokens.bounds[row])
    end = min(position + n + AROUND, tokens.bounds[row + 1])
    return tokens.spell(int(start), int(end - start))


def _most_similar(pool: Pool, plan: Plan, most: int) -> list[dict[str, Any]]:
    """List the texts that are most similar to the others, by their Self-BLEU."""
    metric = BLEU_OF_TEXT.bind(Context(plan.views.tokens))
    if len(pool) < metric.least_texts:
        return []
    values = metric.each_text(pool.whole(metric.columns()))
    texts = pool.view(TextView()).texts
    # Equal values are sorted by content; a repeated text is shown once.
    order = np.lexsort((pool.view(plan.views.tokens).text_hashes, -values))
    shown: dict[str, dict[str, Any]] = {}
    for row in order[: 50 * most].tolist():
        text = texts[row]
        if text in shown:
            shown[text]["times"] += 1
        elif len(shown) < most:
            shown[text] = {"text": text, "self_bleu": float(values[row]), "times": 1}
    return list(shown.values())


def _texts(pool: Pool, rows: tuple[Integers, Integers], vectors: VectorView, most: int) -> dict[str, Any]:
    """List texts that are far from the other corpus, the farthest first, and the nearest pairs."""
    names = [pool.view(TextView()).texts.take(places) for places in rows]
    nearest: BothWays = pool.pair_index(NearestAcross(vectors)).summarize(*rows)
    lists: dict[str, Any] = {}
    if min(map(len, rows)) > NEIGHBOURS:
        balls: Balls = pool.pair_index(Neighbours(vectors, NEIGHBOURS, both=False)).summarize(*rows)
        for key, texts, places, way in (
            ("uncovered", names[0], balls.uncovered_references(), 0),
            ("outside", names[1], balls.outside_candidates(), 1),
        ):
            farthest = places[np.argsort(-nearest.text_distances(way)[places], kind="stable")]
            lists[key] = {"share": len(places) / len(texts), "texts": _different(texts, farthest, most)}
    first, second, distances = nearest.pairs()
    pairs: dict[tuple[str, str], float] = {}
    for reference, candidate, distance in zip(first.tolist(), second.tolist(), distances.tolist()):
        pair = names[0][reference], names[1][candidate]
        # The share of texts that are in both corpora is reported separately.
        if pair[0] != pair[1]:
            pairs.setdefault(pair, distance)
        if len(pairs) == most:
            break
    known = set(names[1].tolist())
    lists["shared"] = sum(text in known for text in names[0].tolist()) / len(names[0])
    lists["nearest"] = [
        {"reference": reference, "candidate": candidate, "distance": distance}
        for (reference, candidate), distance in pairs.items()
    ]
    return lists


def _clusters(pool: Pool, rows: tuple[Integers, Integers], metric: Mauve, most: int) -> list[dict[str, Any]]:
    """List the clusters whose shares differ most, with the texts nearest to their centres."""
    (statistic,) = metric.pair_statistics()
    texts = pool.view(TextView()).texts
    return [
        {
            "reference_share": cluster.reference,
            "candidate_share": cluster.candidate,
            "texts": _different(texts, (*cluster.reference_rows, *cluster.candidate_rows), 2),
        }
        for cluster in metric.drivers(pool.pair_index(statistic).summarize(*rows), most)
    ]


def _different(texts: Strings, places: Sequence[int] | Integers | Iterable[int], most: int) -> list[str]:
    """Return the first `most` different texts."""
    different: dict[str, None] = {}
    for place in places:
        different[texts[int(place)]] = None
        if len(different) == most:
            break
    return list(different)
