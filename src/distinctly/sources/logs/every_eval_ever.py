"""Every Eval Ever: `<uuid>_samples.jsonl`, one row per sample."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark
from distinctly.sources.logs.base import (
    WITHOUT_TEXT,
    JsonLog,
    Sample,
    last_message,
    number_or_none,
    sharing_quality,
)


class EveryEvalEverLog(JsonLog):
    """Answers of one or more models."""

    tool = "Every Eval Ever"
    needed = ("sample_id", "model_id")

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the texts of a sample: its output, or the last turn of an interaction."""
        output = record.get("output")
        texts = output.get("raw") if isinstance(output, Mapping) else _answers(record.get("messages"))
        texts = [texts] if isinstance(texts, str) else texts
        if texts is not None and not isinstance(texts, list):
            raise self.other_format(where, f"expected 'output.raw' to be a list, got {describe(texts)}")
        if not texts:
            return [Remark(WITHOUT_TEXT)]
        evaluation, given = record.get("evaluation"), record.get("input")
        quality = number_or_none(evaluation.get("score")) if isinstance(evaluation, Mapping) else None
        prompt = given.get("raw") if isinstance(given, Mapping) else given
        samples = [
            Sample(
                where,
                text,
                record["sample_id"],
                repeat,
                str(record["model_id"]),
                str(record.get("evaluation_name") or ""),
                last_message(prompt),
                quality,
                fields=record,
            )
            for repeat, text in enumerate(texts)
        ]
        return sharing_quality(samples)


def _answers(messages: object) -> list[str]:
    """Return the last text of the assistant in an interaction."""
    turns = messages if isinstance(messages, list) else []
    said = [turn for turn in turns if isinstance(turn, Mapping) and turn.get("role") == "assistant"]
    return [turn["content"] for turn in said if isinstance(turn.get("content"), str)][-1:]
