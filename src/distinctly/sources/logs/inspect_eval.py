"""Inspect: `.eval` and `.json` logs, through the package inspect_ai."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any

from distinctly.batch import LEFT_OUT
from distinctly.errors import InputError, missing_extra, reason
from distinctly.sources.blocks import Remark, Row
from distinctly.sources.locations import LocalFile
from distinctly.sources.logs.base import (
    FAILED,
    SHARED_QUALITY,
    WITHOUT_TEXT,
    LogSource,
    Sample,
    first_number,
    number_or_none,
)

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

# What takes most of a log, and has no texts of answers; versions that can leave it out do.
_UNREAD = {"events", "store"}
# The values of scores that are letters: correct, partly correct, incorrect, no answer.
_LETTERS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


class InspectLog(LogSource):
    """The answers of one model to one task, in one or more epochs."""

    tool = "inspect"
    _header: EvalLog | None = None

    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the answers of all samples and epochs; those of failed samples are left out."""
        header = self.header
        if header.status != "success":
            yield Remark(f"{LEFT_OUT} unfinished samples of runs with the status '{header.status}'; logs")
        for sample in self._read():
            yield from self._samples_of(sample)

    @property
    def header(self) -> EvalLog:
        """The log without its samples."""
        if self._header is None:
            self._header = self._opened_by_inspect()
        return self._header

    @property
    def task(self) -> str:
        """The task."""
        return str(self.header.eval.task)

    @property
    def systems(self) -> tuple[str, ...]:
        """The model."""
        return (self.header.eval.model,)

    def __getstate__(self) -> dict[str, object]:
        return {**super().__getstate__(), "_header": None}

    def _opened_by_inspect(self) -> EvalLog:
        self.refuse_stream("a log of inspect")
        try:
            from inspect_ai.log import read_eval_log
        except ImportError as error:
            raise missing_extra("A log of Inspect", "inspect-ai", "inspect") from error
        try:
            return read_eval_log(self._path, header_only=True)
        except Exception as error:  # of zip files, of JSON, of pydantic
            raise self._damaged(error) from error

    def _read(self) -> Iterator[EvalSample]:
        samples = self._samples_by_inspect()
        while True:
            try:
                sample = next(samples, None)
            except Exception as error:
                raise self._damaged(error) from error
            if sample is None:
                return
            yield sample

    def _samples_by_inspect(self) -> Iterator[EvalSample]:
        from inspect_ai.log import read_eval_log, read_eval_log_samples

        if self._path.endswith(".json"):  # which would be parsed again for each sample
            yield from read_eval_log(self._path).samples or ()
            return
        parameters = signature(read_eval_log_samples).parameters
        known: dict[str, Any] = {"exclude_fields": _UNREAD} if "exclude_fields" in parameters else {}
        yield from read_eval_log_samples(self._path, all_samples_required=False, **known)

    @property
    def _path(self) -> str:
        return str(self.location.path) if isinstance(self.location, LocalFile) else self.name

    def _damaged(self, error: Exception) -> InputError:
        return InputError(
            f"cannot be read as a log of inspect ({reason(error)}). It is damaged, incomplete, or of a newer "
            "version of inspect_ai. Copy it again, or upgrade inspect_ai.",
            source=self.name,
        )

    def _samples_of(self, sample: EvalSample) -> Iterator[Sample | Remark]:
        if sample.error is not None:
            yield Remark(FAILED)
            return
        choices = sample.output.choices
        if not choices:
            yield Remark(WITHOUT_TEXT)
            return
        texts = [choice.message.text for choice in choices]
        scores = {name: _numbered(score.value) for name, score in (sample.scores or {}).items()}
        quality = next(map(_quality, scores.values()), None)
        header = self.header.eval
        prompt = sample.input
        if not isinstance(prompt, str):
            prompt = "\n".join([message.text for message in prompt if message.role == "user"][-1:])
        for place, text in enumerate(texts):
            yield Sample(
                f"sample {sample.id}, epoch {sample.epoch}",
                text,
                sample.id,
                (sample.epoch - 1) * len(texts) + place,
                header.model,
                header.task,
                prompt,
                quality,
                fields={
                    **scores,
                    "epoch": sample.epoch,
                    "target": sample.target,
                    "metadata": sample.metadata,
                    "scores": scores,
                },
            )
        if len(texts) > 1 and quality is not None:
            yield Remark(SHARED_QUALITY, len(texts))


def _numbered(value: object) -> object:
    """Return the value of a score; letters as numbers."""
    return _LETTERS.get(value, value) if isinstance(value, str) else value


def _quality(value: object) -> float | None:
    """Return the value of a score as a number; the first of several."""
    if isinstance(value, Mapping):
        return first_number(value.values())
    return first_number(value) if isinstance(value, (list, tuple)) else number_or_none(value)
