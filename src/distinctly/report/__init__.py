"""Reports: a `Page` of scores or of a trial, as a table, JSON, CSV, Markdown, LaTeX, HTML or bare numbers.

A format is one module of this folder with a function ``render(page) -> str``; it is not registered elsewhere.
A module can declare what it does not show: ``ONLY`` (``"scores"`` or ``"trials"``) and ``LISTINGS = False``;
that it writes cells of a spreadsheet, with the option `raw_cells`: ``CELLS = True``; that it shows the first
rows of a long table, unless the option `whole` is given: ``SHORTENS = True``; and a function
``check_installed(subject)`` that raises if it needs a package that is missing.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from distinctly.errors import SpecError, unknown
from distinctly.report.page import Page
from distinctly.score import Scores

if TYPE_CHECKING:
    from distinctly.report.pages.scores import Verdict

Subject = Literal["scores", "trials"]
# Formats whose name differs from that of their module.
_TITLES = {"terminal": "table"}


def formats(subject: Subject = "scores") -> list[str]:
    """Return the formats of scores, or of trials; the default is the first.

    Examples
    --------
    >>> {"table", "json", "csv", "markdown", "latex"} <= set(formats())
    True
    """
    names = [name for name, module in _renderers().items() if getattr(module, "ONLY", subject) == subject]
    return sorted(names, key=lambda name: (name != "table", name))


def check_format(name: str, subject: Subject = "scores", *, listings: bool = False, option: str = "") -> None:
    """Raise if a format does not exist, needs a missing package, or cannot show the requested listings."""
    if name not in formats(subject):
        raise unknown("format", name, formats(subject))
    check_installed = getattr(_renderers()[name], "check_installed", None)
    if check_installed is not None:
        check_installed(subject)
    if listings and not getattr(_renderers()[name], "LISTINGS", True):
        able = [form for form in formats(subject) if getattr(_renderers()[form], "LISTINGS", True)]
        raise SpecError(f"{option} needs --format {', '.join(able)}.")


def rendered(page: Page, form: str, *, raw_cells: bool = False, whole: bool = False) -> str:
    """Return a page in a format.

    Parameters
    ----------
    page, form
        The page, and the name of the format.
    raw_cells
        Whether text cells that a spreadsheet would read as formulas are written as they are.
    whole
        Whether long tables are written with all of their rows.
    """
    renderers = _renderers()
    if form not in renderers:
        raise unknown("format", form, list(renderers))
    options = {"raw_cells": raw_cells} if getattr(renderers[form], "CELLS", False) else {}
    options |= {"whole": whole} if getattr(renderers[form], "SHORTENS", False) else {}
    text: str = renderers[form].render(page, **options)
    return text


def render(scores: Scores, form: str, verdicts: Sequence[Verdict] = ()) -> str:
    """Return a report of scores, and of the requirements on them."""
    from distinctly.report.pages.scores import page_of_scores

    return rendered(page_of_scores(scores, verdicts), form)


def _renderers() -> dict[str, ModuleType]:
    """Return the modules that write a format, by name of the format."""
    modules = [
        importlib.import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
        if not module.ispkg
    ]
    names = [module.__name__.rpartition(".")[2] for module in modules]
    return {
        _TITLES.get(name, name): module for name, module in zip(names, modules) if hasattr(module, "render")
    }
