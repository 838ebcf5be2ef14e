"""Options of metrics and tokenizers: dataclass fields, read from text and written back.

The text form of both is `name:option=value,option=value`. The type of a field determines its values:
``int``, ``float``, ``bool``, ``Literal[…]``, or a union of those. `option` adds what a type cannot express:
the bounds of a number, aliases of the option, and when it has an effect. `setting` declares a field of a run
that is also an option of the command line.
"""

from __future__ import annotations

import functools
import math
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
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
    """An object whose dataclass fields are its options."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T")
# The values of other options with which an option has an effect, or a function of the owner.
Only = Mapping[str, tuple[object, ...]] | Callable[[Any], bool]


@dataclass(frozen=True)
class Bounds:
    """The allowed numbers of an option; words such as ``auto`` are not bounded.

    Attributes
    ----------
    at_least, at_most
        The smallest and the largest allowed number.
    above, below
        The exclusive lower and upper bound. ``below=math.inf`` requires a finite number.

    Examples
    --------
    >>> str(Bounds(at_least=1)), str(Bounds(above=0, at_most=1)), str(Bounds(above=0, below=math.inf))
    ('at least 1', 'above 0 and at most 1', 'above 0 and finite')
    """

    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None
    below: float | None = None

    def allow(self, value: object) -> bool:
        """Return whether the value is a word, or a number within the bounds; NaN is never allowed.

        Examples
        --------
        >>> Bounds(at_least=1).allow(1), Bounds(at_least=1).allow(0), Bounds(at_least=1).allow("auto")
        (True, False, True)
        """
        if not isinstance(value, (int, float)):
            return True
        return (
            (self.at_least is None or value >= self.at_least)
            and (self.at_most is None or value <= self.at_most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )

    def __str__(self) -> str:
        limits = {
            "at least": self.at_least,
            "above": self.above,
            "at most": self.at_most,
            "below": self.below,
        }
        return " and ".join(
            "finite" if (words, limit) == ("below", math.inf) else f"{words} {written(limit)}"
            for words, limit in limits.items()
            if limit is not None
        )


def bounds(
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    below: float | None = None,
) -> dict[str, Any]:
    """Return the metadata of an option without a default: ``n: int = field(metadata=bounds(at_least=1))``.

    An option with a default is declared by `option`. Without a default, `dataclasses.field` is called
    directly, so that type checkers know that the option is required.
    """
    return {"bounds": Bounds(at_least, at_most, above, below)}


def option(
    default: T,
    *,
    only: Only | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    above: float | None = None,
    below: float | None = None,
    aliases: tuple[str, ...] = (),
    last: bool = False,
) -> T:
    """Declare an option with a default and what its type cannot express.

    A subclass that redeclares an option with another default keeps the inherited bounds.

    Parameters
    ----------
    default
        The value if none is given.
    only
        The values of other options, by name, with which this option can change the value of the metric; or a
        function of the metric. Otherwise the option is left out of the signature. An option of None is
        always left out.
    at_least, at_most, above, below
        The bounds of a number: see `Bounds`.
    aliases
        Other names of the option in a spec; signatures and Python use the name of the field.
    last
        Whether the option comes after those of subclasses.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Window:
    ...     size: int = option(50, at_least=1)
    ...     def __post_init__(self) -> None:
    ...         check_options(self, "window")
    >>> Window(size=0)
    Traceback (most recent call last):
    distinctly.errors.SpecError: Expected `size` of 'window' to be at least 1, got 0.
    """
    metadata: dict[str, Any] = {"only": only or {}, "aliases": aliases, "last": last}
    declared: T = field(
        default=default,
        metadata=metadata | bounds(at_least=at_least, at_most=at_most, above=above, below=below),
    )
    return declared


def setting(
    default: T,
    help: str,  # noqa: A002 - the usual name
    *,
    metavar: str = "",
    flag: str = "",
    unset: str = "",
    at_least: float | None = None,
) -> T:
    """Declare a field that is also an option on the command line; see `settings_of`.

    Parameters
    ----------
    default
        The value if none is given.
    help
        What the option does, in one sentence.
    metavar
        The placeholder of the value in the help; by default, the choices.
    flag
        The name of the option, if it differs from that of the field.
    unset
        The meaning of a default of None, in words.
    at_least
        The smallest allowed number.
    """
    metadata = {"help": help, "metavar": metavar, "flag": flag, "unset": unset}
    declared: T = field(default=default, metadata=metadata | bounds(at_least=at_least))
    return declared


@dataclass(frozen=True)
class Setting:
    """A field as an option on the command line.

    Attributes
    ----------
    name, flag
        The name of the field, and that of the option with dashes.
    kind
        ``bool`` for a switch, ``int`` for a whole number, ``str`` otherwise.
    choices
        The allowed words; empty if any word is allowed.
    default
        The default in words; empty if there is none to show.
    at_least
        The smallest allowed number.
    switches_to
        The value that a switch gives to the field.
    """

    name: str
    flag: str
    help: str
    metavar: str
    kind: type[bool] | type[int] | type[str]
    choices: tuple[str | int, ...]
    default: str
    at_least: float | None
    switches_to: bool


def settings_of(owner: type[HasOptions]) -> dict[str, Setting]:
    """Return the fields declared by `setting`, by name, in order.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Run:
    ...     threads: int | None = setting(None, "Number of threads.", unset="all cores", at_least=1)
    ...     cache: bool = setting(True, "Do not use the cache.")
    >>> threads, cache = settings_of(Run).values()
    >>> threads.flag, threads.kind, threads.default, cache.flag, cache.switches_to
    ('--threads', <class 'int'>, 'all cores', '--no-cache', False)
    """
    return {f.name: _setting(f, _types(owner)[f.name]) for f in option_fields(owner) if "help" in f.metadata}


def _setting(f: Field[Any], annotation: Any) -> Setting:
    members = _members(annotation)
    choices = tuple(c for m in members if typing.get_origin(m) is Literal for c in typing.get_args(m))
    kind = bool if bool in members else int if int in members and str not in members else str
    name = f.metadata["flag"] or f.name.replace("_", "-")
    default = f.metadata["unset"] if f.default is None else str(f.default)
    return Setting(
        name=f.name,
        flag=f"--no-{name}" if f.default is True else f"--{name}",
        help=f.metadata["help"],
        metavar=f.metadata["metavar"] or "|".join(map(str, choices)) or "N",
        kind=kind,
        choices=choices,
        default="" if kind is bool else default,
        at_least=f.metadata["bounds"].at_least,
        switches_to=f.default is not True,
    )


def hidden(default: T) -> T:
    """Declare a field that is not an option but filled in by the engine."""
    declared: T = field(default=default, compare=False, repr=False, metadata={"hidden": True})
    return declared


def view_option() -> str:
    """Declare the field `of` of a metric; it is hidden, since a signature shows the view itself."""
    declared: str = field(default="", metadata={"hidden": True})
    return declared


def option_fields(owner: HasOptions | type[HasOptions]) -> list[Field[Any]]:
    """Return the fields that are options, in order."""
    options = [f for f in fields(owner) if not f.metadata.get("hidden")]
    return sorted(options, key=lambda f: bool(f.metadata.get("last")))


def option_names(owner: HasOptions | type[HasOptions]) -> dict[str, str]:
    """Return the field of each option name that a spec may use, aliases last."""
    options = option_fields(owner)
    aliases = {alias: f.name for f in options for alias in aliases_of(f)}
    return {f.name: f.name for f in options} | aliases


def aliases_of(f: Field[Any]) -> tuple[str, ...]:
    """Return the aliases of an option."""
    aliases: tuple[str, ...] = f.metadata.get("aliases", ())
    return aliases


def options_of(owner: HasOptions) -> dict[str, Value]:
    """Return the options that can change the value of the metric, by name."""
    options: dict[str, Value] = {}
    for f in option_fields(owner):
        value = getattr(owner, f.name)
        if value is not None and _has_effect(owner, f.metadata.get("only", {})):
            options[f.name] = value
    return options


def _has_effect(owner: HasOptions, only: Only) -> bool:
    if callable(only):
        return only(owner)
    return all(getattr(owner, other) in values for other, values in only.items())


def settle_options(owner: HasOptions) -> None:
    """Reset options that cannot change the value to their defaults, so that equivalent metrics are equal."""
    effective = options_of(owner)
    for f in option_fields(owner):
        if f.name not in effective and f.default is not MISSING:
            object.__setattr__(owner, f.name, f.default)


def written(value: Value) -> str:
    """Return the value of an option as a spec and a signature write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def bytes_of(amount: str) -> int | None:
    """Return the number of bytes of an amount such as 4GB; None if it is not an amount.

    Examples
    --------
    >>> bytes_of("0.5GB"), bytes_of("64 MiB"), bytes_of("much")
    (500000000, 67108864, None)
    """
    match = _AMOUNT.fullmatch(amount)
    if match is None or match[2].lower() not in _UNITS:
        return None
    return int(float(match[1]) * _UNITS[match[2].lower()])


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split `name:option=value,…` into the name and the values of its options, as text.

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
    """Return the options of a spec with their types, or raise if one is unknown or invalid."""
    kinds, names = _types(owner), option_names(owner)
    options: dict[str, Value] = {}
    for key, word in words.items():
        if key not in names:
            raise unknown("option", key, names, of=f"'{name}'")
        if names[key] in options:
            raise SpecError(f"Option '{names[key]}' of '{name}' is given twice, once by an alias.")
        options[names[key]] = _read(name, names[key], word, kinds)
    return options


