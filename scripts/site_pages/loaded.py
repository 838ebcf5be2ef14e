"""What a page of the site would load from another machine."""

from __future__ import annotations

import re

# Links that a reader may follow load nothing.
_LOADED = re.compile(
    r"<(?:script|img|iframe|source|video|audio)\b[^>]*?\bsrc=[\"']?((?:https?:)?//[^\s>\"']+)"
    r"|<link\b(?=[^>]*?\brel=[\"']?(?:stylesheet|preconnect|preload|dns-prefetch|icon)\b)"
    r"[^>]*?\bhref=[\"']?((?:https?:)?//[^\s>\"']+)"
    r"|(?:url\(|@import\s+)[\"']?((?:https?:)?//[^)\s\"']+)",
    re.IGNORECASE,
)


def loaded_from_elsewhere(text: str) -> list[str]:
    """Return the addresses that a page or style sheet loads from another machine.

    Examples
    --------
    >>> loaded_from_elsewhere('<a href="https://a.org"><img src="https://b.org/c.png"><img src="d.png">')
    ['https://b.org/c.png']
    """
    return [address for match in _LOADED.findall(text) for address in match if address]
