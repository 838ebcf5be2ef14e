"""Several corpora: which is the most diverse, and whether the others differ from it by more than noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from distinctly.scopes import Measured, Plan, Scope, Subject
from distinctly.score import Comparison
from distinctly.statistics.derived import TextPool
from distinctly.uncertainty import exchanged, holm, ngrams_in, sign_flipped
from distinctly.views.tokens import Tokens

SIGNIFICANT = 0.05


def compare(
    subjects: Sequence[Subject], measured: Sequence[Sequence[Measured]], plan: Plan, scope: Scope
) -> list[Comparison]:
    """Compare each corpus with the best one, for each metric."""
    places: dict[tuple[int, int], list[int]] = {}
    for place in range(len(measured[0])):
        best = _best([column[place] for column in measured])
        if best is not None:
            for other in range(len(subjects)):
                if other != best:
                    places.setdefault((best, other), []).append(place)
    found: list[Comparison] = []
    for (best, other), own in places.items():
        pairs = [(measured[best][place], measured[other][place]) for place in own]
        p_values, test = _test(subjects[best], subjects[other], pairs, plan, scope)
        found += [
            Comparison(
                metric=one.request.spec,
                scope=scope if subjects[best].grouped else None,
                best=subjects[best].name,
                corpus=subjects[other].name,
                difference=two.score.value - one.score.value,
                p=p,
                test=test,
                exchanged=plan.paired,
            )
            for (one, two), p in zip(pairs, p_values)
        ]
    return found


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Correct the p-values of each corpus and scope for there being several metrics."""
    found = list(comparisons)
    for key in dict.fromkeys((one.corpus, one.scope) for one in comparisons):
        own = [place for place, one in enumerate(found) if (one.corpus, one.scope) == key]
        for place, p in zip(own, holm([found[place].p for place in own])):
            noise = None if math.isnan(p) else p >= SIGNIFICANT
            found[place] = replace(found[place], p_holm=p, noise=noise)
    return found


def _best(column: Sequence[Measured]) -> int | None:
    """Return which corpus is the most diverse, where the metric says what that is."""
    sign = {"more diverse": 1, "less diverse": -1}.get(column[0].request.metric.more_is)
    known = [place for place, one in enumerate(column) if not math.isnan(one.score.value)]
    if sign is None or len(known) < 2:
        return None
    return max(known, key=lambda place: sign * column[place].score.value)


def _test(
    one: Subject, other: Subject, pairs: Sequence[tuple[Measured, Measured]], plan: Plan, scope: Scope
) -> tuple[list[float], str]:
    shared = sorted(set(one.units.names) & set(other.units.names))
    times = f"{plan.chance.permutations:,} times"
    if scope == "within" and shared:
        at = [np.array([units.place[name] for name in shared]) for units in (one.units, other.units)]
        differences = [
            first.by_group[at[0]] - second.by_group[at[1]]
            for first, second in pairs
            if first.by_group is not None and second.by_group is not None
        ]
        p_values = [sign_flipped(each, plan.chance) for each in differences]
        return p_values, f"values exchanged within {len(shared):,} groups, {times}"
    if not plan.paired or scope == "within":
        return [_normal(first, second) for first, second in pairs], "spread over subsamples"
    what = f"texts exchanged within {len(shared):,} groups" if shared else "texts shuffled between the two"
    return _exchange(one, other, pairs, plan, scope, shared), f"{what}, {times}"


def _normal(first: Measured, second: Measured) -> float:
    """Return the p-value of a difference whose standard errors are known, the two being independent."""
    error = math.hypot(first.error, second.error)
    difference = abs(first.tested - second.tested)
    if math.isnan(error) or math.isnan(difference):
        return math.nan
    return math.erfc(difference / error / math.sqrt(2)) if error else float(difference == 0)


def _exchange(
    one: Subject,
    other: Subject,
    pairs: Sequence[tuple[Measured, Measured]],
    plan: Plan,
    scope: Scope,
    shared: Sequence[str],
) -> list[float]:
    views = [one.pool.view, other.pool.view]
    pool = TextPool(replace(Tokens.join(views), compiled=any(view.compiled for view in views)))
    sides = [one.units.rows, other.units.rows]
    if shared:
        sides = [[units.rows[units.place[name]] for name in shared] for units in (one.units, other.units)]
    if scope == "across":
        draw = np.random.default_rng([plan.chance.seed, 6])
        sides = [[draw.choice(rows, 1) for rows in side] for side in sides]
    first, second = sides[0], [rows + len(one.pool) for rows in sides[1]]
    metrics = [pair[0].request.metric for pair in pairs]
    samples = []
    for metric in metrics:
        n = int(getattr(metric, "n", 1))
        sizes = [ngrams_in(pool, n, np.concatenate(side)) for side in (first, second)]
        samples.append(min(sizes) if metric.sized == "ngrams" and plan.sample == "common" else None)
    found = exchanged(metrics, pool, first, second, samples, plan.chance, paired=bool(shared))
    return [float(p) for p in found]
