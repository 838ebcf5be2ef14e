"""What the tests of the server's pages share: hostile texts, and a script that notices whether they run."""

from __future__ import annotations

from playwright.sync_api import Page

# Each would call `ran` if it were read as HTML, as a script, or as an attribute.
HOSTILE = [
    "<script>ran('script')</script>",
    "</textarea><script>ran('textarea')</script>",
    "</script><script>ran('end of script')</script>",
    "<img src=x onerror=\"ran('image')\"> <svg onload=\"ran('svg')\">",
    "\" onmouseover=\"ran('attribute')\" x='",
    "[link](javascript:ran('markdown')) ![x](x) **bold**",
    "{{ 7 * 7 }} {% raw %} ${7 * 7} <!-- --> ]]>",
    "right to left \u202e gnitirw \u2066 and \x07 control \x1b[31m",
    "</script>",
]


def watch_scripts(page: Page) -> None:
    """Let `ran` of the page keep what calls it."""
    page.add_init_script("window.calls = []; window.ran = (what) => { window.calls.push(what); };")


def calls(page: Page) -> list[str]:
    """Return what has run."""
    ran: list[str] = page.evaluate("window.calls")
    return ran
