"""The reasoning that some models write before their answer, between tags."""

from __future__ import annotations

import re

REASONING_REMOVED = "Removed the reasoning of texts, <think>…</think> (--reasoning keep to keep it)"
REASONING_ALONE = "Texts of reasoning alone, whose answer is taken as empty (--reasoning keep to keep it)"

_TAG = r"(think|thinking|thought|reasoning)"
_BLOCK = re.compile(rf"<{_TAG}>.*?</\1>", re.DOTALL)
# The prompt of some models ends with the opening tag, so that their texts begin inside.
_BEGUN = re.compile(rf"\A.*</{_TAG}>", re.DOTALL)
# Reasoning that reached the limit of tokens has no end.
_ENDLESS = re.compile(rf"\A\s*<{_TAG}>.*", re.DOTALL)


def without_reasoning(text: str) -> str:
    r"""Return a text without its reasoning, and without white space around what is left.

    Examples
    --------
    >>> without_reasoning("<think>\nA greeting.\n</think>\n\nHello!")
    'Hello!'
    >>> without_reasoning("A greeting.\n</think>\n\nHello!")
    'Hello!'
    >>> without_reasoning("<think>\nA greeting, or")
    ''
    >>> without_reasoning(" no reasoning ")
    ' no reasoning '
    """
    if "<" not in text:
        return text
    answer = _ENDLESS.sub("", _BEGUN.sub("", _BLOCK.sub("", text)))
    return text if answer == text else answer.strip()
