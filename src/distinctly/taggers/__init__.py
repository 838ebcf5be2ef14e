"""Taggers: from a text to its tags, such as parts of speech."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from distinctly.errors import SpecError
from distinctly.taggers.base import Tagger
from distinctly.taggers.function import FunctionTagger
from distinctly.taggers.given import GivenTags

AnyTagger = Tagger | Callable[[Any], Iterable[str]] | str


def find_tagger(wanted: AnyTagger | None) -> Tagger:
    """Return the tagger that is meant: a function or `module:function`; the tags that were given otherwise.

    Examples
    --------
    >>> find_tagger(None).name, find_tagger(lambda text: text.split()).name
    ('given', 'function')
    """
    if wanted is None:
        return GivenTags()
    if isinstance(wanted, Tagger):
        return wanted
    if isinstance(wanted, str):
        from distinctly.loading import load_function

        return FunctionTagger(call=load_function(wanted, "tagger"))
    if not callable(wanted):
        raise SpecError(f"Expected a tagger to be a function from a text to its tags, got {wanted!r}.")
    return FunctionTagger(call=wanted)
