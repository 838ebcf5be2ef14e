"""Tokenizers: from a text to its tokens. The file's name is the tokenizer's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from distinctly.errors import SpecError, unknown
from distinctly.options import read_options, split_spec
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.char import Char
from distinctly.tokenizers.function import Function
from distinctly.tokenizers.given import Given
from distinctly.tokenizers.regex import Regex
from distinctly.tokenizers.whitespace import Whitespace
from distinctly.tokenizers.words import Words

AnyTokenizer = str | Tokenizer | Callable[[str], Iterable[str]]

TOKENIZERS: dict[str, type[Tokenizer]] = {kind.name: kind for kind in (Words, Whitespace, Char, Regex, Given)}

# A pattern may hold anything, so the options come last and are named in full.
_REGEX_SPEC = re.compile(r"(?P<pattern>.*?)(?P<options>(?:,(?:lc|norm)=[a-z]+)*)", re.DOTALL)


def find_tokenizer(wanted: AnyTokenizer) -> Tokenizer:
    r"""Return the tokenizer that a spec, a function or a tokenizer means.

    Examples
    --------
    >>> find_tokenizer("words:lc=yes,norm=nfkc")
    Words(lc=True, norm='nfkc')
    >>> find_tokenizer(r"regex:\w+,lc=yes")
    Regex(lc=True, norm='none', pattern='\\w+')
    """
    if isinstance(wanted, Tokenizer):
        return wanted
    if not isinstance(wanted, str):
        if not callable(wanted):
            raise SpecError(f"Expected a tokenizer's name or a function from text to tokens, got {wanted!r}.")
        return Function(call=wanted)
    if wanted.startswith("regex:"):
        found = _REGEX_SPEC.fullmatch(wanted.removeprefix("regex:"))
        parts: Any = found.groupdict() if found else {}
        _, words = split_spec("regex:" + parts["options"].removeprefix(","))
        return Regex(pattern=parts["pattern"], **_options(Regex, "regex", words))
    name, words = split_spec(wanted)
    if name == "regex":
        raise SpecError(r"Expected a pattern after 'regex:', as in regex:\w+, got nothing.")
    if name == Function.name:
        raise SpecError("The tokenizer was a Python function: pass the function itself as `tokenizer`.")
    if name not in TOKENIZERS:
        raise unknown("tokenizer", name, TOKENIZERS)
    return TOKENIZERS[name](**_options(TOKENIZERS[name], name, words))


def _options(kind: type[Tokenizer], name: str, words: dict[str, str]) -> dict[str, Any]:
    return dict(read_options(kind, name, words))
