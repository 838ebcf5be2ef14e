"""Tables of several corpora: widths, names, decimals, lengths, emphasis, and notes, in every format."""

from __future__ import annotations

import csv
import io
import json
import math
import re

import pytest

import distinctly as dy
from distinctly.report import rendered
from distinctly.report.cells import Rounding
from distinctly.report.latex import escaped
from distinctly.report.page import Cell, Column, Page, Table
from distinctly.report.pages.scores import page_of_scores
from distinctly.report.terminal import draw, shortened

pytestmark = pytest.mark.slow  # a process per test

# Real names of systems, of which one is long.
SYSTEMS = [
    *("gpt4", "gpt-3.5-turbo-0301", "claude-2", "Meta-Llama-3-8B-Instruct"),
    *("vicuna-7b", "alpaca-7b", "falcon-7b-instruct", "gemma-2b-it"),
]
NUMBER = re.compile(r"\d+\.\d+")


def texts_of(place: int, texts: int = 30) -> list[str]:
    """Return texts of place + 2 words each, from 5 * (place + 1) words."""
    return [
        " ".join(f"w{(i * 7 + j * 3) % (5 * (place + 1))}" for j in range(place + 2)) for i in range(texts)
    ]


@pytest.fixture
def system_files(save) -> list[str]:
    names = [f"{system}.txt" for system in SYSTEMS]
    for place, name in enumerate(names):
        save(name, "\n".join(texts_of(place)) + "\n")
    return names


def table_lines(output: str) -> list[str]:
    """Return the lines of the tables: those that begin with a space, without the signatures."""
    return [line for line in output.partition("Signatures")[0].splitlines() if line.startswith(" ")]


@pytest.mark.parametrize("columns", [100, 120])
@pytest.mark.parametrize("options", [[], ["--interval"], ["--permutations", "9"]])
def test_a_matrix_of_eight_systems_breaks_neither_numbers_nor_names(command, system_files, columns, options):
    asked = ("--matrix", "-m", "jensen_shannon", *options)
    done = command("compare", *system_files, *asked, environment={"COLUMNS": str(columns)})
    lines = table_lines(done.stdout)
    assert max(map(len, lines)) <= columns
    rows = [line for line in lines if re.match(r" [1-8] ", line)]
    # One row per system; numbers of the same number of decimals, eight of them less the system itself.
    per_part = len(rows) // 8
    assert [line.split()[1].removesuffix(".txt") for line in rows] == SYSTEMS * per_part
    values = [NUMBER.findall(line.partition(line.split()[1])[2]) for line in rows]
    each = 2 if options == ["--interval"] else 1
    assert sum(map(len, values)) == 8 * 7 * each
    assert {len(number.partition(".")[2]) for row in values for number in row} == {4}
    assert all(f"{name}  30 texts" in done.stdout for name in system_files)  # full names


def test_names_that_differ_in_the_middle_stay_different(command, save):
    names = [f"a-very-long-prefix-of-a-run-on-a-cluster-{x}-with-a-long-end-of-it-too.txt" for x in "abcd"]
    for place, name in enumerate(names):
        save(name, "\n".join(texts_of(place)) + "\n")
    done = command("measure", *names, "-m", "distinct:n=1", environment={"COLUMNS": "80"})
    lines = table_lines(done.stdout)
    assert max(map(len, lines)) <= 80
    shown = [line.split()[0] for line in lines if "…" in line]
    assert len(set(shown)) == 4
    assert all(f"{name}  30 texts" in done.stdout for name in names)


@pytest.mark.parametrize("room", range(6, 40))
def test_shortened_names_fit_and_differ(room):
    names = [f"outputs-of-model-{x}-trained-for-a-long-time.jsonl.gz" for x in ("a", "b", "ab")]
    short = shortened(names, room)
    assert len(set(short)) == 3
    assert all(len(name) <= room for name in short)


def test_a_table_without_a_terminal_obeys_columns(command, save):
    save("texts.txt", "\n".join(texts_of(5)) + "\n")
    metrics = [argument for n in range(1, 9) for argument in ("-m", f"distinct:n={n},pool=text,short=zero")]

    def widest(**environment: str) -> int:
        done = command("measure", "texts.txt", "-m", "msttr", *metrics, environment=environment)
        return max(map(len, table_lines(done.stdout)))

    files = [save(f"{name}.txt", "\n".join(texts_of(5)) + "\n").name for name in SYSTEMS]

    def of_files(columns: str) -> list[str]:
        asked = ("-m", "jensen_shannon", "-m", "chi", "-m", "zipf", "--noise-floor", "--permutations", "9")
        return table_lines(command("compare", *files, *asked, environment={"COLUMNS": columns}).stdout)

    assert widest(COLUMNS="60") <= 60
    assert max(map(len, of_files("70"))) <= 70 < max(map(len, of_files("160"))) <= 160
    # Without a number in the variable, and without a terminal, there is a fixed width.
    assert of_files("") == of_files("100") == of_files("wide") != of_files("160")


