"""What drives a distance, as readable text: tokens, texts far from the others, nearest pairs, clusters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from distinctly.contrasting import Side, Sides
from distinctly.distance.chi import drivers as token_drivers
from distinctly.distance.mauve import Mauve
from distinctly.embedders.base import Embedder
from distinctly.geometry.balls import Balls, Neighbours
from distinctly.geometry.nearest_across import BothWays, NearestAcross
from distinctly.metric import Context
from distinctly.ragged import Integers
from distinctly.spec import Request
from distinctly.statistics.token_table import TokenTable
from distinctly.strings import Strings

# Neighbours that make a ball, as in `pr` and `dc`.
NEIGHBOURS = 5


def explain(sides: Sides, one: Side, other: Side, requests: Sequence[Request], most: int) -> dict[str, Any]:
    """List what drives the distances between a reference and a candidate, so many of each."""
    if not len(one.rows) or not len(other.rows):
        return {}
    rows = one.rows, other.rows
    found: dict[str, Any] = {
        "tokens": token_drivers(sides.pool.index(TokenTable()).summarize(*rows), most),
    }
    embedder = next((r.metric.embedder for r in requests if r.metric.embedder is not None), None)
    if embedder is None:
        return found
    found |= _texts(sides, rows, embedder, most)
    asked = (request.metric for request in requests if isinstance(request.metric, Mauve))
    clustered = next(asked, Mauve(seeds=1).bind(Context("", embedder=embedder)))
    found["clusters"] = _clusters(sides, rows, clustered, most)
    return found


def _texts(sides: Sides, rows: tuple[Integers, Integers], embedder: Embedder, most: int) -> dict[str, Any]:
    """List texts that are far from the other corpus, the farthest first, and the nearest pairs."""
    view = sides.pool.texts.view
    names = [view.texts.take(own) for own in rows]
    nearest: BothWays = sides.pool.index(NearestAcross(embedder)).summarize(*rows)
    found: dict[str, Any] = {}
    if min(map(len, rows)) > NEIGHBOURS:
        balls: Balls = sides.pool.index(Neighbours(embedder, NEIGHBOURS, both=False)).summarize(*rows)
        for key, own, places, way in (
            ("uncovered", names[0], balls.uncovered_references(), 0),
            ("outside", names[1], balls.outside_candidates(), 1),
        ):
            farthest = places[np.argsort(-nearest.text_distances(way)[places], kind="stable")]
            found[key] = {"share": len(places) / len(own), "texts": _different(own, farthest, most)}
    first, second, distances = nearest.pairs()
    pairs: dict[tuple[str, str], float] = {}
    for reference, candidate, distance in zip(first.tolist(), second.tolist(), distances.tolist()):
        pair = names[0][reference], names[1][candidate]
        # The same text in both is no news: how often that is, is told apart.
        if pair[0] != pair[1]:
            pairs.setdefault(pair, distance)
        if len(pairs) == most:
            break
    known = set(names[1].tolist())
    found["shared"] = sum(text in known for text in names[0].tolist()) / len(names[0])
    found["nearest"] = [
        {"reference": reference, "candidate": candidate, "distance": distance}
        for (reference, candidate), distance in pairs.items()
    ]
    return found


def _clusters(
    sides: Sides, rows: tuple[Integers, Integers], metric: Mauve, most: int
) -> list[dict[str, Any]]:
    """List clusters that the two fill most differently, with the texts nearest to their centres."""
    (statistic,) = metric.pair_statistics()
    texts = sides.pool.texts.view.texts
    return [
        {
            "reference_share": one.reference,
            "candidate_share": one.candidate,
            "texts": _different(texts, (*one.reference_rows, *one.candidate_rows), 2),
        }
        for one in metric.drivers(sides.pool.index(statistic).summarize(*rows), most)
    ]


def _different(texts: Strings, places: Iterable[int], most: int) -> list[str]:
    """Return the first texts that differ."""
    found: dict[str, None] = {}
    for place in places:
        found[texts[int(place)]] = None
        if len(found) == most:
            break
    return list(found)
