"""Make sample logs of Every Eval Ever with its own classes and converters, without a network.

Usage: ``python make_every_eval_ever.py FOLDER LM_EVAL INSPECT``, where LM_EVAL is a folder of samples of
lm-evaluation-harness, and INSPECT an ``a.json`` of ``make_inspect.py``. FOLDER then holds, each with
its averages beside, ``<uuid>.json``::

    lm_eval/…/<uuid>_samples.jsonl     by `every_eval_ever convert lm_eval`: 3 documents, 2 metrics
    inspect/…/<uuid>_samples.jsonl     by `every_eval_ever convert inspect`: 2 samples, 2 epochs, 2 scorers
    <uuid>_samples.jsonl               by its classes: several outputs, several turns, tools, an error
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from every_eval_ever.cli import main as run
from every_eval_ever.helpers import SCHEMA_VERSION
from every_eval_ever.instance_level_types import InstanceLevelEvaluationLog

UUID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
DOCUMENTS = 3
KEPT = {("fruit", 1), ("fruit", 2), ("hello", 1), ("hello", 2)}


def of_lm_eval(folder: Path, logs: Path) -> None:
    """Convert the first documents of one task."""
    with tempfile.TemporaryDirectory() as made:
        for file in logs.glob("samples_open_plain_*.jsonl"):
            lines = file.read_text("utf-8").splitlines(keepends=True)[:DOCUMENTS]
            (Path(made) / file.name).write_text("".join(lines), encoding="utf-8")
        for file in logs.glob("results_*.json"):
            results = json.loads(file.read_text("utf-8"))
            for part in ("results", "configs", "versions", "n-shot", "higher_is_better", "n-samples"):
                if isinstance(results.get(part), dict):
                    results[part] = {k: v for k, v in results[part].items() if k == "open_plain"}
            results.pop("groups", None)
            results.pop("group_subtasks", None)
            (Path(made) / file.name).write_text(json.dumps(results), encoding="utf-8")
        convert("lm_eval", folder, Path(made), "--include_samples")


def of_inspect(folder: Path, log: Path) -> None:
    """Convert some samples of a log, whose model gets a name that says who developed it."""
    value = json.loads(log.read_text("utf-8").replace('"mockllm/a"', '"openai/a"'))
    value["samples"] = [s for s in value["samples"] if (s["id"], s["epoch"]) in KEPT]
    for reduction in value["reductions"]:
        names = {name for name, _ in KEPT}
        reduction["samples"] = [s for s in reduction["samples"] if s["sample_id"] in names]
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / "a.json"
        path.write_text(json.dumps(value), encoding="utf-8")
        convert("inspect", folder, path)


def convert(tool: str, folder: Path, log: Path, *options: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    arguments = ["--log_path", str(log), "--output_dir", str(folder), "--source_organization_name", "Example"]
    run(["convert", tool, *arguments, *options])


def row(sample: str, kind: str, score: float, question: str, **fields: object) -> InstanceLevelEvaluationLog:
    return InstanceLevelEvaluationLog.model_validate(
        {
            "schema_version": SCHEMA_VERSION,
            "evaluation_id": "fruits/org__beta/1780000000",
            "model_id": "org/beta",
            "evaluation_name": "fruits",
            "evaluation_result_id": "quality",
            "sample_id": sample,
            "interaction_type": kind,
            "input": {"raw": question, "reference": ["apple"]},
            "answer_attribution": [],
            "evaluation": {"score": score, "is_correct": score == 1.0},
            **fields,
        }
    )


def turn(place: int, role: str, content: str | None, **fields: object) -> dict[str, object]:
    return {"turn_idx": place, "role": role, "content": content, **fields}


def rows() -> list[InstanceLevelEvaluationLog]:
    """Return rows of all kinds."""
    call = {"id": "call_1", "name": "look", "arguments": {"where": "garden"}}
    talk = [
        turn(0, "user", "Name a fruit."),
        turn(1, "assistant", "fig"),
        turn(2, "user", "Another one."),
        turn(3, "assistant", "date", reasoning_trace="Another fruit."),
    ]
    search = [
        turn(0, "system", "Use tools."),
        turn(1, "user", "Which fruit is in the garden?"),
        turn(2, "assistant", None, tool_calls=[call]),
        turn(3, "tool", "quince", tool_call_id=["call_1"]),
        turn(4, "assistant", "A quince."),
        turn(5, "assistant", "", tool_calls=[{"id": "call_2", "name": "submit"}]),
    ]
    several = {"raw": ["apple", "pear", "apple"], "reasoning_trace": ["A fruit.", "A fruit.", "A fruit."]}
    return [
        row("single", "single_turn", 0.5, "Name a fruit.", output=several),
        row("none", "single_turn", 0.0, "Name none.", output={"raw": []}),
        row("talk", "multi_turn", 1.0, "Name a fruit.", messages=talk),
        row("search", "agentic", 0.25, "Which fruit is in the garden?", messages=search),
        row("late", "single_turn", 0.0, "Name a fruit.", output={"raw": [""]}, error="The time was up."),
    ]


def main(folder: Path, lm_eval: Path, inspect: Path) -> None:
    """Write all files."""
    of_lm_eval(folder / "lm_eval", lm_eval)
    of_inspect(folder / "inspect", inspect)
    lines = "".join(item.model_dump_json(exclude_none=True) + "\n" for item in rows())
    (folder / f"{UUID}_samples.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
