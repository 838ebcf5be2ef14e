"""HTML: one self-contained page with interactive charts, which opens from disk and loads nothing."""

from __future__ import annotations

import html
import re

from distinctly.errors import missing_extra
from distinctly.report.page import Page

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def render(page: Page) -> str:
    """Write the blocks of a page in order, with a table of contents if it has sections.

    The same page is the same text, byte by byte. A page with a `Forest`, a `Plot` or a `TextMap` needs Bokeh,
    whose script is embedded.
    """
    from distinctly.report.hypertext.document import write

    return write(page)


def policy_of(document: str) -> str:
    """Return the Content-Security-Policy of a rendered page, which a server sends as a header.

    Examples
    --------
    >>> policy_of(render(Page([]))).partition(";")[0]
    "default-src 'none'"
    """
    policy = _POLICY.search(document)
    if policy is None:
        raise ValueError("expected a page that render() wrote: it has no Content-Security-Policy")
    return html.unescape(policy[1])


def check_installed(subject: str) -> None:
    """Raise an error with the install command if the figures of a trial cannot be drawn."""
    if subject == "trials":
        try:
            import matplotlib  # noqa: F401 - whether it is there
        except ImportError as error:
            raise missing_extra("An .html file of a trial", "matplotlib", "report") from error


def need_bokeh() -> None:
    """Raise an error with the install command if Bokeh is missing; charts call it before they are drawn."""
    try:
        import bokeh  # noqa: F401 - whether it is there
    except ImportError as error:
        raise missing_extra("A chart in an .html file", "bokeh", "report") from error