@pytest.mark.parametrize("width", [20, 40, 60, 80])
def test_no_number_is_broken_however_narrow_the_table(width):
    columns = [Column("corpus", "name"), *(Column("jensen_shannon n=2") for _ in range(9))]
    row = [
        Cell("Meta-Llama-3-8B-Instruct", corpus=True),
        *[Cell("0.1234 ±0.0567", value=0.1234, best=True)] * 9,
    ]
    drawn = draw(Page([Table(columns, [row, row])]), width)
    assert drawn.count("0.1234 ±0.0567*") == 18


def test_a_metric_has_one_number_of_decimals_in_all_corpora_also_for_intervals():
    corpora = {name: texts_of(place * 9, 60) for place, name in enumerate(SYSTEMS)}
    page = page_of_scores(dy.measure(corpora, ["entropy:n=1", "distinct:n=1", "types:n=1"], interval=True))
    (table,) = page.tables
    decimals: dict[tuple[str, int], set[int]] = {}
    for place, row in enumerate(table.rows):
        if place in table.sections:
            metric = row[0].text
            continue
        for column, cell in enumerate(row[2:-1]):
            numbers = re.findall(r"\d[\d,.]*", cell.text)
            digits = {len(number.partition(".")[2]) for number in numbers}
            decimals.setdefault((metric, column), set()).update(digits)
    # All texts, and at one size; the number of types of a part of the texts is no whole number.
    assert decimals["distinct:n=1", 0] == decimals["distinct:n=1", 1] == {4}
    assert decimals["entropy:n=1", 0] == decimals["entropy:n=1", 1] == {4}
    assert all(len(digits) == 1 for digits in decimals.values())


def test_metrics_of_one_name_have_the_same_decimals_and_counts_have_none():
    # Entropies of 9.87 and 14.78 bits; 12345 and 8 types are counts.
    values = {"entropy:n=1": 9.8703, "entropy:n=2": 14.7812, "hill:q=0": 12345.0, "hill:q=2": 8.25}
    scores = [dy.Score(value, metric=spec.partition(":")[0], spec=spec) for spec, value in values.items()]
    (table,) = page_of_scores(dy.Scores(scores)).tables
    assert [row[1].text for row in table.rows] == ["9.87", "14.78", "12,345", "8.2500"]


def test_what_rounding_leaves_over_is_no_interval():
    score = dy.Score(0.5, metric="ttr", spec="ttr", low=0.5 - 3e-17, high=0.5 + 3e-17)
    page = page_of_scores(dy.Scores([score]))
    assert page.tables[0].rows[0][1].text == "0.5000 ±0.0000"
    for form in ("table", "markdown", "latex"):
        assert "e-17" not in rendered(page, form)
    assert Rounding.of([0.5]).write(-3e-17) == "0.0000"  # without a sign


def test_a_small_number_beside_large_ones_is_not_shown_as_zero():
    column = Rounding.of([0.42, 0.00001, -0.00002])
    assert [column.write(value) for value in (0.42, 0.00001, -0.00002, 0.0)] == [
        *("0.4200", "<0.0001", ">-0.0001", "0.0000")
    ]
    tiny = Rounding.of([4e-5, 1.25e-9])
    assert [tiny.write(value) for value in (4e-5, 1.25e-9)] == ["4.00e-05", "1.25e-09"]


