"""The calculator in a browser: the numbers of the command, Chinese, files, and hostile texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.serving import HOSTILE, calls, watch_scripts
from tests.browser.watching import Watched, axe_findings, overflow
from tests.cli.fixtures import Run, Save
from tests.web.serving import Served

ENGLISH = ["the cat sat on the mat", "the cat ran", "", "a dog sat on the mat"]
CHINESE = ["我喜欢吃苹果。", "我喜欢吃香蕉。"]


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with Served() as started:
        yield started


def value_of(watched: Watched, metric: str) -> float:
    """Return the number of a card in full precision."""
    card = watched.page.locator(f"#cards [data-metric='{metric}']")
    expect(card).to_be_visible(timeout=30_000)
    return float(card.get_attribute("data-value") or "nan")


def paste(watched: Watched, server: Served, texts: list[str]) -> None:
    watched.page.goto(f"{server.address}/")
    watched.page.fill("#texts", "\n".join(texts))


def by_command(command: Run, save: Save, texts: list[str], *options: str) -> dict[str, float]:
    save("texts.txt", "".join(f"{text}\n" for text in texts))
    done = command("measure", "texts.txt", "-m", "distinct", "-m", "ead", *options, "--format", "json")
    scores = json.loads(done.stdout)["scores"]
    return {f"{score['metric']}:n={score['options']['n']}": score["value"] for score in scores}


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["English", "Chinese"])
def test_pasted_text_has_the_numbers_of_the_command(
    watched: Watched, server: Served, command: Run, save: Save, texts: list[str]
) -> None:
    paste(watched, server, texts)
    for metric, value in by_command(command, save, texts).items():
        assert value_of(watched, metric) == value
    expect(watched.page.locator("#status")).to_contain_text("Distinct-2")
    watched.no_errors(server.address)


def test_tokenizer_case_and_paragraphs(watched: Watched, server: Served, command: Run, save: Save) -> None:
    paste(watched, server, ["The cat", "the CAT"])
    assert value_of(watched, "distinct:n=1") == 1.0
    watched.page.check("#lowercase")
    expect(watched.page.locator("#cards [data-metric='distinct:n=1']")).to_have_attribute("data-value", "0.5")
    watched.page.select_option("#tokenizer", "char")
    expected = by_command(command, save, ["The cat", "the CAT"], "--tokenizer", "char:lc=yes")
    card = watched.page.locator("#cards [data-metric='distinct:n=1']")
    expect(card).to_have_attribute("data-value", str(expected["distinct:n=1"]))
    watched.page.fill("#texts", "one\ntwo\n\nthree\nfour")
    expect(watched.page.locator("#status")).to_contain_text("5 texts")  # four lines, and one empty
    watched.page.check("input[value=paragraph]")
    expect(watched.page.locator("#status")).to_contain_text("2 texts")


def test_repeated_ngrams_are_highlighted(watched: Watched, server: Served) -> None:
    paste(watched, server, ENGLISH)
    marks = watched.page.locator("#highlighted mark")
    expect(marks.first).to_be_visible(timeout=30_000)
    # Bigrams that occur twice: "the cat", "sat on", "on the", "the mat".
    assert marks.all_inner_texts() == ["the cat", "sat on the mat", "the cat", "sat on the mat"]
    watched.page.select_option("#n", "4")
    expect(marks).to_have_text(["sat on the mat", "sat on the mat"])


def test_more_metrics_and_their_errors(watched: Watched, server: Served) -> None:
    paste(watched, server, ENGLISH)
    watched.page.fill("#more", "types:n=1")
    # the, cat, sat, on, mat, ran, a, dog
    expect(watched.page.locator("#others tr", has_text="types:n=1").locator("td").first).to_have_attribute(
        "data-value", "8"
    )
    watched.page.fill("#more", "distnct")
    expect(watched.page.locator("#problem")).to_contain_text("Did you mean 'distinct'?")


def test_the_command_gives_the_same(watched: Watched, server: Served, command: Run, tmp_path: Path) -> None:
    paste(watched, server, ENGLISH)
    value = value_of(watched, "distinct:n=2")
    with watched.page.expect_download() as download:
        watched.page.click("text=Save texts.txt")
    download.value.save_as(tmp_path / "texts.txt")
    words = watched.page.locator("#command pre").inner_text().split()
    assert words[0] == "distinctly"
    scores = json.loads(command(*words[1:], "--format", "json").stdout)["scores"]
    assert [score["value"] for score in scores if score["options"].get("n") == 2] == [value]


def test_a_file_with_fields_is_measured(watched: Watched, server: Served, save: Save) -> None:
    path = save("answers.csv", "id,Text\n1,the cat sat\n2,the cat ran\n")
    watched.page.goto(f"{server.address}/")
    watched.page.set_input_files("#file", path)
    expect(watched.page.locator("#problem")).to_contain_text("answers.csv")
    watched.page.fill("#field", "Text")
    assert value_of(watched, "distinct:n=1") == 4 / 6  # the, cat, sat, ran, of six tokens


def test_a_dropped_text_file_is_shown(watched: Watched, server: Served) -> None:
    watched.page.goto(f"{server.address}/")
    watched.page.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.items.add(new File(["a b\\na b\\n"], "dropped.txt"));
            const event = new DragEvent("drop", {dataTransfer: carried, bubbles: true, cancelable: true});
            document.getElementById("texts").dispatchEvent(event);
        }"""
    )
    assert value_of(watched, "distinct:n=1") == 0.5  # a, b, of four tokens
    assert watched.page.input_value("#texts") == "a b\na b\n"


