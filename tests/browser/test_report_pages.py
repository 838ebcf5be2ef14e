"""Reports in a browser: nothing fails, overlaps or is loaded; tables, charts and the map can be used."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.watching import Watched, axe_findings, overflow, overlaps
from tests.report.example_pages import HOSTILE, SYSTEMS, hostile_page, report_page

from distinctly.report.html import render

LABELS = "h1, h2, h3, th, td, caption, summary, .panel-title, .keys button, .contents a, .corpora li"
# The place of the number of each region on the screen, by the scales of the chart.
PLACES = """() => {
    const roots = Bokeh.documents[0].roots();
    const figure = roots.find(root => root.renderers.some(r => r.data_source.data.region));
    const centres = figure.renderers.find(r => r.data_source.data.region).data_source.data;
    const view = Bokeh.index.get_by_id(figure.id);
    const box = view.el.getBoundingClientRect();
    return [...centres.x].map((x, place) => [
        box.left + view.frame.x_scale.compute(x), box.top + view.frame.y_scale.compute(centres.y[place])]);
}"""
LABEL_COLOUR = "Bokeh.documents[0].roots()[0].left[0].major_label_text_color"
Show = Callable[[Watched, str], None]


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "report.html").write_text(render(report_page()), "utf-8")
    (folder / "hostile.html").write_text(render(hostile_page()), "utf-8")
    return folder


@pytest.fixture
def show(pages: Path) -> Show:
    """Open a page from disk, and wait for its charts."""

    def open_page(watched: Watched, name: str) -> None:
        watched.page.goto((pages / name).as_uri())
        watched.page.wait_for_selector("html[data-charts=drawn]")
        watched.page.wait_for_timeout(300)

    return open_page


@pytest.mark.parametrize("name", ["report.html", "hostile.html"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 390])
def test_nothing_fails_overlaps_or_is_loaded(
    browser: Browser, show: Show, name: str, theme: str, width: int
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if theme == "dark" else "light",
        is_mobile=width < 500,
        has_touch=width < 500,
    )
    watched = Watched(context.new_page())
    show(watched, name)
    watched.no_errors()
    assert watched.page.evaluate("window.hacked") is None
    assert overflow(watched.page) == 0
    assert overlaps(watched.page, LABELS) == []
    assert axe_findings(watched.page) == []
    context.close()


def test_hostile_texts_are_shown_as_text(watched: Watched, show: Show) -> None:
    show(watched, "hostile.html")
    page = watched.page
    for text in HOSTILE[:5]:
        assert page.get_by_text(text, exact=True).count() > 0
    page.locator("button.region").nth(1).click()
    listed = page.locator(".texts p").all_inner_texts()
    # The texts of the second region are the second of the hostile ones.
    assert set(listed) == {HOSTILE[1]}
    x, y = page.evaluate(PLACES)[1]
    page.mouse.move(x + 12, y + 4)
    page.mouse.move(x + 14, y + 6)
    watched.no_errors()
    assert page.evaluate("window.hacked") is None


def test_tables_are_sorted_by_clicks_and_keys(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    table = watched.page.locator("table", has_text="of all texts").first
    title = table.get_by_role("columnheader", name="distinct:n=1")

    def values() -> list[float]:
        cells = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
        return [float(cell.split(" ")[0]) for cell in cells]

    before = values()
    title.get_by_role("button").click()
    expect(title).to_have_attribute("aria-sort", "descending")
    assert values() == sorted(before, reverse=True) != before
    watched.page.keyboard.press("Enter")
    expect(title).to_have_attribute("aria-sort", "ascending")
    assert values() == sorted(before)
    watched.page.keyboard.press("Enter")
    assert values() == before


def test_rows_are_filtered(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    page.locator("summary", has_text="The numbers as a table").nth(1).click()
    numbers = page.locator("details[open]")
    numbers.get_by_role("searchbox").fill("claude 500")
    # One of the 20 sizes of the curve of claude-2.1 is 500.
    assert numbers.locator("tbody tr:visible").count() == 1
    expect(numbers.get_by_role("status")).to_have_text("1 of 160 rows")


def test_signatures_are_copied(browser: Browser, show: Show) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    watched = Watched(context.new_page())
    show(watched, "report.html")
    page = watched.page
    page.get_by_role("button", name="Copy this signature").nth(1).click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "ead|n:2|v:1.0"
    page.get_by_role("button", name="Copy this text").click()
    page.wait_for_timeout(100)
    assert (
        page.evaluate("navigator.clipboard.readText()")
        == "distinctly report a.txt b.txt \\\n  -o report.html"
    )
    context.close()


def test_the_theme_is_switched_and_kept(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    colours = f"[getComputedStyle(document.body).backgroundColor, {LABEL_COLOUR}]"
    toggle = page.locator("#theme")
    # The colours of `hypertext.colours.THEMES`.
    assert page.evaluate(colours) == ["rgb(255, 255, 255)", "#1B1F24"]
    toggle.click()
    toggle.click()
    expect(toggle).to_have_text("Theme: dark")
    assert page.evaluate(colours) == ["rgb(20, 24, 29)", "#E6EAF0"]
    show(watched, "report.html")
    assert page.evaluate(colours) == ["rgb(20, 24, 29)", "#E6EAF0"]
    watched.no_errors()


def test_corpora_are_hidden_and_shown(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    key = page.locator(".keys button", has_text="claude-2.1").first
    shown = """() => {
        const isCurve = ({data}) => data.low && !data.place;
        const roots = Bokeh.documents[0].roots();
        const plot = roots.find(root => root.renderers.some(r => isCurve(r.data_source)));
        return plot.renderers.filter(r => r.visible).length;
    }"""
    # Eight systems, each with a band, a line and points.
    assert page.evaluate(shown) == 24
    key.click()
    expect(key).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(shown) == 21
    key.click()
    assert page.evaluate(shown) == 24


def test_regions_are_read_by_keyboard(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    button = page.get_by_role("button", name="10. weather, rain, sun 9")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    # 3,000 texts in 10 regions; the last of 8 systems has none in the last region: 37 of its 300.
    reader = page.locator(".reader")
    expect(reader.locator(".status")).to_have_text(re.compile("^263 texts: 10. weather"))
    assert reader.locator(".texts li").count() == 100
    assert all("of region 10" in text for text in reader.locator(".texts p").all_inner_texts())
    reader.get_by_role("button", name="Show more").click()
    assert reader.locator(".texts li").count() == 200
    reader.get_by_label("Corpus of the texts").select_option(label="claude-2.1")
    expect(reader.locator(".status")).to_have_text(re.compile("^38 texts of 263 texts: 10."))
    assert set(reader.locator(".source").all_inner_texts()) == {"claude-2.1"}
    reader.get_by_label("Filter the texts").fill("text 1219")
    # Text 1219 is one of claude-2.1 in the region: 1219 = 9 + 10 · (1 + 8 · 15).
    assert reader.locator(".texts p").all_inner_texts() == ["text 1219 of region 10，一个关于天气的句子。"]
    reader.get_by_role("button", name="Clear").click()
    expect(reader.locator(".status")).to_have_text(re.compile("^Select texts"))
    assert reader.locator(".texts li").count() == 0
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_click_on_a_number_lists_its_region(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    page.locator(".map").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    x, y = page.evaluate(PLACES)[4]
    page.mouse.click(x, y)
    expect(page.locator(".reader .status")).to_have_text(re.compile("^300 texts: 5. weather"))
    expect(page.get_by_role("button", name="5. weather, rain, sun 4")).to_have_attribute(
        "aria-pressed", "true"
    )
    watched.no_errors()


def test_a_box_on_the_map_lists_its_texts(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    page.locator(".map").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    x, y = page.evaluate(PLACES)[4]
    page.mouse.move(x - 70, y - 70)
    page.mouse.down()
    page.mouse.move(x, y, steps=4)
    page.mouse.move(x + 70, y + 70, steps=4)
    page.mouse.up()
    status = page.locator(".reader .status")
    expect(status).to_have_text(re.compile("texts: selected on the map$"))
    # The fifth region lies apart from the others.
    assert all("of region 5" in text for text in page.locator(".texts p").all_inner_texts())
    watched.no_errors()


def test_the_pointer_shows_the_text(watched: Watched, show: Show) -> None:
    show(watched, "report.html")
    page = watched.page
    page.locator(".map").scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    x, y = page.evaluate(PLACES)[4]
    for step in range(1, 30):
        page.mouse.move(x + 14 + step, y + step / 2)
        if page.locator(".tooltip").is_visible():
            break
    text = page.locator(".tooltip").inner_text()
    assert "of region 5" in text
    assert any(system in text for system in SYSTEMS)
    page.mouse.move(5, 5)
    expect(page.locator(".tooltip")).to_be_hidden()


def test_it_is_printed_in_light_colours_and_fits_the_paper(
    browser: Browser, show: Show, tmp_path: Path
) -> None:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme="dark")
    watched = Watched(context.new_page())
    show(watched, "report.html")
    page = watched.page
    page.evaluate(
        """() => addEventListener("beforeprint", () => {
            window.printed = {
                pictures: document.querySelectorAll("img.printed").length,
                label: Bokeh.documents[0].roots()[0].left[0].major_label_text_color,
            };
        })"""
    )
    document = page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    assert document.startswith(b"%PDF")
    # Seven panels, three plots and a map; the colour of text in the light theme.
    assert page.evaluate("window.printed") == {"pictures": 11, "label": "#1B1F24"}
    assert page.locator("img.printed").count() == 0
    assert page.evaluate(LABEL_COLOUR) == "#E6EAF0"
    # 210 mm less the margins are 688 pixels at 96 per inch.
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size({"width": 688, "height": 1000})
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert overflow(page) == 0
    watched.no_errors()
    context.close()
