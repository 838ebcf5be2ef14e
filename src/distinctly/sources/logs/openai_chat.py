"""Chat completions, completions, responses and batch output in the format of OpenAI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark
from distinctly.sources.logs.base import FAILED, WITHOUT_TEXT, JsonLog, Sample

REFUSALS = "Texts that are refusals"
NEVER_CAME = "Texts of reasoning alone, whose answer is taken as empty"
# States of a response without an answer, and the status of a line of batch output with one.
_UNFINISHED, _SUCCESS = ("failed", "cancelled", "queued", "in_progress"), 200
# Names that servers give to reasoning which they separate from the answer; it is no part of the text.
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")


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
            if response is None or record.get("error"):
                return [Remark(FAILED)]
            if not isinstance(response, Mapping):
                raise self.other_format(
                    where, f"expected 'response' to be an object, got {describe(response)}"
                )
            if response.get("status_code", _SUCCESS) != _SUCCESS:
                return [Remark(FAILED)]
            body = response.get("body")
        if not isinstance(body, Mapping):
            raise self.other_format(where, f"expected a completion, got {describe(body)}")
        if body.get("error") or body.get("object") == "error" or body.get("status") in _UNFINISHED:
            return [Remark(FAILED)]
        parts = self._parts(where, body)
        id_ = record.get("custom_id") or body.get("id") or f"{self.part}{where}"
        system = str(body.get("model") or "")
        samples: list[Sample | Remark] = []
        for place, part in enumerate(parts):
            text = _text(part)
            if text is None:
                samples.append(Remark(WITHOUT_TEXT))
                continue
            samples.append(Sample(where, text, id_, place, system, fields=record))
            if part.get("refusal") == text != "":
                samples.append(Remark(REFUSALS))
            elif not text and _has_reasoning(part):
                samples.append(Remark(NEVER_CAME))
        return samples or [Remark(WITHOUT_TEXT)]

    def _parts(self, where: str, body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """Return the messages of a completion, one per choice, or the one of a response."""
        name = next((name for name in ("choices", "output") if name in body), None)
        if name is None:
            raise self.other_format(where, "it has no 'choices'")
        items = body[name] or []
        if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
            raise self.other_format(where, f"expected '{name}' to be a list of objects")
        if name == "output":
            return [_message(items)] if items else []
        if any("delta" in choice for choice in items):
            raise self.other_format(where, "it is a part of a stream; save whole completions")
        return [
            choice["message"] if isinstance(choice.get("message"), Mapping) else choice for choice in items
        ]


def _message(items: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the items of a response as one message; comments before the final answer are left out."""
    messages = [item for item in items if item.get("type") == "message"]
    final = [message for message in messages if message.get("phase") != "commentary"] or messages
    contents = [message.get("content") for message in final]
    texts = [text for text in map(_content, contents) if text is not None]
    refusals = [text for text in (_content(content, "refusal") for content in contents) if text is not None]
    return {
        "content": "\n".join(texts) if texts else None,
        "refusal": "\n".join(refusals) if refusals else None,
        "reasoning": all(item.get("type") == "reasoning" for item in items),
    }


def _text(part: Mapping[str, Any]) -> str | None:
    """Return the text of a message or choice: its content, or its refusal; None if there is no answer.

    An answer that is missing after reasoning, which reached the limit of tokens, is empty.
    """
    content = _content(part.get("content"))
    if content:
        return content
    for other in (part.get("refusal"), part.get("text")):
        if isinstance(other, str):
            return other
    if part.get("tool_calls") or part.get("function_call"):
        return None
    return "" if content is not None or _has_reasoning(part) else None


def _has_reasoning(part: Mapping[str, Any]) -> bool:
    return any(part.get(name) for name in _REASONING)


def _content(content: object, name: str = "text") -> str | None:
    """Return content as text: a string, or the texts of its parts; None if there is none."""
    if isinstance(content, list):
        parts = [part.get(name) for part in content if isinstance(part, Mapping)]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None