FORMS = ["table", "markdown", "latex"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("files", [2, 4])
def test_tables_of_several_corpora_show_the_tokens_per_text(command, system_files, files, form):
    asked = ("-m", "jensen_shannon", "--format", form)
    for options in ((), ("--permutations", "9"), ("--matrix",)):
        shown = command("compare", *system_files[: files + 1], *asked, *options).stdout
        head = shown.partition("jensen_shannon|n")[0]
        assert " ".join(head.split()).count("tokens") >= 1
        # Texts of 2, 3 … words; the first is the reference.
        for words in range(2, files + 3):
            assert re.search(rf"(?<![\d.]){words}\.0(?!\d)", head), (words, head)
    shown = command("measure", *system_files[:files], "-m", "distinct:n=1", "--format", form).stdout
    for words in range(2, files + 2):
        assert re.search(rf"(?<![\d.]){words}\.0(?!\d)", shown.partition("|pool")[0])


def test_one_candidate_and_its_reference_are_shown_with_their_tokens_per_text(command, system_files):
    shown = command("compare", *system_files[:2], "-m", "jensen_shannon", "--format", "markdown").stdout
    # Texts of two and of three words.
    assert "Tokens per text: gpt4.txt 2.0, gpt-3.5-turbo-0301.txt 3.0." in shown


def test_tokens_per_text_are_in_json_and_csv(command, save):
    rows = [("a b c", "x"), ("d e", "x"), ("f", "y")]
    save("rows.jsonl", "".join(json.dumps({"text": text, "model": model}) + "\n" for text, model in rows))
    asked = ("rows.jsonl", "--by", "model")
    corpora = json.loads(command("measure", *asked, "--format", "json").stdout)["corpora"]
    # x has five tokens in two texts, y one in one.
    assert [(corpus["name"], corpus["tokens_per_text"]) for corpus in corpora] == [("x", 2.5), ("y", 1.0)]
    table = command("measure", *asked, "-m", "types:n=1", "--format", "csv").stdout
    assert [row["tokens_per_text"] for row in csv.DictReader(io.StringIO(table))] == ["2.5", "1.0"]
    table = command("compare", *asked, "-m", "jensen_shannon", "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["tokens_per_text"], row["reference_tokens_per_text"]) == ("1.0", "2.5")


def test_vectors_alone_have_no_tokens_to_show():
    import numpy as np

    vectors = np.eye(8)
    page = page_of_scores(dy.compare(vectors[:6], {"a": vectors[2:], "b": vectors[1:7]}, "energy"))
    assert "tokens" not in rendered(page, "markdown")


def test_the_best_value_is_bold_and_the_legend_is_no_bullet(command, save):
    save("one.txt", "a a\n" * 12)
    save("two.txt", "".join(f"a{i} b{i}\n" for i in range(12)))
    asked = ("measure", "one.txt", "two.txt", "-m", "distinct:n=1", "--format")
    shown = command(*asked, "markdown").stdout
    # All of 24 words differ in two.txt, and 1 of 24 in one.txt.
    assert "| distinct:n=1 | 0.0417 | **1.0000** |" in shown
    assert "**Bold**: most diverse." in shown
    assert not re.search(r"^\s*[*+] ", shown, re.MULTILINE)
    shown = command(*asked, "latex").stdout
    assert r"distinct:n=1 & 0.0417 & \textbf{1.0000} &" in shown
    assert "% Bold: most diverse." in shown


def test_notes_of_markdown_are_paragraphs(command, save):
    save("texts.txt", "a b\n\nc\n")
    shown = command("measure", "texts.txt", "-m", "distinct:n=1", "--format", "markdown").stdout
    quoted = [line for line in shown.splitlines() if line.startswith(">")]
    assert [line == ">" for line in quoted] == [False, True, False, True, False]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("χ²", r"$\chi^2$"),
        ("α and Ω", r"$\alpha$ and $\Omega$"),
        ("λ, ω² ± σ", r"$\lambda$, $\omega^2$ $\pm$ $\sigma$"),
        ("Α–Ω", r"$\mathrm{A}$--$\Omega$"),
        ("p ≥ 0.05 …", r"p $\ge$ 0.05 \ldots{}"),
        ("a--b|c", r"a-{}-b\textbar{}c"),
        ("$χ", r"\$$\chi$"),
    ],
)
def test_latex_prints_greek_letters_and_symbols_in_math_mode(text, written):
    assert escaped(text) == written


def balanced(tabular: str) -> bool:
    depth = 0
    for match in re.finditer(r"\\.|[{}]", tabular):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("matrix", [False, True])