def test_hostile_texts_are_shown_as_text(watched: Watched, server: Served) -> None:
    watch_scripts(watched.page)
    paste(watched, server, HOSTILE + HOSTILE)
    value_of(watched, "distinct:n=1")
    shown = watched.page.locator("#highlighted p").all_text_contents()
    assert [text.strip() for text in shown] == [text.strip() for text in HOSTILE + HOSTILE]
    assert watched.page.locator("main img, main svg, main iframe").count() == 0
    assert not calls(watched.page)
    watched.no_errors(server.address)


def test_the_policy_is_on(watched: Watched, server: Served) -> None:
    watch_scripts(watched.page)
    watched.page.goto(f"{server.address}/")
    watched.page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "ran('injected')";
            document.body.append(script);
            const image = document.createElement("div");
            image.innerHTML = "<img src=x onerror=\\"ran('handler')\\">";
            document.body.append(image);
        }"""
    )
    watched.page.wait_for_timeout(500)
    assert not calls(watched.page)
    assert any("Content Security Policy" in problem for problem in watched.problems)


def test_a_line_of_a_megabyte(watched: Watched, server: Served) -> None:
    watched.page.goto(f"{server.address}/")
    watched.page.evaluate(
        """() => {
            const area = document.getElementById("texts");
            area.value = "word ".repeat(200000);
            area.dispatchEvent(new Event("input"));
        }"""
    )
    assert value_of(watched, "distinct:n=1") == 1 / 200_000


def test_a_long_paste_is_measured_but_not_shown(watched: Watched, server: Served) -> None:
    watched.page.goto(f"{server.address}/")
    watched.page.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.setData("text/plain", "a b c d\\r\\n".repeat(200000));
            const options = {clipboardData: carried, bubbles: true, cancelable: true};
            document.getElementById("texts").dispatchEvent(new ClipboardEvent("paste", options));
        }"""
    )
    assert value_of(watched, "distinct:n=1") == 4 / 800_000
    expect(watched.page.locator("#status")).to_contain_text("200,000 texts")
    assert watched.page.input_value("#texts") == ""
    watched.page.click("#unload")
    expect(watched.page.locator("#cards li")).to_have_count(0)


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/compare", "/report", "/docs"])
def test_pages_are_accessible_and_fit(
    browser: Browser, server: Served, path: str, scheme: str, width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    watched = Watched(context.new_page())
    watched.page.goto(server.address + path)
    if path in ("/", "/compare"):
        watched.page.click("#example")
        expect(watched.page.locator("#results")).to_be_visible(timeout=60_000)
        watched.page.click("summary")
    assert not axe_findings(watched.page)
    assert overflow(watched.page) <= 0
    watched.no_errors(server.address)
    context.close()
