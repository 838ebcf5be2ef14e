"""The job of the calculator: the scores of pasted texts, the values of each text, and what is repeated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distinctly.api import COUNTED_METRICS, DEFAULT_PER_TEXT, measure, per_text
from distinctly.report.pages.scores import page_of_scores
from distinctly.report.pages.texts import page_of_texts
from distinctly.tokenizers import find_tokenizer
from distinctly.web import fields
from distinctly.web.fields import Field, read_body
from distinctly.web.highlighting import repeated_ngrams, shown_part
from distinctly.web.jobs import RUN, Answer, answered

# What is measured as one types, and what of more text than that, for which some of these take seconds.
METRICS = (
    *("distinct", "ead", "entropy:n=1", "duplicates", "self_repetition", "self_bleu", "homogenization"),
    *("compression", "ttr", "mtld", "vendi", "dispersion"),
)
MOST_CHARACTERS, MOST_TEXTS = 300_000, 2_000
LARGEST_N = 10
# The number of texts whose own values are shown.
MOST_ROWS = 200

CALCULATE: Mapping[str, Field] = {
    "texts": fields.texts("The texts."),
    "metrics": fields.METRICS,
    "tokenizer": fields.TOKENIZER,
    "n": fields.number("The length of the n-grams to highlight.", 1, LARGEST_N),
}


def calculate_json(body: bytes) -> Answer:
    """Answer a request of the calculator."""
    return answered(lambda: _calculated(read_body(body, CALCULATE)))


def _calculated(request: dict[str, Any]) -> dict[str, Any]:
    texts, n = request.pop("texts"), request.pop("n", 2)
    more = request.pop("metrics", [])
    small = len(texts) <= MOST_TEXTS and sum(map(len, texts)) <= MOST_CHARACTERS
    metrics = list(dict.fromkeys([*(METRICS if small else COUNTED_METRICS), *more]))
    scores = measure(texts, metrics, **request, **RUN)
    rows = per_text(texts[:MOST_ROWS], DEFAULT_PER_TEXT, **request, **RUN)
    shown = shown_part(texts)
    repeated = repeated_ngrams(shown, find_tokenizer(request.get("tokenizer", "words"), trust=False), n)
    return {
        "metrics": metrics,
        "scores": page_of_scores(scores).document(),
        "per_text": page_of_texts(rows).document(),
        "repeated": {
            "n": n,
            "whole": shown == texts,
            "texts": repeated.texts,
            "most_frequent": repeated.most_frequent,
        },
    }
