"""`distinctly measure`, `list`, `demo`: output and exit status."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shlex
import subprocess
import sys

import pytest

import distinctly as dy

# the cat sat the dog sat: 4 distinct words of 6; "the cat" "cat sat" "the dog" "dog sat": 4 pairs of 4.
TEXTS = "the cat sat\nthe dog sat\n"
SCORE_KEYS = [
    "metric",
    "kind",
    "options",
    "value",
    "undefined",
    "parts",
    "low",
    "high",
    "test",
    "floor",
    "signature",
    "notes",
    "corpus",
    "reference",
    "scope",
]
FORMATS = ["table", "json", "csv", "markdown", "latex"]


def strict(text: str) -> dict:
    """Read strict JSON: without NaN and Infinity."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def measured(command, save):
    """Measure the texts above, check that there was no error, and return the output."""

    def run(*arguments, texts=TEXTS):
        done = command("measure", save("texts.txt", texts).name, *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_numbers_and_the_signatures(measured, form):
    shown = measured("-m", "distinct:n=1", "-m", "types:n=2", "--format", form)
    assert "0.666" in shown  # 4 / 6, rounded or not
    for score in dy.measure(TEXTS.splitlines(), ["distinct:n=1", "types:n=2"]):
        assert score.signature in shown


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_but_text_goes_to_what_is_no_terminal(measured, form):
    assert "\x1b" not in measured("--format", form, texts="the cat\n\n")


def test_the_default_metrics(measured):
    scores = strict(measured("--format", "json"))["scores"]
    # `ead` has nothing of its own for so few tokens; `answers` needs several texts per group.
    assert [(score["metric"], score["options"].get("n")) for score in scores] == [
        ("distinct", 1),
        ("distinct", 2),
        ("compression", None),
        ("self_bleu", None),
        ("duplicates", None),
        ("vendi", None),
        ("dispersion", None),
    ]


def test_json_has_these_keys_and_full_precision(measured):
    report = strict(measured("--format", "json"))
    assert list(report) == ["format_version", "corpora", "scores"]
    assert all(list(score) == SCORE_KEYS for score in report["scores"])
    assert report["scores"][0]["value"] == 4 / 6
    assert report["scores"][0]["corpus"] == report["corpora"][0]["name"] == "texts.txt"
    assert report == dy.measure(TEXTS.splitlines()).to_dict() | {
        "corpora": report["corpora"],
        "scores": [score.to_dict() | {"corpus": "texts.txt"} for score in dy.measure(TEXTS.splitlines())],
    }


def test_json_has_null_and_a_note_where_a_number_is_undefined(measured):
    score = strict(measured("-m", "distinct:n=4", "--format", "json"))["scores"][0]
    assert score["value"] is None
    assert score["undefined"] == "no text has at least 4 tokens, so there are no 4-grams."


def test_csv_can_be_read_back(measured):
    rows = list(csv.DictReader(io.StringIO(measured("-m", "distinct", "-m", "ead", "--format", "csv"))))
    expected = dy.measure(TEXTS.splitlines(), ["distinct", "ead"])
    assert [row["spec"] for row in rows] == expected.keys()
    assert [row["signature"] for row in rows] == [score.signature for score in expected]
    values = [float(row["value"] or "nan") for row in rows]
    assert values == pytest.approx([score.value for score in expected], rel=0, abs=0, nan_ok=True)
    # Distinct-1: 4 of 6 words. Distinct-4 is undefined: an empty cell.
    assert (rows[0]["N"], rows[0]["C"], rows[3]["value"]) == ("4", "6", "")


def test_score_only_prints_bare_numbers_in_full(measured):
    shown = measured("-m", "distinct:n=1", "-m", "distinct:n=2", "-m", "distinct:n=4", "--score-only")
    assert shown.splitlines() == [repr(4 / 6), "1.0", "nan"]


def test_the_tokenizer_can_be_chosen(measured):
    asked = ("-m", "distinct:n=1", "--tokenizer", "words:lc=yes", "--score-only")
    # The the THE: one word in lower case, of three.
    assert measured(*asked, texts="The the THE\n") == f"{1 / 3!r}\n"


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_the_most_frequent_ngrams_are_listed(command, save, source):
    name = save("texts.txt", TEXTS).name if source == "file" else "-"
    asked = ("-m", "distinct:n=1", "-m", "distinct:n=2", "--top", 2, "--format", "json")
    done = command("measure", name, *asked, given=TEXTS if name == "-" else "")
    # "sat" and "the" twice each; all pairs once, so in order of text.
    assert strict(done.stdout)["corpora"][0]["top"] == [
        {"n": 1, "ngrams": [{"text": "sat", "count": 2}, {"text": "the", "count": 2}]},
        {"n": 2, "ngrams": [{"text": "cat sat", "count": 1}, {"text": "dog sat", "count": 1}]},
    ]


def test_several_files_stand_side_by_side(command, save):
    save("one.txt", "a a\n")
    save("two.txt", "a b\n")
    done = command("measure", "one.txt", "two.txt", "-m", "distinct:n=1", "--format", "markdown")
    # a a: 1 of 2; a b: 2 of 2.
    assert "| metric | one.txt | two.txt |" in done.stdout
    assert "| distinct:n=1 | 0.5000 | **1.0000** |" in done.stdout


def test_files_of_one_name_are_told_apart_by_their_folders(command, save):
    save("a/out.txt", "a a\n")
    save("b/out.txt", "a b\n")
    done = command("measure", "a/out.txt", "b/out.txt", "-m", "distinct:n=1", "--format", "markdown")
    assert "| metric | a/out.txt | b/out.txt |" in done.stdout
    assert "| distinct:n=1 | 0.5000 | **1.0000** |" in done.stdout


def test_a_note_of_a_file_given_twice_names_each_metric_once(command, save):
    save("out.txt", "a b c\n")
    asked = ("-m", "distinct:n=1", "-m", "distinct:n=4", "--format", "markdown")
    done = command("measure", "out.txt", "out.txt", *asked)
    assert "distinct:n=4: Undefined" in done.stdout
    assert "distinct:n=4, distinct:n=4" not in done.stdout


def test_a_reference_gives_the_vocabulary(command, save):
    save("texts.txt", TEXTS)
    save("train.txt", "the cat sat on a mat\n")
    asked = ("-m", "ead:vocabulary=reference", "--reference", "train.txt", "--format", "json")
    score = strict(command("measure", "texts.txt", *asked).stdout)["scores"][0]
    # 4 distinct of C = 6 draws from V = 6 words: 4 / (6 (1 - (5/6)^6)).
    assert score["value"] == pytest.approx(4 / (6 * (1 - (5 / 6) ** 6)), rel=1e-12)
    assert (score["reference"], "|reference:1#" in score["signature"]) == ("train.txt", True)


def test_version(command):
    done = command("--version")
    assert (done.returncode, done.stdout) == (0, f"distinctly, version {dy.__version__}\n")


@pytest.mark.parametrize("name", ["", "measure", "list", "demo"])
def test_every_help_has_an_example(command, name):
    done = command(*name.split(), "--help")
    assert (done.returncode, done.stderr) == (0, "")
    examples = done.stdout.partition("Example")[2]
    assert f"distinctly {name}".strip() in examples


def test_list_shows_every_metric_and_tokenizer(command):
    done = command("list")
    assert done.returncode == 0
    names = re.findall(r"^  (\w+)  ", done.stdout, re.MULTILINE)
    assert {"distinct", "ead", "entropy", "types", "words", "whitespace", "char", "regex"} <= set(names)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("ead", ["Liu et al., 2022", "vocabulary", "chao1", "default 30522"]),
        (
            "distinct",
            ["Li et al., 2016", "required", "preset=li2016 means pool=corpus,denominator=tokens"],
        ),
        ("words", ["lc", "nfkc"]),
    ],
)
def test_list_tells_all_about_one(command, name, words):
    done = command("list", name)
    assert done.returncode == 0
    assert all(word in done.stdout for word in words)


