"""The repetitions of an overview: phrases and texts that occur most often, with examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.overview.held import Held
from distinctly.report.cells import printable
from distinctly.report.page import Item, Listing
from distinctly.report.pages.explanations import explained
from distinctly.run.explain import repeated_ngrams
from distinctly.score import Scores
from distinctly.views.rows import Rows
from distinctly.views.tokens import TokenView

# Tokens per phrase.
PHRASES = (2, 4)


def with_phrases(scores: Scores, corpora: Sequence[Held], view: TokenView, most: int) -> Scores:
    """Return scores whose descriptions of corpora list repeated phrases and repeated texts."""
    by_name = {corpus.name: corpus for corpus in corpora}
    descriptions = [
        {**description, "explain": _explanation(description, by_name[description["name"]], view, most)}
        for description in scores.corpora
    ]
    return Scores(list(scores), descriptions, scores.comparisons)


def _explanation(description: Mapping[str, Any], corpus: Held, view: TokenView, most: int) -> dict[str, Any]:
    tokens = Rows(corpus.batch)[view]
    texts = Counter(corpus.texts)
    repeated = [(text, times) for text, times in texts.items() if times > 1]
    # Ties are broken by the text, so that the order of reading does not show.
    first = sorted(repeated, key=lambda pair: (-pair[1], pair[0]))[:most]
    return {
        **description.get("explain", {}),
        "ngrams": [{"n": n, "repeated": repeated_ngrams(tokens, n, most)} for n in PHRASES],
        "copies": [{"text": text, "times": times} for text, times in first],
    }


def repeat_blocks(scores: Scores) -> list[Listing]:
    """Return the listings of each corpus."""
    listings = []
    for description in scores.corpora:
        copies = description.get("explain", {}).get("copies", ())
        if copies:
            name = printable(str(description["name"]))
            items = [Item(f"{copy['times']:,} ×", [printable(copy["text"])]) for copy in copies]
            listings.append(Listing(f"Most repeated texts of {name}", items))
    return [*listings, *explained(scores)]
