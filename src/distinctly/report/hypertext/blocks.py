"""Blocks of text as markup: sentences, notes, listings, signatures, code and figures."""

from __future__ import annotations

import base64
from collections.abc import Sequence

from distinctly.report.hypertext.colours import Looks
from distinctly.report.hypertext.text import isolated, markup
from distinctly.report.page import (
    Code,
    Concordance,
    Figure,
    Heading,
    Item,
    Listing,
    Notes,
    OwnedNote,
    Paragraph,
    Signatures,
)

# More signatures than this are folded.
MOST_SIGNATURES = 12
# Longer texts of a listing are folded.
LONG = 200


def write_headings(headings: Sequence[Heading], looks: Looks) -> str:
    """Return the corpora as a list."""
    items = "".join(
        f"<li><strong>{looks.named(heading.text)}</strong> {markup(heading.detail)}</li>"
        for heading in headings
    )
    return f'<ul class="corpora">{items}</ul>'


def write_paragraphs(paragraphs: Sequence[Paragraph]) -> str:
    """Return paragraphs of the same role; differences and verdicts are lists."""
    role = paragraphs[0].role
    if role in ("difference", "verdict"):
        items = "".join(f"<li>{_sentences(paragraph)}</li>" for paragraph in paragraphs)
        return f'<ul class="{role}s">{items}</ul>'
    return "".join(f'<p class="{role}">{_sentences(paragraph)}</p>' for paragraph in paragraphs)


def _sentences(paragraph: Paragraph) -> str:
    return ("<strong>Bold</strong>: " if paragraph.of_best else "") + markup(paragraph.text, 10_000)


def write_listings(listings: Sequence[Listing], level: int) -> str:
    """Return listings, each under its title; beside each other where there is room."""
    return f'<div class="listings">{"".join(_listing(listing, level) for listing in listings)}</div>\n'


def _listing(listing: Listing, level: int) -> str:
    items = "".join(f"<li>{_item(item)}</li>" for item in listing.items)
    lines = f'<ul class="listing">{items}</ul>' if items else f"<p>{markup(listing.nothing)}</p>"
    return f"<div><h{level}>{markup(listing.title)}</h{level}>{lines}</div>"


def _item(item: Item) -> str:
    texts = ' <span class="muted">|</span> '.join(map(_text, item.texts))
    label = f'<span class="label">{markup(item.label)}</span>' if item.label else ""
    remark = f'<span class="muted">{markup(item.remark)}</span>' if item.remark else ""
    example = f'<span class="example">{isolated(item.example, LONG)}</span>' if item.example else ""
    return f'{label}<div class="body">{texts} {remark} {example}</div>'


def _text(text: str) -> str:
    """Return a text of a listing; a long one is folded."""
    if len(text) <= LONG:
        return f'<span class="text">{isolated(text)}</span>'
    return f"<details><summary>{isolated(text, LONG)}</summary><p>{isolated(text)}</p></details>"


def write_concordance(concordance: Concordance) -> str:
    """Return the occurrences of a term below each other."""
    rows = "".join(
        f'<tr><td class="muted">{markup(line.label)}</td><td class="left">{isolated(line.left, LONG)}</td>'
        f"<td><strong>{isolated(line.match, LONG)}</strong></td><td>{isolated(line.right, LONG)}</td></tr>"
        for line in concordance.lines
    )
    title = markup(concordance.title)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{title}"><table class="context">'
        f"<caption>{title}</caption><tbody>{rows}</tbody></table></div>"
    )


def write_notes(notes: Notes) -> str:
    """Return the notes; warnings stand out, and those after the most important ones are folded."""
    shown, rest = notes.items[: notes.most], notes.items[len(notes.items[: notes.most]) :]
    if not shown:
        return ""
    more = ""
    if rest:
        title = f"{len(rest):,} more note{'s' * (len(rest) != 1)}"
        more = f"<details><summary>{title}</summary>{_notes(rest)}</details>"
    return f'<aside class="notes" aria-label="Notes">{_notes(shown)}{more}</aside>'


def _notes(items: Sequence[OwnedNote]) -> str:
    lines = "".join(
        f'<li class="{item.note.level}"><strong>{_level(item)}</strong> {markup(item.text, 10_000)}</li>'
        for item in items
    )
    return f"<ul>{lines}</ul>"


def _level(item: OwnedNote) -> str:
    return "Warning:" if item.note.level == "warning" else "Note:"


def write_signatures(signatures: Signatures, name: str, level: int) -> str:
    """Return the signatures, each with a button that copies it."""
    if not signatures.lines:
        return ""
    lines = "".join(
        f'<li><code id="{name}-{place}">{markup(line, 10_000)}</code>'
        f"{_copy(f'{name}-{place}', 'signature')}</li>"
        for place, line in enumerate(signatures.lines, 1)
    )
    listed = f'<ol class="signatures" id="{name}">{lines}</ol>'
    if len(signatures.lines) > MOST_SIGNATURES:
        listed = f"<details><summary>{len(signatures.lines):,} signatures</summary>{listed}</details>"
    return (
        f"<h{level}>Signatures</h{level}><p>Cite one with every number you report. "
        f"{_copy_all(name)}</p>{listed}"
    )


def _copy(target: str, noun: str) -> str:
    return (
        f'<button type="button" class="copy" data-copy="{target}" aria-label="Copy this {noun}">Copy</button>'
    )


def _copy_all(target: str) -> str:
    return f'<button type="button" class="copy" data-copy-all="{target}">Copy all signatures</button>'


def write_code(code: Code, name: str, level: int) -> str:
    """Return text to copy, with a button for that."""
    return (
        f'<div class="code"><div class="head"><h{level}>{markup(code.title)}</h{level}>'
        f'{_copy(name, "text")}</div><div class="scroll" role="region" tabindex="0" '
        f'aria-label="{markup(code.title)}"><pre id="{name}">{markup(code.text, 1_000_000)}</pre></div></div>'
    )


def write_figure(figure: Figure) -> str:
    """Return the drawings of a figure as images, each with what it shows in words."""
    return "".join(
        f"<figure><figcaption>{markup(drawing.name)}</figcaption>"
        f'<img src="data:{drawing.kind};base64,{base64.b64encode(drawing.content).decode()}" '
        f'alt="{markup(drawing.meaning, 10_000)}"></figure>'
        for drawing in figure.draw()
    )
