"""Reports: rounding, escaping, notes, and the width of the table."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

import distinctly as dy
from distinctly.report import formats, render

ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def rendered(scores: dy.Scores, form: str) -> str:
    return render(scores, form)


def corpora(*names: str, texts: tuple[str, ...] = ("the cat sat",), **asked: object) -> dy.Scores:
    """Measure the same texts under several names."""
    scores = dy.Scores([])
    for name in names:
        scores += dy.measure(dy.Corpus(list(texts), name=name), "distinct:n=1", **asked)
    return scores


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.5, "0.5000"),
        (2 / 3, "0.6667"),
        (1.0, "1.0000"),
        (0.0, "0.0000"),
        (9.87654321, "9.8765"),
        (12.3456, "12.35"),
        (1234.5678, "1,234.57"),
        (7.0, "7"),
        (1234567.0, "1,234,567"),
        (float("nan"), "undefined"),
    ],
)
@pytest.mark.parametrize("form", ["table", "markdown"])
def test_numbers_are_rounded_for_reading(form, value, shown):
    score = dy.Score(value, metric="types", spec="types:n=1", corpus="texts")
    assert re.search(rf"types:n=1[ |]+{re.escape(shown)}( |\n|$)", rendered(dy.Scores([score]), form))


@pytest.mark.parametrize("value", [4e-5, 1.25e-9])
@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_a_small_number_is_not_shown_as_nothing(form, value):
    # Distinct-1 of a corpus of a million words is often as small as this.
    score = dy.Score(value, metric="distinct", spec="distinct:n=1", corpus="texts")
    assert "0.0000" not in rendered(dy.Scores([score]), form)


@pytest.mark.parametrize("form", ["json", "csv", "values"])
def test_only_readable_reports_round(form):
    score = dy.Score(2 / 3, metric="types", spec="types:n=1", corpus="texts")
    assert repr(2 / 3) in rendered(dy.Scores([score]), form)


@pytest.mark.parametrize("form", formats())
def test_a_report_ends_with_one_line_end(form):
    shown = rendered(corpora("a"), form)
    assert shown.endswith("\n")
    assert not shown.endswith("\n\n")


@pytest.mark.parametrize("name", ["a|b", "a\\b", "a\\|b", "a\nb", "||"])
def test_markdown_keeps_its_columns_whatever_a_corpus_is_called(name):
    lines = rendered(corpora(name, "plain"), "markdown").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 4  # header, rule, tokens per text, one metric
    # A cell ends at a bar with an even number of backslashes before it; three cells have four bars.
    assert [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table] == [4, 4, 4, 4]


def test_markdown_shows_ngrams_that_look_like_markup():
    scores = dy.measure(["<b> `x` *y*"], "distinct:n=1", tokenizer="whitespace", top=3)
    shown = rendered(scores, "markdown")
    # A tag would vanish from the page unless it is escaped or in a code span.
    assert re.search(r"\\<b|&lt;b|`<b>`", shown)


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_an_ngram_has_one_line_whatever_it_is(form):
    texts = ["a\nb\u2028c\rd\x85e"]
    scores = dy.measure(texts, "distinct:n=1", tokenizer="char", top=9)
    listed = re.findall(r"^(?: +1 × |- 1 × )(\S.*)$", rendered(scores, form), re.MULTILINE)
    # Nine characters once each; the line ends among them are shown as escapes.
    assert len(listed) == 9


@pytest.mark.parametrize(
    ("character", "escaped"),
    [
        ("&", r"\&"),
        ("%", r"\%"),
        ("$", r"\$"),
        ("#", r"\#"),
        ("_", r"\_"),
        ("{", r"\{"),
        ("}", r"\}"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("\\", r"\textbackslash{}"),
    ],
)
def test_latex_escapes_what_it_would_obey(character, escaped):
    shown = rendered(corpora(f"a{character}b", "plain"), "latex")
    assert f"metric & a{escaped}b & plain \\\\\n" in shown


def test_latex_escapes_the_specs_and_has_the_rules_of_booktabs():
    lines = rendered(dy.measure(["a b"], "ead:vocabulary=50257"), "latex").splitlines()
    assert lines[:2] == [r"\begin{tabular}{lrl}", r"\toprule"]
    assert lines[3] == r"\midrule"
    assert lines[5:7] == [r"\bottomrule", r"\end{tabular}"]


@pytest.mark.parametrize("name", ["plain", "two\nlines"])
def test_latex_after_the_table_is_all_comment(name):
    shown = rendered(corpora(name, "other", texts=("a", "")), "latex")
    after = shown.partition("\\end{tabular}\n")[2].splitlines()
    assert len(after) >= 3  # notes, and one signature per corpus
    assert all(line.startswith("% ") for line in after)


def test_a_note_of_all_metrics_is_told_once_without_their_names():
    scores = dy.measure(["a b c", ""], ["distinct:n=1", "types:n=1"])
    shown = rendered(scores, "markdown")
    assert shown.count("1 of 2 texts are empty (no tokens).") == 1
    assert "\n> 1 of 2 texts are empty (no tokens).\n" in shown


def test_a_note_of_some_metrics_is_told_once_with_their_names():
    scores = dy.measure(["a b"], ["distinct:n=1", "distinct:n=3", "types:n=3"])
    shown = rendered(scores, "markdown")
    assert "\n> distinct:n=3, types:n=3: Undefined: no text has at least 3 tokens" in shown
    assert shown.count("Undefined") == 1


def test_a_note_of_one_corpus_of_several_is_told_with_its_name():
    scores = dy.measure(dy.Corpus(["a b", ""], name="holes"), "types:n=1")
    scores += dy.measure(dy.Corpus(["a b"], name="whole"), "types:n=1")
    shown = rendered(scores, "markdown")
    assert "\n> holes: 1 of 2 texts are empty (no tokens).\n" in shown
    assert "> whole" not in shown


def test_each_corpus_is_described_above_the_table():
    shown = rendered(corpora("first", "second", texts=("a b", "c")), "table")
    assert shown.startswith(
        "first  2 texts, 3 tokens, 1.5 per text (words,lc:no)\n"
        "second  2 texts, 3 tokens, 1.5 per text (words,lc:no)\n"
    )


@pytest.mark.parametrize("name", ["[bold]x[/bold]", ":smile:", "[/]", "知道.txt"])
def test_the_table_takes_no_name_for_markup(name):
    assert name in rendered(corpora(name), "table")


def on_terminal(tmp_path, *arguments: str, columns: int = 100, **environment: str) -> str:
    """Run the command with a pseudo-terminal of a given width as its output, and return the output."""
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal, which Windows does not have")
    ours, theirs = pty.openpty()
    known = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    running = subprocess.Popen(
        [sys.executable, "-m", "distinctly", *arguments],
        stdout=theirs,
        cwd=tmp_path,
        env={**known, "COLUMNS": str(columns), "TERM": "xterm-256color", **environment},
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # raised by Linux when the other end is closed
        pass
    os.close(ours)
    assert running.wait() == 0
    return shown.decode().replace("\r\n", "\n")


METRICS = ["-m", "distinct", "-m", "ead:vocabulary=50257", "-m", "entropy:correction=miller-madow"]


@pytest.mark.parametrize("columns", [80, 100, 140])
@pytest.mark.parametrize("files", [1, 2, 4])
def test_the_table_is_no_wider_than_the_terminal(save, tmp_path, columns, files):
    names = [f"outputs-of-model-number-{i}.txt" for i in range(files)]
    for name in names:
        save(name, "the cat sat on the mat\nthe dog sat on the log\n")
    shown = ESCAPE.sub("", on_terminal(tmp_path, "measure", *names, *METRICS, columns=columns))
    table = shown.partition("Signatures")[0].partition("\nNote:")[0].splitlines()
    assert len(table) > 9  # one row per metric, and the header
    assert max(map(len, table)) <= columns
    # the cat sat on the mat the dog sat on the log: 7 of 12; no number is cut in two.
    # Several corpora with long names are rows.
    assert sum("0.5833" in line for line in table) == files


def test_colours_are_for_terminals_that_want_them(save, tmp_path):
    save("texts.txt", "the cat\n\n")
    asked = ("measure", "texts.txt", "-m", "distinct:n=1")
    colour = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|9[0-7])(?:;\d+)*m")
    assert colour.search(on_terminal(tmp_path, *asked))
    assert not colour.search(on_terminal(tmp_path, *asked, NO_COLOR="1"))


def test_no_corpus_is_the_best_if_all_have_one_value():
    scores = dy.measure({name: [f"{name}{i} x" for i in range(9)] for name in "abc"}, ["duplicates"])
    assert len(scores.comparisons) == 2
    table = rendered(scores, "table")
    assert not any(mark in table for mark in ("0000*", "≈", "* most"))
    assert "The corpora have the same values in all comparisons" in table


def test_a_note_on_most_metrics_names_the_others():
    corpora = {"short": [f"a b{i}" for i in range(9)], "long": [f"a b c d{i}" for i in range(9)]}
    scores = dy.measure(corpora, ["distinct:n=1", "entropy:n=1", "types:n=1", "duplicates"])
    table = rendered(scores, "table")
    assert "all but duplicates: Texts have 2.0 to 4.0 tokens on average" in table
