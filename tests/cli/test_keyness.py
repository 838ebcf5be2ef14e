"""`distinctly keyness` and `collocations` on the command line: tables, files, plots, states and errors."""

from __future__ import annotations

import csv
import json
import re

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

HUMAN = "we look at it closely\nlet us look at the data\nwe see it\nlook at it\n"
MODEL = "we delve into it\nlet us delve into the data\ndelve into the details\nwe see it\n"


@pytest.fixture
def files(save):
    return save("human.txt", HUMAN), save("model.txt", MODEL)


def test_json_is_what_python_returns(command, files):
    done = command("keyness", "human.txt", "model.txt", "--n", "1-2", "--lines", "1", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    expected = dy.keyness(*files, n=[1, 2], lines=1).to_dict()
    assert json.loads(done.stdout) == expected
    assert [row["term"] for row in expected["rows"][:2]] == ["delve into", "delve"]
    assert expected["lines"][0]["match"] == "delve into"


def test_the_terminal_shows_both_directions(command, files):
    done = command("keyness", "human.txt", "model.txt", environment={"COLUMNS": "100"})
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    # delve: 3 of 17 tokens in 3 texts, 0 of 17; log2((3/17) / (½/17)) = 2.58. It is once in texts of 4, 6 and
    # 4 tokens, and not in one of 3: half of |1/3 − 4/17| + |1/3 − 6/17| + |1/3 − 4/17| + 3/17 is 0.20.
    # z: ln(6/45 / (3/48)) / √(1/6 + 1/3) = 1.07, since the prior is 3 of 34.
    delve = next(line for line in lines if line[:1] == ["delve"])
    assert delve[:10] == ["delve", "3", "176,471", "3", "0.20", "0", "0", "0", "2.58", "1.1"]
    assert "More in model.txt: than in human.txt; p < 0.05 for 0 of 4 listed terms" in done.stdout
    assert "More in human.txt: than in model.txt" in done.stdout
    tables = done.stdout.partition("Per million")[0]
    assert max(map(len, tables.splitlines())) <= 100


def test_phrases_have_examples(command, save):
    save("a.txt", "it was a long day\nit was a bad day\n")
    save("b.txt", "a rich tapestry of life\na rich tapestry of sound\n")
    done = command("keyness", "a.txt", "b.txt", "--phrases", "--show", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "a rich tapestry of (text of b.txt)" in done.stdout
    assert "a rich tapestry of life" in done.stdout
    assert "Phrases that are nearly always part of a longer one are left out." in done.stdout


@pytest.mark.parametrize("form", ["csv", "tsv", "markdown", "latex", "jsonl", "html", "values"])
def test_every_format(command, files, form):
    done = command("keyness", *("human.txt", "model.txt", "--format", form, "--lines", "1"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "delve" in done.stdout or form == "values"


def test_files_and_plots(command, files, tmp_path):
    done = command("keyness", "human.txt", "model.txt", "-o", "terms.csv", "--plot", "terms.png")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "terms.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["term"]: row["candidate_count"] for row in rows}["into"] == "3"
    assert (tmp_path / "terms.png").read_bytes().startswith(b"\x89PNG")
    done = command("keyness", "human.txt", "model.txt", "-o", "terms.xlsx", "--lines", "2")
    assert done.returncode == 0, done.stderr
    import python_calamine

    book = python_calamine.load_workbook(str(tmp_path / "terms.xlsx"))
    assert book.sheet_names[:2] == ["terms", "lines"]
    assert len(book.get_sheet_by_name("terms").to_python()) == len(rows) + 1


def test_by_and_the_rest(command, save):
    rows = [{"who": who, "text": text} for who, text in (("a", "x x"), ("b", "y y"), ("c", "z x"))]
    save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    asked = ("keyness", "rows.jsonl", "--by", "who", "--format", "json")
    document = json.loads(command(*asked, "--reference", "rest").stdout)
    assert [each["candidate"] for each in document["comparisons"]] == ["a", "b", "c"]
    document = json.loads(command(*asked, "--reference", "b").stdout)
    assert [(each["reference"], each["candidate"]) for each in document["comparisons"]] == [
        ("b", "a"),
        ("b", "c"),
    ]


def test_states(command, files, tmp_path):
    saved = command("state", "save", "human.txt", "--keyness", "1-2", "-o", "human.state")
    assert saved.returncode == 0, saved.stderr
    done = command("keyness", "human.state", "model.txt", "--n", "2", "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = {row["term"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["look at"]["reference_count"] == 3
    measured = command("measure", "human.state")
    assert (measured.returncode, "saved without metrics" in measured.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("human.txt", "empty.txt"), "empty.txt"),
        (("human.txt", "blank.txt"), "blank.txt: there are no tokens in the texts"),
        (("human.txt", "model.txt", "--n", "7"), "human.txt: no text has 7 tokens, so there are no 7-grams"),
        (("human.txt", "model.txt", "--n", "x"), "Expected `n` to be numbers"),
        (("human.state", "model.txt", "--tokenizer", "char"), "does not have the terms of n=1 in char"),
        (("human.state", "model.txt", "--lines", "1"), "a state holds counts, not texts"),
        (("human.txt",), "Expected a reference and a candidate"),
        (("human.txt", "missing.txt"), "missing.txt"),
        (("human.txt", "model.txt", "--plot", "plot.gif"), "ends with .png, .svg or .pdf"),
        (("human.txt", "model.txt", "--plot", "no/plot.png"), "this folder does not exist"),
        (("human.txt", "model.txt", "--reference", "other"), "Unknown corpus 'other'"),
    ],
)
def test_errors_are_one_line_and_nothing_is_written(command, files, save, tmp_path, arguments, problem):
    save("empty.txt", "")
    save("blank.txt", "\n\n")
    dy.save_state(files[0], tmp_path / "human.state", (), keyness=1)
    done = command("keyness", *arguments, "-o", "out.csv")
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out.csv").exists()


def test_collocations(command, save):
    path = save("tea.txt", "a cup of strong tea\nstrong tea and cake\na strong wind\na cup of milk\n")
    done = command("collocations", "tea", "tea.txt", "--window", "2,0", "--lines", "2", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert document == dy.collocations("tea", path, window=(2, 0), lines=2).to_dict()
    assert document["window"] == [2, 0]
    assert [row["collocate"] for row in document["rows"]] == ["strong", "of"]
    shown = command("collocations", "tea", "tea.txt", "--window", "2", environment={"COLUMNS": "100"})
    strong = next(line.split() for line in shown.stdout.splitlines() if line.split()[:1] == ["strong"])
    # Near: of, strong, strong, and, cake, of 14 tokens that are no tea: 3 · 5/14.
    assert strong[:7] == ["strong", "2", "2", "0", "1.1", "3", "2"]
    assert "Near tea: which occurs 2 times" in shown.stdout
    for arguments, problem in (
        (("ham", "tea.txt"), "tea.txt: 'ham' does not occur in the texts"),
        (("tea", "tea.txt", "--window", "x"), "Expected --window to be a number"),
        (("tea", "none.txt"), "none.txt"),
    ):
        refused = command("collocations", *arguments)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
        assert problem in refused.stderr


def test_long_terms_are_broken_at_spaces(command, save):
    lunch, harbour = "the cat comes back after lunch today\n", "nothing else happens in the old harbour\n"
    save("a.txt", lunch * 40 + harbour * 4)
    save("b.txt", lunch * 4 + harbour * 40)
    done = command("keyness", "a.txt", "b.txt", "--n", "4-5", environment={"COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    terms = re.findall(r"^  ?([a-z ]+?)(?: {2,}\d.*)?$", done.stdout, re.MULTILINE)
    assert {"happens in the old", "harbour", "comes back after", "lunch today"} <= set(terms)
    words = {word for term in terms for word in term.split()}
    assert words - {"other"} == {*lunch.split(), *harbour.split()}
