"""Classifiers of pairs in ONNX files, by the command: values, and errors of one line."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.fixtures import Run, Save
from tests.pair_networks import needs_packages, save_classifier

ROWS = [("p", "cat"), ("p", "kitten"), ("p", "dog"), ("q", "dog"), ("q", "dog")]
TEXTS = "".join(
    json.dumps({"prompt": prompt, "answer": answer, "reward": 2}) + "\n" for prompt, answer in ROWS
)
READING = ("texts.jsonl", "--field", "answer", "--prompt", "prompt")


@needs_packages
@pytest.mark.parametrize("source", ["net/model.onnx", "net"])
def test_counts(command: Run, save: Save, tmp_path: Path, source: str) -> None:
    save("texts.jsonl", TEXTS)
    save_classifier(tmp_path / "net" / "model.onnx")
    options = f"by=classifier,classifier={source}"
    metrics = ("-m", f"answers:{options}", "-m", f"utility:patience=1,{options}")
    done = command("measure", *READING, "--quality", "reward", *metrics, "--format", "json")
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout)["scores"]
    within = [score["value"] for score in scores if score["scope"] == "within"]
    # Two classes of three texts and one of two: 1.5; quality 2 for 2 of 3 and 1 of 2 texts: (4/3 + 1) / 2.
    assert within == pytest.approx([1.5, 7 / 6])


def _no_tokenizer(folder: Path) -> str:
    save_classifier(folder / "net" / "model.onnx")
    (folder / "net" / "tokenizer.json").unlink()
    return "net"


def _no_network(folder: Path) -> str:
    save_classifier(folder / "net" / "model.onnx").write_bytes(b"no network")
    return "net/model.onnx"


ERRORS: dict[str, tuple[Callable[[Path], str], str]] = {
    "no file": (lambda _: "net/model.onnx", "No network at 'net/model.onnx': expected an .onnx file"),
    "no colon": (lambda _: "same", "or a function, as in classifier=mymodule:equivalent"),
    "no tokenizer": (_no_tokenizer, "put the tokenizer of the network into its folder"),
    "no network": (_no_network, "Give an .onnx file that onnxruntime reads"),
    "three classes": (
        lambda folder: str(save_classifier(folder / "net" / "model.onnx", 3)),
        "got 3 numbers per pair: give a classifier of pairs of texts with two classes",
    ),
    "undeclared classes": (
        lambda folder: str(save_classifier(folder / "net" / "model.onnx", 3, ["pairs", "classes"])),
        "got 3 numbers per pair",
    ),
}


@needs_packages
@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_one_line(command: Run, save: Save, tmp_path: Path, case: str) -> None:
    save("texts.jsonl", TEXTS)
    make, message = ERRORS[case]
    spec = f"answers:by=classifier,classifier={make(tmp_path)}"
    done = command("measure", *READING, "-m", spec, "-o", "scores.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert not (tmp_path / "scores.json").exists()


def test_without_the_extra(command: Run, save: Save) -> None:
    save("texts.jsonl", TEXTS)
    code = (
        "import importlib.util\n"
        "find = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *_: None if name == 'onnxruntime' else find(name, *_)\n"
    )
    folder = save("hidden/sitecustomize.py", code).parent
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    spec = "answers:by=classifier,classifier=net/model.onnx"
    done = command("measure", *READING, "-m", spec, environment={"PYTHONPATH": paths})
    assert done.returncode == 2
    assert done.stderr == (
        "distinctly: error: A classifier in an ONNX file needs the package onnxruntime, which cannot be "
        'imported: pip install "distinctly[onnx]"\n'
    )
