"""HTML tables of results for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any


def html_table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return an HTML table for notebooks, with some of the columns of flat rows."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_html_cell(row[name])}</td>' for name in columns)}</tr>\n" for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"


def _html_cell(value: object) -> str:
    return escape("" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value))
