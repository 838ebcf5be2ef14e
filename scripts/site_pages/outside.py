"""Links from pages to files of the repository that are not in `docs`, which become pages of their own."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

FOLDER = "project"
DOCS = "docs"
# Files that are pages although perhaps no page links to them.
ALWAYS = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/RESULTS.md",
    "benchmarks/VALIDITY.md",
)
_LANGUAGES = {
    ".py": "python",
    ".toml": "toml",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".json": "json",
    ".sh": "bash",
}
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
# Code is matched first, so that a link within it is none.
_LINK = re.compile(
    r"(?P<code>(`+)(?!`).+?(?<!`)\2(?!`))"
    r"|(?P<head>\]\()(?P<target>[^()\s]+)(?P<tail>(?:\s+\"[^\"]*\")?\))",
    re.DOTALL,
)


@dataclass(frozen=True)
class OutsideFile:
    """A file of the repository that is not in `docs`.

    Attributes
    ----------
    path
        Its path in the repository.
    uri
        The path of its page.
    content
        The page; None for a file that is copied as it is, such as an image.
    """

    path: str
    uri: str
    content: str | None


def find_outside(root: Path, pages: Mapping[str, str]) -> dict[str, OutsideFile]:
    """Return the files outside `docs` to which pages link, directly or by way of such files, by path.

    Parameters
    ----------
    root
        The folder of the repository.
    pages
        The text of each page by its path in the repository.
    """
    found: dict[str, OutsideFile] = {}
    waiting = [*ALWAYS, *(path for page, text in pages.items() for path in _targets(page, text))]
    while waiting:
        path = waiting.pop()
        if path in found or not _is_outside(root, path):
            continue
        file = found[path] = _page_of(root, path)
        if path.endswith(".md") and file.content is not None:
            waiting += _targets(path, file.content)
    return found


def relink(text: str, page: str, uri: str, uri_of: Callable[[str], str | None]) -> str:
    """Change the links of a page so that they lead to other pages of the site.

    Parameters
    ----------
    text
        The page.
    page
        Its path in the repository, from which its links start.
    uri
        The path of its page in the site.
    uri_of
        The path of the page of a file of the repository; None if it has none, and the link stays.

    Examples
    --------
    >>> uri_of = {"CHANGELOG.md": "project/CHANGELOG.md"}.get
    >>> relink("[ours](../CHANGELOG.md#new)", "docs/a.md", "a.md", uri_of)
    '[ours](project/CHANGELOG.md#new)'
    """

    def change(match: re.Match[str]) -> str:
        if match["code"] or not _is_relative(match["target"]):
            return match[0]
        path, mark, anchor = match["target"].partition("#")
        found = uri_of(_resolved(page, path))
        if found is None:
            return match[0]
        target = posixpath.relpath(found, posixpath.dirname(uri) or ".")
        return f"{match['head']}{target}{mark}{anchor}{match['tail']}"

    return "".join(_LINK.sub(change, part) if is_prose else part for part, is_prose in _parts(text))


def links(text: str) -> Iterator[str]:
    """Yield the targets of the links of a page.

    Examples
    --------
    >>> list(links("See [a](b.md#c), not `[d](e.md)`."))
    ['b.md#c']
    """
    for part, is_prose in _parts(text):
        if is_prose:
            yield from (match["target"] for match in _LINK.finditer(part) if match["target"])


def _targets(page: str, text: str) -> list[str]:
    """Return the paths in the repository to which a page links."""
    return [_resolved(page, target.partition("#")[0]) for target in links(text) if _is_relative(target)]


def _parts(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a page, and whether each is prose rather than a fenced block of code."""
    part: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if not fence and mark:
            yield "".join(part), True
            part, fence = [line], mark[1]
        elif fence and mark and mark[1].startswith(fence) and not line.strip().strip("`~"):
            yield "".join([*part, line]), False
            part, fence = [], ""
        else:
            part.append(line)
    yield "".join(part), not fence


def _is_relative(target: str) -> bool:
    return not target.startswith(("#", "/")) and not re.match(r"[a-z][a-z0-9+.-]*:", target)


def _resolved(page: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path))


def _is_outside(root: Path, path: str) -> bool:
    """Return whether a path is a file of the repository, outside `docs`, that may be shown."""
    parts = PurePosixPath(path).parts
    hidden = any(part.startswith(".") and part != ".ci" for part in parts)
    return not hidden and parts[:1] != (DOCS,) and (root / path).is_file()


def _page_of(root: Path, path: str) -> OutsideFile:
    content = (root / path).read_bytes()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return OutsideFile(path, f"{FOLDER}/{path}", None)
    if path.endswith(".md"):
        # MkDocs takes a page named README for the index of all pages beside it.
        return OutsideFile(path, re.sub(r"\bREADME\.md$", "about.md", f"{FOLDER}/{path}"), text)
    fence = "`" * max(3, *(1 + len(run) for run in re.findall(r"`+", text)), 0)
    language = _LANGUAGES.get(PurePosixPath(path).suffix, "text")
    page = f"# {path}\n\nA file of the source.\n\n{fence}{language}\n{text.rstrip()}\n{fence}\n"
    return OutsideFile(path, f"{FOLDER}/{path}.md", page)
