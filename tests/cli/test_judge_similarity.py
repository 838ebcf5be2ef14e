"""`distinctly judge similarity`, and a user's metric in every trial."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.cli.fixtures import Run, Save

pytestmark = pytest.mark.slow  # a process per test

CATS = [
    f"the {w} cat {v} on the {m}"
    for w in ("old", "black", "small")
    for v in ("sat", "lay")
    for m in "abcdefgh"
]
RAIN = [
    f"{w} rain {v} in the {m}"
    for w in ("cold", "heavy", "late")
    for v in ("fell", "ended")
    for m in "stuvwxyz"
]
FIGURES = ("distance-by-level", "radar", "spread")
# Ten lines, as a user writes them.
MINE = """
def overlap(reference, candidate):
    one, other = ({word for text in texts for word in text.split()} for texts in (reference, candidate))
    return 1 - len(one & other) / len(one | other)

def variety(texts):
    words = [word for text in texts for word in text.split()]
    return len(set(words)) / len(words)
"""


@pytest.fixture
def files(save: Save) -> Path:
    save("a.txt", "\n".join(CATS) + "\n")
    save("b.txt", "\n".join(RAIN) + "\n")
    return save("mine.py", MINE).parent


def test_a_table_figures_and_the_same_again(command: Run, files: Path) -> None:
    done = command(
        *(
            "judge",
            "similarity",
            "a.txt",
            "b.txt",
            "-m",
            "chi",
            "-m",
            "mine:overlap",
            "--n",
            8,
            "--k",
            4,
            "--k",
            5,
        ),
        *("--repetitions", 2, "--sizes", "5,20", "--largest", 40, "--size-repetitions", 2),
        *("--save", "trial.json", "--plots", "figures"),
    )
    assert done.returncode == 0, done.stderr
    assert "A = a.txt (48 texts) and B = b.txt (48 texts), seed 0" in done.stdout
    # Σ (k − l)(l(l + 1)/2 − 1): 2·2 + 1·5 = 9 for k = 4; 3·2 + 2·5 + 1·9 = 25 for k = 5.
    assert "k = 4 corpora of n = 8 texts, 2 repetitions, 9 judgements each" in done.stdout
    assert "k = 5 corpora of n = 8 texts, 2 repetitions, 25 judgements each" in done.stdout
    assert max(map(len, done.stdout.split("\nA: ")[0].splitlines())) <= 100
    drawn = {path.name for path in (files / "figures").iterdir()}
    assert drawn == {
        f"{name}.{ending}"
        for name in ("size", "imbalance", *(f"{one}-k{k}" for one in FIGURES for k in (4, 5)))
        for ending in ("png", "svg")
    }
    again = command("judge", "table", "trial.json")
    assert again.stdout == done.stdout
    assert command("judge", "plot", "trial.json", "--to", "more").returncode == 0
    assert {path.name for path in (files / "more").iterdir()} == drawn


def test_csv_is_read_again(command: Run, files: Path) -> None:
    options = (
        "a.txt",
        "b.txt",
        "-m",
        "jensen_shannon",
        "--n",
        8,
        "--k",
        4,
        "--measures",
        "accuracy,monotonicity",
    )
    done = command("judge", "similarity", *options, "--save", "trial.csv")
    assert command("judge", "table", "trial.csv").stdout == done.stdout
    printed = command("judge", "similarity", *options, "--format", "csv")
    (files / "printed.csv").write_text(printed.stdout, encoding="utf-8")
    assert command("judge", "table", "printed.csv").stdout == done.stdout
    findings = command("judge", "table", "trial.csv", "--format", "findings").stdout.splitlines()
    assert findings[0].startswith("metric,embedder,part,measure,mean,std")
    assert len(findings) == 3


def test_vectors_instead_of_texts_and_numbers_by_measure(command: Run, files: Path) -> None:
    draw = np.random.default_rng(0)
    for name, shift in (("a", 0.0), ("b", 3.0)):
        np.save(files / f"{name}.npy", draw.normal(shift, 1.0, (60, 4)))
    done = command(
        *("judge", "similarity", "a.npy", "b.npy", "-m", "energy", "--k", "accuracy=5", "--k", "linearity=4"),
        *("--n", "accuracy=6", "--measures", "accuracy,linearity", "--n", "linearity=8", "--format", "json"),
    )
    document = json.loads(done.stdout)
    assert [(one["measure"], one["settings"]) for one in document["findings"]] == [
        ("accuracy", {"n": 6, "k": 5}),
        ("linearity", {"n": 8, "k": 4}),
    ]
    assert [one["name"] for one in document["settings"]["corpora"]] == ["a", "b"]


def test_vectors_of_some_texts_only(command: Run, files: Path) -> None:
    """The `row` array of an .npz file has the lines of its vectors."""
    rows = np.arange(2, 42)
    for name in "ab":
        np.savez(files / f"{name}.npz", row=rows, vectors=np.random.default_rng(1).normal(size=(40, 3)))
    vectors = ("--vectors", "a.npz", "--vectors", "b.npz")
    done = command(
        "judge", "similarity", "a.txt", "b.txt", *vectors, "-m", "chi", "-m", "frechet", "--n", 8, "--k", 4
    )
    assert "a.txt (40 texts) and B = b.txt (40 texts)" in done.stdout
    np.savez(files / "b.npz", row=rows + 10, vectors=np.zeros((40, 3)))
    done = command("judge", "similarity", "a.txt", "b.txt", *vectors, "-m", "chi")
    assert (done.returncode, done.stdout) == (2, "")
    assert "b.txt: expected vectors of texts 0 to 47, got one of text 51" in done.stderr


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--n", "many"), "Expected whole numbers for --n, got 'many'"),
        (("--k", "7", "--k", "accuracy=12"), "Expected --k either as numbers or per measure"),
        (("--k", "time=x"), "Expected whole numbers for --k, got 'x'"),
        (("--n", "100"), "a.txt: expected at least 600 texts"),
        (("-m", "mine:nothing"), "Unknown function 'nothing' of 'mine'. Known: overlap, variety."),
        (("--preset", "papers"), "Unknown preset 'papers'. Did you mean 'paper'?"),
        (("--format", "tables"), "Unknown format 'tables'. Did you mean 'table'?"),
        (
            ("--save", "trial.txt", "--n", "5", "--k", "4"),
            "Expected results in a .json or .csv file, got 'trial.txt'",
        ),
    ],
)
def test_bad_usage(command: Run, files: Path, options: tuple[str, ...], told: str) -> None:
    done = command("judge", "similarity", "a.txt", "b.txt", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_same_file_twice(command: Run, files: Path) -> None:
    (files / "copy.txt").write_text("\n".join(reversed(CATS)) + "\n", encoding="utf-8")
    done = command("judge", "similarity", "a.txt", "copy.txt", "--n", 5, "--k", 4)
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected two different corpora, got the same texts twice" in done.stderr


@pytest.mark.slow
def test_a_metric_of_ones_own_goes_through_every_trial(command: Run, files: Path, save: Save) -> None:
    both = [{"text": text, "label": text.split()[1]} for text in CATS + RAIN]
    save("both.jsonl", "".join(json.dumps(one) + "\n" for one in both))
    sets = [{"texts": CATS[i : i + 4] + CATS[:i], "human": float(i)} for i in range(8)]
    save("sets.jsonl", "".join(json.dumps(one) + "\n" for one in sets))
    small = ("--n", 8, "--k", 4, "--repetitions", 2)
    trials = [
        ("similarity", "mine:overlap", "a.txt", "b.txt", *small, "--measures", "accuracy"),
        ("similarity", "mine:variety", "a.txt", "b.txt", *small, "--measures", "accuracy"),
        ("diversity", "mine:variety", "both.jsonl", "--label", "label", "--n", 6, "--k", 3, "--corpora", 1),
        ("progress", "mine:overlap", "a.txt", "b.txt", "a.txt"),
        ("progress", "mine:variety", "a.txt", "b.txt", "a.txt"),
        ("length", "mine:variety", "--designated", "--lengths", "4:12:4", "--texts", 10),
        ("people", "mine:variety", "sets.jsonl", "--human", "human"),
    ]
    for kind, metric, *arguments in trials:
        done = command("judge", kind, *arguments, "-m", metric, "--format", "json")
        assert done.returncode == 0, (kind, metric, done.stderr)
        records = json.loads(done.stdout)["records"]
        assert records
        assert {one["metric"] for one in records} == {metric}
        assert all(one["value"] is not None for one in records), (kind, metric)


def test_published_values_are_shown_beside_ours(command: Run, files: Path, save: Save) -> None:
    save("table.csv", "metric,measure,value,k\nchi,accuracy,0.125,4\n")
    options = ("a.txt", "b.txt", "-m", "chi", "--n", 8, "--k", 4, "--measures", "accuracy")
    done = command("judge", "similarity", *options, "--beside", "table.csv", "--save", "trial.json")
    assert done.returncode == 0, done.stderr
    assert "Beside table.csv, n = 8, k = 4" in done.stdout
    assert ".125" in done.stdout
    assert command("judge", "table", "trial.json", "--beside", "table.csv").stdout == done.stdout
    assert ".125" not in command("judge", "table", "trial.json").stdout
    length = ("--designated", "--lengths", "4:6", "--texts", 5, "--sets", 1)
    assert command("judge", "length", *length, "--save", "l.json").returncode == 0
    refused = command("judge", "table", "l.json", "--beside", "table.csv")
    assert "--beside is for trials of similarity, got one of length." in refused.stderr
