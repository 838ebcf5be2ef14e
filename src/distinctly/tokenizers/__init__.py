"""Tokenizers: from a text to its tokens. Optional packages are imported when a tokenizer needs them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from distinctly.errors import SpecError, UntrustedError
from distinctly.loading import load_named
from distinctly.options import option_names, read_options, split_spec
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.char import Char
from distinctly.tokenizers.flores import Flores101, Flores200
from distinctly.tokenizers.function import Function
from distinctly.tokenizers.given import Given
from distinctly.tokenizers.hf import Hf
from distinctly.tokenizers.jieba import Jieba
from distinctly.tokenizers.kyle import Kyle
from distinctly.tokenizers.lexicalrichness import LexicalRichness
from distinctly.tokenizers.mecab import JaMecab, KoMecab
from distinctly.tokenizers.regex import Regex
from distinctly.tokenizers.sacrebleu import Intl, Mteval13a, Zh
from distinctly.tokenizers.whitespace import Whitespace
from distinctly.tokenizers.words import Words

AnyTokenizer = str | Tokenizer | Callable[[str], Iterable[str | int]]

OURS = (Words, Whitespace, Char, Regex, Given)
LINGUISTS = (LexicalRichness, Kyle)
SACREBLEU = (Mteval13a, Intl, Zh, JaMecab, KoMecab, Flores101, Flores200)
TOKENIZERS: dict[str, type[Tokenizer]] = {
    kind.name: kind for kind in (*OURS, *LINGUISTS, *SACREBLEU, Jieba, Hf)
}

# Tokenizers that sacreBLEU has renamed.
RENAMED = {"spm": "flores101"}


def find_tokenizer(wanted: AnyTokenizer, *, trust: bool = True) -> Tokenizer:
    r"""Return the tokenizer of a spec, or of a function or its name; a tokenizer is returned as it is.

    Parameters
    ----------
    wanted
        The tokenizer.
    trust
        Whether a spec may name functions, files outside the working folder, and models to download.

    Examples
    --------
    >>> find_tokenizer("words:lc=yes,norm=nfkc").options()
    {'lc': 'yes', 'norm': 'nfkc'}
    >>> find_tokenizer("words:lowercase=yes,punct=no").options()
    {'lc': 'yes', 'punct': 'no'}
    >>> find_tokenizer(r"regex:\w+,lc=yes")
    Regex(lc=True, norm='none', pattern='\\w+')
    """
    if isinstance(wanted, Tokenizer):
        return wanted
    if not isinstance(wanted, str):
        if not callable(wanted):
            raise SpecError(
                f"Expected the name of a tokenizer or a function from text to tokens, got {wanted!r}."
            )
        return Function(call=wanted)
    name = wanted.partition(":")[0].strip()
    if name == Function.name:
        raise SpecError("The tokenizer was a Python function: pass the function itself as `tokenizer`.")
    if name in RENAMED:
        raise SpecError(f"sacreBLEU has renamed its tokenizer '{name}': use '{RENAMED[name]}'.")
    if name not in TOKENIZERS:
        return _function(wanted.strip(), trust=trust)
    kind = TOKENIZERS[name]
    options = _bare_options(kind, wanted) if kind.bare else _options(kind, wanted)
    if not trust and (needed := kind.needs_trust(options)):
        raise UntrustedError(f"The signature names {needed}: pass trust=True if you trust its author.")
    return kind(**options)


def _function(spec: str, *, trust: bool) -> Function:
    """Return the tokenizer of `module:function` or `file.py:function`, with options after a comma."""
    call, options = load_named(spec, "tokenizer", TOKENIZERS, trust=trust)
    return Function(call=call, **_options(Function, f"{Function.name}:{options}"))


def _bare_options(kind: type[Tokenizer], spec: str) -> dict[str, Any]:
    """Return the options of `name:anything,option=value`: named options come last."""
    text = spec.partition(":")[2]
    named = "|".join(name for name, field in option_names(kind).items() if field != kind.bare)
    # The pattern also matches the empty string at the end, so there is always a match.
    start = next(re.finditer(rf"(?:,(?:{named})=[a-z0-9]+)*\Z", text)).start()
    return {kind.bare: text[:start], **_options(kind, f"{kind.name}:{text[start + 1 :]}")}


def _options(kind: type[Tokenizer], spec: str) -> dict[str, Any]:
    return dict(read_options(kind, kind.name, split_spec(spec)[1]))
