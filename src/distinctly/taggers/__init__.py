"""Taggers: from a text to its tags, such as parts of speech."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from distinctly.errors import SpecError
from distinctly.taggers.base import Tagger
from distinctly.taggers.function import FunctionTagger
from distinctly.taggers.given import GivenTags

AnyTagger = Tagger | Callable[[Any], Iterable[str]] | str


def find_tagger(tagger: AnyTagger | None) -> Tagger:
    """Return the tagger of a function or of `module:function`; by default, the tags given with the texts.

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
        from distinctly.loading import load_function

        return FunctionTagger(call=load_function(tagger, "tagger"))
    if not callable(tagger):
        raise SpecError(f"Expected a tagger to be a function from a text to its tags, got {tagger!r}.")
    return FunctionTagger(call=tagger)
