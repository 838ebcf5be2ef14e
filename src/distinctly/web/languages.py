"""Languages of pages: the direction in which they are written."""

from __future__ import annotations

_RIGHT_TO_LEFT = frozenset(
    ["ar", "arc", "ckb", "dv", "fa", "he", "iw", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"]
)
_SCRIPTS = frozenset(["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"])


def direction_of(language: str) -> str:
    """Return ``rtl`` for a language that is written from right to left, else ``ltr``.

    Examples
    --------
    >>> direction_of("he"), direction_of("ar-EG"), direction_of("pa-Arab"), direction_of("zh")
    ('rtl', 'rtl', 'rtl', 'ltr')
    """
    first, *others = language.lower().replace("_", "-").split("-")
    scripts = [part for part in others if len(part) == 4]
    if scripts:
        return "rtl" if scripts[0] in _SCRIPTS else "ltr"
    return "rtl" if first in _RIGHT_TO_LEFT else "ltr"
