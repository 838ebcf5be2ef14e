"""The links of documents lead to files and headings that exist."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as Python-Markdown makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode() for text in headings]
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", text).strip().lower()) for text in plain}


def links(page: Path) -> list[str]:
    """Return the links of a page that lead to files, outside of code."""
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", re.sub(r"`[^`\n]+`", "", prose))


@pytest.mark.parametrize("pattern", ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/*/*.md"])
def test_links_lead_to_files_and_headings(root: Path, pattern: str) -> None:
    pages = sorted(root.glob(pattern))
    assert pages
    for page in pages:
        for link in links(page):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            assert target.exists(), f"{page.relative_to(root)}: {link}"
            assert not anchor or anchor in anchors(target), f"{page.relative_to(root)}: {link}"
