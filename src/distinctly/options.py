"""Options of metrics and tokenizers: dataclass fields, read from text and written back.

`name:option=value,option=value` is the text form of both. The type of a field says which values
it takes: ``int``, ``float``, ``bool``, ``Literal[…]``, or a union of those.
"""

from __future__ import annotations

import functools
import re
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, Field, field, fields
from typing import Any, ClassVar, Literal, Protocol, TypeVar, Union

from distinctly.errors import SpecError, unknown

Value = str | int | float | bool

_UNITS = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "t": 10**12,
    "ki": 2**10,
    "mi": 2**20,
    "gi": 2**30,
    "ti": 2**40,
}
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", re.IGNORECASE)
_YES_NO = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


class HasOptions(Protocol):
    """Anything whose dataclass fields are its options."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T")


def option(default: T, *, only: Mapping[str, tuple[object, ...]] | None = None) -> T:
    """Declare an option that can change the number only where other options have given values.

    It stays out of the signature elsewhere.
    """
    made: T = field(default=default, metadata={"only": dict(only or {})})
    return made


def hidden(default: T) -> T:
    """Declare a field that is not an option: it is filled in by the engine."""
    made: T = field(default=default, compare=False, repr=False, metadata={"hidden": True})
    return made


def view_option() -> str:
    """Declare the field that says what a metric reads of texts; a signature shows the view itself."""
    made: str = field(default="", metadata={"hidden": True})
    return made


def option_fields(owner: HasOptions | type[HasOptions]) -> list[Field[Any]]:
    """Return the fields that are options, in order."""
    return [f for f in fields(owner) if not f.metadata.get("hidden")]


def options_of(owner: HasOptions) -> dict[str, Value]:
    """Return the options that can change the number, by name."""
    found: dict[str, Value] = {}
    for f in option_fields(owner):
        only: Mapping[str, tuple[object, ...]] = f.metadata.get("only", {})
        if all(getattr(owner, other) in values for other, values in only.items()):
            found[f.name] = getattr(owner, f.name)
    return found


def settle_options(owner: HasOptions) -> None:
    """Set options that cannot change the number to their defaults, so that equal means the same."""
    counting = options_of(owner)
    for f in option_fields(owner):
        if f.name not in counting:
            object.__setattr__(owner, f.name, f.default)


def written(value: Value) -> str:
    """Write an option's value as a spec and a signature show it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def bytes_of(amount: str) -> int | None:
    """Read a number of bytes; None where it is none.

    Examples
    --------
    >>> bytes_of("0.5GB"), bytes_of("64 MiB"), bytes_of("much")
    (500000000, 67108864, None)
    """
    found = _AMOUNT.fullmatch(amount)
    if found is None or found[2].lower() not in _UNITS:
        return None
    return int(float(found[1]) * _UNITS[found[2].lower()])


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split `name:option=value,…` into the name and the words of its options.

    Examples
    --------
    >>> split_spec("distinct:n=2,pool=text")
    ('distinct', {'n': '2', 'pool': 'text'})
    """
    name, _, rest = spec.strip().partition(":")
    words: dict[str, str] = {}
    for word in rest.split(",") if rest else []:
        key, equals, value = word.partition("=")
        key, value = key.strip(), value.strip()
        if not equals or not key or not value:
            raise SpecError(
                f"Expected `option=value` after '{name}:', got '{word}' in '{spec}'. "
                "A spec is written name:option=value,option=value."
            )
        if key in words:
            raise SpecError(f"Option '{key}' is given twice in '{spec}'.")
        words[key] = value
    return name.strip(), words


def read_options(owner: type[HasOptions], name: str, words: Mapping[str, str]) -> dict[str, Value]:
    """Turn the words of a spec into typed options of `owner`, or say what is wrong with them."""
    kinds = _types(owner)
    return {key: _read(name, key, word, kinds) for key, word in words.items()}


def check_options(owner: HasOptions, name: str) -> None:
    """Raise where a field holds a value that its type does not allow."""
    kinds = _types(type(owner))
    for f in option_fields(owner):
        value = getattr(owner, f.name)
        if not any(_fits(value, kind) for kind in _members(kinds[f.name])):
            raise _refusal(name, f.name, repr(value), kinds[f.name])


def describe_type(owner: type[HasOptions], key: str) -> str:
    """Say in words which values an option takes."""
    return _describe(_types(owner)[key])


def default_of(f: Field[Any]) -> Value | None:
    """Return the default of an option, or None where it has to be given."""
    return None if f.default is MISSING else f.default


@functools.cache
def _types(owner: type[HasOptions]) -> dict[str, Any]:
    hints = typing.get_type_hints(owner)
    return {f.name: hints[f.name] for f in option_fields(owner)}


def _members(kind: Any) -> tuple[Any, ...]:
    if typing.get_origin(kind) in (Union, types.UnionType):
        return typing.get_args(kind)
    return (kind,)


def _fits(value: object, kind: Any) -> bool:
    if typing.get_origin(kind) is Literal:
        return any(value == choice and type(value) is type(choice) for choice in typing.get_args(kind))
    return type(value) is kind or (kind is float and type(value) is int)


def _read(name: str, key: str, word: str, kinds: Mapping[str, Any]) -> Value:
    if key not in kinds:
        raise unknown("option", key, kinds, of=f"'{name}'")
    for kind in _members(kinds[key]):
        if typing.get_origin(kind) is Literal and word in typing.get_args(kind):
            return word
        if kind is bool and word.lower() in _YES_NO:
            return _YES_NO[word.lower()]
        if kind in (int, float):
            try:
                number: int | float = kind(word)
            except ValueError:
                continue
            if number == number:  # NaN is no number to choose
                return number
        if kind is str:
            return word
    raise _refusal(name, key, f"'{word}'", kinds[key])


def _describe(kind: Any) -> str:
    words: list[str] = []
    for member in _members(kind):
        if typing.get_origin(member) is Literal:
            words += [str(choice) for choice in typing.get_args(member)]
        else:
            words.append(
                {int: "a whole number", float: "a number", bool: "yes or no"}.get(member, member.__name__)
            )
    return " | ".join(words)


def _refusal(name: str, key: str, shown: str, kind: Any) -> SpecError:
    choices = [str(c) for m in _members(kind) if typing.get_origin(m) is Literal for c in typing.get_args(m)]
    hint = str(unknown("", shown.strip("'"), choices)) if choices else ""
    _, meant, close = hint.partition("Did you mean ")
    suggestion = f" Did you mean {close.split('?')[0]}?" if meant else ""
    return SpecError(f"Expected `{key}` of '{name}' to be {_describe(kind)}, got {shown}.{suggestion}")
