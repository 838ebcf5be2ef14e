"""Make sample logs with the fields of NoveltyBench, after its source: the benchmark is no package.

Usage: ``python make_noveltybench.py FOLDER``. Fields and their order are those of ``src/inference.py``,
``src/partition.py``, ``src/score.py`` and ``src/evaluation_io.py``, and of the results in ``evaluation/``, of
which version 1.0 (March to November 2025) and 1.1 (September 2026) differ. FOLDER then holds::

    v1.0/<model>/generations.jsonl, partitions.jsonl, scores.jsonl, summary.json
    v1.1/<model>/nb-curated/generations.jsonl            with v1.1/partitions.jsonl, scores.jsonl, summary.json
    slim/scores.jsonl                                    without texts, as ``src/slim.py`` leaves it for git
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

PATIENCE = 0.8
PROMPTS = {
    "curated-5": "Write a short poem of hatred with 4 lines.",
    "curated-21": "Name the dog character in my story about a loyal dog.",
    "curated-69": "Name one wild animal which is an omnivore.",
}
# Texts with their classes and the scores of the first text of each class (1 to 10).
ALPHA = {
    "curated-5": (
        ["Hate burns.", "I would rather not.", "Hate burns hot.", "Cold spite."],
        [0, 1, 0, 2],
        [4, 9, 7],
    ),
    "curated-21": (["Fido", "fido", "Fido!", "Argos"], [0, 0, 0, 1], [8, 10]),
    "curated-69": (["raccoon", "bear", "boar", "skunk"], [0, 1, 2, 3], [10, 9, 8, 2]),
}
BETA = {
    "curated-5": (["Hate burns.", "Hate burns.", "Hate burns.", "Hate burns."], [0, 0, 0, 0], [3]),
    "curated-21": (["Rex", "Max", "Rex", "Max"], [0, 1, 0, 1], [6, 5]),
    "curated-69": (["bear", "bear", "bear", "boar"], [0, 0, 0, 1], [9, 8]),
}


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def heads(classes: list[int], scores: list[int], others: int | None) -> list[int | None]:
    """Return the score of the first text of each class, and another value for further ones."""
    return [scores[c] if c not in classes[:place] else others for place, c in enumerate(classes)]


def utility(credited: list[int | None]) -> float:
    weights = [PATIENCE**place for place in range(len(credited))]
    return sum(weight * (score or 0) for weight, score in zip(weights, credited)) / sum(weights)


def summary(path: Path, rows: list[dict]) -> None:
    means = {f"mean_{name}": sum(row[name] for row in rows) / len(rows) for name in ("distinct", "utility")}
    path.write_text(json.dumps(means, indent=2), encoding="utf-8")


def version_1_0(folder: Path, model: str, texts: dict[str, tuple[list[str], list[int], list[int]]]) -> None:
    """Write the files of the first version, in one folder; rows come in the order in which they are done."""
    made = [
        {"id": id_, "prompt": PROMPTS[id_], "model": model, "generations": texts[id_][0]}
        for id_ in reversed(PROMPTS)
    ]
    write(folder / "generations.jsonl", made)
    parts = [{**row, "partition": texts[row["id"]][1], "distinct": max(texts[row["id"]][1])} for row in made]
    write(folder / "partitions.jsonl", parts)
    rows = []
    for row in parts:
        credited = heads(row["partition"], texts[row["id"]][2], 0)
        of_classes = {"partition_scores": texts[row["id"]][2], "utility": utility(credited)}
        rows.append({**row, "generation_scores": credited, **of_classes})
    write(folder / "scores.jsonl", rows)
    summary(folder / "summary.json", rows)


def version_1_1(folder: Path, model: str, texts: dict[str, tuple[list[str], list[int], list[int]]]) -> None:
    """Write the files of the second version: with keys and settings, and with scores of a judge."""
    config = {"stage": "generation", "version": 2, "model": model, "mode": "openai", "sampling": "regenerate"}
    config |= {"num_generations": 4, "temperature": 1.0, "max_tokens": 2048, "reasoning_effort": None}
    made = []
    for id_, prompt in PROMPTS.items():
        answers = texts[id_][0]
        row = {"id": id_, "prompt": prompt, "model": model, "generations": answers}
        made.append({**row, "generation_key": key(row), "generation_config": config})
    write(folder / "generations.jsonl", made)
    judge = {"version": "1.1", "alg": "llm", "judge_model": "gpt-5.6-luna", "seed": None}
    parts = []
    for row in made:
        inputs = {name: row[name] for name in ("id", "prompt", "generations", "model")}
        classes = texts[row["id"]][1]
        fields = {"partition": classes, "distinct": len(set(classes)), "partition_key": key(inputs)}
        parts.append({**inputs, **fields, "partition_config": {"stage": "partition", **judge}})
    write(folder / "v1.1/partitions.jsonl", parts)
    scorer = {
        "stage": "score",
        "version": "1.1",
        "scorer": "llm",
        "judge_model": "gpt-5.6-luna",
        "patience": PATIENCE,
    }
    rows = []
    for row in parts:
        scores = texts[row["id"]][2]
        single = heads(row["partition"], scores, None)
        fields = {"generation_scores": single, "partition_scores": scores, "utility": utility(single)}
        rows.append({**row, **fields, "score_key": key(row), "score_config": scorer})
    # The judge declined one prompt.
    declined = {"generation_scores": [None] * 4, "partition_scores": [], "utility": None}
    rows[0] = {**rows[0], **declined, "unscored": "judge_refusal"}
    write(folder / "v1.1/scores.jsonl", rows)
    summary(folder / "v1.1/summary.json", rows[1:])


def key(row: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()


def main(folder: Path) -> None:
    """Write all files."""
    version_1_0(folder / "v1.0/alpha", "org/alpha", ALPHA)
    version_1_0(folder / "v1.0/beta", "beta-2025", BETA)
    blocked = {
        **ALPHA,
        "curated-69": (["raccoon", "[Blocked]", "boar", "[empty]"], [0, 1, 2, 3], [10, 1, 8, 1]),
    }
    version_1_1(folder / "v1.1/alpha/nb-curated", "org/alpha", blocked)
    rows = map(json.loads, (folder / "v1.0/alpha/scores.jsonl").read_text("utf-8").splitlines())
    write(
        folder / "slim/scores.jsonl", [{k: v for k, v in row.items() if k != "generations"} for row in rows]
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
