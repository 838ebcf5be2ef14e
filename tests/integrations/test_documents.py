"""Runs the examples of `docs/training.md` and of other pages and modules that need other packages."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.filterwarnings("ignore")  # of the libraries about themselves
MODULES = {"hf_evaluate": "evaluate", "torchmetrics": "torchmetrics", "transformers": "transformers"}
SECTIONS = {"torchmetrics": "torchmetrics", "Lightning": "lightning", "TRL": "", "evaluate": "evaluate"}


def run(text: str, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, "training.md", None, 0)
    assert test.examples
    assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0


def section(root: Path, name: str) -> str:
    text = (root / "docs" / "training.md").read_text(encoding="utf-8")
    (content,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(content)


@pytest.mark.parametrize(("module", "package"), MODULES.items())
def test_examples_of_docstrings(module: str, package: str) -> None:
    if package:
        pytest.importorskip(package, reason=f'needs {package}: pip install "distinctly[{package}]"')
    assert doctest.testmod(importlib.import_module(f"distinctly.{module}")).failed == 0


@pytest.mark.parametrize(("name", "package"), SECTIONS.items())
def test_examples_of_sections(root: Path, name: str, package: str) -> None:
    if package:
        pytest.importorskip(package, reason=f'needs {package}: pip install "distinctly[{package}]"')
    run(section(root, name), {})


def test_examples_of_coming_from_evaluate(root: Path) -> None:
    pytest.importorskip("evaluate", reason='needs evaluate: pip install "distinctly[evaluate]"')
    run((root / "docs" / "coming-from" / "evaluate.md").read_text(encoding="utf-8"), {})


def test_examples_of_the_section_on_transformers(
    root: Path, model: Any, tokenizer: Any, tmp_path: Path
) -> None:
    from transformers import PrinterCallback, Trainer, TrainingArguments

    data = [{"input_ids": [5, 6], "labels": [5, 6]}]
    arguments = TrainingArguments(str(tmp_path), report_to=[], disable_tqdm=True, use_cpu=True)
    trainer = Trainer(model, arguments, eval_dataset=data, processing_class=tokenizer)
    trainer.remove_callback(PrinterCallback)
    run(section(root, "transformers"), {"trainer": trainer})
