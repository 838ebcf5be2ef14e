"""Options of commands within a line of text: they are not broken at their hyphens."""

from __future__ import annotations

import re

_CODE = re.compile(r"<code>[^<]*</code>")
# An option of one letter stays with its value, unless that is too long for a phone.
_OPTION = re.compile(r"(?<=[ >])(?:-\w [^\s<]{1,24}|--\w[\w-]*)(?=[ <])")


def unbroken(html: str) -> str:
    """Return a page whose options of commands are not broken at the end of a line.

    Examples
    --------
    >>> unbroken("<td><code>distinctly measure a.txt --per-text -m ttr</code></td>")[-85:]
    '<span class="option">--per-text</span> <span class="option">-m ttr</span></code></td>'
    """
    return _CODE.sub(lambda code: _OPTION.sub(r'<span class="option">\g<0></span>', code[0]), html)
