"""Chat completions and batch output in the format of OpenAI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark
from distinctly.sources.logs.base import FAILED, WITHOUT_TEXT, JsonLog, Sample

REFUSED = "Texts that are refusals"


class OpenAiLog(JsonLog):
    """Completions, or lines of batch output that hold one each.

    Lines of batch output are named by `custom_id`; other completions have an id each, so that only the
    choices of one completion form a group.
    """

    tool = "chat completions"

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the texts of a completion: one per choice."""
        body: object = record
        if "custom_id" in record:
            response = record.get("response")
            if record.get("error") or not isinstance(response, Mapping):
                return [Remark(FAILED)]
            body = response.get("body")
            if response.get("status_code", 200) != 200:
                return [Remark(FAILED)]
        if not isinstance(body, Mapping):
            raise self.other_format(where, f"expected a completion, got {describe(body)}")
        texts = _choices(body) if "choices" in body else _outputs(body) if "output" in body else None
        if texts is None:
            raise self.other_format(where, "it has no 'choices'")
        id_ = record.get("custom_id") or body.get("id") or f"{self.part}{where}"
        given = [text for text in texts if text is not None]
        samples: list[Sample | Remark] = [
            Sample(where, text, id_, place, str(body.get("model") or ""), fields=record)
            for place, text in enumerate(given)
        ]
        missing = len(texts) - len(given) + (not texts)
        return [*samples, Remark(WITHOUT_TEXT, missing)] if missing else samples


def _choices(body: Mapping[str, Any]) -> list[str | None]:
    """Return the text of each choice: its content, or its refusal."""
    texts = []
    for choice in body["choices"] or ():
        message = choice.get("message") or {}
        texts.append(_content(message.get("content")) or message.get("refusal") or choice.get("text"))
    return texts


def _outputs(body: Mapping[str, Any]) -> list[str | None]:
    """Return the text of a response, which may consist of several messages."""
    messages = [item for item in body["output"] or () if item.get("type") == "message"]
    texts = [text for text in (_content(message.get("content")) for message in messages) if text is not None]
    return ["\n".join(texts) if texts else None]


def _content(content: object) -> str | None:
    """Return content as text: a string, or the texts of its parts."""
    if isinstance(content, list):
        parts = [part.get("text") or part.get("refusal") for part in content if isinstance(part, Mapping)]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None