def check_options(owner: HasOptions, name: str = "") -> None:
    """Raise if the type or the bounds of a field do not allow its value.

    Errors mention `name`, the owner of the options, unless it is empty.
    """
    for field_name, allowed, limits in _checks(type(owner)):
        value = getattr(owner, field_name)
        if type(value) not in allowed.types and not allowed.has(value):
            raise _refusal(name, field_name, repr(value), _types(type(owner))[field_name])
        if limits is not None and not limits.allow(value):
            raise SpecError(f"Expected {_titled(field_name, name)} to be {limits}, got {value}.")


def describe_type(owner: type[HasOptions], key: str) -> str:
    """Return the allowed values of an option in words, with its bounds."""
    limits = _bounds(owner).get(key)
    return _describe(_types(owner)[key], f", {limits}" if limits else "")


def default_of(f: Field[Any]) -> Value | None:
    """Return the default of an option, or None if the option is required."""
    return None if f.default is MISSING else f.default


@functools.cache
def _types(owner: type[HasOptions]) -> dict[str, Any]:
    hints = typing.get_type_hints(owner)
    return {f.name: hints[f.name] for f in option_fields(owner)}


@functools.cache
def _bounds(owner: type[HasOptions]) -> dict[str, Bounds]:
    """Return the bounds of each bounded option, from the nearest class that declares them."""
    declared: dict[str, Bounds] = {}
    for kind in owner.__mro__:
        for name, f in getattr(kind, "__dataclass_fields__", {}).items():
            limits = f.metadata.get("bounds", Bounds())
            if limits != Bounds():
                declared.setdefault(name, limits)
    return declared


