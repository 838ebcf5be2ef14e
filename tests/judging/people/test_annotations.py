"""Annotators: dropping them, averaging their scores, and the scale."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import pearsonr

from distinctly.errors import InputError, SpecError
from distinctly.judging.people.annotations import consensus

# Three who agree, and one who scores at random.
SCORES = {"ann": [1, 5, 9, 3, 7], "bob": [2, 5, 8, 2, 6], "cy": [1, 5, 9, 3, 8], "dee": [5, 3, 4, 4, 6]}
ROWS = [dict(zip(SCORES, four)) for four in zip(*SCORES.values())]


def test_agreement_is_with_the_mean_of_the_others() -> None:
    found = consensus(ROWS)
    for name, own in SCORES.items():
        others = np.mean([scores for other, scores in SCORES.items() if other != name], axis=0)
        average = np.mean(list(SCORES.values()), axis=0)
        agreement = found.agreement[name]
        assert agreement.others == pytest.approx(pearsonr(own, others).statistic, abs=1e-12)
        assert agreement.average == pytest.approx(pearsonr(own, average).statistic, abs=1e-12)
        assert agreement.sets == 5
    assert found.dropped == ["dee"]
    # Means of the first three are 4/3, 5, 26/3, 8/3 and 7; the lowest is 0 and the highest 10.
    assert found.scores == pytest.approx(
        [(one - 4 / 3) / (26 / 3 - 4 / 3) * 10 for one in (4 / 3, 5, 26 / 3, 8 / 3, 7)]
    )


def test_the_average_includes_the_annotator_and_decides_where_asked() -> None:
    # With the mean of the others b has r = 0.35 and c 0.53, with the average of all 0.74 and 0.76.
    rows = [{"a": a, "b": b, "c": c} for a, b, c in [(1, 2, 1), (3, 9, 2), (5, 4, 6), (7, 8, 5)]]
    others = consensus(rows)
    scores = np.array([[row[name] for name in "abc"] for row in rows], float)
    with_others = pearsonr(scores[:, 1], scores[:, [0, 2]].mean(axis=1)).statistic
    with_average = pearsonr(scores[:, 1], scores.mean(axis=1)).statistic
    assert with_others < 0.65 < with_average
    assert (others.agreement["b"].others, others.agreement["b"].average) == pytest.approx(
        (with_others, with_average), abs=1e-12
    )
    assert others.dropped == ["b", "c"]
    average = consensus(rows, agreement_with="average")
    assert average.dropped == []
    assert average.agreement == others.agreement


def test_everyone_is_kept_where_asked() -> None:
    found = consensus(ROWS, least_agreement=None, scale=(1, 10))
    # The first set: (1 + 2 + 1 + 5) / 4 = 2.25 on a scale from 1 to 10.
    assert found.dropped == []
    assert found.scores[0] == pytest.approx((2.25 - 1) / 9 * 10)


def test_not_everyone_scores_everything() -> None:
    rows = [
        {name: score for name, score in row.items() if name != "cy" or place != 1}
        for place, row in enumerate(ROWS)
    ]
    assert consensus(rows).scores[1] == pytest.approx(
        consensus(ROWS).scores[1]
    )  # cy says 5, as the others do


def test_a_set_that_only_a_dropped_annotator_scored_has_no_score() -> None:
    found = consensus([*ROWS, {"dee": 4}])
    assert math.isnan(found.scores[-1])
    assert not np.isnan(found.scores[:-1]).any()


def test_who_cannot_be_checked_is_dropped() -> None:
    # Agreement is undefined for two sets, and for equal scores.
    rows = [{**row, "same": 3} for row in ROWS]
    rows[0]["rare"] = 1
    rows[2]["rare"] = 9
    found = consensus(rows)
    assert found.dropped == ["dee", "rare", "same"]
    for name in ("rare", "same"):
        assert math.isnan(found.agreement[name].others)
        assert math.isnan(found.agreement[name].average)


def test_errors() -> None:
    with pytest.raises(InputError, match="at least 2 annotators"):
        consensus([{"ann": 1}, {"ann": 2}])
    with pytest.raises(InputError, match="no annotator has an agreement of at least"):
        consensus([{"a": 1, "b": 3}, {"a": 2, "b": 2}, {"a": 3, "b": 1}])
    with pytest.raises(SpecError, match="Unknown agreement 'mean'"):
        consensus(ROWS, agreement_with="mean")
    with pytest.raises(SpecError, match="got 9 to 1"):
        consensus(ROWS, scale=(9, 1))
    with pytest.raises(InputError, match="expected scores from 1 to 5"):
        consensus(ROWS, scale=(1, 5))
