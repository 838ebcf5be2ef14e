"""Texts of strangers in a page: nothing in them is markup, script, or invisible."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from typing import Any

from distinctly.errors import escaped
from distinctly.report.cells import clipped

# Longer texts are shortened.
LONGEST = 1000
# Characters that could end a script or begin markup, and line ends of old scripts.
_UNSAFE = re.compile("[<>&\u2028\u2029]")


def visible(text: str, longest: int = LONGEST) -> str:
    r"""Return a text that is shown as it is read: control characters and marks of direction are escaped.

    Line feeds and wide spaces stay what they are.

    Examples
    --------
    >>> visible("a\u202eb\tc\n\u3000d")
    'a\\u202eb\\tc\n\u3000d'
    """
    short = clipped(text, longest)
    return short if short.isprintable() else "".join(map(_visible, short))


def _visible(character: str) -> str:
    if character == "\n" or unicodedata.category(character) == "Zs":
        return character
    return escaped(character)


def markup(text: str, longest: int = LONGEST) -> str:
    """Return a text as it is written between tags, or in an attribute between double quotes.

    Examples
    --------
    >>> markup('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return html.escape(visible(text, longest), quote=True)


def isolated(text: str, longest: int = LONGEST) -> str:
    """Return a text of a corpus in an element of its own, whose direction changes nothing around it.

    Examples
    --------
    >>> isolated("a")
    '<bdi dir="auto">a</bdi>'
    """
    return f'<bdi dir="auto">{markup(text, longest)}</bdi>'


def data(value: Any) -> str:
    """Return plain data as JSON that can stand in a script element.

    Examples
    --------
    >>> data(["</script>"]) == '["' + chr(92) + 'u003c/script' + chr(92) + 'u003e"]'
    True
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda character: f"\\u{ord(character[0]):04x}", text)


def plural(count: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> plural(1, "text"), plural(3000, "text"), plural(2, "corpus")
    ('1 text', '3,000 texts', '2 corpora')
    """
    several = {"corpus": "corpora"}.get(noun, f"{noun}s")
    return f"{count:,} {noun if count == 1 else several}"
