"""A study in a browser: annotators who score, reload and lose the network, and the owner who watches."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.conftest import chromium
from tests.browser.serving import HOSTILE, calls, watch_scripts
from tests.browser.watching import Watched, axe_findings, overflow, overlaps
from tests.cli.fixtures import Run, Save
from tests.web.serving import Served

METHODS = ("alpha", "beta", "gamma")
WORDS = [f"{first}{second}" for first in "bdgk" for second in ("an", "in", "on", "un")]


class Study:
    """A study that a server serves, made by the command as users do."""

    def __init__(self, server: Served, path: Path, links: dict[str, str]) -> None:
        self.server, self.path, self.links = server, path, links

    def address(self, name: str) -> str:
        return self.server.address + self.links[name]


def responses() -> str:
    """Return responses whose diversity differs: method k uses 2, 5 or 16 different words."""
    rows = [
        {
            "method": method,
            "prompt": f"p{prompt}",
            "text": " ".join(WORDS[(prompt * 3 + k) % words] for k in range(6)),
        }
        for method, words in zip(METHODS, (2, 5, 16))
        for prompt in range(12)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def made(command: Run, *options: object) -> dict[str, str]:
    """Make a study by the command, and return the path of the link of each person."""
    done = command("study", "new", "responses.jsonl", "--by", "method", "--group", "prompt", *options)
    assert done.returncode == 0, done.stderr
    return dict(re.findall(r"^ +(\S+) +(/(?:study|owner)/\S+)$", done.stdout, re.MULTILINE))


@pytest.fixture
def study(command: Run, save: Save, tmp_path: Path) -> Iterator[Study]:
    save("responses.jsonl", responses())
    links = made(command, "--sets", 4, "--per-set", 3, "--annotators", "ann,bob,cy")
    path = tmp_path / "responses.study"
    with Served("--study", path) as server:
        yield Study(server, path, links)


def scores_of(command: Run, study: Study) -> list[dict[str, str]]:
    """Return the answers as the command exports them."""
    target = study.path.parent / "answers.json"
    target.unlink(missing_ok=True)
    done = command("study", "export", study.path, "-o", target)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, str]] = json.loads(target.read_text())
    return rows


def score_of(texts: list[str]) -> int:
    """Return the score that a careful annotator gives: 3 per different word."""
    return 1 + 3 * len({word for text in texts for word in text.split()})


def shown_texts(page: Page) -> list[list[str]]:
    return [column.locator("li span").all_inner_texts() for column in page.locator(".set").all()]


def all_saved(page: Page) -> None:
    for state in page.locator(".set .state").all():
        expect(state).to_have_text("Saved")


def test_three_annotators_complete_a_study(watched: Watched, study: Study, command: Run) -> None:
    page = watched.page
    for name in ("ann", "bob", "cy"):
        page.goto(study.address(name))
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "Evaluating the diversity of sets of sentences"
        )
        page.get_by_role("button", name="Start").click()
        for place in range(1, 5):
            expect(page.locator("#place")).to_have_text(f"Package {place} of 4")
            expect(page.locator("#missing")).to_have_text("3 of 3 sets have no score yet.")
            for column, texts in enumerate(shown_texts(page)):
                score = score_of(texts)
                if name == "ann":
                    page.locator("input[type=number]").nth(column).fill(str(score))
                elif name == "bob":
                    page.locator("input[type=range]").nth(column).fill(str(score))
                else:  # by keyboard: Tab goes from set to set, digits are typed
                    page.keyboard.press("Tab")
                    page.keyboard.type(str(score))
                expect(page.locator("input[type=number]").nth(column)).to_have_value(str(score))
                expect(page.locator("input[type=range]").nth(column)).to_have_value(str(score))
            if name == "bob" and place == 2:  # reload at once, before the last scores are sent
                page.reload()
                for column, texts in enumerate(shown_texts(page)):
                    expect(page.locator("input[type=number]").nth(column)).to_have_value(str(score_of(texts)))
            if name == "ann" and place == 2:  # come back later by the link: the first incomplete package
                all_saved(page)
                page.goto("about:blank")
                page.goto(study.address(name))
                expect(page.locator("#place")).to_have_text("Package 3 of 4")
                continue
            all_saved(page)
            expect(page.locator("#missing")).to_have_text("All sets have a score.")
            page.keyboard.press("n") if name == "cy" else page.locator("#next").click()
        expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
        assert not re.search("alpha|beta|gamma|method", page.content())
    assert len(scores_of(command, study)) == 3 * 4 * 3

    page.goto(study.address("owner"))
    rows = page.locator("#annotators tbody tr")
    expect(rows).to_have_count(3)
    for row in rows.all():
        expect(row).to_contain_text("4 of 4")
        expect(row).to_contain_text("1.000")  # all gave the same scores
    expect(page.locator("#methods tbody tr").first).to_contain_text("gamma")
    page.fill("#metrics", "types:n=1 ttr")
    page.get_by_role("button", name="Compute").click()
    row = page.locator("#analysis tr", has_text="types:n=1").first
    expect(row).to_contain_text("1.000 (1.00, 1.00)", timeout=60_000)
    assert axe_findings(page) == []
    watched.no_errors(study.server.address)

    done = command("study", "analyse", study.path, "-m", "types:n=1", "-m", "ttr")
    # The score is a linear function of the number of different words.
    assert re.search(r"types:n=1 +1\.000 \(1\.00, 1\.00\)", done.stdout)
    assert "No annotator is dropped" in done.stdout


def test_keys_are_enough(tab: Page, study: Study, command: Run) -> None:
    tab.goto(study.address("ann"))
    tab.locator("#start").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#place")).to_have_text("Package 1 of 4")
    first, second = tab.locator("input[type=range]").nth(0), tab.locator("input[type=range]").nth(1)
    tab.keyboard.press("Tab")
    expect(first).to_be_focused()
    expect(tab.locator(".set").first).not_to_have_class(re.compile("scored"))
    expect(first).to_have_attribute("aria-valuetext", "no score yet")
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("input[type=number]").first).to_have_value(
        "27"
    )  # the middle of 1 to 50 is 26 on the slider
    expect(tab.locator(".set").first).to_have_class(re.compile("scored"))
    tab.keyboard.press("Tab")
    expect(second).to_be_focused()
    tab.keyboard.type("40")
    tab.keyboard.press("ArrowUp")
    expect(tab.locator("input[type=number]").nth(1)).to_have_value("41")
    tab.keyboard.press("Alt+ArrowRight")
    expect(tab.locator("#place")).to_have_text("Package 2 of 4")
    tab.keyboard.press("Alt+ArrowLeft")
    expect(tab.locator("#place")).to_have_text("Package 1 of 4")
    expect(tab.locator("input[type=number]").nth(1)).to_have_value("41")
    expect(tab.locator(".set .state").nth(1)).to_have_text("Saved")
    tab.keyboard.press("n")
    expect(tab.locator("#place")).to_have_text("Package 2 of 4")
    tab.keyboard.press("p")
    expect(tab.locator("#place")).to_have_text("Package 1 of 4")
    assert sorted(float(row["score"]) for row in scores_of(command, study)) == [27, 41]


def test_a_score_outside_the_scale_is_not_saved(tab: Page, study: Study, command: Run) -> None:
    tab.goto(f"{study.address('ann')}#package-1")
    tab.locator("input[type=number]").first.fill("99")
    expect(tab.locator(".set .state").first).to_have_text("From 1 to 50 only")
    tab.locator("input[type=number]").nth(1).fill("7")
    expect(tab.locator(".set .state").nth(1)).to_have_text("Saved")
    assert [float(row["score"]) for row in scores_of(command, study)] == [7]


def test_what_is_not_saved_is_said_and_sent_again(browser: Browser, study: Study, command: Run) -> None:
    context = browser.new_context()
    page = context.new_page()
    keys: list[str] = []

    def lose_answers(route: Route) -> None:
        """Let a request arrive, and lose its answer, as a network may."""
        keys.append(json.loads(route.request.post_data or "{}")["key"])
        if len(keys) == 1:
            route.fetch()
        route.abort() if len(keys) < 3 else route.continue_()

    page.route("**/answers", lose_answers)
    page.goto(f"{study.address('ann')}#package-1")
    page.locator("input[type=number]").first.fill("12")
    expect(page.locator("#save-state")).to_contain_text("Not saved yet")
    expect(page.locator(".set .state").first).to_have_text("Not saved yet")
    expect(page.locator("#save-state")).to_have_text("Saved", timeout=15_000)
    assert len(keys) == 3
    assert len(set(keys)) == 1  # the key of the request stays the same, so that it is stored once
    assert [float(row["score"]) for row in scores_of(command, study)] == [12]

    # Without a network, scores survive a page that is loaded again later.
    page.unroute("**/answers")
    context.set_offline(True)
    page.locator("input[type=number]").nth(1).fill("21")
    page.locator("input[type=number]").nth(1).fill("22")
    expect(page.locator(".set .state").nth(1)).to_have_text("Not saved yet")
    page.close(run_before_unload=False)
    context.set_offline(False)
    assert len(scores_of(command, study)) == 1
    page = context.new_page()
    page.goto(f"{study.address('ann')}#package-1")
    expect(page.locator("input[type=number]").nth(1)).to_have_value("22")
    expect(page.locator(".set .state").nth(1)).to_have_text("Saved")
    assert [float(row["score"]) for row in scores_of(command, study)] == [12, 22]

    # The next package is there already, the one after it is loaded when the network is back.
    expect(page.locator("#next")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    context.set_offline(True)
    page.locator("#next").click()
    expect(page.locator("#place")).to_have_text("Package 2 of 4")
    page.locator("#next").click()
    expect(page.locator("#problem")).to_contain_text("could not be loaded")
    context.set_offline(False)
    expect(page.locator("#place")).to_have_text("Package 3 of 4", timeout=15_000)
    context.close()


def test_a_link_that_was_replaced_is_said(tab: Page, study: Study, command: Run) -> None:
    tab.goto(f"{study.address('ann')}#package-1")
    expect(tab.locator(".set")).to_have_count(3)
    assert command("study", "links", study.path, "--renew", "ann").returncode == 0
    tab.locator("input[type=number]").first.fill("12")
    expect(tab.locator("#save-state")).to_contain_text("This link no longer works")
    expect(tab.locator(".set .state").first).to_have_text("Not saved yet")


def test_a_server_that_cannot_write_is_not_called_saved(tab: Page, study: Study) -> None:
    problem = json.dumps({"error": "This is not saved: the server cannot write to its disk."})
    tab.route(
        "**/answers", lambda route: route.fulfill(status=503, body=problem, content_type="application/json")
    )
    tab.goto(f"{study.address('ann')}#package-1")
    tab.locator("input[type=number]").first.fill("12")
    expect(tab.locator("#save-state")).to_contain_text("cannot write to its disk")
    expect(tab.locator(".set .state").first).to_have_text("Not saved yet")
    tab.unroute("**/answers")
    expect(tab.locator(".set .state").first).to_have_text("Saved", timeout=15_000)


def test_the_page_is_laid_out_for_screens_and_phones(browser: Browser, study: Study) -> None:
    for width in (1400, 390):
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
            watched = Watched(context.new_page())
            page = watched.page
            for address in (
                f"{study.address('ann')}#instructions",
                f"{study.address('ann')}#package-1",
                study.address("owner"),
            ):
                page.goto("about:blank")
                page.goto(address)
                expect(
                    page.locator("#start, .set h2, #annotators table").locator("visible=true").first
                ).to_be_visible()
                assert overflow(page) == 0
                assert axe_findings(page) == []
                assert overlaps(page, ".set h2, .set li, .question, .study-top p, th, td, p.hint") == []
            page.goto("about:blank")
            page.goto(f"{study.address('ann')}#package-1")
            expect(page.locator(".set")).to_have_count(3)
            boxes = [box.bounding_box() for box in page.locator(".set").all()]
            places = [(box["x"], box["y"]) for box in boxes if box is not None]
            across, down = ({round(place[axis]) for place in places} for axis in (0, 1))
            assert (len(across), len(down)) == (
                (3, 1) if width == 1400 else (1, 3)
            )  # side by side, or stacked
            watched.no_errors(study.server.address)
            context.close()


def test_the_page_of_the_owner_follows_answers_and_rests_when_it_is_hidden(
    watched: Watched, study: Study
) -> None:
    page = watched.page
    page.clock.install()
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.isAway === true });")
    page.goto(study.address("owner"))
    expect(page.locator("#annotators tbody tr").first).to_contain_text("0 of 12")
    body = json.dumps({"package": 1, "column": 1, "score": 5, "key": "k"}).encode()
    request = urllib.request.Request(
        f"{study.address('ann')}/answers", body, {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200
    page.clock.run_for(6_000)  # one more turn
    expect(page.locator("#annotators tbody tr").first).to_contain_text("1 of 12")

    page.evaluate("window.isAway = true; document.dispatchEvent(new Event('visibilitychange'))")
    before = len(watched.requests)
    page.clock.run_for(60_000)
    assert len(watched.requests) <= before + 1  # the last one may have been on its way
    page.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#updated")).to_contain_text("Updated")
    assert len(watched.requests) > before
    watched.no_errors(study.server.address)


def test_a_study_that_is_written_from_right_to_left(
    tab: Page, command: Run, save: Save, tmp_path: Path
) -> None:
    save("responses.jsonl", responses())
    save("task.md", "# המשימה\n\nתנו ציון לכל קבוצה.")
    options = ("--language", "he", "--title", "מחקר", "--question", "כמה מגוון?", "--instructions", "task.md")
    links = made(command, "--sets", 2, "--per-set", 3, "--annotators", "ann", *options)
    with Served("--study", tmp_path / "responses.study") as server:
        tab.goto(server.address + links["ann"])
        expect(tab.get_by_role("heading", name="המשימה")).to_be_in_viewport()
        assert overflow(tab) == 0
        tab.get_by_role("button", name="Start").click()
        expect(tab.locator(".set")).to_have_count(3)
        boxes = [box.bounding_box() for box in tab.locator(".set").all()]
        places = [box["x"] for box in boxes if box is not None]
        assert places == sorted(places, reverse=True)  # the first set is on the right
        assert overflow(tab) == 0
        assert axe_findings(tab) == []


def test_hostile_texts_are_text(watched: Watched, command: Run, save: Save, tmp_path: Path) -> None:
    texts = [*HOSTILE, "x" * 1_000_000]
    rows = [
        {"method": f"{method}{HOSTILE[0]}", "prompt": str(place), "text": text}
        for method in "ab"
        for place, text in enumerate(texts)
    ]
    save("responses.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    save("task.md", "# Task\n\n" + "\n\n".join(text for text in HOSTILE if text.isprintable()))
    options = (
        "--instructions",
        "task.md",
        "--example",
        "task.md",
        "--title",
        HOSTILE[0],
        "--question",
        HOSTILE[0],
    )
    links = made(command, "--sets", 1, "--per-set", len(texts), "--annotators", "ann", *options)
    watch_scripts(watched.page)
    with Served("--study", tmp_path / "responses.study") as server:
        page = watched.page
        page.goto(server.address + links["ann"])
        page.get_by_role("button", name="Start").click()
        expect(page.locator(".set")).to_have_count(2)
        shown = page.evaluate(
            "[...document.querySelectorAll('.set:first-child li span')].map(each => each.textContent)"
        )
        assert sorted(text for text in shown if len(text) < 4000) == sorted(HOSTILE)
        page.get_by_role("button", name="Show all 1,000,000 characters").first.click()
        assert overflow(page) == 0
        page.locator("input[type=number]").first.fill("5")
        expect(page.locator(".set .state").first).to_have_text("Saved")
        page.goto(server.address + links["owner"])
        expect(page.locator("#methods")).to_contain_text(HOSTILE[0])
        assert calls(page) == []
        watched.no_errors(server.address)


def test_signing_in_on_a_server_with_a_token(tab: Page, study: Study) -> None:
    token = "a-secret-of-many-characters"
    with Served("--study", study.path, "--token", token) as server:
        tab.goto(f"{server.address}/studies")
        tab.fill("#token", token)
        tab.get_by_role("button", name="Sign in").click()
        tab.goto(f"{server.address}/studies")
        expect(tab.get_by_role("heading", name="Studies on this server")).to_be_visible()
        expect(tab.locator("tbody tr")).to_have_count(1)
        assert axe_findings(tab) == []


def test_a_public_name_without_encryption(browser: Browser, study: Study, command: Run) -> None:
    token, public = "a-secret-of-many-characters", "http://study.example.org:8080"
    with Served("--study", study.path, "--token", token, "--public-address", public) as server:
        # The browser takes our server for the proxy of this name.
        place = server.address.removeprefix("http://")
        rules = f"--host-resolver-rules=MAP study.example.org:8080 {place}"
        mapped = browser.browser_type.launch(executable_path=chromium(), args=["--no-sandbox", rules])
        tab = mapped.new_page()
        tab.goto(f"{public}{study.links['ann']}#package-1")
        tab.locator("input[type=number]").first.fill("12")
        expect(tab.locator(".set .state").first).to_have_text("Saved")
        assert [float(row["score"]) for row in scores_of(command, study)] == [12]
        tab.goto(f"{public}/studies")
        tab.fill("#token", token)
        tab.get_by_role("button", name="Sign in").click()
        tab.goto(f"{public}/studies")
        expect(tab.get_by_role("heading", name="Studies on this server")).to_be_visible()
        mapped.close()
