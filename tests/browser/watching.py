"""What a tab does while a page is open: messages, errors, requests; and how its contents are laid out."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# Rectangles of visible texts, each with the text, of all elements that match a selector.
_BOXES = """selector => [...document.querySelectorAll(selector)]
    .filter(element => element.checkVisibility() && element.textContent.trim())
    .map(element => {
        const range = document.createRange();
        range.selectNodeContents(element);
        const {left, top, right, bottom} = range.getBoundingClientRect();
        return [element.textContent.trim().slice(0, 40), left, top, right, bottom];
    })"""


class Watched:
    """A tab that keeps what happens in it.

    Attributes
    ----------
    page
        The tab.
    problems
        Errors and warnings of the console, among them violations of the policy, and uncaught exceptions.
    requests
        The addresses of all requests.
    """

    def __init__(self, page: Page) -> None:
        self.page, self.problems, self.requests = page, list[str](), list[str]()
        page.on("console", lambda message: self._keep(message.type, message.text))
        page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))

    def _keep(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.problems.append(f"{kind}: {text}")

    def no_errors(self, *allowed: str) -> None:
        """Raise unless the console is clean, and all requests are of addresses that begin as allowed.

        By default only the page itself may be requested; addresses of data are no requests.
        """
        assert self.problems == []
        own = allowed or (self.page.url.partition("#")[0],)
        strange = [url for url in self.requests if not url.startswith((*own, "data:", "blob:"))]
        assert not strange


def overlaps(page: Page, selector: str) -> list[tuple[str, str]]:
    """Return the pairs of texts of matching elements whose boxes overlap by more than a pixel."""
    boxes = page.evaluate(_BOXES, selector)
    return [
        (first[0], second[0])
        for place, first in enumerate(boxes)
        for second in boxes[:place]
        if min(first[3], second[3]) - max(first[1], second[1]) > 1
        and min(first[4], second[4]) - max(first[2], second[2]) > 1
    ]


def overflow(page: Page) -> int:
    """Return by how many pixels the document is wider than the window."""
    width: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return width


def axe_findings(page: Page) -> list[str]:
    """Return the serious and critical findings of axe, each with the first element that it is about."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {violation['help']} {violation['nodes'][0]['html'][:200]}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]
