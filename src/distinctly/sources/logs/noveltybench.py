"""NoveltyBench: generations with their classes and scores, one row per prompt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from distinctly.errors import InputError
from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark
from distinctly.sources.logs.base import WITHOUT_TEXT, JsonLog, Sample, number_or_none

SCORED_BY_CLASS = "Texts with the score of their class, of which NoveltyBench scores the first text alone"
# Written in place of an answer that a model did not give.
PLACEHOLDERS = ("[Blocked]", "[empty]")


class NoveltyBenchLog(JsonLog):
    """Several generations of one model per prompt."""

    tool = "NoveltyBench"
    needed = ("id", "prompt")

    @property
    def task(self) -> str:
        """The set of prompts: curated or WildChat, by the first id."""
        first = next((item for item in self.samples() if isinstance(item, Sample)), None)
        return "" if first is None else str(first.id).partition("-")[0]

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the generations for a prompt."""
        if "generations" not in record and "partition" in record:
            raise InputError(
                "these results of NoveltyBench have no texts ('generations'); src/slim.py removed them. "
                "Give the generations.jsonl of the run, or the full results ('python -m src.publish pull').",
                source=self.name,
                row=where,
            )
        texts = record.get("generations")
        if not isinstance(texts, list):
            problem = "it has no 'generations'"
            if "generations" in record:
                problem = f"expected 'generations' to be a list, got {describe(texts)}"
            raise self.other_format(where, problem)
        partition = self._column("partition", where, record, texts)
        scores = self._column("generation_scores", where, record, texts)
        of_classes = record.get("partition_scores")
        samples: list[Sample | Remark] = []
        for place, text in enumerate(texts):
            if text is None or text in PLACEHOLDERS:
                samples.append(Remark(WITHOUT_TEXT))
                continue
            class_ = partition[place] if partition else None
            quality = number_or_none(scores[place]) if scores else None
            # Scores are 1 to 10. Further texts of a class have 0 or none, whatever they are worth.
            of_class = None if quality or not scores else _score_of_class(of_classes, class_)
            if of_class is not None:
                quality = of_class
                samples.append(Remark(SCORED_BY_CLASS))
            samples.append(
                Sample(
                    where,
                    text,
                    record["id"],
                    place,
                    str(record.get("model") or ""),
                    prompt=record["prompt"],
                    quality=quality,
                    # Classes are numbered anew for each prompt.
                    partition=f"{record['id']}/{class_}" if partition else None,
                    fields=record,
                )
            )
        return samples or [Remark(WITHOUT_TEXT)]

    def _column(
        self, name: str, where: str, record: Mapping[str, Any], texts: list[object]
    ) -> list[Any] | None:
        """Return the values of the texts; None if there are none."""
        values = record.get(name)
        if values is None or (isinstance(values, list) and len(values) == len(texts)):
            return values
        got = f"{len(values)}" if isinstance(values, list) else describe(values)
        raise self.other_format(where, f"expected '{name}' to be a list of {len(texts)} values, got {got}")


def _score_of_class(scores: object, class_: object) -> float | None:
    """Return the score of a class, by its number."""
    if not isinstance(scores, list) or not isinstance(class_, int) or not 0 <= class_ < len(scores):
        return None
    return number_or_none(scores[class_])
