"""Every Eval Ever: `<uuid>_samples.jsonl`, one row per sample and result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from distinctly.errors import InputError, SpecError
from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark, Row
from distinctly.sources.logs.base import (
    FAILED,
    WITHOUT_TEXT,
    JsonLog,
    Sample,
    last_message,
    number_or_none,
    sharing_quality,
)

OTHER_RESULTS = "Rows of further results (metrics) of samples that are read with another one (--filter)"
# The converter of Inspect writes the answer or the explanation of the scorer in place of the output.
OTHER_TEXTS = (
    "Of these rows, those with another text than the one that is read: the texts are what a scorer extracted "
    "or explained, so prefer the original log"
)


class OtherResult(Remark):
    """In place of the samples of a row: its result, which is not the one that is read."""


class EveryEvalEverLog(JsonLog):
    """Answers of one or more models; a sample has one row per result, with the same answer."""

    tool = "Every Eval Ever"
    _results: dict[tuple[str, ...], str]
    _repeats: Counter[tuple[str, ...]]
    _last: tuple[tuple[str, ...], object, list[object]]

    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the samples of one result each."""
        self._results, self._repeats, self._last = {}, Counter(), ((), None, [])
        others: set[str] = set()
        is_empty = True
        for item in super().samples():
            if isinstance(item, OtherResult):
                others.add(item.text)
                yield Remark(OTHER_RESULTS)
            else:
                is_empty = False
                yield item
        if others and is_empty:
            raise SpecError(
                f"{self.name}: there is no result '{self.reading.filter}'. Choose one of "
                f"{', '.join(sorted(others))} with --filter (Python: filter=)."
            )

    @property
    def task(self) -> str:
        """The evaluation of the first sample."""
        first = next((item for item in self.samples() if isinstance(item, Sample)), None)
        return "" if first is None else first.task

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the texts of a sample: its output, or the last turn of an interaction."""
        self._check(where, record)
        task, id_ = str(record.get("evaluation_name") or ""), str(record["sample_id"])
        model = str(record["model_id"])
        key = (task, model, id_)
        # Repeats of a sample are rows with the same result. A sample that failed, or that was not
        # scored, has one row without a result.
        result = record.get("evaluation_result_id")
        if isinstance(result, str) and result != (
            self.reading.filter or self._results.setdefault(key, result)
        ):
            # Rows of one output are next to each other, and of the same epoch.
            is_other = self._last[:2] == (key, record.get("metadata")) and self._last[2] != self._texts(
                where, record
            )
            return [OtherResult(result), *([Remark(OTHER_TEXTS)] if is_other else [])]
        if record.get("error"):
            return [Remark(FAILED)]
        texts = self._texts(where, record)
        self._last = (key, record.get("metadata"), texts)
        if not texts:
            return [Remark(WITHOUT_TEXT)]
        evaluation, given = record.get("evaluation"), record.get("input")
        quality = number_or_none(evaluation.get("score")) if isinstance(evaluation, Mapping) else None
        prompt = last_message(given.get("raw") if isinstance(given, Mapping) else given)
        first = self._repeats[key]
        self._repeats[key] += len(texts)
        samples = [
            Sample(where, text, record["sample_id"], repeat, model, task, prompt, quality, fields=record)
            for repeat, text in enumerate(texts, first)
        ]
        return sharing_quality(samples)

    def _check(self, where: str, record: Mapping[str, Any]) -> None:
        """Raise if a row is not of a sample."""
        if "evaluation_results" in record:
            raise InputError(
                "these are averages of Every Eval Ever, which have no texts. Give the samples that belong to "
                "them, <uuid>_samples.jsonl.",
                source=self.name,
            )
        missing = [name for name in ("sample_id", "model_id") if name not in record]
        if missing:
            raise self.other_format(where, f"it has no '{missing[0]}'")

    def _texts(self, where: str, record: Mapping[str, Any]) -> list[object]:
        """Return the outputs, or the last answer; versions before 0.2.1 have one text, or `interactions`."""
        output = record.get("output")
        if output is None:
            turns = record.get("messages") or record.get("interactions")
            if turns is None and not {"output", "messages", "interactions"} & record.keys():
                raise self.other_format(where, "it has neither 'output' nor 'messages'")
            return _last_answer(turns)
        texts = output.get("raw") if isinstance(output, Mapping) else output
        if isinstance(texts, str):
            return [texts]
        if not isinstance(texts, list):
            raise self.other_format(where, f"expected 'output.raw' to be a list, got {describe(texts)}")
        return [text for text in texts if text is not None]


def _last_answer(turns: object) -> list[object]:
    """Return the last text of the assistant in an interaction; calls of tools are no text."""
    said = [
        turn["content"]
        for turn in (turns if isinstance(turns, list) else [])
        if isinstance(turn, Mapping)
        and turn.get("role") == "assistant"
        and isinstance(turn.get("content"), str)
        and (turn["content"] or not turn.get("tool_calls"))
    ]
    return list(said[-1:])
