"""`distinctly homogeneity` on the command line: tables, JSON, files and errors."""

from __future__ import annotations

import json
import shutil

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

ROWS = [
    *({"model": "one", "id": place, "text": text} for place, text in enumerate(["a b c", "d e f", "g h"])),
    *({"model": "two", "id": place, "text": text} for place, text in enumerate(["a b d", "d e f", "x y"])),
    *({"model": "three", "id": place, "text": text} for place, text in enumerate(["k l m", "d e g", "g h"])),
]
ASKED = ("homogeneity", "rows.jsonl", "--by", "model", "--group", "id")


@pytest.fixture
def rows(save):
    return save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))


def test_json_is_what_python_returns(command, rows):
    done = command(*ASKED, "--n", "1", "--interval", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    expected = dy.homogeneity(rows, by="model", group="id", n=1, interval=True).to_dict()
    assert json.loads(done.stdout) == expected
    shared = expected["measures"][1]
    # one and two: 2 of 3, 3 of 3 and 0 of 2 words. Of other prompts, d of a b d and d e f, in one order: 1/3.
    assert shared["similarity"][0][1] == pytest.approx((2 / 3 + 1 + 0) / 3)
    assert shared["floor"][0][1] == pytest.approx(1 / 3 / 6)
    assert (shared["n"], shared["tokenizer"], shared["low"][0][1]) == (1, "words,lc:no", None)


def test_the_terminal_shows_matrices_floors_and_extremes(command, rows):
    done = command(*ASKED, "--n", "1")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    # The floors of one: 1/18 with two, as above. With three, only g of g h and d e g: 1 / √6 / 6 = 0.068.
    # Their mean is 0.062.
    assert ["one", "–", "0.556", "0.556", "0.062"] in lines
    assert "one two three other prompts" in " ".join(done.stdout.split())
    assert (
        "Most alike by shared n-grams: one and two (0.556; answers to other prompts: 0.056)." in done.stdout
    )
    assert "Least alike: two and three (0.222;" in done.stdout
    assert "Every system has one answer per prompt" in done.stdout


def test_long_names_are_numbered_and_fit_the_width(command, save):
    names = [f"a-system-with-a-rather-long-name-{place}" for place in range(8)]
    rows = [{"s": name, "p": place, "text": f"a b {place}"} for name in names for place in range(5)]
    save("long.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    asked = ("homogeneity", "long.jsonl", "--by", "s", "--group", "p", "--interval")
    done = command(*asked, environment={"COLUMNS": "100"})
    assert done.returncode == 0, done.stderr
    table = done.stdout.partition("cosine: ")[2].partition("Each number")[0]
    assert max(map(len, table.splitlines())) <= 100
    assert " 1      2      3      4      5      6      7      8" in table


def test_several_files_are_several_systems(command, save):
    for name, text in (("a", "the cat sat"), ("b", "the cat ran")):
        save(f"{name}.jsonl", json.dumps({"answer": text, "prompt": "What did it do?"}) + "\n")
    asked = ("homogeneity", "a.jsonl", "b.jsonl", "--field", "answer", "--prompt", "prompt")
    done = command(*asked, "--context", "prompt", "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [corpus["name"] for corpus in document["corpora"]] == ["a.jsonl", "b.jsonl"]
    assert document["measures"][0]["context"] == "prompt"
    assert "context_hash" in document["corpora"][0]
    # the-cat, cat-sat and the-cat, cat-ran: one of two.
    assert document["measures"][1]["similarity"][0][1] == pytest.approx(1 / 2)


@pytest.mark.parametrize("options", [(), ("--by", "system"), ("--group", "sample")])
def test_logs_name_systems_and_prompts(command, root, tmp_path, options):
    """Two systems of the harness answer the same prompts."""
    for file in sorted((root / "tests" / "logs" / "lm_eval").glob("*/samples_open_first_*.jsonl")):
        shutil.copytree(file.parent, tmp_path / "logs" / file.parent.name, ignore=only_of(file))
    done = command("homogeneity", "logs", *options, "--format", "json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert [corpus["name"] for corpus in document["corpora"]] == ["org/alpha", "org/beta"]
    assert document["measures"] == dy.homogeneity(tmp_path / "logs").to_dict()["measures"]


def only_of(file):
    """Return which files of a folder are not copied: all but one and the results."""
    return lambda _, names: [name for name in names if name != file.name and not name.startswith("results_")]


@pytest.mark.parametrize("form", ["csv", "markdown", "latex", "html", "jsonl", "values"])
def test_every_format(command, rows, form):
    done = command(*ASKED, "--format", form)
    assert (done.returncode, done.stderr) == (0, "")
    shown = {
        "html": 'class="heat',
        "latex": r"\begin{tabular}{lrrrr}",
        "markdown": "| one |",
        "values": "nan",
    }
    assert shown.get(form, "shared n-grams") in done.stdout


def test_a_file_is_written(command, rows, tmp_path):
    done = command(*ASKED, "-o", "alike.csv")
    assert (done.returncode, done.stdout) == (0, "")
    assert "distinctly: wrote alike.csv" in done.stderr
    # Two measures, six pairs each, under a header.
    assert len((tmp_path / "alike.csv").read_text(encoding="utf-8").splitlines()) == 13


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["rows.jsonl", "--by", "model"], "Expected --group or --prompt"),
        (["rows.jsonl", "--group", "id"], "give several files, or one file and --by FIELD"),
        (
            ["rows.jsonl", "--group", "id", "--by", "modl"],
            "rows.jsonl, line 1: Unknown field 'modl'. Did you mean 'model'?",
        ),
        (
            ["rows.jsonl", "--group", "model", "--by", "model"],
            "No two systems answer the same prompt: one has",
        ),
        (["one.jsonl", "--group", "id", "--by", "model"], "Expected the answers of at least two systems"),
        (["rows.jsonl", "empty.jsonl", "--group", "id"], "empty.jsonl: the file is empty"),
        (["rows.jsonl", "--by", "model", "--group", "id", "--context", "x"], "Unknown value 'x' of context"),
        (["rows.jsonl", "--by", "model", "--group", "id", "--n", "0"], "--n"),
    ],
)
def test_errors(command, save, rows, arguments, problem):
    save("one.jsonl", json.dumps(ROWS[0]) + "\n")
    save("empty.jsonl", "")
    done = command("homogeneity", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
