"""Every metric has a card with the same sections, whose values of the demonstration are those of today."""

from __future__ import annotations

import importlib.util
import math
import re
from pathlib import Path

import pytest

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.metrics import Metric
from distinctly.registry import find_metric, metric_names
from distinctly.score import Scores
from distinctly.spec import parse_metrics

HEADINGS = ["When to use it", "Typical values", "Details"]
ADVICE = ["**Use it** ", "**Not** ", "**It counts** "]
BEGIN, END = "<!-- typical values -->\n", "<!-- end of typical values -->\n"
DEMO = ["demo:english-varied", "demo:english-repetitive"]
TAGGER = "hanta"
# Other versions of zlib find other repetitions; WordLlama's vectors are float32.
TOLERANCE = {"compression": 0.02}
LAST_DIGIT = 0.51

every_card = pytest.mark.parametrize("name", metric_names())


def card_of(root: Path, name: str) -> str:
    return (root / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")


def section(card: str, heading: str) -> str:
    (text,) = re.findall(rf"^## {heading}\n\n(.*?)(?=^## |\Z)", card, re.MULTILINE | re.DOTALL)
    return str(text)


def table_of(card: str, name: str) -> list[list[str]]:
    """Return the cells of the table of typical values."""
    run = f"run `python -m scripts.typical_values {name}`, or with --demo where there are no public data sets"
    between = re.findall(f"{BEGIN}(.*?){END}", section(card, HEADINGS[1]), re.DOTALL)
    assert len(between) == 1, f"write {BEGIN!r} and {END!r} under '## {HEADINGS[1]}' of the card, and {run}"
    lines = [line for line in between[0].splitlines() if line.startswith("|")]
    assert lines, f"the card of {name} has no typical values: {run}"
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]


@every_card
def test_cards_have_the_same_sections(root: Path, name: str) -> None:
    card = card_of(root, name)
    headings = re.findall(r"^## (.*)$", card, re.MULTILINE)
    missing = f"the card of {name} needs '## {HEADINGS[0]}', '## {HEADINGS[1]}' and '## {HEADINGS[2]}' first"
    assert headings[:3] == HEADINGS, missing
    advice = re.findall(r"^- (.*(?:\n  .*)*)$", section(card, HEADINGS[0]), re.MULTILINE)
    assert [next((word for word in ADVICE if each.startswith(word)), each) for each in advice] == ADVICE


@every_card
def test_cards_say_what_is_counted(root: Path, name: str) -> None:
    kind = find_metric(name)
    counted = section(card_of(root, name), HEADINGS[0]).partition(ADVICE[2])[2].replace("\n  ", " ")
    (metric, *_) = (request.metric for request in parse_metrics([table_of(card_of(root, name), name)[0][-1]]))
    expected = {
        "texts": "the texts as they are",
        "vectors": "no tokens: it reads [vectors",
        "tokens": {
            "": "[words and punctuation marks]",
            "words(punct=no;lc=yes)": "[words](../tokens.md#words) in lower case, without punctuation",
            "words(punct=no)": "[words](../tokens.md#words) without punctuation",
            "tags": "[tags]",
        }.get(kind.default_view, f"`{kind.default_view}`"),
    }[metric.sees]
    assert expected in counted


@every_card
def test_typical_values_of_the_demonstration_are_those_of_today(root: Path, name: str) -> None:
    """Other corpora are not part of the repository; see tests/test_typical_values.py."""
    head, _, *rows = table_of(card_of(root, name), name)
    kind, specs = find_metric(name), head[2:]
    assert {request.metric.metric_name() for request in parse_metrics(specs)} == {name}
    if issubclass(kind, Distance):
        assert rows[0][:2] == DEMO
        measured = [dy.compare(*DEMO, specs)]
        shown = [rows[0][2:]]
    else:
        assert [row[0] for row in rows[:2]] == DEMO
        measured = [measure_demo(corpus, kind, specs) for corpus in DEMO]
        shown = [row[2:] for row in rows[:2]]
    for scores, cells in zip(measured, shown):
        assert len(cells) == len(scores) == len(specs) > 0
        for score, cell in zip(scores, cells):
            assert_shown(score.value, cell, TOLERANCE.get(name, 0.0))


def measure_demo(corpus: str, kind: type[Metric], specs: list[str]) -> Scores:
    if kind.default_view == "tags" and importlib.util.find_spec("HanTa") is None:
        pytest.skip("needs HanTa, the tagger of the table")
    texts = dy.read(corpus).texts()
    needs_quality = "quality" in parse_metrics(specs)[0].metric.reads_columns
    return dy.measure(
        texts,
        specs,
        quality=[1.0] * len(texts) if needs_quality else None,
        tagger=TAGGER if kind.default_view == "tags" else None,
    )


def assert_shown(value: float, cell: str, tolerance: float) -> None:
    """A cell has the value, rounded to its own last digit, and perhaps the number of texts that have one."""
    shown = cell.partition(" (of ")[0].replace(",", "")
    if shown == "–":
        assert math.isnan(value)
        return
    digits = len(shown.partition(".")[2])
    allowed = LAST_DIGIT * 10**-digits + tolerance * abs(value)
    assert abs(float(shown) - value) <= allowed, f"{shown}, not {value}"
