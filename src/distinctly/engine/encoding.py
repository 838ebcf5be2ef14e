"""States as JSON and arrays of numbers, without pickle: a state may come from a stranger."""

from __future__ import annotations

import importlib
import json
import math
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Device
from distinctly.statistics.hashed_texts import HashedTexts, StoredTexts

# Classes of these modules hold data, and nothing happens when they are made.
_MODULES = ("distinctly.statistics.", "distinctly.geometry.", "distinctly.batch", "distinctly.strings")
# The number of bytes of the JSON before arrays.
_LENGTH = struct.Struct("<Q")
Array = NDArray[Any]
# Raises an error of the file for data that do not fit together.
Guard = Callable[[], AbstractContextManager[None]]
# What a field with such an annotation holds; others are left to those who read them.
_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "int": int,
    "float": (int, float),
    "str": str,
    "bytes": bytes,
    **dict.fromkeys(("Bytes", "Hashes", "Integers", "Keys", "Reals", "NDArray[np.uint8]"), np.ndarray),
}


class UnreadableError(ValueError):
    """What was read is not an encoded state."""


def encode(value: Any, put: Callable[[Array], object]) -> Any:
    """Return a value as JSON; arrays are given to `put`, and replaced by what it returns.

    Examples
    --------
    >>> arrays = []
    >>> encode((1, {"a": np.array([2.0])}), lambda array: arrays.append(array) or len(arrays) - 1)
    {'tuple': [1, {'dict': [['a', {'array': 0}]]}]}
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, np.ndarray):
        if value.dtype == np.object_:
            return {"strings": [str(text) for text in value]}
        return {"array": put(value)}
    if isinstance(value, np.generic):
        return encode(value.item(), put)
    if isinstance(value, (list, tuple, Iterator)):
        return {"list" if isinstance(value, list) else "tuple": [encode(item, put) for item in value]}
    if isinstance(value, StoredTexts):
        return encode(value.read(), put)
    if isinstance(value, Mapping):
        return {"dict": [[encode(key, put), encode(item, put)] for key, item in value.items()]}
    kind = type(value)
    if not is_dataclass(value) or not kind.__module__.startswith(_MODULES):
        raise TypeError(f"a state cannot hold a {kind.__name__}")
    members = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
    # Where a state was computed is not a part of it.
    shown = {name: encode(item, put) for name, item in members.items() if not isinstance(item, Device)}
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "fields": shown}


def decode(value: Any, get: Callable[[Any], Array], guard: Guard = nullcontext) -> Any:
    """Return the value that JSON stands for.

    Parameters
    ----------
    value
        The JSON.
    get
        Returns the array that was replaced.
    guard
        The context in which texts are read that are left in the file until they are needed.

    Examples
    --------
    >>> decode({"tuple": [1, {"array": 0}]}, [np.array([2.0])].__getitem__)
    (1, array([2.]))
    """
    if not isinstance(value, dict):
        if isinstance(value, list):
            raise UnreadableError("a list without a kind")
        return value
    if "class" in value:
        kind = _class(value["class"])
        if kind is HashedTexts:
            return StoredTexts(partial(_read_texts, value["fields"], get, guard))
        members = {name: decode(item, get, guard) for name, item in value["fields"].items()}
        for item in fields(kind):
            if not isinstance(members.get(item.name, item.default), _FIELDS.get(str(item.type), object)):
                raise UnreadableError(f"a field '{item.name}' of another type")
        return kind(**members)
    ((kind, items),) = value.items()
    if kind == "array":
        return get(items)
    if kind == "bytes":
        return bytes.fromhex(items)
    if kind == "strings":
        return np.array(items, np.object_)
    if kind == "dict":
        return {decode(key, get, guard): decode(item, get, guard) for key, item in items}
    if kind not in ("list", "tuple"):
        raise UnreadableError(f"a value of kind '{kind}'")
    decoded = [decode(item, get, guard) for item in items]
    return tuple(decoded) if kind == "tuple" else decoded


def _read_texts(members: Mapping[str, Any], get: Callable[[Any], Array], guard: Guard) -> HashedTexts:
    """Return texts that were left in the file."""
    with guard():
        return HashedTexts(*(decode(members[name], get) for name in ("hashes", "lengths")))


def to_bytes(value: Any) -> bytes:
    """Return a value as bytes: the length of its JSON, the JSON, and its arrays one after another.

    Examples
    --------
    >>> from_bytes(to_bytes((1, np.array([2.0]))))
    (1, array([2.]))
    """
    arrays: list[bytes] = []
    size = 0

    def put(array: Array) -> list[Any]:
        nonlocal size
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        start = size
        arrays.append(little.tobytes())
        size += len(arrays[-1])
        return [little.dtype.str, list(array.shape), start]

    text = json.dumps(encode(value, put)).encode()
    return b"".join([_LENGTH.pack(len(text)), text, *arrays])


def from_bytes(data: bytes) -> Any:
    """Return the value that bytes stand for."""
    first = _LENGTH.size + _LENGTH.unpack_from(data)[0]

    def get(described: list[Any]) -> Array:
        kind, shape, start = described
        array = np.frombuffer(data, kind, math.prod(shape), first + start).reshape(shape)
        return np.array(array, array.dtype.newbyteorder("="))

    return decode(json.loads(data[_LENGTH.size : first]), get)


def _class(path: str) -> Any:
    """Return a class of this package that holds data; raise for any other."""
    module, _, name = path.partition(":")
    if not f"{module}.".startswith(tuple(f"{known.rstrip('.')}." for known in _MODULES)):
        raise UnreadableError(f"a value of class '{path}'")
    try:
        kind = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UnreadableError(f"a value of unknown class '{path}'") from error
    if not isinstance(kind, type) or not is_dataclass(kind) or kind.__module__ != module:
        raise UnreadableError(f"a value of class '{path}', which is no state")
    return kind
