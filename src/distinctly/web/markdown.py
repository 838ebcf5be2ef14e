"""Instructions in Markdown as HTML: headings, lists, emphasis, code and links; everything else is text."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_ITEM = re.compile(r"\s{0,3}(?P<bullet>[-*+]|(?P<number>\d{1,9})[.)])\s+(?P<text>.*)")
_RULE = re.compile(r"\s{0,3}([-*_])(\s*\1){2,}\s*")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
# Code, and links of the web; what is between them may have emphasis.
_INLINE = re.compile(r"(`[^`]+`)|\[([^\][]+)\]\((https?://[^\s()]+|mailto:[^\s()]+)\)")
_EMPHASIS = (
    (re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"), "strong"),
    (re.compile(r"(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)"), "strong"),
    (re.compile(r"\*(?=[^\s*])(.+?)(?<=[^\s*])\*"), "em"),
    (re.compile(r"(?<!\w)_(?=[^\s_])(.+?)(?<=[^\s_])_(?!\w)"), "em"),
)


def as_html(text: str) -> Markup:
    r"""Return Markdown as HTML in which only our tags have a meaning.

    A heading of the first level becomes one of the second, since the page has a title. HTML and images are
    shown as they are written.

    Examples
    --------
    >>> print(as_html("# Task\n\nScore **all** sets <b>."))
    <h2>Task</h2>
    <p>Score <strong>all</strong> sets &lt;b&gt;.</p>
    """
    return Markup("\n").join(_blocks(text.splitlines()))


def _blocks(lines: list[str]) -> Iterator[Markup]:
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line.strip():
            place += 1
        elif _FENCE.match(line):
            end = next((at for at in range(place + 1, len(lines)) if _FENCE.match(lines[at])), len(lines))
            yield Markup("<pre>{}</pre>").format("\n".join(lines[place + 1 : end]))
            place = end + 1
        elif heading := _HEADING.fullmatch(line):
            level = min(max(len(heading[1]), 2), 4)
            yield _tagged(f"h{level}", _inline(heading[2]))
            place += 1
        elif _RULE.fullmatch(line):
            yield Markup("<hr>")
            place += 1
        elif _ITEM.match(line):
            end = _end_of_list(lines, place)
            yield _list(lines[place:end])
            place = end
        else:
            end = place + 1
            while end < len(lines) and lines[end].strip() and not _begins_block(lines[end]):
                end += 1
            yield _tagged("p", _lines(lines[place:end]))
            place = end


def _begins_block(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_FENCE, _ITEM)) or bool(_HEADING.fullmatch(line))


def _end_of_list(lines: list[str], start: int) -> int:
    """Return the place after a list: blank lines belong to it if another item or an indented line follows."""
    end = start + 1
    is_numbered = _is_numbered(lines[start])
    while end < len(lines):
        if _ITEM.match(lines[end]) and _is_numbered(lines[end]) != is_numbered:
            break
        if lines[end].strip():
            after_blank = not lines[end - 1].strip()
            is_inside = _ITEM.match(lines[end]) is not None or lines[end].startswith("  ")
            if not is_inside and (after_blank or _begins_block(lines[end])):
                break
        elif end + 1 == len(lines):
            break
        end += 1
    return end


def _is_numbered(line: str) -> bool:
    item = _ITEM.match(line)
    return item is not None and item["number"] is not None


def _list(lines: list[str]) -> Markup:
    items: list[list[str]] = []
    first = _ITEM.match(lines[0])
    for line in lines:
        item = _ITEM.match(line)
        if item is not None:
            items.append([item["text"]])
        elif line.strip():
            items[-1].append(line.strip())
    body = Markup("").join(_tagged("li", _lines(item)) for item in items)
    if first is None or first["number"] is None:
        return _tagged("ul", body)
    return Markup('<ol start="{}">{}</ol>').format(int(first["number"]), body)


def _lines(lines: list[str]) -> Markup:
    """Return lines of one paragraph; two spaces at the end of a line break it."""
    written = _inline(lines[0].strip())
    for before, line in itertools.pairwise(lines):
        written += (Markup("<br>\n") if before.endswith("  ") else Markup("\n")) + _inline(line.strip())
    return written


def _tagged(tag: str, body: Markup) -> Markup:
    return Markup("<{0}>{1}</{0}>").format(tag, body)


def _inline(text: str) -> Markup:
    written, last = Markup(""), 0
    for special in _INLINE.finditer(text):
        written += _emphasized(text[last : special.start()])
        if special[1]:
            written += Markup("<code>{}</code>").format(special[1].strip("`"))
        else:
            link = Markup('<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>')
            written += link.format(special[3], special[2])
        last = special.end()
    return written + _emphasized(text[last:])


def _emphasized(text: str) -> Markup:
    written = str(escape(text))
    for pattern, tag in _EMPHASIS:
        written = pattern.sub(rf"<{tag}>\1</{tag}>", written)
    return Markup(written)  # noqa: S704 - escaped, but for our tags
