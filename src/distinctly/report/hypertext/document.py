"""The whole page: head, policy, contents, sections, data and scripts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from distinctly.report.hypertext import blocks, charts, maps, tables
from distinctly.report.hypertext.charts import Chart
from distinctly.report.hypertext.colours import THEMES, Looks, colour_rules
from distinctly.report.hypertext.text import data, markup
from distinctly.report.page import (
    Block,
    Code,
    Concordance,
    Figure,
    Forest,
    Heading,
    HeatMap,
    Listing,
    Notes,
    Page,
    Paragraph,
    Plot,
    Section,
    Signatures,
    Table,
    TextMap,
)
from distinctly.version import __version__

# Fewer sections need no table of contents.
FEW_SECTIONS = 3
_TITLES = {"scores": "Scores", "texts": "One value per text", "terms": "Keyness"}
_FOLDER = Path(__file__).parent


def write(page: Page) -> str:
    """Return a page as HTML."""
    writer = _Writer(page)
    body = "".join(writer.sections())
    scripts = ["page.js"]
    embedded = ""
    if writer.charts:
        embedded = (
            f'<script type="application/json" id="chart-data">{data(_chart_data(writer.charts))}</script>'
        )
        scripts += ["charts.js", "maps.js"]
    sources = [_read(name) for name in scripts]
    if writer.charts:
        sources.insert(1, _bokeh_script())
    style = f"{_read('style.css')}\n{colour_rules()}\n"
    heading = "Report" if writer.titles else _TITLES.get(page.title, page.title)
    names = ", ".join(block.text for block in page.blocks if isinstance(block, Heading))
    title = f"{heading}: {names}" if names else heading
    # The nonce is a hash of everything else: no text can contain it, and the same page is the same file.
    contents = [style, _read("theme.js"), *sources, body, embedded, title]
    nonce = hashlib.sha256("\0".join(contents).encode("utf-8", "backslashreplace")).hexdigest()[:32]
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )
    written = "".join(f'<script nonce="{nonce}">{source}</script>\n' for source in sources)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{markup(title, 120)} · distinctly</title>\n"
        f'<style nonce="{nonce}">{style}</style>\n<script nonce="{nonce}">{_read("theme.js")}</script>\n'
        '</head>\n<body>\n<a class="skip" href="#main">Skip to the contents</a>\n'
        f'<header class="top"><h1>{markup(heading)}</h1>'
        '<button type="button" id="theme" hidden>Theme: system</button></header>\n'
        f"{writer.contents()}\n"
        f'<main id="main" tabindex="-1">\n{body}\n</main>\n'
        f"<footer>Written by distinctly {markup(__version__)}. "
        "This file loads nothing from a network.</footer>\n"
        f"{embedded}\n{written}</body>\n</html>\n"
    )


def _read(name: str) -> str:
    return (_FOLDER / name).read_text("utf-8")


def _bokeh_script() -> str:
    """Return the script of Bokeh, from its package."""
    import bokeh

    path = Path(bokeh.__file__).parent / "server" / "static" / "js" / "bokeh.min.js"
    # Nothing in a script may look like its end.
    return path.read_text("utf-8").replace("</script", "<\\/script")


class _Writer:
    """Writes the blocks of a page in order, numbers their ids, and keeps the charts."""

    def __init__(self, page: Page) -> None:
        self.blocks = list(page.blocks)
        self.looks = Looks(self.blocks)
        self.titles = [block.title for block in self.blocks if isinstance(block, Section)]
        self.charts: list[Chart] = []
        self._count = 0

    def contents(self) -> str:
        """Return the table of contents; empty if there are few sections."""
        if len(self.titles) < FEW_SECTIONS:
            return ""
        items = "".join(
            f'<li><a href="#section-{place}">{markup(title)}</a></li>'
            for place, title in enumerate(self.titles, 1)
        )
        return f'<nav class="contents" aria-label="Contents"><ol>{items}</ol></nav>'

    def sections(self) -> Iterator[str]:
        """Yield the blocks before the first section, and the sections."""
        starts = [place for place, block in enumerate(self.blocks) if isinstance(block, Section)]
        first = starts[0] if starts else len(self.blocks)
        yield from self._written(self.blocks[:first], 2)
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(self.blocks)]), 1):
            section = self.blocks[start]
            if isinstance(section, Section):
                meaning = (
                    f'<p class="meaning">{markup(section.meaning, 10_000)}</p>' if section.meaning else ""
                )
                yield f'<section aria-labelledby="section-{number}"><h2 id="section-{number}">'
                yield f"{markup(section.title)}</h2>{meaning}"
                yield from self._written(self.blocks[start + 1 : end], 3)
                yield "</section>\n"

    def _written(self, members: Sequence[Block], level: int) -> Iterator[str]:
        """Yield blocks as markup; neighbours of a kind are written together."""
        for _, group in groupby(members, _kind):
            alike = list(group)
            headings = [block for block in alike if isinstance(block, Heading)]
            paragraphs = [block for block in alike if isinstance(block, Paragraph)]
            listings = [block for block in alike if isinstance(block, Listing)]
            if headings:
                yield blocks.write_headings(headings, self.looks)
            elif listings:
                yield blocks.write_listings(listings, level)
            elif paragraphs:
                yield blocks.write_paragraphs(paragraphs)
            else:
                for block in alike:
                    yield self._block(block, level) + "\n"

    def _block(self, block: Block, level: int) -> str:
        self._count += 1
        name = f"block-{self._count}"
        if isinstance(block, Table):
            return tables.write_table(block, name, self.looks)
        if isinstance(block, HeatMap):
            return tables.write_heat_map(block, name, self.looks)
        if isinstance(block, Concordance):
            return blocks.write_concordance(block)
        if isinstance(block, Notes):
            return blocks.write_notes(block)
        if isinstance(block, Signatures):
            return blocks.write_signatures(block, name, level)
        if isinstance(block, Code):
            return blocks.write_code(block, name, level)
        if isinstance(block, Figure):
            return blocks.write_figure(block)
        return self._chart(block, name, level)

    def _chart(self, block: Block, name: str, level: int) -> str:
        from distinctly.report.html import need_bokeh

        need_bokeh()
        if isinstance(block, Forest):
            text, drawn = charts.write_forest(block, name, level, self.looks)
        elif isinstance(block, Plot):
            text, drawn = charts.write_plot(block, name, level, self.looks)
        elif isinstance(block, TextMap):
            text, drawn = maps.write_map(block, name, level, self.looks)
        else:
            raise TypeError(f"expected a block of a page, got {type(block).__name__}")
        self.charts += drawn
        return text


def _kind(block: Block) -> tuple[type[Block], str]:
    return type(block), block.role if isinstance(block, Paragraph) else ""


def _chart_data(drawn: Sequence[Chart]) -> dict[str, Any]:
    """Return the charts as plain data: the document of Bokeh with short ids, and what the scripts need."""
    from bokeh.document import Document

    document = Document()
    for chart in drawn:
        document.add_root(chart.figure)
    written = _renumbered(document.to_json(deferred=False))
    roots = [str(root["id"]) for root in written["roots"]]
    return {
        "document": written,
        "themes": THEMES,
        "charts": [
            {"root": root, "target": chart.target, **chart.facts} for root, chart in zip(roots, drawn)
        ],
    }


def _renumbered(document: Any) -> Any:
    """Return a document of Bokeh whose ids, which count up while a program runs, begin at 1."""
    numbers: dict[str, str] = {}

    def walk(value: Any) -> Any:
        if isinstance(value, Mapping):
            plain = {key: walk(part) for key, part in value.items() if key != "id"}
            if isinstance(value.get("id"), str):
                plain["id"] = numbers.setdefault(value["id"], f"m{len(numbers) + 1}")
            return plain
        if isinstance(value, (list, tuple)):
            return [walk(part) for part in value]
        return value

    return walk(document)