def test_latex_has_nothing_that_a_compiler_refuses(command, save, matrix):
    """Check what pdflatex checks: ASCII only, balanced braces and dollars, the same number of cells."""
    names = ["χ²_α.txt", "50%&more.txt", "a|b~^{}.txt", "plain.txt", "$x$.txt"]
    for place, name in enumerate(names):
        save(name, "\n".join(texts_of(place)) + "\n")
    if matrix:
        done = command("compare", *names, "-m", "jensen_shannon", "--matrix", "--format", "latex")
    else:
        done = command("measure", *names, "-m", "entropy:n=1", "--interval", "--format", "latex")
    assert done.returncode == 0
    lines = [line for line in done.stdout.splitlines() if not line.startswith("%")]
    source = "\n".join(lines)
    assert source.isascii()
    assert balanced(source)
    assert len(re.findall(r"(?<!\\)\$", source)) % 2 == 0
    assert r"$\chi^2$\_$\alpha$.txt" in source
    cells = [len(re.findall(r"(?<!\\)&", line)) for line in lines if line.endswith(r"\\")]
    assert len(set(cells)) == 1
    assert not re.search(r"(?<!\\)[#%_~^](?!2\$)", source)


def test_a_long_table_is_divided_into_pages_of_latex():
    corpora = {name: texts_of(place, 40) for place, name in enumerate(SYSTEMS)}
    page = page_of_scores(dy.measure(corpora, [f"entropy:n={n}" for n in range(1, 9)]))
    (table,) = page.tables
    parts = rendered(page, "latex").split(r"\begin{tabular}")[1:]
    rows = [part.count(r"\quad") for part in parts]
    assert sum(rows) == 8 * 8
    assert len(parts) == 2
    assert all(row % 8 == 0 for row in rows)  # between metrics
    assert all(part.count(r"\midrule") == 1 for part in parts)
    assert len(table.sections) == 8


def test_the_same_note_on_metrics_and_corpora_is_one_line(command, save):
    # 1, 2 and 3 of the texts have one word, so no pair; texts of one length and two words need no warning.
    for name, short in (("a.txt", 1), ("b.txt", 2), ("c.txt", 3)):
        save(name, "x\n" * short + "".join(f"y{i} z{i % 9}\n" for i in range(60)))
    asked = ("measure", "a.txt", "b.txt", "c.txt", "-m", "distinct:n=2", "-m", "types:n=2", "-m", "types:n=1")
    shown = command(*asked, "--format", "markdown").stdout
    notes = [line for line in shown.splitlines() if line.startswith("> ")]
    (short,) = [line for line in notes if "contain" in line]
    assert short == (
        "> distinct:n=2, types:n=2: Some texts have fewer tokens than the n-grams, and so contain none."
    )
    # JSON has the numbers.
    scores = json.loads(command(*asked, "--format", "json").stdout)["scores"]
    assert (
        "3 of 63 texts have fewer than 2 tokens and so contain no 2-gram."
        in scores[-1]["notes"] + (next(score for score in scores if score["corpus"] == "c.txt")["notes"])
    )


def test_five_notes_are_shown_with_warnings_before_hints():
    score = dy.Score(
        0.5,
        metric="ttr",
        spec="ttr",
        corpus="texts",
        notes=(
            *(dy.Note(f"Hint {number}.") for number in range(4)),
            *(dy.Note(f"Warning {number}.", "warning") for number in range(3)),
        ),
    )
    undefined = dy.Score(
        math.nan, metric="mtld", spec="mtld", corpus="texts", undefined="there is no factor."
    )
    page = page_of_scores(dy.Scores([score, undefined]))
    expected = [
        "mtld: Undefined: there is no factor.",
        *(f"ttr: Warning {number}." for number in range(3)),
        "ttr: Hint 0.",
        "… and 3 more notes: see --format json.",
    ]
    shown = draw(page, 100).splitlines()
    assert [line.removeprefix("Note: ") for line in shown if line.startswith("Note: ")] == expected
    assert [line[2:] for line in rendered(page, "markdown").splitlines() if line.startswith("> ")] == expected


def test_no_distance_that_is_undefined_is_called_tested(command, save):
    for name in ("a.txt", "b.txt", "c.txt"):
        save(name, "one two\nthree four\nfive six\n")
    # dc needs more than k = 5 texts.
    shown = command("compare", "a.txt", "b.txt", "c.txt", "-m", "dc", "--permutations", "9").stdout
    assert "No distance is defined, so none was tested." in shown
    assert "None is." not in shown
    assert "nearest to" not in shown
    save("d.txt", "u v w\n" * 30)
    save("e.txt", "x y z\n" * 30)
    asked = ("-m", "dc:k=40", "-m", "jensen_shannon", "--permutations", "99")
    shown = command("compare", "d.txt", "e.txt", *asked).stdout
    # No word is shared, so any exchange makes the distance smaller: p = 1/100.
    assert "The only defined distance is more than noise: p < 0.05;" in shown
    assert "None is." not in shown
