"""Parsing of the option `of=`, which names a view."""

from __future__ import annotations

import re
from urllib.parse import unquote

from distinctly.errors import SpecError
from distinctly.options import option_names
from distinctly.taggers.base import Tagger
from distinctly.tokenizers import TOKENIZERS, find_tokenizer
from distinctly.views.tags import TagView
from distinctly.views.tokens import TokenView

# The name of the view of tags.
TAGS = "tags"
_FORM = re.compile(r"(?P<name>[\w-]+)(?:\((?P<options>.*)\))?")


def parse_view(text: str, tagger: Tagger, *, trust: bool = True) -> TokenView | TagView:
    r"""Return the view that `of=` names: tags, or the tokens of a tokenizer.

    Options are in parentheses, separated by semicolons; reserved characters are percent-encoded. Without
    `trust`, a tokenizer with files outside the working folder, or to download, is an error.

    Examples
    --------
    >>> from distinctly.taggers import find_tagger
    >>> parse_view("words(punct=no;lc=yes)", find_tagger(None)).tokenizer.options()
    {'lc': 'yes', 'punct': 'no'}
    >>> parse_view("regex(pattern=%5Cw%2B)", find_tagger(None)).tokenizer.pattern
    '\\w+'
    >>> parse_view(r"regex(\w+;lc=yes)", find_tagger(None)).tokenizer
    Regex(lc=True, norm='none', pattern='\\w+')
    """
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise SpecError(
            f"Expected `of` to be tags, or a tokenizer such as char or words(punct=no;lc=yes), got '{text}'."
        )
    name = form["name"]
    words = [word for word in (form["options"] or "").split(";") if word]
    if name == TAGS:
        if words:
            raise SpecError(f"Expected `of=tags` without options, got '{text}'.")
        return TagView(tagger)
    bare = TOKENIZERS[name].bare if name in TOKENIZERS else ""
    named = option_names(TOKENIZERS[name]) if bare else {}
    first, rest = [], []
    for word in words:
        key, equals, value = (part.strip() for part in word.partition("="))
        if bare and (not equals or named.get(key, bare) == bare):
            # The name of this option may be omitted, as in the spec of the tokenizer.
            first.append(unquote(value if key in named else word.strip()))
        else:
            rest.append(f"{key}{equals}{unquote(value)}")
    if len(first) > 1:
        raise SpecError(f"Expected one {bare} in '{text}', got {len(first)}. Write ; in it as %3B.")
    spec = f"{name}:{','.join([*first, *rest])}" if words else name
    return TokenView(find_tokenizer(spec, trust=trust))