@dataclass(frozen=True)
class _Allowed:
    """The values that the annotation of an option allows: those of some types, and some words or numbers."""

    types: frozenset[type]
    choices: tuple[object, ...]

    @classmethod
    def by(cls, annotation: Any) -> _Allowed:
        """Return what an annotation allows."""
        members = _members(annotation)
        literals = [member for member in members if typing.get_origin(member) is Literal]
        others = {member for member in members if member not in literals}
        choices = tuple(choice for literal in literals for choice in typing.get_args(literal))
        # A whole number is one of the real numbers.
        return cls(frozenset(others | ({int} if float in others else set())), choices)

    def has(self, value: object) -> bool:
        """Return whether a value is one of the choices: True is not 1."""
        return any(value == choice and type(value) is type(choice) for choice in self.choices)


@functools.cache
def _checks(owner: type[HasOptions]) -> list[tuple[str, _Allowed, Bounds | None]]:
    """Return what each option allows."""
    kinds, limits = _types(owner), _bounds(owner)
    return [(f.name, _Allowed.by(kinds[f.name]), limits.get(f.name)) for f in option_fields(owner)]


def _members(kind: Any) -> tuple[Any, ...]:
    if typing.get_origin(kind) in (Union, types.UnionType):
        return typing.get_args(kind)
    return (kind,)


def _read(name: str, key: str, word: str, kinds: Mapping[str, Any]) -> Value:
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
            if number == number:  # not NaN
                return number
        if kind is str:
            return word
    raise _refusal(name, key, f"'{word}'", kinds[key])


def _describe(kind: Any, limits: str = "") -> str:
    words: list[str] = []
    for member in _members(kind):
        if typing.get_origin(member) is Literal:
            words += [str(choice) for choice in typing.get_args(member)]
        elif member in (int, float):
            words.append({int: "a whole number", float: "a number"}[member] + limits)
        else:
            names = {bool: "yes or no", str: "text", Callable: "a function"}
            named = typing.get_origin(member) or member
            # None means that the option is not given.
            words += [] if member is types.NoneType else [names.get(named, named.__name__)]
    return " | ".join(words)


def _refusal(name: str, key: str, shown: str, kind: Any) -> SpecError:
    choices = [str(c) for m in _members(kind) if typing.get_origin(m) is Literal for c in typing.get_args(m)]
    hint = str(unknown("", shown.strip("'"), choices)) if choices else ""
    _, meant, close = hint.partition("Did you mean ")
    suggestion = f" Did you mean {close.split('?')[0]}?" if meant else ""
    return SpecError(f"Expected {_titled(key, name)} to be {_describe(kind)}, got {shown}.{suggestion}")


def _titled(key: str, name: str) -> str:
    return f"`{key}` of '{name}'" if name else f"`{key}`"
