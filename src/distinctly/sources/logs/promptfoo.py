"""promptfoo: the output of `promptfoo eval -o`, as one JSON object or as JSON lines."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark, Row
from distinctly.sources.logs.base import FAILED, WITHOUT_TEXT, JsonLog, Sample, last_message, number_or_none


class PromptfooLog(JsonLog):
    """Outputs of several providers for prompts with variables.

    There is no field for repeats: outputs of one provider for the same prompt and variables are repeats. Nor
    is there one number per prompt: `promptIdx` counts pairs of provider and prompt.
    """

    tool = "promptfoo"
    needed = ("provider", "vars")
    _repeats: Counter[tuple[str, str]]

    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the outputs of all providers, and number repeats."""
        self._repeats = Counter()
        yield from super().samples()

    @cached_property
    def _labels(self) -> Mapping[str, set[str]]:
        """The labels of the providers by their ids, from a first reading."""
        labels: dict[str, set[str]] = defaultdict(set)
        for _, row in self.rows():
            provider = row.get("provider") if isinstance(row, Mapping) else None
            if isinstance(provider, Mapping):
                labels[str(provider.get("id"))].add(str(provider.get("label") or ""))
        return labels

    def rows_of(self, value: object) -> Iterator[tuple[str, object]]:
        """Yield the results of an object of all results."""
        results = value.get("results") if isinstance(value, Mapping) else None
        results = results.get("results") if isinstance(results, Mapping) else results
        if not isinstance(results, list):
            raise self.other_format("", f"expected a list at results.results, got {describe(results)}")
        for number, result in enumerate(results):
            yield f"results[{number}]", result

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the output of one provider for one prompt."""
        response, prompt = record.get("response"), record.get("prompt")
        output = response.get("output") if isinstance(response, Mapping) else None
        if output is None:  # a failed assertion has an `error` too, beside its output
            return [Remark(FAILED if record.get("error") else WITHOUT_TEXT)]
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
        raw = prompt.get("raw") if isinstance(prompt, Mapping) else prompt
        system = self._system(where, record["provider"])
        variables = json.dumps(record["vars"], ensure_ascii=False, sort_keys=True)
        # The hash of a prompt is shown as git does.
        name = str(record["promptId"])[:10] if record.get("promptId") else raw
        id_ = f"{name} {variables}"
        self._repeats[system, id_] += 1
        return [
            Sample(
                where,
                text,
                id_,
                self._repeats[system, id_] - 1,
                system,
                prompt=last_message(raw),
                quality=number_or_none(record.get("score")),
                fields={**(record.get("namedScores") or {}), **record},
            )
        ]

    def _system(self, where: str, provider: object) -> str:
        """Return the id of a provider; its label if several providers have this id, with other settings."""
        name = provider.get("id") if isinstance(provider, Mapping) else provider
        if not isinstance(name, str):
            raise self.other_format(where, f"expected 'provider' to have an id, got {describe(provider)}")
        label = provider.get("label") if isinstance(provider, Mapping) else None
        return label if label and len(self._labels[name]) > 1 else name
