"""NoveltyBench: generations with their classes and scores, one row per prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark
from distinctly.sources.logs.base import WITHOUT_TEXT, JsonLog, Sample, number_or_none


class NoveltyBenchLog(JsonLog):
    """Several generations of one model per prompt."""

    tool = "NoveltyBench"
    needed = ("id", "prompt", "generations")

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the generations for a prompt."""
        texts = record["generations"]
        if not isinstance(texts, list):
            raise self.other_format(where, f"expected 'generations' to be a list, got {describe(texts)}")
        columns: dict[str, list[Any]] = {}
        for name in ("partition", "generation_scores"):
            values = record.get(name)
            if values is None:
                continue
            if not isinstance(values, list) or len(values) != len(texts):
                raise self.other_format(
                    where, f"expected '{name}' to be a list of {len(texts)} values, got {describe(values)}"
                )
            columns[name] = values
        if not texts:
            return [Remark(WITHOUT_TEXT)]
        return [
            Sample(
                where,
                text,
                record["id"],
                place,
                str(record.get("model") or ""),
                prompt=record["prompt"],
                quality=number_or_none(columns["generation_scores"][place])
                if "generation_scores" in columns
                else None,
                partition=columns["partition"][place] if "partition" in columns else None,
                fields=record,
            )
            for place, text in enumerate(texts)
        ]
