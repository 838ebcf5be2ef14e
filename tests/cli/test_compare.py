"""`distinctly compare`: output and exit status."""

from __future__ import annotations

import csv
import io
import json

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

HUMAN = "a cat sat on the mat\nthe ferry leaves at dawn\nrain fell all night\nwe ate plums\n"
MODEL = "a cat sat on the mat\na cat sat on a mat\nthe cat sat\na mat\n"
FORMATS = ["table", "json", "csv", "markdown", "latex"]


@pytest.fixture
def compared(command, save):
    """Compare two files, check that there was no error, and return the output."""
    save("human.txt", HUMAN)
    save("model.txt", MODEL)
    save("other.txt", MODEL[::-1])

    def run(*arguments, files=("human.txt", "model.txt")):
        done = command("compare", *files, *arguments)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_has_the_number_and_the_signature(compared, form):
    value = dy.compare(HUMAN.splitlines(), MODEL.splitlines(), "jensen_shannon")[0].value
    shown = compared("-m", "jensen_shannon", "--format", form)
    assert f"{value:.4f}"[:5] in shown
    assert "jensen_shannon|n:1|tok:words,lc:no|texts:4#" in shown.replace(r"\_", "_")


def test_json_has_everything_that_was_asked(compared):
    found = json.loads(
        compared(
            "-m", "jensen_shannon", "--permutations", 9, "--noise-floor", "--interval", "--format", "json"
        )
    )
    score = found["scores"][0]
    assert (score["reference"], score["corpus"]) == ("human.txt", "model.txt")
    assert score["low"] <= score["value"] <= score["high"]
    assert score["test"].keys() == {"p", "p_holm", "permutations", "how"}
    assert score["test"]["how"] == "texts shuffled between the corpora, 9 times"
    assert score["floor"].keys() == {"mean", "texts", "distance_at_size", "ratio"}
    assert (found["format_version"], score["kind"], score["undefined"]) == (1, "distance", None)
    assert [corpus["name"] for corpus in found["corpora"]] == ["human.txt", "model.txt"]


def test_the_table_shows_the_floor_the_p_value_and_what_may_be_noise(compared):
    shown = compared("-m", "jensen_shannon", "--permutations", 19, "--noise-floor")
    assert "at 2 texts   noise floor   × floor   p (corrected)" in shown
    assert "≈ may be noise: p ≥ 0.05; texts shuffled between the corpora, 19 times." in shown


def test_a_floor_alone_claims_nothing_and_names_the_option(compared):
    shown = compared("-m", "jensen_shannon", "--noise-floor")
    assert "≈" not in shown
    assert "may be noise" not in shown
    assert "The floor is not a test: --permutations N tests which distances are more than noise." in shown


def test_an_interval_has_no_other_options(command, save):
    save("human.txt", HUMAN)
    done = command("compare", "human.txt", "human.txt", "--interval", "--subsamples", 5)
    assert done.returncode == 2
    assert "No such option '--subsamples'" in done.stderr


@pytest.mark.parametrize("form", FORMATS)
def test_several_candidates_and_matrices_in_every_format(compared, form):
    files = ("human.txt", "model.txt", "other.txt", "human.txt", "model.txt")
    shown = compared("-m", "jensen_shannon", "-m", "medoid", "--format", form, files=files)
    assert "other.txt" in shown
    shown = compared("-m", "jensen_shannon", "--matrix", "--format", form, files=files[:3])
    assert shown.count("human.txt") >= 2


@pytest.mark.parametrize("candidates", [2, 4])
def test_every_candidate_has_its_floor_and_ratio(compared, candidates):
    files = ("human.txt", *["model.txt", "other.txt"] * (candidates // 2))
    shown = compared("-m", "jensen_shannon", "--noise-floor", files=files)
    assert "noise floor" in shown
    assert shown.count("×\n") == candidates  # one ratio per candidate
    assert "Noise floor: mean distance between two random parts of the reference, 2 texts each." in shown


def test_csv_has_a_row_a_pair(compared):
    rows = list(csv.DictReader(io.StringIO(compared("-m", "medoid", "--matrix", "--format", "csv"))))
    assert [(row["reference"], row["corpus"]) for row in rows] == [
        ("human.txt", "model.txt"),
        ("model.txt", "human.txt"),
    ]


ERRORS = {
    "one file": (["human.txt"], "--by FIELD"),
    "a diversity": (["human.txt", "model.txt", "-m", "distinct"], "measures one corpus"),
    "unknown": (["human.txt", "model.txt", "-m", "frechett"], "Unknown metric 'frechett'"),
    "missing": (["human.txt", "nowhere.txt"], "nowhere.txt"),
    "device": (["human.txt", "model.txt", "-m", "medoid", "--device", "gpu"], "a device such as cpu"),
    "reference": (["human.txt", "model.txt", "--reference", "none"], "Unknown corpus 'none'"),
    "explain": (["human.txt", "model.txt", "--explain", "--format", "csv"], "--explain needs"),
}


@pytest.mark.parametrize("what", ERRORS)
def test_bad_usage_is_one_line_and_exit_code_2(command, save, what):
    save("human.txt", HUMAN)
    save("model.txt", MODEL)
    arguments, told = ERRORS[what]
    done = command("compare", *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert told in done.stderr


def test_measure_sends_a_distance_to_compare(command, save):
    done = command("measure", save("human.txt", HUMAN).name, "-m", "medoid")
    assert done.returncode == 2
    assert "distinctly compare REFERENCE FILE" in done.stderr


def test_explain_names_the_statistic_and_counts_per_million_of_all_tokens(command, save):
    save("human.txt", "a a a a b b b x y z\n")
    save("model.txt", "a b b b b b b u v w\n")
    table = command("compare", "human.txt", "model.txt", "-m", "chi:top=2", "--explain").stdout
    # Of 10 tokens each, 4 and 1 are "a"; χ² of (4, 3) and (1, 6) is 2.8, of which "a" adds 1.8.
    assert "statistic 2.8000" in table
    assert "share of χ² of chi:top=2, 2.8000" in table
    assert "64.3% a  more in human.txt: 400,000 per million, 100,000 in model.txt" in table
