"""Comparisons and reports in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.serving import HOSTILE, calls, watch_scripts
from tests.browser.watching import Watched
from tests.cli.fixtures import Run, Save
from tests.web.serving import Served

PLACES = [f"{verb} near the {place}" for verb in ("sat", "ran") for place in ("barn", "lake")]
HUMAN = [f"The {animal} {place}." for animal in ("cat", "dog", "owl") for place in PLACES]
MODEL = [f"I think the {animal} is nice." for animal in ("cat", "dog", "owl", "fox")] * 3


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with Served() as started:
        yield started


def values(watched: Watched) -> dict[str, list[float | None]]:
    """Return the numbers of each row of the table of distances."""
    rows = watched.page.locator("#distances tbody tr")
    expect(rows.first).to_be_visible(timeout=60_000)
    return {
        row.locator("th .name").inner_text(): [
            None if (value := cell.get_attribute("data-value")) is None else float(value)
            for cell in row.locator("td.number").all()
        ]
        for row in rows.all()
    }


def test_two_files_have_the_distances_of_the_command(
    watched: Watched, server: Served, command: Run, save: Save
) -> None:
    human = save("human.jsonl", "".join(json.dumps({"text": text}) + "\n" for text in HUMAN))
    model = save("model.txt", "".join(f"{text}\n" for text in MODEL))
    done = command(
        *("compare", "human.jsonl", "model.txt", "-m", "chi", "-m", "energy", "--format", "json"),
        *("--permutations", 200, "--noise-floor", "--field", "text"),
    )
    expected = {
        score["metric"]: [
            score["value"], score["test"]["p"], score["test"]["p_holm"],
            score["floor"]["mean"], score["floor"]["ratio"],
        ]
        for score in json.loads(done.stdout)["scores"]
    }  # fmt: skip
    watched.page.goto(f"{server.address}/compare")
    watched.page.set_input_files("#reference-file", human)
    watched.page.set_input_files("#candidate-file", model)
    expect(watched.page.locator("#candidate")).to_have_value("".join(f"{text}\n" for text in MODEL))
    watched.page.fill("#metrics", "chi energy")
    watched.page.fill("#field", "text")
    watched.page.check("#test")
    watched.page.check("#floor")
    watched.page.click("button.primary")
    assert values(watched) == expected
    assert "--permutations 200 --noise-floor" in watched.page.locator("#command pre").inner_text()
    watched.no_errors(server.address)


def test_pasted_texts(watched: Watched, server: Served) -> None:
    watched.page.goto(f"{server.address}/compare")
    watched.page.fill("#reference", "\n".join(HUMAN))
    watched.page.fill("#candidate", "\n".join(HUMAN))
    watched.page.fill("#metrics", "jensen_shannon")
    watched.page.click("button.primary")
    assert values(watched) == {"jensen_shannon:n=1": [0.0]}  # the same texts


def test_a_missing_side_is_said(watched: Watched, server: Served) -> None:
    watched.page.goto(f"{server.address}/compare")
    watched.page.fill("#reference", "a text")
    watched.page.click("button.primary")
    expect(watched.page.locator("#problem")).to_have_text(
        "The candidate has no texts. Paste some, or open a file."
    )


def test_hostile_texts_are_shown_as_text(watched: Watched, server: Served) -> None:
    watch_scripts(watched.page)
    watched.page.goto(f"{server.address}/compare")
    watched.page.fill("#reference", "\n".join(HOSTILE * 2))
    watched.page.fill("#candidate", "\n".join(MODEL))
    watched.page.click("button.primary")
    values(watched)
    assert "<script>" in watched.page.locator("#drivers").inner_text()
    assert watched.page.locator("main img, main svg").count() == 0
    assert not calls(watched.page)
    watched.no_errors(server.address)


def test_a_report_of_hostile_files(watched: Watched, server: Served, save: Save) -> None:
    watch_scripts(watched.page)
    hostile = save("<img src=x onerror=ran('name')>.txt", "\n".join(HOSTILE * 3))
    model = save("model.txt", "\n".join(MODEL))
    watched.page.goto(f"{server.address}/report")
    watched.page.set_input_files("#files", [hostile, model])
    watched.page.click("#submit")
    watched.page.wait_for_url("**/report/*", timeout=120_000)
    watched.page.click("text=Open the report")
    watched.page.wait_for_load_state()
    assert "<img src=x onerror=ran('name')>.txt" in watched.page.locator("body").inner_text()
    assert not calls(watched.page)
    watched.no_errors(server.address)


def test_an_error_in_a_report_is_shown_above_the_form(watched: Watched, server: Served, save: Save) -> None:
    watched.page.goto(f"{server.address}/report")
    watched.page.set_input_files("#files", save("<b>.jsonl", '{"a": "x", "b": "y"}\n'))
    watched.page.fill("#field", "missing")
    watched.page.click("#submit")
    expect(watched.page.locator("#problem")).to_contain_text("<b>.jsonl", timeout=60_000)
    assert watched.page.input_value("#field") == "missing"
