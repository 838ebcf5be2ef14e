"""The examples in the help of every command run on the files of the guides, or a reason says why not."""

from __future__ import annotations

import inspect
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import xlsxwriter
from scripts.site_pages.commands import all_commands
from tests import example_files
from tests.shared import ROOT
from tests.test_pages import run_script

from distinctly.cli import cli

HELPS = {"": cli, **all_commands()}
# Parts of the examples that are not run, and why.
NOT_RUN = {
    "distinctly serve": "the server runs until it is stopped",
    "export-of-label-studio.json": "Label Studio writes the file",
    "jieba": "an extra that the test environment does not have",
    "s3://": "a remote address and a cluster",
    "sbert:": "a model to download",
}
NEW_STUDY = (
    "distinctly study new responses.jsonl --by method --group prompt --sets 20 --per-set 5 "
    "--annotators ann,bob,cy --scale 1 50"
)
ANSWERED = "distinctly study simulate responses.study --truth-metric ead"
# What is run before the examples of a command, or in the place of an example that is not run.
BEFORE = {
    # The map of few texts is drawn without UMAP, which compiles for seconds in each process.
    "report": """
        for file in a b c human model outputs; do head -n 4 $file.txt > few && mv few $file.txt; done
        awk 'NR % 4 < 2 && !/"prompt_id": [23]/' systems.jsonl > few && mv few systems.jsonl
    """,
    "state merge": "\n".join(
        f"distinctly state save {day}.jsonl --field response -o {day}.state" for day in ("monday", "tuesday")
    ),
    "study analyse": f"{NEW_STUDY}\n{ANSWERED}",
    "study export": f"{NEW_STUDY}\n{ANSWERED}",
    "study import": NEW_STUDY,
    "study simulate": f"{NEW_STUDY}\n{NEW_STUDY} -o pilot.study",
}
# Groups of commands whose examples need the files that earlier examples write.
CONTINUED = ("study", "state")
INSTEAD = {"distinctly serve --study responses.study": ANSWERED}


def examples(words: str) -> list[str]:
    """Return the examples in the help of a command, each on one line."""
    epilog = inspect.cleandoc(HELPS[words].epilog or "")
    lines = re.sub(r"\\\n\s*", "", epilog).splitlines()
    return [line.strip() for line in lines if re.match(r"\s+(?:distinctly|cat) ", line)]


def is_run(example: str) -> bool:
    return not any(part in example for part in NOT_RUN)


def scripts(words: str) -> list[str]:
    """Return what is run of a command; what its subcommands show too is run for them."""
    below = [other for other in HELPS if other.startswith(f"{words} ".lstrip()) and other != words]
    shown_below = {example for other in below for example in examples(other) if is_run(example)}
    lines = [example for example in examples(words) if example not in shown_below or words in CONTINUED]
    return [example if is_run(example) else INSTEAD.get(example, "") for example in lines]


def write_files(folder: Path) -> None:
    """Write the files of the guides, and those that only examples of the help read."""
    example_files.write(folder)
    for number, text in enumerate(example_files.essays(20)):
        example_files.write_lines(folder / "essays" / f"{number}.txt", [text])
    for name in ("step-100", "step-200", "step-300", "base", "tuned", "rlhf"):
        shutil.copy(folder / "a.txt", folder / f"{name}.txt")
    for name in ("a", "b", "human", "model"):
        texts = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        np.save(folder / f"{name}.npy", np.random.default_rng(0).normal(size=(len(texts), 8)))
    for name in ("table-2.csv", "table-3.csv"):
        shutil.copy(ROOT / "docs" / "reproductions" / name, folder)
    (folder / "task.md").write_text("How varied is each set?\n", encoding="utf-8")
    (folder / "methods.csv").write_text(
        "method,human,distinct,ead\nA,9,0.8,0.9\nB,6,0.5,0.6\nC,2,0.3,0.3\n", encoding="utf-8"
    )
    tagged = ({"text": "Tea is good.", "pos": ["NOUN", "VERB", "ADJ", "PUNCT"]} for _ in range(5))
    example_files.write_rows(folder / "tagged.jsonl", tagged)
    sampled = ({"text": text, "temperature": n % 10} for n, text in enumerate(example_files.sentences(1000)))
    example_files.write_rows(folder / "temperatures.jsonl", sampled)
    write_sets(folder / "sets.jsonl")
    with xlsxwriter.Workbook(folder / "essays.xlsx") as book:
        book.add_worksheet("Texts").write_column(0, 0, ["Text", *example_files.essays(20)])


def write_sets(path: Path) -> None:
    """Write sets of texts with scores, as the help of `judge people` shows them."""
    rows = (
        {
            "texts": example_files.sentences(1 + number % 5, 3 * number) * 2,
            "score": number % 5,
            "scores": {"ann": 10 * (number % 5) + 1, "bob": 9 * (number % 5) + 2},
            "task": ("story", "reply")[number % 2],
            "metric_x": number % 7 / 7,
        }
        for number in range(40)
    )
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("words", [words for words in HELPS if any(scripts(words))])
def test_examples_run(tmp_path: Path, words: str) -> None:
    write_files(tmp_path)
    for script in [BEFORE.get(words, ""), *scripts(words)]:
        run_script(script, tmp_path)


def test_what_is_not_run_is_in_an_example() -> None:
    every = [example for words in HELPS for example in examples(words)]
    for part in NOT_RUN:
        assert any(part in example for example in every), part
    assert INSTEAD.keys() <= set(every)
    assert HELPS.keys() >= BEFORE.keys()
