"""Explanations of a number: n-grams and texts that reduce diversity, or that drive a distance."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from distinctly.config import RunConfig
from distinctly.distance.base import Distance, SumOverNgrams
from distinctly.distance.chi import Chi
from distinctly.distance.mauve import Mauve
from distinctly.diversity.self_bleu import SelfBleu
from distinctly.diversity.templates import Templates
from distinctly.geometry.balls import Balls, Neighbours
from distinctly.geometry.nearest_across import BothWays, NearestAcross
from distinctly.metrics import Context
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.influence import moving_texts
from distinctly.run.passages import InMemory, copied
from distinctly.run.plan import Plan
from distinctly.statistics.matches import LongestMatches, Matches
from distinctly.statistics.pool import Pool
from distinctly.statistics.templates import TemplateUse, rows_with
from distinctly.statistics.token_table import TwoCounts
from distinctly.strings import Strings
from distinctly.views.texts import TextView
from distinctly.views.tokens import Tokens
from distinctly.views.vectors import VectorView

# Texts that are shown for a template.
EXAMPLES = 2
# Tokens of an example before and after the n-gram.
AROUND = 6
# Used if no Self-BLEU is requested: with smoothing, texts that share no 4-gram with others still differ.
BLEU_OF_TEXT = SelfBleu(smoothing="epsilon")
# Neighbours per ball if neither `pr` nor `dc` is requested: their default.
NEIGHBOURS = 5


def explain_diversity(pool: Pool, plan: Plan, most: int) -> dict[str, Any]:
    """List n-grams by how often they occur beyond the first time, and texts by their Self-BLEU.

    The Self-BLEU of texts is the requested one, so that its mean is the value, or one with smoothing.
    """
    sizes = {request.metric.ngram_size for request in plan.requests} - {None, 1}
    tokens = pool.view(plan.views.tokens)
    # Only pairs and longer n-grams show what is repeated.
    return {
        "ngrams": [
            {"n": n, "repeated": repeated_ngrams(tokens, n, most)} for n in sorted(filter(None, sizes)) or [2]
        ],
        "texts": _most_similar(pool, plan, most),
        **_templates(pool, plan, most),
    }


def _templates(pool: Pool, plan: Plan, most: int) -> dict[str, Any]:
    """List the templates that most texts have, if they are measured."""
    metrics = [request.metric for request in plan.requests if isinstance(request.metric, Templates)]
    listings = [
        {"n": use.n, "least": use.least, "templates": _most_used(pool, use, most)}
        for use in dict.fromkeys(metric.used() for metric in metrics)
    ]
    return {"templates": listings} if listings else {}


def _most_used(pool: Pool, use: TemplateUse, most: int) -> list[dict[str, Any]]:
    """List the templates that most texts have, each with texts that have it; ties are broken by the tags."""
    tags: Tokens = pool.view(use.view)
    (statistic,) = use.first()
    templates = use.templates_among(statistic.summarize(statistic.collect(tags)))
    # Templates that tie with the last one are also spelled out, to break the tie by the tags.
    least = np.sort(templates.counts)[-most:][0] if len(templates) else 0
    chosen = np.flatnonzero(templates.counts >= least)
    texts = pool.view(TextView()).texts
    grams, starts = tags.grams(use.n), tags.starts(use.n)
    order = np.argsort(grams, kind="stable")
    places = np.searchsorted(grams, templates.hashes[chosen], sorter=order)
    spelled = [tags.spell(start, use.n) for start in starts[order[places]].tolist()]
    ranked = sorted(zip((-templates.counts[chosen]).tolist(), spelled, chosen.tolist()))[:most]
    return [
        {
            "tags": text,
            "texts": -count,
            "examples": _different(
                texts, rows_with(tags, use.n, int(templates.hashes[place]), EXAMPLES), EXAMPLES
            ),
        }
        for count, text, place in ranked
    ]


def explain_distance(
    reference: Subcorpus, candidate: Subcorpus, plan: Plan, most: int, config: RunConfig
) -> dict[str, Any]:
    """List the tokens, texts and clusters that drive the distances, `most` of each."""
    if not len(reference.rows) or not len(candidate.rows):
        return {}
    pool = reference.pool
    requested = [request.metric for request in plan.requests if isinstance(request.metric, Distance)]
    drivers = {**_ngrams(reference, candidate, plan, most), **_passages(reference, candidate, plan, most)}
    if moving := moving_texts(reference, candidate, plan, most, config):
        drivers["moving"] = moving
    if plan.views.embedder is None:
        return drivers
    vectors, texts = VectorView(plan.views.embedder), TextView()
    rows = reference.units(texts).texts, candidate.units(texts).texts
    statistics = [statistic for metric in requested for statistic in metric.pair_statistics()]
    balls = (statistic for statistic in statistics if isinstance(statistic, Neighbours))
    neighbours = next(balls, Neighbours(vectors, NEIGHBOURS, both=False))
    clustered = (metric for metric in requested if isinstance(metric, Mauve))
    mauve = next(clustered, Mauve(seeds=1).bind(Context(vectors)))
    return {
        **drivers,
        **_texts(pool, rows, vectors, neighbours, most),
        "clusters": _clusters(pool, rows, mauve, most),
    }


def _ngrams(reference: Subcorpus, candidate: Subcorpus, plan: Plan, most: int) -> dict[str, Any]:
    """List the n-grams with the largest shares of a distance, and what they are shares of.

    It is the first requested distance that is a sum over n-grams; χ² of the tokens if there is none.
    """
    metric: SumOverNgrams = Chi().bind(Context(plan.views.tokens))
    spec = metric.metric_name()
    for request in reversed(plan.requests):
        if isinstance(request.metric, SumOverNgrams):
            metric, spec = request.metric, request.spec
    (statistic,) = metric.pair_statistics()
    rows = reference.units(statistic.view).texts, candidate.units(statistic.view).texts
    counts = reference.pool.pair_index(statistic).summarize(*rows)
    total = float(metric.contributions(counts)[1].sum())
    return {
        "tokens": ngram_drivers(metric, counts, most),
        "tokens_of": {
            "metric": spec,
            "part": metric.summed,
            "symbol": metric.symbol,
            "value": total,
            "n": statistic.n,
        },
    }


def _passages(reference: Subcorpus, candidate: Subcorpus, plan: Plan, most: int) -> dict[str, Any]:
    """List the longest passages of the candidate that the reference has too, if novelty is measured."""
    sides = InMemory(reference), InMemory(candidate)

    def matches(statistic: LongestMatches) -> Matches:
        rows = (side.rows(statistic.view) for side in sides)
        between: Matches = reference.pool.pair_index(statistic).summarize(*rows)
        return between

    listings = copied(plan, matches, sides, most)
    return {"copied": listings} if listings else {}


def ngram_drivers(metric: SumOverNgrams, counts: TwoCounts, most: int) -> list[dict[str, Any]]:
    """Return the n-grams with the largest shares of a sum, in descending order; ties are broken by the text.

    Counts per million refer to all n-grams of a corpus.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> from distinctly.statistics.token_table import TokenTable
    >>> from distinctly.views.rows import Rows
    >>> pool = Pool(Rows(Batch.of([["a", "b"], ["a", "c"]])))
    >>> counts = TokenTable().index(pool).summarize(np.array([0]), np.array([1]))
    >>> tokens = ngram_drivers(Chi(), counts, 2)
    >>> [(token["token"], token["share"], token["more_in"]) for token in tokens]
    [('b', 0.5, 'reference'), ('c', 0.5, 'candidate')]
    """
    table, terms = metric.contributions(counts)
    if table.lacking() or most < 1:
        return []
    # N-grams that tie with the last one are also spelled out, to break the tie by the text.
    least = np.sort(terms)[-most:][0]
    places = np.flatnonzero((terms >= least) & (terms > 0))
    chosen = sorted(zip((-terms[places]).tolist(), table.spell(places), places.tolist()))[:most]
    (reference_total, candidate_total), total = counts.totals, float(terms.sum())
    rows: list[dict[str, Any]] = []
    for term, text, place in chosen:
        in_reference, in_candidate = int(table.reference[place]), int(table.candidate[place])
        more_in_reference = in_reference * candidate_total > in_candidate * reference_total
        rows.append(
            {
                "token": text,
                "share": -term / total,
                "more_in": "reference" if more_in_reference else "candidate",
                "reference": in_reference,
                "candidate": in_candidate,
                "reference_per_million": 1e6 * in_reference / reference_total,
                "candidate_per_million": 1e6 * in_candidate / candidate_total,
            }
        )
    return rows


def repeated_ngrams(tokens: Tokens, n: int, most: int) -> list[dict[str, Any]]:
    """List the n-grams that occur most often."""
    _, first, counts = np.unique(tokens.grams(n), return_index=True, return_counts=True)
    # N-grams that tie with the last one are also spelled out, to break the tie by the text.
    least = np.sort(counts)[-most:][0] if len(counts) else 0
    chosen = np.flatnonzero((counts >= least) & (counts > 1))
    starts = tokens.starts(n)[first[chosen]].tolist()
    ranked = heapq.nsmallest(
        most,
        ((-count, tokens.spell(start, n), start) for count, start in zip(counts[chosen].tolist(), starts)),
    )
    return [
        {
            "text": text,
            "count": -count,
            "beyond_first": -count - 1,
            "example": _in_context(tokens, start, n),
        }
        for count, text, start in ranked
    ]


def _in_context(tokens: Tokens, position: int, n: int) -> str:
    """Return an n-gram with some tokens of its text before and after it."""
    row = int(np.searchsorted(tokens.bounds, position, "right")) - 1
    start = max(position - AROUND, tokens.bounds[row])
    end = min(position + n + AROUND, tokens.bounds[row + 1])
    return tokens.spell(int(start), int(end - start))


def _most_similar(pool: Pool, plan: Plan, most: int) -> list[dict[str, Any]]:
    """List the texts that are most similar to the others, by their Self-BLEU."""
    requested = (request.metric for request in plan.requests if isinstance(request.metric, SelfBleu))
    metric = next(
        (metric for metric in requested if metric.mode == "all" and metric.at is None),
        BLEU_OF_TEXT.bind(Context(plan.views.tokens)),
    )
    if len(pool) < metric.least_texts:
        return []
    values = metric.each_text(pool.whole(metric.columns()))
    texts = pool.view(TextView()).texts.tolist()
    times = Counter(texts)
    # Of equal values, the text that is repeated most is first; then they are sorted by content.
    repeated = np.fromiter(map(times.__getitem__, texts), np.int64, len(texts))
    order = np.lexsort((pool.view(plan.views.tokens).text_hashes, -repeated, -values))
    shown: dict[str, dict[str, Any]] = {}
    for row in order.tolist():
        text = texts[row]
        if text not in shown:
            shown[text] = {"text": text, "self_bleu": float(values[row]), "times": times[text]}
        if len(shown) == most:
            break
    return list(shown.values())


def _texts(
    pool: Pool,
    rows: tuple[Integers, Integers],
    vectors: VectorView,
    neighbours: Neighbours,
    most: int,
) -> dict[str, Any]:
    """List texts that are far from the other corpus, the farthest first, and the nearest pairs."""
    names = [pool.view(TextView()).texts.take(places) for places in rows]
    nearest: BothWays = pool.pair_index(NearestAcross(vectors)).summarize(*rows)
    lists: dict[str, Any] = {}
    balls: Balls = pool.pair_index(neighbours).summarize(*rows)
    if min(balls.reference.texts, balls.candidate.texts) > neighbours.k:
        for key, texts, places, share, way in (
            ("uncovered", names[0], balls.uncovered_references(), 1 - balls.coverage, 0),
            ("outside", names[1], balls.outside_candidates(), 1 - balls.precision, 1),
        ):
            farthest = places[np.argsort(-nearest.text_distances(way)[places], kind="stable")]
            lists[key] = {"share": share, "texts": _different(texts, farthest, most)}
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
