"""What MkDocs calls to build the site: generated pages, navigation and links; see `mkdocs.yml`."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from site_pages.commands import command_pages
from site_pages.loaded import loaded_from_elsewhere
from site_pages.navigation import navigation, section_list
from site_pages.options import unbroken
from site_pages.outside import DOCS, find_outside, relink
from site_pages.python import python_pages

ROOT = Path(__file__).parents[1]
_LOG = logging.getLogger("mkdocs.hooks.site")
# The start page has this line where the list of sections is to be.
_SECTIONS = "<!-- sections -->"
# Doctests have prompts. Blocks within a longer fence are shown as they are written.
_DOCTEST = re.compile(r"^(````+).*?^\1$|^```python\n(?=(?:\s*\n)*>>> )", re.MULTILINE | re.DOTALL)
_PATHS: dict[str, str] = {}  # of files of the repository, by page
_URIS: dict[str, str] = {}  # of pages, by path in the repository
_LIST: list[str] = []


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages, and make the navigation of all pages."""
    for uri, text in {**python_pages(), **command_pages()}.items():
        files.append(File.generated(config, uri, content=f"---\nsearch:\n  boost: 0.5\n---\n\n{text}\n"))
    written = {f"{DOCS}/{file.src_uri}": file.content_string for file in files.documentation_pages()}
    outside = find_outside(ROOT, written)
    for path, file in outside.items():
        if file.content is None:
            files.append(File.generated(config, file.uri, abs_src_path=str(ROOT / path)))
        else:
            files.append(File.generated(config, file.uri, content=file.content))
    _PATHS.clear()
    _PATHS.update({file.uri: path for path, file in outside.items()})
    _URIS.clear()
    _URIS.update({f"{DOCS}/{file.src_uri}": file.src_uri for file in files if file.src_uri not in _PATHS})
    _URIS.update({path: file.uri for path, file in outside.items()})
    entries = navigation({file.src_uri: file.content_string for file in files.documentation_pages()})
    config.nav = list(entries)
    _LIST[:] = [section_list(entries)]
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Lead links to pages of the site, and mark doctests as such."""
    uri = page.file.src_uri
    text = relink(markdown, _PATHS.get(uri, f"{DOCS}/{uri}"), uri, _URIS.get)
    marked = _DOCTEST.sub(lambda match: match[0] if match[1] else "```pycon\n", text)
    return marked.replace(_SECTIONS, "".join(_LIST))


def on_page_content(html: str, **_: object) -> str:
    """Keep the options of commands in one piece."""
    return unbroken(html)


def on_post_build(config: MkDocsConfig) -> None:
    """Warn of pages that would load something from another machine; warnings are errors."""
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix in (".html", ".css"):
            for address in loaded_from_elsewhere(path.read_text(encoding="utf-8")):
                _LOG.warning("%s loads %s", path.relative_to(config.site_dir), address)
