"""The examples run."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import distinctly as dy
from distinctly.judging import training_progress

SENTENCES = {
    "card": ["where is my card", "my card is lost", "I lost my card!", "can I have a new card?"],
    "money": ["I need cash", "the cash machine is broken", "no cash came out", "how much cash can I get?"],
}


def test_the_small_language_model_writes_a_corpus_an_epoch(root: Path, tmp_path: Path, monkeypatch) -> None:
    torch = pytest.importorskip("torch")
    rows = [{"text": text, "label": label} for label, texts in SENTENCES.items() for text in texts * 8]
    reference = tmp_path / "reference.jsonl"
    reference.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")

    folder = root / "examples" / "train_small_lm"
    monkeypatch.syspath_prepend(str(folder))
    before = torch.get_num_threads()

    def train(name: str) -> Path:
        options = ["--epochs", "2", "--sentences", "20", "--attempts", "50", "--to", str(tmp_path / name)]
        monkeypatch.setattr(sys, "argv", ["train.py", str(reference), *options])
        runpy.run_path(str(folder / "train.py"), run_name="__main__")
        torch.set_num_threads(before)
        return tmp_path / name

    once, again = train("once"), train("again")
    log = [json.loads(line) for line in (once / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    files = sorted(once.glob("*.txt"))
    assert [file.name for file in files] == ["epoch-01.txt", "epoch-02.txt"]
    for file, line in zip(files, log):
        assert line["kept"] == len(file.read_text(encoding="utf-8").splitlines()) == 20
        assert line["generated"] >= line["kept"]
        assert file.read_bytes() == (again / file.name).read_bytes()
    trial = training_progress(reference, files, "jensen_shannon")
    assert trial.settings["n"] == 20


TEXTS = [
    f"the {animal} {verb} away {number}"
    for number in range(40)
    for animal in ("cat", "dog")
    for verb in ("ran", "ran", "flew")
]


# What the examples save in states by default.
COUNTED = ["distinct", "ead", "entropy", "duplicates"]


def lines_of(scores: dy.Scores) -> list[str]:
    return [f"{score.spec} {score.value} {score.signature}" for score in scores]


def run_python(examples: Path, *arguments: object) -> list[str]:
    """Run Python with the examples on its path, and return the lines that it prints."""
    paths = os.pathsep.join([str(Path(dy.__file__).parents[1]), str(examples)])
    run = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.slow  # starts Python, and writes states from two ranks
def test_the_step_of_datatrove_gives_the_scores_of_measure(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("datatrove", reason='needs datatrove: pip install "datatrove[io]"')
    pytest.importorskip("orjson", reason='needs the reader of datatrove: pip install "datatrove[io]"')
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in range(3):
        rows = [{"text": text, "id": str(place)} for place, text in enumerate(TEXTS[number::3])]
        (documents / f"{number}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    states, examples = tmp_path / "states", root / "examples"
    lines = run_python(examples, examples / "datatrove_step.py", documents, "--to", states)
    assert lines == lines_of(dy.measure(TEXTS, COUNTED))
    assert sorted(file.name for file in states.glob("*.state")) == ["00000.state", "00001.state"]


@pytest.mark.slow  # imports datatrove
def test_the_step_of_datatrove_counts_in_pieces_and_passes_documents_on(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("datatrove", reason='needs datatrove: pip install "datatrove[io]"')
    script = (
        "import datatrove_step as step; from datatrove.data import Document; step.PIECE = 30; "  # two texts
        f"documents = [Document(text=text, id='') for text in {TEXTS!r}]; "
        f"passed = step.SaveStates({str(tmp_path)!r}, step.METRICS).run(iter(documents), rank=7); "
        "assert list(passed) == documents"
    )
    run_python(root / "examples", "-c", script)
    assert lines_of(dy.measure(tmp_path / "00007.state")) == lines_of(dy.measure(TEXTS, COUNTED))


@pytest.mark.slow  # starts Ray
def test_ray_data_gives_the_scores_of_measure(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray.data", reason='needs Ray: pip install "distinctly[ray]"')
    for number in range(3):
        table = pa.table({"answer": TEXTS[number::3], "score": [1.0] * len(TEXTS[number::3])})
        pq.write_table(table, tmp_path / f"{number}.parquet", row_group_size=20)
    files, examples = sorted(tmp_path.glob("*.parquet")), root / "examples"
    lines = run_python(examples, examples / "ray_data.py", *files, "--field", "answer")
    assert lines == lines_of(dy.measure(TEXTS, COUNTED))
