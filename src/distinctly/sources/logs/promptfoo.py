"""promptfoo: the output of `promptfoo eval -o`, as one JSON object or as JSON lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark, Row
from distinctly.sources.logs.base import FAILED, WITHOUT_TEXT, JsonLog, Sample, number_or_none


class PromptfooLog(JsonLog):
    """Outputs of several providers for prompts with variables.

    There is no field for repeats: outputs of one provider for the same prompt and variables are repeats.
    """

    tool = "promptfoo"
    needed = ("provider", "vars")

    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the outputs of all providers, and number repeats."""
        self._repeats: Counter[tuple[str, str]] = Counter()
        yield from super().samples()

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
        provider, variables, prompt = record["provider"], record["vars"], record.get("prompt")
        system = provider.get("label") or provider.get("id") if isinstance(provider, Mapping) else provider
        if not isinstance(system, str):
            raise self.other_format(where, f"expected 'provider' to have an id, got {describe(provider)}")
        response = record.get("response")
        output = response.get("output") if isinstance(response, Mapping) else None
        # A failed assertion also has an `error`, beside its output.
        if output is None:
            return [Remark(FAILED if record.get("error") else WITHOUT_TEXT)]
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
        raw = prompt.get("raw") if isinstance(prompt, Mapping) else prompt
        number = record.get("promptIdx", prompt.get("label") if isinstance(prompt, Mapping) else "")
        id_ = f"{number} {json.dumps(variables, ensure_ascii=False, sort_keys=True)}"
        self._repeats[system, id_] += 1
        return [
            Sample(
                where,
                text,
                id_,
                self._repeats[system, id_] - 1,
                system,
                prompt=raw if isinstance(raw, str) else None,
                quality=number_or_none(record.get("score")),
                fields={**(record.get("namedScores") or {}), **record},
            )
        ]
