"""The agreement of annotators, against published values."""

from __future__ import annotations

import pytest

from distinctly.studies.reliability import reliability

pytest.importorskip("krippendorff")
pytest.importorskip("pingouin")


def test_intraclass_correlations_of_shrout_and_fleiss() -> None:
    # Shrout and Fleiss (1979), tables 2 and 4: six targets, four judges, ICC(2,1) = .29 and ICC(2,4) = .62.
    table = [(9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7)]
    annotations = [dict(zip("abcd", scores)) for scores in table]
    result = reliability(annotations, list("abcd"), annotators="all", rescale="none")
    assert result.icc2 == pytest.approx(0.29, abs=0.005)
    assert result.icc2k == pytest.approx(0.62, abs=0.005)
    assert (result.icc2_low < result.icc2 < result.icc2_high, result.complete) == (True, 6)


def test_alpha_of_krippendorff_with_missing_scores() -> None:
    # Krippendorff's example on Wikipedia: three coders, 15 units, α of interval data = 0.811.
    coders = {"A": "*****34121133*3", "B": "1*213343*******", "C": "**21344*21133*4"}
    units = [
        {name: int(codes[place]) for name, codes in coders.items() if codes[place] != "*"}
        for place in range(15)
    ]
    result = reliability(units, list("ABC"), annotators="all", rescale="none")
    assert result.alpha == pytest.approx(0.811, abs=0.0005)


def test_what_is_undefined_has_a_reason() -> None:
    alone = reliability([{"a": 1}, {"a": 2}], ["a"], annotators="all", rescale="none")
    assert alone.note == "Undefined: agreement needs 2 annotators, got 1."
    assert alone.to_dict()["alpha"] is None
    equal = reliability([{"a": 1, "b": 1}] * 9, ["a", "b"], annotators="all", rescale="none")
    assert "all scores are equal" in equal.note
    apart = reliability([{"a": 1}, {"b": 2}], ["a", "b"], annotators="all", rescale="none")
    assert "no two annotators scored the same sets" in apart.note
    few = reliability([{"a": 1, "b": 2}, {"a": 3, "b": 3}], ["a", "b"], annotators="all", rescale="none")
    assert few.note == "ICC is undefined: it needs 5 sets that all scored, got 2."
    assert few.to_dict()["alpha"] is not None
