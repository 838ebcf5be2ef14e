"""Where sentences end."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from tests.strategies import TEXTS

from distinctly.tokenizers.sentences import sentence_ends


def cut(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[start:end].strip() for start, end in zip([0, *ends], ends) if text[start:end].strip()]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("one . two ! three ?", ["one .", "two !", "three ?"]),
        ("Well… maybe. Or ... not", ["Well…", "maybe.", "Or ...", "not"]),
        ("Really?! Yes.", ["Really?!", "Yes."]),
        ("He said “no.” She left.", ["He said “no.”", "She left."]),
        ("(It rains.) Go home.", ["(It rains.)", "Go home."]),
        ("It costs $3.50 at example.com today", ["It costs $3.50 at example.com today"]),
        ("Mr. Lee met Dr . Ray. They talked.", ["Mr. Lee met Dr . Ray.", "They talked."]),
        ("J. R. Smith and I. We know", ["J. R. Smith and I.", "We know"]),
        ("Use tools, e.g. a hammer. In the U.S. too.", ["Use tools, e.g. a hammer.", "In the U.S. too."]),
        ("Oh no. I know.", ["Oh no.", "I know."]),
        ("Steps:\n1. Open it.\n2. Close it.", ["Steps:", "1. Open it.", "2. Close it."]),
        ("In 1990. Then", ["In 1990.", "Then"]),
        ("a title\nand a text", ["a title", "and a text"]),
        ("你好！今天怎么样？很好。", ["你好！", "今天怎么样？", "很好。"]),
        ("他说：“走吧。”我们走了", ["他说：“走吧。”", "我们走了"]),
        ("", []),
        ("...", ["..."]),
    ],
)
def test_by_example(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


@given(text=TEXTS)
def test_ends_ascend_and_lose_nothing(text: str) -> None:
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert ends[-1] == len(text)


@pytest.mark.parametrize("piece", [".", "”", ".”", "1. ", "a.", "Mr. ", "!?", "\n."])
def test_long_runs_take_linear_time(piece: str) -> None:
    start = time.perf_counter()
    sentence_ends(piece * 200_000 + "x")
    # About half a second; a quadratic rule would take hours.
    assert time.perf_counter() - start < 20
