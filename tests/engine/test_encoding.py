"""States as JSON and arrays: every value comes back as it was, and nothing else is made."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.cases import same

from distinctly.arrays import CPU
from distinctly.engine.encoding import UnreadableError, decode, encode
from distinctly.geometry.moments import Moment
from distinctly.statistics.exact_sum import ExactSum
from distinctly.statistics.tables import Tally, Totals

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(), st.just("\ud800")
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.dictionaries(st.one_of(st.text(), st.integers(), st.binary()), inner),
    ),
)


def round_trip(value: Any) -> Any:
    arrays: list[Any] = []

    def put(array: Any) -> int:
        arrays.append(array)
        return len(arrays) - 1

    return decode(json.loads(json.dumps(encode(value, put))), arrays.__getitem__)


def identical(one: Any, other: Any) -> bool:
    """Return whether values are equal, and of the same types; NaN is equal to NaN."""
    if isinstance(one, dict):
        return isinstance(other, dict) and identical(list(one.items()), list(other.items()))
    if isinstance(one, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(identical, one, other))
    return type(one) is type(other) and (one == other or one != one)


@given(VALUES)
def test_values(value: Any) -> None:
    assert identical(round_trip(value), value)


@pytest.mark.parametrize(
    "state",
    [
        Totals(1, 2, 3, 4),
        Tally.of(np.array([7, 9], np.uint64), np.array([2, 5000], np.uint64)),
        ExactSum.of(np.array([1e300, 1.0, -1e300])),
        (Totals(), {"a": [Totals(1)]}),
    ],
)
def test_states(state: Any) -> None:
    assert same(round_trip(state), state)


def test_scalars_of_arrays_and_strings() -> None:
    assert identical(round_trip([np.int64(3), np.float64(0.5), np.bool_(True)]), [3, 0.5, True])
    texts = round_trip(np.array(["a", "\ud800", ""], np.object_))
    assert texts.dtype == np.object_
    assert texts.tolist() == ["a", "\ud800", ""]


def test_devices_are_left_out() -> None:
    moment = round_trip(Moment(1, np.zeros(2), np.zeros((1, 2)), CPU))
    assert moment.device is CPU
    assert "device" not in json.dumps(encode(Moment(1, np.zeros(2), np.zeros((1, 2))), id))


@pytest.mark.parametrize("value", [object(), {1, 2}, len, Exception("x"), 1j, CPU])
def test_other_objects_are_not_encoded(value: object) -> None:
    with pytest.raises(TypeError, match="a state cannot hold a"):
        encode(value, id)


@pytest.mark.parametrize(
    "path",
    [
        "os:system",
        "builtins:eval",
        "distinctly.cli:main",
        "distinctly.engine.storage:StoredHere",
        "distinctly.batchx:Batch",
        "distinctly.batch:Strings",
        "distinctly.batch:InputError",
        "distinctly.statistics.base:State",
        "distinctly.statistics.nothing:X",
    ],
)
def test_other_classes_are_not_decoded(path: str) -> None:
    with pytest.raises(UnreadableError, match="a value of"):
        decode({"class": path, "fields": {}}, id)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [[1], {"other": 1}, {"list": [[1]]}])
def test_other_json_is_not_decoded(value: object) -> None:
    with pytest.raises(UnreadableError):
        decode(value, id)  # type: ignore[arg-type]
