"""The reference of the Python API: which names are on which page.

A page names objects; mkdocstrings writes what their docstrings say, without importing them.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import distinctly
from distinctly import judging
from distinctly.distance.base import Distance
from distinctly.metrics import Metric
from distinctly.registry import find_metric_class, metric_class_names

FOLDER = "reference/python"


@dataclass(frozen=True)
class Group:
    """Names of `distinctly` that one page describes."""

    title: str
    introduction: str
    names: tuple[str, ...]


# What no group names is on the page of its kind: functions, or objects.
GROUPS = {
    "functions": Group(
        "Functions",
        "The functions that read, measure and compare. Metrics are named by specs such as `distinct:n=2`, or "
        "are objects of the [metric classes](diversity.md).",
        (
            *("measure", "compare", "homogeneity", "per_text", "rarefaction", "top_ngrams"),
            *("keyness", "collocations", "read", "metric", "metric_of", "log", "write_report"),
        ),
    ),
    "scores": Group(
        "Scores and tables",
        "What the functions return. Numbers are as exact as they were computed; only tables round.",
        (
            *("Score", "Scores", "Signature", "Note", "Comparison", "Test", "Floor"),
            *("Homogeneity", "Matrix", "TextTable", "Rarefaction", "Keyness", "Collocations"),
        ),
    ),
    "settings": Group(
        "Texts and settings",
        "How texts are read, how values are compared, and how the work is done. The fields of `Reading`, "
        "`Resampling` and `RunConfig` are also arguments of the functions, and options of the command.",
        ("Corpus", "Reading", "Resampling", "RunConfig"),
    ),
    "states": Group(
        "States",
        "Counts and sums of texts that come in pieces, which are merged, saved and measured later. "
        "[States](../../states.md) and [clusters](../../clusters.md) describe when they are useful.",
        ("Accumulator", "merge_states", "save_state"),
    ),
    "errors": Group(
        "Errors",
        "Every error of the package is a `DistinctlyError`. Its message says what was expected, what came, "
        "and what to do.",
        ("DistinctlyError", "InputError", "SpecError", "MissingExtraError"),
    ),
}
# Modules with a page of their own, and the guides that describe their use.
MODULES = {
    "judging": "[Which metric can be trusted on my data?](../../judging.md)",
    "testing": "[Plug-ins](../../plugins.md)",
    "spark": "[On a cluster](../../clusters.md)",
    "torchmetrics": "[Training loops and evaluations](../../training.md)",
    "transformers": "[Training loops and evaluations](../../training.md)",
    "trl": "[Training loops and evaluations](../../training.md)",
    "hf_evaluate": "[Training loops and evaluations](../../training.md)",
}
_METRICS = {
    "diversity": (
        "Metrics of diversity",
        "How varied is a corpus? An object of these classes is called on texts, or given to `measure`.",
    ),
    "distance": (
        "Distances",
        "How far is a corpus from a reference? An object of these classes is called on a reference and a "
        "candidate, or given to `compare`.",
    ),
}


def python_pages() -> dict[str, str]:
    """Return the pages by path.

    Examples
    --------
    >>> "::: distinctly.measure" in python_pages()["reference/python/functions.md"]
    True
    """
    pages = {f"{FOLDER}/index.md": _overview()}
    for stem, group in GROUPS.items():
        lines = [f"# {group.title}", "", group.introduction, ""]
        for name in names_of(stem):
            lines += [f"::: distinctly.{name}", ""]
        pages[f"{FOLDER}/{stem}.md"] = "\n".join(lines)
    for kind, (title, introduction) in _METRICS.items():
        pages[f"{FOLDER}/{kind}.md"] = _metrics_page(kind, title, introduction)
    for module, guide in MODULES.items():
        lines = [f"# distinctly.{module}", "", f"Guide: {guide}.", "", _of_module(module), ""]
        for name in public_names(module):
            lines += [f"::: distinctly.{module}.{name}", ""]
        pages[f"{FOLDER}/{module}.md"] = "\n".join(lines)
    return pages


def names_of(stem: str) -> list[str]:
    """Return the names of a page: those of its group, and for two pages also those that no group names.

    Examples
    --------
    >>> names_of("errors")
    ['DistinctlyError', 'InputError', 'SpecError', 'MissingExtraError']
    """
    grouped = {name for group in GROUPS.values() for name in group.names}
    others = [name for name in distinctly.__all__ if name not in {*grouped, *MODULES, "__version__"}]
    added = {
        "functions": [name for name in others if name.islower()],
        "scores": [name for name in others if not name.islower()],
    }
    return [*GROUPS[stem].names, *added.get(stem, [])]


def metric_classes(kind: str) -> list[type[Metric]]:
    """Return the metric classes of a kind, ``diversity`` or ``distance``, in the order of their names."""
    classes = [find_metric_class(name) for name in sorted(metric_class_names())]
    return [one for one in classes if one is not None and issubclass(one, Distance) == (kind == "distance")]


def public_names(module: str) -> list[str]:
    """Return the public classes and functions of a module, which is read and not imported.

    Examples
    --------
    >>> public_names("transformers")
    ['DiversityCallback']
    """
    if module == "judging":
        return list(judging.__all__)
    nodes = _tree(module).body
    definitions = (node for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef))
    return [node.name for node in definitions if not node.name.startswith("_")]


def _overview() -> str:
    lines = [
        "# The Python interface",
        "",
        "All names of `import distinctly as dy`, and of the modules for other frameworks, with the first "
        "line of their descriptions.",
        "",
    ]
    for stem, group in GROUPS.items():
        rows = {f"distinctly.{name}": getattr(distinctly, name).__doc__ for name in names_of(stem)}
        lines += [f"## [{group.title}]({stem}.md)", "", *_table(rows)]
    for kind, (title, _) in _METRICS.items():
        classes = {f"distinctly.{one.__name__}": one.__doc__ for one in metric_classes(kind)}
        lines += [f"## [{title}]({kind}.md)", "", *_table(classes)]
    lines += ["## Modules", ""]
    for module in MODULES:
        documents = {f"distinctly.{module}.{name}": _docstring(module, name) for name in public_names(module)}
        lines += [f"### [distinctly.{module}]({module}.md)", "", *_table(documents)]
    return "\n".join(lines)


def _table(documents: dict[str, str | None]) -> list[str]:
    """Return a table of names and the first sentences of their docstrings."""
    rows = []
    for path, document in documents.items():
        first = (document or "").strip().partition("\n")[0].replace("|", r"\|")
        rows.append(f"| [`{path.rpartition('.')[2]}`][{path}] | {first} |")
    return ["| name | description |", "|---|---|", *rows, ""]


def _metrics_page(kind: str, title: str, introduction: str) -> str:
    lines = [f"# {title}", "", introduction, ""]
    for one in metric_classes(kind):
        name = one.metric_name()
        lines += [
            f"[](){{#distinctly.{one.__name__}}}",
            "",
            f"::: {one.__module__}.{one.__name__}",
            "    options:",
            "      members: false",
            "",
            f"In specs: {_in_code([name, *one.aliases])}. Card: [{name}](../../metrics/{name}.md).",
            "",
        ]
    return "\n".join(lines)


def _in_code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _of_module(module: str) -> str:
    """Return the docstring of a module."""
    return ast.get_docstring(_tree(module)) or ""


def _docstring(module: str, name: str) -> str | None:
    """Return the docstring of a class or function of a module, without importing what needs an extra."""
    if module == "judging":
        return str(getattr(judging, name).__doc__)
    for node in _tree(module).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node)
    return None


def _tree(module: str) -> ast.Module:
    """Parse a module of the package."""
    spec = importlib.util.find_spec(f"distinctly.{module}")
    if spec is None or spec.origin is None:
        raise LookupError(f"expected a module 'distinctly.{module}', found none.")
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
