"""HTML pages: their structure, what they do to hostile texts, and that the same page is the same file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from tests.cli.fixtures import Run, Save
from tests.report.example_pages import HOSTILE, hostile_page, report_page, text_map

from distinctly.report.html import policy_of, render
from distinctly.report.hypertext.maps import MOST_BYTES, longest
from distinctly.report.page import (
    Cell,
    Column,
    Drawing,
    Figure,
    Heading,
    HeatMap,
    Notes,
    OwnedNote,
    Page,
    Paragraph,
    Section,
    Table,
)
from distinctly.score import Note

pytestmark = pytest.mark.slow  # a process per test

# Elements that have no end tag.
VOID = {"meta", "input", "img", "link", "br", "hr"}


class Outline(HTMLParser):
    """Reads a page, and keeps its elements, texts and scripts; raises if an end tag does not fit."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID and tag != "path":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        elif not self.open or self.open[-1] != "style":
            self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return "".join(self.texts)


@pytest.fixture(scope="module")
def report() -> str:
    return render(report_page())


@pytest.fixture(scope="module")
def hostile() -> str:
    return render(hostile_page())


def test_a_page_has_landmarks_and_headings_in_order(report: str) -> None:
    outline = Outline(report)
    for landmark in ("header", "nav", "main", "footer"):
        assert len(outline.all(landmark)) == 1, landmark
    assert outline.all("html")[0]["lang"] == "en"
    assert outline.all("a")[0] == {"class": "skip", "href": "#main"}
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    names = [attributes["id"] for _, attributes in outline.elements if attributes.get("id")]
    assert len(names) == len(set(names))
    # Each link of the contents leads to a section.
    targets = [str(link["href"]).removeprefix("#") for link in outline.all("a")]
    assert len(targets) == 1 + 9
    assert set(targets) <= set(names)


def test_every_block_is_shown(report: str) -> None:
    outline = Outline(report)
    for text in (
        *("805 texts, 1,234 tokens (words)", "Half of the difference is due to", "Values and intervals"),
        *("of all texts", "Bold: the best value", "a less c: 0.2 (p = 0.02)", "Rarefaction", "none at all"),
        *("the end of the day", "Fréchet distance", "Map of texts", "weather, rain, sun 3"),
        *("Warning: ead of alpaca-7b: few texts.", "Note: a hint.", "ead|n:2|v:1.0", "-o report.html"),
    ):
        assert text in outline.text, text
    # The titles of columns and rows of all tables have a scope.
    assert all(cell.get("scope") in ("col", "row", "rowgroup") for cell in outline.all("th"))
    assert sum(cell.get("aria-sort") == "none" for cell in outline.all("th")) >= 8


def test_the_policy_forbids_everything_but_what_the_page_brings(report: str) -> None:
    policy = dict(part.strip().split(" ", 1) for part in policy_of(report).split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == policy["style-src"]
    assert re.fullmatch("'nonce-[0-9a-f]{32}'", policy["script-src"])
    assert policy["img-src"] == policy["font-src"] == "data:"
    nonce = policy["script-src"][7:-1]
    outline = Outline(report)
    scripts = outline.all("script")
    assert all(script == {"nonce": nonce} for script in scripts if script.get("type") is None)
    assert [script["id"] for script in scripts if script.get("type") == "application/json"] == ["chart-data"]
    # Neither attributes of style and events, nor anything to load.
    for tag, attributes in outline.elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], tag
        assert tag not in ("link", "iframe", "object", "base", "form"), tag
        assert attributes.get("src", "data:").startswith("data:"), tag


