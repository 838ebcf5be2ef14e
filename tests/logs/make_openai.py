"""Make sample logs with the classes of the Python package of OpenAI, without a network.

Usage: ``python make_openai.py FOLDER``. FOLDER then holds::

    chat.jsonl         completions of several choices: a refusal, calls of tools, reasoning of other servers
    short.jsonl        the same without fields that are None
    texts.json         an array of completions that are not chats
    one.json           one chat completion, indented
    responses.jsonl    responses: reasoning, several messages, a comment, a refusal, a failure
    batch.jsonl        output of a batch: the format of its lines is documented, their bodies are of the classes
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from openai.types import Completion
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

SEA = ["The sea is blue.", "Salt and wind.", "It breathes."]
FRUIT = ["apple", "quince", "apple"]
USAGE = {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21}


def choice(index: int, content: str | None, reason: str = "stop", **message: object) -> dict[str, object]:
    return {
        "index": index,
        "finish_reason": reason,
        "logprobs": None,
        "message": {"role": "assistant", "content": content, "refusal": None, **message},
    }


def chat(id_: str, choices: list[dict[str, object]], model: str = "gpt-a") -> ChatCompletion:
    return ChatCompletion.model_validate(
        {
            "id": id_,
            "object": "chat.completion",
            "created": 1780000000,
            "model": model,
            "choices": choices,
            "usage": USAGE,
        }
    )


def chats() -> list[ChatCompletion]:
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    return [
        chat("chatcmpl-1", [choice(number, text) for number, text in enumerate(SEA)]),
        chat(
            "chatcmpl-2",
            [choice(0, "pear"), choice(1, None, refusal="I cannot name a fruit."), choice(2, "")],
        ),
        chat("chatcmpl-3", [choice(0, None, "tool_calls", tool_calls=[call]), choice(1, "kelp")]),
        # As vLLM, llama.cpp and others write reasoning; the second answer reached the limit of tokens.
        chat(
            "chatcmpl-4",
            [
                choice(0, "fig", reasoning_content="They want a fruit."),
                choice(1, None, "length", reasoning="They want a fruit, or"),
                choice(2, "<think>A fruit.</think>date"),
            ],
            "local-b",
        ),
        chat("chatcmpl-5", [choice(0, None, "content_filter")]),
    ]


def completion(id_: str, texts: list[str]) -> Completion:
    choices = [
        {"index": number, "finish_reason": "stop", "logprobs": None, "text": text}
        for number, text in enumerate(texts)
    ]
    return Completion.model_validate(
        {
            "id": id_,
            "object": "text_completion",
            "created": 1780000000,
            "model": "davinci-a",
            "choices": choices,
        }
    )


def message(*texts: str, kind: str = "output_text", **fields: object) -> dict[str, object]:
    name = "refusal" if kind == "refusal" else "text"
    more = {} if kind == "refusal" else {"annotations": []}
    content = [{"type": kind, name: text, **more} for text in texts]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": content,
        **fields,
    }


def response(
    id_: str, output: list[dict[str, object]], status: str = "completed", **fields: object
) -> Response:
    return Response.model_validate(
        {
            "id": id_,
            "object": "response",
            "created_at": 1780000000,
            "model": "gpt-r",
            "status": status,
            "output": output,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "text": {"format": {"type": "text"}},
            **fields,
        }
    )


def responses() -> list[Response]:
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "A fruit."}]}
    call = {"id": "fc_1", "type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"}
    return [
        response("resp_1", [reasoning, message("plum")]),
        response(
            "resp_2", [message("Let me see.", phase="commentary"), message("pl", "um", phase="final_answer")]
        ),
        response("resp_3", [message("I cannot.", kind="refusal")]),
        response("resp_4", [reasoning, call]),
        response("resp_5", [reasoning], "incomplete", incomplete_details={"reason": "max_output_tokens"}),
        response("resp_6", [], "failed", error={"code": "server_error", "message": "It failed."}),
    ]


def batch() -> list[dict[str, object]]:
    """Return lines as the guide to batches describes them: https://platform.openai.com/docs/guides/batch."""
    bodies: list[tuple[int, object]] = [
        (200, chat("chatcmpl-6", [choice(number, text) for number, text in enumerate(FRUIT)]).model_dump()),
        (200, responses()[0].model_dump(mode="json")),
        (
            400,
            {"error": {"message": "Too long.", "type": "invalid_request_error", "param": None, "code": None}},
        ),
    ]
    lines: list[dict[str, object]] = [
        {
            "id": f"batch_req_{number}",
            "custom_id": name,
            "response": {"status_code": status, "request_id": f"req_{number}", "body": body},
            "error": None,
        }
        for number, (name, (status, body)) in enumerate(zip(("fruit", "plum", "long"), bodies))
    ]
    error = {"code": "batch_expired", "message": "This request could not be executed in time."}
    return [*lines, {"id": "batch_req_3", "custom_id": "late", "response": None, "error": error}]


def main(folder: Path) -> None:
    """Write all files."""
    folder.mkdir(parents=True, exist_ok=True)

    def write(name: str, text: str) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    write("chat.jsonl", "".join(row.model_dump_json() + "\n" for row in chats()))
    write("short.jsonl", "".join(row.model_dump_json(exclude_none=True) + "\n" for row in chats()))
    texts = [completion("cmpl-1", SEA), completion("cmpl-2", FRUIT)]
    write("texts.json", json.dumps([row.model_dump() for row in texts]))
    write("one.json", chats()[0].model_dump_json(indent=1))
    write("responses.jsonl", "".join(row.model_dump_json() + "\n" for row in responses()))
    write("batch.jsonl", "".join(json.dumps(row) + "\n" for row in batch()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
