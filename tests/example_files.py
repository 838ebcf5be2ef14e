"""The files that the commands of guides read, in small."""

from __future__ import annotations

import csv
import gzip
import itertools
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from tests.shared import ROOT

LOGS = ROOT / "tests" / "logs"
WHO = ("The ferry", "A neighbour", "My sister", "The old clock", "Nobody here", "The gardener", "A grey cat")
WHAT = ("leaves", "waits", "sings", "comes back", "stops", "rests", "laughs")
WHERE = ("at dawn", "by the harbour", "in the rain", "near the station", "after lunch", "without a word")
PROMPTS = ("Write about tea.", "Write about the sea.", "Describe a street.", "Tell me a secret.")
MODULE = '''\
"""Metrics of one's own."""


def distance(reference, candidate):
    """Return the share of words that only one of two corpora has."""
    left, right = ({word for text in texts for word in text.split()} for texts in (reference, candidate))
    return 1 - len(left & right) / len(left | right)


def score(texts):
    """Return the share of different texts."""
    return len(set(texts)) / len(texts)


def equivalent(first, second):
    """Return whether the texts of each pair end with the same word."""
    return [left.split()[-1] == right.split()[-1] for left, right in zip(first, second)]
'''


def sentences(count: int, first: int = 0) -> list[str]:
    """Return different sentences."""
    every = itertools.product(range(len(WHERE)), range(len(WHAT)), range(len(WHO)))
    chosen = itertools.islice(itertools.cycle(every), first, first + count)
    return [
        f"{WHO[who]} {WHAT[(what + who) % 7]} {WHERE[(where + what) % 6]}." for where, what, who in chosen
    ]


def essays(count: int) -> list[str]:
    """Return texts of several sentences, of different lengths."""
    return [" ".join(sentences(3 + number % 5, 11 * number)) for number in range(count)]


def answers(models: Iterable[str], repeats: int) -> Iterator[dict[str, object]]:
    """Yield several answers of each model to each prompt; later models repeat themselves more often."""
    for (place, model), (prompt_id, prompt) in itertools.product(enumerate(models), enumerate(PROMPTS)):
        for repeat, text in enumerate(sentences(repeats, 40 * place + 10 * prompt_id)):
            answer = text if repeat % 4 >= place else sentences(1, prompt_id)[0]
            yield {"model": model, "prompt_id": prompt_id, "prompt": prompt, "text": f"Here it is. {answer}"}


def write(folder: Path) -> None:
    """Write all files to a folder."""
    write_texts(folder)
    write_answers(folder)
    write_outputs(folder)
    write_labelled(folder)
    copy_files(folder)
    (folder / "mymodule.py").write_text(MODULE, encoding="utf-8")


def write_texts(folder: Path) -> None:
    """Write files of texts without other fields."""
    teas = [f"{text} Strong tea and {food}." for text, food in zip(sentences(10), ("a cake", "bread") * 5)]
    files = {
        "a.txt": sentences(600),
        "b.txt": essays(600),
        "c.txt": sentences(50) * 2,
        "human.txt": sentences(40),
        "model.txt": sentences(10, 30) * 4,
        "outputs.txt": sentences(40, 80),
        "replies.txt": sentences(600),
        "texts.txt": teas,
        "crawl.txt.gz": sentences(294),
    }
    for name, texts in files.items():
        write_lines(folder / name, texts)
    rows = {
        "essays.jsonl": essays(1300),
        "run-a/1.jsonl.gz": sentences(20),
        "run-a/2.jsonl.gz": sentences(20, 20),
        "run-b/1.jsonl": sentences(20, 40),
        "training.jsonl.gz": sentences(60),
    }
    for name, texts in rows.items():
        write_rows(folder / name, ({"text": text} for text in texts))


def write_answers(folder: Path) -> None:
    """Write the answers of models to prompts: one file of several models, with rewards, and for a study."""
    write_rows(folder / "systems.jsonl", answers(("human", "alpha", "beta"), 4))
    rewards = itertools.cycle((1, 4, 3, 5))
    samples = ({**row, "reward": reward} for row, reward in zip(answers(("alpha", "beta"), 5), rewards))
    write_rows(folder / "samples.jsonl", samples)
    asked = itertools.product(range(3), range(20))
    responses = (
        {"method": "ABC"[method], "prompt": f"Question {prompt}", "text": text}
        for method, prompt in asked
        for text in sentences(5 - method, 7 * prompt + 50 * method) + sentences(1, prompt) * method
    )
    write_rows(folder / "responses.jsonl", responses)


def write_outputs(folder: Path) -> None:
    """Write files of one model each, with rows as an API returns them, and a field with the text alone."""
    for place, name in enumerate(("human", "a", "b", "c", "outputs", "new", "monday", "tuesday")):
        rows = (
            {
                "id": f"{name}-{number}",
                "prompt": PROMPTS[number % len(PROMPTS)],
                "response": text,
                "choices": [{"message": {"content": text}}],
            }
            for number, text in enumerate(sentences(40, 4 * place))
        )
        write_rows(folder / f"{name}.jsonl", rows)


def write_labelled(folder: Path) -> None:
    """Write texts with ratings and authors, and with labels."""
    with (folder / "essays.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Text", "Rating", "Author"])
        writer.writerows(
            [text, 1 + number * number % 5, "ABC"[number % 3]] for number, text in enumerate(essays(40))
        )
    intents = ({"text": text, "intent": f"intent {n % 8}"} for n, text in enumerate(sentences(1200)))
    write_rows(folder / "intents.jsonl", intents)


def copy_files(folder: Path) -> None:
    """Copy logs of evaluation tools from the other tests, and a published table."""
    for path in LOGS.glob("lm_eval/*/*.json*"):
        if path.name.startswith(("results_", "samples_open_")):
            copy = folder / "logs" / path.parent.name / path.name.replace("open_first", "gsm8k")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
    (folder / "docs" / "reproductions").mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "reproductions" / "table-2.csv", folder / "docs" / "reproductions")
    shutil.copy(LOGS / "promptfoo" / "out.json", folder / "results.json")
    shutil.copy(LOGS / "noveltybench" / "v1.0" / "alpha" / "scores.jsonl", folder / "scores.jsonl")


def write_lines(path: Path, texts: Iterable[str]) -> None:
    """Write one text per line."""
    path.parent.mkdir(exist_ok=True)
    content = "".join(f"{text}\n" for text in texts).encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def write_rows(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one JSON object per line."""
    write_lines(path, map(json.dumps, rows))