def test_the_same_page_is_the_same_file(report: str) -> None:
    assert render(report_page()) == report
    # Also in another process, in which Bokeh numbers its models from the start.
    code = (
        "import hashlib; from tests.report.example_pages import report_page; "
        "from distinctly.report.html import render; "
        "print(hashlib.sha256(render(report_page()).encode()).hexdigest())"
    )
    digest = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    again = subprocess.run(
        [sys.executable, "-c", f"import bokeh.plotting as p; p.figure(); {code}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert digest == again


def test_another_page_has_another_nonce() -> None:
    pages = [Page([Paragraph(text, "header")]) for text in ("a", "b")]
    assert policy_of(render(pages[0])) != policy_of(render(pages[1]))


def test_a_page_without_charts_is_small_and_needs_no_bokeh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bokeh", None)
    cells = [[Cell("1", value=1.0), Cell("2", value=2.0)]] * 2
    page = render(Page([Heading("a"), HeatMap("distance", ["a", "b"], ["a", "b"], cells)]))
    assert len(page) < 40_000
    assert "Bokeh." not in page


def test_a_chart_without_bokeh_is_an_error_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bokeh", None)
    with pytest.raises(ImportError, match=r'pip install "distinctly\[report\]"'):
        render(report_page())


@pytest.mark.slow
def test_five_thousand_long_texts_fit_into_six_megabytes() -> None:
    # Chinese characters take three bytes each, and `<` takes six as data of a script.
    for character in ("中", "<"):
        page = render(Page([text_map(("a", "b"), 5000, (character * 2000,))]))
        assert len(page.encode()) < 6_000_000
        assert character * 80 in json.loads(data_of(page))["charts"][0]["texts"][0]


def test_texts_are_shortened_no_more_than_needed() -> None:
    texts = ["a" * 2000] * 10_000
    length = longest(texts)
    # Each text has its characters, an ellipsis of three bytes for the last one, two quotes and a comma.
    assert 10_000 * (length - 1 + 3 + 3) <= MOST_BYTES < 10_000 * (length + 3 + 3)


def data_of(page: str) -> str:
    """Return the data of the charts of a page."""
    begin = '<script type="application/json" id="chart-data">'
    return page.partition(begin)[2].partition("</script>")[0]


def test_hostile_texts_are_text(hostile: str) -> None:
    outline = Outline(hostile)
    assert not {tag for tag, _ in outline.elements} & {"img", "textarea", "b", "link", "iframe"}
    # The scripts of the page only: theme, page, Bokeh, charts, maps, and the data.
    assert len(outline.all("script")) == 6
    assert sum("window.hacked" in script for script in outline.scripts) == 1
    assert "window.hacked" in data_of(hostile)
    assert not re.search("[<>&]", data_of(hostile))
    for text in HOSTILE[:5]:
        assert text in outline.text


def test_invisible_characters_are_shown_as_escapes(hostile: str) -> None:
    texts = Outline(hostile).text
    assert "right to left \\u202e gnp.exe \\u2066 isolated" in texts
    assert "control \\x00\\x07\\x1b[31m\\x7f line\\u2028separator" in texts
    assert not set("\u202e\u2066\u2028\x00\x07\x1b\x7f") & set(hostile)


def test_a_line_of_a_megabyte_is_cut(hostile: str) -> None:
    texts = Outline(render(Page([Table([Column("text", "text")], [[Cell("a" * 1_000_000)]])]))).text
    assert "a" * 999 + "…" in texts
    assert "a" * 1000 not in texts


def test_texts_of_any_direction_stand_by_themselves() -> None:
    page = render(Page([Table([Column("text", "text")], [[Cell("שלום")]])]))
    assert '<bdi dir="auto">שלום</bdi>' in page
    # The spaces of Chinese texts are no control characters.
    assert "一\u3000二" in render(Page([Paragraph("一\u3000二", "header")]))


def test_a_very_long_table_says_that_it_is_cut() -> None:
    rows = [[Cell(str(place), value=place)] for place in range(6000)]
    page = render(Page([Table([Column("number")], rows)]))
    assert "The first 5,000 of 6,000 rows." in page
    assert len(Outline(page).all("td")) == 5000


def test_sections_of_a_table_are_bodies() -> None:
    rows = [[Cell("ead")], [Cell("a", indented=True)], [Cell("vendi")], [Cell("b", indented=True)]]
    outline = Outline(render(Page([Table([Column("metric", "name")], rows, sections=[0, 2])])))
    assert len(outline.all("tbody")) == 2
    scopes = [cell["scope"] for cell in outline.all("th")]
    assert scopes == ["col", "rowgroup", "row", "rowgroup", "row"]


def test_cells_keep_numbers_marks_and_missing_values() -> None:
    row = [
        Cell("0.50 ±0.10", value=0.5, best=True),
        Cell("0.25", value=0.25, mark="noise"),
        Cell("undefined", value=float("nan"), missing=True),
    ]
    page = render(Page([Table([Column("a"), Column("b"), Column("c")], [row])]))
    assert '<td class="number" data-value="0.5"><strong>0.50 ±0.10</strong></td>' in page
    assert (
        '<td class="number" data-value="0.25">0.25<abbr title="the difference may be due to chance">≈' in page
    )
    assert '<td class="number missing">undefined</td>' in page


def test_notes_after_the_first_are_folded() -> None:
    notes = Notes([OwnedNote(Note(f"note {place}.")) for place in range(7)], most=5)
    page = render(Page([notes]))
    assert "<summary>2 more notes</summary>" in page
    assert "note 6." in page


def test_figures_are_drawn_as_images_with_words() -> None:
    drawing = Drawing("Levels", b"<svg/>", "image/svg+xml", 'Distance by "level".')
    image = Outline(render(Page([Figure("trial", lambda: [drawing])]))).all("img")[0]
    # PHN2Zy8+ is base64 of <svg/>.
    assert image["src"] == "data:image/svg+xml;base64,PHN2Zy8+"
    assert image["alt"] == 'Distance by "level".'


def test_few_sections_have_no_contents() -> None:
    assert "<nav" not in render(Page([Section("a"), Section("b")]))
    assert "<nav" in render(Page([Section("a"), Section("b"), Section("c")]))


TEXTS = "".join(
    f"the {animal} {verb}\n" for animal in ("cat", "dog", "fox") for verb in ("sat", "ran", "hid")
)


def test_scores_are_written_by_the_command(command: Run, save: Save, tmp_path) -> None:
    save("a.txt", TEXTS)
    save("b.txt", TEXTS.replace("the", "a"))
    for arguments in (
        ["measure", "a.txt", "b.txt", "-m", "distinct:n=1", "--top", "2"],
        ["measure", "a.txt", "--per-text"],
        ["compare", "a.txt", "b.txt", "-m", "jensen_shannon"],
    ):
        done = command(*arguments, "-o", "report.html")
        assert done.returncode == 0, done.stderr
        outline = Outline((tmp_path / "report.html").read_text("utf-8"))
        assert "a.txt" in outline.text
        assert "9 texts" in outline.text
        assert "Signatures" in outline.text
    printed = command("measure", "a.txt", "-m", "distinct:n=1", "--format", "html")
    # 7 different words (the, 3 animals, 3 verbs) of 27 are 0.2593.
    assert "0.2593" in Outline(printed.stdout).text


def test_trials_are_written_with_their_figures(command: Run, save: Save, tmp_path) -> None:
    save("a.txt", TEXTS)
    save("b.txt", TEXTS.replace("the", "a"))
    done = command(
        *("judge", "similarity", "a.txt", "b.txt", "--n", "3", "--k", "3", "--repetitions", "2"),
        *("-m", "chi", "-m", "jensen_shannon", "--save", "trial.json", "-o", "trial.html"),
    )
    assert done.returncode == 0, done.stderr
    outline = Outline((tmp_path / "trial.html").read_text("utf-8"))
    images = outline.all("img")
    assert images
    assert all(str(image["src"]).startswith(("data:image/svg+xml;", "data:image/png;")) for image in images)
    assert any("Distance of mixtures i and j of a.txt and b.txt." in str(image["alt"]) for image in images)
    again = command("judge", "table", "trial.json", "-o", "again.html")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "again.html").read_bytes() == (tmp_path / "trial.html").read_bytes()


def test_a_trial_without_matplotlib_stops_before_any_work(command: Run, save: Save) -> None:
    save("stubs/matplotlib.py", "raise ImportError('not here')\n")
    done = command(
        *("judge", "similarity", "no-such-file.txt", "neither.txt", "-o", "trial.html"),
        environment={"PYTHONPATH": f"stubs:{':'.join(sys.path)}"},
    )
    assert done.returncode == 2
    assert 'pip install "distinctly[report]"' in done.stderr
