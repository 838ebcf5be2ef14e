"""The fields of requests: their JSON schema for the documentation, and their checks, in one place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeGuard

from distinctly.errors import InputError, SpecError, unknown
from distinctly.web.allowed import EMBEDDER, TOKENIZERS, check_embedder, check_metric, check_tokenizer

Texts = list[str] | list[list[str]]
Corpora = Texts | dict[str, Texts]
MOST_METRICS = 100
MOST_CORPORA = 100
_STRINGS = {"type": "array", "items": {"type": "string"}}
_TEXTS = {"oneOf": [_STRINGS, {"type": "array", "items": _STRINGS}]}


@dataclass(frozen=True)
class Field:
    """A field of a request.

    Attributes
    ----------
    meaning
        One sentence for the documentation.
    schema
        Its JSON schema.
    check
        A function that returns the value, given the name of the field, or raises an error.
    required
        Whether it has to be given.
    """

    meaning: str
    schema: Mapping[str, object]
    check: Callable[[str, object], object]
    required: bool = False


def texts(meaning: str, *, required: bool = True) -> Field:
    """Return a field of one corpus."""
    return Field(meaning, _TEXTS, _checked_texts, required)


def corpora(meaning: str, *, required: bool = True) -> Field:
    """Return a field of one corpus, or of several by name."""
    by_name = {"type": "object", "additionalProperties": _TEXTS}
    return Field(meaning, {"oneOf": [*_TEXTS["oneOf"], by_name]}, _checked_corpora, required)


def number(meaning: str, least: int, most: int) -> Field:
    """Return a field of a whole number between two bounds."""

    def check(name: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise SpecError(
                f"Expected `{name}` to be a whole number from {least:,} to {most:,}, got {shown(value)}."
            )
        return value

    return Field(meaning, {"type": "integer", "minimum": least, "maximum": most}, check)


def flag(meaning: str) -> Field:
    """Return a field that is true or false."""

    def check(name: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise SpecError(f"Expected `{name}` to be true or false, got {shown(value)}.")
        return value

    return Field(meaning, {"type": "boolean"}, check)


def word(meaning: str) -> Field:
    """Return a field of a short text, such as the name of a field of a file."""

    def check(name: str, value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= 200:
            raise SpecError(f"Expected `{name}` to be a text of 1 to 200 characters, got {shown(value)}.")
        return value

    return Field(meaning, {"type": "string", "maxLength": 200}, check)


def choice(meaning: str, *values: str) -> Field:
    """Return a field of one of several words."""

    def check(name: str, value: object) -> str:
        if value not in values:
            raise unknown("value", str(value)[:60], values, of=f"`{name}`")
        return str(value)

    return Field(meaning, {"type": "string", "enum": list(values)}, check)


def _spec(meaning: str, check_spec: Callable[[str], None]) -> Field:
    def check(name: str, value: object) -> str:
        if not isinstance(value, str):
            raise SpecError(f"Expected `{name}` to be a text, got {shown(value)}.")
        check_spec(value)
        return value

    return Field(meaning, {"type": "string"}, check)


def _checked_texts(name: str, value: object) -> Texts:
    if not isinstance(value, list):
        raise InputError(f"Expected `{name}` to be a list of strings, got {shown(value)}.")
    if _are_strings(value):
        return value
    if value and all(isinstance(item, list) for item in value):
        lists = [item for item in value if isinstance(item, list)]
        for place, item in enumerate(lists, 1):
            if not _are_strings(item):
                raise _no_string(name, item, f"list {place}, item ")
        return lists
    raise _no_string(name, value, "item ")


def _are_strings(values: list[object]) -> TypeGuard[list[str]]:
    return all(isinstance(value, str) for value in values)


def _no_string(name: str, values: list[object], where: str) -> InputError:
    place, value = next((place, value) for place, value in enumerate(values, 1) if not isinstance(value, str))
    return InputError(f"Expected `{name}` to be a list of strings, got {shown(value)} in {where}{place}.")


def _checked_corpora(name: str, value: object) -> Corpora:
    if not isinstance(value, dict):
        return _checked_texts(name, value)
    if not 1 <= len(value) <= MOST_CORPORA:
        raise InputError(f"Expected `{name}` to have 1 to {MOST_CORPORA} corpora, got {len(value)}.")
    return {str(key): _checked_texts(f"{name}.{str(key)[:60]}", item) for key, item in value.items()}


def _checked_metrics(name: str, value: object) -> list[str]:
    specs = [value] if isinstance(value, str) else value
    if not isinstance(specs, list) or not _are_strings(specs) or not 1 <= len(specs) <= MOST_METRICS:
        raise SpecError(
            f'Expected `{name}` to be a list of 1 to {MOST_METRICS} specs, as ["distinct:n=2", "ead"], got '
            f"{shown(value)}."
        )
    for spec in specs:
        check_metric(spec)
    return specs


def _checked_labels(name: str, value: object) -> list[str | int]:
    labels = value if isinstance(value, list) else []
    checked = [label for label in labels if isinstance(label, (str, int)) and not isinstance(label, bool)]
    if not isinstance(value, list) or len(checked) < len(labels):
        raise InputError(f"Expected `{name}` to be a list of strings or whole numbers, got {shown(value)}.")
    return checked


METRICS = Field("The metrics, as specs.", _STRINGS, _checked_metrics)
TOKENIZER = _spec(f"The tokenizer, such as words:lc=yes; one of {', '.join(TOKENIZERS)}.", check_tokenizer)
EMBEDDERS = _spec(f"The embedder: {EMBEDDER}, with options.", check_embedder)
GROUPS = Field(
    "One group per text, such as the prompt that it answers.",
    {"type": "array", "items": {"type": ["string", "integer"]}},
    _checked_labels,
)
SEED = number("The seed of random draws.", 0, 2**32 - 1)


def read_body(body: bytes, fields: Mapping[str, Field], *, absent: Iterable[str] = ()) -> dict[str, object]:
    """Return the fields of a request in JSON, each checked; null is the same as leaving a field out.

    Parameters
    ----------
    body
        The request.
    fields
        The fields that it may have.
    absent
        Fields that must not be given, since a file takes their place.
    """
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SyntaxError(f"Expected JSON: {str(error)[:200]}.") from None
    if not isinstance(request, dict):
        raise SpecError(f'Expected a JSON object such as {{"texts": ["…"]}}, got {shown(request)}.')
    known = {name: field for name, field in fields.items() if name not in set(absent)}
    values: dict[str, object] = {}
    for name, value in request.items():
        if name not in known:
            raise unknown("field", str(name)[:60], known)
        if value is not None:
            values[name] = known[name].check(name, value)
    for name, field in known.items():
        if field.required and name not in values:
            raise SpecError(f"Expected the field `{name}`: {field.meaning}")
    return values


def schema_of(fields: Mapping[str, Field]) -> dict[str, object]:
    """Return the JSON schema of a request."""
    return {
        "type": "object",
        "properties": {
            name: {**field.schema, "description": field.meaning} for name, field in fields.items()
        },
        "required": [name for name, field in fields.items() if field.required],
        "additionalProperties": False,
    }


def shown(value: object) -> str:
    """Return a value in an error message: what it is in JSON, and how it begins."""
    kinds = {dict: "an object", list: "a list", str: "the text", bool: "", type(None): "null"}
    kind = kinds.get(type(value), "the number")
    if isinstance(value, dict | list) or value is None:
        return kind
    text = json.dumps(value, ensure_ascii=False)
    return f"{kind} {text if len(text) <= 60 else text[:60] + '…'}".strip()
