"""The examples run."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path

import pytest

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
