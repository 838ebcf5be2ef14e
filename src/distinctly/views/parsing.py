"""Parsing of the option `of=`, which names a view."""

from __future__ import annotations

import re
from urllib.parse import unquote

from distinctly.errors import SpecError
from distinctly.taggers.base import Tagger
from distinctly.tokenizers import TOKENIZERS, find_tokenizer
from distinctly.views.tags import TagView
from distinctly.views.tokens import TokenView

_FORM = re.compile(r"(?P<name>[\w-]+)(?:\((?P<options>.*)\))?")


def parse_view(text: str, tagger: Tagger) -> TokenView | TagView:
    r"""Return the view that `of=` names: tags, or the tokens of a tokenizer.

    Options are in parentheses, separated by semicolons; reserved characters are percent-encoded.

    Examples
    --------
    >>> from distinctly.taggers import find_tagger
    >>> parse_view("words(punct=no;lc=yes)", find_tagger(None)).tokenizer.options()
    {'lc': 'yes', 'punct': 'no'}
    >>> parse_view("regex(pattern=%5Cw%2B)", find_tagger(None)).tokenizer.pattern
    '\\w+'
    """
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise SpecError(
            f"Expected `of` to be tags, or a tokenizer such as char or words(punct=no;lc=yes), got '{text}'."
        )
    name = form["name"]
    words = [word for word in (form["options"] or "").split(";") if word]
    if name == "tags":
        if words:
            raise SpecError(f"Expected `of=tags` without options, got '{text}'.")
        return TagView(tagger)
    pairs = [
        (key.strip(), unquote(value.strip())) for key, _, value in (word.partition("=") for word in words)
    ]
    bare = TOKENIZERS[name].bare if name in TOKENIZERS else ""
    first = [value for key, value in pairs if key == bare]
    rest = [f"{key}={value}" for key, value in pairs if key != bare]
    return TokenView(find_tokenizer(f"{name}:{','.join([*first, *rest])}" if pairs else name))
