"""`distinctly judge diversity`: output and exit status."""

from __future__ import annotations

import json

import pytest

ROWS = [
    {"text": f"class{label} text{label}x{place}", "intent": f"class{label}", "heat": label / 10}
    for label in range(8)
    for place in range(60)
]
SMALL = ("--n", 12, "--k", 4, "--corpora", 2, "--repetitions", 2, "-m", "types:n=1", "-m", "duplicates")


@pytest.fixture
def judged(command, save):
    """Judge metrics on a file of classes, and return the finished process."""
    save("intents.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS))

    def run(*arguments):
        return command("judge", "diversity", "intents.jsonl", *SMALL, *arguments)

    return run


@pytest.mark.parametrize(
    ("arguments", "levels"),
    [
        (("--label", "intent"), "Levels: 1, 2, 4, 8 classes of texts (intent)"),
        ((), "Levels: 25%, 50%, 75%, 100% share of texts that differ"),
        (
            ("--construction", "temperature", "--label", "heat", "--k", 8),
            "Levels: 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7 heat",
        ),
    ],
)
def test_the_table_says_what_grows(judged, arguments, levels):
    done = judged(*arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert levels in done.stdout
    assert "types:n=1" in done.stdout


def test_results_are_saved_shown_again_and_drawn(judged, command, tmp_path):
    pytest.importorskip("matplotlib")
    done = judged("--label", "intent", "--save", "trial.json", "--plots", "figures")
    assert done.returncode == 0
    assert command("judge", "table", "trial.json").stdout == done.stdout
    drawn = {file.name for file in (tmp_path / "figures").iterdir()}
    assert drawn == {f"diversity-{name}.{kind}" for name in ("values", "ranking") for kind in ("png", "svg")}


def test_json_has_findings_and_records(judged):
    found = json.loads(judged("--label", "intent", "--format", "json", "--measures", "accuracy").stdout)
    assert found["trial"] == "diversity"
    assert [one["measure"] for one in found["findings"]] == ["accuracy", "accuracy"]
    assert found["findings"][0]["mean"] > 0.9
    # With classes nothing is repeated, so duplicates is always 0.
    assert found["findings"][1]["mean"] is None
    assert len(found["records"]) == 2 * 4 * 2 * 2  # metrics, levels, corpora, repetitions


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--label", "itent"), "Did you mean 'intent'? Fields: text, intent, heat. Choose one with --label"),
        (("--label", "intent", "--k", 9), "at least 9 classes for 9 levels, got 8"),
        (("--construction", "classes"), "--label"),
        (("--label", "intent", "--measures", "acuracy"), "Did you mean 'accuracy'"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(judged, arguments, told):
    done = judged(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_sets_of_texts_carry_the_number_of_their_row(command, save):
    """A list in a field is several texts, each with the label of the row."""
    rows = [
        {"texts": [f"a{heat} {place}", f"b{heat} {place}"], "heat": heat}
        for heat in (0.2, 0.5, 1)
        for place in range(20)
    ]
    save("sets.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    arguments = ("--field", "texts", "--label", "heat", "--construction", "temperature", *SMALL)
    done = command("judge", "diversity", "sets.jsonl", *arguments)
    assert done.returncode == 0
    assert "120 texts" in done.stdout
    assert "Levels: 0.2, 0.5, 1 heat" in done.stdout
