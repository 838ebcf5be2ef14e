"""The glossary: alphabetical, short, and linked."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path


def entries(root: Path) -> list[tuple[str, str]]:
    """Return the terms of the glossary, with what it says about them."""
    text = (root / "docs" / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^- \*\*(.+?)\*\*: (.+?)(?=^- |\Z)", text, re.MULTILINE | re.DOTALL)


def in_order(term: str) -> str:
    """Return a term as it is sorted: without case, accents, hyphens and the like."""
    plain = unicodedata.normalize("NFKD", term).casefold()
    return re.sub(r"[^a-z0-9 ]", "", plain)


def test_terms_are_in_alphabetical_order_and_occur_once(root: Path) -> None:
    terms = [in_order(term) for term, _ in entries(root)]
    assert len(terms) >= 40
    assert terms == sorted(set(terms))


def test_every_term_is_explained_in_two_or_three_sentences_with_a_link(root: Path) -> None:
    bullets = (root / "docs" / "glossary.md").read_text(encoding="utf-8").count("\n- ")
    assert bullets == len(entries(root))
    for term, body in entries(root):
        assert re.search(r"\]\([^)]+\.md", body), term
        assert len(body.split()) < 70, term
