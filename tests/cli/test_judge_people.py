"""`distinctly judge people`, as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest
from tests.cli.fixtures import Run, Save
from tests.shared import ROOT

from distinctly.cli import cli
from distinctly.errors import DistinctlyError
from distinctly.judging import human_agreement, read_trial

PAGE = ROOT / "docs" / "reproductions" / "table-2.md"


def page_commands() -> list[str]:
    return re.findall(r"^\$ distinctly (judge people .+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_command_of_the_page_gives_the_twelve_correlations_and_prints_what_the_page_shows(
    command: Run, tmp_path: Path
) -> None:
    commands = page_commands()
    assert len(commands) == 1
    words = [str(ROOT / word) if word.startswith("docs/") else word for word in shlex.split(commands[0])]
    done = command(*words, "--save", "trial.json")
    assert done.returncode == 0, done.stderr
    found = {
        (one.settings["subset"], one.metric, one.measure): f"{one.mean:.3f}"
        for one in read_trial(tmp_path / "trial.json").findings
    }
    # As in section 3 of the design, from the printed columns of Liu et al. (2022).
    expected = {
        ("DailyDialog", "distinct"): ("0.674", "0.419", "0.270"),
        ("DailyDialog", "ead"): ("0.703", "0.624", "0.467"),
        ("OpenSubtitles", "distinct"): ("0.561", "0.624", "0.511"),
        ("OpenSubtitles", "ead"): ("0.603", "0.648", "0.556"),
    }
    for key, values in expected.items():
        assert tuple(found[(*key, measure)] for measure in ("pearson", "spearman", "kendall")) == values
    printed = [" ".join(line.split()) for line in done.stdout.splitlines()]
    shown = PAGE.read_text(encoding="utf-8").partition(f"$ distinctly {commands[0]}\n")[2]
    lines = [" ".join(line.split()) for line in shown.partition("```")[0].splitlines() if line.strip()]
    assert len(lines) > 10
    assert [line for line in lines if line not in printed] == []


def test_the_page_shows_the_ead_column_as_it_is_computed() -> None:
    # EAD = N / (V (1 − ((V − 1) / V)^C)), V = 30522, C = responses × length, N = Distinct × C; in percent.
    responses = {"DailyDialog": 5800, "OpenSubtitles": 10000}
    cells: dict[str, list[str]] = {}
    table = (ROOT / "docs" / "reproductions" / "table-2.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(io.StringIO(table)):
        total = responses[row["corpus"]] * float(row["length"])
        expected = 30522 * (1 - (30521 / 30522) ** total)
        ours = float(row["distinct"]) * total / expected
        assert ours == pytest.approx(float(row["ead"]), rel=0.0035)
        cells.setdefault(row["method"], []).extend([row["ead"], f"{ours:.2f}", row["human"]])
    page = PAGE.read_text(encoding="utf-8")
    assert len(cells) == 10
    for method, own in cells.items():
        assert f"| {method} | {' | '.join(own)} |" in page


def test_sets_of_texts_with_figures_and_results(command: Run, save: Save, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [{"texts": ["a b", word], "score": score, "m": score**2} for score, word in enumerate("abcdef")]
    save("sets.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    done = command(
        *(
            "judge",
            "people",
            "sets.jsonl",
            "--human",
            "score",
            "--column",
            "m",
            "-m",
            "ead",
            "-m",
            "self_bleu",
        ),
        *("--save", "trial.json", "--plots", "figures"),
    )
    assert done.returncode == 0, done.stderr
    assert "6 sets of 2 texts of sets.jsonl, metrics correlated with score." in done.stdout
    assert "the sign is reversed for metrics whose lower values are more diverse (self_bleu)" in done.stdout
    assert (tmp_path / "figures" / "people-scatter.png").stat().st_size > 1000
    again = command("judge", "table", "trial.json")
    assert again.stdout == done.stdout


def test_annotators(command: Run, save: Save) -> None:
    rows = [f"{one},{one + 1},{5 - one % 3},{one}" for one in range(8)]
    save("table.csv", "\n".join(["w1,w2,w3,x", *rows]) + "\n")
    run = ("judge", "people", "table.csv", "--annotations", "w*", "--column", "x")
    done = command(*run, "--scale", "0", "50", environment={"COLUMNS": "140"})
    assert done.returncode == 0, done.stderr
    assert "3 annotators; 1 left out" in done.stdout
    # One row per annotator: sets, r with the mean of the others, r with the average of all, whether kept.
    rows_shown = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line.startswith(" w")}
    # scipy.stats.pearsonr of 5, 4, 3, 5, 4, 3, 5, 4 with the mean of w1 and w2, and with that of all three.
    assert rows_shown["w3"] == ["w3", "8", "-.105", ".066", "no"]
    assert rows_shown["w1"][-1] == rows_shown["w2"][-1] == "yes"
    assert "r with the mean of the others" in done.stdout
    assert "r with the average of all" in done.stdout
    document = json.loads(command(*run, "--agreement-with", "average", "--format", "json").stdout)
    annotators = document["settings"]["annotators"]
    assert (annotators["agreement_with"], annotators["dropped"]) == ("average", ["w3"])
    assert annotators["agreement"]["w3"].keys() == {"sets", "with_others", "with_average", "kept"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--human", "nothing"], "table.csv, line 2: Unknown field 'nothing'. Fields: human, x."),
        ([], "Expected either a field with human scores, --human NAME"),
        (["--human", "human"], "got neither"),
        (["--human", "human", "-m", "ead"], "line 2: Unknown field 'texts'"),
        (
            ["--human", "human", "--column", "x", "--columns-only", "-m", "ead"],
            "cannot be combined with --metric",
        ),
        (["--human", "human", "--column", "x", "--least-agreement", "lots"], "a number or none, got 'lots'"),
        (["--human", "human", "--column", "x", "--format", "pdf"], "Unknown format 'pdf'"),
        (["--human", "human", "--column", "x", "--against", "y"], "Unknown metric 'y' of this trial"),
    ],
)
def test_errors_say_what_to_do(save: Save, arguments: list[str], message: str) -> None:
    table = save("table.csv", "human,x\n1,2\n2,3\n4,1\n")
    with pytest.raises(DistinctlyError) as caught:
        cli.main(["judge", "people", str(table), *arguments], standalone_mode=False)
    assert message in str(caught.value)


def test_bad_input_exits_with_2_and_one_line(command: Run, save: Save) -> None:
    save("table.csv", "human,x\n1,2\n?,3\n")
    done = command("judge", "people", "table.csv", "--human", "human", "--column", "x")
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "distinctly: error: table.csv, line 3: expected a number in 'human', got '?'."
    )
    assert done.stdout == ""


@pytest.mark.slow
def test_sets_without_texts_are_skipped_and_counted(command: Run, save: Save) -> None:
    full = [
        {"texts": texts.split(","), "score": score}
        for texts, score in (("a b,a c", 2), ("a b,a b", 1), ("a b,c d", 4), ("a a,a c", 2.5), ("a b,c", 5))
    ]
    # A list without texts, only empty texts, and null; the last one has no score, which nobody needs.
    empty = [{"texts": [], "score": 1}, {"texts": ["", " "], "score": 5}, {"texts": None, "score": None}]
    save("full.jsonl", "".join(json.dumps(row) + "\n" for row in full))
    save("sets.jsonl", "".join(json.dumps(row) + "\n" for row in [*full[:2], *empty, *full[2:]]))
    run = ("judge", "people", "sets.jsonl", "--human", "score", "-m", "distinct:n=1")
    done = command(*run)
    assert done.returncode == 0, done.stderr
    assert "Note: 3 of 8 sets have no texts and are skipped." in done.stdout
    skipped, alone = (
        json.loads(command(*run[:2], file, *run[3:], "--format", "json").stdout)["findings"]
        for file in ("sets.jsonl", "full.jsonl")
    )
    assert skipped == alone
    save("none.jsonl", "".join(json.dumps(row) + "\n" for row in empty))
    failed = command("judge", "people", "none.jsonl", "--human", "score")
    assert failed.returncode == 2
    assert failed.stderr == "distinctly: error: none.jsonl: expected sets with texts, got 3 without any.\n"


def test_one_set_without_texts_in_python() -> None:
    sets = [["a b", "a b"], ["a b", "a c"], [], ["a b", "c a"], ["a b", "c d"]]
    trial = human_agreement(sets, "distinct:n=1", human=[1, 4, 9, 3, 9])
    assert trial.notes == ("1 of 5 sets has no texts and is skipped.",)
    # As in the example of `human_agreement`, without the empty set.
    assert trial.to_dict()["distinct:n=1"]["spearman"]["mean"] == pytest.approx(0.9486832980505138)
