"""`distinctly judge length`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.fixtures import Run, Save

TEXTS = "".join(
    f"{' '.join(f'w{(7 * place + word * word) % 31}' for word in range(length))}\n"
    for length in range(3, 9)
    for place in range(12)
)


def test_a_table_and_figures(command: Run, save: Save) -> None:
    save("replies.txt", TEXTS)
    done = command(
        *("judge", "length", "replies.txt", "--designated", "--lengths", "3:8", "--texts", 10),
        *("-m", "distinct:n=1", "-m", "ead", "--plots", "figures", "--save", "length.json"),
    )
    assert done.returncode == 0, done.stderr
    assert "replies.txt: 3 to 8 tokens, 10 texts per set, 10 sets per length" in done.stdout
    assert "distinct:n=1 on replies.txt. Falls with length: " in done.stdout
    assert done.stderr.count("distinctly: drew") == 4
    again = command("judge", "table", "length.json")
    assert again.stdout == done.stdout


def test_records_as_json(command: Run, save: Save) -> None:
    save("replies.jsonl", "".join(json.dumps({"reply": line}) + "\n" for line in TEXTS.splitlines()))
    done = command(
        *(
            "judge",
            "length",
            "replies.jsonl",
            "--field",
            "reply",
            "--texts",
            12,
            "--sets",
            2,
            "--format",
            "json",
        )
    )
    document = json.loads(done.stdout)
    # 3 metrics, 6 lengths, 2 sets.
    assert len(document["records"]) == 36
    assert document["records"][0].keys() >= {"metric", "corpus", "length", "set", "value"}
    assert {one["measure"] for one in document["findings"]} == {
        "slope",
        "intercept",
        "relative_slope",
        "change",
    }


def test_several_corpora(command: Run, save: Save) -> None:
    save("a/replies.txt", TEXTS)
    save("b/replies.txt", TEXTS.replace("w1", "x"))
    done = command("judge", "length", "a/replies.txt", "b/replies.txt", "--texts", 12, "-m", "ead")
    assert "side by side" in done.stdout
    assert "ead on b/replies.txt. " in done.stdout


def test_too_few_texts(command: Run, save: Save) -> None:
    save("replies.txt", "a b\nc d e\nf\n")
    done = command("judge", "length", "replies.txt")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "distinctly: error: replies.txt: expected 10 texts of each of at least 3 lengths"
    )


def test_the_size_of_sets_that_is_suggested_works(command: Run, save: Save) -> None:
    """Of 40 texts, 21 are equally long, so that three bins cannot have a third of the texts each."""
    counts = {7: 21, 8: 9, 6: 8, 9: 2}
    texts = [" ".join(f"w{place + word}" for word in range(n)) for n in counts for place in range(counts[n])]
    save("outputs.txt", "\n".join(texts))
    measured = ("judge", "length", "outputs.txt", "-m", "distinct:n=1")
    done = command(*measured)
    assert done.returncode == 2
    assert "or smaller sets (--texts 8)." in done.stderr
    assert command(*measured, "--texts", 8).returncode == 0


def test_nothing_given(command: Run) -> None:
    done = command("judge", "length")
    assert done.returncode == 2
    assert "--designated" in done.stderr


def test_essays_of_different_lengths_are_cut_to_the_lengths_of_bins(command: Run, save: Save) -> None:
    save(
        "essays.jsonl",
        "".join(
            json.dumps({"text": " ".join(f"w{(place * length) % 97}" for place in range(length))}) + "\n"
            for length in range(80, 140)
        ),
    )
    done = command("judge", "length", "essays.jsonl", "-m", "distinct:n=1")
    assert done.returncode == 0, done.stderr
    # 57 of 60 essays; a bin has at least 10 of them, the smallest set.
    assert "essays.jsonl: 83 to 123 tokens (5 bins, texts cut to equal length), 10 texts" in done.stdout
    assert "too few texts are equally long" in " ".join(done.stdout.split())
    asked = command("judge", "length", "essays.jsonl", "--bins", 3, "-m", "distinct:n=1")
    assert "essays.jsonl: 83 to 121 tokens (3 bins, texts cut to equal length)" in asked.stdout
    both = command("judge", "length", "essays.jsonl", "--bins", 3, "--lengths", "80:100:10")
    assert both.returncode == 2
    assert "Remove --bins or --lengths" in both.stderr


@pytest.mark.slow
def test_essays_of_real_systems(command: Run, shared: Path) -> None:
    file = shared / "alpacaeval-8-systems.jsonl.gz"
    done = command("judge", "length", file, "-m", "distinct:n=1", "--sets", 2)
    assert done.returncode == 0, done.stderr
    # Answers of 0 to 3,909 words, the median is 158; 36 % of them have a length that 20 answers have.
    assert "16 to 467 tokens (10 bins, texts cut to equal length), 500 texts per set" in done.stdout
