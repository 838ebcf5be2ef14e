"""Taggers: from a text to its tags, such as parts of speech. Optional packages are imported when needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from distinctly.errors import SpecError, UntrustedError, unknown
from distinctly.options import option_names, read_options, split_spec
from distinctly.taggers.base import Tagger
from distinctly.taggers.function import FunctionTagger
from distinctly.taggers.given import GivenTags
from distinctly.taggers.hanta import Hanta
from distinctly.taggers.spacy import Spacy

AnyTagger = Tagger | Callable[[Any], Iterable[str]] | str
TAGGERS: dict[str, type[Hanta | Spacy]] = {kind.name: kind for kind in (Hanta, Spacy)}


def find_tagger(tagger: AnyTagger | None, *, trust: bool = True) -> Tagger:
    """Return the tagger of a spec, or of a function or its name; by default, the tags given with the texts.

    Parameters
    ----------
    tagger
        The tagger.
    trust
        Whether a spec may name functions, and pipelines that run code.

    Examples
    --------
    >>> find_tagger(None).name, find_tagger(lambda text: text.split()).name
    ('given', 'function')
    """
    if tagger is None:
        return GivenTags()
    if isinstance(tagger, Tagger):
        return tagger
    if isinstance(tagger, str):
        return _named(tagger.strip(), trust=trust)
    if not callable(tagger):
        raise SpecError(f"Expected a tagger to be a function from a text to its tags, got {tagger!r}.")
    return FunctionTagger(call=tagger)


def _named(spec: str, *, trust: bool) -> Tagger:
    name, colon, _ = spec.partition(":")
    if name in TAGGERS:
        kind = TAGGERS[name]
        options = _options(kind, spec)
        if not trust and (needed := kind.needs_trust(options)):
            raise UntrustedError(
                f"The signature names {needed}: pass trust=True if you trust its author, or the tagger "
                "yourself as `tagger`."
            )
        return kind(**options)
    if not trust:
        raise UntrustedError(
            f"The signature names the tagger '{spec}', which runs only if you trust its author: pass the "
            "tagger yourself as `tagger`."
        )
    if not colon:
        raise unknown("tagger", spec, [*TAGGERS, "module:function"])
    from distinctly.loading import load_function

    return FunctionTagger(call=load_function(spec, "tagger", TAGGERS))


def _options(kind: type[Hanta | Spacy], spec: str) -> dict[str, Any]:
    """Return the options of `name:option=value,…`, after the bare one if the tagger has one."""
    if not kind.bare:
        return dict(read_options(kind, kind.name, split_spec(spec)[1]))
    names = "|".join(name for name, field in option_names(kind).items() if field != kind.bare)
    first, *words = re.split(rf",(?=(?:{names})=)", spec.partition(":")[2])
    pairs = (word.partition("=") for word in words)
    return {kind.bare: first, **read_options(kind, kind.name, {key: value for key, _, value in pairs})}