def test_the_demonstration_can_be_made_again_by_the_commands_it_names(command):
    demo = command("demo").stdout
    commands = re.findall(r"Command: +distinctly (.+)", demo)
    assert len(commands) == 2
    for line in commands:
        done = command(*shlex.split(line))
        assert done.returncode == 0
        assert len(done.stdout.splitlines()) > 10
        assert done.stdout in demo


def test_the_demonstration_needs_no_network():
    program = """
import socket
def refuse(*_, **__):
    raise AssertionError("the demonstration went to the network")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
import sys
sys.argv = ["distinctly", "demo"]
from distinctly.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("arguments", [["measure", "many.txt", "--top", "20000"], ["demo"], ["list", "ead"]])
def test_a_reader_that_has_had_enough_is_no_failure(save, tmp_path, arguments):
    save("many.txt", "".join(f"word{i}\n" for i in range(20_000)))
    running = subprocess.Popen(
        [sys.executable, "-m", "distinctly", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    if arguments[0] != "list":
        assert running.stdout.readline()
    running.stdout.close()  # as `| head -1` does
    told = running.stderr.read().decode()
    running.stderr.close()
    # 1 would mean that a requirement was not met.
    assert (running.wait(), told) == (0, "")


def test_values_agree_with_python_to_the_bit(measured):
    shown = [float(line) for line in measured("--score-only").splitlines()]
    expected = [score.value for score in dy.measure(TEXTS.splitlines())]
    assert [value.hex() for value in shown if not math.isnan(value)] == [
        value.hex() for value in expected if not math.isnan(value)
    ]


def test_explain_shows_what_is_said_again(command, save):
    save("texts.txt", "the cat sat down\nthe cat ran off\na dog sat down here\n")
    done = command(
        "measure", "texts.txt", "-m", "distinct:n=2", "--explain", "--examples", "1", "--format", "json"
    )
    explained = json.loads(done.stdout)["corpora"][0]["explain"]
    # Two pairs come twice: "sat down" is first by its letters.
    assert explained["ngrams"] == [
        {
            "n": 2,
            "repeated": [{"text": "sat down", "count": 2, "beyond_first": 1, "example": "the cat sat down"}],
        }
    ]
    assert explained["texts"][0]["text"] == "the cat sat down"
    table = command("measure", "texts.txt", "-m", "distinct:n=2", "--explain").stdout
    assert "1 × sat down" in table
    assert "most similar to the others" in table
    refused = command("measure", "texts.txt", "--explain", "--format", "csv")
    assert (refused.returncode, "--explain needs" in refused.stderr) == (2, True)


def test_by_splits_a_file_into_systems_side_by_side(command, save):
    texts = [("a b", "x"), ("a a", "y"), ("c d", "x"), ("b b", "y")]
    rows = [json.dumps({"text": text, "model": model}) + "\n" for text, model in texts]
    save("rows.jsonl", "".join(rows))
    done = command("measure", "rows.jsonl", "--by", "model", "-m", "distinct:n=1", "--format", "markdown")
    assert "| metric | x | y |" in done.stdout
    # 4 of 4 words differ, and 2 of 4.
    assert "| distinct:n=1 | **1.0000** | 0.5000 |" in done.stdout
    # Of 4 and 2 words, neither is best: the value depends on the size, and one text is too few to draw from.
    save("unequal.jsonl", "".join(rows[:3]))
    done = command("measure", "unequal.jsonl", "--by", "model", "-m", "distinct:n=1", "--format", "markdown")
    assert "| distinct:n=1 | 1.0000 | 0.5000 |" in done.stdout
    assert "They are too small to be compared at one size." in done.stdout
    missing = command("measure", "rows.jsonl", "--by", "system")
    assert missing.returncode == 2
    assert "'system'" in missing.stderr


def test_groups_have_a_column_a_scope(command, save):
    rows = [{"text": text, "prompt": p} for text, p in [("a b", 1), ("a b", 1), ("c d", 2), ("e f", 2)]]
    save("rows.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    done = command("measure", "rows.jsonl", "--group", "prompt", "-m", "distinct:n=1", "--format", "markdown")
    assert "| metric | within | across | pooled |" in done.stdout
    assert "| distinct:n=1 | 0.7500 | 1.0000 | 0.7500 |" in done.stdout


def test_paired_shows_the_p_values(command, save):
    save("one.txt", "".join(f"a{i} b{i} c{i}\n" for i in range(12)))
    save("two.txt", "a b c\n" * 12)
    asked = ("-m", "distinct:n=1", "--paired", "--permutations", "99", "--format", "markdown")
    done = command("measure", "one.txt", "two.txt", *asked)
    # One has 36 words of 36, two 3 of 36. p is at least 1/100 in 99 exchanges.
    assert "- distinct:n=1: two.txt minus one.txt -0.9167, p = 0.01 (0.01 corrected)" in done.stdout


def test_explain_counts_all_copies_of_a_text(command, save):
    others = "".join(f"line number {i} is about {i * 7} things\n" for i in range(30))
    save("texts.txt", "the same line again\n" * 644 + others)
    explained = ("measure", "texts.txt", "-m", "distinct:n=2", "--explain")
    assert "(644×) the same line again" in command(*explained).stdout
    texts = json.loads(command(*explained, "--format", "json").stdout)["corpora"][0]["explain"]["texts"]
    assert (texts[0]["text"], texts[0]["times"]) == ("the same line again", 644)


def test_explain_lists_the_most_frequent_ngrams_among_many_that_tie(command, save):
    # 2,000 pairs occur twice, "x y" three times: only one is listed, wherever its hash lies.
    pairs = "".join(f"a{i} b{i}\n" * 2 for i in range(2000))
    save("texts.txt", pairs + "x y\n" * 3)
    done = command(
        "measure", "texts.txt", "-m", "distinct:n=2", "--explain", "--examples", "2", "--format", "json"
    )
    repeated = json.loads(done.stdout)["corpora"][0]["explain"]["ngrams"][0]["repeated"]
    assert [(gram["text"], gram["count"]) for gram in repeated] == [("x y", 3), ("a0 b0", 2)]


def test_the_table_shows_the_divisor(command, save):
    save("texts.txt", TEXTS * 10)
    specs = ("-m", "distinct:n=2,denominator=tokens", "-m", "distinct:n=1,at=33")
    table = command("measure", "texts.txt", *specs).stdout
    # 4 pairs of 60 tokens; of 20 texts with 60 tokens, 11 have 33.
    assert re.search(r"denominator=tokens +0\.0667 +N 4  tokens 60  C 40", table)
    assert re.search(r"C 33  total 60  drawn_texts 11$", table, re.MULTILINE)


def test_a_high_order_of_hill_does_not_underflow(command, save):
    save("texts.txt", "a a a a b c d e f g\n" * 100)
    done = command("measure", "texts.txt", "-m", "hill:q=400", "-m", "hill:q=2000", "--score-only")
    # p = 0.4 of "a"; the others, 0.1 each, add nothing: 0.4^(−q/(q−1)).
    expected = [0.4 ** (-400 / 399), 0.4 ** (-2000 / 1999)]
    assert [float(line) for line in done.stdout.split()] == pytest.approx(expected, rel=1e-12)
    assert done.stderr == ""


def test_the_note_of_ead_names_a_command_that_works(command, save):
    # Lengths of 1 and of 40 tokens, whose standard deviation is nearly the mean.
    save(
        "texts.txt", "a\n" * 30 + "".join(f"{' '.join(f'w{i + j}' for j in range(40))}\n" for i in range(30))
    )
    done = command("measure", "texts.txt", "-m", "ead", "--format", "json")
    [note] = [note for note in strict(done.stdout)["scores"][0]["notes"] if "EAD" in note]
    (named,) = re.findall("`distinctly ([^`]+)`", note)
    done = command(*shlex.split(named))
    assert (done.returncode, done.stderr) == (0, "")
    assert "ead" in done.stdout


@pytest.mark.parametrize(
    "view", [r"regex(\w+)", r"regex(pattern=\w+)", "regex(%5Cw%2B)", r"regex(\w+;lc=no)", "regex([a-z]+=?)"]
)
def test_the_pattern_of_a_view_needs_no_name(measured, view):
    asked = ("-m", f"types:n=1,of={view}", "--score-only")
    assert measured(*asked, texts="the cat\nthe dog\n") == "3.0\n"  # the, cat, dog


def test_a_pattern_without_a_name_is_the_pattern_of_the_signature(measured):
    shown = measured("-m", r"types:n=1,of=regex(\w+)", "--format", "json")
    assert "pattern:\\w+|" in strict(shown)["scores"][0]["signature"]


def test_equal_values_are_those_that_were_compared(command, save):
    """Two and three texts are too few for distinct at one size, which differs and is not compared."""
    save("a.txt", "a b\nc d\n")
    save("b.txt", "a b\na b\nc d\n")
    done = command("measure", "a.txt", "b.txt", "-m", "distinct:n=1", "-m", "mattr:window=2")
    assert done.returncode == 0, done.stderr
    assert "The corpora have the same values in all comparisons, so none is the most diverse." in done.stdout
    assert "All corpora have the same values" not in done.stdout
