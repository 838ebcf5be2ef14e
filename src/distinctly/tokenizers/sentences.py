"""Where sentences end: one rule for scripts with and without spaces.

1. A line end ends a sentence, and so does the end of the text.
2. A run of the marks ``. ! ? … 。 ！ ？``, with the quotes and brackets that close after it, ends a sentence
   if it contains one of ``。 ！ ？``, or if white space or the end of the text follows. So ``3.14``,
   ``example.com`` and ``U.S.A`` have no end inside.
3. A single ``.`` ends no sentence after an abbreviation (`ABBREVIATIONS`, or letters with dots between them,
   such as ``e.g.`` and ``U.S.``), after a single capital letter other than I, or after a number of up to
   three digits that begins a line (an item of a list). There may be a space before it, as in tokenized text.

So a sentence that ends with an abbreviation is joined with the next one. A sentence may begin with a letter
in lower case, since many corpora have no others.
"""

from __future__ import annotations

import re

ABBREVIATIONS = frozenset(
    re.findall(
        r"\w+",
        "mr mrs ms dr prof rev hon gov sen rep gen col capt lt sgt jr sr st mt vs cf fig figs vol eds dept "
        "approx inc ltd corp jan feb apr jun jul aug sept oct nov dec ave blvd bzw ca evtl ggf nr sog bijv "
        "dhr mevr",
    )
)
_LINE_ENDS = "\n\r\u2028\u2029"
_ANYWHERE = "。！？"
_MARKS = f".!?…{_ANYWHERE}"
_CLOSING = "\"'”’)\\]}»›」』）】》"
_END = re.compile(f"[{_LINE_ENDS}]|(?P<marks>[{_MARKS}]+)[{_CLOSING}]*")
# The last word before a full stop, without opening quotes and brackets.
_WORD = re.compile(r"(?:^|\s)[^\w\s]*(\w(?:[\w.]*\w)?) ?\Z")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_NUMBER = re.compile(r"\s*\d{1,3} ?")
# Longer words are no abbreviations.
_LONGEST = 20


def sentence_ends(text: str) -> list[int]:
    """Return the places after which a sentence ends, ascending; the last one is the end of the text.

    Examples
    --------
    >>> text = "Dr. Lee paid $3.50. “Why?” Nobody knew"
    >>> ends = sentence_ends(text)
    >>> [text[start:end] for start, end in zip([0, *ends], ends)]
    ['Dr. Lee paid $3.50.', ' “Why?”', ' Nobody knew']
    >>> text = "你好！今天怎么样？很好"
    >>> [text[start:end] for start, end in zip([0, *sentence_ends(text)], sentence_ends(text))]
    ['你好！', '今天怎么样？', '很好']
    """
    ends, line = [], 0
    for match in _END.finditer(text):
        marks, end = match["marks"], match.end()
        if marks is None:
            line = end
        elif not any(mark in _ANYWHERE for mark in marks):
            if end < len(text) and not text[end].isspace():
                continue
            if marks == "." and _abbreviates(text, line, match.start()):
                continue
        ends.append(end)
    return ends if ends and ends[-1] == len(text) else [*ends, len(text)]


def _abbreviates(text: str, line: int, stop: int) -> bool:
    """Return whether the full stop at a place belongs to an abbreviation, or to the number of a list item."""
    if _NUMBER.fullmatch(text, line, stop):
        return True
    match = _WORD.search(text[max(line, stop - _LONGEST) : stop])
    if match is None:
        return False
    word = match[1]
    if len(word) == 1:
        return word.isupper() and word != "I"
    return word.lower() in ABBREVIATIONS or _DOTTED.fullmatch(word) is not None
