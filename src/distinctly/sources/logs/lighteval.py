"""lighteval: `details_<task>_<date>.parquet`, one row per document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark
from distinctly.sources.locations import LocalFile
from distinctly.sources.logs.base import WITHOUT_TEXT, JsonLog, Sample, first_number, sharing_quality
from distinctly.sources.parquet import ParquetSource

_NAME = re.compile(r"details_(?P<task>.+?)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)\.parquet")


class LightevalLog(JsonLog):
    """The answers of one model to one task; the name of the model is that of the folders."""

    tool = "lighteval"
    needed = ("doc", "model_response")

    def rows(self) -> Iterator[tuple[str, object]]:
        """Yield the rows of the table."""
        source = ParquetSource(self.location, self.reading, name=self.name)
        for item in source.objects():
            self.position = source.position
            yield item

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the texts of a document: one per sample."""
        document, response = record["doc"], record["model_response"]
        if not isinstance(document, Mapping) or not isinstance(response, Mapping) or "id" not in document:
            raise self.other_format(
                where, f"expected 'doc' and 'model_response' to be structs, got {describe(document)}"
            )
        texts = self._texts(response)
        if not texts:
            return [Remark(WITHOUT_TEXT)]
        scores = record.get("metric") or {}
        quality = first_number(scores.values())
        prompt = document.get("query")
        samples = [
            Sample(
                where,
                text,
                document["id"],
                repeat,
                self._system,
                self.task or str(document.get("task_name") or ""),
                prompt if isinstance(prompt, str) else None,
                quality,
                fields={**scores, **record},
            )
            for repeat, text in enumerate(texts)
        ]
        return sharing_quality(samples)

    def _texts(self, response: Mapping[str, Any]) -> list[str]:
        """Return the texts: without their reasoning as the tool removed it, unless it is kept."""
        processed, raw = response.get("text_post_processed"), response.get("text")
        return list((processed if processed and self.reading.reasoning == "remove" else raw) or ())

    @property
    def systems(self) -> tuple[str, ...]:
        """The model."""
        return (self._system,)

    @property
    def task(self) -> str:
        """The task, by the name of the file."""
        match = _NAME.fullmatch("" if self.location is None else self.location.title)
        return match["task"] if match else ""

    @property
    def _system(self) -> str:
        """The name of the model: the folders between `details` and that of the date."""
        if not isinstance(self.location, LocalFile):
            return self.title
        folders = self.location.path.absolute().parent.parts
        if "details" not in folders:
            return self.title
        start = len(folders) - folders[::-1].index("details")
        return "/".join(folders[start:-1]) or self.title
