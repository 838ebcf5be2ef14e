"""The navigation of the site, made from the pages that exist."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from . import commands, python
from .outside import FOLDER as PROJECT
from .outside import links

# As MkDocs has it: a page, a page with a title, or a section.
Entry: TypeAlias = "str | dict[str, str | list[Entry]]"

START = "start.md"
# Short titles, in this order. A new page of `docs` needs none: it comes last, under its own heading.
GUIDES: dict[str, dict[str, str]] = {
    "Choosing": {
        "at-a-glance.md": "At a glance",
        "choosing.md": "Which metrics, and why",
        "size.md": "Size and fairness",
        "uncertainty.md": "Uncertainty",
        "embedders.md": "Embedders",
        "prompts.md": "Answers to prompts",
    },
    "Inputs": {
        "texts.md": "Texts and fields",
        "tokens.md": "Tokens and scripts",
        "logs.md": "Logs of evaluation tools",
        "untrusted.md": "Data from strangers",
    },
    "Comparing": {
        "distances.md": "Distances between corpora",
        "keyness.md": "Keyness",
        "overused-phrases.md": "Overused phrases",
    },
    "Scale": {
        "scale.md": "Large corpora",
        "clusters.md": "Ray and Spark",
        "states.md": "States",
        "approximate.md": "Approximate counts",
    },
    "Training": {
        "training.md": "Training loops",
        "tracking.md": "Trackers",
        "notebooks.md": "Notebooks and plots",
    },
    "Reports and studies": {
        "per-text.md": "Files, and one row per text",
        "report.md": "Reports for a team",
        "serve.md": "In the browser",
        "judging.md": "Metrics on trial",
        "studies.md": "Annotation studies",
    },
    "Plug-ins": {"plugins.md": "Plug-ins", f"{PROJECT}/CONTRIBUTING.md": "Add a metric"},
}
PROJECT_PAGES = {
    f"{PROJECT}/CHANGELOG.md": "Changes",
    "versioning.md": "Versions, and what may change",
    "citing.md": "How to cite",
    f"{PROJECT}/SECURITY.md": "Security",
    "architecture.md": "Architecture",
    "hashing.md": "Hashes",
    f"{PROJECT}/benchmarks/RESULTS.md": "Benchmarks",
    f"{PROJECT}/benchmarks/VALIDITY.md": "Are the numbers right?",
}
# What the start page says of each section.
SECTIONS = {
    "Start": "Install, and the first table in five minutes.",
    "Tutorials": "One question each, answered step by step on texts that come with the package.",
    "Guides": "How to choose metrics, read texts, judge differences, and measure at any size.",
    "Metrics": "A card per metric: what it means, when to use it, its biases and its other names.",
    "Reference": "Every function, class, command and option.",
    "Papers": "Tables and figures of papers, beside those computed here.",
    "Coming from": "Calls of other packages, and the same numbers here.",
    "Glossary": "The terms of these pages.",
    "Project": "Changes, citation, design, benchmarks and examples.",
}
_ROW = re.compile(r"^\| (?P<question>[^|]+?) \| (?P<cards>.*\(metrics/.*) \|$", re.MULTILINE)


def navigation(pages: Mapping[str, str]) -> list[dict[str, str | list[Entry]]]:
    """Return the navigation of all pages: sections in the order of `SECTIONS`, those without pages left out.

    Parameters
    ----------
    pages
        The Markdown of each page by path, as in ``metrics/distinct.md``.

    Examples
    --------
    >>> navigation({"index.md": "", "start.md": "", "glossary.md": ""})
    [{'Home': 'index.md'}, {'Start': 'start.md'}, {'Glossary': 'glossary.md'}]
    """
    left = dict(pages)
    sections: dict[str, str | list[Entry]] = {
        "Home": _single(left, "index.md"),
        "Start": _single(left, START),
        "Tutorials": _folder(left, "tutorials", order=_targets(START, pages.get(START, ""))),
        "Metrics": _metrics(left),
        "Reference": [
            *_section("Python", _folder(left, python.FOLDER)),
            *_section("Command line", _folder(left, commands.FOLDER)),
            *_folder(left, "reference"),
        ],
        "Papers": _folder(left, "reproductions"),
        "Coming from": _folder(left, "coming-from"),
        "Glossary": _single(left, "glossary.md"),
        "Project": _titled(left, PROJECT_PAGES),
    }
    guides: list[Entry] = []
    for title, known in GUIDES.items():
        guides += _section(title, _titled(left, known))
    project = sections["Project"]
    if isinstance(project, list):
        project += _section("Files", _folder(left, PROJECT))
    sections["Guides"] = [*guides, *_section("More", _take(left, sorted(left)))]
    return [{name: sections[name]} for name in ("Home", *SECTIONS) if sections[name]]


def pages_of(entries: Iterable[Entry]) -> list[str]:
    """Return the pages of a navigation, in its order.

    Examples
    --------
    >>> pages_of([{"Home": "index.md"}, {"Guides": ["a.md", {"More": ["b.md"]}]}])
    ['index.md', 'a.md', 'b.md']
    """
    found: list[str] = []
    for entry in entries:
        for value in [entry] if isinstance(entry, str) else entry.values():
            found += [value] if isinstance(value, str) else pages_of(value)
    return found


def section_list(entries: Iterable[dict[str, str | list[Entry]]]) -> str:
    """Return the sections of a navigation as a Markdown list of links to their first pages."""
    lines = []
    for entry in entries:
        for title, value in entry.items():
            if title in SECTIONS:
                lines.append(f"- **[{title}]({pages_of([{title: value}])[0]})**\n\n    {SECTIONS[title]}\n")
    return "\n".join(lines)


def _single(left: dict[str, str], uri: str) -> str:
    return uri if left.pop(uri, None) is not None else ""


def _take(left: dict[str, str], uris: Iterable[str]) -> list[Entry]:
    """Remove pages from those that are left, and return them as entries under their own headings."""
    return [uri for uri in uris if left.pop(uri, None) is not None]


def _titled(left: dict[str, str], titles: Mapping[str, str]) -> list[Entry]:
    return [{title: uri} for uri, title in titles.items() if left.pop(uri, None) is not None]


def _section(title: str, entries: list[Entry]) -> list[Entry]:
    return [{title: entries}] if entries else []


def _folder(left: dict[str, str], folder: str, order: Iterable[str] = ()) -> list[Entry]:
    """Return the pages of a folder: its index, those to which it links, those of an order, and all others."""
    inside = {uri: text for uri, text in left.items() if uri.startswith(f"{folder}/")}
    indexes = [uri for name in ("index.md", "README.md") if (uri := f"{folder}/{name}") in inside]
    linked = [target for uri in indexes for target in _targets(uri, inside[uri])]
    return _take(left, [uri for uri in (*indexes, *linked, *order, *sorted(inside)) if uri in inside])


def _metrics(left: dict[str, str]) -> list[Entry]:
    """Return the list of the metrics, and their cards under the questions of its table."""
    uri = "metrics.md"
    if uri not in left:
        return _folder(left, "metrics")
    text = left[uri]
    entries = _take(left, [uri])
    for row in _ROW.finditer(text):
        entries += _section(row["question"], _take(left, _targets(uri, row["cards"])))
    return [*entries, *_section("Other", _folder(left, "metrics"))]


def _targets(uri: str, text: str) -> list[str]:
    """Return the pages to which the text of a page links."""
    folder = posixpath.dirname(uri)
    return [posixpath.normpath(posixpath.join(folder, link.partition("#")[0])) for link in links(text)]
